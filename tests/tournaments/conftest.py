"""Events to test with, their people and their organiser."""

from dataclasses import fields

import pytest

from engine.play.rules import Rules
from tournaments.models import Entry, Member, Organiser, Stage, Tournament
from tournaments.plan import Plan, standard

PLAN_FIELDS = {field.name for field in fields(Plan)}
SIDES = {"person": 1, "partnership": 2, "team": 2}
ENTRY_NAMES = {"person": "Player", "partnership": "Pair", "team": "Team"}


@pytest.fixture
def olga(person):
    """An organiser."""
    return person("Olga")


@pytest.fixture
def players(db):
    """So many people with accounts, called Player 1, Player 2 and so on; the same ones each time."""
    from accounts.models import User

    def make(count):
        names = [f"player{number}" for number in range(1, count + 1)]
        known = set(User.objects.filter(username__in=names).values_list("username", flat=True))
        User.objects.bulk_create(
            User(username=name, email=f"{name}@example.org", display_name=f"Player {name[6:]}", password="!")
            for name in names
            if name not in known
        )
        found = {user.username: user for user in User.objects.filter(username__in=names)}
        return [found[name] for name in names]

    return make


@pytest.fixture
def event(olga, players):
    """Makes an event with entries of people who have accounts.

    `event("swiss", entries=8)` is announced and waits to be started; `started=True` starts it. Choices of the plan and
    fields of `Tournament` are given by name; `plans` names several stages. Entries are called Player 1, Pair 1 or
    Team 1, by `kind`, with their numbers as seeds.
    """

    def make(format="swiss", entries=8, *, started=False, plans=None, kind="person", status="open", **choices):
        chosen = {name: choices.pop(name) for name in list(choices) if name in PLAN_FIELDS}
        stages = plans or [standard(format, **chosen)]
        given = {
            "name": "Harbour Cup",
            "rules_json": Rules.make("standard").write(),
            "entry_kind": kind,
            "side_size": SIDES[kind],
            "lots": "1234",
            "created_by": olga,
            "status": status,
        } | choices
        slug = f"harbour-cup-{Tournament.objects.count() + 1}"
        tournament = Tournament.objects.create(**{"slug": slug, **given})
        Organiser.objects.create(tournament=tournament, user=olga, role="owner")
        Stage.objects.bulk_create(
            Stage(tournament=tournament, number=number, name=plan.title, plan_json=plan.write())
            for number, plan in enumerate(stages, 1)
        )
        fill(tournament, entries)
        if started:
            from tournaments.services import events

            events.start(tournament.pk, olga, anyway=True)
            tournament.refresh_from_db()
        return tournament

    def fill(tournament, count):
        size = tournament.side_size
        people = players(count * size)
        rows = Entry.objects.bulk_create(
            Entry(
                tournament=tournament,
                number=number,
                name=f"{ENTRY_NAMES[tournament.entry_kind]} {number}",
                seed=number,
                is_here=True if tournament.has_check_in else None,
            )
            for number in range(1, count + 1)
        )
        Member.objects.bulk_create(
            Member(
                entry=entry,
                tournament=tournament,
                user=user,
                name=str(user),
                is_captain=position == 0,
                position=position,
            )
            for entry in rows
            for position, user in enumerate(people[(entry.number - 1) * size : entry.number * size])
        )

    return make


@pytest.fixture
def entry(event):
    """An entry of an event by its number."""

    def find(tournament, number):
        return Entry.objects.get(tournament=tournament, number=number)

    return find


@pytest.fixture
def user_of():
    """The first person of an entry."""

    def find(entry):
        return entry.members.filter(left_at=None).order_by("position").first().user

    return find


@pytest.fixture
def member(person):
    """Puts a person with an account into an entry."""

    def make(entry, name):
        user = person(name)
        Member.objects.create(entry=entry, tournament=entry.tournament, user=user, name=name)
        return user

    return make
