"""Lots that decide the first round of an event, and other lots for another draw."""

import hashlib
from collections.abc import Iterable

from tournaments.models import Act, Entry, Tournament
from tournaments.models.events import new_lots
from tournaments.plan import ENDLESS
from tournaments.services.records import Record
from tournaments.stage_state import StageState, has_begun

BY_LOT_ALONE = ("social", "rotating_partners")
"""Formats whose draw does not follow the seeds."""
SEEDS, DRAW_AGAIN = "seeds", "draw_again"
"""Kinds of the acts that seed entries, and that seed them by other lots."""


def can_change(format: str, event: Tournament) -> bool:
    """Whether lots decide the first round, and no seeds that somebody gave."""
    entries = to_seed(event)
    if format in BY_LOT_ALONE or all(entry.seed is None for entry in entries):
        return True
    return _are_lots(event, entries) or _last_seeds_kind(event) == DRAW_AGAIN


def _are_lots(event: Tournament, entries: Iterable[Entry]) -> bool:
    """Whether every entry has its seed by lot."""
    by_lot = sorted(entries, key=lambda entry: lot(event, entry))
    seeds = [(entry.seed, entry.strength) for entry in by_lot]
    return seeds == [(number, None) for number in range(1, len(seeds) + 1)]


def _last_seeds_kind(event: Tournament) -> str | None:
    """The kind of the act that seeded the entries last: those who entered since have no seed yet."""
    acts = Act.objects.filter(tournament=event, kind__in=(SEEDS, DRAW_AGAIN), undone_by=None)
    return acts.order_by("-pk").values_list("kind", flat=True).first()


def change_lots(record: Record, format: str) -> None:
    """Give the event other lots, and its entries the seeds by them, within an action."""
    record.change(record.tournament, lots=new_lots())
    if format not in BY_LOT_ALONE:
        give_lots(record)


def is_by_lot(state: StageState, number: int) -> bool:
    """Whether lots decide a round of a stage that runs: of the first stage, before anything was played.

    The matchdays of a league follow the draw of its season.
    """
    event = state.stage.tournament
    if number != 1 or state.stage.number != 1 or state.plan.format in ENDLESS or event.has_matchdays:
        return False
    if any(has_begun(table.row) for round_ in state.rounds for table in round_.tables):
        return False
    return can_change(state.plan.format, event)


def give_lots(record: Record) -> int:
    """Seed all entries by the event’s lots, within an action: how many."""
    order = sorted(to_seed(record.tournament), key=lambda entry: lot(record.tournament, entry))
    for seed, entry in enumerate(order, 1):
        record.change(entry, seed=seed, strength=None)
    return len(order)


def lot(tournament: Tournament, entry: Entry) -> str:
    """An entry's lot: a SHA-256 of the event's seed and its number, in hexadecimal; the lowest comes first."""
    return hashlib.sha256(f"{tournament.lots}:seed:{entry.number}".encode()).hexdigest()


def to_seed(tournament: Tournament) -> list[Entry]:
    """The entries to seed: those with a place or waiting for one."""
    statuses = (Entry.Status.ENTERED, Entry.Status.WAITING, Entry.Status.FORMING)
    return list(Entry.objects.filter(tournament=tournament, status__in=statuses))
