"""The form of a season: its input, and the arguments for the services."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta
from typing import Any

from django.db.models import Max
from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from clubs.house_rules.page import newest, rule_groups
from clubs.models import Blackout, Club, Division, League, Meeting, Season
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
STEPS = (("who", gettext_lazy("Who")), ("when", gettext_lazy("When")), ("how", gettext_lazy("How")))
"""The steps of the form."""
_FIELDS = {"who": {"name", "divisions", "up", "down"}, "when": {"starts_on", "plays_at", "days", "play_days", "off"}}
"""The controls of the first steps; all others are in the last."""
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
_TEXTS = ("split", "name", "rules", "setting", "pace", "legs", "scoring", "win", "draw", "loss", "no_show", "side_size")
_DAYS = ("starts_on", "days", "play_days", "plays_at")
_FLAGS = ("swaps_sides", "is_rated")
_LONGEST = 120
_KEPT = "new_season"
_FIXED = ("7", "14")
_POINTS = ("win", "draw", "loss")
MOST_EVENINGS = 60
"""Most matchdays with a tick."""


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
    cleared: Sequence[str] = ()
    """Planned matchdays that were cleared, as days off."""
    absent: Sequence[int] = ()
    """Teams of the league that were cleared."""
    playing: int = 0
    """The number of teams that are ticked."""

    @property
    def division_rows(self) -> list[DivisionRow]:
        """The divisions: as typed, or as split, with as many places as teams are ticked."""
        rows, split = list(self.divisions), self.values.get("split")
        filled_rows = [row for row in rows if row.name]
        first, second = [*filled_rows, DivisionRow(), DivisionRow()][:2]
        if split not in ("last", "one", "two") or not self.playing:
            return rows
        if split == "last":
            return _as_last(filled_rows, self.playing) or rows
        top = self.playing if split == "one" else self.playing // 2
        divisions = [_sized(first, 1, top)]
        return divisions if split == "one" else [*divisions, _sized(second, 2, self.playing - top)]


def _as_last(rows: Sequence[DivisionRow], playing: int) -> list[DivisionRow]:
    """The divisions of the last season from the top, as many as there are teams for; the last takes the rest."""
    divisions: list[DivisionRow] = []
    left = playing
    for at, row in enumerate(rows, start=1):
        if divisions and left < 2:
            break
        size = min(int(row.size), left) if _is_number(row.size) and at < len(rows) else left
        divisions.append(replace(row, size=str(size)))
        left -= size
    if divisions:
        divisions[-1] = replace(divisions[-1], size=str(max(2, int(divisions[-1].size) + left)))
    return divisions


def _sized(row: DivisionRow, level: int, size: int) -> DivisionRow:
    return replace(row, name=row.name or gettext("Division %(counter)s") % {"counter": level}, size=str(max(2, size)))


# Saved values


def fresh(league: League) -> Typed:
    """The form of a new season: the usual choices, or those of the last season."""
    count = league.teams.filter(left_at=None).count()
    last = Season.objects.filter(league=league).order_by("-number").first()
    if last is not None:
        typed = stored(last)
        values = {**typed.values, "name": _next_name(league), "starts_on": _same_weekday(league, last).isoformat()}
        values["split"] = "last"
        rows = [DivisionRow("", row.name, row.size, row.up, row.down) for row in typed.divisions]
        return Typed(values, typed.flags, typed.tiebreaks, rows, [OffRow()], playing=count)
    first, at = _first_evening(league.club)
    values = {
        "split": "one",
        "name": _next_name(league),
        "rules": _usual_rules(league.club),
        "setting": Tournament.Setting.FACE,
        "pace": USUAL_PACE,
        "legs": "1",
        "points": "2-1-0",
        "scoring": "by_result",
        "win": "2",
        "draw": "1",
        "loss": "0",
        "no_show": Tournament.NoShow.ORGANISER,
        "side_size": "4" if league.kind == League.Kind.TEAM else "",
        "starts_on": first.isoformat(),
        "days": "7",
        "often": "7",
        "play_days": "7",
        "plays_at": f"{at:%H:%M}" if at else "",
    }
    flags = {"swaps_sides": True, "is_rated": False}
    rows = [DivisionRow(name="Division 1", size=str(max(2, count) if count else 8)), DivisionRow()]
    return Typed(values, flags, _padded(standard("round_robin").tiebreaks), rows, [OffRow()], playing=count)


def _next_name(league: League) -> str:
    last = Season.objects.filter(league=league).aggregate(last=Max("number"))["last"] or 0
    return gettext("Season %(number)s") % {"number": last + 1}


def _same_weekday(league: League, last: Season) -> date:
    """The first day from today on, and after the last season’s, with its weekday."""
    today = timezone.localdate(timezone=league.club.zone)
    weeks = max(1, -(-(today - last.starts_on).days // 7))
    return last.starts_on + timedelta(weeks=weeks)


def _first_evening(club: Club) -> tuple[date, time | None]:
    """Day and time of the club’s next meeting; without one, today in a week."""
    now = timezone.now()
    meeting = Meeting.objects.filter(club=club, is_called_off=False, starts_at__gte=now).order_by("starts_at").first()
    if meeting is None:
        return timezone.localdate(timezone=club.zone) + timedelta(days=7), None
    at = timezone.localtime(meeting.starts_at, club.zone)
    return at.date(), at.time()


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
        "often": _often(str(season.days)),
        "play_days": str(season.play_days),
        "plays_at": f"{season.plays_at:%H:%M}" if season.plays_at else "",
    }
    values["points"] = points_of(values)
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


def keep(request: HttpRequest, league: League) -> None:
    """Keep the input of a new season while its organiser adds teams on another page."""
    request.session[_KEPT] = {"league": league.pk, "form": request.POST.urlencode()}


def read_kept(request: HttpRequest, league: League) -> Typed | None:
    """The kept input, with the teams added since."""
    stored = request.session.get(_KEPT)
    if stored is None or stored["league"] != league.pk:
        return None
    form = typed(QueryDict(stored["form"]))
    return replace(form, playing=league.teams.filter(left_at=None).exclude(pk__in=form.absent).count())


def is_kept(request: HttpRequest, league: League) -> bool:
    """Whether there is kept input."""
    stored = request.session.get(_KEPT)
    return stored is not None and stored["league"] == league.pk


def forget(request: HttpRequest) -> None:
    """Drop the kept input, because its season is saved or its organiser starts again."""
    request.session.pop(_KEPT, None)


def typed(data: QueryDict) -> Typed:
    """The input of a form, with one more empty row if requested."""

    def text(name: str) -> str:
        return data.get(name, "").strip()[:_LONGEST]

    def rows(prefix: str) -> range:
        count = text(f"{prefix}_rows")
        return range(min(MOST_ROWS, int(count)) if count.isdecimal() and len(count) < 4 else 0)

    divisions = [
        DivisionRow(*(text(f"div_{name}_{at}") for name in ("id", "name", "size", "up", "down"))) for at in rows("div")
    ]
    off = [OffRow(*(text(f"off_{name}_{at}") for name in ("id", "first", "last", "reason"))) for at in rows("off")]
    more = data.get("act", "")
    values = {name: text(name) for name in (*_TEXTS, *_DAYS, "often")}
    if values["often"] not in dict(OFTEN):
        values["often"] = _often(values["days"])
    if more == "more_divisions":
        values["split"] = "other"
    values["points"] = text("points") if text("points") in dict(POINTS) else points_of(values)
    ticked = data.getlist("evening")
    are_these = text("evenings_of") in ("", pattern_of(values))
    offered = data.getlist("evening_shown")[:MOST_EVENINGS] if are_these else []
    playing = data.getlist("team")
    absent = [pk for pk in data.getlist("team_shown") if _is_number(pk) and pk not in playing]
    return Typed(
        values,
        {name: name in data for name in _FLAGS},
        [text(f"tiebreak_{at}") for at in range(TIEBREAKS)],
        [*divisions, DivisionRow()] if more == "more_divisions" else divisions,
        [*off, OffRow()] if more == "more_off" else off,
        [day[:_LONGEST] for day in dict.fromkeys(offered) if day not in ticked],
        [int(pk) for pk in absent],
        len(set(playing) & set(data.getlist("team_shown"))),
    )


def _is_number(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) < 19


def _often(days: str) -> str:
    return days if days in _FIXED else "other"


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


# Steps


def step_of(request: HttpRequest) -> str:
    """The step that a sent form asks for, else the one that it shows; of a page, that in its address."""
    names = dict(STEPS)
    target = request.POST.get("act", "").removeprefix("to_")
    current = request.POST.get("step") or request.GET.get("step", "")
    return target if target in names else current if current in names else "who"


def step_at(control: str, current: str) -> str:
    """The step with a control; the current step for what belongs to the whole form."""
    if control in ("season", "settings"):
        return current
    return next((step for step, controls in _FIELDS.items() if control in controls), "how")


def check_steps(form: Typed, first: str, next_: str) -> None:
    """Check the input of the steps from the first to before the next. Raises `Refused`."""
    names = [name for name, _ in STEPS]
    passed = names[names.index(first) : names.index(next_)]
    if "who" in passed:
        if not form.values["name"]:
            raise Refused("no_name", gettext("Enter a name for the season."), field="name")
        divisions_of(form)
        _borders(form)
    if "when" in passed:
        _days(form)
        list(off_of(form))


def pattern_of(values: Mapping[str, str]) -> str:
    """First day and interval: the matchdays of another pattern are other days."""
    return f"{values['starts_on']} {meant(values)['days']}"


def evenings(form: Typed, planned: Iterable[date]) -> list[tuple[date, bool]]:
    """Planned matchdays, and those that were cleared, in order, and whether they are ticked."""
    cleared = {day_of(day, "off", "") for day in form.cleared if _is_day(day)}
    return [(day, day not in cleared) for day in sorted({*planned, *cleared})][:MOST_EVENINGS]


def _is_day(text: str) -> bool:
    try:
        day_of(text, "off", "")
    except Refused:
        return False
    return True


def in_words(form: Typed, choices: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the folded choices of the last step hold: labels and words."""
    values = meant(form.values)
    points = dict(choices["scoring_choices"]).get(values["scoring"], "")
    if values["scoring"] == "by_result":
        points = gettext("%(win)s for a win, %(draw)s for a draw, %(loss)s for a loss") % values
    ties = [dict(choices["tiebreak_choices"]).get(name, "") for name in form.tiebreaks]
    return [
        (
            gettext("Everyone meets everyone"),
            gettext("twice, home and away") if values["legs"] == "2" else gettext("once"),
        ),
        (gettext("Points of a match"), points),
        (gettext("Tie-breaks"), gettext(", then ").join(filter(None, ties)) or gettext("none")),
        (
            gettext("A match without a result at its deadline"),
            str(dict(choices["no_show_choices"]).get(values["no_show"], "")),
        ),
        (gettext("Home and away"), gettext("yes") if form.flags["swaps_sides"] else gettext("no")),
        (gettext("Counts for ratings"), gettext("yes") if form.flags["is_rated"] else gettext("no")),
    ]


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


