"""The guided first deal at its table: made at one press, hints on the page, lessons noted, hidden cards hidden."""

import re

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from engine.bots.first_deal import KEY, RULES
from engine.bots.guide import LESSONS, hint
from engine.play.deal import commitment
from engine.play.moves import parse_move, write_move
from engine.play.rules import Rules
from gameplay.models import Table
from gameplay.services import bots, first_deal, play, rematch
from gameplay.snapshot import view_of
from tests.gameplay.test_hidden_cards import NOW, compare_worlds, wrong_acts
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def newcomer(person):
    return person("Nora")


@pytest.fixture
def table(newcomer):
    return first_deal.make_first_deal(newcomer)


@pytest.fixture
def reader(client, newcomer):
    client.force_login(newcomer)
    return client


def do(table, user, *moves):
    table.refresh_from_db()
    play.play(table.pk, user, [parse_move(move) for move in moves], seen=table.move_count)
    table.refresh_from_db()


def follow(table, user, turns=99):
    """Follow the hints for so many turns, or to the end of the deal; returns the table."""
    table.refresh_from_db()
    while turns and table.status == Table.Status.PLAYING:
        if table.seat_to_act == 0:
            do(table, user, write_move(hint(view_of(table, 0), table.guide["learnt"]).move))
            turns -= table.seat_to_act != 0
        else:
            assert bots.play_turn(table.pk)
            table.refresh_from_db()
    return table


def guide_on(page):
    """The hint, the progress and whether the box is shown, on a page or in its parts."""
    text = " ".join(page.content.decode().split())
    hint_line = re.search(r'<span data-step="select" hidden>(.*?)</span>\s*(?:<span data-step|<details)', text)
    plain = re.sub(r"<svg.*?</svg>|<[^>]*>", "", hint_line[1]) if hint_line else ""
    progress = re.search(r"\d of 9 learnt", text)
    return plain, progress and progress[0], 'id="guide" hx-swap-oob="true" hidden' not in text


# Making it


def test_one_press_on_the_front_page_deals_a_newcomer_a_first_deal(client):
    assert 'name="guided" value="yes"' in client.get("/").content.decode()
    response = client.post("/practice/", {"guided": "yes"})
    table = Table.objects.get()
    assert (response.status_code, response["Location"]) == (302, table.get_absolute_url())
    assert (table.name, table.rules, table.is_practice, table.seat_to_act) == ("First deal", RULES, True, 0)
    assert table.guide == {"learnt": [], "is_hidden": False}
    assert list(table.seats.exclude(number=0).values_list("bot", flat=True)) == ["novice"] * 3
    assert User.objects.get().is_guest


def test_who_knows_the_game_gets_a_whole_match(client):
    assert "I know the game" in client.get("/").content.decode()
    client.post("/practice/")
    table = Table.objects.get()
    assert (table.rules, table.guide) == (Rules.preset("standard"), None)


def test_who_has_played_is_not_offered_a_first_deal_again(reader, table, newcomer):
    Table.objects.update(status=Table.Status.OVER)
    page = reader.get("/").content.decode()
    assert ('name="guided"' in page, "I know the game" in page) == (False, False)
    assert "Play a first deal with hints" in reader.get("/practice/").content.decode()


def test_its_cards_are_arranged_and_the_pages_say_so(reader, table):
    deal = table.deals.get()
    assert (deal.key, deal.commitment) == (KEY.hex(), commitment(KEY))
    for name in ("rules", "shuffle"):
        page = squeezed(reader.get(reverse(f"gameplay:{name}", args=[table.slug])).content.decode())
        assert "first deal are" in page
        assert "arranged" in page


def test_other_tables_say_nothing_of_arranged_cards(client):
    client.post("/practice/")
    table = Table.objects.get()
    assert table.deals.get().key != KEY.hex()
    for name in ("rules", "shuffle", "table"):
        page = client.get(reverse(f"gameplay:{name}", args=[table.slug])).content.decode()
        assert ("arranged" in page, 'id="guide"' in page) == (False, False)


def test_a_rematch_is_shuffled_and_without_hints(table, newcomer):
    follow(table, newcomer)
    rematch.ask_rematch(table.pk, newcomer)
    table.refresh_from_db()
    assert table.rematch.guide is None
    assert table.rematch.deals.get().key != KEY.hex()


# Hints and lessons


def test_the_first_page_says_the_aim_and_the_first_act(reader, table):
    page = reader.get(table.get_absolute_url())
    assert guide_on(page) == ("Draw two cards to start. Every turn starts like this.", "0 of 9 learnt", True)
    aim = "You and Charles play against Blaise and Dorothea. Meld cards of a rank: seven are a book."
    assert aim in squeezed(page.content.decode())


