"""What was typed in the form of a season, as arguments for the services."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.utils.translation import gettext, gettext_noop

from clubs.organiser.season_choices import PACES, STEPS, USUAL_PACE, VERSION, meant
from clubs.organiser.season_form import DivisionRow, OffRow, Typed
from clubs.organiser.typed_fields import day_of, time_of, whole_number
from tournaments.models import Tournament
from web.errors import Refused

_UP = gettext_noop("Enter a whole number of teams promoted from %(division)s.")
_DOWN = gettext_noop("Enter a whole number of teams relegated from %(division)s.")
_SIZE = gettext_noop("Enter a whole number of teams for %(division)s.")
OF_RULES = gettext_noop("Enter a whole number for the house rules.")


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


def off_of(form: Typed) -> Iterable[tuple[int, OffRow, date, date]]:
    """The rows of days off that are filled in: number of the row, the row, first and last day. Raises `Refused`."""
    cleared = [OffRow(first=day) for day in form.cleared]
    for at, row in enumerate([*form.off, *cleared]):
        if not row.is_empty:
            first = day_of(row.first, "off", gettext("Enter the first day off."))
            last = day_of(row.last, "off", "") if row.last else first
            yield at, row, first, last


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


def _for(words: str, division: DivisionRow) -> str:
    return gettext(words) % {"division": division.name}
