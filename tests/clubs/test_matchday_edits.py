"""Matches set by an organiser, matchdays moved, and substitutes of a team."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Notice
from clubs.league import fixtures, table
from clubs.models import Appearance, Membership, Proposal, Season
from clubs.services.leagues import leagues, matchday_edits, proposals
from clubs.services.seasons import season_setup
from tests.clubs import leagues as makers
from tests.makers import make_club
from tournaments import seating
from tournaments.models import Pairing, Place, Round
from tournaments.services.matches import deadlines
from web.errors import NotAllowed, Refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

SATURDAY = datetime(2026, 9, 12, 18, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def drawn(harbour):
    with makers.september():
        return makers.draw(makers.make_season(harbour.club, harbour.owner, (4,), plays_at=None), harbour.owner)


@pytest.fixture
def match(season):
    return makers.match(season, "Pair 1", "Pair 4")


# Set by an organiser


def test_an_organiser_sets_a_match_without_asking_and_both_sides_are_told(club, season, match, staff, in_club):
    ann = makers.sign_in(club, in_club, "Ann 1", "Ann")
    proposal = proposals.propose(match.pk, ann, team_id=makers.team(season, "Pair 1").pk, starts_at=SATURDAY)
    matchday_edits.set_match(match.pk, staff["organiser"], starts_at=SATURDAY + timedelta(days=1), venue="Town hall")
    fixture = fixtures.match(match.pk)
    assert (fixture.starts_at, fixture.venue) == (SATURDAY + timedelta(days=1), "Town hall")
    assert Proposal.objects.get(pk=proposal.pk).status == "overtaken"
    assert Notice.objects.filter(user=ann, title__contains="will be played Sun 13 Sep 20:30 at Town hall").exists()
    with pytest.raises(Refused, match="already"):
        matchday_edits.set_match(
            match.pk, staff["organiser"], starts_at=SATURDAY + timedelta(days=1), venue="Town hall"
        )
    matchday_edits.set_match(match.pk, staff["organiser"], starts_at=None)
    fixture = fixtures.match(match.pk)
    assert (fixture.starts_at, fixture.venue, fixture.is_rearranged) == (None, "", False)


def test_players_and_scorers_do_not_set_matches(club, match, staff, in_club):
    for somebody in (makers.sign_in(club, in_club, "Ann 1", "Ann"), staff["scorer"]):
        with pytest.raises(NotAllowed):
            matchday_edits.set_match(match.pk, somebody, starts_at=SATURDAY)


def test_a_deadline_that_has_passed_is_refused_beside_its_field(match, owner):
    with pytest.raises(Refused, match="already passed") as refused:
        matchday_edits.set_match(match.pk, owner, starts_at=SATURDAY, deadline_at=makers.NOW - timedelta(days=1))
    assert refused.value.details["field"] == "starts_at"
    assert Pairing.objects.get(pk=match.pk).starts_at is None


def test_a_match_that_was_put_forward_is_called_at_its_own_time(season, match, owner):
    later_match = makers.match(season, "Pair 2", "Pair 4")
    assert later_match.round.number > 1
    matchday_edits.set_match(later_match.pk, owner, starts_at=SATURDAY)
    for moment, is_called in ((SATURDAY - timedelta(hours=1), False), (SATURDAY, True)):
        with time_machine.travel(moment, tick=False):
            deadlines.sweep()
        assert (Pairing.objects.get(pk=later_match.pk).opened_at is not None) == is_called
    assert Round.objects.get(pk=later_match.round_id).status == "drawn"


# Moved altogether


def test_a_matchday_moves_in_every_division_and_matches_with_own_times_stay(club, owner):
    season = makers.draw(makers.make_season(club, owner, (4, 2)), owner)
    moved = makers.match(season, "Pair 1", "Pair 4")
    matchday_edits.set_match(moved.pk, owner, starts_at=SATURDAY)
    matchday_edits.move_matchday(season.pk, owner, number=1, first_day=date(2026, 9, 8))
    rounds = Round.objects.filter(number=1)
    assert {round_.starts_at.isoformat() for round_ in rounds} == {"2026-09-07T22:00:00+00:00"}
    assert {round_.deadline_at.isoformat() for round_ in rounds} == {"2026-09-14T21:59:00+00:00"}
    assert Pairing.objects.get(pk=moved.pk).starts_at == SATURDAY


@pytest.mark.parametrize(
    ("number", "day", "words", "field"),
    [
        (1, date(2026, 8, 3), "passed", "first_day"),
        (9, date(2026, 9, 8), "Matchday 9 does not exist", "number"),
        (1, date(2026, 9, 19), "Nobody plays", "first_day"),
    ],
)
def test_a_matchday_does_not_move_to_where_it_cannot_be(club, owner, number, day, words, field):
    season = makers.make_season(club, owner, (2,))
    off = date(2026, 9, 19)
    season_setup.add_blackout(season.pk, owner, first_day=off, last_day=off)
    makers.draw(season, owner)
    with pytest.raises(Refused, match=words) as refused:
        matchday_edits.move_matchday(season.pk, owner, number=number, first_day=day)
    assert refused.value.details["field"] == field


# Line-ups


def line_up(match, name):
    place = next(place for place in seating.places_of(match) if place.entry.name == name)
    return [member.name for member in seating.fielded(place, 2)]


def test_a_substitute_from_the_club_plays_one_match(club, season, match, in_club):
    ann = makers.sign_in(club, in_club, "Ann 1", "Ann")
    [sue] = makers.names(club, "Sue")
    team, ben = makers.team(season, "Pair 1"), Membership.objects.get(name="Ben 1")
    matchday_edits.set_line_up(match.pk, ann, team_id=team.pk, membership_ids=[ben.pk, sue.pk])
    assert line_up(match, "Pair 1") == ["Ben 1", "Sue"]
    other = makers.match(season, "Pair 1", "Pair 2")
    assert line_up(other, "Pair 1") == ["Ann 1", "Ben 1"]
    assert Appearance.objects.get(membership=sue).member.role == "reserve"
    matchday_edits.set_line_up(match.pk, ann, team_id=team.pk, membership_ids=[])
    assert line_up(match, "Pair 1") == ["Ann 1", "Ben 1"]
    matchday_edits.set_line_up(other.pk, ann, team_id=team.pk, membership_ids=[sue.pk, ben.pk])
    assert Appearance.objects.filter(membership=sue).count() == 1


@pytest.mark.parametrize(
    ("names", "words"), [(["Ben 1"], "Choose 2 from Pair 1"), (["Ben 1", "Uma"], "Choose people of Harbour")]
)
def test_who_cannot_play_is_refused(club, season, match, owner, names, words):
    quay = make_club("Quay")
    Membership.objects.create(club=quay, name="Uma")
    ids = [Membership.objects.get(name=name).pk for name in names]
    with pytest.raises(Refused, match=words) as refused:
        matchday_edits.set_line_up(match.pk, owner, team_id=makers.team(season, "Pair 1").pk, membership_ids=ids)
    assert refused.value.details["field"] == "members"


@pytest.mark.parametrize("has_account", [False, True])
def test_who_plays_in_another_team_of_the_division_is_no_substitute(club, season, match, owner, in_club, has_account):
    if has_account:
        makers.sign_in(club, in_club, "Ann 4", "Dee")
    ids = [Membership.objects.get(name=name).pk for name in ("Ben 1", "Ann 4")]
    with pytest.raises(Refused, match=r"Ann 4 is already in Pair 4\. Nobody can play for two teams") as refused:
        matchday_edits.set_line_up(match.pk, owner, team_id=makers.team(season, "Pair 1").pk, membership_ids=ids)
    assert refused.value.details["field"] == "members"


def test_only_who_acts_for_a_team_says_who_plays(club, season, match, staff, in_club):
    dee = makers.sign_in(club, in_club, "Ann 4", "Dee")
    team = makers.team(season, "Pair 1")
    for somebody in (dee, staff["member"]):
        with pytest.raises(NotAllowed):
            matchday_edits.set_line_up(match.pk, somebody, team_id=team.pk, membership_ids=[])


# Reading fixtures


def test_a_home_venue_is_where_matches_are_played(club, owner):
    club.venue = "Club house"
    club.save()
    season = makers.make_season(club, owner, (3,), plays_at=None)
    team = makers.team(season, "Pair 1")
    team.venue = "Ann's kitchen"
    team.save()
    makers.draw(season, owner)
    [division] = season.divisions.all()
    venues = {str(match): match.venue for day in fixtures.matchdays(division) for match in day.matches}
    for words, venue in venues.items():
        assert venue == ("Ann's kitchen" if words.startswith("Pair 1 –") else "Club house")
    assert [len(day.byes) for day in fixtures.matchdays(division)] == [1, 1, 1]


def test_a_team_finds_its_matches_by_time(season, owner, match):
    matchday_edits.set_match(match.pk, owner, starts_at=datetime(2026, 9, 25, 18, tzinfo=UTC))
    matches = fixtures.of_team(makers.team(season, "Pair 1"))
    assert len(matches) == 3
    assert matches[1].pairing == match or matches[2].pairing == match
    assert [fixture.at for fixture in matches] == sorted(fixture.at for fixture in matches)


def test_a_fixture_tells_its_result(season, owner):
    [division] = season.divisions.all()
    fixture = fixtures.matchdays(division)[0].matches[0]
    makers.decide(fixture.pairing, owner, {fixture.home.name: 3000, fixture.away.name: 100})
    first = fixtures.matchdays(division)[0].matches[0]
    assert (first.home.score, first.home.points, first.home.is_winner, first.away.is_winner) == (3000, "2", True, False)


@pytest.mark.parametrize("read", [fixtures.of_season, table.stamp])
def test_reading_fixtures_asks_as_often_for_two_divisions_as_for_one(club, owner, read):
    counts = []
    for number, sizes in enumerate([(2,), (6, 5)]):
        league = leagues.make(club.pk, owner, name=f"League {number}")
        season = makers.draw(makers.make_season(club, owner, sizes, league=league), owner)
        season = Season.objects.select_related("league__club").get(pk=season.pk)
        with CaptureQueriesContext(connection) as caught:
            read(season)
        counts.append(len(caught))
    assert counts[0] == counts[1]


def test_a_table_asks_as_often_for_many_teams_as_for_few(club, owner):
    counts = []
    for number, size in enumerate((3, 7)):
        league = leagues.make(club.pk, owner, name=f"League {number}")
        season = makers.draw(makers.make_season(club, owner, (size,), league=league), owner)
        first = Place.objects.filter(entry__season_entry__season=season, pairing__round__number=1).first().pairing
        names = [place.entry.name for place in first.places.select_related("entry")]
        makers.decide(first, owner, dict(zip(names, (3000, 2000), strict=True)))
        season = Season.objects.select_related("league__club").get(pk=season.pk)
        with CaptureQueriesContext(connection) as caught:
            [standings] = table.tables(season)
        assert standings.played == 1
        counts.append(len(caught))
    assert counts[0] == counts[1]
    assert counts[0] < 16
