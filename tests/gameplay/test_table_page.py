"""The table's page as it is sent: for each reader, in each state, and never with a hidden card in it."""

import gzip
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from engine.play.cards import RED_THREES, arrange
from engine.play.rules import Rules
from engine.play.state import put
from gameplay.models import Table
from gameplay.page import markup
from gameplay.services import leaving, pauses, tables
from gameplay.snapshot import keep, state_of, view_of
from tests.makers import make_table
from tests.pages import squeezed
from tests.turns import play_bots


def sign_in(client, user):
    client.force_login(user)


def page_of(client, table, user=None):
    if user is not None:
        sign_in(client, user)
    answer = client.get(table.get_absolute_url())
    assert answer.status_code == 200
    return squeezed(answer)


def held(page):
    return {code: int(number) for code, number in re.findall(r'data-card="(..)" data-held="(\d+)"', page)}


def test_a_player_sees_the_own_hand_and_what_to_do(seated, client):
    table = seated()
    seat = table.seats.get(number=table.seat_to_act)
    page = page_of(client, table, seat.user)
    hand = view_of(table, seat.number).hand
    assert held(page) == {markup.name_of(card): hand.count(card) for card in set(hand)}
    assert '<button class="go even" id="draw" name="moves" value="draw"' in page
    assert "<title>(1) Your turn · Harbour Four</title>" in page


def test_who_waits_sees_whose_turn_it_is(seated, client):
    table = seated()
    page = page_of(client, table, table.seats.exclude(number=table.seat_to_act).first().user)
    actor = table.seats.get(number=table.seat_to_act)
    assert f"<span>{actor}’s turn</span>" in page
    assert 'id="draw"' not in page


def test_each_player_reads_the_table_in_their_own_language(seated, client):
    table = seated()
    seat = table.seats.get(number=table.seat_to_act)
    english = page_of(client, table, seat.user)
    seat.user.language = "de"
    seat.user.save()
    german = page_of(client, table, seat.user)
    for words in ('<html lang="en"', ">Draw two<", "No meld yet"):
        assert words in english
    for words in ('<html lang="de"', ">Zwei ziehen<", "Noch keine Meldung"):
        assert words in german
    assert "<title>(1) Du bist am Zug · Harbour Four</title>" in german


def test_a_spectator_has_no_dock_and_no_buttons(seated, client):
    page = page_of(client, seated(watching="link"))
    assert 'id="dock"' not in page
    assert "data-card" not in page
    assert 'data-meld="' not in page


def test_a_stranger_does_not_learn_that_there_is_a_table(seated, client):
    table = seated(watching="nobody")
    assert client.get(table.get_absolute_url()).status_code == 404
    assert client.get(reverse("gameplay:parts", args=[table.slug])).status_code == 404


def test_the_page_is_read_only(seated, client):
    assert client.post(seated().get_absolute_url()).status_code == 405


def test_without_javascript_every_choice_is_in_a_list(seated, client):
    table = seated()
    seat = table.seats.get(number=table.seat_to_act)
    page = page_of(client, table, seat.user)
    [*_, plain] = re.findall(r"<noscript>(.*?)</noscript>", page, re.DOTALL)
    assert re.findall(r'<option value="([^"]*)"', plain) == [
        str(move) for move in view_of(table, seat.number).legal_moves()
    ]


def test_the_page_tells_nobody_to_keep_it(seated, client):
    table = seated()
    sign_in(client, table.seats.first().user)
    assert "no-store" in client.get(table.get_absolute_url())["Cache-Control"]


def test_names_are_escaped(seated, client):
    table = seated(watching="link")
    table.name = "<script>alert(1)</script>"
    table.save()
    assert "<script>alert(1)" not in page_of(client, table)


def another_world(table):
    """The same table with other cards where nobody but their owner, or nobody, can see them; the hand of seat 0 stays.

    Red threes stay where they are: in a hand that has had its turn one would be laid.
    """
    state = state_of(table).draft()
    hidden = b"".join(state.hands[1:]) + b"".join(foot or b"" for foot in state.feet) + state.stock
    others = iter(bytes(card for card in reversed(hidden) if card not in RED_THREES))

    def other(cards):
        return bytes(card if card in RED_THREES else next(others) for card in cards)

    for seat in range(1, state.seats):
        state.hands = put(state.hands, seat, arrange(other(state.hands[seat])))
    for seat, foot in enumerate(state.feet):
        if foot is not None:
            state.feet = put(state.feet, seat, arrange(other(foot)))
    state.stock = other(state.stock)
    keep(table, state.freeze())
    table.save()


def normal(content):
    """A page without the parts that differ in each request, or go by the clock."""
    content = re.sub(r'name="csrf[^>]*>', "", content)
    return re.sub(r"(\d+ (d|h|min)\b ?)+", "", content)


