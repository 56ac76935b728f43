"""A player's finished matches: the record, with whom and against whom, best deals, and small boards of recent games.

A reader learns only of tables that they may watch, or where they had a seat, so that nobody's games are revealed by a
sum. Practice, abandoned and sealed tables are left out. The queries do not grow with the matches.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from accounts.services import friends
from engine.play.melds import book_kind
from gameplay.house_rules import rule_titles
from gameplay.models import Deal, Seat, Table
from gameplay.snapshot import view_of
from web.text import join_words, joined

MOST_MATCHES = 300
"""The latest matches that the record counts."""
_RECENT, _BEST, _PEOPLE = 5, 3, 8
_LONGEST_ROW = 12
"""Melds of a side that a small board shows."""


Player = User | AnonymousUser


@dataclass(frozen=True)
class Company:
    """People whom the player has played with, or against."""

    people: tuple[tuple[str, str], ...]
    """Name and username of each; no username if they have no account now."""
    matches: int
    won: int

    @property
    def names(self) -> str:
        """`Ann and Ben`."""
        return join_words([name for name, _ in self.people])

    @property
    def share(self) -> int:
        """Matches won, per cent."""
        return round(100 * self.won / self.matches)


@dataclass(frozen=True)
class BestDeal:
    """A deal with many points."""

    points: int
    table: Table
    deal: int


@dataclass(frozen=True)
class SmallBoard:
    """Melds of two sides: for each the class of its bars, `open` for a meld that is no book."""

    theirs: tuple[str, ...]
    ours: tuple[str, ...]

    @property
    def books(self) -> tuple[int, int]:
        """Numbers of books, the player's side first."""
        ours, theirs = (sum(bar != "open" for bar in row) for row in (self.ours, self.theirs))
        return ours, theirs


@dataclass(frozen=True)
class Game:
    """A match on the page."""

    table: Table
    rules: str
    partners: tuple[str, ...]
    opponents: tuple[tuple[str, ...], ...]
    """Names by side."""
    is_won: bool
    is_shared: bool
    """Whether several sides have won."""
    points: tuple[int, int]
    """Those of the player's side, and the most of another."""
    deals: int
    at: datetime | None
    board: SmallBoard | None

    @property
    def players(self) -> str:
        """`With Walter, against Tom and Priya`."""
        against = join_words([joined(side) for side in self.opponents])
        if not self.partners:
            return gettext("Against %(others)s") % {"others": against}
        return gettext("With %(partners)s, against %(others)s") % {"partners": joined(self.partners), "others": against}


@dataclass
class PlayerRecord:
    """All of it."""

    matches: int = 0
    won: int = 0
    in_a_row: int = 0
    """The longest run of matches won."""
    best_deals: list[BestDeal] = field(default_factory=list)
    partners: list[Company] = field(default_factory=list)
    opponents: list[Company] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)

    @property
    def share(self) -> int:
        """Matches won, per cent."""
        return round(100 * self.won / self.matches) if self.matches else 0


def is_shown(user: User, reader: Player) -> bool:
    """Whether the player shows this reader the record."""
    if user.pk == reader.pk or user.record_for == User.Readers.ANYONE:
        return True
    return user.record_for == User.Readers.FRIENDS and isinstance(reader, User) and friends.are_friends(user, reader)


def read_record(user: User, reader: Player) -> PlayerRecord:
    """The record of a player as this reader may know it: five queries at most."""
    own_seats = list(_seats(user, reader)[:MOST_MATCHES])
    tables = {seat.table_id: seat.table for seat in own_seats}
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(table__in=list(tables)).select_related("user"):
        seats[seat.table_id].append(seat)
    record = PlayerRecord(matches=len(own_seats), won=sum(map(_has_won, own_seats)))
    record.in_a_row = max((len(list(run)) for is_won, run in groupby(own_seats, _has_won) if is_won), default=0)
    record.partners = _company(own_seats, seats, are_partners=True)
    record.opponents = _company(own_seats, seats, are_partners=False)
    record.best_deals = _best_deals(own_seats, tables)
    recent = own_seats[:_RECENT]
    boards = _boards(recent)
    titles = rule_titles.of_tables([seat.table for seat in recent])
    record.games = [_game(seat, seats[seat.table_id], titles, boards.get(seat.table_id)) for seat in recent]
    return record


