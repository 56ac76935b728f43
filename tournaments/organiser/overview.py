"""The event desk: the head with its counters, decisions, open matches and the next action."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, gettext_noop, pgettext

from accounts.models import User
from engine.compete.records import Kind
from tournaments import access, cuts, expected_rounds, outcome
from tournaments.lookups import stages_of
from tournaments.models import Act, Entry, Pairing, Round, Stage, StageEntry, Tournament
from tournaments.organiser import tables
from tournaments.organiser.next_action import Dock, dock
from tournaments.organiser.tables import Row
from tournaments.plan import ENDLESS, Plan
from tournaments.public import live
from tournaments.round_names import round_name, stored_number
from tournaments.services import history
from tournaments.stage_state import StageState, load, moment_of
from web.text import duration, moment, several

MOST_RECENT = 8
_AT_ANY_TIME = {"ladder": gettext_noop("Add a challenge"), "arena": gettext_noop("Choose free entries")}
MOST_ROWS = 80
"""Rows in one list; nobody would read more, and the rounds' own pages have all."""


@dataclass(frozen=True)
class Counter:
    """A figure at the head of the desk: `6 of 9 tables in`."""

    anchor: str
    figure: int
    of: int | None
    words: str


@dataclass(frozen=True)
class RecentAct:
    """An act of the history, and whether the reader may undo it."""

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
    finished: tuple[Row, ...]
    troubles: tuple[tuple[Stage, str], ...]
    dock: Dock | None
    recent: tuple[RecentAct, ...]
    champions: str = ""
    outcome: str = ""
    """The decision of a tie for first place."""
    tie: tuple[Stage, cuts.OpenTie] | None = None
    """The tie to decide, with its stage."""
    endless: tuple[tuple[Stage, str], ...] = ()
    """Ladders and arenas under way, and the label of the organiser's act there."""


def desk(event: Tournament, player: User, now: datetime, *, is_league: bool = False) -> Desk:
    """The desk of an event as one of its organisers sees it; what is of a league (`is_league`) has no check-in.

    The number of queries depends on its stages only.
    """
    stages = stages_of(event)
    won = outcome.of(event, stages)
    tie = cuts.find_open_tie(stages)
    running = [load(stage) for stage in stages if stage.status == Stage.Status.RUNNING]
    pairings = list(tables.being_played(event)) if event.has_begun else []
    rounds = {pairing.round_id for pairing in pairings}
    rows = tables.rows(pairings, live.playing(event), now, names_round=len(rounds) > 1)
    deciding = [row for row in rows if row.pairing.status in tables.TO_DECIDE]
    playing = [row for row in rows if row.pairing.is_open and row not in deciding]
    finished = [row for row in rows if not row.pairing.is_open]
    deciding.sort(key=_since)
    playing.sort(key=lambda row: not row.tag[1].startswith("!"))
    return Desk(
        title=_title(event, running, pairings),
        sentence=_sentence(event, pairings, now),
        counters=_counters(event, rows, len(deciding) + (tie is not None), is_league=is_league),
        to_decide=tuple(deciding),
        playing=tuple(playing[:MOST_ROWS]),
        more_playing=max(0, len(playing) - MOST_ROWS),
        finished=tuple(finished[:MOST_ROWS]),
        troubles=tuple((stage, stage.trouble) for stage in stages if stage.trouble),
        dock=dock(event, running, stages),
        recent=recent_acts(event, player),
        champions=won.names if event.status == Tournament.Status.OVER else "",
        outcome=won.sentence,
        tie=tie,
        endless=tuple(
            (state.stage, gettext(_AT_ANY_TIME[state.plan.format])) for state in running if state.plan.format in ENDLESS
        ),
    )


def recent_acts(event: Tournament, player: User) -> tuple[RecentAct, ...]:
    """The latest acts, newest first."""
    acts = Act.objects.filter(tournament=event).select_related("by", "undone_by").order_by("-pk")[:MOST_RECENT]
    role = access.role_of(player, event)
    return tuple(RecentAct(act, can_undo(act, player, role)) for act in acts)


def can_undo(act: Act, player: User, role: str) -> bool:
    """Whether an organiser in this role may undo an act, and there is something to undo."""
    return not is_undone(act) and history.may_undo(player, act, role)


def is_undone(act: Act) -> bool:
    """Whether an act was undone; its `undone_by` must be fetched."""
    return getattr(act, "undone_by", None) is not None


def _since(row: Row) -> float:
    return min((sheet.result.at.timestamp() for sheet in row.sheets), default=0.0)


# The head


def _title(event: Tournament, running: Sequence[StageState], pairings: Sequence[Pairing]) -> str:
    if event.status == Tournament.Status.RUNNING:
        rounds = list({pairing.round_id: pairing.round for pairing in pairings}.values())
        open_ids = {pairing.round_id for pairing in pairings if pairing.is_open}
        current = [each for each in rounds if each.pk in open_ids] or rounds
        if len(current) == 1:
            state = next((each for each in running if each.stage.pk == current[0].stage_id), None)
            count = expected_rounds.round_count(state) if state and not state.plan.is_bracket else None
            if count and current[0].name == stored_number(event, current[0].number):
                words = gettext("Round %(number)s of %(count)s")
                if event.has_matchdays:
                    words = gettext("Matchday %(number)s of %(count)s")
                return words % {"number": current[0].number, "count": count}
            return round_name(current[0].name)
        if current:
            return " · ".join(round_name(round_.name) for round_ in current[:3])
        return " · ".join(str(state.stage) for state in running) or event.get_status_display()
    return str(event.get_status_display())


