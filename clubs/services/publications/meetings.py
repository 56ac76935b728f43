"""Meetings of a club, in its own time zone."""

from datetime import datetime, timedelta
from typing import Unpack

from django.forms import ValidationError
from django.utils.translation import gettext, pgettext

from accounts.models import User
from clubs.coming import meeting_events
from clubs.models import Act, Club, Meeting
from clubs.services import lookups
from clubs.services.history import ActionRequest, Record, Rows, declare, perform, row_of
from tournaments.forms.fields import YEARS, aware
from web.errors import Refused
from web.text import on_calendar

MOST_WEEKS = 53
LONGEST = timedelta(days=14)


def read_moment(club: Club, typed: str, field: str) -> datetime | None:
    """A day and a time by the club's clock, such as `2026-11-24T19:00`; `None` for nothing. Raises `Refused`."""
    text = typed.strip()
    if not text:
        return None
    try:
        local = datetime.fromisoformat(text[:32])
    except ValueError:
        local = None
    if local is None or local.tzinfo is not None or local.year not in YEARS:
        raise Refused("bad_time", gettext("Enter the day and the time, such as 2026-11-21 19:30."), field=field)
    return at_club(club, local.replace(second=0, microsecond=0), field)


def at_club(club: Club, local: datetime, field: str) -> datetime:
    """The moment at which the club's clock shows this. Raises `Refused` if it never does."""
    try:
        return aware(local, club.zone)
    except ValidationError as error:
        raise Refused("bad_time", " ".join(error.messages), field=field) from None


MEETING = declare("meeting", needs="news", undo=Rows())
MEETING_EDIT = declare("meeting_edit", needs="news", undo=Rows())
MEETING_CANCELLATION = declare("meeting_off", needs="news", undo=Rows())
MEETING_DELETION = declare("meeting_delete", needs="news", undo=Rows())


def add(
    club_id: int,
    by: User,
    *,
    title: str,
    starts_at: datetime | None,
    ends_at: datetime | None = None,
    words: str = "",
    venue: str = "",
    weeks: int = 1,
    **how: Unpack[ActionRequest],
) -> Act:
    """Add a meeting, or one a week for so many `weeks`, at the same time by the club's clock. Raises `Refused`."""

    def do(record: Record) -> str:
        if not 1 <= weeks <= MOST_WEEKS:
            raise Refused("bad_weeks", gettext("Enter 1 to %(most)s weeks.") % {"most": MOST_WEEKS}, field="weeks")
        values = _read(title, words, venue, starts_at, ends_at)
        meetings = [Meeting(club=record.club, **values | _later(record.club, values, week)) for week in range(weeks)]
        record.create_all(meetings)
        if weeks > 1:
            return gettext("%(count)s meetings added: %(title)s, each week from %(day)s.") % {
                "count": weeks,
                "title": meetings[0],
                "day": _day(meetings[0]),
            }
        return gettext("Meeting added: %(title)s, %(day)s.") % {"title": meetings[0], "day": _day(meetings[0])}

    return perform(club_id, do, MEETING, by=by, **how)


def _later(club: Club, values: dict[str, object], weeks: int) -> dict[str, datetime]:
    """The times so many weeks later, by the club's clock."""
    moved = {}
    for field in ("starts_at", "ends_at"):
        at = values[field]
        if isinstance(at, datetime):
            local = at.astimezone(club.zone).replace(tzinfo=None) + timedelta(weeks=weeks)
            moved[field] = at_club(club, local, field)
    return moved


def edit(
    meeting_id: int,
    by: User,
    *,
    title: str,
    starts_at: datetime | None,
    ends_at: datetime | None = None,
    words: str = "",
    venue: str = "",
    **how: Unpack[ActionRequest],
) -> Act:
    """Change a meeting. Raises `Refused` with the `field` that is wrong."""

    def do(record: Record) -> str:
        meeting = row_of(record, Meeting, meeting_id)
        if not record.change(meeting, **_read(title, words, venue, starts_at, ends_at)):
            raise Refused("nothing_new", gettext("Nothing was changed."))
        changed = gettext("Meeting changed: %(title)s, %(day)s.") % {"title": meeting, "day": _day(meeting)}
        return changed + _with_event(meeting)

    return perform(lookups.club_of(Meeting, meeting_id), do, MEETING_EDIT, by=by, **how)


def cancel(meeting_id: int, by: User, *, is_off: bool = True, **how: Unpack[ActionRequest]) -> Act:
    """Cancel a meeting, or restore it."""

    def do(record: Record) -> str:
        meeting = row_of(record, Meeting, meeting_id)
        if not record.change(meeting, is_called_off=is_off):
            raise Refused("nothing_new", gettext("This has already been done."))
        words = (
            gettext("Meeting cancelled: %(title)s, %(day)s.")
            if is_off
            else gettext("Meeting restored: %(title)s, %(day)s.")
        )
        return words % {"title": meeting, "day": _day(meeting)} + _with_event(meeting)

    return perform(lookups.club_of(Meeting, meeting_id), do, MEETING_CANCELLATION, by=by, **how)


def delete(meeting_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Delete a meeting. Cancel it instead if people know about it."""

    def do(record: Record) -> str:
        meeting = row_of(record, Meeting, meeting_id)
        if meeting_events.follows(meeting.event) and not meeting.is_called_off:
            raise Refused("has_event", gettext("This meeting has an event. Cancel the meeting instead."))
        sentence = gettext("Meeting deleted: %(title)s, %(day)s.") % {"title": meeting, "day": _day(meeting)}
        record.delete(meeting)
        return sentence

    return perform(lookups.club_of(Meeting, meeting_id), do, MEETING_DELETION, by=by, **how)


def _read(
    title: str, words: str, venue: str, starts_at: datetime | None, ends_at: datetime | None
) -> dict[str, object]:
    texts = {"title": title, "words": words, "venue": venue}
    plain = {name: " ".join(text.split()) for name, text in texts.items()}
    for name, most in (("title", 120), ("words", 300), ("venue", 200)):
        if len(plain[name]) > most:
            raise Refused("too_long", gettext("At most %(most)s characters.") % {"most": most}, field=name)
    if not plain["title"]:
        raise Refused("no_title", gettext("Enter a title, for example Club night."), field="title")
    if starts_at is None:
        raise Refused("no_time", gettext("Enter a start time."), field="starts_at")
    if ends_at is not None and not starts_at < ends_at <= starts_at + LONGEST:
        raise Refused("bad_end", gettext("The end must be after the start, within two weeks."), field="ends_at")
    return {**plain, "starts_at": starts_at, "ends_at": ends_at}


def _with_event(meeting: Meeting) -> str:
    """For the history: that the event of the meeting follows."""
    return " " + gettext("Its event follows.") if meeting_events.follows(meeting.event) else ""


def _day(meeting: Meeting) -> str:
    """The time of a meeting, by the club's clock."""
    at = meeting.starts_at.astimezone(meeting.club.zone)
    return on_calendar(at, pgettext("date format", "D j M Y H:i"))
