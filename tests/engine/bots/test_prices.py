"""Prices of a position's features: fitted for each published table, usual ones elsewhere."""

from __future__ import annotations

import random

import numpy as np
import pytest

from benchmarks.prices import NAMES, Rows, fit, joined, miss, rows_of, vector_of
from engine.bots.features import FEATURES, features
from engine.bots.prices import TEMPO, USUAL, prices_of, usual_prices
from engine.play.game import new_game
from engine.play.options import Shape
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS

CLEAN_5 = FEATURES.index("clean 5")


def test_each_feature_has_a_usual_price():
    assert set(USUAL) == {*FEATURES, TEMPO}
    assert len(features(new_game(Rules.preset("standard"), bytes(32)), 0)) == len(FEATURES)


@pytest.mark.parametrize("name", PRESETS)
def test_every_table_of_a_published_ruleset_has_prices_of_its_own(name):
    rules = Rules.preset(name)
    usual = [price.start for price in usual_prices(rules).values()]
    for shape in rules.shapes:
        prices = prices_of(rules, *shape)
        assert len(prices.start) == len(prices.end) == len(NAMES)
        assert list(prices.start) != usual


def test_house_rules_have_the_prices_of_their_base_in_proportion_to_the_books():
    dear = Rules.make("standard", {"book_bonus": {"clean": 1000, "dirty": 300, "wild": 1500}})
    published, changed = prices_of(Rules.preset("standard"), 4, 2), prices_of(dear, 4, 2)
    assert changed.start[CLEAN_5] == pytest.approx(2 * published.start[CLEAN_5])
    assert changed.start[0] == published.start[0]


def test_a_table_that_no_ruleset_names_has_the_usual_prices():
    rules = Rules.make("denexa", {"shapes": [[4, 1]]})
    assert prices_of(rules, 4, 1).start == tuple(price.start for price in usual_prices(rules).values())


def test_prices_go_from_those_of_the_start_to_those_of_the_end():
    prices = prices_of(Rules.preset("standard"), 4, 2)
    assert prices.at(1.0) == pytest.approx(prices.start)
    assert prices.at(0.0) == pytest.approx(prices.end)


def test_the_fit_comes_upon_the_prices_by_which_leads_were_made():
    rng = np.random.default_rng(1)
    prices = rng.normal(size=2 * len(NAMES))
    compared = rng.normal(size=(50_000, 2 * len(NAMES)))
    fitted = fit(Rows(compared, compared @ prices), np.zeros(2 * len(NAMES)))
    assert fitted == pytest.approx(prices, abs=0.1)


def test_fitted_prices_foresee_other_deals_better_than_the_usual_ones():
    rules, rng = Rules.preset("solo"), random.Random(5)
    rows = joined([rows_of(rules, Shape(4, 1), rng.randbytes(32)) for _ in range(20)])
    fitted = prices_of(rules, 4, 1)
    assert miss(rows, np.array(fitted.start + fitted.end)) < miss(rows, vector_of(usual_prices(rules)))
