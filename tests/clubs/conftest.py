"""Clubs to test with, and people in every role."""

import pytest

from clubs.models import Club, Membership
from clubs.roles import RANKS


@pytest.fixture
def in_club(person):
    """Makes somebody of a club: `in_club(club, "Mia")`, in a role if wished."""

    def make(club, name, role="member", **fields):
        user = person(name)
        Membership.objects.create(club=club, user=user, name=str(user), role=role, **fields)
        return user

    return make


@pytest.fixture
def club(db):
    """Harbour, a club of nobody yet."""
    return Club.objects.create(name="Harbour Hand and Foot", slug="harbour", time_zone="Europe/Amsterdam")


@pytest.fixture
def staff(club, in_club):
    """One person of the club in each role, by role."""
    return {role: in_club(club, role.title(), role) for role in RANKS}


@pytest.fixture
def owner(staff):
    return staff["owner"]


@pytest.fixture
def in_september():
    """It is a week before the first matchday of the leagues in tests."""
    import time_machine

    from tests.clubs import leagues

    with time_machine.travel(leagues.NOW, tick=False):
        yield


@pytest.fixture
def browser_of():
    """A browser without script: `browser_of(user)` sends the forms of pages as they are, with what is typed."""
    from tests.clubs.pages import Reader

    return Reader


@pytest.fixture
def olga(person):
    """An organiser of events that no club is behind."""
    return person("Olga")
