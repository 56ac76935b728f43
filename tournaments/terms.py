"""The terms on which a match is played: those of its event, then of its stage, then of its round.

Everything that asks how long a match is, by which rules, clock or minutes, asks here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple

from engine.play.rules import Rules
from gameplay.house_rules.match_length import with_length
from gameplay.models import Table
from gameplay.paces import PACES
from tournaments.models import Round, Stage, Tournament
from tournaments.own_terms import OwnTerms
from tournaments.plan import Plan

OF_TABLES = (
    *("clock", "clock_hours", "increment_hours", "cap_hours", "free_weekends", "free_nights", "allows_absences"),
    *("missed", "assist", "watching", "rules_ref"),
)
"""Fields of `gameplay.Table` that an event can choose for its tables."""
FINALS = ("Final", "Decider", "GF1", "GF2")
"""Names, as stored, of the rounds that are the final of a knockout."""


@dataclass(frozen=True)
class Terms:
    """How the matches of a round are played."""

    rules: Rules
    """With the length of a match."""
    rules_ref: str
    """The saved version that they came from (`gameplay.house_rules.rule_sources`); empty for none."""
    minutes: int
    """Time for a round of an event face to face; 0 for none."""
    hours: int
    """Time for a round in hours, from its opening; 0 for none."""
    seats: int
    """Entries at a table."""
    clock: str = ""
    """The clock of online tables, if it differs from that of the event (`gameplay.paces`)."""
    table: Mapping[str, Any] = field(default_factory=dict)
    """Fields of online tables (`gameplay.Table`)."""

    @property
    def time(self) -> timedelta:
        """Time for a round from its opening; nothing if there is no limit. Hours, for play at home, go before minutes."""
        return timedelta(hours=self.hours) if self.hours else timedelta(minutes=self.minutes)


class Part(NamedTuple):
    """Which matches of a stage: all, those of its last round, or of another round by its name as stored."""

    is_last: bool = False
    round_name: str = ""


ALL, LAST = Part(), Part(is_last=True)


def parts(plan: Plan) -> list[Part]:
    """All matches of a stage, then those of each round that is played differently, the last one at the end."""
    return [ALL, *(Part(round_name=name) for name, _ in plan.round_terms), LAST]


def part_of(plan: Plan, round_: Round) -> Part:
    """Which part of its stage a round is."""
    return LAST if is_last(plan, round_) else Part(round_name=round_.name)


def resolve(event: Tournament, plan: Plan, part: Part = ALL) -> Terms:
    """The terms of a stage of an event, stored or not, or of a part of it.

    Other rules bring their own length of a match.
    """
    ref, clock, minutes, seats = str(event.terms.get("rules_ref", "")), "", plan.round_minutes, plan.seats
    for each in _different(plan, part):
        ref = each.rules_ref if each.rules is not None else ref
        clock, minutes, seats = each.clock or clock, each.minutes or minutes, each.seats or seats
    is_face = event.setting == Tournament.Setting.FACE  # elsewhere a deadline is also one of online tables
    hours = 0 if is_face and own_of(plan, part).minutes else plan.round_hours
    return Terms(
        rules=rules_of(plan, event.rules, part),
        rules_ref=ref,
        minutes=minutes if is_face else 0,
        hours=hours,
        seats=seats,
        clock=clock,
        table=_of_tables(event, clock, ref),
    )


def rules_of(plan: Plan, rules: Rules, part: Part = ALL) -> Rules:
    """The rules of a stage of an event with these rules, or of a part of it."""
    for each in _different(plan, part):
        rules = with_length(each.rules or rules, each.length)
    return rules


def own_of(plan: Plan, part: Part) -> OwnTerms:
    """What a round has differently from its stage."""
    return plan.final_terms if part.is_last else plan.terms_of(part.round_name)


def _different(plan: Plan, part: Part) -> tuple[OwnTerms, ...]:
    return plan.own_terms, own_of(plan, part)


def _of_tables(event: Tournament, clock: str, ref: str) -> dict[str, Any]:
    """Fields of the tables. Unless set, spectators follow from the visibility of the event."""
    watching = {
        Tournament.Visibility.PUBLIC: Table.Watching.ANYBODY,
        Tournament.Visibility.LINK: Table.Watching.LINK,
        Tournament.Visibility.CIRCLE: Table.Watching.CLUB,
    }[Tournament.Visibility(event.visibility)]
    chosen = {name: event.terms[name] for name in OF_TABLES if name in event.terms and name != "rules_ref"}
    paced = {name: value for name, value in PACES[clock].terms.items() if name in OF_TABLES} if clock else {}
    of_rules = {"rules_ref": ref} if ref else {}
    return {"watching": watching, **chosen, **paced, **of_rules, "is_rated": event.is_rated, "audience": event.circle}


def is_last(plan: Plan, round_: Round) -> bool:
    """Whether a round is the last of its stage, whose terms can differ."""
    if plan.is_knockout:
        return round_.name in FINALS
    return plan.has_last_round and round_.number == plan.rounds


def of_event(event: Tournament) -> Terms:
    """The terms of an event, as far as its stages have no others."""
    return resolve(event, Plan("round_robin"))


def of_stage(stage: Stage, plan: Plan | None = None) -> Terms:
    """The terms of a stage, as far as its rounds have no others."""
    return resolve(stage.tournament, plan or Plan.read(stage.plan_json))


def of_round(round_: Round) -> Terms:
    """The terms of a round of a stage."""
    plan = Plan.read(round_.stage.plan_json)
    return resolve(round_.stage.tournament, plan, part_of(plan, round_))
