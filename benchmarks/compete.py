"""Speed of draws and of standings, against py4swiss in the same run.

    bin/bench compete [--repeats 5] [--engine dutch|dubov|burstein] [--json] [--small]

Tables of two: the median time to draw round 5 of 9, from the results so far to the tables, after four rounds with
random results, and py4swiss's time for the very same rounds. Pods: rounds 2 to 9 of 1,000 entries at tables of four
and of six, the median and the slowest, and the number of repeats. Standings: 1,000 entries after nine rounds, and
20,000 entries after twenty rounds from JSON to JSON, which are 200,000 tables.
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.small import parsed
from engine.compete import standings, standings_json
from engine.compete.pairing import pods, swiss
from engine.compete.pairing.players import after
from engine.compete.records import Drawn, Kind, Played, Round, Unplayed

ENTRIES = (50, 100, 200, 400)
ROUNDS, DRAWN_ROUND = 9, 5
PODS = (4, 6)
PODS_LIMIT_MS, STANDINGS_LIMIT_MS, LARGE_LIMIT_MS = 2000, 200, 10_000
LARGE_ROUNDS = 20
TIEBREAKS = ("buchholz_cut1", "buchholz", "sonneborn_berger", "direct_encounter", "wins", "spread")


class Pairing(NamedTuple):
    """Tables of two: medians in milliseconds, and the two draws' sums of squared score differences."""

    entries: int
    ours: float
    theirs: float
    our_differences: float
    their_differences: float


class Pods(NamedTuple):
    """Tables of several: milliseconds for a round, and pairs that met again in all rounds."""

    entries: int
    seats: int
    median: float
    slowest: float
    repeats: int


def timed(act: Callable[[], Any]) -> tuple[float, Any]:
    """Milliseconds, and what came of it."""
    start = time.perf_counter()
    result = act()
    return (time.perf_counter() - start) * 1000, result


def play(drawn: Drawn, rng: random.Random) -> Round:
    """Random results: three matches of ten are drawn; larger tables share points out by place."""
    tables = []
    for entries in drawn.tables:
        points = [Fraction(place) for place in range(len(entries))]
        rng.shuffle(points)
        if len(entries) == 2:
            points = [Fraction(1, 2)] * 2 if rng.random() < 0.3 else points
        tables.append(Played(entries, tuple(points), tuple(rng.randrange(5, 600) * 5 for _ in entries)))
    byes = tuple(Unplayed(entry, Fraction(1), Kind.BYE) for entry in drawn.byes)
    return Round(tuple(tables), byes)


def swiss_event(entries: int, rounds: int, rng: random.Random) -> list[Round]:
    """So many rounds played at tables of two."""
    played: list[Round] = []
    for _ in range(rounds):
        played.append(play(swiss.pair(after(played, range(1, entries + 1))), rng))
    return played


def as_trf(rounds: Sequence[Round], entries: int) -> Any:
    """The same event as py4swiss reads it: the first seat has white."""
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection

    tokens = {0: ResultToken.LOSS, Fraction(1, 2): ResultToken.DRAW, 1: ResultToken.WIN}
    results: dict[int, list[Any]] = {entry: [] for entry in range(1, entries + 1)}
    for played in rounds:
        for table in played.tables:
            white, black = table.entries
            for entry, other, points, colour in (
                (white, black, table.points[0], ColorToken.WHITE),
                (black, white, table.points[1], ColorToken.BLACK),
            ):
                results[entry].append(RoundResult(id=other, color=colour, result=tokens[points]))
        for missed in played.unplayed:
            bye = ResultToken.PAIRING_ALLOCATED_BYE
            results[missed.entry].append(RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=bye))
    points = {player.entry: player.points for player in after(rounds, range(1, entries + 1))}
    sections = [
        PlayerSection(
            code="001", starting_number=entry, points_times_ten=int(points[entry] * 10), rank=entry, results=games
        )
        for entry, games in results.items()
    ]
    return ParsedTrf(player_sections=sections, x_section=XSection(number_of_rounds=ROUNDS))


def differences(rounds: Sequence[Round], tables: Sequence[tuple[int, int]], entries: int) -> float:
    """The sum of squares of score differences over the tables."""
    points = {player.entry: player.points for player in after(rounds, range(1, entries + 1))}
    return float(sum((points[first] - points[second]) ** 2 for first, second in tables))


def measure_pairing(entries: int, repeats: int, engine: str) -> Pairing:
    """Draw the same rounds with both, by turns."""
    from py4swiss.engines import BursteinEngine, DubovEngine, DutchEngine

    peer = {"dutch": DutchEngine, "dubov": DubovEngine, "burstein": BursteinEngine}[engine]
    ours, theirs, sums = [], [], [0.0, 0.0]
    for seed in range(repeats):
        rounds = swiss_event(entries, DRAWN_ROUND - 1, random.Random(seed))
        trf = as_trf(rounds, entries)
        spent, drawn = timed(lambda rounds=rounds: swiss.pair(after(rounds, range(1, entries + 1))))
        ours.append(spent)
        sums[0] += differences(rounds, drawn.tables, entries)
        spent, pairs = timed(lambda trf=trf: peer.generate_pairings(trf))
        theirs.append(spent)
        sums[1] += differences(rounds, [(pair.white, pair.black) for pair in pairs if pair.black], entries)
    return Pairing(entries, statistics.median(ours), statistics.median(theirs), sums[0] / repeats, sums[1] / repeats)


