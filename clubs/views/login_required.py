"""Pages that need an account: who has none is led to sign in, and back."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from accounts.models import User
from accounts.queries import player_of
from gameplay.access import is_member


def person_of(request: HttpRequest) -> User | None:
    """Who asks, if they have an account."""
    player = player_of(request)
    return player if isinstance(player, User) and is_member(player) else None


def sign_in(request: HttpRequest) -> HttpResponse:
    """Leads to signing in, and back to this page."""
    return redirect_to_login(request.path, reverse(settings.LOGIN_URL))


def next_query(request: HttpRequest) -> str:
    """What links to sign up carry, so that one comes back to this page."""
    query = QueryDict(mutable=True)
    query["next"] = request.path
    return query.urlencode(safe="/")
