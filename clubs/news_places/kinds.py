"""Kinds of news that a place can have."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy


@dataclass(frozen=True)
class NewsKind:
    """A kind of news: its title, and when it goes out."""

    name: str
    """Stored with places; never changes."""
    title: Promise
    when: Promise


_ALL = (
    NewsKind(
        "standings",
        gettext_lazy("Results and standings"),
        gettext_lazy("when a matchday is complete, or an evening is over"),
    ),
    NewsKind("results", gettext_lazy("Each result"), gettext_lazy("when it becomes final")),
    NewsKind("drawn", gettext_lazy("Pairings"), gettext_lazy("when a round or matchday starts")),
    NewsKind("evening", gettext_lazy("Next meeting"), gettext_lazy("at 18:00 on the day before")),
    NewsKind("champion", gettext_lazy("Winners"), gettext_lazy("when an event or a division is over")),
)
CORRECTION = gettext_lazy("Correction")
LETTER = "letter"
"""A newsletter, which goes to a place when its organiser ticks it."""
KINDS = {kind.name: kind for kind in _ALL}
NAMES = list(KINDS)
USUAL = ("standings", "evening", "champion")
"""What goes to a new place, unless its organiser chooses otherwise."""


def title_of(kind: str) -> str:
    """The title of a message of a kind."""
    if kind == LETTER:
        return gettext("Newsletter")
    return str(KINDS[kind].title if kind in KINDS else CORRECTION)
