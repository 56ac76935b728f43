import pytest

from engine.play.moves import DRAW
from gameplay.models import Deal, Move, Table
from gameplay.services import play
from gameplay.services.match_play import MoveRefused
from gameplay.snapshot import state_of, view_of
from web.errors import NotAllowed


def leader(table):
    return table.seats.get(number=table.seat_to_act).user


def test_a_match_is_played_to_its_score(seated, driver):
    table = driver.until(seated(), lambda table: table.status == Table.Status.OVER)
    assert table.result["reason"] == "played"
    assert Move.objects.filter(table=table).count() == table.move_count
    deals = list(Deal.objects.filter(table=table))
    assert [deal.number for deal in deals] == [1, 2, 3, 4]
    assert deals[-1].result["totals"] == table.result["totals"]
    assert table.deadline_at is table.seat_to_act is table.bot_due_at is None


def test_the_same_request_twice_is_done_once(seated):
    table = seated()
    user = leader(table)
    for _ in range(2):
        play.play(table.pk, user, [DRAW], seen=0, request_key="once")
    assert list(table.moves.values_list("number", "text", "request_key")) == [(1, "draw", "once")]


def test_a_stale_page_is_refused_and_changes_nothing(seated):
    table = seated()
    user = leader(table)
    play.play(table.pk, user, [DRAW], seen=0, request_key="first")
    before = Table.objects.filter(pk=table.pk).values().get()
    with pytest.raises(play.StalePage) as refused:
        play.play(table.pk, user, [DRAW], seen=0, request_key="second")
    assert refused.value.details == {"move_count": 1}
    assert Table.objects.filter(pk=table.pk).values().get() == before


def test_what_the_engine_refuses_comes_with_its_sentence_and_undoes_the_whole_act(seated):
    table = seated()
    user = leader(table)
    play.play(table.pk, user, [DRAW], seen=0)
    table.refresh_from_db()
    discard = next(move for move in view_of(table, table.seat_to_act).legal_moves() if move.kind == "discard")
    with pytest.raises(MoveRefused) as refused:
        play.play(table.pk, user, [discard, DRAW], seen=1)
    assert refused.value.index == 1
    assert refused.value.code == "not_your_turn"
    table.refresh_from_db()
    assert table.move_count == 1
    assert state_of(table).phase == "play"


def test_who_is_not_to_act_is_told_so(seated):
    table = seated()
    other = table.seats.exclude(number=table.seat_to_act).first().user
    with pytest.raises(MoveRefused) as refused:
        play.play(table.pk, other, [DRAW], seen=0)
    assert refused.value.code == "not_your_turn"


def test_a_stranger_cannot_play(seated, person):
    with pytest.raises(NotAllowed):
        play.play(seated().pk, person("Eve"), [DRAW], seen=0)


def test_the_turn_goes_round(seated, driver):
    table = seated()
    first = table.seat_to_act
    driver.until(table, lambda table: table.seat_to_act != first)
    assert table.seat_to_act == (first + 1) % 4
    assert table.clock_started_at is not None
    assert table.deadline_at is not None
    assert view_of(table, first).hand != b""
