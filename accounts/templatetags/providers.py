"""Accounts elsewhere, in templates."""

from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.template import Library

from accounts import providers
from accounts.models import User

register = Library()


@register.simple_tag
def offered_providers() -> dict[str, str]:
    """The names of the providers that are offered, by their part of the address."""
    return providers.offered()


@register.simple_tag
def connected_accounts(user: User) -> list[dict[str, Any]]:
    """The accounts of the person with providers that are offered, oldest first."""
    names = providers.offered()
    rows = SocialAccount.objects.filter(user=user, provider__in=names).order_by("pk")
    return [{"row": row, "name": names[row.provider]} for row in rows]
