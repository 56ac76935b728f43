"""Nobody undoes what they may no longer do, whatever they did while they might."""

import pytest

from clubs.models import Act, Membership
from clubs.roles import ACTS, ROLES
from clubs.services import history, house_rules
from engine.play.rules import Rules
from web.errors import NotAllowed

pytestmark = pytest.mark.django_db


def test_every_kind_that_can_be_undone_needs_a_right_of_its_own():
    assert set(history.NEEDED) == history.UNDONE_BY_ROWS
    assert set(history.NEEDED.values()) <= set(ACTS) - {"look"}


def test_who_lost_the_role_does_not_bring_an_old_name_back(club, staff):
    house_rules.make(club.pk, staff["organiser"], name="Quay", rules=Rules.preset("standard"))
    kept = club.house_rules.get()
    renamed = house_rules.rename(kept.pk, staff["organiser"], name="Wharf")
    Membership.objects.filter(user=staff["organiser"]).update(role="guest")
    with pytest.raises(NotAllowed):
        history.undo(renamed.pk, by=staff["organiser"])
    kept.refresh_from_db()
    assert kept.name == "Wharf"


@pytest.mark.parametrize("kind", sorted(history.NEEDED))
def test_who_lost_the_right_undoes_nothing_of_their_own(club, staff, kind):
    user = staff["organiser"]
    changes = [{"model": "club", "pk": club.pk, "was": {"line": ""}, "is": {"line": club.line}}]
    done = Act.objects.create(club=club, at="2026-09-01T12:00Z", by=user, kind=kind, sentence="x", changes=changes)
    for role in (role for role, rights in ROLES.items() if history.NEEDED[kind] not in rights):
        Membership.objects.filter(club=club, user=user).update(role=role)
        assert not history.may_undo(done, ROLES[role], is_own=True)
        with pytest.raises(NotAllowed):
            history.undo(done.pk, by=user)
