"""Rotating partners: whist designs, and the best rounds where there is no design."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.movements.field import field
from engine.compete.movements.whist import rotating_partners
from engine.compete.movements.whist_designs import design
from engine.compete.records import CannotPair
from tests.tries import tries

some = tries(30)

DESIGNS = [size for size in range(4, 101) if size % 4 < 2]
"""Wherever one can be."""
WITHOUT = [size for size in range(6, 28) if size not in DESIGNS]


def companions(rounds):
    """Number of times each two were partners, and opponents."""
    partners, opponents = Counter(), Counter()
    for drawn in rounds:
        for a, b, c, d in drawn.tables:
            partners.update([frozenset((a, c)), frozenset((b, d))])
            opponents.update(frozenset((first, second)) for first in (a, c) for second in (b, d))
    return partners, opponents


def every_two(entries):
    return map(frozenset, combinations(range(1, entries + 1), 2))


def seated(drawn):
    return sorted([*sum(drawn.tables, ()), *drawn.byes])


@pytest.mark.parametrize("entries", DESIGNS)
def test_in_a_design_everybody_is_partner_once_and_opponent_twice(entries):
    rounds = rotating_partners(entries)
    assert len(rounds) == entries - (entries % 4 == 0)
    partners, opponents = companions(rounds)
    assert partners == dict.fromkeys(every_two(entries), 1)
    assert opponents == dict.fromkeys(every_two(entries), 2)
    assert all(seated(drawn) == list(range(1, entries + 1)) for drawn in rounds)
    byes = Counter(sum((drawn.byes for drawn in rounds), ()))
    assert byes == (dict.fromkeys(range(1, entries + 1), 1) if entries % 4 else {})


def test_there_is_a_design_for_these_and_no_others():
    assert [size for size in range(101) if design(size)] == DESIGNS


@pytest.mark.parametrize(("entries", "rounds"), [(16, 5), (28, 9), (40, 13), (64, 10), (100, 10)])
def test_some_designs_begin_with_rounds_in_which_nobody_meets_twice(entries, rounds):
    partners, opponents = companions(rotating_partners(entries, rounds=rounds))
    assert set((partners + opponents).values()) == {1}


def test_fewer_rounds_are_the_first_of_the_design_and_more_begin_it_again():
    design = rotating_partners(12)
    assert rotating_partners(12, rounds=4) == design[:4]
    assert rotating_partners(12, rounds=15) == design + design[:4]


@pytest.mark.parametrize("entries", WITHOUT)
def test_without_a_design_partners_are_new_as_long_as_there_are_new_ones(entries):
    possible = entries * (entries - 1) // 2 // (2 * (entries // 4))
    partners, opponents = companions(rotating_partners(entries, rounds=possible))
    assert max(partners.values()) == 1
    assert max(opponents.values()) <= 4


@pytest.mark.parametrize("entries", WITHOUT)
def test_without_a_number_of_rounds_all_sit_out_equally_often(entries):
    rounds = rotating_partners(entries)
    assert len(rounds) == entries
    byes = Counter(sum((drawn.byes for drawn in rounds), ()))
    assert byes == dict.fromkeys(range(1, entries + 1), entries % 4)


def test_fifty_eight_people_have_nine_rounds_without_an_opponent_twice():
    partners, opponents = companions(rotating_partners(58, rounds=9))
    assert set(partners.values()) == {1}
    assert set(opponents.values()) == {1}


@given(st.integers(4, 30), st.integers(1, 35), st.text(max_size=3))
@some
def test_nobody_is_twice_in_a_round_and_byes_differ_by_one_at_most(entries, rounds, lots):
    plan = rotating_partners(entries, rounds=rounds, lots=lots)
    assert len(plan) == rounds
    assert all(seated(drawn) == list(range(1, entries + 1)) for drawn in plan)
    assert all(len(table) == 4 for drawn in plan for table in drawn.tables)
    byes = Counter(dict.fromkeys(range(1, entries + 1), 0))
    for drawn in plan:
        byes.update(drawn.byes)
        assert max(byes.values()) - min(byes.values()) <= 1


@given(st.integers(4, 30), st.integers(1, 12), st.integers(1, 12))
@some
def test_the_first_rounds_are_the_same_however_many_there_are(entries, rounds, more):
    assert rotating_partners(entries, rounds=rounds + more)[:rounds] == rotating_partners(entries, rounds=rounds)


@pytest.mark.parametrize("entries", [10, 12])
def test_lots_draw_who_is_who_and_draw_the_same_again(entries):
    drawn = [rotating_partners(entries, lots=lots) for lots in ("", "a", "b", "a")]
    assert drawn[1] == drawn[3]
    assert len({drawn[0], drawn[1], drawn[2]}) == 3


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9, 16, 25, 27])
def test_fields_have_the_laws_of_numbers(size):
    numbers = field(size)
    everything = range(size)
    assert sorted(numbers.powers) == list(everything)[1:]
    for a in everything:
        assert sorted(numbers.plus(a, b) for b in everything) == list(everything)
        assert not a or sorted(numbers.times(a, b) for b in everything) == list(everything)
        assert (numbers.plus(a, 0), numbers.times(a, 1), numbers.times(a, 0)) == (a, a, 0)
        for b in everything:
            assert numbers.times(a, b) == numbers.times(b, a)
            for c in range(0, size, 3):
                assert numbers.times(a, numbers.plus(b, c)) == numbers.plus(numbers.times(a, b), numbers.times(a, c))


@pytest.mark.parametrize("size", [0, 1, 6, 10, 12, 15, 36, 100])
def test_there_is_no_field_but_of_a_power_of_a_prime(size):
    assert field(size) is None


@pytest.mark.parametrize(
    ("impossible", "sentence"),
    [
        (lambda: rotating_partners(3), "Partners rotate among 4 to 100 people, not 3."),
        (lambda: rotating_partners(101), "Partners rotate among 4 to 100 people, not 101."),
        (lambda: rotating_partners(8, rounds=0), "There must be 1 to 200 rounds, not 0."),
        (lambda: rotating_partners(8, rounds=201), "There must be 1 to 200 rounds, not 201."),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(impossible, sentence):
    with pytest.raises(CannotPair) as refusal:
        impossible()
    assert refusal.value.sentence == sentence
