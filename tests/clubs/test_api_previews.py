"""Previews by program: the desk of a season, its draw, its close, the next season; and the lists of a club’s page."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.budgets import REQUESTS
from clubs.models import Club, Meeting, Membership, Proposal, Season
from clubs.services.leagues import leagues, proposals
from clubs.services.seasons import season_close
from tests.clubs import leagues as makers
from tests.makers import make_club
from tournaments.services.events import lifecycle

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

CLUB = "clubs/harbour/"
LEAGUE = f"{CLUB}leagues/monday-league/"
SEASON = f"{LEAGUE}seasons/autumn-2026/"


@pytest.fixture
def organiser(staff, program):
    return program(staff["organiser"])


@pytest.fixture
def draft(club, staff):
    return makers.make_season(club, staff["owner"], (4, 4))


@pytest.fixture(scope="module")
def drawn(harbour):
    with makers.september():
        return makers.draw(makers.make_season(harbour.club, harbour.owner, (4, 4)), harbour.owner)


def test_a_draw_is_seen_before_it_is_made(organiser, draft):
    preview = organiser.get(f"{SEASON}draw-outlook/")
    assert (preview["can_do"], preview["wrong"]) == (True, [])
    first = preview["divisions"][0]
    assert (first["division"], sorted(first["teams"]), len(first["matchdays"])) == ("Division 1", [1, 2, 3, 4], 3)
    met = {frozenset((match["home"], match["away"])) for day in first["matchdays"] for match in day["matches"]}
    assert len(met) == 6
    assert first["matchdays"][0]["first_day"] == makers.FIRST_DAY.isoformat()
    organiser.post(f"{SEASON}draw/")
    organiser.get(f"{SEASON}draw-outlook/", 422)
    days = organiser.get(f"{SEASON}fixtures/")["matchdays"]
    drawn = {frozenset((match["home"]["team"], match["away"]["team"])) for day in days for match in day["matches"]}
    assert met <= drawn


def test_the_desk_says_what_waits(organiser, program, season, staff):
    match = makers.match(season, "Pair 1", "Pair 2")
    team = makers.team(season, "Pair 1")
    when = (match.round.starts_at or makers.NOW) + timedelta(days=1)
    proposals.propose(match.pk, staff["owner"], team_id=team.pk, starts_at=when)
    desk = organiser.get(f"{SEASON}desk/")
    assert [division["left"] for division in desk["divisions"]] == [6, 6]
    assert [item["id"] for item in desk["proposed"]] == [match.pk]
    assert (desk["overdue"], desk["matchdays"]) == ([], [1, 2, 3])
    with time_machine.travel(makers.NOW + timedelta(days=90), tick=False):
        assert len(organiser.get(f"{SEASON}desk/")["overdue"]) == 12
    assert program(staff["scorer"]).get(f"{SEASON}desk/")["divisions"]
    assert program(staff["member"]).get(f"{SEASON}desk/", 403)["code"] == "not_your_part"
    offers = program().get(f"{LEAGUE}matches/{match.pk}/proposals/")["proposals"]
    assert [(proposal["team"], proposal["status"]) for proposal in offers] == [(1, "open")]
    organiser.post(f"{LEAGUE}matches/{match.pk}/proposals/{offers[0]['id']}/withdraw/")
    assert Proposal.objects.get().status == "withdrawn"
    assert program().get(f"{LEAGUE}matches/{match.pk}/proposals/")["proposals"][0]["status"] == "withdrawn"


def test_the_close_and_the_next_season_are_seen_before_they_are_made(organiser, season, staff):
    waits = organiser.get(f"{SEASON}close-outlook/")
    assert not waits["can_do"]
    makers.play_out(season, staff["owner"])
    preview = organiser.get(f"{SEASON}close-outlook/")
    assert preview["can_do"]
    rows = preview["divisions"][0]["rows"]
    assert [(row["team"], row["place"]) for row in rows] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert rows[0]["note"] == "champion"
    borders = organiser.get(f"{SEASON}playoff-borders/")["borders"]
    assert [border["border"] for border in borders] == [0, 1]
    assert [candidate["team"] for candidate in borders[0]["candidates"]] == [1, 2, 3, 4]
    seeds = organiser.post(f"{SEASON}cup-seeds/", teams=[3, 5, 1], seeding="table")["seeds"]
    assert [(entry["seed"], entry["team"]) for entry in seeds] == [(1, 1), (2, 3), (3, 5)]
    assert organiser.post(f"{SEASON}cup-seeds/", 422, teams=[3, 1], seeding="last")["field"] == "seeding"
    assert organiser.post(f"{SEASON}cup-seeds/", 422, teams=[3, 99])["code"] == "no_such_team"
    early = organiser.post(f"{SEASON}next-outlook/")
    assert (early["can_do"], early["divisions"]) == (False, [])
    season_close.close(season.pk, staff["owner"])
    usual = organiser.post(f"{SEASON}next-outlook/")
    assert usual["can_do"]
    steps = {team["team"]: team["step"] for division in usual["divisions"] for team in division["teams"]}
    assert (steps[4], steps[5], steps[1]) == ("down", "up", "stays")
    without = organiser.post(f"{SEASON}next-outlook/", leaving=[1])
    assert [(team["team"], team["step"]) for team in without["leaving"]] == [(1, "leaves")]
    assert organiser.post(f"{SEASON}next-outlook/", 422, leaving=[99])["code"] == "no_such_team"
    assert Season.objects.count() == 1


def test_a_captain_finds_people_to_add(program, season, club, in_club):
    ann = makers.sign_in(club, in_club, "Ann 1", "Ann")
    spare = Membership.objects.create(club=club, name="Spare")
    people = program(ann).get(f"{LEAGUE}teams/1/could-join/")["people"]
    assert {"membership": spare.pk, "name": "Spare"} in people
    assert "Ben 1" not in {person["name"] for person in people}
    assert program(ann).get(f"{LEAGUE}teams/2/could-join/", 403)["code"] == "not_yours"
    program().get(f"{LEAGUE}teams/1/could-join/", 401)


def test_own_matches_and_the_latest_results(program, season, club, in_club, staff):
    ann = program(makers.sign_in(club, in_club, "Ann 1", "Ann"))
    own_matches = ann.get(f"{CLUB}own-matches/")["matches"]
    assert all(1 in (match["home"]["team"], match["away"]["team"]) for match in own_matches)
    assert len(own_matches) == 3
    assert program(staff["member"]).get(f"{CLUB}own-matches/")["matches"] == []
    assert program().get(f"{CLUB}results/")["matches"] == []
    first = makers.match(season, "Pair 1", "Pair 2")
    makers.decide(first, staff["owner"], {"Pair 1": 3000, "Pair 2": 2000})
    with time_machine.travel(makers.NOW + timedelta(days=1), tick=False):
        second = makers.match(season, "Pair 3", "Pair 4")
        makers.decide(second, staff["owner"], {"Pair 3": 3000, "Pair 4": 2000})
        matches = program().get(f"{CLUB}results/")["matches"]
        assert [match["id"] for match in matches] == [second.pk, first.pk]
        assert matches[0]["home"]["score"] in (3000, 2000)
        assert [match["id"] for match in program().get(f"{CLUB}results/", limit=1)["matches"]] == [second.pk]


def test_lists_take_as_many_queries_whatever_is_in_them(program, season, staff):
    def queries(client, path):
        with CaptureQueriesContext(connection) as captured:
            client.get(path)
        return len(captured)

    organiser, nobody = program(staff["organiser"]), program()
    organiser.get("me/")  # which notes when the token was used
    paths = [(nobody, f"{CLUB}results/"), (organiser, f"{SEASON}desk/"), (nobody, f"{LEAGUE}teams/")]
    makers.decide(makers.match(season, "Pair 1", "Pair 2"), staff["owner"], {"Pair 1": 3000, "Pair 2": 2000})
    first = [queries(*path) for path in paths]
    for winner, loser in (("Pair 3", "Pair 4"), ("Pair 1", "Pair 3")):
        makers.decide(makers.match(season, winner, loser), staff["owner"], {winner: 3000, loser: 2000})
    assert [queries(*path) for path in paths] == first


def test_doors_that_take_more_are_limited_like_the_others(program, staff, club, limited):
    limited(REQUESTS, person=2)
    owner = program(staff["owner"])
    for _ in range(2):
        owner.post(f"{CLUB}look-at-seasons/", 400)
    for path in (f"{CLUB}look-at-seasons/", f"{CLUB}bring-in/", f"{CLUB}take-away/", "club-files/bring-in/"):
        assert owner.post(path, 429)["code"] == "too_much", path


def test_leagues_of_other_clubs_are_told(program, person, club, season):
    otto = person("Otto")
    other = make_club("Other", owner=otto)
    league = leagues.make(other.pk, otto, name="Coast League")
    invitation = leagues.invite_club(league.pk, otto, club="harbour")
    assert program().get(f"{CLUB}leagues/")["elsewhere"] == []
    owner = Membership.objects.get(club=club, role="owner").user
    leagues.answer_club(invitation.pk, owner, agrees=True)
    (other_league,) = program().get(f"{CLUB}leagues/")["elsewhere"]
    assert (other_league["slug"], other_league["club"]) == ("coast-league", "other")


def test_events_dates_and_the_list_as_the_pages_have_them(program, club, staff):
    values = {"circle": club.circle, "visibility": "circle"}
    event = lifecycle.make_event(staff["owner"], name="Club night", starter="championship", settings=values)
    member, nobody = program(staff["member"]), program()
    assert member.get(f"{CLUB}events/")["events"] == []
    lifecycle.publish(event.pk, staff["owner"])
    assert [item["slug"] for item in member.get(f"{CLUB}events/")["events"]] == [event.slug]
    assert nobody.get(f"{CLUB}events/")["events"] == []
    for days in (-20, -3, 4):
        Meeting.objects.create(club=club, title=f"Day {days}", starts_at=makers.NOW + timedelta(days=days))
    assert [meeting["title"] for meeting in nobody.get(f"{CLUB}dates/")["dates"]] == ["Day 4"]
    assert [meeting["title"] for meeting in nobody.get(f"{CLUB}dates/", which="past")["dates"]] == ["Day -3", "Day -20"]
    Club.objects.filter(pk=club.pk).update(venue="The old boat shed")
    assert [item["slug"] for item in nobody.get("clubs/", words="boat")["clubs"]] == ["harbour"]
    assert nobody.get("clubs/", words="mountain")["clubs"] == []
    assert nobody.get(CLUB)["members"] == 4


def test_the_history_is_found_by_who_did_it(program, club, staff):
    for role in ("owner", "organiser"):
        program(staff[role]).post(f"{CLUB}write-news/", title=role, body="x")
    acts = program(staff["owner"]).get(f"{CLUB}history/", by="organ")["acts"]
    assert [act["by"] for act in acts] == ["Organiser"]


def test_the_history_says_what_was_before_and_after(program, club, staff):
    owner = program(staff["owner"])
    member = Membership.objects.create(club=club, name="Zoe", email="zoe@example.org")
    owner.post(f"{CLUB}people/{member.pk}/edit/", name="Zoe Day", email="day@example.org")
    (act,) = owner.get(f"{CLUB}history/", limit=1)["acts"]
    assert {"what": "Zoe Day: name", "was": "as before", "became": "changed"} in act["changes"]
    assert "example.org" not in str(act["changes"])
    assert act["more_changes"] == 0
