"""Pages that need an account: visitors are sent to sign in, and back."""

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from accounts.models import User
from accounts.queries import player_of
from gameplay.access import is_member


def person_of(request: HttpRequest) -> User | None:
    """The reader, if they have an account."""
    player = player_of(request)
    return player if isinstance(player, User) and is_member(player) else None


def sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to sign in, and back to this page."""
    return redirect_to_login(request.get_full_path(), reverse(settings.LOGIN_URL))


def next_query(request: HttpRequest) -> str:
    """The query of links to sign up, to come back to this page."""
    query = QueryDict(mutable=True)
    query["next"] = request.path
    return query.urlencode(safe="/")
