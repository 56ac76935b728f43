"""Tables that play the same cards show nothing of a deal while one of them is still to play it: at every door.

A reader is shown two worlds that differ in the cards of deals that are over which they did not see themselves (by
suits, so that scores stay), in cards drawn by others, and in the keys. Every answer of the server must be the same
to the byte.
"""

import random
from contextlib import contextmanager

import pytest
import time_machine
from django.db import transaction
from django.http import Http404
from django.test import Client
from django.urls import reverse

from engine.play.cards import BLACK_THREES, BLANK, RED_THREES, write_cards
from engine.play.position import write_position
from engine.play.state import OVER, put
from engine.play.view import view, view_to_json
from gameplay import queries
from gameplay.access import open_table
from gameplay.log import match_history
from gameplay.models import Deal, Move, Table
from gameplay.services import event_tables, leaving
from gameplay.snapshot import state_of, view_of
from tests.gameplay.test_event_tables import KEYS, arrange  # noqa: F401  a fixture
from tests.gameplay.test_hidden_cards import NOW, answer, doors

TWO_DEALS = {"options": {"length": {"deals": 2}}, "keys": KEYS[:2], "watching": "anybody"}
THREES = RED_THREES + BLACK_THREES
SHOWING = ("replay", "record", "shuffle", "log", "scores")


@pytest.fixture
def two(arrange, person):  # noqa: F811
    """Two tables that play the same two deals, and the players of the second."""
    others = [person(name) for name in ("Eve", "Fay", "Gus", "Hal")]
    return arrange(**TWO_DEALS), arrange(seats=others, **TWO_DEALS), others


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


STOPS = {
    "between deals": lambda table: table.is_between_deals,
    "in the next deal": lambda table: table.deal_number == 2 and table.moves.filter(deal=2).count() > 12,
    "over": lambda table: table.status == Table.Status.OVER,
}


# The other world


