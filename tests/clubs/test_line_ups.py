"""Line-ups of league matches: named by a captain, with or without an account, and shown when both sides have theirs."""

from datetime import UTC, datetime, time, timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.coming import asking, league_page, links, occasions, replies
from clubs.coming.line_ups import form_of
from clubs.league import fixtures
from clubs.models import Act, Membership, Question, TeamMember
from clubs.services import person_names
from clubs.services.leagues import matchday_edits, teams
from clubs.services.members import membership as members
from tests.clubs import leagues as makers
from tournaments.services.entries import substitutes
from web.errors import Refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

MATCH = datetime(2026, 9, 7, 18, tzinfo=UTC)
"""20:00 by the club’s clock."""


@pytest.fixture(scope="module")
def drawn(harbour):
    with makers.september():
        return makers.draw(makers.make_season(harbour.club, harbour.owner, (4,), plays_at=time(20)), harbour.owner)


@pytest.fixture
def match(season):
    return makers.match(season, "Pair 1", "Pair 4")


def member(name):
    return Membership.objects.get(name=name)


@pytest.fixture
def link(season, match, club):
    """The address by which Ann 1, without an account, names the line-up."""
    team = makers.team(season, "Pair 1")
    question = Question.objects.create(club=club, team=team, pairing=match)
    token = links.own_token(occasions.questions().get(pk=question.pk), member("Ann 1").pk)
    return reverse("clubs:coming_line_up", args=[token])


def name(match, season, by, pair, *names):
    team = makers.team(season, pair)
    ids = [member(each).pk for each in names]
    return matchday_edits.set_line_up(match.pk, by, team_id=team.pk, membership_ids=ids)


def page(match):
    """The page of the match in its league, for a stranger."""
    return Client().get(f"/clubs/harbour/leagues/monday-league/match/{match.pk}/").content.decode()


def both_pages(match):
    return page(match), Client().get(match.get_absolute_url()).content.decode()


def test_a_line_up_is_shown_once_both_sides_have_named_theirs(season, match, owner):
    name(match, season, owner, "Pair 1", "Ben 1", "Ann 1")
    assert not any("Line-ups" in each or "Ben 1" in each for each in both_pages(match))
    name(match, season, owner, "Pair 4", "Ann 4", "Ben 4")
    for each in both_pages(match):
        assert each.index("Line-ups") < each.index("Ben 1") < each.index("Ann 1") < each.index("Ann 4")


def test_a_line_up_is_shown_when_the_match_starts(season, match, owner):
    name(match, season, owner, "Pair 1", "Ben 1", "Ann 1")
    with time_machine.travel(MATCH - timedelta(minutes=1), tick=False):
        assert "Line-ups" not in page(match)
    with time_machine.travel(MATCH, tick=False):
        assert "Ben 1" in page(match)


def test_a_captain_without_an_account_names_it_by_the_link(season, match, link):
    visitor = Client()
    assert "Line-up of" in visitor.get(link).content.decode()
    answer = visitor.post(link, {"members": [member("Ben 1").pk, member("Ann 1").pk]})
    assert answer.status_code == 302
    side = fixtures.match(match.pk).home
    assert form_of(fixtures.match(match.pk), side).names == ("Ben 1", "Ann 1")
    line = Act.objects.filter(kind="fielded").get()
    assert (line.by, line.sentence[:24]) == (None, "Ann 1, by a link: Ben 1 ")


def test_a_link_names_nobody_outside_of_the_team(match, link, club):
    stranger = Membership.objects.create(club=club, name="Sue")
    answer = Client().post(link, {"members": [member("Ben 1").pk, stranger.pk]})
    assert answer.status_code == 422
    assert "Choose people of Pair 1" in answer.content.decode()
    assert not Act.objects.filter(kind="fielded").exists()


def test_only_the_captain_has_the_link(season, match, link, owner):
    team = makers.team(season, "Pair 1")
    question = occasions.questions().get()
    [rita] = makers.names(season.league.club, "Rita")
    teams.add_member(team.pk, owner, membership_id=rita.pk, role=TeamMember.Role.RESERVE)
    of_reserve = links.own_token(question, rita.pk)
    assert Client().get(reverse("clubs:coming_line_up", args=[of_reserve])).status_code == 404
    reserves = Client().get(reverse("clubs:coming", args=[of_reserve])).content.decode()
    captains = Client().get(links.own_path(question, member("Ann 1").pk)).content.decode()
    assert ("line-up/" in reserves, "line-up/" in captains) == (False, True)


