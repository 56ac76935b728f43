"""Every tie-break by hand."""

from fractions import Fraction

import pytest

from engine.compete.records import Kind, Played, Round, Unplayed
from engine.compete.standings import table
from engine.compete.tiebreaks import NAMES, UNPLAYED_RULES

HALF = Fraction(1, 2)


def values(rounds, name, **settings):
    """The values of one tie-break by entry."""
    return {row.entry: row.values[name] for row in table(rounds, tiebreaks=[name], **settings)}


def points(rounds, **settings):
    return {row.entry: row.points for row in table(rounds, tiebreaks=[], **settings)}


def played(entries, points, **numbers):
    return Played(tuple(entries), tuple(Fraction(value) for value in points), **numbers)


def round_of(*tables, unplayed=(), awaited=()):
    """A round: each table as entries and points."""
    return Round(tuple(played(*table) for table in tables), tuple(unplayed), awaited=tuple(awaited))


def missed(entry, kind, value=0, opponent=None):
    return Unplayed(entry, Fraction(value), kind, opponent)


# Unplayed rounds


def test_in_a_round_robin_a_bye_stands_for_nobody():
    rounds = [
        round_of(((1, 2), (1, 0)), unplayed=[missed(3, Kind.BYE)]),
        round_of(((3, 1), (1, 0)), unplayed=[missed(2, Kind.BYE)]),
        round_of(((2, 3), (1, 0)), unplayed=[missed(1, Kind.BYE)]),
    ]
    assert values(rounds, "buchholz", is_round_robin=True) == {1: 2, 2: 2, 3: 2}
    assert values(rounds, "buchholz") == {1: 3, 2: 3, 3: 3}


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ([Kind.ZERO_BYE, Kind.ZERO_BYE], 1 + 2 * HALF),
        ([Kind.WITHDRAWN, Kind.WITHDRAWN], 1 + 2 * HALF),
        ([Kind.HALF_BYE, Kind.ZERO_BYE], 1 + 2 * HALF),
        # A match forfeited counts as it was scored, but does not end the rounds at the end that were not wanted.
        ([Kind.ZERO_BYE, Kind.FORFEIT_LOSS], 1 + HALF),
        ([Kind.FORFEIT_LOSS, Kind.ZERO_BYE], 1 + HALF),
        # After a bye or a walkover the entry was available again.
        ([Kind.ZERO_BYE, Kind.BYE], 2),
        ([Kind.ZERO_BYE, Kind.FORFEIT_WIN], 2),
        ([Kind.BYE, Kind.ZERO_BYE], 2 + HALF),
    ],
)
def test_what_an_entry_that_stopped_is_worth_to_those_who_met_it(kinds, expected):
    """C.07 16.3: only byes on request after which an entry was never available again count as drawn."""
    worth = {Kind.BYE: 1, Kind.FORFEIT_WIN: 1, Kind.HALF_BYE: HALF}
    later = [
        round_of(((3, 4), (1, 0)), unplayed=[missed(1, kind, worth.get(kind, 0)), missed(2, Kind.ZERO_BYE)])
        for kind in kinds
    ]
    rounds = [round_of(((1, 2), (1, 0)), ((3, 4), (1, 0))), *later]
    # Entry 2 did not play later and has no points, so that its stand-ins bring nothing.
    assert values(rounds, "buchholz")[2] == expected


def test_whoever_a_round_does_not_name_was_absent():
    rounds = [round_of(((1, 2), (1, 0))), round_of(((1, 3), (1, 0)), unplayed=[missed(2, Kind.ZERO_BYE)])]
    unnamed = [round_of(((1, 2), (1, 0))), round_of(((1, 3), (1, 0)))]
    for name in ("buchholz", "sonneborn_berger", "cumulative"):
        assert values(rounds, name, entries=[1, 2, 3]) == values(unnamed, name, entries=[1, 2, 3])


def test_an_awaited_result_counts_nothing_and_shows_that_an_entry_is_there():
    begun = [round_of(((1, 2), (1, 0))), round_of(unplayed=[missed(1, Kind.ZERO_BYE)])]
    absent = [*begun, round_of(((3, 4), (1, 0)))]
    awaited = [*begun, round_of(((3, 4), (1, 0)), awaited=[1])]
    # 2 has no points, and so its own missed rounds bring nothing; 1 missed two rounds at the end, or may yet play.
    assert values(absent, "buchholz")[2] == 1 + HALF + HALF
    assert values(awaited, "buchholz")[2] == 1
    # 1 is worth 1 to itself, in two rounds or in one; 2 missed two rounds at the end.
    assert values(absent, "buchholz")[1] == 1 + 2 * 1
    assert values(awaited, "buchholz")[1] == 1 + 1
    assert values(awaited, "cumulative")[1] == 2
    assert values(absent, "cumulative")[1] == 3


