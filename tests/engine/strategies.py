"""Strategies of the property tests: legal option sets, whole random games, and the same position hidden otherwise."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from engine.errors import BadRules
from engine.play.cards import RANKS
from engine.play.choices import legal_moves
from engine.play.game import apply, new_game
from engine.play.moves import Move
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.state import OVER, State

MELD_RANKS = list(RANKS[2:13])
POINTS = st.integers(-2000, 2000)


def by_deal(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A value, or one for each deal."""
    return st.one_of(
        values, values, st.builds(lambda each: {"by_deal": each}, st.lists(values, min_size=1, max_size=3))
    )


OPTION_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "decks": st.one_of(
        st.integers(4, 9),
        st.builds(lambda n: {"seats_plus": n}, st.integers(0, 3)),
        st.builds(lambda n: {"by_seats": {str(s): n + s for s in range(2, 13)}}, st.integers(0, 2)),
    ),
    "jokers_per_deck": st.integers(0, 6),
    "stacks": by_deal(
        st.one_of(
            st.tuples(st.integers(3, 16), st.integers(1, 16)).map(list),
            st.tuples(st.integers(3, 13), st.integers(1, 9), st.integers(1, 9)).map(list),
        )
    ),
    "lift": st.sampled_from(
        [
            None,
            {"by": "each", "within": [[0, 100]]},
            {"by": "each", "within": [[0, 250], [2, 50]]},
            {"by": "dealer", "within": [[1, 300], [4, -20]]},
        ]
    ),
    "pass_stack": by_deal(
        st.sampled_from(["none", "left", "right", "both", "both_left", "both_right", "first_left", "partner"])
    ),
    "hand_choice": st.sampled_from(["dealt", "choose", "higher_bottom", "lower_bottom"]),
    "foot_seen": st.booleans(),
    "upcard": st.one_of(st.booleans(), st.integers(2, 5)),
    "upcard_bury": st.lists(st.sampled_from(["red_three", "wild", "black_three", "7", "X"]), unique=True),
    "draw_count": by_deal(st.integers(2, 4)),
    "draw_top": st.sampled_from(["never", "first", "melded"]),
    "pile_take": by_deal(st.one_of(st.just("all"), st.integers(1, 12))),
    "pile_claim": st.sampled_from(["natural_pair", "legal_meld", "one_match", "none", "naturals", "new_meld"]),
    "pile_to_meld": st.sampled_from(["never", "unfrozen"]),
    "wild_on_top": st.sampled_from(["never", "matching_pair"]),
    "wild_freezes": st.booleans(),
    "take_needs_open": st.booleans(),
    "stock_out": st.sampled_from(["play_on", "end", "reshuffle"]),
    "last_red_three_ends": st.booleans(),
    "wild_limits": st.sampled_from(
        [[0, 0, 0, 0, 0], [1, 1, 1, 2, 2], [1, 2, 2, 2, 3], [2, 3, 4, 5, 6], [1, 2, 3, 3, 3]]
    ),
    "wild_beyond": st.sampled_from(["limit", "fewer", "equal"]),
    "wild_melds": st.booleans(),
    "pure_ranks": st.lists(st.sampled_from(MELD_RANKS), max_size=3, unique=True),
    "kept_ranks": st.lists(st.sampled_from(list(RANKS)), max_size=3, unique=True),
    "kept_until": st.sampled_from(["never", "own_sevens", "any_sevens", "every_sevens"]),
    "books_grow": st.builds(
        lambda clean, dirty, wild: {"clean": clean, "dirty": dirty, "wild": wild},
        st.sampled_from(["no", "natural", "any", "keeps"]),
        st.sampled_from(["no", "natural", "any"]),
        st.sampled_from(["no", "any"]),
    ),
    "melds_per_rank": st.sampled_from(["one", "after_book", "clean_and_dirty", "free"]),
    "garbage": st.booleans(),
    "black_three_meld": st.sampled_from(["never", "going_out", "always"]),
    "red_three_meld": st.booleans(),
    "opening_terms": st.lists(st.sampled_from(["books", "naturals", "empty_hand", "each_player"]), unique=True),
    "opening": st.sampled_from(
        [
            "none",
            {"by_deal": [20]},
            {"by_deal": ["clean_book"]},
            {"by_deal": [90, 120]},
            {"by_score": [[None, 15], [0, 50], [300, 90]]},
        ]
    ),
    "book_lock": st.sampled_from(["none", "opener_waits", "second_waits"]),
    "foot_when": st.sampled_from(["hand_empty", "own_book"]),
    "foot_after_discard": st.sampled_from(["at_once", "next_turn"]),
    "contract": by_deal(
        st.builds(lambda c, d, w: {"clean": c, "dirty": d, "wild": w}, *[st.integers(0, 1) for _ in range(3)])
    ),
    "contract_red_threes": st.sampled_from(["none", "all"]),
    "partner_foot": st.sampled_from(["none", "picked_up", "played"]),
    "permission": st.sampled_from(["none", "optional", "required"]),
    "last_card": st.sampled_from(["either", "discard", "meld"]),
    "final_turns": st.sampled_from([False, True, "always"]),
    "out_bonus": by_deal(POINTS),
    "values": st.dictionaries(st.sampled_from(list(RANKS)), st.integers(0, 60)),
    "book_bonus": st.sampled_from([{"clean": 500, "dirty": 300, "wild": 1500}, {"clean": 1, "dirty": 2, "wild": 3}]),
    "special_books": st.dictionaries(
        st.sampled_from(["3", "5", "7", "7", "K"]),
        st.builds(lambda p, n, m: {"points": p, "needed": n, "mixed": m}, POINTS, st.integers(0, 1), st.booleans()),
        max_size=2,
    ),
    "red_threes": st.sampled_from(["laid", "held"]),
    "red_three": st.builds(lambda a, b: {"laid": a, "held": b}, POINTS, POINTS),
    "red_three_all": st.one_of(st.none(), POINTS),
    "red_three_sets": st.sampled_from([None, {"size": 3, "points": 400}, {"size": 7, "points": -1000}]),
    "red_three_sevens": st.booleans(),
    "red_three_replaced": st.sampled_from(["always", "not_from_pile", "never"]),
    "wild_unfinished": POINTS,
    "wild_needs_clean": st.booleans(),
    "held_counts": st.sampled_from(["all", "others"]),
    "length": st.one_of(
        st.builds(lambda n: {"deals": n}, st.integers(1, 3)), st.builds(lambda n: {"target": n}, st.integers(1, 3000))
    ),
    "tie": st.sampled_from(["shared", "extra_deals"]),
    "penalties": st.sampled_from([None, {"out_refused": -100, "asked_not_out": -70, "wrong_claim": -50}]),
    "ask_wilds": st.booleans(),
}
"""Values to try for every option but `shapes`. One card drawn a turn makes long deals; a test of its own has it."""

