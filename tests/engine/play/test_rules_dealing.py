"""Rules before the first turn: shapes, packs, lifting, stacks, the up-card, and whose deal it is (rulings 1, 2 and 5)."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import count

import pytest

from engine.errors import BadInput
from engine.play.cards import BLACK_THREES, RED_THREES, SEVEN, WILD_CARDS, Cards, write_cards
from engine.play.deal import deal_seed, shuffle
from engine.play.game import new_game, next_deal
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.state import State
from tests.engine.play.test_rules_positions import happened, house, play, table

KEY = bytes(range(32))


def key_number(number: int) -> bytes:
    return hashlib.sha256(b"%d" % number).digest()


def order(rules: Rules, key: bytes, seats: int) -> Cards:
    """The pack as this key shuffles it."""
    return shuffle(rules.pack(seats), deal_seed(key, ("",) * seats))


def stacks_of(rules: Rules, key: bytes, seats: int) -> list[tuple[Cards, Cards]]:
    """Each seat's two stacks as they are dealt, the bottom card last, and nothing passed yet."""
    cards, size, both = order(rules, key, seats), rules.stacks[0], sum(rules.stacks)
    return [(cards[s * both : s * both + size], cards[s * both + size : (s + 1) * both]) for s in range(seats)]


def arranged(cards: Cards) -> Cards:
    return bytes(sorted(cards))


def deal(rules: Rules | str, key: bytes = KEY, **how: int) -> State:
    return new_game(Rules.preset(rules) if isinstance(rules, str) else rules, key, **how)


# Players and pack


@pytest.mark.parametrize("name", PRESETS)
def test_every_shape_deals_the_whole_pack_and_hands_of_the_right_size(name: str) -> None:
    rules = Rules.preset(name)
    for shape in rules.shapes:
        state = deal(rules, seats=shape.seats, team_size=shape.team_size)
        stacks = [cards for pair in state.stacks if pair for cards in pair]
        feet = [foot for foot in state.feet if foot is not None]
        knees = [knee for knee in state.knees if knee is not None]
        everything = b"".join([*state.hands, *knees, *feet, *stacks, *state.red_threes, state.pile, state.stock])
        assert arranged(everything) == arranged(rules.pack(shape.seats))
        if not stacks:
            assert [len(hand) for hand in state.hands] == [rules.stacks[0]] * shape.seats
            assert [len(knee) for knee in knees] == [*rules.stacks[1:-1]] * shape.seats
            assert [len(foot) for foot in feet] == [rules.stacks[-1]] * shape.seats


SIZES = {
    **{"standard": 270, "denexa": 270, "family": 270, "bain": 216, "solo": 270, "bga": 270, "saskatchewan": 270},
    **{"pennies": 216, "knee": 324, "tanglewood": 216, "klassa": 216, "vegas": 324, "remastered": 270, "fives": 270},
    "canadian": 216,
}


@pytest.mark.parametrize("name", PRESETS)
def test_the_pack_of_the_default_table(name: str) -> None:
    rules = Rules.preset(name)
    assert len(rules.pack(rules.shapes[0].seats)) == SIZES[name]


def test_decks_go_by_seats_and_jokers_by_deck() -> None:
    rules = Rules.make("standard", {"jokers_per_deck": 3, "decks": {"seats_plus": 2}})
    pack = Counter(write_cards(rules.pack(4)).split())
    assert (pack["4c"], pack["Xr"] + pack["Xb"], sum(pack.values())) == (6, 18, 330)
    assert len(Rules.make("standard", {"jokers_per_deck": 0, "decks": 7}).pack(4)) == 364


def test_r27_jokers_alternate_red_and_black() -> None:
    pack = write_cards(Rules.preset("bain").pack(4)).split()
    assert [card for card in pack if card in ("Xr", "Xb")] == ["Xr", "Xb"] * 4


# The first turn


@pytest.mark.parametrize(
    ("name", "phase"),
    [
        *[("standard", "draw"), ("denexa", "lift"), ("family", "lift"), ("bain", "draw"), ("solo", "lift")],
        *[("bga", "draw"), ("saskatchewan", "draw"), ("pennies", "draw")],
    ],
)
def test_the_first_phase_of_a_deal(name: str, phase: str) -> None:
    state = deal(name)
    assert (state.phase, state.turn, state.dealer) == (phase, 0, state.seats - 1)
    assert (state.deal, state.scores, state.first_turn) == (1, (0,) * state.teams, (True,) * state.seats)


def test_the_player_after_the_dealer_begins() -> None:
    assert [deal("standard", dealer=dealer).turn for dealer in range(4)] == [1, 2, 3, 0]