def _seats(user: User, reader: Player) -> QuerySet[Seat]:
    over = Seat.objects.filter(user=user, table__status=Table.Status.OVER, table__is_practice=False)
    over = over.filter(table__is_sealed=False, table__result__isnull=False)
    if user.pk != reader.pk:
        beside = Seat.objects.filter(table=OuterRef("table"), user__pk=reader.pk or 0)
        over = over.filter(Q(table__watching=Table.Watching.ANYBODY) | Exists(beside))
    return over.select_related("table").defer("table__snapshot").order_by("-table__ended_at", "-table_id")


def _side(seat: Seat) -> int:
    return seat.number % seat.table.teams


def _has_won(seat: Seat) -> bool:
    return _side(seat) in (seat.table.result or {}).get("winners", ())


def _company(own_seats: Sequence[Seat], seats: dict[int, list[Seat]], *, are_partners: bool) -> list[Company]:
    """The sides of people that the player has sat with, or against; bots do not count."""
    counts: dict[tuple[int, ...], list[int]] = defaultdict(lambda: [0, 0])
    people: dict[int, tuple[str, str]] = {}
    for mine in own_seats:
        sides: dict[int, list[Seat]] = defaultdict(list)
        for seat in seats[mine.table_id]:
            if seat.pk != mine.pk and seat.user is not None:
                sides[seat.number % mine.table.teams].append(seat)
        for number, side in sides.items():
            if (number == _side(mine)) is not are_partners:
                continue
            people |= {seat.user.pk: (str(seat.user), _username(seat.user)) for seat in side if seat.user is not None}
            count = counts[tuple(sorted(seat.user_id for seat in side if seat.user_id is not None))]
            count[0] += 1
            count[1] += _has_won(mine)
    most = sorted(counts.items(), key=lambda item: (-item[1][0], -item[1][1], item[0]))[:_PEOPLE]
    return [Company(tuple(people[pk] for pk in key), matches, won) for key, (matches, won) in most]


def _username(user: User) -> str:
    return user.username if user.is_active and not user.is_guest else ""


def _best_deals(own_seats: Sequence[Seat], tables: dict[int, Table]) -> list[BestDeal]:
    sides = {seat.table_id: _side(seat) for seat in own_seats}
    rows = Deal.objects.filter(table__in=list(tables), ended_at__isnull=False)
    deals = [
        BestDeal(scores[sides[table_id]], tables[table_id], number)
        for table_id, number, scores in rows.values_list("table_id", "number", "result__deal_score")
        if scores
    ]
    return sorted(deals, key=lambda deal: (-deal.points, -deal.table.pk, deal.deal))[:_BEST]


# Recent games


def _boards(own_seats: Sequence[Seat]) -> dict[int, SmallBoard]:
    """The melds as the last deal ended, by table: what every spectator saw."""
    sides = {seat.table_id: _side(seat) for seat in own_seats}
    rows = Table.objects.filter(pk__in=list(sides), snapshot__isnull=False)
    return {table.pk: _board(table, sides[table.pk]) for table in rows}


def _board(table: Table, side: int) -> SmallBoard:
    position = view_of(table, None).position
    bars = [
        tuple(_bar(book_kind(position.rules, meld), is_book=meld.is_book) for meld in melds)[:_LONGEST_ROW]
        for melds in position.melds
    ]
    theirs = max((row for number, row in enumerate(bars) if number != side), key=len, default=())
    return SmallBoard(theirs=theirs, ours=bars[side])


def _bar(kind: str, *, is_book: bool) -> str:
    if not is_book:
        return "open"
    return kind if kind in ("dirty", "wild") else "clean"


def _game(mine: Seat, seats: Sequence[Seat], titles: dict[int, str], board: SmallBoard | None) -> Game:
    table, side = mine.table, _side(mine)
    result = table.result or {}
    totals = result.get("totals") or [0] * table.teams
    sides: dict[int, list[str]] = defaultdict(list)
    for seat in seats:
        if seat.pk != mine.pk:
            sides[seat.number % table.teams].append(seat.player_name)
    return Game(
        table=table,
        rules=titles.get(table.pk, ""),
        partners=tuple(sides.pop(side, ())),
        opponents=tuple(tuple(names) for _, names in sorted(sides.items())),
        is_won=_has_won(mine),
        is_shared=len(result.get("winners", ())) > 1,
        points=(totals[side], max((points for number, points in enumerate(totals) if number != side), default=0)),
        deals=table.deal_number,
        at=table.ended_at,
        board=board,
    )
