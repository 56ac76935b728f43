"""Point adjustments by organisers, each with a reason."""

from fractions import Fraction
from typing import Unpack

from django.utils.translation import gettext, ngettext

from accounts.models import User
from acts.kinds import Rows
from tournaments.models import Act, Adjustment, Stage, StageEntry
from tournaments.services.action_context import added_row, entry_of, event_of, stage_of
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, BaseRequest, Record
from web.errors import Refused

ADJUST = declare("adjust", needs="play", undo=Rows())

MOST_POINTS = 1000


def adjust(
    stage_id: int, by: User, *, entry_id: int, points: Fraction | int | str, reason: str, **how: Unpack[BaseRequest]
) -> Adjustment:
    """Adjust the points of an entry in a stage; `points` is exact, such as `-1/2`. Raises `Refused`."""

    def do(record: Record) -> str:
        stage, entry = stage_of(record, stage_id), entry_of(record, entry_id)
        if not reason.strip():
            raise Refused("no_reason", gettext("Enter a reason. It appears in the history and below the standings."))
        if not StageEntry.objects.filter(stage=stage, entry=entry).exists():
            raise Refused("not_in_stage", gettext("%(entry)s is not in %(stage)s.") % {"entry": entry, "stage": stage})
        value = _number(points)
        record.create(
            Adjustment(stage=stage, entry=entry, points=value, reason=reason.strip()[:200], by=by, at=record.now)
        )
        return gettext("%(points)s for %(entry)s in %(stage)s: %(reason)s") % {
            "points": as_text(value),
            "entry": entry,
            "stage": stage,
            "reason": reason.strip(),
        }

    return added_row(perform(event_of(Stage, stage_id), do, ADJUST, by=by, reason=reason.strip(), **how), Adjustment)


def remove_adjustment(adjustment_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Remove a point adjustment."""
    tournament_id = Adjustment.objects.filter(pk=adjustment_id).values_list("stage__tournament_id", flat=True).first()
    if tournament_id is None:
        raise Refused("no_adjustment", gettext("This point adjustment was already removed."))

    def do(record: Record) -> str:
        adjustment = Adjustment.objects.select_related("entry", "stage").filter(pk=adjustment_id).first()
        if adjustment is None:
            raise Refused("no_adjustment", gettext("This point adjustment was already removed."))
        sentence = gettext("Removed: %(points)s for %(entry)s in %(stage)s.") % {
            "points": as_text(Fraction(adjustment.points)),
            "entry": adjustment.entry,
            "stage": adjustment.stage,
        }
        record.delete(adjustment)
        return sentence

    return perform(tournament_id, do, ADJUST, by=by, **how)


def _number(points: Fraction | int | str) -> Fraction:
    try:
        value = Fraction(str(points).strip().replace("−", "-"))
    except (ValueError, ZeroDivisionError):
        raise Refused(
            "bad_points", gettext("“%(points)s” is not a number of points.") % {"points": str(points)[:20]}
        ) from None
    if value == 0 or abs(value) > MOST_POINTS or value.denominator > 100:
        raise Refused(
            "bad_points", gettext("Enter points other than 0, at most %(limit)s either way.") % {"limit": MOST_POINTS}
        )
    return value


def as_text(points: Fraction) -> str:
    """Points with their sign and noun: `+2 points`, `−1/2 point`."""
    number = f"{'+' if points > 0 else '−'}{abs(points)}"
    return ngettext("%(number)s point", "%(number)s points", 1 if abs(points) <= 1 else 2) % {"number": number}
