"""State of a stage, read in a few queries into plain records for draws, standings and pages."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction

from django.utils import timezone

from engine.compete.evening import AVERAGE
from engine.compete.records import Kind, Played, Unplayed
from engine.compete.records import Round as PlayedRound
from gameplay.house_rules.match_length import deals_of
from tournaments import terms
from tournaments.models import Adjustment, KeptApart, Pairing, Place, Round, SitOut, Stage, StageEntry, Tournament
from tournaments.plan import Plan
from web.database.compiled_queries import Prepared

SITTING_DOWN = timedelta(minutes=5)
"""Time after the call when a table at a venue is assumed to have started."""
VENUE_HOURS = 12
"""A round that has more time than this is not played in one place at one time."""


@dataclass
class TableState:
    """A pairing with its places in seat order. `entries` are positions in the stage, `None` where not known."""

    row: Pairing
    places: list[Place]
    entries: tuple[int | None, ...]
    has_begun: bool

    @property
    def is_decided(self) -> bool:
        """Whether a result is confirmed, or it was decided without one."""
        return self.row.result_id is not None or self.row.is_walkover

    @property
    def known(self) -> tuple[int, ...]:
        """The entries that are known."""
        return tuple(entry for entry in self.entries if entry is not None)


@dataclass
class RoundState:
    """A round with its tables by number and its sit-outs."""

    row: Round
    tables: list[TableState] = field(default_factory=list)
    sit_outs: list[SitOut] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether nothing of it is open."""
        return all(not table.row.is_open for table in self.tables)

    @property
    def has_begun(self) -> bool:
        return any(table.has_begun for table in self.tables)

    @property
    def has_results(self) -> bool:
        """Whether anything of it counts yet."""
        return not self.tables or any(table.is_decided for table in self.tables)


@dataclass
class StageState:
    """A stage, its entries by position, its rounds in order, and what else a draw depends on."""

    stage: Stage
    plan: Plan
    lots: str
    entries: dict[int, StageEntry]
    rounds: list[RoundState]
    apart: frozenset[frozenset[int]]
    adjusted: dict[int, Fraction]
    position_of: dict[int, int]
    """Positions by id of the entry."""
    deals: Mapping[terms.Part, int] = field(default_factory=dict)
    """Deals of a match by part of the stage, where they are counted."""
    lot_seed: str = ""
    """The event’s seed of lots between tied entries, secret until it is over."""

    def active(self, number: int) -> list[int]:
        """Positions of the entries that take part in a round, in seed order."""
        return [at for at, entrant in self.entries.items() if is_active(entrant, number)]

    def group(self, number: int) -> list[int]:
        """Positions of the entries of a group, in seed order."""
        return [at for at, entrant in self.entries.items() if entrant.group == number]

    @property
    def start(self) -> dict[int, Fraction]:
        """Points that entries begin with: for missed rounds, carried, and adjustments."""
        return {at: Fraction(each.start_points) + self.adjusted.get(at, 0) for at, each in self.entries.items()}

    def round(self, number: int) -> RoundState | None:
        """The round of this number, if it was drawn."""
        return next((round_ for round_ in self.rounds if round_.row.number == number), None)

    def played(self, before: int | None = None) -> tuple[PlayedRound, ...]:
        """Rounds played so far, for calculations: every round before `before`, as far as results are in.

        Entries at an undecided table are awaited. Rounds without any decision are left out.
        """
        rounds = [round_ for round_ in self.rounds if before is None or round_.row.number < before]
        return tuple(self._played(round_) for round_ in rounds if round_.has_results)

    def _played(self, round_: RoundState) -> PlayedRound:
        tables: list[Played] = []
        unplayed = [
            Unplayed(self.position_of[sit_out.entry_id], Fraction(sit_out.points), Kind(sit_out.kind))
            for sit_out in round_.sit_outs
            if sit_out.entry_id in self.position_of
        ]
        awaited: list[int] = []
        for table in round_.tables:
            if not table.is_decided:
                awaited += table.known
            if not table.is_decided or len(table.known) < 2:
                continue
            if table.row.is_walkover or all(place.score is None for place in table.places):
                unplayed += self._forfeited(table)
            else:
                deals = self.deals.get(terms.part_of(self.plan, round_.row), self.deals.get(terms.ALL, 1))
                tables.append(_result(table, deals))
                unplayed += [lost for lost in self._forfeited(table) if lost.entry not in tables[-1].entries]
        return PlayedRound(tuple(tables), tuple(unplayed), round_.row.name, tuple(awaited))

    def _forfeited(self, table: TableState) -> Iterable[Unplayed]:
        """A match that was not played counts as an unplayed round of each."""
        for place, at in zip(table.places, table.entries, strict=True):
            if at is None:
                continue
            other = next((them for them in table.known if them != at), None)
            kind = Kind.FORFEIT_WIN if place.rank == 1 else Kind.FORFEIT_LOSS
            yield Unplayed(at, Fraction(place.points or 0), kind, other if len(table.known) == 2 else None)


