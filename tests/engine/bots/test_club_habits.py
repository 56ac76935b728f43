"""Moves of a sensible player in clear positions."""

from __future__ import annotations

import pytest

from engine.bots import make_bot
from engine.bots.club import sensible_move
from engine.play.cards import WILD_CARDS
from engine.play.moves import write_move
from engine.play.position import read_position
from engine.play.view import view

FOOT = "4c 4d 6h 6s 8c 8d Tc Td Qc Qd Ac Kd Jc"
STOCK = "5c 6d Kh 9s 4h Jd Qs 8c 7d Th Ad 2c " * 8
CONTRACT_DONE = [
    *("K: Kc Kd Kh Ks Kc Kd Kh", "9: 9c 9d 9h 9s 9c 9d 9h"),
    *("4: 4c 4d 4h 4s 4c 4d 2c", "5: 5c 5d 5h 5s 5c 5d 2c", "wild: 2c 2d 2h 2s Xr Xb 2c"),
]


def position(**keys):
    hand = "4c 5d 6h 7s 8c 9d Th Js Qc Kd Ah"
    keys = {"rules": "standard", "feet": [FOOT] * 4, "pile": "3c", "stock": STOCK} | keys
    keys["hands"] = {"1": hand, "2": hand, "3": hand} | keys.get("hands", {})
    return read_position(keys)


def chosen(level="club", seat=None, **keys):
    state = position(**keys)
    options = {"samples": 8} if level == "expert" else {}
    return make_bot(level, seed=1, **options).choose(view(state, state.actor if seat is None else seat))


def plays(level="club", **keys):
    return write_move(chosen(level, **keys))


def laid(move):
    return [card for group in move.groups for card in group.cards]


@pytest.mark.parametrize("level", ["novice", "club", "expert"])
def test_opens_when_it_can(level):
    move = chosen(level, hands={"0": "Kc Kd Kh Qc Qd Qh 4c 6d 7h 8s"})
    assert move.kind == "meld"
    assert len(laid(move)) == 6


def test_opens_without_wild_cards_where_natural_ones_will_do():
    move = chosen(hands={"0": "Kc Kd Kh Qc Qd Qh 2c 2d Xr 4c 5d"})
    assert move.kind == "meld"
    assert not set(laid(move)) & set(WILD_CARDS)


def test_opens_with_wild_cards_beside_natural_ones_only_when_time_is_short():
    hands = {"0": "Ac Ad Qc Qd 9h 9c 2d 4c 6d 8s Td"}
    assert chosen(hands=hands).kind == "discard"
    move = chosen(hands=hands, stock=STOCK[:90])
    assert move.kind == "meld"
    assert len(set(laid(move)) & set(WILD_CARDS)) == 1


def test_opens_with_wild_cards_alone_at_any_time():
    assert plays(hands={"0": "Ac Qc 9h Xr Xb 2d 4c 6d"}) == "meld wild: 2d Xr Xb"


def test_does_not_open_below_the_minimum():
    assert chosen(deal=4, hands={"0": "4c 4d 4h 5c 6d 7h 8s"}).kind == "discard"


@pytest.mark.parametrize("level", ["club", "expert"])
def test_keeps_a_pair_rather_than_break_it_for_a_discard(level):
    assert plays(level, hands={"0": "8c 8d Tc Td Qh Qs 5c"}, pile="4c") == "discard 5c"


def test_does_not_spend_a_wild_card_on_a_meld_that_can_wait():
    melds = {"0": ["K: Kc Kd Kh Ks"]}
    assert chosen(melds=melds, hands={"0": "2c 4c 6d 7h 8s 9s Tc"}).kind == "discard"


def test_does_not_discard_a_wild_card():
    move = chosen(melds={"0": ["K: Kc Kd Kh Ks"]}, hands={"0": "2c Xr 7h 8s 9s Tc"})
    assert move.kind == "discard"
    assert move.card not in WILD_CARDS


def test_saves_wild_cards_for_the_wild_book():
    melds = {"0": ["wild: 2c 2d Xr", "K: Kc Kd Kh Ks Kc Kd"]}
    assert plays(melds=melds, hands={"0": "2h Xb 7h 8s 9s Tc"}) == "meld wild: 2h Xb"


def test_lays_naturals_on_the_teams_melds_and_starts_new_ones_when_time_is_short():
    melds = {"0": ["K: Kc Kd Kh"]}
    assert plays(melds=melds, hands={"0": "Kc 5d 7h 8s 9s Tc"}, stock=SHORT) == "meld Kc"
    assert plays(melds=melds, hands={"0": "5c 5d 5h 7h 8s 9s Tc"}, stock=SHORT) == "meld 5c 5d 5h"


