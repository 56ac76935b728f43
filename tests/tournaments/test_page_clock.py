"""Times of what is face to face are those of its place for everybody, online those of the reader; always with the zone."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tournaments.models import Pairing, Round, Tournament

pytestmark = pytest.mark.django_db

ZONES = ["", "Asia/Kolkata", "America/Toronto"]
"""What a browser says of its zone: nothing at a first visit."""
PUBLIC = [
    "",
    "1/",
    "schedule/",
    "results/",
    "entries/",
    "rules/",
    "1/R1.1/",
    "print/",
    "print/pairings/",
    "entries/1/",
    "embed/1/",
]
FILES = ["calendar.ics", "results.csv", "feed.atom", "event.json", "schedule.csv", "schedule.pdf", "preview.png"]
EVENING = datetime(2026, 11, 24, 19, tzinfo=UTC)


@pytest.fixture
def event(new_event):
    def make(**choices):
        choices = {"time_zone": "Europe/London", "starts_at": EVENING} | choices
        tournament = new_event("swiss", 4, started=True, **choices)
        Round.objects.filter(stage__tournament=tournament).update(
            starts_at=EVENING, deadline_at=EVENING + timedelta(hours=3)
        )
        return tournament

    return make


def read(client, path, zone):
    client.cookies.pop("zone", None)
    if zone:
        client.cookies["zone"] = zone
    answer = client.get(path)
    page = b"".join(answer) if answer.streaming else answer.content
    return answer.status_code, re.sub(rb'nonce-[^"\';]+|name="csrfmiddlewaretoken" value="\w+"', b"", page)


@pytest.mark.parametrize("path", PUBLIC + FILES)
def test_every_page_and_file_of_a_face_to_face_event_reads_alike_everywhere(event, client, path):
    base = event(setting="face").get_absolute_url()
    first, *others = [read(client, base + path, zone) for zone in ZONES]
    assert first[0] == 200
    assert all(other == first for other in others)


def test_they_show_the_clock_of_the_place_and_name_its_zone(event, client):
    base = event(setting="face").get_absolute_url()
    _, page = read(client, f"{base}schedule/", "Asia/Kolkata")
    assert b"24 Nov 19:00" in page
    assert b"Times in London (GMT)." in page


def test_a_table_card_shows_the_clock_of_the_place_at_a_first_visit_too(event, client):
    pairing = Pairing.objects.filter(round__stage__tournament=event(setting="face", time_zone="Asia/Tokyo")).first()
    card = f"/events/card/{pairing.token}/"
    client.post(f"{card}0/", {"act": "send", "by": "final", "s0-final": "1250", "s1-final": "980"})
    for path in (card, f"{card}1/answer/"):
        page = read(client, path, "Europe/London")[1]
        assert b"Tokyo" in page
        assert b"London" not in page


@pytest.mark.parametrize(("zone", "clock"), [("", b"22:00"), ("Asia/Kolkata", b"03:30"), ("America/Toronto", b"17:00")])
def test_online_deadlines_are_the_readers(event, client, zone, clock):
    base = event(setting="online").get_absolute_url()
    assert clock in read(client, f"{base}schedule/", zone)[1]


def test_a_list_of_events_names_the_zone_where_clocks_differ(event, client):
    Tournament.objects.filter(pk=event(setting="face").pk).update(
        status="open", starts_at=timezone.now().replace(hour=12, minute=0) + timedelta(days=3)
    )
    assert b"12:00 London (" in read(client, "/events/", "Asia/Kolkata")[1]
    assert b"12:00 London (" not in read(client, "/events/", "Europe/London")[1]


def test_so_do_the_readers_own_matches(event, client, user_of, entry):
    player = user_of(entry(event(setting="face"), 1))
    player.time_zone = "Asia/Kolkata"
    player.save()
    client.force_login(player)
    assert "22:00 London (GMT)" in client.get("/events/mine/").content.decode()


def test_an_organiser_works_by_the_clock_of_the_place(event, client, olga):
    tournament = event(setting="face")
    olga.time_zone = "Asia/Kolkata"
    olga.save()
    client.force_login(olga)
    page = client.get(f"{tournament.get_absolute_url()}organise/rounds/").content.decode()
    assert "22:00" in page
    assert "Kolkata" not in page
