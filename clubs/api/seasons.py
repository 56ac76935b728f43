"""Doors to seasons: reading them with tables and fixtures, preparing, drawing, closing, and the next one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Asked, Form, act, look, reader
from clubs.api.matches import shown
from clubs.house_rules.page import ref_of
from clubs.league import fixtures, permissions
from clubs.league import table as tables_of
from clubs.models import Act, Blackout, Club, Honour, League, Season, SeasonEntry, SeasonEvent, Team
from clubs.public import league
from clubs.public.page_context import Seen
from clubs.services.leagues import matchday_edits
from clubs.services.seasons import cups, next_season, season_close, season_draw, season_setup
from gameplay.api.tables import answer
from web.errors import Refused

# Reading


def season_line(row: Season) -> dict[str, Any]:
    """A season in a list; its league and club must be known."""
    names = ("slug", "number", "name", "status", "starts_on", "closed_at")
    url = f"{settings.SITE_URL}{row.get_absolute_url()}"
    return {"id": row.pk, **{name: getattr(row, name) for name in names}, "url": url}


def honours(rows: QuerySet[Honour]) -> list[dict[str, Any]]:
    """What was won: one query."""
    return [
        {
            "season": row.season.slug,
            "team": row.team.number,
            "name": row.team.name,
            "title": row.words,
            "place": row.place,
        }
        for row in rows.select_related("season", "team")
    ]


def _read(request: Request, club: str, name: str, season: str) -> Season:
    """A season as far as whoever asks may see it. Raises `Http404`."""
    return league.season_of(Seen(reader(request), access.open_club(club)), name, season)


@look(response_serializers.WholeSeason, name="clubs_seasons_retrieve")
def season(request: Request, club: str, league: str, season: str) -> Response:
    """A season with its divisions, cups and days off."""
    row = _read(request, club, league, season)
    names = ("settings", "days", "play_days", "plays_at", "swaps_sides", "up", "down")
    teams = _teams_of(row)
    data = {
        **season_line(row),
        **{name: getattr(row, name) for name in names},
        "ruleset": row.rules.name,
        "house_rules": ref_of(row.rules_version) if row.rules_version else None,
        "rules": row.rules_json,
        "plan": row.plan_json,
        "divisions": [
            {
                **{name: getattr(one, name) for name in ("level", "name", "size")},
                "id": one.pk,
                "event": one.tournament.slug if one.tournament else None,
                "teams": teams.get(one.pk, []),
            }
            for one in row.divisions.select_related("tournament")
        ],
        "events": [
            {
                **{name: getattr(one, name) for name in ("kind", "name", "border")},
                "id": one.pk,
                "event": one.tournament.slug,
            }
            for one in row.events.select_related("tournament")
        ],
        "days_off": [
            {
                **{name: getattr(one, name) for name in ("first_day", "last_day", "reason")},
                "id": one.pk,
                "team": one.team.number if one.team else None,
            }
            for one in row.blackouts.select_related("team")
        ],
        "honours": honours(Honour.objects.filter(season=row)),
    }
    return answer(request, response_serializers.WholeSeason, data)


def _teams_of(season: Season) -> dict[int, list[int]]:
    """Numbers of teams in the order of the draw, by id of the division."""
    found: dict[int, list[int]] = {}
    for one in SeasonEntry.objects.filter(season=season).select_related("team").order_by("position"):
        found.setdefault(one.division_id, []).append(one.team.number)
    return found


@look(response_serializers.LeagueTables, name="clubs_tables_retrieve")
def tables(request: Request, club: str, league: str, season: str) -> Response:
    """The current standings of a season."""
    found = tables_of.tables(_read(request, club, league, season))
    return answer(request, response_serializers.LeagueTables, {"tables": [_table(one) for one in found]})


def _table(one: tables_of.Table) -> dict[str, Any]:
    names = (
        "place", "played", "won", "drawn", "lost", "scored", "conceded", "difference", "points", "best", "worst", "note",
    )  # fmt: skip
    return {
        "division": one.division.name,
        "level": one.division.level,
        "rows": [
            {
                **{name: getattr(row, name) for name in names},
                "team": row.team.number,
                "name": row.team.name,
                "form": [mark.sign for mark in row.form],
                "ties": row.letters,
                "cuts": [cut.words for cut in row.cuts],
            }
            for row in one.rows
        ],
        "ties": [{"letter": tie.letter, "sentence": tie.sentence} for tie in one.ties],
        **{name: getattr(one, name) for name in ("played", "matches", "is_over")},
    }


@look(response_serializers.FixtureList, name="clubs_fixtures_list")
def all_fixtures(request: Request, club: str, league: str, season: str) -> Response:
    """The fixtures of a season, by division and matchday."""
    row = _read(request, club, league, season)
    days = fixtures.of_season(row)
    found = [
        {
            **{name: getattr(day, name) for name in ("number", "name", "starts_at", "deadline_at")},
            "division": division.name,
            "matches": [shown(one) for one in day.matches],
            "byes": [team.number for team in day.byes],
        }
        for division in row.divisions.all()
        for day in days.get(division.pk, ())
    ]
    return answer(request, response_serializers.FixtureList, {"matchdays": found})


@look(response_serializers.TeamFixtures, name="clubs_team_fixtures_list")
def team_fixtures(request: Request, club: str, league: str, number: int) -> Response:
    """The matches of a team in all its seasons."""
    row = _team_of(access.open_club(club), league, number)
    return answer(
        request, response_serializers.TeamFixtures, {"matches": [shown(one) for one in fixtures.of_team(row)]}
    )


def _team_of(club: Club, name: str, number: int) -> Team:
    return league.team_of(league.league_of(club, name), number)


# Preparing


def season_of(club: Club, name: str, season: str) -> Season:
    """A season of the club, for who runs it. Raises `Http404`."""
    found = Season.objects.filter(league=league.league_of(club, name), slug=season).select_related("league__club")
    row = found.first()
    if row is None:
        raise Http404(gettext("Season not found."))
    return row


def find(club: Club, league: str, season: str) -> Season:
    """The same, by the words of an address."""
    return season_of(club, league, season)


_SAME = ("name", "starts_on", "plan", "settings", "days", "play_days", "plays_at", "swaps_sides", "up", "down")
_OTHER = {"ruleset": "preset", "house_rules": "rules_version_id"}


def _values(form: Form) -> dict[str, Any]:
    found = {name: form[name] for name in _SAME if name in form}
    return found | {name: form[given] for given, name in _OTHER.items() if given in form}


def find_league(club: Club, **where: str) -> League:
    """A league of the club, by the word `league` of an address. Raises `Http404`."""
    return league.league_of(club, where["league"])


@act("leagues", request_serializers.NewSeason, find=find_league)
def make(asked: Asked, form: Form) -> Season:
    """Prepare a season."""
    divisions = [(one["name"], one["size"]) for one in form["divisions"]]
    return season_setup.make(asked.row.pk, asked.by, divisions=divisions, **_values(form), **asked.how)


@act("leagues", request_serializers.ChangeSeason, find=find)
def change(asked: Asked, form: Form) -> Act:
    """Change a season in preparation. After the draw, only its name and borders."""
    return season_setup.change(asked.row.pk, asked.by, changes=_values(form), **asked.how)


@act("leagues", find=find)
def discard(asked: Asked, form: Form) -> Act:
    """Delete a draft."""
    return season_setup.discard(asked.row.pk, asked.by, **asked.how)


@act("leagues", request_serializers.SeasonDivisions, find=find)
def divisions(asked: Asked, form: Form) -> Act:
    """Set the divisions, top one first."""
    wanted = [(one.get("id"), one["name"], one["size"]) for one in form["divisions"]]
    return season_setup.set_divisions(asked.row.pk, asked.by, divisions=wanted, **asked.how)


@act("leagues", request_serializers.SeasonPlaces, find=find)
def places(asked: Asked, form: Form) -> Act:
    """Set the teams of each division."""
    wanted = {one["division"]: team_ids(asked.row, one["teams"]) for one in form["divisions"]}
    return season_setup.place(asked.row.pk, asked.by, divisions=wanted, **asked.how)


def team_ids(season: Season, numbers: Sequence[int]) -> list[int]:
    """Ids of teams by their numbers, in that order: one query. Raises `Refused` for one that is not there."""
    known = dict(Team.objects.filter(league=season.league, number__in=numbers).values_list("number", "pk"))
    if missing := [number for number in numbers if number not in known]:
        raise Refused("no_such_team", gettext("Team %(missing)s is not in this league.") % {"missing": missing[0]})
    return [known[number] for number in numbers]


def _may_be_off(by: User, season: Season) -> None:
    if not permissions.teams_of(by, season.league):
        access.check(by, season.league.club, "leagues")


@act("", request_serializers.DaysOff, find=find, allow=_may_be_off, scope="clubs_join")
def add_days_off(asked: Asked, form: Form) -> Blackout:
    """Add days off for everyone, or for a team of yours."""
    team = team_ids(asked.row, [form["team"]])[0] if "team" in form else None
    days = {name: form[name] for name in ("first_day", "last_day")}
    return season_setup.add_blackout(asked.row.pk, asked.by, **days, team_id=team, **asked.how)


def days_off_of(club: Club, league: str, season: str, off: int) -> Blackout:
    """Days off of a season. Raises `Http404`."""
    row = season_of(club, league, season)
    found = Blackout.objects.filter(season=row, pk=off).select_related("season__league__club", "team__league").first()
    if found is None:
        raise Http404(gettext("These are not days off."))
    return found


def _may_be_on(by: User, off: Blackout) -> None:
    if off.team is not None:
        permissions.check_acts_for(by, off.team)
    else:
        access.check(by, off.season.league.club, "leagues")


@act("", find=days_off_of, allow=_may_be_on, scope="clubs_join")
def remove_days_off(asked: Asked, form: Form) -> Act:
    """Remove days off."""
    return season_setup.remove_blackout(asked.row.pk, asked.by, **asked.how)


# Running


@act("leagues", find=find)
def draw(asked: Asked, form: Form) -> Act:
    """Draw a season: each division becomes an event with all its matches."""
    return season_draw.draw(asked.row.pk, asked.by, **asked.how)


@act("leagues", find=find)
def undo_draw(asked: Asked, form: Form) -> Act:
    """Undo a draw if nothing has been played."""
    return season_draw.undo_draw(asked.row.pk, asked.by, **asked.how)


@act("leagues", request_serializers.Matchday, find=find)
def move_matchday(asked: Asked, form: Form) -> Act:
    """Move a whole matchday to another first day."""
    return matchday_edits.move_matchday(
        asked.row.pk, asked.by, number=form["number"], first_day=form["first_day"], **asked.how
    )


@act("leagues", request_serializers.NewCup, find=find)
def make_cup(asked: Asked, form: Form) -> SeasonEvent:
    """Create a cup for the season."""
    values = {name: form[name] for name in ("name", "third_place", "round_days", "seeding")}
    values["format"] = "double_elimination" if form["is_double"] else "single_elimination"
    return cups.make_cup(asked.row.pk, asked.by, team_ids=team_ids(asked.row, form["teams"]), **values, **asked.how)


@act("leagues", request_serializers.NewPlayoff, find=find)
def make_playoff(asked: Asked, form: Form) -> SeasonEvent:
    """Create a play-off, for the championship or between two divisions."""
    values = {name: form[name] for name in ("border", "name", "third_place", "round_days")}
    return cups.make_playoff(asked.row.pk, asked.by, team_ids=team_ids(asked.row, form["teams"]), **values, **asked.how)


def event_of(club: Club, league: str, season: str, number: int) -> SeasonEvent:
    """A cup or a play-off of a season. Raises `Http404`."""
    found = SeasonEvent.objects.filter(season=season_of(club, league, season), pk=number).first()
    if found is None:
        raise Http404(gettext("Cup or play-off not found."))
    return found


@act("leagues", find=event_of)
def undo_event(asked: Asked, form: Form) -> Act:
    """Delete a cup or a play-off if nothing has been played."""
    return cups.undo_event(asked.row.pk, asked.by, **asked.how)


@act("leagues", find=find)
def close(asked: Asked, form: Form) -> Act:
    """Close a season: final places and honours."""
    return season_close.close(asked.row.pk, asked.by, **asked.how)


@act("leagues", find=find)
def undo_close(asked: Asked, form: Form) -> Act:
    """Reopen a season if no later one has started."""
    return season_close.undo_close(asked.row.pk, asked.by, **asked.how)


@act("leagues", request_serializers.NextSeason, find=find)
def make_next(asked: Asked, form: Form) -> Season:
    """Draw the next season’s divisions from a closed one."""
    return next_season.make(
        asked.row.pk,
        asked.by,
        name=form["name"],
        starts_on=form["starts_on"],
        changes={name: value for name, value in _values(form).items() if name in next_season.OTHERWISE},
        **next_places(asked.row, form),
        **asked.how,
    )


def next_places(season: Season, form: Form) -> dict[str, Any]:
    """Arguments of `next_season.preview`: who leaves and joins, and who plays where. Raises `Refused`."""
    moved = team_ids(season, [one["team"] for one in form["moves"]])
    found: dict[str, Any] = {
        "leaving": team_ids(season, form["leaving"]),
        "joining": team_ids(season, form["joining"]),
        "undersized": form["undersized"],
        "moves": {pk: one["level"] for pk, one in zip(moved, form["moves"], strict=True)},
    }
    return found | ({"sizes": form["sizes"]} if "sizes" in form else {})


@act("leagues", find=find)
def undo_next(asked: Asked, form: Form) -> Act:
    """Delete the draft of the next season."""
    return next_season.undo_next(asked.row.pk, asked.by, **asked.how)
