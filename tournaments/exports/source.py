"""What is exported of an event: its stages as they stand, read once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Prefetch

from engine.compete.pairing import knockout
from tournaments import expected_rounds
from tournaments.models import Act, Entry, Member, Pairing, SitOut, Stage, Tournament
from tournaments.public import corrections
from tournaments.public.matches import Match, matches_of
from tournaments.public.names import Entrant, Links, entrants_of, links_of
from tournaments.stage_state import RoundState, StageState, load


@dataclass(frozen=True)
class Part:
    """A stage as it stands. `entrants` go by the ids of entries."""

    stage: Stage
    following: Stage | None
    state: StageState
    entrants: Mapping[int, Entrant]
    corrected: frozenset[int]


@dataclass(frozen=True)
class Listed:
    """A round with its tables that are played, and who has a bye or sits out."""

    name: str
    starts_at: datetime | None
    deadline_at: datetime | None
    matches: tuple[Match, ...]
    sit_outs: tuple[tuple[SitOut, Entrant], ...]
    byes: tuple[Entrant, ...]


def parts(event: Tournament, stages: Sequence[Stage]) -> list[Part]:
    """The stages of an event: nine queries each, however many entries and rounds they have."""
    links = links_of(event)
    return [_part(event, links, one, following) for one, following in zip(stages, [*stages[1:], None], strict=True)]


def part(event: Tournament, stage: Stage, following: Stage | None = None) -> Part:
    """One stage of an event."""
    return _part(event, links_of(event), stage, following)


def _part(event: Tournament, links: Links, stage: Stage, following: Stage | None) -> Part:
    state = load(stage, event)
    changed = frozenset(corrections.corrected(stage))
    return Part(stage, following, state, entrants_of(state, links), changed)


def rounds(one: Part) -> list[Listed]:
    """All rounds of a stage that are drawn."""
    links = links_of(one.stage.tournament)
    return [_listed(one, each, links) for each in one.state.rounds]


def _listed(one: Part, each: RoundState, links: Links) -> Listed:
    idle = Pairing.Status.IDLE
    tables = [table for table in each.tables if table.row.status != idle]
    byes = [
        one.entrants[one.state.entries[at].entry_id]
        for table in each.tables
        for at in table.known
        if table.row.status == idle and table.row.name != "GF2.1"
    ]
    return Listed(
        round_title(one.state, each),
        each.row.starts_at,
        each.row.deadline_at,
        matches_of(tables, one.entrants, links, one.stage.number, live={}, corrected=one.corrected),
        tuple((row, one.entrants[row.entry_id]) for row in each.sit_outs if row.entry_id in one.entrants),
        tuple(byes),
    )


def round_title(state: StageState, each: RoundState) -> str:
    """What a round is called as a heading."""
    name = each.row.name
    return knockout.round_title(expected_rounds.bracket(state), name) if state.plan.is_bracket else name


def entries(event: Tournament) -> Iterable[Entry]:
    """The entries with the people in them, those who declined or have left aside: two queries."""
    present = Member.objects.filter(left_at=None).exclude(answer=Member.Answer.DECLINED)
    return Entry.objects.filter(tournament=event).order_by("number").prefetch_related(Prefetch("members", present))


def as_of(event: Tournament) -> datetime:
    """When anything of the event was changed last: what a document shows is of that moment."""
    last = Act.objects.filter(tournament=event).order_by("-at").values_list("at", flat=True).first()
    return last or event.created_at


def whole(path: str) -> str:
    """A path of the site as a whole address."""
    return f"{settings.SITE_URL}{path}"
