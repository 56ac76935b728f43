"""The cards of a deal from its key alone: all of the pack, and the same as the game deals."""

import hashlib

import pytest

from engine.errors import BadInput
from engine.play.cards import write_cards
from engine.play.game import dealt_cards, new_game
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS

KEYS = [hashlib.sha256(f"board {number}".encode()).digest() for number in range(6)]
TABLES = [(name, tuple(shape)) for name in PRESETS for shape in Rules.preset(name).shapes]


@pytest.mark.parametrize(("name", "shape"), TABLES)
def test_the_cards_of_a_board_are_the_whole_pack(name, shape):
    rules = Rules.preset(name)
    for deal, key in enumerate(KEYS, 1):
        cards = dealt_cards(rules, key, deal=deal, seats=shape[0], team_size=shape[1])
        assert cards.all_cards == bytes(sorted(rules.pack(shape[0])))


@pytest.mark.parametrize(("name", "shape"), TABLES)
def test_the_cards_of_a_board_are_those_that_the_game_deals(name, shape):
    rules = Rules.preset(name)
    for key in KEYS:
        cards = dealt_cards(rules, key, deal=1, seats=shape[0], team_size=shape[1])
        state = new_game(rules, key, seats=shape[0], team_size=shape[1])
        assert cards.pile == state.pile
        drawn = len(cards.stock) - len(state.stock)  # for red threes that the first player laid at once
        assert cards.stock[drawn:] == state.stock
        assert [seat.knee for seat in cards.seats] == list(state.knees)
        if cards.is_chosen:
            assert [(seat.first, seat.second) for seat in cards.seats] == list(state.stacks)
            continue
        assert [seat.second for seat in cards.seats] == list(state.feet)
        for seat, hand in enumerate(state.hands):
            if seat != cards.starts:
                assert cards.seats[seat].first == hand
        laid = b"".join(state.red_threes)
        starter = cards.seats[cards.starts].first + cards.stock[:drawn]
        assert sorted(starter) == sorted(state.hands[cards.starts] + laid)


def test_players_who_choose_have_their_stacks_in_the_order_dealt():
    cards = dealt_cards(Rules.preset("klassa"), KEYS[0], deal=1, seats=4, team_size=2)
    assert cards.is_chosen
    assert cards.seats[0].first != bytes(sorted(cards.seats[0].first))


def test_the_first_turn_moves_on_from_deal_to_deal():
    rules = Rules.preset("standard")
    starts = [dealt_cards(rules, KEYS[0], deal=deal, seats=4, team_size=2).starts for deal in range(1, 6)]
    assert starts == [0, 1, 2, 3, 0]
    assert new_game(rules, KEYS[0], seats=4, team_size=2).turn == 0


def test_a_table_that_the_rules_do_not_allow_is_refused():
    with pytest.raises(BadInput):
        dealt_cards(Rules.preset("standard"), KEYS[0], deal=1, seats=7, team_size=1)


def test_one_key_is_always_the_same_deal():
    cards = dealt_cards(Rules.preset("knee"), bytes(32), deal=1, seats=4, team_size=2)
    assert (len(cards.seats[0].first), len(cards.seats[0].knee), len(cards.seats[0].second)) == (15, 13, 11)
    assert write_cards(cards.pile) == write_cards(new_game(Rules.preset("knee"), bytes(32)).pile)
