"""Events that were played before the site knew of them: made whole, over, and with every result in their history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Never, Site
from tournaments.models import (
    Act,
    Entry,
    Member,
    Organiser,
    Pairing,
    Place,
    Result,
    Round,
    SitOut,
    Stage,
    StageEntry,
    Tournament,
)
from tournaments.plan import Plan
from tournaments.services.events import addresses, event_settings, naming
from tournaments.services.history import declare
from tournaments.services.matches import scores
from tournaments.stage_state import RoundState, StageState, TableState
from web.database import bulk_insert
from web.errors import Refused

Kind = Result.Kind
BROUGHT = declare(
    "brought", needs=Site("A club brings in its past seasons."), undo=Never("The club takes back what it brought in.")
)
"""The kind of the act that made such an event."""


@dataclass(frozen=True)
class PastEntry:
    """Who competed: a name, and the people as far as they are known, (name, account) each."""

    name: str
    people: Sequence[tuple[str, User | None]] = ()


@dataclass(frozen=True)
class PastMatch:
    """A match of two entries, told by their places in the list of entries, from 0; the first one was at home."""

    sides: tuple[int, int]
    scores: tuple[int, int] | None
    """Card points; nothing where somebody did not come."""
    at: datetime
    absent: frozenset[int] = field(default_factory=frozenset)
    """Which side did not come, 0 or 1."""
    reason: str = ""


@dataclass(frozen=True)
class PastRound:
    """A round, and when it was to be played."""

    number: int
    name: str
    starts_at: datetime
    matches: Sequence[PastMatch]


@dataclass(frozen=True)
class PastEvent:
    """An event of one round robin. `settings` are as for `events.make_event`."""

    settings: Mapping[str, Any]
    stage_name: str
    plan: Plan
    entries: Sequence[PastEntry]
    rounds: Sequence[PastRound]


@dataclass(frozen=True)
class Made:
    """An event that was made: its one stage as `load` would read it, and the people of its entries."""

    tournament: Tournament
    state: StageState
    members: tuple[Member, ...]

    @property
    def pairings(self) -> Iterator[Pairing]:
        """Its matches, in the order in which they were told."""
        return (table.row for one in self.state.rounds for table in one.tables)


def make(
    by: User, events: Sequence[PastEvent], now: datetime, *, organisers: Mapping[int, str] | None = None
) -> list[Made]:
    """Make events, over, with their results as they were; nobody is told, and they are not rated.

    `organisers` says who is to run them, in which role, by id of the account; else whoever brings them. Takes the same
    number of statements for many matches as for few. Raises `Refused` for settings that cannot be.
    """
    begun = [_begin(by, one) for one in events]
    roles = organisers or {by.pk: Organiser.Role.OWNER}
    with transaction.atomic():
        for one in begun:
            addresses.save_under_free_one(one.tournament)
        bulk_insert.insert(
            [
                Organiser(tournament=one.tournament, user_id=user, role=role)
                for one in begun
                for user, role in roles.items()
            ]
        )
        _enter(begun, by)
        _play(begun, by, now)
        bulk_insert.insert([_line(one, by, now) for one in begun])
    return [one.made() for one in begun]


def remove(tournament_id: int) -> None:
    """Take an event away that was brought in. Raises `Refused` where somebody has done anything in it since."""
    with transaction.atomic():
        tournament = Tournament.objects.locked(tournament_id)
        acts = Act.objects.filter(tournament=tournament)
        if not acts.filter(kind=BROUGHT.name).exists():
            raise Refused("not_brought", gettext("%(event)s was not imported from a file.") % {"event": tournament})
        if acts.exclude(kind__in=(BROUGHT.name, "organisers")).exists():
            raise Refused(
                "changed_since",
                gettext("%(event)s was changed after its import.") % {"event": tournament},
            )
        tournament.delete()


# Making


@dataclass
class _Event:
    """An event while it is made: its rows so far."""

    told: PastEvent
    tournament: Tournament
    stage: Stage
    entries: list[Entry] = field(default_factory=list)
    stage_entries: list[StageEntry] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    rounds: list[RoundState] = field(default_factory=list)

    def made(self) -> Made:
        """What was made; it is as `load` would read it."""
        state = StageState(
            stage=self.stage,
            plan=self.told.plan,
            lots=f"{self.tournament.lots}:{self.stage.number}",
            entries={one.position: one for one in self.stage_entries},
            rounds=self.rounds,
            apart=frozenset(),
            adjusted={},
            position_of={one.entry_id: one.position for one in self.stage_entries},
        )
        return Made(self.tournament, state, tuple(self.members))


def _begin(by: User, told: PastEvent) -> _Event:
    """The event itself, not stored. Raises `Refused`."""
    values = event_settings.read({"time_zone": by.time_zone, "is_rated": False, **told.settings})
    tournament = Tournament(created_by=by, **values)
    event_settings.check(tournament, by)
    if len(told.entries) < 2 or not told.rounds:
        raise Refused("nobody", gettext("A season has at least two entries and one match."))
    times = [match.at for each in told.rounds for match in each.matches]
    tournament.status = Tournament.Status.OVER
    tournament.starts_at = tournament.started_at = min(times)
    tournament.ended_at = max(times)
    stage = Stage(
        number=1,
        name=told.stage_name[:60],
        plan_json=told.plan.write(),
        status=Stage.Status.OVER,
        started_at=tournament.started_at,
        ended_at=tournament.ended_at,
    )
    return _Event(told, tournament, stage)


def _enter(events: Sequence[_Event], by: User) -> None:
    """The stages, and who is in them."""
    bulk_insert.number([one.stage for one in events])
    for one in events:
        one.stage.tournament = one.tournament
        one.entries = [
            Entry(tournament=one.tournament, number=at, name=naming.clean(each.name), seed=at, entered_by=by)
            for at, each in enumerate(one.told.entries, 1)
        ]
    bulk_insert.number([row for one in events for row in one.entries])
    for one in events:
        one.stage_entries = [StageEntry(stage=one.stage, entry=row, position=row.number) for row in one.entries]
        one.members = [
            Member(entry=row, tournament=one.tournament, user=user, name=name[:60], is_captain=not at, position=at)
            for row, each in zip(one.entries, one.told.entries, strict=True)
            for at, (name, user) in enumerate(each.people)
        ]
    bulk_insert.insert([one.stage for one in events])
    for rows in ("entries", "stage_entries", "members"):
        bulk_insert.insert([row for one in events for row in getattr(one, rows)])


def _play(events: Sequence[_Event], by: User, now: datetime) -> None:
    """The rounds with their matches and results."""
    for one in events:
        one.rounds = [RoundState(_round(one.stage, told)) for told in one.told.rounds]
    rounds = [(one, each, told) for one in events for each, told in zip(one.rounds, one.told.rounds, strict=True)]
    bulk_insert.number([each.row for _, each, _ in rounds])
    matches = [
        (one, each, match, _pairing(each.row, number, match))
        for one, each, told in rounds
        for number, match in enumerate(told.matches, 1)
    ]
    bulk_insert.number([row for *_, row in matches])
    results = [_result(row, match, one.entries, by, now) for one, _, match, row in matches]
    bulk_insert.number(results)
    for (one, each, match, row), result in zip(matches, results, strict=True):
        row.result = result
        each.tables.append(_table(one, match, row, result))
    for one, each, told in rounds:
        absent = _sitting_out(told, len(one.entries))
        each.sit_outs = [SitOut(round=each.row, entry=one.entries[at], kind="zero_bye") for at in absent]
    bulk_insert.insert([each.row for _, each, _ in rounds])
    bulk_insert.insert([row for *_, row in matches])
    bulk_insert.insert(results)
    bulk_insert.insert([place for _, each, _ in rounds for table in each.tables for place in table.places])
    bulk_insert.insert([row for _, each, _ in rounds for row in each.sit_outs])


def _round(stage: Stage, told: PastRound) -> Round:
    return Round(
        stage=stage,
        number=told.number,
        name=told.name[:60],
        status=Round.Status.CLOSED,
        is_fixed=True,
        starts_at=told.starts_at,
        opened_at=told.starts_at,
        closed_at=max(match.at for match in told.matches),
    )


def _pairing(row: Round, number: int, match: PastMatch) -> Pairing:
    return Pairing(
        round=row,
        name=f"R{row.number}.{number}",
        number=number,
        status=Pairing.Status.DONE,
        is_fixed=True,
        starts_at=match.at,
        opened_at=match.at,
        begun_at=match.at,
        done_at=match.at,
    )


def _sitting_out(one: PastRound, entries: int) -> list[int]:
    playing = {side for match in one.matches for side in match.sides}
    return [at for at in range(entries) if at not in playing]


def _result(pairing: Pairing, match: PastMatch, entries: Sequence[Entry], by: User, now: datetime) -> Result:
    scores = (None, None) if match.scores is None else match.scores
    lines = [
        {"entry": entries[side].pk, "score": score, "forfeit": at in match.absent}
        for at, (side, score) in enumerate(zip(match.sides, scores, strict=True))
    ]
    return Result(
        pairing=pairing,
        kind=(Kind.PLAYED, Kind.FORFEIT, Kind.DOUBLE_FORFEIT)[len(match.absent)],
        origin=Result.Origin.ORGANISER,
        status=Result.Status.CONFIRMED,
        lines=lines,
        reason=match.reason[:200],
        by=by,
        at=now,
        confirmed_at=now,
        confirmed_by=by,
    )


def _table(one: _Event, match: PastMatch, row: Pairing, result: Result) -> TableState:
    """A match with its places and what they came to."""
    scored = scores.score_lines(one.told.plan, result.kind, result.lines, range(len(result.lines)))
    places = [
        Place(
            pairing=row,
            number=at,
            entry=one.entries[side],
            side=at,
            points=own.points,
            score=own.score,
            rank=own.rank,
        )
        for at, (side, own) in enumerate(zip(match.sides, scored, strict=True))
    ]
    return TableState(row, places, tuple(side + 1 for side in match.sides), has_begun=True)


def _line(one: _Event, by: User, now: datetime) -> Act:
    """The line of the history."""
    count = sum(len(each.matches) for each in one.told.rounds)
    words = gettext("%(entries)s entries and %(matches)s matches were imported.") % {
        "entries": len(one.entries),
        "matches": count,
    }
    return Act(tournament=one.tournament, at=now, by=by, name=str(by)[:60], kind=BROUGHT.name, sentence=words)
