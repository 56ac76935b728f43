"""What entries do in formats without rounds: be free in an arena, and challenge one another in a ladder."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import ByRow, Rows
from engine.compete import ladder
from tournaments import access, stage_standings
from tournaments.models import Act, Pairing, Place, Stage, StageEntry
from tournaments.plan import Plan
from tournaments.services.history import declare, perform
from tournaments.services.records import Record
from tournaments.services.stages import round_sync
from tournaments.services.stages.arena_calls import is_past
from tournaments.stage_state import load
from web.errors import Refused

FREE = declare("free", needs=ByRow(access.check_entry_in_play), undo=Rows("play"))
CHALLENGE = declare("challenge", needs=ByRow(access.check_entry_in_play), undo=Rows("play"))


def free(stage_id: int, entry_id: int, *, by: User, is_free: bool = True, now: datetime | None = None) -> Act:
    """In an arena: say that an entry waits for its next table, or does not for now. Twice does no harm."""
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        own = Stage.objects.get(pk=stage_id)
        plan = Plan.read(own.plan_json)
        if plan.format != "arena" or own.status != Stage.Status.RUNNING or is_past(own, plan, record.now):
            raise Refused("not_running", gettext("The arena is not open."))
        one = _entry(own, entry_id)
        record.ask(one.entry)
        if is_free and _is_playing(own, [entry_id]):
            raise Refused("playing", gettext("Finish the match you are in first."))
        if is_free and one.waits_since is None:
            record.change(one, waits_since=record.now)
        elif not is_free:
            record.change(one, waits_since=None)
        return f"{one.entry} {'waits for a table' if is_free else 'takes a break'}."

    return perform(stage.tournament_id, do, FREE, by=by, now=now)


def challenge(
    stage_id: int, challenger_id: int, challenged_id: int, *, by: User, request_key: str | None = None
) -> Act:
    """In a ladder: challenge an entry above (ids of entries). Raises `Refused` where the ladder does not allow it."""
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        own = Stage.objects.select_related("tournament").get(pk=stage_id)
        state = load(own)
        if state.plan.format != "ladder" or own.status != Stage.Status.RUNNING or own.ended_at is not None:
            raise Refused("not_running", gettext("The ladder is not open."))
        one, other = _entry(own, challenger_id), _entry(own, challenged_id)
        record.ask(one.entry)
        busy = {at for each in state.rounds for table in each.tables if table.row.is_open for at in table.known}
        sentence = ladder.why_not(
            stage_standings.ladder_order(state), one.position, other.position, reach=state.plan.reach, busy=busy
        )
        if sentence is not None:
            raise Refused("no_challenge", sentence)
        number = 1 + max((table.row.number for each in state.rounds for table in each.tables), default=0)
        pairing = Pairing(
            round=state.rounds[0].row,
            name=f"C{number}",
            number=number,
            is_online=round_sync.is_online(own.tournament),
            is_fixed=True,
        )
        record.create(pairing)
        for at, each in enumerate((one, other)):
            record.create(Place(pairing=pairing, number=at, side=at, entry=each.entry))
        return gettext("%(challenger)s challenged %(challenged)s.") % {
            "challenger": one.entry,
            "challenged": other.entry,
        }

    return perform(stage.tournament_id, do, CHALLENGE, by=by, request_key=request_key)


def _entry(stage: Stage, entry_id: int) -> StageEntry:
    one = StageEntry.objects.filter(stage=stage, entry_id=entry_id, last_round=None).select_related("entry").first()
    if one is None:
        raise Refused("not_in", gettext("That entry does not take part."))
    return one


def _is_playing(stage: Stage, entries: list[int]) -> bool:
    is_open = ~Q(pairing__status__in=(Pairing.Status.DONE, Pairing.Status.IDLE))
    return Place.objects.filter(is_open, pairing__round__stage=stage, entry_id__in=entries).exists()
