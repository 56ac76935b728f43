"""Simulate a competition before it is played, or work out standings from results or over evenings.

`simulate` plays a whole competition: rounds, tables, byes, entries that go through, final standings. `standings` reads
results and writes the standings with the value of every tie-break, `series` those over many evenings.
"""

from __future__ import annotations

import gc
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from engine.cli.files import label, read_json
from engine.cli.ruleset import count
from engine.cli.text import WIDTH, wrap
from engine.compete import series_json, standings_json
from engine.compete.explain import value
from engine.compete.simulation import FORMATS, HOW, Seated, Session, Simulation, simulate
from engine.compete.tiebreaks import NAMES
from engine.errors import BadInput

_STANDINGS = """Standings from results: the rank, the points and the value of every tie-break of each entry.

FILE is JSON: {"rounds": [{"tables": [{"entries": [1, 2], "points": [1, 0], "scores": [1520, 985]}], "unplayed":
[{"entry": 3, "points": 1, "kind": "bye"}]}], "tiebreaks": ["buchholz", "sonneborn_berger"], "unplayed_rule":
"fide2023"}. Scores are card points (optional). Kinds are bye, half_bye, zero_bye, forfeit_win, forfeit_loss
and withdrawn. The other rule is virtual_opponent. The order of the tie-breaks is the order in which they count.
Some have a setting of their own: "lots", the seed of a draw ("0"), "best_of", how many rounds are the best (all but
one), and "spread_cap", card points that one match brings at most (1000).

"scoring": {"kind": "total", "sit_out": "average"} adds up card points, "average" divides them by the deals played
(a table may name its "deals"), "result" adds up points as without it. An entry without a seat is {"entry": 13, "kind":
"sit_out"} in "unplayed". It counts the mean of its played rounds ("average"), nothing ("none") or a figure ({"points":
500}). "win_bonus" are card points for each match won.
"""

_SERIES = """Standings of a series over evenings: who won how much when, and which evenings were dropped.

FILE is JSON: {"evenings": [{"name": "3 Sep", "results": [{"person": "Ann", "points": 12, "rank": 1}, {"person": ["Ben",
"Cem"], "points": 9}]}], "measure": "points", "counting": {"kind": "best", "evenings": 18}}. A person is a number or a
name, partners are a list. "measure" is "points", "place" (last place 1 point, one more for each place above it) or
"percent" (of "most" points that could be won, those "won"). "counting" is "best" (so many evenings), "average" (for people
with at least so many "evenings") or "sum". Equal totals share a rank. Among equal evenings the earlier one counts.
"""

