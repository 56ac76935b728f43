"""Ratings by tables that people made for themselves, and the pages that show them."""

import pytest
from django.core.management import call_command

from accounts import privacy
from gameplay.models import Table
from tournaments.models import RatedGame, Rating, RatingPool, RatingStep
from tournaments.ratings import queries as rating_queries
from tournaments.ratings import services as ratings
from tournaments.ratings.rated_games import family, of_table, ranks_of_table


@pytest.fixture
def finished(seated):
    def make(totals, *, reason="played", winners=(0,), **terms):
        table = seated(is_rated=True, **terms)
        result = {"totals": totals, "winners": list(winners), "reason": reason}
        Table.objects.filter(pk=table.pk).update(status="over", result=result, ended_at=table.started_at)
        return table

    return make


def shown_ratings():
    rows = Rating.objects.of_people().select_related("user")
    return {rating.user.display_name: rating.value for rating in rows}


def test_winners_rise_and_partners_alike(finished):
    ratings.rate(finished([9000, 7000]).pk)
    after = shown_ratings()
    assert after["Ann"] == after["Cem"] > after["Ben"] == after["Dee"]
    assert RatingStep.objects.count() == 6  # four people, two partnerships


def test_partners_are_rated_as_one_player_against_the_other_pair(finished, four):
    ann, ben, cem, dee = four
    ratings.rate(finished([9000, 7000]).pk)
    pairs = {(rating.user, rating.partner): rating for rating in Rating.objects.of_partnerships()}
    assert set(pairs) == {(ann, cem), (ben, dee)}
    winner, loser = pairs[ann, cem], pairs[ben, dee]
    # What the library makes of two newcomers, one against one.
    assert (winner.mu, winner.sigma) == (27.635389493140497, 8.06590141354368)
    assert winner.mu - 25 == pytest.approx(25 - loser.mu, abs=1e-12)
    assert {winner.matches, loser.matches} == {1}


def test_a_match_is_rated_once(finished):
    table = finished([9000, 7000])
    ratings.rate(table.pk)
    before = shown_ratings()
    ratings.rate(table.pk)
    ratings.sweep()
    assert shown_ratings() == before
    assert set(Rating.objects.values_list("matches", flat=True)) == {1}


@pytest.mark.parametrize(
    "change", [{"is_rated": False}, {"status": "playing"}, {"status": "abandoned"}, {"is_arranged": True}]
)
def test_other_tables_are_not_rated(finished, change):
    table = finished([9000, 7000])
    Table.objects.filter(pk=table.pk).update(**change)
    ratings.rate(table.pk)
    assert Rating.objects.count() == 0


def test_a_table_that_counts_no_longer_takes_its_ratings_with_it(finished):
    tables = [finished([9000, 7000]), finished([8000, 8500])]
    ratings.rate(tables[0].pk)
    once = shown_ratings()
    ratings.rate(tables[1].pk)
    Table.objects.filter(pk=tables[1].pk).update(is_rated=False)
    ratings.rate(tables[1].pk)
    assert shown_ratings() == once
    Table.objects.filter(pk=tables[0].pk).update(is_rated=False)
    ratings.rate(tables[0].pk)
    assert Rating.objects.count() == RatingStep.objects.count() == RatedGame.objects.count() == 0


def test_the_sweeper_finds_what_was_lost(finished):
    table = finished([9000, 7000])
    assert ratings.unrated_tables() == [table.pk]
    ratings.sweep()
    assert ratings.unrated_tables() == []
    assert shown_ratings()["Ann"] > 1000


def test_the_sweeper_finishes_what_a_killed_worker_began(finished):
    assert ratings.sync_table(finished([9000, 7000]).pk) == ["standard"] == ratings.dirty_pools()
    assert shown_ratings() == {}
    ratings.sweep()
    assert ratings.dirty_pools() == []
    assert shown_ratings()["Ann"] > 1000


def test_ratings_of_which_no_step_is_kept_are_worked_out_again(finished, four):
    Rating.objects.create(user=four[0], pool="standard", mu=31, sigma=4, matches=7)
    ratings.rate(finished([9000, 7000]).pk)
    assert set(Rating.objects.values_list("matches", flat=True)) == {1}
    assert shown_ratings()["Ann"] == shown_ratings()["Cem"]