def of_other_suits(cards, rng):
    """The same cards, those of one rank in another order; threes, whose suits count, stay."""

    def worth(card):
        return (card // 4, card if card in THREES else None)

    alike = {}
    for card in cards:
        alike.setdefault(worth(card), []).append(card)
    for same in alike.values():
        rng.shuffle(same)
    return bytes([alike[worth(card)].pop() for card in cards])


def disguise(state, reader, rng):
    """The position with the cards that the reader never saw in other suits."""
    others = [seat for seat in range(state.seats) if seat != reader]
    places = [state.hands[seat] for seat in others] + [foot or b"" for foot in state.feet] + [state.stock]
    cards = iter(of_other_suits(b"".join(places), rng))
    new = [bytes(next(cards) for _ in place) for place in places]
    draft = state.draft()
    for seat, hand in zip(others, new[: len(others)], strict=True):
        draft.hands = put(draft.hands, seat, bytes(sorted(hand)))
    draft.feet = tuple(
        None if was is None else bytes(sorted(foot))
        for was, foot in zip(state.feet, new[len(others) : -1], strict=True)
    )
    draft.stock, draft.seed = new[-1], bytes(32)
    return draft.freeze()


@contextmanager
def another_world(table, reader, monkeypatch):
    """For a while, the same table after deals of other cards."""
    match, real, rng = (
        match_history.match_of(table, match_history.dealt(table)),
        match_history.states,
        random.Random(7),
    )
    with transaction.atomic(), monkeypatch.context() as patch:
        patch.setattr(
            match_history, "states", lambda _, steps: (disguise(state, reader, rng) for state in real(match, steps))
        )
        Table.objects.filter(pk=table.pk).update(snapshot=write_position(disguise(state_of(table), reader, rng)))
        committed = {}
        for deal in Deal.objects.filter(table=table):
            key = bytes([200 + deal.number] * 32)
            committed[key] = deal.commitment
            Deal.objects.filter(pk=deal.pk).update(key=key.hex())
        patch.setattr("engine.play.record.commitment", committed.__getitem__)
        for move in Move.objects.filter(table=table):
            for event in move.events:
                if event.get("private") and event["seat"] != reader and event.get("cards"):
                    event["cards"] = " ".join(["Xb"] * len(event["cards"].split()))
            move.save(update_fields=["events"])
        yield
        transaction.set_rollback(True)


def sealed_urls(table):
    """Every address, and the places in log and replay where a deal that is over would lie open."""
    replay, log = (reverse(f"gameplay:{name}", args=[table.slug]) for name in ("replay", "log"))
    last = Move.objects.filter(table=table, deal=1).last().number
    places = [
        f"?move={last}",
        f"?move={last - 9}",
        "?step=0",
        "?deal=1&at=9.1",
        "part/?deal=1",
        "part/?deal=1&first=60",
    ]
    return [*doors(table), *(f"{replay}{place}" for place in places), f"{log}?deal=1"]


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("stop", STOPS)
def test_no_door_shows_a_deal_that_others_are_still_to_play(stop, two, four, driver, monkeypatch):
    with time_machine.travel(NOW, tick=False):
        table, _, others = two
        driver.until(table, STOPS[stop])
        for seat, client in ((1, signed_in(four[1])), (None, signed_in(others[0])), (None, Client())):
            every = {url: in_transaction(client, url) for url in sealed_urls(table)}
            here = {url: reply for url, reply in every.items() if reply[0] != 405}
            with another_world(table, seat, monkeypatch):
                there = {url: answer(client, "get", url) for url in here}
            assert [url for url in here if here[url] != there[url]] == [], f"seat {seat}"
            content = b"".join(body for _, _, body in here.values())
            assert not [key for key in KEYS[:2] if key.hex().encode() in content]


def in_transaction(client, url):
    with transaction.atomic():
        reply = answer(client, "get", url)
        transaction.set_rollback(True)
    return reply


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("stop", STOPS)
def test_both_worlds_differ_once_the_deals_are_open(stop, two, four, driver, monkeypatch):
    """The comparison above can fail: unsealed, the same doors show the difference."""
    with time_machine.travel(NOW, tick=False):
        table, other, _ = two
        driver.until(table, STOPS[stop])
        event_tables.unseal([table.pk, other.pk])
        table.refresh_from_db()
        client, last = signed_in(four[0]), Move.objects.filter(table=table, deal=1).last().number
        replay = f"{reverse('gameplay:replay', args=[table.slug])}?move={last}"
        shuffle = reverse("gameplay:shuffle", args=[table.slug])
        doors_open = (replay, shuffle, f"{reverse('gameplay:replay_part', args=[table.slug])}?deal=1&first=20")
        here = [in_transaction(client, url) for url in doors_open]
        with another_world(table, 0, monkeypatch):
            there = [answer(client, "get", url) for url in doors_open]
        assert all(first != second for first, second in zip(here, there, strict=True))


# Doors one by one


@pytest.mark.slow
@pytest.mark.django_db
def test_only_players_see_a_sealed_table(two, four, driver, person, client):
    table, _, others = two
    driver.until(table, lambda table: table.is_between_deals)
    places = [table.get_absolute_url(), *(reverse(f"gameplay:{name}", args=[table.slug]) for name in SHOWING)]
    api = [reverse(f"api:{name}", args=[table.slug]) for name in ("table", "view", "log", "happenings", "record")]
    for stranger in (others[0], person("Ida")):
        with pytest.raises(Http404):
            open_table(stranger, table.slug)
        assert {signed_in(stranger).get(url).status_code for url in [*places, *api]} == {404}
    assert {client.get(url).status_code for url in places} == {404}
    assert {signed_in(four[0]).get(url).status_code for url in [*places, *api]} == {200}


@pytest.mark.django_db
def test_lists_of_matches_to_watch_leave_sealed_tables_out(two, client):
    table, other, _ = two
    assert queries.public_tables() == []
    assert table.slug not in client.get(reverse("gameplay:lobby")).content.decode()
    event_tables.unseal([table.pk, other.pk])
    assert {public.pk for public in queries.public_tables()} == {table.pk, other.pk}
    assert table.slug in client.get(reverse("gameplay:lobby")).content.decode()


@pytest.mark.slow
@pytest.mark.django_db
def test_players_see_the_score_and_their_own_cards_of_a_deal_that_is_over(two, four, driver):
    table, _, _ = two
    driver.until(table, lambda table: table.is_between_deals)
    state, result = state_of(table), table.deals.get(number=1).result
    view = view_of(table, 2)
    assert view.hand == state.hands[2]
    assert all(set(hand) <= {BLANK} for seat, hand in enumerate(view.position.hands) if seat != 2)
    assert all(set(foot or b"") <= {BLANK} for foot in view.position.feet)
    assert set(view.position.stock) <= {BLANK}
    page = signed_in(four[2]).get(table.get_absolute_url()).content.decode()
    assert all(f"{points:,}".replace("-", "−") in page for points in result["totals"])
    assert "Replay your view" in page
    data = signed_in(four[2]).get(reverse("api:view", args=[table.slug])).json()["view"]
    assert data["outcome"] == result
    assert [hand.get("cards", "") for hand in data["hands"]] == ["", "", write_cards(state.hands[2]), ""]
    assert data["stock"] == {"count": len(state.stock)}


@pytest.mark.slow
@pytest.mark.django_db
def test_the_answer_to_the_move_that_ends_a_deal_is_sealed(two, driver):
    """The view is made of the position at hand; the table is not read again."""
    table, same, _ = two
    driver.until(same, lambda table: table.is_between_deals)
    driver.until(table, lambda table: table.move_count == same.move_count - 1)
    last = same.moves.last()
    client = signed_in(table.seats.get(number=last.seat).user)
    url = reverse("api:moves", args=[table.slug])
    reply = client.post(url, {"moves": [last.text], "seen": table.move_count}, content_type="application/json").json()
    assert reply["view"]["outcome"] == same.deals.get(number=1).result
    hidden = [hand for seat, hand in enumerate(reply["view"]["hands"]) if seat != last.seat and hand["count"]]
    assert hidden
    assert all("cards" not in hand for hand in hidden)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_sealed_record_is_that_of_a_first_deal_under_way(two, four, driver):
    table, _, _ = two
    driver.until(table, lambda table: table.status == Table.Status.OVER)
    data = match_history.record_of(table, list(table.seats.all()))
    (deal,) = data["deals"]
    assert (deal["deal"], deal["key"], deal["moves"], deal["result"]) == (1, None, [], None)
    event_tables.unseal([table.pk])
    table.refresh_from_db()
    data = match_history.record_of(table, list(table.seats.all()))
    assert [deal["key"] for deal in data["deals"]] == [key.hex() for key in KEYS[:2]]
    assert sum(len(deal["moves"]) for deal in data["deals"]) == table.move_count


@pytest.mark.slow
@pytest.mark.django_db
def test_the_fairness_page_says_that_deals_are_shared_and_when_the_key_is_shown(two, four, driver):
    table, other, _ = two
    driver.until(table, lambda table: table.is_between_deals)
    url, client = reverse("gameplay:shuffle", args=[table.slug]), signed_in(four[0])
    page = client.get(url).content.decode()
    assert "Other tables of Autumn Cup play the same cards" in page
    assert "when the last of these tables has played it. Until then you see no more" in page
    assert "not played by all tables yet: the key is secret" in page
    assert 'name="phrase"' not in page
    event_tables.unseal([table.pk, other.pk])
    page = client.get(url).content.decode()
    assert "All these tables have played them, so the keys are shown." in page
    assert KEYS[0].hex() in page
    assert KEYS[1].hex() not in page


@pytest.mark.django_db
def test_who_may_take_a_seat_back_finds_the_way_to_it(two, four, driver):
    table, _, _ = two
    leaving.resign(table.pk, four[1])
    client = signed_in(four[1])
    assert "Return to your seat" in client.get(table.get_absolute_url()).content.decode()
    client.post(reverse("gameplay:take_back", args=[table.slug]))
    assert table.seats.get(number=1).user == four[1]


@pytest.mark.django_db
def test_who_had_a_seat_sees_nothing_once_the_match_is_over(two, four):
    table, _, _ = two
    leaving.resign(table.pk, four[1])
    event_tables.call_off(table.pk, "It is late.")
    with pytest.raises(Http404):
        open_table(four[1], table.slug)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_replacement_sees_no_more_than_the_seat_saw(two, four, person, driver):
    table, _, _ = two
    driver.until(table, lambda table: table.is_between_deals)
    event_tables.replace_player(table.pk, 1, ida := person("Ida"))
    assert signed_in(four[1]).get(table.get_absolute_url()).status_code == 404
    replay = signed_in(ida).get(reverse("gameplay:replay", args=[table.slug])).content.decode()
    assert "As you saw it" in replay


@pytest.mark.django_db
def test_unsealing_is_told_to_open_pages_once(two):
    table, other, _ = two
    before = Table.objects.get(pk=table.pk).version
    for _ in range(2):
        event_tables.unseal([other.pk, table.pk])
    table.refresh_from_db()
    assert (table.is_sealed, table.shares_deals, table.version) == (False, True, before + 1)


# The view of the engine


@pytest.mark.django_db
def test_a_sealed_view_of_a_running_deal_is_the_ordinary_one(two):
    state = state_of(two[0])
    assert state.phase != OVER
    for seat in (None, 0, 1):
        assert view(state, seat, is_sealed=True) == view(state, seat)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_sealed_view_knows_how_the_deal_came_out(two, driver):
    table = driver.until(two[0], lambda table: table.is_between_deals)
    state = state_of(table)
    opened, sealed = view(state, 1), view(state, 1, is_sealed=True)
    assert opened.outcome == sealed.outcome is not None
    assert view_to_json(opened)["outcome"] == view_to_json(sealed)["outcome"]
    assert sealed.legal_moves() == []
    assert view(state, None, is_sealed=True).hand == b""
