"""The editor of house rules against the engine's options."""

import pytest
from django.http import QueryDict

from engine.play.rules import KINDS_OF_OPTION, Rules
from engine.play.rulesets import TITLES
from gameplay.house_rules.editor import edit
from gameplay.house_rules.option_text import GROUPS, OPTIONS


def as_sent(editor, base):
    """The fields that a browser sends of the untouched editor."""
    data = QueryDict(mutable=True)
    data["base"] = base
    for group in editor.groups:
        for option in group.options:
            for part in option.parts:
                data.setlist(part.name, ["", *part.chosen] if part.control == "checks" else [part.value])
    return data


def test_every_option_stands_in_the_editor_once():
    assert sorted(name for _, names in GROUPS for name in names) == sorted(KINDS_OF_OPTION)
    assert sorted(OPTIONS) == sorted(KINDS_OF_OPTION)


@pytest.mark.parametrize("preset", TITLES)
def test_what_is_not_touched_stays_as_published(preset):
    data = as_sent(edit(preset), preset)
    for other in TITLES:
        editor = edit(other, data)
        assert editor.rules == Rules.preset(other)
        assert editor.changed == 0


@pytest.mark.parametrize(
    ("typed", "changes"),
    [
        ({"rule-decks.number": "6", "rule-decks.plus": "fixed"}, {"decks": 6}),
        ({"rule-pile_take.how": "all"}, {"pile_take": "all"}),
        ({"rule-opening.how": "none"}, {"opening": "none"}),
        (
            {"rule-opening.how": "by_score", "rule-opening.steps": "below: 15, 0: 50, 1500: 90"},
            {"opening": {"by_score": [[None, 15], [0, 50], [1500, 90]]}},
        ),
        ({"rule-values.X": "100"}, {"values": {"X": 100}}),
        ({"rule-red_three_all": "1,000"}, {"red_three_all": 1000}),
        ({"rule-penalties.how": "points", "rule-penalties.wrong_claim": "−50"}, None),
        ({"rule-shapes": "4x2, 8×4"}, {"shapes": [[4, 2], [8, 4]]}),
        ({"rule-special_books": "7: 1500"}, {"special_books": {"7": {"points": 1500}}}),
        (
            {"rule-special_books": "7: 1500/1, 5: 3000/0/mixed"},
            {"special_books": {"7": {"points": 1500, "needed": 1}, "5": {"points": 3000, "mixed": True}}},
        ),
        ({"rule-stacks.hand": "11"}, {"stacks": [11, 13]}),
        ({"rule-stacks.knee": "9"}, {"stacks": [13, 9, 13]}),
        ({"rule-stacks.deals": "11+11, 13+11"}, {"stacks": {"by_deal": [[11, 11], [13, 11]]}}),
        ({"rule-draw_count.deals": "3, 3, 4, 5"}, {"draw_count": {"by_deal": [3, 3, 4, 5]}}),
        ({"rule-pile_take.deals": "3, the whole pile"}, {"pile_take": {"by_deal": [3, "all"]}}),
        ({"rule-pass_stack.deals": "right, none"}, {"pass_stack": {"by_deal": ["right", "none"]}}),
        (
            {"rule-contract.deals": "0/0/0, 1/1/0"},
            {"contract": {"by_deal": [{"clean": 0, "dirty": 0, "wild": 0}, {"clean": 1, "dirty": 1, "wild": 0}]}},
        ),
        (
            {"rule-lift.by": "dealer", "rule-lift.within": "0: 100, 2: 50"},
            {"lift": {"by": "dealer", "within": [[0, 100], [2, 50]]}},
        ),
        ({"rule-books_grow.clean": "keeps"}, {"books_grow": {"clean": "keeps"}}),
        (
            {"rule-red_three_sets.size": "7", "rule-red_three_sets.points": "900"},
            {"red_three_sets": {"size": 7, "points": 900}},
        ),
        ({"rule-final_turns": "always"}, {"final_turns": "always"}),
        ({"rule-upcard": "3"}, {"upcard": 3}),
        ({"rule-opening.steps": "50, clean_book"}, {"opening": {"by_deal": [50, "clean_book"]}}),
        (
            {"rule-decks.plus": "by_seats", "rule-decks.table": "2: 4, 4: 5, 3: 5, 5: 6, 6: 8"},
            {"decks": {"by_seats": {"2": 4, "3": 5, "4": 5, "5": 6, "6": 8}}},
        ),
        ({"rule-wild_limits.7": "3"}, {"wild_limits": [1, 1, 1, 2, 3]}),
        ({"rule-upcard_bury": ""}, {"upcard_bury": []}),
    ],
)
def test_what_is_typed_becomes_an_option(typed, changes):
    data = QueryDict(mutable=True)
    data.update({"base": "standard", **typed})
    if changes is None:
        changes = {"penalties": {"out_refused": 0, "asked_not_out": 0, "wrong_claim": -50}}
    assert edit("standard", data).rules == Rules.make("standard", changes)


@pytest.mark.parametrize(
    ("preset", "typed", "answer", "companions"),
    [
        ("denexa", {"rule-red_threes": "held"}, {"red_threes": "held"}, {"last_red_three_ends": False}),
        (
            "denexa",
            {"rule-stacks.knee": "11"},
            {"stacks": [11, 11, 11]},
            {"pass_stack": "none", "hand_choice": "dealt"},
        ),
        ("bain", {"rule-pile_claim": "new_meld"}, {"pile_claim": "new_meld"}, {"pile_to_meld": "never"}),
        ("family", {"rule-wild_melds": "no"}, {"wild_melds": False}, {"wild_unfinished": 0}),
        ("solo", {"rule-contract.wild": "1"}, {"contract": {"wild": 1}}, {"wild_melds": True}),
    ],
)
def test_an_answer_sets_what_would_contradict_it(preset, typed, answer, companions):
    data = QueryDict(mutable=True)
    data.update({"base": preset, **typed})
    editor = edit(preset, data)
    assert editor.rules == Rules.make(preset, answer | companions)
    assert editor.changed == 1 + len(companions)


def test_answers_typed_against_each_other_are_refused():
    data = QueryDict(mutable=True)
    data.update({"base": "bain", "rule-wild_melds": "no", "rule-contract.wild": "2"})
    sentence = "The contract asks for a wild book, but melds of wild cards are not allowed."
    assert edit("bain", data).sentences == [sentence]


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("rule-stacks.hand", "", "Cards in each stack must be a whole number from 1 to 40."),
        ("rule-stacks.foot", "9" * 5000, "Cards in each stack must be a whole number from 1 to 40."),
        ("rule-draw_count.deals", "two", "Cards drawn from the stock must be written like 2, 3, 3."),
        ("rule-special_books", "seven", "Books that count separately must be written like 7: 1500/1, 5: 3000/0/mixed."),
        ("rule-stock_out", "nonsense", "When the stock runs out must be one of play_on, end, reshuffle."),
        ("rule-shapes", "many", "Tables must be written like 4×2, 6×3 (seats × players in a team)."),
        ("rule-opening.steps", "fifty", "Opening minimum must be written like 50, 90, 120, 150."),
    ],
)
def test_what_cannot_be_read_is_named_beside_its_option(field, typed, sentence):
    data = QueryDict(mutable=True)
    data.update({"base": "standard", field: typed})
    editor = edit("standard", data)
    assert editor.rules is None
    assert [o.error for group in editor.groups for o in group.options if o.error] == [sentence]
