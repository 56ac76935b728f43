"""The data of an event to export: its current stages, read once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Prefetch

from tournaments.models import Act, Entry, Member, Pairing, SitOut, Stage, Tournament
from tournaments.public import corrections
from tournaments.public.matches import Match, matches_of
from tournaments.public.names import Entrant, Links, entrants_of, links_of
from tournaments.round_names import round_name
from tournaments.rules_text import round_sentence
from tournaments.stage_state import RoundState, StageState, load


@dataclass(frozen=True)
class Part:
    """The current state of a stage. `entrants` go by the ids of entries."""

    stage: Stage
    following: Stage | None
    state: StageState
    entrants: Mapping[int, Entrant]
    corrected: frozenset[int]


@dataclass(frozen=True)
class ExportRound:
    """A round with its played tables, byes and sit-outs."""

    name: str
    starts_at: datetime | None
    deadline_at: datetime | None
    matches: tuple[Match, ...]
    sit_outs: tuple[tuple[SitOut, Entrant], ...]
    byes: tuple[Entrant, ...]
    terms: str = ""
    """What it plays differently from the event, in a line."""


def parts(event: Tournament, stages: Sequence[Stage]) -> list[Part]:
    """The stages of an event: nine queries each, however many entries and rounds they have."""
    links = links_of(event)
    return [_part(event, links, stage, following) for stage, following in zip(stages, [*stages[1:], None], strict=True)]


def part(event: Tournament, stage: Stage, following: Stage | None = None) -> Part:
    """A stage of an event."""
    return _part(event, links_of(event), stage, following)


def _part(event: Tournament, links: Links, stage: Stage, following: Stage | None) -> Part:
    state = load(stage, event)
    changed = frozenset(corrections.corrected(stage))
    return Part(stage, following, state, entrants_of(state, links), changed)


def rounds(part: Part) -> list[ExportRound]:
    """All rounds of a stage that are drawn."""
    links = links_of(part.stage.tournament)
    return [_export_round(part, each, links) for each in part.state.rounds]


def _export_round(part: Part, each: RoundState, links: Links) -> ExportRound:
    idle = Pairing.Status.IDLE
    tables = [table for table in each.tables if table.row.status != idle]
    byes = [
        part.entrants[part.state.entries[at].entry_id]
        for table in each.tables
        for at in table.known
        if table.row.status == idle and table.row.name != "GF2.1"
    ]
    return ExportRound(
        round_title(each),
        each.row.starts_at,
        each.row.deadline_at,
        matches_of(tables, part.entrants, links, part.stage.number, live={}, corrected=part.corrected),
        tuple((out, part.entrants[out.entry_id]) for out in each.sit_outs if out.entry_id in part.entrants),
        tuple(byes),
        round_sentence(each.row),
    )


def round_title(each: RoundState) -> str:
    """The heading of a round."""
    return round_name(each.row.name)


def entries(event: Tournament) -> Iterable[Entry]:
    """The entries with their people, without people who declined or left: two queries."""
    present = Member.objects.filter(left_at=None).exclude(answer=Member.Answer.DECLINED)
    return Entry.objects.filter(tournament=event).order_by("number").prefetch_related(Prefetch("members", present))


def as_of(event: Tournament) -> datetime:
    """The time of the last change of the event, which is the time of its documents."""
    last = Act.objects.filter(tournament=event).order_by("-at").values_list("at", flat=True).first()
    return last or event.created_at


def full_url(path: str) -> str:
    """The full URL of a path of the site."""
    return f"{settings.SITE_URL}{path}"
