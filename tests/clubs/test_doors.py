"""The five doors of “Manage club”, each with its one next thing."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.house_rules import services as house_rules
from clubs.models import Club, JoinRequest, Newsletter
from clubs.organiser import doors
from clubs.public.page_context import Visit
from clubs.services import settings
from clubs.services.leagues import leagues as league_service
from clubs.services.publications import meetings, news
from clubs.services.seasons import season_close
from engine.play.rules import Rules
from tests.clubs import leagues
from tests.makers import make_club
from tournaments.models import Pairing

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
TITLES = ["Tonight", "Members", "League", "Tell the club", "Settings"]


@pytest.fixture
def nora(club, staff):
    return staff["owner"]


def waits(club, reader, name):
    """The button of what a door waits for; empty if nothing waits."""
    door = doors.door(Visit(reader, Club.objects.get(pk=club.pk)), name)
    return door.next.action if door.next else ""


def sentence(club, reader, name):
    return doors.door(Visit(reader, Club.objects.get(pk=club.pk)), name).next.sentence


def test_an_organiser_sees_five_doors(club, staff):
    for role in ("owner", "organiser"):
        assert [door.title for door in doors.doors(Visit(staff[role], club))] == TITLES


def test_a_door_shows_the_pages_that_its_reader_can_open(club, staff, browser_of):
    archive = "/clubs/harbour/archive/"
    assert archive in browser_of(staff["owner"]).get("/clubs/harbour/settings/")
    assert archive not in browser_of(staff["organiser"]).get("/clubs/harbour/settings/")


def test_who_has_no_right_to_a_door_sees_nothing_of_it(club, staff):
    assert doors.door(Visit(staff["scorer"], club), "settings") is None


def test_every_page_behind_a_door_opens(club, nora, browser_of):
    browser = browser_of(nora)
    urls = [url for door in doors.doors(Visit(nora, club)) for url in [door.url, *(link[0] for link in door.links)]]
    assert len(urls) == len(set(urls))
    for url in urls:
        browser.get(url)


def test_a_new_club_is_led_on(nora, browser_of):
    club = make_club("Lakeside", owner=nora)
    markup = browser_of(nora).get("/clubs/lakeside/run/")
    for action in ("Add your club nights", "Import members", "Create a league", "Write news", "Describe your club"):
        assert action in markup
    settings.change(club.pk, nora, fields={"line": "Mondays", "venue": "Old Mill"})
    assert waits(club, nora, "settings") == "Write your house rules"


def test_the_next_thing_stands_on_the_page_of_its_door(club, nora, browser_of):
    Newsletter.objects.create(club=club, subject="Matchday 6", body="Played.")
    assert "A newsletter is ready: Matchday 6" in browser_of(nora).get("/clubs/harbour/run/tell/")
    for path, action in (
        ("leagues/", "Create a league"),
        ("people/", "Print the handbook"),
        ("settings/", "Describe your club"),
    ):
        assert action in browser_of(nora).get(f"/clubs/harbour/{path}")


def test_members_wait_for_answers_first(club, nora, person):
    JoinRequest.objects.create(club=club, user=person("Mia"))
    assert waits(club, nora, "members") == "Answer"


def test_a_meeting_ahead_is_the_next_evening(club, nora):
    assert waits(club, nora, "tonight") == "Add your club nights"
    meetings.add(club.pk, nora, title="Night", starts_at=timezone.now() + DAY)
    assert waits(club, nora, "tonight") == "See the meetings"


def test_a_letter_that_is_ready_comes_before_news(club, nora):
    news.write(club.pk, nora, title="Hello", body="All of you")
    assert waits(club, nora, "tell") == "Write news"
    Newsletter.objects.create(club=club, subject="Matchday 6", body="Played.")
    assert waits(club, nora, "tell") == "Read newsletter"


def test_the_doors_of_leagues_and_news_follow_a_season(club, nora, browser_of):
    with leagues.september():
        assert waits(club, nora, "league") == "Create a league"
        league = league_service.make(club.pk, nora, name="Monday League")
        assert waits(club, nora, "league") == "Create a season"
        season = leagues.make_season(club, nora, league=league)
        assert waits(club, nora, "league") == "Continue"
        season = leagues.draw(season, nora)
        assert waits(club, nora, "league") == "See the fixtures"
        assert "Monday League, Autumn 2026: nothing is due until " in sentence(club, nora, "league")
        late = Pairing.objects.filter(round__stage__tournament__division__season=season, round__number=1).first()
        Pairing.objects.filter(pk=late.pk).update(deadline_at=leagues.NOW - DAY)
        assert waits(club, nora, "league") == "Open the season"
        leagues.play_out(season, nora)
        assert waits(club, nora, "league") == "Close the season"
        assert waits(club, nora, "tell") == "Write news"
        season_close.close(season.pk, nora, now=leagues.NOW)
        assert waits(club, nora, "league") == "Prepare the next season"
        assert waits(club, nora, "tell") == "Announce the champion"
        page = browser_of(nora).get("/clubs/harbour/newsletter/write/")
        assert "checked" in page.partition(f'value="{season.pk}-0"')[2][:20]
        Newsletter.objects.create(club=club, season=season, subject="Over", body="Won.", status="sent")
        assert waits(club, nora, "tell") == "Write news"


def test_every_door_has_a_next_thing_when_nothing_waits(club, nora, browser_of):
    settings.change(club.pk, nora, fields={"line": "Mondays", "venue": "Old Mill"})
    house_rules.make(club.pk, nora, name="Ours", rules=Rules.preset("family"))
    assert waits(club, nora, "settings") == "See the public page"
    assert waits(club, nora, "members") == "Print the handbook"
    leagues.names(club, "Edith", "Ken")
    assert waits(club, nora, "members") == "Invite by email"
    assert sentence(club, nora, "members") == "2 members have no account."
    assert all(door.next for door in doors.doors(Visit(nora, Club.objects.get(pk=club.pk))))


def test_the_page_asks_running_seasons_for_what_waits_in_as_many_queries_for_more(club, nora, browser_of):
    counts = []
    with leagues.september():
        for number in (1, 2, 3):
            league = league_service.make(club.pk, nora, name=f"League {number}")
            leagues.draw(leagues.make_season(club, nora, league=league), nora)
            browser_of(nora).get("/clubs/harbour/run/")
            with CaptureQueriesContext(connection) as context:
                browser_of(nora).get("/clubs/harbour/run/")
            counts.append(len(context))
    assert counts == [counts[0]] * 3


def test_nothing_waits_in_an_archived_club(nora):
    club = make_club("Resting", owner=nora)
    Club.objects.filter(pk=club.pk).update(archived_at=timezone.now())
    club.refresh_from_db()
    assert [door.next for door in doors.doors(Visit(nora, club))] == [None] * 5
