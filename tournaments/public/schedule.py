"""Who plays whom, when and at which table: the rounds of an event, and the results as they come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.paginator import Page, Paginator
from django.db.models import Prefetch
from django.utils.translation import gettext, gettext_noop

from engine.compete.pairing import knockout
from tournaments import expected_rounds
from tournaments.models import Pairing, Place, Round, Stage, Tournament
from tournaments.plan import ENDLESS
from tournaments.public import corrections
from tournaments.public.live import Playing
from tournaments.public.matches import Match, match_of, matches_of
from tournaments.public.names import Entrant, Links, entrant
from tournaments.round_names import round_name, round_words
from tournaments.stage_state import RoundState, StageState
from web.text import several

A_PAGE = 40
"""Results on one page."""
AT_ONCE = 60
"""Tables up to which every round of a stage is on one page."""

_OUT = {
    "bye": gettext_noop("Bye"),
    "half_bye": gettext_noop("Half-point bye"),
    "zero_bye": gettext_noop("Zero-point bye"),
    "withdrawn": gettext_noop("Left"),
}
NOT_PLAYING = gettext_noop("Not playing")


@dataclass(frozen=True)
class Out:
    """Who does not play in a round, and why."""

    entrants: tuple[Entrant, ...]
    words: str


@dataclass(frozen=True)
class Listed:
    """A round with its tables."""

    anchor: str
    number: int
    name: str
    remark: str
    starts_at: datetime | None
    deadline_at: datetime | None
    matches: tuple[Match, ...]
    out: tuple[Out, ...]


@dataclass(frozen=True)
class Chosen:
    """A stage with the rounds that are shown, and those there are to choose from."""

    stage: Stage
    rounds: tuple[Listed, ...]
    numbers: tuple[tuple[int, str], ...]
    """Number and name of every round, where one has to choose; else nothing."""
    number: int
    note: str


def current_stage(stages: Sequence[Stage]) -> Stage | None:
    """The stage that is under way, else the last that was, else the first."""
    running = [one for one in stages if one.status == Stage.Status.RUNNING]
    over = [one for one in stages if one.status == Stage.Status.OVER]
    found = running or over[-1:] or list(stages[:1])
    return found[0] if found else None


def schedule(
    state: StageState, entrants: Mapping[int, Entrant], links: Links, *, live: Playing, number: int | None = None
) -> Chosen:
    """The rounds of a stage; of a big one a single round: that of this number, else the one being played."""
    rounds = state.rounds
    is_big = sum(len(one.tables) for one in rounds) > AT_ONCE and len(rounds) > 1
    known = {one.row.number for one in rounds}
    chosen = number if number is not None and number in known else _current(rounds)
    shown = [one for one in rounds if not is_big or one.row.number == chosen]
    changed = corrections.corrected(state.stage)
    listed = tuple(_round(one, state, entrants, links, live, changed) for one in shown)
    numbers = tuple((one.row.number, _title(state, one.row.name)) for one in rounds) if is_big else ()
    return Chosen(state.stage, listed, numbers, chosen, _note(state))


def _current(rounds: Sequence[RoundState]) -> int:
    """The number of the first round that is not over, else of the last."""
    unfinished = [one.row.number for one in rounds if one.row.status != Round.Status.CLOSED]
    return unfinished[0] if unfinished else rounds[-1].row.number if rounds else 0


def _note(state: StageState) -> str:
    """What is said where nothing is drawn, or more is to come."""
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
    one: RoundState,
    state: StageState,
    entrants: Mapping[int, Entrant],
    links: Links,
    live: Playing,
    changed: set[int],
) -> Listed:
    tables = [table for table in one.tables if table.row.status != Pairing.Status.IDLE]
    idle = [table for table in one.tables if table.row.status == Pairing.Status.IDLE and table.known]
    out: dict[str, list[Entrant]] = {}
    for row in one.sit_outs:
        if row.entry_id in entrants:
            out.setdefault(row.kind, []).append(entrants[row.entry_id])
    for table in idle:
        out.setdefault("bye", []).extend(entrants[state.entries[at].entry_id] for at in table.known)
    return Listed(
        anchor=f"round-{one.row.number}",
        number=one.row.number,
        name=_title(state, one.row.name),
        remark=_remark(one),
        starts_at=one.row.starts_at,
        deadline_at=None if one.is_complete else one.row.deadline_at,
        matches=matches_of(tables, entrants, links, state.stage.number, live=live, corrected=changed),
        out=tuple(Out(tuple(members), gettext(_OUT.get(kind, NOT_PLAYING))) for kind, members in out.items()),
    )


def _title(state: StageState, name: str) -> str:
    """What a round is called as a heading."""
    return round_name(knockout.round_title(expected_rounds.bracket(state), name) if state.plan.is_bracket else name)


def _remark(one: RoundState) -> str:
    playing = [table for table in one.tables if table.row.status != Pairing.Status.IDLE]
    done = sum(not table.row.is_open for table in playing)
    if not playing:
        return ""
    if done == len(playing):
        return gettext("finished")
    if not done:
        return several(len(playing), "table")
    return gettext("%(done)s of %(tables)s finished") % {"done": done, "tables": several(len(playing), "table")}


# Results as they come


@dataclass(frozen=True)
class Result:
    """A match that is over, with its round and stage."""

    match: Match
    round: str
    stage: str
    done_at: datetime | None


def results(tournament: Tournament, links: Links, page: str | None) -> tuple[Page[Pairing], tuple[Result, ...]]:
    """A page of the results of an event, the latest first: a fixed number of queries."""
    done = Pairing.objects.filter(round__stage__tournament=tournament, status=Pairing.Status.DONE)
    rows = done.select_related("round__stage").prefetch_related(
        Prefetch("places", Place.objects.select_related("entry"))
    )
    found = Paginator(rows.order_by("-done_at", "-pk"), A_PAGE).get_page(page)
    pairings = list(found)
    changed = corrections.corrected_among(one.pk for one in pairings)
    return found, tuple(_result(one, links, changed) for one in pairings)


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