def test_a_captain_who_handed_over_names_nobody_by_an_old_link(season, link, owner):
    ann = TeamMember.objects.get(membership__name="Ann 1")
    [rita] = makers.names(season.league.club, "Rita")
    teams.replace_member(ann.pk, owner, membership_id=rita.pk)
    answer = Client().post(link, {"members": [member("Ben 1").pk, rita.pk]})
    assert answer.status_code == 404


def test_captains_change_it_until_the_match_starts_and_organisers_until_its_result(
    season, match, link, owner, club, in_club
):
    ben = makers.sign_in(club, in_club, "Ben 1", "Ben")
    with time_machine.travel(MATCH, tick=False):
        with pytest.raises(Refused, match="has already started"):
            name(match, season, ben, "Pair 1", "Ann 1", "Ben 1")
        answer = Client().post(link, {"members": [member("Ann 1").pk, member("Ben 1").pk]})
        assert (answer.status_code, "has already started" in answer.content.decode()) == (422, True)
        name(match, season, owner, "Pair 1", "Ann 1", "Ben 1")
        makers.decide(match, owner, {"Pair 1": 3000, "Pair 4": 2000})
        with pytest.raises(Refused, match="already has a result"):
            name(match, season, owner, "Pair 1", "Ben 1", "Ann 1")


def test_once_both_sides_have_named_theirs_only_organisers_change_them(
    season, match, link, owner, club, in_club, browser_of
):
    ben, dan = makers.sign_in(club, in_club, "Ben 1", "Ben"), makers.sign_in(club, in_club, "Ann 4", "Dan")
    TeamMember.objects.filter(membership__name="Ben 1").update(role="captain")
    usual = [member("Ann 1").pk, member("Ben 1").pk]
    name(match, season, ben, "Pair 1", "Ben 1", "Ann 1")
    name(match, season, ben, "Pair 1", "Ann 1", "Ben 1")
    assert "Then only organisers can change it." in Client().get(link).content.decode()
    name(match, season, dan, "Pair 4", "Ann 4", "Ben 4")
    for by, pair, names in ((ben, "Pair 1", ("Ben 1", "Ann 1")), (dan, "Pair 4", ("Ben 4", "Ann 4"))):
        with pytest.raises(Refused, match="Both sides have chosen"):
            name(match, season, by, pair, *names)
    answer = Client().post(link, {"members": usual})
    assert (answer.status_code, "Both sides have chosen" in answer.content.decode()) == (422, True)
    assert "Save line-up" not in Client().get(link).content.decode()
    path = f"/clubs/harbour/leagues/monday-league/match/{match.pk}/"
    assert "Save line-up" not in browser_of(ben).get(path)
    assert "Save line-up" in browser_of(owner).get(path)
    name(match, season, owner, "Pair 1", "Ben 1", "Ann 1")


def test_no_other_door_lets_a_captain_change_it_later(season, match, owner, club, in_club):
    ben = makers.sign_in(club, in_club, "Ben 1", "Ben")
    name(match, season, owner, "Pair 1", "Ann 1", "Ben 1")
    place = match.places.get(entry=makers.entry(season, "Pair 1"))
    place.entry.members.filter(name="Ben 1").update(user=ben, is_captain=True)
    ids = place.players[::-1]
    with time_machine.travel(MATCH, tick=False), pytest.raises(Refused, match="has already started"):
        substitutes.field_substitute(place.pk, ben, member_ids=ids)
    with time_machine.travel(MATCH - timedelta(minutes=1), tick=False):
        substitutes.field_substitute(place.pk, ben, member_ids=ids)
        name(match, season, owner, "Pair 4", "Ann 4", "Ben 4")
        with pytest.raises(Refused, match="Both sides have chosen"):
            substitutes.field_substitute(place.pk, ben, member_ids=ids)
    with time_machine.travel(MATCH, tick=False):
        substitutes.field_substitute(place.pk, owner, member_ids=ids)


def test_every_page_shows_it_when_the_match_starts(season, match, owner):
    name(match, season, owner, "Pair 1", "Ben 1", "Ann 1")
    with time_machine.travel(MATCH - timedelta(minutes=1), tick=False):
        assert not any("Ben 1" in each for each in both_pages(match))
    with time_machine.travel(MATCH, tick=False):
        assert all("Ben 1" in each for each in both_pages(match))


