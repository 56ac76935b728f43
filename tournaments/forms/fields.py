"""Fields that events need: moments by the event's own clock, exact numbers of points, time zones by name."""

from datetime import UTC, datetime
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext

from accounts import time_zones

YEARS = range(2000, 2200)


class LocalMoment(forms.CharField):
    """A day and a time by the event's own clock, without a zone; `aware` puts the zone to it."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"})

    def prepare_value(self, value: Any) -> Any:
        return value.strftime("%Y-%m-%dT%H:%M") if isinstance(value, datetime) else value

    def to_python(self, value: Any) -> Any:
        text = str(value or "").strip()
        if not text:
            return None
        try:
            moment = datetime.fromisoformat(text[:32])
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is not None or moment.year not in YEARS:
            raise forms.ValidationError(gettext("Enter the day and the time, such as 2026-11-21 19:30."))
        return moment.replace(second=0, microsecond=0)


def aware(local: datetime, zone: ZoneInfo) -> datetime:
    """The moment at which the clocks of a zone show this. Raises `ValidationError` where they never do."""
    moment = local.replace(tzinfo=zone)
    if moment.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != local:
        raise forms.ValidationError(
            gettext("The clocks go forward then, so that time does not exist on that day. Choose another time.")
        )
    return moment


class PointsField(forms.CharField):
    """An exact number of points as text, such as `1/2`; empty where it is not given."""

    def __init__(self, *, most: int = 1000, **kwargs: Any) -> None:
        super().__init__(max_length=12, **kwargs)
        self.most = most
        self.widget.attrs.setdefault("inputmode", "text")

    def to_python(self, value: Any) -> str:
        text = str(super().to_python(value)).replace("−", "-").replace("½", ".5").strip()
        if not text:
            return ""
        try:
            number = Fraction(text)
        except (ValueError, ZeroDivisionError):
            raise forms.ValidationError(gettext("Enter a number of points, such as 2 or 1/2.")) from None
        if abs(number) > self.most or number.denominator > 1000:
            raise forms.ValidationError(gettext("The number of points is too large or too precise."))
        return str(number)


def read_zone(typed: str) -> str:
    """A zone by its whole name, or by the place alone where only one is called so. Raises `ValidationError`."""
    place = typed.strip().replace(" ", "_").casefold()
    if time_zones.is_zone(typed.strip()):
        return time_zones.canonical(typed.strip())
    zones = [name for name in time_zones.names() if place in (name.casefold(), name.casefold().rpartition("/")[2])]
    if len(zones) != 1:
        raise forms.ValidationError(
            gettext("“%(typed)s” is not a time zone. Choose one such as Europe/Paris.") % {"typed": typed[:60]}
        )
    return zones[0]
