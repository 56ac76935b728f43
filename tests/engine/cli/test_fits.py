"""`fits`: the nearest published ruleset of house rules in a file or of ten answers, with differences and contradictions."""

import io
import json
import sys

import pytest

from engine.play.rule_sheet.questions import QUESTIONS
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS

CLASH = "The contract asks for a wild book, but melds of wild cards are not allowed."


@pytest.fixture
def interview(run, monkeypatch):
    """Type these lines; what came of it."""

    def type_lines(lines, *words):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run("fits", *words)

    return type_lines


@pytest.mark.parametrize("name", PRESETS)
def test_a_published_ruleset_fits_exactly(run, name):
    ran = run("fits", name)
    assert (ran.status, ran.out, ran.err) == (0, f"Exactly as {Rules.preset(name).title}.\n", "")


def test_house_rules_differ_in_a_line_each(run, write):
    path = write("house.json", {"base": "bain", "set": {"out_bonus": 50, "draw_count": 3}})
    ran = run("fits", path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines == [
        "The nearest published ruleset is Bain, with 2 differences.",
        "",
        "- When you draw, you take three cards from the stock.",
        "- Going out earns 50 points.",
    ]


def test_contradictions_are_said_beside_the_differences(run, write):
    path = write("house.json", {"base": "standard", "set": {"wild_melds": False, "wild_on_top": "never"}})
    ran = run("fits", path)
    assert (ran.status, ran.err) == (1, "")
    assert "- Wild cards alone are not a meld." in ran.lines
    assert ran.lines[-3:] == ["These rules cannot be played, because they contradict each other:", "", f"- {CLASH}"]


def test_a_contradiction_may_come_from_the_command_line(run):
    assert run("fits", "standard", "--set", "wild_melds=false").status == 1
    assert run("fits", "standard", "--set", "out_bonus=0").status == 0


def test_a_file_of_a_club_is_read(run, write):
    rules = {"name": "solo", "options": Rules.make("solo", {"out_bonus": 50}).write_options()}
    path = write("club.json", {"format": "foothold-house-rules", "name": "Quay rules", "rules": rules})
    assert run("fits", path).lines[-1] == "- Going out earns 50 points."
    assert run("rules", path, "--from", "solo").lines[-1] == "- Going out earns 50 points."


def test_as_json(run, write):
    house = {"base": "bain", "set": {"out_bonus": 50}}
    ran = run("fits", write("house.json", house), "--json")
    data = json.loads(ran.out)
    assert (ran.status, data["nearest"], data["rules"], data["contradictions"]) == (0, "bain", house, [])
    assert [difference["line"] for difference in data["differences"]] == ["Going out earns 50 points."]
    ran = run("fits", "standard", "--set", "wild_melds=false", "--set", "wild_on_top=never", "--json")
    assert (ran.status, json.loads(ran.out)["contradictions"][0]["sentence"]) == (1, CLASH)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"base": "standard", "set": {"frob": 1}}, "Option 'frob' not found."),
        ({"base": "standard", "set": {"draw_count": 0}}, "The option draw_count must be a whole number from 1 to 10."),
        ({"base": "frob"}, "Ruleset 'frob' not found. "),
        ([], "Rules are written as a preset's name"),
    ],
)
def test_what_cannot_be_read_ends_with_2(complaint, write, content, sentence):
    path = write("house.json", content)
    assert complaint("fits", path).startswith(f"{path}: {sentence}")


def test_no_such_file(complaint):
    assert complaint("fits", "frob").startswith("ruleset or file 'frob' not found. ")


# The questions


def test_empty_answers_leave_the_chosen_rules_as_they_are(interview):
    ran = interview(["solo", *[""] * 10])
    assert (ran.status, ran.lines[-1]) == (0, "Exactly as Solo.")
    assert [question.text for question in QUESTIONS if question.text not in " ".join(ran.out.split())] == []


def test_answers_become_rules(interview):
    answers = ["bain", "11 11", "2 60 90", "2 5", "1 1 0", "1", "2 -500", "1", "1", "1 3", "3"]
    ran = interview(answers, "--json")
    data = json.loads(ran.out)
    assert ran.status == 0
    rules = Rules.read(data["rules"])
    settings = {
        "stacks": [11, 11],
        "opening": {"by_deal": [60, 90]},
        "pile_take": 5,
        "contract": {"clean": 1, "dirty": 1, "wild": 0},
        "wild_melds": False,
        "red_threes": "held",
        "black_three_meld": "never",
        "special_books": {},
        "length": {"deals": 3},
        "permission": "none",
    }
    assert {option: rules.write_option(option) for option in settings} == settings


def test_an_answer_says_what_it_changes_and_what_it_contradicts(interview):
    ran = interview(["standard", "", "", "", "", "1", "done"])
    assert ran.status == 1
    assert "   > Wild cards alone are not a meld." in ran.lines
    assert f"   ! {CLASH}" in ran.lines


def test_a_contradiction_is_said_once(interview):
    ran = interview(["standard", "", "", "", "", "1", "2", "3", "done"])
    assert ran.lines.count(f"   ! {CLASH}") == 1


def test_what_is_no_answer_is_asked_again(interview):
    ran = interview(["frob", "solo", "many", "13 13", "done"])
    assert f"Enter one of these names: {', '.join(PRESETS)}."[:40] in ran.out
    assert "Enter this like: 11 11" in ran.lines
    assert ran.status == 0
    assert "The nearest published ruleset is Solo, with 1 difference." in ran.lines


@pytest.mark.parametrize("lines", [["family", "done"], ["family"], ["DONE"], []])
def test_the_questions_may_end_early(interview, lines):
    ran = interview(lines)
    assert ran.status == 0
    assert ran.lines[-1] == f"Exactly as {'Family' if 'family' in lines else 'Standard'}."


def test_changes_of_the_command_line_are_asked_about(interview):
    for base in ("", "bain"):
        ran = interview([base, "done"], "--set", "out_bonus=0")
        assert ran.lines[-1] == "- Going out earns nothing."


def test_with_json_only_the_json_is_on_standard_output(interview):
    ran = interview(["standard", "done"], "--json")
    assert json.loads(ran.out)["nearest"] == "standard"
    assert "Which published rules come nearest to yours?" in ran.err


def test_the_interview_has_80_columns(interview):
    assert max(map(len, interview(["bain", *[""] * 10]).lines)) <= 80
