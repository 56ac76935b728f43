"""Positions as JSON: reading and writing, refusals with their sentences, and option sets that contradict.

The other rule tests take `table`, `play`, `happened` and `refusal` from here.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.errors import BadInput, BadRules
from engine.play.cards import write_cards
from engine.play.game import apply
from engine.play.legality.legal import why_not
from engine.play.moves import parse_move
from engine.play.position import read_position, write_position
from engine.play.rules import Rules
from engine.play.state import State

KINGS = "K: Kc Kc Kd Kd Kh Kh Ks"
QUEENS = "Q: Qc Qc Qd Qd Qh Qh Qs"
JACKS = "J: Jc Jc Jd Jd Jh Js 2c"
TENS = "T: Tc Tc Td Th Ts 2d 2h"
SEVENS = "7: 7c 7c 7d 7d 7h 7h 7s"
WILD = "wild: 2c 2c 2d 2d 2h 2s Xr"
CONTRACT = [KINGS, QUEENS, JACKS, TENS, WILD]
"""Melds that meet the standard contract."""
BAIN_CONTRACT = [KINGS, JACKS, WILD, SEVENS]


def house(base: str, **options: Any) -> dict[str, Any]:
    """House rules: a preset with some options set differently."""
    return {"base": base, "set": options}


def table(rules: Any = "standard", **keys: Any) -> State:
    """A position given by hand. Keys by seat or team take a dictionary by number."""
    data = {
        key: {str(number): item for number, item in value.items()} if isinstance(value, dict) else value
        for key, value in keys.items()
    }
    return read_position({"rules": rules, **data})


def play(state: State, *moves: str) -> State:
    """The position after these moves, all of which must be accepted."""
    for move in moves:
        state = apply(state, parse_move(move)).state
    return state


def happened(state: State, move: str) -> list[str]:
    """Events of a move: each with its seat, cards, number and word."""
    lines = []
    for event in apply(state, parse_move(move)).events:
        seat = f"seat {event.seat}" if event.seat >= 0 else ""
        number = str(event.number) if event.number else ""
        lines.append(" ".join(filter(None, [event.kind, seat, write_cards(event.cards), number, event.text])))
    return lines


def refusal(state: State, move: str) -> tuple[str, str]:
    """Code and sentence of a move's refusal."""
    fault = why_not(state, parse_move(move))
    assert fault is not None, f"{move} is accepted"
    return fault.code.value, fault.sentence


# Defaults


def test_every_key_has_the_default_that_the_notation_says() -> None:
    data = write_position(table("denexa"))
    expected = {
        **{"seats": 4, "team_size": 2, "deal": 1, "dealer": 3, "turn": 0, "phase": "play", "assist": True},
        **{"scores": [0, 0], "hands": ["Kc Kd"] * 4, "feet": ["Qc Qd Qh Qs"] * 4, "foot_turns": [0] * 4},
        **{"melds": [[], []], "opened": [False, False], "opener": [None, None], "books_by": [0] * 4},
        **{"red_threes": ["", ""], "laid_sevens": ["", ""], "pile": "9c", "stock": " ".join(["5c 6d"] * 10)},
        **{"frozen": False, "went_out": None, "out_by": None, "last_red_three": False, "foot_due": False},
        **{"allowed": False, "refused": False, "answers": 0, "grabs": [None] * 4, "stacks": [None] * 4},
        **{"first_turn": [False] * 4, "peeked": [False] * 4, "penalties": [0, 0]},
    }
    assert {key: data[key] for key in expected} == expected


def test_opened_and_foot_turns_follow_the_table_where_they_are_not_said() -> None:
    state = table(melds={1: ["K: Kc Kd Kh"]}, feet={2: None, 3: None}, foot_turns={3: 4})
    assert state.opened == (False, True)
    assert state.foot_turns == (0, 0, 1, 4)
    assert table(melds={1: ["K: Kc Kd Kh"]}, opened={1: False}).opened == (False, False)


def test_seats_alone_mean_the_first_shape_with_that_many() -> None:
    assert (table("bga", seats=6).team_size, table("bga", seats=6, team_size=3).teams) == (1, 2)
    assert (table("standard", seats=6).team_size, table("bga", team_size=6).seats) == (3, 12)


def test_a_list_and_an_object_by_number_say_the_same() -> None:
    assert table(hands=["Ac", "4d"]) == table(hands={0: "Ac", 1: "4d"})