def test_a_table_with_nobody_on_one_side_is_looked_at_once_and_moves_nothing(finished):
    table = finished([9000, 7000])
    table.seats.filter(number__in=(1, 3)).update(user=None, bot="club")
    ratings.sweep()
    assert ratings.unrated_tables() == []
    assert RatedGame.objects.get().pool == ""
    assert not Rating.objects.exists()
    assert not RatingPool.objects.exists()


def test_a_side_with_somebody_missing_is_no_partnership(finished):
    table = finished([9000, 7000])
    table.seats.filter(number=3).update(user=None, bot="club")
    ratings.rate(table.pk)
    assert set(shown_ratings()) == {"Ann", "Ben", "Cem"}
    assert not Rating.objects.of_partnerships().exists()


def test_house_rules_belong_to_the_family_they_started_from(finished):
    table = finished([9000, 7000], rules="bain", options={"length": {"target": 5000}})
    ratings.rate(table.pk)
    assert set(Rating.objects.values_list("pool", flat=True)) == {"bain"}


def test_rules_that_started_from_no_published_ones_are_not_rated(finished):
    table = finished([9000, 7000])
    Table.objects.filter(pk=table.pk).update(rules_json=table.rules.write() | {"name": ""})
    table.refresh_from_db()
    assert family(table.rules) == ""
    assert of_table(table).pool == ""
    ratings.rate(table.pk)
    assert not Rating.objects.exists()


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"totals": [10, 30, 20], "winners": [1], "reason": "played"}, (3, 1, 2)),
        ({"totals": [30, 30], "winners": [0, 1], "reason": "played"}, (1, 1)),
        ({"totals": [500, 10], "winners": [1], "reason": "forfeit"}, (2, 1)),
    ],
)
def test_places_follow_totals_or_the_forfeit(result, expected):
    assert ranks_of_table(result, len(expected)) == expected


def test_history_ends_where_each_rating_stands(finished):
    for totals in ([9000, 7000], [100, 200]):
        ratings.rate(finished(totals).pk)
    for rating in Rating.objects.all():
        first, last = rating.steps.all()
        assert (rating.mu, rating.sigma, rating.matches) == (last.mu, last.sigma, last.number)
        assert (last.mu_before, last.sigma_before) == (first.mu, first.sigma)
        assert first.by + last.by == rating.value - 1000


def test_the_command_works_everything_out_again(finished, capsys):
    for totals in ([9000, 7000], [100, 200]):
        ratings.rate(finished(totals).pk)
    before = list(Rating.objects.order_by("user", "partner").values_list("user", "partner", "mu", "sigma", "matches"))
    Rating.objects.filter(partner=None).update(mu=40, matches=9)
    RatingStep.objects.all().delete()
    RatedGame.objects.first().delete()
    call_command("recompute_ratings")
    assert capsys.readouterr().out == "2 matches count for ratings. Every rating was recalculated from them.\n"
    after = Rating.objects.order_by("user", "partner").values_list("user", "partner", "mu", "sigma", "matches")
    assert list(after) == before


def test_former_members_are_not_on_the_ladder(finished, four):
    for _ in range(rating_queries.LISTED_FROM):
        ratings.rate(finished([9000, 7000]).pk)
    assert [rating.names for rating in rating_queries.partnerships("standard")] == ["Ann and Cem", "Ben and Dee"]
    privacy.delete_account(four[0])
    assert [str(rating.user) for rating in rating_queries.ladder("standard")] == ["Cem", "Ben", "Dee"]
    assert [rating.names for rating in rating_queries.partnerships("standard")] == ["Ben and Dee"]


def test_ones_ratings_can_be_taken_away(finished, four):
    ratings.rate(finished([9000, 7000]).pk)
    alone, paired = privacy.export(four[0])["ratings"]
    assert (alone["ruleset"], alone["partner"], alone["matches"]) == ("standard", None, 1)
    assert (paired["ruleset"], paired["partner"], paired["matches"]) == ("standard", "Cem", 1)
    (change,) = alone["changes"]
    assert (change["match"], alone["rating"]) == ("Harbour Four", 1000 + change["by"])
