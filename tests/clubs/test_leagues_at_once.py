"""Organisers, players and the worker at the same instant: one draw, one agreement, and nothing half done."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from clubs.models import Act, Membership, Proposal, Season
from clubs.services.leagues import matchday_edits, proposals
from clubs.services.members import membership
from clubs.services.seasons import next_season, season_close, season_draw
from tests.at_once import at_once
from tests.clubs import leagues as makers
from tournaments.models import Organiser, Pairing, Tournament
from tournaments.services.matches import deadlines
from web.errors import Refused

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def season(club, staff):
    day = (timezone.now() + timedelta(days=3)).date()
    return makers.make_season(club, staff["owner"], (3,), starts_on=day)


def test_two_organisers_draw_one_season(season, staff):
    results = at_once(
        partial(season_draw.draw, season.pk, staff["owner"], request_key="one"),
        partial(season_draw.draw, season.pk, staff["organiser"], request_key="other"),
        partial(deadlines.sweep),
    )
    assert sum(isinstance(result, Refused) for result in results) == 1
    assert Tournament.objects.count() == 1
    assert Pairing.objects.count() == 3
    assert Act.objects.filter(kind="draw").count() == 1


def test_who_becomes_scorer_during_the_draw_runs_the_tournaments_too(club, season, staff):
    member = Membership.objects.get(user=staff["member"])
    results = at_once(
        partial(season_draw.draw, season.pk, staff["organiser"]),
        partial(membership.give_role, member.pk, staff["owner"], role="scorer"),
    )
    assert not any(isinstance(result, Exception) for result in results)
    assert Organiser.objects.filter(user=staff["member"], role="scorer").count() == 1


def test_an_agreement_and_an_organiser_leave_one_time_of_a_match(season, staff):
    owner = staff["owner"]
    season_draw.draw(season.pk, owner)
    match = makers.match(season, "Pair 1", "Pair 2")
    times = [timezone.now() + timedelta(days=days) for days in (5, 6)]
    proposal = proposals.propose(match.pk, owner, team_id=makers.team(season, "Pair 1").pk, starts_at=times[0])
    at_once(
        partial(proposals.accept, proposal.pk, owner),
        partial(proposals.decline, proposal.pk, staff["organiser"]),
        partial(matchday_edits.set_match, match.pk, staff["organiser"], starts_at=times[1]),
        partial(deadlines.sweep),
    )
    status, at = Proposal.objects.get().status, Pairing.objects.get(pk=match.pk).starts_at
    assert status in ("accepted", "declined", "overtaken")
    assert at in times
    assert status == "accepted" or at == times[1]


def test_one_close_and_one_next_season(season, staff):
    owner, organiser = staff["owner"], staff["organiser"]
    season_draw.draw(season.pk, owner)
    makers.play_out(season, owner)
    results = at_once(partial(season_close.close, season.pk, owner), partial(season_close.close, season.pk, organiser))
    assert sum(isinstance(result, Refused) for result in results) == 1
    day = (timezone.now() + timedelta(days=90)).date()
    results = at_once(
        *[
            partial(next_season.make, season.pk, by, name=name, starts_on=day)
            for by, name in ((owner, "2027"), (organiser, "Spring"))
        ]
    )
    assert sum(isinstance(result, Refused) for result in results) == 1
    assert Season.objects.count() == 2
