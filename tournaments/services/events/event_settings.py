"""The settings of an event, their problems, and those that play has fixed."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from engine.errors import BadInput
from engine.play.rules import Rules
from gameplay import visibility_groups
from gameplay.house_rules import match_length, rule_sources
from gameplay.models import Table
from gameplay.services import table_terms
from tournaments.models import Tournament
from tournaments.services.events import naming
from tournaments.terms import OF_TABLES
from web.errors import Refused
from web.text import joined

LABELS: dict[str, str] = {
    "name": gettext_noop("name"),
    "about": gettext_noop("description"),
    "venue": gettext_noop("venue"),
    "time_zone": gettext_noop("time zone"),
    "circle": gettext_noop("club"),
    "visibility": gettext_noop("visibility"),
    "setting": gettext_noop("online or face to face"),
    "entry_kind": gettext_noop("entry type"),
    "side_size": gettext_noop("people at a table"),
    "entry_limit": gettext_noop("entry limit"),
    "entries_close_at": gettext_noop("closing of entries"),
    "has_check_in": gettext_noop("check-in"),
    "check_in_from": gettext_noop("opening of check-in"),
    "check_in_until": gettext_noop("closing of check-in"),
    "starts_at": gettext_noop("start"),
    "rules_json": gettext_noop("rules"),
    "length_json": gettext_noop("length of a match"),
    "terms": gettext_noop("terms of online tables"),
    "is_rated": gettext_noop("rating"),
    "confirm_hours": gettext_noop("time to confirm a result"),
    "no_show": gettext_noop("matches without a result"),
}
"""Labels of all settings, by field."""

FIXED_BY_ENTRIES = ("entry_kind", "side_size")
FIXED_BY_PLAY = ("entry_kind", "side_size", "rules_json", "length_json", "is_rated")
SIDES: dict[str, tuple[int, ...]] = {
    Tournament.Kind.PERSON: (1,),
    Tournament.Kind.PARTNERSHIP: (2,),
    Tournament.Kind.TEAM: (2, 3),
}
"""People of an entry at a table, by type of entry."""
MOST_ENTRIES = 2000
LONGEST_CONFIRMATION = 30 * 24


def read(values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by field. Raises `Refused` for unknown ones.

    `rules` are `rules_json` and `length_json`, unless `length` gives the length of a match otherwise (see `_length`).
    """
    settings: dict[str, Any] = {}
    for name, value in values.items():
        if name in ("rules", "rules_json"):
            ref = str((values.get("terms") or {}).get("rules_ref", ""))
            version = rule_sources.find(ref) if ref else None
            ruleset, length = match_length.split(_rules(value), version.rules if version else None)
            settings = {"length_json": length, **settings, "rules_json": ruleset.write()}
        elif name in ("length", "length_json"):
            if value:
                settings["length_json"] = _length(value)
            elif name == "length":
                settings["length_json"] = {}
        elif name not in LABELS:
            raise Refused("bad_settings", gettext("“%(name)s” is not a setting of an event.") % {"name": name[:40]})
        else:
            settings[name] = value
    if "name" in settings:
        settings["name"] = naming.clean(str(settings["name"]))
    return settings


def _rules(value: Any) -> Rules:
    try:
        return value if isinstance(value, Rules) else Rules.read(value)
    except BadInput as error:
        raise Refused("bad_rules", error.sentence) from None


def _length(value: Any) -> dict[str, int]:
    """The length of a match: `{"deals": 4}` or `{"target": 10000}`."""
    if isinstance(value, Mapping) and len(value) > 1:
        raise Refused("bad_settings", gettext("Choose a number of deals or a target, not both."), field="length")
    try:
        return match_length.length_of(Rules.make("standard", {match_length.LENGTH: value}))
    except BadInput as error:
        raise Refused("bad_settings", error.sentence, field="length") from None


