"""Check that the deals of a game record were fair, and show it.

For every deal with a shown key: that the key fits the commitment made before the deal, that the order of the cards
follows from the key and the players' phrases, and that the moves can be played with exactly that order. The output
names deals that cannot be checked, such as one under way. Compare each commitment with the one you saw before.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any, NamedTuple

from engine.cli.records import EXIT_STATUS, Read, read_record
from engine.cli.text import plain, wrap
from engine.play.cards import Cards, write_cards
from engine.play.deal import commitment, deal_seed, shuffle
from engine.play.record import DealLog
from engine.play.rules import Rules

_FIRST = 13
"""Cards of a deck that are shown."""


class Fair(NamedTuple):
    """A deal that was found fair."""

    deal: int
    log: DealLog
    order: Cards
    """The deck as it lay before the deal, the top card first."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = EXIT_STATUS
    parser.add_argument("record", metavar="RECORD", help="a game record, or - for standard input")
    parser.add_argument("--order", action="store_true", help="show the whole order of each deck, not its first cards")
    parser.add_argument("--json", action="store_true", help="write one JSON object instead of lines")


def run(arguments: Namespace) -> int:
    """Verify the record; the exit status."""
    read = read_record(arguments.record)
    if read is None:
        return 1
    deals = _fair_deals(read)
    if arguments.json:
        print(json.dumps(_to_json(read, deals)))
        return 0
    for fair in deals:
        _print_deal(fair, len(fair.order) if arguments.order else _FIRST)
    if running := read.running:
        print(f"Deal {running['deal']}: under way, so its shuffle cannot be checked yet.")
        print(f"  commitment  {plain(str(running['commitment']))}")
    print(_verdict(len(deals), running is not None))
    return 0


def _fair_deals(read: Read) -> list[Fair]:
    """The deals that were replayed from their keys, each with its deck worked out again."""
    if read.replayed is None:
        return []
    game = read.replayed.game
    pack = Rules.read(read.data["rules"]).pack(read.data["seats"])
    return [
        Fair(number, log, shuffle(pack, deal_seed(log.key, log.phrases)))
        for number, log in enumerate(game.deals, start=1)
    ]


def _print_deal(fair: Fair, count: int) -> None:
    log = fair.log
    print(f"Deal {fair.deal}: the key fits the commitment, and the order follows from the key.")
    print(f"  commitment  {commitment(log.key)}")
    print(f"  key         {log.key.hex()}")
    for seat, phrase in enumerate(log.phrases):
        if phrase:
            print(wrap(plain(phrase), f"  phrase of {seat} "))
    cards = write_cards(fair.order[:count]) + (" …" if count < len(fair.order) else "")
    print(wrap(cards, "  order       "))


def _verdict(checked: int, running: bool) -> str:
    deals = "one deal" if checked == 1 else f"{checked} deals"
    return f"{deals} fair" + (", one not checked" if running else "")


def _to_json(read: Read, deals: list[Fair]) -> dict[str, Any]:
    running = read.running
    return {
        "fair": [
            {
                "deal": fair.deal,
                "commitment": commitment(fair.log.key),
                "key": fair.log.key.hex(),
                "phrases": list(fair.log.phrases),
                "order": write_cards(fair.order),
            }
            for fair in deals
        ],
        "not_checked": []
        if running is None
        else [{"deal": running["deal"], "commitment": running["commitment"], "why": "its key is not shown yet"}],
    }
