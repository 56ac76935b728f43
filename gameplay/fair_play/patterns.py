"""Patterns at rated matches that may be against fair play: worked out from the log and the page views, for organisers.

A finding reports facts and their number, and accuses nobody: each has innocent reasons. It is made of times alone;
no cards and no marks of devices leave this module.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations, groupby, permutations
from typing import Any, NamedTuple

from django.db.models import Count, QuerySet
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from gameplay.fair_play.models import FairPlayRemark
from gameplay.links import links_of
from gameplay.models import Look, Move, Table
from web.errors import Refused
from web.text import number, several

Kind = FairPlayRemark.Kind
Verdict = FairPlayRemark.Verdict

SOON = timedelta(minutes=5)
"""A move within this time after another's look is counted."""
FEW = 3
"""Fewer moves soon after a look than these are no pattern."""
MOST_MARKS = 200
"""Devices at several seats that are looked into, those of the newest tables; so a page stays quick in any event."""

REASONS: dict[str, str] = {
    Kind.DEVICE: gettext_noop(
        "A couple or family sharing a tablet looks just the same. So does a club’s own computer, "
        "or a friend’s phone used once to sign in."
    ),
    Kind.LOOKS: gettext_noop(
        "Players sharing a device pass it on. Anyone who has just checked the score or the chat "
        "looks the same. First ask whether they share one."
    ),
    Kind.PARTNERS: gettext_noop(
        "Couples and friends often play only with each other. Players with a familiar partner win more often."
    ),
}
"""Innocent reasons, by kind."""


@dataclass(frozen=True)
class Concerned:
    """A table, or a match, that a finding rests on, and the cases there."""

    name: str
    url: str
    cases: int


@dataclass(frozen=True)
class Finding:
    """A pattern between two people: how many cases of how many, and where."""

    kind: str
    one: int
    other: int
    sentence: str
    cases: int
    out_of: int
    tables: tuple[Concerned, ...]

    @property
    def key(self) -> str:
        """Its name among the findings of an organiser: the same as long as the pattern is there."""
        return f"{self.kind}-{self.one}-{self.other}"

    @property
    def reason(self) -> str:
        """Possible innocent reasons."""
        return gettext(REASONS[self.kind])


@dataclass(frozen=True)
class Reviewed:
    """A finding with the notes of organisers, the newest last."""

    finding: Finding
    remarks: Sequence[FairPlayRemark]

    @property
    def is_settled(self) -> bool:
        """Whether the last note found no concern, and no case came since."""
        last = self.remarks[-1] if self.remarks else None
        return last is not None and last.verdict == Verdict.NOTHING and last.cases >= self.finding.cases

    @property
    def since(self) -> int:
        """Cases after the last note."""
        return max(0, self.finding.cases - self.remarks[-1].cases) if self.remarks else 0


def reviewed(findings: Iterable[Finding], remarks: Iterable[FairPlayRemark], *, reader: int) -> list[Reviewed]:
    """The findings with their notes, unchecked ones first.

    Findings about the reader (the id of an account) are left out: nobody judges their own case.
    """
    remarks_of: dict[tuple[str, int, int], list[FairPlayRemark]] = defaultdict(list)
    for remark in remarks:
        remarks_of[remark.kind, remark.one_id, remark.other_id].append(remark)
    others = (finding for finding in findings if reader not in (finding.one, finding.other))
    rows = [Reviewed(each, remarks_of[each.kind, each.one, each.other]) for each in others]
    return sorted(rows, key=lambda row: (row.is_settled, bool(row.remarks), -row.finding.cases, row.finding.key))


# What organisers say

LONGEST_NOTE = 500
"""The most characters of a note."""


def finding_for(findings: Iterable[Finding], key: str, *, reader: int) -> Finding:
    """The finding of this name. Raises `Refused` if it does not exist, or is about the reader."""
    for finding in findings:
        if finding.key == key and reader not in (finding.one, finding.other):
            return finding
    raise Refused("no_such_finding", gettext("This finding no longer exists. Check the list again."))


