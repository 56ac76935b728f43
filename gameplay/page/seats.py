"""The players in order of play: cards held, hand or foot, and their clocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cache
from urllib.parse import quote

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext, pgettext

from accounts.display_names import FORMER, name_text
from accounts.models import User
from engine.play.state import ANSWERING, OVER, Position
from gameplay.lifts import BEFORE_PLAY
from gameplay.models import Seat, Table
from gameplay.page.markup import plus
from gameplay.page.words import Reader, is_reader
from gameplay.presence import shown_here, watching
from web.text import date_and_time, duration, on_calendar, several

_SOON = timedelta(days=7)
_SEEN = 7
"""Characters of a name that show on the narrowest screen."""
_MOST_BACKS = 12
"""Cards that a chair shows face down."""


@dataclass(frozen=True)
class SeatPanel:
    """A player as the others see them."""

    number: int
    name: str
    short: str
    is_mine: bool
    """Whether the seat is the reader's own or a partner's."""
    is_turn: bool
    tag: str
    held: int
    has_foot_up: bool
    has_knee: bool
    clock: str
    due_at: datetime | None
    counts_seconds: bool
    """Whether the clock is one of an evening."""
    notes: list[str]
    """Bot, turns missed, absence, night: each in a few words."""
    place: str
    """Where the chair is: `at-l`, `at-t` or `at-r`, with its row or the chairs of the row opposite; empty for the own seat."""
    is_here: bool = False
    """Whether another player is at the table now, and shows it."""
    address: str = ""
    """The player's page, if the reader can surely open it."""
    pile_cards: int = 0
    """Cards of the discard pile that the player took since the reader last played."""

    @property
    def html(self) -> SafeString:
        """The player as an item of the list of chairs."""
        css = f"chair {self.place}{' us' if self.is_mine else ''}{' turn' if self.is_turn else ''}"
        step = ' aria-current="step"' if self.is_turn else ""
        name = f'<b class="who">{self._name_html()}</b>{self._tag_html()}'
        return mark_safe(  # noqa: S308  names and notes are escaped
            f'<li class="{css}" data-seat="{self.number}"{step}>{name}{self._here_html()} {self._backs_html()}{self._held_html()} '
            f'<span class="ln">{self.line}</span>{self._taken_html()}</li>'
        )

    @property
    def line(self) -> SafeString:
        """Clock, hand or foot, and notes, side by side: `2 d · hand · Bot, club`."""
        notes = [f'<span class="note">{_note_html(note)}</span>' for note in self.notes]
        parts = [part for part in (self._clock_html(), self._foot_html(), *notes) if part]
        return mark_safe(" <i>·</i> ".join(parts))  # noqa: S308  notes are escaped

    def _name_html(self) -> str:
        name: str = escape(self.name)
        if self.short != self.name:
            words = " ".join([f"<span>{escape(word)}</span>" for word in self.short.split()])
            name = f'<span class="wide">{name}</span><span class="slim brief">{words}</span>'
        return f'<a href="{escape(self.address)}">{name}</a>' if self.address else name

    def _here_html(self) -> str:
        """A dot with its word, hidden while the player is elsewhere; the page’s script brings it up to date."""
        hidden = "" if self.is_here else " hidden"
        return (
            f'<span class="here"{hidden}><span class="vh">{pgettext("presence of a player", "here now")}</span></span>'
        )

    def _tag_html(self) -> str:
        css = "tag partner" if self.tag == "partner" else "tag"
        return f'<span class="{css}">{self._tag_words()}</span>' if self.tag else ""

    def _tag_words(self) -> str:
        return {
            "now": pgettext("whose turn it is", "now"),
            "next": pgettext("whose turn it is", "next"),
            "asked": pgettext("whose turn it is", "asked"),
            "partner": gettext("partner"),
        }[self.tag]

    def _backs_html(self) -> str:
        """The cards held as they lie there, face down, and the packet of the foot."""
        if "row" in self.place or "of" in self.place:
            return ""
        packet = "" if self.has_foot_up else '<i class="packet"></i>'
        return f'<span class="backs" aria-hidden="true">{"<i></i>" * min(self.held, _MOST_BACKS)}{packet}</span> '

    def _held_html(self) -> str:
        noun = ngettext("card", "cards", self.held)
        return f'<span class="held"><b>{self.held}</b><span class="vh"> {noun}</span></span>'

    def _taken_html(self) -> str:
        if not self.pile_cards:
            return ""
        words = ngettext("took a card of the discard pile", "took %(count)s cards of the discard pile", self.pile_cards)
        return f'{plus(f"+{self.pile_cards}")}<span class="vh"> {words % {"count": self.pile_cards}}</span>'

    def _foot_html(self) -> str:
        if self.has_foot_up:
            where = pgettext("of cards", "foot")
            return f'<span class="foot on">{where}</span>'
        if not self.place:
            # The dock is headed by the hand: only what waits is news there.
            waits = gettext("knee and foot wait") if self.has_knee else gettext("foot waits")
            return f'<span class="foot">{waits}</span>'
        where, waits = pgettext("of cards", "hand"), pgettext("hand …", ", foot still face down")
        if self.has_knee:
            waits = pgettext("hand …", ", knee and foot still face down")
        return f'<span class="foot">{where}<span class="vh">{waits}</span></span>'

    def _clock_html(self) -> str:
        if self.due_at is None:
            return f'<span class="clock">{self.clock}</span>' if self.clock else ""
        due = gettext("Due %(time)s") % {"time": date_and_time(self.due_at)}
        at = localtime(self.due_at).isoformat()
        time = f'<time class="clock" datetime="{at}" title="{due}" data-left{self._unit()}>{self.clock}</time>'
        return f'{time}<span class="vh">{due}</span>'

    def _unit(self) -> str:
        return '="seconds" role="timer"' if self.counts_seconds else ""


