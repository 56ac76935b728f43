"""The form to sign up with an account elsewhere."""

from __future__ import annotations

from allauth.socialaccount.forms import SignupForm
from django.db import transaction
from django.http import HttpRequest

from accounts.forms import NameAndPlace
from accounts.models import User


class ProviderSignUpForm(NameAndPlace, SignupForm):  # type: ignore[misc]
    """A name and an address, as at every sign-up, without a password."""

    field_order = ["display_name", "email"]

    @transaction.atomic
    def save(self, request: HttpRequest) -> User:
        """Create the account with the address that was typed, which is verified only if the provider says so of it."""
        email = self.cleaned_data["email"].lower()
        self.sociallogin.email_addresses = [
            address for address in self.sociallogin.email_addresses if address.email.lower() == email
        ]
        user: User = super().save(request)
        return user
