"""Changes of an action of a club in words, before and after.

Email addresses, contact details and the tokens of links are private: the words show only whether there is one. Former
names of people are not shown either.
"""

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
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, gettext_noop, pgettext, pgettext_lazy

from clubs import honours
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
    NewsPlace,
    Proposal,
    RulesVersion,
    Season,
    SeasonEntry,
    SeasonEvent,
    SeasonEventEntry,
    Series,
    SeriesEvent,
    Team,
    TeamMember,
)
from clubs.services.settings import LABELS
from clubs.text import role, weekday
from engine.errors import BadInput
from engine.play.rules import Rules
from engine.words import say
from tournaments.organiser.action_diff import Change
from web.text import date_and_time

FIELDS: dict[str, dict[str, Promise]] = {
    "club": {
        **{name: gettext_lazy(label) for name, label in LABELS.items()},
        "archived_at": pgettext_lazy("history", "archived"),
    },
    "membership": {
        "name": pgettext_lazy("history", "name"),
        "role": pgettext_lazy("history", "role"),
        "user_id": pgettext_lazy("history", "account"),
        "email": pgettext_lazy("history", "email address"),
        "contact": pgettext_lazy("history", "contact details"),
        "phone": pgettext_lazy("history", "phone number"),
        "address": pgettext_lazy("history", "postal address"),
        "hears_by": pgettext_lazy("history", "how they like to hear"),
        "shows_email": pgettext_lazy("history", "email address in the handbook"),
        "shows_phone": pgettext_lazy("history", "phone number in the handbook"),
        "shows_address": pgettext_lazy("history", "postal address in the handbook"),
        "note": pgettext_lazy("history", "note"),
        "is_listed": pgettext_lazy("history", "in the directory"),
        "wants_letters": pgettext_lazy("history", "newsletter"),
        "left_at": pgettext_lazy("history", "left"),
    },
    "joinrequest": {"status": pgettext_lazy("history", "request")},
    "news": {
        "title": pgettext_lazy("history", "title"),
        "body": pgettext_lazy("history", "text"),
        "is_pinned": pgettext_lazy("history", "on top"),
    },
    "meeting": {
        "title": pgettext_lazy("history", "title"),
        "words": pgettext_lazy("history", "description"),
        "venue": pgettext_lazy("history", "venue"),
        "starts_at": pgettext_lazy("history", "starts"),
        "ends_at": pgettext_lazy("history", "ends"),
        "is_called_off": pgettext_lazy("history", "cancelled"),
    },
    "newsletter": {"subject": pgettext_lazy("history", "subject"), "status": pgettext_lazy("history", "newsletter")},
    "houserules": {
        "name": pgettext_lazy("history", "name"),
        "about": pgettext_lazy("history", "description"),
        "is_archived": pgettext_lazy("history", "archived"),
    },
    "league": {
        "name": pgettext_lazy("history", "name"),
        "about": pgettext_lazy("history", "description"),
        "is_archived": pgettext_lazy("history", "archived"),
    },
    "leagueclub": {"agreed_at": pgettext_lazy("history", "taking part since")},
    "team": {
        "name": pgettext_lazy("history", "name"),
        "venue": pgettext_lazy("history", "plays at home at"),
        "left_at": pgettext_lazy("history", "left the league"),
    },
    "teammember": {
        "role": pgettext_lazy("history", "role"),
        "position": pgettext_lazy("history", "place in the order"),
        "left_at": pgettext_lazy("history", "left"),
        "membership_id": pgettext_lazy("history", "person"),
    },
    "season": {
        "name": pgettext_lazy("history", "name"),
        "number": pgettext_lazy("history", "number"),
        "status": pgettext_lazy("history", "season"),
        "rules_version_id": pgettext_lazy("history", "house rules"),
        "rules_json": pgettext_lazy("history", "rules"),
        "plan_json": pgettext_lazy("history", "scoring and tie-breaks"),
        "settings": pgettext_lazy("history", "terms"),
        "starts_on": pgettext_lazy("history", "first day"),
        "days": pgettext_lazy("history", "days between matchdays"),
        "play_days": pgettext_lazy("history", "days to play"),
        "plays_at": pgettext_lazy("history", "start time"),
        "swaps_sides": pgettext_lazy("history", "home and away"),
        "up": pgettext_lazy("history", "promoted from each division"),
        "down": pgettext_lazy("history", "relegated from each division"),
    },
    "division": {
        "name": pgettext_lazy("history", "name"),
        "level": pgettext_lazy("history", "place in the order"),
        "size": pgettext_lazy("history", "size"),
    },
    "seasonentry": {
        "division_id": pgettext_lazy("history", "division"),
        "position": pgettext_lazy("history", "number in the draw"),
        "final_rank": pgettext_lazy("history", "final place"),
    },
    "seasonevent": {"name": pgettext_lazy("history", "name")},
    "series": {
        "name": pgettext_lazy("history", "name"),
        "first_day": pgettext_lazy("history", "first day"),
        "last_day": pgettext_lazy("history", "last day"),
        "measure": pgettext_lazy("history", "counts of each evening"),
        "way": pgettext_lazy("history", "evenings count as"),
        "number": pgettext_lazy("history", "number of evenings"),
    },
    "seriesevent": {"is_counted": pgettext_lazy("history", "counts in the series")},
    "newsplace": {
        "name": pgettext_lazy("history", "name"),
        "ending": pgettext_lazy("history", "end of the address"),
        "league_id": pgettext_lazy("history", "only this league"),
        "rest": pgettext_lazy("history", "paused"),
        "removed_at": pgettext_lazy("history", "removed"),
    },
    "fixture": {"venue": pgettext_lazy("history", "venue")},
    "proposal": {"status": pgettext_lazy("history", "proposal")},
    "appearance": {"membership_id": pgettext_lazy("history", "played by")},
    "honour": {"title": pgettext_lazy("history", "honour"), "place": pgettext_lazy("history", "place")},
}
"""Fields with their labels, by model. Fields and models not listed are not shown."""

