"""Orders for the next turn, and a bot for a while: when they act, when they fall, and that nobody else can tell."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.play.cards import FOUR, parse_cards
from engine.play.moves import DRAW
from engine.play.state import put
from engine.play.view import view
from gameplay.models import Move, Table
from gameplay.services import bots
from gameplay.snapshot import keep, state_of
from gameplay.standing_orders import services as service
from gameplay.standing_orders.choice import imagined, move_for
from gameplay.standing_orders.orders import Standing, read_standing
from gameplay.standing_orders.sentences import preview, sentences
from tests.gameplay.test_hidden_cards import NOW, answers, doors
from tests.gameplay.test_standing_orders import hand, set_position
from tests.turns import play_bots, play_turn
from web.errors import Refused

KINGS, NINES, FOUR_OF_CLUBS = 11, 7, FOUR * 4
HAND = "Kc Kd 2c 4c 5d 6h 7s 8c 9d Tc Jd"


@pytest.fixture
def turn(seated):
    """A table, the seat to act holding two kings and a wild card, opened, with this pile."""

    def make(pile="Kh 9c 4d 5s 6c 8h", cards=HAND, **changes):
        table = seated()
        number = table.seat_to_act
        opened = tuple(index == number % 2 for index in range(2))
        set_position(
            table,
            hands=hand(table, number, cards),
            pile=parse_cards(pile),
            opened=opened,
            stock=parse_cards("3s Qh") * 30,
            **changes,
        )
        return table

    return make


def actor(table):
    return table.seats.get(number=table.seat_to_act)


def log(table):
    return list(table.moves.values_list("text", "by"))


@pytest.mark.parametrize(
    ("data", "stored"),
    [
        ({"take": ["9", "K"], "take_least": "5"}, {"take": ["9", "K"], "take_least": 5}),
        ({"take": "K", "take_wild": "on"}, {"take": ["K"], "take_wild": True}),
        ({"take_least": "5", "take_wild": "on"}, {}),
        ({"discard": ["4c", "", "Kd"]}, {"discard": ["4c", "Kd"]}),
        ({"discard": ["4c", "4c"]}, {"discard": ["4c"]}),
        ({"bot": "turn", "until": "2026-13-01"}, {"bot": "turn"}),
        ({"bot": "deal"}, {"bot": "deal"}),
    ],
)
def test_orders_are_read_and_stored(data, stored):
    assert read_standing(data).to_json() == stored
    assert read_standing(stored).to_json() == stored


@pytest.mark.parametrize(
    "data",
    [
        {"take": ["2"]},
        {"take": ["K", "K"]},
        {"take": ["kings"]},
        {"take": [7]},
        {"take": ["K"], "take_least": "0"},
        {"take": ["K"], "take_least": 201},
        {"discard": ["4c", "5c", "6c"]},
        {"discard": ["??"]},
        {"discard": [4]},
        {"bot": "ever"},
        {"bot": "day"},
    ],
)
def test_orders_without_sense_are_refused(data):
    with pytest.raises(Refused):
        read_standing(data)


def test_a_day_ends_by_the_players_own_clock(seated, person):
    table = seated()
    seat = actor(table)
    seat.user.time_zone = "America/New_York"
    seat.user.save(update_fields=["time_zone"])
    now = timezone.now().replace(2026, 3, 7, 12)
    service.set_standing(table.pk, seat.user, {"bot": "day", "until": "2026-03-08"}, now=now)
    seat.refresh_from_db()
    # The clocks go forward that night: the day ends 4 hours after midnight in UTC.
    assert seat.standing == {"bot": "day", "until": "2026-03-09T04:00:00+00:00"}


@pytest.mark.parametrize("day", ["2026-03-06", "2026-03-22", "soon", ""])
def test_a_day_too_far_away_is_refused(seated, refuses, day):
    table, now = seated(), timezone.now().replace(2026, 3, 7, 12)
    with refuses("bad_standing"):
        service.set_standing(table.pk, actor(table).user, {"bot": "day", "until": day}, now=now)


@pytest.mark.parametrize(
    ("pile", "standing", "move"),
    [
        ("Kh 9c 4d 5s 6c 8h", Standing(take=(KINGS,)), "take Kc Kd"),
        ("Kh 9c 4d 5s 6c 8h", Standing(take=(NINES,)), None),
        ("Kh 9c 4d 5s 6c 8h", Standing(take=(KINGS,), take_least=6), "take Kc Kd"),
        ("Kh 9c 4d 5s 6c 8h", Standing(take=(KINGS,), take_least=7), None),
        ("Kh 9c 4d 5s 6c 8h", Standing(take=(NINES,), draw=True), None),
        ("9h 9c 4d 5s 6c 8h", Standing(take=(KINGS, NINES), discard=(FOUR_OF_CLUBS,)), "draw"),
        ("3s Kh 9c", Standing(take=(KINGS,), discard=(FOUR_OF_CLUBS,)), "draw"),
        ("Kh 9c 4d 5s 6c 8h", Standing(discard=(FOUR_OF_CLUBS,)), None),
    ],
)
def test_an_order_takes_or_draws_as_it_says(turn, pile, standing, move):
    table = turn(pile)
    choice = move_for(view(state_of(table), table.seat_to_act), standing)
    assert (None if choice is None else str(choice)) == move


def test_a_pile_is_taken_by_order_and_the_rest_of_the_turn_is_the_players(turn):
    table = turn()
    seat = actor(table)
    service.set_standing(table.pk, seat.user, {"take": ["K"], "discard": ["4c"]})
    play_bots(table.pk)
    assert log(table) == [("take Kc Kd", Move.By.STANDING)]
    table.refresh_from_db()
    assert (table.seat_to_act, table.bot_due_at) == (seat.number, None)


def test_a_draw_and_its_discard_are_two_acts_with_time_between_them(turn):
    table = turn("3s")
    seat = actor(table)
    service.set_standing(table.pk, seat.user, {"discard": ["4c"]})
    assert service.carry_out(table.pk)
    assert log(table) == [("draw", Move.By.STANDING)]
    table.refresh_from_db()
    assert table.bot_due_at > table.moves.get().at + timedelta(seconds=1)
    assert service.carry_out(table.pk)
    assert log(table)[1:] == [("discard 4c", Move.By.STANDING)]
    table.refresh_from_db()
    assert table.seat_to_act == (seat.number + 1) % 4
    seat.refresh_from_db()
    assert seat.standing == {}


def test_a_drawn_card_that_can_be_melded_drops_the_discard(turn):
    table = turn("3s", cards="Qc Qd 4c 5d 6h 7s 8c 9d Tc Jd")
    seat = actor(table)
    service.set_standing(table.pk, seat.user, {"discard": ["4c"], "answer": "no"})
    play_bots(table.pk)
    assert log(table) == [("draw", Move.By.STANDING)]
    seat.refresh_from_db()
    table.refresh_from_db()
    assert (seat.standing, table.seat_to_act, table.bot_due_at) == ({"answer": "no"}, seat.number, None)


def test_the_second_card_is_discarded_if_the_first_is_gone(turn):
    table = turn("3s")
    seat = actor(table)
    service.set_standing(table.pk, seat.user, {"discard": ["4c", "5d"]})
    service.carry_out(table.pk)
    draft = state_of(table := Table.objects.get(pk=table.pk)).draft()
    held = draft.hands[seat.number]
    draft.hands = put(draft.hands, seat.number, held.replace(bytes([FOUR_OF_CLUBS]), b""))
    keep(table, draft.freeze())
    table.save()
    service.carry_out(table.pk)
    assert log(table)[-1] == ("discard 5d", Move.By.STANDING)


def test_what_the_player_drew_is_not_discarded_for_them(turn):
    table = turn("3s")
    seat = actor(table)
    service.set_standing(table.pk, seat.user, {"discard": ["4c"]})
    play_turn(table, seat.user, moves=[DRAW])
    play_bots(table.pk)
    assert log(table) == [("draw", Move.By.PLAYER)]


def test_orders_for_the_next_turn_end_with_it(turn):
    table = turn()
    seat = actor(table)
    other = table.seats.get(number=(seat.number + 1) % 4)
    data = {"take": ["9"], "draw": True}
    for each in (seat, other):
        service.set_standing(table.pk, each.user, data)
    play_turn(table, seat.user)
    seat.refresh_from_db()
    other.refresh_from_db()
    assert seat.standing == {"draw": True}
    assert other.standing == {"take": ["9"], "draw": True}


def test_an_order_for_a_turn_that_has_started_is_refused(turn, refuses):
    table = turn("3s")
    seat = actor(table)
    play_turn(table, seat.user, moves=[DRAW])
    with refuses("too_late"):
        service.set_standing(table.pk, seat.user, {"discard": ["4c"]})


def test_a_card_of_others_cannot_be_asked_for(turn, refuses):
    table = turn()
    with refuses("not_in_hand"):
        service.set_standing(table.pk, actor(table).user, {"discard": ["As"]})
    assert actor(table).standing == {}


def test_a_bot_plays_until_the_player_moves(seated):
    table = seated()
    seat = actor(table)
    service.set_standing(table.pk, seat.user, {"bot": "deal", "answer": "yes"})
    play_bots(table.pk)
    table.refresh_from_db()
    assert table.seat_to_act != seat.number
    assert set(table.moves.values_list("seat", "by")) == {(seat.number, Move.By.STAND_IN)}
    seat.refresh_from_db()
    assert (seat.standing, seat.missed_in_a_row, seat.turns_missed) == ({"bot": "deal", "answer": "yes"}, 0, 0)
    while table.seat_to_act != seat.number:
        play_turn(table, actor(table).user)
        table.refresh_from_db()
    play_turn(table, seat.user)
    seat.refresh_from_db()
    assert seat.standing == {"answer": "yes"}


def test_a_bot_for_one_turn_plays_one(seated):
    table = seated()
    seat = actor(table)
    service.set_standing(table.pk, seat.user, {"bot": "turn"})
    play_bots(table.pk)
    seat.refresh_from_db()
    assert seat.standing == {}
    assert table.moves.exists()


def test_a_bot_whose_day_is_over_does_not_play(seated):
    table = seated()
    seat = actor(table)
    now = timezone.now()
    service.set_standing(table.pk, seat.user, {"bot": "day", "until": now.date().isoformat()}, now=now)
    play_bots_later = now + timedelta(days=2)
    assert bots.act(table.pk, play_bots_later) is False
    assert not table.moves.exists()


def test_where_a_missed_turn_loses_no_bot_plays(seated, refuses):
    table = seated(missed=Table.Missed.FORFEIT)
    with refuses("no_bot_here"):
        service.set_standing(table.pk, actor(table).user, {"bot": "turn"})


def test_a_player_reads_the_orders_and_what_they_would_do_now(turn):
    table = turn()
    standing = Standing(take=(NINES, KINGS), take_least=5, discard=(FOUR_OF_CLUBS, 0))
    assert sentences(standing) == [
        "Next turn: if the top card is one of the nines or kings and you can take the pile, you take it.",
        "Not if it has fewer than 5 cards.",
        "Not if you would need a wild card.",
        "Next turn: if you cannot take the pile, you draw and discard the 4 of clubs.",
        "If that is not possible, the 2 of clubs.",
        "If you can meld a card that you draw, we wait for you.",
    ]
    seen = view(state_of(table), table.seat_to_act)
    assert preview(seen, standing) == "If it were your turn now: Take the pile with two Ks."
    assert preview(seen, Standing(take=(NINES,))) == "If it were your turn now, we would wait for you."
    assert preview(seen, Standing(bot="deal")) == "If it were your turn now, a bot would play it."
    assert imagined(view(state_of(table), (table.seat_to_act + 1) % 4)).legal_moves()


def test_a_preview_saves_nothing(turn, client):
    table = turn()
    seat = actor(table)
    client.force_login(seat.user)
    address = reverse("gameplay:standing", args=[table.slug])
    page = client.post(address, {"take": ["K"], "discard": ["4c", ""], "do": "preview"}).content.decode()
    assert "Preview: not saved yet" in page
    assert "If it were your turn now: Take the pile with two Ks." in page
    seat.refresh_from_db()
    assert seat.standing == {}
    client.post(address, {"take": ["K", "9"], "discard": ["", ""]})
    seat.refresh_from_db()
    assert seat.standing == {"take": ["9", "K"]}


# What others can tell


def seen_by(table, reader):
    """All that a reader can fetch of a table, as pages, parts and by a program."""
    client = Client()
    client.force_login(reader)
    return answers(client, [("get", door, None) for door in doors(table) if table.slug in door])


def other_player(table):
    return table.seats.get(number=(table.seat_to_act + 2) % 4).user


@pytest.mark.parametrize("data", [{"take": ["K"], "discard": ["4c"], "bot": "deal"}, {"answer": "yes", "draw": True}])
def test_setting_orders_changes_nothing_for_others(turn, data):
    with time_machine.travel(NOW, tick=False):
        table = turn()
        seat, reader = actor(table), other_player(table)
        before = seen_by(table, reader)
        service.set_standing(table.pk, seat.user, data)
        assert seen_by(table, reader) == before
        service.set_standing(table.pk, seat.user, {})
        assert seen_by(table, reader) == before


def test_a_move_by_order_looks_to_others_like_one_of_the_player(turn):
    with time_machine.travel(NOW, tick=False):
        table = turn("3s")
        seat, reader = actor(table), other_player(table)
        service.set_standing(table.pk, seat.user, {"discard": ["4c"]})
        play_bots(table.pk)
        theirs, players = seen_by(table, reader), seen_by(table, seat.user)
        assert table.moves.filter(by=Move.By.STANDING).update(by=Move.By.PLAYER) == 2
        assert seen_by(table, reader) == theirs
        assert seen_by(table, seat.user) != players


def test_an_order_waits_as_long_as_a_player_might(seated):
    table = seated()
    follower = table.seats.get(number=(table.seat_to_act + 1) % 4)
    service.set_standing(table.pk, follower.user, {"draw": True})
    play_turn(table, actor(table).user)
    table.refresh_from_db()
    wait = table.bot_due_at - table.moves.last().at
    assert timedelta(seconds=2) <= wait <= timedelta(seconds=8)


def test_two_workers_at_once_carry_an_order_out_once(turn):
    table = turn()
    service.set_standing(table.pk, actor(table).user, {"take": ["K"]})
    assert [service.carry_out(table.pk) for _ in range(2)] == [True, False]
    assert table.moves.count() == 1
