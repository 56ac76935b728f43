"""What an act changed, before and after, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Model
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from engine.compete.explain import value as points_words
from tournaments.models import Act, Entry, Member, Organiser, Pairing, Place, Result, Round, Stage, StageEntry
from tournaments.services.event_settings import LABELS
from web.words import date_and_time, number

FIELDS: dict[str, dict[str, str]] = {
    "tournament": {**LABELS, "status": "event"},
    "organiser": {"role": "role"},
    "entry": {"status": "entry", "seed": "seed", "is_here": "here", "name": "name", "byes": "byes"},
    "member": {"answer": "answer", "role": "role", "name": "name", "is_captain": "captain", "left_at": "left"},
    "stage": {
        "go_round": "go up to round",
        "plan_json": "plan",
        "name": "name",
        "number": "place",
        "ended_at": "ended",
    },
    "stageentry": {"last_round": "last round", "first_round": "first round", "start_points": "points at the start"},
    "pairing": {"is_online": "online", "starts_at": "begins", "deadline_at": "deadline", "status": "match"},
    "place": {"entry_id": "seat"},
    "result": {"status": "result"},
    "round": {"starts_at": "begins", "deadline_at": "deadline", "is_fixed": "paired by hand"},
    "sitout": {"entry_id": "bye"},
    "adjustment": {"points": "points"},
}
"""What is told of a row, by its model: fields, and what people call them. Others say nothing to anybody."""

_STATUSES: dict[str, dict[str, str]] = {
    "entry": dict(Entry.Status.choices),
    "member": {**dict(Member.Answer.choices), **dict(Member.Role.choices)},
    "pairing": dict(Pairing.Status.choices),
    "result": dict(Result.Status.choices),
}
_ADDED = {
    "entry": "entered",
    "member": "added",
    "organiser": "added",
    "stage": "added",
    "stageentry": "put into the stage",
    "keptapart": "kept apart",
    "adjustment": "given",
    "pairing": "made",
    "sitout": "sits out",
    "place": "seated",
}
_UNKNOWN = {
    "member": "A person",
    "organiser": "An organiser",
    "pairing": "A match",
    "place": "A match",
    "result": "A match",
    "round": "A round",
    "stage": "A stage",
}
MOST = 12
"""Lines that are shown of one act."""


@dataclass(frozen=True)
class Change:
    """One thing that was changed: what it is, how it was and how it became; both empty where that goes without saying."""

    what: str
    was: str
    became: str


@dataclass
class Names:
    """What the rows that acts are about are called: entries by id, and rows of each model by id."""

    entries: Mapping[int, str]
    rows: Mapping[tuple[str, int], str]

    def row(self, model: str, pk: int | None) -> str:
        """What a row is called; empty where it is gone."""
        return self.rows.get((model, pk or 0), "")


_CALLED: dict[str, tuple[type[Model], str]] = {
    "pairing": (Pairing, "name"),
    "member": (Member, "name"),
    "stage": (Stage, "name"),
    "round": (Round, "name"),
    "result": (Result, "pairing__name"),
    "place": (Place, "pairing__name"),
    "stageentry": (StageEntry, "entry__name"),
    "organiser": (Organiser, "user__display_name"),
}
"""By model, its rows and what is told of them."""
_ENTRIES = ("entry_id", "one_id", "other_id")


def names_of(acts: Iterable[Act]) -> Names:
    """The names that the changes of some acts need: a fixed number of queries."""
    wanted: dict[str, set[int]] = defaultdict(set)
    for change in (change for act in acts for change in act.changes):
        wanted[change["model"]].add(change["pk"])
        for values in (change["was"], change["is"]):
            if isinstance(values, dict):
                wanted["entry"] |= {values[name] for name in _ENTRIES if isinstance(values.get(name), int)}
                wanted["entry"] |= {line["entry"] for line in values.get("lines") or [] if isinstance(line, dict)}
                if isinstance(values.get("pairing_id"), int):
                    wanted["pairing"].add(values["pairing_id"])
    rows = {
        (name, pk): str(called)
        for name, (model, field) in _CALLED.items()
        for pk, called in model._default_manager.filter(pk__in=wanted[name]).values_list("pk", field)
    }
    return Names(dict(Entry.objects.filter(pk__in=wanted["entry"]).values_list("pk", "name")), rows)


def in_words(act: Act, names: Names) -> tuple[list[Change], int]:
    """What an act changed, and how many more lines there would be."""
    found = [line for change in act.changes for line in _told(change, names)]
    return found[:MOST], max(0, len(found) - MOST)


def _told(change: dict[str, Any], names: Names) -> list[Change]:
    model, was, became = change["model"], change["was"], change["is"]
    if became == "rounds":
        what = names.row("stage", change["pk"]) or "A stage"
        return [Change(f"{what}, from round {was['first']} on", "as drawn", "worked out anew")]
    what = _what(change, names)
    if was is None:
        return _added(model, what, became, names)
    if became is None:
        return [Change(what, _added_words(model, was, names), "taken away")] if model in _ADDED else []
    labels = FIELDS.get(model, {})
    return [
        Change(f"{what}: {labels[name]}" if what else labels[name], *_both(model, name, was, became, names))
        for name in became
        if name in labels and was.get(name) != became[name]
    ]


def _added(model: str, what: str, became: dict[str, Any], names: Names) -> list[Change]:
    if model == "result":
        return [Change(what, "", result_words(became.get("lines", []), names))]
    return [Change(what, "", _added_words(model, became, names))] if model in _ADDED else []


def _added_words(model: str, row: dict[str, Any], names: Names) -> str:
    if model == "adjustment":
        return _points(row.get("points"))
    if model == "keptapart":
        return f"kept apart from {names.entries.get(row.get('other_id') or 0, 'another')}"
    return _ADDED[model]


def _what(change: dict[str, Any], names: Names) -> str:
    """What a change is about."""
    model, pk = change["model"], change["pk"]
    row = {**(change["was"] or {}), **(change["is"] or {})}
    if model == "tournament":
        return ""
    if model == "entry":
        return names.entries.get(pk) or str(row.get("name") or "An entry")
    if model in ("keptapart", "adjustment", "sitout"):
        return names.entries.get(row.get("entry_id") or row.get("one_id") or 0, "An entry")
    called = names.row(model, pk) or names.row("pairing", row.get("pairing_id")) or str(row.get("name") or "")
    if model == "stageentry":
        return called or names.entries.get(row.get("entry_id") or 0, "An entry")
    return called or _UNKNOWN.get(model, "Something")


def _both(model: str, name: str, was: dict[str, Any], became: dict[str, Any], names: Names) -> tuple[str, str]:
    if name == "plan_json":
        return _plans(was.get(name) or {}, became[name] or {})
    if name in ("rules_json", "terms", "about"):
        return "as before", "changed"
    return _value(model, name, was.get(name), names), _value(model, name, became[name], names)


def _plans(was: dict[str, Any], became: dict[str, Any]) -> tuple[str, str]:
    """Two plans of a stage, as far as they differ."""
    differ = [name for name in became if was.get(name) != became[name]]

    def words(plan: dict[str, Any]) -> str:
        told = [f"{name.replace('_', ' ')} {_plain(plan.get(name))}" for name in differ[:4]]
        return ", ".join(told) + (", …" if len(differ) > 4 else "")

    return words(was), words(became)


def _value(model: str, name: str, value: Any, names: Names) -> str:
    if name == "entry_id":
        return names.entries.get(value or 0, "nobody")
    if name == "start_points" or name == "points":
        return _points(value)
    if name == "byes":
        return ", ".join(f"round {at}: {kind.replace('_', ' ')}" for at, kind in (value or {}).items()) or "none"
    if name == "is_here" and value is None:
        return "not known"
    if isinstance(value, str) and (found := _STATUSES.get(model, {}).get(value)):
        return found
    return _plain(value)


def _plain(value: Any) -> str:
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(str(one).replace("_", " ") for one in value) or "none"
    text = str(value)
    at = parse_datetime(text) if len(text) > 15 and text[4:5] == "-" else None
    return date_and_time(_known(at)) if at is not None else text[:80]


def _known(at: datetime) -> datetime:
    return at if timezone.is_aware(at) else timezone.make_aware(at)


def _points(value: Any) -> str:
    try:
        return points_words(Fraction(str(value)))
    except (ValueError, ZeroDivisionError):
        return str(value)


def result_words(lines: Sequence[Mapping[str, Any]], names: Names) -> str:
    """The lines of a result with their names: `Okafor 4,210, Dvořák 3,640`."""
    told = []
    for line in lines:
        name = names.entries.get(line["entry"], "an entry")
        score = line.get("score")
        said = "did not come" if line.get("forfeit") else "won" if score is None else number(int(score))
        told.append(f"{name} {said}")
    return ", ".join(told)
