"""Brackets drawn for a number of entries: byes for the top seeds, and a second chance that puts off rematches."""

from __future__ import annotations

from engine.compete.pairing.knockout.bracket import Bracket, Loser, Match, Nobody, Seed, Slot, Winner
from engine.compete.records import CannotPair
from engine.words import say

MOST = 1024
"""Entries of the largest bracket."""

_CROSSINGS = {
    4: (0,),
    8: (1, 0),
    16: (3, 0, 0),
    32: (3, 3, 0, 0),
    64: (15, 5, 1, 1, 0),
    128: (15, 14, 5, 0, 1, 0),
    256: (14, 8, 12, 5, 0, 1, 0),
    512: (60, 21, 7, 14, 5, 1, 1, 0),
    1024: (224, 80, 50, 16, 6, 1, 3, 0, 0),
}
"""By size, for rounds 2, 3, … of the winners' bracket: the loser of match i meets second-chance match i XOR this.

Found by search. To 64 entries they are, of all such crossings, those that put off the first possible rematch longest
and then have, when every match is an even one, the fewest expected rematches in that round, then in the next. Above 64
they are the best that a search of some minutes finds.
"""


def seed_order(size: int) -> tuple[int, ...]:
    """Seeds in the order of a bracket of this size, a power of two: 1, 16, 8, 9, 4, 13, … for sixteen."""
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for better in order for seed in (better, total - better)]
    return tuple(order)


def single(entries: int, *, third_place: bool = False) -> Bracket:
    """Single elimination, with a match of the beaten semi-finalists for third place if that is wanted.

    Raises `CannotPair` if there are fewer than 2 entries or more than 1,024.
    """
    size = _size(entries)
    rounds = size.bit_length() - 1
    matches = _winners(size)
    if third_place and rounds >= 2:
        semi_finals = f"WB{rounds - 1}"
        matches.insert(-1, Match("TP1.1", "TP1", (Loser(f"{semi_finals}.1"), Loser(f"{semi_finals}.2"))))
    return Bracket(_without_the_missing(matches, entries), entries, "single")


def double(entries: int, *, reset: bool = True) -> Bracket:
    """Double elimination: entries that have lost once play in the second chance, whose champion meets the unbeaten one.

    With a reset the final is played again if the unbeaten champion loses it, so that everyone but the champion loses
    twice. Raises `CannotPair` if there are fewer than 2 entries or more than 1,024.
    """
    size = _size(entries)
    rounds = size.bit_length() - 1
    matches = [*_winners(size), *_second_chance(size)]
    challenger: Slot = Winner(f"LB{2 * (rounds - 1)}.1") if rounds > 1 else Loser("WB1.1")
    matches.append(Match("GF1.1", "GF1", (Winner(f"WB{rounds}.1"), challenger)))
    if reset:
        matches.append(Match("GF2.1", "GF2", (Winner("GF1.1"), Loser("GF1.1")), is_conditional=True))
    return Bracket(_without_the_missing(matches, entries), entries, "double")


def _size(entries: int) -> int:
    """The smallest power of two with a place for everyone."""
    if not 2 <= entries <= MOST:
        raise CannotPair(
            say(
                "A bracket is drawn for 2 to %(most)s entries, not for %(entries)s.",
                most=f"{MOST:,}",
                entries=f"{entries:,}",
            )
        )
    return 1 << (entries - 1).bit_length()


def _winners(size: int) -> list[Match]:
    seeds = seed_order(size)
    matches = [
        Match(f"WB1.{place + 1}", "WB1", (Seed(seeds[2 * place]), Seed(seeds[2 * place + 1])))
        for place in range(size // 2)
    ]
    for number in range(2, size.bit_length()):
        before = f"WB{number - 1}"
        matches += [
            Match(
                f"WB{number}.{place + 1}",
                f"WB{number}",
                (Winner(f"{before}.{2 * place + 1}"), Winner(f"{before}.{2 * place + 2}")),
            )
            for place in range(size >> number)
        ]
    return matches


def _second_chance(size: int) -> list[Match]:
    """Two rounds for each winners' round after the first: one among themselves, one against those who just lost."""
    matches: list[Match] = []
    for number, crossing in enumerate(_CROSSINGS.get(size, ()), start=2):
        among, against = f"LB{2 * number - 3}", f"LB{2 * number - 2}"
        for place in range(size >> number):
            first, second = 2 * place + 1, 2 * place + 2
            slots: tuple[Slot, Slot] = (Loser(f"WB1.{first}"), Loser(f"WB1.{second}"))
            if number > 2:
                before = f"LB{2 * number - 4}"
                slots = (Winner(f"{before}.{first}"), Winner(f"{before}.{second}"))
            matches.append(Match(f"{among}.{place + 1}", among, slots))
        for place in range(size >> number):
            newcomer = Loser(f"WB{number}.{(place ^ crossing) + 1}")
            matches.append(Match(f"{against}.{place + 1}", against, (newcomer, Winner(f"{among}.{place + 1}"))))
    return matches


def _without_the_missing(matches: list[Match], entries: int) -> tuple[Match, ...]:
    """The matches with `Nobody` wherever no entry can come from, without those that nobody can reach."""
    has_winner: set[str] = set()
    has_loser: set[str] = set()
    remaining: list[Match] = []
    for match in matches:
        slots = tuple(_settle(slot, entries, has_winner, has_loser) for slot in match.slots)
        present = 2 - slots.count(Nobody())
        if present >= 1:
            has_winner.add(match.name)
            remaining.append(Match(match.name, match.round, (slots[0], slots[1]), match.is_conditional))
        if present == 2:
            has_loser.add(match.name)
    return tuple(remaining)


def _settle(slot: Slot, entries: int, has_winner: set[str], has_loser: set[str]) -> Slot:
    match slot:
        case Seed(number):
            return slot if number <= entries else Nobody()
        case Winner(name):
            return slot if name in has_winner else Nobody()
        case Loser(name):
            return slot if name in has_loser else Nobody()
    return slot
