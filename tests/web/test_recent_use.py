"""Use of late is forgotten by halves, makes busy, and calm again."""

import pytest

from web import recent_use
from web.recent_use import RecentUse


@pytest.fixture
def use(clock):
    return RecentUse(busy=1.0, calm=0.5, spare=2.0, clock=clock)


def test_half_is_forgotten_each_half_life(use, clock):
    use.add("ann", 0.8)
    clock.now += recent_use.HALF_LIFE
    assert use.seconds("ann") == pytest.approx(0.4)
    clock.now += recent_use.HALF_LIFE
    assert use.seconds("ann") == pytest.approx(0.2)


def test_who_has_used_much_is_busy_until_little_is_left_of_it(use, clock):
    use.add("ann", 1.1)
    assert use.is_busy("ann")
    clock.now += recent_use.HALF_LIFE
    assert use.is_busy("ann")  # 0.55
    clock.now += recent_use.HALF_LIFE
    assert not use.is_busy("ann")
    use.add("ann", 0.6)
    assert not use.is_busy("ann")  # 0.9


def test_each_user_has_a_count(use):
    use.add("ann", 5)
    assert not use.is_busy("bob")


def test_there_is_time_to_spare_until_those_who_are_not_busy_use_much_together(use, clock):
    use.add("ann", 0.9)
    use.add("bob", 0.9)
    assert use.has_spare()
    use.add("carol", 0.9)
    assert not use.has_spare()
    clock.now += recent_use.HALF_LIFE
    assert use.has_spare()


def test_what_the_busy_use_leaves_time_to_spare(use):
    use.add("ann", 1.5)
    use.add("ann", 5)
    assert use.has_spare()


def test_of_too_many_users_those_who_used_least_are_forgotten(use, monkeypatch):
    monkeypatch.setattr(recent_use, "MOST_KNOWN", 4)
    for number in range(4):
        use.add(number, number)
    use.add("new", 1)
    assert [use.seconds(user) for user in (2, 3, "new")] == [2, 3, 1]
    assert use.seconds(0) == use.seconds(1) == 0
