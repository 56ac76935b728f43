"""The dock: the reader's own hand, and buttons that name their moves."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext, pgettext

from accounts.models import User
from engine.play.cards import BLANK, JOKER, RANK_OF, WILD_CARDS, Cards
from engine.play.events import Event
from engine.play.legality.going_out import why_not_out
from engine.play.moves import ASK, DRAW, END, NO, PEEK, UNDO, WILDS, YES, Move, write_move
from engine.play.refusals import Code
from engine.play.rules import Rules
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, OVER, PLAYING, State
from engine.play.view import View, sees_foot
from gameplay.lifts import BEFORE_PLAY
from gameplay.models import Seat, Table
from gameplay.page import board, markup
from gameplay.page.move_text import move_words
from gameplay.page.words import cards_words, rank_title, suit_titles
from web.text import join_words


@dataclass(frozen=True)
class HandRank:
    """A group of cards of the hand."""

    title: str
    html: SafeString
    size: int
    """Buttons in it: one for each kind of card."""

    @property
    def group(self) -> SafeString:
        """The cards, with a title for screen readers."""
        return mark_safe(f'<div class="rank" role="group" aria-label="{self.title}">{self.html}</div>')  # noqa: S308  constants


@dataclass(frozen=True)
class Act:
    """A button: its text, the move it sends, and the reason if it is disabled."""

    words: str
    moves: str
    why_not: SafeString | str = ""
    id: str = ""


@dataclass(frozen=True)
class Dock:
    """The reader's possible moves. `kind` is draw, play, answer, lift, choose, wait, between, over or paused."""

    kind: str
    hand: list[HandRank]
    count: int
    minimum: int
    """Least value of prepared melds together; 0 once the team has opened."""
    foot: Cards | None
    """The reader's own foot while it may be looked at."""
    acts: list[Act] = field(default_factory=list)
    """The large buttons, of equal weight; in `play` the script makes the one button."""
    more: list[Act] = field(default_factory=list)
    """The buttons behind the three dots."""
    ask: str = ""
    """The partner to ask for leave to go out, if nothing else is missing."""
    question: str = ""
    wait: tuple[str, str] = ("", "")
    """The player whose time runs, and the time left."""
    say: SafeString | str = ""
    top: str = ""
    take: int = 0
    waiting: str = ""
    """The stack that is picked up next, in words: “your knee”. Empty once the foot is."""
    empties_to_foot: bool = False
    goes_out_by_meld: bool = True
    may_start_another: bool = False
    """Whether cards that could join a meld may start another instead."""
    draws_top_by_melding: bool = False
    gives_hints: bool = False
    """Whether the reader can ask what to do."""
    order: str = "rank"
    left_points: int = 0

    @property
    def crowd(self) -> str:
        """`tight` where cards overlap to stay in two rows on a phone, `tight full` where they do at a desk to stay in one."""
        kinds = sum(rank.size for rank in self.hand)
        return "tight full" if kinds > _LONG else "tight" if kinds > _SPREAD else ""