def read_remark(finding: Finding, *, verdict: str, note: str) -> dict[str, Any]:
    """The fields of a remark about a finding. Raises `Refused`."""
    if verdict not in Verdict.values:
        raise Refused("no_verdict", gettext("Choose “Checked: no concern” or “Keep watching”."))
    words = " ".join(note.split())
    if len(words) > LONGEST_NOTE:
        raise Refused(
            "too_long",
            gettext("The note is too long. The limit is %(longest_note)s characters.") % {"longest_note": LONGEST_NOTE},
        )
    about = {"kind": finding.kind, "one_id": finding.one, "other_id": finding.other, "cases": finding.cases}
    return about | {"verdict": verdict, "note": words}


def history_line(verdict: str) -> str:
    """The history line of a note, which others read as well: it names nobody."""
    if verdict == Verdict.NOTHING:
        return gettext("Fair play: a finding was checked. There is no concern.")
    return gettext("Fair play: a finding was checked. It will be watched.")


def names_of(people: Iterable[int]) -> dict[int, str]:
    """The names of these accounts."""
    return {user.pk: str(user) for user in User.objects.filter(pk__in=set(people))}


# Looks


class _Look(NamedTuple):
    """A look, as it is fetched."""

    table: int
    seat: int
    user: int
    mark: str
    after_move: int
    at: datetime


class _Move(NamedTuple):
    """A move, as it is fetched."""

    table: int
    number: int
    seat: int
    by: str
    at: datetime


class _Sharing(NamedTuple):
    """Looks at a table on devices that several of its players used, and its moves."""

    table: Table
    looks: list[_Look]
    moves: list[_Move]


def of_looks(tables: QuerySet[Table]) -> list[Finding]:
    """Findings of devices used at two seats, and of moves soon after another's look on them. Six queries at most."""
    looks = Look.objects.filter(seat__table__in=tables.order_by().values("pk"))
    shared = looks.values("seat__table_id", "mark").annotate(people=Count("user", distinct=True)).filter(people__gt=1)
    pairs = set(shared.order_by("-seat__table_id").values_list("seat__table_id", "mark")[:MOST_MARKS])
    if not pairs:
        return []
    sharing = _sharing(pairs)
    people = {look.user for shared_table in sharing for look in shared_table.looks}
    tables_of = defaultdict[int, set[int]](set)
    for user, table in looks.filter(user__in=people).order_by().values_list("user_id", "seat__table_id").distinct():
        tables_of[user].add(table)
    names = names_of(people)
    return [*_devices(sharing, tables_of, names), *_soon(sharing, names)]


def _sharing(pairs: Collection[tuple[int, str]]) -> list[_Sharing]:
    """The tables of these marks, in order."""
    ids, marks = {table for table, _ in pairs}, {mark for _, mark in pairs}
    tables = Table.objects.only("name", "slug", "seat_count", "team_size").in_bulk(ids)
    rows = Look.objects.filter(seat__table__in=ids, mark__in=marks).order_by("at", "pk")
    looks = defaultdict[int, list[_Look]](list)
    for row in rows.values_list("seat__table_id", "seat__number", "user_id", "mark", "after_move", "at"):
        look = _Look(*row)
        if (look.table, look.mark) in pairs:
            looks[look.table].append(look)
    moves = defaultdict[int, list[_Move]](list)
    rows_of_moves = Move.objects.filter(table__in=ids).order_by("table", "number")
    for line in rows_of_moves.values_list("table_id", "number", "seat", "by", "at"):
        moves[line[0]].append(_Move(*line))
    return [_Sharing(tables[pk], looks[pk], moves[pk]) for pk in sorted(ids)]


_Sides = tuple[tuple[int, int], tuple[int, int]]
"""The player who moved, and the one who looked: each an account and its seat."""


def _seats(looks: Iterable[_Look]) -> dict[str, set[tuple[int, int]]]:
    """Users and their seats, by device."""
    seats = defaultdict[str, set[tuple[int, int]]](set)
    for look in looks:
        seats[look.mark].add((look.user, look.seat))
    return seats


