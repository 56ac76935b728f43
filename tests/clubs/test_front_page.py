"""The front page of the site: to visitors a real league and the clubs of the week, to members their own day."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from clubs.coming import asking
from clubs.models import Club, Division, Membership
from clubs.public.league_link_cards import season_picture
from clubs.services.publications import meetings
from tests.clubs import leagues
from tests.clubs.pages import Reader
from tests.makers import make_club
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour(person):
    cache.clear()
    return make_club("Harbour Hand and Foot", slug="harbour", owner=person("Nora"), venue="Harbour Hall")


@pytest.fixture
def nora(harbour):
    return Membership.objects.get(club=harbour, role="owner").user


@pytest.fixture
def season(harbour, nora):
    """A season under way with a result."""
    season = leagues.make_season(harbour, nora, [4])
    leagues.draw(season, nora)
    leagues.decide(leagues.match(season, "Pair 1", "Pair 2"), nora, {"Pair 1": 4000, "Pair 2": 3000})
    return season


def meet(club, by, **after):
    return meetings.add(club.pk, by, title="Club night", starts_at=timezone.now() + timedelta(**after))


def test_a_site_without_a_league_shows_an_example_and_says_so(client, harbour):
    page = client.get("/").content.decode()
    assert "An example" in page
    assert "No public meetings this week." in page


def test_visitors_see_a_real_league_its_picture_and_the_way_to_bring_their_own(client, season):
    page = client.get("/").content.decode()
    assert "An example" not in page
    assert f'<a href="{season.get_absolute_url()}"><bdi>{season.league}</bdi></a>' in page
    assert "<bdi>Pair 1</bdi>" in page
    assert f'<img src="{season_picture(Division.objects.get())}" alt="" width="1200" height="630"' in page
    assert 'href="/clubs/new/?then=import"' in page


@pytest.mark.parametrize(
    "hide",
    [
        lambda club: Club.objects.update(is_listed=False),
        lambda club: Club.objects.update(archived_at=timezone.now()),
        lambda club: Tournament.objects.update(visibility="link"),
    ],
)
def test_what_strangers_do_not_find_is_not_on_the_front_page(client, season, nora, hide):
    meet(season.league.club, nora, days=1)
    assert "Pair 1" in client.get("/").content.decode()  # and is chosen for the next ten minutes
    hide(season.league.club)
    page = client.get("/").content.decode()
    assert "Pair 1" not in page
    if Club.objects.get().is_listed is False or Club.objects.get().archived_at:
        assert "Club night" not in page


def test_clubs_of_the_week_come_by_time_each_once_by_their_own_clock(client, harbour, nora):
    Club.objects.update(time_zone="Asia/Tokyo")
    for days in (9, 3, 2):
        meet(harbour, nora, days=days)
    soon = timezone.now() + timedelta(days=2)
    page = client.get("/").content.decode()
    assert page.count("Club night") == 1
    assert soon.astimezone(Club.objects.get().zone).strftime("%H:%M") in page


def test_the_front_page_asks_little_and_as_much_for_many_clubs_as_for_one(
    client, season, nora, django_assert_num_queries, django_assert_max_num_queries
):
    meet(season.league.club, nora, days=1)
    client.get("/")
    with django_assert_max_num_queries(6) as for_one:
        client.get("/")
    for number in range(3):
        meet(make_club(f"Club {number}", owner=nora), nora, days=2)
    with django_assert_num_queries(len(for_one)):
        client.get("/")


def test_members_see_their_own_day(client, season, nora):
    club = season.league.club
    meet(club, nora, days=1)
    client.force_login(nora)
    page = client.get("/").content.decode()
    assert "Your day" in page
    assert "Next meetings" in page
    assert "Club night" in page
    assert "4,000" in page
    assert "Import your spreadsheet" not in page


def test_a_member_who_is_asked_can_answer_from_the_front_page(client, harbour, nora, person):
    meet(harbour, nora, days=1)
    client.force_login(nora)
    assert "Are you coming?" not in client.get("/").content.decode()
    asking.ask(harbour.meetings.get().pk, nora)
    page = client.get("/").content.decode()
    assert "Are you coming?" in page
    client.force_login(person("Eve"))
    page = client.get("/").content.decode()
    assert "Club night" not in page
    assert "You are in no club yet" in page


def test_a_person_without_a_club_comes_from_the_front_page_to_the_import(client, harbour, person):
    visited = client.get("/clubs/new/?then=import")
    assert visited["Location"].endswith("next=/clubs/new/%3Fthen%3Dimport")
    answer = Reader(person("Eve")).press("/clubs/new/?then=import", "start", name="Lakeside", slug="lake")
    assert answer["Location"] == "/clubs/lake/import/members/"
