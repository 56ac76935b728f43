"""Undo of decisions about matches at online tables, challenges and redrawn rounds."""

from datetime import timedelta

import pytest
from django.utils import timezone

from gameplay.models import Table
from tests.tournaments import driving
from tests.tournaments.reading import ONE_DEAL, fresh, pairings
from tests.tournaments.test_progress import of_entry, without_ids
from tournaments.models import Act, Entry, Pairing, Result, Stage
from tournaments.plan import standard
from tournaments.services import history
from tournaments.services.matches import deadlines, match_scheduling, results
from tournaments.services.stages import arenas, progress
from web.errors import Refused


@pytest.fixture
def played(new_event, olga, driver):
    """An event of pairs online whose first match is over, with its result taken; the event and that match."""
    event = new_event("swiss", 4, kind="partnership", setting="online", rules_json=ONE_DEAL, rounds=1, started=True)
    first = pairings(event)[0]
    driver.until(first.table, lambda table: table.status == Table.Status.OVER)
    assert results.record_table_result(first.table_id)
    progress.advance(event.pk)
    return event, fresh(first)


def status(table):
    return Table.objects.get(pk=table.pk).status


@pytest.mark.parametrize("way", ["take_back", "undo"])
def test_undoing_brings_back_the_table_that_was_played(played, olga, way):
    event, match = played
    before, played_at = driving.outline(event), match.table
    if way == "take_back":
        act = results.remove_result(match.pk, by=olga, reason="The wrong cards were dealt.")
    else:
        act = history.undo(Act.objects.get(kind="result").pk, by=olga)
    reopened = fresh(match)
    opened, new = driving.outline(event), reopened.table
    assert (reopened.status, reopened.done_at) == ("ready", None)
    assert new not in (None, played_at)
    assert status(new) == "playing"

    undone = history.undo(act.pk, by=olga)
    assert fresh(match).table == played_at
    assert (status(played_at), status(new)) == ("over", "abandoned")
    assert driving.outline(event) == before

    history.undo(undone.pk, by=olga)
    assert driving.outline(event) == opened
    assert fresh(match).table not in (None, played_at, new)


def test_it_is_not_undone_once_cards_are_played_anew(played, olga):
    _, match = played
    act = results.remove_result(match.pk, by=olga, reason="The wrong cards were dealt.")
    table = fresh(match).table
    Table.objects.filter(pk=table.pk).update(move_count=1)
    with pytest.raises(Refused, match="is being played again"):
        history.undo(act.pk, by=olga)
    assert fresh(match).table == table
    assert status(table) == "playing"


def test_a_stopped_match_is_not_counted_by_the_table_it_was_stopped_at(played, olga):
    _, match = played
    act = results.remove_result(match.pk, by=olga, reason="The wrong cards were dealt.")
    new = fresh(match).table
    history.undo(act.pk, by=olga)
    assert not results.record_table_result(new.pk)
    assert fresh(match).result.origin == "table"


def test_a_match_that_is_played_after_being_taken_back_is_done_then(make, olga):
    event = make(4, standard("ladder", reach=3))
    first, second = Entry.objects.filter(tournament=event)[:2]
    arenas.challenge(Stage.objects.get().pk, second.pk, first.pk, by=olga)
    match = driving.open_pairings(event)[0]
    driving.decide(match, olga)
    before = fresh(match).done_at
    results.remove_result(match.pk, by=olga, reason="Not played.")
    driving.decide(match, olga)
    assert fresh(match).done_at > before


def test_a_challenge_is_undone_with_its_table(new_event, olga):
    event = new_event("ladder", 4, kind="partnership", setting="online", rules_json=ONE_DEAL, started=True)
    stage = Stage.objects.get()
    first, second = Entry.objects.filter(tournament=event)[:2]
    act = arenas.challenge(stage.pk, second.pk, first.pk, by=olga)
    table = pairings(event)[0].table
    assert status(table) == "playing"
    history.undo(act.pk, by=olga)
    assert (Pairing.objects.count(), status(table)) == (0, "abandoned")

    act = arenas.challenge(stage.pk, second.pk, first.pk, by=olga)
    Table.objects.filter(pk=pairings(event)[0].table_id).update(move_count=1)
    with pytest.raises(Refused, match="has since started"):
        history.undo(act.pk, by=olga)
    match_scheduling.cancel_match(pairings(event)[0].pk, olga)
    assert Pairing.objects.count() == 0


def test_a_challenge_of_somebody_without_an_account_is_undone(make, olga):
    event = make(4, standard("ladder", reach=3), setting="online")
    first, second = Entry.objects.filter(tournament=event)[:2]
    act = arenas.challenge(Stage.objects.get().pk, second.pk, first.pk, by=olga)
    assert not Pairing.objects.get().is_online
    history.undo(act.pk, by=olga)
    assert not Pairing.objects.exists()


