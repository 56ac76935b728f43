"""The published ruleset that rules are nearest to, what differs, and what contradicts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput, BadRules
from engine.play.rule_sheet.nearest import find_nearest, fit_rules, fit_to_json, state_differences
from engine.play.rule_sheet.sheet import compare_sheets, state_options
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from tests.engine.strategies import OPTION_VALUES
from tests.tries import tries

STANDARD = Rules.preset("standard")
CLASH = "The contract asks for a wild book, but melds of wild cards are not allowed."
UNPLAYABLE = {"wild_melds": False, "wild_on_top": "never"}


def lines(rules):
    return [difference.line for difference in fit_rules(rules).differences]


@pytest.mark.parametrize("name", PRESETS)
def test_a_published_ruleset_is_nearest_to_itself(name):
    fit = fit_rules(Rules.preset(name))
    assert (fit.nearest.name, fit.differences, fit.contradictions) == (name, (), ())
    assert fit.summary == f"Exactly as {fit.nearest.title}."


@pytest.mark.parametrize("name", PRESETS)
def test_the_nearest_ruleset_has_the_fewest_other_options_whatever_the_rules_started_from(name):
    changed = Rules.make(name, {"draw_count": 9})
    unnamed = Rules.read({"name": "Grandma’s", "options": changed.write_options()})
    from_standard = Rules.make("standard", changed.changes_from(STANDARD))
    assert [find_nearest(rules).name for rules in (changed, unnamed, from_standard)] == [name] * 3


def test_of_equally_near_rulesets_it_is_the_start_or_the_first():
    halfway = {"shapes": [[4, 2], [6, 3]]}
    assert [
        len(Rules.make("standard", halfway).differences(Rules.preset(name))) for name in ("standard", "saskatchewan")
    ] == [1, 1]
    assert find_nearest(Rules.make("standard", halfway)).name == "standard"
    started = Rules.make("saskatchewan", {"contract": {"clean": 2, "dirty": 2, "wild": 1}})
    assert find_nearest(started).name == "saskatchewan"
    unnamed = Rules.read({"name": "", "options": started.write_options()})
    assert find_nearest(unnamed).name == "standard"


def test_each_difference_is_a_line():
    fit = fit_rules(Rules.make("standard", {"draw_count": 3, "out_bonus": 200}))
    assert [difference.line for difference in fit.differences] == [
        "When you draw, you take three cards from the stock.",
        "Going out earns 200 points.",
    ]
    assert [difference.was for difference in fit.differences] == [
        "When you draw, you take two cards from the stock.",
        "Going out earns 100 points.",
    ]
    assert fit.summary == "The nearest published ruleset is Standard, with 2 differences."


def test_one_difference_is_said_in_the_singular():
    fit = fit_rules(Rules.make("standard", {"out_bonus": 200}))
    assert fit.summary == "The nearest published ruleset is Standard, with 1 difference."


def test_sentences_that_only_follow_from_a_difference_are_left_out():
    rules = Rules.make("standard", {"draw_count": 3})
    followed = [difference for difference in compare_sheets(STANDARD, rules) if not difference.stated]
    assert [difference.options for difference in followed] == [("draw_count",)]
    assert [difference.stated for difference in state_differences(STANDARD, rules)] == [("draw_count",)]


def test_a_sentence_that_no_longer_holds_is_a_line_too():
    rules = Rules.make("standard", {"pile_take": "none"}, is_draft=True)
    gone = [difference for difference in compare_sheets(STANDARD, rules) if not difference.now]
    assert gone[0].line == f"Not: {gone[0].was}"


def test_both_sheets_speak_of_a_team_in_the_same_words():
    solo = Rules.preset("solo")
    changed = Rules.make("solo", {"book_lock": "none", "opening": "none"})
    assert compare_sheets(solo, changed)[0].options == ("opening",)
    alone = Rules.make("standard", {"shapes": [[4, 1]]})
    assert {option for difference in compare_sheets(STANDARD, alone) for option in difference.options} == {"shapes"}


def test_rules_that_contradict_each_other_are_compared_all_the_same():
    fit = fit_rules(Rules.make("standard", UNPLAYABLE | {"draw_count": 3}, is_draft=True))
    assert [(clash.options, clash.text) for clash in fit.contradictions] == [(("contract", "wild_melds"), CLASH)]
    assert "When you draw, you take three cards from the stock." in lines(fit.rules)


@pytest.mark.parametrize("written", [{"base": "standard", "set": UNPLAYABLE}, {"options": UNPLAYABLE}])
def test_only_a_draft_may_contradict_itself(written):
    assert Rules.read(written, is_draft=True).write_option("wild_melds") is False
    with pytest.raises(BadRules) as caught:
        Rules.read(written)
    assert caught.value.sentences == [CLASH]


def test_a_draft_of_options_that_cannot_be_read_is_refused():
    for changes in ({"draw_count": 0}, {"frob": 1}):
        with pytest.raises(BadRules):
            Rules.make("standard", changes, is_draft=True)
    with pytest.raises(BadInput):
        Rules.make("frob", {}, is_draft=True)


def test_as_json_the_comparison_can_be_read_back():
    rules = Rules.make("bain", {"book_bonus": {"clean": 600}, "special_books": {"7": {"points": 1500, "needed": 1}}})
    data = fit_to_json(fit_rules(rules))
    assert Rules.read(data["rules"]) == rules
    assert data["rules"]["set"] == {
        "book_bonus": {"clean": 600, "dirty": 300, "wild": 1000},
        "special_books": {"7": {"points": 1500, "needed": 1, "mixed": False}},
    }
    assert (data["nearest"], data["title"]) == ("bain", "Bain")
    (difference,) = data["differences"]
    assert difference["options"] == ["book_bonus"]
    assert difference["line"] == difference["now"] != difference["was"]
    assert data["contradictions"] == []
    draft = fit_to_json(fit_rules(Rules.make("standard", UNPLAYABLE, is_draft=True)))
    assert draft["contradictions"] == [{"options": ["contract", "wild_melds"], "sentence": CLASH}]


def test_the_sentences_that_state_options():
    assert state_options(STANDARD, ("out_bonus", "draw_count")) == [
        "When you draw, you take two cards from the stock.",
        "Going out earns 100 points.",
    ]


@given(st.sampled_from(list(PRESETS)), st.fixed_dictionaries({}, optional=OPTION_VALUES))
@tries(100)
def test_any_rules_are_compared(base, changes):
    try:
        draft = Rules.make(base, changes, is_draft=True)
    except BadRules:
        return
    fit = fit_rules(draft)
    assert Rules.make(fit.nearest, draft.changes_from(fit.nearest), is_draft=True) == draft
    assert bool(fit.differences) is bool(compare_sheets(fit.nearest, draft))
    sentences = [clash.text for clash in fit.contradictions]
    if sentences:
        with pytest.raises(BadRules) as caught:
            Rules.make(base, changes)
        assert caught.value.sentences == sentences
    else:
        assert Rules.make(base, changes) == draft