def test_completes_a_dirty_book_that_the_contract_wants_with_the_meld_that_is_dirty_already():
    melds = {"0": ["K: Kc Kd Kh Ks Kc Kd", "9: 9c 9d 9h 9s 9c 2d"]}
    keys = {"melds": melds, "hands": {"0": "2c 5c 5d 7h 8s Tc"}}
    assert plays(**keys) == "meld 9: 2c"


def test_does_not_dirty_the_meld_that_must_be_clean():
    melds = {"0": ["K: Kc Kd Kh Ks Kc Kd", "9: 9c 9d 9h 9s 9c 9d"]}
    assert chosen(melds=melds, hands={"0": "2c 4c 5d 6h 7h 8s Tc"}).kind == "discard"


def test_lays_no_wild_card_on_sevens_that_the_contract_wants():
    melds = {"0": ["7: 7c 7d 7h 7s 7c 7d", "K: Kc Kd Kh Ks"]}
    keys = {"rules": "pennies", "melds": melds, "hands": {"0": "2c 4c 5d 6d 8s Tc"}, "feet": [FOOT] * 6}
    assert chosen(**keys).kind == "discard"


@pytest.mark.parametrize(("stock", "held", "starts"), [(STOCK, "2c 2d 2h", True), (STOCK, "2c 2d", False)])
def test_gambles_on_a_wild_meld_that_costs_points_with_three_cards_and_time(stock, held, starts):
    melds = {"0": ["K: Kc Kd Kh Ks"]}
    move = chosen(rules="family", melds=melds, hands={"0": f"{held} 4c 6d 7h 8s Tc Jc"}, pile="", stock=stock)
    assert (move.kind == "meld") == starts


def test_starts_no_wild_meld_that_costs_points_when_time_is_short():
    melds = {"0": ["K: Kc Kd Kh Ks"]}
    hands = {"0": "2c 2d 2h 4c 6d 7h 8s Tc Jc"}
    move = chosen(rules="family", melds=melds, hands=hands, pile="", stock=STOCK[:90])
    assert move.kind == "discard" or set(laid(move)) - set(WILD_CARDS)


SIX_JACKS = {"0": ["J: Jc Jd Jh Js Jc Jd", "K: Kc Kd Kh Ks Kc", "9: 9c 9d 9h 9s"]}
EARLY = STOCK  # 96 cards
SHORT = STOCK[: 3 * 40]


def test_clean_melds_stay_clean_while_more_than_sixty_cards_are_in_the_stock():
    keys = {"melds": SIX_JACKS, "hands": {"0": "2c Xr 4c 5d 6d 8s Tc"}}
    assert chosen(**keys, stock=EARLY).kind == "discard"
    assert plays(**keys, stock=SHORT) == "meld J: 2c"


def test_begins_a_dirty_book_with_a_pair_when_the_contract_lacks_one():
    keys = {"melds": {"0": ["J: Jc Jd Jh Js", "wild: 2c 2d 2h 2s Xr Xb 2c"]}, "hands": {"0": "2c 4c 4d 6d 8s Tc Qd Kc"}}
    assert plays(**keys, stock=SHORT + SHORT[:60]) == "meld 2c 4c 4d"
    keys["melds"] = {"0": ["J: Jc Jd Jh Js", "5: 5c 5d 2h", "6: 6c 6d 2h", "wild: 2c 2d 2h 2s Xr Xb 2c"]}
    assert chosen(**keys, stock=SHORT + SHORT[:60]).kind == "discard" or "4c" not in plays(**keys, stock=SHORT)


def test_begins_no_second_wild_book_while_a_dirty_one_is_missing():
    wild = "wild: 2c 2d 2h 2s Xr Xb 2c"
    hands = {"0": "2c 2d Xr 5c 6d 8s Tc"}
    assert chosen(melds={"0": [wild, "K: Kc Kd Kh"]}, hands=hands).kind == "discard"
    assert plays(melds={"0": [wild, *CONTRACT_DONE[2:4]]}, hands=hands) == "meld wild: 2c 2d Xr"


def test_spends_a_wild_card_to_reach_the_foot():
    melds = {"0": ["K: Kc Kd Kh Ks"]}
    assert plays(melds=melds, hands={"0": "5c 5d 2c"}) == "meld 2c 5c 5d"


def test_spends_a_wild_card_on_the_last_pair_before_the_foot():
    state = position(melds={"0": ["K: Kc Kd Kh Ks"]}, hands={"0": "5c 5d 2c 8h"})
    assert write_move(sensible_move(view(state, 0).position)) == "meld 2c 5c 5d"