def test_rounds_drawn_anew_are_undone_and_that_undone(make, olga):
    event = make(8, standard("swiss", rounds=3))
    driving.play_round(event, olga)
    driving.play_round(event, olga)
    before = without_ids(driving.outline(event))
    first = of_entry(event, "Entry 2")
    turned = driving.lines_of(first, lambda names: list(reversed(driving.better_seed(names))))
    act = results.decide(first.pk, turned, by=olga, reason="Wrong.", pair_again=True)
    driving.play_round(event, olga)
    after = without_ids(driving.outline(event))
    undone = history.undo(act.pk, by=olga)
    assert without_ids(driving.outline(event)) == before
    history.undo(undone.pk, by=olga)
    assert without_ids(driving.outline(event)) == after


def test_tables_of_rounds_that_are_undone_are_stopped(new_event, olga):
    event = new_event("swiss", 4, kind="partnership", setting="online", rules_json=ONE_DEAL, rounds=2, started=True)
    for match in driving.open_pairings(event):
        driving.decide(match, olga)
    second = driving.open_pairings(event)
    driving.decide(second[0], olga)
    first = of_entry(event, "Pair 2")
    turned = driving.lines_of(first, lambda names: list(reversed(driving.better_seed(names))))
    act = results.decide(first.pk, turned, by=olga, reason="Wrong.", pair_again=True)
    anew = {match.table_id for match in driving.open_pairings(event)} - {None}
    history.undo(act.pk, by=olga)
    running_now = set(Table.objects.filter(status=Table.Status.PLAYING).values_list("pk", flat=True))
    assert len(anew) == 2
    assert not anew & running_now
    assert running_now == {match.table_id for match in driving.open_pairings(event)}


@pytest.mark.parametrize("status", ["reported", "disputed"])
def test_undoing_what_an_organiser_decided_leaves_what_the_sides_said(make, olga, member, status):
    event = make(4, standard("single_elimination"))
    match = driving.open_pairings(event)[0]
    first, second = (place.entry for place in match.places.select_related("entry"))
    results.report(match.pk, driving.lines_of(match), by=member(first, "Ann"))
    if status == "disputed":
        turned = driving.lines_of(match, lambda names: list(reversed(driving.better_seed(names))))
        results.report(match.pk, turned, by=member(second, "Ben"))
    until = timezone.now().replace(microsecond=0) + timedelta(days=1)
    Result.objects.filter(status="reported").update(confirms_at=until)
    before = list(Result.objects.order_by("pk").values_list("status", "confirms_at"))
    act = results.confirm(Result.objects.earliest("pk").pk, by=olga)
    assert fresh(match).status == "done"
    history.undo(act.pk, by=olga)
    assert (fresh(match).status, fresh(match).done_at) == (status, None)
    assert list(Result.objects.order_by("pk").values_list("status", "confirms_at")) == before
    assert {place.rank for place in match.places.all()} == {None}


def test_what_silence_confirmed_and_was_undone_waits_for_an_answer(make, olga, member):
    event = make(4, standard("single_elimination"))
    match = driving.open_pairings(event)[0]
    results.report(match.pk, driving.lines_of(match), by=member(match.places.first().entry, "Ann"))
    Result.objects.update(confirms_at=timezone.now() - timedelta(minutes=1))
    deadlines.sweep()
    assert fresh(match).status == "done"
    history.undo(Act.objects.get(kind="silence").pk, by=olga)
    deadlines.sweep()
    assert (fresh(match).status, Result.objects.get().confirms_at) == ("reported", None)


def test_a_match_that_ended_level_is_decided_and_that_undone_and_then_played_again(new_event, olga, driver):
    event = new_event("single_elimination", 4, kind="partnership", setting="online", rules_json=ONE_DEAL, started=True)
    match = driving.open_pairings(event)[0]
    over = {"reason": "played", "totals": [500, 500], "winners": [0, 1]}
    Table.objects.filter(pk=match.table_id).update(status=Table.Status.OVER, result=over)
    assert results.record_table_result(match.table_id)
    assert fresh(match).status == "disputed"
    lines = Result.objects.get().lines
    act = results.decide(match.pk, lines, by=olga, winner=lines[1]["entry"])
    assert fresh(match).status == "done"
    history.undo(act.pk, by=olga)
    assert (fresh(match).status, fresh(match).table) == ("disputed", match.table)
    undone = history.undo(Act.objects.get(kind="result", by=None).pk, by=olga)
    reopened = fresh(match)
    assert (reopened.status, reopened.table == match.table) == ("ready", False)
    deadlines.sweep()
    assert fresh(match).table == reopened.table
    history.undo(undone.pk, by=olga)
    assert (fresh(match).status, fresh(match).table) == ("disputed", match.table)