def _note_html(note: str) -> str:
    """A note; of what follows a comma, such as the level of a bot, only a wide screen has room to show it."""
    words, comma, more = escape(note).partition(", ")
    return f'{words}<span class="wide-vh">{comma}{more}</span>' if comma else str(words)


def names_of(seats: Sequence[Seat], own_number: int | None) -> list[str]:
    """The players' names on the page: `You`, the names of the others."""
    return [Reader(gettext("You")) if seat.number == own_number else seat.player_name for seat in seats]


def short_names(names: Sequence[str], seats: Sequence[Seat] = ()) -> list[str]:
    """Short names of the players: the first word, and a mark if two look alike by it.

    In `seats`, a bot that plays for somebody has that player's, for its note says the rest.

    People who have left are named by the whole of the words for them.

    The mark is the initial of the last word, or the place at the table if that is not distinct either.
    """
    players = {seat.number: str(seat.former_user) for seat in seats if seat.bot and seat.former_user_id}
    full_names = [name if is_reader(name) else players.get(place, name) for place, name in enumerate(names)]
    words = [
        [name]
        if is_reader(name) or name == name_text(FORMER)
        else [word for word in name.split() if word[0] != "("] or [name]
        for name in full_names
    ]
    looks = [first[:_SEEN].casefold() for first, *_ in words]
    initials = [f"{more[-1][0]}." if more else "" for _, *more in words]
    return [
        f"{words[place][0]} {_mark(place, looks, initials)}"
        if looks.count(look) > 1 and not is_reader(names[place])
        else words[place][0]
        for place, look in enumerate(looks)
    ]


def _mark(place: int, looks: Sequence[str], initials: Sequence[str]) -> str:
    alike = [initials[other] for other, look in enumerate(looks) if look == looks[place]]
    return initials[place] if "" not in alike and len(set(alike)) == len(alike) else str(place + 1)


def panels(
    table: Table,
    state: Position,
    seats: Sequence[Seat],
    own_number: int | None,
    names: Sequence[str],
    now: datetime,
    pile_cards: Mapping[int, int],
) -> list[SeatPanel]:
    """Every seat, the reader's own first, the others in order of play; `pile_cards` are those that each took lately."""
    short, here = short_names(names, seats), shown_here(seats, now) - {own_number}
    return [
        _panel(
            table,
            state,
            seats[number],
            own_number,
            (names[number], short[number]),
            place,
            now,
            is_here=number in here,
            pile_cards=pile_cards.get(number, 0),
        )
        for number, place in _around(state, own_number)
    ]


