"""Repeating meetings: their settings, skipped days and reserves, and the next meetings, added by the site."""

import logging
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Unpack

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_time
from django.utils.translation import gettext, pgettext

from accounts.models import User
from clubs.coming import days, meeting_events
from clubs.models import Act, Club, Meeting, MeetingReserve, Membership, Question, RepeatingMeeting
from clubs.services import lookups
from clubs.services.history import ActionRequest, Record, Rows, Site, declare, perform, row_of
from tournaments.event_templates import STARTERS
from tournaments.forms.fields import YEARS
from tournaments.services.events import event_settings, lifecycle
from web.errors import Refused
from web.sent_numbers import read_whole
from web.text import on_calendar

log = logging.getLogger(__name__)

REPEATING = declare("repeating", needs="news", undo=Rows())
SKIPPED = declare("repeating_skip", needs="news", undo=Rows())
RESERVES = declare("repeating_reserves", needs="news", undo=Rows())
ADDED = declare("repeating_added", needs=Site("The next meetings of a repeating one."), undo=Rows("news"))

AHEAD = timedelta(days=35)
"""Meetings are added so long ahead."""
EVENT_AHEAD = timedelta(days=8)
"""Their events are created so long ahead."""
MOST = 20
"""Repeating meetings of one club."""
MOST_MINUTES, MOST_HOURS, MOST_DAYS, MOST_PEOPLE = 24 * 60, 72, 21, 500
MOST_RESERVES, MOST_SKIPPED = 40, 100
FIELDS = (
    *("title", "words", "venue", "every", "weekday", "nth", "starts_at", "minutes", "first_day", "last_day"),
    *("starter", "asks", "ask_days", "least", "reserve_hours"),
)
"""Settings, as forms and programs send them."""


# Settings


def save(
    club_id: int, by: User, *, values: dict[str, Any], repeating_id: int | None = None, **how: Unpack[ActionRequest]
) -> Act:
    """Add a repeating meeting, or change one: `values` are `FIELDS`, as text or as themselves. Raises `Refused`.

    Meetings that were added before stay as they are.
    """

    def do(record: Record) -> str:
        read = _read(record.club, values)
        if repeating_id is not None:
            row = row_of(record, RepeatingMeeting, repeating_id)
            if not record.change(row, **read):
                raise Refused("nothing_new", gettext("Nothing was changed."))
            return gettext("Repeating meeting changed: %(title)s, %(days)s.") % {"title": row, "days": in_words(row)}
        if RepeatingMeeting.objects.filter(club=record.club).count() >= MOST:
            raise Refused("too_many", gettext("A club can have at most %(most)s repeating meetings.") % {"most": MOST})
        row = RepeatingMeeting(club=record.club, by=record.by, **read)
        record.create(row)
        return gettext("Repeating meeting added: %(title)s, %(days)s.") % {"title": row, "days": in_words(row)}

    return perform(club_id, do, REPEATING, by=by, **how)


def end(repeating_id: int, by: User, *, last_day: date, **how: Unpack[ActionRequest]) -> Act:
    """End a repeating meeting: the last one is on this day or before, later ones without answers are deleted."""

    def do(record: Record) -> str:
        row = row_of(record, RepeatingMeeting, repeating_id)
        record.change(row, last_day=_date(last_day, "end"))
        for meeting in Meeting.objects.filter(repeating=row, day__gt=last_day, starts_at__gt=record.now):
            was_asked = Question.objects.filter(meeting=meeting, asked_at__isnull=False).exists()
            if was_asked or meeting.event_id is not None:
                record.change(meeting, is_called_off=True)
            else:
                Question.objects.filter(meeting=meeting).delete()
                record.delete(meeting)
        return gettext("%(title)s ends on %(day)s.") % {"title": row, "day": _day(last_day)}

    return perform(lookups.club_of(RepeatingMeeting, repeating_id), do, REPEATING, by=by, **how)


