"""Dates and places of matches, and stopping a match."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Notice
from tests.tournaments import driving
from tournaments.models import Act, Entry, Member, Pairing, Result, Round, Stage
from tournaments.plan import standard
from tournaments.services import history, previews
from tournaments.services.entries import acceptance, withdrawal
from tournaments.services.matches import match_scheduling, results
from tournaments.services.stages import arenas, redraws
from web.errors import Refused, Stale

HOUR = timedelta(hours=1)


def test_a_match_is_postponed_and_its_players_are_told(make, olga, member):
    event = make(4, standard("single_elimination"), time_zone="Europe/Prague")
    match = driving.open_pairings(event)[0]
    user = member(match.places.first().entry, "Ann")
    Pairing.objects.filter(pk=match.pk).update(reminded=2)
    at = timezone.now() + 48 * HOUR
    act = match_scheduling.set_match_times(match.pk, olga, starts_at=at, deadline_at=at + HOUR)
    match.refresh_from_db()
    assert (match.starts_at, match.deadline_at, match.reminded) == (at, at + HOUR, 0)
    assert "Prague" in act.sentence
    assert Notice.objects.get(user=user).title.startswith(f"Harbour Cup: {match}: starts ")
    history.undo(act.pk, by=olga)
    match.refresh_from_db()
    assert (match.starts_at, match.deadline_at) == (None, None)


def test_times_that_are_past_or_in_the_wrong_order_are_refused(make, olga):
    event = make(4, standard("single_elimination"))
    match, now = driving.open_pairings(event)[0], timezone.now()
    with pytest.raises(Refused, match="already passed"):
        match_scheduling.set_match_times(match.pk, olga, starts_at=None, deadline_at=now - HOUR)
    with pytest.raises(Refused, match="after the start"):
        match_scheduling.set_match_times(match.pk, olga, starts_at=now + 2 * HOUR, deadline_at=now + HOUR)
    with pytest.raises(Refused, match="already"):
        match_scheduling.set_match_times(match.pk, olga, starts_at=None, deadline_at=None)
    driving.decide(match, olga)
    with pytest.raises(Refused, match="already has a result"):
        match_scheduling.set_match_times(match.pk, olga, starts_at=None, deadline_at=now + HOUR)


def test_a_round_gets_a_new_deadline_until_it_is_over(make, olga):
    event = make(4, standard("swiss", rounds=2, round_hours=24))
    round_, at = Round.objects.get(), timezone.now() + 72 * HOUR
    act = match_scheduling.set_round_times(round_.pk, olga, starts_at=None, deadline_at=at)
    round_.refresh_from_db()
    assert round_.deadline_at == at
    history.undo(act.pk, by=olga)
    round_.refresh_from_db()
    assert round_.deadline_at < at
    driving.play_round(event, olga)
    with pytest.raises(Refused, match="is over"):
        match_scheduling.set_round_times(round_.pk, olga, starts_at=None, deadline_at=at)


def test_to_play_online_everybody_needs_an_account(make, olga, member):
    event = make(2, standard("single_elimination"), entry_kind="person", side_size=1)
    match = driving.open_pairings(event)[0]
    with pytest.raises(Refused, match="already"):
        match_scheduling.set_online(match.pk, olga, online=False)
    member(match.places.all()[0].entry, "Ann")
    Member.objects.create(entry=match.places.all()[1].entry, tournament=event, name="Wendell")
    with pytest.raises(Refused, match="Without one: Wendell"):
        match_scheduling.set_online(match.pk, olga, online=True)


def test_a_match_that_was_reported_is_stopped_and_played_anew(make, olga, member):
    event = make(4, standard("single_elimination"))
    match = driving.open_pairings(event)[0]
    with pytest.raises(Refused, match="has not started"):
        match_scheduling.cancel_match(match.pk, olga)
    entry = match.places.first().entry
    results.report(match.pk, driving.lines_of(match), by=member(entry, "Ann"))
    match_scheduling.cancel_match(match.pk, olga, reason="The wrong cards were dealt.")
    match.refresh_from_db()
    assert (match.status, match.begun_at) == (Pairing.Status.READY, None)
    assert [result.status for result in Result.objects.all()] == [Result.Status.REPLACED]
    driving.decide(match, olga)
    with pytest.raises(Refused, match="already has a result"):
        match_scheduling.cancel_match(match.pk, olga)


def test_a_challenge_is_called_off_and_its_name_not_given_twice(make, olga):
    event = make(6, standard("ladder", reach=3))
    stage = Stage.objects.get()
    first, second, third, fourth = Entry.objects.filter(tournament=event)[:4]
    arenas.challenge(stage.pk, second.pk, first.pk, by=olga)
    arenas.challenge(stage.pk, fourth.pk, third.pk, by=olga)
    act = match_scheduling.cancel_match(Pairing.objects.get(name="C1").pk, olga)
    assert [pairing.name for pairing in Pairing.objects.all()] == ["C2"]
    arenas.challenge(stage.pk, second.pk, first.pk, by=olga)
    assert sorted(pairing.name for pairing in Pairing.objects.all()) == ["C2", "C3"]
    history.undo(act.pk, by=olga)
    assert sorted(pairing.name for pairing in Pairing.objects.all()) == ["C1", "C2", "C3"]


def test_what_took_a_place_meanwhile_keeps_it(make, olga):
    event = make(4, standard("ladder", reach=3))
    stage = Stage.objects.get()
    first, second = Entry.objects.filter(tournament=event)[:2]
    arenas.challenge(stage.pk, second.pk, first.pk, by=olga)
    act = match_scheduling.cancel_match(Pairing.objects.get(name="C1").pk, olga)
    arenas.challenge(stage.pk, second.pk, first.pk, by=olga)
    with pytest.raises(Refused, match="taken its place"):
        history.undo(act.pk, by=olga)
    assert [pairing.name for pairing in Pairing.objects.all()] == ["C1"]


def test_the_players_are_asked_for_their_result(make, olga, member):
    event = make(4, standard("single_elimination"))
    match = driving.open_pairings(event)[0]
    user = member(match.places.first().entry, "Ann")
    match_scheduling.ask_for_result(match.pk, olga)
    assert Notice.objects.get(user=user).title == "Harbour Cup: the organisers wait for the result of semi-final 1"
    driving.decide(match, olga)
    with pytest.raises(Refused, match="is not waiting for anyone"):
        match_scheduling.ask_for_result(match.pk, olga)


# Entries


def test_somebody_is_let_in_from_the_waiting_list_over_the_limit(make, olga):
    event = make(3, standard("swiss", rounds=2), entry_limit=2)
    type(event).objects.filter(pk=event.pk).update(status="open")
    entry = Entry.objects.get(tournament=event, number=3)
    Entry.objects.filter(pk=entry.pk).update(status=Entry.Status.WAITING)
    act = acceptance.accept(entry.pk, olga)
    entry.refresh_from_db()
    assert entry.status == Entry.Status.ENTERED
    with pytest.raises(Refused, match="already has a place"):
        acceptance.accept(entry.pk, olga)
    acceptance.put_on_list(entry.pk, olga)
    with pytest.raises(Refused, match="has no place"):
        acceptance.put_on_list(entry.pk, olga)
    with pytest.raises(Refused, match="changed again later"):
        history.undo(act.pk, by=olga)


# Results


def test_a_result_that_the_page_did_not_show_makes_it_stale(make, olga):
    event = make(2, standard("single_elimination"))
    match = driving.open_pairings(event)[0]
    driving.decide(match, olga, known=0)
    with pytest.raises(Stale):
        driving.decide(match, olga, known=0, reason="Read wrong.")
    driving.decide(match, olga, known=Result.objects.get().pk, reason="Read wrong.")


def test_a_preview_says_what_an_act_does_and_does_nothing(make, olga):
    event = make(4, standard("swiss", rounds=2))
    entry, before, acts = Entry.objects.get(tournament=event, number=1), driving.outline(event), Act.objects.count()
    sentence, preview = previews.preview_of(event.pk, lambda: withdrawal.withdraw(entry.pk, olga, at_once=True))
    assert sentence == "Entry 1 withdrew at once and loses round 1, table 1 by walkover."
    assert redraws.PreviewLine("falls", "No result is lost.") in preview.lines
    assert (driving.outline(event), Act.objects.count()) == (before, acts)
    with pytest.raises(Refused):
        previews.preview_of(event.pk, lambda: withdrawal.disqualify(entry.pk, olga, reason=""))
    assert driving.outline(event) == before
