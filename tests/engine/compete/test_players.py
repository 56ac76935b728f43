from fractions import Fraction

import pytest

from engine.compete.pairing.players import Player, after, first_table, lot, meetings, places_apart, standing_order
from engine.compete.records import Kind, Played, Round, Unplayed
from engine.errors import BadInput
from tests.engine.compete.events import round_of


def test_before_the_first_round_nobody_has_anything():
    assert after([], [1, 2]) == (Player(1), Player(2))
    assert Player(1) == Player(1, Fraction(0), (), 0, 0)


def test_players_come_in_the_order_of_seeds_with_what_they_scored_and_met():
    rounds = [
        round_of((2, 1), (3, 4), points=[(2, 0), (1, 1)]),
        round_of((2, 3), (1, 4), points=[(2, 0), (0, 2)]),
        round_of((1, 2), (4, 3), points=[(2, 0), (1, 1)]),
    ]
    assert after(rounds, [1, 2, 3, 4]) == (
        Player(1, Fraction(2), (2, 4, 2), 0, 2),
        Player(2, Fraction(4), (1, 3, 1), 0, 2),
        Player(3, Fraction(2), (4, 2, 4), 0, 1),
        Player(4, Fraction(4), (3, 1, 3), 0, 1),
    )
    assert [player.entry for player in after(rounds, [4, 2, 3, 1])] == [4, 2, 3, 1]


def test_at_a_larger_table_everybody_is_met():
    (first, *_) = after([round_of((1, 2, 3, 4, 5))], [1, 2, 3, 4, 5])
    assert first == Player(1, Fraction(4), (2, 3, 4, 5), 0, 1)


def test_a_partner_is_not_met():
    table = Played((1, 2, 3, 4), tuple(map(Fraction, (2, 0, 2, 0))), sides=(1, 2, 1, 2))
    assert [player.met for player in after([Round((table,))], [1, 2, 3, 4])] == [(2, 4), (1, 3), (2, 4), (1, 3)]


@pytest.mark.parametrize(
    ("kind", "byes"),
    [
        (Kind.BYE, 1),
        (Kind.FORFEIT_WIN, 1),
        (Kind.HALF_BYE, 0),
        (Kind.ZERO_BYE, 0),
        (Kind.FORFEIT_LOSS, 0),
        (Kind.WITHDRAWN, 0),
    ],
)
def test_a_full_win_without_play_counts_as_a_bye_and_is_no_meeting(kind, byes):
    missed = Unplayed(1, Fraction(3, 2), kind, opponent=2)
    assert after([round_of(unplayed=[missed])], [1, 2]) == (Player(1, Fraction(3, 2), (), byes), Player(2))


def test_who_has_withdrawn_is_left_out_but_was_met():
    rounds = [round_of((1, 3), unplayed=[Unplayed(4, Fraction(2), Kind.BYE)])]
    assert after(rounds, [1, 2]) == (Player(1, Fraction(1), (3,), 0, 1), Player(2))


def test_a_late_entry_starts_with_points():
    rounds = [round_of((1, 2), points=[(2, 0)])]
    latecomer = after(rounds, [1, 2, 3], start={3: Fraction(1), 9: Fraction(5)})[2]
    assert latecomer == Player(3, Fraction(1))


def test_an_entry_cannot_be_named_twice():
    with pytest.raises(BadInput, match=r"^Entry 2 is named twice\.$"):
        after([], [1, 2, 2, 3])


def test_a_tables_points_and_sides_belong_to_its_entries():
    with pytest.raises(BadInput, match=r"^The table of entries 1, 2 and 3 has 2 scores\.$"):
        after([Round((Played((1, 2, 3), (Fraction(1), Fraction(0))),))], [1, 2, 3])
    with pytest.raises(BadInput, match=r"^The table of entries 1 and 2 has 1 sides named\.$"):
        after([Round((Played((1, 2), (Fraction(1), Fraction(0)), sides=(1,)),))], [1, 2])


def test_the_standing_order_is_by_score_then_by_seed():
    players = [Player(entry, Fraction(entry % 3)) for entry in range(1, 10)]
    assert [player.entry for player in standing_order(players)] == [2, 5, 8, 1, 4, 7, 3, 6, 9]
    assert [player.entry for player in standing_order(players[::-1])] == [8, 5, 2, 7, 4, 1, 9, 6, 3]


def test_lots_fall_the_same_way_for_ever():
    drawn = sorted(range(1, 7), key=lambda entry: lot("a", entry))
    assert drawn == [1, 3, 6, 4, 2, 5]
    assert [first_table(lots) % 2 for lots in ("", "a", "b", "c", "d")] == [0, 1, 0, 0, 0]


def test_meetings_are_counted_by_place_with_the_last_of_them():
    field = [Player(7, met=(9, 8, 9, 4)), Player(8, met=(7,)), Player(9, met=(7, 9, 7))]
    assert meetings(field) == [{1: (1, 2), 2: (2, 3)}, {0: (1, 2)}, {0: (2, 3)}]


def test_places_apart_are_both_ways_and_of_all_in_a_set():
    field = [Player(entry) for entry in (5, 6, 7, 8)]
    assert places_apart(field, [frozenset({5, 8, 1}), frozenset({6, 7, 8})]) == [{3}, {2, 3}, {1, 3}, {0, 1, 2}]
