"""Impossible plans are named before an event is announced."""

import pytest

from engine.play.rules import Rules
from tournaments import plan_checks
from tournaments.models import Tournament
from tournaments.plan import standard

SIDES = {"person": 1, "partnership": 2, "team": 3}


def event(kind="partnership", rules="standard"):
    return Tournament(rules_json=Rules.make(rules).write(), entry_kind=kind, side_size=SIDES[kind])


@pytest.mark.parametrize(
    ("kind", "rules", "plans", "entries", "words"),
    [
        ("partnership", "standard", [], None, "at least one stage"),
        ("partnership", "solo", [standard("swiss")], None, "Solo does not allow"),
        ("team", "denexa", [standard("swiss")], None, "Denexa does not allow a table of 6 in teams of 3"),
        ("person", "denexa", [standard("swiss_pods")], None, "a table of 4 in teams of 1"),
        ("partnership", "standard", [standard("rotating_partners")], None, "people enter alone"),
        ("person", "standard", [standard("howell")], None, "Set “Entry type” to “Pairs”"),
        ("person", "standard", [standard("mitchell")], None, "Set “Entry type” to “Pairs”"),
        ("person", "standard", [standard("rotating_partners")], 3, "Partners rotate among 4 to 100 people, not 3."),
        ("partnership", "standard", [standard("swiss", take=4)], None, "there is no stage before it"),
        ("partnership", "standard", [standard("swiss", by_hand=True)], None, "there is no stage before it"),
        ("partnership", "standard", [standard("double_elimination")], 1, "at least two entries"),
        ("partnership", "standard", [standard("round_robin", legs=2)], 40, "would take 78 rounds"),
        ("partnership", "standard", [standard("groups", groups=4)], 7, "4 groups need at least 8 entries"),
        ("person", "standard", [standard("swiss_pods", seats=6, most=7)], 13, "a table of 7 in teams of 1"),
        ("person", "standard", [standard("pod_knockout", seats=6, least=6, most=6)], 53, "cannot be seated"),
        (
            "partnership",
            "standard",
            [standard("swiss", rounds=2), standard("single_elimination", take=16)],
            8,
            "Stage 2: 16 entries cannot go through, because the stage before has only 8.",
        ),
        (
            "partnership",
            "standard",
            [standard("groups", groups=4), standard("single_elimination", take=6, take_each=2)],
            16,
            "2 from each of 4 groups makes 8, more than 6 in all",
        ),
        (
            "partnership",
            "standard",
            [standard("groups", groups=4), standard("single_elimination", take_each=3)],
            11,
            "The smallest group has 2 entries. 3 from it cannot go through",
        ),
        (
            "partnership",
            "standard",
            [standard("swiss", rounds=2), standard("single_elimination", take_each=2)],
            8,
            "The stage before has no groups",
        ),
        (
            "partnership",
            "standard",
            [standard("swiss", rounds=2), standard("single_elimination", take=4, carries=True)],
            8,
            "Points cannot be carried over into a knockout",
        ),
        (
            "partnership",
            "standard",
            [standard("single_elimination"), standard("swiss", take=4, carries=True, rounds=2)],
            8,
            "has no points to carry over",
        ),
        (
            "partnership",
            "standard",
            [standard("swiss", rounds=2), standard("swiss", take=4, rounds=5)],
            8,
            "Stage 2: 4 entries can play 3 rounds",
        ),
    ],
)
def test_what_cannot_work_has_one_sentence(kind, rules, plans, entries, words):
    problems = plan_checks.plan_problems(event(kind, rules), plans, entries)
    assert len(problems) == 1
    assert words in problems[0]
    assert problems[0].endswith(".")


@pytest.mark.parametrize("entries", [0, 1, 2, 3])
def test_rotating_partners_ask_for_four_people_from_the_first_on(entries):
    problems = plan_checks.plan_problems(event("person", "standard"), [standard("rotating_partners")], entries)
    assert problems == [f"Partners rotate among 4 to 100 people, not {entries}."]


@pytest.mark.parametrize(
    ("kind", "plans", "entries"),
    [
        ("partnership", [standard("double_elimination")], 2),
        ("partnership", [standard("swiss", rounds=7)], 8),
        ("partnership", [standard("swiss", rounds=7)], 7),
        ("person", [standard("swiss_pods", seats=4, most=6)], 7),
        ("person", [standard("rotating_partners")], 4),
        ("team", [standard("round_robin")], 6),
        ("partnership", [standard("groups", groups=2), standard("single_elimination", take=4, take_each=1)], 8),
        ("partnership", [standard("swiss", rounds=2), standard("single_elimination", by_hand=True)], 8),
        ("partnership", [standard("swiss", rounds=3), standard("swiss", rounds=2, carries=True, take=4)], 8),
    ],
)
def test_what_works_is_left_alone(kind, plans, entries):
    assert plan_checks.plan_problems(event(kind), plans) == []
    assert plan_checks.plan_problems(event(kind), plans, entries) == []


@pytest.mark.django_db
def test_the_plans_of_an_event_take_one_query(olga, django_assert_num_queries):
    from tournaments.services.events import lifecycle

    cup = lifecycle.make_event(olga, name="Cup", starter="groups_knockout")
    with django_assert_num_queries(1):
        assert [plan.format for plan in plan_checks.plans_of(cup)] == ["groups", "single_elimination"]
