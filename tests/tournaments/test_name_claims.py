"""People who were entered by name alone are given their account, and with it their results."""

import pytest

from tournaments.models import Act, Member
from tournaments.plan import standard
from tournaments.services import history
from tournaments.services.entries import name_claims

pytestmark = pytest.mark.django_db


def add_member(event, number, name="Ann Lee", **fields):
    """Add a member without an account to an entry of an event."""
    entry = event.entries.get(number=number)
    return Member.objects.create(entry=entry, tournament=event, name=name, **fields)


def test_an_account_is_set_in_every_event_by_an_act_of_each(make, ann, olga):
    cups = [make(4, standard("swiss")) for _ in range(2)]
    members = [add_member(cup, 1) for cup in cups]
    assert name_claims.claim([member.pk for member in members], ann, by=olga) == 2
    for cup in cups:
        act = Act.objects.get(tournament=cup, kind="claim")
        assert (act.sentence, act.by) == ("Ann Lee plays with the account Ann from now on.", olga)
        assert Member.objects.get(tournament=cup).user == ann
    assert name_claims.claim([member.pk for member in members], ann, by=olga) == 0
    assert Act.objects.filter(kind="claim").count() == 2


def test_nobody_is_in_an_event_twice(make, ann, olga):
    cup = make(4, standard("swiss"))
    add_member(cup, 2, "Ann", user=ann)
    member = add_member(cup, 1)
    assert name_claims.claim([member.pk], ann, by=olga) == 0
    member.refresh_from_db()
    assert member.user is None


def test_of_several_rows_in_an_event_one_is_in_it_now(make, ann, olga):
    from django.utils import timezone

    cup = make(4, standard("swiss"))
    members = [add_member(cup, 1), add_member(cup, 2), add_member(cup, 3, left_at=timezone.now())]
    assert name_claims.claim([member.pk for member in members], ann, by=olga) == 2
    assert Member.objects.filter(user=ann, left_at=None).count() == 1


def test_others_accounts_are_left_alone(make, ann, olga, person):
    cup = make(4, standard("swiss"))
    member = add_member(cup, 1, user=person("Ben"))
    assert name_claims.claim([member.pk], ann, by=olga) == 0
    assert name_claims.release([member.pk], ann, by=olga) == 0
    member.refresh_from_db()
    assert member.user.display_name == "Ben"


def test_it_is_taken_back_by_hand_and_by_undoing(make, ann, olga):
    cup = make(4, standard("swiss"))
    member = add_member(cup, 1)
    name_claims.claim([member.pk], ann, by=olga)
    assert name_claims.release([member.pk], ann, by=olga) == 1
    member.refresh_from_db()
    assert member.user is None
    name_claims.claim([member.pk], ann, by=olga)
    history.undo(Act.objects.filter(kind="claim").first().pk, by=olga)
    member.refresh_from_db()
    assert member.user is None
