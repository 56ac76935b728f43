"""Terms that a stage, or one of its rounds, has of its own, as part of its plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from engine.errors import BadInput
from engine.play.rules import Rules
from gameplay.models import Table
from gameplay.paces import PACES
from web.errors import Refused

CLOCKS = tuple(name for name, pace in PACES.items() if pace.terms["clock"] in (Table.Clock.MOVE, Table.Clock.BANK))
"""Clocks of online tables that terms can name, of `gameplay.paces`."""
MOST_DEALS = 100
MOST_POINTS = 1_000_000
MOST_MINUTES = 600
NUMBERS = ("deals", "target", "minutes", "seats")
FIELDS = (*NUMBERS, "rules", "rules_ref", "clock")


@dataclass(frozen=True)
class OwnTerms:
    """Terms that differ from those of the event, or of the stage. Those without a value do not differ."""

    deals: int = 0
    """Deals of a match."""
    target: int = 0
    """Points that end a match."""
    rules: Rules | None = None
    """The ruleset, which brings its own length of a match."""
    rules_ref: str = ""
    """The saved version it came from (`gameplay.house_rules.rule_sources`)."""
    clock: str = ""
    """The clock of online tables, of `CLOCKS`."""
    minutes: int = 0
    """Time for a round at real tables; of a stage `Plan.round_minutes`."""
    seats: int = 0
    """Entries at the table of a final; of a stage `Plan.seats`."""

    @property
    def length(self) -> dict[str, int]:
        """The length of a match, as the option of a ruleset; empty if it does not differ."""
        if self.deals:
            return {"deals": self.deals}
        return {"target": self.target} if self.target else {}

    def write(self) -> dict[str, Any]:
        """Ready for JSON, without empty values; `read` reads it."""
        written = {name: getattr(self, name) for name in FIELDS if getattr(self, name)}
        return {**written, "rules": self.rules.write()} if self.rules is not None else written

    @classmethod
    def read(cls, data: Any) -> OwnTerms:
        """Terms from the data of `write` or of a form. Raises `Refused` with a sentence for invalid ones."""
        if isinstance(data, cls):
            return data
        if not isinstance(data, Mapping):
            raise Refused("bad_plan", gettext("Terms are values by name, such as 8 for “deals”."))
        if unknown := [str(name)[:40] for name in data if name not in FIELDS]:
            raise Refused("bad_plan", gettext("“%(name)s” is not one of the terms.") % {"name": unknown[0]})
        values: dict[str, Any] = {name: _number(data[name]) for name in NUMBERS if name in data}
        values |= {name: str(data[name])[:40] for name in ("rules_ref", "clock") if name in data}
        try:
            rules = Rules.read(data["rules"]) if data.get("rules") else None
        except BadInput as error:
            raise Refused("bad_plan", error.sentence) from None
        return cls(rules=rules, **values)


NO_TERMS = OwnTerms()
"""As the event, or as the stage."""

RoundTerms = tuple[tuple[str, OwnTerms], ...]
"""Terms of single rounds, by their names as stored."""
MOST_ROUNDS = 8
"""Rounds of a stage with terms of their own, but for the last."""


def read_rounds(data: Any) -> RoundTerms:
    """Terms of rounds from the data of `write_rounds`. Raises `Refused` with a sentence for invalid ones."""
    pairs = list(data.items()) if isinstance(data, Mapping) else data if isinstance(data, tuple) else None
    if pairs is None:
        raise Refused("bad_plan", gettext("Terms of rounds go by their names, such as “Semi-finals”."))
    if len(pairs) > MOST_ROUNDS:
        words = gettext("At most %(limit)s rounds of a stage can be played differently.")
        raise Refused("bad_plan", words % {"limit": MOST_ROUNDS})
    rounds = [(str(name)[:60], OwnTerms.read(each)) for name, each in pairs]
    return tuple((name, each) for name, each in rounds if each != NO_TERMS)


def write_rounds(rounds: RoundTerms) -> dict[str, Any]:
    """Ready for JSON."""
    return {name: each.write() for name, each in rounds}


def _number(value: Any) -> int:
    """A whole number. Zero has no meaning: a term that does not differ is left out."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole or not 0 < value <= MOST_POINTS:
        raise Refused("bad_plan", gettext("Enter a whole number from 1, not “%(value)s”.") % {"value": str(value)[:20]})
    return int(value)


def wrong_terms(terms: OwnTerms) -> list[str]:
    """Contradictions in terms, regardless of the stage: a sentence each."""
    checks = [
        (bool(terms.deals and terms.target), gettext("Choose a number of deals or a target, not both.")),
        (terms.deals > MOST_DEALS, gettext("A match has at most %(limit)s deals.") % {"limit": MOST_DEALS}),
        (terms.minutes > MOST_MINUTES, gettext("A round has at most %(limit)s minutes.") % {"limit": MOST_MINUTES}),
        (bool(terms.clock) and terms.clock not in CLOCKS, gettext("Choose one of the clocks.")),
        (bool(terms.rules_ref) and terms.rules is None, gettext("Choose the rules again.")),
    ]
    return [sentence for is_wrong, sentence in checks if is_wrong]
