"""The story of a table, stored with each move and told to each reader as far as they can know.

`tell` makes one line of each player's turn: "Walter finished the sixes, picked up the foot, discarded 9♣." A turn
consists of clauses; a clause is a verb with one thing or several, so that three melds make one clause. A verb is a
sentence for translators with a place for the things: "melded %(things)s".
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from engine.play.cards import NAMES, WILD_CARDS, parse_card, parse_cards, rank_word, write_cards
from engine.play.events import Event, PublicLog
from engine.play.melds import cards_words, meld_words, number_word, wild_cards_words
from engine.play.moves import GARBAGE, WILD, parse_meld_name
from gameplay.models import Move, Seat, Table
from gameplay.page import markup
from gameplay.page.seats import names_of
from gameplay.page.words import card_words, rank_sign

ROUNDS_TOLD = 3
"""Most rounds that `since` looks back."""
_MOVES_A_TURN = 8
"""More moves than almost any turn has: the limit of a query for each turn that may be told."""


def keep_events(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Events as stored in the log: whole, with `private` if only the seat can see the cards."""
    return [{**event.to_json(), **({"private": True} if event.private else {})} for event in events]


def read_events(stored: Sequence[dict[str, Any]], seat: int | None) -> list[Event]:
    """Events of the log as `seat` (or a spectator, `None`) may see them."""
    return [event.seen_by(seat) for event in _whole_events(stored)]


def public_log(table: Table) -> PublicLog:
    """What everybody at the table has seen of the deal under way, for bots."""
    rows = table.moves.filter(deal=table.deal_number).order_by("number").values_list("events", flat=True)
    return PublicLog(event for stored in rows for event in _whole_events(stored))


def _whole_events(stored: Sequence[dict[str, Any]]) -> list[Event]:
    return [
        Event(
            data["event"],
            data["seat"],
            parse_cards(data.get("cards", "")),
            data.get("number", 0),
            data.get("text", ""),
            data.get("private", False),
        )
        for data in stored
    ]


# What a story is made of


class Chip(NamedTuple):
    """A card named in a sentence. `code` is its name in notation, such as `9c` or `Xr`."""

    code: str

    @property
    def name(self) -> str:
        """The card in words: 9 of clubs, Jack of hearts, Red joker."""
        return card_words(parse_card(self.code))

    @property
    def html(self) -> SafeString:
        """The card as a page shows it within a sentence."""
        return markup.CHIP[parse_card(self.code)]

    def __str__(self) -> str:
        if self.code[0] == "X":
            return "★"
        return rank_sign(parse_card(self.code) // 4) + _SYMBOLS[self.code[1]]


_SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}

Part = str | Chip
Parts = tuple[Part, ...]


class Act(NamedTuple):
    """One thing that a player did in a turn: its words, and the events as the reader may see them."""

    kind: str
    parts: Parts
    events: tuple[Event, ...]
    move: int
    is_plain: bool
    """Whether the line tells of it; obvious things are only shown."""
    top: int | None = None
    """The card on top of the pile before it; `None` if it is not known from the moves that are told."""

    def html(self, seat: int) -> SafeString:
        """The words, with what the board needs to show the act: cards, their number, and the melds they went to."""
        came = [event for event in self.events if event.kind != "book_completed"]  # whose cards were there before
        cards = b"".join(event.cards for event in came)
        melds = dict.fromkeys(event.text.split()[-1] for event in self.events if event.kind in _ON_MELDS)
        count = sum(event.number or len(event.cards) for event in came)
        return format_html(
            '<span data-act="{}" data-by="{}" data-move="{}" data-count="{}" data-cards="{}" data-melds="{}"{}{}>{}</span>',
            *(self.kind, seat, self.move, count, write_cards(cards), " ".join(melds)),
            "" if self.top is None or self.kind not in _ON_PILE else format_html(' data-top="{}"', NAMES[self.top]),
            *(
                "" if self.is_plain else mark_safe(" hidden"),
                format_html_join("", "{}", ((p,) for p in _pieces(self.parts))),
            ),
        )


_ON_MELDS = ("melded", "book_completed")
_ON_PILE = ("discarded", "took_pile", "drew_top")


