"""Effects of leaving and coming back on the stages under way. Parts of actions."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from engine.compete.records import Kind
from tournaments.models import Entry, Pairing, Place, Round, SitOut, Stage, StageEntry, Tournament
from tournaments.plan import DRAWN_BY_ROUND, KNOWN_BEFOREHAND, Plan
from tournaments.services.action_context import last_fixed_round
from tournaments.services.matches import results
from tournaments.services.records import Record
from tournaments.stage_state import has_begun
from web.errors import Refused

TAKES_LATE = ("swiss", "swiss_pods", "ladder", "arena")
"""Formats that an entry can join or rejoin after the first round."""
MISSED: dict[str, Any] = {
    Kind.ZERO_BYE: gettext_lazy("no points for the rounds before"),
    Kind.HALF_BYE: gettext_lazy("half-point byes for the rounds before"),
    Kind.BYE: gettext_lazy("full-point byes for the rounds before"),
}
"""Values of missed rounds, in words."""


# Leaving


def leave_stages(record: Record, entry: Entry, *, at_once: bool) -> list[str]:
    """Remove an entry from its stages after the current round, or at once. Returns the names of matches decided.

    At once, its open match of two is decided against it. A bigger table continues without it.
    """
    decided: list[str] = []
    for entrant in StageEntry.objects.filter(entry=entry, last_round=None, stage__status=Stage.Status.RUNNING):
        decided += _leave(record, entrant, at_once=at_once)
    return decided


def _leave(record: Record, entrant: StageEntry, *, at_once: bool) -> list[str]:
    stage = Stage.objects.get(pk=entrant.stage_id)
    plan = Plan.read(stage.plan_json)
    matches, entry_id = _matches(stage, entrant.entry_id), entrant.entry_id
    sat_out = SitOut.objects.filter(round__stage=stage, entry=entry_id).exclude(round__status=Round.Status.DRAWN)
    played = [match.round.number for match in matches if not match.is_open or has_begun(match)]
    played += sat_out.values_list("round__number", flat=True)
    called = [match for match in matches if match.is_open and not has_begun(match) and _is_called(record, plan, match)]
    if not at_once:
        numbers = [match.round.number for match in called]
        next_ones = [min(numbers)] if numbers and plan.all_at_once else numbers
        record.change(entrant, last_round=max([*played, *next_ones], default=0))
        return []
    record.change(entrant, last_round=max([*played, *(match.round.number for match in called)], default=0))
    lost = [match for match in matches if match.is_open and match.round.number <= (entrant.last_round or 0)]
    names = []
    for match in lost:
        if len(match.places.all()) == 2:
            results.forfeit(record, match, [entry_id])
            names.append(results.words_of(match))
    return names


def _matches(stage: Stage, entry_id: int) -> list[Pairing]:
    """The matches of an entry with known players, by round."""
    matches = Pairing.objects.filter(round__stage=stage, places__entry=entry_id).exclude(status=Pairing.Status.WAITS)
    rows = matches.select_related("round__stage__tournament", "table", "result").prefetch_related("places")
    return list(rows.order_by("round__number", "number"))


def _is_called(record: Record, plan: Plan, match: Pairing) -> bool:
    """Whether the players of a match that has not started were called, so that it is not redrawn.

    Online it is known whether anything was played. At a table without a screen it is assumed.
    """
    if match.round.status == Round.Status.DRAWN:
        return False
    if match.is_fixed or match.round.is_fixed or not match.is_online:
        return True
    if plan.format in DRAWN_BY_ROUND:
        return _any_begun(Pairing.objects.filter(round=match.round))
    if plan.format in KNOWN_BEFOREHAND:
        return _any_begun(Pairing.objects.filter(round__stage=match.round.stage))
    return True


def _any_begun(matches: Iterable[Pairing]) -> bool:
    return any(has_begun(match) or match.is_fixed for match in matches)


# Coming in late, coming back


def join_running_stage(record: Record, stage: Stage, entry: Entry, missed: str) -> StageEntry:
    """Add an entry to a stage under way, from the next round that can still be drawn.

    The rounds it missed count as `missed`: `zero_bye`, `half_bye` or `bye`. Raises `Refused`.
    """
    plan = Plan.read(stage.plan_json)
    _check_takes_late(stage, plan)
    if StageEntry.objects.filter(stage=stage, entry=entry).exists():
        raise Refused("in_already", gettext("%(entry)s is already in %(stage)s.") % {"entry": entry, "stage": stage})
    round_before = last_fixed_round(stage) if plan.format in DRAWN_BY_ROUND else 0
    last = StageEntry.objects.filter(stage=stage).order_by("-position").values_list("position", flat=True).first()
    entrant = StageEntry(
        stage=stage,
        entry=entry,
        position=(last or 0) + 1,
        first_round=round_before + 1,
        start_points=round_before * worth(plan, missed),
    )
    record.create(entrant)
    return entrant


def return_to_stages(record: Record, entry: Entry, missed: str = Kind.ZERO_BYE) -> None:
    """Return an entry that left to its stages, or to the first one as a late entry. Raises `Refused`."""
    _check_choice(missed)
    running = list(Stage.objects.filter(tournament=record.tournament, status=Stage.Status.RUNNING))
    entrants = {entrant.stage_id: entrant for entrant in StageEntry.objects.filter(entry=entry, stage__in=running)}
    for stage in running:
        if stage.pk in entrants:
            _return(record, stage, entrants[stage.pk], missed)
        elif stage.number == 1:
            join_running_stage(record, stage, entry, missed)


def _return(record: Record, stage: Stage, entrant: StageEntry, missed: str) -> None:
    plan = Plan.read(stage.plan_json)
    if entrant.last_round is None:
        return
    left_after, entry_id = entrant.last_round, entrant.entry_id
    record.change(entrant, last_round=None)
    if plan.format not in ("swiss", "swiss_pods"):
        return
    # It missed the rounds since then: as a bye if they are redrawn, otherwise as a row.
    gone = Round.objects.filter(stage=stage, number__gt=left_after, number__lte=last_fixed_round(stage))
    was_there = {
        *Place.objects.filter(pairing__round__in=gone, entry=entry_id).values_list("pairing__round_id", flat=True),
        *SitOut.objects.filter(round__in=gone, entry=entry_id).values_list("round_id", flat=True),
    }
    for round_ in gone.exclude(pk__in=was_there):
        record.change(entrant, byes={**entrant.byes, str(round_.number): str(missed)})
        if round_.is_fixed or _any_begun(round_.pairings.select_related("table")):
            record.create(SitOut(round=round_, entry_id=entry_id, kind=missed, points=worth(plan, missed)))


def worth(plan: Plan, missed: str) -> Fraction:
    """Points of one missed round. Raises `Refused` for an unknown choice."""
    _check_choice(missed)
    return Fraction(0) if missed == Kind.ZERO_BYE else plan.worth(str(missed))


def _check_choice(missed: str) -> None:
    if missed not in MISSED:
        raise Refused("bad_choice", gettext("Missed rounds count as zero-point, half-point or full-point byes."))


def _check_takes_late(stage: Stage, plan: Plan) -> None:
    if stage.status != Stage.Status.RUNNING:
        raise Refused("not_running", gettext("%(stage)s is not under way.") % {"stage": stage})
    if stage.tournament.status != Tournament.Status.RUNNING:
        raise Refused("not_running", gettext("The event is not under way."))
    if plan.format not in TAKES_LATE:
        raise Refused(
            "too_late",
            gettext(
                "%(format)s: every match is fixed from the start, so nobody can enter now. Replace someone instead."
            )
            % {"format": plan.title},
        )
