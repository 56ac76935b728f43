"""Byes on request: rounds that an entry does not want to play."""

from typing import Any, Unpack

from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from acts.kinds import ByRow, Rows
from engine.compete.records import Kind
from tournaments import access
from tournaments.models import Act, Entry, Stage, StageEntry
from tournaments.plan import Plan
from tournaments.plan_checks import MOST_ROUNDS
from tournaments.services.action_context import check_alive, entry_of, event_of, last_fixed_round
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from web.errors import NotAllowed, Refused

GIVE_BYE = declare("bye", needs=ByRow(access.check_entry_in_play), undo=Rows("play"))

KINDS: dict[str, Any] = {
    Kind.HALF_BYE: gettext_lazy("a half-point bye"),
    Kind.ZERO_BYE: gettext_lazy("a zero-point bye"),
    Kind.BYE: gettext_lazy("a full-point bye"),
}
"""Byes that can be requested, in words. Only an organiser gives a full-point bye."""
GIVE_BYES = ("swiss", "swiss_pods")
"""Formats whose rounds are drawn without the entries that have a bye."""


def request_bye(
    entry_id: int, by: User, *, round_number: int, kind: str = Kind.HALF_BYE, **how: Unpack[ActionRequest]
) -> Act:
    """Give an entry a bye in a round that is not drawn yet. Raises `Refused`.

    For its players or an organiser. Before the start the bye is saved for the first stage.
    """

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        record.ask(entry)
        check_alive(record)
        if kind not in KINDS:
            raise Refused("bad_choice", gettext("A bye gives no points, half a point or full points."))
        if kind == Kind.BYE and not access.may(by, record.tournament, "play"):
            raise NotAllowed("not_organiser", gettext("Only organisers can give a full-point bye."))
        holder, stage = _bye_holder(record, entry)
        _check_round(stage, holder, round_number)
        record.change(holder, byes={**holder.byes, str(round_number): str(kind)})
        words = gettext("%(entry)s has %(bye)s in round %(number)s.")
        return words % {"entry": entry, "bye": KINDS[kind], "number": round_number}

    return perform(event_of(Entry, entry_id), do, GIVE_BYE, by=by, **how)


def cancel_bye(entry_id: int, by: User, *, round_number: int, **how: Unpack[ActionRequest]) -> Act:
    """Cancel an entry’s bye while the round is not drawn. Running it twice is harmless."""

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        record.ask(entry)
        check_alive(record)
        holder, stage = _bye_holder(record, entry)
        _check_round(stage, holder, round_number)
        byes = {number: kind for number, kind in holder.byes.items() if number != str(round_number)}
        record.change(holder, byes=byes)
        return gettext("%(entry)s plays round %(number)s.") % {"entry": entry, "number": round_number}

    return perform(event_of(Entry, entry_id), do, GIVE_BYE, by=by, **how)


def _bye_holder(record: Record, entry: Entry) -> tuple[Entry | StageEntry, Stage]:
    """The row that stores the byes of an entry now, and their stage."""
    if entry.status in (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED):
        raise Refused("gone", gettext("%(entry)s is out of the event.") % {"entry": entry})
    stages = Stage.objects.filter(tournament=record.tournament).order_by("number")
    if not record.tournament.has_begun:
        first = stages.first()
        if first is None:
            raise Refused("no_stage", gettext("The event has no stage yet."))
        return entry, first
    in_play = StageEntry.objects.filter(entry=entry, last_round=None, stage__status=Stage.Status.RUNNING)
    entrant = in_play.select_related("stage").order_by("-stage__number").first()
    if entrant is None:
        raise Refused("not_in_stage", gettext("%(entry)s is not in play.") % {"entry": entry})
    return entrant, entrant.stage


def _check_round(stage: Stage, holder: Entry | StageEntry, number: int) -> None:
    plan = Plan.read(stage.plan_json)
    if plan.format not in GIVE_BYES:
        raise Refused(
            "no_byes", gettext("%(format)s has no byes. A match can be rescheduled instead.") % {"format": plan.title}
        )
    first = holder.first_round if isinstance(holder, StageEntry) else 1
    if number < first or number > (plan.rounds or MOST_ROUNDS):
        raise Refused("no_such_round", gettext("A bye is not possible in this round."))
    if number <= last_fixed_round(stage):
        raise Refused("drawn", gettext("Round %(number)s is already drawn.") % {"number": number})
