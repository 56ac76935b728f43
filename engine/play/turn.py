"""Automatic parts of a turn: cards drawn, red threes laid, feet picked up, turns and deals ended.

Every function here changes a `Draft` and adds to a list of events.
"""

from __future__ import annotations

from engine.play.cards import RED_THREES, SINGLES, WILD_CARDS, Cards
from engine.play.deal import reshuffled
from engine.play.events import Event
from engine.play.state import CHOOSE, DRAWING, LIFT, OVER, Draft, put

Events = list[Event]


_TURN_BEGAN = tuple([Event("turn_began", seat) for seat in range(12)])
"""The beginning of a turn of each seat: no table has more."""
_DISCARDED = tuple([[Event("discarded", seat, single) for single in SINGLES] for seat in range(12)])
"""The discard of each card by each seat."""


def begin_turn(draft: Draft, seat: int, events: Events) -> None:
    """Give the turn to `seat`: a foot that waited is picked up, red threes held are laid."""
    draft.turn = seat
    draft.phase = DRAWING
    draft.foot_due = draft.allowed = draft.refused = draft.foot_acted = draft.wilds_asked = False
    draft.answers = 0
    draft.undo = ()
    events.append(_TURN_BEGAN[seat])
    settle(draft, events)


def settle(draft: Draft, events: Events) -> None:
    """Lay red threes and pick up a foot that is due for the seat of the turn (ruling 18)."""
    seat, rules = draft.turn, draft.rules
    held = draft.hands[seat]
    rest = held.translate(None, rules.laid_threes)
    if len(rest) != len(held):
        red = bytes([card for card in held if card in RED_THREES])
        draft.hands = put(draft.hands, seat, b"")
        receive(draft, rest + red, events, replaced=rules.red_three_replaced != "never", drawn=False)
    if rules.foot_when == "hand_empty" or draft.phase == DRAWING:
        while not draft.hands[seat] and draft.feet[seat] is not None:
            pick_up_stack(draft, events)


def receive(draft: Draft, cards: Cards, events: Events, *, replaced: bool, drawn: bool) -> None:
    """Put cards into the hand of the seat to act; red threes among them are laid and, if so, `replaced`."""
    seat = draft.turn
    to_hand = cards.translate(None, draft.rules.laid_threes)
    if len(to_hand) != len(cards):
        red = bytes([card for card in cards if card in RED_THREES])
        to_hand += _lay_red_threes(draft, red, events, replaced=replaced)
    if drawn:
        events.append(Event("drew", seat, to_hand, len(to_hand), "", True))
    draft.hands = put(draft.hands, seat, bytes(sorted(draft.hands[seat] + to_hand)))


def _lay_red_threes(draft: Draft, red: Cards, events: Events, *, replaced: bool) -> Cards:
    """Lay red threes; the cards drawn in their place, red threes among these laid and replaced in turn."""
    seat, team = draft.turn, draft.turn % draft.teams
    drawn = b""
    while red:
        card, red = red[:1], red[1:]
        events.append(Event("red_three_laid", seat, card))
        draft.red_threes = put(draft.red_threes, team, bytes(sorted(draft.red_threes[team] + card)))
        if replaced and draft.stock:
            new = take_from_stock(draft, 1)
            if new[0] in RED_THREES:
                red += new
            else:
                drawn += new
    return drawn


def take_from_stock(draft: Draft, count: int) -> Cards:
    """The top cards of the stock, which loses them."""
    cards, draft.stock = draft.stock[:count], draft.stock[count:]
    if not draft.stock and draft.rules.last_red_three_ends and cards and cards[-1] in RED_THREES:
        draft.last_red_three = True
    return cards


def pick_up_stack(draft: Draft, events: Events) -> None:
    """The next stack of the seat to act, knee or foot, joins the hand; red threes in it are laid."""
    seat = draft.turn
    knee = draft.knees[seat]
    stack = (draft.feet[seat] or b"") if knee is None else knee
    if knee is None:
        draft.feet = put(draft.feet, seat, None)
    else:
        draft.knees = put(draft.knees, seat, None)
    draft.foot_due = False
    draft.undo = ()
    events.append(Event("foot_picked_up" if knee is None else "knee_picked_up", seat, b"", len(stack)))
    receive(draft, stack, events, replaced=draft.rules.red_three_replaced != "never", drawn=False)


def count_foot_turn(draft: Draft) -> None:
    """Count this turn as played from the foot, once, if the foot was up before the act (ruling 14)."""
    seat = draft.turn
    if draft.feet[seat] is None and not draft.foot_acted:
        draft.foot_turns = put(draft.foot_turns, seat, draft.foot_turns[seat] + 1)
        draft.foot_acted = True


