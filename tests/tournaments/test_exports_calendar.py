"""Calendars and the feed: read back by other libraries, with hostile names, and with addresses that keep a secret."""

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from tests.tournaments import driving
from tests.tries import tries
from tournaments.exports import calendar, ics
from tournaments.models import Entry, Member, Pairing, Round, Tournament
from tournaments.services.entries import withdrawal
from web.lettering import plain

STARTS = datetime(2026, 10, 31, 17, 0, tzinfo=UTC)
ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = ("Evil\r\nATTENDEE:x", "🃏" * 40, "a;b,c\\d\nBEGIN:VEVENT", "مريم \u202egnp.exe")


def fetched(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return answer.content


def events_of(content):
    return Calendar.from_ical(content).walk("VEVENT")


def hostile(event):
    for entry, name in zip(Entry.objects.filter(tournament=event), HOSTILE, strict=False):
        entry.name = name
        entry.save()


def well_formed(content):
    """Lines end in CR LF, have at most 75 octets, and break no character in two."""
    lines = content.split(b"\r\n")
    assert lines[-1] == b""
    for line in lines:
        assert len(line) <= 75
        assert b"\r" not in line
        assert b"\n" not in line
        line.decode("utf-8")


def test_the_calendar_of_an_event(new_event, client, settings):
    settings.SITE_URL = "https://foothold.example"
    event = new_event(
        "swiss", 4, started=True, rounds=2, starts_at=STARTS, venue="Hall; 12, Mill Road", time_zone="America/Toronto",
        entries_close_at=STARTS - timedelta(days=1),
    )  # fmt: skip
    Round.objects.update(starts_at=STARTS, deadline_at=STARTS + timedelta(hours=2))
    content = fetched(client, f"/events/{event.slug}/calendar.ics")
    well_formed(content)
    times = {str(event["UID"]): (str(event["SUMMARY"]), event["DTSTART"].dt) for event in events_of(content)}
    assert times == {
        f"event-{event.pk}@foothold.example": ("Harbour Cup", STARTS),
        f"event-{event.pk}-close@foothold.example": ("Entries close: Harbour Cup", STARTS - timedelta(days=1)),
        f"round-{event.pk}-1-1@foothold.example": ("Round 1: Harbour Cup", STARTS),
    }
    assert events_of(content)[0]["LOCATION"] == "Hall; 12, Mill Road"
    assert b"DTSTART:20261031T170000Z" in content
    assert content.count(b"DTEND:20261031T190000Z") == 1


def test_the_calendar_of_an_entry_has_its_matches_and_no_others(new_event, client):
    event = new_event("swiss", 8, started=True)
    hostile(event)
    Round.objects.update(deadline_at=STARTS + timedelta(days=7))
    content = fetched(client, f"/events/{event.slug}/entries/1/calendar.ics")
    well_formed(content)
    (item,) = events_of(content)
    assert item["DTSTART"].dt == STARTS + timedelta(days=7)
    assert "DTEND" not in item
    assert str(item["SUMMARY"]).startswith("Play by now: ")
    assert "Evil ATTENDEE:x" in str(item["SUMMARY"])
    assert b"\r\nATTENDEE" not in content
    (pairing,) = Pairing.objects.filter(places__entry__tournament=event, places__entry__number=1)
    assert str(item["URL"]).endswith(pairing.get_absolute_url())


def test_uids_stay_while_everything_else_changes(new_event, olga, client):
    event = new_event("swiss", 4, started=True, rounds=2, starts_at=STARTS)
    Round.objects.update(deadline_at=STARTS)
    path = f"/events/{event.slug}/entries/1/calendar.ics"
    before = events_of(fetched(client, path))
    driving.play_round(event, olga)
    Round.objects.filter(number=1).update(deadline_at=STARTS + timedelta(days=1))
    after = events_of(fetched(client, path))
    assert [str(item["UID"]) for item in before] == [str(item["UID"]) for item in after][: len(before)]
    assert int(after[0]["SEQUENCE"]) > int(before[0]["SEQUENCE"])
    assert len({str(item["UID"]) for item in after}) == len(after)


def test_a_cancelled_event_is_cancelled_in_calendars(new_event, client):
    event = new_event("swiss", 4, starts_at=STARTS)
    Tournament.objects.update(status="cancelled")
    (item,) = events_of(fetched(client, f"/events/{event.slug}/calendar.ics"))
    assert str(item["STATUS"]) == "CANCELLED"


@given(name=st.text(min_size=1, max_size=80), venue=st.text(max_size=200))
@tries(60)
def test_any_name_is_read_back_in_lines_of_75_octets(name, venue):
    event = Tournament(pk=1, slug="cup", name=name, venue=venue, starts_at=STARTS, created_at=STARTS)
    content = ics.write("Events", name, calendar._frame(event))
    well_formed(content)
    (item,) = events_of(content)
    assert str(item["SUMMARY"]) == plain(name)
    assert str(item.get("LOCATION", "")) == plain(venue)


# A person's own


def calendar_path(client, user):
    client.force_login(user)
    page = client.get("/events/mine/calendar/")
    assert page.status_code == 200
    assert page["Cache-Control"].startswith("max-age=0")
    client.logout()
    return f"/events/mine/{calendar.token(user)}/matches.ics"


def test_ones_own_calendar_is_read_without_signing_in(new_event, players, client):
    first, second = (new_event("swiss", 4, started=True, name=name) for name in ("One Cup", "Other Cup"))
    Round.objects.update(deadline_at=STARTS + timedelta(days=1))
    (ann, *_) = players(4)
    path = calendar_path(client, ann)
    events = events_of(fetched(client, path))
    assert sorted(str(each["UID"]).split("@")[0].rpartition("-")[0] for each in events) == [
        f"match-{first.pk}-1",
        f"match-{second.pk}-1",
    ]
    withdrawal.withdraw(Entry.objects.get(tournament=second, number=1).pk, ann)
    tag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert client.post(path).status_code == 405


def test_it_has_clubs_own_events_in_which_one_plays_and_nobody_elses(new_event, players, client):
    event = new_event("swiss", 4, started=True, visibility="circle", circle="club:1", starts_at=STARTS)
    ann, *_ = players(5)
    eve = players(5)[4]
    assert len(events_of(fetched(client, calendar_path(client, ann)))) == 1
    assert events_of(fetched(client, calendar_path(client, eve))) == []
    Member.objects.filter(tournament=event, user=ann).update(answer="declined")
    assert events_of(fetched(client, calendar_path(client, ann))) == []


def test_an_address_that_was_not_signed_here_is_refused(players, client):
    ann, ben = players(2)
    token = calendar.token(ann)
    for wrong in (
        token[:-1],
        token.replace(str(ann.pk), str(ben.pk), 1),
        "1-x:y",
        "x",
        f"{ben.pk}-{token.partition('-')[2]}",
    ):
        assert client.get(f"/events/mine/{wrong}/matches.ics").status_code == 403, wrong


def test_an_address_becomes_void_with_the_password_and_with_the_account(players, client):
    ann, ben = players(2)
    before = calendar_path(client, ann)
    ann.set_password("correct horse battery")
    ann.save()
    assert client.get(before).status_code == 403
    assert client.get(calendar_path(client, ann)).status_code == 200
    path = calendar_path(client, ben)
    ben.is_active = False
    ben.save()
    assert client.get(path).status_code == 403


def test_who_is_not_signed_in_is_asked_to(client):
    answer = client.get("/events/mine/calendar/")
    assert (answer.status_code, answer["Location"].startswith("/accounts/login/")) == (302, True)


# The feed


def feed(client, event):
    answer = client.get(f"/events/{event.slug}/feed.atom")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)


