"""Rearranging matches by proposal and agreement."""

from datetime import UTC, date, datetime, timedelta

import pytest

from accounts.models import Notice
from clubs.league import fixtures
from clubs.models import Proposal
from clubs.services.leagues import fixture_scheduling, proposals
from clubs.services.seasons import season_setup
from tests.clubs import leagues as makers
from tournaments.models import Pairing
from web.errors import NotAllowed, Refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_september")]

SATURDAY = datetime(2026, 9, 12, 18, 30, tzinfo=UTC)
"""Within the first matchday."""
LATER = datetime(2026, 9, 25, 18, 30, tzinfo=UTC)
"""Within the last one."""


@pytest.fixture(scope="module")
def drawn(harbour):
    with makers.september():
        return makers.draw(
            makers.make_season(harbour.club, harbour.owner, (4,), settings={"setting": "mixed"}), harbour.owner
        )


@pytest.fixture
def match(season):
    return makers.match(season, "Pair 1", "Pair 4")


@pytest.fixture
def ann(club, season, in_club):
    """A player of Pair 1, the home side."""
    return makers.sign_in(club, in_club, "Ann 1", "Ann")


@pytest.fixture
def dee(club, season, in_club):
    """A player of Pair 4."""
    return makers.sign_in(club, in_club, "Ben 4", "Dee")


@pytest.fixture
def propose(season, match, ann):
    def ask(starts_at=SATURDAY, **fields):
        return proposals.propose(
            match.pk, ann, **{"team_id": makers.team(season, "Pair 1").pk, "starts_at": starts_at, **fields}
        )

    return ask


def notices_to(user):
    return [notice.title for notice in Notice.objects.filter(user=user, kind="club_news").order_by("pk")]


def test_one_side_proposes_the_other_agrees_and_the_match_is_played_so(club, match, ann, dee, propose):
    proposal = propose(LATER, venue="The  Anchor", is_online=False, words=" We are away. ")
    assert (proposal.venue, proposal.words) == ("The Anchor", "We are away.")
    assert (proposal.status, proposal.is_online) == ("open", False)
    assert notices_to(dee)[-1] == (
        f"{club}: Pair 1 – Pair 4: Pair 1 proposes Fri 25 Sep 20:30 at The Anchor, Amsterdam (CEST)"
    )
    assert notices_to(ann) == []
    assert fixtures.match(match.pk).proposal == proposal
    proposals.accept(proposal.pk, dee)
    fixture = fixtures.match(match.pk)
    assert (fixture.starts_at, fixture.venue, fixture.is_online, fixture.proposal) == (LATER, "The Anchor", False, None)
    assert fixture.deadline_at == LATER + timedelta(days=1)
    assert notices_to(ann) == [f"{club}: Pair 1 – Pair 4: agreed for Fri 25 Sep 20:30 at The Anchor, Amsterdam (CEST)"]
    proposal.refresh_from_db()
    assert (proposal.status, proposal.answered_by) == ("accepted", dee)


def test_within_its_matchday_the_deadline_stays(match, dee, propose):
    proposals.accept(propose().pk, dee)
    match.refresh_from_db()
    assert (match.starts_at, match.deadline_at) == (SATURDAY, None)
    assert fixtures.match(match.pk).deadline_at == match.round.deadline_at


def test_a_proposal_that_is_declined_changes_nothing(match, ann, dee, propose):
    proposal = propose()
    proposals.decline(proposal.pk, dee, answer="Not on a Saturday.")
    match.refresh_from_db()
    assert match.starts_at is None
    proposal.refresh_from_db()
    assert (proposal.status, proposal.answer) == ("declined", "Not on a Saturday.")
    assert "not agreed" in notices_to(ann)[-1]
    with pytest.raises(Refused, match="already been answered: declined"):
        proposals.accept(proposal.pk, dee)


def test_the_other_side_proposes_something_else(season, match, ann, dee, propose):
    proposal = propose()
    other = proposals.counter(proposal.pk, dee, starts_at=LATER)
    assert (other.team.name, Proposal.objects.get(pk=proposal.pk).status) == ("Pair 4", "declined")
    with pytest.raises(NotAllowed):
        proposals.accept(other.pk, dee)
    proposals.accept(other.pk, ann)
    assert Pairing.objects.get(pk=match.pk).starts_at == LATER


def test_a_side_thinks_again_and_takes_it_back(match, dee, propose, ann):
    first = propose()
    second = propose(LATER)
    assert Proposal.objects.get(pk=first.pk).status == "withdrawn"
    with pytest.raises(NotAllowed):
        proposals.withdraw(second.pk, dee)
    proposals.withdraw(second.pk, ann)
    with pytest.raises(Refused, match="withdrawn"):
        proposals.accept(second.pk, dee)


def test_the_same_form_sent_twice_is_one_proposal(propose, match):
    assert propose(request_key="k") == propose(request_key="k")
    assert Proposal.objects.count() == 1


def test_while_one_waits_the_other_side_answers_it_first(season, match, dee, propose):
    propose()
    with pytest.raises(Refused, match="Answer that first"):
        proposals.propose(match.pk, dee, team_id=makers.team(season, "Pair 4").pk, starts_at=LATER)


