"""Properties of every preset and of random legal option sets, at every position of whole random deals."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput
from engine.play.cards import JOKERS, RED_THREES, TWOS, WILD_CARDS
from engine.play.choices import legal_moves
from engine.play.game import apply, next_deal
from engine.play.legality.legal import why_not
from engine.play.moves import Group, Move, move_from_json, move_to_json, parse_move, write_move
from engine.play.position import read_position, write_position
from engine.play.record import Game, replay, write_record
from engine.play.refusals import IllegalMove
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.scoring import MOST_DEALS, match_winners, outcome
from engine.play.state import DRAWING, MOST_RESHUFFLES, OVER, State
from engine.play.view import view, view_to_json
from tests.engine.strategies import all_cards, eager, hidden_otherwise, positions, rulesets, start
from tests.tries import tries

seeds = st.integers(0, 2**32).map(random.Random)
few = tries(25)
some = tries(60)


@given(rulesets(), seeds)
@some
def test_cards_are_conserved_and_red_threes_never_stay_with_the_player_to_act(rules: Rules, rng: random.Random) -> None:
    for state in positions(rules, rng):
        pack = bytes(sorted(rules.pack(state.seats)))
        assert all_cards(state) == pack
        assert all(bytes(sorted(hand)) == hand for hand in state.hands)
        if state.phase in ("draw", "play", "answer") and rules.red_threes == "laid":
            assert not set(RED_THREES) & set(state.hands[state.turn])


@given(rulesets(), seeds)
@some
def test_as_many_claims_are_listed_unjudged_as_a_judge_allows(rules: Rules, rng: random.Random) -> None:
    for state in positions(rules, rng):
        if state.phase == DRAWING and state.pile:
            moves = legal_moves(state)
            with pytest.MonkeyPatch.context() as judged:
                judged.setattr("engine.play.choices._place_of_top", lambda state, kind: None)
                assert moves == legal_moves(state)


GOES_ROUND = {"draw_count": 1, "stock_out": "reshuffle"}
"""One card in, one card out, and the discards become the stock again."""


@given(rulesets(), seeds, st.booleans())
@tries(6)
def test_random_play_ends_every_deal_though_cards_go_round(rules: Rules, rng: random.Random, melds: bool) -> None:
    """Also if nobody melds or takes: only acts that a player cannot avoid."""
    rules = Rules.make(rules, GOES_ROUND | ({} if rules.draw_top != "first" else {"draw_top": "never"}))
    state = start(rules, rng)
    for _ in range(2 * (MOST_RESHUFFLES + 2) * len(rules.pack(state.seats))):
        if state.phase == OVER:
            break
        moves = legal_moves(state)
        lazy = [move for move in moves if move.kind not in ("meld", "take", "ask", "wilds")]
        state = apply(state, rng.choice(moves if melds else lazy or moves)).state
    assert state.phase == OVER


@given(rulesets(), st.data())
def test_every_match_ends(rules: Rules, data: st.DataObject) -> None:
    totals = tuple(data.draw(st.lists(st.integers(-9999, 9999), min_size=2, max_size=4)))
    assert match_winners(rules, MOST_DEALS, totals)


@given(rulesets(), seeds)
@few
def test_every_legal_move_applies_and_reads_back_as_text_and_json(rules: Rules, rng: random.Random) -> None:
    for state in positions(rules, rng):
        moves = legal_moves(state)
        assert len(set(moves)) == len(moves)
        assert bool(moves) == (state.phase != OVER)
        for move in moves if len(moves) < 12 else rng.sample(moves, 6):
            assert why_not(state, move) is None
            after = apply(state, move).state
            assert after != state
            assert after.penalties == state.penalties or move.kind in ("discard", "end")  # no claim at a price
            assert parse_move(write_move(move)) == move
            assert move_from_json(json.loads(json.dumps(move_to_json(move)))) == move


def random_move(state: State, rng: random.Random) -> Move:
    """Some move, more often wrong than right, with cards from the hand as a player would name them."""
    kind = rng.choice(
        ["draw", "draw_top", "take", "meld", "meld", "meld", "discard", "end", "undo", "ask", "wilds", "peek", "answer"]
    )
    hand = list(state.hands[state.turn]) or [0]
    if kind == "discard":
        return Move(kind, card=rng.choice([*hand, rng.randrange(54)]))
    if kind not in ("meld", "take", "draw_top"):
        return Move(kind, number=rng.randrange(2) if kind == "answer" else 0)
    groups = []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        rank = rng.choice(hand) // 4
        alike = [card for card in hand if card // 4 == rank]
        wild = [card for card in hand if card in WILD_CARDS and card // 4 != rank]
        cards = rng.sample(alike, rng.randint(1, len(alike))) + rng.sample(wild, rng.randint(0, min(2, len(wild))))
        groups.append(Group(rng.choice([None, None, None, rank or 14, 14, 15]), bytes(cards)))
        if groups[-1].name == 13:
            groups[-1] = Group(14, bytes(cards))
        groups[-1] = groups[-1]._replace(is_new=rng.random() < 0.1, is_mixed=rng.random() < 0.05)
        groups[-1] = groups[-1]._replace(is_mixed=groups[-1].is_mixed and groups[-1].name not in (None, 14, 15))
    return Move(kind, tuple(groups))


@given(rulesets(), seeds)
@few
def test_why_not_is_none_exactly_when_apply_accepts(rules: Rules, rng: random.Random) -> None:
    for state in positions(rules, rng):
        for move in [random_move(state, rng) for _ in range(4)]:
            before = dict(vars(state))
            refusal = why_not(state, move)
            try:
                apply(state, move)
            except IllegalMove as error:
                assert error.refusal == refusal
                assert refusal is not None
                assert refusal.sentence.endswith(".")
            else:
                assert refusal is None
            assert vars(state) == before


def shape_of(move: Move) -> tuple[object, ...]:
    """A move of one group up to equal cards."""
    (group,) = move.groups
    natural = group.cards.translate(None, WILD_CARDS)
    twos = sum(card in TWOS for card in group.cards)
    jokers = sum(card in JOKERS for card in group.cards)
    name = group.name if not natural or group.name == 15 else None
    return move.kind, name, Counter(card // 4 for card in natural), twos, jokers


@given(rulesets(), seeds)
@few
def test_legal_moves_of_one_group_are_complete_up_to_equal_cards(rules: Rules, rng: random.Random) -> None:
    for state in positions(rules, rng):
        moves = legal_moves(state)
        shapes = [shape_of(move) for move in moves if len(move.groups) == 1]
        for _ in range(8):
            move = random_move(state, rng)
            if why_not(state, move) is not None or state.minimum or not state.assist:
                continue
            if len(move.groups) == 1 and len({card // 4 for card in move.groups[0].cards} - {0, 13}) <= 1:
                assert shape_of(move) in shapes, write_move(move)
            elif move.kind == "discard":
                assert move.card // 4 in [
                    listed_move.card // 4 for listed_move in moves if listed_move.kind == "discard"
                ]


@given(rulesets(), seeds)
@few
def test_views_moves_and_sentences_do_not_depend_on_hidden_cards(rules: Rules, rng: random.Random) -> None:
    for state in positions(rules, rng):
        seat = rng.choice([None, *range(state.seats)])
        other = hidden_otherwise(state, seat, rng)
        if state.phase == OVER:
            continue
        first, second = view(state, seat), view(other, seat)
        assert first == second
        assert view_to_json(first) == view_to_json(second)
        assert repr(state) == repr(other)
        if seat == state.actor:
            assert legal_moves(state) == legal_moves(other) == first.legal_moves() == second.legal_moves()
            for move in [random_move(state, rng) for _ in range(4)]:
                assert why_not(state, move) == why_not(other, move) == first.why_not(move)


@given(rulesets(), seeds)
@few
def test_events_of_a_move_show_others_only_what_the_table_sees(rules: Rules, rng: random.Random) -> None:
    """Every card that an event shows to a spectator lies on the table, in the pile, or came from there."""
    state = start(rules, rng)
    while state.phase != OVER:
        after, events = apply(state, eager(state, rng))
        public = Counter(state.pile) + Counter(b"".join(m.cards for team in after.melds for m in team))
        public += Counter(after.pile) + Counter(b"".join(after.red_threes)) + Counter(b"".join(after.laid_sevens))
        for event in events:
            assert not set(event.seen_by(None).cards) - set(public)
        state = after


@given(rulesets(), seeds)
@few
def test_positions_round_trip_as_snapshots(rules: Rules, rng: random.Random) -> None:
    for state in positions(rules, rng):
        if rng.random() < 0.2 or state.phase == OVER:
            assert read_position(json.loads(json.dumps(write_position(state)))) == state


@given(rulesets(), seeds)
@few
def test_replay_equals_play(rules: Rules, rng: random.Random) -> None:
    shape = rng.choice(rules.shapes)
    players = tuple(f"Player {seat}" for seat in range(shape.seats))
    game = Game.start(rules, players, rng.randbytes(32), team_size=shape.team_size, assist=rng.random() < 0.5)
    for _ in range(2):
        while game.state.phase != OVER:
            game.play(eager(game.state, rng), "2026-11-21T03:00:00+00:00")
        if outcome(game.state).winners is not None:  # type: ignore[union-attr]
            break
        game.next_deal(rng.randbytes(32), tuple(f"phrase {seat}" for seat in range(shape.seats)))
    if game.state.phase == OVER:
        record = json.loads(json.dumps(write_record(game)))
        replayed = replay(record).game
        assert replayed.state == game.state
        assert [log.events for log in replayed.deals] == [log.events for log in game.deals]
        assert [log.result for log in replayed.deals] == [log.result for log in game.deals]


@given(rulesets(), seeds)
@few
def test_matches_end_and_totals_add_up(rules: Rules, rng: random.Random) -> None:
    state = start(rules, rng)
    totals = (0,) * state.teams
    for _ in range(4):
        while state.phase != OVER:
            state, _ = apply(state, eager(state, rng))
        result = outcome(state)
        assert result is not None
        totals = tuple(total + points for total, points in zip(totals, result.deal_score, strict=True))
        assert result.totals == totals
        assert tuple(sum(item.points for item in sheet) for sheet in result.sheets) == result.deal_score
        if result.winners is not None:
            assert all(totals[team] == max(totals) for team in result.winners)
            with pytest.raises(BadInput, match="The match is over"):
                next_deal(state, bytes(32))
            return
        before = state
        state = next_deal(state, rng.randbytes(32))
        assert (state.deal, state.dealer) == (before.deal + 1, (before.dealer + 1) % state.seats)


@given(st.binary(max_size=80))
def test_random_bytes_as_a_move_are_refused(junk: bytes) -> None:
    with pytest.raises(BadInput):
        parse_move(junk.decode("latin-1") + "!")


@given(st.text(max_size=60))
def test_any_text_is_a_move_or_bad_input(text: str) -> None:
    try:
        move = parse_move(text)
    except BadInput as error:
        assert error.sentence
    else:
        assert parse_move(write_move(move)) == move


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["move", "groups", "cards", "name", "card", "yes", "number", "meld"]), inner)
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_json_is_a_move_or_bad_input(data: object) -> None:
    try:
        move = move_from_json(data)
    except BadInput as error:
        assert error.sentence
    else:
        assert move_from_json(move_to_json(move)) == move


@given(
    st.dictionaries(
        st.sampled_from(["rules", "hands", "feet", "melds", "turn", "phase", "pile", "stock", "seats"]), json_values
    )
)
def test_any_json_is_a_position_or_bad_input(data: dict[str, object]) -> None:
    try:
        read_position({"rules": "standard", **data})
    except BadInput as error:
        assert error.sentence


@given(rulesets())
def test_rules_read_back_equal(rules: Rules) -> None:
    copy = Rules.read(json.loads(json.dumps(rules.write())))
    assert copy == rules
    assert copy.differences(rules) == []
    assert Rules.make(rules.name, rules.write_options()) == rules


@pytest.mark.parametrize("name", PRESETS)
def test_a_state_shows_no_card_in_its_repr(name: str) -> None:
    state = start(Rules.preset(name), random.Random(1))
    assert repr(state).startswith("<State: ")
    assert "deal 1" in repr(state)
    assert not any(char in repr(state) for char in "\\[{\x00")
