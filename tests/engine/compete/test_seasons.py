import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.seasons import move
from engine.errors import BadInput
from tests.tries import tries

NUMBERS = "Promotion and relegation need a number of 0 or more for each two neighbouring divisions: 1 in all."


def test_the_top_and_the_bottom_change_places():
    assert move([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], 1, 1) == ((1, 2, 3, 5), (4, 6, 7, 9), (8, 10, 11, 12))


def test_each_border_has_its_own_numbers():
    assert move([[1, 2, 3], [4, 5, 6, 7], [8, 9, 10]], [1, 2], [1, 2]) == ((1, 2, 4), (3, 5, 8, 9), (6, 7, 10))


def test_nobody_goes_up_and_down_where_a_division_is_small():
    moved = move([[1, 2, 3], [4, 5], [6, 7, 8]], 2, 2, least=1)
    assert moved == ((1, 4, 5), (2, 3, 6, 7), (8,))


def test_wanted_sizes_after_some_have_left():
    divisions = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
    # One place is kept by the best of those to be relegated; then the next best come up from below.
    assert move(divisions, 1, 1, sizes=[4, 4], leaving={1}) == ((2, 3, 4, 5), (6, 7, 8, 9), (10, 11, 12))
    assert move(divisions, 1, 1, sizes=[4, 4], leaving={1, 2, 3}) == ((4, 5, 6, 7), (8, 9, 10, 11, 12))
    assert move(divisions, 0, 0, sizes=[3, 4]) == ((1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11, 12))


def test_those_who_join_begin_at_the_bottom():
    assert move([[1, 2], [3, 4]], 1, 1, joining=[9, 8]) == ((1, 3), (2, 4, 9, 8))


def test_a_small_bottom_division_is_merged():
    assert move([[1, 2, 3], [4, 5, 6], [7]], 1, 1, least=3) == ((1, 2, 4), (3, 5, 7, 6))


def test_a_small_bottom_division_is_filled():
    assert move([[1, 2, 3], [4, 5, 6, 10], [7]], 1, 1, least=3, undersized="fill") == ((1, 2, 4), (3, 7), (5, 6, 10))


def test_one_division_stays():
    assert move([[3, 1, 2]], 2, 2, least=5) == ((3, 1, 2),)
    assert move([], 1, 1) == ()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"divisions": [[1, 2], [2, 3]]}, "An entry cannot be in two divisions, or twice in one."),
        ({"joining": [1]}, "An entry cannot be in two divisions, or twice in one."),
        ({"up": [1, 1]}, NUMBERS),
        ({"down": -1}, NUMBERS),
        ({"sizes": [2, 2]}, "Each of the 2 divisions needs a wanted size, except the bottom one: 1 in all."),
    ],
)
def test_what_does_not_fit(changes, sentence):
    options = {"divisions": [[1, 2], [3, 4]], "up": 1, "down": 1, **changes}
    with pytest.raises(BadInput) as refused:
        move(options.pop("divisions"), options.pop("up"), options.pop("down"), **options)
    assert refused.value.sentence == sentence


@st.composite
def leagues(draw):
    sizes = draw(st.lists(st.integers(0, 7), min_size=1, max_size=5))
    numbers = iter(draw(st.permutations(range(1, sum(sizes) + 1))))
    return [[next(numbers) for _ in range(size)] for size in sizes]


@tries(60)
@given(leagues(), st.data())
def test_nobody_is_lost_and_nobody_moves_by_two(divisions, data):
    borders = len(divisions) - 1
    everyone = [entry for division in divisions for entry in division]
    leaving = data.draw(st.sets(st.sampled_from(everyone)) if everyone else st.just(set()))
    joining = data.draw(st.sampled_from([[], [101], [101, 102, 103]]))
    options = {
        "sizes": data.draw(st.none() | st.lists(st.integers(0, 8), min_size=borders, max_size=borders)),
        "undersized": data.draw(st.sampled_from(["merge", "fill"])),
        "least": data.draw(st.integers(0, 4)),
    }
    up, down = data.draw(st.tuples(st.integers(0, 3), st.integers(0, 3)))
    moved = move(divisions, up, down, leaving=leaving, joining=joining, **options)
    assert moved == move(divisions, up, down, leaving=leaving, joining=joining, **options)
    assert sorted(entry for division in moved for entry in division) == sorted({*everyone, *joining} - leaving)
    was = {entry: number for number, division in enumerate(divisions) for entry in division}
    merged = len(divisions) - len(moved)
    for number, division in enumerate(moved):
        for entry in division:
            if entry in was:
                assert number - was[entry] <= 1
                assert was[entry] - number <= 1 + (merged if number == len(moved) - 1 else 0)
            else:
                assert number == len(moved) - 1


@tries(40)
@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_sizes_are_kept_where_as_many_go_up_as_down(count, number, data):
    divisions = [[10 * division + place for place in range(2 * number)] for division in range(count)]
    moved = move(divisions, number, number)
    assert [len(division) for division in moved] == [2 * number] * count
    twice = move(moved, number, number)
    assert sorted(entry for division in twice for entry in division) == sorted(
        entry for division in divisions for entry in division
    )
