"""Input of a draw for each entry, and its reading from the rounds so far.

Sources: FIDE C.04.1 for the definition of a bye (a bye or a win by forfeit rules out another bye) and of a meeting
(only a played match: a forfeited one is none).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import permutations

from engine.compete.records import Kind, Played, Round
from engine.errors import BadInput
from engine.words import join_words, say

AS_GOOD_AS_BYES = frozenset({Kind.BYE, Kind.FORFEIT_WIN, Kind.SIT_OUT})
"""An entry that had a full win without playing, or sat out, is the last to sit out again."""


@dataclass(frozen=True, slots=True)
class Player:
    """An entry as a draw sees it.

    `met` holds its opponents in the order it met them, each as often as it did; `byes` counts the rounds that forbid
    another bye while another entry can have it; `firsts` counts how often it sat in the first seat.
    """

    entry: int
    points: Fraction = Fraction(0)
    met: tuple[int, ...] = ()
    byes: int = 0
    firsts: int = 0


def after(
    rounds: Sequence[Round], entries: Sequence[int], *, start: Mapping[int, Fraction] | None = None
) -> tuple[Player, ...]:
    """The `entries`, which are in seed order, with their state after `rounds`.

    Entries that are not named (withdrawn ones, say) are left out, but their opponents have still met them. `start`
    has the points that an entry begins with, by entry, such as those of a late entry for the rounds it missed.
    Raises `BadInput` if an entry is named twice or a table's points do not belong to its entries.
    """
    different(entries)
    points = {entry: Fraction((start or {}).get(entry, 0)) for entry in entries}
    met: dict[int, list[int]] = {entry: [] for entry in entries}
    byes: Counter[int] = Counter()
    firsts: Counter[int] = Counter()
    for played in rounds:
        for table in played.tables:
            if len(table.points) != len(table.entries):
                raise BadInput(
                    say(
                        "The table of entries %(listed)s has %(count)s scores.",
                        listed=join_words(map(str, table.entries)),
                        count=len(table.points),
                    )
                )
            firsts.update(table.entries[:1])
            for entry, won, opponents in zip(table.entries, table.points, _opponents(table), strict=True):
                if entry in points:
                    points[entry] += won
                    met[entry] += opponents
        for missed in played.unplayed:
            if missed.entry in points:
                points[missed.entry] += missed.points
                byes[missed.entry] += missed.kind in AS_GOOD_AS_BYES
    return tuple(Player(entry, points[entry], tuple(met[entry]), byes[entry], firsts[entry]) for entry in entries)


def _opponents(table: Played) -> list[list[int]]:
    """For each seat, the entries at the table on another side."""
    sides = table.sides or tuple(range(len(table.entries)))
    if len(sides) != len(table.entries):
        raise BadInput(
            say(
                "The table of entries %(listed)s has %(count)s sides named.",
                listed=join_words(map(str, table.entries)),
                count=len(sides),
            )
        )
    return [[other for other, side in zip(table.entries, sides, strict=True) if side != own_side] for own_side in sides]


def different(entries: Iterable[int]) -> None:
    """Refuse a list that names an entry twice, with `BadInput`."""
    twice = sorted(entry for entry, count in Counter(entries).items() if count > 1)
    if twice:
        raise BadInput(say("Entry %(twice)s is named twice.", twice=twice[0]))


def standing_order(players: Sequence[Player]) -> list[Player]:
    """Best score first; among equals in the order given, which is that of seeds. Nobody may be there twice."""
    different(player.entry for player in players)
    return sorted(players, key=lambda player: -player.points)


def lot(lots: str, entry: int) -> str:
    """Lot of an entry: the same from the same text for ever, and unpredictable without it."""
    return sha256(f"{lots}:{entry}".encode()).hexdigest()


def first_table(lots: str) -> int:
    """Start of the turns from table to table: at 0, or wherever the lots fall."""
    return int(lot(lots, 0), 16) if lots else 0


def meetings(field: Sequence[Player]) -> list[dict[int, tuple[int, int]]]:
    """For each place in the field, the places it has met: how often, and at which of its meetings the last time."""
    place = {player.entry: at for at, player in enumerate(field)}
    met: list[dict[int, tuple[int, int]]] = [{} for _ in field]
    for at, player in enumerate(field):
        for number, entry in enumerate(player.met, 1):
            other = place.get(entry, at)
            if other != at:
                times, _ = met[at].get(other, (0, 0))
                met[at][other] = times + 1, number
    for at, opponents in enumerate(met):
        for other, both in opponents.items():
            met[other][at] = max(both, met[other].get(at, both))
    return met


def places_apart(field: Sequence[Player], apart: Collection[frozenset[int]]) -> list[set[int]]:
    """For each place in the field, those it is kept apart from; in a set of more than two, each from all others."""
    place = {player.entry: at for at, player in enumerate(field)}
    forbidden: list[set[int]] = [set() for _ in field]
    for together in apart:
        for first, second in permutations(together & place.keys(), 2):
            forbidden[place[first]].add(place[second])
    return forbidden