def test_nobody_else_proposes_or_answers(season, match, staff, propose, dee, ann):
    team_id = makers.team(season, "Pair 1").pk
    for somebody in (dee, staff["member"], staff["scorer"]):
        with pytest.raises(NotAllowed):
            proposals.propose(match.pk, somebody, team_id=team_id, starts_at=SATURDAY)
    proposal = propose()
    for somebody in (ann, staff["member"]):
        for act in (proposals.accept, proposals.decline):
            with pytest.raises(NotAllowed):
                act(proposal.pk, somebody)
    with pytest.raises(Refused, match="Choose a side of the match"):
        proposals.propose(match.pk, ann, team_id=makers.team(season, "Pair 2").pk, starts_at=SATURDAY)


def test_an_organiser_proposes_and_answers_for_either(season, match, staff):
    organiser = staff["organiser"]
    proposal = proposals.propose(match.pk, organiser, team_id=makers.team(season, "Pair 4").pk, starts_at=SATURDAY)
    proposals.accept(proposal.pk, organiser)
    assert Pairing.objects.get(pk=match.pk).starts_at == SATURDAY


@pytest.mark.parametrize(
    ("starts_at", "words"),
    [
        (datetime(2026, 8, 31, 18, tzinfo=UTC), "That time is in the past"),
        (datetime(2026, 9, 28, 18, tzinfo=UTC), "The season ends on Sun 27 Sep 2026"),
        (datetime(2026, 9, 19, 18, tzinfo=UTC), "Nobody plays on Sat 19 Sep 2026: Regatta."),
        (datetime(2026, 9, 15, 18, tzinfo=UTC), "Pair 4 cannot play on Tue 15 Sep 2026: choir."),
    ],
)
def test_a_time_that_cannot_be_is_refused_in_a_sentence(club, staff, in_club, starts_at, words):
    owner = staff["owner"]
    season = makers.make_season(club, owner, (4,))
    saturday, tuesday = date(2026, 9, 19), date(2026, 9, 15)
    season_setup.add_blackout(season.pk, owner, first_day=saturday, last_day=saturday, reason="Regatta")
    makers.draw(season, owner)
    four = makers.team(season, "Pair 4")
    season_setup.add_blackout(season.pk, owner, team_id=four.pk, first_day=tuesday, last_day=tuesday, reason="choir")
    match = makers.match(season, "Pair 1", "Pair 4")
    with pytest.raises(Refused) as refused:
        proposals.propose(match.pk, owner, team_id=makers.team(season, "Pair 1").pk, starts_at=starts_at)
    assert refused.value.details["field"] == "starts_at"
    assert words in refused.value.sentence
    assert not Proposal.objects.exists()


def test_days_off_added_after_a_proposal_stop_an_agreement(season, match, dee, propose, owner):
    proposal = propose()
    day = SATURDAY.date()
    season_setup.add_blackout(season.pk, owner, team_id=makers.team(season, "Pair 1").pk, first_day=day, last_day=day)
    with pytest.raises(Refused, match="cannot play"):
        proposals.accept(proposal.pk, dee)


def test_what_is_played_or_begun_is_not_rearranged(season, match, ann, dee, propose, owner):
    proposal = propose()
    makers.decide(match, owner, {"Pair 1": 3000, "Pair 4": 1000})
    with pytest.raises(Refused, match="already has a result"):
        proposals.accept(proposal.pk, dee)
    with pytest.raises(Refused, match="already has a result"):
        propose(LATER)
    assert fixtures.match(match.pk).proposal is None


def test_in_a_mixed_season_the_sides_agree_where_they_play_if_everyone_has_an_account(match, dee, propose):
    assert match.is_online
    proposals.accept(propose(is_online=False, venue="The Anchor").pk, dee)
    assert not Pairing.objects.get(pk=match.pk).is_online
    with pytest.raises(Refused, match="needs an account here"):
        proposals.accept(propose(LATER, is_online=True).pk, dee)
    fixture = fixtures.match(match.pk)
    assert (fixture.starts_at, fixture.venue) == (SATURDAY, "The Anchor")


def test_in_a_season_face_to_face_nobody_proposes_to_play_online(club, staff):
    owner = staff["owner"]
    season = makers.draw(makers.make_season(club, owner, (2,)), owner)
    match = makers.match(season, "Pair 1", "Pair 2")
    with pytest.raises(Refused, match="played face to face") as refused:
        proposals.propose(match.pk, owner, team_id=makers.team(season, "Pair 1").pk, starts_at=SATURDAY, is_online=True)
    assert refused.value.details["field"] == "is_online"


def test_a_match_of_no_league_is_not_rearranged_here(owner):
    with pytest.raises(Refused, match="no longer exists"):
        fixture_scheduling.club_of(99)


def test_an_answer_that_comes_too_late_is_refused_in_a_sentence(club, match, ann, dee, propose, client):
    """Its button is gone from the page that is shown again."""
    proposal = propose(LATER)
    proposals.withdraw(proposal.pk, ann)
    path = f"/clubs/{club.slug}/leagues/monday-league/match/{match.pk}/"
    client.force_login(dee)
    answer = client.post(path, {"act": "accept", "proposal": proposal.pk})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
