"""Tables of an event for spreadsheets: CSV as RFC 4180 has it, in UTF-8.

Text that a spreadsheet would take for a formula gets an apostrophe in front; figures stay figures. Times are in the
event's own zone with their offset from UTC.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction

from engine.compete.standings import Row
from tournaments import stage_standings, ties
from tournaments.exports import source
from tournaments.exports.source import Part
from tournaments.models import Entry, Pairing, Stage, Tournament
from tournaments.public import possible_ranks, recent_form
from tournaments.public.matches import Match
from tournaments.public.names import Entrant, by_position
from tournaments.public.possible_ranks import Span
from tournaments.public.recent_form import Tally
from tournaments.stage_state import StageState
from web import csv_cells

Cell = str | int | Fraction | datetime | None
Lines = Iterable[Sequence[Cell]]
Table = tuple[list[str], Lines]
"""The head of a table, and its lines."""


def write(event: Tournament, head: Sequence[str], lines: Lines, *, bom: bool = False) -> bytes:
    """A table as a file; `bom` adds the mark by which some spreadsheets recognise UTF-8."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    for line in lines:
        writer.writerow([_cell(event, cell) for cell in line])
    return text.getvalue().encode("utf-8-sig" if bom else "utf-8")


def _cell(event: Tournament, cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.astimezone(event.zone).isoformat(timespec="seconds")
    if isinstance(cell, Fraction):
        return figure(cell)
    if isinstance(cell, int):
        return str(cell)
    return csv_cells.guard(cell)


def figure(number: Fraction) -> str:
    """A number as spreadsheets read it: `7`, `6.5`, and thirds with six decimals."""
    if number.denominator == 1:
        return str(number.numerator)
    return f"{float(number):.6f}".rstrip("0")


# Standings


def standings(event: Tournament, part: Part) -> Table:
    """The standings of a stage; of a knockout the certain or possible places of every entry."""
    tiebreaks = list(dict.fromkeys(part.state.plan.tiebreaks)) if _has_points(part.state) else []
    head = ["group", "place", "number", "entry", "status", "played", "won", "drawn", "lost", "points"]
    return [*head, *tiebreaks, "best_place", "worst_place", "decided_by"], _standings(part, tiebreaks)


def _has_points(state: StageState) -> bool:
    return not state.plan.is_bracket and state.plan.format not in ("pod_knockout", "ladder")


def _standings(part: Part, tiebreaks: Sequence[str]) -> Lines:
    state, tallies = part.state, recent_form.tallies(part.state)
    names = by_position(state, part.entrants)
    if not _has_points(state):
        yield from _places(part, names, tallies)
        return
    has_begun = any(table.is_decided for each in state.rounds for table in each.tables)
    for group in range(1, state.plan.groups + 1) if state.plan.format == "groups" else (0,):
        rows = stage_standings.table(state, group=group)
        spans = possible_ranks.of(state, rows, group=group) if has_begun else {}
        for row in rows:
            place = row.rank if has_begun and not row.is_removed else None
            values = [row.values.get(name) for name in tiebreaks]
            yield [
                *_entrant_cells(names[row.entry], tallies[row.entry], group, place),
                *(row.points, *values, *_span(spans.get(row.entry)), ties.by_words(row.by)),
            ]


def _places(part: Part, names: Mapping[int, Entrant], tallies: Mapping[int, Tally]) -> Lines:
    state = part.state
    if state.plan.format == "ladder":
        spans: Mapping[int, Span] = {at: (rank, rank) for rank, at in enumerate(stage_standings.ladder_order(state), 1)}
    else:
        rows: tuple[Row, ...] = ()
        spans = possible_ranks.of(state, rows) if state.rounds else {}
    ranked = [(spans.get(at), at) for at in state.entries]
    by = {place.entry: ties.by_words(place.by) for place in stage_standings.ranking(state)} if state.rounds else {}
    for span, at in sorted(ranked, key=lambda pair: (pair[0] is None, pair[0] and pair[0][::-1], pair[1])):
        place = span[0] if span and span[0] == span[1] else None
        yield [*_entrant_cells(names[at], tallies[at], 0, place), None, *_span(span), by.get(at, "")]


def _entrant_cells(entrant: Entrant, tally: Tally, group: int, place: int | None) -> list[Cell]:
    counts = [tally.played, tally.won, tally.drawn, tally.lost]
    return [group or None, place, entrant.number, entrant.name, entrant.status, *counts]


def _span(span: Span | None) -> list[Cell]:
    return [None, None] if span is None else list(span)


# Matches


def results(event: Tournament, parts: Sequence[Part]) -> Table:
    """A line for each entry of each finished match."""
    head = [
        *("stage", "round", "match", "table", "side", "number", "entry", "card_points", "match_points", "place"),
        *("kind", "finished_at"),
    ]
    return head, _results(parts)


def _results(parts: Sequence[Part]) -> Lines:
    for part in parts:
        for each in part.state.rounds:
            title = source.round_title(each)
            for table in each.tables:
                if table.row.status != Pairing.Status.DONE:
                    continue
                kind = table.row.result.kind if table.row.result is not None else "forfeit"
                for place in table.places:
                    entrant = part.entrants.get(place.entry_id or 0)
                    if entrant is None:
                        continue
                    points = None if place.points is None else Fraction(place.points)
                    yield [
                        *(part.stage.name, title, table.row.name, table.row.number, place.side + 1),
                        *(entrant.number, entrant.name, place.score, points, place.rank, kind, table.row.done_at),
                    ]


def schedule(event: Tournament, parts: Sequence[Part]) -> Table:
    """A line for each match that is drawn, with a column for each side."""
    rounds = [(part.stage, each) for part in parts for each in source.rounds(part)]
    most = max((len(match.sides) for _, each in rounds for match in each.matches), default=2)
    head = ["stage", "round", "match", "table", "status", "where", "starts_at", "play_by"]
    sides = [f"side_{number}" for number in range(1, most + 1)]
    return [*head, *sides], (_match(stage, each, match) for stage, each in rounds for match in each.matches)


def _match(stage: Stage, each: source.ExportRound, match: Match) -> list[Cell]:
    pairing = match.pairing
    where = "online" if pairing.is_online else "face to face"
    times = (pairing.starts_at or each.starts_at, pairing.deadline_at or each.deadline_at)
    sides = [" / ".join(entrant.name for entrant in side.entrants) or side.waits for side in match.sides]
    return [stage.name, each.name, match.name, pairing.number, pairing.status, where, *times, *sides]


def entries(event: Tournament, rows: Iterable[Entry]) -> Table:
    """A line for each entry, with its people."""
    return ["number", "entry", "status", "seed", "people", "entered_at"], map(_entry, rows)


def _entry(entry: Entry) -> list[Cell]:
    people = "; ".join(member.name for member in entry.members.all())
    return [entry.number, entry.name, entry.status, entry.seed, people, entry.entered_at]
