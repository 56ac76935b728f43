"""Noting on which device a player looked at a match that counts: for fair play, and forgotten some time after the match.

A device is a random number in a cookie of this site. It is stored as a keyed digest made with the table's id, so that
marks can be compared at one table and say nothing anywhere else. No addresses, and nothing about the browser.
"""

from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from accounts.models import User
from gameplay.fair_play.models import Look
from gameplay.models import Seat, Table

LONGEST = timedelta(days=395)
"""Longest time for any page view, however long the match lasts; a device's cookie does not last longer either."""
COUNTS = Q(table__is_rated=True, table__is_practice=False) | Q(table__is_arranged=True)
"""Seats at which looks are noted: those of rated tables, and of events."""


def note(slug: str, user: User, device: str) -> bool:
    """Record that a player's page of their own table is open on a device; whether the match counts.

    Twice at one position writes nothing. Two queries at most, and no lock.
    """
    seats = Seat.objects.filter(COUNTS, table__slug=slug, user__pk=user.pk or 0, table__status=Table.Status.PLAYING)
    place = seats.values_list("pk", "table_id", "table__move_count").first()
    if place is None:
        return False
    seat, table, move_count = place
    look = Look(seat_id=seat, user_id=user.pk, after_move=move_count, mark=mark_of(table, device), at=Now())
    Look.objects.bulk_create([look], ignore_conflicts=True)
    return True


def mark_of(table_id: int, device: str) -> str:
    """The mark of a device at one table."""
    return salted_hmac("gameplay.looks", f"{table_id}:{device}", algorithm="sha256").hexdigest()[:32]


def forget(user_id: int) -> None:
    """Delete the page views of a user."""
    Look.objects.filter(user=user_id).delete()