def _result(table: TableState, deals: int) -> Played:
    """Result of a table, for the entries that came, after the deals of its score sheet, or else of the rules."""
    lines = table.row.result.lines if table.row.result is not None else []
    sheet = table.row.result.sheet if table.row.result is not None else None
    by_place = [dict(line) for line in lines] if len(lines) == len(table.places) else [{} for _ in table.places]
    came = [at for at, place in enumerate(table.places) if place.score is not None]
    places = [table.places[at] for at in came]
    return Played(
        entries=tuple(entry for at in came if (entry := table.entries[at]) is not None),
        points=tuple(Fraction(place.points or 0) for place in places),
        scores=tuple(place.score or 0 for place in places),
        sides=tuple(place.side for place in places),
        books=tuple(int(by_place[at].get("books") or 0) for at in came),
        outs=tuple(int(by_place[at].get("outs") or 0) for at in came),
        name=table.row.name,
        deals=len((sheet or {}).get("deals") or ()) or deals,
    )


def is_active(entrant: StageEntry, number: int) -> bool:
    """Whether an entry takes part in a round."""
    return entrant.first_round <= number and (entrant.last_round is None or number <= entrant.last_round)


# Every action of an event reads its stages again, so the queries are compiled once.
_ENTRIES = Prepared(lambda stage: StageEntry.objects.filter(stage_id=stage).select_related("entry"), int)
_ROUNDS = Prepared(lambda stage: Round.objects.filter(stage_id=stage), int)
_ADJUSTMENTS = Prepared(lambda stage: Adjustment.objects.filter(stage_id=stage), int)
_KEPT_APART = Prepared(lambda event: KeptApart.objects.filter(tournament_id=event), int)
_PLACES = Prepared(
    lambda stage: Place.objects.filter(pairing__round__stage=stage).order_by("pairing_id", "number"), int
)
_PAIRINGS = Prepared(
    lambda stage: (
        Pairing.objects.filter(round__stage=stage)
        .select_related("result", "table")
        .defer("table__snapshot")
        .order_by("number")
    ),
    int,
)
_SIT_OUTS = Prepared(lambda stage: SitOut.objects.filter(round__stage=stage), int)


def load(stage: Stage, tournament: Tournament | None = None) -> StageState:
    """Read a stage: always eight queries."""
    tournament = tournament or stage.tournament
    entries = {entrant.position: entrant for entrant in _ENTRIES(stage.pk)}
    position_of = {entrant.entry_id: at for at, entrant in entries.items()}
    plan = Plan.read(stage.plan_json)
    rounds = [RoundState(round_) for round_ in _ROUNDS(stage.pk)]
    _fill(stage, plan, rounds, position_of)
    adjusted: dict[int, Fraction] = defaultdict(Fraction)
    for adjustment in _ADJUSTMENTS(stage.pk):
        if adjustment.entry_id in position_of:
            adjusted[position_of[adjustment.entry_id]] += Fraction(adjustment.points)
    return StageState(
        stage=stage,
        plan=plan,
        lots=f"{tournament.lots}:{stage.number}",
        entries=entries,
        rounds=rounds,
        apart=_apart(tournament, position_of),
        adjusted=adjusted,
        position_of=position_of,
        deals={part: _deals(tournament, plan, part) for part in terms.parts(plan)} if plan.counts == AVERAGE else {},
        lot_seed=tournament.lot_seed,
    )


