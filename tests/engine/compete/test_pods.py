import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.pairing import pods
from engine.compete.pairing.players import Player, after, places_apart, standing_order
from engine.compete.pairing.pods.seating import Seating, costs
from engine.compete.records import CannotPair, Drawn
from engine.errors import BadInput
from tests.engine.compete.events import played, printed_by_others, round_of
from tests.tries import tries

SEEDS = st.integers(0, 2**32)


def pairs_at(tables):
    return [frozenset(pair) for table in tables for pair in combinations(table, 2)]


def event(rng, entries, seats, rounds, **how):
    """So many rounds of a whole event with random results."""
    history = []
    for _ in range(rounds):
        sizes = pods.sizes(entries, seats, **how)
        history.append(played(pods.pair(after(history, range(1, entries + 1)), sizes), rng))
    return history


def repeats_by_round(history):
    """Number of pairs of each round that had met before."""
    met, counts = set(), []
    for each in history:
        pairs = pairs_at(table.entries for table in each.tables)
        counts.append(sum(pair in met for pair in pairs))
        met.update(pairs)
    return counts


@pytest.mark.parametrize(
    ("entries", "seats", "sizes"),
    [
        (54, 6, (6,) * 9),
        (42, 7, (7,) * 6),
        (13, 4, (5, 4, 4)),
        (14, 4, (4, 4, 3, 3)),
        (3, 6, (3,)),
        (7, 5, (4, 3)),
        (6, 4, (3, 3)),
        (1000, 6, (6,) * 165 + (5,) * 2),
    ],
)
def test_sizes_are_as_near_as_can_be_to_what_is_wanted(entries, seats, sizes):
    assert pods.sizes(entries, seats) == sizes


