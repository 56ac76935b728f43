"""The choices a player has: legal moves, one for each set of moves that differ only in equal cards.

Two cards are equal in play when they have the same rank (suits never matter, but for the colour of threes). The list
is complete in this sense: every legal discard and every legal meld or claim of one group is there up to equal cards.
Moves of several groups are there where one group will not do: to reach the opening minimum (sets of groups of which
none can be left out, each with all the naturals it can hold), and to lay the whole hand when going out. `undo` and a
second `wilds` in a turn are legal but are no choice of play, so they are left out; so are claims that are accepted
only at the price of a penalty.

Order: `peek`, `draw`, claims; then melds by rank from four to ace, wild cards, garbage, black threes, each from few
cards to many; sets of groups; discards by rank; `ask`, `wilds`, `end`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.play.cards import JOKER, TWO, WILD_CARDS, spans_of
from engine.play.legality.card_moves import card_moves
from engine.play.legality.card_verdicts import judge_take, why_pile_shut
from engine.play.legality.going_out import all_kept
from engine.play.legality.group_sets import openings
from engine.play.legality.laying import Laid
from engine.play.legality.legal import can_draw, is_legal
from engine.play.moves import ASK, DRAW, END, KEEP_FIRST, KEEP_SECOND, NO, PEEK, TAKE, WILDS, YES, Move, claim, grab
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, PLAYING, Position


def legal_moves(state: Position) -> list[Move]:
    """The choices of the seat to act, in the order described above; empty once the deal is over."""
    if state.phase == PLAYING:
        return _play_choices(state)
    if state.phase == DRAWING:
        return _draw_choices(state)
    if state.phase == ANSWERING:
        return [YES, NO]
    if state.phase == CHOOSE:
        return [KEEP_FIRST, KEEP_SECOND]
    if state.phase == LIFT:
        return [grab(n) for n in range(1, len(state.rules.pack(state.seats)) + 1)]
    return []


def _draw_choices(state: Position) -> list[Move]:
    rules = state.rules
    moves = []
    if rules.foot_seen and is_legal(state, PEEK):
        moves.append(PEEK)
    drawable = can_draw(state)
    if drawable:
        moves.append(DRAW)
    if state.pile and rules.pile_take != "none":
        moves += _claims(state)
    if rules.ask_wilds and not state.wilds_asked and is_legal(state, WILDS):
        moves.append(WILDS)
    if not drawable:
        moves.append(END)
    return moves


def _play_choices(state: Position) -> list[Move]:
    rules = state.rules
    moves = list(card_moves(state))
    if rules.permission != "none" and is_legal(state, ASK):
        moves.append(ASK)
    if rules.ask_wilds and not state.wilds_asked and is_legal(state, WILDS):
        moves.append(WILDS)
    hand = state.hands[state.turn]
    maybe_end = state.last_red_three or len(hand) < 2 or not moves
    if (maybe_end or all_kept(state, state.melds[state.team], hand)) and is_legal(state, END):
        moves.append(END)
    return moves


# Claims


def _claims(state: Position) -> Iterator[Move]:
    """Legal ways to take the pile."""
    if why_pile_shut(state):
        return
    if state.rules.pile_to_meld != "never" and type(judge_take(state, TAKE)) is Laid:
        yield TAKE
    hand, top = state.hands[state.turn], state.pile[0]
    spans = spans_of(hand)
    twos, jokers = spans.get(TWO, b""), spans.get(JOKER, b"")
    least = _least_match(state)
    if top in WILD_CARDS:
        matching, extra = (twos, jokers) if top // 4 == TWO else (jokers, twos)
        cards_by_way = [matching[:n] + extra[:o] for n in range(2, len(matching) + 1) for o in range(len(extra) + 1)]
    else:
        naturals = spans.get(top // 4, b"")
        if len(naturals) < least or len(naturals) + len(twos) + len(jokers) < 1:
            return
        most = state.rules.wild_limits[-1]
        cards_by_way = [
            twos[:two] + naturals[:natural] + jokers[:joker]
            for natural in range(least, len(naturals) + 1)
            for two in range(min(len(twos), most) + 1)
            for joker in range(min(len(jokers), most - two) + 1)
            if natural + two + joker
        ]
    for cards in cards_by_way:
        move = claim(cards)
        if type(judge_take(state, move)) is Laid:
            yield move
        elif state.minimum:
            remaining = hand
            for card in cards:
                remaining = remaining.replace(bytes([card]), b"", 1)
            rest = spans_of(remaining)
            rest.pop(top // 4, None)
            yield from openings(state, rest, move)


def _least_match(state: Position) -> int:
    """The fewest naturals of the top card's rank that a claim needs."""
    if state.frozen or state.rules.pile_claim == "natural_pair":
        return 2
    return {"one_match": 1, "legal_meld": 0}.get(state.rules.pile_claim, 100)
