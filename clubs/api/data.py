"""API views for data: import of past seasons from a spreadsheet, import and export of whole clubs."""

import hashlib
from tempfile import TemporaryFile
from typing import Any

from django.http import FileResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, parser_classes, permission_classes
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import needs
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Action, Form, LongJson, act, inside_view, made_by, preview_view
from clubs.api.clubs import club_data
from clubs.api.seasons import find
from clubs.imports import archive
from clubs.imports.season import Order, Sheet, read_season
from clubs.models import Act, Club
from clubs.public.league import league_of
from clubs.services import club_archive
from clubs.services.history import ActionRequest
from clubs.services.seasons import past_seasons
from clubs.services.seasons.past_seasons import Preview, Wishes
from gameplay.api.base import player, read
from gameplay.api.large_bodies import takes
from gameplay.api.limits import Json
from gameplay.api.tables import answer
from tournaments.api.base import action_request


@inside_view("data", response_serializers.DataState, name="clubs_data_retrieve")
def data(request: Request, club: Club) -> Response:
    """The last export of the club, and imported seasons corrected since then."""
    export = Act.objects.filter(club=club, kind="taken").first()
    corrected = [
        {"league": season.league.slug, "season": season.slug, "name": str(season)}
        for season in past_seasons.corrected_seasons(club)
    ]
    last = None if export is None else {"at": export.at, "by": export.name}
    return answer(request, response_serializers.DataState, {"last_taken": last, "corrected": corrected})


# Past seasons

_EXAMPLE = {
    "table": "season;division;matchday;date;home;away;home score;away score\n"
    "2024/25;Premier;1;2024-09-12;Okafor / Bell;Lund / Arai;8720;7940\n",
    "league_name": "Harbour League",
    "divisions": ["Premier"],
}


@preview_view(
    "data", response_serializers.PastOutlook, takes=request_serializers.PastSeasons, parser=LongJson, example=_EXAMPLE
)
def preview_seasons(request: Request, action: Action, form: Form) -> Response:
    """Preview an import of past seasons, or list the problems of the file, line by line. Nothing is saved."""
    sheet = _sheet(form)
    outlook = None
    if not sheet.problems:
        outlook = past_seasons.preview_import(action.club.pk, action.by, sheet=sheet, wishes=_wishes(action.club, form))
    return answer(request, response_serializers.PastOutlook, {**_read(sheet), **_preview(outlook)})


@act("data", request_serializers.BringSeasons, parser=LongJson, example={**_EXAMPLE, "key": "2024-25"})
def import_seasons(action: Action, form: Form) -> Act:
    """Import past seasons, closed, with every result, final places and honours. Can be undone as a whole."""
    wishes = _wishes(action.club, form)
    return past_seasons.import_seasons(action.club.pk, action.by, sheet=_sheet(form), wishes=wishes, **action.how)


def _sheet(form: Form) -> Sheet:
    return read_season(form["table"], order=Order(form["dates"]), levels=form["divisions"])


def _wishes(club: Club, form: Form) -> Wishes:
    version = form.get("house_rules")
    return Wishes(
        league_id=league_of(club, form["league"]).pk if "league" in form else None,
        league_name=form["league_name"],
        kind=form["kind"],
        preset="" if version else form["ruleset"],
        rules_version_id=version,
        plan={name: form[name] for name in ("win", "draw", "loss")},
        adds_people=form["adds_people"],
    )


def _read(sheet: Sheet) -> dict[str, Any]:
    names = ("lines", "encoding", "is_ambiguous")
    return {
        **{name: getattr(sheet, name) for name in names},
        "can_bring": not sheet.problems,
        "unknown": list(sheet.unknown),
        "problems": [{"line": problem.line, "sentence": problem.sentence} for problem in sheet.problems],
    }


def _preview(outlook: Preview | None) -> dict[str, Any]:
    names = ("known", "new", "people", "doubtful")
    if outlook is None:
        return {"seasons": [], "matches": 0, **{name: [] for name in names}}
    columns = ("place", "name", "is_new", "played", "won", "drawn", "lost", "difference", "points")
    seasons = [
        {
            "season": season,
            "tables": [
                {"division": name, "rows": [{each: getattr(row, each) for each in columns} for row in rows]}
                for name, rows in divisions
            ],
        }
        for season, divisions in outlook.seasons
    ]
    return {"seasons": seasons, "matches": outlook.matches, **{name: list(getattr(outlook, name)) for name in names}}


@act("data", find=find)
def rerank(action: Action, form: Form) -> Act:
    """Work out the final places of an imported season again, after corrections of its results."""
    return past_seasons.recalculate_places(action.row.pk, action.by, **action.how)


# Whole clubs

_CODES = dict.fromkeys((400, 401, 403, 404, 413, 415, 422, 429), response_serializers.ClubRefusal)


@extend_schema(
    request=request_serializers.TakeClubAway, responses={(200, "application/zip"): OpenApiTypes.BINARY, **_CODES}
)
@api_view(["POST"])
@permission_classes([needs("clubs_run")])
def export_club(request: Request, club: str) -> FileResponse:
    """Export the whole club as one file. The history shows the export."""
    by = player(request)
    this_club = access.club_for(by, club, "data")
    form = read(request_serializers.TakeClubAway, request.data)
    how: ActionRequest = action_request(request, Act.objects.filter(club=this_club), form)
    file = TemporaryFile()  # noqa: SIM115  the response closes it
    club_archive.export_club(this_club.pk, by, file, **how)
    file.seek(0)
    name = f"{this_club.slug}-{timezone.localdate():%Y-%m-%d}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


@takes(archive.MOST_SENT)
@extend_schema(
    request={"multipart/form-data": request_serializers.BringClub},
    responses={201: response_serializers.WholeClub, **_CODES},
)
@api_view(["POST"])
@permission_classes([needs("clubs_run")])
@parser_classes([MultiPartParser, Json])
def import_club(request: Request) -> Response:
    """Create a club from an exported file, with everything in it, and become its owner."""
    form = read(request_serializers.BringClub, request.data)
    file = form["file"].file
    by = player(request)
    how = action_request(request, made_by(request, "brought"), form, sent=_sent(form))
    names = ("slug", "own_name")
    values = {name: form[name] for name in names} | {"request_key": how.get("request_key")}
    club = club_archive.import_club(by, file, **values)
    return answer(request, response_serializers.WholeClub, club_data(club, by), status=201)


def _sent(form: Form) -> list[str]:
    """The content of a form with a file, to recognise a repeated request."""
    digest = hashlib.sha256()
    for part in form["file"].chunks():
        digest.update(part)
    return [form["slug"], form["own_name"], digest.hexdigest()]
