"""Guests of a meeting: strangers who say on the club's public page that they would like to come, without an account.

A guest is only a name: it is compared with no member's, has no partner, and enters no event. Each change locks the
club, as everything does that moves or cancels a meeting.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from typing import Annotated

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext

from accounts.budgets import MEETING_GUESTS, spend
from accounts.models import User
from acts.declaring import GONE, On
from acts.fields import number
from clubs.coming import replies
from clubs.coming.details import clean_note
from clubs.models import Club, Meeting, MeetingGuest
from clubs.services.history import Never, Record, act
from tournaments.models import Entry
from web.errors import Refused

MOST = 10
"""Guests of one meeting."""
Guest = Annotated[int, number(help_text="The guest (id).")]


def guests_of(meeting: Meeting) -> list[MeetingGuest]:
    """The guests of a meeting, the first who came first."""
    return list(MeetingGuest.objects.filter(meeting=meeting))


def counts(meetings: Sequence[int]) -> dict[int, int]:
    """How many guests come, by the ids of meetings that have any."""
    rows = MeetingGuest.objects.filter(meeting__in=meetings).order_by().values_list("meeting")
    return dict(rows.annotate(count=Count("pk")))


def guests_on(club: Club, day: date) -> list[tuple[Meeting, list[MeetingGuest]]]:
    """The meetings of a day by the club's clock that have guests, each with these: two queries."""
    midnight = datetime.combine(day, time(), club.zone)
    meetings = Meeting.objects.filter(club=club, is_called_off=False, guests__isnull=False).distinct()
    on_day = meetings.filter(starts_at__gte=midnight, starts_at__lt=midnight + timedelta(days=1))
    return [(meeting, list(meeting.guests.all())) for meeting in on_day.prefetch_related("guests")]


# By strangers


def check_open(meeting: Meeting, now: datetime) -> None:
    """Raise `Refused` unless another guest can come to this meeting, which is loaded with its club."""
    if not meeting.club.takes_guests or meeting.club.archived_at is not None:
        raise Refused("no_guests", gettext("This club takes no guests here. Ask to join it."))
    if meeting.is_called_off:
        raise Refused("cancelled", gettext("This meeting was cancelled. Choose another one."))
    if now >= meeting.starts_at:
        raise Refused("closed", gettext("This meeting has started. Choose another one."))
    if _is_full(meeting):
        raise Refused("full", gettext("This meeting is full. Choose another one."))


def _is_full(meeting: Meeting) -> bool:
    """Whether all guests are there, or all places of its event are taken."""
    if MeetingGuest.objects.filter(meeting=meeting).count() >= MOST:
        return True
    limit = meeting.event.entry_limit if meeting.event is not None else None
    entered = Entry.objects.filter(tournament=meeting.event_id, status=Entry.Status.ENTERED)
    return limit is not None and entered.count() >= limit


def add(
    meeting_id: int,
    *,
    name: str,
    note: str = "",
    shown: str,
    key: str = "",
    by: User | AnonymousUser | None = None,
    now: datetime | None = None,
) -> MeetingGuest:
    """Add a guest; the same form (`key`) sent again changes the name and the note.

    `shown` is the start in ISO format that the form showed. Raises `Refused` for a meeting that was moved since,
    cancelled, over or full, and with the `field` that is wrong.
    """
    with _locked(meeting_id) as meeting:
        earlier = MeetingGuest.objects.filter(meeting=meeting, request_key=key).first() if key else None
        if earlier is None:
            check_open(meeting, now or timezone.now())
            _check_unmoved(meeting, shown)
        guest = earlier or MeetingGuest(meeting=meeting, request_key=key)
        guest.name, guest.note = replies.clean_name(name), clean_note(note)
        if earlier is None:
            spend(MEETING_GUESTS, by)
        guest.save()
        return guest


def _check_unmoved(meeting: Meeting, shown: str) -> None:
    if shown != meeting.starts_at.isoformat():
        raise Refused("moved", gettext("This meeting has just been moved. Check the new time and send it again."))


def leave(meeting_id: int, guest_id: int) -> None:
    """Remove a guest who cannot come after all; nothing happens if they are gone already."""
    with _locked(meeting_id) as meeting:
        MeetingGuest.objects.filter(meeting=meeting, pk=guest_id).delete()


@contextmanager
def _locked(meeting_id: int) -> Iterator[Meeting]:
    """The meeting with its club, which is locked until the end of the transaction. Raises `Refused`."""
    with transaction.atomic():
        club = Club.objects.select_for_update().filter(meetings=meeting_id).first()
        meeting = Meeting.objects.select_related("club", "event").filter(pk=meeting_id, club=club).first()
        if meeting is None:
            raise Refused("no_such_row", gettext(GONE))
        yield meeting


# By organisers


@act(
    "guest_removed",
    on=On(Meeting, "club", ("club",)),
    needs="results",
    undo=Never("The guest’s name is no longer stored."),
)
def remove(record: Record, meeting: Meeting, *, guest: Guest) -> str:
    """Remove a guest of the public page from the list of a meeting."""
    # Not through the record: the history stores no names of guests.
    deleted, _ = MeetingGuest.objects.filter(meeting=meeting, pk=guest).delete()
    if not deleted:
        raise Refused("no_such_row", gettext(GONE), field="guest")
    return gettext("Guest removed: %(title)s.") % {"title": meeting}
