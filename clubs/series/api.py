"""API views for series: how they count, their standings, and their acts."""

from typing import Any

from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.api import response_serializers
from clubs.api.base import declared_view, inside_view, read_view, reader
from clubs.models import Club, Series
from clubs.public.lookups import first_or_404
from clubs.series import evenings, services
from clubs.series.evenings import Evening
from clubs.series.standings import Row, board, rule_words
from gameplay.api.tables import answer


@read_view(response_serializers.SeriesList, name="clubs_series_list")
def all_series(request: Request, club: str) -> Response:
    """The series of a club: standings over its evenings."""
    rows = Series.objects.filter(club=access.open_club(club))
    return answer(request, response_serializers.SeriesList, {"series": [_line(series) for series in rows]})


def _line(series: Series) -> dict[str, Any]:
    names = ("slug", "name", "first_day", "last_day", "measure", "way", "number")
    return {**{name: getattr(series, name) for name in names}, "rule": rule_words(series)}


@read_view(response_serializers.WholeSeries, name="clubs_series_retrieve")
def series(request: Request, club: str, series: str) -> Response:
    """A series with its standings. Only members can see those with evenings for members only."""
    this_club = access.open_club(club)
    this_series = series_of(this_club, series)
    evenings.check_readable(this_series, inside=bool(access.role_of(reader(request), this_club)))
    standings = board(this_series)
    data = {
        **_line(this_series),
        "evenings": [_evening(each) for each in standings.evenings],
        "standings": [_person(row) for row in standings.rows],
    }
    return answer(request, response_serializers.WholeSeries, data)


def _evening(evening: Evening) -> dict[str, Any]:
    event = evening.event
    values = {"id": event.pk, "slug": event.slug, "name": event.name, "day": evening.day}
    return {**values, "is_within": evening.is_within, "is_counted": evening.is_counted}


def _person(row: Row) -> dict[str, Any]:
    return {
        "rank": row.line.rank,
        "name": row.name,
        "total": float(row.line.total),
        "evenings": [None if value is None else float(value) for value in row.line.values],
        "dropped": [at for at, cell in enumerate(row.cells) if cell.is_dropped],
    }


@inside_view("leagues", response_serializers.SeriesChoice, name="clubs_series_evenings")
def could_count(request: Request, club: Club, series: str) -> Response:
    """Finished events of the club that could count, and whether they do."""
    rows = evenings.candidates(series_of(club, series))
    return answer(request, response_serializers.SeriesChoice, {"evenings": [_evening(each) for each in rows]})


def series_of(club: Club, series: str) -> Series:
    """A series of the club. Raises `Http404`."""
    rows = Series.objects.filter(club=club, slug=series).select_related("club")
    return first_or_404(rows, gettext("Series not found."))


make = declared_view(services.make)
change = declared_view(services.change, find=series_of)
choose = declared_view(services.choose, find=series_of)
delete = declared_view(services.delete, find=series_of)
