"""The choices of the form of a season, with their labels, and what the ready ones stand for."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from clubs.house_rules.page import newest, rule_groups
from clubs.models import Club, League, Season
from clubs.services.leagues.team_entries import KINDS
from engine.compete.scoring import SCORINGS
from engine.compete.tiebreaks import NAMES
from engine.words import say
from tournaments.models import Tournament
from tournaments.services.events.event_settings import SIDES

STEPS = (("who", gettext_lazy("Who")), ("when", gettext_lazy("When")), ("how", gettext_lazy("How")))
"""The steps of the form."""
VERSION = "version:"
"""Prefix of the id of house rules among the choices of rules."""
PACES = (
    ("24", gettext_lazy("one day per turn")),
    ("48", gettext_lazy("two days per turn")),
    ("72", gettext_lazy("three days per turn")),
)
"""Hours per turn in online matches, with their labels."""
USUAL_PACE = "24"
OFTEN = (
    ("7", gettext_lazy("Every week")),
    ("14", gettext_lazy("Every two weeks")),
    ("other", gettext_lazy("Another interval")),
)
"""Days from one matchday to the next, with their labels."""
SPLITS = (
    ("last", gettext_lazy("As in the last season")),
    ("one", gettext_lazy("One table for everyone")),
    ("two", gettext_lazy("Two divisions")),
    ("other", gettext_lazy("Otherwise")),
)
"""The divisions of a new season, with their labels."""
POINTS = (
    ("2-1-0", gettext_lazy("2 for a win, 1 for a draw, 0 for a loss")),
    ("3-1-0", gettext_lazy("3 for a win, 1 for a draw, 0 for a loss")),
    ("other", gettext_lazy("Otherwise")),
)
"""Points of a match, with their labels."""
_FIXED = ("7", "14")
_POINTS = ("win", "draw", "loss")
_TIEBREAKS = (
    *("direct_encounter", "spread", "wins", "points_scored", "sonneborn_berger", "capped_spread"),
    *("fewest_walkovers", "books", "going_out", "lots"),
)


def choices(club: Club, league: League, season: Season | None = None) -> dict[str, Any]:
    """The choices of the form."""
    house_rules = newest().filter(house_rules__club=club, house_rules__is_archived=False)
    versions = [(f"{VERSION}{version.pk}", str(version)) for version in house_rules.order_by("house_rules__name")]
    pinned = season.rules_version if season is not None else None
    if pinned is not None and f"{VERSION}{pinned.pk}" not in dict(versions):
        versions.insert(0, (f"{VERSION}{pinned.pk}", str(pinned)))
    return {
        "rule_choices": rule_groups(versions),
        "setting_choices": Tournament.Setting.choices,
        "scoring_choices": [(name, say(SCORINGS[name].title)) for name in ("by_result", "victory_points")],
        "often_choices": OFTEN,
        "points_choices": POINTS,
        "split_choices": SPLITS if league.seasons.exists() else SPLITS[1:],
        "steps": STEPS,
        "no_show_choices": Tournament.NoShow.choices,
        "tiebreak_choices": [(name, say(NAMES[name][0])) for name in _TIEBREAKS],
        "pace_choices": PACES,
        "is_team": league.kind == League.Kind.TEAM,
        "sides": SIDES[KINDS[league.kind]],
    }


# Ready answers


def meant(values: Mapping[str, str]) -> dict[str, str]:
    """The values with those of the ready answers, which count before what is typed under “Otherwise”."""
    ready = dict(values)
    if values["often"] in _FIXED:
        ready["days"] = values["often"]
    if values["points"] in dict(POINTS[:-1]):
        ready |= {"scoring": "by_result", **dict(zip(_POINTS, values["points"].split("-"), strict=True))}
    return ready


def points_of(values: Mapping[str, str]) -> str:
    """The choice of points of a match that these values are."""
    points = "-".join(values[name] for name in _POINTS)
    return points if values["scoring"] in ("", "by_result") and points in dict(POINTS) else "other"


def often_of(days: str) -> str:
    """The choice of an interval that these days are."""
    return days if days in _FIXED else "other"
