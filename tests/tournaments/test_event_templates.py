"""Templates: each works for its usual number, and can be made, filled and started."""

import pytest

from tournaments import plan_checks
from tournaments.event_templates import STARTERS
from tournaments.models import Tournament
from tournaments.services.entries import enrolment
from tournaments.services.events import lifecycle

names = pytest.mark.parametrize("name", list(STARTERS))


def event_of(starter):
    settings = dict(starter.settings)
    return Tournament(rules_json=settings.pop("rules").write(), **settings)


@names
def test_a_template_works_for_its_usual_number(name):
    starter = STARTERS[name]
    plans = [plan for _, plan in starter.stages]
    assert plan_checks.plan_problems(event_of(starter), plans) == []
    assert plan_checks.plan_problems(event_of(starter), plans, starter.entries) == []


@names
def test_a_template_says_what_it_is(name):
    starter = STARTERS[name]
    assert starter.sentence.endswith(".")
    assert len(starter.title) <= 80


def test_those_that_organisers_asked_for_are_there():
    titles = {starter.title for starter in STARTERS.values()}
    assert {
        "Club night, four deals, partners rotate",
        "League cup, double elimination",
        "Championship, 54 players at nine tables of six, top two go through",
    } <= titles


@pytest.mark.django_db
@names
def test_a_template_becomes_an_event_under_way(olga, name):
    starter = STARTERS[name]
    cup = lifecycle.make_event(olga, name=starter.title[:40], starter=name, settings={"setting": "face"})
    lifecycle.publish(cup.pk, olga)
    for number in range(starter.entries):
        people = [f"Player {number}-{seat}" for seat in range(cup.side_size)]
        enrolment.enter_for(cup.pk, olga, members=people)
    cup.entries.update(is_here=True)
    lifecycle.start(cup.pk, olga)
    cup.refresh_from_db()
    assert cup.status == "running"
    stage = cup.stages.first()
    assert (stage.status, stage.trouble, stage.entries.count()) == ("running", "", starter.entries)


def test_the_championship_is_nine_tables_of_six_then_three_then_one():
    from engine.compete.pairing import knockout_pods

    starter = STARTERS["championship"]
    plan = starter.stages[0][1]
    levels = knockout_pods.levels(starter.entries, plan.seats, plan.advance, least=plan.least, most=plan.most)
    assert [level.sizes for level in levels] == [(6,) * 9, (6,) * 3, (6,)]
    assert starter.rules.write_options()["length"] == {"deals": 4}
