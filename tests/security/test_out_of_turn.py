"""Only the player to act plays, by the rules: tried at random, over pages and the API.

Each step plays by the book or attempts something illegal, which must be refused and change no row of the table.
"""

import hashlib
import json

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from engine.play.cards import NAMES, write_cards
from engine.play.moves import write_move
from gameplay.models import Deal, Happening, Move, Seat, Table
from gameplay.services import pauses
from gameplay.snapshot import state_of, view_of

pytestmark = pytest.mark.django_db

REFUSED = {"page": {403, 409, 422}, "api": {400, 403, 409, 422}}


def fingerprint(table):
    """Everything that is stored of a table."""
    rows = [Table.objects.filter(pk=table.pk)]
    rows += [model.objects.filter(table=table).order_by("pk") for model in (Seat, Deal, Move, Happening)]
    return hashlib.sha256(repr([list(row.values()) for row in rows]).encode()).hexdigest()


def sender(user):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def send(door, client, table, moves, version, key=None):
    """Post moves through a door; the status."""
    if door == "page":
        data = {"moves": "\n".join(moves), "seen": version, "key": key or ""}
        return client.post(f"/tables/{table.slug}/move/", data, headers={"HX-Request": "true"}).status_code
    body = json.dumps({"moves": moves, "seen": version, **({"key": key} if key else {})})
    return client.post(f"/api/v1/tables/{table.slug}/moves/", body, content_type="application/json").status_code


seats = st.integers(0, 3)
doors = st.sampled_from(["page", "api"])
cards = st.lists(st.sampled_from(NAMES[:54]), min_size=1, max_size=4).map(" ".join)
words = st.one_of(
    st.sampled_from(["draw", "end", "undo", "ask", "wilds", "peek", "answer yes", "answer no", "keep 1", "grab 26"]),
    cards.map(lambda cards: f"discard {cards[:2]}"),
    cards.map(lambda cards: f"meld {cards}"),
    cards.map(lambda cards: f"take {cards}"),
)


