"""Lines of the page `Your turn`: plain data from rows that are fetched already."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.utils.translation import gettext, pgettext

from engine.play.cards import NAMES
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, State
from engine.play.view import View
from gameplay import clocks
from gameplay.models import Seat, Table
from gameplay.snapshot import view_of
from web.text import join_words, joined, moment, number, several

LATE, SOON = timedelta(hours=1), timedelta(hours=6)
"""Below these a deadline is marked."""

_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@dataclass(frozen=True)
class TableLine:
    """A match of the reader's, as any of the lists on the page shows it."""

    seat: Seat
    now: datetime

    @property
    def table(self) -> Table:
        return self.seat.table

    @cached_property
    def seats(self) -> list[Seat]:
        """Every seat of the table, in order."""
        return list(self.table.seats.all())

    @property
    def score(self) -> str:
        """The teams' points, the reader's own first: `6,420 – 5,985`."""
        return score_words(totals_of(self.seat), self.seat.number % self.table.teams, self.table.teams)

    @property
    def progress(self) -> str:
        """`deal 3 of 4`, `deal 3, to 20,000`."""
        return deal_words(self.table)

    @property
    def players(self) -> str:
        """The reader's partners and opponents."""
        return with_and_against(self.seats, self.seat.number, self.table.teams)


@dataclass(frozen=True)
class Turn(TableLine):
    """A match that waits for the reader."""

    @cached_property
    def _view(self) -> View:
        return view_of(self.table, self.seat.number)

    @property
    def asker(self) -> Seat | None:
        """The partner with a request to go out, if the match waits for that."""
        state = None if self.table.is_between_deals else self._view.position
        return self.seats[state.turn] if state is not None and state.phase == ANSWERING else None

    @property
    def sentence(self) -> str:
        """The player's task, for people who see only this line."""
        if self.table.is_between_deals:
            words = gettext("Deal %(deal)s is over. See the score and start the next deal.")
            return words % {"deal": self.table.deal_number}
        state = self._view.position
        if state.phase == ANSWERING:
            return _held_words(state, self.seat.number)
        if state.feet[self.seat.number] is None:
            return what_to_do(self._view) + " " + gettext("You have picked up your foot.")
        return what_to_do(self._view)

    @property
    def share(self) -> int | None:
        """Per cent of the allowance that is left; none without a clock."""
        if self.table.deadline_at is None:
            return None
        time_left = self.table.deadline_at - self.now
        return max(0, min(100, round(100 * time_left / _full_time(self.table, is_answer=self.asker is not None))))

    @property
    def urgency(self) -> str:
        """`late` in the last hour, `soon` in the last six, else nothing."""
        if self.table.deadline_at is None:
            return ""
        time_left = self.table.deadline_at - self.now
        return "late" if time_left < LATE else "soon" if time_left < SOON else ""


@dataclass(frozen=True)
class Waiting(TableLine):
    """A match that waits for others."""

    @property
    def awaited(self) -> str:
        """The players it waits for."""
        return ", ".join(_awaited(self.table, self.seats, self.seat))

    @property
    def away(self) -> str:
        """The end of the awaited player's absence, if any."""
        if self.table.is_between_deals or self.table.seat_to_act is None:
            return ""
        return away_words(self.seats[self.table.seat_to_act], self.now)


@dataclass(frozen=True)
class Finished(TableLine):
    """A match that is over."""

    @property
    def score(self) -> str:
        totals = self.table.result["totals"] if self.table.result else totals_of(self.seat)
        return score_words(totals, self.seat.number % self.table.teams, self.table.teams)

    @property
    def outcome(self) -> str:
        """The result for the reader."""
        if self.table.status == Table.Status.ABANDONED or not self.table.result:
            return gettext("Abandoned")
        winners = self.table.result["winners"]
        if self.seat.number % self.table.teams not in winners:
            return pgettext("of a match", "Lost")
        return pgettext("of a match", "Won") if len(winners) == 1 else pgettext("of a match", "Shared")


@dataclass(frozen=True)
class Watched:
    """A match that anyone can watch, on the front page."""

    table: Table

    @property
    def title(self) -> str:
        """The players by team."""
        return match_words(list(self.table.seats.all()), self.table.teams)

    @property
    def scores(self) -> list[int]:
        """Every team's points before this deal."""
        return totals_of(self.table) or [0] * self.table.teams

    @property
    def progress(self) -> str:
        """`3 of 4`, or the number of the deal and the target."""
        length, deal = self.table.rules.length, max(self.table.deal_number, 1)
        if length.by == "deals":
            return gettext("%(deal)s of %(deals)s") % {"deal": deal, "deals": max(length.number, deal)}
        return gettext("%(deal)s, to %(points)s") % {"deal": deal, "points": number(length.number)}


def totals_of(row: Seat | Table) -> list[int]:
    """The teams' totals as the query has fetched them; empty before the first deal is over."""
    return list(getattr(row, "totals", None) or [])


