"""API views for tonight: what is on, scores that are typed, people here, and publishing. Acts and budgets are the page’s."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import inside_view, post_view
from clubs.models import Club
from clubs.tonight import grid, running
from clubs.tonight.grid import Grid, Row, Side
from clubs.tonight.page import Night
from clubs.tonight.running import Keys
from clubs.tonight.typing import type_row, why_not
from gameplay.api.base import digest, player, read
from gameplay.api.tables import answer
from tournaments.services.matches import typed_scores
from web.errors import Refused


def night_of(request: Request, club: Club) -> Night:
    """Tonight for the sender. Raises `NotAllowed` for people who enter no results."""
    night = Night(club, player(request), timezone.now())
    if not night.sections:
        access.check(night.reader, club, "results")
    return night


@inside_view("", response_serializers.TonightShape, name="clubs_tonight_retrieve")
def tonight(request: Request, club: Club) -> Response:
    """The events and matchdays that are on, with their tables and people; for everyone who enters their results."""
    return answer(request, response_serializers.TonightShape, _night(night_of(request, club)))


@post_view("clubs_run", response_serializers.TonightShape, takes=request_serializers.TypedResults)
def type_results(request: Request, club: str) -> Response:
    """Type scores of tables. What is wrong with one has a `problem`, the others are kept; nothing is published."""
    night = night_of(request, access.open_club(club))
    form = read(request_serializers.TypedResults, request.data)
    marked: dict[int, Row] = {}
    for typed in form["results"]:
        row = grid.by_pk(night.grids, typed["match"])
        if row is None:
            raise Refused("no_match", gettext("This match no longer exists. It was probably redrawn."))
        if not row.can_type or len(typed["scores"]) != len(row.sides):
            words = gettext("A result has one score for each side of the match.") if row.can_type else why_not(row)
            row.state, row.words = "bad" if row.can_type else row.state, words
            marked[row.pk] = row
            continue
        texts = ["" if score is None else str(score) for score in typed["scores"]]
        fresh = type_row(night, row, texts, known=typed["version"], is_kept=typed["is_kept"])
        if fresh.doubts or fresh.conflict:
            marked[row.pk] = fresh
    return answer(request, response_serializers.TonightShape, _night(night, marked))


@post_view("clubs_run", response_serializers.TonightDone, takes=request_serializers.PublishTonight)
def publish(request: Request, club: str) -> Response:
    """Publish every complete result: an act for each event, with one undo each.

    When the last result of tonight is in and you write newsletters, the newsletter is drafted as `newsletter`.
    """
    night = night_of(request, access.open_club(club))
    form = read(request_serializers.PublishTonight, request.data)
    return _done(request, night, running.publish(night, _keys(request, form)))


@post_view("clubs_run", response_serializers.TonightDone, takes=request_serializers.PeopleHere)
def people(request: Request, club: str) -> Response:
    """Mark everybody of an evening here but those absent: one act."""
    night = night_of(request, access.open_club(club))
    form = read(request_serializers.PeopleHere, request.data)
    keys = _keys(request, form)
    return _done(request, night, running.mark(night, form["event"], form["absent"], keys("people")).sentence)


def _keys(request: Request, form: Mapping[str, Any]) -> Keys:
    """The keys of the acts of a request: one key of a program is another for each of them."""
    sent = form.get("key")
    return lambda part: digest(f"{player(request).pk}:{sent}:{request.path}:{part}") if sent else None


def _done(request: Request, night: Night, sentence: str) -> Response:
    night.refresh()
    return answer(request, response_serializers.TonightDone, {"sentence": sentence, "tonight": _night(night)})


def _night(night: Night, marked: Mapping[int, Row] | None = None) -> dict[str, Any]:
    newsletter = night.newsletter if night.published and running.may_write(night) else None
    return {
        "is_ahead": night.is_ahead,
        "events": [_event(night, each, marked or {}) for each in night.grids],
        "ready": sum(row.state == "in" for row in night.rows),
        "published": night.published.count if night.published else 0,
        "share": night.share_text if night.published else "",
        "newsletter": newsletter.pk if newsletter is not None else None,
    }


def _event(night: Night, each: Grid, marked: Mapping[int, Row]) -> dict[str, Any]:
    section = each.section
    rolls = [roll for roll in night.rolls if roll.section.event.pk == section.event.pk]
    return {
        "id": section.event.pk,
        "event": section.event.slug,
        "title": section.title,
        "is_matchday": section.is_matchday,
        "tables": [_table(marked.get(row.pk, row)) for row in each.rows],
        "later": [_table(row) for row in each.off],
        "people": [
            {"id": entry.pk, "name": entry.name, "is_here": entry.is_here, "remarks": list(remarks)}
            for roll in rolls
            for entry, _, remarks in roll.lines
        ],
    }


def _table(row: Row) -> dict[str, Any]:
    count = len(row.side_names)
    boards: list[int | None] = [label for label in row.labels for _ in range(count)]
    boards = boards or [None] * len(row.sides)
    sides = [_side(side, board) for side, board in zip(row.sides, boards, strict=True)]
    return {
        "match": row.pk,
        "number": row.number,
        "state": row.state,
        "words": row.conflict.sentence if row.conflict is not None else row.words,
        "version": row.version,
        "sides": sides,
    }


def _side(side: Side, board: int | None) -> dict[str, Any]:
    problem = side.error or (side.doubt.sentence if side.doubt is not None else "")
    try:
        score = typed_scores.read_score(side.score)
    except Refused:
        score = None
    return {"names": side.names, "board": board, "score": score, "problem": problem}