@pytest.mark.parametrize(
    ("results", "kind", "expected"),
    [
        ([1, HALF, None, 0, 0, 0, 0, 0, 0], Kind.ZERO_BYE, Fraction(11, 2)),
        ([1, 1, 1, HALF, 0, None, 0, 0, 0], Kind.FORFEIT_WIN, Fraction(5)),
    ],
)
def test_virtual_opponent_of_the_handbook(results, kind, expected):
    """Its examples: absent in round 3 of 9 with 1.5 points, 5.5; a walkover in round 6 of 9 with 3.5 points, 5."""
    bye = missed(1, kind, 1 if kind is Kind.FORFEIT_WIN else 0)
    rounds = [
        round_of(unplayed=[bye]) if result is None else round_of(((1, 2), (result, 1 - result))) for result in results
    ]
    # 2 was met in all other rounds, and counts as having drawn the one it missed.
    met = 8 * (sum(1 - result for result in results if result is not None) + HALF)
    assert values(rounds, "buchholz", unplayed_rule="virtual_opponent")[1] == met + expected


def test_virtual_opponent_in_the_middle_of_an_event_knows_the_rounds_so_far():
    rounds = [round_of(((1, 2), (1, 0))), round_of(((2, 3), (1, 0)), unplayed=[missed(1, Kind.ZERO_BYE)])]
    # Against 2, one point; against the virtual opponent 1 before the round, and the win.
    assert values(rounds, "buchholz", unplayed_rule="virtual_opponent")[1] == 1 + 2
    assert values(rounds, "buchholz", unplayed_rule="virtual_opponent", total_rounds=4)[1] == 1 + 3


def test_virtual_opponent_cuts_the_least_whoever_it_was():
    rounds = [
        round_of(((1, 2), (1, 0)), ((3, 4), (1, 0))),
        round_of(((3, 2), (1, 0)), unplayed=[missed(1, Kind.ZERO_BYE), missed(4, Kind.BYE, 1)]),
    ]
    # 1: opponent 2 with no points, and a virtual opponent with 1 + 1; since 2023 its own stand-in would go first.
    assert values(rounds, "buchholz_cut1", unplayed_rule="virtual_opponent")[1] == 2
    assert values(rounds, "buchholz_cut1")[1] == 0


def test_cuts_of_more_rounds_than_were_played_leave_nothing():
    rounds = [round_of(((1, 2), (1, 0)))]
    for name in ("buchholz_cut1", "buchholz_cut2", "median_buchholz", "median_buchholz2"):
        assert values(rounds, name) == {1: 0, 2: 0}


# Points of a match


def test_a_bye_worth_a_draw_is_no_win():
    rounds = [round_of(((1, 2), (2, 0)), unplayed=[missed(3, Kind.BYE, 1), missed(4, Kind.FORFEIT_WIN, 2)])]
    assert values(rounds, "wins") == {1: 1, 2: 0, 3: 0, 4: 1}


def test_a_match_given_with_less_than_a_win_is_no_win():
    rounds = [round_of(((1, 2), (1, 0)), ((3, 4), (HALF, HALF)), ((5, 6), (HALF, 0)))]
    assert values(rounds, "wins") == {1: 1, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0}


def test_points_of_win_and_draw_can_be_said():
    rounds = [round_of(((1, 2), (3, 0))), round_of(((1, 3), (3, 0)), unplayed=[missed(2, Kind.WITHDRAWN)])]
    assert values(rounds, "buchholz")[1] == 3 * HALF
    assert values(rounds, "buchholz", draw=Fraction(1))[1] == 1
    assert values([*rounds, round_of(((1, 3), (1, 1)))], "buchholz")[1] == 2 + 1 + 1


def test_koya_counts_half_of_what_could_be_made():
    rounds = [
        round_of(((1, 2), (1, 0)), ((3, 4), (HALF, HALF))),
        round_of(((1, 3), (1, 0)), ((2, 4), (1, 0))),
        round_of(((1, 4), (0, 1)), ((2, 3), (HALF, HALF))),
    ]
    # 1 has 2, 2 and 4 have 1.5, 3 has 1: all but 3 reached half of three points.
    assert points(rounds) == {1: 2, 2: Fraction(3, 2), 3: 1, 4: Fraction(3, 2)}
    assert values(rounds, "koya") == {1: 1, 2: 1, 3: 1, 4: 1}


