"""Hidden cards never leave the server: at every door, for every reader.

A reader is shown two worlds that differ only in the cards hidden from them: other hands, every foot that is face
down, the stock, stacks not chosen yet, and cards drawn by others. Every answer of the server must be the same to the
byte, headers, order and length included; only tokens that are random in any case are taken out. The key of the deal,
from which everything follows, must be nowhere.
"""

import random
import re
from contextlib import contextmanager

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from engine.play.cards import BLANK, NAMES, RED_THREES, parse_cards, write_cards
from engine.play.position import write_position
from gameplay.models import Move, Table
from gameplay.snapshot import state_of

NOW = "2026-11-21 12:00:00+00:00"
RANDOM = re.compile(
    rb'(csrfmiddlewaretoken" value="[^"]*"|csrf[-_]?token"?[^>]{0,40}content="[^"]*"|csrftoken=[^;]*|nonce="[^"]*"'
    rb'|name="key" value="[^"]*"|data-key="[^"]*")'
)
SKIPPED = {
    # a stream, which carries a table's slug and version only; see test_live.py
    "gameplay:live",
    # asks for a fresh sign-in, which is a step of its own each time
    "accounts:delete",
}


def addresses(patterns=None, namespace="", outer=()):
    """(name, names of arguments) of every address of the site."""
    for each in get_resolver().url_patterns if patterns is None else patterns:
        arguments = (*outer, *each.pattern.converters, *each.pattern.regex.groupindex)
        if isinstance(each, URLResolver):
            inner = f"{namespace}{each.namespace}:" if each.namespace else namespace
            yield from addresses(each.url_patterns, inner, arguments)
        elif isinstance(each, URLPattern) and each.name:
            yield f"{namespace}{each.name}", arguments


def doors(table):
    """The address of every page that can be asked for with nothing but the table's slug."""
    urls = []
    for name, arguments in addresses():
        if name in SKIPPED or name.startswith(("account_", "mfa_", "usersessions_")) or not set(arguments) <= {"slug"}:
            continue
        urls.append(reverse(name, args=[table.slug] if arguments else []))
    return sorted(set(urls))


def disguise(state, reader, rng):
    """Deal the cards that `reader` may not see out again."""
    hidden = [seat for seat in range(state.seats) if seat != reader]
    pool = [*b"".join(state.hands[seat] for seat in hidden), *b"".join(foot or b"" for foot in state.feet)]
    pool += state.stock
    pool += b"".join(b"".join(pair) for pair in state.stacks if pair)
    # A red three that came into a hand would be laid at once; so they stay where they are.
    pool = [card for card in pool if card not in RED_THREES]
    rng.shuffle(pool)
    cards = iter(pool)

    def take(like):
        return bytes([card if card in RED_THREES else next(cards) for card in like])

    draft = state.draft()
    draft.hands = tuple(
        [hand if seat == reader else bytes(sorted(take(hand))) for seat, hand in enumerate(state.hands)]
    )
    draft.feet = tuple([None if foot is None else bytes(sorted(take(foot))) for foot in state.feet])
    draft.stock = take(state.stock)
    draft.stacks = tuple([pair and (take(pair[0]), take(pair[1])) for pair in state.stacks])
    if state.turn != reader:
        draft.undo = tuple(
            [step._replace(hand=bytes(sorted(rng.choices(pool, k=len(step.hand))))) for step in state.undo]
        )
    draft.seed = rng.randbytes(32)
    return draft.freeze()


@contextmanager
def another_world(table, reader, seed):
    """For a while, the same table with other hidden cards."""
    rng = random.Random(seed)
    with transaction.atomic():
        Table.objects.filter(pk=table.pk).update(snapshot=write_position(disguise(state_of(table), reader, rng)))
        for move in Move.objects.filter(table=table, deal=table.deal_number):
            for event in move.events:
                if event.get("private") and event["seat"] != reader and event.get("cards"):
                    others = bytes(rng.choices([card for card in range(len(NAMES)) if card != BLANK], k=99))
                    event["cards"] = write_cards(others[: len(parse_cards(event["cards"]))])
            move.save(update_fields=["events"])
        yield
        transaction.set_rollback(True)