class StoryLine(NamedTuple):
    """One player's turn. `parts` follow the name: text, and chips for named cards."""

    seat: int
    name: str
    """The player's name, or `You`, in front of the parts."""
    parts: Parts
    first: int
    """Number of the first move of the log that it tells of."""
    last: int
    deal: int = 0
    at: datetime | None = None
    """The time of its last move."""
    by: str = Move.By.PLAYER
    """The kind of player, from `Move.By`."""
    acts: tuple[Act, ...] = ()
    ending: str = "."

    @property
    def acts_html(self) -> SafeString:
        """The text after the name, each act marked so that the page can show it on the board."""
        has_begun, pieces = False, []
        for act in self.acts:
            pieces.append(format_html("{}{}", ", " if has_begun and act.is_plain else "", act.html(self.seat)))
            has_begun = has_begun or act.is_plain
        return format_html("{}{}", format_html_join("", "{}", ((piece,) for piece in pieces)), self.ending)

    @property
    def sentence(self) -> str:
        """The line as plain text."""
        return f"{self.name} " + "".join(str(part) for part in self.parts)

    @property
    def html(self) -> SafeString:
        """The text after the name, with a chip for each card; no line starts with the full stop after one."""
        return format_html_join("", "{}", ((piece,) for piece in _pieces(self.parts)))


def _pieces(parts: Parts) -> Iterator[str]:
    """The parts as markup or text, each chip together with the comma or full stop that follows it."""
    mark = ""
    for part, after in zip(parts, [*parts[1:], ""], strict=True):
        if isinstance(part, str):
            yield part.removeprefix(mark)
            mark = ""
            continue
        mark = after[:1] if isinstance(after, str) and after[:1] in (",", ".") else ""
        yield format_html('<span class="nowrap">{}{}</span>', part.html, mark) if mark else part.html


_THINGS = "%(things)s"


@dataclass
class _Clause:
    verb: str
    """Marked English if it has things, else translated."""
    items: list[Parts]
    kind: str
    move: int
    last: int
    """The last move that it tells of."""
    events: list[Event]
    top: int | None
    about: list[str]
    """For each item (or the clause itself) the word of its event, such as the name of the meld."""

    def parts(self) -> Parts:
        if not self.items:
            return (self.verb,)
        before, _, after = gettext(self.verb).partition(_THINGS)
        joined: list[Part] = [before]
        for index, item in enumerate(self.items):
            if index:
                joined.append(gettext(" and ") if index == len(self.items) - 1 else ", ")
            joined.extend(item)
        return (*joined, after)


@dataclass
class _Turn:
    """A line in the making."""

    seat: int
    deal: int
    first: int
    clauses: list[_Clause] = field(default_factory=list)
    last: int = 0
    at: datetime | None = None
    by: str = Move.By.PLAYER
    carried: list[Event] = field(default_factory=list)
    """Cards that finish a book, until the book is told."""
    top: int | None = None
    """The card on top of the pile."""


# Telling


def tell(
    moves: Iterable[Move], seats: Sequence[Seat], reader: int | None, *, is_full: bool = False, is_open: bool = False
) -> list[StoryLine]:
    """A line for each player's turn in these moves of the log, oldest first, as `reader` (or a spectator) can know it.

    `is_full` also tells obvious things: drawn cards, and undone melds. `is_open` is for moves of a deal that is
    over, whose cards everyone can know.
    """
    names = names_of(seats, reader)
    turns: list[_Turn] = []
    pile: list[int] = []
    goes_on = False
    for move in moves:
        for event in _whole_events(move.events) if is_open else read_events(move.events, reader):
            if event.kind == "turn_began":
                goes_on = False
                continue
            if not (goes_on and _belongs(turns[-1], event, move)):
                turns.append(_Turn(event.seat if event.seat >= 0 else move.seat, move.deal, move.number))
                goes_on = True
            turns[-1].top = pile[-1] if pile else None
            _add(turns[-1], event, move, names, reader, is_full=is_full)
            pile = _pile_after(event, pile)
    return [_line(turn, names[turn.seat], is_full=is_full) for turn in turns if turn.clauses]


def by_as_seen(move: Move, reader: int | None) -> str:
    """Who made a move, as a reader can know it: only its player knows of a standing order."""
    return Move.By.PLAYER if move.by == Move.By.STANDING and move.seat != reader else move.by


def _pile_after(event: Event, pile: list[int]) -> list[int]:
    """The cards of the pile that are known, the top one last, after an event."""
    if event.kind == "discarded":
        return [*pile, *event.cards]
    if event.kind in ("took_pile", "drew_top"):
        return pile[: -event.number]
    return [] if event.kind in ("reshuffled", "deal_over") else pile


