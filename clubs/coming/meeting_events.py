"""What follows when a meeting is moved, cancelled or restored: its event does the same, and people who come are told."""

from copy import copy
from datetime import datetime, timedelta
from typing import Any, cast

from django.utils.translation import gettext, pgettext

from clubs.coming import letters, occasions
from clubs.coming.occasions import Occasion
from clubs.models import Club, Meeting, Question, Reply, ReplyLetter
from clubs.services.records import Record
from tournaments import access
from tournaments.models import Act, Tournament
from tournaments.services import history
from tournaments.services.events import lifecycle
from web.database.rows import row_from_values
from web.text import on_calendar

Kind = ReplyLetter.Kind
HALF_A_DAY = timedelta(hours=12)
TIMES = ("starts_at", "entries_close_at", "check_in_from", "check_in_until")
"""Times of an event that move with its meeting."""


def follow(record: Record) -> None:
    """After an act that changed meetings, or undid such a change: the same for their events, within the act."""
    for change in record.changes:
        if change["model"] != "meeting" or change["was"] is None or change["is"] is None:
            continue
        meeting = Meeting.objects.select_related("event", "club").filter(pk=change["pk"]).first()
        if meeting is None:
            continue
        before, is_moved = _before(meeting, change), {"starts_at", "venue"} & change["is"].keys()
        if "is_called_off" in change["is"]:
            _cancel_event(record, meeting) if meeting.is_called_off else _restore_event(record, meeting)
        if change["is"].keys() & {"starts_at", "venue", "title"}:
            _move_event(record, meeting, before)
        if "is_called_off" in change["is"]:
            _tell(meeting, Kind.OFF if meeting.is_called_off else Kind.ON, record.now)
        elif is_moved and not meeting.is_called_off:
            _remind_again(meeting, record.now)
            _tell(meeting, Kind.MOVED, record.now)


def follows(event: Tournament | None) -> bool:
    """Whether the event of a meeting follows it: until it starts."""
    return event is not None and not event.has_begun


def event_name(meeting: Meeting) -> str:
    """The name of the event of a meeting: `Club night, 24 Nov 2026`."""
    day = on_calendar(meeting.starts_at.astimezone(meeting.club.zone), pgettext("date format", "j M Y"))
    return f"{meeting.title[:60]}, {day}"


def venue_of(club: Club, meeting: Meeting) -> str:
    return meeting.venue or club.venue


def _before(meeting: Meeting, change: dict[str, Any]) -> Meeting:
    """The meeting as it was before a change, not saved."""
    before = cast(Meeting, row_from_values(Meeting, change["was"]))
    for name in ("title", "venue", "starts_at"):
        if name not in change["was"]:
            setattr(before, name, getattr(meeting, name))
    before.club = meeting.club
    return before


def _move_event(record: Record, meeting: Meeting, before: Meeting) -> None:
    """Set the event to the meeting's new time, place and title, as far as it had those of the meeting."""
    event, by = meeting.event, record.by
    if event is None or by is None or not follows(event) or event.status == Tournament.Status.CANCELLED:
        return
    changes: dict[str, object] = {}
    if distance := meeting.starts_at - before.starts_at:
        times = {name: getattr(event, name) for name in TIMES}
        changes = {name: at + distance for name, at in times.items() if at is not None}
    if event.venue == venue_of(meeting.club, before) != venue_of(meeting.club, meeting):
        changes["venue"] = venue_of(meeting.club, meeting)
    if event.name == event_name(before) != event_name(meeting):
        changes["name"] = event_name(meeting)
    if changes:
        lifecycle.change_settings(event.pk, by, changes=changes, now=record.now, within=record)


def _cancel_event(record: Record, meeting: Meeting) -> None:
    event = meeting.event
    if event is not None and record.by is not None and follows(event) and event.status != Tournament.Status.CANCELLED:
        reason = gettext("The meeting was cancelled.")
        lifecycle.cancel(event.pk, record.by, reason=reason, now=record.now, within=record)


def _restore_event(record: Record, meeting: Meeting) -> None:
    """Undo the cancellation of the event, also if its own organisers cancelled it."""
    event = meeting.event
    if event is None or record.by is None or event.status != Tournament.Status.CANCELLED or event.started_at:
        return
    acts = Act.objects.filter(tournament=event, kind=lifecycle.CANCEL.name, undone_by=None)
    if (act := acts.order_by("-pk").first()) is not None:
        history.undo(act.pk, by=record.by, now=record.now, within=record)
        event.refresh_from_db()
        if event.starts_at is not None and abs(meeting.starts_at - event.starts_at) > HALF_A_DAY:
            # The meeting was moved while it was cancelled.
            before = copy(meeting)
            before.starts_at = event.starts_at
            _move_event(record, meeting, before)


def _tell(meeting: Meeting, kind: str, now: datetime) -> None:
    """Tell everyone who comes. A cancelled event has told its own people already."""
    replies = Reply.objects.filter(question__meeting=meeting).select_related("membership")
    informed = set()
    if kind == Kind.OFF and meeting.event is not None and meeting.event.status != Tournament.Status.OVER:
        informed = set(access.accepted(meeting.event).exclude(user=None).values_list("user_id", flat=True))
    for reply in replies:
        if reply.comes and (reply.membership is None or reply.membership.user_id not in informed):
            letters.write_again(reply, kind, now)


def _remind_again(meeting: Meeting, now: datetime) -> None:
    """Remind people on the day before the new day, if they were reminded of another."""
    question = occasions.questions().filter(meeting=meeting).exclude(reminded_at=None).first()
    if question is None:
        return
    reminds_at = Occasion(question).reminds_at
    if reminds_at is not None and reminds_at > now:
        Question.objects.filter(pk=question.pk).update(reminded_at=None)
        ReplyLetter.objects.filter(reply__question=question, kind__in=(Kind.REMINDER, Kind.AGAIN)).delete()
