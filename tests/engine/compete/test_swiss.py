import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.pairing import swiss
from engine.compete.pairing.players import Player, after
from engine.compete.records import CannotPair, Drawn
from engine.errors import BadInput
from tests.engine.compete.events import played, printed_by_others
from tests.tries import tries

SEEDS = st.integers(0, 2**32)


def pairings(drawn):
    """The tables without their seats."""
    return [tuple(sorted(table)) for table in drawn.tables]


def event(rng, entries, rounds):
    """So many rounds of a whole event with random results."""
    history = []
    for _ in range(rounds):
        history.append(played(swiss.pair(after(history, range(1, entries + 1))), rng))
    return history


@pytest.mark.parametrize(
    ("entries", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (64, 6), (65, 7)]
)
def test_so_many_rounds_that_only_one_can_win_them_all(entries, rounds):
    assert swiss.rounds_for(entries) == rounds


@pytest.mark.parametrize("entries", range(21))
def test_in_the_first_round_the_upper_half_meets_the_lower(entries):
    half = entries // 2
    drawn = swiss.pair([Player(entry) for entry in range(1, entries + 1)])
    assert pairings(drawn) == [(entry, entry + half) for entry in range(1, half + 1)]
    assert drawn.byes == ((entries,) if entries % 2 else ())


def test_seats_alternate_from_table_to_table_and_go_to_who_sat_first_less_often():
    assert swiss.pair([Player(entry) for entry in range(1, 9)]).tables == ((1, 5), (6, 2), (3, 7), (8, 4))
    players = [
        Player(entry, met=(9, 10), firsts=firsts) for entry, firsts in zip((1, 2, 3, 4), (2, 1, 1, 2), strict=True)
    ]
    assert swiss.pair(players).tables == ((3, 1), (2, 4))


def test_within_a_score_the_halves_meet_in_order():
    """Eight entries: the better seed always wins."""
    history = []
    for tables in (
        [(1, 5), (2, 6), (3, 7), (4, 8)],
        [(1, 3), (2, 4), (5, 7), (6, 8)],
        [(1, 2), (3, 5), (4, 6), (7, 8)],
    ):
        drawn = swiss.pair(after(history, range(1, 9)))
        assert pairings(drawn) == tables
        history.append(played(drawn, random.Random()))
        better = [Fraction(2), Fraction(0)]
        fixed = [
            replace(table, points=tuple(better if table.entries[0] < table.entries[1] else better[::-1]))
            for table in history[-1].tables
        ]
        history[-1] = replace(history[-1], tables=tuple(fixed))


def test_the_lowest_of_an_odd_score_group_floats_to_the_highest_of_the_next():
    players = [Player(entry, Fraction(2 if entry <= 5 else 1)) for entry in range(1, 11)]
    assert pairings(swiss.pair(players)) == [(1, 3), (2, 4), (5, 6), (7, 9), (8, 10)]


def test_many_short_floats_are_better_than_a_long_one():
    players = [Player(entry, Fraction(points)) for entry, points in enumerate((3, 2, 2, 1), 1)]
    assert pairings(swiss.pair(players)) == [(1, 2), (3, 4)]


def test_the_bye_goes_to_the_lowest_seed_of_the_lowest_score_who_has_had_none():
    players = [Player(entry, Fraction(points)) for entry, points in enumerate((2, 0, 1, 0, 1, 0, 1), 1)]
    assert swiss.pair(players).byes == (6,)
    players[5] = replace(players[5], byes=1)
    assert swiss.pair(players).byes == (4,)
    players = [replace(player, byes=1) if player.points == 0 else player for player in players]
    assert swiss.pair(players).byes == (7,)
    assert swiss.pair([replace(player, byes=2 - (player.entry == 1)) for player in players]).byes == (1,)


def test_byes_on_request_leave_an_entry_out():
    players = [Player(entry) for entry in range(1, 8)]
    assert swiss.pair(players, byes=[2]) == Drawn(((1, 5), (6, 3), (4, 7)))
    assert swiss.pair(players, byes={1, 2, 99}).byes == (7,)


def test_rounds_beyond_all_opponents_repeat_as_late_as_possible():
    history = event(random.Random(5), 4, 9)
    meetings = [sorted(tuple(sorted(table.entries)) for table in each.tables) for each in history]
    assert meetings[3:6] == meetings[:3] == meetings[6:]
    assert len({table for each in meetings[:3] for table in each}) == 6


