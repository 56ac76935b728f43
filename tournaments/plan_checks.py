"""Whether an event can work as it is planned: what cannot, in sentences for the organiser."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext

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
        return [gettext("An event needs at least one stage.")]
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
        found += [sentence if len(plans) == 1 else of_stage(number, sentence) for sentence in own]
        before = plan
    return found


def of_stage(number: int, sentence: str) -> str:
    """A sentence about one of several stages, with the stage before it."""
    return gettext("Stage %(number)s: ") % {"number": number} + sentence


# The tables of a stage


def team_size(tournament: Tournament, plan: Plan) -> int:
    """How many people play together at the tables of a stage."""
    return 2 if plan.has_partners else tournament.side_size


def _wrong_tables(tournament: Tournament, plan: Plan) -> list[str]:
    found = []
    if plan.has_partners and (tournament.entry_kind != Tournament.Kind.PERSON or tournament.side_size != 1):
        found.append(gettext("If partners rotate, people enter alone."))
    if plan.format in DUPLICATE and tournament.entry_kind != Tournament.Kind.PARTNERSHIP:
        found.append(gettext("%(format)s is for pairs. Set “Entry type” to “Pairs”.") % {"format": plan.title})
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
        return [gettext("The first stage takes all entries because there is no stage before it.")]
    return []


def _handed_on(before: Plan, plan: Plan, entries: int | None) -> tuple[list[str], int | None]:
    """What is wrong with how a stage takes its entries, and how many it takes."""
    found = []
    if plan.carries and (plan.is_bracket or plan.format == "pod_knockout"):
        found.append(gettext("Points cannot be carried over into a knockout."))
    if plan.carries and (before.is_bracket or before.format in ("pod_knockout", "ladder")):
        found.append(gettext("The stage before has no points to carry over."))
    if plan.by_hand:
        return found, plan.take or None
    if not plan.take_each:
        return [*found, *_too_many(plan.take, entries)], plan.take or entries
    if before.format != "groups":
        found.append(gettext("The stage before has no groups. Enter how many go through in total instead."))
        return found, None
    least = plan.take_each * before.groups
    if plan.take and plan.take < least:
        found.append(
            gettext("%(take_each)s from each of %(groups)s groups makes %(least)s, more than %(take)s in all.")
            % {"take_each": plan.take_each, "groups": before.groups, "least": least, "take": plan.take}
        )
    if entries is not None and entries // before.groups < plan.take_each:
        found.append(
            gettext("The smallest group has %(size)s entries. %(take_each)s from it cannot go through.")
            % {"size": entries // before.groups, "take_each": plan.take_each}
        )
    return [*found, *_too_many(plan.take, entries)], plan.take or least


def _too_many(take: int, entries: int | None) -> list[str]:
    if entries is None or take <= entries:
        return []
    return [
        gettext("%(take)s entries cannot go through, because the stage before has only %(entries)s.")
        % {"take": take, "entries": entries}
    ]


# How many can play it


def wrong_count(tournament: Tournament, plan: Plan, entries: int) -> list[str]:
    """What is wrong with so many entries in a stage whose tables are right."""
    if entries < 2:
        return [gettext("%(format)s needs at least two entries.") % {"format": plan.title}]
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
        return [
            gettext("%(format)s with %(entries)s entries would take %(rounds)s rounds. The limit is %(limit)s.")
            % {"format": plan.title, "entries": entries, "rounds": rounds, "limit": MOST_ROUNDS}
        ]
    return []


def _groups(plan: Plan, entries: int) -> list[str]:
    if entries < 2 * plan.groups:
        return [
            gettext("%(groups)s groups need at least %(entries)s entries, two in each.")
            % {"groups": plan.groups, "entries": 2 * plan.groups}
        ]
    biggest = max(len(group) for group in fixtures.groups(entries, plan.groups))
    return _round_robin(plan, biggest)


def _swiss(plan: Plan, entries: int) -> list[str]:
    most = entries - 1 + entries % 2
    if plan.rounds > most:
        return [
            gettext("%(entries)s entries can play %(most)s rounds without meeting twice, not %(rounds)s.")
            % {"entries": entries, "most": most, "rounds": plan.rounds}
        ]
    return []


def _rotating(plan: Plan, entries: int) -> list[str]:
    if whist.LEAST <= entries <= whist.MOST:
        return []
    return [
        gettext("Partners rotate among %(least)s to %(most)s people, not %(entries)s.")
        % {"least": whist.LEAST, "most": whist.MOST, "entries": entries}
    ]


def _single(plan: Plan, entries: int) -> list[str]:
    if plan.third_place and entries < 4:
        return [gettext("A match for third place needs at least four entries.")]
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
