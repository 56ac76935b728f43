"""Whether an event can work as it is planned: what cannot, in sentences for the organiser."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext

from engine.compete import fixtures
from engine.compete.evening import AVERAGE
from engine.compete.movements import howell, mitchell, whist
from engine.compete.pairing import knockout, pods
from engine.errors import BadInput
from gameplay.house_rules.match_length import deals_of
from tournaments import fixture_lists, terms
from tournaments.duplicate import preparing
from tournaments.models import Stage, Tournament
from tournaments.plan import DUPLICATE, Plan

MOST_ROUNDS = 60


def plans_of(tournament: Tournament) -> list[Plan]:
    """The plans of an event's stages, in order. One query."""
    return [Plan.read(stage.plan_json) for stage in Stage.objects.filter(tournament=tournament)]


def plan_problems(tournament: Tournament, plans: Sequence[Plan], entries: int | None = None) -> list[str]:
    """Problems of the plans, a sentence each; empty for none.

    `tournament` may be unsaved: only its terms, type of entry and people at a table are used. With `entries`, also
    checks that so many can play each stage.
    """
    if not plans:
        return [gettext("An event needs at least one stage.")]
    problems: list[str] = []
    count, before = entries, None
    for number, plan in enumerate(plans, 1):
        own_problems = _table_problems(tournament, plan)
        if before is None:
            own_problems += _first_stage_problems(plan)
        else:
            sentences, count = _intake_problems(before, plan, count)
            own_problems += sentences
        if count is not None and not own_problems:
            own_problems += count_problems(tournament, plan, count)
        problems += [sentence if len(plans) == 1 else of_stage(number, sentence) for sentence in own_problems]
        before = plan
    return problems


def of_stage(number: int, sentence: str) -> str:
    """A sentence about one of several stages, with the stage before it."""
    return gettext("Stage %(number)s: ") % {"number": number} + sentence


# The tables of a stage


def team_size(tournament: Tournament, plan: Plan) -> int:
    """Number of people who play together at the tables of a stage."""
    return 2 if plan.has_partners else tournament.side_size


def _table_problems(tournament: Tournament, plan: Plan) -> list[str]:
    problems = []
    if plan.has_partners and (tournament.entry_kind != Tournament.Kind.PERSON or tournament.side_size != 1):
        problems.append(gettext("If partners rotate, people enter alone."))
    if plan.format in DUPLICATE and tournament.entry_kind != Tournament.Kind.PARTNERSHIP:
        problems.append(gettext("%(format)s is for pairs. Set “Entry type” to “Pairs”.") % {"format": plan.title})
    try:
        problems += _terms_problems(tournament, plan)
        if plan.shares_deals and tournament.setting != Tournament.Setting.ONLINE:
            problems += _board_problems(tournament, plan)
    except BadInput as error:
        problems.append(error.sentence)
    return problems or _size_problems(tournament, plan, [plan.seats])


def _board_problems(tournament: Tournament, plan: Plan) -> list[str]:
    """Problems of boards that are prepared for real tables."""
    sentence = preparing.why_not(terms.resolve(tournament, plan).rules, plan.seats * tournament.side_size)
    return [sentence] if sentence else []


def _terms_problems(tournament: Tournament, plan: Plan) -> list[str]:
    """Terms of the stage, or of its last round, that the event cannot have. Raises `BadInput`."""
    problems = []
    is_face = tournament.setting == Tournament.Setting.FACE
    parts = [terms.resolve(tournament, plan, part) for part in terms.parts(plan)]
    if plan.counts == AVERAGE and any(deals_of(each.rules) == 0 for each in parts):
        problems.append(gettext("An average of card points needs matches of a set number of deals."))
    if is_face and any(each.clock for each in parts):
        problems.append(gettext("At real tables there is no clock for turns. Choose minutes for a round."))
    if not is_face and any(terms.own_of(plan, part).minutes for part in terms.parts(plan)):
        problems.append(gettext("Only an event face to face has minutes for a round. Choose hours."))
    if plan.shares_deals and any(each.rules != parts[0].rules for each in parts):
        problems.append(gettext("Where all tables play the same deals, no round can have other rules."))
    return problems