def test_one_table_that_meets_a_fourth_time_is_better_than_two_that_meet_again():
    met = {1: (2, 2, 2, 3, 4), 2: (1, 1, 1, 4, 3), 3: (1, 2), 4: (2, 1)}
    assert pairings(swiss.pair([Player(entry, met=opponents) for entry, opponents in met.items()])) == [(1, 2), (3, 4)]


def test_to_have_met_seldom_is_better_than_to_have_met_long_ago():
    met = {1: (2, 2, 4, 4, 3), 2: (1, 1, 3, 3, 4), 3: (4, 4, 2, 2, 1), 4: (3, 3, 1, 1, 2)}
    assert pairings(swiss.pair([Player(entry, met=opponents) for entry, opponents in met.items()])) == [(1, 3), (2, 4)]


def test_who_is_kept_apart_does_not_meet():
    players = [Player(entry) for entry in range(1, 9)]
    apart = [frozenset({1, 5}), frozenset({2, 6, 7})]
    drawn = swiss.pair(players, apart=apart)
    assert not {frozenset(table) for table in drawn.tables} & {frozenset(p) for s in apart for p in combinations(s, 2)}
    # Rather than that, two meet again.
    players = [Player(1, met=(3, 4)), Player(2, met=(3, 4)), Player(3, met=(1, 2)), Player(4, met=(1, 2))]
    assert len(swiss.pair(players, apart=[frozenset({1, 2})]).tables) == 2
    assert (1, 2) not in pairings(swiss.pair(players, apart=[frozenset({1, 2})]))


@pytest.mark.parametrize(
    ("entries", "apart", "names"),
    [
        (2, [{1, 2}], "1 and 2"),
        (4, [{2, 3, 4}], "[234] and [234]"),
        (6, [{1, 2, 3, 4, 5, 6}], "([1-6] and [1-6](; )?){3}"),
    ],
)
def test_a_draw_that_cannot_keep_apart_is_refused_with_names(entries, apart, names):
    with pytest.raises(CannotPair, match=f"^These entries are to be kept apart and would have to meet: {names}\\. "):
        swiss.pair([Player(entry) for entry in range(1, entries + 1)], apart=[frozenset(each) for each in apart])


def test_an_entry_cannot_be_there_twice():
    with pytest.raises(BadInput, match=r"^Entry 1 is named twice\.$"):
        swiss.pair([Player(1), Player(2), Player(1)])


def test_lots_decide_which_of_two_equals_sits_first_and_nothing_else():
    players = [Player(entry, Fraction(2 * (entry <= 4))) for entry in range(1, 9)]
    draws = {swiss.pair(players, lots=lots).tables for lots in "abcdefgh"}
    assert draws == {((1, 3), (4, 2), (5, 7), (8, 6)), ((3, 1), (2, 4), (7, 5), (6, 8))}
    players = [replace(player, firsts=player.entry % 2) for player in players]
    assert {swiss.pair(players, lots=lots).tables[0] for lots in "abcdefgh"} == {(1, 3), (3, 1)}
    players[0] = replace(players[0], firsts=0)
    assert {swiss.pair(players, lots=lots).tables[0] for lots in "abcdefgh"} == {(1, 3)}


def test_scores_of_any_fineness_are_drawn():
    """Squares of such differences in common units would be far too large for the matching."""
    players = [Player(entry, Fraction(10**9 + entry, 7**entry)) for entry in range(1, 40)]
    drawn = swiss.pair(players)
    assert pairings(drawn)[0] == (1, 2)
    assert sorted([entry for table in drawn.tables for entry in table] + list(drawn.byes)) == list(range(1, 40))


def draws_of(entries):
    """Every draw there is: sets of pairs, and the bye or nothing."""
    if len(entries) % 2:
        for bye in entries:
            for pairs, _ in draws_of([entry for entry in entries if entry != bye]):
                yield pairs, bye
    elif not entries:
        yield [], None
    else:
        first, *rest = entries
        for other in rest:
            for pairs, _ in draws_of([entry for entry in rest if entry != other]):
                yield [(first, other), *pairs], None


def last_meeting(first, second):
    """The number of the last time two met, by the count of the one that has met more."""
    return max(len(a.met) - a.met[::-1].index(b.entry) for a, b in ((first, second), (second, first)))


