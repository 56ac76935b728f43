"""The ten questions about house rules: each answer sets all options that belong to it."""

import pytest

from engine.errors import BadInput
from engine.play.rule_sheet.questions import QUESTIONS
from engine.play.rules import Rules, every_contradiction
from engine.play.rulesets import PRESETS

ASKED = {question.name: question for question in QUESTIONS}
SPECIAL = {"points": 1500, "needed": 1, "mixed": False}


def changed(name, text, base="standard"):
    """The options that an answer changes, in JSON."""
    rules = Rules.preset(base)
    return ASKED[name].answer(rules, text).changes_from(rules)


def test_ten_questions():
    assert list(ASKED) == [
        *("cards", "open", "pile", "out", "wild", "red_threes", "black_threes", "sevens", "length", "permission")
    ]


@pytest.mark.parametrize(
    ("name", "text", "changes"),
    [
        ("cards", "11 11", {"stacks": [11, 11]}),
        ("cards", "15+13", {"stacks": [15, 13]}),
        ("cards", "15, 13, 11", {"stacks": [15, 13, 11]}),
        ("open", "1", {"opening": "none"}),
        ("open", "2 60 90", {"opening": {"by_deal": [60, 90]}}),
        ("open", "2 50 clean_book", {"opening": {"by_deal": [50, "clean_book"]}}),
        ("open", "3 below:15 0:50 1500:90", {"opening": {"by_score": [[None, 15], [0, 50], [1500, 90]]}}),
        ("pile", "1", {"pile_take": "none", "pile_claim": "none", "wild_on_top": "never"}),
        ("pile", "2 5", {"pile_take": 5}),
        ("pile", "3", {"pile_claim": "naturals"}),
        ("pile", "4 all", {"pile_claim": "new_meld", "pile_take": "all"}),
        ("pile", "5", {"pile_claim": "legal_meld"}),
        ("pile", "6 3", {"pile_claim": "one_match", "pile_take": 3}),
        ("pile", "7", {"pile_claim": "none"}),
        ("out", "3/3", {"contract": {"clean": 3, "dirty": 3, "wild": 0}}),
        ("out", "1 1 1", {"contract": {"clean": 1, "dirty": 1, "wild": 1}}),
        ("wild", "1", {"wild_melds": False, "wild_on_top": "never"}),
        ("wild", "2 1 2 3 3 3", {"wild_limits": [1, 2, 3, 3, 3]}),
        ("red_threes", "1 100 -500", {"red_three": {"laid": 100, "held": -500}}),
        ("red_threes", "2", {"red_threes": "held"}),
        ("red_threes", "2 -300", {"red_threes": "held", "red_three": {"laid": 100, "held": -300}}),
        ("black_threes", "2", {"black_three_meld": "going_out"}),
        ("black_threes", "3", {"black_three_meld": "always"}),
        ("sevens", "1", {}),
        ("sevens", "2", {"special_books": {"7": SPECIAL}}),
        ("sevens", "2 5000", {"special_books": {"7": SPECIAL | {"points": 5000}}}),
        ("sevens", "3 900 0", {"kept_ranks": ["7"], "special_books": {"7": SPECIAL | {"points": 900, "needed": 0}}}),
        ("sevens", "4", {"kept_ranks": ["7"], "kept_until": "own_sevens", "special_books": {"7": SPECIAL}}),
        ("sevens", "5", {"kept_ranks": ["7"], "kept_until": "every_sevens", "special_books": {"7": SPECIAL}}),
        ("length", "1 3", {"length": {"deals": 3}}),
        ("length", "2 8500", {"length": {"target": 8500}}),
        ("permission", "1", {}),
        ("permission", "2", {"permission": "optional"}),
        ("permission", "3", {"permission": "none"}),
    ],
)
def test_an_answer_to_standard(name, text, changes):
    assert changed(name, text) == changes


