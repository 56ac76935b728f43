"""Standings as pages show them: tie-breaks with values, reasons for the order, form, and possible ranks."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from django.utils.translation import gettext, gettext_noop

from engine.compete import evening, explain
from engine.compete.standings import Row
from engine.compete.tiebreaks import NAMES
from tournaments import stage_standings
from tournaments.models import Stage
from tournaments.plan import DUPLICATE, Plan
from tournaments.public import possible_ranks, recent_form, tiebreak_text
from tournaments.public.names import Entrant, by_position
from tournaments.public.recent_form import Letter, Tally
from tournaments.public.tiebreak_text import Why, total_words
from tournaments.round_names import number_words
from tournaments.stage_state import StageState
from web.text import number

LAST = 5
"""Matches of the form that is shown."""


@dataclass(frozen=True)
class Value:
    """A tie-break's value for one entry."""

    title: str
    words: str


@dataclass(frozen=True)
class StandingsRow:
    """An entry in the standings."""

    place: str
    entrant: Entrant
    tally: Tally
    points: str
    values: tuple[Value, ...]
    range: str
    letters: tuple[str, ...] = ()
    """Links to the reasons why it is ahead of the next, or behind the one before."""
    note: str = ""
    cut: str = ""
    """The meaning of the line below it: `Places 1 to 4 go through to Finals`."""

    @property
    def form(self) -> Sequence[Letter]:
        """The last matches, the oldest first."""
        return self.tally.form[-LAST:]

    @property
    def form_words(self) -> str:
        """The form for screen readers."""
        return ", ".join(letter.words for letter in self.form)

    @property
    def record(self) -> str:
        """The tie-breaks in one line, for narrow pages."""
        return ", ".join(f"{value.title} {value.words}" for value in self.values if value.words != "–")


@dataclass(frozen=True)
class Column:
    """A tie-break in the head of the table."""

    title: str
    explanation: str


@dataclass(frozen=True)
class Table:
    """The standings of a stage or a group."""

    title: str
    anchor: str
    columns: tuple[Column, ...]
    lines: tuple[StandingsRow, ...]
    whys: tuple[Why, ...]
    has_duels: bool
    """Whether matches are won, drawn and lost, so that these are counted."""
    has_points: bool
    has_ranges: bool
    points: Column

    @property
    def width(self) -> int:
        """The number of columns on a wide page."""
        return 5 + len(self.columns) + 3 * self.has_duels + self.has_points + self.has_ranges


def tables(state: StageState, entrants: Mapping[int, Entrant], following: Stage | None = None) -> tuple[Table, ...]:
    """The standings of a stage: one table, or one for each group. `following` is the stage that it feeds."""
    tallies = recent_form.tallies(state)
    groups = range(1, state.plan.groups + 1) if state.plan.format == "groups" else (0,)
    return tuple(_table(state, entrants, tallies, group, _cut(state, following, group)) for group in groups)


def _table(
    state: StageState, entrants: Mapping[int, Entrant], tallies: Mapping[int, Tally], group: int, cut: tuple[int, str]
) -> Table:
    rows = stage_standings.table(state, group=group)
    is_ladder = state.plan.format == "ladder"
    if is_ladder:
        rows = in_order(rows, stage_standings.ladder_order(state))
    has_begun = any(tallies[row.entry].played for row in rows)
    whys = tiebreak_text.whys(state, rows, entrants) if has_begun and not is_ladder else ()
    spans = possible_ranks.of(state, rows, group=group) if has_begun else {}
    columns = () if is_ladder else tuple(dict.fromkeys(state.plan.tiebreaks))
    lines = _lines(state, rows, entrants, tallies, spans, columns, whys)
    if not has_begun and not is_ladder:
        lines = [replace(line, place="") for line in lines]
    after, words = cut
    if 0 < after < len(lines):
        lines[after - 1] = replace(lines[after - 1], cut=words)
    return Table(
        title=group_title(group) if group else gettext("Standings"),
        anchor=f"group-{group}" if group else "standings",
        columns=tuple(Column(gettext(NAMES[name][0]), gettext(NAMES[name][1])) for name in columns),
        lines=tuple(lines),
        whys=whys,
        has_duels=has_duels(state.plan),
        has_points=not is_ladder,
        has_ranges=bool(spans) and state.stage.status != Stage.Status.OVER,
        points=Column(gettext(_POINTS[state.plan.counts]), gettext(evening.SCORINGS[state.plan.counts][1])),
    )