ADDED: dict[str, Promise] = {
    "club": pgettext_lazy("history", "created"),
    "membership": pgettext_lazy("history", "added"),
    "joinrequest": pgettext_lazy("history", "asked"),
    "news": pgettext_lazy("history", "written"),
    "meeting": pgettext_lazy("history", "set"),
    "newsletter": pgettext_lazy("history", "written"),
    "houserules": pgettext_lazy("history", "created"),
    "rulesversion": pgettext_lazy("history", "saved"),
    "league": pgettext_lazy("history", "created"),
    "leagueclub": pgettext_lazy("history", "asked"),
    "team": pgettext_lazy("history", "joined"),
    "season": pgettext_lazy("history", "prepared"),
    "division": pgettext_lazy("history", "added"),
    "seasonevent": pgettext_lazy("history", "started"),
    "seasonevententry": pgettext_lazy("history", "takes part"),
    "series": pgettext_lazy("history", "created"),
    "newsplace": pgettext_lazy("history", "added"),
    "fixture": pgettext_lazy("history", "arranged"),
    "proposal": pgettext_lazy("history", "proposed"),
    "appearance": pgettext_lazy("history", "played"),
}
"""Words for an added row, by model, if its own fields do not say it better."""

_KINDS: dict[str, str] = {
    "membership": gettext_noop("Someone"),
    "joinrequest": gettext_noop("A request"),
    "news": gettext_noop("News"),
    "meeting": gettext_noop("A meeting"),
    "newsletter": gettext_noop("A newsletter"),
    "houserules": gettext_noop("House rules"),
    "rulesversion": gettext_noop("A version"),
    "league": gettext_noop("A league"),
    "leagueclub": gettext_noop("Another club"),
    "team": gettext_noop("A team"),
    "teammember": gettext_noop("A team member"),
    "season": gettext_noop("A season"),
    "division": gettext_noop("A division"),
    "seasonentry": gettext_noop("A team"),
    "seasonevent": gettext_noop("A cup"),
    "seasonevententry": gettext_noop("A team"),
    "series": gettext_noop("A series"),
    "seriesevent": gettext_noop("An evening"),
    "newsplace": gettext_noop("A place for news"),
    "fixture": gettext_noop("A match"),
    "proposal": gettext_noop("A proposal"),
    "appearance": gettext_noop("A player"),
    "honour": gettext_noop("A team"),
    "blackout": gettext_noop("Days off"),
}
"""Words for a row without a known name, by model. Models in no list are not shown."""

_CALLED: dict[str, tuple[type[Model], tuple[str, ...]]] = {
    "membership": (Membership, ("name",)),
    "joinrequest": (JoinRequest, ("user__display_name",)),
    "news": (News, ("title",)),
    "meeting": (Meeting, ("title",)),
    "newsletter": (Newsletter, ("subject",)),
    "houserules": (HouseRules, ("name",)),
    "rulesversion": (RulesVersion, ("house_rules__name", gettext_noop(", version "), "number")),
    "league": (League, ("name",)),
    "leagueclub": (LeagueClub, ("club__name",)),
    "team": (Team, ("name",)),
    "teammember": (TeamMember, ("membership__name", ", ", "team__name")),
    "season": (Season, ("name",)),
    "division": (Division, ("name",)),
    "seasonentry": (SeasonEntry, ("team__name",)),
    "seasonevent": (SeasonEvent, ("name",)),
    "seasonevententry": (SeasonEventEntry, ("team__name",)),
    "series": (Series, ("name",)),
    "seriesevent": (SeriesEvent, ("event__name",)),
    "newsplace": (NewsPlace, ("name",)),
    "fixture": (Fixture, ("pairing__name",)),
    "proposal": (Proposal, ("team__name",)),
    "appearance": (Appearance, ("member__name",)),
    "honour": (Honour, ("team__name",)),
}
"""Names of rows, by model: the model class, and the fields and separators of the name."""

