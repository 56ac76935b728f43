"""How strong the bots are, and which habits of theirs cost points.

    bin/bench bots [--rules all|NAME] [--seats 2,4,6] [--bots club,novice] [--pairs 400] [--seed 1] [--jobs 1] [--small]
    bin/bench bots --habits [--rules NAME] [--deals 200]

The first prints a line for each ruleset and number of seats: the share of deals that the first bot wins with its 95 %
interval, its points a deal beyond the other, and the milliseconds that it thinks for a turn. `frozen` is the `club` of
November 2026. The second counts, for each deal of the first bot among its like: clean melds dirtied while more than
sixty cards are in the stock, feet that nobody picked up, deals without anybody going out, and deals at whose end no
team had the books of the contract.
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import frozen_club
from benchmarks.small import parsed
from engine.bots.arena import simulate
from engine.bots.bot import Bot
from engine.bots.registry import BOTS, make_bot
from engine.play.events import PublicLog
from engine.play.game import apply, new_game
from engine.play.legality.going_out import contract_missing
from engine.play.melds import Meld
from engine.play.options import Shape
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.state import OVER, State
from engine.play.view import view

EARLY = 60
"""Cards in the stock above which a clean meld should stay clean."""


def frozen(*, seed: int | None, seconds: float | None, samples: int | None) -> Bot:
    """The opponent that never changes."""
    return frozen_club.Club(seed)


BOTS["frozen"] = frozen
"""Here, so that processes of their own know it too."""


def shapes_of(rules: Rules, seats: set[int]) -> list[Shape]:
    """Of each number of seats the shape that the ruleset names first."""
    first: dict[int, Shape] = {}
    for shape in rules.shapes:
        if shape.seats in seats:
            first.setdefault(shape.seats, shape)
    return [first[number] for number in sorted(first)]


def compare(options: argparse.Namespace) -> None:
    """Print how often the first bot beats the second, table by table."""
    print(
        "| ruleset | seats | won | 95 % interval | points a deal | ms a turn |\n| --- | --- | --- | --- | --- | --- |"
    )
    for name in PRESETS if options.rules == "all" else [options.rules]:
        rules = Rules.preset(name)
        for shape in shapes_of(rules, {int(number) for number in options.seats.split(",")}):
            result = simulate(
                rules,
                seats=shape.seats,
                team_size=shape.team_size,
                games=options.pairs,
                bots=options.bots.split(","),
                duplicate=True,
                seed=options.seed,
                jobs=options.jobs,
                seconds=options.seconds,
                samples=options.samples,
            )
            wins, gap = result.wins, result.difference
            print(
                f"| {name} | {shape.seats} | {wins.mean:.1%} | {wins.low:.1%} to {wins.high:.1%} | {gap.mean:+.0f} "
                f"| {result.turn_seconds[0] * 1000:.1f} |",
                flush=True,
            )


def is_clean(meld: Meld) -> bool:
    """Whether a meld of a rank holds no wild card."""
    return meld.name < 13 and not meld.wild


def dirtied(before: State, after: State) -> int:
    """Clean melds of the team of the turn that a move has made dirty."""
    team = before.team
    return sum(
        is_clean(old) and bool(new.wild) for old, new in zip(before.melds[team], after.melds[team], strict=False)
    )


def watch(rules: Rules, shape: Shape, rng: random.Random, level: str) -> dict[str, float]:
    """Play a deal between bots of one level and count what should be rare in it."""
    state = new_game(rules, rng.randbytes(32), seats=shape.seats, team_size=shape.team_size)
    bots = [make_bot(level, seed=rng.randrange(2**32)) for _ in range(shape.seats)]
    counts = dict.fromkeys(("dirtied early", "feet left", "nobody out", "no contract"), 0.0)
    log = PublicLog()
    while state.phase != OVER:
        following, events = apply(state, bots[state.actor].choose(view(state, state.actor, log=log)))
        log = log.after(events)
        if len(state.stock) > EARLY:
            counts["dirtied early"] += dirtied(state, following)
        state = following
    counts["feet left"] += sum(foot is not None for foot in state.feet)
    counts["nobody out"] += state.went_out is None
    counts["no contract"] += all(contract_missing(state, team, melds) for team, melds in enumerate(state.melds))
    return counts


def count_habits(options: argparse.Namespace) -> None:
    """Print the counts, a deal."""
    level = options.bots.split(",")[0]
    for name in PRESETS if options.rules == "all" else [options.rules]:
        rules = Rules.preset(name)
        for shape in shapes_of(rules, {int(number) for number in options.seats.split(",")}):
            rng = random.Random(options.seed)
            deals = [watch(rules, shape, rng, level) for _ in range(options.deals)]
            means = [f"{what} {sum(deal[what] for deal in deals) / len(deals):.2f}" for what in deals[0]]
            print(f"{level}, {name}, {shape.seats} seats: " + ", ".join(means), flush=True)


def main() -> None:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--seats", default="2,4,6")
    parser.add_argument("--bots", default="club,novice")
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--samples", type=int)
    parser.add_argument("--habits", action="store_true")
    options = parsed(parser, rules="standard", seats="4", pairs=2, deals=2)
    count_habits(options) if options.habits else compare(options)


if __name__ == "__main__":
    main()
