"""Tables, events and typed moves in words."""

import pytest

from engine.cli.event_text import describe
from engine.cli.shorthand import HELP, read_typed
from engine.cli.table import hand_words, pile_words, show_table
from engine.cli.text import plain, shorten, wrap
from engine.errors import BadInput
from engine.play.cards import parse_cards
from engine.play.events import KINDS, Event
from engine.play.moves import write_move
from engine.play.position import read_position
from engine.play.view import view

NAMES = ("You", "Bob", "Cid", "Dee")
POSITION = {
    "rules": "standard",
    "hands": {"0": "4c 4d Kc Ks 2d Xr 8s", "1": "9c", "2": ""},
    "feet": {"0": None, "2": None},
    "melds": {"0": ["K: Kc Kd Kh 2c", "8: 8c 8c 8d 8d 8h 8h 8s", "wild: 2c 2d Xb"], "1": ["A: Ac Ac Ad Ad Ah 2c 2d"]},
    "red_threes": {"0": "3d 3h"},
    "scores": [1200, -35],
    "deal": 3,
}


def table_view(**keys):
    return view(read_position({**POSITION, **keys}), 0)


def test_a_table():
    assert (
        show_table(table_view(), NAMES)
        == """\
--- Deal 3 -------------------------------------------------------------------
Stock: 20 cards.  Discard pile: one card, 9c on top.

You & Cid (team 0): 1200 points so far
  you seven cards, playing from the foot; Cid no cards, playing from the foot
  red threes: 3d 3h
        K  4 of 7 dirty   Kc Kd Kh 2c
     wild  3 of 7         2c 2d Xb
        8  clean book     8c 8c 8d 8d 8h 8h 8s
  to go out: clean 1/2, dirty 0/2, wild 0/1

Bob & Dee (team 1): -35 points so far
  Bob one card, foot of 4 down; Dee two cards, foot of 4 down
        A  dirty book     Ac Ac Ad Ad Ah 2c 2d
  to go out: clean 0/2, dirty 1/2, wild 0/1

Your hand, seven cards:
  2×4: 4c 4d   1×8: 8s   2×K: Kc Ks   1×2: 2d   1×X: Xr"""
    )


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"pile": "4h"}, "You can take it: take 4c 4d (one of 3 ways)."),
        ({"pile": "8c"}, "You need two natural eights from your hand to take 8c."),
        ({"pile": "Qc"}, "You need two natural queens from your hand to take Qc."),
        ({"pile": "3c"}, "You cannot take the discard pile while 3c is on top."),
        ({"pile": ""}, "The discard pile is empty."),
        ({"pile": "2h"}, "You need two twos from your hand to take 2h."),
        (
            {"pile": "4h", "melds": {}, "rules": {"base": "standard", "set": {"opening": {"by_deal": [200]}}}},
            "Your team needs at least 200 points to open. These melds are worth 15.",
        ),
        ({"rules": "family", "pile": "4h"}, "The discard pile is never taken in this ruleset."),
    ],
)
def test_why_the_pile_can_be_taken_or_not(keys, words):
    assert pile_words(table_view(phase="draw", **keys)) == words


def test_a_hand_is_sorted_with_counts():
    assert hand_words(parse_cards("Xr 2h Kc 4s Kd 3c 2c")) == "  1×3: 3c   1×4: 4s   2×K: Kc Kd   2×2: 2c 2h   1×X: Xr"


def test_a_long_hand_is_wrapped_between_ranks():
    lines = hand_words(parse_cards(" ".join(f"{rank}{suit}" for rank in "456789TJQKA" for suit in "cdhs"))).split("\n")
    assert all(len(line) <= 80 and line.startswith("  4×") for line in lines)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Event("lifted", 1, b"", 24), "Seat 1 lifted 24 cards."),
        (Event("kept", 1, b"", 2), "Seat 1 kept the second stack as the hand."),
        (Event("peeked", 1, b"", 13, private=True), "Seat 1 looked at the foot."),
        (Event("drew", 1, b"", 2, private=True), "Seat 1 drew two cards."),
        (Event("drew", 1, parse_cards("4c 9d"), 2, private=True), "Seat 1 drew two cards (4c 9d)."),
        (Event("red_three_laid", 1, parse_cards("3h")), "Seat 1 laid 3h."),
        (Event("reshuffled", -1, b"", 40), "The discard pile was shuffled into a new stock of 40 cards."),
        (Event("took_pile", 1, parse_cards("4c 9d"), 2), "Seat 1 took two cards from the pile (4c 9d)."),
        (Event("melded", 1, parse_cards("Kc Kd 2h"), 3, "K"), "Seat 1 melded Kc Kd 2h."),
        (Event("melded", 1, parse_cards("2h"), 1, "K"), "Seat 1 melded 2h as kings."),
        (Event("melded", 1, parse_cards("2h 2d Xr"), 3, "wild"), "Seat 1 melded 2h 2d Xr as wild cards."),
        (Event("book_completed", 1, b"", 7, "clean K"), "Seat 1 completed a clean book of kings."),
        (Event("book_completed", 1, b"", 7, "wild wild"), "Seat 1 completed a book of wild cards."),
        (Event("book_completed", 1, b"", 7, "sevens 7"), "Seat 1 completed a book of sevens."),
        (Event("answered", 2, text="no"), "Seat 2 answered no."),
        (Event("wilds_told", 2, number=1), "Seat 2 said they have one wild card."),
        (
            Event("penalty", 2, number=-50, text="wrong_claim"),
            "Seat 2 lost 50 points for a wrong attempt to take the pile.",
        ),
        (Event("deal_over", -1, text="stock_out"), "The stock has run out: the deal is over."),
        (Event("turn_began", 1), ""),
    ],
)
def test_an_event(event, text):
    assert describe([event]) == text


def test_every_kind_of_event_is_told():
    untold = {kind for kind in KINDS if not describe([Event(kind, 1, text="4" if kind == "melded" else "clean 4")])}
    assert untold == {"turn_began"}


def test_what_one_player_does_is_one_sentence():
    events = [Event("drew", 2, b"", 2), Event("discarded", 2, parse_cards("Kc")), Event("went_out", 1)]
    assert describe(events, "abcd".__getitem__) == "c drew two cards, discarded Kc. b went out."


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("m 4 4 X", "meld 4c 4d Xr"),
        ("meld K: 2", "meld K: 2d"),
        ("M k k, 8", "meld Kc Ks, 8s"),
        ("m k kc", "meld Ks Kc"),
        ("m wild:2 x", "meld wild: 2d Xr"),
        ("d 8", "discard 8s"),
        ("discard kS", None),
        ("discard ks", "discard Ks"),
        ("a", "ask"),
        ("y", "answer yes"),
        ("e", "end"),
        ("u", "undo"),
        ("meld", None),
        ("m 4 4 4", None),
        ("m foo", None),
        ("m 4 4,", None),
        ("k", None),
    ],
)
def test_what_is_typed(typed, move):
    if move is None:
        with pytest.raises(BadInput):
            read_typed(typed, table_view())
    else:
        assert write_move(read_typed(typed, table_view())) == move


def test_the_help_fits():
    assert max(map(len, HELP.split("\n"))) <= 80


def test_d_draws_before_it_discards():
    assert write_move(read_typed("d", table_view(phase="draw"))) == "draw"


def test_text():
    assert plain("♣ a\u202eb\tc\n") == "♣ a\\u202eb\\tc\\n"
    assert shorten("abcdef", 4) == "abc…"
    assert wrap("a " * 60, "* ").split("\n")[1].startswith("  a")
