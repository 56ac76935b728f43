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
from tournaments.exports.lettering import plain
from tournaments.models import Entry, Member, Pairing, Round, Tournament
from tournaments.services.entries import withdrawal

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
    for row, name in zip(Entry.objects.filter(tournament=event), HOSTILE, strict=False):
        row.name = name
        row.save()


def well_formed(content):
    """Lines end in CR LF, none is longer than 75 octets, and none breaks a letter in two."""
    lines = content.split(b"\r\n")
    assert lines[-1] == b""
    for line in lines:
        assert len(line) <= 75
        assert b"\r" not in line
        assert b"\n" not in line
        line.decode("utf-8")


def test_the_calendar_of_an_event(event, client, settings):
    settings.SITE_URL = "https://foothold.example"
    made = event(
        "swiss", 4, started=True, rounds=2, starts_at=STARTS, venue="Hall; 12, Mill Road", time_zone="America/Toronto",
        entries_close_at=STARTS - timedelta(days=1),
    )  # fmt: skip
    Round.objects.update(starts_at=STARTS, deadline_at=STARTS + timedelta(hours=2))
    content = fetched(client, f"/events/{made.slug}/calendar.ics")
    well_formed(content)
    told = {str(one["UID"]): (str(one["SUMMARY"]), one["DTSTART"].dt) for one in events_of(content)}
    assert told == {
        f"event-{made.pk}@foothold.example": ("Harbour Cup", STARTS),
        f"event-{made.pk}-close@foothold.example": ("Entries close: Harbour Cup", STARTS - timedelta(days=1)),
        f"round-{made.pk}-1-1@foothold.example": ("Round 1: Harbour Cup", STARTS),
    }
    assert events_of(content)[0]["LOCATION"] == "Hall; 12, Mill Road"
    assert b"DTSTART:20261031T170000Z" in content
    assert content.count(b"DTEND:20261031T190000Z") == 1


def test_the_calendar_of_an_entry_has_its_matches_and_no_others(event, client):
    made = event("swiss", 8, started=True)
    hostile(made)
    Round.objects.update(deadline_at=STARTS + timedelta(days=7))
    content = fetched(client, f"/events/{made.slug}/entries/1/calendar.ics")
    well_formed(content)
    (one,) = events_of(content)
    assert one["DTSTART"].dt == STARTS + timedelta(days=7)
    assert "DTEND" not in one
    assert str(one["SUMMARY"]).startswith("Play by now: ")
    assert "Evil ATTENDEE:x" in str(one["SUMMARY"])
    assert b"\r\nATTENDEE" not in content
    (pairing,) = Pairing.objects.filter(places__entry__tournament=made, places__entry__number=1)
    assert str(one["URL"]).endswith(pairing.get_absolute_url())


def test_uids_stay_while_everything_else_changes(event, olga, client):
    made = event("swiss", 4, started=True, rounds=2, starts_at=STARTS)
    Round.objects.update(deadline_at=STARTS)
    path = f"/events/{made.slug}/entries/1/calendar.ics"
    before = events_of(fetched(client, path))
    driving.play_round(made, olga)
    Round.objects.filter(number=1).update(deadline_at=STARTS + timedelta(days=1))
    after = events_of(fetched(client, path))
    assert [str(one["UID"]) for one in before] == [str(one["UID"]) for one in after][: len(before)]
    assert int(after[0]["SEQUENCE"]) > int(before[0]["SEQUENCE"])
    assert len({str(one["UID"]) for one in after}) == len(after)


def test_a_cancelled_event_is_cancelled_in_calendars(event, client):
    made = event("swiss", 4, starts_at=STARTS)
    Tournament.objects.update(status="cancelled")
    (one,) = events_of(fetched(client, f"/events/{made.slug}/calendar.ics"))
    assert str(one["STATUS"]) == "CANCELLED"


@given(name=st.text(min_size=1, max_size=80), venue=st.text(max_size=200))
@tries(60)
def test_any_name_is_read_back_in_lines_of_75_octets(name, venue):
    made = Tournament(pk=1, slug="cup", name=name, venue=venue, starts_at=STARTS, created_at=STARTS)
    content = ics.write("Events", name, calendar._frame(made))
    well_formed(content)
    (one,) = events_of(content)
    assert str(one["SUMMARY"]) == plain(name)
    assert str(one.get("LOCATION", "")) == plain(venue)


