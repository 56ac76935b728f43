import json

import pytest

from engine.cli.rules import summary
from engine.play.rule_sheet.sheet import sheet_to_json, write_differences, write_sheet
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS


def test_the_list_is_a_line_a_ruleset(run):
    ran = run("rules")
    assert (ran.status, ran.err) == (0, "")
    assert [line.split()[0] for line in ran.lines] == list(PRESETS)
    assert max(map(len, ran.lines)) <= 80


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("standard", "2-6 players; 13+13 cards; 2 clean 2 dirty 1 wild; 4 deals"),
        ("family", "4 or 6 players; 11+11 cards; 2 clean 2 dirty; 1 deal"),
        ("solo", "2-6 players, each alone; 11+11 cards; 1 clean 1 dirty; 4 deals"),
        ("fives", "4 players; 11+15 cards; 5 books of 5 kinds; 4 deals"),
        ("knee", "3-4 or 6 players; 15+13+11 cards; 2 clean 2 dirty 1 wild; 4 deals"),
        ("pennies", "6 players; 13+11 cards; 1 clean 1 dirty 1 wild 1 sevens; to 20000"),
    ],
)
def test_a_ruleset_in_a_line(name, line):
    assert summary(Rules.preset(name)) == line


def test_the_list_as_json(run):
    rulesets = json.loads(run("rules", "--json").out)
    assert [ruleset["name"] for ruleset in rulesets] == list(PRESETS)
    assert rulesets[1] == {
        "name": "denexa",
        "title": "Denexa",
        "summary": "4 players; 11+11 cards; 2 clean 2 dirty 1 wild; 4 deals",
        "shapes": [[4, 2]],
    }


@pytest.mark.parametrize("name", PRESETS)
def test_the_sheet_of_80_columns(run, name):
    ran = run("rules", name)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == write_sheet(Rules.preset(name), width=80).rstrip("\n") + "\n"
    assert max(map(len, ran.lines)) <= 80


def test_the_sheet_for_one_table(run):
    rules = Rules.preset("standard")
    ran = run("rules", "standard", "--seats", "6", "--team-size", "1")
    assert ran.out == write_sheet(rules, rules.shape(6, 1), 80).rstrip("\n") + "\n"


def test_the_sheet_as_json(run):
    assert json.loads(run("rules", "bain", "--json").out) == sheet_to_json(Rules.preset("bain"))


def test_options_read_back(run, write):
    ran = run("rules", "denexa", "--set", "pile_take=3", "--set", "stock_out=end", "--options")
    rules = Rules.make("denexa", {"pile_take": 3, "stock_out": "end"})
    assert Rules.read(json.loads(ran.out)) == rules
    assert run("rules", write("house.json", ran.out)).out == write_sheet(rules, width=80).rstrip("\n") + "\n"


def test_house_rules_from_a_file(run, write):
    path = write("house.json", {"base": "solo", "set": {"out_bonus": 50}})
    rules = Rules.make("solo", {"out_bonus": 50})
    assert run("rules", path, "--from", "solo").out.rstrip("\n") == write_differences(
        rules, Rules.preset("solo"), 80
    ).rstrip("\n")


def test_differences_as_json(run):
    differences = json.loads(run("rules", "saskatchewan", "--from", "standard", "--json").out)
    assert differences["options"] == ["shapes", "contract"]
    assert {option for sentence in differences["sentences"] for option in sentence["options"]} <= {"shapes", "contract"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["frob"], "ruleset or file 'frob' not found. The rulesets are standard, denexa, "),
        (["standard", "--from", "frob"], "ruleset or file 'frob' not found. "),
        (["standard", "--set", "frob=1"], "Option 'frob' not found."),
        (["standard", "--set", "pile_take"], "argument --set: 'pile_take' is not OPTION=JSON. See "),
        (["standard", "--set", "pile_take=[1"], "argument --set: the value of 'pile_take': it is cut short"),
        (["standard", "--set", "pile_take=many"], "The option pile_take must be "),
        (["standard", "--set", "wild_melds=false"], "The contract asks for a wild book, but melds of wild cards "),
        (["standard", "--seats", "9"], "Standard does not allow a table of 9. Allowed: "),
        (["standard", "--seats", "0"], "argument --seats: '0' is not a whole number above 0. See "),
        (["standard", "--seats", "four"], "argument --seats: 'four' is not a whole number above 0. See "),
        (["--seats", "4"], "enter the ruleset for these options."),
    ],
)
def test_what_cannot_be(complaint, words, sentence):
    assert complaint("rules", *words).startswith(sentence)


def test_a_file_that_holds_no_rules(complaint, write):
    path = write("house.json", {"base": "solo", "set": {"frob": 1}})
    assert complaint("rules", path) == f"{path}: Option 'frob' not found."