_SIMULATE = """Play a whole competition and show its rounds, tables, byes, entries that go through and final standings.

Entries are numbered from 1 in the order of their seeds. The format decides everything that is left out.
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = "each has --help\n\nexit status: 0 done; 2 impossible, or cannot be read"
    acts = parser.add_subparsers(dest="act", required=True, metavar="simulate|standings|series")
    simulate = acts.add_parser(
        "simulate", description=_SIMULATE, formatter_class=parser.formatter_class, allow_abbrev=False
    )
    simulate.epilog = f"formats: {', '.join(FORMATS)}\n\nexit status: 0 done; 2 impossible competition"
    simulate.add_argument("--format", required=True, metavar="NAME", help="one of the formats below")
    simulate.add_argument("--entries", type=count, required=True, metavar="N", help="number of entries")
    simulate.add_argument("--seats", type=count, metavar="S", help="entries at a table in pods, or in a group (4)")
    simulate.add_argument(
        "--advance",
        type=count,
        metavar="K",
        help="entries that go through from each table or group (2); the best others fill the remaining places",
    )
    chosen = ", ".join(name for name, kind in FORMATS.items() if kind.has_rounds)
    simulate.add_argument("--rounds", type=count, metavar="R", help=f"number of rounds, in {chosen}")
    simulate.add_argument(
        "--results", default="better-seed", metavar="HOW", help="better-seed (default), worse-seed or random"
    )
    simulate.add_argument("--seed", default="0", metavar="X", help="any word: the same one repeats random results")
    simulate.add_argument("--json", action="store_true", help="write one JSON object instead of text")
    standings = acts.add_parser(
        "standings", description=_STANDINGS, formatter_class=parser.formatter_class, allow_abbrev=False
    )
    standings.epilog = f"tie-breaks: {', '.join(NAMES)}\n\nexit status: 0 done; 2 impossible results"
    standings.add_argument("file", metavar="FILE", help="results, or - for standard input")
    standings.add_argument("--json", action="store_true", help="write one JSON object instead of a table")
    series = acts.add_parser("series", description=_SERIES, formatter_class=parser.formatter_class, allow_abbrev=False)
    series.epilog = "exit status: 0 done; 2 impossible results"
    series.add_argument("file", metavar="FILE", help="evenings, or - for standard input")
    series.add_argument("--json", action="store_true", help="write one JSON object instead of a table")


def run(arguments: Namespace) -> int:
    """Simulate or rank; the exit status."""
    works = {"simulate": _simulate, "standings": _standings, "series": _series}
    return works[arguments.act](arguments)


def _simulate(arguments: Namespace) -> int:
    simulation = simulate(
        arguments.format,
        arguments.entries,
        seats=arguments.seats,
        advance=arguments.advance,
        rounds=arguments.rounds,
        results=arguments.results,
        seed=arguments.seed,
    )
    if arguments.json:
        print(json.dumps(simulation.to_json()))
        return 0
    for paragraph in _simulation_lines(simulation):
        print(paragraph)
    return 0


def _simulation_lines(simulation: Simulation) -> Iterator[str]:
    """A simulation for people."""
    words = [f"{simulation.entries} entries", *_settings(simulation.settings)]
    yield wrap(f"{simulation.title}: {', '.join(words)}; {HOW[simulation.settings['results']]}.")
    yield wrap(
        f"{_count(len(simulation.rounds), 'round')}, {_count(simulation.tables, 'table')} at the same time, "
        f"{_count(simulation.matches, 'table')} in all, {_count(simulation.byes, 'bye')}."
    )
    advances = {advance.after: advance.entries for advance in simulation.advancement}
    for session in simulation.rounds:
        yield f"\n{session.name}"
        yield from _tables(session, by_pairs=simulation.format == "rotating_partners")
        if session.byes:
            yield _numbers("bye", session.byes)
        if session.name in advances:
            yield _numbers("go through", advances[session.name])
    yield "\nFinal standings"
    rows = [(f"{standing.rank}", f"{standing.entry}", value(standing.points)) for standing in simulation.standings]
    yield from _columns(("Rank", "Entry", "Points"), rows)


def _settings(settings: Mapping[str, Any]) -> Iterator[str]:
    if "groups" in settings:
        yield f"{settings['groups']} groups of up to {settings['seats']}"
    elif "seats" in settings:
        yield f"tables of {settings['seats']}"
    if "advance" in settings:
        best_others = f" and the best {_count(settings['others'], 'other')}" if "others" in settings else ""
        yield f"the top {settings['advance']} of each{best_others} go through"
    if "reach" in settings:
        yield f"challenges up to {settings['reach']} places above"
    if settings["results"] == "random":
        yield f"seed {settings['seed']}"


def _count(number: int, noun: str) -> str:
    return f"{number or 'no':{',' if number else ''}} {noun}{'' if number == 1 else 's'}"


def _numbers(label: str, entries: Sequence[int]) -> str:
    return wrap(" ".join(map(str, entries)), f"  {label} ({len(entries)}): ", "    ")


def _tables(session: Session, *, by_pairs: bool) -> Iterator[str]:
    """The tables of a round: those of two sides several a line, larger ones a line each."""
    for title, group in groupby(session.tables, key=lambda table: table.label):
        tables = list(group)
        if by_pairs or all(len(table.entries) == 2 for table in tables):
            yield from _in_columns([_pair(table) for table in tables], f"  {title}: " if title else "  ")
        else:
            for number, table in enumerate(tables, start=1):
                yield wrap(" ".join(f"{entry:>3}" for entry in table.entries), f"  {number:>3}  ")


def _pair(table: Seated) -> str:
    """Two sides, after the name of their match where it has one; partners sit opposite each other."""
    sides = ["+".join(map(str, table.entries[side::2])) for side in (0, 1)]
    cell = "–".join(sides)
    return f"{table.name} {cell}" if table.name else cell


def _in_columns(cells: Sequence[str], first: str) -> Iterator[str]:
    """Cells of one width, as many a line as there is room for."""
    width = max(map(len, cells)) + 2
    count = max(1, (WIDTH - len(first) + 2) // width)
    for start in range(0, len(cells), count):
        line = "".join(cell.ljust(width) for cell in cells[start : start + count])
        yield (first if start == 0 else " " * len(first)) + line.rstrip()


def _standings(arguments: Namespace) -> int:
    data = read_json(arguments.file)
    # Nothing made here is garbage before the end, and looking for it takes a third of the time of a large event.
    gc.disable()
    try:
        rows = standings_json.rows(standings_json.read(data))
    except BadInput as error:
        raise BadInput(f"{label(arguments.file)}: {error.sentence}") from None
    finally:
        gc.enable()
    if arguments.json:
        print(json.dumps({"rows": rows}))
        return 0
    names = [name for name in (rows[0] if rows else {"points": None}) if name not in ("rank", "entry")]
    titles = [NAMES[name][0] if name in NAMES else name.capitalize() for name in names]
    cells = [[str(row["rank"]), str(row["entry"]), *(_cell(row[name], value) for name in names)] for row in rows]
    for line in _columns(("Rank", "Entry", *titles), cells):
        print(line)
    return 0


def _series(arguments: Namespace) -> int:
    data = read_json(arguments.file)
    try:
        request = series_json.read(data)
    except BadInput as error:
        raise BadInput(f"{label(arguments.file)}: {error.sentence}") from None
    rows = series_json.rows(request)
    if arguments.json:
        print(json.dumps({"rows": rows}))
        return 0
    cells = []
    for row in rows:
        dropped = set(row["dropped"])
        evenings = [
            f"({_cell(worth, value)})" if at in dropped else _cell(worth, value)
            for at, worth in enumerate(row["evenings"], 1)
        ]
        cells.append(
            [
                "–" if row["rank"] is None else str(row["rank"]),
                str(row["person"]),
                _cell(row["total"], value),
                *evenings,
            ]
        )
    for line in _columns(("Rank", "Person", "Total", *request.names), cells, fixed=3):
        print(line)
    return 0


def _cell(number: int | float | None, value: Any) -> str:
    return "–" if number is None else value(Fraction(number))


def _columns(titles: Sequence[str], rows: Sequence[Sequence[str]], fixed: int = 2) -> Iterator[str]:
    """Rows under their titles, to the right; what does not fit in 80 columns follows below, after the `kept` first."""
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    room = WIDTH - sum(width + 2 for width in widths[:fixed])
    blocks: list[list[int]] = [[]]
    for column in range(fixed, len(titles)):
        if blocks[-1] and sum(widths[other] + 2 for other in [*blocks[-1], column]) > room:
            blocks.append([])
        blocks[-1].append(column)
    for number, block in enumerate(blocks):
        if number:
            yield ""
        for row in (titles, *rows):
            yield "".join(f"  {row[column]:>{widths[column]}}" for column in [*range(fixed), *block])
