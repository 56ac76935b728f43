"""The five doors of “Manage club”, each with its one next thing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.models import Club, JoinRequest, Newsletter
from clubs.organiser import doors
from clubs.public.page_context import Visit
from clubs.services import settings
from clubs.services.leagues import leagues as league_service
from clubs.services.publications import meetings, news
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
    for path, action in (("leagues/", "Create a league"), ("people/", ""), ("settings/", "Describe your club")):
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
    assert waits(club, nora, "tell") == ""
    Newsletter.objects.create(club=club, subject="Matchday 6", body="Played.")
    assert waits(club, nora, "tell") == "Read newsletter"


def test_the_door_of_leagues_follows_a_season(club, nora):
    with leagues.september():
        assert waits(club, nora, "league") == "Create a league"
        league = league_service.make(club.pk, nora, name="Monday League")
        assert waits(club, nora, "league") == "Open the league"
        season = leagues.make_season(club, nora, league=league)
        assert waits(club, nora, "league") == "Continue"
        season = leagues.draw(season, nora)
        assert waits(club, nora, "league") == ""
        late = Pairing.objects.filter(round__stage__tournament__division__season=season, round__number=1).first()
        Pairing.objects.filter(pk=late.pk).update(deadline_at=leagues.NOW - DAY)
        assert waits(club, nora, "league") == "Open the season"
        leagues.play_out(season, nora)
        assert waits(club, nora, "league") == "Close the season"


def test_nothing_waits_in_an_archived_club(nora):
    club = make_club("Resting", owner=nora)
    Club.objects.filter(pk=club.pk).update(archived_at=timezone.now())
    club.refresh_from_db()
    assert [door.next for door in doors.doors(Visit(nora, club))] == [None] * 5