def test_input_may_be_in_any_order_and_in_small_letters_and_output_is_in_one() -> None:
    state = table(hands={0: "xr 2c Ks 4h tc"}, melds={0: ["k: 2h ks kc Kd"]})
    data = write_position(state)
    assert data["hands"][0] == "2c 4h Tc Ks Xr"
    assert data["melds"][0] == ["K: Kc Kd Ks 2h"]


# Snapshots

SNAPSHOTS = {
    "lifting": table("denexa", phase="lift", stacks={s: ["4c 5c", "6c 7c"] for s in range(4)}),
    "choosing": play(table("denexa", phase="choose", stacks={s: ["4c 5c", "6c 7c"] for s in range(4)}), "keep 2"),
    "peeked": play(table("bain", phase="draw", first_turn=[True] * 4), "peek"),
    "melds that may be taken back": play(table(hands={0: "Ac Ad Ah As 4c 4d"}), "meld Ac Ad Ah", "meld As"),
    "garbage": play(table("bain", melds={0: [SEVENS, KINGS]}, hands={0: "Kc 4c 4d"}), "meld garbage: Kc"),
    "asked": play(table(seats=6, feet={0: None, 2: None, 4: None}), "ask", "answer yes"),
    "refused": play(table(feet={0: None}), "ask", "answer no"),
    "foot due": play(table("bain", melds={0: ["K: Kc Kc Kd Kd Kh Kh"]}, hands={0: "Ks 4c 4d"}), "meld Ks"),
    "final turns": table("family", out_by=2, turn=3, feet=[None] * 4, hands=["", "Ac", "", "Kc Kd"]),
    "penalty": play(table("denexa", assist=False, phase="draw", hands={0: "8c 8d"}), "take 8c 8d"),
    "sevens laid": play(table("bain", hands={0: "7c 7d"}), "end"),
    "the last red three": play(table("denexa", phase="draw", stock="5c 3d"), "draw"),
    "reshuffled": play(table(house("standard", stock_out="reshuffle"), phase="draw", stock="", pile="9c Kc Kd Kh"), "draw"),
}  # fmt: skip


@pytest.mark.parametrize("state", SNAPSHOTS.values(), ids=SNAPSHOTS)
def test_a_written_position_reads_back_equal_through_json(state: State) -> None:
    assert read_position(json.loads(json.dumps(write_position(state)))) == state


def test_what_was_melded_may_be_taken_back_after_a_snapshot_too() -> None:
    before = table(hands={0: "Ac Ad Ah As 4c 4d"})
    after = read_position(write_position(play(before, "meld Ac Ad Ah", "meld As")))
    assert play(after, "undo", "undo").hands == before.hands


# Sentences

