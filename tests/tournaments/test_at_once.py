"""Two organisers, a player and the worker at the same instant: one round, one result, and nothing half done."""

from functools import partial

import pytest
from django.db import connection, transaction

from tests.at_once import at_once
from tests.tournaments import driving
from tests.tournaments.test_rounds import _named, drop
from tournaments.models import Act, Pairing, Result, Round, Stage
from tournaments.plan import standard
from tournaments.services import deadlines, results, rounds, stages
from web.errors import Refused, Stale

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def waits(make, olga):
    """An event whose first round is in, but for what follows from it."""
    event = make(8, standard("swiss", rounds=3, waits_for_go=True))
    stages.give_go(Stage.objects.get().pk, 1, by=olga)
    driving.play_round(event, olga)
    return event


def test_two_organisers_and_the_task_make_one_round(waits, olga):
    stage = Stage.objects.get()
    done = at_once(
        partial(stages.give_go, stage.pk, 2, by=olga, request_key="one"),
        partial(stages.give_go, stage.pk, 2, by=olga, request_key="other"),
        partial(rounds.advance, waits.pk),
        partial(deadlines.sweep),
    )
    assert sum(isinstance(one, Refused) for one in done) == 1
    assert [one.number for one in Round.objects.all()] == [1, 2]
    assert Pairing.objects.filter(round__number=2).count() == 4
    assert Act.objects.filter(kind="go").count() == 2


def test_conflicting_results_at_once_leave_one_and_the_other_is_told(waits, olga):
    stages.give_go(Stage.objects.get().pk, 2, by=olga)
    pairing = driving.open_pairings(waits)[0]
    waits.refresh_from_db()
    turned = driving.lines_of(pairing, lambda names: list(reversed(driving.better_seed(names))))
    straight = driving.lines_of(pairing)
    done = at_once(
        *[partial(results.decide, pairing.pk, lines, by=olga, seen=waits.version) for lines in (straight, turned)]
    )
    assert sorted(type(one).__name__ for one in done) == ["Act", "Stale"]
    assert any(isinstance(one, Stale) for one in done)
    assert Result.objects.filter(pairing=pairing).count() == 1


def test_withdrawing_while_the_round_is_drawn_leaves_no_ghost(waits, olga):
    stage = Stage.objects.get()
    one = stage.entries.get(position=3)
    at_once(partial(stages.give_go, stage.pk, 2, by=olga), partial(drop, waits, one, 1, olga))
    rounds.advance(waits.pk)
    drawn = Pairing.objects.filter(round__number=2)
    seated = [place.entry_id for row in drawn for place in row.places.all()]
    assert one.entry_id not in seated
    assert len(seated) == 6


@pytest.mark.parametrize("task", ["advance", "sweep"])
def test_ten_workers_at_once_do_what_one_does(make, olga, task):
    event, straight = make(8, standard("double_elimination")), make(8, standard("double_elimination"))
    for each in (event, straight):
        for pairing in driving.open_pairings(each):
            with_result(pairing, olga)
    rounds.advance(straight.pk)
    act = partial(rounds.advance, event.pk) if task == "advance" else deadlines.sweep
    assert [one for one in at_once(*[act] * 10) if isinstance(one, Exception)] == []
    assert _named(driving.outline(event)) == _named(driving.outline(straight))


def with_result(pairing, by):
    """A confirmed result of which nothing has followed yet, as a lost task leaves it."""
    result = Result.objects.create(
        pairing=pairing,
        kind=Result.Kind.DECIDED,
        status=Result.Status.CONFIRMED,
        origin=Result.Origin.ORGANISER,
        lines=driving.lines_of(pairing),
        by=by,
        at=pairing.opened_at,
        confirmed_at=pairing.opened_at,
    )
    Pairing.objects.filter(pk=pairing.pk).update(result=result, begun_at=pairing.opened_at)
    event = pairing.round.stage.tournament
    type(event).objects.filter(pk=event.pk).update(look_at=pairing.opened_at)


class Crash(Exception):
    """The process died here."""


@pytest.mark.parametrize("name", ["swiss", "double_elimination"])
def test_a_crash_at_any_write_leaves_nothing_behind(make, olga, name):
    """However far the closing of a round came before it broke off, doing it again ends as if it never had."""
    event, straight = make(6, standard(name)), make(6, standard(name))
    for each in (event, straight):
        for pairing in driving.open_pairings(each):
            with_result(pairing, olga)
    rounds.advance(straight.pk)
    before, crashes = driving.outline(event), 0
    while crashes < 200:
        try:
            with connection.execute_wrapper(crashing(crashes)), transaction.atomic():
                rounds.advance(event.pk)
            break
        except Crash:
            crashes += 1
            assert driving.outline(event) == before
    assert crashes > 10
    assert _named(driving.outline(event)) == _named(driving.outline(straight))


def crashing(after):
    """Breaks off at the write after so many."""
    left = [after]

    def execute(execute, sql, params, many, context):
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            if left[0] == 0:
                raise Crash
            left[0] -= 1
        return execute(sql, params, many, context)

    return execute


def test_with_the_broker_away_the_sweeper_advances(make, olga, monkeypatch):
    event = make(4, standard("single_elimination"))

    def refuse(*_):
        raise ConnectionError

    monkeypatch.setattr("tournaments.tasks.advance.delay", refuse)
    for pairing in driving.open_pairings(event):
        places = list(pairing.places.all())
        results.walkover(pairing.pk, [places[1].entry_id], by=None, reason="Did not come.")
    assert Pairing.objects.get(name="WB2.1").status == "waits"
    deadlines.sweep()
    assert Pairing.objects.get(name="WB2.1").status == "ready"
