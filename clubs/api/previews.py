"""Doors that look ahead in a season: what waits for its organiser, and what the next big act would do."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api import request_serializers, response_serializers
from clubs.api.base import Asked, Form, look_inside, outlook
from clubs.api.matches import shown
from clubs.api.seasons import find, next_places, season_of, team_ids
from clubs.models import Club, Season, Team
from clubs.organiser import season as desks
from clubs.public.fixtures import Shown
from clubs.services.seasons import cup_seeds, cups, next_season, season_close, season_draw, season_plans, season_setup
from clubs.services.seasons.next_season import Move
from gameplay.api.tables import answer


@look_inside("results", response_serializers.SeasonDesk, name="clubs_season_desk_retrieve")
def desk(request: Request, club: Club, league: str, season: str) -> Response:
    """Tasks for an organiser in a season under way, and the progress of each division."""
    row = season_of(club, league, season)
    found = desks.running(row, season_plans.divisions_of(row))
    names = ("disputed", "reported", "proposed", "overdue")
    waits: dict[str, tuple[Shown, ...]] = {name: getattr(found, name) for name in names}
    data = {
        "divisions": [
            {
                "division": one.division.name,
                "level": one.division.level,
                "left": one.left,
                "matchday": one.current.number if one.current else None,
            }
            for one in found.divisions
        ],
        **{name: [shown(each.match) for each in rows] for name, rows in waits.items()},
        "matchdays": list(found.matchdays),
    }
    return answer(request, response_serializers.SeasonDesk, data)


@look_inside("leagues", response_serializers.DrawOutlook, name="clubs_draw_retrieve")
def draw(request: Request, club: Club, league: str, season: str) -> Response:
    """Whether a draft can be drawn, with obstacles, warnings and a preview of the fixtures."""
    row = season_of(club, league, season)
    season_setup.check_draft(row)
    seen = season_draw.preview(row)
    data = {
        "can_do": seen.can_draw,
        "wrong": list(seen.wrong),
        "notes": list(seen.notes),
        "divisions": [_planned(one) for one in seen.divisions],
    }
    return answer(request, response_serializers.DrawOutlook, data)


def _planned(one: season_draw.DrawnDivision) -> dict[str, Any]:
    names = ("number", "first_day", "last_day", "moved")
    return {
        "division": one.division.name,
        "level": one.division.level,
        "teams": [row.team.number for row in one.order],
        "matchdays": [
            {
                **{name: getattr(day, name) for name in names},
                "matches": [
                    {"home": match.home.number, "away": match.away.number, "clashes": list(match.clashes)}
                    for match in day.matches
                ],
                "byes": [team.number for team in day.byes],
            }
            for day in one.days
        ],
    }


@look_inside("leagues", response_serializers.CloseOutlook, name="clubs_close_retrieve")
def close(request: Request, club: Club, league: str, season: str) -> Response:
    """Obstacles to closing a season, with honours and final places by the current standings."""
    seen = season_close.preview(season_of(club, league, season))
    names = ("place", "is_shared", "note")
    data = {
        "can_do": seen.can_close,
        "wrong": list(seen.waits_for),
        "notes": [f"{one.team}: {one.title}" for one in seen.honours],
        "divisions": [
            {
                "division": division.name,
                "level": division.level,
                "rows": [
                    {
                        "team": row.entry.team.number,
                        "name": row.entry.team.name,
                        **{name: getattr(row, name) for name in names},
                    }
                    for row in rows
                ],
            }
            for division, rows in seen.divisions
        ],
    }
    return answer(request, response_serializers.CloseOutlook, data)


@look_inside("leagues", response_serializers.PlayoffBorders, name="clubs_playoffs_retrieve")
def playoffs(request: Request, club: Club, league: str, season: str) -> Response:
    """Possible play-offs, and their teams by the current standings."""
    row = season_of(club, league, season)
    divisions = season_plans.divisions_of(row)
    names = [gettext("The championship")]
    names += [
        gettext("Between %(upper)s and %(lower)s") % {"upper": divisions[at - 1], "lower": divisions[at]}
        for at in range(1, len(divisions))
    ]
    borders = [{"border": at, "name": name, "candidates": _candidates(row, at)} for at, name in enumerate(names)]
    return answer(request, response_serializers.PlayoffBorders, {"borders": borders})


def _candidates(season: Season, border: int) -> list[dict[str, Any]]:
    return [
        {"team": one.team.number, "name": one.team.name, "division": one.division.name, "place": one.place}
        for one in cups.candidates(season, border)
    ]


@outlook(
    "leagues",
    response_serializers.CupSeeds,
    takes=request_serializers.CupLook,
    find=find,
    example={"teams": [3, 1, 2], "seeding": "table"},
)
def seeds(request: Request, asked: Asked, form: Form) -> Response:
    """Preview the seeding of these teams in a cup. Nothing is created."""
    ids = team_ids(asked.row, form["teams"])
    teams = Team.objects.in_bulk(ids)
    order = [teams[pk] for pk in cup_seeds.ordered(asked.row, ids, form["seeding"])]
    found = [{"seed": at, "team": team.number, "name": team.name} for at, team in enumerate(order, 1)]
    return answer(request, response_serializers.CupSeeds, {"seeds": found})


@outlook(
    "leagues",
    response_serializers.NextOutlook,
    takes=request_serializers.NextLook,
    find=find,
    example={"leaving": [4], "joining": [9]},
)
def following(request: Request, asked: Asked, form: Form) -> Response:
    """Preview the divisions of the next season, with reasons, if teams left, joined or moved. Nothing is created."""
    seen = next_season.preview(asked.row, **next_places(asked.row, form))
    data = {
        "can_do": seen.can_make,
        "wrong": list(seen.wrong),
        "notes": [],
        "divisions": [
            {"name": one.name, "size": one.size, "teams": [_move(each) for each in one.moves]} for one in seen.divisions
        ],
        "leaving": [_move(one) for one in seen.leaving],
    }
    return answer(request, response_serializers.NextOutlook, data)


def _move(one: Move) -> dict[str, Any]:
    return {"team": one.team.number, "name": one.team.name, "step": one.step, "why": one.why}
