import json

import pytest

from engine.compete.simulation import FORMATS
from engine.compete.tiebreaks import NAMES

SIMULATE = ("compete", "simulate")
RESULTS = {
    "rounds": [
        {"tables": [{"entries": [1, 2], "points": [2, 0]}], "unplayed": [{"entry": 3, "points": 2, "kind": "bye"}]},
        {"tables": [{"entries": [3, 1], "points": [1, 1]}], "unplayed": [{"entry": 2, "points": 2, "kind": "bye"}]},
    ],
    "tiebreaks": ["wins", "opponents_average"],
    "unplayed_rule": "fide2023",
}


def test_fifty_four_at_nine_tables_of_six(run):
    ran = run(*SIMULATE, "--format", "pod_knockout", "--entries", 54, "--seats", 6, "--advance", 2)
    assert (ran.status, ran.err) == (0, "")
    assert max(map(len, ran.lines)) <= 80
    assert ran.out.startswith(
        "Knockout in pods: 54 entries, tables of 6, the top 2 of each go through; the\nbetter seed always wins.\n"
        "3 rounds, 9 tables at the same time, 13 tables in all, no byes.\n"
    )
    assert (
        "    9    9  10  27  28  45  46\n  go through (18): 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n" in ran.out
    )
    assert "\nFinal\n    1    1   2   3   4   5   6\n  go through (1): 1\n" in ran.out
    assert "Rank  Entry  Points\n     1      1      15\n" in ran.out


def test_a_bracket_with_a_bye(run):
    ran = run(*SIMULATE, "--format", "double_elimination", "--entries", 7)
    assert "\nRound 1\n  WB1.2 4–5  WB1.3 2–7  WB1.4 3–6\n  bye (1): 1\n" in ran.out
    assert "12 tables in all" in ran.out


def test_groups_whose_best_others_fill_the_bracket(run):
    ran = run(*SIMULATE, "--format", "groups_knockout", "--entries", 12, "--seats", 4, "--advance", 1)
    assert ran.out.startswith(
        "Groups, then knockout: 12 entries, 3 groups of up to 4, the top 1 of each and\n"
        "the best 1 other go through; the better seed always wins.\n"
    )
    data = json.loads(run(*SIMULATE, "--format", "groups_knockout", "--entries", 12, "--advance", 1, "--json").out)
    assert data["settings"]["others"] == 1
    assert [table["entries"] for table in data["rounds"][3]["tables"]] == [[1, 4], [2, 3]]


def test_partners_are_shown_together(run):
    data = json.loads(run(*SIMULATE, "--format", "rotating_partners", "--entries", 8, "--json").out)
    a, b, c, d = data["rounds"][0]["tables"][0]
    ran = run(*SIMULATE, "--format", "rotating_partners", "--entries", 8)
    assert f"\nRound 1\n  {a}+{c}–{b}+{d}  " in ran.out


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("results", ["better-seed", "random"])
def test_every_format_within_80_columns(run, name, results):
    ran = run(*SIMULATE, "--format", name, "--entries", 16, "--results", results)
    assert (ran.status, ran.err) == (0, "")
    assert max(map(len, ran.lines)) <= 80


def test_as_json(run):
    ran = run(*SIMULATE, "--format", "double_elimination", "--entries", 4, "--json")
    data = json.loads(ran.out)
    assert [table for each in data["rounds"] for table in each["tables"]] == [
        {"name": "WB1.1", "entries": [1, 4]},
        {"name": "WB1.2", "entries": [2, 3]},
        {"name": "WB2.1", "entries": [1, 2]},
        {"name": "LB1.1", "entries": [4, 3]},
        {"name": "LB2.1", "entries": [2, 3]},
        {"name": "GF1.1", "entries": [1, 2]},
    ]
    assert data["standings"][0] == {"rank": 1, "entry": 1, "points": 6}
    data = json.loads(run(*SIMULATE, "--format", "round_robin", "--entries", 4, "--json").out)
    assert [sorted(map(sorted, each["tables"])) for each in data["rounds"]] == [
        [[1, 4], [2, 3]],
        [[1, 2], [3, 4]],
        [[1, 3], [2, 4]],
    ]


