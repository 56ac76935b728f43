"""Titles and pictures of links to events: what they say, and that nothing private is in them."""

import json
import re

import pytest

from tests.tournaments import driving
from tests.web.crawl import SITE, picture_of, tags
from tournaments import link_pages
from tournaments.models import Pairing, Tournament
from tournaments.public import link_cards

PARTS = ["", "1/", "1/R1.1/", "schedule/", "results/", "entries/", "rules/"]


@pytest.fixture(autouse=True)
def elsewhere(settings, tmp_path):
    settings.SITE_URL, settings.PICTURES_DIR = SITE, tmp_path / "pictures"


def words(drawn):
    """The texts of a picture."""
    return [word.text for word in drawn.words]


def test_standings_say_who_leads_then_who_won(new_event, olga, client):
    event = new_event("round_robin", 4, started=True)
    path = f"{event.get_absolute_url()}1/"
    assert tags(client.get(path))["title"] == f"{event.name}, Round robin"
    driving.play_round(event, olga)
    driving.play_round(event, olga)
    card = tags(client.get(path))
    assert (card["title"], card["description"]) == (
        "Harbour Cup: Player 1 leads",
        "Round 3 of 3: 0 of 2 tables finished.",
    )
    driving.play_out(event, olga)
    assert tags(client.get(path))["title"] == "Harbour Cup: Player 1 won"
    assert tags(client.get(event.get_absolute_url()))["title"] == "Harbour Cup: Player 1 won"


def test_brackets_show_the_match_that_decides_next(new_event, olga, client):
    event = new_event("single_elimination", 4, started=True)
    path = f"{event.get_absolute_url()}1/"
    driving.play_round(event, olga)
    assert tags(client.get(path))["title"] == "Harbour Cup: Player 1 against Player 2"
    event.refresh_from_db()
    assert words(link_cards.draw_event(event)).count("Player 1") == 2
    driving.play_out(event, olga)
    event.refresh_from_db()
    assert {"Player 1", "Champion"} <= set(words(link_cards.draw_event(event)))


def test_matches_say_their_result(new_event, olga, client):
    event = new_event("single_elimination", 2, started=True)
    pairing = Pairing.objects.get(round__stage__tournament=event)
    path = pairing.get_absolute_url()
    assert tags(client.get(path))["title"] == "Player 1 against Player 2"
    before = tags(client.get(path))["image"]
    driving.play_out(event, olga)
    card = tags(client.get(path))
    assert re.fullmatch(r"Player 1 [\d,]+, Player 2 [\d,]+", card["title"])
    assert card["image"] != before
    picture_of(client, client.get(path))


def test_events_to_come_say_when_and_where(new_event):
    event = new_event("swiss", 2, venue="Lakeside Hall", starts_at="2026-07-05T02:00:00Z", time_zone="America/Toronto")
    event.refresh_from_db()
    assert words(link_cards.draw_event(event))[2:5] == ["Sat 4 July 2026, 22:00", "Lakeside Hall", "2 players"]
    event.status = Tournament.Status.CANCELLED
    assert "Cancelled" in words(link_cards.draw_event(event))


def test_search_engines_get_the_facts(new_event, client):
    event = new_event("swiss", 2, name="</script> Cup", venue="Lakeside Hall", starts_at="2026-07-05T10:00:00Z")
    markup = client.get(event.get_absolute_url()).content.decode()
    schema = json.loads(re.search(r'<script type="application/ld\+json">(.*?)</script>', markup)[1])
    assert (schema["@type"], schema["name"], schema["location"]["name"]) == (
        "SportsEvent",
        "</script> Cup",
        "Lakeside Hall",
    )
    assert schema["startDate"].startswith("2026-07-05T1")


@pytest.mark.parametrize("hidden", [{"visibility": "link"}, {"visibility": "circle"}, {"status": "draft"}])
def test_nothing_private_is_in_a_picture(new_event, client, olga, hidden):
    event = new_event("round_robin", 4, started=True)
    version = link_cards._version(event)
    pairing = Pairing.objects.filter(round__stage__tournament=event).first()
    keys = [f"event/{event.slug}", f"stage/{event.slug}/1", f"match/{event.slug}/{pairing.pk}"]
    assert [client.get(f"/pictures/{key}/{version}.en.png").status_code for key in keys] == [200] * 3
    Tournament.objects.filter(pk=event.pk).update(**hidden)
    assert [client.get(f"/pictures/{key}/{version}.en.png").status_code for key in keys] == [404] * 3
    assert event.slug not in client.get("/sitemap.xml").content.decode()
    assert client.get("/oembed", {"url": f"{SITE}{event.get_absolute_url()}1/"}).status_code == 404
    client.force_login(olga)
    for part in PARTS:
        page = client.get(event.get_absolute_url() + part)
        assert page.status_code == 200
        assert "/pictures/site/" in tags(page)["image"], part
        assert "application/ld+json" not in page.content.decode()
    event.refresh_from_db()
    assert link_cards.draw_ahead(event) == []


@pytest.mark.parametrize(
    "key", ["event/none", "stage/none/1", "stage/none", "match/none/x", "match/none/99", "event/a/b"]
)
def test_there_is_no_picture_of_what_is_not_there(client, db, key):
    assert client.get(f"/pictures/{key}/v.en.png").status_code == 404


def test_a_result_has_its_pictures_drawn_ahead(new_event, olga, settings, client, monkeypatch):
    event = new_event("round_robin", 4, started=True)
    link_pages.draw_ahead(event.pk)
    stored = set(settings.PICTURES_DIR.iterdir())
    assert len(stored) == 4  # the event and its stage, in two languages
    driving.play_round(event, olga)
    link_pages.draw_ahead(event.pk)
    assert len(set(settings.PICTURES_DIR.iterdir())) == 4
    monkeypatch.setattr(link_cards, "draw_event", lambda event: pytest.fail("It was drawn ahead."))
    picture_of(client, client.get(event.get_absolute_url()))


def test_advancing_an_event_queues_its_pictures(new_event, monkeypatch):
    from tournaments import tasks

    queued = []
    monkeypatch.setattr(tasks.draw_pictures, "delay", queued.append)
    event = new_event("round_robin", 4, started=True)
    tasks.advance(event.pk)
    assert queued == [event.pk]
