"""The name by which a phone answers the group's links of a club, in a signed cookie."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

from clubs.models import Club

PREFIX = f"{settings.COOKIE_PREFIX}coming-"
LASTS = 400 * 24 * 3600
"""Seconds: about a year, the most that browsers keep."""
_SALT = "clubs.coming.phone"


def known_name(request: HttpRequest, club: Club) -> str:
    """The name that was typed on this phone for the club; empty for none, and for forged cookies."""
    try:
        sent = _signer(club).unsign_object(request.COOKIES.get(_cookie(club), ""))
    except (BadSignature, ValueError):
        return ""
    return sent if isinstance(sent, str) else ""


def remember(response: HttpResponse, club: Club, name: str) -> None:
    """Keep the name on the phone."""
    response.set_cookie(
        _cookie(club),
        _signer(club).sign_object(name),
        max_age=LASTS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _cookie(club: Club) -> str:
    return f"{PREFIX}{club.pk}"


def _signer(club: Club) -> Signer:
    return Signer(salt=f"{_SALT}:{club.pk}")
