"""Corrections in any order: the ratings are those of a fresh calculation from the same games."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from engine.play.rules import Rules
from gameplay.models import Seat, Table
from tournaments.models import RatedGame, Rating, RatingPool, RatingStep
from tournaments.ratings import services as ratings
from tournaments.ratings.rating_model import Standing, rate

START = datetime(2026, 3, 1, 18, tzinfo=UTC)
RULES = [Rules.make(name).write() for name in ("standard", "bain")]
PEOPLE = 6

result = st.fixed_dictionaries(
    {
        "totals": st.lists(st.integers(-3, 3), min_size=2, max_size=2),
        "hours": st.integers(0, 4),
        "rules": st.sampled_from([0, 0, 0, 1]),
        "counts": st.sampled_from([True, True, True, False]),
        "people": st.permutations(range(PEOPLE)),
    }
)
games = st.lists(result, min_size=3, max_size=5)
corrections = st.lists(st.tuples(st.integers(0, 5), result, st.booleans()), min_size=1, max_size=3)


def put(number, people, game):
    """Make a table, or correct it; its id."""
    totals = game["totals"]
    table, _ = Table.objects.update_or_create(
        name=f"Table {number}",
        defaults={
            "rules_json": RULES[game["rules"]],
            "seat_count": 4,
            "team_size": 2,
            "is_rated": game["counts"],
            "status": Table.Status.OVER,
            "ended_at": START + timedelta(hours=game["hours"]),
            "result": {"totals": totals, "winners": [], "reason": "played"},
        },
    )
    table.seats.all().delete()
    seated = [people[at] for at in game["people"][:4]]
    Seat.objects.bulk_create(Seat(table=table, number=number, user=user) for number, user in enumerate(seated))
    return table.pk


def exact_ratings():
    """Every rating and step with its floats to the last bit."""
    return {
        (rating.pool, rating.user_id, rating.partner_id): [
            (rating.mu.hex(), rating.sigma.hex(), rating.matches),
            *(
                (step.number, step.mu_before.hex(), step.sigma_before.hex(), step.mu.hex(), step.sigma.hex())
                for step in rating.steps.all()
            ),
        ]
        for rating in Rating.objects.prefetch_related("steps")
    }


def forget():
    for model in (RatingStep, Rating, RatedGame, RatingPool):
        model.objects.all().delete()


@pytest.fixture
def people(person):
    return [person(f"Person {number}") for number in range(PEOPLE)]


@pytest.mark.slow
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(games=games, corrections=corrections)
def test_corrected_step_by_step_is_as_worked_out_at_once(people, games, corrections):
    forget()
    Table.objects.all().delete()
    for number, game in enumerate(games):
        ratings.rate(put(number, people, game))
    for number, game, at_once in corrections:
        pk = put(number % len(games), people, game)
        if at_once:
            ratings.rate(pk)
        else:
            ratings.sync_table(pk)  # the worker was killed before it rated
    ratings.sweep()
    for pk in Table.objects.values_list("pk", flat=True):
        ratings.sync_table(pk)
    ratings.sweep()
    step_by_step = exact_ratings()
    assert ratings.dirty_pools() == []
    forget()
    ratings.rebuild()
    assert exact_ratings() == step_by_step
    assert not Rating.objects.filter(is_stale=True).exists()
    assert_follows_from_the_log()


def assert_follows_from_the_log():
    """The same once more by plain arithmetic on the log, with nothing stored in between."""
    now = {}
    for game in sorted(RatedGame.objects.exclude(pool=""), key=lambda game: (game.ended_at, game.kind, game.source)):
        standings = now.setdefault(game.pool, {})
        standings |= rate(game.sides, game.side_size, game.ranks, standings)
    stored = {
        (rating.pool, (rating.user_id, rating.partner_id) if rating.partner_id else (rating.user_id,)): Standing(
            rating.mu, rating.sigma, rating.matches
        )
        for rating in Rating.objects.all()
    }
    assert stored == {(pool, key): standing for pool, standings in now.items() for key, standing in standings.items()}


@pytest.mark.parametrize(
    ("number", "change"), [(0, {"hours": 9}), (3, {"hours": 0}), (1, {"rules": 1}), (1, {"counts": False})]
)
def test_what_lay_between_is_rated_again_when_a_game_moves(people, number, change):
    tables = [
        {"totals": [at, 1], "hours": 2 * at + 1, "rules": 0, "counts": True, "people": [5, at % 2, 2, 3]}
        for at in range(4)
    ]
    for at, game in enumerate(tables):
        ratings.rate(put(at, people, game))
    before = exact_ratings()
    ratings.rate(put(number, people, tables[number] | change))
    after = exact_ratings()
    assert after != before
    forget()
    ratings.rebuild()
    assert exact_ratings() == after


def test_many_people_at_once_are_read_by_pool(people, monkeypatch):
    for number in range(3):
        game = {"totals": [number, 1], "hours": number, "rules": 0, "counts": True, "people": range(PEOPLE)}
        ratings.rate(put(number, people, game))
    before = exact_ratings()
    monkeypatch.setattr("tournaments.ratings.services.FEW", 1)
    ratings.rebuild()
    assert exact_ratings() == before


def test_a_game_moves_nothing_that_was_before_it(people, django_assert_max_num_queries):
    for number in range(3):
        game = {"totals": [2, 1], "hours": number, "rules": 0, "counts": True, "people": range(PEOPLE)}
        ratings.rate(put(number, people, game))
    earlier = set(
        RatingStep.objects.filter(game__source__in=Table.objects.order_by("pk")[:2]).values_list("pk", flat=True)
    )
    last = put(2, people, game | {"totals": [1, 2]})
    with django_assert_max_num_queries(45):
        ratings.rate(last)
    assert earlier <= set(RatingStep.objects.values_list("pk", flat=True))
    assert User.objects.count() == PEOPLE