class Players(RuleBasedStateMachine):
    """A table, its four players, a spectator, and nobody."""

    seated = driver = stranger = None
    """Set by the test, which has the fixtures."""

    def __init__(self):
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.table = type(self).seated(watching="anybody", begun=False)
        self.users = [seat.user for seat in self.table.seats.select_related("user")]
        self.clients = [sender(user) for user in self.users]
        self.others = [sender(type(self).stranger), sender(None)]
        self.before = fingerprint(self.table)

    def teardown(self):
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    @property
    def is_playing(self):
        return self.table.status == "playing" and self.table.paused_at is None

    def refused(self, door, status):
        assert status in REFUSED[door]

    def accepted(self):
        self.table.refresh_from_db()
        self.before = fingerprint(self.table)

    @invariant()
    def nothing_changed_but_by_the_book(self):
        assert fingerprint(self.table) == self.before

    @precondition(lambda self: self.table.status == "gathering")
    @rule()
    def begin(self):
        from gameplay.services import tables

        tables.start(self.table.pk, self.users[0])
        self.accepted()

    @precondition(lambda self: self.is_playing)
    @rule(count=st.integers(1, 6))
    def play_on(self, count):
        for _ in range(count):
            if self.table.seat_to_act is not None:
                type(self).driver.act(self.table)
        self.accepted()

    @precondition(lambda self: self.is_playing)
    @rule(step=st.integers(1, 3), door=doors, data=st.data())
    def a_player_who_is_not_to_act_makes_the_other_s_move(self, step, door, data):
        actor = self.table.seat_to_act
        move = write_move(data.draw(st.sampled_from(view_of(self.table, actor).legal_moves())))
        client = self.clients[(actor + step) % 4]
        self.refused(door, send(door, client, self.table, [move], self.table.move_count, "key"))

    @precondition(lambda self: self.is_playing)
    @rule(door=doors, data=st.data())
    def whoever_is_to_act_plays_a_card_that_another_holds(self, door, data):
        state, actor = state_of(self.table), self.table.seat_to_act
        held = {card for seat in range(4) for card in state.hands[seat] if seat != actor} - set(state.hands[actor])
        card = data.draw(st.sampled_from(sorted(held)))
        move = data.draw(st.sampled_from([f"discard {NAMES[card]}", f"meld {write_cards([card] * 3)}"]))
        self.refused(door, send(door, self.clients[actor], self.table, [move], self.table.move_count))

    @precondition(lambda self: self.is_playing)
    @rule(door=doors, text=words)
    def whoever_is_to_act_does_what_is_not_allowed_now(self, door, text):
        from engine.errors import BadInput
        from engine.play.moves import parse_move

        actor = self.table.seat_to_act
        try:
            if view_of(self.table, actor).why_not(parse_move(text)) is None:
                return
        except BadInput:
            pass
        self.refused(door, send(door, self.clients[actor], self.table, [text], self.table.move_count))

    @precondition(lambda self: self.is_playing and self.table.move_count > 0)
    @rule(door=doors, behind=st.integers(1, 5), data=st.data())
    def a_page_that_is_older_or_from_the_future(self, door, behind, data):
        version = data.draw(st.sampled_from([max(0, self.table.move_count - behind), self.table.move_count + behind]))
        move = write_move(view_of(self.table, self.table.seat_to_act).legal_moves()[0])
        assert send(door, self.clients[self.table.seat_to_act], self.table, [move], version) == 409

    @precondition(lambda self: not self.is_playing)
    @rule(door=doors, seat=seats, text=words)
    def a_player_moves_before_the_start_in_a_pause_or_after_the_end(self, door, seat, text):
        self.refused(door, send(door, self.clients[seat], self.table, [text], self.table.move_count))

    @rule(door=doors, which=st.integers(0, 1), text=words)
    def somebody_without_a_seat_moves(self, door, which, text):
        status = send(door, self.others[which], self.table, [text], self.table.move_count)
        assert status in {400, 403, 422} | ({401} if door == "api" else set())

    @rule(seat=seats, deal=st.integers(0, 3))
    def a_player_wants_a_next_deal_that_is_not_due(self, seat, deal):
        self.clients[seat].post(f"/tables/{self.table.slug}/next-deal/", {"deal": deal})

    @precondition(lambda self: self.is_playing)
    @rule(end=st.booleans())
    def all_pause_or_end_the_match(self, end):
        ask, agree = (pauses.offer_abandon, pauses.agree_abandon) if end else (pauses.propose_pause, pauses.agree_pause)
        ask(self.table.pk, self.users[0])
        for user in self.users[1:]:
            agree(self.table.pk, user)
        self.accepted()

    @precondition(lambda self: self.table.paused_at is not None)
    @rule()
    def go_on(self):
        pauses.resume(self.table.pk, self.users[1])
        self.accepted()


@pytest.mark.slow
def test_what_is_not_allowed_is_refused_and_changes_nothing(seated, driver, person, four, monkeypatch):
    # The same deal each time, so that what was found once is found again.
    monkeypatch.setattr("gameplay.services.match_play.new_key", lambda: bytes(range(32)))
    Players.seated, Players.driver, Players.stranger = staticmethod(seated), driver, person("Eve")
    tries = settings(max_examples=12, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(Players, settings=tries)


def test_the_answer_to_a_request_that_came_twice_is_for_who_sent_it(seated):
    table = seated()
    clients = [sender(seat.user) for seat in table.seats.select_related("user")]
    actor = table.seat_to_act
    form = {"moves": "draw", "seen": 0, "key": "one"}
    url = f"/tables/{table.slug}/move/"
    first = clients[actor].post(url, form)
    after = fingerprint(table)
    repeated = clients[actor].post(url, form)
    assert (repeated.status_code, repeated.url, repeated.content) == (first.status_code, first.url, first.content)
    assert fingerprint(table) == after
    drawn = write_cards(state_of(Table.objects.get(pk=table.pk)).hands[actor])
    for step in (1, 2, 3):
        other = clients[(actor + step) % 4].post(url, form, headers={"HX-Request": "true"})
        assert other.status_code == 409
        assert drawn not in other.content.decode()
    assert fingerprint(table) == after
