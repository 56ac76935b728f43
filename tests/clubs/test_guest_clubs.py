"""A club that plays in a league of another club: the content of its own page, and that a result shows at once."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs.models import Membership, Season
from clubs.services import settings
from clubs.services.leagues import leagues
from clubs.services.members import membership
from clubs.services.seasons import season_setup
from tests.clubs import leagues as makers

pytestmark = pytest.mark.django_db

SEASON = "/clubs/harbour/leagues/coast-league/2026/"


@pytest.fixture
def quinn(quay, in_club):
    return in_club(quay, "Quinn", "owner")


@pytest.fixture
def season(club, staff, quay, quinn):
    """A running season of Harbour's league: Pairs 1 and 2 of Harbour, Pairs 3 and 4 of Quay."""
    owner = staff["owner"]
    league = leagues.make(club.pk, owner, name="Coast League")
    leagues.answer_club(leagues.invite_club(league.pk, owner, club="quay").pk, quinn, agrees=True)
    teams = [makers.pair(league, owner, number) for number in (1, 2)]
    teams += [makers.pair(league, quinn, number, club=quay) for number in (3, 4)]
    season = season_setup.make(league.pk, owner, name="2026", starts_on=makers.FIRST_DAY, divisions=[("First", 4)])
    season_setup.place(season.pk, owner, divisions={season.divisions.get().pk: [team.pk for team in teams]})
    return makers.draw(Season.objects.get(pk=season.pk), owner)


def page(path):
    answer = Client().get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_of_a_guest_club_shows_the_league_and_its_own_results_at_once(season, staff):
    assert f'href="{SEASON}"' in page("/clubs/quay/")
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), staff["owner"], {"Pair 1": 3000, "Pair 2": 2000})
    assert "Latest results" not in page("/clubs/quay/")
    match = makers.match(season, "Pair 1", "Pair 3")
    makers.decide(match, staff["owner"], {"Pair 1": 3120, "Pair 3": 2000})
    markup = page("/clubs/quay/")
    assert "3,120" in markup
    makers.decide(match, staff["owner"], {"Pair 1": 3130, "Pair 3": 2000}, reason="Typo")
    assert "3,130" in page("/clubs/quay/")
    assert "3,000" not in page("/clubs/quay/")


def test_a_season_that_the_other_club_closes_goes_from_the_page_at_once(season, staff):
    from clubs.services.seasons import season_close

    assert f'href="{SEASON}"' in page("/clubs/quay/")
    makers.play_out(season, staff["owner"])
    season_close.close(season.pk, staff["owner"])
    assert f'href="{SEASON}"' not in page("/clubs/quay/")


def test_the_other_club_sees_new_names_and_venues_of_its_guests_at_once(season, quay, quinn):
    team = f"{season.league.get_absolute_url()}teams/3/"
    assert "Ann 3" in page(team)
    membership.edit(Membership.objects.get(name="Ann 3").pk, quinn, name="Ann Thrice")
    assert "Ann Thrice" in page(team)
    assert "The long pier" not in page(f"{SEASON}1/fixtures/")
    settings.change(quay.pk, quinn, fields={"venue": "The long pier"})
    assert "The long pier" in page(f"{SEASON}1/fixtures/")
    assert "The long pier" in page(f"{season.league.get_absolute_url()}calendar.ics")


def test_from_the_cache_the_page_takes_two_queries(season):
    cache.clear()
    page("/clubs/quay/")
    with CaptureQueriesContext(connection) as queries:
        page("/clubs/quay/")
    assert len(queries) == 2
