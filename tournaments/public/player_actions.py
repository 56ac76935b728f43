"""A player's actions at a match, in an arena and on a ladder, as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext

from accounts.models import User
from engine.compete import ladder
from gameplay.models import Seat, Table
from gameplay.queries import is_turn_of
from tournaments import access, stage_standings
from tournaments.models import Entry, Pairing, Stage, StageEntry, Tournament
from tournaments.plan import Plan
from tournaments.public.pending_results import FigureRow, Report, compare, reports
from tournaments.score_sheets import services as score_sheets
from tournaments.services.stages.arena_calls import is_past
from tournaments.stage_state import load


@dataclass(frozen=True)
class AtMatch:
    """The actions of a player at a match."""

    entry: Entry
    is_over: bool
    table_url: str
    is_turn: bool
    """Whether it is the reader's turn at the online table."""
    may_score: bool
    has_sheet: bool
    """Whether the reader's side already keeps a sheet."""
    score_url: str
    answer_url: str
    reports: tuple[Report, ...]
    lines: tuple[FigureRow, ...]
    """Differences between the entered sheets, if there are several."""


def at_match(pairing: Pairing, player: User | AnonymousUser) -> AtMatch | None:
    """A reader's actions at a match; `None` for others, and while it waits for its entries.

    For a finished match only the link to its online table remains.
    """
    if not isinstance(player, User) or player.pk is None or player.is_guest:
        return None
    if any(place.entry_id is None for place in pairing.places.all()) or not (pairing.is_open or pairing.table_id):
        return None
    match = score_sheets.read(pairing)
    entry = score_sheets.entry_for(match, player)
    if entry is None:
        return None
    pending = reports(match, entry) if pairing.is_open else []
    url, table = pairing.get_absolute_url(), pairing.table
    seat = Seat.objects.filter(table=table, user=player).first() if table is not None else None
    if seat is None and not pairing.is_open:
        return None
    is_playing = pairing.is_open and table is not None and table.status == Table.Status.PLAYING
    return AtMatch(
        entry=entry,
        is_over=not pairing.is_open,
        table_url=table.get_absolute_url() if table is not None and seat is not None else "",
        is_turn=bool(is_playing and table and seat and is_turn_of(table, seat)),
        may_score=not score_sheets.closed(pairing),
        has_sheet=bool(score_sheets.saved_deals(match, entry.pk)),
        score_url=f"{url}score/",
        answer_url=f"{url}answer/",
        reports=tuple(pending),
        lines=tuple(compare(match, pending)),
    )


@dataclass(frozen=True)
class AtStage:
    """The actions of an entry in a stage without rounds."""

    stage: Stage
    is_arena: bool
    waits_since: datetime | None
    is_playing: bool
    ends_at: datetime | None


def at_stages(event: Tournament, player: User | AnonymousUser, now: datetime) -> list[AtStage]:
    """The arenas and ladders under way in which a reader acts for their entry."""
    if event.status != Tournament.Status.RUNNING or not isinstance(player, User):
        return []
    member = access.own_member(player, event)
    if member is None or not access.acts_for(player, member.entry):
        return []
    rows = StageEntry.objects.filter(
        entry=member.entry, last_round=None, stage__status=Stage.Status.RUNNING
    ).select_related("stage")
    return [stage for part in rows if (stage := _at_stage(part, now))]


def _at_stage(part: StageEntry, now: datetime) -> AtStage | None:
    plan = Plan.read(part.stage.plan_json)
    is_arena = plan.format == "arena"
    if not is_arena and plan.format != "ladder":
        return None
    if is_arena and is_past(part.stage, plan, now):
        return None
    closed = (Pairing.Status.DONE, Pairing.Status.IDLE)
    playing = Pairing.objects.filter(round__stage=part.stage, places__entry=part.entry_id).exclude(status__in=closed)
    ends_at = _end(part.stage, plan) if is_arena else None
    return AtStage(part.stage, is_arena, part.waits_since, playing.exists(), ends_at)


def _end(stage: Stage, plan: Plan) -> datetime | None:
    return stage.started_at + timedelta(minutes=plan.minutes) if stage.started_at else None


@dataclass(frozen=True)
class Rung:
    """A place on a ladder, and whether the reader may challenge its entry."""

    place: int
    entry: Entry
    is_own: bool
    why_not: str
    """The reason why not; empty if a challenge is possible."""


def rungs(stage: Stage, entry: Entry) -> Sequence[Rung] | None:
    """A ladder from its top as one of its entries sees it; `None` for other stages."""
    state = load(stage)
    if state.plan.format != "ladder":
        return None
    order = stage_standings.ladder_order(state)
    busy = {at for round_ in state.rounds for table in round_.tables if table.row.is_open for at in table.known}
    own_at = next((at for at, part in state.entries.items() if part.entry_id == entry.pk), None)
    is_open = stage.status == Stage.Status.RUNNING and stage.ended_at is None
    return [
        Rung(place, state.entries[at].entry, at == own_at, _why_not(order, own_at, at, state.plan.reach, busy, is_open))
        for place, at in enumerate(order, 1)
    ]


def _why_not(order: Sequence[int], own_at: int | None, at: int, reach: int, busy: set[int], is_open: bool) -> str:
    if not is_open:
        return gettext("The ladder is not open.")
    if own_at is None:
        return gettext("You are not on this ladder.")
    return ladder.why_not(order, own_at, at, reach=reach, busy=busy) or ""
