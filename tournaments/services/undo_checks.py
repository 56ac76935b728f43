"""What stands in the way of undoing an act, where others have built on it since, and what follows it without an act."""

from __future__ import annotations

from typing import Any

from django.db.models import Model, Q
from django.utils.translation import gettext, gettext_noop

from gameplay.models import Table
from tournaments.models import Entry, Pairing, Place, Result, Stage, StageEntry
from tournaments.services.matches import online_tables
from tournaments.services.records import Record
from tournaments.stage_state import has_begun
from web.errors import Refused

FOLLOWS = {"stageentry": {"group", "start_points"}, "pairing": {"table_id", "opened_at", "reminded"}}
"""By model, fields that an act may set and that change again by themselves: undoing sets them back, however they are."""
UNDONE = gettext_noop("An organiser’s decision about this match was undone.")


def ready(record: Record, row: Model, change: dict[str, Any]) -> dict[str, Any]:
    """A change of a row that is there, as it is to be set back. Raises `Refused` where what came later would be lost."""
    if change["was"] is None:
        check_can_go(row)
        if isinstance(row, Pairing):
            online_tables.call_off(row, record.now, gettext(UNDONE))
    elif isinstance(row, Pairing):
        change = _at_its_table(record, row, change)
    elif isinstance(row, Result):
        change = _without_silence(record, change)
    elif isinstance(row, Stage):
        _check_go(row, change["was"])
    if change["is"] is None:
        return change
    follows = FOLLOWS.get(change["model"], set())
    if change["was"] is None:
        follows = follows | {"is_online"}  # where somebody has no account, a match goes to a real table by itself
    return {**change, "is": {name: value for name, value in change["is"].items() if name not in follows}}


def check_can_go(row: Model) -> None:
    """Raise `Refused` where a row that an act added can no longer be taken away without losing what came later."""
    if isinstance(row, Entry):
        _check_entry(row)
    elif isinstance(row, StageEntry):
        own = Pairing.objects.filter(round__stage=row.stage_id, places__entry=row.entry_id).select_related("table")
        if any(has_begun(one) for one in own):
            raise Refused(
                "in_play",
                gettext("%(entry)s has since played in %(stage)s. Remove its results first.")
                % {"entry": row.entry, "stage": row.stage},
            )
    elif isinstance(row, Pairing) and has_begun(row):
        raise Refused(
            "in_play",
            gettext("%(match)s has since started. Stop it, or remove its result first.") % {"match": row},
        )


def _check_entry(row: Entry) -> None:
    if row.members.exists():
        raise Refused("changed_since", gettext("Someone has since joined %(entry)s. Undo that first.") % {"entry": row})
    begun = Q(pairing__result__isnull=False) | Q(pairing__begun_at__isnull=False)
    if row.in_stages.exists() or Place.objects.filter(begun, entry=row).exists():
        raise Refused("in_play", gettext("%(entry)s is now in play. Withdraw it instead.") % {"entry": row})


def _check_go(row: Stage, was: dict[str, Any]) -> None:
    """Raise `Refused` where a go is to be taken back by which something has begun."""
    if set(was) != {"go_round"}:
        return
    later = Pairing.objects.filter(round__stage=row, round__number__gt=was["go_round"]).select_related("table")
    if any(has_begun(one) for one in later):
        raise Refused(
            "in_play",
            gettext("Round %(number)s of %(stage)s has since started. Remove its results first.")
            % {"number": was["go_round"] + 1, "stage": row},
        )


def _at_its_table(record: Record, row: Pairing, change: dict[str, Any]) -> dict[str, Any]:
    """A change of an online match with the table that it had: one that was made since is stopped.

    A match that is open again gets a new table; undoing that in turn brings back the one at which it was played.
    """
    was = change["was"]
    if was.get("result_id") or was.get("table_id"):
        if row.table is not None and row.table.status == Table.Status.PLAYING and row.table.move_count:
            raise Refused(
                "in_play",
                gettext("%(match)s is being played again. Enter its result, or stop it first.") % {"match": row},
            )
        online_tables.call_off(row, record.now, gettext(UNDONE))
    elif was.keys() & {"result_id", "status"} and _is_by_table(row):
        return {**change, "was": {**was, "table_id": None, "opened_at": None}}
    return change


def _is_by_table(row: Pairing) -> bool:
    """Whether what is known of a match is what its table said at its end, be it that nobody has won."""
    result = row.result or row.results.exclude(status=Result.Status.REPLACED).first()
    return row.table_id is not None and result is not None and result.origin == Result.Origin.TABLE


def _without_silence(record: Record, change: dict[str, Any]) -> dict[str, Any]:
    """A change of a result so that silence does not confirm at once what was undone: somebody is to answer."""
    was = change["was"]
    until = Result._meta.get_field("confirms_at").to_python(was.get("confirms_at"))
    return {**change, "was": {**was, "confirms_at": None}} if until is not None and until <= record.now else change