def answer(client, method, url, data=None):
    response = getattr(client, method)(url, data or {}, headers={"HX-Request": "true"} if method == "post" else {})
    body = b"".join(response.streaming_content) if response.streaming else response.content
    headers = sorted((name, value) for name, value in response.items() if name not in ("Set-Cookie", "X-Request-ID"))
    return response.status_code, headers, RANDOM.sub(b"", body)


@pytest.fixture
def readers(seated, person):
    """A table where Ann is to act, and a client for each seat, a spectator and a stranger."""

    def make(preset, **terms):
        table = seated(preset, watching="anybody", **terms)
        clients = {seat.number: Client() for seat in table.seats.all()}
        for seat in table.seats.select_related("user"):
            clients[seat.number].force_login(seat.user)
        spectator = Client()
        spectator.force_login(person("Eve"))
        return table, [*clients.items(), (None, spectator), (None, Client())]

    return make


def compare_worlds(table, readers, acts=(), *, everywhere=True):
    """Every reader is sent the same in both worlds, by every page, or of the table only, and to each act."""
    table.refresh_from_db()
    keys = [key.encode() for key in table.deals.filter(ended_at=None).values_list("key", flat=True)]
    for seat, client in readers:
        looks = [("get", url, None) for url in doors(table) if everywhere or table.slug in url]
        requests = looks + [("post", url, data) for url, data in acts]
        here = answers(client, requests)
        with another_world(table, seat, seed=f"{table.move_count} {seat}"):
            there = answers(client, requests)
        for (method, url, _), first, second in zip(requests, here, there, strict=True):
            assert first == second, f"{method} {url} shows seat {seat} what it may not see"
            assert not [key for key in keys if key in first[2]], f"{method} {url} shows the key of a deal under way"


def answers(client, requests):
    """The answer to each; each is undone, so that the next meets the same table."""
    replies = []
    for method, url, data in requests:
        with transaction.atomic():
            replies.append(answer(client, method, url, data))
            transaction.set_rollback(True)
    return replies


def wrong_acts(table):
    """Acts that are refused, whose refusals might tell too much."""
    url = reverse("gameplay:move", args=[table.slug])
    moves = ("discard 3s", "discard Xr", "take 9c 9d", "meld 5c 5d 5h", "answer yes", "undo", "ask", "end", "nonsense")
    return [(url, {"moves": move, "seen": table.move_count, "key": f"key-{move}"}) for move in moves]


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("preset", ["family", "standard"])
def test_no_door_shows_a_hidden_card(preset, readers, driver):
    with time_machine.travel(NOW, tick=False):
        table, people = readers(preset)
        for stop in (0, 9, 60):
            driver.until(table, lambda t, stop=stop: t.move_count >= stop or t.is_between_deals or t.deal_number > 1)
            if table.is_between_deals:
                break
            compare_worlds(table, people, wrong_acts(table), everywhere=stop == 9)


@pytest.mark.django_db
def test_before_the_deal_its_key_is_shown_to_nobody(seated, person):
    with time_machine.travel(NOW, tick=False):
        table = seated(begun=False, watching="anybody")
        key = table.deals.get().key
        client = Client()
        client.force_login(table.creator)
        for url in doors(table):
            assert key.encode() not in answer(client, "get", url)[2], url


@pytest.mark.django_db
def test_logs_and_emails_name_no_card(seated, driver, caplog, mailoutbox, django_capture_on_commit_callbacks):
    caplog.set_level("DEBUG")
    with django_capture_on_commit_callbacks(execute=True):
        table = driver.until(seated("family"), lambda table: table.status == "over")
    text = caplog.text + "".join(letter.body for letter in mailoutbox)
    assert re.search(r"\b([2-9TJQKA][cdhs]|X[rb])( ([2-9TJQKA][cdhs]|X[rb]))+\b", text) is None
    assert not [deal.key for deal in table.deals.all() if deal.key in text]
