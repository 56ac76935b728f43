"""The language of what is kept at a table: its log reads alike for all, and news are told to each in their own."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import translation
from django.utils.translation import gettext

from accounts.languages import language_of
from accounts.models import User
from gameplay.models import Seat

_COMMON = "en"
"""What a log is written in where the players read several languages."""


def say_to(user: User, sentence: str, /, **values: object) -> str:
    """A marked sentence with its values, in the language of this person; a guest's is that of who is asking."""
    if user.is_guest:
        return _said(sentence, values)
    with language_of(user):
        return _said(sentence, values)


def say_at(seats: Iterable[Seat], sentence: str, /, **values: object) -> str:
    """The same in the language of a table's log: that of all members in these seats, or else English."""
    read = {seat.user.language for seat in seats if seat.user is not None and not seat.user.is_guest}
    if not read:
        return _said(sentence, values)
    with translation.override(read.pop() if len(read) == 1 else _COMMON):
        return _said(sentence, values)


def _said(sentence: str, values: dict[str, object]) -> str:
    return gettext(sentence) % values if values else gettext(sentence)
