"""A club's calendar: its meetings and its public events."""

from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Meeting
from clubs.public.overview import club_events
from tournaments.exports import ics
from tournaments.exports.calendar import event_appointment
from tournaments.exports.ics import Appointment

MOST = 500
"""Entries of each kind in one calendar, the newest."""
PAST = timedelta(days=120)
"""Past entries are kept this long."""


def of_club(club: Club) -> bytes:
    """The club's meetings and public events: two queries."""
    # To the day, so that the same calendar is the same file.
    since = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0) - PAST
    meetings = Meeting.objects.filter(club=club, starts_at__gte=since).order_by("-starts_at", "-pk")[:MOST]
    events = club_events(club, inside=False).filter(starts_at__gte=since).order_by("-starts_at", "-pk")[:MOST]
    appointments = [*(_meeting(club, meeting) for meeting in meetings), *(event_appointment(event) for event in events)]
    return ics.write("Clubs", club.name, appointments)


def _meeting(club: Club, meeting: Meeting) -> Appointment:
    return Appointment(
        uid=f"meeting-{meeting.pk}",
        title=f"{meeting.title}: {club.name}",
        begins=meeting.starts_at,
        ends=meeting.ends_at,
        url=f"{reverse('clubs:dates', args=[club.slug])}#meeting-{meeting.pk}",
        made_at=club.created_at,
        version=club.version,
        lines=[meeting.words] if meeting.words else (),
        place=meeting.venue or club.venue,
        is_off=meeting.is_called_off,
    )


def of_meeting(
    club: Club, *, uid: str, title: str, begins: datetime, ends: datetime | None, place: str, is_off: bool
) -> bytes:
    """One meeting or match, for a person's own calendar; its address is the club's page."""
    appointment = Appointment(
        uid=uid,
        title=f"{title}: {club.name}",
        begins=begins,
        ends=ends,
        url=club.get_absolute_url(),
        made_at=club.created_at,
        version=club.version,
        place=place,
        is_off=is_off,
    )
    return ics.write("Clubs", club.name, [appointment])