def _sentence(event: Tournament, pairings: Sequence[Pairing], now: datetime) -> str:
    if event.status != Tournament.Status.RUNNING:
        return _before(event, now)
    playing = [pairing for pairing in pairings if pairing.is_open]
    if not playing:
        return gettext("No table is being played.")
    sizes = sorted({len(pairing.places.all()) for pairing in pairings})
    entries = len({place.entry_id for pairing in pairings for place in pairing.places.all()})
    text = (
        gettext("%(entries)s at %(tables)s of %(least)s.")
        if len(sizes) == 1
        else gettext("%(entries)s at %(tables)s of %(least)s to %(most)s.")
    )
    values = {"entries": several(entries, "entry", "entries"), "tables": several(len(pairings), "table")}
    parts = [text % {**values, "least": sizes[0], "most": sizes[-1]}]
    opened = [pairing.round.opened_at for pairing in playing if pairing.round.opened_at]
    limits = [limit for pairing in playing if (limit := moment_of(pairing))]
    began = gettext("Started %(moment)s") % {"moment": moment(min(opened), now)} if opened else ""
    ahead = [limit for limit in limits if limit > now]
    remaining = gettext("%(duration)s left") % {"duration": duration(min(ahead) - now)} if ahead else ""
    ends = ", ".join(part for part in (began, remaining) if part)
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


def _counters(event: Tournament, rows: Sequence[Row], to_decide: int, *, is_league: bool) -> tuple[Counter, ...]:
    counts = dict.fromkeys(Entry.Status.values, 0)
    here = entered = 0
    for status, is_here in Entry.objects.filter(tournament=event).values_list("status", "is_here"):
        counts[status] += 1
        entered += status == Entry.Status.ENTERED
        here += status == Entry.Status.ENTERED and (
            bool(is_here) if event.has_check_in and not event.has_begun else is_here is not False
        )
    if event.status == Tournament.Status.OVER:
        return ()
    checked_in = () if is_league else (Counter("check-in", here, entered, pgettext("so many", "here")),)
    if not event.has_begun:
        waiting = counts[Entry.Status.WAITING] + counts[Entry.Status.FORMING]
        return (
            Counter("entries", counts[Entry.Status.ENTERED], event.entry_limit, pgettext("so many", "entered")),
            Counter("entries", waiting, None, pgettext("so many", "waiting")),
            *checked_in,
        )
    return (
        Counter("missing", sum(not row.pairing.is_open for row in rows), len(rows), pgettext("so many", "finished")),
        Counter("queue", to_decide, None, pgettext("so many", "to decide")),
        *checked_in,
    )


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
    """Its entries, at a table or with a bye, by name."""
    byes: tuple[tuple[Entry, str], ...]
    has_begun: bool
    waiting: tuple[Entry, ...] = ()
    """In an arena: entries that wait for a table, longest first."""

    @property
    def can_swap(self) -> bool:
        """Whether its format allows to swap entries."""
        return self.plan.format not in ("ladder", "arena") and len(self.entries) > 2

    @property
    def can_move(self) -> bool:
        """Whether tables of other sizes are possible."""
        return self.plan.format in ("swiss_pods", "pod_knockout")


_BYES: dict[str, str] = {
    Kind.BYE: gettext_noop("bye"),
    Kind.HALF_BYE: gettext_noop("half-point bye"),
    Kind.SIT_OUT: gettext_noop("bye"),
}


def _bye(kind: str) -> str:
    """The name of a bye. The page compares `zero bye`, and does not show it."""
    return gettext(_BYES[kind]) if kind in _BYES else kind.replace("_", " ")


def round_page(event: Tournament, round_: Round, now: datetime) -> RoundPage:
    """A round as organisers see it: a fixed number of queries."""
    pairings = tables.pairings(event).filter(round=round_).exclude(status=Pairing.Status.IDLE).order_by("number")
    rows = tables.rows(pairings, live.playing(event), now)
    out = list(round_.sit_outs.select_related("entry"))
    plan = Plan.read(round_.stage.plan_json)
    playing = [place.entry for row in rows for place in row.places if place.entry]
    entries = {entry.pk: entry for entry in [*playing, *(sit_out.entry for sit_out in out)]}
    waiting: list[StageEntry] = []
    if plan.format in ENDLESS:
        parts = list(StageEntry.objects.filter(stage=round_.stage, last_round=None).select_related("entry"))
        entries = {part.entry_id: part.entry for part in parts}
        waiting = sorted((each for each in parts if each.waits_since), key=lambda each: (each.waits_since, each.pk))
    return RoundPage(
        round=round_,
        title=round_name(round_.name),
        stage=round_.stage,
        plan=plan,
        rows=tuple(rows),
        entries=tuple(sorted(entries.values(), key=lambda entry: entry.name.casefold())),
        byes=tuple((sit_out.entry, _bye(sit_out.kind)) for sit_out in out),
        has_begun=any(not row.pairing.is_open or row.sheets or row.live for row in rows),
        waiting=tuple(part.entry for part in waiting),
    )