def test_denexa_r1_lifting_then_choosing_then_drawing() -> None:
    state = deal("denexa", dealer=1)
    seats = []
    for move in ["grab 22"] * 4 + ["keep 1"] * 4:
        seats.append((state.phase, state.turn))
        state = play(state, move)
    assert seats == [(phase, seat) for phase in ("lift", "choose") for seat in (2, 3, 0, 1)]
    assert (state.phase, state.turn, state.grabs) == ("draw", 2, (22, 22, 22, 22))


def test_solo_r1_says_what_was_lifted_and_begins_the_turn_after_the_last() -> None:
    state = table("solo", phase="lift")
    assert happened(state, "grab 22") == ["lifted seat 0 22"]
    assert happened(play(state, "grab 1", "grab 2", "grab 3"), "grab 30") == ["lifted seat 3 30", "turn_began seat 0"]


# Stacks


def test_standard_r2_each_keeps_the_stacks_as_dealt() -> None:
    rules = Rules.preset("standard")
    state, stacks = deal(rules), stacks_of(rules, KEY, 4)
    assert list(state.feet) == [arranged(second) for _, second in stacks]
    assert list(state.hands[1:]) == [arranged(first) for first, _ in stacks[1:]]


PASSED = {
    "both": [((1, 0), (3, 1)), ((2, 0), (0, 1)), ((3, 0), (1, 1)), ((0, 0), (2, 1))],
    "both_left": [((seat, 0), (seat, 1)) for seat in (3, 0, 1, 2)],
    "both_right": [((seat, 0), (seat, 1)) for seat in (1, 2, 3, 0)],
    "first_left": [((3, 0), (0, 1)), ((0, 0), (1, 1)), ((1, 0), (2, 1)), ((2, 0), (3, 1))],
    "partner": [((0, 0), (2, 1)), ((1, 0), (3, 1)), ((2, 0), (0, 1)), ((3, 0), (1, 1))],
}
"""By seat, the two stacks before it as seat and number of those dealt."""


@pytest.mark.parametrize("way", PASSED)
def test_r30_stacks_pass_before_the_hand_is_chosen(way: str) -> None:
    rules = Rules.make("standard", {"pass_stack": way, "hand_choice": "choose"})
    stacks = stacks_of(rules, KEY, 4)
    assert deal(rules).stacks == tuple(tuple(stacks[seat][at] for seat, at in pair) for pair in PASSED[way])


def test_r30_without_partners_nothing_passes_to_a_partner() -> None:
    rules = Rules.make("standard", {"pass_stack": "partner", "hand_choice": "choose"})
    assert deal(rules, seats=3).stacks == tuple(stacks_of(rules, KEY, 3))


def test_r36_three_stacks_are_hand_knee_and_foot() -> None:
    rules = Rules.make("standard", {"stacks": [5, 4, 3], "red_threes": "held"})
    state, cards = deal(rules), order(rules, KEY, 4)
    assert [arranged(cards[seat * 12 : seat * 12 + 5]) for seat in range(4)] == list(state.hands)
    assert [arranged(cards[seat * 12 + 5 : seat * 12 + 9]) for seat in range(4)] == list(state.knees)
    assert [arranged(cards[seat * 12 + 9 : seat * 12 + 12]) for seat in range(4)] == list(state.feet)


def test_r31_the_second_deal_has_its_own_stacks() -> None:
    rules = Rules.make("standard", {"stacks": {"by_deal": [[13, 13], [5, 4]]}, "red_threes": "held"})
    over = deal(rules).draft()
    over.phase = "over"
    state = next_deal(over.freeze(), KEY)
    assert ([len(hand) for hand in state.hands], state.rules.stacks) == ([5] * 4, (5, 4))
    assert state.rules.for_all_deals == rules