_BY_ANOTHER = ("answered", "wilds_told")
"""An act of a partner in a player's turn; told with the partner's name, unless the line is the partner's."""


def _belongs(turn: _Turn, event: Event, move: Move) -> bool:
    """Whether an event is part of the turn, and not the beginning of another."""
    return move.deal == turn.deal and (event.seat in (turn.seat, -1) or event.kind in _BY_ANOTHER)


def _add(turn: _Turn, event: Event, move: Move, names: Sequence[str], reader: int | None, *, is_full: bool) -> None:
    """Add an event to a turn: a clause of its own, or one more thing in the clause before."""
    turn.last, turn.at = move.number, move.at
    if move.seat == turn.seat:
        turn.by = by_as_seen(move, reader)
    if event.kind in _CHANGES and not (is_full and event.kind == "undone"):
        _CHANGES[event.kind](turn, event)
    if (event.kind == "undone" and not is_full and turn.clauses) or event.kind == "opened":
        return
    words = WORDS
    if event.kind in _BY_ANOTHER:
        words = _OWN_WORDS if event.seat == turn.seat else _YOUR_WORDS if event.seat == reader else WORDS
    verb, item = words[event.kind](event, names)
    before = turn.clauses[-1] if turn.clauses else None
    if before is not None and item and before.kind == event.kind and before.verb == verb:
        before.items.append(item)
        before.about.append(event.text)
        before.events.extend([*turn.carried, event])
        before.last = move.number
    else:
        items, about = ([item] if item else []), [event.text]
        turn.clauses.append(
            _Clause(verb, items, event.kind, move.number, move.number, [*turn.carried, event], turn.top, about)
        )
    turn.carried = []


def _line(turn: _Turn, name: str, *, is_full: bool) -> StoryLine:
    clauses = [clause for clause in turn.clauses if is_full or not _goes_without_saying(clause)] or turn.clauses
    if clauses[0].kind == "deal_over":
        clauses[0].verb = gettext(_LAST_WORDS.get(clauses[0].about[0], _LAST_WORDS["went_out"]))
    plain = {id(clause) for clause in clauses}
    acts = tuple(
        Act(clause.kind, clause.parts(), tuple(clause.events), clause.last, id(clause) in plain, clause.top)
        for clause in turn.clauses
    )
    parts: list[Part] = []
    for index, clause in enumerate(clauses):
        parts.extend(([", "] if index else []) + list(clause.parts()))
    ending = "."
    if turn.by in _BY_WORDS:
        ending = f" {gettext(_BY_WORDS[turn.by])}."
    subject = pgettext("who did what a line tells", "%(name)s") % {"name": name}
    story = _joined([*parts, ending])
    return StoryLine(turn.seat, subject, story, turn.first, turn.last, turn.deal, turn.at, turn.by, acts, ending)


def _goes_without_saying(clause: _Clause) -> bool:
    """Whether a clause is left out of a short story, such as a draw of cards that the reader does not see."""
    return clause.kind == "foot_due" or (clause.kind == "drew" and not any(map(_has_chip, clause.items)))


def _has_chip(item: Parts) -> bool:
    return any(isinstance(part, Chip) for part in item)


def _joined(parts: Iterable[Part]) -> Parts:
    """The same parts, texts that follow each other made one."""
    joined: list[Part] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, str) and isinstance(last, str):
            joined[-1] = last + part
        elif part:
            joined.append(part)
    return tuple(joined)


_BY_WORDS = {
    Move.By.STAND_IN.value: gettext_noop("(a bot played this turn)"),
    Move.By.STANDING.value: gettext_noop("(by standing order)"),
}


# Events that change what was said before


def _undo(turn: _Turn, event: Event) -> None:
    """Remove the last meld, and its effects."""
    melds = [clause.move for clause in turn.clauses if clause.kind in ("melded", "book_completed")]
    if melds:
        turn.clauses = [clause for clause in turn.clauses if clause.move != melds[-1]]


def _open(turn: _Turn, event: Event) -> None:
    """Turn the last melds into an opening."""
    if turn.clauses and turn.clauses[-1].kind == "melded":
        turn.clauses[-1].verb = _OPENED_WITH


def _complete(turn: _Turn, event: Event) -> None:
    """Finishing a book replaces adding to it."""
    name = event.text.split()[-1]
    for clause in turn.clauses:
        if clause.kind == "melded" and clause.verb == _ADDED:
            places = [index for index, about in enumerate(clause.about) if about != name]
            turn.carried += [clause.events[i] for i in range(len(clause.events)) if i not in places]
            clause.items, clause.about = [clause.items[i] for i in places], [clause.about[i] for i in places]
            clause.events = [clause.events[i] for i in places]
    turn.clauses = [clause for clause in turn.clauses if clause.items or clause.kind != "melded"]


