"""What leaving and coming back do to an entry's part in the stages under way. Parts of acts, none by itself."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from engine.compete.records import Kind
from tournaments.models import Entry, Pairing, Place, Round, SitOut, Stage, StageEntry, Tournament
from tournaments.plan import DRAWN_BY_ROUND, KNOWN_BEFOREHAND, Plan
from tournaments.services.action_context import last_kept_round
from tournaments.services.matches import results
from tournaments.services.records import Record
from tournaments.stage_state import has_begun
from web.errors import Refused

TAKES_LATE = ("swiss", "swiss_pods", "ladder", "arena")
"""Formats that an entry can come into, or back into, after the first round."""
MISSED: dict[str, Any] = {
    Kind.ZERO_BYE: gettext_lazy("no points for the rounds before"),
    Kind.HALF_BYE: gettext_lazy("half-point byes for the rounds before"),
    Kind.BYE: gettext_lazy("full-point byes for the rounds before"),
}
"""What rounds that an entry missed may count, in words."""


# Leaving


def leave_stages(record: Record, entry: Entry, *, at_once: bool) -> list[str]:
    """Let an entry take part no longer: after the round that is being played, or at once.

    At once, its open match of two is decided against it; a bigger table that plays goes on without it. Names of the
    matches that were decided.
    """
    decided: list[str] = []
    for own in StageEntry.objects.filter(entry=entry, last_round=None, stage__status=Stage.Status.RUNNING):
        decided += _leave(record, own, at_once=at_once)
    return decided


def _leave(record: Record, own: StageEntry, *, at_once: bool) -> list[str]:
    stage = Stage.objects.get(pk=own.stage_id)
    plan = Plan.read(stage.plan_json)
    matches = _matches(stage, own.entry_id)
    sat_out = SitOut.objects.filter(round__stage=stage, entry=own.entry_id).exclude(round__status=Round.Status.DRAWN)
    played = [one.round.number for one in matches if not one.is_open or has_begun(one)]
    played += sat_out.values_list("round__number", flat=True)
    called = [one for one in matches if one.is_open and not has_begun(one) and _is_called(record, plan, one)]
    if not at_once:
        numbers = [one.round.number for one in called]
        next_ones = [min(numbers)] if numbers and plan.all_at_once else numbers
        record.change(own, last_round=max([*played, *next_ones], default=0))
        return []
    record.change(own, last_round=max([*played, *(one.round.number for one in called)], default=0))
    lost = [one for one in matches if one.is_open and one.round.number <= (own.last_round or 0)]
    names = []
    for one in lost:
        if len(one.places.all()) == 2:
            results.forfeit(record, one, [own.entry_id])
            names.append(one.name)
    return names


def _matches(stage: Stage, entry_id: int) -> list[Pairing]:
    """The matches of an entry whose players are known, by round."""
    found = Pairing.objects.filter(round__stage=stage, places__entry=entry_id).exclude(status=Pairing.Status.WAITS)
    rows = found.select_related("round__stage__tournament", "table", "result").prefetch_related("places")
    return list(rows.order_by("round__number", "number"))


def _is_called(record: Record, plan: Plan, match: Pairing) -> bool:
    """Whether the players of a match that has not begun were told to play it, so that it is not drawn anew.

    Online one sees whether anything was played; at a table without a screen it is taken to be.
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
    return any(has_begun(one) or one.is_fixed for one in matches)


# Coming in late, coming back


def come_late(record: Record, stage: Stage, entry: Entry, missed: str) -> StageEntry:
    """Let an entry into a stage under way, from the next round that can still be drawn.

    The rounds it missed count as `missed` says: `zero_bye`, `half_bye` or `bye`. Raises `Refused`.
    """
    plan = Plan.read(stage.plan_json)
    _check_takes_late(stage, plan)
    if StageEntry.objects.filter(stage=stage, entry=entry).exists():
        raise Refused("in_already", gettext("%(entry)s is already in %(stage)s.") % {"entry": entry, "stage": stage})
    round_before = last_kept_round(stage) if plan.format in DRAWN_BY_ROUND else 0
    last = StageEntry.objects.filter(stage=stage).order_by("-position").values_list("position", flat=True).first()
    own = StageEntry(
        stage=stage,
        entry=entry,
        position=(last or 0) + 1,
        first_round=round_before + 1,
        start_points=round_before * worth(plan, missed),
    )
    record.create(own)
    return own


def return_to_stages(record: Record, entry: Entry, missed: str = Kind.ZERO_BYE) -> None:
    """Let an entry that left take part again; where it never began, it comes in late. Raises `Refused`."""
    _check_choice(missed)
    running = list(Stage.objects.filter(tournament=record.tournament, status=Stage.Status.RUNNING))
    own = {one.stage_id: one for one in StageEntry.objects.filter(entry=entry, stage__in=running)}
    for stage in running:
        if stage.pk in own:
            _return(record, stage, own[stage.pk], missed)
        elif stage.number == 1:
            come_late(record, stage, entry, missed)


def _return(record: Record, stage: Stage, own: StageEntry, missed: str) -> None:
    plan = Plan.read(stage.plan_json)
    if own.last_round is None:
        return
    left_after = own.last_round
    record.change(own, last_round=None)
    if plan.format not in ("swiss", "swiss_pods"):
        return
    # It has sat out the rounds of meanwhile: as a bye where they are drawn anew, as a row where they are not.
    gone = Round.objects.filter(stage=stage, number__gt=left_after, number__lte=last_kept_round(stage))
    was_there = {
        *Place.objects.filter(pairing__round__in=gone, entry=own.entry_id).values_list("pairing__round_id", flat=True),
        *SitOut.objects.filter(round__in=gone, entry=own.entry_id).values_list("round_id", flat=True),
    }
    for one in gone.exclude(pk__in=was_there):
        record.change(own, byes={**own.byes, str(one.number): str(missed)})
        if one.is_fixed or _any_begun(one.pairings.select_related("table")):
            record.create(SitOut(round=one, entry_id=own.entry_id, kind=missed, points=worth(plan, missed)))


def worth(plan: Plan, missed: str) -> Fraction:
    """What one missed round counts. Raises `Refused` for what is no choice."""
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
