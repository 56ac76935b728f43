"""Late entries into a stage under way."""

from collections.abc import Sequence
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Rows
from tournaments.models import Entry, Stage, StageEntry, Tournament
from tournaments.services.action_context import check_alive, entry_of, running_stage
from tournaments.services.entries import enrolment
from tournaments.services.entries.person_lookup import PersonRef
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from tournaments.services.stages import stage_departures
from web.errors import Refused

ENTER_LATE = declare("late", needs="play", undo=Rows())


def enter_late(
    tournament_id: int,
    by: User,
    *,
    entry_id: int | None = None,
    members: Sequence[PersonRef] = (),
    name: str = "",
    missed: str = "zero_bye",
    **how: Unpack[ActionRequest],
) -> Entry:
    """Enter an entry late: one from the list (waiting or left out), or a new one of these people.

    It plays from the next round that can still be drawn. The rounds before count as `missed`: `zero_bye`, `half_bye`
    or `bye`. Raises `Refused` if the format allows no late entries.
    """
    chosen: list[Entry] = []

    def do(record: Record) -> str:
        stage = stage_for_late(record)
        entry = enrolment.add(record, [], members, name, is_organiser=True) if entry_id is None else None
        entry = entry or entry_of(record, entry_id or 0)
        chosen.append(entry)
        entrant = let_in(record, stage, entry, missed)
        words = gettext("%(entry)s entered from round %(number)s, with %(missed)s.")
        return words % {"entry": entry, "number": entrant.first_round, "missed": stage_departures.MISSED[missed]}

    act = perform(tournament_id, do, ENTER_LATE, by=by, **how)
    if chosen:
        return Entry.objects.get(pk=chosen[0].pk)
    # On a repeated request: the entry whose row the action changed.
    return Entry.objects.get(pk=next(change["pk"] for change in act.changes if change["model"] == "entry"))


def stage_for_late(record: Record) -> Stage:
    """The stage under way that late entries join. Raises `Refused`."""
    check_alive(record)
    if record.tournament.status != Tournament.Status.RUNNING:
        raise Refused("not_begun", gettext("The event has not started. Enter them as usual."))
    stage = running_stage(record)
    if stage is None or stage.number != 1:
        raise Refused("too_late", gettext("The first stage is over, so nobody can enter now."))
    stage.tournament = record.tournament
    return stage


def let_in(record: Record, stage: Stage, entry: Entry, missed: str) -> StageEntry:
    """Let an entry into a stage under way, within an action. Raises `Refused`."""
    if entry.status in (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED):
        raise Refused("gone", gettext("%(entry)s has withdrawn. Reinstate it instead.") % {"entry": entry})
    if entry.status == Entry.Status.FORMING:
        raise Refused("forming", gettext("%(entry)s still waits for an answer.") % {"entry": entry})
    entrant = stage_departures.join_running_stage(record, stage, entry, missed)
    record.change(entry, status=Entry.Status.ENTERED, is_here=True)
    return entrant
