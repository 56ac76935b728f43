"""What an act of a club changed, before and after, in words.

Addresses, what people want others to know, and the tokens of links are never told: of these only that there is one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from typing import Any

from django.apps import apps
from django.db.models import CharField, Model, Value
from django.db.models.functions import Concat
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime, parse_time

from clubs.models import (
    Act,
    Appearance,
    Division,
    Fixture,
    Honour,
    HouseRules,
    JoinRequest,
    League,
    LeagueClub,
    Meeting,
    Membership,
    News,
    Newsletter,
    Proposal,
    RulesVersion,
    Season,
    SeasonEntry,
    SeasonEvent,
    SeasonEventEntry,
    Team,
    TeamMember,
)
from clubs.services.settings import LABELS
from engine.errors import BadInput
from engine.play.rules import Rules
from tournaments.desk.changes import Change
from web.words import date_and_time

FIELDS: dict[str, dict[str, str]] = {
    "club": {**LABELS, "archived_at": "archived"},
    "membership": {
        "name": "name",
        "role": "role",
        "user_id": "account",
        "email": "e-mail address",
        "contact": "what others may know",
        "is_listed": "in the directory",
        "wants_letters": "newsletter",
        "left_at": "left",
    },
    "joinrequest": {"status": "request"},
    "news": {"title": "title", "body": "text", "is_pinned": "on top"},
    "meeting": {
        "title": "title",
        "words": "words",
        "venue": "venue",
        "starts_at": "begins",
        "ends_at": "ends",
        "is_called_off": "called off",
    },
    "newsletter": {"subject": "subject", "status": "letter"},
    "houserules": {"name": "name", "about": "words", "is_archived": "put away"},
    "league": {"name": "name", "about": "words", "is_archived": "archived"},
    "leagueclub": {"agreed_at": "takes part since"},
    "team": {"name": "name", "venue": "plays at home at", "left_at": "left the league"},
    "teammember": {"role": "role", "position": "place in the order", "left_at": "left", "membership_id": "person"},
    "season": {
        "name": "name",
        "number": "number",
        "status": "season",
        "rules_version_id": "house rules",
        "rules_json": "rules",
        "plan_json": "scoring and tie-breaks",
        "settings": "terms",
        "starts_on": "first day",
        "days": "days between matchdays",
        "play_days": "days to play",
        "plays_at": "time of play",
        "swaps_sides": "home and away",
        "up": "go up over each border",
        "down": "go down over each border",
    },
    "division": {"name": "name", "level": "level", "size": "size"},
    "seasonentry": {"division_id": "division", "position": "number in the draw", "final_rank": "final place"},
    "seasonevent": {"name": "name"},
    "fixture": {"venue": "venue"},
    "proposal": {"status": "proposal"},
    "appearance": {"membership_id": "played by"},
    "honour": {"title": "honour", "place": "place"},
}
"""What is told of a row, by its model: fields, and what people call them. Others say nothing to anybody."""

ADDED: dict[str, str] = {
    "club": "made",
    "membership": "added",
    "joinrequest": "asked",
    "news": "written",
    "meeting": "set",
    "newsletter": "written",
    "houserules": "made",
    "rulesversion": "kept",
    "league": "made",
    "leagueclub": "asked",
    "team": "came in",
    "season": "prepared",
    "division": "added",
    "seasonevent": "begun",
    "seasonevententry": "takes part",
    "fixture": "arranged",
    "proposal": "proposed",
    "appearance": "played",
}
"""What became of a row that was added, where its own fields do not say it better."""

_KINDS: dict[str, str] = {
    "membership": "Somebody",
    "joinrequest": "A request",
    "news": "News",
    "meeting": "A date",
    "newsletter": "A newsletter",
    "houserules": "House rules",
    "rulesversion": "A version",
    "league": "A league",
    "leagueclub": "Another club",
    "team": "A team",
    "teammember": "A person of a team",
    "season": "A season",
    "division": "A division",
    "seasonentry": "A team",
    "seasonevent": "A cup",
    "seasonevententry": "A team",
    "fixture": "A match",
    "proposal": "A proposal",
    "appearance": "A player",
    "honour": "A team",
    "blackout": "Days off",
}
"""What a row is called whose name is not known any more; models that are in no list here are not told of."""

_CALLED: dict[str, tuple[type[Model], tuple[str, ...]]] = {
    "membership": (Membership, ("name",)),
    "joinrequest": (JoinRequest, ("user__display_name",)),
    "news": (News, ("title",)),
    "meeting": (Meeting, ("title",)),
    "newsletter": (Newsletter, ("subject",)),
    "houserules": (HouseRules, ("name",)),
    "rulesversion": (RulesVersion, ("house_rules__name", ", version ", "number")),
    "league": (League, ("name",)),
    "leagueclub": (LeagueClub, ("club__name",)),
    "team": (Team, ("name",)),
    "teammember": (TeamMember, ("membership__name", ", ", "team__name")),
    "season": (Season, ("name",)),
    "division": (Division, ("name",)),
    "seasonentry": (SeasonEntry, ("team__name",)),
    "seasonevent": (SeasonEvent, ("name",)),
    "seasonevententry": (SeasonEventEntry, ("team__name",)),
    "fixture": (Fixture, ("pairing__name",)),
    "proposal": (Proposal, ("team__name",)),
    "appearance": (Appearance, ("member__name",)),
    "honour": (Honour, ("team__name",)),
}
"""By model, its rows and what they are called: fields, and what stands between them."""

_LINKS: dict[str, str] = {
    "membership_id": "membership",
    "team_id": "team",
    "division_id": "division",
    "rules_version_id": "rulesversion",
    "season_id": "season",
    "club_id": "",
    "house_rules_id": "houserules",
}
"""Fields that lead to other rows, by the model of these."""
_PRIVATE = ("email", "contact", "user_id")
_LONG = ("about", "body", "words")
MOST = 12
"""Lines that are shown of one act."""


Names = Mapping[tuple[str, int], str]
"""What rows are called, by model and id; those that are gone are missing."""


@dataclass(frozen=True)
class Told:
    """What an act changed."""

    lines: tuple[Change, ...]
    more: int
    """How many more lines there would be."""


def names_of(acts: Iterable[Act]) -> Names:
    """The names that the changes of some acts need: one query for each model that they are about."""
    wanted: dict[str, set[int]] = defaultdict(set)
    for change in (change for act in acts for change in act.changes):
        wanted[change["model"]].add(change["pk"])
        for values in (change["was"], change["is"]):
            for field, model in _LINKS.items():
                if isinstance(values, dict) and isinstance(values.get(field), int):
                    wanted[model].add(values[field])
    found: dict[tuple[str, int], str] = {}
    for name, (model_of, parts) in _CALLED.items():
        if wanted[name]:
            rows = model_of._default_manager.filter(pk__in=wanted[name]).annotate(_called=_joined(parts))
            found |= {(name, pk): str(called) for pk, called in rows.values_list("pk", "_called")}
    return found


def _joined(parts: tuple[str, ...]) -> Any:
    fields = [Value(part) if part.startswith(",") else part for part in parts]
    return Concat(*fields, output_field=CharField()) if len(fields) > 1 else Concat(fields[0], Value(""))


def in_words(act: Act, names: Names) -> Told:
    """What an act changed."""
    found = [line for change in act.changes for line in _told(change, names)]
    return Told(tuple(found[:MOST]), max(0, len(found) - MOST))


def _told(change: Mapping[str, Any], names: Names) -> list[Change]:
    model, was, became = change["model"], change["was"], change["is"]
    if model not in FIELDS and model not in ADDED and model != "blackout":
        return []
    what = _what(change, names)
    if was is None or became is None:
        words = _row_words(model, (became if was is None else was) or {}, names)
        return [Change(what, "", words) if was is None else Change(what, words, "taken away")]
    labels = FIELDS.get(model, {})
    differ = [name for name in labels if name in became and was.get(name) != became[name]]
    if "rules_version_id" in differ and "rules_json" in differ:
        differ.remove("rules_version_id")
    return [
        Change(f"{what}: {labels[name]}" if what else labels[name], *_both(model, name, was, became, names))
        for name in differ
    ]


def _what(change: Mapping[str, Any], names: Names) -> str:
    """What a change is about; empty for the club itself."""
    model = change["model"]
    if model == "club":
        return ""
    row = {**(change["was"] or {}), **(change["is"] or {})}
    if model == "blackout":
        return names.get(("team", row.get("team_id") or 0), "Everybody")
    own = names.get((model, change["pk"])) or str(row.get("name") or row.get("title") or "")
    linked = _what_linked(model, row, names)
    return own or linked or _KINDS[model]


def _what_linked(model: str, row: Mapping[str, Any], names: Names) -> str:
    """What a row that is gone was called, by those it led to."""
    if model == "teammember":
        both = [names.get((one, row.get(f"{one}_id") or 0)) for one in ("membership", "team")]
        return ", ".join(one for one in both if one)
    if model in ("seasonentry", "seasonevententry", "honour", "proposal"):
        return names.get(("team", row.get("team_id") or 0), "")
    if model == "rulesversion":
        kept = names.get(("houserules", row.get("house_rules_id") or 0))
        return f"{kept}, version {row.get('number')}" if kept else ""
    return ""


def _row_words(model: str, row: Mapping[str, Any], names: Names) -> str:
    """What a row that was added or taken away says."""
    if model == "blackout":
        first, last = (_plain(row.get(name)) for name in ("first_day", "last_day"))
        why = f": {row['reason']}" if row.get("reason") else ""
        return f"does not play on {first}{why}" if first == last else f"does not play from {first} to {last}{why}"
    if model == "honour":
        return str(row.get("title", ""))
    if model == "teammember":
        return _value(model, "role", row.get("role"), names)
    if model == "seasonentry":
        division = names.get(("division", row.get("division_id") or 0))
        return f"{division}, number {row.get('position')}" if division else f"number {row.get('position')}"
    if model == "membership" and row.get("role"):
        return f"added as {_value(model, 'role', row['role'], names).lower()}"
    if model in ("meeting", "proposal") and row.get("starts_at"):
        return f"{ADDED[model]} for {_plain(row['starts_at'])}"
    if model == "division" and row.get("size"):
        return f"added, of {row['size']}"
    return ADDED.get(model, "added")


def _both(model: str, name: str, was: Mapping[str, Any], became: Mapping[str, Any], names: Names) -> tuple[str, str]:
    before, after = was.get(name), became[name]
    if name in _PRIVATE:
        return ("one" if before else "none", "none" if not after else "another" if before else "one")
    if name in _LONG:
        return ("as before" if before else "nothing", "changed" if after else "nothing")
    if name == "rules_json":
        return _rules(was, names), _rules(became, names)
    if name in ("plan_json", "settings"):
        return _differing(before or {}, after or {})
    return _value(model, name, before, names), _value(model, name, after, names)


def _rules(row: Mapping[str, Any], names: Names) -> str:
    """The rules of a season: the version of house rules, else the published ruleset."""
    version = row.get("rules_version_id")
    if version:
        return names.get(("rulesversion", version), "house rules")
    try:
        return Rules.read(row["rules_json"]).title
    except (BadInput, KeyError):
        return "rules of its own"


def _differing(was: Mapping[str, Any], became: Mapping[str, Any]) -> tuple[str, str]:
    """Two lots of choices, as far as they differ."""
    differ = [name for name in sorted({*was, *became}) if was.get(name) != became.get(name)]

    def words(row: Mapping[str, Any]) -> str:
        told = [f"{name.replace('_', ' ')} {_plain(row[name]) if name in row else 'as usual'}" for name in differ[:4]]
        return ", ".join(told) + (", …" if len(differ) > 4 else "")

    return words(was), words(became)


def _value(model: str, name: str, value: Any, names: Names) -> str:
    if name in _LINKS:
        return names.get((_LINKS[name], value or 0), "none" if value is None else "one that is gone")
    if isinstance(value, str) and (label := _choices(model, name).get(value)):
        return label
    if name in ("left_at", "archived_at") and value is None:
        return "no"
    return _plain(value)


@cache
def _choices(model: str, name: str) -> dict[str, str]:
    """What values of a field are called, where it is chosen from a list."""
    field: Any = apps.get_model("clubs", model)._meta.get_field(name)
    return {str(value): str(label) for value, label in field.flatchoices}


def _plain(value: Any) -> str:
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {_plain(one)}" for key, one in value.items())[:80] or "nothing"
    if isinstance(value, list):
        return ", ".join(str(one).replace("_", " ") for one in value) or "none"
    text = str(value)
    found = _when(text) if text[:1].isdigit() else None
    return found or text[:80]


def _when(text: str) -> str:
    """A day, a time of day or a moment that was kept as text, as people write it; empty for anything else."""
    try:
        moment = parse_datetime(text) if len(text) > 15 else None
        day = parse_date(text) if len(text) == 10 else None
        clock = parse_time(text) if len(text) in (5, 8) and text[2] == ":" else None
    except ValueError:
        return ""
    if isinstance(moment, datetime):
        return date_and_time(moment if timezone.is_aware(moment) else timezone.make_aware(moment))
    if isinstance(day, date):
        return f"{day:%a} {day.day} {day:%b %Y}"
    return f"{clock:%H:%M}" if isinstance(clock, time) else ""
