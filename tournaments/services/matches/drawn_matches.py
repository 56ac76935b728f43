"""A drawn match of a knockout: the side that goes through by the rule of the stage."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext

from engine.compete.records import Played
from tournaments import ties
from tournaments.models import Entry, Pairing, Result
from tournaments.plan import Plan
from tournaments.services.matches import result_lines
from tournaments.stage_state import load


def winner_by_rule(pairing: Pairing, lines: Sequence[Mapping[str, Any]]) -> int | None:
    """The entry (id) that goes through from a drawn match of two by the rule; `None` if no rule decides it.

    A match that is not drawn, or not of a bracket, has no winner by rule.
    """
    plan = Plan.read(pairing.round.stage.plan_json)
    if not plan.is_bracket or len(lines) != 2 or not _are_scores(lines):
        return None
    if not result_lines.is_tied(Result.Kind.PLAYED, lines):
        return None
    state = load(pairing.round.stage)
    seats = [state.position_of.get(line.get("entry") or 0) for line in lines]
    if None in seats or len(set(seats)) < 2:
        return None
    match = Played(
        tuple(seat for seat in seats if seat),
        (Fraction(0), Fraction(0)),
        tuple(line["score"] for line in lines),
        books=tuple(int(line.get("books") or 0) for line in lines),
    )
    # Its own old result does not count.
    for round_ in state.rounds:
        round_.tables = [table for table in round_.tables if table.row.pk != pairing.pk]
    settled = ties.settle_tie(state, match.entries, pairing.round.number, extra=[match])
    return state.entries[settled.order[0]].entry_id if len(settled.groups) == 2 else None


def rule_words(pairing: Pairing, winner: int | None) -> str:
    """The decision of a rule: `Ann goes through by lot.`"""
    entry = Entry.objects.get(pk=winner or 0)
    by = ties.by_words(Plan.read(pairing.round.stage.plan_json).cut_tie, ahead=False)
    return gettext("%(entry)s goes through %(why)s") % {"entry": entry, "why": by}


def _are_scores(lines: Sequence[Mapping[str, Any]]) -> bool:
    return all(isinstance(line.get("score"), int) and not isinstance(line["score"], bool) for line in lines)
