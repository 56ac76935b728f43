"""Cards in parts of a page nobody reads: ids of elements, attributes, the order of things."""

import re

import pytest
from django.test import Client

from engine.play.cards import NAMES, spans_of
from gameplay.log.story import read_events
from gameplay.snapshot import state_of
from tests.security.site_map import Page

pytestmark = pytest.mark.django_db

CARD = re.compile(r"(?<![A-Za-z0-9])([2-9TJQKA][cdhs]|X[rb])(?![A-Za-z0-9])")


def cards_in_attributes(page):
    """Every card that an attribute names in notation."""
    names = set()
    for _, attributes in page.elements:
        for name, value in attributes.items():
            if name != "d":  # the outline of a drawing
                names |= set(CARD.findall(value or ""))
    return names


def visible(state, seat, table):
    """The cards whose kind a seat can see somewhere: its hand, the top of the pile, the table, events as it may see them."""
    cards = set(state.pile[:1]) | {card for team in state.melds for meld in team for card in meld.cards}
    for move in table.moves.all():
        cards |= {card for event in read_events(move.events, seat) for card in event.cards}
    return {NAMES[card] for card in cards | set(state.hands[seat] if seat is not None else b"")}


@pytest.mark.parametrize("acts", [0, 5, 30])
def test_attributes_of_the_table_name_only_cards_that_the_reader_sees(seated, person, driver, acts):
    table = seated(watching="anybody")
    for _ in range(acts):
        driver.act(table)
    state = state_of(table)
    stranger = person("Eve")
    for seat, user in [*((seat.number, seat.user) for seat in table.seats.select_related("user")), (None, stranger)]:
        client = Client()
        client.force_login(user)
        for path in (table.get_absolute_url(), f"{table.get_absolute_url()}parts/?seen=0"):
            cards = cards_in_attributes(Page(client.get(path).content.decode()))
            assert cards <= visible(state, seat, table), (path, seat)


def test_equal_cards_are_one_element_so_that_none_can_be_followed_through_the_deal(seated, driver):
    table = seated()
    for _ in range(10):
        driver.act(table)
    client = Client()
    client.force_login(table.seats.get(number=0).user)
    page = Page(client.get(table.get_absolute_url()).content.decode())
    ids = [attributes["id"] for _, attributes in page.elements if attributes.get("id", "").startswith("card-")]
    hand = state_of(table).hands[0]
    assert sorted(ids) == sorted({f"card-{NAMES[card]}" for card in hand})
    counts = [int(a["data-held"]) for _, a in page.elements if "data-held" in a]
    assert sum(counts) == len(hand) == sum(len(cards) for cards in spans_of(hand).values())


def test_who_plays_learns_nothing_more_from_a_second_account_that_watches(seated, person, driver):
    table = seated(watching="anybody")
    for _ in range(12):
        driver.act(table)
    client = Client()
    client.force_login(person("Eve"))
    table_view = client.get(f"/api/v1/tables/{table.slug}/view/").json()["view"]
    assert not any("cards" in hand for hand in table_view["hands"])
    for line in client.get(f"/api/v1/tables/{table.slug}/log/").json()["lines"]:
        for event in line["events"]:
            assert event["event"] != "drew" or "cards" not in event
    record = client.get(f"/tables/{table.slug}/record.json").json()
    assert [(deal["key"], deal["moves"]) for deal in record["deals"]] == [(None, record["deals"][0]["moves"])]
