"""The log of a table for people to read: turns in words and everything else that happened, in order."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext_lazy

from gameplay.log import story
from gameplay.log.match_history import is_open
from gameplay.models import Happening, Move, Seat, Table


class Entry(NamedTuple):
    """A line of the log: a player's turn, or another event."""

    at: datetime | None
    line: story.StoryLine | None
    """The turn, if it is one."""
    sentence: str
    """The sentence, if it is not a turn."""
    kind: str
    """`turn`, or a kind of happening."""
    by: str = ""
    """The mover if not the player, in a few words."""


BY_WORDS = {
    Move.By.BOT: gettext_lazy("bot"),
    Move.By.STAND_IN: gettext_lazy("reserve bot"),
    Move.By.STANDING: gettext_lazy("standing order"),
}


def log_of(table: Table, seats: Sequence[Seat], reader: int | None, deal: int) -> list[Entry]:
    """The log of one deal as the reader may know it; deal 0 is what came before play. Two queries."""
    moves = table.moves.filter(deal=deal).defer("request_key")
    lines = story.tell(moves, seats, reader, is_full=True, is_open=is_open(table, deal))
    happened = [happening for number, happening in _by_deal(table.happenings.all()) if number == deal]
    return _merged(lines, happened)


def _by_deal(happenings: Iterable[Happening]) -> Iterable[tuple[int, Happening]]:
    """Each happening with the number of the deal it falls into."""
    deal = 0
    for happening in happenings:
        deal += happening.kind == Happening.Kind.DEALT
        yield deal, happening


def _merged(lines: Sequence[story.StoryLine], happened: Sequence[Happening]) -> list[Entry]:
    """Both in order: what happened after a move comes after the turn that ends with it."""
    turns = [
        (line.last, 0, Entry(line.at, line, "", "turn", str(BY_WORDS.get(Move.By(line.by), "")))) for line in lines
    ]
    happenings = [(each.after_move, 1, Entry(each.at, None, each.sentence, each.kind)) for each in happened]
    return [entry for _, _, entry in sorted([*turns, *happenings], key=lambda item: item[:2])]
