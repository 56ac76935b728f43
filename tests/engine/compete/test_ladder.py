"""Ladders: legal challenges, and the order afterwards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.ladder import after_inactivity, after_match, why_not
from engine.compete.records import CannotPair
from tests.tries import tries

some = tries(60)

ORDER = (7, 3, 5, 1, 9, 2)


@pytest.mark.parametrize(
    ("challenger", "challenged", "busy", "sentence"),
    [
        (1, 5, (), None),
        (1, 3, (7, 9), None),
        (1, 7, (), "They are 3 places above you. A challenge can reach at most 2 places."),
        (1, 9, (), "They are below you. You can only challenge entries above you."),
        (1, 1, (), "Nobody can challenge themselves."),
        (4, 1, (), "You are not on this ladder."),
        (1, 4, (), "They are not on this ladder."),
        (1, 5, (1,), "You have a challenge or a match that is still open."),
        (1, 5, (5,), "They have a challenge or a match that is still open."),
    ],
)
def test_who_may_be_challenged(challenger, challenged, busy, sentence):
    assert why_not(ORDER, challenger, challenged, reach=2, busy=busy) == sentence


def test_a_reach_of_one_is_said_in_the_singular():
    assert why_not(ORDER, 2, 1, reach=1) == ("They are 2 places above you. A challenge can reach at most 1 place.")


def test_a_challenger_who_wins_takes_the_place_and_those_between_slide_down():
    assert after_match(ORDER, 9, 3, 9) == (7, 9, 3, 5, 1, 2)
    assert after_match(ORDER, 3, 7, 3) == (3, 7, 5, 1, 9, 2)


def test_a_challenger_who_loses_changes_nothing():
    assert after_match(ORDER, 9, 3, 3) == ORDER


def test_a_challenger_who_stands_above_by_now_keeps_the_better_place():
    assert after_match(ORDER, 3, 9, 3) == ORDER


@given(st.permutations(range(1, 9)), st.data())
@some
def test_a_match_moves_nobody_but_those_from_the_one_to_the_other(order, data):
    low, high = data.draw(st.lists(st.sampled_from(order), min_size=2, max_size=2, unique=True))
    after = after_match(order, low, high, low)
    assert sorted(after) == sorted(order)
    assert after.index(low) <= after.index(high)
    top, bottom = sorted((order.index(low), order.index(high)))
    assert after[:top] == tuple(order[:top])
    assert after[bottom + 1 :] == tuple(order[bottom + 1 :])


@pytest.mark.parametrize(
    ("idle", "drop", "after"),
    [
        ((), 1, ORDER),
        ((3,), 1, (7, 5, 3, 1, 9, 2)),
        ((3,), 3, (7, 5, 1, 9, 3, 2)),
        ((3, 5), 1, (7, 1, 3, 5, 9, 2)),
        ((7, 5), 1, (3, 7, 1, 5, 9, 2)),
        ((2,), 1, ORDER),
        ((9, 2), 4, ORDER),
        (ORDER, 2, ORDER),
        ((3,), 0, ORDER),
    ],
)
def test_the_idle_slide_past_the_active(idle, drop, after):
    assert after_inactivity(ORDER, idle, drop=drop) == after


@given(st.permutations(range(1, 9)), st.sets(st.integers(1, 8)), st.integers(0, 4))
@some
def test_active_and_idle_keep_their_order_and_each_idle_one_is_passed_by_so_many(order, idle, drop):
    after = after_inactivity(order, idle, drop=drop)
    active = [entry for entry in order if entry not in idle]
    assert [entry for entry in after if entry not in idle] == active
    assert [entry for entry in after if entry in idle] == [entry for entry in order if entry in idle]
    for entry in idle:
        before = [other for other in order[: order.index(entry)] if other not in idle]
        now = [other for other in after[: after.index(entry)] if other not in idle]
        assert len(now) == min(len(before) + drop, len(active))


@pytest.mark.parametrize(
    ("impossible", "sentence"),
    [
        (lambda: after_match(ORDER, 9, 3, 7), "The winner of a ladder match must be one of its two entries."),
        (lambda: after_match(ORDER, 9, 4, 9), "A ladder match is between two different entries of the ladder."),
        (lambda: after_match(ORDER, 9, 9, 9), "A ladder match is between two different entries of the ladder."),
        (lambda: after_inactivity(ORDER, (3,), drop=-1), "An idle entry slides down the ladder, not up."),
        (lambda: after_inactivity((1, 2, 1), ()), "Nobody can be on a ladder twice."),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(impossible, sentence):
    with pytest.raises(CannotPair) as refusal:
        impossible()
    assert refusal.value.sentence == sentence
