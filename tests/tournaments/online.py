"""Fixtures for matches that are played online: events with a round that is drawn by hand and opened."""

from hashlib import sha256
from itertools import count

import pytest
from django.utils import timezone

from tests.tournaments.reading import ONE_DEAL, pairings
from tournaments.models import Entry, Pairing, Place, Round, StageEntry

BIG = ("swiss_pods", "rotating_partners")


@pytest.fixture(autouse=True)
def _repeatable_boards(monkeypatch):
    """Shared deals that are the same in each run."""
    numbers = count()
    key = "tournaments.services.matches.boards.new_key"
    monkeypatch.setattr(key, lambda: sha256(f"board {next(numbers)}".encode()).digest())


@pytest.fixture
def drawn(new_event):
    """Makes an event of pairs under way online whose first round is drawn: 1 meets 4, and 2 meets 3.

    Where people share a bigger table, one table of all four.
    """

    def make(format="swiss", *, rules=ONE_DEAL, **choices):
        kind = "person" if format in BIG else "partnership"
        options = {"kind": kind, "setting": "online", "status": "running", "rules_json": rules} | choices
        event = new_event(format, 4, **options)
        stage = event.stages.get()
        stage.status = "running"
        stage.save()
        entries = list(Entry.objects.filter(tournament=event))
        StageEntry.objects.bulk_create(
            StageEntry(stage=stage, entry=entry, position=number) for number, entry in enumerate(entries, 1)
        )
        round_ = Round.objects.create(stage=stage, number=1, name="Round 1", status="open", opened_at=timezone.now())
        for number, seats in enumerate([(0, 1, 2, 3)] if format in BIG else [(0, 3), (1, 2)], 1):
            pairing = Pairing.objects.create(
                round=round_, name=f"R1.{number}", number=number, is_online=True, opened_at=round_.opened_at
            )
            Place.objects.bulk_create(
                Place(
                    pairing=pairing,
                    number=place,
                    entry=entries[seat],
                    side=place % 2 if format == "rotating_partners" else place,
                )
                for place, seat in enumerate(seats)
            )
        return event

    return make


@pytest.fixture
def online(drawn):
    """The same with its tables made."""
    from tournaments.services.matches import online_tables

    def make(format="swiss", **choices):
        event = drawn(format, **choices)
        for pairing in pairings(event):
            online_tables.open_online(pairing, timezone.now())
        return event

    return make
