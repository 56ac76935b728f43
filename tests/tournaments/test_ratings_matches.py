"""Ratings by the results of events: rated matches, their players, and exact updates after a correction or an undo."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from gameplay.models import Move, Table
from tests.at_once import at_once
from tests.tournaments import driving
from tests.tournaments.reading import pairings
from tournaments import receivers, tasks
from tournaments.models import Member, RatedGame, RatedTournament, Rating, RatingPool, RatingStep, Result, Tournament
from tournaments.ratings import services as ratings
from tournaments.ratings.rated_games import fielded_then
from tournaments.services import history
from tournaments.services.entries import substitutes
from tournaments.services.matches import results

pytest_plugins = ["tests.tournaments.online"]
pytestmark = pytest.mark.django_db


def histories():
    """Every rating with its whole history, by names."""
    return {
        rating.names: (
            *(rating.pool, rating.mu, rating.sigma, rating.matches),
            *((step.mu, step.sigma, step.number) for step in rating.steps.all()),
        )
        for rating in Rating.objects.select_related("user", "partner")
    }


def from_scratch():
    for model in (RatingStep, Rating, RatedGame, RatingPool, RatedTournament):
        model.objects.all().delete()
    ratings.rebuild()
    return histories()


def score_of(pairing, *scores):
    places = pairing.places.order_by("number")
    return [{"entry": place.entry_id, "score": score} for place, score in zip(places, scores, strict=True)]


@pytest.fixture
def cup(new_event):
    """Four pairs in a round robin at real tables."""
    return new_event("round_robin", 4, kind="partnership", started=True, all_at_once=True)


def rated(cup):
    ratings.rate_tournament(cup.pk)
    return histories()


def test_confirmed_results_of_real_tables_rate_people_and_partnerships(cup, olga):
    first = driving.open_pairings(cup)[0]
    results.decide(first.pk, score_of(first, 5000, 4000), by=olga)
    rated_people = rated(cup)
    game = RatedGame.objects.get()
    assert (game.kind, game.source, game.pool, game.side_size, game.ranks) == ("match", first.pk, "standard", 2, [1, 2])
    assert len(rated_people) == 6
    winner, loser = [place.entry for place in first.places.order_by("number")]
    assert [list(side) for side in game.sides] == [
        list(entry.members.order_by("position").values_list("user", flat=True)) for entry in (winner, loser)
    ]


def test_what_is_only_reported_moves_nothing(cup, user_of):
    first = driving.open_pairings(cup)[0]
    reporter, opponent = [place.entry for place in first.places.order_by("number")]
    results.report(first.pk, score_of(first, 5000, 4000), by=user_of(reporter))
    assert rated(cup) == {}
    results.report(first.pk, score_of(first, 5000, 4000), by=user_of(opponent))
    assert len(rated(cup)) == 6


def test_an_event_that_is_not_rated_moves_nothing_and_one_that_no_longer_is_takes_it_back(cup, olga):
    driving.play_round(cup, olga)
    assert RatedGame.objects.count() == 0
    assert len(rated(cup)) > 6
    Tournament.objects.filter(pk=cup.pk).update(is_rated=False)
    assert rated(cup) == {}
    assert not RatedGame.objects.exists()


def test_walkovers_never_count(cup, olga):
    first, second = driving.open_pairings(cup)[:2]
    results.walkover(first.pk, [first.places.first().entry_id], by=olga)
    lines = score_of(second, 5000, 4000)
    results.decide(second.pk, [lines[0], lines[1] | {"score": None, "forfeit": True}], by=olga)
    assert rated(cup) == {}


def test_people_without_accounts_are_not_rated_nor_is_who_plays_them(cup, olga):
    first = driving.open_pairings(cup)[0]
    Member.objects.filter(pk=first.places.first().entry.members.first().pk).update(user=None)
    results.decide(first.pk, score_of(first, 5000, 4000), by=olga)
    assert rated(cup) == {}


def test_a_level_match_counts_as_the_organiser_decided_it(new_event, olga):
    knockout = new_event("single_elimination", 2, started=True)
    (final,) = driving.open_pairings(knockout)
    second = final.places.last().entry_id
    results.decide(final.pk, score_of(final, 4000, 4000), by=olga, winner=second)
    rated(knockout)
    assert RatedGame.objects.get().ranks == [2, 1]


def test_tables_of_many_are_rated_by_place(new_event, olga):
    pods = new_event("swiss_pods", 4, seats=4, started=True)
    (pod,) = driving.open_pairings(pods)
    results.decide(pod.pk, score_of(pod, 100, 400, 300, 300), by=olga)
    rated(pods)
    game = RatedGame.objects.get()
    assert (game.ranks, game.side_size, len(game.sides)) == ([4, 1, 2, 2], 1, 4)
    assert not Rating.objects.of_partnerships().exists()


def test_partners_of_one_match_are_a_partnership(new_event, olga):
    evening = new_event("rotating_partners", 4, seats=4, started=True)
    pairing = driving.open_pairings(evening)[0]
    driving.decide(pairing, olga)
    rated(evening)
    assert Rating.objects.of_partnerships().count() == 2
    assert Rating.objects.of_people().count() == 4


# Corrections


def test_a_correction_is_followed_as_if_it_had_been_so_from_the_start(cup, olga):
    driving.play_out(cup, olga)
    straight = rated(cup)
    game = RatedGame.objects.first()
    pairing = next(match for match in pairings(cup) if match.pk == game.source)
    results.decide(pairing.pk, score_of(pairing, 10, 9000), by=olga, reason="Turned round")
    corrected = rated(cup)
    assert corrected != straight
    assert RatedGame.objects.first().source == game.source  # it did not move to the end
    assert corrected == from_scratch()


def test_undoing_a_correction_undoes_what_it_did_to_the_ratings(cup, olga):
    driving.play_out(cup, olga)
    straight = rated(cup)
    pairing = next(match for match in pairings(cup) if match.pk == RatedGame.objects.first().source)
    act = results.decide(pairing.pk, score_of(pairing, 10, 9000), by=olga, reason="Turned round")
    assert rated(cup) != straight
    history.undo(act.pk, by=olga, reason="It was right")
    assert rated(cup) == straight == from_scratch()


def test_undoing_a_result_undoes_the_ratings(cup, olga):
    first, second = driving.open_pairings(cup)[:2]
    driving.decide(first, olga)
    before = rated(cup)
    act = driving.decide(second, olga)
    assert rated(cup) != before
    history.undo(act.pk, by=olga)
    assert rated(cup) == before == from_scratch()


def test_a_result_that_is_taken_back_moves_nothing_and_undoing_that_brings_it_back(cup, olga):
    first, second = driving.open_pairings(cup)[:2]
    driving.decide(first, olga)
    driving.decide(second, olga)
    both = rated(cup)
    act = results.remove_result(first.pk, by=olga, reason="Wrong table")
    assert rated(cup) != both
    assert RatedGame.objects.get().source == second.pk
    history.undo(act.pk, by=olga)
    assert rated(cup) == both == from_scratch()


def test_who_played_then_counts_whoever_plays_now(new_event, olga, person):
    cup = new_event("round_robin", 4, kind="team", started=True, all_at_once=True)
    first = driving.open_pairings(cup)[0]
    driving.decide(first, olga)
    before = rated(cup)
    leaver = first.places.first().entry.members.order_by("position").first()
    substitutes.replace_member(leaver.pk, olga, person=person("Nora"))
    Member.objects.filter(user__display_name="Nora").update(answer=Member.Answer.ACCEPTED)
    assert rated(cup) == before == from_scratch()
    second = next(
        pair for pair in driving.open_pairings(cup) if pair.places.filter(entry=leaver.entry).exists() and pair != first
    )
    driving.decide(second, olga)
    assert rated(cup)["Nora"][3] == 1
    assert rated(cup)[str(leaver.user)][3] == 1
    assert histories() == from_scratch()


def test_who_played_looks_back_through_several_replacements():
    now = timezone.now()

    def member(pk, position, hours=None, **fields):
        left_at = None if hours is None else now + timedelta(hours=hours)
        return Member(pk=pk, position=position, left_at=left_at, **fields)

    first, second, third, partner = member(4, 0, 1), member(1, 0, 2), member(3, 0), member(2, 1)
    reserve = member(5, 2, role=Member.Role.RESERVE)
    invited = member(6, 1, answer=Member.Answer.INVITED)
    everybody = [third, partner, second, first, reserve, invited]

    def at(hours, names=()):
        return fielded_then(everybody, names, 2, now + timedelta(hours=hours))

    assert at(0) == [first, partner]
    assert at(1.5) == [second, partner]
    assert at(3) == [third, partner]
    assert at(0, [5, 2]) == [reserve, partner]
    assert at(3, [4, 2]) == [third, partner]


# Online


def finish(table, **result):
    Table.objects.filter(pk=table.pk).update(
        status=Table.Status.OVER, result=result, ended_at=timezone.now(), seat_to_act=None
    )
    results.record_table_result(table.pk)
    tasks.rate(table.pk)


def test_an_online_match_counts_once_and_as_corrected(online, olga):
    event = online()
    pairing = pairings(event)[0]
    finish(pairing.table, totals=[900, 700], winners=[0], reason="played")
    rated(event)
    ratings.sweep()
    game = RatedGame.objects.get()
    assert (game.kind, game.source, game.ranks) == ("match", pairing.pk, [1, 2])
    assert set(Rating.objects.values_list("matches", flat=True)) == {1}
    results.decide(pairing.pk, score_of(pairing, 700, 900), by=olga, reason="A deal was counted twice")
    rated(event)
    assert RatedGame.objects.get().ranks == [2, 1]
    assert histories() == from_scratch()


@pytest.mark.parametrize("has_moved", [True, False])
def test_giving_up_a_match_counts_but_not_coming_does_not(online, has_moved):
    event = online()
    pairing = pairings(event)[0]
    table = pairing.table
    table.happenings.create(at=timezone.now(), kind="forfeited", seat=1, sentence="Time ran out.")
    for number, seat in enumerate((0, 1) if has_moved else (0,), 101):
        Move.objects.create(table=table, number=number, deal=1, seat=seat, text="draw", at=timezone.now())
    finish(table, totals=[50, 900], winners=[0], reason="forfeit")
    rated(event)
    assert [game.ranks for game in RatedGame.objects.all()] == ([[1, 2]] if has_moved else [])


# Tasks


def test_an_act_queues_the_rating_after_commit(cup, olga, monkeypatch, django_capture_on_commit_callbacks):
    woken = []
    monkeypatch.setattr(tasks.rate_tournament, "delay", woken.append)
    with django_capture_on_commit_callbacks(execute=True):
        driving.decide(driving.open_pairings(cup)[0], olga)
    assert woken == [cup.pk]


def test_a_broker_that_is_away_loses_nothing(cup, olga, monkeypatch):
    monkeypatch.setattr(tasks.rate_tournament, "delay", lambda _: 1 / 0)
    receivers.wake_ratings(tournament_id=cup.pk)
    driving.decide(driving.open_pairings(cup)[0], olga)
    assert ratings.outdated_tournaments() == [cup.pk]
    tasks.sweep_ratings()
    assert ratings.outdated_tournaments() == []
    assert len(histories()) == 6
    driving.decide(driving.open_pairings(cup)[0], olga)
    assert ratings.outdated_tournaments() == [cup.pk]


def test_an_event_that_is_not_begun_is_not_looked_at(new_event):
    new_event("swiss", 4)
    assert ratings.outdated_tournaments() == []


def test_games_of_an_event_that_is_gone_go_with_it(cup, olga):
    driving.play_round(cup, olga)
    assert rated(cup)
    Result.objects.all().delete()
    Tournament.objects.filter(pk=cup.pk).delete()
    ratings.sweep()
    assert histories() == {}


def test_looking_takes_no_more_queries_for_more_matches(new_event, olga):
    counts = []
    for entries in (4, 6):
        cup = new_event("round_robin", entries, kind="partnership", started=True, all_at_once=True)
        driving.play_round(cup, olga)
        ratings.rate_tournament(cup.pk)
        with CaptureQueriesContext(connection) as context:
            ratings.rate_tournament(cup.pk)
        counts.append(len(context))
    assert counts[0] == counts[1]


@pytest.mark.django_db(transaction=True)
def test_twice_and_ten_times_at_once_is_as_once(cup, olga):
    driving.play_round(cup, olga)
    start = [tasks.rate_tournament] * 8 + [lambda _: tasks.sweep_ratings()] * 2
    outcomes = at_once(*[lambda task=task: task(cup.pk) for task in start])
    assert outcomes == [None] * 10
    after = histories()
    assert ratings.dirty_pools() == []
    assert after == from_scratch()
