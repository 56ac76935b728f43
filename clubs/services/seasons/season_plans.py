"""Plans of a season's divisions: their stages, the settings of their tournaments, and their borders."""

from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Any

from django.utils.translation import gettext

from clubs.house_rules.page import ref_of
from clubs.league import timetable
from clubs.league.timetable import Day, Off
from clubs.models import Blackout, Club, Division, League, RulesVersion, Season
from clubs.services.leagues.team_entries import KINDS
from engine.errors import BadInput
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from tournaments import plan_checks
from tournaments.models import Tournament
from tournaments.plan import Plan, standard
from tournaments.services.events import event_settings
from web.errors import Refused

PLAN = (
    "legs",
    "scoring",
    "win",
    "draw",
    "loss",
    "forfeit_win",
    "forfeit_loss",
    "tiebreaks",
    "spread_cap",
    "best_rounds",
)
"""Choices of a stage's plan that a season has."""
SETTINGS = ("setting", "terms", "no_show", "confirm_hours", "is_rated", "side_size")
"""Settings of the tournaments that a season has."""
MOST_DAYS = 92
MOST_MOVING = 50
"""The limit of teams promoted or relegated over one border."""


# Plans and settings


def plan_of(season: Season) -> Plan:
    """The plan of each division's stage: a round robin whose rounds open on their own days."""
    return _plan(season.plan_json, season.play_days)


def _plan(choices: Mapping[str, Any], play_days: int) -> Plan:
    return standard("round_robin", **choices, cut_tie="share", by_date=True, round_hours=24 * play_days)


def read_plan(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Choices of a plan, checked. Raises `Refused` (field `plan`)."""
    if unknown := set(choices) - set(PLAN):
        raise Refused(
            "bad_plan",
            gettext("A season has no choice called “%(unknown)s”.") % {"unknown": min(unknown)[:40]},
            field="plan",
        )
    try:
        plan = _plan(choices, 7).write()
    except Refused as refusal:
        raise Refused(refusal.code, refusal.sentence, field="plan") from None
    return {name: plan[name] for name in choices}


def read_settings(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Settings, checked. Raises `Refused` (field `settings`); see `check` for how they fit together."""
    if unknown := set(choices) - set(SETTINGS):
        raise Refused(
            "bad_settings",
            gettext("A season has no setting called “%(unknown)s”.") % {"unknown": min(unknown)[:40]},
            field="settings",
        )
    return dict(event_settings.read(choices))


def read_rules(club: Club, preset: str, version_id: int | None) -> dict[str, Any]:
    """The rules of a season: `rules_version` and `rules_json`. Raises `Refused` (field `rules`)."""
    if version_id is not None:
        version = RulesVersion.objects.filter(pk=version_id, house_rules__club=club).first()
        if version is None:
            raise Refused("no_rules", gettext("House rules not found in this club."), field="rules")
        return {"rules_version": version, "rules_json": version.rules_json}
    if preset not in PRESETS:
        raise Refused("no_rules", gettext("Choose the rules."), field="rules")
    return {"rules_version": None, "rules_json": Rules.make(preset).write()}


def tournament_for(season: Season, name: str) -> Tournament:
    """An unsaved tournament for a part of the season."""
    return Tournament(name=name[:80], **values_for(season), rules_json=season.rules_json)


def values_for(season: Season) -> dict[str, Any]:
    """Settings of a tournament of the season, without its rules."""
    league = season.league
    kind = KINDS[league.kind]
    usual = {
        "side_size": event_settings.SIDES[kind][0],
        "setting": Tournament.Setting.FACE,
        "time_zone": league.club.time_zone,
    }
    fixed: dict[str, Any] = {
        "entry_kind": kind,
        "circle": league.club.circle,
        "visibility": Tournament.Visibility.PUBLIC,
    }
    if season.rules_version is not None:
        fixed["terms"] = {**season.settings.get("terms", {}), "rules_ref": ref_of(season.rules_version)}
    return {**usual, **season.settings, **fixed}


def check(season: Season) -> None:
    """Raise `Refused` if a season's rules, plan and settings contradict one another, with the field."""
    if "rules_ref" in (season.settings.get("terms") or {}):
        raise Refused(
            "bad_settings", gettext("Choose house rules by their version, not among the terms."), field="settings"
        )
    tournament = tournament_for(season, season.name)
    wrong = event_settings.wrong_settings(tournament)
    if wrong:
        raise Refused("bad_settings", " ".join(wrong.values()), field="settings", fields=wrong)
    try:
        problems = plan_checks.plan_problems(tournament, [plan_of(season)])
    except BadInput as error:
        problems = [error.sentence]
    if problems:
        raise Refused("bad_rules", " ".join(problems), field="rules")


# Days


def check_days(season: Season) -> None:
    """Raise `Refused` for days that make no timetable, with the field."""
    for field, value in (("days", season.days), ("play_days", season.play_days)):
        if not 1 <= value <= MOST_DAYS:
            raise Refused("bad_days", gettext("Enter 1 to %(most)s days.") % {"most": MOST_DAYS}, field=field)
    if not isinstance(season.starts_on, date):
        raise Refused("bad_days", gettext("Enter the season’s start date."), field="starts_on")
    if season.plays_at is not None and not isinstance(season.plays_at, time):
        raise Refused("bad_time", gettext("Enter a start time for the matches, or leave it empty."), field="plays_at")


def matchdays(season: Season, count: int) -> tuple[Day, ...]:
    """The matchdays of a division with so many rounds. Raises `timetable.NoDay`."""
    return timetable.matchdays(
        count,
        starts_on=season.starts_on,
        step=season.days,
        play_days=season.play_days,
        plays_at=season.plays_at,
        zone=season.league.club.zone,
        off=off_for_all(season),
    )


def off_for_all(season: Season) -> list[Off]:
    """The days on which nobody plays."""
    rows = Blackout.objects.filter(season=season, team=None)
    return [Off(off.first_day, off.last_day, off.reason) for off in rows]


def off_by_team(season: Season) -> dict[int, list[Off]]:
    """The days off of single teams, by id."""
    by_team: dict[int, list[Off]] = {}
    for off in Blackout.objects.filter(season=season).exclude(team=None):
        by_team.setdefault(off.team_id or 0, []).append(Off(off.first_day, off.last_day, off.reason))
    return by_team


# Borders between divisions


def borders(numbers: Sequence[int], divisions: int) -> list[int]:
    """The numbers over each border from the top; one by default."""
    count = max(0, divisions - 1)
    return [*numbers, *[1] * count][:count]


def read_borders(numbers: Sequence[int], divisions: int, field: str) -> list[int]:
    """The same, checked. Raises `Refused` with the field."""
    if any(not isinstance(number, int) or not 0 <= number <= MOST_MOVING for number in numbers):
        raise Refused(
            "bad_number",
            (
                gettext("Enter 0 to %(most)s teams to be promoted.")
                if field == "up"
                else gettext("Enter 0 to %(most)s teams to be relegated.")
            )
            % {"most": MOST_MOVING},
            field=field,
        )
    return borders(numbers, divisions)


def divisions_of(season: Season) -> list[Division]:
    """The divisions of a season, the top one first."""
    divisions = list(Division.objects.filter(season=season).select_related("tournament").order_by("level"))
    for division in divisions:
        division.season = season
    return divisions


def title(league: League, season: Season, part: str = "") -> str:
    """The title of a tournament of a season: league, season and division or cup."""
    prefix = f"{league.name}, {season.name}"
    return (f"{prefix[: 78 - len(part)]}: {part}" if part else prefix)[:80]
