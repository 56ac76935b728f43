"""Two worlds that differ in hidden cards only look the same to readers who may not see these cards."""

import re

import pytest
from django.urls import reverse

from engine.play.state import put
from gameplay.log import match_history

NAMES = ("scores", "rules", "log", "replay", "shuffle", "record", "chat", "notes", "standing")


def dealt_anew(state, reader):
    """The position with all cards that the reader cannot see in other places."""
    draft = state.draft()
    others = [seat for seat in range(state.seats) if seat != reader]
    hidden = [state.hands[seat] for seat in others] + [foot for foot in state.feet if foot is not None] + [state.stock]
    pool = b"".join(hidden)[::-1]
    for seat in others:
        size = len(state.hands[seat])
        draft.hands, pool = put(draft.hands, seat, bytes(sorted(pool[:size]))), pool[size:]
    for seat, foot in enumerate(state.feet):
        if foot is not None:
            draft.feet, pool = put(draft.feet, seat, bytes(sorted(pool[: len(foot)]))), pool[len(foot) :]
    draft.stock = pool
    draft.seed = bytes(32)
    return draft.freeze()


def text_of(response):
    """The answer, without the tokens that differ each time."""
    return re.sub(r'(csrfmiddlewaretoken" value|csrf-token" content)="[^"]*"', "", response.content.decode())


@pytest.mark.slow
@pytest.mark.parametrize("reader", [0, 2, None])
def test_pages_do_not_depend_on_hidden_cards(reader, seated, driver, client, four, monkeypatch):
    table = driver.until(seated(), lambda table: table.deal_number == 2 and table.moves.filter(deal=2).count() > 25)
    if reader is not None:
        client.force_login(four[reader])
    places = [reverse(f"gameplay:{name}", args=[table.slug]) for name in NAMES[: None if reader is not None else -2]]
    places.append(places[3] + f"?step={table.move_count - 3}")
    places += [f"{places[3]}?deal=2&at=3.2", *(f"{places[3]}part/?deal=2&first={first}" for first in (0, 20))]
    before = [text_of(client.get(where)) for where in places]

    real = match_history.states

    def other_world(match, steps):
        for state in real(match, steps):
            yield dealt_anew(state, reader) if state.deal == 2 else state

    monkeypatch.setattr(match_history, "states", other_world)
    moves = list(table.moves.filter(deal=2))
    for move in moves:
        for event in move.events:
            if event.get("private") and event["seat"] != reader:
                event["cards"] = " ".join(["Xb"] * len(event["cards"].split()))
        move.save(update_fields=["events"])
    other = [text_of(client.get(where)) for where in places]
    assert other == before
