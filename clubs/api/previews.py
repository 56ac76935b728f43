"""API views for previews of a season: tasks of its organiser, and the effect of the next big action."""

from typing import Any

from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api import request_serializers, response_serializers
from clubs.api.base import Action, Form, inside_view, preview_view
from clubs.api.matches import match_data
from clubs.api.seasons import find, next_places, season_of, team_ids
from clubs.models import Club, Season, Team
from clubs.organiser import season as desks
from clubs.public.fixtures import MatchRow
from clubs.services.seasons import cup_seeds, cups, next_season, season_close, season_draw, season_plans, season_setup
from clubs.services.seasons.next_season import Move
from gameplay.api.tables import answer


@inside_view("results", response_serializers.SeasonDesk, name="clubs_season_desk_retrieve")
def desk(request: Request, club: Club, league: str, season: str) -> Response:
    """Tasks for an organiser in a season under way, and the progress of each division."""
    this_season = season_of(club, league, season)
    desk = desks.running(this_season, season_plans.divisions_of(this_season))
    names = ("disputed", "reported", "proposed", "overdue", "later")
    waits: dict[str, tuple[MatchRow, ...]] = {name: getattr(desk, name) for name in names}
    data = {
        "divisions": [
            {
                "division": division.division.name,
                "level": division.division.level,
                "left": division.left,
                "matchday": division.current.number if division.current else None,
            }
            for division in desk.divisions
        ],
        **{name: [match_data(each.match) for each in rows] for name, rows in waits.items()},
        "matchdays": list(desk.matchdays),
    }
    return answer(request, response_serializers.SeasonDesk, data)


@inside_view("leagues", response_serializers.DrawOutlook, name="clubs_draw_retrieve")
def draw(request: Request, club: Club, league: str, season: str) -> Response:
    """Whether a draft can be drawn, with obstacles, warnings and a preview of the fixtures."""
    this_season = season_of(club, league, season)
    season_setup.check_draft(this_season)
    preview = season_draw.preview(this_season)
    data = {
        "can_do": preview.can_draw,
        "wrong": list(preview.wrong),
        "notes": list(preview.notes),
        "divisions": [_planned(division) for division in preview.divisions],
    }
    return answer(request, response_serializers.DrawOutlook, data)


def _planned(division: season_draw.DrawnDivision) -> dict[str, Any]:
    names = ("number", "first_day", "last_day", "moved")
    return {
        "division": division.division.name,
        "level": division.division.level,
        "teams": [team_entry.team.number for team_entry in division.order],
        "matchdays": [
            {
                **{name: getattr(day, name) for name in names},
                "matches": [
                    {"home": match.home.number, "away": match.away.number, "clashes": list(match.clashes)}
                    for match in day.matches
                ],
                "byes": [team.number for team in day.byes],
            }
            for day in division.days
        ],
    }


@inside_view("leagues", response_serializers.CloseOutlook, name="clubs_close_retrieve")
def close(request: Request, club: Club, league: str, season: str) -> Response:
    """Obstacles to closing a season, with honours and final places by the current standings."""
    preview = season_close.preview(season_of(club, league, season))
    names = ("place", "is_shared", "note")
    data = {
        "can_do": preview.can_close,
        "wrong": list(preview.waits_for),
        "notes": [f"{honour.team}: {honour.title}" for honour in preview.honours],
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
            for division, rows in preview.divisions
        ],
    }
    return answer(request, response_serializers.CloseOutlook, data)


@inside_view("leagues", response_serializers.PlayoffBorders, name="clubs_playoffs_retrieve")
def playoffs(request: Request, club: Club, league: str, season: str) -> Response:
    """Possible play-offs, and their teams by the current standings."""
    this_season = season_of(club, league, season)
    divisions = season_plans.divisions_of(this_season)
    names = [gettext("The championship")]
    names += [
        gettext("Between %(upper)s and %(lower)s") % {"upper": divisions[at - 1], "lower": divisions[at]}
        for at in range(1, len(divisions))
    ]
    borders = [{"border": at, "name": name, "candidates": _entrants(this_season, at)} for at, name in enumerate(names)]
    return answer(request, response_serializers.PlayoffBorders, {"borders": borders})


def _entrants(season: Season, border: int) -> list[dict[str, Any]]:
    return [
        {"team": entry.team.number, "name": entry.team.name, "division": entry.division.name, "place": entry.place}
        for entry in cups.candidates(season, border)
    ]


@preview_view(
    "leagues",
    response_serializers.CupSeeds,
    takes=request_serializers.CupLook,
    find=find,
    example={"teams": [3, 1, 2], "seeding": "table"},
)
def seeds(request: Request, action: Action, form: Form) -> Response:
    """Preview the seeding of these teams in a cup. Nothing is created."""
    ids = team_ids(action.row, form["teams"])
    teams = Team.objects.in_bulk(ids)
    order = [teams[pk] for pk in cup_seeds.seed_order(action.row, ids, form["seeding"])]
    seeds = [{"seed": at, "team": team.number, "name": team.name} for at, team in enumerate(order, 1)]
    return answer(request, response_serializers.CupSeeds, {"seeds": seeds})


@preview_view(
    "leagues",
    response_serializers.NextOutlook,
    takes=request_serializers.NextLook,
    find=find,
    example={"leaving": [4], "joining": [9]},
)
def following(request: Request, action: Action, form: Form) -> Response:
    """Preview the divisions of the next season, with reasons, if teams left, joined or moved. Nothing is created."""
    preview = next_season.preview(action.row, **next_places(action.row, form))
    data = {
        "can_do": preview.can_make,
        "wrong": list(preview.wrong),
        "notes": [],
        "divisions": [
            {"name": division.name, "size": division.size, "teams": [_move(each) for each in division.moves]}
            for division in preview.divisions
        ],
        "leaving": [_move(move) for move in preview.leaving],
    }
    return answer(request, response_serializers.NextOutlook, data)


def _move(move: Move) -> dict[str, Any]:
    return {"team": move.team.number, "name": move.team.name, "step": move.step, "why": move.why}
