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
        ({"rule-book_bonus.sevens": "1500"}, {"book_bonus": {"sevens": 1500}}),
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
    ("field", "typed", "sentence"),
    [
        ("rule-hand_cards", "", "Cards in the hand must be a whole number from 1 to 40."),
        ("rule-hand_cards", "9" * 5000, "Cards in the hand must be a whole number from 1 to 40."),
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
