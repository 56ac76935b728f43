"""Play Hand and Foot in the terminal against bots.

You see as much as a player at the table. Type ? for help. Each shuffle is committed to before the deal and its key
shown afterwards. `save FILE` writes a record that `verify` and `replay` check. The match ends with `quit` or with
the end of the input.
"""

from __future__ import annotations

import hashlib
from argparse import ArgumentParser, Namespace

from engine.bots import make_bot
from engine.cli.console import Console
from engine.cli.ruleset import RULES_HELP, add_table_arguments, read_rules, read_shape, seconds
from engine.cli.session import Session
from engine.cli.sheets import match_words
from engine.cli.text import plain
from engine.errors import BadInput
from engine.play.deal import new_key
from engine.play.record import Game

NAMES = ("Ada", "Bela", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jana", "Karl", "Lena")
"""Names of the bots, by seat."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = (
        "bots: random, novice, club, expert, master\n\nexit status: 0 played; 2 impossible options; 130 stopped"
    )
    parser.add_argument("--rules", required=True, metavar="NAME", help=RULES_HELP)
    add_table_arguments(parser)
    parser.add_argument("--bots", default="club", metavar="LEVEL", help="how well the bots play (default: club)")
    parser.add_argument(
        "--seconds", type=seconds, metavar="S", help="time limit for each turn of an expert or a master"
    )
    parser.add_argument("--seat", type=int, default=0, metavar="N", help="where you sit, from 0 (default: 0)")
    parser.add_argument("--name", default="You", help="your name, for the record")
    parser.add_argument("--phrase", default="", help="your own phrase, mixed into every shuffle")
    parser.add_argument("--no-assist", action="store_true", help="allow wrong attempts to take the pile, for a penalty")
    parser.add_argument(
        "--seed", type=int, metavar="S", help="the same cards again, for practice because they are not secret"
    )


def run(arguments: Namespace) -> int:
    """Play a match; the exit status."""
    rules = read_rules(arguments.rules, arguments)
    shape = read_shape(rules, arguments)
    me = arguments.seat
    if not 0 <= me < shape.seats:
        raise BadInput(f"seat {me} not found. This table has seats 0 to {shape.seats - 1}.")
    if not 0 < len(arguments.name) <= 40:
        raise BadInput("a name must have 1 to 40 letters.")
    names = tuple(arguments.name if seat == me else NAMES[seat] for seat in range(shape.seats))
    phrases = tuple(arguments.phrase if seat == me else "" for seat in range(shape.seats))

    def key_for(deal: int) -> bytes:
        return new_key() if arguments.seed is None else _seeded(arguments.seed, f"deal {deal}")

    bots = {
        seat: make_bot(arguments.bots, seed=_bot_seed(arguments.seed, seat), seconds=arguments.seconds)
        for seat in range(shape.seats)
        if seat != me
    }
    game = Game.start(
        rules, names, key_for(1), team_size=shape.team_size, phrases=phrases, assist=not arguments.no_assist
    )
    console = Console()
    console.say(f"{match_words(rules, shape.seats, shape.team_size)}.")
    seats = ", ".join(f"{seat} {'you' if seat == me else name}" for seat, name in enumerate(names))
    console.say(f"Seats: {plain(seats)}.")
    Session(game, me, bots, key_for, console).run()
    return 0


def _seeded(seed: int, purpose: str) -> bytes:
    return hashlib.sha256(f"foothold play {seed} {purpose}".encode()).digest()


def _bot_seed(seed: int | None, seat: int) -> int | None:
    return None if seed is None else int.from_bytes(_seeded(seed, f"bot {seat}")[:8], "big")
