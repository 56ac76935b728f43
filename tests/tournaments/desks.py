"""Fixtures for tests of the organisers' pages."""

import pytest

pytest_plugins = ["tests.tournaments.running"]


@pytest.fixture
def desk_of():
    """Makes browsers: `desk_of(user)`, or of nobody."""
    from tests.tournaments.organising import Desk

    return Desk


@pytest.fixture
def organiser_as(person):
    """Makes an organiser of an event in a role."""
    from tournaments.models import Organiser

    def make(event, role, name=None):
        user = person(name or role.capitalize())
        Organiser.objects.create(tournament=event, user=user, role=role)
        return user

    return make
