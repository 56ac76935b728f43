"""Knowledge from a view: unseen cards, chances of the next player, worth of the pile."""

from __future__ import annotations

import pytest

from engine.bots.knowledge import (
    PLAIN,
    Follower,
    Sight,
    chance_of,
    pile_worth,
    table_points,
    threatens_out,
    unseen_by_rank,
)
from engine.bots.melding import next_meld
from engine.play.cards import parse_cards
from engine.play.moves import write_move
from engine.play.position import read_position
from engine.play.rules import Rules
from engine.play.view import view
from tests.engine.bots.test_club_habits import CONTRACT_DONE, FOOT, STOCK

KING, NINE, EIGHT = 11, 7, 6


def sight(habits=PLAIN, **keys):
    state = read_position({"rules": "standard", "feet": [FOOT] * 4, "stock": STOCK} | keys)
    return Sight(view(state, state.actor).position, None, habits)


def test_unseen_cards_are_the_pack_less_hand_table_and_the_whole_pile():
    knowledge = sight(hands={"0": "Kc Kd 2c"}, melds={"1": ["K: Kc Kd Kh 2c"]}, pile="9c Ks Kh", red_threes={"0": "3d"})
    unseen = unseen_by_rank(knowledge.state, 0)
    assert unseen[KING] == 20 - 7
    assert unseen[0] == 20 - 2
    assert unseen[1] == 20 - 1
    assert unseen[13] == 10


def test_the_chance_of_a_pair_grows_with_what_a_hand_should_hold():
    assert chance_of(2, 0.0) == 0.0
    assert chance_of(1, 1.0) == pytest.approx(0.632, abs=1e-3)
    assert chance_of(2, 1.0) < chance_of(1, 1.0) < chance_of(1, 2.0) < 1


def danger(rank, **keys):
    knowledge = sight(**keys)
    return Follower(knowledge, unseen_by_rank(knowledge.state, knowledge.seat)).danger(rank)


HANDS = {"hands": {"1": FOOT}}


def test_a_rank_of_which_the_next_team_has_five_is_safer_than_one_of_which_it_has_four():
    five = danger(NINE, melds={"1": ["9: 9c 9d 9h 9s 9c"]}, **HANDS)
    four = danger(NINE, melds={"1": ["9: 9c 9d 9h 9s"]}, **HANDS)
    assert five < four / 3


def test_a_card_for_the_next_teams_meld_is_certain_to_be_taken_where_that_takes_the_pile():
    melds = {"1": ["9: 9c 9d 9h"]}
    assert danger(NINE, rules="bain", melds=melds) == 1.0
    assert danger(NINE, rules="bain", melds=melds, frozen=True) < 0.5
    assert danger(EIGHT, rules="bain", melds=melds) < 0.5


def test_nothing_is_dangerous_where_the_pile_is_never_taken():
    assert danger(NINE, rules="family", pile="9c", **HANDS) == 0.0


def test_a_team_that_has_not_opened_is_feared_less():
    assert danger(NINE, opened={"1": False}, **HANDS) < danger(NINE, opened={"1": True}, **HANDS)


def test_the_worth_of_a_pile_counts_what_is_taken_and_no_black_threes():
    standard, bain = Rules.preset("standard"), Rules.preset("bain")
    assert pile_worth(standard, parse_cards("9c 4c 3c")) == pile_worth(standard, parse_cards("9c 4c"))
    assert pile_worth(standard, parse_cards("9c 2c")) > pile_worth(standard, parse_cards("9c 4c"))
    assert pile_worth(standard, parse_cards("9c " * 20)) == pile_worth(standard, parse_cards("9c " * 7))
    assert pile_worth(bain, parse_cards("9c " * 20)) > pile_worth(bain, parse_cards("9c " * 7))
    assert pile_worth(Rules.preset("family"), parse_cards("9c 9d")) == 0


