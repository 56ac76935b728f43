"""The schedule: pairings, times and tables of an event's rounds, and its latest results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import Prefetch
from django.utils.translation import gettext, gettext_noop

from tournaments.deadline_text import deadline_text
from tournaments.models import Pairing, Place, Round, Stage, Tournament
from tournaments.plan import ENDLESS
from tournaments.public import corrections
from tournaments.public.live import Playing
from tournaments.public.matches import Match, match_of, matches_of
from tournaments.public.names import Entrant, Links, entrant
from tournaments.round_names import round_name, round_words
from tournaments.rules_text import round_sentence
from tournaments.stage_state import RoundState, StageState
from web.text import several

A_PAGE = 40
"""The most results on one page."""
AT_ONCE = 60
"""Most tables of a stage whose rounds are all on one page."""

_OUT = {
    "bye": gettext_noop("Bye"),
    "half_bye": gettext_noop("Half-point bye"),
    "zero_bye": gettext_noop("Zero-point bye"),
    "sit_out": gettext_noop("Bye"),
    "withdrawn": gettext_noop("Left"),
}
NOT_PLAYING = gettext_noop("Not playing")


@dataclass(frozen=True)
class Out:
    """Entries that do not play in a round, and the reason."""

    entrants: tuple[Entrant, ...]
    words: str


@dataclass(frozen=True)
class ScheduledRound:
    """A round with its tables."""

    anchor: str
    number: int
    name: str
    remark: str
    starts_at: datetime | None
    deadline: str
    """Until when it is played, in words; empty for no limit."""
    terms: str
    """What it plays differently from the event, in a line."""
    matches: tuple[Match, ...]
    out: tuple[Out, ...]


@dataclass(frozen=True)
class Chosen:
    """A stage with the rounds that are shown, and the rounds to choose from."""

    stage: Stage
    rounds: tuple[ScheduledRound, ...]
    numbers: tuple[tuple[int, str], ...]
    """Number and name of every round if there is a choice; else empty."""
    number: int
    note: str


def current_stage(stages: Sequence[Stage]) -> Stage | None:
    """The stage under way, else the last that ended, else the first."""
    running = [stage for stage in stages if stage.status == Stage.Status.RUNNING]
    over = [stage for stage in stages if stage.status == Stage.Status.OVER]
    candidates = running or over[-1:] or list(stages[:1])
    return candidates[0] if candidates else None


def schedule(
    state: StageState, entrants: Mapping[int, Entrant], links: Links, *, live: Playing, number: int | None = None
) -> Chosen:
    """The rounds of a stage; of a big stage a single round: this number, else the one being played."""
    rounds = state.rounds
    is_big = sum(len(round_.tables) for round_ in rounds) > AT_ONCE and len(rounds) > 1
    existing = {round_.row.number for round_ in rounds}
    chosen = number if number is not None and number in existing else _current(rounds)
    visible = [round_ for round_ in rounds if not is_big or round_.row.number == chosen]
    changed = corrections.corrected(state.stage)
    scheduled = tuple(_round(round_, state, entrants, links, live, changed) for round_ in visible)
    numbers = tuple((round_.row.number, round_name(round_.row.name)) for round_ in rounds) if is_big else ()
    return Chosen(state.stage, scheduled, numbers, chosen, _note(state))


def _current(rounds: Sequence[RoundState]) -> int:
    """The number of the first unfinished round, else of the last."""
    unfinished = [round_.row.number for round_ in rounds if round_.row.status != Round.Status.CLOSED]
    return unfinished[0] if unfinished else rounds[-1].row.number if rounds else 0


def _note(state: StageState) -> str:
    """The note on a stage that is not drawn yet, or has more to come."""
    if state.stage.status == Stage.Status.WAITING:
        return (
            gettext("The draw is made when the previous stage ends.")
            if state.stage.number > 1
            else gettext("The draw is made when the event starts.")
        )
    if state.plan.format in ENDLESS:
        return gettext("Matches are created during the stage.")
    return "" if state.rounds else gettext("No draw yet.")


def _round(
    round_: RoundState,
    state: StageState,
    entrants: Mapping[int, Entrant],
    links: Links,
    live: Playing,
    changed: set[int],
) -> ScheduledRound:
    tables = [table for table in round_.tables if table.row.status != Pairing.Status.IDLE]
    idle = [table for table in round_.tables if table.row.status == Pairing.Status.IDLE and table.known]
    out: dict[str, list[Entrant]] = {}
    for sit_out in round_.sit_outs:
        if sit_out.entry_id in entrants:
            out.setdefault(sit_out.kind, []).append(entrants[sit_out.entry_id])
    for table in idle:
        out.setdefault("bye", []).extend(entrants[state.entries[at].entry_id] for at in table.known)
    return ScheduledRound(
        anchor=f"round-{round_.row.number}",
        number=round_.row.number,
        name=round_name(round_.row.name),
        remark=_remark(round_),
        starts_at=round_.row.starts_at,
        deadline="" if round_.is_complete else deadline_text(state.stage.tournament, round_.row),
        terms=round_sentence(round_.row),
        matches=matches_of(tables, entrants, links, state.stage.number, live=live, corrected=changed),
        out=tuple(Out(tuple(members), gettext(_OUT.get(kind, NOT_PLAYING))) for kind, members in out.items()),
    )


def _remark(round_: RoundState) -> str:
    playing = [table for table in round_.tables if table.row.status != Pairing.Status.IDLE]
    finished = sum(not table.row.is_open for table in playing)
    if not playing:
        return ""
    if finished == len(playing):
        return gettext("finished")
    if not finished:
        return several(len(playing), "table")
    return gettext("%(done)s of %(tables)s finished") % {"done": finished, "tables": several(len(playing), "table")}


# Latest results


@dataclass(frozen=True)
class Result:
    """A finished match, with its round and stage."""

    match: Match
    round: str
    stage: str
    done_at: datetime | None


def results(tournament: Tournament, links: Links, page: str | None) -> tuple[Page[Pairing], tuple[Result, ...]]:
    """A page of the results of an event, newest first: a fixed number of queries."""
    finished = Pairing.objects.filter(round__stage__tournament=tournament, status=Pairing.Status.DONE)
    rows = finished.select_related("round__stage").prefetch_related(
        Prefetch("places", Place.objects.select_related("entry"))
    )
    page_ = Paginator(rows.order_by("-done_at", "-pk"), A_PAGE).get_page(page)
    pairings = list(page_)
    changed = corrections.corrected_among(pairing.pk for pairing in pairings)
    return page_, tuple(_result(pairing, links, changed) for pairing in pairings)


def _result(pairing: Pairing, links: Links, changed: set[int]) -> Result:
    stage = pairing.round.stage
    return Result(
        listed_match(pairing, links, {}, changed), round_words(pairing.round.name), stage.name, pairing.done_at
    )


def listed_match(pairing: Pairing, links: Links, live: Playing, changed: set[int]) -> Match:
    """A match from a pairing whose round, stage, places and entries are fetched."""
    places = list(pairing.places.all())
    entrants = {place.entry.pk: entrant(place.entry, links) for place in places if place.entry is not None}
    url = links.match(pairing.round.stage.number, pairing.name)
    return match_of(pairing, places, entrants, url, live=live, corrected=changed)
