"""Sign-ins that last longer than a request, such as those of live streams: each ends with its session or its token."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import ApiToken, User
from accounts.queries import player_of


@dataclass(frozen=True)
class SignIn:
    """A session, of a person or a guest, or a token."""

    session_key: str = ""
    user_id: int | None = None
    """The person of the session."""
    password_mark: str = ""
    """What the session remembers of the person's password: it ends when that changes."""
    token: str = ""
    """The digest of a token."""


def sign_in_of(request: HttpRequest, token: ApiToken | None = None) -> SignIn | None:
    """The sign-in that a request came with; `None` if it came without."""
    if token is not None:
        return SignIn(token=token.pk)
    player = player_of(request)
    if not isinstance(player, User):
        return None
    key = request.session.session_key or ""
    if player.is_guest:
        return SignIn(session_key=key)
    return SignIn(session_key=key, user_id=player.pk, password_mark=request.session.get(HASH_SESSION_KEY, ""))


def ended(sign_ins: Collection[SignIn]) -> set[SignIn]:
    """Those that are no longer valid: with three queries for up to 500."""
    sessions = _sessions({each.session_key for each in sign_ins if each.session_key})
    tokens = _tokens({each.token for each in sign_ins if each.token})
    marks = _password_marks({each.user_id for each in sign_ins if each.user_id is not None})

    def is_valid(each: SignIn) -> bool:
        if each.token:
            return each.token in tokens
        return each.session_key in sessions and (each.user_id is None or marks.get(each.user_id) == each.password_mark)

    return {each for each in sign_ins if not is_valid(each)}


def _sessions(keys: set[str]) -> set[str]:
    current = Session.objects.filter(expire_date__gt=timezone.now())
    return {key for part in _parts(keys) for key in current.filter(pk__in=part).values_list("pk", flat=True)}


def _tokens(digests: set[str]) -> set[str]:
    current = ApiToken.objects.filter(Q(expiry=None) | Q(expiry__gt=timezone.now()), user__is_active=True)
    return {digest for part in _parts(digests) for digest in current.filter(pk__in=part).values_list("pk", flat=True)}


def _password_marks(ids: set[int]) -> dict[int, str]:
    people = User.objects.filter(is_active=True).only("password")
    rows = (user for part in _parts(ids) for user in people.filter(pk__in=part))
    return {user.pk: user.get_session_auth_hash() for user in rows}


def _parts(keys: Iterable[Any]) -> Iterator[list[Any]]:
    """In parts, because SQLite takes only so many parameters."""
    every = list(keys)
    return (every[start : start + 500] for start in range(0, len(every), 500))
