"""Clubs to test with, and people in every role."""

from types import SimpleNamespace

import pytest

from accounts.models import User
from clubs.models import Club, Season
from clubs.roles import RANKS
from tests.clubs import leagues
from tests.makers import make_club, make_member, make_person
from tests.tournaments.conftest import new_event  # noqa: F401  a fixture
from tests.tournaments.programs import program  # noqa: F401  a fixture


@pytest.fixture
def in_club(person):
    """Make a member of a club: `in_club(club, "Mia")`, in a role if given."""

    def make(club, name, role="member", **fields):
        user = person(name)
        make_member(club, user, role, **fields)
        return user

    return make


@pytest.fixture(scope="module")
def harbour(module_db):
    """Harbour and its owner, if a module makes a season once for all its tests: `harbour.club`, `harbour.owner`."""
    with leagues.september():
        club = make_harbour()
        return SimpleNamespace(club=club, owner=staff_of(club)["owner"])


@pytest.fixture
def club(db):
    """Harbour: a club of nobody yet, unless its module made it."""
    return Club.objects.filter(slug="harbour").first() or make_harbour()


def make_harbour():
    return make_club("Harbour Hand and Foot", slug="harbour", time_zone="Europe/Amsterdam")


@pytest.fixture
def quay(db):
    """Quay, another club of nobody yet."""
    return make_club("Quay")


@pytest.fixture
def staff(club):
    """A person of the club in each role, by role."""
    return {user.username: user for user in User.objects.filter(username__in=RANKS)} or staff_of(club)


@pytest.fixture
def owner(staff):
    return staff["owner"]


def staff_of(club):
    users = {role: make_person(role.title()) for role in RANKS}
    for role, user in users.items():
        make_member(club, user, role)
    return users


@pytest.fixture
def in_september():
    """A week before the first matchday of the leagues in tests."""
    with leagues.september():
        yield


@pytest.fixture(scope="module")
def drawn(harbour):
    """A season of four pairs, drawn once for its module. Modules that want another one make their own."""
    with leagues.september():
        return leagues.draw(leagues.make_season(harbour.club, harbour.owner, (4,)), harbour.owner)


@pytest.fixture
def season(drawn):
    """The season that its module made once, as `drawn`."""
    return Season.objects.get(pk=drawn.pk)


@pytest.fixture
def browser_of():
    """A browser without script: `browser_of(user)` sends the forms of pages as they are, with the typed fields."""
    from tests.clubs.pages import Reader

    return Reader