def planned(stage: Stage, entrants: Sequence[StageEntry]) -> StageState:
    """The state of a stage that has not started, with entries that are not saved: one query."""
    position_of = {entrant.entry_id: entrant.position for entrant in entrants}
    return StageState(
        stage=stage,
        plan=Plan.read(stage.plan_json),
        lots=f"{stage.tournament.lots}:{stage.number}",
        entries={entrant.position: entrant for entrant in entrants},
        rounds=[],
        apart=_apart(stage.tournament, position_of),
        adjusted={},
        position_of=position_of,
        lot_seed=stage.tournament.lot_seed,
    )


def _apart(tournament: Tournament, position_of: Mapping[int, int]) -> frozenset[frozenset[int]]:
    pairs = [(pair.one_id, pair.other_id) for pair in _KEPT_APART(tournament.pk)]
    return frozenset(
        frozenset(position_of[pk] for pk in pair) for pair in pairs if all(pk in position_of for pk in pair)
    )


def _deals(tournament: Tournament, plan: Plan, part: terms.Part) -> int:
    return deals_of(terms.resolve(tournament, plan, part).rules) or 1


def _fill(stage: Stage, plan: Plan, rounds: list[RoundState], position_of: dict[int, int]) -> None:
    """Put tables and sit-outs into their rounds."""
    by_round, now = {round_.row.pk: round_ for round_ in rounds}, timezone.now()
    places: dict[int, list[Place]] = defaultdict(list)
    for place in _PLACES(stage.pk):
        places[place.pairing_id].append(place)
    for round_ in rounds:
        round_.row.stage = stage
    for pairing in _PAIRINGS(stage.pk):
        pairing.round = by_round[pairing.round_id].row
        seats = places[pairing.pk]
        for place in seats:
            place.pairing = pairing
        entries = tuple(position_of.get(place.entry_id or 0) for place in seats)
        is_begun = has_begun(pairing) or sits(pairing, plan, now) or stays(pairing)
        by_round[pairing.round_id].tables.append(TableState(pairing, seats, entries, is_begun))
    for sit_out in _SIT_OUTS(stage.pk):
        by_round[sit_out.round_id].sit_outs.append(sit_out)


def has_begun(pairing: Pairing) -> bool:
    """Whether anything was played or reported. Then it is not redrawn automatically."""
    if pairing.has_begun or pairing.status in (Pairing.Status.REPORTED, Pairing.Status.DISPUTED):
        return True
    return pairing.table is not None and pairing.table.move_count > 0


def sits(pairing: Pairing, plan: Plan, now: datetime) -> bool:
    """Whether people probably sit at a venue’s table by now, some minutes after it was called.

    They must not be sent to other tables automatically, whatever is corrected since.
    """
    is_at_venue = not pairing.is_online and plan.round_hours <= VENUE_HOURS
    return is_at_venue and pairing.is_open and pairing.opened_at is not None and now >= pairing.opened_at + SITTING_DOWN


def stays(pairing: Pairing) -> bool:
    """Whether an announced table was kept when an earlier result was corrected."""
    return pairing.round.kept_at is not None and pairing.is_open and pairing.opened_at is not None


def moment_of(pairing: Pairing) -> datetime | None:
    """Deadline of a match."""
    return pairing.deadline_at or pairing.round.deadline_at
