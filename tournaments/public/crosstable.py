"""Crosstables: everybody against everybody where that is how it is played, else round by round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from engine.compete import explain
from engine.compete.standings import Row
from tournaments import stage_standings
from tournaments.models import SitOut
from tournaments.plan import ENDLESS, Plan
from tournaments.public.names import Entrant, Links, by_position
from tournaments.public.recent_form import sign_words
from tournaments.public.standings import group_title, has_duels
from tournaments.round_names import round_name
from tournaments.stage_state import StageState, TableState
from web.text import listed, number

WIDEST = 30
"""Entries up to which everybody has a column."""

OUT = {
    "bye": gettext_noop("bye"),
    "half_bye": gettext_noop("half-point bye"),
    "zero_bye": gettext_noop("zero-point bye"),
    "forfeit_win": gettext_noop("won by walkover"),
    "forfeit_loss": gettext_noop("lost by walkover"),
    "withdrawn": gettext_noop("left"),
}
"""What is said of a round that an entry did not play, by its kind."""


def out_words(kind: str) -> str:
    """The same in the reader’s language."""
    return gettext(OUT[kind]) if kind in OUT else kind


@dataclass(frozen=True)
class Cell:
    """What one match was for one entry."""

    text: str
    words: str
    """The same for who does not see the table around it."""
    url: str = ""
    kind: str = ""
    """`w`, `d`, `l`, `self` or nothing."""


@dataclass(frozen=True)
class Line:
    """An entry with its cells; a cell may hold several matches, or none."""

    place: str
    entrant: Entrant
    cells: tuple[tuple[Cell, ...], ...]
    points: str


@dataclass(frozen=True)
class Head:
    """The head of a column: an entry's place in the table, or the number of a round."""

    text: str
    words: str


@dataclass(frozen=True)
class Crosstable:
    """A table with a column for each entry, by rank, or for each round."""

    title: str
    heads: tuple[Head, ...]
    lines: tuple[Line, ...]
    by_round: bool


def has_crosstable(plan: Plan) -> bool:
    """Whether a format is played by everybody in rounds, and not until one is left or for as long as one likes."""
    return not plan.is_bracket and plan.format not in ("pod_knockout", *ENDLESS)


def crosstables(state: StageState, entrants: Mapping[int, Entrant], links: Links) -> tuple[Crosstable, ...]:
    """One crosstable for the stage, or one for each of its groups."""
    groups = range(1, state.plan.groups + 1) if state.plan.format == "groups" else (0,)
    return tuple(_crosstable(state, entrants, links, group) for group in groups)


def _crosstable(state: StageState, entrants: Mapping[int, Entrant], links: Links, group: int) -> Crosstable:
    rows = stage_standings.table(state, group=group)
    title = group_title(group) if group else gettext("Crosstable")
    if state.plan.format in ("round_robin", "groups") and len(rows) <= WIDEST:
        return _against_all(state, rows, by_position(state, entrants), links, title)
    return _by_round(state, rows, by_position(state, entrants), links, title)


def _against_all(
    state: StageState, rows: Sequence[Row], names: Mapping[int, Entrant], links: Links, title: str
) -> Crosstable:
    met: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for one in state.rounds:
        for table in one.tables:
            if table.is_decided and len(table.known) == 2:
                for at, other in (table.known, table.known[::-1]):
                    met[at, other].append(_cell(state, table, at, names, links, one.row.name))
    lines = []
    for row in rows:
        cells = [
            (Cell("", "", kind="self"),) if row.entry == other.entry else tuple(met[row.entry, other.entry])
            for other in rows
        ]
        lines.append(_line(row, names, cells))
    heads = [Head(str(at), names[row.entry].name) for at, row in enumerate(rows, 1)]
    return Crosstable(title, tuple(heads), tuple(lines), by_round=False)


def _by_round(
    state: StageState, rows: Sequence[Row], names: Mapping[int, Entrant], links: Links, title: str
) -> Crosstable:
    played: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    among = {row.entry for row in rows}
    for one in state.rounds:
        for table in one.tables:
            if len(table.known) > 1 and (table.is_decided or table.row.opened_at is not None):
                for at in table.known:
                    played[at, one.row.number].append(_cell(state, table, at, names, links, one.row.name))
        for out in one.sit_outs:
            at = state.position_of.get(out.entry_id, 0)
            if at in among:
                played[at, one.row.number].append(_out(out, one.row.name))
    lines = [_line(row, names, [tuple(played[row.entry, one.row.number]) for one in state.rounds]) for row in rows]
    heads = [Head(str(one.row.number), round_name(one.row.name)) for one in state.rounds]
    return Crosstable(title, tuple(heads), tuple(lines), by_round=True)


def _line(row: Row, names: Mapping[int, Entrant], cells: Sequence[tuple[Cell, ...]]) -> Line:
    place = "–" if row.is_removed else str(row.rank)
    return Line(place, names[row.entry], tuple(cells), explain.value(row.points))


def _out(out: SitOut, name: str) -> Cell:
    words = out_words(out.kind)
    worth = f" +{explain.value(out.points)}" if out.points else ""
    return Cell(f"{words}{worth}", f"{round_name(name)}: {words}")


def _cell(state: StageState, table: TableState, at: int, names: Mapping[int, Entrant], links: Links, name: str) -> Cell:
    """A match as one of its entries sees it: its match points, or whom it meets while there is no result."""
    own = next(place for place, entry in zip(table.places, table.entries, strict=True) if entry == at)
    others = [
        names[entry]
        for place, entry in zip(table.places, table.entries, strict=True)
        if entry is not None and place.side != own.side
    ]
    url = links.match(state.stage.number, table.row.name)
    against = listed(one.name for one in others)
    called = round_name(name)
    if not table.is_decided:
        return Cell(
            "·", gettext("%(round)s: against %(names)s, no result yet") % {"round": called, "names": against}, url
        )
    sides = {place.side: place.rank for place in table.places}
    kind = "l"
    if own.rank == 1:
        kind = "w" if list(sides.values()).count(1) == 1 else "d"
    points = explain.value(own.points or 0)
    text = points
    if has_duels(state.plan) and state.plan.format not in ("round_robin", "groups"):
        # As chess has it: how it came out, and against which number.
        text = sign_words(kind.upper()) + (str(others[0].seed or "") if len(others) == 1 else "")
    values = {"round": called, "points": points, "names": against}
    words = gettext("%(round)s: %(points)s against %(names)s") % values
    if own.score is not None:
        told = gettext("%(round)s: %(points)s against %(names)s, %(score)s card points")
        words = told % {**values, "score": number(own.score)}
    return Cell(text, words, url, kind)
