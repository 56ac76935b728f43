"""Ties at a cut: separated by the rule and by decisions, never by the numbers of the entries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete import lots
from engine.compete.pairing.knockout_pods import Level, advancing_entries, tied_at_tables, tied_others
from engine.compete.records import Played
from engine.compete.scoring import by_place
from engine.compete.ties import RULES, SEPARATING, Decision, Settled, settle
from tests.tries import tries


def table(scores, books=None):
    """A table from card points by entry."""
    entries = tuple(scores)
    points = by_place(tuple(scores.values()))
    return Played(entries, points, tuple(scores.values()), books=tuple((books or {}).get(each, 0) for each in entries))


TABLES = [table({1: 500, 2: 500, 3: 100}, {1: 2, 2: 4}), table({1: 300, 2: 200, 3: 900}, {1: 1, 3: 5})]


@pytest.mark.parametrize(
    ("rule", "groups"),
    [
        ("tiebreaks", ((1, 2, 3),)),
        ("total", ((3,), (1,), (2,))),
        ("books", ((3,), (2,), (1,))),
        ("between", ((1,), (3,), (2,))),
        ("playoff", ((1, 2, 3),)),
        ("share", ((1, 2, 3),)),
        ("all", ((1, 2, 3),)),
        ("lot", ((2,), (3,), (1,))),
    ],
)
def test_each_rule(rule, groups):
    result = settle((1, 2, 3), rule, TABLES, lot={2: 0, 3: 1, 1: 2}.__getitem__)
    assert result.groups == groups
    assert result.by == (rule,) * (len(groups) - 1)
    assert result.shared == (rule if rule in ("share", "all") else "")


def test_the_result_between_them_counts_only_if_all_met():
    assert settle((1, 2, 3), "between", [table({1: 5, 2: 4})]).groups == ((1, 2, 3),)
    assert settle((1, 2), "between", [table({1: 5, 2: 4})]).groups == ((1,), (2,))


def test_a_lot_is_not_drawn_before_its_time():
    assert settle((1, 2), "lot").groups == ((1, 2),)


def test_a_decision_separates_only_what_the_rule_leaves_and_only_these_entries():
    decisions = {frozenset((1, 2)): Decision(((2,), (1,)), "lot")}
    assert settle((1, 2), "tiebreaks", decisions=decisions) == Settled(((2,), (1,)), ("lot",))
    assert settle((1, 2, 3), "tiebreaks", decisions=decisions).groups == ((1, 2, 3),)
    assert settle((1, 2), "total", [table({1: 5, 2: 4})], decisions=decisions).by == ("total",)


def test_entries_across_a_line():
    result = Settled(((4,), (1, 2, 3), (5,)))
    assert [result.across(places) for places in range(6)] == [
        ((), 0), ((), 0), ((1, 2, 3), 1), ((1, 2, 3), 2), ((), 0), ((), 0),
    ]  # fmt: skip


@st.composite
def evenings(draw):
    """Some tables of the same entries with few different scores, so that ties are frequent, and other numbers."""
    count = draw(st.integers(2, 6))
    entries = list(range(1, count + 1))
    figures = st.lists(st.integers(0, 2), min_size=count, max_size=count)
    tables = [
        (dict(zip(entries, draw(figures), strict=True)), dict(zip(entries, draw(figures), strict=True)))
        for _ in range(draw(st.integers(0, 3)))
    ]
    renamed = dict(zip(entries, draw(st.permutations(entries)), strict=True))
    return entries, tables, renamed


@tries(200)
@given(evenings(), st.sampled_from(RULES))
def test_the_number_of_an_entry_never_decides(evening, rule):
    entries, tables, renamed = evening
    name = dict.fromkeys(entries)
    lot = {entry: lots.place("aa", entry) for entry in entries}

    def groups(number, order):
        played = [
            table({number[at]: score for at, score in scores.items()}, {number[at]: some for at, some in books.items()})
            for scores, books in tables
        ]
        original = {number[at]: at for at in name}
        result = settle(order, rule, played, lot=lambda at: lot[original[at]])
        return [{original[at] for at in group} for group in result.groups]

    same = dict(zip(entries, entries, strict=True))
    assert groups(same, entries) == groups(renamed, [renamed[at] for at in reversed(entries)])


@tries(200)
@given(evenings(), st.sampled_from(SEPARATING))
def test_groups_are_in_the_order_of_the_rule(evening, rule):
    entries, tables, _ = evening
    played = [table(scores, books) for scores, books in tables]
    result = settle(entries, rule, played, lot=int)
    assert sorted(result.order) == entries
    figures = {"total": "scores", "books": "books"}
    if rule in figures:
        sums = [
            {
                sum(dict(zip(each.entries, getattr(each, figures[rule]), strict=True))[at] for each in played)
                for at in group
            }
            for group in result.groups
        ]
        assert all(len(each) == 1 for each in sums)
        flat = [next(iter(each)) for each in sums]
        assert flat == sorted(set(flat), reverse=True)


def test_ties_at_tables_and_among_the_best_others_are_found():
    tables = [table({1: 9, 2: 5, 3: 5, 4: 1}), table({5: 9, 6: 5, 7: 4, 8: 1})]
    assert tied_at_tables(tables, Level((4, 4), 1)) == ()
    assert tied_at_tables(tables, Level((4, 4), 2)) == (((2, 3), 1),)
    # Second of both tables with the same points and card points: who is the best other is open.
    even = [table({1: 9, 2: 5, 3: 2, 4: 1}), table({5: 9, 6: 5, 7: 4, 8: 1})]
    assert tied_others(even, Level((4, 4), 1, 1), int) == ((2, 6), 1)
    assert tied_others(even, Level((4, 4), 1, 2), int) == ((), 0)
    assert advancing_entries(even, Level((4, 4), 1), int, admitted={2}) == (1, 5, 2)


@given(st.binary(min_size=32, max_size=32), st.integers(1, lots.LENGTH))
@tries(20)
def test_a_key_fits_its_commitment_and_no_other_number(secret, number):
    digits = secret.hex()
    key = lots.key(digits, number)
    assert lots.fits(key, number, lots.commitment(digits))
    assert not lots.fits(key, number % lots.LENGTH + 1, lots.commitment(digits))


@pytest.mark.parametrize("number", [0, lots.LENGTH + 1])
def test_there_are_only_so_many_draws(number):
    with pytest.raises(ValueError, match="no draw"):
        lots.key(lots.new_secret(), number)
