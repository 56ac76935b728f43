"""Guests: visitors without an account, whose matches are kept when they sign up."""

import secrets

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from accounts import time_zones
from accounts.models import User
from accounts.signals import guest_adopted

_KEY, _PREFIX = "guest", "guest-"
UNNAMED = "You"
"""The name of guests before they give one."""


def player_of(request: HttpRequest) -> User | AnonymousUser:
    """The person signed in, else the guest of this session, else an `AnonymousUser`."""
    if request.user.is_authenticated:
        return request.user
    guest = User.objects.filter(pk=request.session[_KEY], is_guest=True).first() if _KEY in request.session else None
    return guest or AnonymousUser()


def make_guest(request: HttpRequest) -> User:
    """A guest for this session; the one it has already, if any."""
    player = player_of(request)
    if isinstance(player, User):
        return player
    guest = create_guest(secrets.token_hex(8), time_zones.guess(request))
    remember(request, guest)
    return guest


def create_guest(key: str, time_zone: str) -> User:
    """A guest of no session yet; `key` is theirs alone."""
    guest = User(username=_PREFIX + key, display_name=UNNAMED, is_guest=True, time_zone=time_zone)
    guest.set_unusable_password()
    guest.is_active = False
    guest.save()
    return guest


def find_guest(key: str) -> User | None:
    """The guest that was created with this key."""
    return User.objects.filter(username=_PREFIX + key, is_guest=True).first()


def remember(request: HttpRequest, guest: User) -> None:
    """Make this the guest of the session."""
    request.session[_KEY] = guest.pk
    request.player = guest  # type: ignore[attr-defined]


def adopt(request: HttpRequest, user: User) -> None:
    """Hand the matches of this session's guest over to `user`. Called on sign-up and sign-in."""
    guest = User.objects.filter(pk=request.session.pop(_KEY, 0), is_guest=True).first()
    if guest is None or guest == user:
        return
    guest_adopted.send(sender=User, guest=guest, user=user)
    guest.delete()
