"""A club's calendar: its meetings and its public events."""

from __future__ import annotations

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from clubs.models import Club, Meeting
from clubs.public.overview import own_events
from tournaments.exports import ics
from tournaments.exports.calendar import itself
from tournaments.exports.ics import Appointment

MOST = 500
"""Entries of each kind in one calendar, the newest."""
PAST = timedelta(days=120)
"""How long the calendar keeps what is over."""


def of_club(club: Club) -> bytes:
    """The club's meetings and public events: two queries."""
    # To the day, so that the same calendar is the same file.
    since = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0) - PAST
    meetings = Meeting.objects.filter(club=club, starts_at__gte=since).order_by("-starts_at", "-pk")[:MOST]
    events = own_events(club, inside=False).filter(starts_at__gte=since).order_by("-starts_at", "-pk")[:MOST]
    found = [*(_meeting(club, one) for one in meetings), *(itself(one) for one in events)]
    return ics.write("Clubs", club.name, found)


def _meeting(club: Club, one: Meeting) -> Appointment:
    return Appointment(
        uid=f"meeting-{one.pk}",
        title=f"{one.title}: {club.name}",
        begins=one.starts_at,
        ends=one.ends_at,
        url=f"{reverse('clubs:dates', args=[club.slug])}#meeting-{one.pk}",
        made_at=club.created_at,
        version=club.version,
        lines=[one.words] if one.words else (),
        place=one.venue or club.venue,
        is_off=one.is_called_off,
    )
