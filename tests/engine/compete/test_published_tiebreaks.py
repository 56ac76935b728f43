"""Tie-breaks against the published solutions of FIDE's "Exercises in tie-breaking" (C.07, 2023)."""

from fractions import Fraction

import pytest

from engine.compete.standings import table
from tests.engine.compete.crosstables import LONG_SWISS, ROUND_ROBIN, SWISS, TEAMS, read_crosstable

HALF = Fraction(1, 2)


def values(rounds, name, **settings):
    """The values of one tie-break by entry."""
    return {row.entry: row.values[name] for row in table(rounds, tiebreaks=[name], **settings)}


def in_order(text):
    """Published values, of entry 1, 2 and so on."""
    return dict(enumerate(map(Fraction, text.split()), 1))


# FIDE's exercises: the Swiss


@pytest.mark.parametrize(
    ("name", "published"),
    [
        # Exercises 1 to 4, and the table of exercise 9.
        ("buchholz", "12.5 13 15.5 15 8.5 12 14.5 13.5 9 13 13.5 11.5 14 11 12 12.5"),
        # Exercises 5 to 8, and the summary of section 4.
        ("buchholz_cut1", "11 12 13 11.5 7.5 11 12.5 12 7.5 11.5 12 9.5 12 9 11 11"),
        # Exercise 12.
        ("sonneborn_berger", "8 9.5 10.5 9.75 4.25 6.5 3.25 5.25 2.25 1.5 5.75 4 4.25 4.5 3.5 7.25"),
        # Exercise 13.
        ("sonneborn_berger_cut1", "7.25 8.5 9.25 8 3.25 5.5 1.25 3.75 2.25 0 4.25 4 4.25 3 2.5 5.75"),
        # Exercise 27.
        ("wins", "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3"),
        # Exercise 32.
        ("cumulative", "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5"),
        ("match_points", "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 2 1.5 2 2 3.5"),
    ],
)
def test_fide_swiss(name, published):
    assert values(read_crosstable(SWISS), name) == in_order(published)


@pytest.mark.parametrize(
    ("name", "published"),
    [
        # By hand from the contributions in the table of exercise 9.
        ("buchholz_cut2", "9.5 10.5 10.5 10 6 9 10 10 6 9.5 9.5 7.5 9.5 7 9.5 9"),
        ("median_buchholz", "7 8.5 9 8 5 7.5 8.5 8.5 4 7.5 8.5 6 8.5 6 7.5 7"),
        ("median_buchholz2", "2 3.5 3 3 1.5 2.5 2.5 3 1 2.5 2.5 2 2.5 1.5 2.5 2.5"),
    ],
)
def test_more_cuts_of_the_fide_swiss(name, published):
    assert values(read_crosstable(SWISS), name) == in_order(published)


def test_ranking_of_the_fide_swiss_by_buchholz_cut_1():
    """Exercises 5 to 8: entries still tied share a rank."""
    standings = table(read_crosstable(SWISS), tiebreaks=["buchholz_cut1"])
    ranks = [(row.rank, row.entry) for row in standings]
    assert ranks == [
        (1, 2), (2, 3), (3, 4), (4, 1), (4, 16), (6, 6), (7, 8), (7, 11),
        (9, 5), (10, 15), (11, 12), (12, 14), (13, 7), (14, 13), (15, 9), (16, 10),
    ]  # fmt: skip


def test_opponents_average_of_the_fide_swiss_counts_who_was_met():
    result = values(read_crosstable(SWISS), "opponents_average")
    assert result[2] == Fraction(13, 5)
    # David: Nick counts 3 points, his two last rounds drawn; the half-point bye counts for nobody.
    assert result[4] == Fraction(23, 8)
    assert result[12] == Fraction(7, 2)


def test_fide_direct_encounter_needs_that_all_have_met():
    """Exercise 23: of the four with 3.5 points not all met, so nothing is decided; nor is it elsewhere."""
    rows = table(read_crosstable(SWISS), tiebreaks=["direct_encounter"])
    assert {row.values["direct_encounter"] for row in rows} == {None}
    assert [(row.rank, row.entry) for row in rows][:6] == [(1, 2), (2, 1), (2, 3), (2, 4), (2, 16), (6, 6)]


def test_fide_direct_encounter_of_the_longer_swiss():
    """Exercise 25: Franck, then Alyx and David level, then Bruno; the groups with gaps stay as they are."""
    rows = table(read_crosstable(LONG_SWISS), tiebreaks=["direct_encounter"])
    assert [(row.rank, row.entry) for row in rows] == [
        (1, 3), (2, 6), (3, 1), (3, 4), (5, 2), (6, 7), (6, 8), (6, 16),
        (9, 5), (9, 10), (9, 14), (9, 15), (13, 11), (14, 9), (14, 12), (16, 13),
    ]  # fmt: skip
    result = {row.entry: row.values["direct_encounter"] for row in rows}
    assert [result[entry] for entry in (6, 1, 4, 2)] == [2, Fraction(3, 2), Fraction(3, 2), 1]
    assert [result[entry] for entry in (7, 8, 16, 3)] == [None] * 4
    assert [result[entry] for entry in (9, 12)] == [HALF, HALF]


# FIDE's exercises: the round robin


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("sonneborn_berger", "9.25 6.25 6.25 4.25 2.25 3.25"),  # Exercise 14
        ("sonneborn_berger_cut1", "9.25 4.75 4.75 4.25 1.5 3.25"),  # Exercise 15
        ("koya", "2 0.5 0.5 1 0 0.5"),  # Exercise 16
        ("direct_encounter", "2 0.5 0.5 0.5 1.5 1"),  # Exercise 26
    ],
)
def test_fide_round_robin(name, published):
    rounds = read_crosstable(ROUND_ROBIN)
    assert values(rounds, name, is_round_robin=True) == in_order(published)


def test_fide_round_robin_ranking_by_direct_encounter():
    rows = table(read_crosstable(ROUND_ROBIN), tiebreaks=["direct_encounter"], is_round_robin=True)
    assert [(row.rank, row.entry) for row in rows] == [(1, 1), (2, 2), (2, 3), (4, 5), (5, 6), (6, 4)]


# FIDE's exercises: teams, two points for a match won


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("match_points", "10 10 10 10 10 7 6 7 6 5 4 2 6 4"),
        ("buchholz", "64 57 58 56 55 46 44 41 50 44 41 41 52 36"),  # Exercise 35
        ("buchholz_cut1", "57 52 53 52 53 39 38 39 48 42 39 39 48 32"),  # Exercise 36
        ("sonneborn_berger", "88 74 76 72 70 32 33 30 26 19 16 6 30 19"),  # EMMSB, table of section 10
    ],
)
def test_fide_teams(name, published):
    assert values(read_crosstable(TEAMS, win=2), name) == in_order(published)


def test_fide_teams_sonneborn_berger_cut_1():
    """Exercise 38."""
    result = values(read_crosstable(TEAMS, win=2), "sonneborn_berger_cut1")
    assert [result[team] for team in (1, 2, 3, 4, 5)] == [74, 64, 66, 64, 66]


def test_fide_teams_direct_encounter():
    """Exercises 42 to 45, by match points: 11 and 14 drew; 6 beat 8; 9 and 13 did not meet; the five made four each."""
    result = values(read_crosstable(TEAMS, win=2), "direct_encounter")
    assert [result[team] for team in (11, 14, 6, 8)] == [1, 1, 2, 0]
    assert [result[team] for team in (7, 9, 13)] == [None] * 3
    assert [result[team] for team in (1, 2, 3, 4, 5)] == [4] * 5
