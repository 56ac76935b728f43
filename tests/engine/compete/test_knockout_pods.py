import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.pairing.knockout_pods import Level, advancing_entries, draw, levels
from engine.compete.records import CannotPair, Played
from engine.errors import BadInput
from tests.tries import tries


def played(*entries, points=None, scores=()):
    """A table in the order in which it finished, with a point for everyone left behind, unless given."""
    points = range(len(entries) - 1, -1, -1) if points is None else points
    return Played(entries, tuple(map(Fraction, points)), scores)


def conflicts(tables, apart):
    return sum(len(pair & set(table)) == 2 for pair in apart for table in tables)


class TestLevels:
    def test_fifty_four_at_nine_tables(self):
        assert levels(54, 6, 2) == (Level((6,) * 9, 2), Level((6,) * 3, 2), Level((6,), 1))
        assert [level.entries for level in levels(54, 6, 2)] == [54, 18, 6]
        assert [level.through for level in levels(54, 6, 2)] == [18, 6, 1]

    def test_best_others_fill_whole_tables(self):
        assert levels(42, 6, 2) == (Level((6,) * 7, 2, 4), Level((6,) * 3, 2), Level((6,), 1))
        assert levels(20, 4, 1) == (Level((4,) * 5, 1, 3), Level((4, 4), 1, 2), Level((4,), 1))

    def test_at_a_smaller_table_all_but_one_advance(self):
        assert levels(11, 4, 3) == (Level((4, 4, 3), 2, 2), Level((4, 4), 3), Level((3, 3), 2), Level((4,), 1))

    def test_one_table_is_the_final(self):
        assert levels(7, 6, 2) == (Level((7,), 1),)

    @pytest.mark.parametrize(
        ("entries", "seats", "advance", "sentence"),
        [
            (54, 6, 6, "From a table of 6, 6 cannot go through, only 1 to 5."),
            (54, 6, 0, "From a table of 6, 0 cannot go through, only 1 to 5."),
            (2, 4, 1, "2 entries cannot be seated at tables of 3 to 7."),
            (40, 8, 1, "Tables of 8 are not among those from 3 to 7 seats."),
        ],
    )
    def test_what_cannot_be(self, entries, seats, advance, sentence):
        with pytest.raises(BadInput) as refused:
            levels(entries, seats, advance)
        assert refused.value.sentence == sentence

    def test_tables_of_one_size_only(self):
        assert levels(16, 4, 2, least=4, most=4) == (Level((4,) * 4, 2), Level((4, 4), 2), Level((4,), 1))
        with pytest.raises(CannotPair, match="After 8 entries at 2 tables, no smaller round can be seated"):
            levels(8, 4, 3, least=4, most=4)

    @tries(60)
    @given(st.integers(3, 200), st.integers(3, 7), st.data())
    def test_each_level_feeds_the_next_down_to_a_champion(self, entries, seats, data):
        plan = levels(entries, seats, data.draw(st.integers(1, seats - 1)))
        assert plan[0].entries == entries
        assert [level.through for level in plan[:-1]] == [level.entries for level in plan[1:]]
        assert all(later.entries < level.entries for level, later in itertools.pairwise(plan))
        assert all(3 <= size <= 7 for level in plan for size in level.sizes)
        assert all(1 <= level.advance < min(level.sizes) and level.best_others >= 0 for level in plan)
        assert (len(plan[-1].sizes), plan[-1].through) == (1, 1)