NO_PILE = {
    **{"pile_take": "none", "pile_claim": "none", "pile_to_meld": "never", "wild_on_top": "never"},
    **{"wild_freezes": False, "take_needs_open": False},
}


@st.composite
def rulesets(draw: st.DrawFn) -> Rules:
    """A preset, or house rules: some options set one after the other, as far as they go together."""
    rules = Rules.preset(draw(st.sampled_from(list(PRESETS))))
    if draw(st.booleans()):
        names = draw(st.lists(st.sampled_from(list(OPTION_VALUES)), max_size=14, unique=True))
        changes = [{name: draw(OPTION_VALUES[name])} for name in names]
        if draw(st.integers(0, 9)) == 0:
            changes.append(NO_PILE)
        for change in changes:
            try:
                rules = Rules.make(rules, change)
            except BadRules:
                continue
    return rules


def start(rules: Rules, rng: random.Random) -> State:
    """The first position of a match at a table of any size that the ruleset allows."""
    shape = rng.choice(rules.shapes)
    phrases = tuple(rng.choice(["", "luck", "Glück auf"]) for _ in range(shape.seats))
    return new_game(
        rules,
        rng.randbytes(32),
        seats=shape.seats,
        team_size=shape.team_size,
        dealer=rng.randrange(shape.seats),
        phrases=phrases,
        assist=rng.random() < 0.7,
    )


def eager(state: State, rng: random.Random) -> Move:
    """A random legal move, melding and taking more often than a uniform choice would, so that deals get on."""
    moves = legal_moves(state)
    busy = [move for move in moves if move.kind in ("meld", "take")]
    return rng.choice(busy) if busy and rng.random() < 0.5 else rng.choice(moves)


def positions(rules: Rules, rng: random.Random, limit: int = 6000) -> Iterator[State]:
    """Every position of one whole random deal, the last one over; fails where the deal does not end."""
    state = start(rules, rng)
    for _ in range(limit):
        yield state
        if state.phase == OVER:
            return
        state, _ = apply(state, eager(state, rng))
    raise AssertionError(f"no end after {limit} moves: {rules.write_options()}")


def all_cards(state: State) -> bytes:
    """Every card of a position, wherever it lies, in order."""
    melds = [meld.cards for team in state.melds for meld in team]
    feet = [stack for stack in (*state.knees, *state.feet) if stack is not None]
    stacks = [cards for pair in state.stacks if pair for cards in pair]
    lists = [*state.hands, *feet, *stacks, *melds, *state.red_threes, *state.laid_sevens, state.pile, state.stock]
    return bytes(sorted(b"".join(lists)))


def hidden_otherwise(state: State, seat: int | None, rng: random.Random) -> State:
    """Another position that differs from this one only in cards that `seat` cannot see, and in the seed."""
    sees_foot = seat is not None and state.phase == "draw" and state.turn == seat and state.first_turn[seat]
    sees_foot = sees_foot and state.peeked[seat] if seat is not None else False
    places: list[tuple[str, Any, bytes]] = [("stock", None, state.stock)]
    places += [("hands", owner, cards) for owner, cards in enumerate(state.hands) if owner != seat]
    places += [
        ("feet", owner, cards)
        for owner, cards in enumerate(state.feet)
        if cards is not None and not (owner == seat and sees_foot)
    ]
    places += [("knees", owner, cards) for owner, cards in enumerate(state.knees) if cards is not None]
    places += [("stacks", (owner, i), pair[i]) for owner, pair in enumerate(state.stacks) if pair for i in (0, 1)]
    pool = list(b"".join(cards for _, _, cards in places))
    rng.shuffle(pool)
    draft = state.draft()
    for name, where, cards in places:
        dealt, pool = bytes(pool[: len(cards)]), pool[len(cards) :]
        if name == "stock":
            draft.stock = dealt
        elif name == "stacks":
            owner, index = where
            pair = list(draft.stacks[owner] or ())
            pair[index] = dealt
            draft.stacks = (*draft.stacks[:owner], (pair[0], pair[1]), *draft.stacks[owner + 1 :])
        else:
            items = list(getattr(draft, name))
            items[where] = bytes(sorted(dealt))
            setattr(draft, name, tuple(items))
    draft.seed = rng.randbytes(32)
    if state.undo and state.turn != seat:
        pack = list(state.rules.pack(state.seats))
        draft.undo = tuple(step._replace(hand=bytes(sorted(rng.sample(pack, len(step.hand))))) for step in state.undo)
    return draft.freeze()