BAD = {
    "no object": ("standard", "A position is a JSON object with at least `rules`."),
    "no rules": ({"hands": {}}, "A position is a JSON object with at least `rules`."),
    "unknown key": ({"rules": "bain", "hand": ""}, "A position has no key 'hand'."),
    "no such shape": ({"rules": "bain", "seats": 6}, "Bain does not allow a table of 6. Allowed: 4 seats in teams of 2."),
    "seats out of range": ({"rules": "bain", "seats": 13}, "`seats` must be a whole number from 2 to 12."),
    "turn out of range": ({"rules": "bain", "turn": 4}, "`turn` must be a whole number from 0 to 3."),
    "deal zero": ({"rules": "bain", "deal": 0}, "`deal` must be a whole number from 1 to 10000."),
    "phase": ({"rules": "bain", "phase": "meld"}, "The phase 'meld' is not one of lift, choose, draw, play, answer, over."),
    "flag": ({"rules": "bain", "frozen": 1}, "`frozen` must be true or false."),
    "flag by team": ({"rules": "bain", "opened": [1]}, "`opened of 0` must be true or false."),
    "points": ({"rules": "bain", "scores": ["5"]}, "`scores of 0` must be points, a whole number."),
    "count": ({"rules": "bain", "books_by": {"2": -1}}, "`books_by of 2` must be a whole number, 0 or more."),
    "seat": ({"rules": "bain", "opener": [4]}, "`opener of 0` must be a seat from 0 to 3, or null."),
    "too many": ({"rules": "bain", "scores": [0, 0, 0]}, "`scores` names 3, but there are 2."),
    "no such seat": ({"rules": "bain", "hands": {"4": "Kc"}}, "`hands` names '4'; it goes by number from 0 to 3."),
    "neither list nor object": ({"rules": "bain", "hands": "Kc"}, "`hands` must be a list, or an object keyed by number."),
    "no card": ({"rules": "bain", "hands": {"1": "Kc 1d"}}, "In `hands of 1`: '1d' is not a card. Enter a rank of 23456789TJQKA and a suit of cdhs, or Xr, Xb."),
    "no card in the pile": ({"rules": "bain", "pile": "kx"}, "In `pile`: 'kx' is not a card. Enter a rank of 23456789TJQKA and a suit of cdhs, or Xr, Xb."),
    "cards in a list": ({"rules": "bain", "stock": ["Kc"]}, "In `stock`: ['Kc'] is not a list of cards: write them in one string, as in '4c 4d 2h'."),
    "red threes": ({"rules": "bain", "red_threes": ["3d 3c"]}, "`red_threes of 0` holds a card that is no red three."),
    "melds": ({"rules": "bain", "melds": ["K: Kc Kd Kh"]}, "`melds of 0` must be a list of melds."),
    "meld without a name": ({"rules": "bain", "melds": [["Kc Kd Kh"]]}, "'Kc Kd Kh' is not a meld: write RANK: CARDS, wild: CARDS or garbage: CARDS."),
    "meld of no rank": ({"rules": "bain", "melds": [["2: 2c 2d 2h"]]}, "'2' is not the name of a meld. Enter a rank, wild or garbage."),
    "small meld": ({"rules": "bain", "melds": [["K: Kc Kd"]]}, "The meld `K: Kc Kd` cannot be: a meld has at least three cards."),
    "large book": ({"rules": "bain", "melds": [[KINGS + " Ks"]]}, "The meld `K: Kc Kc Kd Kd Kh Kh Ks Ks` cannot be: a book has seven cards in this ruleset."),
    "other cards": ({"rules": "bain", "melds": [["K: Kc Kd Qh"]]}, "The meld `K: Qh Kc Kd` cannot be: its natural cards must be kings."),
    "no natural card": ({"rules": "bain", "melds": [["K: 2c 2d 2h"]]}, "The meld `K: 2c 2d 2h` cannot be: its natural cards must be kings."),
    "red threes as a meld": ({"rules": "bain", "melds": [["3: 3d 3d 3h"]]}, "The meld `3: 3d 3d 3h` cannot be: its natural cards must be threes."),
    "no wild melds": ({"rules": "solo", "melds": [["wild: 2c 2d 2h"]]}, "The meld `wild: 2c 2d 2h` cannot be: a wild meld is wild cards only, in rulesets that have it."),
    "no black threes": ({"rules": "solo", "melds": [["3: 3c 3c 3s"]]}, "The meld `3: 3c 3c 3s` cannot be: black threes are not melded in this ruleset."),
    "no garbage": ({"rules": "solo", "melds": [["garbage: Kc"]]}, "The meld `garbage: Kc` cannot be: garbage is natural cards, in rulesets that have it."),
    "wild garbage": ({"rules": "bain", "melds": [["garbage: Kc 2c"]]}, "The meld `garbage: Kc 2c` cannot be: garbage is natural cards, in rulesets that have it."),
    "no jokers": ({"rules": house("bain", jokers_per_deck=0), "hands": ["Xr"]}, "The ruleset's pack has no Xr."),
    "stacks": ({"rules": "denexa", "phase": "choose"}, "In phase choose the seat to act must have two `stacks`."),
    "one stack": ({"rules": "denexa", "phase": "choose", "stacks": [["4c"]]}, "`stacks of 0` must be two lists of cards, the bottom card last."),
    "nobody to answer": ({"rules": "solo", "phase": "answer"}, "There is no partner to answer at a table of individuals."),
    "out too soon": ({"rules": "bain", "went_out": 0}, "A team can have gone out only once the deal is over, or with `out_by` in the final turns."),
    "undo": ({"rules": "bain", "undo": {}}, "`undo` must be a list of steps."),
    "half a step": ({"rules": "bain", "undo": [{"hand": ""}]}, "A step in `undo` must name hand, melds, opened, opener, books_by, foot_due, opened_by."),
    "seed": ({"rules": "bain", "seed": "abc"}, "`seed` must be 64 hexadecimal digits."),
}  # fmt: skip