def skip(repeating_id: int, by: User, *, day: date, is_off: bool = True, **how: Unpack[ActionRequest]) -> Act:
    """Skip a day, or hold it again: a meeting that was added for it is cancelled, or restored. Raises `Refused`."""

    def do(record: Record) -> str:
        row = row_of(record, RepeatingMeeting, repeating_id)
        if _date(day, "day") is None or not days.is_day_of(row, day):
            sentence = gettext("%(title)s is not on %(day)s. Choose one of its days.")
            raise Refused("not_its_day", sentence % {"title": row, "day": _day(day)}, field="day")
        text, skipped = day.isoformat(), list(row.skipped)
        if (text in skipped) == is_off:
            raise Refused("nothing_new", gettext("This has already been done."), field="day")
        if is_off and len(skipped) >= MOST_SKIPPED:
            raise Refused("too_many", gettext("Too many days are skipped."), field="day")
        record.change(row, skipped=sorted([*skipped, text]) if is_off else [each for each in skipped if each != text])
        meeting = Meeting.objects.filter(repeating=row, day=day).first()
        if meeting is not None:
            record.change(meeting, is_called_off=is_off)
        elif not is_off and row.made_until is not None and day <= row.made_until:
            record.create(_meeting(row, day))
        words = gettext("%(title)s skips %(day)s.") if is_off else gettext("%(title)s is on %(day)s again.")
        return words % {"title": row, "day": _day(day)}

    return perform(lookups.club_of(RepeatingMeeting, repeating_id), do, SKIPPED, by=by, **how)


def set_reserves(repeating_id: int, by: User, *, memberships: Sequence[int], **how: Unpack[ActionRequest]) -> Act:
    """Set the reserves in the order in which they are asked: ids of members. Raises `Refused`."""

    def do(record: Record) -> str:
        row = row_of(record, RepeatingMeeting, repeating_id)
        if len(memberships) > MOST_RESERVES:
            raise Refused("too_many", gettext("At most %(most)s reserves.") % {"most": MOST_RESERVES}, field="reserves")
        people = [lookups.membership_of(record, pk) for pk in dict.fromkeys(memberships)]
        was = list(MeetingReserve.objects.filter(repeating=row))
        if [each.membership_id for each in was] == [person.pk for person in people]:
            raise Refused("nothing_new", gettext("Nothing was changed."), field="reserves")
        for reserve in was:
            record.delete(reserve)
        record.create_all(
            [MeetingReserve(repeating=row, membership=person, position=at) for at, person in enumerate(people)]
        )
        names = ", ".join(str(person) for person in people)
        return gettext("Reserves of %(title)s: %(names)s.") % {"title": row, "names": names or "–"}

    return perform(lookups.club_of(RepeatingMeeting, repeating_id), do, RESERVES, by=by, **how)


def in_words(repeating: RepeatingMeeting) -> str:
    """`every Tuesday at 19:00`, or `every first Tuesday of the month at 19:00`."""
    # The first of January 2024 is a Monday.
    weekday = on_calendar(date(2024, 1, 1 + repeating.weekday), "l")
    values = {"day": weekday, "time": f"{repeating.starts_at:%H:%M}", "nth": RepeatingMeeting.Nth(repeating.nth).label}
    if repeating.every == RepeatingMeeting.Every.WEEK:
        return gettext("every %(day)s at %(time)s") % values
    return gettext("every %(nth)s %(day)s of the month at %(time)s") % values


