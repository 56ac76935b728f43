"""Questions about people."""

from typing import cast

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

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
