"""Events to test with, their people and their organiser."""

from dataclasses import fields

import pytest

from tests.makers import make_event, make_players
from tests.tournaments.organising import Desk
from tests.tournaments.programs import program  # noqa: F401  a fixture
from tournaments.models import Entry, Member, Organiser
from tournaments.plan import Plan, standard

PLAN_FIELDS = {field.name for field in fields(Plan)}


@pytest.fixture
def ann(person):
    return person("Ann")


@pytest.fixture
def players(db):
    """So many people with accounts, called Player 1, Player 2 and so on; the same ones each time."""
    return make_players


@pytest.fixture
def new_event(olga):
    """Makes an event of Olga’s with entries of people who have accounts.

    `new_event("swiss", entries=8)` is announced and not started; `started=True` starts it. Keywords are choices of
    the plan or of `make_event`; `plans` names several stages.
    """

    def make(format="swiss", entries=8, *, plans=None, **choices):
        chosen = {name: choices.pop(name) for name in list(choices) if name in PLAN_FIELDS}
        plans = plans or [standard(format, **chosen)]
        return make_event(olga, *plans, entries=entries, people=True, **{"status": "open"} | choices)

    return make


@pytest.fixture
def make(olga):
    """Makes an event of Olga's that is under way, whose entries are mere names: `make(8, standard("swiss"), ...)`."""
    return lambda entries, *plans, **fields: make_event(olga, *plans, entries=entries, started=True, **fields)


@pytest.fixture
def entry(new_event):
    """An entry of an event by its number."""
    return lambda tournament, number: Entry.objects.get(tournament=tournament, number=number)


@pytest.fixture
def user_of():
    """The first person of an entry."""
    return lambda entry: entry.members.filter(left_at=None).order_by("position").first().user


@pytest.fixture
def member(person):
    """Puts a person with an account into an entry."""

    def make(entry, name):
        user = person(name)
        Member.objects.create(entry=entry, tournament=entry.tournament, user=user, name=name)
        return user

    return make


@pytest.fixture
def organiser_as(person):
    """Makes an organiser of an event in a role."""

    def make(event, role, name=None):
        user = person(name or role.capitalize())
        Organiser.objects.create(tournament=event, user=user, role=role)
        return user

    return make


@pytest.fixture
def desk_of():
    """Makes browsers: `desk_of(user)`, or of nobody."""
    return Desk
