"""Standings from JSON to JSON."""

import json
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.records import Kind
from engine.compete.standings_json import read, rows
from engine.compete.tiebreaks import NAMES
from engine.errors import BadInput
from tests.engine.compete.crosstables import SWISS, read_crosstable
from tests.tries import tries

EXAMPLE = {
    "rounds": [
        {
            "tables": [{"entries": [1, 2], "points": [1, 0], "scores": [1520, 985]}],
            "unplayed": [{"entry": 3, "points": 1, "kind": "bye"}],
        }
    ],
    "tiebreaks": ["buchholz", "sonneborn_berger"],
    "unplayed_rule": "fide2023",
}


def test_a_document_and_its_rows():
    assert rows(read(EXAMPLE)) == [
        {"entry": 3, "rank": 1, "points": 1, "buchholz": 1, "sonneborn_berger": 1},
        {"entry": 1, "rank": 2, "points": 1, "buchholz": 0, "sonneborn_berger": 0},
        {"entry": 2, "rank": 3, "points": 0, "buchholz": 1, "sonneborn_berger": 0},
    ]


def test_rows_are_json_with_whole_numbers_whole():
    document = {"rounds": [{"tables": [{"entries": [1, 2], "points": [0.5, 0.5]}]}] * 2, "tiebreaks": ["koya"]}
    assert json.dumps(rows(read(document))) == (
        '[{"entry": 1, "rank": 1, "points": 1, "koya": 1}, {"entry": 2, "rank": 1, "points": 1, "koya": 1}]'
    )


def test_the_fide_swiss_as_a_document():
    document = {
        "rounds": [
            {
                "tables": [
                    {"entries": list(t.entries), "points": [float(value) for value in t.points]} for t in r.tables
                ],
                "unplayed": [{"entry": u.entry, "points": float(u.points), "kind": u.kind.value} for u in r.unplayed],
            }
            for r in read_crosstable(SWISS)
        ],
        "tiebreaks": ["buchholz_cut1", "sonneborn_berger", "wins", "cumulative"],
    }
    result = rows(read(json.loads(json.dumps(document))))
    assert result[0] == {
        "entry": 2, "rank": 1, "points": 4,
        "buchholz_cut1": 12, "sonneborn_berger": 9.5, "wins": 3, "cumulative": 13,
    }  # fmt: skip
    david = next(row for row in result if row["entry"] == 4)
    assert (david["buchholz_cut1"], david["sonneborn_berger"]) == (11.5, 9.75)


def test_points_are_exact():
    document = {"rounds": [{"tables": [{"entries": [1, 2, 3], "points": [0.1, "1/3", "0.25"]}]}] * 3}
    request = read(document)
    assert request.rounds[0].tables[0].points == (Fraction(1, 10), Fraction(1, 3), Fraction(1, 4))
    assert [row["points"] for row in rows(request)] == [1, 0.75, 0.3]


def test_everything_that_may_be_said_is_read():
    document = {
        "rounds": [
            {
                "name": "One",
                "tables": [
                    {
                        "entries": [1, 2, 3, 4],
                        "points": [2, 0, 2, 0],
                        "scores": [700, 300, 700.0, 300],
                        "sides": [0, 1, 0, 1],
                        "books": [3, 1, 0, 0],
                        "outs": [1, 0, 0, 0],
                    }
                ],
                "unplayed": [{"entry": 5, "points": 0, "kind": "forfeit_loss", "opponent": 6}],
                "awaited": [6],
            }
        ],
        "tiebreaks": ["lots", "best_rounds", "capped_spread", "books", "going_out", "direct_encounter"],
        "unplayed_rule": "virtual_opponent",
        "entries": [1, 2, 3, 4, 5, 6, 7],
        "start": {"7": 1.5},
        "removed": [5],
        "lots": "spring",
        "best_of": 1,
        "spread_cap": 250,
        "total_rounds": 4,
        "win": 2,
        "draw": 1,
        "round_robin": False,
        "comment": "passed over",
    }
    request = read(document)
    first = request.rounds[0]
    assert (first.name, first.awaited, first.tables[0].sides) == ("One", (6,), (0, 1, 0, 1))
    assert first.unplayed[0].kind is Kind.FORFEIT_LOSS
    assert first.unplayed[0].opponent == 6
    by_entry = {row["entry"]: row for row in rows(request)}
    assert by_entry[1] | {"lots": 0} == {
        "entry": 1, "rank": 2, "points": 2, "lots": 0, "best_rounds": 2, "capped_spread": 250,
        "books": 3, "going_out": 1, "direct_encounter": None,
    }  # fmt: skip
    assert by_entry[7]["points"] == 1.5
    assert by_entry[5]["rank"] == 7


def test_every_tiebreak_works_without_its_setting():
    tables = [{"entries": [1, 2], "points": [1, 0], "scores": [2500, 500]}]
    result = rows(read({"rounds": [{"tables": tables}] * 3, "tiebreaks": list(NAMES)}))
    assert all(set(NAMES) <= set(row) for row in result)
    assert [(row["best_rounds"], row["capped_spread"]) for row in result] == [(2, 3000), (0, -3000)]
    assert sorted(row["lots"] for row in result) == [1, 2]
    alone = rows(read({"rounds": [{"tables": tables}], "tiebreaks": ["best_rounds"]}))
    assert [row["best_rounds"] for row in alone] == [1, 0]
    assert rows(read({"rounds": [], "tiebreaks": list(NAMES)})) == []


