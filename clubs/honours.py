"""Titles that teams win. Stored in English, as `write_title` writes them, and shown in the reader's language."""

from django.utils.translation import gettext, gettext_noop

LONGEST = 80

CHAMPION = gettext_noop("Champion of %(name)s")
RUNNER_UP = gettext_noop("Runner-up of %(name)s")
PROMOTED = gettext_noop("Promoted to %(name)s")
RELEGATED = gettext_noop("Relegated to %(name)s")
WINNER = gettext_noop("Winner of %(name)s")

_NOTES = {
    CHAMPION: gettext_noop("champion"),
    RUNNER_UP: gettext_noop("runner-up"),
    PROMOTED: gettext_noop("promoted to %(name)s"),
    RELEGATED: gettext_noop("relegated to %(name)s"),
    WINNER: gettext_noop("winner of %(name)s"),
}


def write_title(title: str, name: str) -> str:
    """A title as it is stored: one of the above, with the name of a division or a cup."""
    return (title % {"name": name})[:LONGEST]


def title_text(stored: str) -> str:
    """A stored title in the reader's language: `Champion of Division 1`."""
    title, name = _read(stored)
    return gettext(title) % {"name": name} if title else stored


def note_text(stored: str) -> str:
    """The same after the name of a team: `champion`, `promoted to Division 1`."""
    title, name = _read(stored)
    return gettext(_NOTES[title]) % {"name": name} if title else stored[:1].lower() + stored[1:]


def is_champion(stored: str) -> bool:
    """Whether a stored title is that of a champion."""
    return _read(stored)[0] == CHAMPION


def _read(stored: str) -> tuple[str, str]:
    for title in _NOTES:
        start = title % {"name": ""}
        if stored.startswith(start):
            return title, stored.removeprefix(start)
    return "", ""
