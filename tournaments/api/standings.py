"""API views for results so far: rounds, standings and brackets."""

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
from tournaments import access, stage_standings, ties
from tournaments.api import facts, response_serializers
from tournaments.api.base import read_view, reader
from tournaments.lookups import round_of, stage_of
from tournaments.models import Pairing, Round, SitOut, Stage
from tournaments.public import bracket as drawn_bracket
from tournaments.public import possible_ranks, recent_form, tie_text, tiebreak_text
from tournaments.public.names import Entrant, entrants_of, links_of
from tournaments.public.recent_form import Tally
from tournaments.public.standings import in_order
from tournaments.round_names import round_name
from tournaments.stage_state import StageState, load

# Rounds


@read_view(response_serializers.Rounds, name="events_rounds_list")
def rounds(request: Request, event: str, stage: int) -> Response:
    """The drawn rounds of a stage, and their progress."""
    stage_ = stage_of(access.open_event(reader(request), event), stage)
    data = [_round(round_) for round_ in _with_counts(Round.objects.filter(stage=stage_))]
    return answer(request, response_serializers.Rounds, {"rounds": data, "version": stage_.tournament.version})


@read_view(response_serializers.WholeRound, name="events_rounds_retrieve")
def round(request: Request, event: str, stage: int, round: int) -> Response:
    """A round with its pairings, tables and byes."""
    tournament = access.open_event(reader(request), event)
    round_ = _with_counts(Round.objects.filter(pk=round_of(tournament, stage, round).pk)).get()
    outs = SitOut.objects.filter(round=round_).select_related("entry")
    data = {
        **_round(round_),
        "matches": facts.matches(facts.with_places(Pairing.objects.filter(round=round_).order_by("number"))),
        "sit_outs": [
            {"entry": out.entry.number, "name": out.entry.name, "kind": out.kind, "points": out.points} for out in outs
        ],
        "version": tournament.version,
    }
    return answer(request, response_serializers.WholeRound, data)


def _with_counts(rows: QuerySet[Round]) -> QuerySet[Round]:
    """Rounds with the number of their tables, and of those that are open."""
    played = ~Q(pairings__status=Pairing.Status.IDLE)
    is_open = played & ~Q(pairings__status=Pairing.Status.DONE)
    return rows.annotate(tables=Count("pairings", filter=played), open=Count("pairings", filter=is_open))


def _round(round_: Round) -> dict[str, Any]:
    names = ("number", "status", "is_fixed", "starts_at", "deadline_at")
    counts = {name: vars(round_)[name] for name in ("tables", "open")}
    return {"name": round_name(round_.name), **{name: getattr(round_, name) for name in names}, **counts}


# Standings


@read_view(response_serializers.Standings, name="events_standings_retrieve")
def standings(request: Request, event: str, stage: int) -> Response:
    """The standings of a stage: every tie-break with its value, reasons for the order, possible ranks."""
    stage_ = stage_of(access.open_event(reader(request), event), stage)
    state = load(stage_, stage_.tournament)
    is_knockout = state.plan.is_bracket or state.plan.format == "pod_knockout"
    tables = [_places(state)] if is_knockout else _tables(state)
    names = () if is_knockout or state.plan.format == "ladder" else state.plan.tiebreaks
    tiebreaks = [{"name": name, "title": NAMES[name][0], "explanation": NAMES[name][1]} for name in names]
    following = Stage.objects.filter(tournament=stage_.tournament, number__gt=stage).order_by("number").first()
    text = tie_text.tie_text(state, following)
    data = {
        "tiebreaks": tiebreaks,
        "tables": tables,
        "question": text.question,
        "lots": [{"number": lot.number, "key": lot.key} for lot in text.lots],
        "version": stage_.tournament.version,
    }
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
        place = {
            "rank": row.rank if (has_begun or is_ladder) and not row.is_removed else None,
            "points": None if is_ladder else row.points,
            "values": values,
            "is_removed": row.is_removed,
            "by": ties.by_words(row.by),
        }
        lines.append({**_line(state, row.entry, tallies, spans.get(row.entry)), **place})
    reasons = [{"upper": why.upper.number, "lower": why.lower.number, "sentence": _sentence(why)} for why in whys]
    return {"group": group, "lines": lines, "whys": reasons}


def _sentence(why: tiebreak_text.Why) -> str:
    """`Okafor / Bell is ahead of Dvořák on Buchholz, 14 to 12½; both have 16 points.`"""
    if not why.words:
        words = gettext(
            "%(upper)s and %(lower)s share the place: both have %(points)s and are tied on every tie-break."
        )
    else:
        words = gettext("%(upper)s is ahead of %(lower)s %(why)s. Both have %(points)s.")
    return words % {"upper": why.upper.name, "lower": why.lower.name, "points": why.points, "why": why.words}


def _places(state: StageState) -> dict[str, Any]:
    """The places of a knockout: certain for entries that are out, else a range."""
    tallies = recent_form.tallies(state)
    spans = possible_ranks.of(state, ()) if len(state.entries) > 1 else {}
    order = sorted(state.entries, key=lambda at: (*spans.get(at, (0, 0))[::-1], at))
    blank: dict[str, Any] = {"points": None, "values": [], "is_removed": False}
    by = {place.entry: ties.by_words(place.by) for place in stage_standings.ranking(state)} if state.rounds else {}
    lines = []
    for at in order:
        best, worst = spans.get(at, (None, None))
        is_certain = best is not None and best == worst
        lines.append(
            {
                **_line(state, at, tallies, spans.get(at)),
                **blank,
                "rank": best if is_certain else None,
                "by": by.get(at, ""),
            }
        )
    return {"group": 0, "lines": lines, "whys": []}


def _line(state: StageState, at: int, tallies: Mapping[int, Tally], span: possible_ranks.Span | None) -> dict[str, Any]:
    """The fields of an entry in any standings."""
    part, tally = state.entries[at], tallies[at]
    best, worst = span or (None, None)
    return {
        "entry": part.entry.number,
        "name": part.entry.name,
        "seed": at,
        **{name: getattr(tally, name) for name in ("played", "won", "drawn", "lost")},
        "best": best,
        "worst": worst,
        "last_round": part.last_round,
    }


# Brackets


@read_view(response_serializers.BracketShape, name="events_bracket_retrieve")
def bracket(request: Request, event: str, stage: int) -> Response:
    """A bracket as drawn: its rounds from left to right, and its matches."""
    tournament = access.open_event(reader(request), event)
    stage_ = stage_of(tournament, stage)
    state = load(stage_, tournament)
    if not state.plan.is_bracket or stage_.status == Stage.Status.WAITING:
        raise Http404(gettext("There is no bracket to show."))
    links = links_of(tournament)
    drawn = drawn_bracket.drawn(state, entrants_of(state, links), links, live={}, corrected=())
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
    rows = facts.with_places(Pairing.objects.filter(round__stage=stage_).order_by("round__number", "number"))
    data = {
        "halves": halves,
        "third_place": drawn.third.name if drawn.third else None,
        "matches": facts.matches(rows),
        "version": tournament.version,
    }
    return answer(request, response_serializers.BracketShape, data)