def dock(
    table: Table,
    view: View,
    seat: Seat,
    names: Sequence[str],
    happened: Sequence[Event] = (),
    waits_for: tuple[str, str] = ("", ""),
) -> Dock:
    """The dock of the seat; `happened` is what its last act brought about, `waits_for` says whose time runs, and how long."""
    state = view.position
    hand = b"" if BLANK in view.hand else view.hand  # before it is lifted nobody has a hand
    kind = _kind(table, view, is_lifting=seat.is_lifting)
    number = seat.number
    order = seat.user.hand_order if seat.user is not None else User.HandOrder.RANK
    new = _new_cards(happened, number, hand)
    on_turn = state.turn == number
    return Dock(
        kind=kind,
        hand=_hand(sort_hand(hand, order, seat.hand_order, _own_ranks(state, number)), hand, state, new),
        count=len(hand),
        minimum=_minimum(state, number),
        foot=state.feet[number] if kind == "draw" and sees_foot(state, number) else None,
        acts=_acts(kind, table, view, names),
        more=_more(kind, view, names),
        ask=names[state.partners(number)[0]] if kind == "play" and _lacks_only_leave(view) else "",
        question=_question(kind, state, names),
        wait=waits_for,
        say=last_act_words(happened, number, names),
        top=markup.name_of(state.pile[0]) if kind == "draw" and state.pile else "",
        take=board.taken_count(state) if kind == "draw" and state.pile and state.rules.pile_take != "none" else 0,
        waiting=_waiting(state, number),
        empties_to_foot=state.rules.foot_when == "hand_empty",
        goes_out_by_meld=state.rules.last_card != "discard",
        may_start_another=board.has_several_melds(state.rules) or _has_second_beside_book(state.rules),
        draws_top_by_melding=state.rules.draw_top == "melded",
        gives_hints=table.gives_hints and kind in ("draw", "play", "answer"),
        order=order,
        left_points=sum(state.rules.card_values[card] for card in hand) if on_turn or kind == "answer" else 0,
    )


def _waiting(state: State, number: int) -> str:
    if state.knees[number] is not None:
        return pgettext("pick up …", "your knee")
    return pgettext("pick up …", "your foot") if state.feet[number] is not None else ""


def _kind(table: Table, view: View, *, is_lifting: bool) -> str:
    state = view.position
    if table.status in (Table.Status.OVER, Table.Status.ABANDONED):
        return "over"
    if table.is_between_deals or state.phase == OVER:
        return "between"
    if table.paused_at is not None:
        return "paused"
    if state.phase in BEFORE_PLAY:
        return {LIFT: "lift", CHOOSE: "choose"}[state.phase] if is_lifting else "wait"
    if view.seat != state.actor:
        return "wait"
    return {DRAWING: "draw", PLAYING: "play", ANSWERING: "answer"}[state.phase]


def _has_second_beside_book(rules: Rules) -> bool:
    """Whether a meld may start beside a book that still grows."""
    return rules.melds_per_rank == "after_book" and rules.grows


# The hand