def _size_problems(tournament: Tournament, plan: Plan, sizes: Sequence[int], part: terms.Part = terms.ALL) -> list[str]:
    """Problems of the ruleset with tables of so many entries."""
    problems = []
    rules = terms.resolve(tournament, plan, part).rules
    for size in sorted(set(sizes)):
        try:
            rules.shape(size * tournament.side_size, team_size(tournament, plan))
        except BadInput as error:
            problems.append(error.sentence)
    return problems


# From stage to stage


def _first_stage_problems(plan: Plan) -> list[str]:
    if plan.take or plan.take_each or plan.by_hand or plan.carries:
        return [gettext("The first stage takes all entries because there is no stage before it.")]
    return []


def _intake_problems(before: Plan, plan: Plan, entries: int | None) -> tuple[list[str], int | None]:
    """Problems of a stage’s intake, and the number of entries it takes."""
    problems = []
    if plan.carries and (plan.is_bracket or plan.format == "pod_knockout"):
        problems.append(gettext("Points cannot be carried over into a knockout."))
    if plan.carries and (before.is_bracket or before.format in ("pod_knockout", "ladder")):
        problems.append(gettext("The stage before has no points to carry over."))
    if plan.by_hand:
        return problems, plan.take or None
    if not plan.take_each:
        return [*problems, *_too_many(plan.take, entries)], plan.take or entries
    if before.format != "groups":
        problems.append(gettext("The stage before has no groups. Enter how many go through in total instead."))
        return problems, None
    least = plan.take_each * before.groups
    if plan.take and plan.take < least:
        problems.append(
            gettext("%(take_each)s from each of %(groups)s groups makes %(least)s, more than %(take)s in all.")
            % {"take_each": plan.take_each, "groups": before.groups, "least": least, "take": plan.take}
        )
    if entries is not None and entries // before.groups < plan.take_each:
        problems.append(
            gettext("The smallest group has %(size)s entries. %(take_each)s from it cannot go through.")
            % {"size": entries // before.groups, "take_each": plan.take_each}
        )
    return [*problems, *_too_many(plan.take, entries)], plan.take or least


def _too_many(take: int, entries: int | None) -> list[str]:
    if entries is None or take <= entries:
        return []
    return [
        gettext("%(take)s entries cannot go through, because the stage before has only %(entries)s.")
        % {"take": take, "entries": entries}
    ]


# How many can play it


def count_problems(tournament: Tournament, plan: Plan, entries: int) -> list[str]:
    """Problems of so many entries in a stage with valid tables."""
    if entries < 2 and plan.format != "rotating_partners":  # which says how many it needs
        return [gettext("%(format)s needs at least two entries.") % {"format": plan.title}]
    check = _CHECKS.get(plan.format)
    try:
        problems = check(plan, entries) if check else []
        if not problems and plan.format in _SIZES:
            sizes = _SIZES[plan.format](plan, entries)
            problems = _size_problems(tournament, plan, sizes)
            last = sizes[-1:] if plan.is_knockout else _last_sizes(plan, entries)
            problems = problems or _size_problems(tournament, plan, last, terms.LAST)
        elif not problems:
            sizes = [plan.seats]
            problems = _size_problems(tournament, plan, sizes, terms.LAST) if plan.final_terms.rules else []
        for part in terms.parts(plan):
            if not problems and part.round_name:
                problems = _size_problems(tournament, plan, sizes, part)
    except BadInput as error:
        return [error.sentence]
    return problems


def _round_robin(plan: Plan, entries: int) -> list[str]:
    if plan.fixtures:
        fixture_lists.drawn(plan.fixtures, entries)
        return []
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


def _last_sizes(plan: Plan, entries: int) -> list[int]:
    tables = plan.last_tables
    return list(pods.sizes(entries, tables.seats, least=tables.least, most=tables.most))


def _level_sizes(plan: Plan, entries: int) -> list[int]:
    return [size for level in plan.levels(entries) for size in level.sizes]


_SIZES: dict[str, Callable[[Plan, int], list[int]]] = {
    "swiss_pods": _table_sizes,
    "social": _table_sizes,
    "pod_knockout": _level_sizes,
}
"""Formats with tables of several sizes."""