def draw(draft: Draft, events: Events, count: int) -> None:
    """Draw from the stock, reshuffling the pile first where that is needed."""
    if len(draft.stock) < count and draft.can_reshuffle:
        draft.reshuffles += 1
        draft.stock += reshuffled(draft.seed, draft.reshuffles, draft.pile[1:])
        draft.pile = draft.pile[:1]
        draft.frozen = False
        events.append(Event("reshuffled", -1, b"", len(draft.stock)))
    cards = take_from_stock(draft, count)
    receive(draft, cards, events, replaced=draft.rules.red_three_replaced != "never", drawn=True)


def discard(draft: Draft, card: int, events: Events) -> None:
    """Put a card of the seat to act on the pile, and end the turn."""
    seat, single = draft.turn, SINGLES[card]
    rest = draft.hands[seat].replace(single, b"", 1)
    draft.hands = put(draft.hands, seat, rest)
    draft.pile = single + draft.pile
    events.append(_DISCARDED[seat][card])
    if draft.rules.wild_freezes and card in WILD_CARDS:
        draft.frozen = True
        events.append(Event("froze", seat))
    if not rest and draft.feet[seat] is None:
        go_out(draft, events, by_discard=True)
    else:
        end_turn(draft, events)


def go_out(draft: Draft, events: Events, *, by_discard: bool) -> None:
    """The seat to act has laid its last card and goes out; in a final turn, that only ends the turn."""
    if draft.out_by is not None:
        end_turn(draft, events, out=True)
        return
    seat, team = draft.turn, draft.turn % draft.teams
    draft.went_out = team
    if draft.refused and draft.rules.penalties is not None and not draft.assist:
        penalise(draft, draft.rules.penalties.out_refused, "out_refused", events)
    events.append(Event("went_out", seat))
    if draft.rules.final_turns == "always" or (by_discard and draft.rules.final_turns == "yes"):
        draft.out_by = seat
        end_turn(draft, events, out=True)
    else:
        end_deal(draft, "went_out", events)


def penalise(draft: Draft, points: int, why: str, events: Events) -> None:
    """Charge the team of the seat to act."""
    team = draft.turn % draft.teams
    draft.penalties = put(draft.penalties, team, draft.penalties[team] + points)
    events.append(Event("penalty", draft.turn, b"", points, why))


def charge_not_out(draft: Draft, events: Events) -> None:
    """A turn that ends without going out after all partners said yes costs points where assist is off (ruling 19)."""
    penalties = draft.rules.penalties
    if draft.allowed and penalties is not None and not draft.assist:
        penalise(draft, penalties.asked_not_out, "asked_not_out", events)


def end_turn(draft: Draft, events: Events, *, out: bool = False) -> None:
    """The turn is over: a foot that is due is picked up, and the next seat begins, or the deal ends."""
    seat, rules = draft.turn, draft.rules
    if not out:
        if draft.allowed:
            charge_not_out(draft, events)
        if draft.feet[seat] is not None:
            emptied = not draft.hands[seat]
            waits = emptied and rules.foot_after_discard == "next_turn"
            if (draft.foot_due or (emptied and rules.foot_when == "hand_empty")) and not waits:
                pick_up_stack(draft, events)
    following = (seat + 1) % draft.seats
    if following == draft.out_by:
        end_deal(draft, "final_turns", events)
    elif draft.last_red_three:
        end_deal(draft, "last_red_three", events)
    elif rules.stock_out == "end" and len(draft.stock) < rules.draw_count:
        end_deal(draft, "stock_out", events)
    else:
        begin_turn(draft, following, events)


def end_deal(draft: Draft, how: str, events: Events) -> None:
    """The deal is over. `how`: went_out, final_turns, stock_out, last_red_three or all_kept."""
    draft.phase = OVER
    draft.undo = ()
    events.append(Event("deal_over", -1, text=how))


def advance_turn(draft: Draft, events: Events, *, after: int | None = None) -> None:
    """Pass the turn before the deal: to the next seat after `after` that must lift or choose, or else start play."""
    order = [(draft.dealer + 1 + i) % draft.seats for i in range(draft.seats)]
    later = order if after is None else order[order.index(after) + 1 :]
    if draft.phase == LIFT:
        by_dealer = draft.rules.lift is not None and draft.rules.lift.by == "dealer"
        lifters = [draft.dealer] if by_dealer else later
        if waiting := [seat for seat in lifters if not draft.grabs[seat]]:
            draft.turn = waiting[0]
            return
        draft.phase, later = CHOOSE, order
    if waiting := [seat for seat in later if draft.stacks[seat] is not None]:
        draft.turn = waiting[0]
        return
    begin_turn(draft, order[0], events)