_LINKS: dict[str, str] = {
    "membership_id": "membership",
    "team_id": "team",
    "division_id": "division",
    "rules_version_id": "rulesversion",
    "season_id": "season",
    "league_id": "league",
    "club_id": "",
    "house_rules_id": "houserules",
}
"""Fields that link to other rows, with the model of these."""
_PRIVATE = ("email", "contact", "phone", "address", "hears_by", "note", "user_id")
_LONG = ("about", "body", "words")
MOST = 12
"""Lines shown for one action."""


Names = Mapping[tuple[str, int], str]
"""Names of rows, by model and id; deleted rows are missing."""


@dataclass(frozen=True)
class Diff:
    """The changes of an action."""

    lines: tuple[Change, ...]
    more: int
    """Number of lines left out."""


def names_of(acts: Iterable[Act]) -> Names:
    """Names for the changes of some acts: one query for each model."""
    ids: dict[str, set[int]] = defaultdict(set)
    for change in (change for act in acts for change in act.changes):
        ids[change["model"]].add(change["pk"])
        for values in (change["was"], change["is"]):
            for field, model in _LINKS.items():
                if isinstance(values, dict) and isinstance(values.get(field), int):
                    ids[model].add(values[field])
    names: dict[tuple[str, int], str] = {}
    for name, (model_of, parts) in _CALLED.items():
        if ids[name]:
            rows = model_of._default_manager.filter(pk__in=ids[name]).annotate(_called=_joined(parts))
            names |= {(name, pk): str(called) for pk, called in rows.values_list("pk", "_called")}
    return names


def _joined(parts: tuple[str, ...]) -> Any:
    fields = [Value(part if part == ", " else gettext(part)) if part.startswith(",") else part for part in parts]
    return Concat(*fields, output_field=CharField()) if len(fields) > 1 else Concat(fields[0], Value(""))


def describe(act: Act, names: Names) -> Diff:
    """Describe the changes of an action."""
    changes = [line for change in act.changes for line in _changes(change, names)]
    return Diff(tuple(changes[:MOST]), max(0, len(changes) - MOST))


def _changes(change: Mapping[str, Any], names: Names) -> list[Change]:
    model, was, became = change["model"], change["was"], change["is"]
    if model not in FIELDS and model not in ADDED and model != "blackout":
        return []
    subject = _subject(change, names)
    if was is None or became is None:
        words = _row_words(model, (became if was is None else was) or {}, names)
        return [Change(subject, "", words) if was is None else Change(subject, words, gettext("removed"))]
    labels = FIELDS.get(model, {})
    differ = [name for name in labels if name in became and was.get(name) != became[name]]
    if "rules_version_id" in differ and "rules_json" in differ:
        differ.remove("rules_version_id")
    return [
        Change(f"{subject}: {labels[name]}" if subject else str(labels[name]), *_both(model, name, was, became, names))
        for name in differ
    ]


def _subject(change: Mapping[str, Any], names: Names) -> str:
    """The name of the changed row; empty for the club itself."""
    model = change["model"]
    if model == "club":
        return ""
    row = {**(change["was"] or {}), **(change["is"] or {})}
    if model == "blackout":
        return names.get(("team", row.get("team_id") or 0), gettext("Everyone"))
    name = names.get((model, change["pk"])) or str(row.get("name") or row.get("title") or "")
    linked = _linked_subject(model, row, names)
    return name or linked or gettext(_KINDS[model])


def _linked_subject(model: str, row: Mapping[str, Any], names: Names) -> str:
    """The name of a deleted row, made from the rows it linked to."""
    if model == "teammember":
        both = [names.get((kind, row.get(f"{kind}_id") or 0)) for kind in ("membership", "team")]
        return ", ".join(name for name in both if name)
    if model in ("seasonentry", "seasonevententry", "honour", "proposal"):
        return names.get(("team", row.get("team_id") or 0), "")
    if model == "rulesversion":
        rules = names.get(("houserules", row.get("house_rules_id") or 0))
        return gettext("%(rules)s, version %(number)s") % {"rules": rules, "number": row.get("number")} if rules else ""
    return ""


