"""Whether an event can work as it is planned: what cannot, in sentences for the organiser."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.compete import fixtures
from engine.compete.movements import howell, mitchell, whist
from engine.compete.pairing import knockout, knockout_pods, pods
from engine.errors import BadInput
from tournaments.models import Stage, Tournament
from tournaments.plan import DUPLICATE, Plan

MOST_ROUNDS = 60


def plans_of(tournament: Tournament) -> list[Plan]:
    """The plans of an event's stages, in order. One query."""
    return [Plan.read(stage.plan_json) for stage in Stage.objects.filter(tournament=tournament)]


def wrong_with(tournament: Tournament, plans: Sequence[Plan], entries: int | None = None) -> list[str]:
    """What cannot work, a sentence each; empty where everything can.

    `tournament` need not be stored: its ruleset, kind of entry and people at a table are looked at. With `entries` it is
    also asked whether so many can play each stage.
    """
    if not plans:
        return ["An event needs at least one stage."]
    found: list[str] = []
    count, before = entries, None
    for number, plan in enumerate(plans, 1):
        own = _wrong_tables(tournament, plan)
        if before is None:
            own += _wrong_first(plan)
        else:
            sentences, count = _handed_on(before, plan, count)
            own += sentences
        if count is not None and not own:
            own += wrong_count(tournament, plan, count)
        found += [sentence if len(plans) == 1 else f"Stage {number}: {sentence}" for sentence in own]
        before = plan
    return found


# The tables of a stage


def team_size(tournament: Tournament, plan: Plan) -> int:
    """How many people play together at the tables of a stage."""
    return 2 if plan.has_partners else tournament.side_size


def _wrong_tables(tournament: Tournament, plan: Plan) -> list[str]:
    found = []
    if plan.has_partners and (tournament.entry_kind != Tournament.Kind.PERSON or tournament.side_size != 1):
        found.append("Where partners rotate, people enter alone.")
    if plan.format in DUPLICATE and tournament.entry_kind != Tournament.Kind.PARTNERSHIP:
        found.append(f"{plan.title} is for partnerships: let pairs enter.")
    return found or _wrong_sizes(tournament, plan, [plan.seats])


def _wrong_sizes(tournament: Tournament, plan: Plan, sizes: Sequence[int]) -> list[str]:
    """What the ruleset says against tables of so many entries."""
    found = []
    for size in sorted(set(sizes)):
        try:
            tournament.rules.shape(size * tournament.side_size, team_size(tournament, plan))
        except BadInput as error:
            found.append(error.sentence)
    return found


# From stage to stage


def _wrong_first(plan: Plan) -> list[str]:
    if plan.take or plan.take_each or plan.by_hand or plan.carries:
        return ["The first stage takes all entries: there is no stage before it."]
    return []


def _handed_on(before: Plan, plan: Plan, entries: int | None) -> tuple[list[str], int | None]:
    """What is wrong with how a stage takes its entries, and how many it takes."""
    found = []
    if plan.carries and (plan.is_bracket or plan.format == "pod_knockout"):
        found.append("A knockout starts afresh: no points can be carried into it.")
    if plan.carries and (before.is_bracket or before.format in ("pod_knockout", "ladder")):
        found.append("The stage before gives no points that could be carried.")
    if plan.by_hand:
        return found, plan.take or None
    if not plan.take_each:
        return [*found, *_too_many(plan.take, entries)], plan.take or entries
    if before.format != "groups":
        found.append("The stage before has no groups to take from: say how many go on in all.")
        return found, None
    least = plan.take_each * before.groups
    if plan.take and plan.take < least:
        found.append(f"{plan.take_each} of each of {before.groups} groups are {least}, more than {plan.take} in all.")
    if entries is not None and entries // before.groups < plan.take_each:
        found.append(f"The smallest group has {entries // before.groups}: {plan.take_each} of it cannot go on.")
    return [*found, *_too_many(plan.take, entries)], plan.take or least


def _too_many(take: int, entries: int | None) -> list[str]:
    if entries is None or take <= entries:
        return []
    return [f"{take} are to go on, but only {entries} come out of the stage before."]


# How many can play it


def wrong_count(tournament: Tournament, plan: Plan, entries: int) -> list[str]:
    """What is wrong with so many entries in a stage whose tables are right."""
    if entries < 2:
        return [f"{plan.title} needs two entries at least."]
    check = _CHECKS.get(plan.format)
    try:
        found = check(plan, entries) if check else []
        if not found and plan.format in _SIZES:
            found = _wrong_sizes(tournament, plan, _SIZES[plan.format](plan, entries))
    except BadInput as error:
        return [error.sentence]
    return found


def _round_robin(plan: Plan, entries: int) -> list[str]:
    rounds = (entries - 1 + entries % 2) * plan.legs
    if rounds > MOST_ROUNDS:
        return [f"{plan.title} of {entries} would take {rounds} rounds; {MOST_ROUNDS} are the most."]
    return []


def _groups(plan: Plan, entries: int) -> list[str]:
    if entries < 2 * plan.groups:
        return [f"{plan.groups} groups need {2 * plan.groups} entries at least: two in each."]
    biggest = max(len(group) for group in fixtures.groups(entries, plan.groups))
    return _round_robin(plan, biggest)


def _swiss(plan: Plan, entries: int) -> list[str]:
    most = entries - 1 + entries % 2
    if plan.rounds > most:
        return [f"{entries} entries can play {most} rounds without meeting twice, not {plan.rounds}."]
    return []


def _rotating(plan: Plan, entries: int) -> list[str]:
    if whist.LEAST <= entries <= whist.MOST:
        return []
    return [f"Partners rotate among {whist.LEAST} to {whist.MOST} people, not {entries}."]


def _single(plan: Plan, entries: int) -> list[str]:
    if plan.third_place and entries < 4:
        return ["A match for the third place needs four entries at least."]
    knockout.single(entries, third_place=plan.third_place)
    return []


def _double(plan: Plan, entries: int) -> list[str]:
    knockout.double(entries, reset=plan.reset)
    return []


def _howell(plan: Plan, entries: int) -> list[str]:
    howell.howell(entries, rounds=plan.rounds or None)
    return []


def _mitchell(plan: Plan, entries: int) -> list[str]:
    mitchell.mitchell(entries, rounds=plan.rounds or None)
    return []


_CHECKS: dict[str, Callable[[Plan, int], list[str]]] = {
    "round_robin": _round_robin,
    "groups": _groups,
    "swiss": _swiss,
    "single_elimination": _single,
    "double_elimination": _double,
    "rotating_partners": _rotating,
    "howell": _howell,
    "mitchell": _mitchell,
}


def _table_sizes(plan: Plan, entries: int) -> list[int]:
    return list(pods.sizes(entries, plan.seats, least=plan.least, most=plan.most))


def _level_sizes(plan: Plan, entries: int) -> list[int]:
    levels = knockout_pods.levels(entries, plan.seats, plan.advance, least=plan.least, most=plan.most)
    return [size for level in levels for size in level.sizes]


_SIZES: dict[str, Callable[[Plan, int], list[int]]] = {
    "swiss_pods": _table_sizes,
    "social": _table_sizes,
    "pod_knockout": _level_sizes,
}
"""Formats with tables of several sizes."""