def wrong_settings(tournament: Tournament, by: User | None = None) -> dict[str, str]:
    """Problems of an event’s settings, saved or not: a sentence by field.

    With `by`, also whether that person belongs to its club.
    """
    wrong = _wrong_fields(tournament)
    checks = [
        (
            "side_size",
            tournament.side_size not in SIDES.get(tournament.entry_kind, ()),
            gettext("A person sits alone, a pair as two, a team as two or three."),
        ),
        (
            "entry_limit",
            tournament.entry_limit is not None and not 2 <= tournament.entry_limit <= MOST_ENTRIES,
            gettext("An event has 2 to %(limit)s entries.") % {"limit": MOST_ENTRIES},
        ),
        (
            "confirm_hours",
            tournament.confirm_hours > LONGEST_CONFIRMATION,
            gettext("The time to confirm a result is at most 30 days."),
        ),
        (
            "circle",
            tournament.visibility == Tournament.Visibility.CIRCLE and not tournament.circle,
            gettext("Choose a club."),
        ),
        (
            "circle",
            by is not None and bool(tournament.circle) and not visibility_groups.belongs(by, tournament.circle),
            gettext("You do not belong to that club."),
        ),
        *_wrong_times(tournament),
    ]
    for name, is_wrong, sentence in checks:
        if is_wrong:
            wrong.setdefault(name, sentence)
    try:
        _ = tournament.rules
    except BadInput as error:
        wrong.setdefault("length_json", error.sentence)
    if "terms" not in wrong and (sentence := _wrong_terms(tournament)):
        wrong["terms"] = sentence
    return wrong


def _wrong_fields(tournament: Tournament) -> dict[str, str]:
    """Problems that the model fields report: too long, no choice, no number."""
    other_fields = [field.name for field in tournament._meta.fields if field.name not in LABELS]
    try:
        tournament.clean_fields(exclude=other_fields)
    except ValidationError as error:
        return {name: " ".join(sentences) for name, sentences in error.message_dict.items()}
    return {}


def _wrong_times(tournament: Tournament) -> list[tuple[str, bool, str]]:
    closes, starts = tournament.entries_close_at, tournament.starts_at
    opens, until = tournament.check_in_from, tournament.check_in_until
    return [
        (
            "entries_close_at",
            closes is not None and starts is not None and closes > starts,
            gettext("Entries must close before the event starts."),
        ),
        (
            "check_in_until",
            opens is not None and until is not None and opens >= until,
            gettext("Check-in must close after it opens."),
        ),
        (
            "check_in_until",
            until is not None and starts is not None and until > starts + timedelta(hours=12),
            gettext("Check-in must close at most 12 hours after the event starts."),
        ),
    ]


def _wrong_terms(tournament: Tournament) -> str:
    """Problems of the terms of online tables; empty for none."""
    terms = tournament.terms
    if not isinstance(terms, dict) or not set(terms) <= set(OF_TABLES):
        return gettext("A table has only these terms: %(terms)s.") % {"terms": ", ".join(OF_TABLES)}
    table = Table(name="-", seat_count=4, team_size=2, audience=tournament.circle, **terms)
    try:
        table.clean_fields(exclude=[field.name for field in Table._meta.fields if field.name not in terms])
    except ValidationError as error:
        return " ".join(sentence for sentences in error.message_dict.values() for sentence in sentences)
    return " ".join(table_terms.wrong_terms(table).values())


def check(tournament: Tournament, by: User | None = None) -> None:
    """Raise `Refused` with all problems if settings are wrong; `fields` has them by name."""
    if wrong := wrong_settings(tournament, by):
        raise Refused("bad_settings", " ".join(wrong.values()), fields=wrong)


def without_old_ref(tournament: Tournament, values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings without the reference to house rules, if they change the rules but not the terms."""
    is_new = "rules_json" in values and values["rules_json"] != tournament.rules_json
    if not is_new or "terms" in values or "rules_ref" not in tournament.terms:
        return dict(values)
    return {**values, "terms": {name: value for name, value in tournament.terms.items() if name != "rules_ref"}}


def check_not_fixed(tournament: Tournament, changes: Mapping[str, Any]) -> None:
    """Raise `Refused` if changes touch settings that entries or play have fixed."""
    changed = [name for name, value in changes.items() if getattr(tournament, name) != value]
    if tournament.has_begun:
        fixed = [name for name in changed if name in FIXED_BY_PLAY]
        if fixed:
            words = joined([gettext(LABELS[name]) for name in fixed])
            raise Refused(
                "has_begun",
                gettext("The event has started, so you cannot change the %(settings)s.") % {"settings": words},
            )
    elif tournament.entries.exists():
        fixed = [name for name in changed if name in FIXED_BY_ENTRIES]
        if fixed:
            raise Refused(
                "has_entries", gettext("There are already entries, so you cannot change the entry type or team size.")
            )
    if "setting" in changed and changes["setting"] == Tournament.Setting.ONLINE and _has_names_alone(tournament):
        raise Refused("names_alone", gettext("Some people were entered by name only. Online they need accounts."))


def _has_names_alone(tournament: Tournament) -> bool:
    return tournament.entries.filter(members__user=None, members__left_at=None, members__answer="accepted").exists()