def past_chairs(
    state: Position, seats: Sequence[Seat], own_number: int | None, names: Sequence[str]
) -> list[SeatPanel]:
    """The chairs of a replay: where each player but the reader sits, what they hold, and whose act it is."""
    short, actor = short_names(names, seats), None if state.phase == OVER else state.actor
    return [
        SeatPanel(
            number=number,
            name=names[number],
            short=short[number],
            is_mine=_is_mine(state, number, own_number),
            is_turn=number == actor,
            tag="now" if number == actor else "partner" if _is_mine(state, number, own_number) else "",
            held=_held(state, number),
            has_foot_up=state.feet[number] is None,
            has_knee=state.knees[number] is not None,
            clock="",
            due_at=None,
            counts_seconds=False,
            notes=[],
            place=place,
        )
        for number, place in _around(state, own_number)
        if place
    ]


def _around(state: Position, own_number: int | None) -> list[tuple[int, str]]:
    """Each seat and its place, the reader's own first, the others in order of play."""
    first = own_number if own_number is not None else (state.dealer + 1) % state.seats
    order = [(first + step) % state.seats for step in range(state.seats)]
    places = chair_places(state.seats) if own_number is None else ["", *chair_places(state.seats - 1)]
    return list(zip(order, places, strict=True))


def _is_mine(state: Position, number: int, own_number: int | None) -> bool:
    return own_number is not None and number % state.teams == own_number % state.teams


def chair_places(count: int) -> list[str]:
    """Where so many players sit, clockwise from the left: one opposite, one at either side; of more a row is opposite."""
    if count < 4:
        return [[], ["at-t"], ["at-l", "at-r"], ["at-l", "at-t", "at-r"]][count]
    rows = chair_rows(count)
    left = [f"at-l row-{row}" for row in range(rows, 0, -1)]
    right = [f"at-r row-{row}" for row in range(1, rows + 1)]
    opposite = count - 2 * rows
    return [*left, *[f"at-t of-{opposite}"] * opposite, *right]


def ring_css(count: int) -> str:
    """How so many chairs are laid out: `many` with those at either side under a row opposite."""
    return f"many rows-{chair_rows(count)}" if count > 3 else "few"


def chair_rows(count: int) -> int:
    """Chairs at either side where a row of them is opposite, of so many."""
    return (2 * count + 1) // 7


def _panel(
    table: Table,
    state: Position,
    seat: Seat,
    own_number: int | None,
    names: tuple[str, str],
    place: str,
    now: datetime,
    *,
    is_here: bool,
    pile_cards: int,
) -> SeatPanel:
    number = seat.number
    is_turn = seat.is_lifting or (table.seat_to_act == number and state.phase not in BEFORE_PLAY)
    return SeatPanel(
        number=number,
        name=names[0],
        short=names[1],
        is_mine=_is_mine(state, number, own_number),
        is_turn=is_turn,
        tag="now" if seat.is_lifting else _tag(table, state, number, own_number),
        held=_held(state, number),
        has_foot_up=state.feet[number] is None,
        has_knee=state.knees[number] is not None,
        clock=clock_words(table, seat, now),
        due_at=table.deadline_at if is_turn else None,
        counts_seconds=table.clock == Table.Clock.LIVE,
        notes=_notes(table, seat, now),
        place=place,
        is_here=is_here,
        address=_address(seat, own_number),
        pile_cards=pile_cards,
    )


def _address(seat: Seat, own_number: int | None) -> str:
    """The page of another player, for people who play with them; for spectators if the player shows matches to anyone."""
    user = seat.user
    if user is None or user.is_guest or not user.is_active or seat.number == own_number:
        return ""
    if own_number is None and user.record_for != User.Readers.ANYONE:
        return ""
    return f"{_player_pages()}{quote(user.username)}/"


@cache
def _player_pages() -> str:
    """The address below which players have pages."""
    return reverse("clubs:player", args=["-"]).removesuffix("-/")


def _held(state: Position, number: int) -> int:
    stacks = state.stacks[number] if state.stacks else None
    return len(state.hands[number]) + (len(stacks[0]) if stacks else 0)


def _tag(table: Table, state: Position, number: int, own_number: int | None) -> str:
    if state.phase == OVER or table.seat_to_act is None:
        return ""
    if number == table.seat_to_act and state.phase not in BEFORE_PLAY:
        return "asked" if state.phase == ANSWERING else "now"
    if number == (state.turn + 1) % state.seats:
        return "next"
    if number != own_number and _is_mine(state, number, own_number):
        return "partner"
    return ""


