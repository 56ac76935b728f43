"""Many hands in one club at the same instant: one row each, at least one owner, and no email twice."""

from functools import partial

import pytest
from django.core import mail

from acts.history import Actor
from clubs.house_rules import services as house_rules
from clubs.models import Act, Club, Invitation, JoinRequest, Membership, Season
from clubs.services import club_lifecycle
from clubs.services.members import joining, member_invitations, membership, name_claims
from clubs.services.seasons import season_close, season_draw
from engine.play.rules import Rules
from tests.at_once import at_once
from tests.clubs import leagues
from tournaments.models import Tournament
from web.errors import Refused

pytestmark = pytest.mark.django_db(transaction=True)


def refusals(results):
    return [result.code for result in results if isinstance(result, Refused)]


def test_a_form_sent_twice_lets_in_once(club, person):
    Club.objects.update(joining="open")
    mia = person("Mia")
    results = at_once(
        partial(joining.join, club.pk, mia, request_key="k"),
        partial(joining.join, club.pk, mia, request_key="k"),
        partial(joining.join_by_link, club.join_token, mia),
    )
    assert set(refusals(results)) <= {"of_club_already"}
    assert Membership.objects.filter(user=mia).count() == 1
    assert Act.objects.filter(kind="join").count() == 1


def test_two_owners_do_not_both_leave(club, in_club):
    owners = [in_club(club, name, "owner") for name in ("Ann", "Ben")]
    results = at_once(*(partial(membership.leave, club.pk, owner) for owner in owners))
    assert refusals(results) == ["last_owner"]
    assert Membership.objects.filter(left_at=None, role="owner").count() == 1


def test_one_of_two_claims_a_name(club, in_club, person):
    membership.add_names(club.pk, in_club(club, "Own", "owner"), lines=["Mia Ek"])
    name = Membership.objects.get(name="Mia Ek")
    both = [person("Mia"), person("Maja")]
    results = at_once(*(partial(name_claims.claim_by_link, name.claim_token, user) for user in both))
    assert len(refusals(results)) == 1
    name.refresh_from_db()
    assert name.user in both
    assert Membership.objects.count() == 2


def test_two_organisers_answer_once(club, in_club, person):
    ann, ben = in_club(club, "Ann", "owner"), in_club(club, "Ben", "organiser")
    joining.ask(club.pk, person("Mia"))
    request = JoinRequest.objects.get()
    results = at_once(partial(joining.accept, request.pk, ann), partial(joining.decline, request.pk, ben))
    assert refusals(results) == ["answered"]
    request.refresh_from_db()
    assert Membership.objects.filter(user__username="mia").exists() is (request.status == "accepted")


def test_two_clubs_of_one_name_have_two_addresses(person):
    results = at_once(*(partial(club_lifecycle.make_club, person(name), name="Lakeside") for name in ("Ann", "Ben")))
    assert sorted(club.slug for club in results) == ["lakeside", "lakeside-2"]


def test_an_invitation_goes_out_once_if_two_send_it(club, in_club):
    member_invitations.invite(club.pk, in_club(club, "Ann", "owner"), addresses="guest@example.org")
    letter = Invitation.objects.get()
    results = at_once(
        partial(member_invitations.send, letter.pk),
        partial(member_invitations.send, letter.pk),
        member_invitations.send_due,
    )
    assert not [result for result in results if isinstance(result, Exception)]
    assert len(mail.outbox) == 1


# Two organisers at the same instant, both doing an act that only one can


def played_out(club, by):
    """A season of which every match is played."""
    season = leagues.draw(leagues.make_season(club, by, (2,)), by)
    leagues.play_out(season, by)
    return season


def own_rules(club, by):
    house_rules.make(club.pk, by, name="Quay", rules=Rules.preset("standard"))
    return club.house_rules.get()


def put_away(club, by):
    house_rules.archive(own_rules(club, by), by)
    return club.house_rules.get()


RACES = {
    "draw": (leagues.make_season, lambda season: partial(season_draw.draw, season.pk, now=leagues.NOW), ["drawn"]),
    "close": (played_out, lambda season: partial(season_close.close, season.pk), ["open"]),
    "put rules away": (own_rules, lambda rules: partial(house_rules.archive, rules), []),
    "bring rules back": (put_away, lambda rules: partial(house_rules.restore, rules), []),
}
"""By name: the setup, the act, and the refusal of the second; none if it says the same and changes nothing."""


@pytest.mark.usefixtures("in_september")
@pytest.mark.parametrize("name", RACES)
def test_of_two_organisers_at_once_one_does_it(club, in_club, name):
    make, act_of, refused = RACES[name]
    ann, ben = in_club(club, "Ann", "owner"), in_club(club, "Ben", "organiser")
    act, before = act_of(make(club, ann)), list(Act.objects.values_list("pk", flat=True))
    results = at_once(*(partial(act, by) for by in (ann, ben)))
    assert [result.code for result in results if isinstance(result, Exception)] == refused
    assert sum(bool(logged.changes) for logged in Act.objects.exclude(pk__in=before)) == 1
    for season in Season.objects.all():
        assert Tournament.objects.filter(division__season=season).count() == season.divisions.count()


def test_a_seen_version_lets_one_of_two_organisers_do_what_both_press(club, in_club):
    ann, ben = in_club(club, "Ann", "owner"), in_club(club, "Ben", "organiser")
    rules = own_rules(club, ann)
    club.refresh_from_db()
    results = at_once(*(partial(house_rules.archive, rules, Actor(by, seen=club.version)) for by in (ann, ben)))
    assert refusals(results) == ["stale"]
