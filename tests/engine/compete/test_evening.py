"""Scorings of an evening: what adds up, and the worth of a round that an entry sat out."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.evening import AVERAGE, RESULT, TOTAL, Scoring
from engine.compete.records import Kind, Played, Round, Unplayed
from engine.compete.standings import table
from engine.compete.standings_json import read, rows
from engine.errors import BadInput
from tests.tries import tries


def evening(scoring, *, tiebreaks=(), **more):
    """Three entries of whom each sits out once: 1 wins 1500–900 and loses 700–1200 over two deals, 2 loses twice."""
    document = {
        "scoring": scoring,
        "rounds": [
            {"tables": [{"entries": [1, 2], "points": [2, 0], "scores": [1500, 900]}], "unplayed": [sit_out(3)]},
            {
                "tables": [{"entries": [1, 3], "points": [0, 2], "scores": [700, 1200], "deals": 2}],
                "unplayed": [sit_out(2)],
            },
            {"tables": [{"entries": [3, 2], "points": [2, 0], "scores": [400, -100]}], "unplayed": [sit_out(1)]},
        ],
        "tiebreaks": list(tiebreaks),
        **more,
    }
    return rows(read(document))


def sit_out(entry):
    return {"entry": entry, "kind": "sit_out"}


def points(standings):
    return {row["entry"]: row["points"] for row in standings}


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [
        ({"kind": "result"}, {3: 6, 1: 3, 2: 0}),
        ({"kind": "result", "sit_out": "none"}, {3: 4, 1: 2, 2: 0}),
        ({"kind": "result", "sit_out": {"points": 1}}, {3: 5, 1: 3, 2: 1}),
        ({"kind": "total"}, {1: 3300, 3: 2400, 2: 1200}),
        ({"kind": "total", "sit_out": "none"}, {1: 2200, 3: 1600, 2: 800}),
        ({"kind": "total", "sit_out": {"points": 500}}, {1: 2700, 3: 2100, 2: 1300}),
        ({"kind": "average"}, {1: 2200 / 3, 3: 1600 / 3, 2: 400}),
        ({"kind": "average", "sit_out": "none"}, {1: 2200 / 3, 3: 1600 / 3, 2: 400}),
        ({"kind": "average", "sit_out": {"points": 10}}, {1: 2200 / 3 + 10, 3: 1600 / 3 + 10, 2: 410}),
        ({"kind": "total", "sit_out": "none", "win_bonus": 100}, {1: 2300, 3: 1800, 2: 800}),
        ({"kind": "average", "win_bonus": 300}, {1: 2500 / 3, 3: 2200 / 3, 2: 400}),
        (None, {3: 6, 1: 3, 2: 0}),
    ],
)
def test_points_by_each_scoring(scoring, expected):
    assert points(evening(scoring)) == pytest.approx(expected, abs=1e-6)
    assert list(points(evening(scoring))) == list(expected)


def test_a_round_sat_out_is_no_win():
    by_entry = {row["entry"]: row["wins"] for row in evening({"sit_out": {"points": 2}}, tiebreaks=["wins"])}
    assert by_entry == {1: 1, 2: 0, 3: 2}


def test_who_won_more_matches_is_ahead_of_who_sat_out():
    """Thirteen people, four rounds: 1 of 3 is less than 2 of 4."""
    won, lost = ({"entries": [1, 9], "points": score} for score in ([2, 0], [0, 2]))
    rounds = [{"tables": [each], "unplayed": []} for each in (won, won, lost, lost)]
    third = [{"entries": [2, 8], "points": score} for score in ([2, 0], [0, 2], [0, 2])]
    for round_, match in zip(rounds, third, strict=False):
        round_["tables"].append(match)
    rounds[3]["unplayed"].append(sit_out(2))
    standings = points(rows(read({"rounds": rounds})))
    assert standings[1] == 4
    assert standings[2] == pytest.approx(2 + 2 / 3)


def test_an_entry_that_never_played_has_nothing_by_its_mean():
    document = {"rounds": [{"unplayed": [sit_out(1)]}], "scoring": {"kind": "total"}}
    assert points(rows(read(document))) == {1: 0}


def test_best_rounds_of_an_evening_are_those_with_the_most_card_points():
    standings = evening({"kind": "total", "sit_out": "none"}, tiebreaks=["best_rounds"], best_of=1)
    assert {row["entry"]: row["best_rounds"] for row in standings} == {1: 1500, 2: 900, 3: 1200}


def test_match_points_stay_a_tiebreak_of_card_points():
    standings = evening({"kind": "total"}, tiebreaks=["match_points"])
    assert {row["entry"]: row["match_points"] for row in standings} == {1: 2, 2: 0, 3: 4}


def test_a_table_of_card_points_needs_no_match_points():
    tables = [{"entries": [1, 2, 3, 4], "scores": [900, 300, 900, 300], "sides": [0, 1, 0, 1]}]
    standings = rows(read({"rounds": [{"tables": tables}], "scoring": {"kind": "total"}, "tiebreaks": ["wins"]}))
    assert [(row["entry"], row["points"], row["wins"]) for row in standings] == [
        (1, 900, 1),
        (3, 900, 1),
        (2, 300, 0),
        (4, 300, 0),
    ]


def test_byes_and_walkovers_bring_no_card_points():
    document = {
        "rounds": [
            {
                "tables": [{"entries": [1, 2], "scores": [500, 400]}],
                "unplayed": [{"entry": 3, "points": 2, "kind": "bye"}],
            }
        ],
        "scoring": {"kind": "total"},
        "start": {"3": 50},
    }
    assert points(rows(read(document))) == {1: 500, 2: 400, 3: 50}


@pytest.mark.parametrize(
    ("scoring", "sentence"),
    [
        ({"kind": "best"}, "“scoring”: “kind” must be one of result, total, average, not 'best'."),
        ({"kind": ["total"]}, "“scoring”: “kind” must be one of result, total, average, not ['total']."),
        ({"sit_out": "half"}, "“scoring”: “sit_out” must be average, none or {\"points\": …}, not 'half'."),
        ({"sit_out": {}}, "“scoring”, “sit_out”, points: a number is needed, not None."),
        ({"win_bonus": 1}, "A bonus for a win goes with card points, not with match points."),
        ({"kind": "total", "win_bonus": 0.5}, "“scoring”, “win_bonus” must be a whole number, not 0.5."),
        ("total", "“scoring” must be an object, not 'total'."),
    ],
)
def test_scorings_that_cannot_be(scoring, sentence):
    with pytest.raises(BadInput) as error:
        evening(scoring)
    assert error.value.sentence == sentence


def test_card_points_are_needed_where_they_count():
    document = {"rounds": [{"tables": [{"entries": [1, 2], "points": [2, 0]}]}], "scoring": {"kind": "average"}}
    with pytest.raises(BadInput, match=r"Round 1, table 1: this scoring needs the card points of each entry\."):
        read(document)


@pytest.mark.parametrize("deals", [0, -1, 1.5, "two"])
def test_a_table_plays_at_least_one_deal(deals):
    with pytest.raises(BadInput, match="Round 1, table 1"):
        read({"rounds": [{"tables": [{"entries": [1, 2], "points": [2, 0], "deals": deals}]}]})


@st.composite
def evenings(draw):
    """Rounds of two or three tables of two among up to seven entries; the others sit out."""
    entries = list(range(1, draw(st.integers(4, 7)) + 1))
    rounds = []
    for _ in range(draw(st.integers(1, 5))):
        order = draw(st.permutations(entries))
        count = draw(st.integers(1, len(entries) // 2))
        tables = []
        for at in range(count):
            scores = tuple(draw(st.integers(-500, 5000)) for _ in range(2))
            won = (2, 0) if scores[0] > scores[1] else (0, 2) if scores[0] < scores[1] else (1, 1)
            pair = tuple(order[2 * at : 2 * at + 2])
            tables.append(Played(pair, tuple(map(Fraction, won)), scores, deals=draw(st.integers(1, 4))))
        unplayed = tuple(Unplayed(entry, Fraction(0), Kind.SIT_OUT) for entry in order[2 * count :])
        rounds.append(Round(tuple(tables), unplayed))
    return rounds


@tries(60)
@given(evenings())
def test_points_are_those_recomputed_from_the_tables_alone(rounds):
    """Each scoring again, from nothing but who played what."""
    for kind in (RESULT, TOTAL, AVERAGE):
        for row in table(rounds, tiebreaks=["buchholz", "cumulative"], scoring=Scoring(kind)):
            played = [
                (t.points[seat] if kind == RESULT else t.scores[seat], t.deals)
                for each in rounds
                for t in each.tables
                for seat, entry in enumerate(t.entries)
                if entry == row.entry
            ]
            amounts = sum(Fraction(amount) for amount, _ in played)
            sat_out = len(rounds) - len(played)
            if not played:
                expected = Fraction(0)
            elif kind == AVERAGE:
                expected = amounts / sum(deals for _, deals in played)
            else:
                expected = amounts + sat_out * amounts / len(played)
            assert row.points == expected


@tries(60)
@given(evenings())
def test_nobody_loses_by_sitting_out_against_their_own_mean(rounds):
    """With the mean, points for each round are the same as without the rounds sat out."""
    for row in table(rounds, tiebreaks=[], scoring=Scoring(TOTAL)):
        alone = [
            Round(tuple(t for t in each.tables if row.entry in t.entries))
            for each in rounds
            if any(row.entry in t.entries for t in each.tables)
        ]
        if alone:
            without = next(r for r in table(alone, tiebreaks=[], scoring=Scoring(TOTAL)) if r.entry == row.entry)
            assert row.points / len(rounds) == without.points / len(alone)
