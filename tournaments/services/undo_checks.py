"""Checks that block undoing an action because of later changes, and effects to undo with it."""

from typing import Any

from django.db.models import Model, Q
from django.utils.translation import gettext, gettext_noop

from gameplay.models import Table
from tournaments.models import Entry, Pairing, Place, Result, Stage, StageEntry
from tournaments.services.matches import online_tables
from tournaments.services.records import Record
from tournaments.services.stages.fixed_terms import check_undo
from tournaments.stage_state import has_begun
from web.errors import Refused

FOLLOWS = {"stageentry": {"group", "start_points"}, "pairing": {"table_id", "opened_at", "reminded"}}
"""Fields by model that change automatically after an action: undoing sets them back, whatever their value."""
UNDONE = gettext_noop("An organiser’s decision about this match was undone.")


def ready(record: Record, row: Model, change: dict[str, Any]) -> dict[str, Any]:
    """The change to set back for an existing row. Raises `Refused` if later changes would be lost."""
    if change["was"] is None:
        check_can_go(row)
        if isinstance(row, Pairing):
            online_tables.stop_table(row, record.now, gettext(UNDONE))
    elif isinstance(row, Pairing):
        change = _at_its_table(record, row, change)
    elif isinstance(row, Result):
        change = _without_silence(record, change)
    elif isinstance(row, Stage):
        _check_go(row, change["was"])
        check_undo(row, change["was"])
    if change["is"] is None:
        return change
    follows = FOLLOWS.get(change["model"], set())
    if change["was"] is None:
        follows = follows | {"is_online"}  # without an account for everyone, a match moves to a real table
    return {**change, "is": {name: value for name, value in change["is"].items() if name not in follows}}


def check_can_go(row: Model) -> None:
    """Raise `Refused` if a row added by an action can no longer be removed without losing later changes."""
    if isinstance(row, Entry):
        _check_entry(row)
    elif isinstance(row, StageEntry):
        pairings = Pairing.objects.filter(round__stage=row.stage_id, places__entry=row.entry_id).select_related("table")
        if any(has_begun(pairing) for pairing in pairings):
            raise Refused(
                "in_play",
                gettext("%(entry)s has since played in %(stage)s. Remove its results first.")
                % {"entry": row.entry, "stage": row.stage},
            )
    elif isinstance(row, Pairing) and has_begun(row):
        raise Refused(
            "in_play", gettext("%(match)s has since started. Stop it, or remove its result first.") % {"match": row}
        )


def _check_entry(entry: Entry) -> None:
    if entry.members.exists():
        sentence = gettext("Someone has since joined %(entry)s. Undo that first.")
        raise Refused("changed_since", sentence % {"entry": entry})
    begun = Q(pairing__result__isnull=False) | Q(pairing__begun_at__isnull=False)
    if entry.in_stages.exists() or Place.objects.filter(begun, entry=entry).exists():
        raise Refused("in_play", gettext("%(entry)s is now in play. Withdraw it instead.") % {"entry": entry})


def _check_go(stage: Stage, was: dict[str, Any]) -> None:
    """Raise `Refused` if undoing the start of a round would affect matches that have started."""
    if set(was) != {"go_round"}:
        return
    later = Pairing.objects.filter(round__stage=stage, round__number__gt=was["go_round"]).select_related("table")
    if any(has_begun(pairing) for pairing in later):
        raise Refused(
            "in_play",
            gettext("Round %(number)s of %(stage)s has since started. Remove its results first.")
            % {"number": was["go_round"] + 1, "stage": stage},
        )


def _at_its_table(record: Record, pairing: Pairing, change: dict[str, Any]) -> dict[str, Any]:
    """Stop the current table of an online match, and return the change to set back.

    A reopened match gets a new table. Undoing that again restores the table where it was played.
    """
    was = change["was"]
    if was.get("result_id") or was.get("table_id"):
        if pairing.table is not None and pairing.table.status == Table.Status.PLAYING and pairing.table.move_count:
            raise Refused(
                "in_play",
                gettext("%(match)s is being played again. Enter its result, or stop it first.") % {"match": pairing},
            )
        online_tables.stop_table(pairing, record.now, gettext(UNDONE))
    elif was.keys() & {"result_id", "status"} and _is_by_table(pairing):
        return {**change, "was": {**was, "table_id": None, "opened_at": None}}
    return change


def _is_by_table(pairing: Pairing) -> bool:
    """Whether the result of a match comes from its table, even without a winner."""
    result = pairing.result or pairing.results.exclude(status=Result.Status.REPLACED).first()
    return pairing.table_id is not None and result is not None and result.origin == Result.Origin.TABLE


def _without_silence(record: Record, change: dict[str, Any]) -> dict[str, Any]:
    """The change of a result without a past confirmation time, so that someone must answer."""
    was = change["was"]
    until = Result._meta.get_field("confirms_at").to_python(was.get("confirms_at"))
    return {**change, "was": {**was, "confirms_at": None}} if until is not None and until <= record.now else change
