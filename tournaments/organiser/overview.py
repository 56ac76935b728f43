"""The organisers' desk as a whole: the head with its counters, what is to be decided, what is still played, the dock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, gettext_noop, pgettext

from accounts.models import User
from engine.compete.records import Kind
from tournaments import access, expected_rounds, stage_standings
from tournaments.lookups import stages_of
from tournaments.models import Act, Entry, Pairing, Round, Stage, StageEntry, Tournament
from tournaments.organiser import tables
from tournaments.organiser.next_action import Dock, dock
from tournaments.organiser.tables import Row
from tournaments.plan import ENDLESS, Plan
from tournaments.public import live
from tournaments.services import history
from tournaments.stage_state import StageState, load, moment_of
from web.text import duration, listed, moment, several

LATELY = 8
_AT_ANY_TIME = {"ladder": gettext_noop("Add a challenge"), "arena": gettext_noop("Choose free entries")}
MOST_ROWS = 80
"""Rows in one list; more would not be read, and the rounds' own pages have all."""


@dataclass(frozen=True)
class Counter:
    """A figure at the head of the desk: `6 of 9 tables in`."""

    anchor: str
    figure: int
    of: int | None
    words: str


@dataclass(frozen=True)
class Done:
    """An act of the history, and whether who looks may undo it."""

    act: Act
    can_undo: bool


@dataclass(frozen=True)
class Desk:
    """Everything that the page shows."""

    title: str
    sentence: str
    counters: tuple[Counter, ...]
    to_decide: tuple[Row, ...]
    playing: tuple[Row, ...]
    more_playing: int
    done: tuple[Row, ...]
    troubles: tuple[tuple[Stage, str], ...]
    dock: Dock | None
    lately: tuple[Done, ...]
    champions: str = ""
    endless: tuple[tuple[Stage, str], ...] = ()
    """Ladders and arenas under way, and what an organiser does there."""


def desk(event: Tournament, player: User, now: datetime) -> Desk:
    """The desk of an event as one of its organisers sees it. The number of queries depends on its stages only."""
    stages = stages_of(event)
    running = [load(stage) for stage in stages if stage.status == Stage.Status.RUNNING]
    found = list(tables.being_played(event)) if event.has_begun else []
    rounds = {one.round_id for one in found}
    rows = tables.rows(found, live.playing(event), now, names_round=len(rounds) > 1)
    deciding = [row for row in rows if row.pairing.status in tables.TO_DECIDE]
    playing = [row for row in rows if row.pairing.is_open and row not in deciding]
    done = [row for row in rows if not row.pairing.is_open]
    deciding.sort(key=_since)
    playing.sort(key=lambda row: not row.tag[1].startswith("!"))
    return Desk(
        title=_title(event, running, found),
        sentence=_sentence(event, found, now),
        counters=_counters(event, rows, deciding),
        to_decide=tuple(deciding),
        playing=tuple(playing[:MOST_ROWS]),
        more_playing=max(0, len(playing) - MOST_ROWS),
        done=tuple(done[:MOST_ROWS]),
        troubles=tuple((stage, stage.trouble) for stage in stages if stage.trouble),
        dock=dock(event, running, stages),
        lately=lately(event, player),
        champions=_champions(event, stages),
        endless=tuple(
            (one.stage, gettext(_AT_ANY_TIME[one.plan.format])) for one in running if one.plan.format in ENDLESS
        ),
    )


def lately(event: Tournament, player: User) -> tuple[Done, ...]:
    """What was done last."""
    acts = Act.objects.filter(tournament=event).select_related("by", "undone_by").order_by("-pk")[:LATELY]
    role = access.role_of(player, event)
    return tuple(Done(act, can_undo(act, player, role)) for act in acts)


def can_undo(act: Act, player: User, role: str) -> bool:
    """Whether an organiser in this role may undo an act, and there is something to undo."""
    return not is_undone(act) and history.may_undo(player, act, role)


def is_undone(act: Act) -> bool:
    """Whether an act was undone; its `undone_by` must be fetched."""
    return getattr(act, "undone_by", None) is not None


def _since(row: Row) -> float:
    return min((sheet.result.at.timestamp() for sheet in row.sheets), default=0.0)


# The head


def _title(event: Tournament, running: Sequence[StageState], found: Sequence[Pairing]) -> str:
    if event.status == Tournament.Status.RUNNING:
        rounds = list({one.round_id: one.round for one in found}.values())
        current = [one for one in rounds if any(each.is_open for each in found if each.round_id == one.pk)] or rounds
        if len(current) == 1:
            state = next((one for one in running if one.stage.pk == current[0].stage_id), None)
            count = expected_rounds.round_count(state) if state and not state.plan.is_bracket else None
            if count and current[0].name.startswith("Round "):
                return gettext("Round %(number)s of %(count)s") % {"number": current[0].number, "count": count}
            return tables.round_title(current[0])
        if current:
            return " · ".join(tables.round_title(one) for one in current[:3])
        return " · ".join(str(one.stage) for one in running) or event.get_status_display()
    return str(event.get_status_display())


