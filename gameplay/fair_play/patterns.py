"""Patterns at matches that count that may be against fair play: worked out from the log and the looks, for organisers.

A finding says what was seen and how often, and never that anybody did wrong: each has innocent reasons. It is made of
times alone; no cards and no marks of devices leave this module.
"""

from __future__ import annotations

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
        """What innocent reasons there may be."""
        return gettext(REASONS[self.kind])


@dataclass(frozen=True)
class Marked:
    """A finding with what organisers have said of it, the newest last."""

    finding: Finding
    remarks: Sequence[FairPlayRemark]

    @property
    def is_settled(self) -> bool:
        """Whether the last word was that there is nothing in it, and no case came since."""
        last = self.remarks[-1] if self.remarks else None
        return last is not None and last.verdict == Verdict.NOTHING and last.cases >= self.finding.cases

    @property
    def since(self) -> int:
        """Cases that came after the last word."""
        return max(0, self.finding.cases - self.remarks[-1].cases) if self.remarks else 0


def marked(findings: Iterable[Finding], remarks: Iterable[FairPlayRemark], *, reader: int) -> list[Marked]:
    """The findings with what was said of them, those that wait for somebody to look first.

    What is about the reader (the id of an account) is left out: nobody judges their own case.
    """
    said: dict[tuple[str, int, int], list[FairPlayRemark]] = defaultdict(list)
    for remark in remarks:
        said[remark.kind, remark.one_id, remark.other_id].append(remark)
    found = [Marked(one, said[one.kind, one.one, one.other]) for one in findings if reader not in (one.one, one.other)]
    return sorted(found, key=lambda one: (one.is_settled, bool(one.remarks), -one.finding.cases, one.finding.key))


# What organisers say

LONGEST_NOTE = 500
"""The most characters of a note."""


def finding_for(findings: Iterable[Finding], key: str, *, reader: int) -> Finding:
    """The finding of this name. Raises `Refused` where it is not there, or is about the reader."""
    for one in findings:
        if one.key == key and reader not in (one.one, one.other):
            return one
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


def said_words(verdict: str) -> str:
    """The line of a history, which others read as well: it names nobody."""
    if verdict == Verdict.NOTHING:
        return gettext("Fair play: a finding was checked. There is no concern.")
    return gettext("Fair play: a finding was checked. It will be watched.")


def names_of(people: Iterable[int]) -> dict[int, str]:
    """What these accounts are called."""
    return {user.pk: str(user) for user in User.objects.filter(pk__in=set(people))}


# Looks


class _Seen(NamedTuple):
    """A look, as it is fetched."""

    table: int
    seat: int
    user: int
    mark: str
    after_move: int
    at: datetime


class _Made(NamedTuple):
    """A move, as it is fetched."""

    table: int
    number: int
    seat: int
    by: str
    at: datetime


class _Sharing(NamedTuple):
    """Looks at a table on devices that several of its players used, and its moves."""

    table: Table
    looks: list[_Seen]
    moves: list[_Made]


def of_looks(tables: QuerySet[Table]) -> list[Finding]:
    """One device at two seats, and moves soon after another's look on it, at some tables. Six queries at most."""
    looks = Look.objects.filter(seat__table__in=tables.order_by().values("pk"))
    shared = looks.values("seat__table_id", "mark").annotate(people=Count("user", distinct=True)).filter(people__gt=1)
    pairs = set(shared.order_by("-seat__table_id").values_list("seat__table_id", "mark")[:MOST_MARKS])
    if not pairs:
        return []
    sharing = _sharing(pairs)
    people = {look.user for one in sharing for look in one.looks}
    seen = defaultdict[int, set[int]](set)
    for user, table in looks.filter(user__in=people).order_by().values_list("user_id", "seat__table_id").distinct():
        seen[user].add(table)
    names = names_of(people)
    return [*_devices(sharing, seen, names), *_soon(sharing, names)]