@pytest.mark.parametrize(
    ("base", "name", "text", "changes"),
    [
        ("family", "pile", "2", {"pile_claim": "natural_pair", "pile_take": "all"}),
        ("family", "wild", "1", {"wild_melds": False, "wild_unfinished": 0}),
        ("solo", "out", "1 1 1", {"wild_melds": True, "contract": {"clean": 1, "dirty": 1, "wild": 1}}),
        ("denexa", "cards", "11 11 11", {"stacks": [11, 11, 11], "pass_stack": "none", "hand_choice": "dealt"}),
        ("bain", "red_threes", "2", {"red_threes": "held", "red_three_sevens": False, "contract_red_threes": "none"}),
        ("denexa", "red_threes", "2", {"red_threes": "held", "last_red_three_ends": False}),
        ("pennies", "red_threes", "2", {"red_threes": "held", "red_three_all": None, "red_three_sevens": False}),
        (
            "bain",
            "sevens",
            "1",
            {"special_books": {}, "kept_ranks": [], "pure_ranks": [], "garbage": False, "red_three_sevens": False},
        ),
        ("pennies", "sevens", "2", {"kept_ranks": [], "kept_until": "never"}),
        ("pennies", "sevens", "3", {"kept_until": "never"}),
        ("bain", "sevens", "2 2000", {"kept_ranks": [], "special_books": {"7": SPECIAL | {"points": 2000}}}),
        ("bain", "pile", "4", {"pile_claim": "new_meld", "pile_to_meld": "never"}),
    ],
)
def test_an_answer_sets_what_would_contradict_it(base, name, text, changes):
    assert changed(name, text, base) == changes
    assert every_contradiction(ASKED[name].answer(Rules.preset(base), text)) == []


def test_red_threes_that_were_melded_are_not_where_they_are_laid_or_black_ones_are_not_melded():
    melded = {"red_threes": "held", "black_three_meld": "always", "red_three_meld": True}
    rules = Rules.make("standard", melded)
    assert ASKED["red_threes"].answer(rules, "1").changes_from(rules) == {"red_threes": "laid", "red_three_meld": False}
    for number, word in (("1", "never"), ("2", "going_out")):
        answered = ASKED["black_threes"].answer(rules, number)
        assert answered.changes_from(rules) == {"black_three_meld": word, "red_three_meld": False}


def test_sevens_leave_other_ranks_alone():
    books = {"5": {"points": 3000, "needed": 0, "mixed": True}}
    rules = Rules.make("standard", {"kept_ranks": ["5"], "pure_ranks": ["5"], "special_books": books})
    apart = ASKED["sevens"].answer(rules, "3")
    assert apart.write_option("special_books") == books | {"7": SPECIAL}
    assert apart.write_option("kept_ranks") == ["5", "7"]
    ordinary = ASKED["sevens"].answer(apart, "1")
    assert ordinary == rules


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_every_example_is_an_answer_and_shows_in_the_sheet(question):
    for number, choice in enumerate(question.choices, start=1):
        text = f"{number if len(question.choices) > 1 else ''} {choice.example}"
        for name in PRESETS:
            question.answer(Rules.preset(name), text)
    assert question.state(Rules.preset("standard"))


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("cards", "eleven", "Enter this like: 11 11"),
        ("cards", "", "Enter this like: 11 11"),
        ("open", "", "Enter a number from 1 to 3."),
        ("open", "4", "Enter a number from 1 to 3."),
        ("open", "0", "Enter a number from 1 to 3."),
        ("open", "1 50", "Enter this like: 1"),
        ("open", "2", "Enter this like: 2 50 90 120 150"),
        ("open", "3 50", "Enter this like: 3 below:15 0:50 5000:90"),
        ("pile", "2 some", "Enter this like: 2 7"),
        ("pile", "2 5 5", "Enter this like: 2 7"),
        ("out", "2 2 1 1", "Enter this like: 2 2 1"),
        ("red_threes", "1 100", "Enter this like: 1 100 -100"),
        ("red_threes", "2 1 2", "Enter this like: 2 -500"),
        ("sevens", "2 1500 1 1", "Enter this like: 2 1500 1"),
        ("length", "1 4 4", "Enter this like: 1 4"),
        ("cards", "0 11", "The option stacks must hold a whole number from 1 to 40."),
        ("length", "1 101", "The option length must have as deals a whole number from 1 to 100."),
    ],
)
def test_what_is_no_answer_is_refused_with_a_sentence(name, text, sentence):
    with pytest.raises(BadInput) as caught:
        ASKED[name].answer(Rules.preset("standard"), text)
    assert caught.value.sentence.startswith(sentence)


def test_an_answer_may_contradict_others():
    rules = ASKED["out"].answer(Rules.preset("standard"), "1 1 1")
    answered = ASKED["wild"].answer(rules, "1")
    assert [clash.options for clash in every_contradiction(answered)] == [("contract", "wild_melds")]
