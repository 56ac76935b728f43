"""Actions of entries in formats without rounds: be free in an arena, challenge in a ladder."""

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


def set_free(stage_id: int, entry_id: int, *, by: User, is_free: bool = True, now: datetime | None = None) -> Act:
    """Set whether an entry of an arena waits for its next table. Running it twice does no harm."""
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        current = Stage.objects.get(pk=stage_id)
        plan = Plan.read(current.plan_json)
        if plan.format != "arena" or current.status != Stage.Status.RUNNING or is_past(current, plan, record.now):
            raise Refused("not_running", gettext("The arena is not open."))
        entrant = _entry(current, entry_id)
        record.ask(entrant.entry)
        if is_free and _is_playing(current, [entry_id]):
            raise Refused("playing", gettext("Finish the match you are in first."))
        if is_free and entrant.waits_since is None:
            record.change(entrant, waits_since=record.now)
        elif not is_free:
            record.change(entrant, waits_since=None)
        return f"{entrant.entry} {'waits for a table' if is_free else 'takes a break'}."

    return perform(stage.tournament_id, do, FREE, by=by, now=now)


def challenge(
    stage_id: int, challenger_id: int, challenged_id: int, *, by: User, request_key: str | None = None
) -> Act:
    """Challenge an entry above in a ladder (ids of entries). Raises `Refused` if the ladder does not allow it."""
    stage = Stage.objects.get(pk=stage_id)

    def do(record: Record) -> str:
        current = Stage.objects.select_related("tournament").get(pk=stage_id)
        state = load(current)
        if state.plan.format != "ladder" or current.status != Stage.Status.RUNNING or current.ended_at is not None:
            raise Refused("not_running", gettext("The ladder is not open."))
        first, second = _entry(current, challenger_id), _entry(current, challenged_id)
        record.ask(first.entry)
        busy = {at for each in state.rounds for table in each.tables if table.row.is_open for at in table.known}
        sentence = ladder.why_not(
            stage_standings.ladder_order(state), first.position, second.position, reach=state.plan.reach, busy=busy
        )
        if sentence is not None:
            raise Refused("no_challenge", sentence)
        number = 1 + max((table.row.number for each in state.rounds for table in each.tables), default=0)
        pairing = Pairing(
            round=state.rounds[0].row,
            name=f"C{number}",
            number=number,
            is_online=round_sync.is_online(current.tournament),
            is_fixed=True,
        )
        record.create(pairing)
        for at, each in enumerate((first, second)):
            record.create(Place(pairing=pairing, number=at, side=at, entry=each.entry))
        return gettext("%(challenger)s challenged %(challenged)s.") % {
            "challenger": first.entry,
            "challenged": second.entry,
        }

    return perform(stage.tournament_id, do, CHALLENGE, by=by, request_key=request_key)


def _entry(stage: Stage, entry_id: int) -> StageEntry:
    entrant = StageEntry.objects.filter(stage=stage, entry_id=entry_id, last_round=None).select_related("entry").first()
    if entrant is None:
        raise Refused("not_in", gettext("That entry does not take part."))
    return entrant


def _is_playing(stage: Stage, entries: list[int]) -> bool:
    is_open = ~Q(pairing__status__in=(Pairing.Status.DONE, Pairing.Status.IDLE))
    return Place.objects.filter(is_open, pairing__round__stage=stage, entry_id__in=entries).exists()