def even_ways(entries, least, most):
    """Every way to seat all at tables that differ by one seat at most, the biggest first."""
    for size in range(least, most + 1):
        for bigger in range(entries // (size + 1) + 1 if size < most else 1):
            smaller, rest = divmod(entries - bigger * (size + 1), size)
            if not rest and (smaller or not bigger):
                yield (size + 1,) * bigger + (size,) * smaller


@tries(60)
@given(st.data(), st.integers(2, 5), st.integers(0, 3), st.integers(1, 24), st.booleans())
def test_no_sizes_are_nearer_by_brute_force(data, least, more, entries, may_bye):
    most = least + more
    seats = data.draw(st.integers(least, most))
    ways = list(even_ways(entries, least, most))
    byes = 0
    while may_bye and not ways and byes < entries - 1:
        byes += 1
        ways = list(even_ways(entries - byes, least, most))
    if not ways:
        with pytest.raises(CannotPair):
            pods.sizes(entries, seats, least=least, most=most, may_bye=may_bye)
        return
    sizes = pods.sizes(entries, seats, least=least, most=most, may_bye=may_bye)
    assert sizes in ways
    off = [sum(size * (size - seats) ** 2 for size in way) for way in ways]
    assert sum(size * (size - seats) ** 2 for size in sizes) == min(off)
    assert len(sizes) == max(len(way) for way, how_far in zip(ways, off, strict=True) if how_far == min(off))


@pytest.mark.parametrize(
    ("entries", "limits", "sentence"),
    [
        (2, {}, "2 entries cannot be seated at tables of 3 to 7."),
        (5, {"most": 4}, "5 entries cannot be seated at tables of 3 to 4."),
        (9, {"least": 4, "most": 4}, "9 entries cannot be seated at tables of 4."),
        (1, {"may_bye": True}, "1 entry cannot be seated at tables of 3 to 7."),
        (0, {"may_bye": True}, "0 entries cannot be seated at tables of 3 to 7."),
    ],
)
def test_what_cannot_be_seated_is_refused(entries, limits, sentence):
    with pytest.raises(CannotPair) as refused:
        pods.sizes(entries, 4, **limits)
    assert refused.value.sentence == sentence


def test_with_byes_as_few_as_possible_are_left_over():
    assert pods.sizes(5, 4, most=4, may_bye=True) == (4,)
    assert pods.sizes(55, 6, least=6, most=6, may_bye=True) == (6,) * 9
    assert pods.sizes(12, 4, may_bye=True) == (4, 4, 4)


def test_seats_outside_of_the_limits_are_refused():
    with pytest.raises(BadInput, match=r"^Tables of 8 are not among those from 3 to 7 seats\.$"):
        pods.sizes(24, 8)


def test_the_first_round_goes_to_and_fro_over_the_tables():
    drawn = pods.pair([Player(entry) for entry in range(1, 13)], (4, 4, 4))
    assert drawn == Drawn(((1, 6, 7, 12), (5, 8, 11, 2), (9, 10, 3, 4)))
    drawn = pods.pair([Player(entry) for entry in range(1, 12)], (4, 4, 3))
    assert [sorted(table) for table in drawn.tables] == [[1, 6, 7, 11], [2, 5, 8, 10], [3, 4, 9]]


def test_lots_leave_the_first_round_to_the_seeds_and_turn_the_seats():
    players = [Player(entry) for entry in range(1, 13)]
    draws = {pods.pair(players, (4, 4, 4), lots=lots) for lots in "abcdefgh"}
    assert {tuple(frozenset(table) for table in drawn.tables) for drawn in draws} == {
        (frozenset({1, 6, 7, 12}), frozenset({2, 5, 8, 11}), frozenset({3, 4, 9, 10}))
    }
    assert {drawn.tables[0][0] for drawn in draws} == {1, 6, 7, 12}


def test_like_scores_sit_together():
    players = [Player(entry, Fraction(entry % 3)) for entry in range(1, 13)]
    drawn = pods.pair(players, (4, 4, 4))
    assert [sorted(table) for table in drawn.tables] == [[2, 5, 8, 11], [1, 4, 7, 10], [3, 6, 9, 12]]
    mixed = pods.pair([Player(entry, Fraction(entry <= 5)) for entry in range(1, 9)], (4, 4))
    assert sorted(mixed.tables[0]) in ([1, 2, 3, 4], [1, 2, 3, 5], [1, 2, 4, 5], [1, 3, 4, 5], [2, 3, 4, 5])


def test_the_first_seat_goes_to_who_sat_there_least_often():
    players = [Player(entry, firsts=firsts) for entry, firsts in enumerate((2, 1, 2, 1), 1)]
    assert pods.pair(players, (4,)).tables == ((2, 3, 4, 1),)
    history = event(random.Random(1), 24, 4, 8)
    firsts = Counter(player.firsts for player in after(history, range(1, 25)))
    assert set(firsts) <= {1, 2, 3}


def test_byes_go_to_the_fewest_byes_then_the_lowest_score_then_the_lowest_seed():
    players = [Player(entry, Fraction(points)) for entry, points in enumerate((2, 0, 1, 0, 1, 0), 1)]
    assert pods.pair(players, (4,)).byes == (6, 4)
    assert pods.pair([replace(player, byes=player.entry == 6) for player in players], (4,)).byes == (4, 2)
    assert pods.pair(players, ()).tables == ()
    history = event(random.Random(2), 10, 4, 5, least=4, most=4, may_bye=True)
    assert [player.byes for player in after(history, range(1, 11))] == [1] * 10


def test_seats_must_not_be_more_than_entries_nor_tables_of_one():
    with pytest.raises(CannotPair, match=r"^There are 8 seats at the tables, but 7 entries\.$"):
        pods.pair([Player(entry) for entry in range(1, 8)], (4, 4))
    with pytest.raises(BadInput, match=r"^A table seats two or more\.$"):
        pods.pair([Player(entry) for entry in range(1, 8)], (6, 1))


@pytest.mark.parametrize(("entries", "seats", "rounds"), [(54, 6, 4), (16, 4, 3), (9, 3, 4), (200, 5, 4)])
def test_early_rounds_have_no_repeats(entries, seats, rounds):
    assert repeats_by_round(event(random.Random(entries), entries, seats, rounds)) == [0] * rounds


def test_fifty_four_of_one_score_have_five_rounds_without_repeats():
    history = []
    for _ in range(5):
        drawn = pods.pair(after(history, range(1, 55)), (6,) * 9)
        history.append(round_of(*drawn.tables, points=[[0] * 6] * 9))
    assert repeats_by_round(history) == [0] * 5


@pytest.mark.parametrize("is_level", [True, False])
def test_forty_two_at_six_tables_attain_the_fewest_repeats_there_can_be(is_level):
    """Seven at a table come from six tables of the round before, so two at least of each table have met."""
    history = event(random.Random(3), 42, 7, 1)
    players = after(history, range(1, 43))
    if is_level:
        players = tuple(replace(player, points=Fraction(0)) for player in players)
    drawn = pods.pair(players, (7,) * 6)
    assert repeats_by_round([*history, round_of(*drawn.tables)]) == [0, 6]


def seatings(places, sizes):
    """Every way to seat places at tables of these sizes, tables of the same size told apart."""
    if not sizes:
        yield []
        return
    for table in combinations(places, sizes[0]):
        for rest in seatings([place for place in places if place not in table], sizes[1:]):
            yield [list(table), *rest]


@tries(20)
@given(st.sampled_from([(4, 4), (3, 3, 2), (4, 3), (5, 3), (3, 3), (2, 2, 2)]), st.integers(0, 5), SEEDS)
def test_no_seating_is_better_by_brute_force(sizes, rounds, seed):
    rng = random.Random(seed)
    everyone = range(1, sum(sizes) + 1)
    history = []
    for _ in range(rounds):
        history.append(played(pods.pair(after(history, everyone), sizes), rng))
    field = standing_order(after(history, everyone))
    weighed = costs(field, [set() for _ in field], sizes)
    drawn = pods.pair(field, sizes)
    place = {player.entry: at for at, player in enumerate(field)}
    seating = Seating([[place[entry] for entry in table] for table in drawn.tables], weighed)
    ways = [Seating(tables, weighed) for tables in seatings(list(place.values()), sizes)]
    assert seating.cost() == min(way.cost() for way in ways)
    # In so small a field no repeat is taken on for the sake of scores.
    repeats = [sum(b.entry in a.met for table in way.tables for a, b in of(field, table)) for way in ways]
    assert sum(b.entry in a.met for table in seating.tables for a, b in of(field, table)) == min(repeats)


def of(field, table):
    return combinations([field[place] for place in table], 2)


@tries(40)
@given(st.integers(0, 1), st.sampled_from([(3, 3), (3, 2, 2), (4, 3), (2, 2, 2)]), st.integers(0, 12), SEEDS)
def test_who_is_to_be_kept_apart_is_if_there_is_any_way_by_brute_force(spare, sizes, wishes, seed):
    rng = random.Random(seed)
    entries = list(range(1, sum(sizes) + spare + 1))
    apart = [frozenset(rng.sample(entries, 2)) for _ in range(wishes)]
    players = [Player(entry, Fraction(rng.randrange(3))) for entry in entries]
    ways = (tables for seated in combinations(entries, sum(sizes)) for tables in seatings(list(seated), sizes))
    if all(any(pair in apart for pair in pairs_at(tables)) for tables in ways):
        with pytest.raises(CannotPair):
            pods.pair(players, sizes, apart=apart)
        return
    drawn = pods.pair(players, sizes, apart=apart)
    assert not any(pair in apart for pair in pairs_at(drawn.tables))
    assert sorted([entry for table in drawn.tables for entry in table] + list(drawn.byes)) == entries


@pytest.mark.parametrize(
    ("entries", "sizes", "apart", "sentence"),
    [
        (
            8,
            (4, 4),
            [{1, 2, 3}],
            "Entries 1, 2 and 3 are all to be kept apart from one another, and there are only 2 tables.",
        ),
        (4, (4,), [{2, 4}], "Entries 2 and 4 are all to be kept apart from one another, and there is only one table."),
        (
            10,
            (5, 5),
            [{1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 1}],
            "No way was found to seat 10 entries at 2 tables so that all who are to be kept apart are.",
        ),
    ],
)
def test_a_draw_that_cannot_keep_apart_is_refused_with_the_reason(entries, sizes, apart, sentence):
    with pytest.raises(CannotPair) as refused:
        pods.pair([Player(entry) for entry in range(1, entries + 1)], sizes, apart=[frozenset(each) for each in apart])
    assert refused.value.sentence == sentence


def test_clubs_are_kept_apart_in_a_big_field():
    """Forty clubs of six, all members of a club with the same score."""
    players = [Player(entry, Fraction((entry - 1) // 6)) for entry in range(1, 241)]
    clubs = [frozenset(range(first, first + 6)) for first in range(1, 241, 6)]
    drawn = pods.pair(players, (6,) * 40, apart=clubs)
    assert max(len(club & set(table)) for club in clubs for table in drawn.tables) == 1


@tries(5)
@given(st.integers(7, 40), st.integers(3, 6), SEEDS)
def test_entries_come_late_and_withdraw(entries, seats, seed):
    rng = random.Random(seed)
    history, present, start = [], set(range(1, entries + 1)), {}
    for number in range(1, 5):
        if rng.random() < 0.5 and len(present) > 6:
            present.remove(rng.choice(sorted(present)))
        if rng.random() < 0.5:
            present.add(entries + number)
            start[entries + number] = Fraction(number - 1)
        players = after(history, sorted(present), start=start)
        drawn = pods.pair(players, pods.sizes(len(present), seats))
        assert sorted(entry for table in drawn.tables for entry in table) == sorted(present)
        history.append(played(drawn, rng))


def test_a_thousand_entries_meet_nobody_twice_in_three_rounds():
    history = event(random.Random(4), 1000, 6, 3)
    assert repeats_by_round(history) == [0, 0, 0]


@tries(20)
@given(st.lists(st.integers(0, 3), min_size=9, max_size=9), SEEDS)
def test_what_a_swap_would_change_is_known_before(points, seed):
    rng = random.Random(seed)
    met = tuple(rng.choices(range(1, 10), k=5))
    field = standing_order([Player(entry, Fraction(won), met) for entry, won in enumerate(points, 1)])
    apart = places_apart(field, [frozenset({1, 2})])
    seating = Seating([[0, 1, 2, 3], [4, 5, 6], [7, 8]], costs(field, apart, (4, 3, 2)))
    for _ in range(20):
        place, other = rng.sample(range(9), 2)
        if seating.where[place] != seating.where[other]:
            before, change = seating.cost(), seating.change(place, other)
            seating.swap(place, other)
            assert seating.cost() - before == change


def test_the_same_input_gives_the_same_draw_in_any_process():
    code = """
from engine.compete.pairing import pods
from engine.compete.pairing.players import Player
apart = {frozenset({n, n + 9}) for n in range(1, 20)}
players = [Player(n, met=(n % 30 + 1, (n + 7) % 30 + 1)) for n in range(1, 31)]
print(pods.pair(players, (5,) * 6, apart=apart, lots="x"))
"""
    assert len(printed_by_others(code)) == 1