def badness(players, pairs, bye):
    """Quantities to minimise, the weightiest first, without the order within a score."""
    player = {player.entry: player for player in players}
    tables = [(player[first], player[second]) for first, second in pairs]
    repeats = [(first, second) for first, second in tables if second.entry in first.met]
    return (
        len(repeats),
        player[bye].byes if bye else 0,
        sum(first.met.count(second.entry) for first, second in repeats),
        sum(last_meeting(first, second) for first, second in repeats),
        player[bye].points if bye else 0,
        sum((first.points - second.points) ** 2 for first, second in tables),
        -bye if bye else 0,
    )


@tries(60)
@given(st.integers(2, 8), st.integers(0, 9), SEEDS)
def test_no_draw_is_better_by_brute_force(entries, rounds, seed):
    rng = random.Random(seed)
    players = after(event(rng, entries, rounds), range(1, entries + 1))
    if rng.random() < 0.5:
        # As if results had been corrected since.
        players = [replace(player, points=Fraction(rng.randrange(5), 2)) for player in players]
    apart = [frozenset(rng.sample(range(1, entries + 1), 2)) for _ in range(rng.randrange(4))]
    ways = [
        badness(players, pairs, bye)
        for pairs, bye in draws_of([player.entry for player in players])
        if not any(frozenset(pair) in apart for pair in pairs)
    ]
    if not ways:
        with pytest.raises(CannotPair):
            swiss.pair(players, apart=apart)
        return
    drawn = swiss.pair(players, apart=apart)
    assert not any(frozenset(pair) in apart for pair in drawn.tables)
    assert badness(players, drawn.tables, drawn.byes[0] if drawn.byes else None) == min(ways)


@tries(30)
@given(st.sampled_from([2, 4, 6, 8]), SEEDS)
def test_within_a_score_no_draw_is_nearer_to_halves_in_order_by_brute_force(entries, seed):
    rng = random.Random(seed)
    everyone = range(1, entries + 1)
    met = [frozenset(rng.sample(everyone, 2)) for _ in range(rng.randrange(2 * entries))]
    players = [Player(entry, met=tuple(o for o in everyone if o != entry and {o, entry} in met)) for entry in everyone]

    def strays(pairs):
        repeats = sum(frozenset(pair) in met for pair in pairs)
        return repeats, sum((abs(first - second) - entries // 2) ** 2 for first, second in pairs)

    ways = [strays(pairs) for pairs, _ in draws_of(list(everyone))]
    drawn = strays(swiss.pair(players).tables)
    assert drawn == min(ways) if min(ways)[0] == 0 else drawn[0] == min(ways)[0]


@tries(40)
@given(st.integers(4, 40), st.data(), SEEDS)
def test_events_have_nobody_twice_no_avoidable_repeat_and_no_avoidable_second_bye(entries, data, seed):
    # With no more rounds than half the entries there always is a draw without repeats (Dirac).
    rounds = data.draw(st.integers(1, (entries + 1) // 2))
    history = event(random.Random(seed), entries, rounds)
    met = Counter()
    byes = Counter()
    for each in history:
        seated = [entry for table in each.tables for entry in table.entries] + [out.entry for out in each.unplayed]
        assert sorted(seated) == list(range(1, entries + 1))
        met.update(frozenset(table.entries) for table in each.tables)
        byes.update(out.entry for out in each.unplayed)
    assert max(met.values()) == 1
    assert max(byes.values(), default=0) <= 1


@tries(30)
@given(st.integers(6, 24), SEEDS)
def test_entries_come_late_and_withdraw(entries, seed):
    rng = random.Random(seed)
    history, present, start = [], set(range(1, entries + 1)), {}
    met = Counter()
    for number in range(1, 5):
        if rng.random() < 0.5 and len(present) > 4:
            present.remove(rng.choice(sorted(present)))
        if rng.random() < 0.5:
            present.add(entries + number)
            start[entries + number] = Fraction(number - 1)
        players = after(history, sorted(present), start=start)
        drawn = swiss.pair(players)
        assert sorted([entry for table in drawn.tables for entry in table] + list(drawn.byes)) == sorted(present)
        met.update(frozenset(table) for table in drawn.tables)
        history.append(played(drawn, rng))
    if len(present) >= 8:
        assert max(met.values()) == 1


def test_the_same_input_gives_the_same_draw_in_any_process():
    code = """
from engine.compete.pairing import swiss
from engine.compete.pairing.players import Player
apart = {frozenset({n, n + 9}) for n in range(1, 20)}
print(swiss.pair([Player(n, met=(n % 31 + 1,)) for n in range(1, 32)], apart=apart, byes={3, 5}, lots="x"))
"""
    assert len(printed_by_others(code)) == 1
