"""Byes on request: a round that an entry does not want to play."""

from __future__ import annotations

from typing import Any, Unpack

from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from acts.kinds import ByRow, Rows
from engine.compete.records import Kind
from tournaments import access
from tournaments.models import Act, Entry, Stage, StageEntry
from tournaments.plan import Plan
from tournaments.plan_checks import MOST_ROUNDS
from tournaments.services.action_context import check_alive, entry_of, event_of, last_kept_round
from tournaments.services.history import declare, perform
from tournaments.services.records import How, Record
from web.errors import NotAllowed, Refused

GIVE_BYE = declare("bye", needs=ByRow(access.check_entry_in_play), undo=Rows("play"))

KINDS: dict[str, Any] = {
    Kind.HALF_BYE: gettext_lazy("a half-point bye"),
    Kind.ZERO_BYE: gettext_lazy("a zero-point bye"),
    Kind.BYE: gettext_lazy("a full-point bye"),
}
"""Byes that can be asked for, in words; a full one only an organiser gives."""
GIVE_BYES = ("swiss", "swiss_pods")
"""Formats whose rounds are drawn without those who have a bye."""


def request_bye(entry_id: int, by: User, *, round_number: int, kind: str = Kind.HALF_BYE, **how: Unpack[How]) -> Act:
    """Let an entry sit out a round that is not drawn yet, by its players or an organiser.

    Before the start it is kept for the first stage. Raises `Refused`.
    """

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        record.ask(entry)
        check_alive(record)
        if kind not in KINDS:
            raise Refused("bad_choice", gettext("A bye gives no points, half a point or full points."))
        if kind == Kind.BYE and not access.may(by, record.tournament, "play"):
            raise NotAllowed("not_organiser", gettext("Only organisers can give a full-point bye."))
        row, stage = _row(record, entry)
        _check_round(stage, row, round_number)
        record.change(row, byes={**row.byes, str(round_number): str(kind)})
        words = gettext("%(entry)s has %(bye)s in round %(number)s.")
        return words % {"entry": entry, "bye": KINDS[kind], "number": round_number}

    return perform(event_of(Entry, entry_id), do, GIVE_BYE, by=by, **how)


def take_back_bye(entry_id: int, by: User, *, round_number: int, **how: Unpack[How]) -> Act:
    """Let an entry play a round after all, as long as that is not drawn. Twice is harmless."""

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        record.ask(entry)
        check_alive(record)
        row, stage = _row(record, entry)
        _check_round(stage, row, round_number)
        record.change(row, byes={number: kind for number, kind in row.byes.items() if number != str(round_number)})
        return gettext("%(entry)s plays round %(number)s.") % {"entry": entry, "number": round_number}

    return perform(event_of(Entry, entry_id), do, GIVE_BYE, by=by, **how)


def _row(record: Record, entry: Entry) -> tuple[Entry | StageEntry, Stage]:
    """Where the byes of an entry are kept now, and the stage they are for."""
    if entry.status in (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED):
        raise Refused("gone", gettext("%(entry)s is out of the event.") % {"entry": entry})
    stages = Stage.objects.filter(tournament=record.tournament).order_by("number")
    if not record.tournament.has_begun:
        first = stages.first()
        if first is None:
            raise Refused("no_stage", gettext("The event has no stage yet."))
        return entry, first
    found = StageEntry.objects.filter(entry=entry, last_round=None, stage__status=Stage.Status.RUNNING)
    row = found.select_related("stage").order_by("-stage__number").first()
    if row is None:
        raise Refused("not_in_stage", gettext("%(entry)s is not in play.") % {"entry": entry})
    return row, row.stage


def _check_round(stage: Stage, row: Entry | StageEntry, number: int) -> None:
    plan = Plan.read(stage.plan_json)
    if plan.format not in GIVE_BYES:
        raise Refused(
            "no_byes",
            gettext("%(format)s has no byes. A match can be rescheduled instead.") % {"format": plan.title},
        )
    first = row.first_round if isinstance(row, StageEntry) else 1
    if number < first or number > (plan.rounds or MOST_ROUNDS):
        raise Refused("no_such_round", gettext("A bye is not possible in this round."))
    if number <= last_kept_round(stage):
        raise Refused("drawn", gettext("Round %(number)s is already drawn.") % {"number": number})