def _row_words(model: str, row: Mapping[str, Any], names: Names) -> str:
    """The words for an added or removed row."""
    if model == "blackout":
        first, last = (_plain(row.get(name)) for name in ("first_day", "last_day"))
        words = (
            gettext("does not play on %(first)s")
            if first == last
            else gettext("does not play from %(first)s to %(last)s")
        ) % {"first": first, "last": last}
        return f"{words}: {row['reason']}" if row.get("reason") else words
    if model == "honour":
        return honours.title_text(str(row.get("title", "")))
    if model == "seriesevent":
        return gettext("counts in the series") if row.get("is_counted") else gettext("does not count in the series")
    if model == "teammember":
        return _value(model, "role", row.get("role"), names)
    if model == "seasonentry":
        division = names.get(("division", row.get("division_id") or 0))
        values = {"division": division, "number": row.get("position")}
        return (gettext("%(division)s, number %(number)s") if division else gettext("number %(number)s")) % values
    if model == "membership" and row.get("role"):
        return gettext("added as %(role)s") % {"role": role(str(row["role"]))}
    if model in ("meeting", "proposal") and row.get("starts_at"):
        when = gettext("set for %(time)s") if model == "meeting" else gettext("proposed for %(time)s")
        return when % {"time": _plain(row["starts_at"])}
    if model == "division" and row.get("size"):
        return gettext("added, size %(size)s") % {"size": row["size"]}
    return str(ADDED.get(model) or pgettext("history", "added"))


def _both(model: str, name: str, was: Mapping[str, Any], became: Mapping[str, Any], names: Names) -> tuple[str, str]:
    before, after = was.get(name), became[name]
    if name in _PRIVATE:
        some, none = pgettext("history: something private", "one"), pgettext("history: something private", "none")
        another = pgettext("history: something private", "another")
        return (some if before else none, none if not after else another if before else some)
    if name in _LONG or (model == "membership" and name == "name"):
        nothing = gettext("nothing")
        return (gettext("as before") if before else nothing, gettext("changed") if after else nothing)
    if name == "rules_json":
        return _rules(was, names), _rules(became, names)
    if name in ("plan_json", "settings"):
        return _differing(before or {}, after or {})
    return _value(model, name, before, names), _value(model, name, after, names)


def _rules(row: Mapping[str, Any], names: Names) -> str:
    """The rules of a season: the version of house rules, else the published ruleset."""
    version = row.get("rules_version_id")
    if version:
        return names.get(("rulesversion", version), gettext("house rules"))
    try:
        return say(Rules.read(row["rules_json"]).title)
    except (BadInput, KeyError):
        return gettext("rules of its own")


def _differing(was: Mapping[str, Any], became: Mapping[str, Any]) -> tuple[str, str]:
    """The differences of two sets of options."""
    differ = [name for name in sorted({*was, *became}) if was.get(name) != became.get(name)]

    def words(values: Mapping[str, Any]) -> str:
        usual = gettext("as usual")
        texts = [f"{name.replace('_', ' ')} {_plain(values[name]) if name in values else usual}" for name in differ[:4]]
        return ", ".join(texts) + (", …" if len(differ) > 4 else "")

    return words(was), words(became)


def _value(model: str, name: str, value: Any, names: Names) -> str:
    if name in _LINKS:
        gone = pgettext("history", "none") if value is None else gettext("no longer exists")
        return names.get((_LINKS[name], value or 0), gone)
    if model == "honour" and name == "title":
        return honours.title_text(str(value))
    if isinstance(value, str) and (label := _choices(model, name).get(value)):
        return str(label)
    if name in ("left_at", "archived_at") and value is None:
        return gettext("no")
    return _plain(value)


@cache
def _choices(model: str, name: str) -> dict[str, Any]:
    """Labels of the values of a field with choices."""
    field: Any = apps.get_model("clubs", model)._meta.get_field(name)
    return {str(value): label for value, label in field.flatchoices}


def _plain(value: Any) -> str:
    if value is None or value == "":
        return gettext("nothing")
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {_plain(part)}" for key, part in value.items())[:80] or gettext(
            "nothing"
        )
    if isinstance(value, list):
        return ", ".join(str(part).replace("_", " ") for part in value) or pgettext("history", "none")
    text = str(value)
    when = _when(text) if text[:1].isdigit() else None
    return when or text[:80]


def _when(text: str) -> str:
    """A stored date, time of day or timestamp in words; empty for any other text."""
    try:
        moment = parse_datetime(text) if len(text) > 15 else None
        day = parse_date(text) if len(text) == 10 else None
        clock = parse_time(text) if len(text) in (5, 8) and text[2] == ":" else None
    except ValueError:
        return ""
    if isinstance(moment, datetime):
        return date_and_time(moment if timezone.is_aware(moment) else timezone.make_aware(moment))
    if isinstance(day, date):
        return weekday(day)
    return f"{clock:%H:%M}" if isinstance(clock, time) else ""
