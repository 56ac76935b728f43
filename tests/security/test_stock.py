"""No way to learn the stock or a foot early: not by moves that are refused, undone, interrupted or repeated.

That pages, reloading and reconnecting show nothing of them is tested in `tests/gameplay/test_hidden_cards.py`, and
that the work of an answer tells nothing in `test_the_same_work.py`.
"""

from contextlib import contextmanager

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from engine.play.cards import NAMES, parse_cards
from engine.play.moves import DRAW, parse_move
from engine.play.position import write_position
from gameplay.models import Move, Table
from gameplay.page.markup import sentence
from gameplay.services import match_play, play
from gameplay.snapshot import state_of, view_of
from tests.gameplay.test_hidden_cards import NOW, another_world, answer

pytestmark = pytest.mark.django_db

CARDS = sorted(set(NAMES) - {"??"})


def mover(table):
    table.refresh_from_db()
    return table.seats.get(number=table.seat_to_act).user


@pytest.fixture
def sitting(seated):
    """A table, and a browser of the player who draws next."""
    table = seated(watching="anybody")
    client = Client()
    client.force_login(mover(table))
    return table, client


def guesses(table, first):
    """Actions that start with a move and continue with cards that the player may have after it."""
    url = reverse("gameplay:move", args=[table.slug])
    then = [f"discard {card}" for card in CARDS] + ["meld 5c 5d 5h", "end", "undo"]
    return [(url, {"moves": f"{first}; {more}", "seen": table.move_count}) for more in then]


def same_in_other_worlds(table, client, acts):
    """Assert that each action is refused in the same words for any hidden cards, and does nothing."""
    table.refresh_from_db()
    before, count = Table.objects.filter(pk=table.pk).values().get(), Move.objects.count()
    for url, data in acts:
        here = answer(client, "post", url, data)
        with another_world(table, table.seat_to_act, seed=data["moves"]):
            there = answer(client, "post", url, data)
        assert here == there, data
        assert here[0] == 422, data
    assert (Table.objects.filter(pk=table.pk).values().get(), Move.objects.count()) == (before, count)


def test_what_follows_a_draw_in_one_act_tells_nothing_of_the_cards_drawn(sitting):
    table, client = sitting
    with time_machine.travel(NOW, tick=False):
        same_in_other_worlds(table, client, guesses(table, "draw"))


def test_the_other_worlds_do_hold_other_cards(sitting):
    """Proof that the test above can fail: without the rule, the cards drawn decide what may follow."""
    table, _ = sitting
    user, happened = mover(table), set()
    for seed in range(5):
        with another_world(table, table.seat_to_act, seed=seed):
            play.play(table.pk, user, [DRAW], seen=0)
            happened.add(str(Move.objects.get(table=table).events))
    assert len(happened) > 1


