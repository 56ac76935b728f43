"""Which slow tests are run when."""

import pytest

from tests.rota import ALL, DAYS, left_for_others


@pytest.mark.parametrize("count", [0, 1, 13, 14, 15, 800])
def test_each_slow_test_has_one_day_of_the_fortnight(count):
    slow = [f"test {number}" for number in range(count)]
    todays = [[one for one in slow if one not in left_for_others(slow, day)] for day in range(DAYS)]
    assert sorted(one for some in todays for one in some) == sorted(slow)
    assert max(map(len, todays)) - min(map(len, todays)) <= 1


def test_none_is_left_where_all_are_wanted():
    assert left_for_others(["one", "two"], ALL) == []
