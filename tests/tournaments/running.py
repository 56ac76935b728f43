"""Fixtures for tests of events that are under way, with entries that are mere names."""

from functools import partial

import pytest


@pytest.fixture
def make(db, olga):
    """Makes an event that is under way: `make(8, standard("swiss"), ...)`."""
    return partial(begun, olga)


def begun(olga, count, *plans, **fields):
    """An event of so many entries without people, under way by these plans."""
    event = prepared(olga, count, *plans, **fields)
    start(event, olga)
    return event


def prepared(olga, count, *plans, **fields):
    """An event of so many entries without people that has not begun."""
    from engine.play.rules import Rules
    from tournaments.models import Entry, Organiser, Stage, Tournament

    event = Tournament.objects.create(
        slug=f"event-{Tournament.objects.count()}",
        name="Event",
        rules_json=Rules.make("standard").write(),
        lots="1234",
        created_by=olga,
        **fields,
    )
    Organiser.objects.create(tournament=event, user=olga, role="owner")
    for number, plan in enumerate(plans, 1):
        Stage.objects.create(tournament=event, number=number, name=f"Stage {number}", plan_json=plan.write())
    Entry.objects.bulk_create(
        Entry(tournament=event, number=number, name=f"Entry {number}", seed=number) for number in range(1, count + 1)
    )
    return event


def start(event, by):
    from tournaments.models import Tournament
    from tournaments.services import events, history

    def do(record):
        record.change(record.tournament, status=Tournament.Status.RUNNING, started_at=record.now)
        return "The event began."

    return history.perform(event.pk, do, events.START, by=by, strict=True)
