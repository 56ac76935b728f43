"""The changes of an act, before and after, as text."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Model
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext, gettext_noop, pgettext_lazy

from engine.compete.explain import value as points_words
from tournaments.models import (
    Act,
    Entry,
    Member,
    Organiser,
    Pairing,
    Place,
    Result,
    Round,
    Stage,
    StageEntry,
    Tournament,
)
from tournaments.round_names import match_heading, number_words, round_name
from tournaments.services.events.event_settings import LABELS
from web.text import date_and_time, number

FIELDS: dict[str, dict[str, str]] = {
    "tournament": {**LABELS, "status": gettext_noop("event")},
    "organiser": {"role": gettext_noop("role")},
    "entry": {
        "status": gettext_noop("entry"),
        "seed": gettext_noop("seed"),
        "is_here": gettext_noop("here"),
        "name": gettext_noop("name"),
        "byes": gettext_noop("byes"),
    },
    "member": {
        "answer": gettext_noop("answer"),
        "role": gettext_noop("role"),
        "name": gettext_noop("name"),
        "is_captain": gettext_noop("captain"),
        "left_at": gettext_noop("left"),
    },
    "stage": {
        "go_round": gettext_noop("started up to round"),
        "plan_json": gettext_noop("plan"),
        "name": gettext_noop("name"),
        "number": gettext_noop("place"),
        "ended_at": gettext_noop("ended"),
    },
    "stageentry": {
        "last_round": gettext_noop("last round"),
        "first_round": gettext_noop("first round"),
        "start_points": gettext_noop("points at the start"),
    },
    "pairing": {
        "is_online": gettext_noop("online"),
        "starts_at": gettext_noop("start"),
        "deadline_at": gettext_noop("deadline"),
        "status": gettext_noop("match"),
    },
    "place": {"entry_id": gettext_noop("seat")},
    "result": {"status": gettext_noop("result")},
    "round": {
        "starts_at": gettext_noop("start"),
        "deadline_at": gettext_noop("deadline"),
        "is_fixed": gettext_noop("paired by hand"),
    },
    "sitout": {"entry_id": gettext_noop("bye")},
    "adjustment": {"points": gettext_noop("points")},
}
"""The fields of each model that are shown, and their labels. Other models are not shown."""

_STATUSES: dict[str, dict[str, Any]] = {
    "entry": dict(Entry.Status.choices),
    "member": {**dict(Member.Answer.choices), **dict(Member.Role.choices)},
    "pairing": dict(Pairing.Status.choices),
    "result": dict(Result.Status.choices),
}
_ADDED = {
    "entry": gettext_noop("entered"),
    "member": gettext_noop("added"),
    "organiser": gettext_noop("added"),
    "stage": gettext_noop("added"),
    "stageentry": gettext_noop("added to the stage"),
    "keptapart": gettext_noop("kept apart"),
    "adjustment": gettext_noop("given"),
    "pairing": gettext_noop("created"),
    "sitout": gettext_noop("has a bye"),
    "place": gettext_noop("seated"),
}
_UNKNOWN = {
    "member": gettext_noop("A person"),
    "organiser": gettext_noop("An organiser"),
    "pairing": gettext_noop("A match"),
    "place": gettext_noop("A match"),
    "result": gettext_noop("A match"),
    "round": gettext_noop("A round"),
    "stage": gettext_noop("A stage"),
}
_CODES = {
    "draft": pgettext_lazy("code", "draft"),
    "open": pgettext_lazy("code", "open"),
    "closed": pgettext_lazy("code", "closed"),
    "running": pgettext_lazy("code", "running"),
    "over": pgettext_lazy("code", "over"),
    "cancelled": pgettext_lazy("code", "cancelled"),
    "public": pgettext_lazy("code", "public"),
    "link": pgettext_lazy("code", "link"),
    "circle": pgettext_lazy("code", "circle"),
    "person": pgettext_lazy("code", "person"),
    "partnership": pgettext_lazy("code", "pair"),
    "team": pgettext_lazy("code", "team"),
    "online": pgettext_lazy("code", "online"),
    "face": pgettext_lazy("code", "face"),
    "mixed": pgettext_lazy("code", "mixed"),
    "walkover": pgettext_lazy("code", "walkover"),
    "organiser": pgettext_lazy("code", "organiser"),
    "owner": pgettext_lazy("code", "owner"),
    "director": pgettext_lazy("code", "director"),
    "scorer": pgettext_lazy("code", "scorer"),
    "dealer": pgettext_lazy("code", "dealer"),
}
_CODED = ("status", "visibility", "setting", "entry_kind", "no_show", "role")
"""Settings that are shown by their codes, and those codes."""
_BYES = {
    "bye": gettext_noop("bye"),
    "half_bye": gettext_noop("half-point bye"),
    "zero_bye": gettext_noop("zero-point bye"),
}
MOST = 12
"""The most lines shown for one act."""


@dataclass(frozen=True)
class Change:
    """A change: its label, the old and the new value; both empty if the label says it all."""

    what: str
    was: str
    became: str


@dataclass
class Names:
    """Names of the rows that acts are about: entries by id, and rows of each model by id."""

    entries: Mapping[int, str]
    rows: Mapping[tuple[str, int], str]
    events: Mapping[int, Tournament]
    """The events of stages, by the ids of these."""

    def name_of(self, model: str, pk: int | None) -> str:
        """The name of a row; empty if it no longer exists."""
        return self.rows.get((model, pk or 0), "")


_CALLED: dict[str, tuple[type[Model], str]] = {
    "pairing": (Pairing, ""),
    "member": (Member, "name"),
    "stage": (Stage, "name"),
    "round": (Round, "name"),
    "result": (Result, "pairing__"),
    "place": (Place, "pairing__"),
    "stageentry": (StageEntry, "entry__name"),
    "organiser": (Organiser, "user__display_name"),
}
"""The model and the field of the name, by model name; for rows of matches where those of the match are."""
_ENTRIES = ("entry_id", "one_id", "other_id")


def _fields(field: str) -> tuple[str, ...]:
    is_match = not field or field.endswith("__")
    return (f"{field}round__name", f"{field}name", f"{field}number") if is_match else (field,)


def names_of(acts: Iterable[Act]) -> Names:
    """The names needed by the changes of some acts: a fixed number of queries."""
    ids: dict[str, set[int]] = defaultdict(set)
    for change in (change for act in acts for change in act.changes):
        ids[change["model"]].add(change["pk"])
        for values in (change["was"], change["is"]):
            if isinstance(values, dict):
                ids["entry"] |= {values[name] for name in _ENTRIES if isinstance(values.get(name), int)}
                ids["entry"] |= {line["entry"] for line in values.get("lines") or [] if isinstance(line, dict)}
                if isinstance(values.get("pairing_id"), int):
                    ids["pairing"].add(values["pairing_id"])
    rows = {
        (name, pk): match_heading(*called) if len(called) > 1 else str(*called)
        for name, (model, field) in _CALLED.items()
        for pk, *called in model._default_manager.filter(pk__in=ids[name]).values_list("pk", *_fields(field))
    }
    entries = dict(Entry.objects.filter(pk__in=ids["entry"]).values_list("pk", "name"))
    events = {
        stage.pk: stage.tournament for stage in Stage.objects.filter(pk__in=ids["stage"]).select_related("tournament")
    }
    return Names(entries, rows, events)


def list_changes(act: Act, names: Names) -> tuple[list[Change], int]:
    """The changes of an act, and the number of lines left out."""
    lines = [line for change in act.changes for line in _changes_of(change, names)]
    return lines[:MOST], max(0, len(lines) - MOST)


def _changes_of(change: dict[str, Any], names: Names) -> list[Change]:
    model, was, became = change["model"], change["was"], change["is"]
    if became == "rounds":
        stage = names.name_of("stage", change["pk"]) or gettext("A stage")
        event = names.events.get(change["pk"])
        first = number_words(event, was["first"]) if event else gettext("round %(number)s") % {"number": was["first"]}
        words = gettext("%(stage)s, from %(round)s on") % {"stage": stage, "round": first}
        return [Change(words, gettext("as drawn"), gettext("recalculated"))]
    label = _label(change, names)
    if was is None:
        return _added(model, label, became, names)
    if became is None:
        return [Change(label, _added_words(model, was, names), gettext("removed"))] if model in _ADDED else []
    labels = FIELDS.get(model, {})
    return [
        Change(
            f"{label}: {gettext(labels[name])}" if label else gettext(labels[name]),
            *_both(model, name, was, became, names),
        )
        for name in became
        if name in labels and was.get(name) != became[name]
    ]


def _added(model: str, label: str, became: dict[str, Any], names: Names) -> list[Change]:
    if model == "result":
        return [Change(label, "", result_words(became.get("lines", []), names))]
    return [Change(label, "", _added_words(model, became, names))] if model in _ADDED else []


def _added_words(model: str, values: dict[str, Any], names: Names) -> str:
    if model == "adjustment":
        return _points(values.get("points"))
    if model == "keptapart":
        other = names.entries.get(values.get("other_id") or 0)
        return (
            gettext("kept apart from %(entry)s") % {"entry": other}
            if other
            else gettext("kept apart from another entry")
        )
    return gettext(_ADDED[model])


def _label(change: dict[str, Any], names: Names) -> str:
    """The label of the row that a change is about."""
    model, pk = change["model"], change["pk"]
    values = {**(change["was"] or {}), **(change["is"] or {})}
    if model == "tournament":
        return ""
    if model == "entry":
        return names.entries.get(pk) or str(values.get("name") or gettext("An entry"))
    if model in ("keptapart", "adjustment", "sitout"):
        return names.entries.get(values.get("entry_id") or values.get("one_id") or 0, gettext("An entry"))
    called = names.name_of(model, pk) or names.name_of("pairing", values.get("pairing_id")) or values.get("name") or ""
    if model == "stageentry":
        return called or names.entries.get(values.get("entry_id") or 0, gettext("An entry"))
    if model == "round":
        called = round_name(called)
    return called or (gettext(_UNKNOWN[model]) if model in _UNKNOWN else gettext("Something"))


def _both(model: str, name: str, was: dict[str, Any], became: dict[str, Any], names: Names) -> tuple[str, str]:
    if name == "plan_json":
        return _plans(was.get(name) or {}, became[name] or {})
    if name in ("rules_json", "terms", "about"):
        return gettext("as before"), gettext("changed")
    if name == "length_json":
        return _terms(was.get(name) or {}), _terms(became[name] or {})
    return _value(model, name, was.get(name), names), _value(model, name, became[name], names)


def _plans(was: dict[str, Any], became: dict[str, Any]) -> tuple[str, str]:
    """The differences between two plans of a stage."""
    differ = [name for name in became if was.get(name) != became[name]]

    def words(plan: dict[str, Any]) -> str:
        parts = [f"{name.replace('_', ' ')} {_plan_value(plan.get(name))}" for name in differ[:4]]
        return ", ".join(parts) + (", …" if len(differ) > 4 else "")

    return words(was), words(became)


def _plan_value(value: Any) -> str:
    return _terms(value) if isinstance(value, dict) else _plain(value)


def _terms(value: dict[str, Any]) -> str:
    """Terms of a stage: `deals 8, minutes 90`."""
    words = {**value, "rules": (value.get("rules") or {}).get("name", "")} if "rules" in value else value
    return ", ".join(f"{name.replace('_', ' ')} {_plain(each)}" for name, each in words.items()) or gettext("as before")


def _value(model: str, name: str, value: Any, names: Names) -> str:
    if name == "entry_id":
        return names.entries.get(value or 0, gettext("nobody"))
    if name == "start_points" or name == "points":
        return _points(value)
    if name == "byes":
        return ", ".join(_bye(at, kind) for at, kind in (value or {}).items()) or gettext("none")
    if name == "is_here" and value is None:
        return gettext("not known")
    if isinstance(value, str) and (status := _STATUSES.get(model, {}).get(value)):
        return str(status)
    if name in _CODED and value in _CODES:
        return str(_CODES[value])
    return _plain(value)


def _bye(number: str, kind: str) -> str:
    return gettext("round %(number)s: %(bye)s") % {
        "number": number,
        "bye": gettext(_BYES[kind]) if kind in _BYES else kind,
    }


def _plain(value: Any) -> str:
    if value is None or value == "":
        return gettext("nothing")
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return ", ".join(str(item).replace("_", " ") for item in value) or gettext("none")
    text = str(value)
    at = parse_datetime(text) if len(text) > 15 and text[4:5] == "-" else None
    return date_and_time(_aware(at)) if at is not None else text[:80]


def _aware(at: datetime) -> datetime:
    return at if timezone.is_aware(at) else timezone.make_aware(at)


def _points(value: Any) -> str:
    try:
        return points_words(Fraction(str(value)))
    except (ValueError, ZeroDivisionError):
        return str(value)


def result_words(lines: Sequence[Mapping[str, Any]], names: Names) -> str:
    """The lines of a result with their names: `Okafor 4,210, Dvořák 3,640`."""
    parts = []
    for line in lines:
        name = names.entries.get(line["entry"], gettext("an entry"))
        score = line.get("score")
        outcome = gettext("won") if score is None else number(int(score))
        if line.get("forfeit"):
            outcome = gettext("did not come")
        parts.append(f"{name} {outcome}")
    return ", ".join(parts)
