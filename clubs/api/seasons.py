"""API views for seasons: tables, fixtures, setup, draw, close, and the next season."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Action, Form, act, read_view, reader
from clubs.api.matches import match_data
from clubs.house_rules.page import ref_of
from clubs.league import fixtures, permissions
from clubs.league import table as tables_of
from clubs.models import Act, Blackout, Club, Honour, League, Season, SeasonEntry, SeasonEvent, Team
from clubs.public import league
from clubs.public.lookups import first_or_404
from clubs.public.page_context import Visit
from clubs.services.leagues import matchday_edits
from clubs.services.seasons import cups, next_season, season_close, season_draw, season_setup
from gameplay.api.tables import answer
from web.errors import Refused

# Reading


def season_line(season: Season) -> dict[str, Any]:
    """A season in a list; its league and club must be known."""
    names = ("slug", "number", "name", "status", "starts_on", "closed_at")
    url = f"{settings.SITE_URL}{season.get_absolute_url()}"
    return {"id": season.pk, **{name: getattr(season, name) for name in names}, "url": url}


def honours(rows: QuerySet[Honour]) -> list[dict[str, Any]]:
    """Honours as data: one query."""
    return [
        {
            "season": honour.season.slug,
            "team": honour.team.number,
            "name": honour.team.name,
            "title": honour.words,
            "place": honour.place,
        }
        for honour in rows.select_related("season", "team")
    ]


def _read(request: Request, club: str, name: str, season: str) -> Season:
    """A season that the reader can see. Raises `Http404`."""
    return league.season_of(Visit(reader(request), access.open_club(club)), name, season)


@read_view(response_serializers.WholeSeason, name="clubs_seasons_retrieve")
def season(request: Request, club: str, league: str, season: str) -> Response:
    """A season with its divisions, cups and days off."""
    this_season = _read(request, club, league, season)
    names = ("settings", "days", "play_days", "plays_at", "swaps_sides", "up", "down")
    teams = _teams_of(this_season)
    data = {
        **season_line(this_season),
        **{name: getattr(this_season, name) for name in names},
        "ruleset": this_season.rules.name,
        "house_rules": ref_of(this_season.rules_version) if this_season.rules_version else None,
        "rules": this_season.rules_json,
        "plan": this_season.plan_json,
        "divisions": [
            {
                **{name: getattr(division, name) for name in ("level", "name", "size")},
                "id": division.pk,
                "event": division.tournament.slug if division.tournament else None,
                "teams": teams.get(division.pk, []),
            }
            for division in this_season.divisions.select_related("tournament")
        ],
        "events": [
            {
                **{name: getattr(event, name) for name in ("kind", "name", "border")},
                "id": event.pk,
                "event": event.tournament.slug,
            }
            for event in this_season.events.select_related("tournament")
        ],
        "days_off": [
            {
                **{name: getattr(blackout, name) for name in ("first_day", "last_day", "reason")},
                "id": blackout.pk,
                "team": blackout.team.number if blackout.team else None,
            }
            for blackout in this_season.blackouts.select_related("team")
        ],
        "honours": honours(Honour.objects.filter(season=this_season)),
    }
    return answer(request, response_serializers.WholeSeason, data)


def _teams_of(season: Season) -> dict[int, list[int]]:
    """Numbers of teams in the order of the draw, by id of the division."""
    numbers: dict[int, list[int]] = {}
    for entry in SeasonEntry.objects.filter(season=season).select_related("team").order_by("position"):
        numbers.setdefault(entry.division_id, []).append(entry.team.number)
    return numbers


@read_view(response_serializers.LeagueTables, name="clubs_tables_retrieve")
def tables(request: Request, club: str, league: str, season: str) -> Response:
    """The current standings of a season."""
    tables = tables_of.tables(_read(request, club, league, season))
    return answer(request, response_serializers.LeagueTables, {"tables": [_table(table) for table in tables]})


def _table(table: tables_of.Table) -> dict[str, Any]:
    names = (
        "place", "played", "won", "drawn", "lost", "scored", "conceded", "difference", "points", "best", "worst", "note",
    )  # fmt: skip
    return {
        "division": table.division.name,
        "level": table.division.level,
        "rows": [
            {
                **{name: getattr(row, name) for name in names},
                "team": row.team.number,
                "name": row.team.name,
                "form": [mark.sign for mark in row.form],
                "ties": row.letters,
                "cuts": [cut.words for cut in row.cuts],
            }
            for row in table.rows
        ],
        "ties": [{"letter": tie.letter, "sentence": tie.sentence} for tie in table.ties],
        **{name: getattr(table, name) for name in ("played", "matches", "is_over")},
    }


@read_view(response_serializers.FixtureList, name="clubs_fixtures_list")
def all_fixtures(request: Request, club: str, league: str, season: str) -> Response:
    """The fixtures of a season, by division and matchday."""
    this_season = _read(request, club, league, season)
    days = fixtures.of_season(this_season)
    matchdays = [
        {
            **{name: getattr(day, name) for name in ("number", "name", "starts_at", "deadline_at")},
            "division": division.name,
            "matches": [match_data(match) for match in day.matches],
            "byes": [team.number for team in day.byes],
        }
        for division in this_season.divisions.all()
        for day in days.get(division.pk, ())
    ]
    return answer(request, response_serializers.FixtureList, {"matchdays": matchdays})


@read_view(response_serializers.TeamFixtures, name="clubs_team_fixtures_list")
def team_fixtures(request: Request, club: str, league: str, number: int) -> Response:
    """The matches of a team in all its seasons."""
    team = _team_of(access.open_club(club), league, number)
    return answer(
        request, response_serializers.TeamFixtures, {"matches": [match_data(match) for match in fixtures.of_team(team)]}
    )


def _team_of(club: Club, name: str, number: int) -> Team:
    return league.team_of(league.league_of(club, name), number)


# Preparing


def season_of(club: Club, name: str, season: str) -> Season:
    """A season of the club, drafts too. Raises `Http404`."""
    seasons = Season.objects.filter(league=league.league_of(club, name), slug=season).select_related("league__club")
    return first_or_404(seasons, gettext("Season not found."))


def find(club: Club, league: str, season: str) -> Season:
    """The season that an address names. Raises `Http404`."""
    return season_of(club, league, season)


_SAME = ("name", "starts_on", "plan", "settings", "days", "play_days", "plays_at", "swaps_sides", "up", "down")
_OTHER = {"ruleset": "preset", "house_rules": "rules_version_id"}


def _values(form: Form) -> dict[str, Any]:
    values = {name: form[name] for name in _SAME if name in form}
    return values | {name: form[sent] for sent, name in _OTHER.items() if sent in form}


def find_league(club: Club, **where: str) -> League:
    """The league that an address names. Raises `Http404`."""
    return league.league_of(club, where["league"])


@act("leagues", request_serializers.NewSeason, find=find_league)
def make(action: Action, form: Form) -> Season:
    """Prepare a season."""
    divisions = [(division["name"], division["size"]) for division in form["divisions"]]
    return season_setup.make(action.row.pk, action.by, divisions=divisions, **_values(form), **action.how)


@act("leagues", request_serializers.ChangeSeason, find=find)
def change(action: Action, form: Form) -> Act:
    """Change a season in preparation. After the draw, only its name and borders."""
    return season_setup.change(action.row.pk, action.by, changes=_values(form), **action.how)


@act("leagues", find=find)
def discard(action: Action, form: Form) -> Act:
    """Delete a draft."""
    return season_setup.delete_draft(action.row.pk, action.by, **action.how)


@act("leagues", request_serializers.SeasonDivisions, find=find)
def divisions(action: Action, form: Form) -> Act:
    """Set the divisions, top one first."""
    rows = [(division.get("id"), division["name"], division["size"]) for division in form["divisions"]]
    return season_setup.set_divisions(action.row.pk, action.by, divisions=rows, **action.how)


@act("leagues", request_serializers.SeasonPlaces, find=find)
def places(action: Action, form: Form) -> Act:
    """Set the teams of each division."""
    teams = {division["division"]: team_ids(action.row, division["teams"]) for division in form["divisions"]}
    return season_setup.place(action.row.pk, action.by, divisions=teams, **action.how)


def team_ids(season: Season, numbers: Sequence[int]) -> list[int]:
    """Ids of teams by their numbers, in that order: one query. Raises `Refused` for an unknown number."""
    ids = dict(Team.objects.filter(league=season.league, number__in=numbers).values_list("number", "pk"))
    if missing := [number for number in numbers if number not in ids]:
        raise Refused("no_such_team", gettext("Team %(missing)s is not in this league.") % {"missing": missing[0]})
    return [ids[number] for number in numbers]


def _may_be_off(by: User, season: Season) -> None:
    if not permissions.teams_of(by, season.league):
        access.check(by, season.league.club, "leagues")


@act("", request_serializers.DaysOff, find=find, allow=_may_be_off, scope="clubs_join")
def add_days_off(action: Action, form: Form) -> Blackout:
    """Add days off for everyone, or for a team of yours."""
    team = team_ids(action.row, [form["team"]])[0] if "team" in form else None
    days = {name: form[name] for name in ("first_day", "last_day")}
    return season_setup.add_blackout(action.row.pk, action.by, **days, team_id=team, **action.how)


def days_off_of(club: Club, league: str, season: str, off: int) -> Blackout:
    """Days off of a season. Raises `Http404`."""
    this_season = season_of(club, league, season)
    rows = Blackout.objects.filter(season=this_season, pk=off).select_related("season__league__club", "team__league")
    return first_or_404(rows, gettext("These are not days off."))


def _may_be_on(by: User, off: Blackout) -> None:
    if off.team is not None:
        permissions.check_acts_for(by, off.team)
    else:
        access.check(by, off.season.league.club, "leagues")


@act("", find=days_off_of, allow=_may_be_on, scope="clubs_join")
def remove_days_off(action: Action, form: Form) -> Act:
    """Remove days off."""
    return season_setup.remove_blackout(action.row.pk, action.by, **action.how)


# Running


@act("leagues", find=find)
def draw(action: Action, form: Form) -> Act:
    """Draw a season: each division becomes an event with all its matches."""
    return season_draw.draw(action.row.pk, action.by, **action.how)


@act("leagues", find=find)
def undo_draw(action: Action, form: Form) -> Act:
    """Undo a draw if nothing has been played."""
    return season_draw.undo_draw(action.row.pk, action.by, **action.how)


@act("leagues", request_serializers.Matchday, find=find)
def move_matchday(action: Action, form: Form) -> Act:
    """Move a whole matchday to another first day."""
    return matchday_edits.move_matchday(
        action.row.pk, action.by, number=form["number"], first_day=form["first_day"], **action.how
    )


@act("leagues", request_serializers.NewCup, find=find)
def make_cup(action: Action, form: Form) -> SeasonEvent:
    """Create a cup for the season."""
    values = {name: form[name] for name in ("name", "third_place", "round_days", "seeding")}
    values["format"] = "double_elimination" if form["is_double"] else "single_elimination"
    return cups.make_cup(action.row.pk, action.by, team_ids=team_ids(action.row, form["teams"]), **values, **action.how)


@act("leagues", request_serializers.NewPlayoff, find=find)
def make_playoff(action: Action, form: Form) -> SeasonEvent:
    """Create a play-off between divisions or for the championship."""
    values = {name: form[name] for name in ("border", "name", "third_place", "round_days")}
    values["team_ids"] = team_ids(action.row, form["teams"])
    return cups.make_playoff(action.row.pk, action.by, **values, **action.how)


def event_of(club: Club, league: str, season: str, number: int) -> SeasonEvent:
    """A cup or a play-off of a season. Raises `Http404`."""
    return first_or_404(
        SeasonEvent.objects.filter(season=season_of(club, league, season), pk=number),
        gettext("Cup or play-off not found."),
    )


@act("leagues", find=event_of)
def undo_event(action: Action, form: Form) -> Act:
    """Delete a cup or a play-off if nothing has been played."""
    return cups.undo_event(action.row.pk, action.by, **action.how)


@act("leagues", find=find)
def close(action: Action, form: Form) -> Act:
    """Close a season: final places and honours."""
    return season_close.close(action.row.pk, action.by, **action.how)


@act("leagues", find=find)
def undo_close(action: Action, form: Form) -> Act:
    """Reopen a season if no later one has started."""
    return season_close.undo_close(action.row.pk, action.by, **action.how)


@act("leagues", request_serializers.NextSeason, find=find)
def make_next(action: Action, form: Form) -> Season:
    """Draw the next season’s divisions from a closed one."""
    return next_season.make(
        action.row.pk,
        action.by,
        name=form["name"],
        starts_on=form["starts_on"],
        changes={name: value for name, value in _values(form).items() if name in next_season.OTHERWISE},
        **next_places(action.row, form),
        **action.how,
    )


def next_places(season: Season, form: Form) -> dict[str, Any]:
    """Arguments of `next_season.preview`: teams that leave, join or move, and sizes. Raises `Refused`."""
    moved = team_ids(season, [move["team"] for move in form["moves"]])
    places: dict[str, Any] = {
        "leaving": team_ids(season, form["leaving"]),
        "joining": team_ids(season, form["joining"]),
        "undersized": form["undersized"],
        "moves": {pk: move["level"] for pk, move in zip(moved, form["moves"], strict=True)},
    }
    return places | ({"sizes": form["sizes"]} if "sizes" in form else {})


@act("leagues", find=find)
def undo_next(action: Action, form: Form) -> Act:
    """Delete the draft of the next season."""
    return next_season.undo_next(action.row.pk, action.by, **action.how)
