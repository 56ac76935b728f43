"""The places that are left to each entry of a knockout at tables of several, while a level is played."""

import random

from hypothesis import given
from hypothesis import strategies as st

from engine.compete.pairing import knockout_pods
from engine.compete.pairing.knockout_pods import Level, advancing_entries
from engine.compete.pairing.pod_places import possible_places
from engine.compete.records import Played
from engine.compete.scoring import by_place
from tests.tries import tries


def seed(entry):
    return entry


def table(entries, scores):
    return Played(tuple(entries), by_place(scores), tuple(scores))


def final_places(level, tables):
    """The most and the least of each entry's place, once the level is complete."""
    through = advancing_entries(tables, level, seed)
    lines = {
        entry: (1 + sum(other > score for other in table.scores), -score)
        for table in tables
        for entry, score in zip(table.entries, table.scores, strict=True)
        if entry not in through
    }
    places = {entry: (1, len(through)) for entry in through}
    for entry, line in lines.items():
        place = len(through) + 1 + sum(other < line for other in lines.values())
        places[entry] = (place, place)
    return places


@st.composite
def played_levels(draw):
    """A level, its tables with results in the order in which they finish."""
    sizes = draw(st.lists(st.integers(3, 6), min_size=2, max_size=6))
    advance = draw(st.integers(1, min(sizes) - 1))
    best_others = draw(st.integers(0, min(len(sizes), sum(sizes) - advance * len(sizes) - 1)))
    chance = random.Random(draw(st.integers(0, 10**6)))
    most = draw(st.sampled_from([2, 5, 1000]))
    order = list(range(1, sum(sizes) + 1))
    chance.shuffle(order)
    entries = iter(order)
    tables = []
    for size in sizes:
        company = [next(entries) for _ in range(size)]
        tables.append(table(company, [chance.randint(0, most) for _ in company]))
    return Level(tuple(sizes), advance, best_others), tables


@tries(150)
@given(played_levels())
def test_ranges_are_right_never_widen_and_are_exact_in_the_end(drawn):
    level, tables = drawn
    final = final_places(level, tables)
    before = None
    for count in range(len(tables) + 1):
        spans = possible_places(level, tables[:count], [table.entries for table in tables[count:]], seed)
        assert set(spans) == set(final)
        for entry, (best, worst) in spans.items():
            assert best <= final[entry][0] <= final[entry][1] <= worst, (entry, spans[entry], final[entry])
            if before is not None:
                assert before[entry][0] <= best <= worst <= before[entry][1]
        before = spans
    assert before == final


def test_before_anybody_has_played_every_place_is_open():
    level = knockout_pods.levels(54, 6, 2)[0]
    tables = [range(first, first + 6) for first in range(1, 55, 6)]
    assert set(possible_places(level, [], tables, seed).values()) == {(1, 54)}


def test_between_two_levels_of_fifty_four():
    """Nine tables of six are in, and nobody is seated again yet: 18 go through, the others have their places."""
    level = knockout_pods.levels(54, 6, 2)[0]
    tables = [table(range(first, first + 6), [600 - at for at in range(6)]) for first in range(1, 55, 6)]
    spans = possible_places(level, tables, [], seed)
    assert [spans[entry] for entry in (1, 2, 49, 50)] == [(1, 18)] * 4
    assert [spans[entry] for entry in (3, 51)] == [(19, 19)] * 2
    assert [spans[entry] for entry in (6, 54)] == [(46, 46)] * 2


def test_who_is_out_of_a_level_that_goes_on_is_behind_all_who_may_go_on():
    level = knockout_pods.levels(54, 6, 2)[0]
    first = table(range(1, 7), [600, 500, 400, 300, 200, 100])
    spans = possible_places(level, [first], [range(at, at + 6) for at in range(7, 55, 6)], seed)
    assert [spans[entry] for entry in range(1, 7)] == [(1, 18), (1, 18), (19, 51), (28, 52), (37, 53), (46, 54)]
    assert spans[7] == (1, 54)


def test_a_place_among_the_best_others_is_open_until_it_is_not():
    """Of three tables of four one goes through, and of the others the best one."""
    level = Level((4, 4, 4), 1, 1)
    strong, weak = table((1, 2, 3, 4), [40, 39, 2, 1]), table((5, 6, 7, 8), [40, 3, 2, 1])
    spans = possible_places(level, [strong, weak], [(9, 10, 11, 12)], seed)
    assert (spans[1], spans[5]) == ((1, 4), (1, 4))
    assert spans[2] == (1, 7)
    assert spans[3][0] > 4
    assert spans[8][0] > 4


def test_those_who_sit_at_no_table_any_more_are_behind_all_who_go_on():
    level = Level((3, 3), 1)
    tables = [table((1, 2, 3), [3, 2, 1]), table((4, 5), [2, 1])]
    spans = possible_places(level, tables, [], seed, out=(6,))
    assert spans[6] == (3, 6)
    assert (spans[1], spans[4]) == ((1, 2), (1, 2))
    assert all(3 <= spans[entry][0] <= spans[entry][1] <= 6 for entry in (2, 3, 5))