def _devices(
    sharing: Iterable[_Sharing], tables_of: Mapping[int, Collection[int]], names: Mapping[int, str]
) -> Iterator[Finding]:
    """Findings by two people: the tables where both used one device, of those where both were seen."""
    at: dict[tuple[int, int], dict[int, Concerned]] = defaultdict(dict)
    as_partners: Counter[tuple[int, int]] = Counter()
    for shared_table in sharing:
        for used in _seats(shared_table.looks).values():
            for (user, seat), (other, beside) in combinations(sorted(used), 2):
                if user != other and seat != beside and shared_table.table.pk not in at[user, other]:
                    at[user, other][shared_table.table.pk] = _concerned(shared_table.table, 1)
                    as_partners[user, other] += seat % shared_table.table.teams == beside % shared_table.table.teams
    for (user, other), tables in at.items():
        together = len(set(tables_of[user]) & set(tables_of[other]))
        sentence = _seen_words(as_partners[user, other], len(tables)) % {
            "one": names[user],
            "other": names[other],
            "tables": number(len(tables)),
            "all": several(together, "table"),
            "as_partners": number(as_partners[user, other]),
            "as_opponents": number(len(tables) - as_partners[user, other]),
        }
        yield Finding(Kind.DEVICE, user, other, sentence, len(tables), together, tuple(tables.values()))


def _seen_words(as_partners: int, count: int) -> str:
    """The sentence of two players who used one device, by their sides."""
    if as_partners == 0:
        return gettext(
            "%(one)s and %(other)s had their seats open on the same device at %(tables)s of the "
            "%(all)s they shared. They were opponents there."
        )
    if as_partners == count:
        return gettext(
            "%(one)s and %(other)s had their seats open on the same device at %(tables)s of the "
            "%(all)s they shared. They were partners there."
        )
    return gettext(
        "%(one)s and %(other)s had their seats open on the same device at %(tables)s of the "
        "%(all)s they shared. They were partners at %(as_partners)s and opponents at "
        "%(as_opponents)s."
    )


def _soon(sharing: Iterable[_Sharing], names: Mapping[int, str]) -> Iterator[Finding]:
    """Findings by mover and looker: turns started or continued soon after the look, of all turns at those tables."""
    at: dict[tuple[int, int], list[Concerned]] = defaultdict(list)
    turns_of: Counter[tuple[int, int]] = Counter()
    for shared in sharing:
        turns, marks = _turns(shared.moves), defaultdict[_Sides, set[str]](set)
        for mark, used in _seats(shared.looks).items():
            for pair in permutations(sorted(used), 2):
                marks[pair].add(mark)
        for ((user, seat), (other, beside)), shared_marks in sorted(marks.items()):
            if user == other or seat == beside:
                continue  # the second is a reserve in the same seat
            turns_of[user, other] += len({turn for turn, move in turns.values() if _is_own(move, seat)})
            looks = [
                look for look in shared.looks if (look.user, look.seat) == (other, beside) and look.mark in shared_marks
            ]
            if cases := len(set(_turns_after(looks, turns, seat, beside))):
                at[user, other].append(_concerned(shared.table, cases))
    for (user, other), tables in at.items():
        cases, out_of = sum(shared.cases for shared in tables), turns_of[user, other]
        if cases >= FEW:
            pattern = gettext(
                "%(one)s played %(cases)s of %(turns)s within 5 minutes after %(other)s’s seat was "
                "opened on a device both use. It was %(one)s’s turn then."
            )
            sentence = pattern % {
                "one": names[user],
                "other": names[other],
                "cases": number(cases),
                "turns": several(out_of, "turn"),
            }
            yield Finding(Kind.LOOKS, user, other, sentence, cases, out_of, tuple(tables))


def _turns(moves: Iterable[_Move]) -> dict[int, tuple[int, _Move]]:
    """By number of a move: in which turn it was made, and the move."""
    by_seat = groupby(moves, key=lambda move: move.seat)
    return {move.number: (turn, move) for turn, (_, moves_of_turn) in enumerate(by_seat) for move in moves_of_turn}


def _is_own(move: _Move, seat: int) -> bool:
    """Whether the person at a seat made the move themselves."""
    return move.seat == seat and move.by == Move.By.PLAYER


def _turns_after(
    looks: Iterable[_Look], turns: Mapping[int, tuple[int, _Move]], seat: int, beside: int
) -> Iterator[int]:
    """The turns of a seat with a move soon after a look from the other seat.

    Players who have just moved saw their own cards anyway: a look right after an own move is left out.
    """
    for look in looks:
        before, after = turns.get(look.after_move), turns.get(look.after_move + 1)
        if after is None or (before is not None and before[1].seat == beside):
            continue
        turn, move = after
        if _is_own(move, seat) and timedelta() <= move.at - look.at <= SOON:
            yield turn


def _concerned(table: Table, cases: int) -> Concerned:
    return Concerned(table.name, links_of(table.slug).table, cases)