# A person's own


def own(client, user):
    client.force_login(user)
    page = client.get("/events/mine/calendar/")
    assert page.status_code == 200
    assert page["Cache-Control"].startswith("max-age=0")
    client.logout()
    return f"/events/mine/{calendar.token(user)}/matches.ics"


def test_ones_own_calendar_is_read_without_signing_in(event, players, client):
    one, other = event("swiss", 4, started=True, name="One Cup"), event("swiss", 4, started=True, name="Other Cup")
    Round.objects.update(deadline_at=STARTS + timedelta(days=1))
    (ann, *_) = players(4)
    path = own(client, ann)
    found = events_of(fetched(client, path))
    assert sorted(str(each["UID"]).split("@")[0].rpartition("-")[0] for each in found) == [
        f"match-{one.pk}-1",
        f"match-{other.pk}-1",
    ]
    withdrawal.withdraw(Entry.objects.get(tournament=other, number=1).pk, ann)
    tag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert client.post(path).status_code == 405


def test_it_has_clubs_own_events_in_which_one_plays_and_nobody_elses(event, players, client):
    made = event("swiss", 4, started=True, visibility="circle", circle="club:1", starts_at=STARTS)
    ann, *_ = players(5)
    eve = players(5)[4]
    assert len(events_of(fetched(client, own(client, ann)))) == 1
    assert events_of(fetched(client, own(client, eve))) == []
    Member.objects.filter(tournament=made, user=ann).update(answer="declined")
    assert events_of(fetched(client, own(client, ann))) == []


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
    before = own(client, ann)
    ann.set_password("correct horse battery")
    ann.save()
    assert client.get(before).status_code == 403
    assert client.get(own(client, ann)).status_code == 200
    path = own(client, ben)
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


def test_the_feed_tells_of_rounds_and_results_the_latest_first(event, olga, client, settings):
    settings.SITE_URL = "https://foothold.example"
    made = event("swiss", 4, started=True, rounds=2)
    driving.play_round(made, olga)
    read = feed(client, made)
    entries = read.findall(f"{ATOM}entry")
    titles = [one.findtext(f"{ATOM}title") for one in entries]
    assert titles[0] == "Round 2 is drawn"
    assert titles[-1] == "Round 1 is drawn"
    assert sorted(titles[1:3]) == ["Player 1 4,990 – Player 3 4,970", "Player 4 4,960 – Player 2 4,980"]
    ids = [one.findtext(f"{ATOM}id") for one in entries]
    assert len(set(ids)) == 4
    assert all(each.startswith(f"https://foothold.example/events/{made.slug}/") for each in ids)
    (own_link,) = [one.get("href") for one in read.findall(f"{ATOM}link") if one.get("rel") == "self"]
    assert own_link == f"https://foothold.example/events/{made.slug}/feed.atom"


def test_a_correction_is_news(event, olga, client):
    made = event("single_elimination", 2, started=True)
    (pairing,) = driving.open_pairings(made)
    driving.decide(pairing, olga)
    before = feed(client, made).find(f"{ATOM}entry/{ATOM}id").text
    driving.decide(pairing, olga, lambda names: [100, 200], reason="Entered the wrong way round.")
    entry = feed(client, made).find(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}id") != before
    assert "corrected" in entry.findtext(f"{ATOM}summary")


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a & b", "x\x07y", "🃏\r\nx"])
def test_names_in_the_feed_are_text_even_where_it_is_read_as_html(event, olga, client, name):
    made = event("single_elimination", 2, started=True)
    Entry.objects.filter(number=1).update(name=name)
    driving.decide(driving.open_pairings(made)[0], olga, lambda names: [200, 100])
    entry = feed(client, made).find(f"{ATOM}entry")
    assert plain(name) in entry.findtext(f"{ATOM}title")
    summary = entry.find(f"{ATOM}summary")
    assert summary.get("type") == "html"
    assert "<" not in summary.text