_POINTS = {
    evening.RESULT: gettext_noop("Points"),
    evening.TOTAL: gettext_noop("Card points"),
    evening.AVERAGE: gettext_noop("Average"),
}


def _lines(
    state: StageState,
    rows: Sequence[Row],
    entrants: Mapping[int, Entrant],
    tallies: Mapping[int, Tally],
    spans: Mapping[int, possible_ranks.Span],
    columns: Sequence[str],
    whys: Sequence[Why],
) -> list[StandingsRow]:
    letters: dict[int, tuple[str, ...]] = defaultdict(tuple)
    for why in whys:
        for at in why.entries:
            letters[at] += (why.letter,)
    names = by_position(state, entrants)
    shared = {row.rank for row, other in pairwise(rows) if row.rank == other.rank}
    return [
        StandingsRow(
            place=_place(row, shared),
            entrant=names[row.entry],
            tally=tallies[row.entry],
            points=total_words(row.points),
            values=tuple(Value(gettext(NAMES[name][0]), value_words(row.values.get(name), name)) for name in columns),
            range=possible_ranks.words(spans.get(row.entry)),
            letters=letters[row.entry],
            note=_note(state, row),
        )
        for row in rows
    ]


def group_title(group: int) -> str:
    """`Group A`, `Group B`, …"""
    return gettext("Group %(group)s") % {"group": chr(64 + group) if group <= 26 else group}


def has_duels(plan: Plan) -> bool:
    """Whether two sides meet at a table and one of them wins."""
    return (plan.seats == 2 or plan.has_partners) and plan.format not in DUPLICATE


def in_order(rows: Sequence[Row], order: Sequence[int]) -> tuple[Row, ...]:
    """Standings in an order that does not depend on points: that of a ladder."""
    by_entry = {row.entry: row for row in rows}
    ranked = [replace(by_entry[at], rank=rank, places=(rank,)) for rank, at in enumerate(order, 1)]
    return (*ranked, *(replace(row, is_removed=True) for row in rows if row.entry not in set(order)))


def _place(row: Row, shared: set[int]) -> str:
    if row.is_removed:
        return "–"
    return f"{row.rank}=" if row.rank in shared else str(row.rank)


def value_words(value: Fraction | None, name: str = "") -> str:
    """A tie-break's value: whole numbers with thousands separators, fractions as people write them, `–` for none."""
    if value is None:
        return "–"
    words = number(int(value)) if value.denominator == 1 else explain.value(value)
    return f"+{words}" if name in ("spread", "capped_spread") and value > 0 else words


def _note(state: StageState, row: Row) -> str:
    """The note on an entry that has left, or joined late."""
    part, event = state.entries[row.entry], state.stage.tournament
    if part.entry.status == part.entry.Status.DISQUALIFIED:
        return gettext("disqualified")
    if part.last_round is not None:
        text = (
            gettext("withdrew after %(round)s") % {"round": number_words(event, part.last_round)}
            if part.last_round
            else gettext("withdrew before %(round)s") % {"round": number_words(event, 1)}
        )
        is_counted = not row.is_removed or state.plan.format == "ladder"
        return text if is_counted else gettext("%(withdrew)s, not counted") % {"withdrew": text}
    words = gettext("from %(round)s") % {"round": number_words(event, part.first_round)}
    return words if part.first_round > 1 else ""


def _cut(state: StageState, following: Stage | None, group: int) -> tuple[int, str]:
    """The number of places above the cut of a table, and the meaning of the cut."""
    if following is None:
        return 0, ""
    plan = Plan.read(following.plan_json)
    take = plan.take_each if group else plan.take
    if not take or plan.by_hand or (plan.take_each and not group):
        return 0, ""
    if take == 1:
        return take, gettext("Place 1 goes through to %(stage)s") % {"stage": following.name}
    return take, gettext("Places 1 to %(last)s go through to %(stage)s") % {"last": take, "stage": following.name}