def test_koya_passes_over_byes_that_bring_nothing():
    rounds = [
        round_of(((1, 2), (1, 0)), unplayed=[missed(3, Kind.BYE)]),
        round_of(((3, 1), (1, 0)), unplayed=[missed(2, Kind.BYE)]),
        round_of(((2, 3), (1, 0)), unplayed=[missed(1, Kind.BYE)]),
    ]
    # Of two matches each won one: half of all.
    assert values(rounds, "koya") == {1: 1, 2: 1, 3: 1}


@pytest.mark.parametrize("is_round_robin", [True, False])
def test_koya_passes_over_rounds_that_all_have_free(is_round_robin):
    rounds = [
        round_of(((1, 2), (1, 0)), unplayed=[missed(3, Kind.ZERO_BYE)]),
        round_of(((3, 1), (1, 0)), unplayed=[missed(2, Kind.ZERO_BYE)]),
        round_of(((2, 3), (1, 0)), unplayed=[missed(1, Kind.ZERO_BYE)]),
    ]
    assert values(rounds, "koya", is_round_robin=is_round_robin) == {1: 1, 2: 1, 3: 1}


def test_koya_counts_rounds_that_only_some_stayed_away_from():
    rounds = [
        round_of(((1, 2), (1, 0)), ((3, 4), (1, 0))),
        round_of(((1, 3), (1, 0)), unplayed=[missed(2, Kind.ZERO_BYE), missed(4, Kind.ZERO_BYE)]),
        round_of(((4, 1), (HALF, HALF)), ((2, 3), (HALF, HALF))),
    ]
    # 1 has 2.5 of 3 and 3 has 1.5; with half a point 2 and 4 are short of half, though they played two rounds only.
    assert values(rounds, "koya") == {1: 1, 2: HALF, 3: 0, 4: HALF}


# The rest, by hand

MATCHES = [
    Round((Played((1, 2), (Fraction(1), Fraction(0)), (5000, 1000), books=(7, 3), outs=(2, 0)),)),
    Round((Played((2, 1), (Fraction(1), Fraction(0)), (2600, 2500), books=(5, 4), outs=(1, 1)),)),
]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("spread", {1: 3900, 2: -3900}),
        ("capped_spread", {1: 900, 2: -900}),
        ("points_scored", {1: 7500, 2: 3600}),
        ("books", {1: 11, 2: 8}),
        ("going_out", {1: 3, 2: 1}),
    ],
)
def test_what_the_tables_kept(name, expected):
    assert values(MATCHES, name, spread_cap=1000) == expected


@pytest.mark.parametrize("name", ["spread", "capped_spread", "points_scored", "books", "going_out"])
def test_what_no_table_kept_has_no_value(name):
    assert values([round_of(((1, 2), (1, 0)))], name, spread_cap=1000) == {1: None, 2: None}


def test_spread_at_a_larger_table_is_against_the_average():
    rounds = [Round((Played((1, 2, 3), (Fraction(2), Fraction(1), Fraction(0)), (900, 600, 100)),))]
    assert values(rounds, "spread") == {1: 550, 2: 100, 3: -650}
    uneven = [Round((Played((1, 2, 3, 4), (Fraction(0),) * 4, (10, 0, 0, 1)),))]
    assert values(uneven, "spread")[4] == 1 - Fraction(10, 3)


def test_best_rounds():
    rounds = [round_of(((1, 2), (a, 1 - a))) for a in (Fraction(1), Fraction(0), HALF, Fraction(1))]
    assert values(rounds, "best_rounds", best_of=3) == {1: Fraction(5, 2), 2: Fraction(3, 2)}


def test_fewest_walkovers_counts_what_was_given_away_and_fewer_is_better():
    rounds = [
        round_of(unplayed=[missed(1, Kind.FORFEIT_LOSS, 0, 2), missed(2, Kind.FORFEIT_WIN, 1, 1)]),
        round_of(((1, 2), (1, 0))),
    ]
    assert values(rounds, "fewest_walkovers") == {1: 1, 2: 0}
    assert [row.entry for row in table(rounds, tiebreaks=["fewest_walkovers"])] == [2, 1]