def test_r47_several_cards_turned_up_lie_with_the_last_on_top() -> None:
    rules = Rules.make("standard", {"upcard": 3, "upcard_bury": ["red_three", "wild", "7"]})
    rest = order(rules, KEY, 4)[104:]
    faces = [card for card in rest if card not in RED_THREES + WILD_CARDS and card // 4 != SEVEN][:3]
    state = deal(rules)
    assert list(state.pile) == faces[::-1]
    assert len(state.stock) == len(rest) - 3 - sum(map(len, state.red_threes))


def test_solo_r2_the_second_stack_is_the_right_hand_neighbours_foot() -> None:
    rules = Rules.preset("solo")
    state, stacks = deal(rules), stacks_of(rules, KEY, 4)
    assert list(state.hands) == [arranged(first) for first, _ in stacks]
    assert list(state.feet) == [arranged(stacks[seat][1]) for seat in (1, 2, 3, 0)]


def test_denexa_r2_the_stack_not_kept_is_the_right_hand_neighbours_foot() -> None:
    rules = Rules.preset("denexa")
    stacks = stacks_of(rules, KEY, 4)
    state = play(deal(rules), "grab 9", "grab 9", "grab 9", "grab 9")
    assert state.stacks == tuple(stacks)
    state = play(state, "keep 2", "keep 1", "keep 2", "keep 1")
    assert list(state.feet) == [arranged(stacks[1][1]), arranged(stacks[2][0]), arranged(stacks[3][1]), arranged(stacks[0][0])]  # fmt: skip
    assert list(state.hands[1:]) == [arranged(stacks[1][0]), arranged(stacks[2][1]), arranged(stacks[3][0])]


def worth(rules: Rules, card: int) -> int:
    return 100 if card in RED_THREES else rules.card_values[card]


@pytest.mark.parametrize(("choice", "sign"), [("higher_bottom", 1), ("lower_bottom", -1)])
def test_family_r2_the_second_stack_goes_left_and_the_bottom_card_decides(choice: str, sign: int) -> None:
    rules = Rules.make("family", {"hand_choice": choice})
    outcomes = set()
    for number in range(40):
        key = key_number(number)
        state, stacks = deal(rules, key), stacks_of(rules, key, 4)
        for seat in range(4):
            first, second = stacks[seat][0], stacks[seat - 1][1]
            difference = sign * (worth(rules, second[-1]) - worth(rules, first[-1]))
            hand, foot = (second, first) if difference > 0 else (first, second)
            assert (state.hands[seat], state.feet[seat]) == (arranged(hand), arranged(foot))
            outcomes.add((difference > 0) - (difference < 0))
            outcomes.update("red three" for stack in (first, second) if stack[-1] in RED_THREES)
    assert outcomes == {-1, 0, 1, "red three"}


def test_family_r2_at_a_table_of_six_seat_5_passes_to_seat_0() -> None:
    rules = Rules.preset("family")
    state, stacks = deal(rules, seats=6), stacks_of(rules, KEY, 6)
    foot = state.feet[0]
    assert foot is not None
    assert {state.hands[0], foot} == {arranged(stacks[0][0]), arranged(stacks[5][1])}


def test_house_r2_left_and_choose_the_two_stacks_then_before_a_player() -> None:
    rules = Rules.make("standard", {"pass_stack": "left", "hand_choice": "choose"})
    state, stacks = deal(rules), stacks_of(rules, KEY, 4)
    assert (state.phase, state.stacks) == ("choose", tuple((stacks[s][0], stacks[s - 1][1]) for s in range(4)))
    state = play(state, "keep 1", "keep 2", "keep 1", "keep 2")
    assert list(state.feet) == [arranged(stacks[3][1]), arranged(stacks[1][0]), arranged(stacks[1][1]), arranged(stacks[3][0])]  # fmt: skip


def test_house_r2_left_and_dealt_the_second_stack_is_the_left_hand_neighbours_foot() -> None:
    rules = Rules.make("solo", {"pass_stack": "left"})
    state, stacks = deal(rules), stacks_of(rules, KEY, 4)
    assert list(state.hands) == [arranged(first) for first, _ in stacks]
    assert list(state.feet) == [arranged(stacks[seat][1]) for seat in (3, 0, 1, 2)]


def test_house_r2_higher_bottom_without_passing_picks_between_the_players_own() -> None:
    rules = Rules.make("solo", {"pass_stack": "none", "hand_choice": "higher_bottom"})
    state, stacks = deal(rules), stacks_of(rules, KEY, 4)
    for seat, (first, second) in enumerate(stacks):
        swaps = worth(rules, second[-1]) > worth(rules, first[-1])
        assert state.hands[seat] == arranged(second if swaps else first)
        assert state.feet[seat] == arranged(first if swaps else second)


def test_denexa_r2_keeping_is_told_without_cards() -> None:
    state = table("denexa", phase="choose", stacks={seat: ["4c 5c", "6c 7c"] for seat in range(4)})
    assert happened(state, "keep 2") == ["kept seat 0 2"]


# The first turn


def test_standard_r18_red_threes_dealt_are_laid_when_the_turn_first_comes() -> None:
    rules = Rules.preset("standard")
    for number in count():
        first = stacks_of(rules, key_number(number), 4)[0][0]
        reds = bytes(card for card in first if card in RED_THREES)
        rest = order(rules, key_number(number), 4)[104:]
        up = next(index for index, card in enumerate(rest) if card not in RED_THREES + WILD_CARDS)
        if len(reds) == 2 and up == 0 and not any(card in RED_THREES for card in rest[1:3]):
            break
    state = deal(rules, key_number(number))
    assert state.red_threes == (arranged(reds), b"")
    assert state.hands[0] == arranged(first.translate(None, RED_THREES) + rest[1:3])
    assert state.stock == rest[3:]


def test_solo_r18_red_threes_dealt_stay_in_the_hand_while_cards_are_lifted() -> None:
    state = deal("solo")
    assert (state.phase, state.red_threes) == ("lift", (b"",) * 4)


# The up-card


def rest_of(rules: Rules, key: bytes) -> Cards:
    return order(rules, key, 4)[4 * sum(rules.stacks) :]


BURIED = {
    "standard": ({}, RED_THREES + WILD_CARDS),
    "denexa": ({}, RED_THREES + WILD_CARDS),
    "bain": ({}, b""),
    "solo": ({}, RED_THREES + WILD_CARDS),
    "bga": ({}, RED_THREES + WILD_CARDS),
    "saskatchewan": ({"upcard_bury": ["black_three"]}, BLACK_THREES),
}


@pytest.mark.parametrize("name", BURIED)
def test_upcard_bury_the_first_card_of_another_kind_is_turned_up(name: str) -> None:
    options, buried = BURIED[name]
    rules = Rules.make(name, {**options, "red_three_replaced": "never"})
    turned = set()
    for number in range(120):
        key = key_number(number)
        state, rest = deal(rules, key), rest_of(rules, key)
        card = next(card for card in rest if card not in buried)
        assert state.pile == bytes([card])
        assert arranged(state.stock + state.pile) == arranged(rest)
        turned.add(rest[0] in buried)
    assert turned == ({True, False} if buried else {False})


def test_family_upcard_no_the_pile_begins_empty() -> None:
    rules = Rules.preset("family")
    state = deal(rules)
    assert (state.pile, state.stock) == (b"", rest_of(rules, KEY))


@pytest.mark.parametrize("name", ["bain", "pennies"])
def test_r5_a_wild_card_or_a_red_three_turned_up_freezes_the_pile(name: str) -> None:
    rules, kinds = Rules.preset(name), set()
    for number in range(150):
        state = deal(rules, key_number(number))
        (card,) = state.pile
        assert state.frozen == (card in WILD_CARDS or card in RED_THREES)
        kinds.update(kind for kind, cards in (("wild", WILD_CARDS), ("red", RED_THREES), ("black", BLACK_THREES)) if card in cards)  # fmt: skip
    assert kinds == {"wild", "red", "black"}


def test_house_r5_without_freezing_a_wild_card_turned_up_freezes_nothing() -> None:
    rules = Rules.make("standard", {"upcard_bury": []})
    turned = [deal(rules, key_number(number)) for number in range(60)]
    assert any(state.pile[0] in WILD_CARDS for state in turned)
    assert not any(state.frozen for state in turned)


# The deals of a match


def test_the_deal_passes_to_the_next_seat_and_the_totals_go_along() -> None:
    over = table(phase="over", dealer=3, hands=["Kc", "", "", ""], feet=[None] * 4, scores={0: 30})
    state = next_deal(over, KEY)
    assert (state.deal, state.dealer, state.turn, state.scores) == (2, 0, 1, (20, 0))
    assert (state.opened, state.melds, state.grabs) == ((False, False), ((), ()), (None,) * 4)


def test_the_deal_passes_on_from_a_dealer_in_the_middle_and_keeps_the_table() -> None:
    over = table("bga", seats=9, team_size=3, phase="over", dealer=4, assist=False, feet=[None] * 9)
    state = next_deal(over, KEY)
    assert (state.seats, state.team_size, state.dealer, state.turn, state.assist) == (9, 3, 5, 6, False)


def test_no_next_deal_before_this_one_is_over() -> None:
    with pytest.raises(BadInput, match=r"^The next deal cannot start before this one is over\.$"):
        next_deal(table(), KEY)


def test_no_next_deal_once_the_match_is_won() -> None:
    with pytest.raises(BadInput, match=r"^The match is over\. There is no next deal\.$"):
        next_deal(table(phase="over", deal=4), KEY)


def test_house_another_deal_follows_a_tie_that_is_played_off() -> None:
    over = table(house("standard", tie="extra_deals"), phase="over", deal=4, scores=[70, 70], hands=[""] * 4, feet=[None] * 4)  # fmt: skip
    assert next_deal(over, KEY).deal == 5
