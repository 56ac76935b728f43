"""Standing answers and orders: allowed orders, and that they are done at once, from the player’s own view."""

import pytest

from engine.play.cards import parse_cards
from engine.play.moves import ASK, DRAW, NO, YES
from engine.play.view import view
from gameplay.models import Move
from gameplay.snapshot import keep, state_of
from gameplay.standing_orders import services as service
from gameplay.standing_orders.choice import move_for
from gameplay.standing_orders.orders import Standing, read_standing
from gameplay.standing_orders.sentences import sentences
from tests.turns import play_bots, play_turn
from web.errors import NotAllowed, Refused


@pytest.mark.parametrize(
    ("data", "read", "stored"),
    [
        ({}, Standing(), {}),
        ({"answer": "yes"}, Standing("yes"), {"answer": "yes"}),
        ({"answer": "no", "points": "7"}, Standing("no"), {"answer": "no"}),
        ({"answer": "points", "points": "50"}, Standing("points", 50), {"answer": "points", "points": 50}),
        ({"draw": "on"}, Standing(draw=True), {"draw": True}),
        ({"answer": "", "draw": "no"}, Standing(), {}),
    ],
)
def test_what_is_said_is_read_and_kept(data, read, stored):
    assert read_standing(data) == read
    assert read.to_json() == stored
    assert read_standing(stored) == read


@pytest.mark.parametrize(
    "data",
    [
        {"answer": "perhaps"},
        {"answer": ["yes"]},
        {"answer": "points", "points": "-1"},
        {"answer": "points", "points": "fifty"},
        {"answer": "points", "points": 2001},
        {"answer": "points", "points": 1.5},
    ],
)
def test_nonsense_is_refused(data):
    with pytest.raises(Refused):
        read_standing(data)


def test_a_player_reads_what_will_be_done():
    assert sentences(Standing()) == []
    assert sentences(Standing("points", 50, draw=True)) == [
        "If your partner asks to go out, you say yes if you have 50 points or fewer in hand.",
        "If you cannot take the pile, you draw.",
    ]


def set_position(table, **changes):
    """Change the position as a test needs it, by field."""
    draft = state_of(table).draft()
    for name, value in changes.items():
        setattr(draft, name, value)
    keep(table, draft.freeze())
    table.save()


def hand(table, number, cards):
    return tuple(parse_cards(cards) if seat == number else held for seat, held in enumerate(state_of(table).hands))


@pytest.fixture
def drawing(seated):
    """A table, the seat to act holding two kings and more, with this pile."""

    def make(pile):
        table = seated()
        hands = hand(table, table.seat_to_act, "Kc Kd 4c 5d 6h 7s 8c 9d Tc Jd Qs")
        team = table.seat_to_act % 2
        opened = tuple(index == team for index in range(2))
        set_position(table, hands=hands, pile=parse_cards(pile), opened=opened)
        return table

    return make


def test_who_cannot_take_the_pile_draws(drawing):
    table = drawing("3s Kh 9c")
    user = table.seats.get(number=table.seat_to_act).user
    service.set_standing(table.pk, user, {"draw": True})
    play_bots(table.pk)
    assert list(table.moves.values_list("text", "by")) == [("draw", Move.By.STANDING)]
    table.refresh_from_db()
    assert table.bot_due_at is None
    assert table.deadline_at is not None


def test_who_can_take_the_pile_decides_alone(drawing):
    table = drawing("Kh 9c 4d 5s 6c 8h")
    user = table.seats.get(number=table.seat_to_act).user
    version = service.set_standing(table.pk, user, {"draw": True}).table.version
    play_bots(table.pk)
    assert table.moves.count() == 0
    table.refresh_from_db()
    assert (table.bot_due_at, table.version) == (None, version)


def test_an_order_is_carried_out_when_the_turn_comes(seated):
    table = seated()
    first = table.seat_to_act
    follower = table.seats.get(number=(first + 1) % 4)
    service.set_standing(table.pk, follower.user, {"draw": True})
    assert table.bot_due_at is None
    play_turn(table, table.seats.get(number=first).user)
    table.refresh_from_db()
    assert table.bot_due_at is not None
    set_position(table, pile=parse_cards("3s"))
    for _ in range(2):
        play_bots(table.pk)
    last = table.moves.last()
    assert (last.seat, last.text, last.by) == (follower.number, "draw", Move.By.STANDING)
    assert table.moves.filter(by=Move.By.STANDING).count() == 1


@pytest.mark.parametrize(
    ("standing", "cards", "answer"),
    [
        ({"answer": "yes"}, "Kc Kd", YES),
        ({"answer": "no"}, "Kc Kd", NO),
        ({"answer": "points", "points": 20}, "Kc Kd", YES),
        ({"answer": "points", "points": 19}, "Kc Kd", None),
        ({}, "Kc Kd", None),
        ({"draw": True}, "Kc Kd", None),
    ],
)
def test_a_question_is_answered_as_said(seated, standing, cards, answer):
    table = seated()
    asker, partner = table.seat_to_act, (table.seat_to_act + 2) % 4
    set_position(table, feet=(None,) * 4, hands=hand(table, partner, cards))
    service.set_standing(table.pk, table.seats.get(number=partner).user, standing)
    play_turn(table, table.seats.get(number=asker).user, moves=[DRAW, ASK])
    play_bots(table.pk)
    table.refresh_from_db()
    if answer is None:
        assert table.moves.count() == 2
        assert table.seat_to_act == partner
    else:
        last = table.moves.last()
        assert (last.seat, last.by, last.text) == (partner, Move.By.STANDING, str(answer))
        assert table.seat_to_act == asker


def test_a_foot_that_nobody_has_seen_is_not_counted_as_nothing(seated):
    table = seated()
    asker, partner = table.seat_to_act, (table.seat_to_act + 2) % 4
    feet = tuple(None if seat == asker else foot for seat, foot in enumerate(state_of(table).feet))
    set_position(table, feet=feet, hands=hand(table, partner, "4c"), phase="answer")
    assert move_for(view(state_of(table), partner), Standing("points", 500)) is None
    assert move_for(view(state_of(table), partner), Standing("yes")) == YES


def test_a_stranger_has_nothing_to_say(seated, person):
    with pytest.raises(NotAllowed):
        service.set_standing(seated().pk, person("Eve"), {"draw": True})


def test_an_empty_form_takes_everything_back(seated):
    table = seated()
    seat = table.seats.get(number=table.seat_to_act)
    service.set_standing(table.pk, seat.user, {"answer": "yes"})
    service.set_standing(table.pk, seat.user, {})
    seat.refresh_from_db()
    assert seat.standing == {}
