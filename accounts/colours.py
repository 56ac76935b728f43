"""Colours of cards and table for people without an account, in a cookie of their browser; members have them on their row."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.models import User

_VALUES = {"deck": User.Deck.values, "card_back": User.CardBack.values, "table_colour": User.TableColour.values}
NAMES = tuple(_VALUES)
COOKIE = f"{settings.COOKIE_PREFIX}colours"
_YEAR = 365 * 24 * 60 * 60


def colours_of(request: HttpRequest) -> dict[str, str]:
    """The three choices for a request, by their names; the usual ones for an unknown cookie."""
    player = request.player  # type: ignore[attr-defined]
    is_member = player.pk is not None and not player.is_guest
    words = request.COOKIES.get(COOKIE, "").split(".")
    chosen = dict(zip(NAMES, words, strict=False)) if len(words) == len(NAMES) and not is_member else {}
    if all(chosen.get(name) in values for name, values in _VALUES.items()):
        return chosen
    source = player if is_member else User()
    return {name: str(getattr(source, name)) for name in NAMES}


def keep_colours(response: HttpResponse, colours: dict[str, str]) -> None:
    """Remember the choices in this browser for a year."""
    response.set_cookie(
        COOKIE,
        ".".join(colours[name] for name in NAMES),
        max_age=_YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
