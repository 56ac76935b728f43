"""The fields of terms that a stage, or one of its rounds, has of its own."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext

from engine.errors import BadInput
from gameplay.house_rules import rule_sources
from gameplay.house_rules.rule_sources import Offer
from gameplay.paces import PACES
from tournaments.models import Tournament
from tournaments.own_terms import CLOCKS, MOST_DEALS, MOST_MINUTES, MOST_POINTS, MOST_ROUNDS, NO_TERMS, OwnTerms
from tournaments.plan import KNOCKOUTS, OWN_LAST_SEATS, WITH_BYES, Plan
from tournaments.round_names import round_name

OWN, FINAL, ROUND = "own", "final", "round"
"""Prefixes of the fields of a stage, of its last round, and with a number of another round."""
MOST_NUMBER = 12
"""Rounds by number that one can choose."""
KEPT = "kept"
"""The choice of rules that are neither published nor saved: as they are."""


class NoRound(BadInput):
    """Terms of a round without its name."""

    code = "no_round"


def names(prefix: str, format: str) -> tuple[str, ...]:
    """The fields of terms by a prefix that a format has."""
    if prefix != OWN and format not in (*KNOCKOUTS, *WITH_BYES):
        return ()
    parts = ["deals", "target", "rules", "clock"]
    if prefix != OWN:
        parts.append("minutes")
    if prefix == FINAL and format in OWN_LAST_SEATS:
        parts.append("seats")
    return tuple(f"{prefix}_{part}" for part in (["name", *parts] if prefix.startswith(ROUND) else parts))


def round_prefixes(plan: Plan) -> tuple[str, ...]:
    """The prefixes of the rounds before the last that have terms of their own, and of one more."""
    return tuple(f"{ROUND}{at}" for at in range(min(len(plan.round_terms) + 1, MOST_ROUNDS)))


def round_at(plan: Plan, prefix: str) -> tuple[str, OwnTerms]:
    """The name of the round that a prefix stands for, and its terms; empty for one more."""
    at = int(prefix.removeprefix(ROUND))
    return plan.round_terms[at] if at < len(plan.round_terms) else ("", NO_TERMS)


def _round_choices(format: str, chosen: str) -> list[tuple[str, str]]:
    numbers = [f"{'Level' if format == 'pod_knockout' else 'Round'} {at}" for at in range(1, MOST_NUMBER + 1)]
    brackets = ["Semi-finals", "Quarter-finals", "Round of 16", "Round of 32", "Third place"]
    names_ = brackets if format == "single_elimination" else numbers
    if format == "double_elimination":
        names_ = ["Semi-finals", "Last two", *numbers[:6], *(f"Second chance, round {at}" for at in range(1, 9))]
    return [("", "—"), *((name, round_name(name)) for name in dict.fromkeys([*names_, *([chosen] if chosen else [])]))]


def without_use(plan: Plan, setting: str) -> list[str]:
    """The fields that an event of this setting has no use for, unless they have a value."""
    clocks = {f"{OWN}_clock": plan.own_terms.clock, f"{FINAL}_clock": plan.final_terms.clock}
    minutes = {f"{FINAL}_minutes": plan.final_terms.minutes}
    for prefix in round_prefixes(plan):
        own_terms = round_at(plan, prefix)[1]
        clocks[f"{prefix}_clock"], minutes[f"{prefix}_minutes"] = own_terms.clock, own_terms.minutes
    useless = clocks if setting == Tournament.Setting.FACE else minutes
    return [name for name, value in useless.items() if setting and not value]


def fields(prefix: str, format: str, terms: OwnTerms, offer: Offer, chosen_round: str = "") -> dict[str, forms.Field]:
    """These fields by name. A round before the last is chosen by its name."""
    other = gettext("as the event") if prefix == OWN else gettext("as the stage")
    by_part: dict[str, forms.Field] = {
        "deals": _number(gettext("Deals in a match"), MOST_DEALS),
        "target": _number(gettext("Or target in points"), MOST_POINTS),
        "rules": forms.CharField(
            label=gettext("Rules"),
            max_length=40,
            required=False,
            widget=forms.Select(choices=[("", other), *_rules(terms, offer)]),
            help_text=gettext("Other rules have their own number of deals."),
        ),
        "clock": forms.ChoiceField(
            label=gettext("Clock of online tables"),
            choices=[("", other), *((name, PACES[name].title) for name in CLOCKS)],
            required=False,
        ),
        "minutes": _number(gettext("Minutes at real tables"), MOST_MINUTES),
        "seats": _number(gettext("Entries at a table"), 7),
        "name": forms.ChoiceField(label=gettext("Round"), choices=_round_choices(format, chosen_round), required=False),
    }
    return {name: by_part[name.removeprefix(f"{prefix}_")] for name in names(prefix, format)}


def _number(label: str, most: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=most, required=False)


def _rules(terms: OwnTerms, offer: Offer) -> list[tuple[str, Any]]:
    unnamed = [(KEPT, terms.rules.title)] if terms.rules is not None and _chosen(terms) == KEPT else []
    return [*unnamed, *offer.choices(terms.rules_ref)]


def _chosen(terms: OwnTerms) -> str:
    """The choice of rules that terms have."""
    if terms.rules is None:
        return ""
    for value in (terms.rules_ref, terms.rules.name):
        try:
            if value and rule_sources.start(value).rules == terms.rules:
                return value
        except BadInput:
            continue
    return KEPT


def initial(prefix: str, terms: OwnTerms) -> dict[str, Any]:
    """The values of the fields for terms."""
    values = {name: getattr(terms, name) or "" for name in ("deals", "target", "clock", "minutes", "seats")}
    return {f"{prefix}_{name}": value for name, value in {**values, "rules": _chosen(terms)}.items()}


def read_round(prefix: str, values: Mapping[str, Any], before: OwnTerms) -> tuple[str, OwnTerms]:
    """The name of a round and its terms, of cleaned fields. Raises `BadInput`, also for terms without a round."""
    name, terms = str(values.get(f"{prefix}_name") or ""), read(prefix, values, before)
    if terms != NO_TERMS and not name:
        raise NoRound(gettext("Choose the round."))
    return name, terms


def read(prefix: str, values: Mapping[str, Any], before: OwnTerms) -> OwnTerms:
    """The terms of cleaned fields. Those that a format has no field for are left out. Raises `BadInput`."""
    typed = {
        name: values[f"{prefix}_{name}"]
        for name in ("deals", "target", "clock", "minutes", "seats")
        if values.get(f"{prefix}_{name}")
    }
    chosen = str(values.get(f"{prefix}_rules") or "")
    if chosen == KEPT:
        return OwnTerms(rules=before.rules, rules_ref=before.rules_ref, **typed)
    if not chosen:
        return OwnTerms(**typed) if typed else NO_TERMS
    start = rule_sources.start(chosen)
    return OwnTerms(rules=start.rules, rules_ref=start.ref, **typed)