@contextmanager
def rules_that_refuse_nothing_after_new_cards(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(match_play, "SHOWING", frozenset())
        yield


def test_without_that_rule_the_stock_could_be_asked_for(sitting, monkeypatch):
    table, client = sitting
    with (
        time_machine.travel(NOW, tick=False),
        rules_that_refuse_nothing_after_new_cards(monkeypatch),
        pytest.raises(AssertionError),
    ):
        same_in_other_worlds(table, client, guesses(table, "draw"))


def before_the_foot(table):
    """The mover holds three queens, has opened, and picks up the foot by melding them; the move."""
    table.refresh_from_db()
    state = state_of(table)
    draft, seat = state.draft(), table.seat_to_act
    team = seat % state.teams
    draft.phase = "play"
    draft.hands = tuple(parse_cards("Qc Qd Qh") if number == seat else hand for number, hand in enumerate(draft.hands))
    draft.opened = tuple(number == team or has for number, has in enumerate(draft.opened))
    draft.melds = tuple([() for _ in draft.melds])
    Table.objects.filter(pk=table.pk).update(snapshot=write_position(draft.freeze()))
    return "meld Qc Qd Qh"


def test_what_follows_the_foot_in_one_act_tells_nothing_of_its_cards(sitting):
    table, client = sitting
    move = before_the_foot(table)
    with time_machine.travel(NOW, tick=False):
        same_in_other_worlds(table, client, guesses(table, move))
    play.play(table.pk, mover(table), [parse_move(move)], seen=0)
    assert "foot_picked_up" in str(Move.objects.get(table=table).events), "else this says nothing of a foot"


def test_by_program_it_is_the_same(sitting):
    table, client = sitting
    url = f"/api/v1/tables/{table.slug}/moves/"
    for card in CARDS[::9]:
        sent = {"moves": ["draw", f"discard {card}"], "seen": 0}
        refused = client.post(url, sent, content_type="application/json")
        answer = refused.json()
        assert (refused.status_code, answer["code"], answer["move"]) == (422, "look_first", 1)
        assert card not in answer["sentence"].split()
    assert not Move.objects.exists()


def test_the_refusal_says_what_to_do(sitting):
    table, client = sitting
    url, data = guesses(table, "draw")[0]
    assert sentence("That shows you new cards. Look at them before you continue.") in client.post(url, data).text


def test_what_was_drawn_cannot_be_put_back(sitting):
    table, client = sitting
    user = mover(table)
    play.play(table.pk, user, [DRAW], seen=0)
    hand = state_of(Table.objects.get(pk=table.pk)).hands[table.seat_to_act]
    for text in ("undo", "undo; draw", "draw"):
        url = reverse("gameplay:move", args=[table.slug])
        assert client.post(url, {"moves": text, "seen": 1}).status_code == 422
    table.refresh_from_db()
    assert table.move_count == 1
    assert state_of(table).hands[table.seat_to_act] == hand


def test_who_picked_up_the_foot_cannot_put_it_back(sitting):
    table, client = sitting
    move = before_the_foot(table)
    play.play(table.pk, mover(table), [parse_move(move)], seen=0)
    assert "undo" not in [
        each.kind for each in view_of(Table.objects.get(pk=table.pk), table.seat_to_act).legal_moves()
    ]
    refused = client.post(reverse("gameplay:move", args=[table.slug]), {"moves": "undo", "seen": 1})
    assert refused.status_code == 422
    assert Move.objects.count() == 1


def drawn(table):
    return [event["cards"] for move in Move.objects.filter(table=table) for event in move.events if "cards" in event]


def test_a_draw_that_broke_off_draws_the_same_cards_again(sitting, monkeypatch):
    table, client = sitting
    url, client.raise_request_exception = reverse("gameplay:move", args=[table.slug]), False
    stock = state_of(table).stock
    with monkeypatch.context() as patch:
        patch.setattr(match_play, "save", lambda sitting: 1 / 0)
        for _ in range(2):
            broken = client.post(url, {"moves": "draw", "seen": 0, "key": "one"})
            assert broken.status_code == 500
    table.refresh_from_db()
    assert (table.move_count, state_of(table).stock) == (0, stock)
    assert client.post(url, {"moves": "draw", "seen": 0, "key": "one"}).status_code == 302
    first = drawn(table)
    Move.objects.all().delete()
    table.save()
    assert client.post(url, {"moves": "draw", "seen": 0, "key": "two"}).status_code == 302
    assert drawn(table) == first != []


def test_sent_again_after_the_answer_was_lost_it_draws_nothing_more(sitting):
    table, client = sitting
    url = reverse("gameplay:move", args=[table.slug])
    sent = {"moves": "draw", "seen": 0, "key": "one"}
    texts = [client.post(url, sent, headers={"HX-Request": "true"}).text for _ in range(2)]
    assert Move.objects.count() == 1
    hand = view_of(Table.objects.get(pk=table.pk), table.seat_to_act)
    assert all("data-card" in text for text in texts)
    assert len(hand.position.hands[table.seat_to_act]) == len(state_of(table).hands[table.seat_to_act]) + 2