def test_random_results_repeat_themselves(run):
    words = (*SIMULATE, "--format", "swiss", "--entries", 12, "--results", "random", "--json")
    assert run(*words).out == run(*words).out
    assert run(*words, "--seed", "a").out == run(*words, "--seed", "a").out
    assert run(*words, "--seed", "a").out != run(*words, "--seed", "b").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--format", "chess", "--entries", 8), "There is no format 'chess'; there are round_robin, "),
        (("--format", "swiss", "--entries", 0), "argument --entries: '0' is not a whole number above 0. "),
        (("--format", "swiss", "--entries", 1), "Swiss is simulated for 2 to 512 entries, not for 1."),
        (("--format", "swiss", "--entries", 8, "--results", "x"), "There are no results 'x'; "),
        (("--format", "rotating_partners", "--entries", 8, "--seats", 6), "Rotating partners: every table has 4 seats"),
        (("--entries", 8), "the following arguments are required: --format. "),
    ],
)
def test_what_cannot_be_simulated(complaint, words, sentence):
    assert complaint(*SIMULATE, *words).startswith(sentence)


def test_an_act_is_needed(complaint):
    assert complaint("compete").startswith("the following arguments are required: simulate|standings|series. ")


def test_standings_as_a_table(run, write):
    ran = run("compete", "standings", write("results.json", RESULTS))
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines == [
        "  Rank  Entry  Points  Wins  Opponents’ average",
        "     1      3       3     1                   3",
        "     2      1       3     1                  2½",
        "     3      2       2     1                   3",
    ]


def test_more_columns_than_fit_follow_below(run, write):
    tiebreaks = ["wins", "buchholz", "buchholz_cut1", "sonneborn_berger", "direct_encounter", "cumulative", "koya"]
    ran = run("compete", "standings", write("results.json", {**RESULTS, "tiebreaks": tiebreaks}))
    assert max(map(len, ran.lines)) <= 80
    assert [line.split()[:2] for line in ran.lines].count(["Rank", "Entry"]) == 2
    assert "Koya" in ran.out


def test_standings_as_json(run, write):
    data = json.loads(run("compete", "standings", write("results.json", RESULTS), "--json").out)
    assert list(data) == ["rows"]
    assert data["rows"][1] == {"entry": 1, "rank": 2, "points": 3, "wins": 1, "opponents_average": 2.5}


def test_every_tiebreak_there_is_has_a_value_under_its_name(run, write):
    path = write("results.json", {**RESULTS, "tiebreaks": list(NAMES), "unplayed_rule": None})
    (first, *_) = json.loads(run("compete", "standings", path, "--json").out)["rows"]
    assert list(first) == ["entry", "rank", "points", *NAMES]
    ran = run("compete", "standings", path)
    assert (ran.status, max(map(len, ran.lines)) <= 80) == (0, True)


def test_no_results_are_no_rows(run, write):
    path = write("results.json", {"rounds": [], "tiebreaks": []})
    assert json.loads(run("compete", "standings", path, "--json").out) == {"rows": []}
    assert run("compete", "standings", path).lines == ["  Rank  Entry  Points"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "it is empty."),
        ([], "The document must be an object, not []."),
        ({"rounds": [], "tiebreaks": ["luck"]}, "There is no tie-break “luck”."),
    ],
)
def test_what_cannot_be_ranked(complaint, write, content, sentence):
    path = write("results.json", content if content == "" else json.dumps(content))
    assert complaint("compete", "standings", path).startswith(f"{path}: {sentence}")


def test_a_file_that_is_not_there(complaint, tmp_path):
    path = tmp_path / "none.json"
    assert complaint("compete", "standings", path) == f"{path}: file not found."