def score_words(totals: Sequence[int], own_team: int, teams: int) -> str:
    """Totals with that of the team `own` first: `6,420 – 5,985`."""
    totals = totals or [0] * teams
    return " – ".join(number(totals[(own_team + step) % teams]) for step in range(teams))


def deal_words(table: Table) -> str:
    """The current deal, and the number of deals."""
    length, deal = table.rules.length, max(table.deal_number, 1)
    if length.by == "deals":
        return gettext("deal %(deal)s of %(deals)s") % {"deal": deal, "deals": max(length.number, table.deal_number)}
    return gettext("deal %(deal)s, to %(points)s") % {"deal": deal, "points": number(length.number)}


def short_name(seat: Seat) -> str:
    """The name of a seat's player in a list."""
    return str(seat) if seat.is_taken or seat.name else gettext("a free seat")


def team_words(seats: Sequence[Seat], team: int, teams: int) -> str:
    """The players of a team: `Okafor / Bell`."""
    return " / ".join(short_name(seat) for seat in seats if seat.number % teams == team)


def match_words(seats: Sequence[Seat], teams: int) -> str:
    """All players of a table by team: `Okafor / Bell – Müller / Wójcik`."""
    return " – ".join(team_words(seats, team, teams) for team in range(teams))


def with_and_against(seats: Sequence[Seat], own_number: int, teams: int) -> str:
    """The reader's partners and opponents: `With Seán against Lindqvist / Åberg`."""
    partners = [
        short_name(seat) for seat in seats if seat.number % teams == own_number % teams and seat.number != own_number
    ]
    opponents = [team_words(seats, (own_number + step) % teams, teams) for step in range(1, teams)]
    against = join_words(opponents)
    if not partners:
        return gettext("Against %(others)s") % {"others": against}
    return gettext("With %(partners)s against %(others)s") % {"partners": joined(partners), "others": against}


def what_to_do(view: View) -> str:
    """The possible moves of the seat to act, in a sentence."""
    phase = view.position.phase
    if phase == LIFT:
        return gettext("Lift cards from the stock.")
    if phase == CHOOSE:
        return gettext("Choose which stack is your hand.")
    if phase == DRAWING:
        return _draw_words(view)
    return gettext("You have drawn. Meld if you like, then discard.")


def _draw_words(view: View) -> str:
    pile = view.position.pile
    if not pile:
        return gettext("Draw. The discard pile is empty.")
    if any(move.kind == "take" for move in view.legal_moves()):
        return gettext("Draw, or take the discard pile (top card: %(card)s).") % {"card": card_sign(pile[0])}
    return gettext("Draw. Top of the discard pile: %(card)s.") % {"card": card_sign(pile[0])}


def card_sign(card: int) -> str:
    """A card in two signs: `9♣`, `10♥`, `joker`."""
    name = NAMES[card]
    if name[0] == "X":
        return gettext("a joker")
    return name[0].replace("T", "10") + _SUITS[name[1]]


def _held_words(state: State, own_number: int) -> str:
    hand = state.hands[own_number]
    points = sum(state.rules.card_values[card] for card in hand)
    held = {"cards": several(len(hand), "card"), "points": several(points, "point")}
    if state.feet[own_number] is None:
        return gettext("You have %(cards)s in your foot (%(points)s).") % held
    return gettext("You have %(cards)s in your hand (%(points)s). Your foot is still face down.") % held


def _awaited(table: Table, seats: Sequence[Seat], own_seat: Seat) -> list[str]:
    if table.status == Table.Status.GATHERING:
        free = sum(not seat.is_taken for seat in seats)
        if free:
            return [several(free, "more player")]
        return (
            [gettext("you, to start the match")]
            if table.creator_id == own_seat.user_id
            else [pgettext("what is waited for", "the start")]
        )
    if table.is_between_deals:
        return [short_name(seat) for seat in seats if not seat.is_ready]
    if table.seat_to_act is None:
        return []
    if any(seat.is_lifting for seat in seats):
        return [
            pgettext("who is waited for", "you") if seat.number == own_seat.number else short_name(seat)
            for seat in seats
            if seat.is_lifting
        ]
    return [
        pgettext("who is waited for", "you")
        if table.seat_to_act == own_seat.number
        else short_name(seats[table.seat_to_act])
    ]


def away_words(seat: Seat, now: datetime) -> str:
    """`away until Mon 10:00`, for people who are away."""
    if seat.user is None:
        return ""
    ends = [absence.ends_at for absence in seat.user.known_absences if absence.covers(now)]
    return gettext("away until %(time)s") % {"time": moment(max(ends), now)} if ends else ""


def _full_time(table: Table, *, is_answer: bool) -> timedelta:
    """The allowance that the time left is a part of."""
    if table.is_between_deals:
        return clocks.WAIT_FOR_DEAL
    if is_answer:
        return min(clocks.ANSWER_TIME, table.allowance)
    return (
        timedelta(hours=max(table.cap_hours, table.clock_hours)) if table.clock == Table.Clock.BANK else table.allowance
    )
