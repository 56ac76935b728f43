"""What teams win, in words. A title is kept in English, as `made` makes it, and said in the language of who reads it."""

from __future__ import annotations

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


def made(title: str, name: str) -> str:
    """A title as it is kept: one of the above, with the name of a division or a cup."""
    return (title % {"name": name})[:LONGEST]


def said(kept: str) -> str:
    """A kept title for who reads it: `Champion of Division 1`."""
    title, name = _read(kept)
    return gettext(title) % {"name": name} if title else kept


def noted(kept: str) -> str:
    """The same behind the name of a team: `champion`, `promoted to Division 1`."""
    title, name = _read(kept)
    return gettext(_NOTES[title]) % {"name": name} if title else kept[:1].lower() + kept[1:]


def _read(kept: str) -> tuple[str, str]:
    for title in _NOTES:
        start = title % {"name": ""}
        if kept.startswith(start):
            return title, kept.removeprefix(start)
    return "", ""
