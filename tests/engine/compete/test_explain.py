"""Standings in words."""

from fractions import Fraction
from itertools import pairwise

import pytest

from engine.compete.explain import LEVEL, value, why_ahead
from engine.compete.records import Kind, Played, Round, Unplayed
from engine.compete.standings import table
from engine.compete.tiebreaks import NAMES
from tests.engine.compete.crosstables import LONG_SWISS, SWISS, read_crosstable


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (12, "12"),
        (0, "0"),
        (Fraction(25, 2), "12½"),
        (Fraction(1, 2), "½"),
        (Fraction(13, 4), "3¼"),
        (Fraction(-13, 4), "−3¼"),
        (Fraction(-3, 4), "−¾"),
        (-3900, "−3900"),
        (Fraction(1, 3), "0.33"),
        (Fraction(2, 3), "0.67"),
        (Fraction(-5, 3), "−1.67"),
        (Fraction(1, 8), "0.13"),
        (Fraction(1999, 1000), "2.00"),
        (Fraction(1, 1000), "0.00"),
    ],
)
def test_numbers_as_people_write_them(number, text):
    assert value(number) == text


def neighbours(rounds, tiebreaks, **settings):
    """Why each row is ahead of the next, by the upper one's entry."""
    rows = table(rounds, tiebreaks=tiebreaks, **settings)
    return {(upper.entry, lower.entry): why_ahead(upper, lower, tiebreaks) for upper, lower in pairwise(rows)}


def test_neighbours_in_the_fide_swiss():
    why = neighbours(read_crosstable(SWISS), ["buchholz_cut1", "wins", "sonneborn_berger"])
    assert why[2, 3] == "ahead on points, 4 to 3½"
    assert why[3, 4] == "ahead on Buchholz, cut 1, 13 to 11½"
    assert why[16, 1] == "ahead on wins, 3 to 2"
    assert why[11, 8] == "ahead on Sonneborn–Berger, 5¾ to 5¼"


def test_direct_encounter_is_named_without_numbers():
    why = neighbours(read_crosstable(LONG_SWISS), ["direct_encounter", "koya"])
    assert why[6, 1] == "ahead on direct encounter"


def test_level_in_everything():
    rounds = [Round((Played((1, 2), (Fraction(1, 2), Fraction(1, 2))),))]
    assert neighbours(rounds, ["buchholz", "direct_encounter"]) == {(1, 2): LEVEL}


def test_a_second_look_at_direct_encounter_is_direct_encounter_too():
    """2 and 3 have the same from the matches of all four; their own match, and not the next tie-break, decided."""
    scores = {(1, 2): 1, (1, 3): 0, (1, 4): 1, (2, 3): 1, (2, 4): Fraction(1, 2), (3, 4): Fraction(1, 2)}
    rounds = [Round((Played(pair, (Fraction(won), 1 - Fraction(won))),)) for pair, won in scores.items()]
    start = {2: Fraction(1, 2), 3: Fraction(1, 2), 4: Fraction(1)}
    assert neighbours(rounds, ["direct_encounter", "wins"], start=start) == {
        (1, 2): "ahead on direct encounter",
        (2, 3): "ahead on direct encounter",
        (3, 4): "ahead on direct encounter",
    }


def test_lots_walkovers_missing_values_and_removed_entries():
    walkover = Round(
        unplayed=(Unplayed(1, Fraction(0), Kind.FORFEIT_LOSS, 2), Unplayed(2, Fraction(0), Kind.FORFEIT_WIN, 1))
    )
    assert neighbours([walkover], ["fewest_walkovers"]) == {(2, 1): "ahead on fewest walkovers, 0 to 1"}
    assert neighbours([], ["lots"], entries=[1, 2], lots="spring") == {(1, 2): "ahead by lot"}
    alone = Round((Played((1, 2), (Fraction(0), Fraction(0))),))
    assert neighbours([alone], ["opponents_average"], entries=[1, 2, 3])[2, 3] == "ahead on opponents’ average"
    assert neighbours([alone], [], removed=[1]) == {(2, 1): "ahead of an entry that is out of the competition"}


def test_two_removed_entries_are_compared_as_all_are():
    rounds = [Round((Played((1, 2), (Fraction(1), Fraction(0))),))]
    assert neighbours(rounds, [], removed=[1, 2]) == {(1, 2): "ahead on points, 1 to 0"}


def test_every_tiebreak_has_words():
    """Every deciding value has a sentence that begins with it."""
    numbers = {"scores": (30, 10), "books": (2, 1), "outs": (1, 0)}
    rounds = [Round((Played((1, 2), (Fraction(0), Fraction(0)), **numbers),))]
    for name in NAMES:
        sentences = neighbours(rounds, [name], lots="x", best_of=1, spread_cap=5)
        assert all(words.startswith(("ahead ", LEVEL)) for words in sentences.values())
