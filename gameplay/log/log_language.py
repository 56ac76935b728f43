"""The language of stored texts of a table: its log reads alike for all, and notifications are in each reader's own."""

from collections.abc import Iterable

from django.utils import translation
from django.utils.translation import gettext

from accounts.languages import language_of
from accounts.models import User
from gameplay.models import Seat

_COMMON = "en"
"""The language of a log if the players read several."""


def say_to(user: User, sentence: str, /, **values: object) -> str:
    """A marked sentence with its values, in the language of this person; for a guest, in that of the request."""
    if user.is_guest:
        return _translated(sentence, values)
    with language_of(user):
        return _translated(sentence, values)


def say_at(seats: Iterable[Seat], sentence: str, /, **values: object) -> str:
    """The same in the language of a table's log: that of all members in these seats, or else English."""
    read = {seat.user.language for seat in seats if seat.user is not None and not seat.user.is_guest}
    if not read:
        return _translated(sentence, values)
    with translation.override(read.pop() if len(read) == 1 else _COMMON):
        return _translated(sentence, values)


def _translated(sentence: str, values: dict[str, object]) -> str:
    return gettext(sentence) % values if values else gettext(sentence)