@pytest.mark.parametrize("number", [0, None])
def test_nothing_hidden_shows_in_any_byte(seated, client, driver, number):
    table = driver.until(seated(watching="link"), lambda table: table.move_count >= 25)
    user = None if number is None else table.seats.get(number=number).user
    parts = reverse("gameplay:parts", args=[table.slug])
    before = normal(page_of(client, table, user)), normal(client.get(parts).content.decode())
    another_world(table)
    after = normal(page_of(client, table, user)), normal(client.get(parts).content.decode())
    assert before == after


def test_first_page_and_parts_are_small(seated, client, driver):
    table = driver.until(seated(), lambda table: table.move_count >= 120)
    sign_in(client, table.seats.get(number=table.seat_to_act).user)
    page = client.get(table.get_absolute_url()).content
    parts = client.get(reverse("gameplay:parts", args=[table.slug])).content
    assert len(gzip.compress(page)) < 12_000
    assert len(gzip.compress(parts)) < 8_000


def test_all_that_a_first_visit_loads_is_small(seated, client, driver):
    """Cards included; the icons of browsers and of home screens are not, nor what follows once the page is complete."""
    table = driver.until(seated(), lambda table: table.move_count >= 120)
    page = page_of(client, table, table.seats.get(number=table.seat_to_act).user)
    with_script = re.sub(r"<noscript>.*?</noscript>", "", page, flags=re.S)
    loaded = re.findall(r'<(?:script src|link rel="stylesheet" href)="/static/([^"?]+)', with_script)
    assert {"css/table.css", "js/table/acts.js", "js/table/telling.js"} < set(loaded)
    files = [Path(finders.find(name)).read_bytes() for name in loaded]
    assert len(gzip.compress(page.encode())) + sum(len(gzip.compress(file)) for file in files) < 60_000