def _read(club: Club, values: dict[str, Any]) -> dict[str, Any]:
    """The settings, checked. Raises `Refused` with the `field` that is wrong."""
    read = {
        name: _text(values.get(name), name, most) for name, most in (("title", 120), ("words", 300), ("venue", 200))
    }
    if not read["title"]:
        raise Refused("no_title", gettext("Enter a title, for example Club night."), field="title")
    first = _date(values.get("first_day"), "first_day")
    if first is None:
        raise Refused("no_day", gettext("Choose the day of the first meeting."), field="first_day")
    last = _date(values.get("last_day"), "last_day")
    if last is not None and last < first:
        raise Refused("bad_end", gettext("The last day must not be before the first."), field="last_day")
    starter = values.get("starter") or ""
    if starter and starter not in STARTERS:
        raise Refused("no_such_starter", gettext("Template not found."), field="starter")
    every = values.get("every") or RepeatingMeeting.Every.WEEK
    if every not in RepeatingMeeting.Every.values:
        raise Refused("bad_every", gettext("Choose every week or every month."), field="every")
    return {
        **read,
        "every": every,
        "weekday": _number(values.get("weekday", first.weekday()), "weekday", 0, 6),
        "nth": _number(values.get("nth", 1), "nth", 1, 5),
        "starts_at": _time(values.get("starts_at")),
        "minutes": _number(values.get("minutes", 180), "minutes", 15, MOST_MINUTES),
        "first_day": first,
        "last_day": last,
        "starter": starter,
        "asks": bool(values.get("asks", True)),
        "ask_days": _number(values.get("ask_days", 4), "ask_days", 1, MOST_DAYS),
        "least": _number(values.get("least") or 0, "least", 0, MOST_PEOPLE),
        "reserve_hours": _number(values.get("reserve_hours", 12), "reserve_hours", 1, MOST_HOURS),
    }


def _text(value: Any, field: str, most: int) -> str:
    text = " ".join(str(value or "").split())
    if len(text) > most:
        raise Refused("too_long", gettext("At most %(most)s characters.") % {"most": most}, field=field)
    return text


def _number(value: Any, field: str, least: int, most: int) -> int:
    text = str(value).strip()
    number = read_whole(text, digits=5)
    if number is None or not least <= number <= most:
        sentence = gettext("Enter a whole number from %(least)s to %(most)s.") % {"least": least, "most": most}
        raise Refused("bad_number", sentence, field=field)
    return number


def _date(value: Any, field: str) -> date | None:
    if not value:
        return None
    try:
        day = value if isinstance(value, date) else parse_date(str(value)[:10])
    except ValueError:
        day = None
    if day is None or day.year not in YEARS:
        raise Refused("bad_day", gettext("Enter a day, such as 2026-11-24."), field=field)
    return day


def _time(value: Any) -> time:
    if isinstance(value, time):
        return value.replace(second=0, microsecond=0)
    try:
        at = parse_time(str(value or "")[:8])
    except ValueError:
        at = None
    if at is None:
        raise Refused("no_time", gettext("Enter a start time."), field="starts_at")
    return at.replace(second=0, microsecond=0)


def _day(day: date) -> str:
    return on_calendar(day, pgettext("date format", "D j M Y"))


# Adding the next ones


def add_due(now: datetime | None = None) -> int:
    """Add the next meetings and their events; returns how many meetings. Safe to run twice and at once."""
    now = now or timezone.now()
    count = 0
    for pk, club_id in RepeatingMeeting.objects.filter(club__archived_at=None).values_list("pk", "club_id"):
        try:
            count += add_of(pk, club_id, now)
        except Exception as error:
            log.error("The next meetings of %s could not be added: %s", pk, type(error).__name__)
    soon = Meeting.objects.filter(starts_at__gt=now, starts_at__lte=now + EVENT_AHEAD, is_called_off=False, event=None)
    for pk in soon.exclude(repeating=None).exclude(repeating__starter="").values_list("pk", flat=True):
        try:
            create_event(pk)
        except Exception as error:
            log.error("The event of meeting %s could not be created: %s", pk, type(error).__name__)
    return count