def clock_words(table: Table, seat: Seat, now: datetime) -> str:
    """The time left for the seat, in words; empty if nothing is counted."""
    words = in_seconds if table.clock == Table.Clock.LIVE else duration
    if (seat.number == table.seat_to_act or seat.is_lifting) and table.deadline_at is not None:
        return words(table.deadline_at - now)
    if table.clock not in (Table.Clock.BANK, Table.Clock.LIVE) or seat.bot or seat.time_left is None:
        return ""
    return words(seat.time_left)


def in_seconds(left: timedelta) -> str:
    """A time as a clock counts it down: `2:05`."""
    minutes, seconds = divmod(max(0, int(left.total_seconds())), 60)
    return f"{minutes}:{seconds:02}"


def _notes(table: Table, seat: Seat, now: datetime) -> list[str]:
    notes = []
    if seat.bot:
        notes.append(_bot(seat))
    if missed := seat.missed_in_a_row:
        notes.append(ngettext("Missed a turn", "Missed %(count)s turns", missed) % {"count": missed})
    if seat.user is not None:
        notes += [note for note in (_away(table, seat, now), _night(table, seat, now)) if note]
    return notes


def _bot(seat: Seat) -> str:
    if seat.former_user_id:
        return gettext("Bot for %(name)s") % {"name": seat.former_user}
    level = {
        "novice": pgettext("level of a bot", "novice"),
        "club": pgettext("level of a bot", "club"),
        "expert": pgettext("level of a bot", "expert"),
        "master": pgettext("level of a bot", "master"),
    }.get(seat.bot, seat.bot)
    return gettext("Bot, %(strength)s") % {"strength": level}


def _away(table: Table, seat: Seat, now: datetime) -> str:
    if not table.allows_absences or seat.user is None or seat.user.is_guest:
        return ""
    for absence in seat.user.known_absences:
        if absence.covers(now):
            until = on_calendar(localtime(absence.ends_at), pgettext("date format", "j F"))
            return gettext("Away until %(day)s") % {"day": until}
        if now < absence.starts_at < now + _SOON:
            return _away_from(absence.starts_at, absence.ends_at)
    return ""


def _away_from(start: datetime, end: datetime) -> str:
    """`Away from 22 to 29 Nov`."""
    first, last = localtime(start), localtime(end)
    is_same_month = (first.year, first.month) == (last.year, last.month)
    day, day_of_month = pgettext("date format", "j"), pgettext("date format", "j M")
    return gettext("Away from %(first)s to %(last)s") % {
        "first": on_calendar(first, day if is_same_month else day_of_month),
        "last": on_calendar(last, day_of_month),
    }


def _night(table: Table, seat: Seat, now: datetime) -> str:
    user = seat.user
    if not table.free_nights or user is None or user.quiet_from is None or user.quiet_until is None:
        return ""
    there = now.astimezone(user.zone).time()
    if not _within(there, user.quiet_from, user.quiet_until):
        return ""
    return gettext("Night there until %(time)s") % {"time": f"{user.quiet_until:%H:%M}"}


def _within(moment: time, start: time, end: time) -> bool:
    """Whether the moment lies from `start` to `end`, over midnight if that comes first."""
    return start <= moment < end if start <= end else moment >= start or moment < end


def watching_words(table: Table) -> str:
    """The number of spectators, in words; empty if there are none."""
    count = watching(table)
    return ngettext("%(count)s spectator", "%(count)s spectators", count) % {"count": count} if count else ""


def clock_note(table: Table) -> str:
    """The terms of the clock in a sentence; empty once the match is over."""
    if table.status in (Table.Status.OVER, Table.Status.ABANDONED):
        return ""
    if table.clock == Table.Clock.LIVE and table.gathered_at is None:
        return gettext("The clocks start when all players are at the table.")
    if table.clock == Table.Clock.LIVE:
        words = gettext("%(seconds)s seconds per turn, plus a bank of %(bank)s seconds.")
        return words % {"seconds": table.turn_seconds, "bank": table.bank_seconds}
    if table.clock == Table.Clock.NONE:
        return gettext("No clock. Take your time.")
    if table.clock == Table.Clock.MOVE:
        return gettext("%(time)s per turn.") % {"time": _hours(table.clock_hours)}
    bank, more = _hours(table.clock_hours), _hours(table.increment_hours)
    if not table.increment_hours:
        return gettext("Time bank: %(time)s.") % {"time": bank}
    return gettext("Time bank: %(time)s, plus %(more)s per turn.") % {"time": bank, "more": more}


def _hours(hours: int) -> str:
    return several(hours // 24, "day") if hours % 24 == 0 else f"{hours} h"
