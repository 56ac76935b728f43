"""A club, and a history of clubs in which nothing is declared yet."""

import pytest

from tests.makers import make_club, make_member


@pytest.fixture
def history(db):
    from clubs.services.history import ClubHistory

    return ClubHistory()


@pytest.fixture
def club(db):
    return make_club("Harbour", line="By the sea")


@pytest.fixture
def of_club(person, club):
    """Make a person of the club: `of_club("member")`."""

    def make(role):
        user = person(role.title())
        make_member(club, user, role)
        return user

    return make
