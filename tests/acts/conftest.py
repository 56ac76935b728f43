"""A club, and a history of clubs in which nothing is declared yet."""

import pytest

from clubs.models import Club, Membership


@pytest.fixture
def history(db):
    from clubs.services.history import ClubHistory

    return ClubHistory()


@pytest.fixture
def club(db):
    return Club.objects.create(name="Harbour", slug="harbour", line="By the sea")


@pytest.fixture
def of_club(person, club):
    """Makes somebody of the club: `of_club("member")`."""

    def make(role):
        user = person(role.title())
        Membership.objects.create(club=club, user=user, name=str(user), role=role)
        return user

    return make