def test_reaches_the_foot_with_its_last_wild_card_rather_than_complete_a_dirty_book():
    melds = {"0": ["9: 9c 9c 9d 9h 9s Xb", "8: 8c 8c 8d 2h"]}
    assert plays(melds=melds, hands={"0": "2h 6s Kh Ks"}, stock=STOCK[:150]) == "meld 2h Kh Ks"


def test_completes_a_wild_book_before_a_wild_card_starts_a_dirty_one():
    melds = {"0": ["wild: 2c 2c 2h 2s Xr Xr", "K: Kc Kd Kh"]}
    hands = {"0": "2h 8h Ah As Js 5c Qd", "2": "4c 5d"}
    assert plays(melds=melds, hands=hands, feet=[None, FOOT, FOOT, FOOT], stock=STOCK[:150]) == "meld wild: 2h"


@pytest.mark.parametrize(("hand", "move"), [("Qs Kh Xr", "meld T: Xr"), ("Qs Kh 5c 8d Xr", "discard 5c")])
def test_alone_it_lays_wild_cards_on_clean_melds_when_little_keeps_it_from_the_foot(hand, move):
    melds = {"0": ["T: Tc Th Ts", "9: 9c 9c 9h 9d"]}
    assert plays(rules="solo", melds=melds, hands={"0": hand}, stock=SHORT) == move


def test_alone_it_dirties_no_clean_meld_while_more_than_sixty_cards_are_in_the_stock():
    melds = {"0": ["T: Tc Th Ts", "9: 9c 9c 9h 9d"]}
    assert chosen(rules="solo", melds=melds, hands={"0": "Qs Kh Xr"}, stock=EARLY).kind == "discard"


@pytest.mark.parametrize("rules", ["family", "solo"])
def test_spends_no_wild_card_on_a_pair_while_the_hand_is_full_and_time_is_left(rules):
    move = chosen(rules=rules, melds={"0": ["K: Kc Kd Kh"]}, hands={"0": "2c 5c 5d 6h 7d 8h Tc Qc Ad"})
    assert move.kind == "discard"


@pytest.mark.parametrize(("cards", "move"), [("9d 9h 9s", "meld 9: 2h"), ("9d 9h 9s 9c", "discard 4c")])
def test_dirties_a_small_clean_meld_for_the_foot_in_the_second_half(cards, move):
    melds = {"0": ["K: Kc Kd Kh Ks Kc Kd Kh", "8: 8c 8d 8h 8s 8c", f"9: {cards}", "wild: 2c 2d 2h 2s Xr Xb 2c"]}
    melds["0"] += ["5: 5c 5d 5h 5s 5c 5d", "6: 6c 6d 6h 6s 6c 6d"]
    hands = {"0": "2h 4c"}
    assert plays(stock=STOCK[: 3 * 72], feet=[FOOT] * 4, melds=melds, hands=hands) == move
    assert plays(stock=STOCK, feet=[FOOT] * 4, melds=melds, hands=hands) == "discard 4c"


def test_blocks_a_large_pile_with_a_black_three():
    pile = "4c Qh Qs Ac Kd 2c Xr 9h Jc"
    melds = {"1": ["4: 4c 4d 4h", "5: 5c 5d 5h"]}
    hands = {"0": "3s 4d 5h 8s 9d Tc Jd", "1": "Kc " * 12 + "Kd"}
    assert plays(pile=pile, melds=melds, hands=hands) == "discard 3s"


@pytest.mark.parametrize(("rules", "move"), [("solo", "discard 2c"), ("klassa", "discard 9h")])
def test_alone_it_blocks_a_rich_pile_with_a_two_where_wild_cards_make_no_book(rules, move):
    pile = "8c 9c Tc Jd Qh Ks Ad 5c 6d 7h 8s 9d Th"
    melds = {"0": ["K: Kc Kd Kh"], "1": ["A: Ac Ad Ah"]}
    assert plays(rules=rules, pile=pile, melds=melds, hands={"0": "2c 4h 5d 6s 7c 9h"}) == move


@pytest.mark.parametrize(("rules", "move"), [("klassa", "discard 3h"), ("standard", "discard 3s")])
def test_throws_a_red_three_first_where_it_would_cost_points(rules, move):
    hand = "3s Kc Kd 4c 4h 6d 6s" + " 3h" * (rules == "klassa")
    assert plays(rules=rules, pile="8h 4c 5d", opened={"0": True}, hands={"0": hand}) == move


@pytest.mark.parametrize(("changes", "kind"), [({}, "discard"), ({"pile_take": 3}, "meld")])
def test_keeps_cards_to_claim_only_a_pile_that_brings_more_than_a_draw(changes, kind):
    rules = {"base": "standard", "set": changes}
    hand = "Kc Kd Kh 4c 5d 6h 7s 8c 9d Th Js Qc"
    assert chosen(rules=rules, stock=STOCK * 2, opened={"0": True}, hands={"0": hand}).kind == kind


