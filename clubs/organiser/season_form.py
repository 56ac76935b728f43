"""The form of a season: its input, and the arguments for the services."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from clubs.house_rules.page import newest, rule_groups
from clubs.models import Blackout, Club, Division, League, Season
from clubs.services.leagues.team_entries import KINDS
from clubs.services.seasons import season_plans
from engine.compete.scoring import SCORINGS
from engine.compete.tiebreaks import NAMES
from engine.words import say
from tournaments.models import Tournament
from tournaments.plan import standard
from tournaments.services.events.event_settings import SIDES
from web.errors import Refused

VERSION = "version:"
"""Prefix of the id of house rules among the choices of rules."""
TIEBREAKS = 4
MOST_ROWS = 30
"""Most divisions, or rows of days off, in one form."""
PACES = (
    ("24", gettext_lazy("one day per turn")),
    ("48", gettext_lazy("two days per turn")),
    ("72", gettext_lazy("three days per turn")),
)
"""Hours per turn in online matches, with their labels."""
USUAL_PACE = "24"
_TEXTS = ("name", "rules", "setting", "pace", "legs", "scoring", "win", "draw", "loss", "no_show", "side_size")
_DAYS = ("starts_on", "days", "play_days", "plays_at")
_FLAGS = ("swaps_sides", "is_rated")
_LONGEST = 120


@dataclass(frozen=True)
class DivisionRow:
    """A division as typed."""

    pk: str = ""
    name: str = ""
    size: str = ""
    up: str = "1"
    """Number of promoted teams; ignored in the top division."""
    down: str = "1"
    """Number of relegated teams; ignored in the bottom division."""


@dataclass(frozen=True)
class OffRow:
    """Days off, as typed."""

    pk: str = ""
    first: str = ""
    last: str = ""
    reason: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.first or self.last or self.reason)


@dataclass(frozen=True)
class Typed:
    """The input, as the page shows it again."""

    values: Mapping[str, str]
    flags: Mapping[str, bool]
    tiebreaks: Sequence[str]
    divisions: Sequence[DivisionRow]
    off: Sequence[OffRow] = field(default_factory=tuple)


# Saved values


def fresh(league: League) -> Typed:
    """The form of a new season: the usual choices, or those of the last season."""
    last = Season.objects.filter(league=league).order_by("-number").first()
    if last is not None:
        typed = stored(last)
        day = timezone.localdate(timezone=league.club.zone)
        values = {**typed.values, "name": "", "starts_on": day.isoformat() if last.starts_on < day else ""}
        rows = [DivisionRow("", row.name, row.size, row.up, row.down) for row in typed.divisions]
        return Typed(values, typed.flags, typed.tiebreaks, rows, [OffRow()])
    count = league.teams.filter(left_at=None).count()
    values = {
        "name": "",
        "rules": _usual_rules(league.club),
        "setting": Tournament.Setting.FACE,
        "pace": USUAL_PACE,
        "legs": "1",
        "scoring": "by_result",
        "win": "2",
        "draw": "1",
        "loss": "0",
        "no_show": Tournament.NoShow.ORGANISER,
        "side_size": "4" if league.kind == League.Kind.TEAM else "",
        "starts_on": "",
        "days": "7",
        "play_days": "7",
        "plays_at": "",
    }
    flags = {"swaps_sides": True, "is_rated": False}
    rows = [DivisionRow(name="Division 1", size=str(max(2, count) if count else 8)), DivisionRow()]
    return Typed(values, flags, _padded(standard("round_robin").tiebreaks), rows, [OffRow()])


def _usual_rules(club: Club) -> str:
    """The only house rules of a club, else a published ruleset."""
    versions = list(newest().filter(house_rules__club=club, house_rules__is_archived=False)[:2])
    return f"{VERSION}{versions[0].pk}" if len(versions) == 1 else "standard"


def stored(season: Season) -> Typed:
    """The form of a saved season."""
    plan = season_plans.plan_of(season)
    settings = season_plans.values_for(season)
    version = season.rules_version_id
    values = {
        "name": season.name,
        "rules": f"{VERSION}{version}" if version else season.rules.name,
        "setting": str(settings["setting"]),
        "pace": str((season.settings.get("terms") or {}).get("clock_hours", USUAL_PACE)),
        "legs": str(plan.legs),
        "scoring": plan.scoring,
        "win": str(plan.win),
        "draw": str(plan.draw),
        "loss": str(plan.loss),
        "no_show": str(season.settings.get("no_show", Tournament.NoShow.ORGANISER)),
        "side_size": str(settings["side_size"]),
        "starts_on": season.starts_on.isoformat(),
        "days": str(season.days),
        "play_days": str(season.play_days),
        "plays_at": f"{season.plays_at:%H:%M}" if season.plays_at else "",
    }
    flags = {"swaps_sides": season.swaps_sides, "is_rated": bool(season.settings.get("is_rated"))}
    return Typed(values, flags, _padded(plan.tiebreaks), _division_rows(season), _off_rows(season))


def _division_rows(season: Season) -> list[DivisionRow]:
    rows = list(Division.objects.filter(season=season).order_by("level"))
    ups, downs = (season_plans.borders(numbers, len(rows)) for numbers in (season.up, season.down))
    return [
        DivisionRow(
            str(division.pk),
            division.name,
            str(division.size),
            str(ups[at - 1]) if at else "1",
            str(downs[at]) if at < len(downs) else "1",
        )
        for at, division in enumerate(rows)
    ]


def _off_rows(season: Season) -> list[OffRow]:
    rows = Blackout.objects.filter(season=season, team=None).order_by("first_day", "pk")
    fields = rows.values_list("pk", "first_day", "last_day", "reason")
    return [*(OffRow(str(pk), str(first), str(last), reason) for pk, first, last, reason in fields), OffRow()]


def _padded(tiebreaks: Sequence[str]) -> list[str]:
    return [*tiebreaks, *[""] * TIEBREAKS][:TIEBREAKS]


# Input


def typed(request: HttpRequest) -> Typed:
    """The input of a form, with one more empty row if requested."""

    def text(name: str) -> str:
        return request.POST.get(name, "").strip()[:_LONGEST]

    def rows(prefix: str) -> range:
        count = text(f"{prefix}_rows")
        return range(min(MOST_ROWS, int(count)) if count.isdecimal() and len(count) < 4 else 0)

    divisions = [
        DivisionRow(*(text(f"div_{name}_{at}") for name in ("id", "name", "size", "up", "down"))) for at in rows("div")
    ]
    off = [OffRow(*(text(f"off_{name}_{at}") for name in ("id", "first", "last", "reason"))) for at in rows("off")]
    more = request.POST.get("act", "")
    return Typed(
        {name: text(name) for name in (*_TEXTS, *_DAYS)},
        {name: name in request.POST for name in _FLAGS},
        [text(f"tiebreak_{at}") for at in range(TIEBREAKS)],
        [*divisions, DivisionRow()] if more == "more_divisions" else divisions,
        [*off, OffRow()] if more == "more_off" else off,
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
        "no_show_choices": Tournament.NoShow.choices,
        "tiebreak_choices": [(name, say(NAMES[name][0])) for name in _TIEBREAKS],
        "pace_choices": PACES,
        "is_team": league.kind == League.Kind.TEAM,
        "sides": SIDES[KINDS[league.kind]],
    }


_TIEBREAKS = (
    *("direct_encounter", "spread", "wins", "points_scored", "sonneborn_berger", "capped_spread"),
    *("fewest_walkovers", "books", "going_out", "lots"),
)


# Arguments for services


def season_values(form: Typed) -> dict[str, Any]:
    """Arguments of `seasons.make` and changes of `seasons.change`, without divisions. Raises `Refused`."""
    values = form.values
    rows = [row for row in form.divisions if row.name]
    arguments: dict[str, Any] = {
        "name": values["name"],
        "starts_on": day_of(values["starts_on"], "starts_on", gettext("Enter the season’s start date.")),
        "days": whole_number(values["days"], "days", gettext("Enter a whole number of days between matchdays.")),
        "play_days": whole_number(
            values["play_days"], "play_days", gettext("Enter a whole number of days to play a match.")
        ),
        "plays_at": time_of(values["plays_at"]),
        "swaps_sides": form.flags["swaps_sides"],
        "plan": _plan(form),
        "settings": _settings(form),
        "up": [whole_number(row.up or "1", "divisions", _for(_UP, row)) for row in rows[1:]],
        "down": [whole_number(row.down or "1", "divisions", _for(_DOWN, row)) for row in rows[:-1]],
    }
    rules = values["rules"]
    if rules.startswith(VERSION):
        arguments["rules_version_id"] = whole_number(rules.removeprefix(VERSION), "rules", gettext(OF_RULES))
    else:
        arguments["preset"] = rules
    return arguments


def divisions_of(form: Typed) -> list[tuple[int | None, str, int]]:
    """The divisions as `seasons.set_divisions` takes them; empty rows are left out. Raises `Refused`."""
    return [
        (int(row.pk) if row.pk.isdecimal() else None, row.name, whole_number(row.size, "divisions", _for(_SIZE, row)))
        for row in form.divisions
        if row.name
    ]


def _plan(form: Typed) -> dict[str, Any]:
    values = form.values
    plan: dict[str, Any] = {
        "legs": whole_number(values["legs"], "plan", gettext("Enter a whole number of matches against each opponent.")),
        "tiebreaks": [name for name in dict.fromkeys(form.tiebreaks) if name],
    }
    if values["scoring"] and values["scoring"] != "by_result":
        return plan | {"scoring": values["scoring"]}
    return plan | {name: values[name] or usual for name, usual in (("win", "2"), ("draw", "1"), ("loss", "0"))}


def _settings(form: Typed) -> dict[str, Any]:
    values = form.values
    settings: dict[str, Any] = {
        "setting": values["setting"],
        "no_show": values["no_show"] or Tournament.NoShow.ORGANISER,
        "is_rated": form.flags["is_rated"],
    }
    if values["setting"] != Tournament.Setting.FACE:
        hours = values["pace"] if values["pace"] in dict(PACES) else USUAL_PACE
        settings["terms"] = {"clock": "move", "clock_hours": int(hours)}
    if values["side_size"]:
        settings["side_size"] = whole_number(
            values["side_size"], "side_size", gettext("Enter how many players of a team play at once.")
        )
    return settings


_UP = gettext_noop("Enter a whole number of teams promoted from %(division)s.")
_DOWN = gettext_noop("Enter a whole number of teams relegated from %(division)s.")
_SIZE = gettext_noop("Enter a whole number of teams for %(division)s.")
OF_RULES = gettext_noop("Enter a whole number for the house rules.")


def _for(words: str, division: DivisionRow) -> str:
    return gettext(words) % {"division": division.name}


def whole_number(text: str, at: str, message: str) -> int:
    """A whole number from the input. Raises `Refused` with the message at the control `at`."""
    if not (text.isdecimal() and text.isascii() and len(text) < 10):
        raise Refused("bad_number", message, field=at)
    return int(text)


def day_of(text: str, at: str, message: str) -> date:
    """A day from the input. Raises `Refused` at the control `at`, with the message if the input is empty."""
    if not text:
        raise Refused("no_day", message, field=at)
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        raise Refused("bad_day", gettext("Enter the day as 2026-09-07."), field=at) from None
    if not 2000 <= day.year <= 2100:
        raise Refused("bad_day", gettext("Choose a day of this century."), field=at)
    return day


def time_of(text: str) -> time | None:
    """A time of day from the input; `None` if empty. Raises `Refused` at its control."""
    if not text:
        return None
    try:
        return time.fromisoformat(text[:5])
    except ValueError:
        raise Refused("bad_time", gettext("Enter the time as 19:30, or leave it empty."), field="plays_at") from None


def off_of(form: Typed) -> Iterable[tuple[int, OffRow, date, date]]:
    """The rows of days off that are filled in: number of the row, the row, first and last day. Raises `Refused`."""
    for at, row in enumerate(form.off):
        if not row.is_empty:
            first = day_of(row.first, "off", gettext("Enter the first day off."))
            last = day_of(row.last, "off", "") if row.last else first
            yield at, row, first, last