def test_a_team_threatens_to_go_out_from_the_foot_with_at_most_one_book_missing():
    keys = {"melds": {"1": CONTRACT_DONE[:4]}}
    assert threatens_out(sight(feet=[FOOT, None, FOOT, FOOT], **keys).state, 1)
    assert not threatens_out(sight(feet=[FOOT] * 4, **keys).state, 1)
    assert not threatens_out(sight(feet=[FOOT, None, FOOT, FOOT], melds={"1": CONTRACT_DONE[:3]}).state, 1)


def test_table_points_leave_hands_out():
    assert table_points(sight(melds={"0": CONTRACT_DONE[:1]}, red_threes={"0": "3d"}).state, 0) == 500 + 70 + 100


HELD = {"melds": {"0": ["K: Kc Kd Kh"]}, "hands": {"0": "Kc Ks 4c 5d 6h 8s 9d Td"}}


def test_a_pair_is_kept_to_claim_the_pile_while_there_is_time():
    assert next_meld(sight(**HELD, stock=STOCK * 2)) is None
    assert write_move(next_meld(sight(**HELD, stock=STOCK))) == "meld Kc Ks"
    assert write_move(next_meld(sight(**HELD, stock=STOCK * 2, habits=PLAIN._replace(hoard_hand=99.0)))) == "meld Kc Ks"


def test_a_player_alone_keeps_pairs_longer_as_no_partner_waits_for_the_foot():
    alone = {"seats": 2, "team_size": 1, "feet": [FOOT, FOOT]}
    assert next_meld(sight(**HELD, **alone, stock=STOCK)) is None
    assert write_move(next_meld(sight(**HELD, **alone, stock=STOCK[:99]))) == "meld Kc Ks"


def test_a_foot_player_whose_contract_is_met_keeps_nothing_once_the_partner_has_played_from_the_foot():
    melds = {"0": [*CONTRACT_DONE, "K: Kc Kd Kh"]}
    keys = {"melds": melds, "hands": HELD["hands"], "stock": STOCK}
    assert sight(**keys, feet=[None, FOOT, None, FOOT]).races()
    assert not sight(**keys, feet=[None, FOOT, FOOT, FOOT]).races()


def test_the_hand_is_emptied_at_a_price_when_the_stock_is_short():
    assert sight(**HELD, stock=STOCK[:120]).hurries()
    assert not sight(**HELD, stock=STOCK).hurries()


def test_nothing_is_kept_where_the_pile_is_never_taken_or_a_team_could_go_out():
    assert write_move(next_meld(sight(rules="family", **HELD))) == "meld Kc Ks"
    melds = {"0": ["K: Kc Kd Kh"], "1": CONTRACT_DONE}
    keys = {"hands": HELD["hands"], "melds": melds, "feet": [FOOT, None, FOOT, FOOT]}
    assert write_move(next_meld(sight(**keys))) == "meld Kc Ks"


def test_cards_that_would_fill_a_book_are_not_kept_where_books_do_not_grow():
    melds = {"0": ["K: Kc Kd Kh Ks Kc"]}
    keys = {"melds": melds, "hands": HELD["hands"]}
    assert write_move(next_meld(sight(**keys))) == "meld Kc Ks"


def test_a_hand_that_can_be_laid_whole_is_laid_for_the_foot():
    melds = {"0": ["K: Kc Kd Kh", "9: 9c 9d 9h"]}
    assert sight(melds=melds, hands={"0": "Kc 9c 9d 4c 4d 4h 8s"}).can_empty()
    assert sight(melds=melds, hands={"0": "Kc 4c 4d 2h 8s"}).can_empty()
    assert not sight(melds=melds, hands={"0": "Kc 4c 4d 8s"}).can_empty()
    assert not sight(melds=melds, hands={"0": "Kc 3c 3s 3c 8s"}).can_empty()
    assert not sight(hands={"0": "4c 4d 4h"}).can_empty()