def test_by_the_link_a_substitute_who_was_named_stays(season, match, link, owner, club):
    Membership.objects.create(club=club, name="Sue")
    name(match, season, owner, "Pair 1", "Ann 1", "Sue")
    answer = Client().post(link, {"members": [member("Sue").pk, member("Ben 1").pk]})
    assert answer.status_code == 302
    assert form_of(fixtures.match(match.pk), fixtures.match(match.pk).home).names == ("Sue", "Ben 1")


def test_a_refused_line_up_keeps_the_substitute(season, match, owner, club, browser_of):
    sue = Membership.objects.create(club=club, name="Sue")
    path = f"/clubs/harbour/leagues/monday-league/match/{match.pk}/"
    team = makers.team(season, "Pair 1").pk
    client = Client()
    client.force_login(owner)
    answer = client.post(path, {"act": "field", "team": team, "members": [sue.pk]})
    assert answer.status_code == 422
    assert f'<option value="{sue.pk}" selected>' in answer.content.decode()


def test_the_form_knows_who_can_play_and_proposes_them(season, match, link, owner, club):
    team, question = makers.team(season, "Pair 1"), occasions.questions().get()
    [rita] = makers.names(club, "Rita")
    teams.add_member(team.pk, owner, membership_id=rita.pk, role=TeamMember.Role.RESERVE)
    replies.answer(question.pk, member("Ben 1"), "no", way="own")
    replies.answer(question.pk, rita, "yes", way="own")
    this_match = fixtures.match(match.pk)
    rows = [
        (each.membership.name, each.answer, each.is_chosen) for each in form_of(this_match, this_match.home).candidates
    ]
    assert rows == [("Ann 1", "", True), ("Ben 1", "no", False), ("Rita", "yes", True)]


def test_a_name_that_is_corrected_or_forgotten_reaches_line_ups(season, match, owner, club):
    name(match, season, owner, "Pair 1", "Ann 1", "Ben 1")
    name(match, season, owner, "Pair 4", "Ann 4", "Ben 4")
    members.edit(member("Ben 1").pk, owner, name="Benedict One")
    assert "Benedict One" in page(match)
    person_names.forget(club, [member("Ann 4")])
    assert "Ann 4" not in page(match)
    assert not Act.objects.filter(sentence__contains="Ann 4").exists()


def test_a_program_reads_line_ups_that_everyone_sees(season, match, owner, program):
    reader = program(owner, "clubs_read")
    path = f"clubs/harbour/leagues/monday-league/matches/{match.pk}/line-ups/"
    name(match, season, owner, "Pair 1", "Ann 1", "Ben 1")
    assert reader.get(path) == {"line_ups": []}
    name(match, season, owner, "Pair 4", "Ann 4", "Ben 4")
    first = reader.get(path)["line_ups"][0]
    assert first == {"side": "Pair 1", "players": ["Ann 1", "Ben 1"]}


# Asking a whole league


def test_an_organiser_asks_all_teams_at_once(season, owner, browser_of):
    asking.ask_team(makers.team(season, "Pair 2").pk, owner, asks=True)
    desk = browser_of(owner)
    path = "/clubs/harbour/leagues/monday-league/teams/coming/"
    desk.submit(path, "ask")
    assert not season.league.teams.filter(asks=False).exists()
    assert Act.objects.filter(kind="coming_league").count() == 1
    with time_machine.travel(MATCH - timedelta(days=3), tick=False):
        asking.ask_due()
        text = desk.get(path)
    assert Question.objects.count() == 4
    assert text.count("0 yes, 0 no, 2 without an answer") == 4
    desk.submit(path, "stop")
    assert not season.league.teams.filter(asks=True).exists()


def test_the_place_of_a_match_is_that_of_its_home_side(season, match, link, owner):
    teams.change(makers.team(season, "Pair 1").pk, owner, name="Pair 1", venue="The Anchor")
    assert occasions.Occasion(occasions.questions().get()).venue == "The Anchor"
    assert "Can you play, " in Client().get(link.removesuffix("line-up/")).content.decode()


def test_the_page_of_a_league_costs_the_same_for_all_its_teams(season, owner):
    asking.ask_team(makers.team(season, "Pair 1").pk, owner, asks=True)
    now = MATCH - timedelta(days=3)
    asking.add_questions(now)
    with CaptureQueriesContext(connection) as little:
        league_page.lines(season.league, now)
    asking.ask_league(season.league_id, owner, asks=True)
    asking.add_questions(now)
    with CaptureQueriesContext(connection) as much:
        rows = league_page.lines(season.league, now)
    assert (rows[0].team.name, rows[0].next.opponents) == ("Pair 1", ("Pair 4",))
    assert len(little) == len(much)
