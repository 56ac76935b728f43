"""Finished events from a file, created as over with every result in their history."""

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
"""Kind of the action that creates such an event."""


@dataclass(frozen=True)
class PastEntry:
    """A past entry: its name and its known people, (name, account) each."""

    name: str
    people: Sequence[tuple[str, User | None]] = ()


@dataclass(frozen=True)
class PastMatch:
    """A match of two entries, by their index in the list of entries, the home side first."""

    sides: tuple[int, int]
    scores: tuple[int, int] | None
    """Card points, or `None` if a side did not come."""
    at: datetime
    absent: frozenset[int] = field(default_factory=frozenset)
    """Sides that did not come, 0 or 1."""
    reason: str = ""


@dataclass(frozen=True)
class PastRound:
    """A round with its scheduled start."""

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
    has_matchdays: bool = False


@dataclass(frozen=True)
class ImportedEvent:
    """An imported event: its only stage as `load` would read it, and the people of its entries."""

    tournament: Tournament
    state: StageState
    members: tuple[Member, ...]

    @property
    def pairings(self) -> Iterator[Pairing]:
        """Its matches, in the order of the file."""
        return (table.row for round_ in self.state.rounds for table in round_.tables)


def import_events(
    by: User, events: Sequence[PastEvent], now: datetime, *, organisers: Mapping[int, str] | None = None
) -> list[ImportedEvent]:
    """Create finished events with their results. Nobody is notified, and they are not rated.

    `organisers` are roles by id of the account; without them `by` becomes the owner. The number of statements does
    not depend on the number of matches. Raises `Refused` for invalid settings.
    """
    begun = [_begin(by, event) for event in events]
    roles = organisers or {by.pk: Organiser.Role.OWNER}
    with transaction.atomic():
        for event in begun:
            addresses.save_under_free_one(event.tournament)
        bulk_insert.insert(
            [
                Organiser(tournament=event.tournament, user_id=user, role=role)
                for event in begun
                for user, role in roles.items()
            ]
        )
        _enter(begun, by)
        _play(begun, by, now)
        bulk_insert.insert([_line(event, by, now) for event in begun])
    return [event.finish() for event in begun]


def delete_imported(tournament_id: int) -> None:
    """Delete an imported event. Raises `Refused` if it was changed after its import."""
    with transaction.atomic():
        tournament = Tournament.objects.locked(tournament_id)
        acts = Act.objects.filter(tournament=tournament)
        if not acts.filter(kind=BROUGHT.name).exists():
            raise Refused("not_brought", gettext("%(event)s was not imported from a file.") % {"event": tournament})
        if acts.exclude(kind__in=(BROUGHT.name, "organisers")).exists():
            raise Refused("changed_since", gettext("%(event)s was changed after its import.") % {"event": tournament})
        tournament.delete()


# Making


@dataclass
class _Event:
    """An event under construction, with its rows so far."""

    source: PastEvent
    tournament: Tournament
    stage: Stage
    entries: list[Entry] = field(default_factory=list)
    stage_entries: list[StageEntry] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    rounds: list[RoundState] = field(default_factory=list)

    def finish(self) -> ImportedEvent:
        """The imported event, its stage as `load` would read it."""
        state = StageState(
            stage=self.stage,
            plan=self.source.plan,
            lots=f"{self.tournament.lots}:{self.stage.number}",
            entries={entry.position: entry for entry in self.stage_entries},
            rounds=self.rounds,
            apart=frozenset(),
            adjusted={},
            position_of={entry.entry_id: entry.position for entry in self.stage_entries},
        )
        return ImportedEvent(self.tournament, state, tuple(self.members))


def _begin(by: User, source: PastEvent) -> _Event:
    """The event, not stored. Raises `Refused`."""
    values = event_settings.read({"time_zone": by.time_zone, "is_rated": False, **source.settings})
    tournament = Tournament(created_by=by, has_matchdays=source.has_matchdays, **values)
    event_settings.check(tournament, by)
    if len(source.entries) < 2 or not source.rounds:
        raise Refused("nobody", gettext("A season has at least two entries and one match."))
    times = [match.at for each in source.rounds for match in each.matches]
    tournament.status = Tournament.Status.OVER
    tournament.starts_at = tournament.started_at = min(times)
    tournament.ended_at = max(times)
    stage = Stage(
        number=1,
        name=source.stage_name[:60],
        plan_json=source.plan.write(),
        status=Stage.Status.OVER,
        started_at=tournament.started_at,
        ended_at=tournament.ended_at,
    )
    return _Event(source, tournament, stage)


