"""Play deals between bots: how often the first wins, with a 95 % interval, and how fast it goes.

With --duplicate a game is a pair: the same cards are played twice, with the bots' teams exchanged, to compare
play and not luck. With --seed a run can be repeated.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace

from engine.bots.arena import simulate
from engine.cli.progress import Progress
from engine.cli.ruleset import RULES_HELP, add_table_arguments, count, read_rules, read_shape, seconds
from engine.cli.text import plain, wrap


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = (
        "bots: random, novice, club, expert, master\n\nexit status: 0 done; 2 impossible options; 130 stopped"
    )
    parser.add_argument("--rules", required=True, metavar="NAME", help=RULES_HELP)
    add_table_arguments(parser)
    parser.add_argument(
        "--games", type=count, required=True, metavar="N", help="deals to play (pairs with --duplicate)"
    )
    parser.add_argument("--bots", required=True, metavar="A,B", help="the bots, assigned to the teams in turn")
    parser.add_argument("--duplicate", action="store_true", help="play every deal from both sides")
    parser.add_argument("--seed", type=int, metavar="S", help="make the run repeatable")
    parser.add_argument("--jobs", type=count, default=1, metavar="N", help="processes to play in (default: 1)")
    parser.add_argument(
        "--seconds", type=seconds, metavar="S", help="time limit for each turn of an expert or a master"
    )
    parser.add_argument("--samples", type=count, metavar="N", help="imagined deals a decision, instead of --seconds")
    parser.add_argument("--json", action="store_true", help="write one JSON object instead of lines")


def run(arguments: Namespace) -> int:
    """Play; the exit status."""
    rules = read_rules(arguments.rules, arguments)
    shape = read_shape(rules, arguments)
    played = 0

    def show_progress(finished: int, games: int) -> None:
        nonlocal played
        played = finished
        progress.update(finished)

    try:
        with Progress("Playing", arguments.games) as progress:
            result = simulate(
                rules,
                seats=shape.seats,
                team_size=shape.team_size,
                games=arguments.games,
                bots=[name.strip() for name in arguments.bots.split(",")],
                duplicate=arguments.duplicate,
                seed=arguments.seed,
                jobs=arguments.jobs,
                seconds=arguments.seconds,
                samples=arguments.samples,
                progress=show_progress,
            )
    except KeyboardInterrupt:
        print(f"engine: stopped after {played} of {arguments.games} games.", file=sys.stderr)
        return 130
    if arguments.json:
        print(json.dumps(result.to_json()))
    else:
        for line in result.lines():
            print(wrap(plain(line), rest="  "))
    return 0
