"""The pages of a club’s events lead to their season, league or club."""

import pytest
from django.urls import reverse

from clubs.house_rules import services as house_rules
from clubs.public.event_parents import home_of
from clubs.services.seasons import cups
from engine.play.rules import Rules
from tests.clubs import leagues as makers
from tests.makers import make_event
from tournaments import event_parents


def crumb(client, path):
    """Address and text of the first link of a page."""
    markup = client.get(path).content.decode()
    line = markup.split('<p class="crumb', 1)[1].split("</a>", 1)[0]
    return line.split('href="', 1)[1].split('"', 1)[0], line.split("<bdi>")[-1].split("</bdi>")[0]


@pytest.fixture(scope="module")
def drawn(harbour):
    """A running season of two divisions."""
    with makers.september():
        return makers.draw(makers.make_season(harbour.club, harbour.owner, (4, 4)), harbour.owner)


def test_a_division_leads_to_its_table(client, season):
    top, low = season.divisions.order_by("level")
    assert crumb(client, top.tournament.get_absolute_url()) == (season.get_absolute_url(), "Monday League, Autumn 2026")
    assert crumb(client, low.tournament.get_absolute_url())[0] == f"{season.get_absolute_url()}2/"


def test_its_matches_and_its_organisers_pages_lead_there_too(client, owner, season):
    top = season.divisions.get(level=1)
    match = makers.match(season, "Pair 1", "Pair 2")
    assert crumb(client, match.get_absolute_url())[0] == season.get_absolute_url()
    client.force_login(owner)
    assert crumb(client, reverse("tournaments:organise", args=[top.tournament.slug]))[0] == season.get_absolute_url()


def test_a_cup_leads_to_its_season(season, owner):
    teams = list(season.entries.values_list("team_id", flat=True)[:4])
    cups.make_cup(season.pk, owner, name="Harbour Cup", team_ids=teams)
    cup = season.events.get().tournament
    assert home_of(cup)[:2] == ("Monday League, Autumn 2026", season.get_absolute_url())


def test_an_event_of_a_club_leads_to_the_club(client, club, owner):
    event = make_event(owner, circle=club.circle, status="open")
    assert crumb(client, event.get_absolute_url()) == (club.get_absolute_url(), club.name)


def test_an_event_of_nobodys_asks_nothing(owner, django_assert_num_queries):
    event = make_event(owner)
    with django_assert_num_queries(0):
        assert event_parents.home_of(event) is None


def test_a_new_season_is_played_by_the_only_house_rules_of_the_club(client, club, owner):
    league = makers.make_season(club, owner, (2,)).league
    league.seasons.all().delete()
    client.force_login(owner)
    form = reverse("clubs:new_season", args=[club.slug, league.slug])

    def chosen():
        return client.get(form).context["typed"].values["rules"]

    assert chosen() == "standard"
    house_rules.make(club.pk, owner, name="Harbour rules", rules=Rules.make("bain"))
    assert chosen() == f"version:{club.house_rules.get().versions.get().pk}"
    house_rules.make(club.pk, owner, name="Winter rules", rules=Rules.make("family"))
    assert chosen() == "standard"
