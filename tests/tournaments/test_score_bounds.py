"""Scores that a match by some rules can have."""

import pytest

from engine.play.cards import RANKS
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from tournaments import score_bounds
from tournaments.models import Pairing
from tournaments.plan import standard
from tournaments.services.matches import typed_scores

NOTHING_LEFT = {"values": dict.fromkeys(RANKS, 0), "red_three": {"laid": 100, "held": 0}, "opening": {"by_deal": [0]}}


def test_what_is_left_over_bounds_a_score_from_below():
    assert score_bounds.least(Rules.preset("standard"), 4) == -15_800
    assert score_bounds.least(Rules.make("standard", {"length": {"deals": 1}}), 4) == -3_950


@pytest.mark.parametrize("name", ["bain", "denexa"])
def test_nothing_bounds_a_match_to_a_target_or_one_with_penalties(name):
    assert score_bounds.least(Rules.preset(name), 4) is None


def test_the_bounds_of_every_ruleset_are_on_both_sides_of_nothing():
    for name in PRESETS:
        rules = Rules.preset(name)
        least = score_bounds.least(rules, rules.shapes[0].seats)
        assert least is None or least <= 0 < score_bounds.usual(rules, 4) <= score_bounds.most(rules, 4)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "score", "sentence", "instead"),
    [
        ({}, -500, None, None),
        ({}, -15_805, "−15,805 is less than 4 deals can make.", -1580),
        (NOTHING_LEFT, -500, "−500 is not possible: these rules have no negative scores.", 500),
    ],
)
def test_a_negative_score_is_doubted_where_it_is_impossible(make, options, score, sentence, instead):
    rules = Rules.make("standard", options)
    event = make(4, standard("swiss_pods", seats=4, rounds=1), rules_json=rules.write())
    pairing = Pairing.objects.get(round__stage__tournament=event)
    doubts = typed_scores.doubts(pairing, [score, None, None, None])
    assert [(doubt.sentence, doubt.instead) for doubt in doubts] == ([] if sentence is None else [(sentence, instead)])