def _sharing(pairs: Collection[tuple[int, str]]) -> list[_Sharing]:
    """The tables of these marks, in order."""
    ids, marks = {table for table, _ in pairs}, {mark for _, mark in pairs}
    tables = Table.objects.only("name", "slug", "seat_count", "team_size").in_bulk(ids)
    rows = Look.objects.filter(seat__table__in=ids, mark__in=marks).order_by("at", "pk")
    looks = defaultdict[int, list[_Seen]](list)
    for row in rows.values_list("seat__table_id", "seat__number", "user_id", "mark", "after_move", "at"):
        look = _Seen(*row)
        if (look.table, look.mark) in pairs:
            looks[look.table].append(look)
    moves = defaultdict[int, list[_Made]](list)
    made = Move.objects.filter(table__in=ids).order_by("table", "number")
    for line in made.values_list("table_id", "number", "seat", "by", "at"):
        moves[line[0]].append(_Made(*line))
    return [_Sharing(tables[pk], looks[pk], moves[pk]) for pk in sorted(ids)]


_Sides = tuple[tuple[int, int], tuple[int, int]]
"""Who moved, and who looked: each an account and its seat."""


def _seats(looks: Iterable[_Seen]) -> dict[str, set[tuple[int, int]]]:
    """By device: who used it, and at which seat."""
    found = defaultdict[str, set[tuple[int, int]]](set)
    for look in looks:
        found[look.mark].add((look.user, look.seat))
    return found


def _devices(
    sharing: Iterable[_Sharing], seen: Mapping[int, Collection[int]], names: Mapping[int, str]
) -> Iterator[Finding]:
    """By two people: at how many tables both used one device, of those at which both were seen."""
    at: dict[tuple[int, int], dict[int, Concerned]] = defaultdict(dict)
    as_partners: Counter[tuple[int, int]] = Counter()
    for one in sharing:
        for used in _seats(one.looks).values():
            for (user, seat), (other, beside) in combinations(sorted(used), 2):
                if user != other and seat != beside and one.table.pk not in at[user, other]:
                    at[user, other][one.table.pk] = _concerned(one.table, 1)
                    as_partners[user, other] += seat % one.table.teams == beside % one.table.teams
    for (user, other), tables in at.items():
        together = len(set(seen[user]) & set(seen[other]))
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
    """The sentence of two who used one device, by the sides on which they sat."""
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
    """By who moved and who looked: turns begun or gone on with soon after the look, of all turns at those tables."""
    at: dict[tuple[int, int], list[Concerned]] = defaultdict(list)
    turns_of: Counter[tuple[int, int]] = Counter()
    for one in sharing:
        turns, marks = _turns(one.moves), defaultdict[_Sides, set[str]](set)
        for mark, used in _seats(one.looks).items():
            for pair in permutations(sorted(used), 2):
                marks[pair].add(mark)
        for ((user, seat), (other, beside)), own in sorted(marks.items()):
            if user == other or seat == beside:
                continue  # the second is a reserve who took the seat over
            turns_of[user, other] += len({turn for turn, move in turns.values() if _is_own(move, seat)})
            looks = [look for look in one.looks if (look.user, look.seat) == (other, beside) and look.mark in own]
            if cases := len(set(_turns_after(looks, turns, seat, beside))):
                at[user, other].append(_concerned(one.table, cases))
    for (user, other), tables in at.items():
        cases, out_of = sum(one.cases for one in tables), turns_of[user, other]
        if cases >= FEW:
            told = gettext(
                "%(one)s played %(cases)s of %(turns)s within 5 minutes after %(other)s’s seat was "
                "opened on a device both use. It was %(one)s’s turn then."
            )
            sentence = told % {
                "one": names[user],
                "other": names[other],
                "cases": number(cases),
                "turns": several(out_of, "turn"),
            }
            yield Finding(Kind.LOOKS, user, other, sentence, cases, out_of, tuple(tables))


def _turns(moves: Iterable[_Made]) -> dict[int, tuple[int, _Made]]:
    """By number of a move: in which turn it was made, and the move."""
    by_seat = groupby(moves, key=lambda move: move.seat)
    return {move.number: (turn, move) for turn, (_, own) in enumerate(by_seat) for move in own}


def _is_own(move: _Made, seat: int) -> bool:
    """Whether the person at a seat made the move themselves."""
    return move.seat == seat and move.by == Move.By.PLAYER


def _turns_after(
    looks: Iterable[_Seen], turns: Mapping[int, tuple[int, _Made]], seat: int, beside: int
) -> Iterator[int]:
    """The turns of a seat with a move soon after a look from beside it.

    Who has just moved saw their own cards anyway: a look that follows one's own move tells nothing and is left out.
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
