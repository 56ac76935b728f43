"""Two organisers, a player and the worker at the same instant: one round, one result, and nothing half done."""

from functools import partial

import pytest
from django.db import connection, transaction
from django.test import Client

from tests.at_once import at_once
from tests.makers import make_event
from tests.tournaments import driving
from tests.tournaments.test_progress import drop, without_ids
from tournaments.models import Act, Entry, Member, Pairing, Result, Round, Stage, Tournament
from tournaments.plan import standard
from tournaments.services import history
from tournaments.services.entries import acceptance, enrolment, partners, withdrawal
from tournaments.services.events import lifecycle
from tournaments.services.matches import deadlines, results
from tournaments.services.stages import progress, stage_decisions
from web.errors import Refused, Stale

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def waits(make, olga):
    """An event whose first round is finished, but for the follow-up."""
    event = make(8, standard("swiss", rounds=3, waits_for_go=True))
    stage_decisions.start_round(Stage.objects.get().pk, 1, by=olga)
    driving.play_round(event, olga)
    return event


def test_two_organisers_and_the_task_make_one_round(waits, olga):
    stage = Stage.objects.get()
    outcomes = at_once(
        partial(stage_decisions.start_round, stage.pk, 2, by=olga, request_key="one"),
        partial(stage_decisions.start_round, stage.pk, 2, by=olga, request_key="other"),
        partial(progress.advance, waits.pk),
        partial(deadlines.sweep),
    )
    assert sum(isinstance(outcome, Refused) for outcome in outcomes) == 1
    assert [round_.number for round_ in Round.objects.all()] == [1, 2]
    assert Pairing.objects.filter(round__number=2).count() == 4
    assert Act.objects.filter(kind="go").count() == 2