class TestDraw:
    def test_a_snake(self):
        assert draw(range(1, 10), (3, 3, 3)).tables == ((1, 6, 7), (2, 5, 8), (3, 4, 9))
        assert draw(range(1, 8), (4, 3)).tables == ((1, 4, 5, 7), (2, 3, 6))

    def test_table_mates_are_kept_apart_by_those_as_strong(self):
        drawn = draw(range(1, 10), (3, 3, 3), apart=[frozenset({1, 6}), frozenset({2, 5})])
        assert drawn.tables == ((1, 5, 7), (2, 6, 8), (3, 4, 9))

    def test_where_it_cannot_be_they_meet(self):
        assert draw([3, 1, 2], (3,), apart=[frozenset({1, 2, 3})]).tables == ((3, 1, 2),)

    def test_after_nine_tables_of_six_no_two_meet_again(self):
        first = draw(range(1, 55), (6,) * 9)
        apart = {frozenset(table) for table in first.tables}
        through = [table[0] for table in first.tables] + [table[1] for table in first.tables]
        second = draw(through, (6,) * 3, apart=apart)
        assert all(len(mates & set(table)) <= 1 for mates in apart for table in second.tables)
        assert all(sum(entry in through[:9] for entry in table) == 3 for table in second.tables)

    @tries(40)
    @given(st.lists(st.integers(3, 7), min_size=1, max_size=6), st.data())
    def test_everybody_sits_once_and_mates_no_more_often_than_without_care(self, sizes, data):
        order = data.draw(st.permutations(range(1, sum(sizes) + 1)))
        pairs = st.lists(st.sampled_from(order), min_size=2, max_size=2, unique=True).map(frozenset)
        apart = data.draw(st.sets(pairs, max_size=12))
        drawn = draw(order, sizes, apart=apart)
        assert [len(table) for table in drawn.tables] == sizes
        assert sorted(itertools.chain(*drawn.tables)) == list(range(1, sum(sizes) + 1))
        assert conflicts(drawn.tables, apart) <= conflicts(draw(order, sizes).tables, apart)
        assert all([order.index(entry) for entry in table] == sorted(map(order.index, table)) for table in drawn.tables)

    @tries(40)
    @given(st.integers(2, 5), st.integers(3, 6), st.data())
    def test_two_from_each_table_of_a_level_never_meet_again_at_once(self, count, size, data):
        """The top two of 2 × `count` tables at so many that all mates can be kept apart."""
        mates = [(2 * number + 1, 2 * number + 2) for number in range(count * size // 2)]
        entries = [entry for pair in mates for entry in pair]
        tables = max(2, -(-len(entries) // 6))
        order = data.draw(st.permutations(entries))
        sizes = [len(entries) // tables + (number < len(entries) % tables) for number in range(tables)]
        apart = {frozenset(pair) for pair in mates}
        assert conflicts(draw(order, sizes, apart=apart).tables, apart) == 0

    @pytest.mark.parametrize(("order", "sizes"), [([1, 2, 3], (4,)), ([1, 1, 2], (3,)), ([1, 2], ())])
    def test_what_does_not_fit(self, order, sizes):
        with pytest.raises(CannotPair, match="cannot seat"):
            draw(order, sizes)


class TestWhoAdvances:
    def test_the_top_of_each_table_then_the_best_others(self):
        tables = [played(1, 6, 7), played(2, 5, 8), played(3, 4, 9)]
        assert advancing_entries(tables, Level((3, 3, 3), 1), int) == (1, 2, 3)
        assert advancing_entries(tables, Level((3, 3, 3), 1, 2), int) == (1, 2, 3, 4, 5)
        assert advancing_entries(tables, Level((3, 3, 3), 2), lambda entry: -entry) == (3, 2, 1, 6, 5, 4)

    def test_others_are_compared_by_their_share_of_the_average(self):
        # Second of six has 4 of an average of 2½; second of four has 2 of an average of 1½.
        tables = [played(1, 3, 5, 7, 8, 10), played(2, 4, 6, 9)]
        assert advancing_entries(tables, Level((6, 4), 1, 1), int) == (1, 2, 3)
        # Third of six has 3 of 2½, and less than second of four.
        assert advancing_entries(tables, Level((6, 4), 1, 3), int) == (1, 2, 3, 4, 5)

    def test_at_a_table_card_points_come_before_the_key(self):
        table = played(1, 2, 3, points=(1, 1, 1), scores=(500, 900, 700))
        assert advancing_entries([table], Level((3,), 1, 1), int) == (2, 3)
        table = played(2, 1, 3, points=(1, 1, 0))
        assert advancing_entries([table], Level((3,), 1), int) == (1,)

    def test_a_table_without_points(self):
        assert advancing_entries([played(2, 1, 3, points=(0, 0, 0))], Level((3,), 2), int) == (1, 2)
