"""One deadline, each by their own clock: on the table’s page, among their turns, in the log and in emails."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core import mail
from django.urls import reverse

from accounts.models import User
from accounts.services import notices
from gameplay.models import Happening, Heartbeat, Table
from gameplay.services import clocks
from tests.pages import squeezed

HOUR = timedelta(hours=1)
KOLKATA, ST_JOHNS = "Asia/Kolkata", "America/St_Johns"


@pytest.mark.parametrize(
    ("deadline", "zone", "day", "clock", "zone_words"),
    [
        # St John's puts its clocks back at 4:30 UTC: 01:30 comes twice.
        (datetime(2026, 11, 1, 4, tzinfo=UTC), ST_JOHNS, "Sun 1 Nov", "01:30", "St Johns (NDT)"),
        (datetime(2026, 11, 1, 5, tzinfo=UTC), ST_JOHNS, "Sun 1 Nov", "01:30", "St Johns (NST)"),
        (datetime(2026, 11, 1, 4, tzinfo=UTC), KOLKATA, "Sun 1 Nov", "09:30", "Kolkata (IST)"),
        (datetime(2026, 11, 1, 5, tzinfo=UTC), KOLKATA, "Sun 1 Nov", "10:30", "Kolkata (IST)"),
        # And forward at 5:30 UTC: 02:30 is left out.
        (datetime(2027, 3, 14, 5, tzinfo=UTC), ST_JOHNS, "Sun 14 Mar", "01:30", "St Johns (NST)"),
        (datetime(2027, 3, 14, 6, tzinfo=UTC), ST_JOHNS, "Sun 14 Mar", "03:30", "St Johns (NDT)"),
        (datetime(2027, 3, 14, 5, tzinfo=UTC), KOLKATA, "Sun 14 Mar", "10:30", "Kolkata (IST)"),
        (datetime(2027, 3, 14, 6, tzinfo=UTC), KOLKATA, "Sun 14 Mar", "11:30", "Kolkata (IST)"),
    ],
)
def test_everything_shows_the_deadline_by_the_readers_clock(seated, client, deadline, zone, day, clock, zone_words):
    table = seated(clock_hours=96, allows_absences=False)
    seat = table.seats.select_related("user").get(number=table.seat_to_act)
    User.objects.filter(pk=seat.user_id).update(time_zone=zone, time_zone_is_guess=False)
    now = deadline - 40 * HOUR
    Table.objects.filter(pk=table.pk).update(
        clock_started_at=deadline - 96 * HOUR, deadline_at=deadline, remind_at=now - HOUR
    )
    table.seats.update(looked_at=None)
    seat.user.notices.all().delete()
    Heartbeat.objects.update_or_create(name=clocks.HEARTBEAT, defaults={"at": now - HOUR / 60})
    deal_began = table.happenings.filter(kind=Happening.Kind.DEALT)
    deal_began.update(at=deadline)
    with time_machine.travel(now, tick=False):
        clocks.sweep(now)
        notices.send_due(now)
        client.force_login(seat.user)
        page = client.get(table.get_absolute_url()).content.decode()
        turns = squeezed(client.get(reverse("gameplay:turns")))
        log = client.get(reverse("gameplay:log", args=[table.slug])).content.decode()
    assert f"Due {day} {clock}<" in page
    assert f"until Sun {clock}<" in turns
    assert zone_words.partition(" (")[0] in turns
    assert f">{day} {clock}</time>" in log
    (letter,) = mail.outbox
    assert f"You have until {day} {clock}, {zone_words}." in letter.body