@pytest.mark.parametrize(("data", "sentence"), BAD.values(), ids=BAD)
def test_what_is_no_position_is_refused_in_a_sentence(data: Any, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_position(data)
    assert caught.value.sentence == sentence


# Ruling 27

NO_PILE = {"pile_take": "none", "pile_claim": "none", "pile_to_meld": "never", "wild_on_top": "never"}
NO_WILD = {"wild_melds": False, "wild_on_top": "never"}
SEVENS_COUNT = "but books of sevens are not special."

CONTRADICTIONS = {
    "a wild contract without wild melds": ("standard", NO_WILD, "The contract asks for a wild book, but melds of wild cards are not allowed."),
    "a matching pair without wild melds": ("standard", {"wild_melds": False, "contract": {"wild": 0}}, "A matching pair takes a wild card on top into a wild meld, but melds of wild cards are not allowed."),
    "unfinished wild melds without wild melds": ("family", NO_WILD, "An unfinished wild meld has a price, but melds of wild cards are not allowed."),
    "frozen by what a pair takes": ("standard", {"wild_freezes": True}, "A wild card on top freezes the discard pile, so a matching pair cannot take it."),
    "a claim on no pile": ("standard", {**NO_PILE, "pile_claim": "natural_pair"}, "The discard pile is never taken, so no cards can take it. Set pile_claim to none."),
    "a meld for no pile": ("standard", {**NO_PILE, "pile_to_meld": "unfrozen"}, "The discard pile is never taken, so its top card cannot join a meld."),
    "a wild card on no pile": ("standard", {**NO_PILE, "wild_on_top": "matching_pair"}, "The discard pile is never taken, so a wild card on top cannot be taken."),
    "freezing no pile": ("standard", {**NO_PILE, "wild_freezes": True}, "The discard pile is never taken, so a wild card cannot freeze it."),
    "opening for no pile": ("standard", {**NO_PILE, "take_needs_open": True}, "The discard pile is never taken, so taking it cannot require that a team has opened."),
    "kept until sevens": ("standard", {"kept_until": "own_sevens"}, f"Some ranks cannot be discarded before a book of sevens, {SEVENS_COUNT}"),
    "garbage after sevens": ("standard", {"garbage": True}, f"The garbage pile starts with a book of sevens, {SEVENS_COUNT}"),
    "red threes by sevens": ("standard", {"red_three_sevens": True}, f"Red threes count by the book of sevens, {SEVENS_COUNT}"),
    "held and all together": ("pennies", {"red_threes": "held", "red_three_sevens": False}, "Red threes are held and never laid, so laid ones cannot count."),
    "held and in sets": ("standard", {"red_threes": "held", "red_three_sets": {"size": 3, "points": 1}}, "Red threes are held and never laid, so laid ones cannot count."),
    "held and by sevens": ("bain", {"red_threes": "held", "contract_red_threes": "none"}, "Red threes are held and never laid, so laid ones cannot count."),
    "held and in the contract": ("bain", {"red_threes": "held", "red_three_sevens": False}, "Red threes are held and never laid, so going out cannot wait for them."),
    "held and the last card": ("denexa", {"red_threes": "held"}, "Red threes are held and never laid, so the last card of the stock cannot be laid."),
    "in sets and all together": ("pennies", {"red_three_sets": {"size": 3, "points": 1}}, "Red threes count in sets or all together, not both."),
    "red threes melded but laid": ("standard", {"red_three_meld": True, "black_three_meld": "always"}, "Red threes join melds of the other threes only if red threes are held and threes of clubs and spades always melded."),
    "special threes": ("standard", {"special_books": {"3": {"points": 1}}}, "Books of threes are special, but threes are not always melded."),
    "special twos": ("standard", {"special_books": {"2": {"points": 1}}}, "Books of 2 cannot be special."),
    "a limit beyond without wild cards": ("standard", {"wild_beyond": "equal"}, "Large books have a limit of wild cards of their own, but no book takes wild cards."),
    "a knee passed on": ("standard", {"stacks": [9, 9, 9], "pass_stack": "left"}, "With hand, knee and foot no stack is passed on."),
    "a knee chosen": ("standard", {"stacks": [9, 9, 9], "hand_choice": "choose"}, "With hand, knee and foot the first stack dealt is the hand."),
    "a lift without a distance": ("standard", {"lift": {"by": "each", "within": []}}, "Lifting scores by distance, but no distance is named."),
    "one card that goes round": ("standard", {"draw_count": 1, "draw_top": "first"}, "The only card that is drawn may be the top card of the discard pile, so it could be drawn and discarded for ever."),
    "one card that goes round in a later deal": ("standard", {"draw_count": {"by_deal": [2, 1]}, "draw_top": "first"}, "The only card that is drawn may be the top card of the discard pile, so it could be drawn and discarded for ever."),
    "distances that fall": ("standard", {"lift": {"by": "each", "within": [[2, 1], [2, 5]]}}, "The distances of lifting must rise."),
    "a new meld and an old one": ("bain", {"pile_claim": "new_meld"}, "The card that takes the discard pile must start a meld, so it cannot join one."),
    "no decks for six": ("standard", {"shapes": [[4, 2], [6, 3]], "decks": {"by_seats": {"4": 5}}}, "The number of decks for a table of 6 is missing."),
    "a knee passed on in one deal": ("standard", {"shapes": [[4, 2]], "stacks": {"by_deal": [[9, 9], [9, 9, 9]]}, "pass_stack": {"by_deal": ["none", "left"]}}, "With hand, knee and foot no stack is passed on."),
    "burying without an up-card": ("standard", {"upcard": False}, "Up-cards are buried, but no card is turned up."),
    "final turns and a last meld": ("family", {"last_card": "meld"}, "Final turns follow on going out by a discard, but the last card must be melded."),
    "three wild cards in three": ("standard", {"wild_limits": [3, 3, 3, 3, 3]}, "A meld of 3 cards can have 3 wild cards, which leaves no natural card."),
    "seven wild cards in seven": ("standard", {"wild_limits": [1, 2, 2, 2, 7]}, "A meld of 7 cards can have 7 wild cards, which leaves no natural card."),
    "a limit that falls": ("standard", {"wild_limits": [1, 2, 1, 2, 2]}, "The limit of wild cards gets lower as the meld grows, so a meld could become too wild by growing."),
    "too small a pack": ("bain", {"decks": 2}, "At a table of 4 the pack leaves no cards after the deal. Each seat needs at least two."),
    "seven cards for four seats": ("bain", {"decks": 1, "jokers_per_deck": 3, "stacks": [6, 6]}, "At a table of 4 the pack leaves 7 cards after the deal. Each seat needs at least two."),
    "no deck": ("bain", {"decks": {"seats_plus": -4}}, "At a table of 4 there would be no deck of cards."),
    "teams that do not come out": ("bain", {"shapes": [[6, 4]], "decks": 8}, "A table of 6 does not divide into at least two teams of 4."),
    "one team": ("bain", {"shapes": [[4, 4]]}, "A table of 4 does not divide into at least two teams of 4."),
}  # fmt: skip


@pytest.mark.parametrize(("base", "options", "sentence"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_r27_contradiction_is_refused_when_the_ruleset_is_made(
    base: str, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadRules) as caught:
        Rules.make(base, options)
    assert caught.value.sentences == [sentence]
    # It names its options: with those as they were, there is no contradiction.
    (clashing,) = caught.value.options
    assert set(clashing) & set(options)
    Rules.make(base, {name: value for name, value in options.items() if name not in clashing})


ALLOWED = {
    "two wild cards in three": {"wild_limits": [2, 2, 2, 2, 2]},
    "six wild cards in seven": {"wild_limits": [2, 3, 4, 5, 6]},
    "no pile at all": {**NO_PILE, "wild_freezes": False, "take_needs_open": False},
    "partners' options at a table of individuals": {"shapes": [[3, 1]], "book_lock": "opener_waits", "ask_wilds": True},
    "two cards a seat": {"decks": 1, "jokers_per_deck": 0, "stacks": [6, 5], "shapes": [[4, 2]]},
    "garbage with special sevens": {"garbage": True, "special_books": {"7": {"points": 5, "needed": 0, "mixed": True}}},
    "final turns always after a last meld": {"final_turns": "always", "last_card": "meld"},
    "sets of red threes": {"red_three_sets": {"size": 7, "points": 1000}},
    "red threes melded with black ones": {"red_threes": "held", "black_three_meld": "always", "red_three_meld": True},
    "more numbers of seats than are played": {"decks": {"by_seats": {"2": 3, "3": 4, "4": 5, "5": 6, "6": 7, "8": 9}}},
    "final turns after a last discard": {"final_turns": True, "last_card": "discard"},
}  # fmt: skip


@pytest.mark.parametrize("options", ALLOWED.values(), ids=ALLOWED)
def test_r27_what_is_no_contradiction_makes_a_ruleset(options: dict[str, Any]) -> None:
    written = Rules.make("standard", options).write_options()
    assert {name: written[name] for name in options} == options


def test_r27_every_contradiction_of_a_ruleset_is_said() -> None:
    with pytest.raises(BadRules) as caught:
        Rules.make("standard", {"wild_melds": False, "upcard": False})
    assert caught.value.sentences == [
        "The contract asks for a wild book, but melds of wild cards are not allowed.",
        "A matching pair takes a wild card on top into a wild meld, but melds of wild cards are not allowed.",
        "Up-cards are buried, but no card is turned up.",
    ]
