"""Who won an event, and why: one answer for every page, picture, file, feed, letter and the API."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from tournaments import cuts, ties
from tournaments.models import Entry, Stage, Tournament
from tournaments.stage_state import StageState, load
from web.text import join_words


@dataclass(frozen=True)
class Outcome:
    """The winners of an event that is over: several if they share first place, nobody while a tie is undecided."""

    champions: tuple[Entry, ...] = ()
    by: str = ""
    """What decided a tie for first place: `ahead by lot`; empty if there was none."""
    tied: tuple[Entry, ...] = ()
    """The entries that are tied for first place until an organiser decides."""

    @property
    def names(self) -> str:
        """The names of the winners."""
        return join_words([entry.name for entry in self.champions])

    @property
    def sentence(self) -> str:
        """The decision of a tie for first place, as a sentence; empty if there was none."""
        if self.tied:
            return cuts.first_question(join_words(entry.name for entry in self.tied))
        if len(self.champions) > 1:
            return gettext("%(names)s share first place.") % {"names": self.names}
        if self.by:
            return gettext("%(names)s won, %(why)s.") % {"names": self.names, "why": self.by}
        return ""


def of(event: Tournament, stages: Sequence[Stage] | None = None) -> Outcome:
    """The outcome of an event; an empty one before its last stage is played."""
    stages = list(event.stages.all()) if stages is None else stages
    last = max(stages, key=lambda stage: stage.number, default=None)
    if last is None or last.status != Stage.Status.OVER or event.status == Tournament.Status.CANCELLED:
        return Outcome()
    return of_state(load(last, event))


def of_state(state: StageState) -> Outcome:
    """The outcome of an event by the state of its last stage, once that is over."""
    winners, is_shared = cuts.first(state)
    entries = tuple(state.entries[place.entry].entry for place in winners)
    if len(entries) > 1 and not is_shared:
        return Outcome(tied=entries)
    return Outcome(entries, ties.by_words(winners[0].by) if len(winners) == 1 else "")
