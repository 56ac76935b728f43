"""What a player remembers: cards taken with the pile, discards, and cards left lying."""

from __future__ import annotations

import random

from engine.bots import make_bot
from engine.bots.imagining import Imagination
from engine.bots.knowledge import Follower, Sight, unseen_by_rank
from engine.bots.memory import CARDS, Memory
from engine.play.cards import parse_cards, without
from engine.play.events import Event, PublicLog
from engine.play.position import read_position
from engine.play.rules import Rules
from engine.play.view import view
from tests.engine.bots.test_hidden_cards import club_deal

KING, NINE = 11, 7


def log_of(*lines):
    """A public log: of each line the kind, the seat and the cards."""
    events = [line.split(" ", 2) for line in lines]
    return PublicLog([Event(kind, int(seat), parse_cards(" ".join(cards))) for kind, seat, *cards in events])


def remembered(*lines):
    return Memory().follow(log_of(*lines))


def test_cards_that_come_with_the_pile_are_known_until_they_leave_the_hand():
    claimed = ["took_pile 1 8h Kc Kd 9c", "melded 1 8h 8c 8d"]
    assert remembered(*claimed).known[1] == parse_cards("Kc Kd 9c")
    assert remembered(*claimed, "discarded 1 9c").known[1] == parse_cards("Kc Kd")
    assert remembered(*claimed, "melded 1 Kc Kd Kh").known[1] == parse_cards("9c")
    assert remembered(*claimed).known[0] == b""


def test_the_top_card_that_is_drawn_openly_is_known():
    assert remembered("drew_top 2 9c").known[2] == parse_cards("9c")


def test_a_red_three_that_came_with_the_pile_is_not_in_the_hand():
    assert remembered("took_pile 1 8h 3d 9c", "melded 1 8h 8c 8d", "red_three_laid 1 3d").known[1] == parse_cards("9c")


def test_a_meld_that_is_taken_back_is_known_to_be_in_the_hand():
    melded = ["turn_began 1", "melded 1 Kc Kd Kh"]
    assert remembered(*melded, "undone 1").known[1] == parse_cards("Kc Kd Kh")
    assert remembered(*melded, "turn_began 2", "undone 2").known[2] == b""


def test_discards_and_cards_left_lying_are_remembered_in_order():
    memory = remembered("discarded 0 9c", "drew 1", "discarded 1 4c", "drew 2", "discarded 2 5c", "discarded 0 Kc")
    assert memory.thrown[0] == parse_cards("9c Kc")
    assert (memory.passed[1], memory.passed[2]) == (parse_cards("9c"), parse_cards("4c"))


def test_nothing_lies_on_a_pile_that_was_taken():
    assert remembered("discarded 0 9c", "took_pile 1 9c", "drew 2").passed[2] == b""


def test_a_log_is_read_on_from_where_it_was_left():
    log = log_of("discarded 0 9c", "drew 1")
    memory = Memory().follow(log).follow(log.after([Event("discarded", 1, parse_cards("4c"))]))
    assert (memory.thrown[0], memory.thrown[1]) == (parse_cards("9c"), parse_cards("4c"))


def test_the_log_of_another_deal_wipes_the_memory():
    memory = remembered("took_pile 1 8h Kc Kd 9c")
    assert memory.follow(log_of("discarded 1 4c", "drew 2")).known[1] == b""
    assert memory.follow(PublicLog()).thrown[1] == b""


def test_what_is_known_is_true():
    for state, log in club_deal(Rules.preset("standard"), random.Random(3)):
        known = Memory().follow(log).known
        for seat, hand in enumerate(state.hands):
            assert without(hand, known[seat]) is not None


def test_one_bot_remembers_as_one_that_comes_later():
    bot = make_bot("club", seed=1)
    for state, log in club_deal(Rules.preset("standard"), random.Random(5)):
        seat_view = view(state, state.actor, log=log)
        assert bot.choose(seat_view) == make_bot("club", seed=1).choose(seat_view)


def danger(rank, *lines):
    melds = {"0": ["Q: Qc Qd Qh"], "1": ["Q: Qc Qd Qh"]}
    state = read_position({"rules": "standard", "melds": melds, "hands": {"1": "4c 5c 6c 7c 8c 9c Kc Kd"}})
    sight = Sight(view(state, 0).position, remembered(*lines))
    return Follower(sight, unseen_by_rank(state, 0)).danger(rank)


def test_a_pair_that_the_next_player_took_is_sure_to_claim():
    assert danger(KING, "took_pile 1 8h Kc Kd 9c") == 1.0
    assert danger(KING) < 0.5


def test_one_card_that_is_known_makes_a_pair_likelier():
    assert danger(KING) < danger(KING, "took_pile 1 8h Kc 9c") < 1


def test_a_rank_just_thrown_away_is_safe_and_one_left_lying_safer_than_others():
    assert danger(KING, "discarded 1 Kc") < danger(KING, "discarded 0 Kc", "drew 1") < danger(KING)


def test_cards_that_are_known_are_imagined_where_they_are():
    state = read_position({"rules": "standard", "hands": {"1": "4c 5c 6c Kc Kd"}, "pile": "3c"})
    memory = remembered("took_pile 1 8h Kc Kd")
    for seed in range(20):
        deal = Imagination(view(state, 0).position, 0, random.Random(seed), memory).deal()
        assert without(deal.hands[1], parse_cards("Kc Kd")) is not None


def kings_imagined(*lines):
    state = read_position({"rules": "standard", "hands": {"1": "4c 5c 6c 7c 8c 9c Tc Jc"}, "pile": "3c"})
    imagination = Imagination(view(state, 0).position, 0, random.Random(1), remembered(*lines))
    return sum(deal.hands[1].count(card) for deal in [imagination.deal() for _ in range(300)] for card in range(44, 48))


def test_a_rank_just_thrown_away_is_seldom_imagined_in_the_hand():
    assert kings_imagined("discarded 1 Kc") < 0.6 * kings_imagined()


def test_chances_by_rank_follow_the_table_and_the_discards():
    state = read_position({"rules": "standard", "melds": {"1": ["K: Kc Kd Kh", "9: 9c 9d 9h 9s 9c 9d 9h"]}})
    likeness = remembered("discarded 1 4c", "discarded 1 5c", "discarded 1 6c").likeness(state, 1, CARDS)
    assert (likeness[KING], likeness[NINE]) == (CARDS.meld[0], CARDS.book[0])
    assert (likeness[2], likeness[4], likeness[5]) == (CARDS.hand[2], CARDS.hand[1], CARDS.hand[0])
