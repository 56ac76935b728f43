"""The order of the standings: ranks, ties, removed entries, and properties over random events."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.records import Kind, Played, Round, Unplayed
from engine.compete.standings import table
from engine.compete.tiebreaks import NAMES
from engine.errors import BadInput
from tests.tries import tries

HALF = Fraction(1, 2)
KEPT = ("spread", "capped_spread", "points_scored", "books", "going_out")
few = tries(40)


def round_of(*tables, unplayed=()):
    return Round(
        tuple(Played(entries, tuple(Fraction(value) for value in points)) for entries, points in tables),
        tuple(unplayed),
    )


def order(rows):
    return [(row.rank, row.entry) for row in rows]


FOUR = [round_of(((1, 2), (1, 0)), ((3, 4), (HALF, HALF))), round_of(((1, 3), (0, 1)), ((2, 4), (1, 0)))]
"""1 has 1 point, 2 has 1, 3 has 1½ and 4 has ½."""


def test_entries_come_in_order_of_points_and_share_ranks():
    assert order(table(FOUR, tiebreaks=[])) == [(1, 3), (2, 1), (2, 2), (4, 4)]


def test_points_and_values_of_a_row():
    row = table(FOUR, tiebreaks=["buchholz", "wins"])[0]
    assert (row.entry, row.rank, row.points) == (3, 1, Fraction(3, 2))
    assert row.values == {"buchholz": Fraction(3, 2), "wins": 1}
    assert list(row.values) == ["buchholz", "wins"]


def test_tiebreaks_are_used_in_their_order():
    assert order(table(FOUR, tiebreaks=["direct_encounter"])) == [(1, 3), (2, 1), (3, 2), (4, 4)]
    # 1 met 2 and 3, 2½ points together; 2 met 1 and 4, 1½; as many wins.
    assert order(table(FOUR, tiebreaks=["wins", "buchholz"])) == [(1, 3), (2, 1), (3, 2), (4, 4)]
    assert [row.places for row in table(FOUR, tiebreaks=["wins", "buchholz"])] == [
        (1, 1, 1),
        (2, 2, 2),
        (2, 2, 3),
        (4, 4, 4),
    ]


def test_no_rounds_and_no_entries_are_standings_too():
    assert table([], tiebreaks=["buchholz", "koya"]) == ()
    assert order(table([], tiebreaks=["buchholz"], entries=[3, 1])) == [(1, 1), (1, 3)]


def test_entries_without_a_result_are_listed():
    rows = table(FOUR, tiebreaks=["opponents_average"], entries=[1, 2, 3, 4, 9])
    assert order(rows)[-1] == (5, 9)
    assert rows[-1].values == {"opponents_average": None}


def test_points_outside_of_rounds():
    rows = table(FOUR, tiebreaks=["buchholz"], start={4: Fraction(3, 2), 3: -HALF})
    assert [(row.entry, row.points) for row in rows] == [(4, 2), (2, 1), (3, 1), (1, 1)]
    # An opponent's starting points count for those it met.
    assert {row.entry: row.values["buchholz"] for row in rows}[2] == 1 + 2


def test_removed_entries_come_last_and_what_they_did_stays():
    rows = table(FOUR, tiebreaks=["buchholz"], removed=[3, 4])
    assert order(rows) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [row.is_removed for row in rows] == [False, False, True, True]
    assert rows[0].values["buchholz"] == 1 + Fraction(3, 2)


def test_a_removed_entry_is_not_among_those_who_must_have_met():
    rounds = [
        round_of(((1, 2), (1, 0)), ((3, 4), (1, 0))),
        round_of(((2, 4), (1, 0)), ((1, 5), (0, 1)), ((3, 6), (0, 1))),
    ]
    levels = table(rounds, tiebreaks=["direct_encounter"])
    assert [row.rank for row in levels if row.points == 1] == [1] * 5
    rows = table(rounds, tiebreaks=["direct_encounter"], removed=[3, 5, 6])
    assert order(rows)[:3] == [(1, 1), (2, 2), (3, 4)]


def test_direct_encounter_goes_on_among_those_still_level():
    """C.07 6.2: two entries with the same points from the matches of the four are compared by their own match."""
    scores = {(1, 2): 1, (1, 3): 0, (1, 4): 1, (2, 3): 1, (2, 4): HALF, (3, 4): HALF}
    rounds = [round_of((pair, (points, 1 - points))) for pair, points in scores.items()]
    start = {1: Fraction(0), 2: HALF, 3: HALF, 4: Fraction(1)}
    rows = table(rounds, tiebreaks=["direct_encounter"], start=start)
    assert [row.points for row in rows] == [2] * 4
    # Two points for 1, one and a half for 2 and 3 (2 won); one for 4.
    assert [(row.rank, row.entry, row.values["direct_encounter"]) for row in rows] == [
        (1, 1, 2),
        (2, 2, Fraction(3, 2)),
        (3, 3, Fraction(3, 2)),
        (4, 4, 1),
    ]


def test_direct_encounter_of_many_meetings_is_their_average():
    rounds = [
        round_of(((1, 2), (1, 0)), ((3, 4), (1, 0))),
        round_of(((1, 2), (0, 1)), ((3, 5), (0, 1))),
        round_of(((1, 2), (1, 0)), ((3, 6), (1, 0))),
        round_of(((1, 3), (0, 1)), ((2, 7), (1, 0))),
        round_of(((2, 3), (1, 0)), ((1, 8), (1, 0))),
    ]
    rows = {row.entry: row for row in table(rounds, tiebreaks=["direct_encounter"])}
    assert [rows[entry].points for entry in (1, 2, 3)] == [3, 3, 3]
    assert [rows[entry].values["direct_encounter"] for entry in (1, 2, 3)] == [
        Fraction(2, 3),
        Fraction(4, 3),
        Fraction(1),
    ]


def test_direct_encounter_may_be_used_again_further_down():
    rounds = [round_of(((1, 2), (1, 0)), ((3, 4), (1, 0))), round_of(((2, 3), (1, 0)), ((5, 1), (1, 0)))]
    rows = table(rounds, tiebreaks=["direct_encounter", "buchholz", "direct_encounter"])
    assert len(rows[0].places) == 4
    with pytest.raises(BadInput, match="twice"):
        table(rounds, tiebreaks=["buchholz", "buchholz"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"tiebreaks": ["luck"]}, "no tie-break “luck”"),
        ({"tiebreaks": ["lots"]}, "needs a seed"),
        ({"tiebreaks": ["best_rounds"]}, "need a number of rounds"),
        ({"tiebreaks": ["best_rounds"], "best_of": 0}, "at least 1"),
        ({"tiebreaks": ["capped_spread"]}, "needs a cap"),
        ({"tiebreaks": ["capped_spread"], "spread_cap": -5}, "at least 1"),
        ({"tiebreaks": [], "unplayed_rule": "guess"}, "no rule “guess”"),
        ({"tiebreaks": [], "total_rounds": 0}, "at least 1"),
    ],
)
def test_what_cannot_be_worked_out_is_refused(arguments, sentence):
    with pytest.raises(BadInput, match=sentence):
        table(FOUR, **arguments)


@pytest.mark.parametrize(
    "bad",
    [
        round_of(((1, 2), (1, 0)), ((2, 3), (1, 0))),
        round_of(((1, 1), (1, 0))),
        round_of(((1, 2), (1, 0)), unplayed=[Unplayed(1, Fraction(1), Kind.BYE)]),
        Round((Played((1, 2), (Fraction(1), Fraction(0))),), awaited=(2,)),
        round_of(((1, 2), (1,))),
        round_of(((1,), (1,))),
        Round((Played((1, 2), (Fraction(1), Fraction(0)), scores=(7,)),)),
        Round((Played((1, 2), (Fraction(1), Fraction(0)), sides=(0, 0)),)),
    ],
)
def test_rounds_that_cannot_be_are_refused(bad):
    with pytest.raises(BadInput, match="Round 2: "):
        table([FOUR[0], bad], tiebreaks=["buchholz"])


# Random events


@st.composite
def events(draw):
    """Up to ten entries over up to six rounds, some of them byes, walkovers and absences."""
    entries = draw(st.integers(2, 10))
    rounds = []
    for _ in range(draw(st.integers(0, 6))):
        waiting = draw(st.permutations(range(1, entries + 1)))
        tables, unplayed = [], []
        while waiting:
            kind = draw(st.sampled_from(["win", "win", "draw", "walkover", "bye", "half", "gone"]))
            first, rest = waiting[0], waiting[1:]
            if kind in ("win", "draw", "walkover") and rest:
                second, rest = rest[0], rest[1:]
                points = (HALF, HALF) if kind == "draw" else (Fraction(1), Fraction(0))
                if kind == "walkover":
                    unplayed += [Unplayed(first, Fraction(1), Kind.FORFEIT_WIN, second)]
                    unplayed += [Unplayed(second, Fraction(0), Kind.FORFEIT_LOSS, first)]
                else:
                    tables.append(Played((first, second), points))
            elif kind == "half":
                unplayed.append(Unplayed(first, HALF, Kind.HALF_BYE))
            elif kind != "gone":
                unplayed.append(Unplayed(first, Fraction(1), Kind.BYE))
            waiting = rest
        rounds.append(Round(tuple(tables), tuple(unplayed)))
    return entries, rounds


def standings(entries, rounds, tiebreaks, **settings):
    return table(
        rounds, tiebreaks=tiebreaks, entries=range(1, entries + 1), lots="x", best_of=2, spread_cap=9, **settings
    )


names = st.lists(st.sampled_from(sorted(NAMES)), unique=True, max_size=4)


@few
@given(events(), names, st.sampled_from(["fide2023", "virtual_opponent"]))
def test_ranks_are_those_of_the_places(event, tiebreaks, rule):
    entries, rounds = event
    rows = standings(entries, rounds, tiebreaks, unplayed_rule=rule)
    assert sorted(row.entry for row in rows) == list(range(1, entries + 1))
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    shared = Counter(row.rank for row in rows)
    assert all(row.rank == 1 + sum(count for rank, count in shared.items() if rank < row.rank) for row in rows)
    assert all(row.places[-1] == row.rank and list(row.places) == sorted(row.places) for row in rows)
    assert [-row.points for row in rows] == sorted(-row.points for row in rows)


@few
@given(events(), names)
def test_a_later_tiebreak_only_parts_who_is_level(event, tiebreaks):
    entries, rounds = event
    for length in range(len(tiebreaks)):
        before = {row.entry: row.rank for row in standings(entries, rounds, tiebreaks[:length])}
        after = {row.entry: row.rank for row in standings(entries, rounds, tiebreaks[: length + 1])}
        pairs = [(first, second) for first in before for second in before if before[first] < before[second]]
        assert all(after[first] < after[second] for first, second in pairs)


@few
@given(events(), st.randoms(use_true_random=False))
def test_numbers_of_entries_and_order_of_tables_do_not_matter(event, chance):
    entries, rounds = event
    tiebreaks = sorted(set(NAMES) - {"lots"})
    renamed = list(range(1, entries + 1))
    chance.shuffle(renamed)
    name = dict(enumerate(renamed, 1))
    other_rounds = []
    for round_ in rounds:
        tables = [Played(tuple(name[entry] for entry in played.entries), played.points) for played in round_.tables]
        chance.shuffle(tables)
        unplayed = tuple(Unplayed(name[u.entry], u.points, u.kind, name.get(u.opponent)) for u in round_.unplayed)
        other_rounds.append(Round(tuple(tables), unplayed))
    rows = {row.entry: row for row in standings(entries, rounds, tiebreaks)}
    other_rows = {row.entry: row for row in standings(entries, other_rounds, tiebreaks)}
    for entry, row in rows.items():
        other = other_rows[name[entry]]
        assert (row.rank, row.points, row.values) == (other.rank, other.points, other.values)


@few
@given(events(), st.sampled_from([2, 3, Fraction(1, 3)]))
def test_another_scale_of_points_changes_values_and_no_rank(event, factor):
    entries, rounds = event
    scaled = [
        Round(
            tuple(Played(played.entries, tuple(value * factor for value in played.points)) for played in round_.tables),
            tuple(Unplayed(u.entry, u.points * factor, u.kind, u.opponent) for u in round_.unplayed),
        )
        for round_ in rounds
    ]
    tiebreaks = sorted(set(NAMES) - {*KEPT, "lots"})
    usual = standings(entries, rounds, tiebreaks, win=Fraction(1), draw=HALF)
    larger = standings(entries, scaled, tiebreaks, win=Fraction(factor), draw=HALF * factor)
    assert order(usual) == order(larger)
    for row, other in zip(usual, larger, strict=True):
        assert other.values["buchholz"] == row.values["buchholz"] * factor
        assert other.values["sonneborn_berger"] == row.values["sonneborn_berger"] * factor**2
        assert other.values["wins"] == row.values["wins"]


@few
@given(events())
def test_where_everything_is_played_both_rules_agree_and_opponents_add_up(event):
    entries, rounds = event
    full = [round_ for round_ in rounds if 2 * len(round_.tables) == entries]
    tiebreaks = ["buchholz", "sonneborn_berger", "median_buchholz", "koya", "opponents_average"]
    assert standings(entries, full, tiebreaks) == standings(entries, full, tiebreaks, unplayed_rule="virtual_opponent")
    for row in standings(entries, full, tiebreaks):
        if full:
            assert row.values["opponents_average"] * len(full) == row.values["buchholz"]


@few
@given(events())
def test_cuts_take_away_and_never_add(event):
    entries, rounds = event
    less = ["buchholz", "buchholz_cut1", "buchholz_cut2", "median_buchholz2"]
    for row in standings(entries, rounds, [*less, "median_buchholz", "sonneborn_berger", "sonneborn_berger_cut1"]):
        values = [row.values[name] for name in less]
        assert values == sorted(values, reverse=True)
        assert row.values["buchholz_cut1"] >= row.values["median_buchholz"] >= 0
        assert row.values["sonneborn_berger"] >= row.values["sonneborn_berger_cut1"] >= 0
