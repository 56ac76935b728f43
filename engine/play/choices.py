"""The choices a player has: legal moves, one for each set of moves that differ only in equal cards.

Two cards are equal in play when they have the same rank (suits never matter, but for the colour of threes). The list
is complete in this sense: every legal discard and every legal meld or claim of one group is there up to equal cards.
Moves of several groups are there where one group will not do: to reach the opening minimum (sets of groups of which
none can be left out, each with all the naturals it can hold), and to lay the whole hand when going out. `undo` and a
second `wilds` in a turn are legal but are no choice of play, so they are left out; so are claims that are accepted
only at the price of a penalty.

Order: `peek`, `draw`, `draw top`, claims; then melds by rank from four to ace, wild cards, garbage, black threes, each from few
cards to many; sets of groups; discards by rank; `ask`, `wilds`, `end`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product

from engine.play.cards import FOUR, JOKER, RANK_OF, THREE, TWO, WILD_CARDS, by_rank, spans_of
from engine.play.legality.card_moves import card_moves
from engine.play.legality.card_verdicts import (
    Verdict,
    has_meld_for,
    judge_draw_top,
    judge_take,
    why_pile_shut,
    why_top_undrawn,
)
from engine.play.legality.free_melds import pick, variants
from engine.play.legality.going_out import all_kept
from engine.play.legality.group_sets import openings
from engine.play.legality.laying import Laid
from engine.play.legality.legal import can_draw, is_legal
from engine.play.legality.places import NEW, Place, places
from engine.play.melds import BOOK, Meld
from engine.play.move_list import MoveList, Way
from engine.play.moves import (
    ASK,
    DRAW,
    DRAW_TOP,
    END,
    KEEP_FIRST,
    KEEP_SECOND,
    NO,
    PEEK,
    TAKE,
    WILD,
    WILDS,
    YES,
    Move,
    claim,
    grab,
)
from engine.play.refusals import Refusal
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, PLAYING, Position


def legal_moves(state: Position) -> Sequence[Move]:
    """The choices of the seat to act, in the order described above; empty once the deal is over.

    They equal a list of the same moves, and some are made only when somebody looks at them.
    """
    if state.phase == PLAYING:
        return _play_choices(state)
    if state.phase == DRAWING:
        return _draw_choices(state)
    if state.phase == ANSWERING:
        return [YES, NO]
    if state.phase == CHOOSE:
        return [KEEP_FIRST, KEEP_SECOND]
    if state.phase == LIFT:
        return list(_grabs(len(state.rules.pack(state.seats))))
    return []


@lru_cache(maxsize=32)
def _grabs(most: int) -> tuple[Move, ...]:
    """Lifts of up to so many cards. Cached, because a pack has hundreds."""
    return tuple([grab(number) for number in range(1, most + 1)])


def _draw_choices(state: Position) -> list[Move]:
    rules = state.rules
    moves = []
    if rules.foot_seen and is_legal(state, PEEK):
        moves.append(PEEK)
    drawable = can_draw(state)
    if drawable:
        moves.append(DRAW)
    if rules.draw_top != "never":
        moves += _top_draws(state)
    if state.pile and rules.pile_take != "none":
        moves += _claims(state)
    if rules.ask_wilds and not state.wilds_asked and is_legal(state, WILDS):
        moves.append(WILDS)
    if not drawable:
        moves.append(END)
    return moves


def _play_choices(state: Position) -> MoveList:
    rules, hand = state.rules, state.hands[state.turn]
    moves = card_moves(state)
    if rules.permission != "none" and state.feet[state.turn] is None and is_legal(state, ASK):
        moves.append(ASK)
    if rules.ask_wilds and not state.wilds_asked and is_legal(state, WILDS):
        moves.append(WILDS)
    maybe_end = state.last_red_three or len(hand) < 2 or not moves
    if rules.kept_ranks and not maybe_end:
        maybe_end = all_kept(state, state.melds[state.team], hand)
    if maybe_end and is_legal(state, END):
        moves.append(END)
    return moves


# Claims


def _claims(state: Position) -> Iterator[Move]:
    """Legal ways to take the pile."""
    rules, top = state.rules, state.pile[0]
    least = 2 if state.frozen or top in WILD_CARDS else rules.least_match
    alike = state.hands[state.turn].translate(RANK_OF).count(top // 4)
    to_meld = rules.pile_to_meld != "never" and not state.frozen and has_meld_for(state, top)
    if (alike < least and not to_meld) or why_pile_shut(state):
        return
    if to_meld and type(judge_take(state, TAKE)) is Laid:
        yield TAKE
    if alike >= least:
        yield from _with_top(state, "take", judge_take, least)


def _top_draws(state: Position) -> Iterator[Move]:
    """Legal ways to draw the top card of the pile."""
    if why_top_undrawn(state):
        return
    if type(judge_draw_top(state, DRAW_TOP)) is not Refusal:
        yield DRAW_TOP
    if state.rules.draw_top == "melded":
        yield from _with_top(state, "draw_top", judge_draw_top, 1)


def _with_top(state: Position, kind: str, judge: Callable[[Position, Move], Verdict], least: int) -> Iterator[Move]:
    """Moves that meld the top card of the pile with cards from the hand, at least so many natural ones."""
    rules, hand, top = state.rules, state.hands[state.turn], state.pile[0]
    ranks, rank = by_rank(hand), top // 4
    twos, jokers = ranks[TWO], ranks[JOKER]
    place = _place_of_top(state, kind)
    too_few = range(0)
    if place is not None:
        wild = min(len(twos) + len(jokers), rules.wild_limits[-1]) if rank not in rules.pure else 0
        room = min(len(hand) - 2, len(hand.translate(None, rules.kept_cards)) - 1)
        most = BOOK if rules.book_lock == "none" else BOOK - 1
        if len(ranks[rank]) + wild <= min(room, most - place[0] - 1):
            numbers = len(ranks[rank]), min(len(twos), wild), min(len(jokers), wild)
            for natural, two, joker in _claim_ways(rules.wild_limits, place, least, *numbers):
                yield claim(twos[:two] + ranks[rank][:natural] + jokers[:joker], kind)
            return
        if not rules.grows:  # one card or two beyond a book are no meld
            too_few = range(BOOK - place[0], BOOK - place[0] + 2)
    if top in WILD_CARDS:
        matching, extra = (twos, jokers) if rank == TWO else (jokers, twos)
        cards_by_way = [matching[:n] + extra[:o] for n in range(2, len(matching) + 1) for o in range(len(extra) + 1)]
    else:
        naturals = ranks[rank]
        if rank == THREE:
            naturals = naturals.translate(None, rules.never_melded)
        if len(naturals) < least or len(naturals) + len(twos) + len(jokers) < 1:
            return
        most_wild = rules.wild_limits[-1] if rules.wild_beyond == "limit" else len(twos) + len(jokers)
        cards_by_way = [
            twos[:two] + natural + jokers[:joker]
            for count in range(least, len(naturals) + 1)
            for natural in (pick(naturals, count) if rank == THREE else (naturals[:count],))
            for two in range(min(len(twos), most_wild) + 1)
            for joker in range(min(len(jokers), most_wild - two) + 1)
            if count + two + joker and count + two + joker not in too_few
        ]
    values = rules.opening_values
    is_one_place = rules.is_plain or rules.melds_per_rank == "one"
    short = 0 if rules.opening_terms else state.minimum - values[top]  # cards of less worth open nothing
    for cards in cards_by_way:
        move = claim(cards, kind)
        verdict = None if sum(map(values.__getitem__, cards)) < short else judge(state, move)
        if type(verdict) is Laid:
            yield move
            if not is_one_place:
                yield from _claimed_otherwise(state, move, judge, verdict.melds)
        elif state.minimum:
            if not is_one_place:
                yield from _claimed_otherwise(state, move, judge, ())
            remaining = hand
            for card in cards:
                remaining = remaining.replace(bytes([card]), b"", 1)
            rest = spans_of(remaining)
            rest.pop(rank, None)
            yield from openings(state, rest, move)
        elif not is_one_place:
            yield from _claimed_otherwise(state, move, judge, ())


@lru_cache(maxsize=4096)
def _claim_ways(
    limits: tuple[int, ...], place: Place, least: int, naturals: int, twos: int, jokers: int
) -> tuple[Way, ...]:
    """Ways to join the place with a natural top card, at least so many naturals and others, seven cards at most."""
    held, wild, _ = place
    ways: list[Way] = []
    for natural, two in product(range(least, naturals + 1), range(twos + 1)):
        for joker in range(min(jokers, limits[-1] - two) + 1):
            count, wilds = natural + two + joker, wild + two + joker
            size = held + 1 + count
            if count and size >= 3 and (not wilds or wilds <= limits[size - 3]):
                ways.append((natural, two, joker))
    return tuple(ways)


def _place_of_top(state: Position, kind: str) -> Place | None:
    """What a claim's cards join if only the limits of a meld can refuse them; `None` where there is more to judge."""
    rules, rank = state.rules, state.pile[0] // 4
    by_match = kind == "take" and rules.pile_claim in ("natural_pair", "one_match") and FOUR <= rank < JOKER
    if not (by_match and rules.has_single_melds) or state.minimum:
        return None
    return places(rules, state.melds[state.team]).get(rank, NEW)


def _claimed_otherwise(
    state: Position, move: Move, judge: Callable[[Position, Move], Verdict], melds: tuple[Meld, ...]
) -> Iterator[Move]:
    """The same cards with the top card as a new meld, or on the one with wild cards, if that makes other melds."""
    seen = {melds}
    wild_top = state.pile[0] in WILD_CARDS
    for group in variants(move.groups[0]._replace(name=WILD) if wild_top else move.groups[0])[1:]:
        other = Move(move.kind, (group,))
        verdict = judge(state, other)
        if type(verdict) is Laid and verdict.melds not in seen:
            seen.add(verdict.melds)
            yield other