def _enter(events: Sequence[_Event], by: User) -> None:
    """Create the stages, entries and members."""
    bulk_insert.number([event.stage for event in events])
    for event in events:
        event.stage.tournament = event.tournament
        event.entries = [
            Entry(tournament=event.tournament, number=at, name=naming.clean(past_entry.name), seed=at, entered_by=by)
            for at, past_entry in enumerate(event.source.entries, 1)
        ]
    bulk_insert.number([entry for event in events for entry in event.entries])
    for event in events:
        event.stage_entries = [
            StageEntry(stage=event.stage, entry=each, position=each.number) for each in event.entries
        ]
        event.members = [
            Member(entry=entry, tournament=event.tournament, user=user, name=name[:60], is_captain=not at, position=at)
            for entry, past_entry in zip(event.entries, event.source.entries, strict=True)
            for at, (name, user) in enumerate(past_entry.people)
        ]
    bulk_insert.insert([event.stage for event in events])
    for rows in ("entries", "stage_entries", "members"):
        bulk_insert.insert([row for event in events for row in getattr(event, rows)])


def _play(events: Sequence[_Event], by: User, now: datetime) -> None:
    """Create the rounds with their matches and results."""
    for event in events:
        event.rounds = [RoundState(_round(event.stage, past_round)) for past_round in event.source.rounds]
    rounds = [(event, *pair) for event in events for pair in zip(event.rounds, event.source.rounds, strict=True)]
    bulk_insert.number([each.row for _, each, _ in rounds])
    matches = [
        (event, each, match, _pairing(each.row, number, match))
        for event, each, past_round in rounds
        for number, match in enumerate(past_round.matches, 1)
    ]
    bulk_insert.number([pairing for *_, pairing in matches])
    results = [_result(pairing, match, event.entries, by, now) for event, _, match, pairing in matches]
    bulk_insert.number(results)
    for (event, each, match, pairing), result in zip(matches, results, strict=True):
        pairing.result = result
        each.tables.append(_table(event, match, pairing, result))
    for event, each, past_round in rounds:
        absent = _sitting_out(past_round, len(event.entries))
        each.sit_outs = [SitOut(round=each.row, entry=event.entries[at], kind="zero_bye") for at in absent]
    bulk_insert.insert([each.row for _, each, _ in rounds])
    bulk_insert.insert([pairing for *_, pairing in matches])
    bulk_insert.insert(results)
    bulk_insert.insert([place for _, each, _ in rounds for table in each.tables for place in table.places])
    bulk_insert.insert([sit_out for _, each, _ in rounds for sit_out in each.sit_outs])


def _round(stage: Stage, past_round: PastRound) -> Round:
    return Round(
        stage=stage,
        number=past_round.number,
        name=past_round.name[:60],
        status=Round.Status.CLOSED,
        is_fixed=True,
        starts_at=past_round.starts_at,
        opened_at=past_round.starts_at,
        closed_at=max(match.at for match in past_round.matches),
    )


def _pairing(round_: Round, number: int, match: PastMatch) -> Pairing:
    return Pairing(
        round=round_,
        name=f"R{round_.number}.{number}",
        number=number,
        status=Pairing.Status.DONE,
        is_fixed=True,
        starts_at=match.at,
        opened_at=match.at,
        begun_at=match.at,
        done_at=match.at,
    )


def _sitting_out(past_round: PastRound, entries: int) -> list[int]:
    playing = {side for match in past_round.matches for side in match.sides}
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


def _table(event: _Event, match: PastMatch, pairing: Pairing, result: Result) -> TableState:
    """A match with its scored places."""
    scored = scores.score_lines(event.source.plan, result.kind, result.lines, range(len(result.lines)))
    places = [
        Place(
            pairing=pairing,
            number=at,
            entry=event.entries[side],
            side=at,
            points=score.points,
            score=score.score,
            rank=score.rank,
        )
        for at, (side, score) in enumerate(zip(match.sides, scored, strict=True))
    ]
    return TableState(pairing, places, tuple(side + 1 for side in match.sides), has_begun=True)


def _line(event: _Event, by: User, now: datetime) -> Act:
    """History line of the import."""
    count = sum(len(each.matches) for each in event.source.rounds)
    words = gettext("%(entries)s entries and %(matches)s matches were imported.") % {
        "entries": len(event.entries),
        "matches": count,
    }
    return Act(tournament=event.tournament, at=now, by=by, name=str(by)[:60], kind=BROUGHT.name, sentence=words)
