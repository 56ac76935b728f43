"""Entries as pages show them, and the addresses of the pages of an event."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from accounts.display_names import name_text
from tournaments import round_names
from tournaments.models import Entry, Pairing, Tournament
from tournaments.stage_state import StageState

GONE = {Entry.Status.WITHDRAWN: gettext_noop("withdrawn"), Entry.Status.DISQUALIFIED: gettext_noop("disqualified")}
"""The label of an entry that has left."""


@dataclass(frozen=True)
class Links:
    """Paths of the pages of one event. Built here, because a page may link to thousands of them."""

    slug: str

    @cached_property
    def event(self) -> str:
        """The event's own page; all its others start with it."""
        return reverse("tournaments:event", args=[self.slug])

    def stage(self, number: int) -> str:
        """The bracket or the standings of a stage."""
        return f"{self.event}{number}/"

    def match(self, stage: int, name: str) -> str:
        """A match; the names of matches have only ASCII letters, digits and dots."""
        return f"{self.event}{stage}/{name}/"

    def entry(self, number: int) -> str:
        """An entry's path through the event."""
        return f"{self.event}entries/{number}/"


def links_of(tournament: Tournament) -> Links:
    """The paths of an event's pages."""
    return Links(tournament.slug)


@dataclass(frozen=True)
class Entrant:
    """An entry: its name, its number in the event, its seed in the stage or the event, and whether it has left."""

    pk: int
    name: str
    number: int
    url: str
    seed: int | None = None
    status: str = ""
    """`withdrawn`, `disqualified`, or empty."""


def entrant(entry: Entry, links: Links, seed: int | None = None) -> Entrant:
    """An entry for a page."""
    gone = GONE.get(Entry.Status(entry.status))
    status = gettext(gone) if gone else ""
    return Entrant(entry.pk, name_text(entry.name), entry.number, links.entry(entry.number), seed or entry.seed, status)


def entrants_of(state: StageState, links: Links) -> dict[int, Entrant]:
    """The entries of a stage by their ids, each with its seed in the stage."""
    return {part.entry_id: entrant(part.entry, links, at) for at, part in state.entries.items()}


def by_position(state: StageState, entrants: Mapping[int, Entrant]) -> dict[int, Entrant]:
    """The same entries by their positions in the stage."""
    return {at: entrants[part.entry_id] for at, part in state.entries.items()}


def match_title(pairing: Pairing) -> str:
    """The title of a match whose round is known: `Table 3`, `Semi-final 1`, or `Final`."""
    return round_names.match_title(pairing.round.name, pairing.name, pairing.number)
