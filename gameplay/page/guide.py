"""The guide of a first deal: one hint above the button, and the list of what was learnt.

A hint has up to three steps: the script shows the one that fits what is selected. All of it is for the newcomer's own
seat, and made from its view.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy, ngettext

from engine.bots.guide import LESSONS, Hint, hint
from engine.play.cards import write_cards
from engine.play.melds import meld_words
from engine.play.moves import MELD_NAMES, write_move
from engine.play.state import DRAWING, OVER
from engine.play.view import View
from gameplay.models import Table
from gameplay.page import board, markup
from gameplay.page.words import cards_words
from web.text import join_words, number

TITLES = {
    "draw": gettext_lazy("Draw two cards"),
    "meld": gettext_lazy("Meld three of a rank"),
    "discard": gettext_lazy("Discard a card"),
    "add": gettext_lazy("Add to a meld"),
    "wild": gettext_lazy("Use a wild card"),
    "take": gettext_lazy("Take the discard pile"),
    "book": gettext_lazy("Complete a book"),
    "foot": gettext_lazy("Pick up your foot"),
    "out": gettext_lazy("Go out"),
}
"""The lessons, in the order of `LESSONS`."""


@dataclass(frozen=True)
class Lesson:
    """A lesson, and whether it was learnt."""

    title: str
    is_learnt: bool


@dataclass(frozen=True)
class Guide:
    """The guide as the newcomer sees it."""

    lessons: list[Lesson]
    is_hidden: bool
    steps: dict[str, SafeString]
    """Sentences by step: `select` cards, `place` them on the table, `press` the button. Only `select` is always there."""
    cards: str = ""
    """Cards of the hand that the hint is about, in notation."""
    meld: str = ""
    """The own meld that they go on, in notation."""
    is_any: bool = False
    """Whether any one card would do as well."""
    move: str = ""
    """The move that the hint recommends, in notation."""

    @property
    def button(self) -> str:
        """The words on the button before cards are selected, where the hint is about others than a discard."""
        return "" if self.is_hidden or self.is_any or not self.cards else gettext("Select the marked cards")

    @property
    def count(self) -> int:
        """Number of lessons learnt."""
        return sum(lesson.is_learnt for lesson in self.lessons)

    @property
    def progress(self) -> str:
        """`3 of 9 learnt`."""
        return gettext("%(count)s of %(all)s learnt") % {"count": self.count, "all": len(self.lessons)}


def guide_of(table: Table, view: View, names: Sequence[str]) -> Guide | None:
    """The guide of a first deal for the seat of the view; `None` at other tables, and for spectators."""
    if table.guide is None or view.seat is None:
        return None
    learnt = table.guide["learnt"]
    lessons = [Lesson(str(TITLES[lesson]), lesson in learnt) for lesson in LESSONS]
    if view.position.phase == OVER or table.status != Table.Status.PLAYING or table.paused_at is not None:
        return Guide(lessons, True, {})
    advised = hint(view, learnt)
    if advised is None:
        return Guide(lessons, table.guide["is_hidden"], {"select": _waiting(view, names)})
    steps = _steps(view, advised, is_first="draw" not in learnt)
    return Guide(
        lessons,
        table.guide["is_hidden"],
        steps,
        cards=write_cards(advised.cards) if "place" in steps else "",
        meld=MELD_NAMES[advised.name] if advised.joined else "",
        is_any=advised.reason == "discard",
        move=write_move(advised.move),
    )


def aim(table: Table, view: View, names: Sequence[str]) -> str:
    """The aim of the game in a few words, until the newcomer has discarded for the first time; else nothing."""
    if table.guide is None or view.seat is None or "discard" in table.guide["learnt"]:
        return ""
    state = view.position
    others = [names[seat] for seat in range(state.seats) if seat % state.teams != view.seat % state.teams]
    return gettext(
        "You and %(partner)s play against %(others)s. Meld cards of a rank: seven are a book. Play your hand, then your "
        "foot. To go out, your team needs a dirty book (with a wild card). The most points win."
    ) % {"partner": names[state.partners(view.seat)[0]], "others": join_words(others)}


def _html(sentence: str) -> SafeString:
    """A sentence of the catalogue with its markup."""
    return mark_safe(sentence)  # noqa: S308  constants


def _waiting(view: View, names: Sequence[str]) -> SafeString:
    words = gettext("It is <b>{name}’s turn</b>. Watch their melds and discards.")
    return format_html(words, name=names[view.position.actor])


def _steps(view: View, advised: Hint, *, is_first: bool) -> dict[str, SafeString]:
    steps = {"select": _SELECT[advised.reason](view, advised)}
    if advised.reason == "draw" and is_first:
        steps["select"] = _html(gettext("<b>Draw two cards to start.</b> Every turn starts like this."))
    if advised.reason == "draw" or not advised.cards or advised.reason == "take":
        return _on_new_foot(view, steps)
    if advised.move.kind == "discard":
        return _on_new_foot(view, steps | {"place": _html(gettext("Now press <b>Discard</b>."))})
    if advised.joined:
        place = format_html(gettext("Now press your <b>{ranks}</b> on the table."), ranks=meld_words(advised.name))
    else:
        place = _html(gettext("Now press <b>New meld</b>."))
    press = _html(gettext("Ready. <b>Press the button below.</b>"))
    return _on_new_foot(view, {**steps, "place": place, "press": press})


def _on_new_foot(view: View, steps: dict[str, SafeString]) -> dict[str, SafeString]:
    """The same with the news that the foot has become the hand, until the first act with it."""
    state, seat = view.position, view.seat or 0
    if state.feet[seat] is not None or state.foot_turns[seat]:
        return steps
    news = _html(gettext("You played your hand. <b>Your foot is now your hand.</b>"))
    return {**steps, "select": markup.joined([news, steps["select"]])}


# The first step, by reason


def _draw(view: View, advised: Hint) -> SafeString:
    return _html(gettext("<b>Draw two cards</b> to start your turn."))


def _take(view: View, advised: Hint) -> SafeString:
    state = view.position
    words = ngettext(
        "The discard pile shows {top} and you have <b>{cards}</b>. Take it: you get {count} card.",
        "The discard pile shows {top} and you have <b>{cards}</b>. Take it: you get {count} cards.",
        board.taken_count(state),
    )
    cards = cards_words(advised.cards, is_claim=True)
    return format_html(words, top=markup.chips(state.pile[:1]), cards=cards, count=board.taken_count(state))


def _meld(view: View, advised: Hint) -> SafeString:
    words = gettext("You have <b>{cards}</b>, enough for a meld. Select them.")
    return format_html(words, cards=cards_words(advised.cards))


def _add(view: View, advised: Hint) -> SafeString:
    words = gettext("Select {cards} to add to your <b>{ranks}</b>.")
    return format_html(words, cards=markup.chips(advised.cards), ranks=meld_words(advised.name))


def _wild(view: View, advised: Hint) -> SafeString:
    if advised.joined:
        words = gettext("A <b>wild card</b> can be any card. Select {cards} to add to your {ranks}.")
    else:
        words = gettext("A <b>wild card</b> can be any card. Select {cards} for a meld of {ranks}.")
    return format_html(words, cards=markup.chips(advised.cards), ranks=meld_words(advised.name))


def _book(view: View, advised: Hint) -> SafeString:
    bonus = view.position.rules.book_bonus
    words = gettext("Select {cards}. Seven {ranks} are <b>a book</b>: {clean} points, or {dirty} with wild cards.")
    return format_html(
        words,
        cards=markup.chips(advised.cards),
        ranks=meld_words(advised.name),
        clean=number(bonus.clean),
        dirty=number(bonus.dirty),
    )


def _empty(view: View, advised: Hint) -> SafeString:
    words = gettext("Select {cards}. Meld the last of your hand, and you pick up <b>your foot</b>.")
    return format_html(words, cards=markup.chips(advised.cards))


def _out(view: View, advised: Hint) -> SafeString:
    if advised.move.kind == "end":
        return _html(gettext("You have no cards left. <b>Go out</b> to end the deal."))
    if advised.move.kind == "discard":
        words = gettext("One card left. Discard {cards} and you <b>go out</b>.")
    else:
        words = gettext("Select {cards}. Meld them and you can <b>go out</b>.")
    return format_html(words, cards=markup.chips(advised.cards))


def _discard(view: View, advised: Hint) -> SafeString:
    if len(view.hand) == 1:
        words = gettext("Select your last card, {cards}, to <b>discard</b> it. Your foot follows next turn.")
    else:
        words = gettext("Nothing more to meld. <b>Discard</b> one card to end your turn: {cards} helps you least.")
    return format_html(words, cards=markup.chips(advised.cards))


def _end(view: View, advised: Hint) -> SafeString:
    if view.position.phase == DRAWING:
        return _html(gettext("No cards are left to draw. <b>End the deal</b>."))
    return _html(gettext("There is nothing left to do. <b>End your turn</b>."))


def _other(view: View, advised: Hint) -> SafeString:
    return _html(gettext("Choose one of the buttons below."))


_SELECT: dict[str, Callable[[View, Hint], SafeString]] = {
    "draw": _draw,
    "take": _take,
    "meld": _meld,
    "add": _add,
    "wild": _wild,
    "book": _book,
    "empty": _empty,
    "out": _out,
    "discard": _discard,
    "end": _end,
    "other": _other,
}
