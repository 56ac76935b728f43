"""Replacements and substitutes."""

import pytest

from tests.tournaments import driving
from tournaments.models import Member, Place, Tournament
from tournaments.services import history
from tournaments.services.entries import partners, substitutes

pytestmark = pytest.mark.django_db


def player(entry_row, name):
    return Member.objects.get(entry=entry_row, name=name)


def test_a_replacement_takes_the_place_and_the_entry_goes_on_under_both_names(new_event, entry, olga, person):
    cup = new_event("swiss", entries=4, kind="partnership", rounds=2, started=True)
    first = entry(cup, 1)
    first.name = "Player 1 / Player 2"
    first.save()
    ann, old = person("Ann"), player(first, "Player 1")
    new = substitutes.replace_member(old.pk, olga, person=ann, request_key="k")
    assert substitutes.replace_member(old.pk, olga, person=ann, request_key="k") == new
    old.refresh_from_db()
    first.refresh_from_db()
    assert (new.user, new.role, new.position, new.is_captain, new.answer) == (ann, "player", 0, True, "accepted")
    assert (old.left_at is not None, old.is_captain) == (True, False)
    assert (first.name, first.status) == ("Ann / Player 2", "entered")
    assert ann.notices.filter(title="Harbour Cup: Ann takes over for Player 1").exists()


def test_a_replacement_undone_is_as_before(new_event, entry, olga):
    cup = new_event(entries=4)
    first = entry(cup, 1)
    substitutes.replace_member(player(first, "Player 1").pk, olga, person="Ada")
    assert entry(cup, 1).name == "Ada"
    history.undo(cup.acts.first().pk, by=olga)
    assert [(member.name, member.left_at) for member in first.members.all()] == [("Player 1", None)]
    assert entry(cup, 1).name == "Player 1"


def test_online_only_a_reserve_who_agreed_takes_over(new_event, entry, olga, person, refuses, user_of):
    cup = new_event(entries=4, kind="partnership", setting="online")
    first, ann = entry(cup, 1), person("Ann")
    old = player(first, "Player 1")
    with refuses("not_asked"):
        substitutes.replace_member(old.pk, olga, person=ann)
    Tournament.objects.filter(pk=cup.pk).update(status="running")
    with refuses("has_begun"):
        partners.invite(first.pk, user_of(first), person=ann)
    reserve = partners.invite(first.pk, user_of(first), person=ann, role="reserve")
    with refuses("no_reserve"):
        substitutes.replace_member(old.pk, olga, reserve=reserve.pk)
    partners.accept(reserve.pk, ann)
    new = substitutes.replace_member(old.pk, olga, reserve=reserve.pk)
    assert (new.pk, new.role, new.position) == (reserve.pk, "player", 0)


def test_who_cannot_be_replaced_or_replace(new_event, entry, olga, refuses, user_of):
    cup = new_event(entries=2)
    old = player(entry(cup, 1), "Player 1")
    with refuses("nobody"):
        substitutes.replace_member(old.pk, olga)
    with refuses("entered_already"):
        substitutes.replace_member(old.pk, olga, person=user_of(entry(cup, 2)))
    substitutes.replace_member(old.pk, olga, person="Ada")
    with refuses("not_playing"):
        substitutes.replace_member(old.pk, olga, person="Bea")


@pytest.fixture
def team_match(new_event, entry, olga):
    """Team 1 with a reserve, and its place in the first match."""
    cup = new_event("swiss", entries=2, kind="team", rounds=1, started=True)
    team = entry(cup, 1)
    partners.invite(team.pk, olga, person="Rita", role="reserve")
    return team, Place.objects.get(entry=team)


def test_a_substitute_plays_one_match(team_match, olga):
    team, place = team_match
    ids = [player(team, name).pk for name in ("Player 2", "Rita")]
    act = substitutes.field_substitute(place.pk, olga, member_ids=ids)
    place.refresh_from_db()
    assert place.players == ids
    assert act.sentence == f"Player 2 and Rita play {place.pairing.name} for Team 1."
    history.undo(act.pk, by=olga)
    place.refresh_from_db()
    assert place.players == []


def test_the_captain_names_who_plays_and_strangers_do_not(team_match, person, refuses):
    team, place = team_match
    captain = player(team, "Player 1").user
    ids = [player(team, name).pk for name in ("Player 1", "Rita")]
    for user in (person("Eve"), player(team, "Player 2").user):
        with refuses("not_yours"):
            substitutes.field_substitute(place.pk, user, member_ids=ids)
    substitutes.field_substitute(place.pk, captain, member_ids=ids)
    substitutes.field_substitute(place.pk, captain, member_ids=[])
    place.refresh_from_db()
    assert place.players == []


def test_only_people_of_the_entry_as_many_as_sit_down(team_match, entry, olga, refuses):
    team, place = team_match
    rita, other = player(team, "Rita"), entry(team.tournament, 2).members.first()
    for ids, code in (
        ([rita.pk], "wrong_number"),
        ([rita.pk, rita.pk], "not_of_entry"),
        ([rita.pk, other.pk], "not_of_entry"),
    ):
        with refuses(code):
            substitutes.field_substitute(place.pk, olga, member_ids=ids)
    with refuses("no_such_place"):
        substitutes.field_substitute(0, olga, member_ids=[])


def test_after_the_result_it_is_too_late(team_match, olga, refuses):
    _, place = team_match
    driving.decide(place.pairing, olga)
    with refuses("over"):
        substitutes.field_substitute(place.pk, olga, member_ids=[])
