"""Whole games: a new match, the next deal, and the moves in between."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, cast

from engine.errors import BadInput
from engine.play import turn
from engine.play.cards import BLACK_THREES, KINDS, RANKS, RED_THREES, WILD_CARDS, Cards, count_wild
from engine.play.deal import check_phrases, deal_seed, shuffle
from engine.play.events import Event
from engine.play.legality.card_verdicts import Verdict, WrongClaim
from engine.play.legality.going_out import all_kept
from engine.play.legality.laying import Laid
from engine.play.legality.legal import is_out, judge
from engine.play.melds import BOOK, book_kind
from engine.play.moves import GARBAGE, MELD_NAMES, Move
from engine.play.refusals import IllegalMove, Refusal
from engine.play.rules import Rules
from engine.play.scoring import outcome
from engine.play.state import CHOOSE, DRAWING, LIFT, PLAYING, Draft, State, Undo, put
from engine.play.turn import Events
from engine.words import say

RED_THREE_AT_BOTTOM = 100
"""Value of a red three as the bottom card of a stack, independent of its score (ruling 2)."""


class Step(NamedTuple):
    """Result of a move: the new position, and the events on the way."""

    state: State
    events: tuple[Event, ...]


_step = partial(tuple.__new__, Step)
"""Makes a step of a position and events without asking for their names, which costs more than both."""


def new_game(
    rules: Rules,
    key: bytes,
    *,
    seats: int | None = None,
    team_size: int | None = None,
    dealer: int | None = None,
    phrases: tuple[str, ...] = (),
    assist: bool = True,
) -> State:
    """The first position of a match: the first deal, in phase lift, choose or draw.

    `key` orders the deal (see `engine.play.deal`). `dealer` is the last seat unless given.
    """
    shape = rules.shape(seats, team_size)
    teams = shape.teams
    first = State(
        rules=rules,
        seats=shape.seats,
        team_size=shape.team_size,
        teams=teams,
        assist=assist,
        deal=0,
        dealer=(shape.seats - 1 if dealer is None else dealer) - 1,
        scores=(0,) * teams,
    )
    return _deal(first, (0,) * teams, key, phrases)


def next_deal(state: State, key: bytes, phrases: tuple[str, ...] = ()) -> State:
    """The first position of the deal after one that is over, if the match continues."""
    result = outcome(state)
    if result is None:
        raise BadInput(say("The next deal cannot start before this one is over."))
    if result.winners is not None:
        raise BadInput(say("The match is over. There is no next deal."))
    return _deal(state, result.totals, key, phrases)


def _deal(last: State, scores: tuple[int, ...], key: bytes, phrases: tuple[str, ...]) -> State:
    """Shuffle and deal. Cards go out stack by stack; then the up-card is turned, then the rest is the stock."""
    rules, seats, teams = last.rules.in_deal(last.deal + 1), last.seats, last.teams
    seed = deal_seed(key, check_phrases(phrases, seats))
    dealt, stacks, pile, stock, frozen = _lay_out(rules, seats, teams, seed)
    draft = Draft(
        rules=rules,
        seats=seats,
        team_size=last.team_size,
        teams=teams,
        assist=last.assist,
        deal=last.deal + 1,
        dealer=(last.dealer + 1) % seats,
        turn=(last.dealer + 2) % seats,
        phase=LIFT if rules.lift else CHOOSE,
        scores=scores,
        hands=(b"",) * seats,
        feet=(b"",) * seats,
        knees=tuple(bytes(sorted(block[1])) if len(block) == 3 else None for block in dealt),
        foot_turns=(0,) * seats,
        melds=((),) * teams,
        opened=(False,) * teams,
        opened_by=(False,) * seats if rules.each_opens else (),
        opener=(None,) * teams,
        books_by=(0,) * seats,
        red_threes=(b"",) * teams,
        laid_sevens=(b"",) * teams,
        pile=pile,
        stock=stock,
        frozen=frozen,
        answers=0,
        grabs=(None,) * seats,
        stacks=tuple(stacks),
        first_turn=(True,) * seats,
        peeked=(False,) * seats,
        penalties=(0,) * teams,
        went_out=None,
        out_by=None,
        undo=(),
        seed=seed,
        reshuffles=0,
        **dict.fromkeys(("foot_acted", "last_red_three", "foot_due", "allowed", "refused", "wilds_asked"), False),
    )
    if rules.hand_choice != "choose":
        _give_stacks(draft, stacks)
    turn.advance_turn(draft, [])
    return draft.freeze()


_Stacks = list[tuple[Cards, Cards]]


def _lay_out(
    rules: Rules, seats: int, teams: int, seed: bytes
) -> tuple[list[list[Cards]], _Stacks, Cards, Cards, bool]:
    """The stacks as dealt to each seat, the two before each player after passing, pile, stock, and a frozen pile."""
    cards = shuffle(rules.pack(seats), seed)
    dealt = []
    for _ in range(seats):
        block = []
        for size in rules.stacks:
            block.append(cards[:size])
            cards = cards[size:]
        dealt.append(block)
    return dealt, _pass_stacks(rules, teams, [(block[0], block[-1]) for block in dealt]), *_turn_upcard(rules, cards)


class DealtSeat(NamedTuple):
    """The stacks before a player as dealt: hand and foot, or two to choose from in their order; and a knee."""

    first: Cards
    second: Cards
    knee: Cards | None


class DealtCards(NamedTuple):
    """All cards of a deal before anyone touches them. Stock and pile have their top card first."""

    seats: tuple[DealtSeat, ...]
    pile: Cards
    stock: Cards
    is_chosen: bool
    """Whether players choose their hand among two stacks. Otherwise the first is the hand, the second the foot."""
    starts: int
    """Seat of the first turn."""

    @property
    def all_cards(self) -> Cards:
        """Every card of the deal, sorted."""
        held = b"".join(seat.first + seat.second + (seat.knee or b"") for seat in self.seats)
        return bytes(sorted(held + self.pile + self.stock))


def dealt_cards(rules: Rules, key: bytes, *, deal: int, seats: int, team_size: int) -> DealtCards:
    """The cards of the deal of this number in a match, as players find them, from its key and without phrases.

    Nothing of the play has happened: red threes are still in the hands. Raises `BadInput` for a table that the rules
    do not allow.
    """
    shape, of_deal = rules.shape(seats, team_size), rules.in_deal(deal)
    dealt, stacks, pile, stock, _ = _lay_out(of_deal, seats, shape.teams, deal_seed(key, check_phrases((), seats)))
    is_chosen = of_deal.hand_choice == "choose"
    hands, feet = list(stacks), [second for _, second in stacks]
    if not is_chosen:
        hands = [_by_bottom(of_deal, *pair) for pair in stacks]
        for seat, (_, second) in enumerate(hands):
            feet[_foot_seat(of_deal, seats, seat)] = second
    knees = [bytes(sorted(block[1])) if len(block) == 3 else None for block in dealt]
    rows = zip(hands, feet, knees, strict=True)
    laid = [DealtSeat(*(pair if is_chosen else (pair[0], foot)), knee) for pair, foot, knee in rows]
    if not is_chosen:
        laid = [DealtSeat(bytes(sorted(seat.first)), bytes(sorted(seat.second)), seat.knee) for seat in laid]
    return DealtCards(tuple(laid), pile, stock, is_chosen, (deal - 1) % seats)


def _by_bottom(rules: Rules, first: Cards, second: Cards) -> tuple[Cards, Cards]:
    """Hand and other stack of a player, where the bottom cards decide that (ruling 2)."""
    if rules.hand_choice in ("higher_bottom", "lower_bottom"):
        sign = 1 if rules.hand_choice == "higher_bottom" else -1
        if sign * _bottom_worth(rules, second) > sign * _bottom_worth(rules, first):
            return second, first
    return first, second


def _pass_stacks(rules: Rules, teams: int, stacks: _Stacks) -> _Stacks:
    """The two stacks before each player after passing; with right, as dealt (rulings 2 and 30)."""
    seats = len(stacks)
    first, second = [stack for stack, _ in stacks], [stack for _, stack in stacks]
    before: dict[str, Callable[[int], tuple[Cards, Cards]]] = {
        "left": lambda seat: (first[seat], second[seat - 1]),
        "both": lambda seat: (first[(seat + 1) % seats], second[seat - 1]),
        "both_left": lambda seat: stacks[seat - 1],
        "both_right": lambda seat: stacks[(seat + 1) % seats],
        "first_left": lambda seat: (first[seat - 1], second[seat]),
        "partner": lambda seat: (first[seat], second[seat - teams]),
    }
    passed = before.get(rules.pass_stack)
    return stacks if passed is None else [passed(seat) for seat in range(seats)]


_BURIED = {"red_three": RED_THREES, "wild": WILD_CARDS, "black_three": BLACK_THREES} | {
    rank: bytes(card for card in range(KINDS) if RANKS[card // 4] == rank) for rank in RANKS
}
"""The cards of each kind that may be buried under the stock."""


def _turn_upcard(rules: Rules, cards: Cards) -> tuple[Cards, Cards, bool]:
    """Pile, stock and whether the pile is frozen. A card that is buried goes under the stock, and the next is turned."""
    buried = b"".join(_BURIED[kind] for kind in rules.upcard_bury)
    pile = put_back = b""
    turned = 0
    while len(pile) < rules.upcard and turned < len(cards):
        card = cards[turned : turned + 1]
        turned += 1
        if card in buried:
            put_back += card
        else:
            pile = card + pile
    freezing = WILD_CARDS + rules.laid_threes
    return pile, cards[turned:] + put_back, rules.wild_freezes and any(card in freezing for card in pile)


def _give_stacks(draft: Draft, stacks: list[tuple[Cards, Cards]]) -> None:
    """Make hands and feet of the stacks before the players where nobody chooses (ruling 2)."""
    rules, seats = draft.rules, draft.seats
    hands: list[Cards] = []
    feet: list[Cards] = [b""] * seats
    for seat, (first, second) in enumerate(stacks):
        first, second = _by_bottom(rules, first, second)
        hands.append(bytes(sorted(first)))
        feet[_foot_seat(rules, seats, seat)] = bytes(sorted(second))
    draft.hands, draft.feet = tuple(hands), tuple(feet)
    draft.stacks = (None,) * seats


def _bottom_worth(rules: Rules, stack: Cards) -> int:
    """Points of the bottom card of a stack, which decides whether it becomes the hand."""
    return RED_THREE_AT_BOTTOM if stack[-1] in RED_THREES else rules.card_values[stack[-1]]


def _foot_owner(draft: Draft, seat: int) -> int:
    """Seat whose foot is the stack that `seat` does not keep."""
    return _foot_seat(draft.rules, draft.seats, seat)


def _foot_seat(rules: Rules, seats: int, seat: int) -> int:
    return (seat - 1) % seats if rules.pass_stack == "right" else seat


# Moves


def apply(state: State, move: Move) -> Step:
    """The position after a move by the seat to act, and what happened. Raises `IllegalMove` with the reason."""
    verdict = judge(state, move)
    if type(verdict) is Refusal:
        raise IllegalMove(verdict)
    draft = state.draft()
    events: Events = []
    _ACTS[move.kind](draft, move, verdict, events)
    return _step((draft.freeze(), tuple(events)))


def _grab(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    draft.grabs = put(draft.grabs, draft.turn, move.number)
    events.append(Event("lifted", draft.turn, b"", move.number))
    turn.advance_turn(draft, events, after=draft.turn)


def _keep(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    seat = draft.turn
    stacks = draft.stacks[seat] or (b"", b"")
    hand, foot = stacks if move.number == 1 else (stacks[1], stacks[0])
    owner = _foot_owner(draft, seat)
    draft.hands = put(draft.hands, seat, bytes(sorted(hand)))
    draft.feet = put(draft.feet, owner, bytes(sorted(foot)))
    draft.stacks = put(draft.stacks, seat, None)
    events.append(Event("kept", seat, b"", move.number))
    turn.advance_turn(draft, events, after=seat)


def _peek(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    seat = draft.turn
    foot = draft.feet[seat] or b""
    draft.peeked = put(draft.peeked, seat, True)
    events.append(Event("peeked", seat, foot, len(foot), private=True))


def _draw(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    _act_begins(draft)
    draft.phase = PLAYING
    turn.draw(draft, events, draft.rules.draw_count)


def _draw_top(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    """The top card of the pile goes into the hand or is melded, then the others come from the stock (ruling 44)."""
    seat, top = draft.turn, draft.pile[:1]
    _act_begins(draft)
    draft.phase = PLAYING
    draft.pile = draft.pile[1:]
    events.append(Event("drew_top", seat, top, 1))
    if isinstance(verdict, Laid):
        _lay(draft, move, verdict, events, top=top)
    else:
        turn.receive(draft, top, events, replaced=False, drawn=False)
    if draft.rules.draw_count > 1:
        turn.draw(draft, events, draft.rules.draw_count - 1)
    _foot_if_empty(draft, events)


def _act_begins(draft: Draft) -> None:
    """A draw or a claim begins the turn proper."""
    turn.count_foot_turn(draft)
    if draft.first_turn[draft.turn]:
        draft.first_turn = put(draft.first_turn, draft.turn, False)
    draft.undo = ()


def _take(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    if isinstance(verdict, WrongClaim):
        penalties = draft.rules.penalties
        turn.penalise(draft, penalties.wrong_claim if penalties else 0, "wrong_claim", events)
        return
    laid = cast(Laid, verdict)
    seat, rules = draft.turn, draft.rules
    top = draft.pile[:1]
    _act_begins(draft)
    draft.phase = PLAYING
    count = 1 + len(laid.from_pile)
    events.append(Event("took_pile", seat, draft.pile[:count], count))
    draft.pile = draft.pile[count:]
    draft.frozen = False
    _lay(draft, move, laid, events, top=top)
    turn.receive(draft, laid.from_pile, events, replaced=rules.red_three_replaced == "always", drawn=False)
    _foot_if_empty(draft, events)


def _meld(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    seat, team = draft.turn, draft.turn % draft.teams
    before = Undo(
        draft.hands[seat],
        draft.melds[team],
        draft.opened[team],
        draft.opener[team],
        draft.books_by[seat],
        draft.foot_due,
        draft.rules.each_opens and draft.opened_by[seat],
    )
    turn.count_foot_turn(draft)
    _lay(draft, move, cast(Laid, verdict), events)
    draft.undo = (*draft.undo, before)
    _foot_if_empty(draft, events)


def _foot_if_empty(draft: Draft, events: Events) -> None:
    """With hand_empty, a hand emptied by melding picks up the foot at once and the turn continues."""
    seat = draft.turn
    while not draft.hands[seat] and draft.feet[seat] is not None and draft.rules.foot_when == "hand_empty":
        turn.pick_up_stack(draft, events)


def _lay(draft: Draft, move: Move, laid: Laid, events: Events, top: Cards = b"") -> None:
    """Put melds on the table that have been judged; `top` went with the first group."""
    seat, team = draft.turn, draft.turn % draft.teams
    before = draft.melds[team]
    draft.hands = put(draft.hands, seat, laid.hand)
    draft.melds = put(draft.melds, team, laid.melds)
    for index, name in enumerate(laid.names):
        cards = move.groups[index].cards if move.groups else b""
        cards += top if index == 0 else b""
        events.append(Event("melded", seat, cards, len(cards), MELD_NAMES[name]))
    if not draft.has_opened and any(name != GARBAGE for name in laid.names):
        if not draft.opened[team]:
            draft.opened = put(draft.opened, team, True)
            draft.opener = put(draft.opener, team, seat)
        if draft.rules.each_opens:
            draft.opened_by = put(draft.opened_by, seat, True)
        events.append(Event("opened", seat))
    if laid.books:
        draft.books_by = put(draft.books_by, seat, draft.books_by[seat] + laid.books)
        old = [len(meld.cards) >= BOOK for meld in before] + [False] * len(laid.melds)
        for was_book, meld in zip(old, laid.melds, strict=False):
            if meld.is_book and not was_book:
                kind = f"{book_kind(draft.rules, meld)} {MELD_NAMES[meld.name]}"
                events.append(Event("book_completed", seat, meld.cards, len(meld.cards), kind))
        if draft.rules.foot_when == "own_book" and draft.feet[seat] is not None and not draft.foot_due:
            draft.foot_due = True
            events.append(Event("foot_due", seat))


def _discard(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    turn.count_foot_turn(draft)
    turn.discard(draft, move.card, events)


def _end(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    seat, team = draft.turn, draft.turn % draft.teams
    if draft.phase == DRAWING:
        turn.end_deal(draft, "stock_out", events)
    elif is_out(draft):
        turn.go_out(draft, events, by_discard=False)
    elif draft.last_red_three:
        turn.end_turn(draft, events)
    elif all_kept(draft, draft.melds[team], draft.hands[seat]):
        draft.laid_sevens = put(draft.laid_sevens, team, bytes(sorted(draft.laid_sevens[team] + draft.hands[seat])))
        events.append(Event("sevens_laid", seat, draft.hands[seat], len(draft.hands[seat])))
        draft.hands = put(draft.hands, seat, b"")
        turn.charge_not_out(draft, events)
        turn.end_deal(draft, "all_kept", events)
    else:
        events.append(Event("turn_passed", seat))
        turn.end_turn(draft, events)


def _undo(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    seat, team = draft.turn, draft.turn % draft.teams
    before = draft.undo[-1]
    draft.undo = draft.undo[:-1]
    draft.hands = put(draft.hands, seat, before.hand)
    draft.melds = put(draft.melds, team, before.melds)
    draft.opened = put(draft.opened, team, before.opened)
    draft.opener = put(draft.opener, team, before.opener)
    draft.books_by = put(draft.books_by, seat, before.books_by)
    draft.foot_due = before.foot_due
    if draft.rules.each_opens:
        draft.opened_by = put(draft.opened_by, seat, before.opened_by)
    events.append(Event("undone", seat))


def _ask(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    draft.phase = "answer"
    draft.answers = 0
    events.append(Event("asked", draft.turn))


def _answer(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    events.append(Event("answered", draft.actor, text="yes" if move.number else "no"))
    draft.undo = ()
    draft.answers += 1
    if move.number and draft.answers < draft.team_size - 1:
        return
    draft.allowed, draft.refused = bool(move.number), not move.number
    draft.answers = 0
    draft.phase = PLAYING


def _wilds(draft: Draft, move: Move, verdict: Verdict, events: Events) -> None:
    draft.wilds_asked = True
    draft.undo = ()
    for partner in draft.partners(draft.turn):
        events.append(Event("wilds_told", partner, b"", count_wild(draft.hands[partner])))


_ACTS: dict[str, Callable[[Draft, Move, Verdict, Events], None]] = {
    "grab": _grab,
    "keep": _keep,
    "peek": _peek,
    "draw": _draw,
    "draw_top": _draw_top,
    "take": _take,
    "meld": _meld,
    "discard": _discard,
    "end": _end,
    "undo": _undo,
    "ask": _ask,
    "answer": _answer,
    "wilds": _wilds,
}
