"""Series over evenings: what an evening is worth, and how evenings add up."""

import json
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete import series
from engine.compete.series import Counting, Result
from engine.compete.series_json import read, rows
from engine.errors import BadInput
from tests.tries import tries

POINTS = [[12, 3, 3], [9, "1/3", None], [9, None, 8], [None, None, 20]]
"""Of Ann, Ben, Cem and Dee on three evenings."""


def document(points=POINTS, **more):
    names = ("Ann", "Ben", "Cem", "Dee")
    evenings = [
        {
            "results": [
                {"person": name, "points": row[at]}
                for name, row in zip(names, points, strict=True)
                if row[at] is not None
            ]
        }
        for at in range(3)
    ]
    return {"evenings": evenings, **more}


def table(**more):
    return [(row["person"], row["rank"], row["total"], row["dropped"]) for row in rows(read(document(**more)))]


def test_the_sum_of_all_evenings():
    assert table() == [("Dee", 1, 20, []), ("Ann", 2, 18, []), ("Cem", 3, 17, []), ("Ben", 4, 28 / 3, [])]


def test_the_best_evenings_count_and_the_others_are_dropped():
    assert table(counting={"kind": "best", "evenings": 1}) == [
        ("Dee", 1, 20, []), ("Ann", 2, 12, [2, 3]), ("Ben", 3, 9, [2]), ("Cem", 3, 9, [3]),
    ]  # fmt: skip


def test_of_equal_evenings_the_earlier_counts():
    assert table(counting={"kind": "best", "evenings": 2})[1] == ("Cem", 2, 17, [])
    assert table(counting={"kind": "best", "evenings": 2})[2] == ("Ann", 3, 15, [3])


def test_the_average_ranks_people_with_enough_evenings_and_lists_the_others_last():
    assert table(counting={"kind": "average", "evenings": 2}) == [
        ("Cem", 1, 8.5, []), ("Ann", 2, 6, []), ("Ben", 3, 14 / 3, []), ("Dee", None, 20, []),
    ]  # fmt: skip


def test_place_points_follow_places_and_tied_places_share():
    results = [Result((name,), rank=rank) for name, rank in (("a", 1), ("b", 2), ("c", 2), ("d", 4))]
    assert series.worth(results, "place") == {"a": 4, "b": Fraction(5, 2), "c": Fraction(5, 2), "d": 1}


def test_place_points_of_an_evening_without_places_follow_its_points_and_count_pairs_once():
    results = [Result(("a", "b"), Fraction(7)), Result(("c", "d"), Fraction(9)), Result(("e",))]
    assert series.worth(results, "place") == {"a": 1, "b": 1, "c": 2, "d": 2}


def test_percentages_are_of_what_could_be_won():
    results = [
        Result(("a",), won=Fraction(7), most=Fraction(12)),
        Result(("b",)),
        Result(("c",), won=Fraction(0), most=Fraction(0)),
    ]
    assert series.worth(results, "percent") == {"a": Fraction(175, 3)}


def test_partners_are_read_from_a_list():
    answer = rows(read({"evenings": [{"results": [{"person": ["Ann", 7], "points": 0.1}]}]}))
    assert [(row["person"], row["total"]) for row in answer] == [("Ann", 0.1), (7, 0.1)]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ([], "The document must be an object, not []."),
        ({}, "“evenings” must be a list, not missing."),
        ({"evenings": [3]}, "Evening 1 must be an object, not 3."),
        ({"evenings": [{"results": [{"points": 3}]}]}, "Evening 1, result 1: “person” must be a number or a name."),
        ({"evenings": [{"results": [{"person": []}]}]}, "Evening 1, result 1: a result has at least one person."),
        ({"evenings": [{"results": [{"person": 1}, {"person": [2, 1]}]}]}, "Evening 1: A person cannot have two results on one evening."),
        ({"evenings": [{"results": [{"person": 1, "points": "x"}]}]}, "Evening 1, result 1, points: a number is needed, not 'x'."),
        ({"evenings": [], "measure": "luck"}, "Measure “luck” not found. Use one of these: points, place, percent."),
        ({"evenings": [], "counting": {"kind": "most"}}, "Way of counting “most” not found. Use one of these: best, average, sum."),
        ({"evenings": [], "counting": {"kind": "best"}}, "“counting”: “evenings” must say how many count."),
        ({"evenings": [], "counting": {"kind": "best", "evenings": 0}}, "A series counts at least one evening."),
        ({"evenings": [{"results": [{"person": 1, "won": 3, "most": 2}]}], "measure": "percent"}, "Evening 1: Nobody can win more points than there are: 3 of 2."),
    ],
)  # fmt: skip
def test_impossible_series_are_refused_with_a_sentence(wrong, sentence):
    with pytest.raises(BadInput) as refused:
        read(wrong)
    assert refused.value.sentence == sentence


VALUES = st.lists(st.one_of(st.none(), st.fractions(-50, 50, max_denominator=6)), max_size=7)


@given(VALUES, st.integers(1, 8))
@tries(200)
def test_the_best_are_the_highest_sum_of_so_many(values, number):
    chosen = series.best(values, number)
    played = [value for value in values if value is not None]
    assert len(chosen) == min(number, len(played))
    sums = [sum(each) for each in combinations(played, len(chosen))]
    assert sum(values[at] for at in chosen) == max(sums)


@given(
    st.lists(st.dictionaries(st.integers(1, 5), st.fractions(-9, 9, max_denominator=4)), max_size=6),
    st.sampled_from(["best", "average", "sum"]),
    st.integers(1, 4),
)
@tries(200)
def test_ranks_follow_totals_and_only_equal_totals_share_one(evenings, way, number):
    lines = series.standings(evenings, Counting(way, number))
    ranked = [line for line in lines if line.rank is not None]
    assert {line.person for line in lines} == {person for evening in evenings for person in evening}
    for line in ranked:
        assert line.rank == 1 + sum(other.total > line.total for other in ranked)
        worths = [line.values[at] for at in line.counted]
        assert line.total == (sum(worths) / len(worths) if way == "average" else sum(worths))
    for line in lines:
        assert (line.rank is None) == (way == "average" and line.played < number)


def test_the_command_writes_a_table_and_json(tmp_path, capsys):
    from engine.cli import main

    file = tmp_path / "series.json"
    file.write_text(json.dumps(document(counting={"kind": "best", "evenings": 2})))
    assert main(["compete", "series", str(file)]) == 0
    assert capsys.readouterr().out == (
        "  Rank  Person  Total   1     2    3\n"
        "     1     Dee     20   –     –   20\n"
        "     2     Cem     17   9     –    8\n"
        "     3     Ann     15  12     3  (3)\n"
        "     4     Ben   9.33   9  0.33    –\n"
    )
    assert main(["compete", "series", "--json", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][2] == {
        "person": "Ann", "rank": 3, "total": 15, "evenings": [12, 3, 3], "dropped": [3],
    }  # fmt: skip
    file.write_text('{"evenings": 3}')
    assert main(["compete", "series", str(file)]) == 2
