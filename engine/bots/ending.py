"""Ends of deals: when to ask, how to answer, and when to go out."""

from __future__ import annotations

from functools import partial

from engine.bots.knowledge import Sight, table_points, turns_left
from engine.bots.melding import whole_hand
from engine.bots.planning import emptying_plan
from engine.play.cards import WILD_CARDS, count_wild
from engine.play.legality.card_verdicts import judge_meld
from engine.play.legality.going_out import why_not_out
from engine.play.legality.laying import Laid
from engine.play.legality.legal import is_legal, permitted
from engine.play.melds import BOOK, Meld, book_kind
from engine.play.moves import ASK, DISCARDS, END, NO, YES, Group, Move
from engine.play.rules import Rules
from engine.play.state import Position

CARD = 9.0
"""Points of a card that is not seen, on average."""
BEHIND = -150.0
"""A deal may be ended though the team would be this far behind; further, it plays on and hopes."""
HOPELESS, CATCHES_UP = 4.0, 400.0
"""Turns left to each seat from which it may be ended further behind, and the points for each turn that has gone since."""
MOST = 14
"""With more cards than this nobody goes out; it is not looked for."""
MISSING = 3
"""With more books missing than this nobody goes out either."""


def closing_move(sight: Sight) -> Move | None:
    """The next move towards going out from the foot now, or `None` where that is not possible or not wise."""
    state = sight.state
    if not sight.hand:
        return END if is_legal(state, END) else None
    if len(sight.hand) > MOST or sum(sight.missing().values()) > MISSING:
        return None
    asks = state.team_size > 1 and state.rules.permission == "required" and not state.allowed
    if asks and state.refused:
        return None
    plan = way_out(sight, permitted(state) if asks else state)
    if plan is None or not (state.allowed or is_wise(state, sight.seat, plan.groups)):
        return None
    if not asks:
        return plan if plan.kind == "meld" else None
    if sight.missing() and (books := _books_first(sight, plan)):
        return books
    return ASK if is_legal(state, ASK) else None


def way_out(sight: Sight, state: Position) -> Move | None:
    """A move that lays the whole hand, or all but a card, for going out; a lone card may also be discarded.

    It is judged in `state`: the position of the sight, or that with the partners' leave to go out.
    """
    if len(sight.hand) == 1 and why_not_out(state, sight.melds) is None:
        return DISCARDS[sight.hand[0]]
    if plan := emptying_plan(sight, partial(_out_price, sight.rules), state=state, fulfils=True):
        return plan.move
    return None if sight.rules.is_plain else whole_hand(Sight(state, sight.memory, sight.habits))


def _out_price(rules: Rules, old: Meld, new: Meld) -> float:
    """Books that are completed as the deal ends bring points; nothing else matters any more."""
    return -float(rules.bonus_of[book_kind(rules, new)]) if len(old.cards) < BOOK <= len(new.cards) else 0.0


def _books_first(sight: Sight, plan: Move) -> Move | None:
    """The groups of a plan that complete books of the contract: the partner, who is asked then, sees them."""
    missing, groups = sight.missing(), []
    for group in plan.groups:
        old = sight.open.get(name := meld_name(group))
        if old is None or len(old.cards) + len(group.cards) < BOOK:
            continue
        kind = book_kind(sight.rules, Meld(name, b"", old.wild + count_wild(group.cards)))
        if missing.get(kind, 0) > 0:
            missing = missing | {kind: missing[kind] - 1}
            groups.append(group)
    move = Move("meld", tuple(groups))
    return move if groups and is_legal(sight.state, move) else None


def meld_name(group: Group) -> int:
    """The name of the meld that a group joins or starts."""
    if group.name is not None:
        return group.name
    return group.cards.translate(None, WILD_CARDS)[0] // 4


def answer(state: Position) -> Move:
    """A partner's answer: yes where ending now leaves the team ahead, or not far behind."""
    return YES if is_wise(state, state.actor) else NO


def is_wise(state: Position, seat: int, groups: tuple[Group, ...] = ()) -> bool:
    """Whether ending now, by the team whose turn it is, looks good to one of its seats, with these groups laid."""
    if groups and type(laid := judge_meld(permitted(state), Move("meld", groups))) is Laid:
        draft = state.draft()
        draft.melds = tuple(laid.melds if team == state.team else melds for team, melds in enumerate(state.melds))
        state = draft
    return margin_out(state, seat) > BEHIND - CATCHES_UP * max(0.0, HOPELESS - turns_left(state))


def margin_out(state: Position, seat: int) -> float:
    """Lead in points of the team of the turn over the best other, if it went out now.

    Weighs the cards on the table, the cards in `seat`'s own hand, and an average for each card that it does not see;
    the seat of the turn is taken to have laid everything.
    """
    scores = []
    for team in range(state.teams):
        points = float(table_points(state, team))
        for member in range(team, state.seats, state.teams):
            if member == state.turn:
                continue
            if member == seat:
                points -= sum([state.rules.card_values[card] for card in state.hands[member]])
            else:
                points -= CARD * len(state.hands[member])
            points -= CARD * (len(state.knees[member] or b"") + len(state.feet[member] or b""))
        scores.append(points)
    score = scores.pop(state.team)
    return score + state.rules.out_bonus - max(scores)
