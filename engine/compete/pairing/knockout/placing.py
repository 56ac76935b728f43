"""Final places in a bracket, and those that each entry can still reach.

A place is the value of going out at a point if nobody forfeits: the four beaten quarter-finalists are all fifth.
After a double forfeit both entries have the place of one beaten there, and the place of a winner stays empty.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.compete.pairing.knockout.bracket import Bracket, Loser, Match, Seed, Winner
from engine.compete.pairing.knockout.resolving import Resolved, arrival

Span = tuple[int, int]
"""The best and the worst place."""


def places(bracket: Bracket, resolved: Mapping[str, Resolved]) -> tuple[tuple[int, ...], ...]:
    """The entries whose final place is certain, the champion first; those who share a place are one group.

    The groups of places that are still open are left out; `possible_places` numbers those that are there.
    """
    groups: dict[int, list[int]] = {}
    for entry, (best, worst) in possible_places(bracket, resolved).items():
        if best == worst:
            groups.setdefault(best, []).append(entry)
    return tuple(tuple(sorted(groups[place])) for place in sorted(groups))


def possible_places(bracket: Bracket, resolved: Mapping[str, Resolved]) -> dict[int, Span]:
    """By entry, the best and the worst final place it can still have; they never move apart as results come in.

    They are exact: the reach of an entry depends on its own matches alone. An entry that a corrected result sends to
    a match already begun without it is out there; one that thereby has two places keeps the better.
    """
    paths = _Paths(bracket, resolved)
    spans: dict[int, Span] = {}
    for match in bracket.matches:
        for slot, entry in enumerate(resolved[match.name].entries):
            if entry is not None and paths.is_start(match, slot, entry):
                span = paths.from_match(entry, match.name, slot)
                earlier = spans.get(entry, span)
                spans[entry] = min(earlier[0], span[0]), min(earlier[1], span[1])
            seed = match.slots[slot]
            if isinstance(seed, Seed) and seed.number not in resolved[match.name].entries:
                spans.setdefault(seed.number, paths.beaten(match.name))
    return dict(sorted(spans.items()))


def _worth(bracket: Bracket) -> dict[tuple[str, bool], int]:
    """The place of an entry that leaves the bracket at a match, by its name and whether it was won."""
    rounds: dict[str, list[Match]] = {}
    for match in bracket.matches:
        rounds.setdefault(match.round, []).append(match)
    onward = {slot for match in bracket.matches for slot in match.slots}
    worth: dict[tuple[str, bool], int] = {}
    place = 1
    finals = [name for name in rounds if name.startswith("GF")] or [list(rounds)[-1]]
    for won in (True, False):
        worth.update({(match.name, won): place for name in finals for match in rounds[name]})
        place += 1
    for name in reversed([name for name in rounds if name not in finals]):
        for won in (True, False):
            leavers = [m for m in rounds[name] if (Winner(m.name) if won else Loser(m.name)) not in onward]
            worth.update({(match.name, won): place for match in leavers})
            place += sum(won or match.is_played for match in leavers)
    return worth


class _Paths:
    """Places that can be reached from each match of a bracket in its present state."""

    def __init__(self, bracket: Bracket, resolved: Mapping[str, Resolved]) -> None:
        self.resolved = resolved
        self.matches = {match.name: match for match in bracket.matches}
        self.worth = _worth(bracket)
        self.onward: dict[tuple[str, bool], tuple[str, int]] = {}
        for match in bracket.matches:
            for number, slot in enumerate(match.slots):
                if isinstance(slot, Winner | Loser):
                    self.onward[slot.match, isinstance(slot, Winner)] = match.name, number

    def is_start(self, match: Match, slot: int, entry: int) -> bool:
        """Whether the entry sits here from the start, or without having been sent here by the match before."""
        source = match.slots[slot]
        sent = arrival(source, self.resolved).entry
        return not isinstance(source, Winner | Loser) or sent != entry

    def from_match(self, entry: int, name: str, slot: int) -> Span:
        """The best and worst place of an entry that comes to a slot of this match."""
        standing = self.resolved[name]
        if standing.state in ("done", "ready", "bye", "void") and entry not in standing.entries:
            return self.beaten(name)
        if standing.is_over:
            if standing.winner is None and standing.state == "done":
                return self.beaten(name)
            return self.after(entry, name, slot, won=standing.winner == entry)
        other = arrival(self.matches[name].slots[1 - slot], self.resolved)
        if standing.state == "waits" and not other.is_open and other.entry is None:
            return self.after(entry, name, 0, won=True)  # unopposed, as the first slot is never sent to a reset
        spans = [self.after(entry, name, slot, won=won) for won in (True, False)]
        spans.append(self.beaten(name))  # both may forfeit
        return min(best for best, _ in spans), max(worst for _, worst in spans)

    def after(self, entry: int, name: str, slot: int, *, won: bool) -> Span:
        """The best and worst place of an entry that wins or loses this match."""
        onward = self.onward.get((name, won))
        if onward is None or self._skips(onward[0], won=won, slot=slot):
            place = self.worth[name, won]
            return place, place
        return self.from_match(entry, *onward)

    def beaten(self, name: str) -> Span:
        """The place of an entry that goes out at this match: that of one beaten in it and ever after."""
        won = False
        while (onward := self.onward.get((name, won))) and not self.matches[onward[0]].is_conditional:
            name = onward[0]
            won = not self.matches[name].is_played
        place = self.worth[name, won]
        return place, place

    def _skips(self, name: str, *, won: bool, slot: int) -> bool:
        """Whether a conditional match is not played after the one before was won or lost from this slot."""
        if not self.matches[name].is_conditional:
            return False
        state = self.resolved[name].state
        return state == "unneeded" or (state == "waits" and won == (slot == 0))
