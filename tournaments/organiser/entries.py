"""Entries as organisers see them: the list, the check-in, one entry with everything that can be done about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Prefetch
from django.utils.translation import gettext, gettext_noop

from engine.compete.explain import value
from tournaments.models import Adjustment, Entry, KeptApart, Member, Pairing, Place, Stage, StageEntry, Tournament
from tournaments.organiser.tables import round_title
from tournaments.plan import Plan
from tournaments.public.matches import source_words
from tournaments.public.names import match_title
from tournaments.services.action_context import last_kept_round
from tournaments.services.entries.byes import GIVE_BYES, KINDS
from tournaments.services.entries.enrolment import listed as all_entries
from web.text import listed

Status = Entry.Status
GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("entered", gettext_noop("Entered"), (Status.ENTERED,)),
    ("waiting", gettext_noop("Waiting list"), (Status.WAITING,)),
    ("forming", gettext_noop("Waiting for an answer"), (Status.FORMING,)),
    ("gone", gettext_noop("Left"), (Status.WITHDRAWN, Status.DISQUALIFIED)),
)
"""In which groups the list has them: name, heading, statuses."""


@dataclass(frozen=True)
class Group:
    """Entries that stand alike."""

    name: str
    title: str
    entries: tuple[Entry, ...]


def groups(event: Tournament, query: str = "") -> list[Group]:
    """The entries by how they stand, those that a query names by name or number: two queries."""
    found = found_by(list(all_entries(event)), query)
    shown = [
        Group(name, gettext(title), tuple(one for one in found if one.status in statuses))
        for name, title, statuses in GROUPS
    ]
    return [group for group in shown if group.entries]


def found_by(entries: Sequence[Entry], query: str) -> list[Entry]:
    """The entries that a query means: by number, by their name, or by that of somebody of theirs."""
    wanted = " ".join(query.split()).casefold()
    if not wanted:
        return list(entries)
    return [
        entry
        for entry in entries
        if wanted == str(entry.number)
        or wanted in entry.name.casefold()
        or any(wanted in member.name.casefold() for member in entry.members.all())
    ]


# Check-in


@dataclass(frozen=True)
class Here:
    """An entry in the list of who is here."""

    entry: Entry
    is_here: bool | None
    meta: str


def check_in(event: Tournament, query: str = "") -> list[Here]:
    """Who is here, who is not, and of whom nobody knows, these first: two queries."""
    entered = [entry for entry in all_entries(event) if entry.status in (Status.ENTERED, Status.WAITING)]
    rows = [Here(entry, entry.is_here, _meta(entry)) for entry in found_by(entered, query)]
    return sorted(rows, key=lambda row: ({None: 0, False: 1, True: 2}[row.is_here], row.entry.name.casefold()))


def _meta(entry: Entry) -> str:
    parts = [gettext("no. %(number)s") % {"number": entry.number}]
    names = [member.name for member in entry.members.all()]
    if names and " / ".join(names) != entry.name and names != [entry.name]:
        parts.append(listed(names))
    if entry.status == Status.WAITING:
        parts.append(gettext("on the waiting list"))
    return ", ".join(parts)


# One entry


@dataclass(frozen=True)
class Bye:
    """A round that an entry does not want to play."""

    number: int
    words: str
    can_go: bool


@dataclass(frozen=True)
class Match:
    """A match of the entry: where, against whom, and who can play it where there are several."""

    pairing: Pairing
    place: Place
    title: str
    against: str
    status: str


@dataclass(frozen=True)
class Page:
    """An entry with everything that can be done about it."""

    entry: Entry
    people: tuple[Member, ...]
    left: tuple[Member, ...]
    matches: tuple[Match, ...]
    byes: tuple[Bye, ...]
    bye_rounds: tuple[int, ...]
    """Rounds for which a bye can still be given; empty where the format has none."""
    adjustments: tuple[tuple[Adjustment, str], ...]
    stages: tuple[Stage, ...]
    """Stages in which points can be given."""
    apart: tuple[Entry, ...]
    others: tuple[Entry, ...]
    """Entries that it could be kept apart from."""

    @property
    def reserves(self) -> list[Member]:
        """Who could take over for a player."""
        is_ready = Member.Answer.ACCEPTED
        return [one for one in self.people if one.role == Member.Role.RESERVE and one.answer == is_ready]

    @property
    def players(self) -> list[Member]:
        """Who plays."""
        return [one for one in self.people if one.role == Member.Role.PLAYER]


def entry_page(event: Tournament, entry: Entry) -> Page:
    """Everything about one entry: a number of queries that depends on the stages it is in."""
    members = list(entry.members.select_related("user"))
    own = list(StageEntry.objects.filter(entry=entry).select_related("stage"))
    pairs = KeptApart.objects.filter(tournament=event).select_related("one", "other")
    apart = [
        row.other if row.one_id == entry.pk else row.one for row in pairs if entry.pk in (row.one_id, row.other_id)
    ]
    known = {one.pk for one in apart} | {entry.pk}
    others = Entry.objects.filter(tournament=event, status__in=(Status.ENTERED, Status.WAITING, Status.FORMING))
    byes, rounds = _byes(event, entry, own)
    given = Adjustment.objects.filter(entry=entry).select_related("stage", "by")
    return Page(
        entry=entry,
        people=tuple(one for one in members if one.left_at is None and one.answer != Member.Answer.DECLINED),
        left=tuple(one for one in members if one.left_at is not None),
        matches=_matches(entry),
        byes=byes,
        bye_rounds=rounds,
        adjustments=tuple((row, value(Fraction(row.points))) for row in given),
        stages=tuple(one.stage for one in own),
        apart=tuple(apart),
        others=tuple(one for one in others.order_by("name") if one.pk not in known),
    )


def _matches(entry: Entry) -> tuple[Match, ...]:
    places = Prefetch("pairing__places", Place.objects.select_related("entry"))
    own = Place.objects.filter(entry=entry).exclude(pairing__status=Pairing.Status.IDLE)
    rows = own.select_related("pairing__round__stage").prefetch_related(places)
    rows = rows.order_by("pairing__round__stage__number", "pairing__round__number", "pairing__number")
    return tuple(_match(place) for place in rows)


def _match(place: Place) -> Match:
    pairing = place.pairing
    others = [one for one in pairing.places.all() if one.side != place.side]
    against = listed(str(one.entry) if one.entry else source_words(one.source) for one in others)
    title = f"{round_title(pairing.round)}, {match_title(pairing)}"
    return Match(pairing, place, title, against, str(pairing.get_status_display()))


def _byes(event: Tournament, entry: Entry, own: Sequence[StageEntry]) -> tuple[tuple[Bye, ...], tuple[int, ...]]:
    """Byes that were asked for, and rounds for which one can be."""
    if event.has_begun:
        running = [one for one in own if one.stage.status == Stage.Status.RUNNING and one.last_round is None]
        if not running:
            return (), ()
        stage, kept = running[-1].stage, running[-1].byes
        first = max(last_kept_round(stage) + 1, running[-1].first_round)
    else:
        found = event.stages.first()
        if found is None:
            return (), ()
        stage, kept, first = found, entry.byes, 1
    plan = Plan.read(stage.plan_json)
    byes = tuple(
        Bye(int(number), str(KINDS.get(kind, kind)), int(number) >= first) for number, kind in sorted(kept.items())
    )
    if plan.format not in GIVE_BYES:
        return byes, ()
    last = plan.rounds or first + 8
    return byes, tuple(number for number in range(first, last + 1) if str(number) not in kept)


# Seeds


def in_order(event: Tournament) -> list[Entry]:
    """The entries that are seeded, in the order of their seeds; those without after them by number. Two queries."""
    found = [one for one in all_entries(event) if one.status in (Status.ENTERED, Status.WAITING, Status.FORMING)]
    return sorted(found, key=lambda one: (one.seed is None, one.seed or 0, one.number))


def kept_apart(event: Tournament) -> list[KeptApart]:
    """Pairs that are kept apart: one query."""
    return list(KeptApart.objects.filter(tournament=event).select_related("one", "other"))
