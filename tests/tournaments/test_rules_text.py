"""The rules of an event within a sentence."""

from engine.play.rules import Rules
from tests.makers import make_event
from tournaments.rules_text import rules_phrase


def test_changed_rules_are_not_called_rules_twice(olga):
    published = make_event(olga, rules_json=Rules.make("standard").write())
    changed = make_event(olga, rules_json=Rules.make("standard", {"length": {"deals": 2}}).write())
    assert rules_phrase(published) == "Standard rules"
    assert rules_phrase(changed) == "Standard rules, two deals"
    house = make_event(olga, rules_json=Rules.make("standard", {"draw_count": 3}).write())
    assert rules_phrase(house) == "Standard with house rules"