def measure_pods(entries: int, seats: int) -> Pods:
    """Draw a whole event at larger tables."""
    rng = random.Random(entries + seats)
    played: list[Round] = []
    times, repeats = [], 0
    met: set[tuple[int, ...]] = set()
    for _ in range(ROUNDS):
        spent, drawn = timed(lambda: pods.pair(after(played, range(1, entries + 1)), pods.sizes(entries, seats)))
        times.append(spent)
        pairs = {pair for table in drawn.tables for pair in combinations(sorted(table), 2)}
        repeats += len(pairs & met)
        met |= pairs
        played.append(play(drawn, rng))
    return Pods(entries, seats, statistics.median(times[1:]), max(times[1:]), repeats)


def measure_standings(entries: int, repeats: int) -> float:
    """The median time for standings with the usual tie-breaks after nine rounds, in milliseconds."""
    rng = random.Random(entries)
    everyone = list(range(1, entries + 1))
    rounds = []
    for _ in range(ROUNDS):
        order = rng.sample(everyone, entries)
        rounds.append(play(Drawn(tuple(zip(order[::2], order[1::2], strict=True))), rng))
    times = [timed(lambda: standings.table(rounds, tiebreaks=TIEBREAKS, entries=everyone))[0] for _ in range(repeats)]
    return statistics.median(times)


def measure_large_standings(entries: int) -> float:
    """The CPU time of `compete standings` for one event with a table for each two entries a round, in milliseconds."""
    rng = random.Random(entries)
    rounds = []
    for _ in range(LARGE_ROUNDS):
        order = rng.sample(range(1, entries + 1), entries)
        drawn = play(Drawn(tuple(zip(order[::2], order[1::2], strict=True))), rng)
        tables = [
            {"entries": t.entries, "points": [float(p) for p in t.points], "scores": t.scores} for t in drawn.tables
        ]
        rounds.append({"tables": tables})
    text = json.dumps({"rounds": rounds, "tiebreaks": TIEBREAKS})
    start = time.process_time()
    json.dumps(standings_json.rows(standings_json.read(json.loads(text))))
    return (time.process_time() - start) * 1000


def main() -> int:
    """Print the table, or JSON; the exit status says whether all limits were kept."""
    parser = argparse.ArgumentParser(prog="bin/bench compete", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--entries", type=int, nargs="+", default=ENTRIES, help="at tables of two")
    parser.add_argument("--many", type=int, default=1000, help="entries in pods, and of the standings")
    parser.add_argument("--large", type=int, default=20_000, help="entries of the standings from JSON")
    parser.add_argument("--repeats", type=int, default=5, help="events for each row")
    parser.add_argument("--engine", choices=("dutch", "dubov", "burstein"), default="dutch", help="of py4swiss")
    parser.add_argument("--json", action="store_true")
    options = parsed(parser, repeats=1, entries=[20], many=40, large=40)
    pairings = [measure_pairing(entries, options.repeats, options.engine) for entries in options.entries]
    tables = [measure_pods(options.many, seats) for seats in PODS]
    rows = measure_standings(options.many, options.repeats)
    large = measure_large_standings(options.large)
    if options.json:
        result = {"pairing": [row._asdict() for row in pairings], "pods": [row._asdict() for row in tables]}
        print(json.dumps(result | {"standings_ms": rows, "large_standings_ms": large}))
    else:
        print(f"Round {DRAWN_ROUND} of {ROUNDS} at tables of two, median of {options.repeats} events")
        print(
            f"{'entries':>9}{'ours ms':>12}{'py4swiss ms':>14}{'× faster':>10}{'squared score differences: ours, theirs':>42}"
        )
        for row in pairings:
            faster = f"{row.theirs / row.ours:>10.0f}"
            print(
                f"{row.entries:>9}{row.ours:>12.1f}{row.theirs:>14.1f}{faster}{row.our_differences:>36.1f}{row.their_differences:>10.1f}"
            )
        print(f"\nPods, rounds 2 to {ROUNDS} (limit {PODS_LIMIT_MS} ms)")
        print(f"{'entries':>9}{'seats':>12}{'median ms':>14}{'slowest':>10}{'repeats in the event':>36}")
        for pod in tables:
            print(f"{pod.entries:>9}{pod.seats:>12}{pod.median:>14.1f}{pod.slowest:>10.1f}{pod.repeats:>36}")
        print(f"\nStandings of {options.many:,} entries after {ROUNDS} rounds, {len(TIEBREAKS)} tie-breaks: ", end="")
        print(f"{rows:.0f} ms (limit {STANDINGS_LIMIT_MS} ms)")
        print(f"Standings of {options.large * LARGE_ROUNDS // 2:,} tables from JSON to JSON: ", end="")
        print(f"{large:,.0f} ms (limit {LARGE_LIMIT_MS:,} ms)")
    good = all(row.ours <= row.theirs for row in pairings) and all(row.slowest < PODS_LIMIT_MS for row in tables)
    return 0 if options.small or (good and rows < STANDINGS_LIMIT_MS and large < LARGE_LIMIT_MS) else 1


if __name__ == "__main__":
    raise SystemExit(main())
