"""Tie-breaks of random tournaments against C.07 (2023) and C.02 (2009) written down again, slowly, from their words."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.standings_json import read, rows
from tests.tries import tries

VOLUNTARY = {"half_bye", "zero_bye", "withdrawn", "forfeit_loss"}
REQUESTED = {"half_bye", "zero_bye", "withdrawn"}
WORTH = {"bye": 1, "half_bye": 0.5, "zero_bye": 0, "forfeit_win": 1, "forfeit_loss": 0, "withdrawn": 0}


def tournament(entries, rounds, seed):
    """A document of random results among pairs, with everything that can happen to an unpaired entry."""
    chance = random.Random(seed)
    gone, document = set(), []
    for _ in range(rounds):
        order = [entry for entry in range(1, entries + 1) if entry not in gone]
        chance.shuffle(order)
        unplayed = [{"entry": entry, "points": 0, "kind": "withdrawn"} for entry in sorted(gone)]
        tables = []
        while len(order) > 1:
            if chance.random() < 0.15:
                kind = chance.choice(["half_bye", "zero_bye", "withdrawn"])
                entry = order.pop()
                gone |= {entry} if kind == "withdrawn" else set()
                unplayed.append({"entry": entry, "points": WORTH[kind], "kind": kind})
                continue
            first, second = order.pop(), order.pop()
            if chance.random() < 0.15:
                unplayed.append({"entry": first, "points": 1, "kind": "forfeit_win"})
                unplayed.append({"entry": second, "points": 0, "kind": "forfeit_loss"})
            else:
                tables.append({"entries": [first, second], "points": chance.choice([[1, 0], [0.5, 0.5], [0, 1]])})
        unplayed += [{"entry": entry, "points": 1, "kind": "bye"} for entry in order]
        document.append({"tables": tables, "unplayed": unplayed})
    return document


class Book:
    """A tournament as an arbiter would work it out: by entry and round, the points, and the opponent or the kind."""

    def __init__(self, rounds):
        self.sheet = {}
        for each in rounds:
            for table in each["tables"]:
                (entry, opponent), (first, second) = table["entries"], map(Fraction, table["points"])
                self.sheet.setdefault(entry, []).append((first, opponent, None))
                self.sheet.setdefault(opponent, []).append((second, entry, None))
            for missed in each["unplayed"]:
                line = Fraction(missed["points"]), None, missed["kind"]
                self.sheet.setdefault(missed["entry"], []).append(line)
        self.points = {entry: sum(points for points, _, _ in lines) for entry, lines in self.sheet.items()}

    def adjusted(self, entry):
        """16.3: for opponents, requested byes after which one never was available are draws, all else is as given."""
        total = Fraction(0)
        for number, (points, _, kind) in enumerate(self.sheet[entry]):
            never_again = all(later in VOLUNTARY for _, _, later in self.sheet[entry][number + 1 :])
            total += Fraction(1, 2) if kind in REQUESTED and never_again else points
        return total

    def contributions(self, entry):
        """16.4: by round, the opponent's points, the score, and whether it was voluntary."""
        return [
            (self.adjusted(opponent), points, False) if opponent else (self.points[entry], points, kind in VOLUNTARY)
            for points, opponent, kind in self.sheet[entry]
        ]

    def virtual(self, entry):
        """C.02 13.15: unplayed games are draws for opponents; one's own are against a virtual opponent."""
        lines, result = self.sheet[entry], []
        for number, (points, opponent, _) in enumerate(lines):
            if opponent:
                games = self.sheet[opponent]
                result.append((sum(got if met else Fraction(1, 2) for got, met, _ in games), points, False))
            else:
                before = sum(got for got, _, _ in lines[:number])
                virtual = before + (1 - points) + Fraction(1, 2) * (len(lines) - number - 1)
                result.append((virtual, points, False))
        return result


def buchholz(contributions, low=0, high=0):
    """8.1 with 14.1, 14.2 and 16.5: voluntary rounds are cut first, the lowest of them."""
    remaining = list(contributions)
    for _ in range(low):
        if remaining:
            voluntary = [contribution for contribution in remaining if contribution[2]]
            remaining.remove(min(voluntary or remaining))
    for _ in range(high):
        if remaining:
            remaining.remove(max(remaining, key=lambda contribution: contribution[0]))
    return sum((contribution[0] for contribution in remaining), Fraction(0))


def sonneborn_berger(contributions):
    return sum((worth * points for worth, points, _ in contributions), Fraction(0))


@pytest.mark.parametrize("rule", ["fide2023", "virtual_opponent"])
@tries(60)
@given(st.integers(2, 12), st.integers(1, 7), st.integers(0, 10**9))
def test_values_are_those_worked_out_slowly(rule, entries, rounds, seed):
    document = tournament(entries, rounds, seed)
    names = ["buchholz", "buchholz_cut1", "buchholz_cut2", "median_buchholz", "sonneborn_berger", "cumulative", "wins"]
    result = rows(read({"rounds": document, "tiebreaks": names, "unplayed_rule": rule, "win": 1, "draw": "1/2"}))
    book = Book(document)
    assert {row["entry"]: row["points"] for row in result} == book.points
    for row in result:
        contributions = book.contributions(row["entry"]) if rule == "fide2023" else book.virtual(row["entry"])
        lines = book.sheet[row["entry"]]
        assert {name: Fraction(str(row[name])) for name in names} == {
            "buchholz": buchholz(contributions),
            "buchholz_cut1": buchholz(contributions, 1),
            "buchholz_cut2": buchholz(contributions, 2),
            "median_buchholz": buchholz(contributions, 1, 1),
            "sonneborn_berger": sonneborn_berger(contributions),
            "cumulative": sum(points * (len(lines) - number) for number, (points, _, _) in enumerate(lines)),
            "wins": sum(points == 1 for points, _, _ in lines),
        }


@tries(60)
@given(st.integers(2, 8), st.integers(1, 7), st.integers(0, 10**9))
def test_direct_encounter_parts_those_who_all_have_met_and_nobody_else(entries, rounds, seed):
    document = tournament(entries, rounds, seed)
    result = rows(read({"rounds": document, "tiebreaks": ["direct_encounter"]}))
    book = Book(document)
    for row in result:
        level = [entry for entry, points in book.points.items() if points == row["points"] and entry != row["entry"]]
        scored = {}
        for points, opponent, _ in book.sheet[row["entry"]]:
            if opponent in level:
                scored.setdefault(opponent, []).append(points)
        all_met = all(
            {met for _, met, _ in book.sheet[a] if met} >= {b for b in (*level, row["entry"]) if b != a}
            for a in (*level, row["entry"])
        )
        if not level or not all_met:
            assert row["direct_encounter"] is None
        else:
            expected = sum((sum(results) / len(results) for results in scored.values()), Fraction(0))
            assert Fraction(row["direct_encounter"]).limit_denominator(100) == expected
