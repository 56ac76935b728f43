"""Replay a game record: every shuffle against its commitment, every move against the rules, every score.

It prints the score sheet of each deal and the winner. A deal under way has no key yet. Only the chain of its moves
is checked, and the output mentions it.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from engine.cli.event_text import describe
from engine.cli.records import EXIT_STATUS, Read, read_record
from engine.cli.sheets import match_words, outcome_text, score_table, team_names
from engine.cli.text import plain, wrap
from engine.play.moves import write_move
from engine.play.record import DealLog, Game
from engine.play.rules import Rules
from engine.play.view import outcome_to_json


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = EXIT_STATUS
    parser.add_argument("record", metavar="RECORD", help="a game record, or - for standard input")
    parser.add_argument("--moves", action="store_true", help="print every move too")
    parser.add_argument("--json", action="store_true", help="write one JSON object instead of tables")


def run(arguments: Namespace) -> int:
    """Replay the record; the exit status."""
    read = read_record(arguments.record)
    if read is None:
        return 1
    if arguments.json:
        print(json.dumps(_to_json(read, moves=arguments.moves)))
        return 0
    _print_head(read)
    if read.replayed is not None:
        _print_deals(read.replayed.game, moves=arguments.moves)
    if running := read.running:
        count = len(running["moves"])
        print(wrap(f"Deal {running['deal']} is under way: its {count} moves fit together "
                   "and can be replayed when its key is shown."))  # fmt: skip
    return 0


def _print_head(read: Read) -> None:
    data = read.data
    print(match_words(Rules.read(data["rules"]), data["seats"], data["team_size"]))
    players = ", ".join(f"{seat} {plain(name)}" for seat, name in enumerate(data["players"]))
    print(wrap(players, "Seats: "))


def _print_deals(game: Game, *, moves: bool) -> None:
    teams = game.state.teams
    names = team_names(teams, game.players)
    print(*(wrap(f"Team {team}: {name}", rest="  ") for team, name in enumerate(names)), sep="\n")
    before: tuple[int, ...] = (0,) * teams
    for number, log in enumerate(game.deals, start=1):
        count = len(log.moves)
        print()
        print(
            wrap(f"Deal {number}: seat {log.dealer} dealt; the shuffle fits its commitment; {count} moves, all legal.")
        )
        if moves:
            _print_moves(log)
        if log.result is None:
            print("It is not over.")
            continue
        print(score_table(game.rules, log.result, before, team_names(teams)))
        print(wrap(outcome_text(game.rules, number, log.result, names)))
        before = log.result.totals


def _print_moves(log: DealLog) -> None:
    for number, (played, events) in enumerate(zip(log.moves, log.events, strict=True), start=1):
        text = describe(events) or f"Seat {played.seat}: {write_move(played.move)}."
        print(wrap(text, f"{number:>5}  "))


def _to_json(read: Read, *, moves: bool) -> dict[str, Any]:
    deals = [] if read.replayed is None else read.replayed.game.deals
    running = read.running
    return {
        "rules": read.data["rules"]["name"],
        "seats": read.data["seats"],
        "team_size": read.data["team_size"],
        "players": read.data["players"],
        "deals": [
            {
                "deal": number,
                "moves": len(log.moves),
                "outcome": None if log.result is None else outcome_to_json(log.result),
            }
            | ({"log": [_move_to_json(log, index) for index in range(len(log.moves))]} if moves else {})
            for number, log in enumerate(deals, start=1)
        ],
        "running": None if running is None else {"deal": running["deal"], "moves": len(running["moves"])},
    }


def _move_to_json(log: DealLog, index: int) -> dict[str, Any]:
    played = log.moves[index]
    events = [event.to_json() for event in log.events[index]]
    return {"seat": played.seat, "move": write_move(played.move), "at": played.at, "events": events}
