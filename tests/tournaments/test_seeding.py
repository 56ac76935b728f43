"""Seeds by rating, lot and hand; entries kept apart."""

import pytest

from accounts.models import User
from tournaments.models import Act, Entry, KeptApart, Rating, Tournament
from tournaments.services import history
from tournaments.services.entries import check_ins, enrolment, withdrawal
from tournaments.services.stages import seeding, stage_entries

pytestmark = pytest.mark.django_db


def seeds(tournament):
    return list(Entry.objects.filter(tournament=tournament).order_by("number").values_list("seed", flat=True))


def rate(name, mu, pool="standard"):
    Rating.objects.create(user=User.objects.get(display_name=name), pool=pool, mu=mu, sigma=1)


def test_the_draw_takes_seeds_then_numbers_of_those_who_take_part(new_event, entry, olga):
    cup = new_event(entries=5)
    seeding.seed_by_hand(cup.pk, olga, order=[entry(cup, 4).pk, entry(cup, 2).pk])
    check_ins.mark_absent(entry(cup, 1).pk, olga)
    assert [entry.name for entry in stage_entries.draw_order(cup)] == ["Player 4", "Player 2", "Player 3", "Player 5"]
    check_ins.put_back(entry(cup, 1).pk, olga)
    withdrawal.withdraw(entry(cup, 4).pk, olga)
    assert [entry.name for entry in stage_entries.draw_order(cup)] == ["Player 2", "Player 1", "Player 3", "Player 5"]


@pytest.mark.parametrize("count", [1, 3])
def test_the_draw_order_takes_one_query(new_event, django_assert_num_queries, count):
    cup = new_event(entries=count)
    with django_assert_num_queries(1):
        assert len(stage_entries.draw_order(cup)) == count


def test_by_rating_the_strongest_is_first_and_newcomers_go_by_number(new_event, olga):
    cup = new_event(entries=4)
    rate("Player 3", 30)
    rate("Player 2", 40)
    rate("Player 1", 60, pool="bain")
    act = seeding.seed_by_rating(cup.pk, olga)
    assert seeds(cup) == [3, 1, 2, 4]
    assert Entry.objects.get(number=2).strength == 1000 + 40 * (40 - 3)
    assert Entry.objects.get(number=1).strength == 1000
    assert act.sentence == "4 entries were seeded by rating."
    history.undo(act.pk, by=olga)
    assert seeds(cup) == [1, 2, 3, 4]
    assert set(Entry.objects.values_list("strength", flat=True)) == {None}


def test_a_pair_is_as_strong_as_its_players_on_average(new_event, olga):
    cup = new_event(entries=2, kind="partnership")
    rate("Player 3", 30)
    rate("Player 4", 20)
    seeding.seed_by_rating(cup.pk, olga)
    assert seeds(cup) == [2, 1]
    assert Entry.objects.get(number=2).strength == 1000 + 40 * ((30 - 3) + (20 - 3)) / 2


def test_a_name_alone_counts_as_a_newcomer(new_event, olga):
    cup = new_event(entries=1)
    enrolment.enter_for(cup.pk, olga, members=["Ada"])
    seeding.seed_by_rating(cup.pk, olga)
    assert list(Entry.objects.values_list("strength", flat=True)) == [1000, 1000]


@pytest.mark.parametrize("count", [2, 6])
def test_strengths_take_two_queries(new_event, django_assert_num_queries, count):
    cup = new_event(entries=count, kind="partnership")
    with django_assert_num_queries(2):
        assert set(seeding.strengths_of(cup).values()) == {1000}


def test_lots_are_the_same_whoever_draws_them_and_depend_on_the_event(new_event, olga):
    cup, other = new_event(entries=20), new_event(entries=20, lots="abcd")
    seeding.seed_by_lot(cup.pk, olga)
    drawn = seeds(cup)
    assert sorted(drawn) == list(range(1, 21))
    assert drawn != list(range(1, 21))
    seeding.seed_by_hand(cup.pk, olga, order=[])
    assert set(seeds(cup)) == {None}
    seeding.seed_by_lot(cup.pk, olga)
    assert seeds(cup) == drawn
    seeding.seed_by_lot(other.pk, olga)
    assert seeds(other) != drawn


def test_one_more_entry_leaves_the_others_lots_in_order(new_event, olga):
    cup = new_event(entries=6)
    seeding.seed_by_lot(cup.pk, olga)
    before = [entry.number for entry in stage_entries.draw_order(cup)]
    enrolment.enter_for(cup.pk, olga, members=["Ada"])
    seeding.seed_by_lot(cup.pk, olga)
    assert [entry.number for entry in stage_entries.draw_order(cup) if entry.number < 7] == before


def test_by_hand_only_entries_of_the_event_each_once(new_event, entry, olga, refuses):
    cup, other = new_event(entries=2), new_event(entries=2)
    for order in ([entry(cup, 1).pk] * 2, [entry(other, 1).pk], [0]):
        with refuses("bad_order"):
            seeding.seed_by_hand(cup.pk, olga, order=order)


@pytest.mark.parametrize("act", [seeding.seed_by_lot, seeding.seed_by_rating])
def test_once_play_has_begun_seeds_stay(new_event, olga, refuses, act):
    cup = new_event(entries=2)
    Tournament.objects.filter(pk=cup.pk).update(status="running")
    with refuses("has_begun"):
        act(cup.pk, olga)


def test_the_same_request_twice_seeds_once(new_event, olga):
    cup = new_event(entries=3)
    seeding.seed_by_lot(cup.pk, olga, request_key="k")
    seeding.seed_by_lot(cup.pk, olga, request_key="k")
    assert Act.objects.count() == 1


def test_keeping_apart_and_not(new_event, entry, olga, refuses):
    cup = new_event(entries=3)
    first, second = entry(cup, 1), entry(cup, 2)
    act = seeding.keep_apart(cup.pk, olga, one=second.pk, other=first.pk)
    seeding.keep_apart(cup.pk, olga, one=first.pk, other=second.pk)
    assert list(KeptApart.objects.values_list("one", "other")) == [(first.pk, second.pk)]
    assert act.sentence == "Player 1 and Player 2 are kept apart."
    undone = history.undo(act.pk, by=olga)
    assert not KeptApart.objects.exists()
    history.undo(undone.pk, by=olga)
    seeding.allow_meeting(cup.pk, olga, one=first.pk, other=second.pk)
    seeding.allow_meeting(cup.pk, olga, one=first.pk, other=second.pk)
    assert not KeptApart.objects.exists()
    with refuses("same_entry"):
        seeding.keep_apart(cup.pk, olga, one=first.pk, other=first.pk)
    with refuses("no_such_entry"):
        seeding.keep_apart(cup.pk, olga, one=first.pk, other=entry(new_event(entries=1), 1).pk)