_TIEBREAKS = (
    *("direct_encounter", "spread", "wins", "points_scored", "sonneborn_berger", "capped_spread"),
    *("fewest_walkovers", "books", "going_out", "lots"),
)


# Arguments for services


def season_values(form: Typed) -> dict[str, Any]:
    """Arguments of `seasons.make` and changes of `seasons.change`, without divisions. Raises `Refused`."""
    values = form.values
    arguments: dict[str, Any] = {
        "name": values["name"],
        **_days(form),
        "swaps_sides": form.flags["swaps_sides"],
        "plan": _plan(form),
        "settings": _settings(form),
        **_borders(form),
    }
    rules = values["rules"]
    if rules.startswith(VERSION):
        arguments["rules_version_id"] = whole_number(rules.removeprefix(VERSION), "rules", gettext(OF_RULES))
    else:
        arguments["preset"] = rules
    return arguments


def _days(form: Typed) -> dict[str, Any]:
    values = meant(form.values)
    return {
        "starts_on": day_of(values["starts_on"], "starts_on", gettext("Enter the season’s start date.")),
        "days": whole_number(values["days"], "days", gettext("Enter a whole number of days between matchdays.")),
        "play_days": whole_number(
            values["play_days"], "play_days", gettext("Enter a whole number of days to play a match.")
        ),
        "plays_at": time_of(values["plays_at"]),
    }


def _borders(form: Typed) -> dict[str, list[int]]:
    rows = [row for row in form.division_rows if row.name]
    return {
        "up": [whole_number(row.up or "1", "divisions", _for(_UP, row)) for row in rows[1:]],
        "down": [whole_number(row.down or "1", "divisions", _for(_DOWN, row)) for row in rows[:-1]],
    }


def divisions_of(form: Typed) -> list[tuple[int | None, str, int]]:
    """The divisions as `seasons.set_divisions` takes them; empty rows are left out. Raises `Refused`."""
    return [
        (int(row.pk) if row.pk.isdecimal() else None, row.name, whole_number(row.size, "divisions", _for(_SIZE, row)))
        for row in form.division_rows
        if row.name
    ]


def _plan(form: Typed) -> dict[str, Any]:
    values = meant(form.values)
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
    cleared = [OffRow(first=day) for day in form.cleared]
    for at, row in enumerate([*form.off, *cleared]):
        if not row.is_empty:
            first = day_of(row.first, "off", gettext("Enter the first day off."))
            last = day_of(row.last, "off", "") if row.last else first
            yield at, row, first, last
