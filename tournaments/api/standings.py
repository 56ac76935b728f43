"""Doors to what has come out so far: rounds, standings and brackets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from engine.compete.standings import Row
from engine.compete.tiebreaks import NAMES
from gameplay.api.tables import answer
from tournaments import access, stage_standings
from tournaments.api import facts, response_serializers
from tournaments.api.base import look, reader
from tournaments.lookups import round_of, stage_of
from tournaments.models import Pairing, Round, SitOut, Stage
from tournaments.public import bracket as drawn_bracket
from tournaments.public import possible_ranks, recent_form, tiebreak_text
from tournaments.public.names import Entrant, entrants_of, links_of
from tournaments.public.recent_form import Tally
from tournaments.public.standings import in_order
from tournaments.stage_state import StageState, load

# Rounds


@look(response_serializers.Rounds, name="events_rounds_list")
def rounds(request: Request, event: str, stage: int) -> Response:
    """The drawn rounds of a stage, and their progress."""
    row = stage_of(access.open_event(reader(request), event), stage)
    found = [_round(one) for one in _counted(Round.objects.filter(stage=row))]
    return answer(request, response_serializers.Rounds, {"rounds": found, "version": row.tournament.version})


@look(response_serializers.WholeRound, name="events_rounds_retrieve")
def round(request: Request, event: str, stage: int, round: int) -> Response:
    """A round with its pairings, tables and byes."""
    found = access.open_event(reader(request), event)
    row = _counted(Round.objects.filter(pk=round_of(found, stage, round).pk)).get()
    outs = SitOut.objects.filter(round=row).select_related("entry")
    data = {
        **_round(row),
        "matches": facts.matches(facts.with_places(Pairing.objects.filter(round=row).order_by("number"))),
        "sit_outs": [
            {"entry": one.entry.number, "name": one.entry.name, "kind": one.kind, "points": one.points} for one in outs
        ],
        "version": found.version,
    }
    return answer(request, response_serializers.WholeRound, data)


def _counted(rows: QuerySet[Round]) -> QuerySet[Round]:
    """With how many tables there are, and how many of them are open."""
    played = ~Q(pairings__status=Pairing.Status.IDLE)
    is_open = played & ~Q(pairings__status=Pairing.Status.DONE)
    return rows.annotate(tables=Count("pairings", filter=played), open=Count("pairings", filter=is_open))


def _round(row: Round) -> dict[str, Any]:
    names = ("number", "name", "status", "is_fixed", "starts_at", "deadline_at")
    counts = {name: vars(row)[name] for name in ("tables", "open")}
    return {**{name: getattr(row, name) for name in names}, **counts}


# Standings


@look(response_serializers.Standings, name="events_standings_retrieve")
def standings(request: Request, event: str, stage: int) -> Response:
    """The standings of a stage: every tie-break with its value, reasons for the order, possible ranks."""
    row = stage_of(access.open_event(reader(request), event), stage)
    state = load(row, row.tournament)
    is_knockout = state.plan.is_bracket or state.plan.format == "pod_knockout"
    tables = [_places(state)] if is_knockout else _tables(state)
    names = () if is_knockout or state.plan.format == "ladder" else state.plan.tiebreaks
    tiebreaks = [{"name": name, "title": NAMES[name][0], "explanation": NAMES[name][1]} for name in names]
    data = {"tiebreaks": tiebreaks, "tables": tables, "version": row.tournament.version}
    return answer(request, response_serializers.Standings, data)


def _tables(state: StageState) -> list[dict[str, Any]]:
    """The standings of a stage, or of each of its groups."""
    tallies, entrants = recent_form.tallies(state), entrants_of(state, links_of(state.stage.tournament))
    groups = range(1, state.plan.groups + 1) if state.plan.format == "groups" else (0,)
    return [_table(state, tallies, entrants, group) for group in groups]


def _table(
    state: StageState, tallies: Mapping[int, Tally], entrants: Mapping[int, Entrant], group: int
) -> dict[str, Any]:
    rows: Sequence[Row] = stage_standings.table(state, group=group)
    is_ladder = state.plan.format == "ladder"
    if is_ladder:
        rows = in_order(rows, stage_standings.ladder_order(state))
    has_begun = any(tallies[row.entry].played for row in rows)
    spans = possible_ranks.of(state, rows, group=group) if has_begun else {}
    whys = tiebreak_text.whys(state, rows, entrants) if has_begun and not is_ladder else ()
    lines = []
    for row in rows:
        values = [] if is_ladder else [{"name": name, "value": row.values.get(name)} for name in state.plan.tiebreaks]
        known = {
            "rank": row.rank if (has_begun or is_ladder) and not row.is_removed else None,
            "points": None if is_ladder else row.points,
            "values": values,
            "is_removed": row.is_removed,
        }
        lines.append({**_line(state, row.entry, tallies, spans.get(row.entry)), **known})
    told = [{"upper": one.upper.number, "lower": one.lower.number, "sentence": _sentence(one)} for one in whys]
    return {"group": group, "lines": lines, "whys": told}


def _sentence(one: tiebreak_text.Why) -> str:
    """`Okafor / Bell is ahead of Dvořák on Buchholz, 14 to 12½; both have 16 points.`"""
    if not one.words:
        words = gettext(
            "%(upper)s and %(lower)s share the place: both have %(points)s and are tied on every tie-break."
        )
    else:
        words = gettext("%(upper)s is ahead of %(lower)s %(why)s. Both have %(points)s.")
    return words % {"upper": one.upper.name, "lower": one.lower.name, "points": one.points, "why": one.words}


def _places(state: StageState) -> dict[str, Any]:
    """The places of a knockout: certain for who is out, else a range."""
    tallies = recent_form.tallies(state)
    spans = possible_ranks.of(state, ()) if len(state.entries) > 1 else {}
    order = sorted(state.entries, key=lambda at: (*spans.get(at, (0, 0))[::-1], at))
    known: dict[str, Any] = {"points": None, "values": [], "is_removed": False}
    lines = []
    for at in order:
        best, worst = spans.get(at, (None, None))
        is_certain = best is not None and best == worst
        lines.append({**_line(state, at, tallies, spans.get(at)), **known, "rank": best if is_certain else None})
    return {"group": 0, "lines": lines, "whys": []}


def _line(state: StageState, at: int, tallies: Mapping[int, Tally], span: possible_ranks.Span | None) -> dict[str, Any]:
    """What is said of an entry in any standings."""
    own, tally = state.entries[at], tallies[at]
    best, worst = span or (None, None)
    return {
        "entry": own.entry.number,
        "name": own.entry.name,
        "seed": at,
        **{name: getattr(tally, name) for name in ("played", "won", "drawn", "lost")},
        "best": best,
        "worst": worst,
        "last_round": own.last_round,
    }


# Brackets


@look(response_serializers.BracketShape, name="events_bracket_retrieve")
def bracket(request: Request, event: str, stage: int) -> Response:
    """A bracket as it is drawn: its rounds from left to right, and its matches."""
    found = access.open_event(reader(request), event)
    row = stage_of(found, stage)
    state = load(row, found)
    if not state.plan.is_bracket or row.status == Stage.Status.WAITING:
        raise Http404(gettext("There is no bracket to show."))
    drawn = drawn_bracket.drawn(state, entrants_of(state, links_of(found)), links_of(found), live={}, corrected=())
    halves = [
        {
            "name": half.anchor,
            "title": half.title,
            "columns": [
                {
                    "name": column.anchor.upper(),
                    "title": column.title,
                    "remark": column.remark,
                    "matches": [box.name if box else None for box in column.boxes],
                }
                for column in half.columns
            ],
        }
        for half in drawn.halves
    ]
    rows = facts.with_places(Pairing.objects.filter(round__stage=row).order_by("round__number", "number"))
    data = {
        "halves": halves,
        "third_place": drawn.third.name if drawn.third else None,
        "matches": facts.matches(rows),
        "version": found.version,
    }
    return answer(request, response_serializers.BracketShape, data)
