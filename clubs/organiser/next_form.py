"""The form of the next season: what it is called, when it begins, by which rules, and who plays where in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from accounts.models import User
from clubs.models import Division, Season, SeasonEntry
from clubs.organiser.season import Outlook, outlook
from clubs.organiser.season_form import OF_RULES, VERSION, choices, day_of, stored, time_of, whole
from clubs.services import history
from clubs.services.seasons import next_season, season_draw, season_plans
from clubs.services.seasons.next_season import Preview
from web.errors import NotAllowed, Refused

_LONGEST = 100
_TEXTS = ("name", "starts_on", "days", "plays_at", "rules", "undersized")
UNDERSIZED = (
    ("merge", gettext_lazy("merged into the one above")),
    ("fill", gettext_lazy("filled from the one above")),
    ("keep", gettext_lazy("left as small as it is")),
)
"""What may become of a bottom division that is too small, and in words."""
STAND_IN = gettext_noop("The next season")
"""What a season is called in a preview as long as it has no name."""


@dataclass(frozen=True)
class Typed:
    """What was typed, as the page shows it again."""

    values: Mapping[str, str]
    sizes: Mapping[int, str]
    """By id of the division."""
    levels: Mapping[int, str]
    """By id of the team, the level it is to play on; empty for where the tables put it."""
    leaving: frozenset[int] = field(default_factory=frozenset)
    joining: frozenset[int] = field(default_factory=frozenset)


def typed(request: HttpRequest, season: Season) -> Typed:
    """What a form sent; for a page that is opened, what the last season had."""
    divisions = Division.objects.filter(season=season).order_by("level")
    last = stored(season).values
    values = {"name": "", "starts_on": "", "undersized": "merge"} | {
        name: last[name] for name in ("days", "plays_at", "rules")
    }
    sizes = {one.pk: str(one.size) for one in divisions}
    if request.method != "POST":
        return Typed(values, sizes, {})
    sent = request.POST
    values |= {name: sent[name].strip()[:_LONGEST] for name in _TEXTS if name in sent}
    sizes |= {pk: sent[f"size_{pk}"][:6] for pk in sizes if f"size_{pk}" in sent}
    leaving, joining = _ids(request, "leaving"), _ids(request, "joining")
    own = SeasonEntry.objects.filter(season=season).values_list("team_id", flat=True)
    levels = {pk: sent.get(f"level_{pk}", "")[:3] for pk in {*own, *joining} - leaving}
    return Typed(values, sizes, levels, leaving, joining)


def _ids(request: HttpRequest, name: str) -> frozenset[int]:
    return frozenset(int(pk) for pk in request.POST.getlist(name) if pk.isdecimal() and len(pk) < 10)


def moves(found: Typed) -> dict[str, Any]:
    """Arguments of `next_season.preview`. Raises `Refused` at the control."""
    return {
        "leaving": sorted(found.leaving),
        "joining": sorted(found.joining),
        "sizes": [
            whole(size, "sizes", gettext("Enter a whole number of teams for each division."))
            for size in found.sizes.values()
        ],
        "undersized": found.values["undersized"],
        "moves": {
            pk: whole(level, "sizes", gettext("Enter a whole number for the division."))
            for pk, level in found.levels.items()
            if level
        },
    }


def arguments(found: Typed, season: Season) -> dict[str, Any]:
    """Arguments of `next_season.make`, those of `preview` included. Raises `Refused` at the control."""
    values, last = found.values, stored(season).values
    changes: dict[str, Any] = {}
    if values["days"] != last["days"]:
        changes["days"] = whole(values["days"], "days", gettext("Enter a whole number of days between matchdays."))
        changes["play_days"] = changes["days"] if season.play_days == season.days else season.play_days
    if values["plays_at"] != last["plays_at"]:
        changes["plays_at"] = time_of(values["plays_at"])
    rules = values["rules"]
    if rules != last["rules"] and rules.startswith(VERSION):
        changes["rules_version_id"] = whole(rules.removeprefix(VERSION), "rules", gettext(OF_RULES))
    elif rules != last["rules"]:
        changes["preset"] = rules
    day = day_of(values["starts_on"], "starts_on", gettext("Enter the season’s start date."))
    return {"name": values["name"], "starts_on": day, "changes": changes, **moves(found)}


def look(season: Season, found: Typed) -> Preview:
    """Who would play where."""
    try:
        return next_season.preview(season, **moves(found))
    except Refused as refusal:
        return Preview(season, (), (), (refusal.sentence,))


def look_at_days(season: Season, by: User, found: Typed) -> Outlook | None:
    """The timetable that would come of it, and what stands against its draw; nothing as long as no day is said. Nothing is
    written."""
    if not found.values["starts_on"]:
        return None
    try:
        values = arguments(found, season)
        values["name"] = values["name"] or gettext(STAND_IN)
        with history.rolled_back(season.league.club_id):
            made = next_season.make(season.pk, by, **values)
            made.league.club = season.league.club
            return outlook(season_draw.preview(made))
    except NotAllowed:
        raise
    except Refused as refusal:
        return Outlook(refusal=refusal.sentence, at=str(refusal.details.get("field", "next")))


def rule_choices(season: Season) -> list[tuple[str, str]]:
    """The rules that can be chosen: house rules of the club first."""
    found: list[tuple[str, str]] = choices(season.league.club, season.league, season)["rule_choices"]
    return found


def sizes(season: Season, found: Typed) -> list[tuple[Division, str]]:
    """The divisions of the last season with the size that each is to have."""
    return [(one, found.sizes.get(one.pk, "")) for one in season_plans.divisions_of(season)]
