"""Questions about people."""

from typing import cast

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts import providers
from accounts.models import User


def display_name(user: User) -> str:
    """The name of a person on the site."""
    return str(user)


def player_of(request: HttpRequest) -> User | AnonymousUser:
    """The player of a request: the person signed in, the guest of this session, or nobody."""
    return cast("User | AnonymousUser", request.player)  # type: ignore[attr-defined]


def member(request: HttpRequest) -> User:
    """The person signed in, in views that require it."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def confirmed_addresses(user: User) -> list[str]:
    """The email addresses that the person has confirmed, in lower case."""
    addresses = EmailAddress.objects.filter(user__pk=user.pk, verified=True).values_list("email", flat=True)
    return [address.lower() for address in addresses]


def has_other_way_in(user: User, account: SocialAccount) -> bool:
    """Whether the person can sign in without this account elsewhere: also by a code to a confirmed address."""
    return (
        user.has_usable_password()
        or EmailAddress.objects.filter(user=user, verified=True).exists()
        or Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN).exists()
        or SocialAccount.objects.filter(user=user, provider__in=providers.offered()).exclude(pk=account.pk).exists()
    )


def people_at(email: str) -> list[User]:
    """The people with an account who have confirmed this email address."""
    return list(User.objects.filter(emailaddress__email__iexact=email, emailaddress__verified=True, is_active=True))


def masked_address(email: str, reader: User | None = None) -> str:
    """An email address for people who may not be its owner, such as `a…@example.org`; empty if the reader confirmed it."""
    name, _, host = email.rpartition("@")
    is_own = reader is not None and email.lower() in confirmed_addresses(reader)
    return f"{name[:1]}…@{host}" if host and not is_own else ""