TABLE = {"entries": [1, 2], "points": [1, 0]}


def with_table(**changes):
    return {"rounds": [{"tables": [TABLE, {"entries": [3, 4], "points": [1, 0]} | changes]}]}


def with_unplayed(**changes):
    return {"rounds": [{"unplayed": [{"entry": 3, "points": 1, "kind": "bye"} | changes]}]}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ([], "The document must be an object"),
        (None, "The document must be an object"),
        ({}, "“rounds” must be a list, not missing"),
        ({"rounds": 3}, "“rounds” must be a list, not 3"),
        ({"rounds": [7]}, "Round 1 must be an object, not 7"),
        ({"rounds": [{"tables": {}}]}, "Round 1: “tables” must be a list"),
        ({"rounds": [{"tables": ["x"]}]}, "Round 1, table 1 must be an object"),
        ({"rounds": [], "tiebreaks": "buchholz"}, "“tiebreaks” must be a list"),
        ({"rounds": [], "tiebreaks": [4]}, "A tie-break must be text, not 4"),
        ({"rounds": [], "tiebreaks": ["luck"]}, "no tie-break “luck”"),
        ({"rounds": [], "unplayed_rule": "guess"}, "no rule “guess”"),
        ({"rounds": [], "unplayed_rule": 5}, "“unplayed_rule” must be text"),
        ({"rounds": [], "best_of": 1.5}, "“best_of” must be a whole number"),
        ({"rounds": [], "win": "x"}, "“win”: a number is needed"),
        ({"rounds": [], "lots": 5}, "“lots” must be text"),
        ({"rounds": [], "start": [1]}, "“start” must be an object"),
        ({"rounds": [], "start": {"one": 1}}, "“start”: an entry is a whole number from 1"),
        ({"rounds": [], "start": {"1": "one"}}, "“start”: a number is needed"),
        ({"rounds": [], "round_robin": 1}, "“round_robin” must be true or false"),
        ({"rounds": [], "entries": [0]}, "“entries”: an entry is a whole number from 1, not 0"),
        (with_table(entries=[3]), "Round 1, table 2: a table has at least two entries"),
        (with_table(entries=[3, "4"]), "Round 1, table 2: an entry is a whole number from 1, not '4'"),
        (with_table(entries=[3, True]), "an entry is a whole number from 1, not True"),
        (with_table(entries=[3, 10**5000]), "not a number that is too large"),
        (with_table(entries=[3, 1]), "Round 1: entry 1 is there twice"),
        (with_table(entries=None), "Round 1, table 2: “entries” must be a list, not missing"),
        (with_table(points=[1]), "there are 2 entries, but 1 points"),
        (with_table(points=[1, None]), "Round 1, table 2, points: a number is needed, not None"),
        (with_table(points=[1, float("nan")]), "a number is needed, not nan"),
        (with_table(points=[1, float("inf")]), "a number is needed, not inf"),
        (with_table(points=[1, "1/0"]), "a number is needed, not '1/0'"),
        (with_table(points=[1, "1e99999999"]), "a number is needed"),
        (with_table(points=[1, 1e300]), "a number is needed"),
        (with_table(points=[1, True]), "a number is needed, not True"),
        (with_table(scores=[1]), "there are 2 entries, but 1 scores"),
        (with_table(scores=[1, 2.5]), "Round 1, table 2, scores must be a whole number, not 2.5"),
        (with_table(sides=[1, 1]), "Round 1: entry 3 has nobody to play against"),
        (with_unplayed(kind="holiday"), "Round 1, unplayed 1: “kind” must be one of bye, half_bye, .* not 'holiday'"),
        (with_unplayed(kind=["bye"]), "“kind” must be one of"),
        (with_unplayed(points=None), "Round 1, unplayed 1, points: a number is needed"),
        (with_unplayed(entry=None), "Round 1, unplayed 1: an entry is a whole number from 1, not None"),
        (with_unplayed(opponent=0), "an entry is a whole number from 1, not 0"),
        ({"rounds": [{"awaited": [1, 1]}]}, "Round 1: entry 1 is there twice"),
    ],
)
def test_what_is_wrong_is_said(document, sentence):
    with pytest.raises(BadInput, match=sentence):
        read(document)


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.text(max_size=4) | st.just("bye"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["rounds", "tables", "unplayed", "entries", "points", "entry", "kind", "tiebreaks", "start"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@tries(60)
@given(
    st.builds(
        lambda rounds, more: {"rounds": rounds} | more,
        st.lists(anything, max_size=3),
        anything.map(lambda value: value if isinstance(value, dict) else {}),
    )
)
def test_any_document_is_read_or_refused(document):
    with suppress(BadInput):
        json.dumps(rows(read(document)))