def test_lots_follow_from_the_seed_and_others_do_not_matter():
    rounds = [round_of(((1, 2), (HALF, HALF)), ((3, 4), (HALF, HALF)))]
    drawn = [row.entry for row in table(rounds, tiebreaks=["lots"], lots="spring")]
    # SHA-256 of "spring:1", "spring:2" and so on begins with 76, f9, 0c and 17.
    assert drawn == [3, 4, 1, 2]
    assert values(rounds, "lots", lots="spring") == {3: 1, 4: 2, 1: 3, 2: 4}
    fewer = [row.entry for row in table([], tiebreaks=["lots"], lots="spring", entries=[1, 2, 4])]
    assert fewer == [4, 1, 2]


def test_cumulative_leaves_out_what_an_entry_started_with():
    rounds = [round_of(((1, 2), (1, 0))), round_of(((1, 2), (0, 1)))]
    assert values(rounds, "cumulative", start={2: HALF}) == {1: 2, 2: 1}
    assert points(rounds, start={2: HALF}) == {1: 1, 2: Fraction(3, 2)}


# Larger tables and partners


def test_pods_everybody_at_the_table_is_an_opponent():
    rounds = [round_of(((1, 2, 3), (2, 1, 0))), round_of(((1, 2, 3), (1, 1, 1)))]
    # Points 3, 2, 1; against each, a win counts 1 and being level a half.
    assert values(rounds, "buchholz") == {1: 2 * (2 + 1), 2: 2 * (3 + 1), 3: 2 * (3 + 2)}
    assert values(rounds, "sonneborn_berger") == {
        1: (1 + HALF) * (2 + 1),
        2: HALF * 3 + (1 + HALF) * 1,
        3: HALF * (3 + 2),
    }
    assert values(rounds, "wins") == {1: 1, 2: 0, 3: 0}


def test_pods_direct_encounter():
    rounds = [round_of(((1, 2, 3), (2, 1, 0))), round_of(((3, 4, 2), (2, 1, 0)), ((1, 5, 6), (0, 1, 1)))]
    result = values(rounds, "direct_encounter", start={2: Fraction(1)})
    # 1, 2 and 3 have two points each and met: 1 beat both, 2 and 3 beat one another once, which counts a half.
    assert [result[entry] for entry in (1, 2, 3)] == [2, HALF, HALF]


def test_pods_a_bye_stands_for_a_whole_table():
    rounds = [round_of(((1, 2, 3), (2, 1, 0)), unplayed=[missed(4, Kind.BYE, 2), missed(5, Kind.HALF_BYE, 1)])]
    assert values(rounds, "buchholz") == {1: 1, 2: 2, 3: 3, 4: 4, 5: 2}
    # Two points are more than the table's average of one, one point is as much.
    assert values(rounds, "sonneborn_berger") == {1: 1, 2: 0, 3: 0, 4: 4, 5: 1}


def test_a_partner_is_no_opponent():
    evening = [
        Round((Played((1, 2, 3, 4), tuple(map(Fraction, (2, 0, 2, 0))), (700, 300, 700, 300), sides=(0, 1, 0, 1)),)),
        Round((Played((1, 2, 3, 4), tuple(map(Fraction, (2, 2, 0, 0))), (500, 500, 400, 400), sides=(0, 0, 1, 1)),)),
    ]
    assert points(evening) == {1: 4, 2: 2, 3: 2, 4: 0}
    assert values(evening, "buchholz") == {1: (2 + 0) + (2 + 0), 2: (4 + 2) + (2 + 0), 3: (2 + 0) + (4 + 2), 4: 12}
    assert values(evening, "sonneborn_berger")[1] == 2 * (2 + 0) + 2 * (2 + 0)
    assert values(evening, "spread") == {1: 500, 2: -300, 3: 300, 4: -500}
    assert values(evening, "wins") == {1: 2, 2: 1, 3: 1, 4: 0}
    # 2 and 3 met twice, once with each result.
    assert [values(evening, "direct_encounter")[entry] for entry in (2, 3)] == [1, 1]


# Names


def test_every_name_has_a_title_and_a_sentence():
    for title, sentence in [*NAMES.values(), *UNPLAYED_RULES.values()]:
        assert title
        assert sentence[0].isupper()
        assert sentence.endswith(".")


def test_every_name_can_be_used():
    rows = table(MATCHES, tiebreaks=list(NAMES), lots="seed", best_of=1, spread_cap=100)
    assert [list(row.values) for row in rows] == [list(NAMES)] * 2
