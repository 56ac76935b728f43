"""What was typed in a field: a whole number, a day or a time of day."""

from datetime import date, time

from django.utils.translation import gettext

from web.errors import Refused
from web.sent_numbers import read_whole


def whole_number(text: str, at: str, message: str) -> int:
    """A whole number from the input. Raises `Refused` with the message at the control `at`."""
    number = read_whole(text)
    if number is None:
        raise Refused("bad_number", message, field=at)
    return number


def day_of(text: str, at: str, message: str) -> date:
    """A day from the input. Raises `Refused` at the control `at`, with the message if the input is empty."""
    if not text:
        raise Refused("no_day", message, field=at)
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        raise Refused("bad_day", gettext("Enter the day as 2026-09-07."), field=at) from None
    if not 2000 <= day.year <= 2100:
        raise Refused("bad_day", gettext("Choose a day of this century."), field=at)
    return day


def time_of(text: str) -> time | None:
    """A time of day from the input; `None` if empty. Raises `Refused` at its control."""
    if not text:
        return None
    try:
        return time.fromisoformat(text[:5])
    except ValueError:
        raise Refused("bad_time", gettext("Enter the time as 19:30, or leave it empty."), field="plays_at") from None