def test_the_feed_tells_of_rounds_and_results_the_latest_first(new_event, olga, client, settings):
    settings.SITE_URL = "https://foothold.example"
    event = new_event("swiss", 4, started=True, rounds=2)
    driving.play_round(event, olga)
    read = feed(client, event)
    entries = read.findall(f"{ATOM}entry")
    titles = [entry.findtext(f"{ATOM}title") for entry in entries]
    assert titles[0] == "Round 2 is drawn"
    assert titles[-1] == "Round 1 is drawn"
    assert sorted(titles[1:3]) == ["Player 1 4,990 – Player 3 4,970", "Player 4 4,960 – Player 2 4,980"]
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(set(ids)) == 4
    assert all(each.startswith(f"https://foothold.example/events/{event.slug}/") for each in ids)
    (own_link,) = [link.get("href") for link in read.findall(f"{ATOM}link") if link.get("rel") == "self"]
    assert own_link == f"https://foothold.example/events/{event.slug}/feed.atom"


def test_a_correction_is_news(new_event, olga, client):
    event = new_event("single_elimination", 2, started=True)
    (pairing,) = driving.open_pairings(event)
    driving.decide(pairing, olga)
    before = [each.text for each in feed(client, event).findall(f"{ATOM}entry/{ATOM}id")]
    driving.decide(pairing, olga, lambda names: [100, 200], reason="Entered the wrong way round.")
    won, corrected = feed(client, event).findall(f"{ATOM}entry")[:2]
    assert "corrected" in corrected.findtext(f"{ATOM}summary")
    assert won.findtext(f"{ATOM}title") == "Player 2 won."
    assert not {each.findtext(f"{ATOM}id") for each in (won, corrected)} & set(before)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a & b", "x\x07y", "🃏\r\nx"])
def test_names_in_the_feed_are_text_even_where_it_is_read_as_html(new_event, olga, client, name):
    event = new_event("single_elimination", 2, started=True)
    Entry.objects.filter(number=1).update(name=name)
    driving.decide(driving.open_pairings(event)[0], olga, lambda names: [200, 100])
    entry = feed(client, event).find(f"{ATOM}entry")
    assert plain(name) in entry.findtext(f"{ATOM}title")
    summary = entry.find(f"{ATOM}summary")
    assert summary.get("type") == "html"
    assert "<" not in summary.text