def sort_hand(hand: Cards, order: str, own_order: str, melded: Container[int] = ()) -> list[tuple[str, list[int]]]:
    """The hand in groups with a title, by a name of `User.HandOrder`; wild cards come last but in the own order.

    `melded` are the ranks of the own melds, whose cards come first towards books.
    """
    if order == User.HandOrder.OWN:
        return [(pgettext("of cards", "Hand"), _own_order(hand, own_order))] if hand else []
    wild = sorted({card for card in hand if card in WILD_CARDS}, key=lambda card: (card // 4 == JOKER, -(card % 4)))
    natural = sorted(set(hand) - set(wild), reverse=True)
    if order == User.HandOrder.SUIT:
        by_suit = [(title, [card for card in natural if card % 4 == suit]) for suit, title in enumerate(suit_titles())]
        groups = [group for group in reversed(by_suit) if group[1]]
    else:
        ranks = list(dict.fromkeys(card // 4 for card in natural))
        if order == User.HandOrder.LOW:
            ranks.reverse()
        if order == User.HandOrder.BOOK:
            counts = Counter(hand.translate(RANK_OF))
            ranks.sort(key=lambda rank: (rank not in melded, -counts[rank]))
        groups = [(rank_title(rank), [card for card in natural if card // 4 == rank]) for rank in ranks]
    return [*groups, (gettext("Wild cards"), wild)] if wild else groups


def _own_ranks(state: State, seat: int) -> set[int]:
    return {meld.name for meld in state.melds[seat % state.teams]}


def _own_order(hand: Cards, own_order: str) -> list[int]:
    """The distinct cards as the player put them; cards not yet placed come after them, aces first."""
    places = {name: place for place, name in enumerate(own_order.split())}
    return sorted(set(hand), key=lambda card: (places.get(markup.name_of(card), 999), card in WILD_CARDS, -card))


def _hand(groups: Sequence[tuple[str, list[int]]], hand: Cards, state: State, new: set[int]) -> list[HandRank]:
    held, values = Counter(hand), state.rules.card_values
    return [
        HandRank(
            title,
            markup.together([markup.hand_card(card, held[card], values[card], is_new=card in new) for card in cards]),
            len(cards),
        )
        for title, cards in groups
    ]


def _new_cards(happened: Iterable[Event], seat: int, hand: Cards) -> set[int]:
    """The cards that came into the hand with the last act."""
    new: set[int] = set()
    for event in happened:
        if event.seat != seat:
            continue
        if event.kind in ("knee_picked_up", "foot_picked_up"):
            return set(hand)
        if event.kind in ("drew", "drew_top"):
            new |= set(event.cards)
        elif event.kind == "took_pile":
            new |= set(event.cards[1:])
    return new & set(hand)


# Buttons


def _acts(kind: str, table: Table, view: View, names: Sequence[str]) -> list[Act]:
    if kind == "draw":
        return _draw_acts(table, view)
    if kind == "answer":
        return [Act(gettext("Yes"), write_move(YES), id="yes"), Act(gettext("No"), write_move(NO), id="no")]
    if kind == "choose":
        return [
            Act(gettext("Keep the first stack"), "keep 1", id="keep-1"),
            Act(gettext("Keep the second stack"), "keep 2", id="keep-2"),
        ]
    if kind == "play" and (ending := _ending(view)):
        return [ending]
    return []


def _draw_acts(table: Table, view: View) -> list[Act]:
    state = view.position
    draws = view.why_not(DRAW)
    acts = [Act(board.draw_words(state), "draw", markup.sentence(draws.sentence) if draws else "", id="draw")]
    if draws is not None and view.why_not(END) is None:
        acts = [Act(gettext("End the deal"), "end", id="end")]
    tops = [move for move in view.legal_moves() if move.kind == "draw_top"]
    acts += [Act(move_words(move), write_move(move), id=f"draw-top-{at}") for at, move in enumerate(tops[:_MOST_TOPS])]
    if state.rules.pile_take != "none":
        acts.append(_take(table, view))
    return acts


_SPREAD, _LONG = 12, 21
"""Kinds of card that two rows of a phone show side by side, and one row of a desk."""
_MOST_TOPS = 3
"""Ways to draw the top card of the pile that have a button."""


def _minimum(state: State, seat: int) -> int:
    """Points that the seat still has to lay to open; 0 if it does not go by points."""
    team = seat % state.teams
    has_opened = state.opened_by[seat] if state.rules.each_opens else state.opened[team]
    return 0 if has_opened else max(0, state.rules.opening.minimum(state.deal, state.scores[team]))


def _take(table: Table, view: View) -> Act:
    """The claim that the hand suggests; selected cards make another."""
    state = view.position
    moves = [move for move in view.legal_moves() if move.kind == "take"]
    if moves:
        return Act(take_words(state, moves[0]), write_move(moves[0]), id="take")
    count = board.taken_count(state) if state.pile else 0
    words = gettext("Take %(count)s") % {"count": count} if count > 1 else gettext("Take the pile")
    return Act(words, "", board.why_no_claim(view), id="take")


def take_words(state: State, move: Move) -> str:
    """`Take 7 with two 5s`."""
    count = board.taken_count(state)
    if not move.groups:
        return gettext("Take %(count)s onto your meld") % {"count": count}
    claim, *rest = move.groups
    values = {"count": count, "cards": cards_words(claim.cards, is_claim=True)}
    if not rest:
        return capfirst(gettext("Take %(count)s with %(cards)s") % values)
    melds = join_words([cards_words(group.cards) for group in rest])
    return capfirst(gettext("Take %(count)s with %(cards)s, meld %(melds)s") % {**values, "melds": melds})


def _ending(view: View) -> Act | None:
    """Ending the turn without a discard, if the rules allow it."""
    if view.why_not(END) is not None:
        return None
    return Act(gettext("End your turn") if view.hand else gettext("Go out"), "end", id="end")


def _more(kind: str, view: View, names: Sequence[str]) -> list[Act]:
    state = view.position
    acts = []
    if kind == "draw" and view.why_not(PEEK) is None:
        acts.append(Act(gettext("Look at your foot, once"), write_move(PEEK), id="peek"))
    if kind in ("draw", "play") and not state.wilds_asked and view.why_not(WILDS) is None:
        words = gettext("Ask your partner how many wild cards they have")
        acts.append(Act(words, write_move(WILDS), id="wilds"))
    if kind == "play" and view.why_not(ASK) is None and not _lacks_only_leave(view):
        partner = names[state.partners(state.turn)[0]]
        words = gettext("Ask %(name)s if you can go out") % {"name": partner}
        acts.append(Act(words, write_move(ASK), id="ask"))
    if kind == "play" and state.undo:
        acts.append(Act(gettext("Undo last meld"), write_move(UNDO), id="undo"))
    return acts


def _lacks_only_leave(view: View) -> bool:
    """Whether only the partner's yes is missing to go out."""
    state = view.position
    refusal = why_not_out(state, state.melds[state.team])
    return refusal is not None and refusal.code == Code.PERMISSION and view.why_not(ASK) is None


def _question(kind: str, state: State, names: Sequence[str]) -> str:
    return gettext("%(name)s asks: may I go out?") % {"name": names[state.turn]} if kind == "answer" else ""


# What the last act brought about, for the status line


def last_act_words(happened: Sequence[Event], seat: int, names: Sequence[str]) -> SafeString | str:
    """The reader's news from the last act, in a few sentences."""
    sentences = [line for event in happened if (line := _tell(event, seat, names))]
    return markup.joined(sentences)


def _tell(event: Event, seat: int, names: Sequence[str]) -> str:
    is_own = event.seat == seat
    if event.kind == "wilds_told":
        return _wild_words(names[event.seat], event.number)
    if event.kind == "answered":
        if is_own:
            return ""
        answer = gettext("%(name)s said yes.") if event.text == "yes" else gettext("%(name)s said no.")
        return answer % {"name": names[event.seat]}
    if not is_own:
        return ""
    if event.kind in ("drew", "drew_top"):
        return format_html(gettext("You drew {cards}."), cards=markup.chips(event.cards))
    if event.kind == "red_three_laid":
        return format_html(gettext("You laid {cards}."), cards=markup.chips(event.cards))
    if event.kind == "took_pile":
        return ngettext("You took %(count)s card.", "You took %(count)s cards.", event.number) % {"count": event.number}
    if event.kind == "knee_picked_up":
        return gettext("You picked up your knee. Earlier melds can no longer be undone.")
    if event.kind == "foot_picked_up":
        return gettext("You picked up your foot. Earlier melds can no longer be undone.")
    if event.kind == "undone":
        return gettext("Meld undone. The cards are back in your hand.")
    return _penalty(event) if event.kind == "penalty" else ""


def _penalty(event: Event) -> str:
    words = {
        "wrong_claim": gettext("You could not take the pile: %(points)s points."),
        "out_refused": gettext("You went out after your partner said no: %(points)s points."),
        "asked_not_out": gettext("You had permission to go out but did not: %(points)s points."),
    }.get(event.text) or gettext("A penalty: %(points)s points.")
    return words % {"points": event.number}


def _wild_words(name: str, count: int) -> str:
    if not count:
        return gettext("%(name)s has no wild cards.") % {"name": name}
    words = ngettext("%(name)s has one wild card.", "%(name)s has %(count)s wild cards.", count)
    return words % {"name": name, "count": count}