def add_of(repeating_id: int, club_id: int, now: datetime) -> int:
    """Add the next meetings of one repeating meeting, each once: those of five weeks, and at least the next."""
    row = RepeatingMeeting.objects.select_related("club").filter(pk=repeating_id).first()
    if row is None or not _days_to_add(row, now):
        return 0
    added: list[Meeting] = []

    def do(record: Record) -> str:
        locked = row_of(record, RepeatingMeeting, repeating_id)
        new_days = _days_to_add(locked, now)
        if not new_days:
            raise Refused("nothing_new", gettext("Nothing was changed."))
        known = set(Meeting.objects.filter(repeating=locked, day__in=new_days).values_list("day", flat=True))
        added.extend(_meeting(locked, day) for day in new_days if day not in known)
        record.create_all(added)
        # Not part of what can be undone: a meeting that was deleted is not added again.
        RepeatingMeeting.objects.filter(pk=locked.pk).update(made_until=new_days[-1])
        if locked.asks:
            Question.objects.bulk_create(Question(club=record.club, meeting=meeting) for meeting in added)
        if len(added) == 1:
            return gettext("Meeting added: %(title)s, %(day)s.") % {"title": locked, "day": _day(new_days[0])}
        return gettext("%(count)s meetings added: %(title)s.") % {"count": len(added), "title": locked}

    try:
        perform(club_id, do, ADDED, by=None)
    except Refused:  # another process was faster
        return 0
    return len(added)


def _days_to_add(row: RepeatingMeeting, now: datetime) -> list[date]:
    """The days for which meetings are still to be added: of the next weeks, and at least one that is to come."""
    today = now.astimezone(row.club.zone).date()
    after = max(row.made_until or date.min, today - days.DAY)
    if soon := list(days.days_of(row, after, today + AHEAD)):
        return soon
    if row.made_until is not None and row.made_until >= today:
        return []
    return list(days.days_of(row, after, today + 3 * AHEAD))[:1]


def _meeting(row: RepeatingMeeting, day: date) -> Meeting:
    begins = days.moment(row.club.zone, day, row.starts_at)
    ends = begins + timedelta(minutes=row.minutes)
    return Meeting(
        club=row.club,
        repeating=row,
        day=day,
        title=row.title,
        words=row.words,
        venue=row.venue,
        starts_at=begins,
        ends_at=ends,
    )


def create_event(meeting_id: int) -> bool:
    """Create and publish the event of a meeting by its template, once; whether it was. Raises `Refused`."""
    with transaction.atomic():
        meeting = Meeting.objects.select_for_update(of=("self",)).select_related("repeating", "club").get(pk=meeting_id)
        if meeting.event_id is not None or meeting.repeating is None or not meeting.repeating.starter:
            return False
        organiser = _organiser(meeting.club, meeting.repeating)
        if organiser is None:
            return False
        club = meeting.club
        settings = {
            "circle": club.circle,
            "time_zone": club.time_zone,
            "starts_at": meeting.starts_at,
            "venue": meeting_events.venue_of(club, meeting),
        }
        known = {name: value for name, value in settings.items() if name in event_settings.LABELS}
        event = lifecycle.make_event(
            organiser,
            name=meeting_events.event_name(meeting),
            starter=meeting.repeating.starter,
            settings=known,
            request_key=f"meeting-{meeting.pk}",
        )
        if event.status == event.Status.DRAFT:
            lifecycle.publish(event.pk, organiser)
        Meeting.objects.filter(pk=meeting.pk).update(event=event)
    return True


def _organiser(club: Club, row: RepeatingMeeting) -> User | None:
    """Who runs the events: the organiser who added the repeating meeting, or else another."""
    people = list(lookups.organisers(club))
    chosen = next((member for member in people if member.user_id == row.by_id), None)
    first = chosen or next((member for member in people if member.role == Membership.Role.OWNER), None)
    return first.user if first else None


def skipped_days(row: RepeatingMeeting) -> list[date]:
    """The skipped days that are still to come, in order."""
    today = timezone.now().astimezone(row.club.zone).date()
    return [day for text in row.skipped if (day := date.fromisoformat(text)) >= today]