def test_a_turn_is_small(seated, client, driver):
    table = driver.until(seated(), lambda table: table.move_count >= 120 and state_of(table).phase == "draw")
    sign_in(client, table.seats.get(number=table.seat_to_act).user)
    address = reverse("gameplay:move", args=[table.slug])
    answer = client.post(address, {"moves": "draw", "seen": table.move_count}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert len(gzip.compress(answer.content)) < 12_000


def test_the_page_keeps_an_eye_on_the_other_tables_of_the_player(seated, client):
    table = seated()
    user = table.seats.get(number=table.seat_to_act).user
    assert "data-also" not in page_of(client, table, user)
    second = _another_table_of(table)
    assert f'data-also="{second.slug}:{second.version}"' in page_of(client, table)


def test_the_bar_alone_comes_where_nothing_else_is_new(seated, client):
    table = seated()
    sign_in(client, table.seats.get(number=table.seat_to_act).user)
    address = reverse("gameplay:parts", args=[table.slug])
    bar = client.get(address, {"only": "bar", "seen": table.version}).content.decode()
    assert 'id="bar"' in bar
    assert 'id="board"' not in bar
    assert 'id="board"' in client.get(address, {"only": "bar", "seen": table.version - 1}).content.decode()


@pytest.mark.slow
def test_the_page_takes_as_many_queries_late_as_early(seated, client, driver):
    table = seated()
    counts = []
    for least in (10, 200):
        driver.until(table, lambda table, least=least: table.move_count >= least and not table.is_between_deals)
        sign_in(client, table.seats.get(number=table.seat_to_act).user)
        with CaptureQueriesContext(connection) as queries:
            page_of(client, table)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 9


def test_between_deals_the_ending_and_the_score_sheet_stand_above_the_table_as_it_ended(seated, client, driver):
    table = driver.until(seated(), lambda table: table.is_between_deals)
    page = page_of(client, table, table.seats.first().user)
    assert "Deal 1 is over" in page
    assert 'name="deal" value="1"' in page
    places = [page.index(mark) for mark in ('id="h-sheet"', 'class="tally"', 'id="h-ended"', 'class="melds"')]
    assert places == sorted(places)


@pytest.mark.slow
def test_after_the_match_there_is_a_result_a_replay_and_a_rematch(seated, client, driver):
    table = driver.until(seated(options={"length": {"deals": 1}}), lambda table: table.status == Table.Status.OVER)
    page = page_of(client, table, table.seats.first().user)
    assert "won the match" in page
    assert reverse("gameplay:rematch", args=[table.slug]) in page
    assert reverse("gameplay:replay", args=[table.slug]) in page


def test_the_next_table_is_one_press_away(seated, client):
    first, second = seated(), None
    user = first.seats.get(number=first.seat_to_act).user
    second = _another_table_of(first)
    page = page_of(client, first, user)
    assert f'id="next" href="{second.get_absolute_url()}"' in page
    assert "<title>(2) Your turn · Harbour Four</title>" in page


def _another_table_of(table):
    other = make_table([seat.user for seat in table.seats.all()], table.rules, name="Second")
    assert other.seat_to_act == table.seat_to_act
    return other


def test_practice_uses_the_same_page(client, person):
    from engine.play.rules import Rules
    from gameplay.services import tables

    user = person("Ann")
    table = tables.make_practice(user, Rules.preset("family"))
    play_bots(table.pk)
    table.refresh_from_db()
    page = page_of(client, table, user)
    assert "No clock. Take your time." in page
    assert 'Bot<span class="wide-vh">, club</span>' in page


# Agreements of the players, and reserves


def agree_buttons(page):
    form = re.search(r'<form class="agree moment"[^>]*action="[^"]*/pause/".*?</form>', page, re.DOTALL)
    return re.findall(r'name="act" value="([a-z-]+)">([^<]+)<', form[0]) if form else []


def test_a_proposal_is_answered_on_the_page_itself(seated, four, client):
    table = seated(watching="link")
    assert agree_buttons(page_of(client, table, four[1])) == []
    pauses.propose_pause(table.pk, four[0])
    page = page_of(client, table, four[1])
    assert "Ann wants to pause the match. All players must agree." in page
    assert agree_buttons(page) == [("agree-pause", "Agree"), ("decline", "Decline")]
    own_page = page_of(client, table, four[0])
    assert "You asked to pause the match. Waiting for all players to agree." in own_page
    assert agree_buttons(own_page) == [("decline", "Cancel my request")]
    client.logout()
    assert agree_buttons(page_of(client, table)) == []


def test_the_buttons_do_what_they_say(seated, four, client):
    table = seated()
    for user, act in [
        (four[0], "abandon"),
        (four[1], "decline"),
        (four[0], "pause"),
        *((u, "agree-pause") for u in four[1:]),
    ]:
        sign_in(client, user)
        assert client.post(reverse("gameplay:pause", args=[table.slug]), {"act": act}).url == table.get_absolute_url()
    page = page_of(client, table, four[2])
    assert page.count("The match is paused.") == 1
    assert agree_buttons(page) == [("resume", "Resume")]
    client.logout()
    assert page_of(client, table).count("The match is paused.") == 1
    sign_in(client, four[2])
    client.post(reverse("gameplay:pause", args=[table.slug]), {"act": "resume"})
    table.refresh_from_db()
    assert table.paused_at is None


def test_who_left_may_take_the_seat_back_from_the_bot_once(seated, four, person, client):
    table = seated(watching="link")
    waiting = four[(table.seat_to_act + 1) % 4]
    leaving.resign(table.pk, waiting)
    button = 'id="take-back"'
    assert button not in page_of(client, table)
    assert button not in page_of(client, table, person("Eve"))
    assert button in page_of(client, table, waiting)
    assert button in client.get(reverse("gameplay:parts", args=[table.slug])).content.decode()
    client.post(reverse("gameplay:take_back", args=[table.slug]))
    assert table.seats.filter(user=waiting).exists()
    leaving.resign(table.pk, waiting)
    assert button not in page_of(client, table, waiting)


def test_bots_who_play_for_nobody_are_nobodys_to_relieve(client, person):
    table = tables.make_practice(person("Ann"), Rules.preset("family"))
    Table.objects.filter(pk=table.pk).update(watching="link")
    assert 'id="take-back"' not in page_of(client, table)


def test_members_who_watch_may_offer_to_step_in(seated, four, person, client):
    table = seated(watching="link")
    assert "Offer to be a reserve" not in page_of(client, table)
    assert "Offer to be a reserve" not in page_of(client, table, four[0])
    assert "Offer to be a reserve" in page_of(client, table, person("Eve"))
    client.post(reverse("gameplay:reserve", args=[table.slug]), {"offer": "yes"})
    assert "Cancel offer" in page_of(client, table)


def test_the_chat_says_how_much_is_new(seated, four, client):
    table = seated()
    table.seats.update(unread=1)
    assert 'Chat<b class="badge">1</b>' in page_of(client, table, four[0])
    table.seats.update(mutes_chat=True)
    assert 'class="badge"' not in page_of(client, table, four[0])


@pytest.mark.slow
def test_the_fairness_of_the_deal_is_one_press_away_and_so_is_the_phrase(seated, client, driver):
    table = driver.until(seated(), lambda table: table.is_between_deals)
    page = page_of(client, table, table.seats.first().user)
    address = reverse("gameplay:shuffle", args=[table.slug])
    assert f'<a href="{address}">Fair deal' in page
    assert f'<a href="{address}#phrase">Add a phrase to the next shuffle</a>' in page
    assert 'id="phrase"' in client.get(address).content.decode()


def test_a_deadline_beyond_the_week_has_its_date(seated, client):
    table = seated()
    due = timezone.now() + timedelta(days=9)
    Table.objects.filter(pk=table.pk).update(deadline_at=due)
    page = page_of(client, table, table.seats.first().user)
    assert f"Due {due:%a} {due.day} {due:%b %H:%M}" in page