def test_discards_nothing_that_lies_on_the_next_players_meld_where_that_takes_the_pile():
    melds = {"0": ["K: Kc Kd Kh"], "1": ["4: 4c 4d 4h", "5: 5c 5d 5h"]}
    keys = {"rules": "bain", "melds": melds, "hands": {"0": "4d 5h 9d Jd Qh"}, "pile": "Tc Ac Ad 8h 6s"}
    assert chosen(**keys).card // 4 not in (2, 3)


def test_prefers_to_discard_what_would_overfill_the_next_players_meld():
    melds = {"0": ["K: Kc Kd Kh"], "1": ["9: 9c 9d 9h 9s 9c"]}
    keys = {"melds": melds, "hands": {"0": "9d Td", "1": "Kc " * 13}, "pile": "4c Qh Qs Ac Kd Ac 9h Jc"}
    assert plays(feet=[None, FOOT, FOOT, FOOT], **keys) == "discard 9d"


def test_takes_a_good_pile_and_leaves_a_poor_one():
    hands = {"0": "8c 8d Tc Jd Qh Qs 5c"}
    melds = {"0": ["K: Kc Kd Kh Ks"]}
    assert plays(phase="draw", melds=melds, hands=hands, pile="8h Ac Kd 2c 9h Jc") == "take 8c 8d"
    assert plays(phase="draw", melds=melds, hands=hands, pile="8h") == "draw"
    assert plays(phase="draw", melds=melds, hands=hands, pile="8h 3c 3s") == "draw"


def test_takes_the_pile_to_open():
    move = chosen(phase="draw", hands={"0": "Ac Ad Tc Jd Qh 5c"}, pile="Ah Kd 2c 9h Jc 4s")
    assert move.kind == "take"


def test_ends_the_deal_when_there_is_nothing_to_draw_or_take():
    assert plays(phase="draw", stock="5c", hands={"0": "Ac Ad"}, pile="3c") == "end"


@pytest.mark.parametrize("level", ["club", "expert"])
def test_asks_and_goes_out_where_that_pays(level):
    melds = {"0": CONTRACT_DONE, "1": ["Q: Qc Qd Qh"]}
    keys = {"melds": melds, "feet": [None, FOOT, None, FOOT], "hands": {"0": "8c", "2": "Ac"}}
    assert plays(level, **keys) == "ask"
    assert plays(level, allowed=True, **keys) == "discard 8c"


def test_melds_its_last_cards_to_go_out():
    melds = {"0": CONTRACT_DONE, "1": ["Q: Qc Qd Qh"]}
    keys = {"melds": melds, "feet": [None, FOOT, None, FOOT], "hands": {"0": "8c 8d 8h Tc", "2": "Ac"}}
    assert plays(**keys) == "ask"
    assert plays(allowed=True, **keys) == "meld 8c 8d 8h"


def test_ends_when_the_last_card_is_laid():
    melds = {"0": CONTRACT_DONE, "1": ["Q: Qc Qd Qh"]}
    keys = {"melds": melds, "feet": [None, FOOT, None, FOOT], "hands": {"0": "", "2": "Ac"}}
    assert plays(allowed=True, **keys) == "end"


@pytest.mark.parametrize("level", ["club", "expert"])
def test_says_yes_where_ending_leaves_the_team_ahead(level):
    melds = {"0": CONTRACT_DONE, "1": ["Q: Qc Qd Qh"]}
    keys = {"melds": melds, "phase": "answer", "feet": [None, FOOT, None, FOOT]}
    assert plays(level, hands={"0": "8c", "2": "Ac 4c"}, **keys) == "answer yes"


@pytest.mark.parametrize("level", ["club", "expert"])
def test_says_no_with_a_hand_that_would_lose_the_deal(level):
    melds = [*CONTRACT_DONE, "Q: Qc Qd Qh Qs Qc Qd Qh", "J: Jc Jd Jh Js Jc Jd Jh", "8: 8c 8d 8h 8s 8c 8d 8h"]
    keys = {"melds": {"0": CONTRACT_DONE, "1": melds}, "phase": "answer", "feet": [None, FOOT, None, FOOT]}
    assert (
        plays(level, hands={"0": "8c", "1": "4c", "3": "5c", "2": "Xr Xr Xb 2d 2h Ac Ad Ah As"}, **keys) == "answer no"
    )


def test_a_novice_always_says_yes():
    assert plays("novice", phase="answer", feet=[None, FOOT, None, FOOT], hands={"2": "Xr Xr Xb"}) == "answer yes"