def _sentence(event: Tournament, found: Sequence[Pairing], now: datetime) -> str:
    if event.status != Tournament.Status.RUNNING:
        return _before(event, now)
    playing = [one for one in found if one.is_open]
    if not playing:
        return gettext("No table is being played.")
    sizes = sorted({len(one.places.all()) for one in found})
    entries = sum(len(one.places.all()) for one in found)
    said = (
        gettext("%(entries)s at %(tables)s of %(least)s.")
        if len(sizes) == 1
        else gettext("%(entries)s at %(tables)s of %(least)s to %(most)s.")
    )
    values = {"entries": several(entries, "entry", "entries"), "tables": several(len(found), "table")}
    parts = [said % {**values, "least": sizes[0], "most": sizes[-1]}]
    opened = [one.round.opened_at for one in playing if one.round.opened_at]
    limits = [limit for one in playing if (limit := moment_of(one))]
    began = gettext("Started %(moment)s") % {"moment": moment(min(opened), now)} if opened else ""
    ahead = [limit for limit in limits if limit > now]
    left = gettext("%(duration)s left") % {"duration": duration(min(ahead) - now)} if ahead else ""
    ends = ", ".join(part for part in (began, left) if part)
    return " ".join([*parts, f"{ends}."] if ends else parts)


def _before(event: Tournament, now: datetime) -> str:
    if event.status == Tournament.Status.CANCELLED:
        return gettext("The event was cancelled.")
    if event.status == Tournament.Status.OVER:
        return gettext("Results can still be corrected, each with a reason.")
    when = gettext("No start time set.")
    if event.starts_at:
        when = gettext("Starts %(moment)s.") % {"moment": moment(event.starts_at, now)}
    if not event.entries_close_at:
        return when
    closes = gettext("Entries close %(moment)s.") % {"moment": moment(event.entries_close_at, now)}
    return f"{when} {closes}"


def _counters(event: Tournament, rows: Sequence[Row], deciding: Sequence[Row]) -> tuple[Counter, ...]:
    counts = dict.fromkeys(Entry.Status.values, 0)
    here = known = 0
    for status, is_here in Entry.objects.filter(tournament=event).values_list("status", "is_here"):
        counts[status] += 1
        known += status == Entry.Status.ENTERED
        here += status == Entry.Status.ENTERED and (
            bool(is_here) if event.has_check_in and not event.has_begun else is_here is not False
        )
    if event.status == Tournament.Status.OVER:
        return ()
    if not event.has_begun:
        return (
            Counter("entries", counts[Entry.Status.ENTERED], event.entry_limit, pgettext("so many", "entered")),
            Counter(
                "entries",
                counts[Entry.Status.WAITING] + counts[Entry.Status.FORMING],
                None,
                pgettext("so many", "waiting"),
            ),
            Counter("check-in", here, known, pgettext("so many", "here")),
        )
    return (
        Counter("missing", sum(not row.pairing.is_open for row in rows), len(rows), pgettext("so many", "finished")),
        Counter("queue", len(deciding), None, pgettext("so many", "to decide")),
        Counter("check-in", here, known, pgettext("so many", "here")),
    )


def _champions(event: Tournament, stages: Sequence[Stage]) -> str:
    """Who won, where the event is over."""
    if event.status != Tournament.Status.OVER or not stages:
        return ""
    state = load(stages[-1])
    first = [state.entries[one.entry].entry.name for one in stage_standings.ranking(state) if one.rank == 1]
    return listed(first)


# One round


@dataclass(frozen=True)
class RoundPage:
    """A round with its tables, for changing it."""

    round: Round
    title: str
    stage: Stage
    plan: Plan
    rows: tuple[Row, ...]
    entries: tuple[Entry, ...]
    """Who is in it, at a table or with a bye, by name."""
    byes: tuple[tuple[Entry, str], ...]
    has_begun: bool
    waiting: tuple[Entry, ...] = ()
    """In an arena: who waits for a table, the longest first."""

    @property
    def can_swap(self) -> bool:
        """Whether entries can change places in it as far as its format goes."""
        return self.plan.format not in ("ladder", "arena") and len(self.entries) > 2

    @property
    def can_move(self) -> bool:
        """Whether tables of other sizes are possible."""
        return self.plan.format in ("swiss_pods", "pod_knockout")


_BYES: dict[str, str] = {Kind.BYE: gettext_noop("bye"), Kind.HALF_BYE: gettext_noop("half-point bye")}


def _bye(kind: str) -> str:
    """What sitting out is called; the page compares a `zero bye`, and does not say it."""
    return gettext(_BYES[kind]) if kind in _BYES else kind.replace("_", " ")


def round_page(event: Tournament, one: Round, now: datetime) -> RoundPage:
    """A round as organisers see it: a fixed number of queries."""
    found = tables.pairings(event).filter(round=one).exclude(status=Pairing.Status.IDLE).order_by("number")
    rows = tables.rows(found, live.playing(event), now)
    out = list(one.sit_outs.select_related("entry"))
    plan = Plan.read(one.stage.plan_json)
    playing = [place.entry for row in rows for place in row.places if place.entry]
    known = {entry.pk: entry for entry in [*playing, *(row.entry for row in out)]}
    waiting: list[StageEntry] = []
    if plan.format in ENDLESS:
        taking_part = list(StageEntry.objects.filter(stage=one.stage, last_round=None).select_related("entry"))
        known = {row.entry_id: row.entry for row in taking_part}
        waiting = sorted((row for row in taking_part if row.waits_since), key=lambda row: (row.waits_since, row.pk))
    return RoundPage(
        round=one,
        title=tables.round_title(one),
        stage=one.stage,
        plan=plan,
        rows=tuple(rows),
        entries=tuple(sorted(known.values(), key=lambda entry: entry.name.casefold())),
        byes=tuple((row.entry, _bye(row.kind)) for row in out),
        has_begun=any(not row.pairing.is_open or row.sheets or row.live for row in rows),
        waiting=tuple(row.entry for row in waiting),
    )