def test_conflicting_results_at_once_leave_one_and_the_other_is_told(waits, olga):
    stage_decisions.start_round(Stage.objects.get().pk, 2, by=olga)
    pairing = driving.open_pairings(waits)[0]
    waits.refresh_from_db()
    turned = driving.lines_of(pairing, lambda names: list(reversed(driving.better_seed(names))))
    straight = driving.lines_of(pairing)
    outcomes = at_once(
        *[partial(results.decide, pairing.pk, lines, by=olga, seen=waits.version) for lines in (straight, turned)]
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Act", "Stale"]
    assert any(isinstance(outcome, Stale) for outcome in outcomes)
    assert Result.objects.filter(pairing=pairing).count() == 1


def test_withdrawing_while_the_round_is_drawn_leaves_no_ghost(waits, olga):
    stage = Stage.objects.get()
    stage_entry = stage.entries.get(position=3)
    at_once(partial(stage_decisions.start_round, stage.pk, 2, by=olga), partial(drop, waits, stage_entry, 1, olga))
    progress.advance(waits.pk)
    drawn = Pairing.objects.filter(round__number=2)
    seated = [place.entry_id for match in drawn for place in match.places.all()]
    assert stage_entry.entry_id not in seated
    assert len(seated) == 6


@pytest.mark.parametrize("task", ["advance", "sweep"])
def test_ten_workers_at_once_do_what_one_does(make, olga, task):
    event, straight = make(8, standard("double_elimination")), make(8, standard("double_elimination"))
    for each in (event, straight):
        for pairing in driving.open_pairings(each):
            with_result(pairing, olga)
    progress.advance(straight.pk)
    act = partial(progress.advance, event.pk) if task == "advance" else deadlines.sweep
    assert [outcome for outcome in at_once(*[act] * 10) if isinstance(outcome, Exception)] == []
    assert without_ids(driving.outline(event)) == without_ids(driving.outline(straight))


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
    progress.advance(straight.pk)
    before, crashes = driving.outline(event), 0
    while crashes < 200:
        try:
            with connection.execute_wrapper(crashing(crashes)), transaction.atomic():
                progress.advance(event.pk)
            break
        except Crash:
            crashes += 1
            assert driving.outline(event) == before
    assert crashes > 10
    assert without_ids(driving.outline(event)) == without_ids(driving.outline(straight))


def crashing(after):
    """Breaks off at the write after so many."""
    remaining = [after]

    def execute(execute, sql, params, many, context):
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            if remaining[0] == 0:
                raise Crash
            remaining[0] -= 1
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


# Two people at the same instant, in an action that only one can do


SWISS, KNOCKOUT = standard("swiss", rounds=3), standard("single_elimination", take=2)


def under_way(olga, *plans):
    return make_event(olga, *plans or [SWISS], entries=4, started=True)


def to_be(status, count=4):
    """An event that has not begun."""
    return lambda olga: make_event(olga, SWISS, KNOCKOUT, entries=count, status=status)


def reported(olga):
    """An event in which one side has entered a result with the card of the table."""
    event = under_way(olga)
    pairing = driving.open_pairings(event)[0]
    entry = pairing.places.first().entry_id
    results.report(pairing.pk, driving.lines_of(pairing), by=None, by_entry=entry, origin="card")
    return event


def decided(olga):
    event = under_way(olga)
    driving.decide(driving.open_pairings(event)[0], olga)
    return event


def waiting(olga):
    """An event in which an entry waits for a place."""
    event = make_event(olga, SWISS, entries=4, status="open")
    event.entries.filter(number=4).update(status="waiting")
    return event


def invited(olga):
    """An event with an invitation by email."""
    event = make_event(olga, SWISS, entries=1, status="open")
    Member.objects.create(
        tournament=event, entry=event.entries.get(), name="Guest", email="guest@example.org", answer="invited"
    )
    return event


def of(event, model):
    return model.objects.filter(tournament=event).latest("pk")


def match_of(event):
    """The first match of an event."""
    return Pairing.objects.filter(round__stage__tournament=event).order_by("pk")[0]


def result_of(event):
    return match_of(event).results.get().pk


RACES = {
    "decide": ("scorer", under_way, lambda event: partial(
        results.decide, match_of(event).pk, driving.lines_of(match_of(event)), reason="As they said."
    )),
    "walkover": ("director", under_way, lambda event: partial(
        results.walkover, match_of(event).pk, [match_of(event).places.first().entry_id]
    )),
    "confirm": ("scorer", reported, lambda event: partial(results.confirm, result_of(event))),
    "answer": ("", reported, lambda event: partial(
        results.answer, result_of(event), by_entry=match_of(event).places.last().entry_id, origin="card", agrees=True
    )),
    "take back": ("director", decided, lambda event: partial(results.remove_result, match_of(event).pk, reason="Not played.")),
    "undo": ("director", decided, lambda event: partial(history.undo, of(event, Act).pk)),
    "accept": ("director", waiting, lambda event: partial(acceptance.accept, of(event, Entry).pk)),
    "announce": ("owner", to_be("draft"), lambda event: partial(lifecycle.publish, event.pk)),
    "close entries": ("director", to_be("open"), lambda event: partial(lifecycle.close_entries, event.pk)),
    "open entries": ("director", to_be("closed"), lambda event: partial(lifecycle.reopen_entries, event.pk)),
    "start": ("director", to_be("open"), lambda event: partial(lifecycle.start, event.pk)),
    "cancel": ("owner", under_way, lambda event: partial(lifecycle.cancel, event.pk, reason="A storm.")),
    "withdraw": ("director", under_way, lambda event: partial(withdrawal.withdraw, of(event, Entry).pk)),
    "go": (
        "director",
        lambda olga: under_way(olga, standard("swiss", rounds=3, waits_for_go=True)),
        lambda event: partial(stage_decisions.start_round, of(event, Stage).pk, 1),
    ),
    "end a ladder": (
        "director",
        lambda olga: under_way(olga, standard("ladder")),
        lambda event: partial(stage_decisions.end_ladder, of(event, Stage).pk),
    ),
    "answer a letter": ("", invited, lambda event: partial(
        partners.accept, of(event, Member).pk, token=of(event, Member).token
    )),
    "enter": ("one", to_be("open", 0), lambda event: partial(enrolment.enter, event.pk)),
}  # fmt: skip
"""By name: the role of the two, the event, and the act; without a role they are no organisers, `one` is the same twice."""
WITHOUT_VERSION = ("confirm", "answer")


@pytest.mark.parametrize("name", RACES)
def test_of_two_at_once_one_does_it_and_the_other_is_told(olga, person, organiser_as, name):
    role, make_event, act_of = RACES[name]
    for how in (
        {},
        *([{"seen": True}] if name not in WITHOUT_VERSION else []),
        *([{"known": 0}] if name == "decide" else []),
    ):
        event = Tournament.objects.get(pk=make_event(olga).pk)
        make_user = partial(organiser_as, event, role) if role in ("owner", "director", "scorer") else person
        users = [make_user(f"{name} {event.pk}") for name in ("Ann", "Ben")]
        users = [users[0], users[0]] if role == "one" else users
        versions = {**how, **({"seen": event.version} if "seen" in how else {})}
        do, before = act_of(event), list(Act.objects.values_list("pk", flat=True))
        outcomes = at_once(*(partial(do, by=user, **versions) for user in users))
        refusals = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        assert all(isinstance(refusal, Refused) and refusal.sentence for refusal in refusals), (how, outcomes)
        acts = [act for act in Act.objects.exclude(pk__in=before) if act.changes]
        assert len(acts) == 1, (how, outcomes, [str(act) for act in acts])
        assert len(refusals) == 1 or name in SAID_TWICE, (how, outcomes)


SAID_TWICE = ("answer",)
"""Acts that both may do: the second says the same, and changes nothing."""


def test_who_goes_on_is_named_once_whoever_names_them(olga, organiser_as):
    event = under_way(olga, SWISS, KNOCKOUT)
    stage, admitted = of(event, Stage), list(event.entries.values_list("pk", flat=True)[:2])
    directors = [organiser_as(event, "director", name) for name in ("Ann", "Ben")]
    outcomes = at_once(
        *(
            partial(stage_decisions.choose_entries, stage.pk, order, by=director)
            for director, order in zip(directors, (admitted, admitted[::-1]), strict=True)
        )
    )
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert sorted(stage.entries.values_list("entry_id", flat=True)) == sorted(admitted)


@pytest.mark.parametrize("version", [{}, {"known": "0"}])
def test_of_two_scorers_at_their_pages_one_enters_and_the_other_is_told(olga, organiser_as, version):
    for attempt in range(4):
        event = under_way(olga)
        pairing = match_of(event)
        path = f"/events/{event.slug}/organise/1/{pairing.name}/result/"
        browsers = [Client(), Client()]
        for browser, name in zip(browsers, ("Ann", "Ben"), strict=True):
            browser.force_login(organiser_as(event, "scorer", f"{name} {attempt}"))
        scores = ({"score_0": "500", "score_1": "400"}, {"score_0": "400", "score_1": "500"})
        sent = [{**score, **version, "reason": "As they said."} for score in scores]
        answers = at_once(*(partial(browser.post, path, form) for browser, form in zip(browsers, sent, strict=True)))
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses in ([302, 403], [302, 409]), statuses
        assert Result.objects.filter(pairing=pairing).count() == 1
