"""The form of the next season: name, start, rules, and the teams of each division."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from accounts.models import User
from clubs.models import Division, Season, SeasonEntry
from clubs.organiser.season import Outlook, outlook
from clubs.organiser.season_arguments import OF_RULES
from clubs.organiser.season_choices import VERSION, choices
from clubs.organiser.season_prefill import stored
from clubs.organiser.typed_fields import day_of, time_of, whole_number
from clubs.services import history
from clubs.services.seasons import next_season, season_draw, season_plans
from clubs.services.seasons.next_season import Preview
from web.errors import NotAllowed, Refused
from web.sent_numbers import read_ids

_LONGEST = 100
_TEXTS = ("name", "starts_on", "days", "plays_at", "rules", "undersized")
UNDERSIZED = (
    ("merge", gettext_lazy("merged into the one above")),
    ("fill", gettext_lazy("filled from the one above")),
    ("keep", gettext_lazy("left as small as it is")),
)
"""Options for a bottom division that is too small, with their labels."""
STAND_IN = gettext_noop("The next season")
"""The name of a season without one in a preview."""


@dataclass(frozen=True)
class Typed:
    """The input, as the page shows it again."""

    values: Mapping[str, str]
    sizes: Mapping[int, str]
    """By id of the division."""
    levels: Mapping[int, str]
    """Levels by id of the team; empty for the level that the standings give."""
    leaving: frozenset[int] = field(default_factory=frozenset)
    joining: frozenset[int] = field(default_factory=frozenset)


def typed(request: HttpRequest, season: Season) -> Typed:
    """The input of a form; at first, the values of the last season."""
    divisions = Division.objects.filter(season=season).order_by("level")
    last = stored(season).values
    values = {"name": "", "starts_on": "", "undersized": "merge"} | {
        name: last[name] for name in ("days", "plays_at", "rules")
    }
    sizes = {division.pk: str(division.size) for division in divisions}
    if request.method != "POST":
        return Typed(values, sizes, {})
    sent = request.POST
    values |= {name: sent[name].strip()[:_LONGEST] for name in _TEXTS if name in sent}
    sizes |= {pk: sent[f"size_{pk}"][:6] for pk in sizes if f"size_{pk}" in sent}
    leaving, joining = _ids(request, "leaving"), _ids(request, "joining")
    team_ids = SeasonEntry.objects.filter(season=season).values_list("team_id", flat=True)
    levels = {pk: sent.get(f"level_{pk}", "")[:3] for pk in {*team_ids, *joining} - leaving}
    return Typed(values, sizes, levels, leaving, joining)


def _ids(request: HttpRequest, name: str) -> frozenset[int]:
    return frozenset(read_ids(request.POST.getlist(name)))


def moves(form: Typed) -> dict[str, Any]:
    """Arguments of `next_season.preview`. Raises `Refused` at the control."""
    return {
        "leaving": sorted(form.leaving),
        "joining": sorted(form.joining),
        "sizes": [
            whole_number(size, "sizes", gettext("Enter a whole number of teams for each division."))
            for size in form.sizes.values()
        ],
        "undersized": form.values["undersized"],
        "moves": {
            pk: whole_number(level, "sizes", gettext("Enter a whole number for the division."))
            for pk, level in form.levels.items()
            if level
        },
    }


def arguments(form: Typed, season: Season) -> dict[str, Any]:
    """Arguments of `next_season.make`, including those of `preview`. Raises `Refused` at the control."""
    values, last = form.values, stored(season).values
    changes: dict[str, Any] = {}
    if values["days"] != last["days"]:
        changes["days"] = whole_number(
            values["days"], "days", gettext("Enter a whole number of days between matchdays.")
        )
        changes["play_days"] = changes["days"] if season.play_days == season.days else season.play_days
    if values["plays_at"] != last["plays_at"]:
        changes["plays_at"] = time_of(values["plays_at"])
    rules = values["rules"]
    if rules != last["rules"] and rules.startswith(VERSION):
        changes["rules_version_id"] = whole_number(rules.removeprefix(VERSION), "rules", gettext(OF_RULES))
    elif rules != last["rules"]:
        changes["preset"] = rules
    day = day_of(values["starts_on"], "starts_on", gettext("Enter the season’s start date."))
    return {"name": values["name"], "starts_on": day, "changes": changes, **moves(form)}


def preview_moves(season: Season, form: Typed) -> Preview:
    """A preview of the divisions."""
    try:
        return next_season.preview(season, **moves(form))
    except Refused as refusal:
        return Preview(season, (), (), (refusal.sentence,))


def preview_days(season: Season, by: User, form: Typed) -> Outlook | None:
    """A preview of the timetable with the obstacles to its draw; `None` without a start date. Nothing is saved."""
    if not form.values["starts_on"]:
        return None
    try:
        values = arguments(form, season)
        values["name"] = values["name"] or gettext(STAND_IN)
        with history.rolled_back(season.league.club_id):
            draft = next_season.make(season.pk, by, **values)
            draft.league.club = season.league.club
            return outlook(season_draw.preview(draft))
    except NotAllowed:
        raise
    except Refused as refusal:
        return Outlook(refusal=refusal.sentence, at=str(refusal.details.get("field", "next")))


def rule_choices(season: Season) -> list[tuple[str, list[tuple[str, str]]]]:
    """The choices of rules in groups: house rules of the club first."""
    rules: list[tuple[str, list[tuple[str, str]]]] = choices(season.league.club, season.league, season)["rule_choices"]
    return rules


def sizes(season: Season, form: Typed) -> list[tuple[Division, str]]:
    """The divisions of the last season with their new sizes."""
    return [(division, form.sizes.get(division.pk, "")) for division in season_plans.divisions_of(season)]
