"""Crosstables: by opponent if everyone meets everyone, else round by round."""

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
from tournaments.public.tiebreak_text import total_words
from tournaments.round_names import round_name
from tournaments.stage_state import StageState, TableState
from web.text import join_words, number

WIDEST = 30
"""Most entries for a column each."""

OUT = {
    "bye": gettext_noop("bye"),
    "half_bye": gettext_noop("half-point bye"),
    "zero_bye": gettext_noop("zero-point bye"),
    "forfeit_win": gettext_noop("won by walkover"),
    "forfeit_loss": gettext_noop("lost by walkover"),
    "sit_out": gettext_noop("bye"),
    "withdrawn": gettext_noop("left"),
}
"""Labels of a round without a match, by its kind."""


def out_words(kind: str) -> str:
    """The same in the reader’s language."""
    return gettext(OUT[kind]) if kind in OUT else kind


@dataclass(frozen=True)
class Cell:
    """A match from the side of one entry."""

    text: str
    words: str
    """The same for screen readers."""
    url: str = ""
    kind: str = ""
    """`w`, `d`, `l`, `self` or empty."""


@dataclass(frozen=True)
class CrosstableRow:
    """An entry with its cells; a cell can have several matches, or none."""

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
    lines: tuple[CrosstableRow, ...]
    by_round: bool


def has_crosstable(plan: Plan) -> bool:
    """Whether a format is played by everyone in rounds, so no knockout and none without end."""
    return not plan.is_bracket and plan.format not in ("pod_knockout", *ENDLESS)


def crosstables(state: StageState, entrants: Mapping[int, Entrant], links: Links) -> tuple[Crosstable, ...]:
    """A crosstable for the stage, or for each of its groups."""
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
    for round_ in state.rounds:
        for table in round_.tables:
            if table.is_decided and len(table.known) == 2:
                for at, other in (table.known, table.known[::-1]):
                    met[at, other].append(_cell(state, table, at, names, links, round_.row.name))
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
    for round_ in state.rounds:
        for table in round_.tables:
            if len(table.known) > 1 and (table.is_decided or table.row.opened_at is not None):
                for at in table.known:
                    played[at, round_.row.number].append(_cell(state, table, at, names, links, round_.row.name))
        for out in round_.sit_outs:
            at = state.position_of.get(out.entry_id, 0)
            if at in among:
                played[at, round_.row.number].append(_out(out, round_.row.name))
    lines = [_line(row, names, [tuple(played[row.entry, each.row.number]) for each in state.rounds]) for row in rows]
    heads = [Head(str(each.row.number), round_name(each.row.name)) for each in state.rounds]
    return Crosstable(title, tuple(heads), tuple(lines), by_round=True)


def _line(row: Row, names: Mapping[int, Entrant], cells: Sequence[tuple[Cell, ...]]) -> CrosstableRow:
    place = "–" if row.is_removed else str(row.rank)
    return CrosstableRow(place, names[row.entry], tuple(cells), total_words(row.points))


def _out(out: SitOut, name: str) -> Cell:
    words = out_words(out.kind)
    worth = f" +{explain.value(out.points)}" if out.points else ""
    return Cell(f"{words}{worth}", f"{round_name(name)}: {words}")


def _cell(state: StageState, table: TableState, at: int, names: Mapping[int, Entrant], links: Links, name: str) -> Cell:
    """A match from the side of one entry: its match points, or its opponents while there is no result."""
    seat = next(place for place, entry in zip(table.places, table.entries, strict=True) if entry == at)
    opponents = [
        names[entry]
        for place, entry in zip(table.places, table.entries, strict=True)
        if entry is not None and place.side != seat.side
    ]
    url = links.match(state.stage.number, table.row.name)
    against = join_words(opponent.name for opponent in opponents)
    called = round_name(name)
    if not table.is_decided:
        return Cell(
            "·", gettext("%(round)s: against %(names)s, no result yet") % {"round": called, "names": against}, url
        )
    sides = {place.side: place.rank for place in table.places}
    kind = "l"
    if seat.rank == 1:
        kind = "w" if list(sides.values()).count(1) == 1 else "d"
    points = explain.value(seat.points or 0)
    text = points
    if has_duels(state.plan) and state.plan.format not in ("round_robin", "groups"):
        # As in chess: the outcome, and the number of the opponent.
        text = sign_words(kind.upper()) + (str(opponents[0].seed or "") if len(opponents) == 1 else "")
    values = {"round": called, "points": points, "names": against}
    words = gettext("%(round)s: %(points)s against %(names)s") % values
    if seat.score is not None:
        sentence = gettext("%(round)s: %(points)s against %(names)s, %(score)s card points")
        words = sentence % {**values, "score": number(seat.score)}
    return Cell(text, words, url, kind)
