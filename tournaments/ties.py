"""Ties at a cut of a stage: what separates tied entries, by the rule of its plan and by answers of organisers.

`Answer`s are stored with the stage, with entries by their numbers: they hold for exactly these entries at this cut, so
that a corrected result that ties others asks again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_noop

from engine.compete import lots
from engine.compete.records import CannotPair, Played
from engine.compete.ties import Decision, Settled, settle
from tournaments.models import Tournament
from tournaments.stage_state import StageState
from web.text import join_words

END = 0
"""The cut after a whole stage; others go by the number of their round."""
_LAST = 99
"""Number of a stage's last draw by lot; a stage has at most 60 rounds, and an event 8 stages."""


@dataclass(frozen=True)
class Answer:
    """An organiser's answer to a tie: groups of numbers of entries, the best first, and how it came about."""

    cut: int
    groups: tuple[tuple[int, ...], ...]
    by: str
    """`playoff`, `lot`, `share` or `all`."""

    def write(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"cut": self.cut, "groups": [list(group) for group in self.groups], "by": self.by}


class Undecided(CannotPair):
    """A tie at a cut that nothing settles; `tied` are the entries by position."""

    def __init__(self, sentence: str, tied: Sequence[int]) -> None:
        super().__init__(sentence)
        self.tied = tuple(tied)


def answers(state: StageState) -> list[Answer]:
    """The stored answers of organisers."""
    return [
        Answer(each["cut"], tuple(tuple(group) for group in each["groups"]), each["by"])
        for each in state.stage.ties_json
    ]


def settle_tie(
    state: StageState, tied: Sequence[int], cut: int = END, *, extra: Iterable[Played] = (), draws: bool = True
) -> Settled:
    """Separate tied entries of a stage (positions) at a cut. Lots are drawn only if `draws`.

    `extra` are tables that are not in the state yet.
    """
    rule = state.plan.cut_tie
    position = {entrant.entry.number: at for at, entrant in state.entries.items()}
    decisions = {}
    for answer in answers(state):
        groups = tuple(tuple(position[number] for number in group if number in position) for group in answer.groups)
        if answer.cut == cut:
            decisions[frozenset(at for group in groups for at in group)] = Decision(groups, answer.by)
    tables: list[Played] = []
    if rule in ("total", "books", "between"):
        tables = [table for round_ in state.played(cut + 1 if cut else None) for table in round_.tables]
    return settle(
        tied, rule, [*tables, *extra], lot=_lot(state, cut) if draws and rule == "lot" else None, decisions=decisions
    )


def _lot(state: StageState, cut: int) -> Any:
    key = lot_key(state, cut)
    return (lambda at: lots.place(key, state.entries[at].entry.number)) if key else None


def lot_number(state: StageState, cut: int) -> int:
    """The number of the draw at a cut, among all draws of the event."""
    return (state.stage.number - 1) * 100 + (cut or _LAST)


def lot_key(state: StageState, cut: int) -> str:
    """The key of the draw at a cut, which is secret until it is drawn; empty if the event has no secret."""
    return lots.key(state.lot_seed, lot_number(state, cut)) if state.lot_seed else ""


def lot_commitment(event: Tournament) -> str:
    """The commitment to all lots of an event, public from its creation; empty if it has no secret."""
    return lots.commitment(event.lot_seed) if event.lot_seed else ""


# Sentences

_BY = {
    "total": (gettext_noop("ahead by total card points"), gettext_noop("by total card points")),
    "books": (gettext_noop("ahead by books"), gettext_noop("by books")),
    "between": (gettext_noop("ahead by the result between them"), gettext_noop("by the result between them")),
    "playoff": (gettext_noop("ahead after a deciding deal"), gettext_noop("after a deciding deal")),
    "lot": (gettext_noop("ahead by lot"), gettext_noop("by lot")),
}
"""What can put an entry ahead of those it was tied with, on its own and after `is ahead of …`."""


def by_words(by: str, *, ahead: bool = True) -> str:
    """What put an entry ahead of those it was tied with: `ahead by lot`, or `by lot`; empty for nothing."""
    if by not in _BY:
        return ""
    alone, after = _BY[by]
    return gettext(alone if ahead else after)


def names(state: StageState, entries: Iterable[int]) -> str:
    """The names of entries (positions)."""
    return join_words([state.entries[at].entry.name for at in entries])