def _pick_up(turn: _Turn, event: Event) -> None:
    """Picking up the foot replaces the announcement."""
    turn.clauses = [clause for clause in turn.clauses if clause.kind != "foot_due"]


_CHANGES: dict[str, Callable[[_Turn, Event], None]] = {
    "undone": _undo,
    "opened": _open,
    "book_completed": _complete,
    "knee_picked_up": _pick_up,
    "foot_picked_up": _pick_up,
}


# Words


def _chips(event: Event) -> Parts:
    parts: list[Part] = []
    for card in event.cards:
        parts.extend(([" "] if parts else []) + [Chip(NAMES[card])])
    return tuple(parts)


def _drew(event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    return gettext_noop("drew %(things)s"), _chips(event) or (cards_words(event.number),)


def _peeked(event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    if event.cards:
        return gettext_noop("looked at the foot, %(things)s"), _chips(event)
    return gettext("looked at the foot"), ()


_ADDED, _MELDED = gettext_noop("added %(things)s"), gettext_noop("melded %(things)s")
_OPENED_WITH = gettext_noop("opened with %(things)s")


def _melded(event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    """`melded three tens`, `added one ten`, `added 2♥ to the tens`."""
    name = parse_meld_name(event.text)
    natural = event.cards.translate(None, WILD_CARDS)
    if name == GARBAGE:
        return _MELDED, (gettext("%(cards)s onto the garbage pile") % {"cards": cards_words(len(event.cards))},)
    if not natural and name != WILD:
        before, _, after = gettext("%(cards)s to the %(meld)s").partition("%(cards)s")
        values = {"meld": meld_words(name)}
        return _ADDED, (before % values, *_chips(event), after % values)
    if name == WILD:
        return (_ADDED if len(event.cards) < 3 else _MELDED), (wild_cards_words(len(event.cards)),)
    count, wild = len(natural), len(event.cards) - len(natural)
    meld = f"{number_word(count)} {rank_word(name) if count == 1 else meld_words(name)}"
    if wild:
        text = ngettext("%(cards)s with %(count)s wild card", "%(cards)s with %(count)s wild cards", wild)
        meld = text % {"cards": meld, "count": number_word(wild)}
    return (_ADDED if count + wild < 3 else _MELDED), (meld,)


def _book(event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    cards = meld_words(parse_meld_name(event.text.split()[-1]))
    return gettext_noop("finished %(things)s"), (gettext("the %(cards)s") % {"cards": cards},)


def _answered(event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    text = gettext("%(name)s said yes") if event.text == "yes" else gettext("%(name)s said no")
    return text % {"name": names[event.seat]}, ()


def _wilds_told(event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    text = gettext("%(name)s said they have %(cards)s")
    return text % {"name": names[event.seat], "cards": wild_cards_words(event.number)}, ()


_OWN_WORDS: dict[str, Callable[[Event, Sequence[str]], tuple[str, Parts]]] = {
    "answered": lambda event, names: (gettext("said yes") if event.text == "yes" else gettext("said no"), ()),
    "wilds_told": lambda event, names: (
        gettext("said they have %(cards)s") % {"cards": wild_cards_words(event.number)},
        (),
    ),
}
_YOUR_WORDS: dict[str, Callable[[Event, Sequence[str]], tuple[str, Parts]]] = {
    "answered": lambda event, names: (gettext("you said yes") if event.text == "yes" else gettext("you said no"), ()),
    "wilds_told": lambda event, names: (
        gettext("you said you have %(cards)s") % {"cards": wild_cards_words(event.number)},
        (),
    ),
}
"""Acts of a partner in another's turn, in a line of the partner's own and to the partner as reader."""


def _penalty(event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    text = gettext(_PENALTY_WORDS.get(event.text, "lost %(points)s points as a penalty"))
    return text % {"points": abs(event.number)}, ()


_PENALTY_WORDS = {
    "": gettext_noop("lost %(points)s points as a penalty"),
    "out_refused": gettext_noop("lost %(points)s points for going out after a no"),
    "asked_not_out": gettext_noop("lost %(points)s points for not going out after the answer was yes"),
    "wrong_claim": gettext_noop("lost %(points)s points for taking the pile wrongly"),
}


def _deal_over(event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    return gettext(_ENDING_WORDS.get(event.text, "and ended the deal")), ()


_ENDING_WORDS = {
    "went_out": gettext_noop("and ended the deal"),
    "final_turns": gettext_noop("and the final turns were over"),
    "stock_out": gettext_noop("and the deal ended because the stock ran out"),
    "last_red_three": gettext_noop("and the deal ended because the last stock card was 3♥ or 3♦"),
    "all_kept": gettext_noop("and the deal ended because no card could be discarded"),
}
_LAST_WORDS = {
    "went_out": gettext_noop("ended the deal"),
    "final_turns": gettext_noop("played the last of the final turns"),
    "stock_out": gettext_noop("ended the deal because the stock ran out"),
    "last_red_three": gettext_noop("ended the deal because the last stock card was 3♥ or 3♦"),
    "all_kept": gettext_noop("ended the deal because no card could be discarded"),
}
"""The end of a deal where nothing else is told of the turn."""


def _say(verb: str, event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    return gettext(verb), ()


def _with_chips(verb: str, event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    return verb, _chips(event)


def _count(verb: str, event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    return gettext(verb) % {"cards": cards_words(event.number)}, ()


def _kept_rank(event: Event, names: Sequence[str]) -> tuple[str, Parts]:
    return gettext("chose the first stack") if event.number == 1 else gettext("chose the second stack"), ()


WORDS: dict[str, Callable[[Event, Sequence[str]], tuple[str, Parts]]] = {
    "lifted": partial(_count, gettext_noop("lifted %(cards)s")),
    "kept": _kept_rank,
    "peeked": _peeked,
    "drew": _drew,
    "drew_top": partial(_with_chips, gettext_noop("drew %(things)s from the pile")),
    "red_three_laid": partial(_with_chips, gettext_noop("laid %(things)s")),
    "reshuffled": partial(_count, gettext_noop("shuffled the discard pile into a new stock of %(cards)s")),
    "took_pile": partial(_count, gettext_noop("took %(cards)s from the pile")),
    "melded": _melded,
    "opened": partial(_say, gettext_noop("opened")),
    "book_completed": _book,
    "undone": partial(_say, gettext_noop("undid a meld")),
    "foot_due": partial(_say, gettext_noop("picks up the foot after discarding")),
    "knee_picked_up": partial(_say, gettext_noop("picked up the knee")),
    "foot_picked_up": partial(_say, gettext_noop("picked up the foot")),
    "discarded": partial(_with_chips, gettext_noop("discarded %(things)s")),
    "froze": partial(_say, gettext_noop("froze the pile")),
    "asked": partial(_say, gettext_noop("asked to go out")),
    "answered": _answered,
    "wilds_told": _wilds_told,
    "penalty": _penalty,
    "turn_passed": partial(_say, gettext_noop("ended the turn without a discard")),
    "sevens_laid": partial(_with_chips, gettext_noop("laid %(things)s, which could not be discarded")),
    "went_out": partial(_say, gettext_noop("went out")),
    "turn_began": partial(_say, gettext_noop("was next to play")),
    "deal_over": _deal_over,
}
"""Words for every kind of event: a verb, and the thing that it is done to, if any."""


# What a reader has not seen yet


def since(table: Table, seat: Seat | None, seats: Sequence[Seat]) -> list[StoryLine]:
    """Turns since this seat last played or looked, oldest first: at most three rounds.

    For a spectator it is the last round. One query, however long the log is.
    """
    most = table.seat_count * (1 if seat is None else ROUNDS_TOLD)
    start = max(0, table.move_count - most * _MOVES_A_TURN)
    moves = Move.objects.filter(table=table, number__gt=start).defer("request_key")
    reader = None if seat is None else seat.number
    lines = tell(moves, seats, reader)
    if start:
        lines = lines[1:]  # its beginning may lie before the moves that were fetched
    if seat is not None:
        lines = _unseen(lines, seat, is_acting=table.seat_to_act == seat.number)
    return lines[-most:]


def _unseen(lines: list[StoryLine], seat: Seat, *, is_acting: bool) -> list[StoryLine]:
    """The lines after the seat's own last turn, or from the first one that its player has not seen."""
    if lines and is_acting and lines[-1].seat == seat.number:
        lines = lines[:-1]
    last_own = max((line.last for line in lines if line.seat == seat.number and line.by == Move.By.PLAYER), default=0)
    return [line for line in lines if line.last > min(last_own, seat.seen_number)]
