"""Entries as organisers see them: the list, the check-in, one entry with every act on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db.models import Prefetch, Q
from django.utils.translation import gettext, gettext_noop

from engine.compete.explain import value
from tournaments.models import Adjustment, Entry, KeptApart, Member, Pairing, Place, Stage, StageEntry, Tournament
from tournaments.plan import Plan
from tournaments.public.matches import source_words
from tournaments.round_names import match_heading
from tournaments.services.action_context import last_fixed_round
from tournaments.services.entries.byes import GIVE_BYES, KINDS
from tournaments.services.entries.enrolment import list_entries as all_entries
from web.text import join_words

Status = Entry.Status
GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("entered", gettext_noop("Entered"), (Status.ENTERED,)),
    ("waiting", gettext_noop("Waiting list"), (Status.WAITING,)),
    ("forming", gettext_noop("Waiting for an answer"), (Status.FORMING,)),
    ("gone", gettext_noop("Left"), (Status.WITHDRAWN, Status.DISQUALIFIED)),
)
"""The groups of the list: name, heading, statuses."""


@dataclass(frozen=True)
class Group:
    """Entries with the same kind of status."""

    name: str
    title: str
    entries: tuple[Entry, ...]


def groups(event: Tournament, query: str = "") -> list[Group]:
    """The entries by status, those that match a query by name or number: two queries."""
    entries = find_entries(list(all_entries(event)), query)
    all_groups = [
        Group(name, gettext(title), tuple(entry for entry in entries if entry.status in statuses))
        for name, title, statuses in GROUPS
    ]
    return [group for group in all_groups if group.entries]


def find_entries(entries: Sequence[Entry], query: str) -> list[Entry]:
    """The entries that match a query: by number, by their name, or by that of one of their people."""
    text = " ".join(query.split()).casefold()
    if not text:
        return list(entries)
    return [
        entry
        for entry in entries
        if text == str(entry.number)
        or text in entry.name.casefold()
        or any(text in member.name.casefold() for member in entry.members.all())
    ]


# Check-in


@dataclass(frozen=True)
class CheckInRow:
    """An entry in the check-in list."""

    entry: Entry
    is_here: bool | None
    meta: str


def check_in(event: Tournament, query: str = "") -> list[CheckInRow]:
    """The check-in list, unknown entries first: two queries."""
    entered = [entry for entry in all_entries(event) if entry.status in (Status.ENTERED, Status.WAITING)]
    rows = [CheckInRow(entry, entry.is_here, _meta(entry)) for entry in find_entries(entered, query)]
    return sorted(rows, key=lambda row: ({None: 0, False: 1, True: 2}[row.is_here], row.entry.name.casefold()))


def _meta(entry: Entry) -> str:
    parts = [gettext("no. %(number)s") % {"number": entry.number}]
    names = [member.name for member in entry.members.all()]
    if names and " / ".join(names) != entry.name and names != [entry.name]:
        parts.append(join_words(names))
    if entry.status == Status.WAITING:
        parts.append(gettext("on the waiting list"))
    return ", ".join(parts)


# One entry


@dataclass(frozen=True)
class Bye:
    """A round that an entry skips."""

    number: int
    words: str
    can_go: bool


@dataclass(frozen=True)
class Match:
    """A match of the entry, with its place and its opponents."""

    pairing: Pairing
    place: Place
    title: str
    against: str
    status: str


@dataclass(frozen=True)
class Page:
    """An entry with every act on it."""

    entry: Entry
    people: tuple[Member, ...]
    former: tuple[Member, ...]
    matches: tuple[Match, ...]
    byes: tuple[Bye, ...]
    bye_rounds: tuple[int, ...]
    """Rounds for which a bye can still be given; empty if the format has none."""
    adjustments: tuple[tuple[Adjustment, str], ...]
    stages: tuple[Stage, ...]
    """Stages in which points can be given."""
    apart: tuple[Entry, ...]
    others: tuple[Entry, ...]
    """Entries to keep it apart from."""

    @property
    def reserves(self) -> list[Member]:
        """People who could take over for a player."""
        is_ready = Member.Answer.ACCEPTED
        return [member for member in self.people if member.role == Member.Role.RESERVE and member.answer == is_ready]

    @property
    def players(self) -> list[Member]:
        """The people who play."""
        return [member for member in self.people if member.role == Member.Role.PLAYER]


def entry_page(event: Tournament, entry: Entry) -> Page:
    """Everything about one entry: a number of queries that depends on the stages it is in."""
    members = list(entry.members.select_related("user"))
    parts = list(StageEntry.objects.filter(entry=entry).select_related("stage"))
    pairs = KeptApart.objects.filter(tournament=event).select_related("one", "other")
    own_pairs = pairs.filter(Q(one=entry) | Q(other=entry))
    apart = [pair.other if pair.one_id == entry.pk else pair.one for pair in own_pairs]
    excluded = {each.pk for each in apart} | {entry.pk}
    others = Entry.objects.filter(tournament=event, status__in=(Status.ENTERED, Status.WAITING, Status.FORMING))
    byes, rounds = _byes(event, entry, parts)
    adjustments = Adjustment.objects.filter(entry=entry).select_related("stage", "by")
    return Page(
        entry=entry,
        people=tuple(each for each in members if each.left_at is None and each.answer != Member.Answer.DECLINED),
        former=tuple(each for each in members if each.left_at is not None),
        matches=_matches(entry),
        byes=byes,
        bye_rounds=rounds,
        adjustments=tuple((adjustment, value(Fraction(adjustment.points))) for adjustment in adjustments),
        stages=tuple(part.stage for part in parts),
        apart=tuple(apart),
        others=tuple(each for each in others.order_by("name") if each.pk not in excluded),
    )


def _matches(entry: Entry) -> tuple[Match, ...]:
    places = Prefetch("pairing__places", Place.objects.select_related("entry"))
    seats = Place.objects.filter(entry=entry).exclude(pairing__status=Pairing.Status.IDLE)
    rows = seats.select_related("pairing__round__stage").prefetch_related(places)
    rows = rows.order_by("pairing__round__stage__number", "pairing__round__number", "pairing__number")
    return tuple(_match(place) for place in rows)


def _match(place: Place) -> Match:
    pairing = place.pairing
    opponents = [each for each in pairing.places.all() if each.side != place.side]
    against = join_words(str(each.entry) if each.entry else source_words(each.source, pairing) for each in opponents)
    title = match_heading(pairing.round.name, pairing.name, pairing.number)
    return Match(pairing, place, title, against, str(pairing.get_status_display()))


def _byes(event: Tournament, entry: Entry, parts: Sequence[StageEntry]) -> tuple[tuple[Bye, ...], tuple[int, ...]]:
    """Requested byes, and rounds for which one can be requested."""
    if event.has_begun:
        running = [part for part in parts if part.stage.status == Stage.Status.RUNNING and part.last_round is None]
        if not running:
            return (), ()
        stage, requested = running[-1].stage, running[-1].byes
        first = max(last_fixed_round(stage) + 1, running[-1].first_round)
    else:
        first_stage = event.stages.first()
        if first_stage is None:
            return (), ()
        stage, requested, first = first_stage, entry.byes, 1
    plan = Plan.read(stage.plan_json)
    byes = tuple(
        Bye(int(number), str(KINDS.get(kind, kind)), int(number) >= first) for number, kind in sorted(requested.items())
    )
    if plan.format not in GIVE_BYES:
        return byes, ()
    last = plan.rounds or first + 8
    return byes, tuple(number for number in range(first, last + 1) if str(number) not in requested)


# Seeds


def in_order(event: Tournament) -> list[Entry]:
    """The entries by seed; those without a seed after them by number. Two queries."""
    seeded = (Status.ENTERED, Status.WAITING, Status.FORMING)
    entries = [entry for entry in all_entries(event) if entry.status in seeded]
    return sorted(entries, key=lambda entry: (entry.seed is None, entry.seed or 0, entry.number))


def kept_apart(event: Tournament) -> list[KeptApart]:
    """Pairs kept apart: one query."""
    return list(KeptApart.objects.filter(tournament=event).select_related("one", "other"))