def test_each_act_has_its_hint_and_lesson(reader, table, newcomer):
    seen = []
    for moves in (["draw"], ["meld Td Th Ts"], ["meld 5d 5s Xr"], ["discard 7h"]):
        do(table, newcomer, *moves)
        seen.append((*guide_on(reader.get(table.get_absolute_url()))[:2], table.guide["learnt"]))
    assert seen == [
        ("You have three 10s, enough for a meld. Select them.", "1 of 9 learnt", ["draw"]),
        (
            "A wild card can be any card. Select 5 of diamonds5 5 of spades5 Red joker for a meld of fives.",
            "2 of 9 learnt",
            ["draw", "meld"],
        ),
        (
            "Nothing more to meld. Discard one card to end your turn: 7 of hearts7 helps you least.",
            "3 of 9 learnt",
            ["draw", "meld", "wild"],
        ),
        ("It is Blaise’s turn. Watch their melds and discards.", "4 of 9 learnt", ["draw", "meld", "discard", "wild"]),
    ]


def test_who_follows_the_hints_learns_everything_and_the_end_lists_it(reader, table, newcomer):
    follow(table, newcomer)
    assert table.guide["learnt"] == list(LESSONS)
    page = squeezed(reader.get(table.get_absolute_url()).content.decode())
    assert '<h2 id="h-learnt">9 of 9 learnt</h2>' in page
    assert "Play a whole match" in page
    assert 'id="go-rematch"' not in page


def test_a_foot_that_was_picked_up_is_named_until_the_first_act_with_it(reader, table, newcomer):
    follow(table, newcomer, turns=3)
    while table.seat_to_act != 0:
        bots.play_turn(table.pk)
        table.refresh_from_db()
    news = "You played your hand. Your foot is now your hand."
    assert guide_on(reader.get(table.get_absolute_url()))[0].startswith(news)
    do(table, newcomer, "draw")
    assert news not in guide_on(reader.get(table.get_absolute_url()))[0]


def test_a_refusal_says_what_to_do_instead(reader, table):
    page = reader.post(reverse("gameplay:move", args=[table.slug]), {"moves": "discard 7h", "seen": table.move_count})
    line = re.search(r'id="say".*?</p>', " ".join(page.content.decode().split()))[0]
    assert page.status_code == 422
    assert "<span>Draw or take the discard pile before you discard.</span>" in line
    assert '<span class="hint"><b>Draw two cards to start.</b> Every turn starts like this.</span>' in line


def test_without_script_the_hint_is_the_first_choice(reader, table, newcomer):
    do(table, newcomer, "draw")
    page = squeezed(reader.get(table.get_absolute_url()).content.decode())
    assert re.search(r'<select id="plain-choice" name="moves">\s*<option value="meld Td Th Ts">', page)


def test_hints_are_hidden_and_shown_again_at_any_time(reader, table):
    url = reverse("gameplay:hints_shown", args=[table.slug])
    for answer, is_shown in (("no", False), ("no", False), ("yes", True), ("yes", True)):
        parts = reader.post(url, {"hints": answer}, headers={"HX-Request": "true"})
        assert parts.status_code == 200
        assert guide_on(parts)[2] == is_shown
        table.refresh_from_db()
        assert table.guide["is_hidden"] == (not is_shown)
        assert ('<span class="hint">' in reader.get(table.get_absolute_url()).content.decode()) == is_shown
    assert reader.post(url, {"hints": "no"})["Location"] == table.get_absolute_url()


def test_only_the_newcomer_hides_hints(table, person):
    url = reverse("gameplay:hints_shown", args=[table.slug])
    stranger = Client()
    assert stranger.post(url, {"hints": "no"}).status_code in (403, 404)
    stranger.force_login(person("Eve"))
    assert stranger.post(url, {"hints": "no"}).status_code in (403, 404)
    assert stranger.get(url).status_code == 405
    table.refresh_from_db()
    assert table.guide["is_hidden"] is False


def test_hiding_hints_at_another_table_changes_nothing(client):
    client.post("/practice/")
    table = Table.objects.get()
    assert client.post(reverse("gameplay:hints_shown", args=[table.slug]), {"hints": "no"}).status_code == 302
    assert (Table.objects.get().guide, Table.objects.get().version) == (None, table.version)


# Hidden cards, and the work of a page


@pytest.mark.parametrize("turns", [0, 2])
def test_no_hint_knows_more_than_the_seat(turns, newcomer, reader):
    with time_machine.travel(NOW, tick=False):
        table = follow(first_deal.make_first_deal(newcomer), newcomer, turns=turns)
        while table.seat_to_act != 0:
            bots.play_turn(table.pk)
            table.refresh_from_db()
        do(table, newcomer, write_move(hint(view_of(table, 0), table.guide["learnt"]).move))
        compare_worlds(table, [(0, reader), (None, Client())], wrong_acts(table))


def test_a_guided_turn_asks_the_database_no_more_than_another(reader, table, newcomer, django_assert_num_queries):
    reader.get(table.get_absolute_url())
    with django_assert_num_queries(8):
        reader.get(table.get_absolute_url())
    with django_assert_num_queries(9 if connection.vendor == "postgresql" else 10):
        reader.post(
            reverse("gameplay:move", args=[table.slug]),
            {"moves": "draw", "seen": table.move_count, "key": "a"},
            headers={"HX-Request": "true"},
        )
