"""A player's record: what it counts, and what a reader may know of it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.services import friends
from engine.play.cards import parse_cards
from engine.play.melds import make_meld
from engine.play.moves import parse_meld_name
from gameplay import player_record
from gameplay.models import Table
from gameplay.player_record import read_record
from gameplay.snapshot import keep, state_of
from tests.makers import finish_match, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def matches(four):
    """Ann and Cem against Ben and Dee twice, then Ann alone against Ben; the oldest first."""
    ann, ben, *_ = four
    return [
        finish_match(make_table(four, watching="anybody"), [900, 500], [0], days_ago=3, scores=[700, 100]),
        finish_match(make_table(four, watching="link"), [100, 800], [1], days_ago=2),
        finish_match(make_table([ann, ben], seats=2, team_size=1, watching="nobody"), [300, 200], [0], days_ago=1),
    ]


def company(rows):
    return [(row.names, row.won, row.matches) for row in rows]


def test_the_own_record_counts_every_finished_match(matches, four):
    record = read_record(four[0], four[0])
    assert (record.matches, record.won, record.share, record.in_a_row) == (3, 2, 67, 1)
    assert company(record.partners) == [("Cem", 1, 2)]
    assert company(record.opponents) == [("Ben and Dee", 1, 2), ("Ben", 1, 1)]
    assert [(deal.points, deal.table, deal.deal) for deal in record.best_deals] == [
        (700, matches[0], 1),
        (300, matches[2], 1),
        (100, matches[1], 1),
    ]
    assert [(game.table, game.players, game.is_won, game.points) for game in record.games] == [
        (matches[2], "Against Ben", True, (300, 200)),
        (matches[1], "With Cem, against Ben and Dee", False, (100, 800)),
        (matches[0], "With Cem, against Ben and Dee", True, (900, 500)),
    ]


def test_others_count_only_matches_that_they_can_watch_or_played_in(matches, four, person):
    ann, ben, cem, _ = four
    assert read_record(ann, person("Eve")).matches == 1
    assert read_record(ann, cem).matches == 2
    assert read_record(ann, ben).matches == 3


@pytest.mark.parametrize(
    "fields", [{"is_practice": True}, {"status": "abandoned"}, {"status": "playing"}, {"is_sealed": True}]
)
def test_practice_running_abandoned_and_sealed_matches_are_left_out(matches, four, fields):
    Table.objects.filter(pk=matches[0].pk).update(**fields)
    record = read_record(four[0], four[0])
    assert record.matches == 2
    assert matches[0] not in [game.table for game in record.games]
    assert matches[0] not in [deal.table for deal in record.best_deals]


def test_bots_are_no_company(matches, four):
    matches[2].seats.filter(number=1).update(user=None, bot="club", name="Ada (bot)")
    record = read_record(four[0], four[0])
    assert company(record.opponents) == [("Ben and Dee", 1, 2)]
    assert record.games[0].players == "Against Ada"


def test_a_small_board_has_a_bar_for_each_meld_and_nothing_else_of_the_cards(matches, four):
    table = matches[0]
    state = state_of(table).draft()
    melds = [
        make_meld(parse_meld_name("K"), parse_cards("Kc Kd Kh Ks Kc Kd Kh")),
        make_meld(parse_meld_name("Q"), parse_cards("Qc Qd Qh Qs Qc Qd 2h")),
        make_meld(parse_meld_name("9"), parse_cards("9c 9d 9h")),
    ]
    state.melds = (tuple(melds), ())
    keep(table, state.freeze())
    table.save()
    board = read_record(four[0], four[0]).games[2].board
    assert (board.ours, board.theirs, board.books) == (("clean", "dirty", "open"), (), (2, 0))


def test_the_record_is_for_those_whom_the_player_names(four, person):
    ann, ben, *_ = four
    eve = person("Eve")
    friends.ask(ann, "ben")
    friends.accept(ben, "ann")
    shown = {}
    for readers in User.Readers.values:
        ann.record_for = readers
        shown[readers] = [player_record.is_shown(ann, reader) for reader in (ann, ben, eve)]
    assert shown == {"nobody": [True, False, False], "friends": [True, True, False], "anyone": [True, True, True]}


def test_the_record_takes_as_many_queries_for_three_matches_as_for_one(matches, four):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            read_record(four[0], four[0])
        return len(captured)

    three = queries()
    Table.objects.exclude(pk=matches[0].pk).update(is_practice=True)
    assert queries() == three == 4
