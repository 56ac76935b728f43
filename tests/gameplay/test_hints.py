"""Hints: who gets them where, what they say, what they cost, and that they know no more than the seat."""

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from accounts import budgets
from accounts.budgets import BOT_TIME, subject_of
from engine.bots.advice import Advice
from engine.play.moves import ASK, DRAW, parse_move, write_move
from engine.play.rules import Rules
from engine.play.state import PLAYING
from gameplay.models import Table
from gameplay.page.hints import HintRow, hint_rows
from gameplay.services import event_tables, hints, pauses, tables
from gameplay.snapshot import keep, state_of
from gameplay.templatetags.tables import terms
from tests.gameplay.test_hidden_cards import NOW, another_world, answer

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def repeatable_hints(monkeypatch):
    """Hints count imagined deals, so that they do not depend on the machine."""
    monkeypatch.setattr(hints, "SAMPLES", 2)


@pytest.fixture
def hinted(seated):
    """Makes a table of Ann, Ben, Cem and Dee with hints."""

    def make(rules="standard"):
        return seated(rules, allows_hints=True)

    return make


def player_to_act(table):
    return table.seats.get(number=table.seat_to_act).user


def ask(table, user=None):
    return hints.give_hint(table.pk, user or player_to_act(table), seen=table.move_count)


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def place(table):
    return reverse("gameplay:hint", args=[table.slug])


def by_program(client, table):
    """The answer to a program."""
    path = f"/api/v1/tables/{table.slug}/hint/"
    return client.post(path, {"seen": table.move_count}, content_type="application/json")


# What it says


def test_at_most_three_acts_are_named_the_best_first_each_with_worth_and_reason(hinted, driver):
    table = driver.until(hinted(), lambda table: table.move_count > 40 and state_of(table).phase == PLAYING)
    acts = ask(table)
    assert 1 < len(acts) <= hints.MOST
    assert [act.worth for act in acts[1:]] == sorted((act.worth for act in acts[1:]), reverse=True)
    assert all(act.reason.endswith(".") for act in acts)
    assert ask(table) == acts


def test_acts_are_told_with_their_worth_beside_the_first():
    acts = [Advice(DRAW, 324.0, "Why."), Advice(parse_move("discard 9c"), 284.0, "So."), Advice(ASK, 321.0, "Ask.")]
    assert hint_rows(acts) == [
        HintRow("Draw from the stock", "You should end the deal about 320 points ahead.", "Why."),
        HintRow("Discard the 9 of clubs", "About 40 points less.", "So."),
        HintRow("Ask if you can go out", "About as good.", "Ask."),
    ]
    behind, even = (hint_rows([Advice(DRAW, worth, "Why.")])[0].worth for worth in (-1250.0, 4.0))
    assert behind == "You should end the deal about 1,250 points behind."
    assert even == "The deal should end about even."


def test_the_page_shows_the_acts_with_and_without_script(hinted):
    table = hinted()
    client = client_of(player_to_act(table))
    assert "What would you do?" in client.get(table.get_absolute_url()).text
    sent, rows = {"seen": table.move_count}, hint_rows(ask(table))
    page, part = client.post(place(table), sent), client.post(place(table), sent, headers={"HX-Request": "true"})
    for response in (page, part):
        assert response.status_code == 200
        assert f"A bot would choose: {rows[0].words}." in response.text
        for row in rows:
            assert f"<b>{row.words}.</b> {row.reason} <small>{row.worth}</small>" in response.text
    assert "<html" in page.text
    assert "<html" not in part.text


def test_it_speaks_the_language_of_the_reader(hinted):
    table = hinted()
    user = player_to_act(table)
    type(user).objects.update(language="de")
    response = client_of(user).post(place(table), {"seen": table.move_count})
    assert "Ein Bot würde wählen: " in response.text


def test_programs_get_the_acts_in_notation(hinted):
    table = hinted()
    data = by_program(client_of(player_to_act(table)), table).json()
    acts = [{"move": write_move(a.move), "worth": round(a.worth), "reason": a.reason} for a in ask(table)]
    assert data == {"move_count": 0, "acts": acts}


def test_a_hint_changes_nothing(hinted):
    table = hinted()
    before = Table.objects.filter(pk=table.pk).values().get()
    ask(table)
    assert (Table.objects.filter(pk=table.pk).values().get(), table.moves.count()) == (before, 0)


# Where and for whom


def test_practice_has_hints_and_other_tables_only_by_choice(person, seated):
    practice = tables.make_practice(person("Eve"), Rules.preset("standard"))
    assert practice.gives_hints
    assert "Hints are on: you can ask what a bot would do." in terms(practice)
    plain = seated(begun=False)
    assert not plain.gives_hints
    assert not [sentence for sentence in terms(plain) if "Hints" in sentence]


def test_rated_matches_cannot_have_hints(seated, refuses):
    with refuses("bad_terms") as caught:
        seated(is_rated=True, allows_hints=True)
    assert caught.value.sentence == "Rated matches have no hints. Turn off “Hints” or “Rated”."


@pytest.mark.parametrize("terms", [{}, {"is_rated": True}, {"is_arranged": True}])
def test_the_act_itself_refuses_where_hints_are_not_allowed(terms, seated, refuses):
    table = seated()
    Table.objects.filter(pk=table.pk).update(allows_hints=bool(terms), **terms)
    with refuses("no_hints") as caught:
        ask(table)
    assert caught.value.sentence == "This table has no hints."
    page = client_of(player_to_act(table)).get(table.get_absolute_url()).text
    assert "What would you do?" not in page


def test_tables_of_events_have_none_even_in_practice(four):
    table = event_tables.create_event_table(
        Rules.preset("standard"), name="Cup", seats=four, team_size=2, terms={"is_practice": True, "allows_hints": True}
    )
    assert not table.gives_hints


def test_only_the_player_to_act_with_a_fresh_page_gets_a_hint(hinted, person, refuses, four):
    table = hinted()
    other = table.seats.get(number=(table.seat_to_act + 1) % 4).user
    with refuses("no_seat"):
        ask(table, person("Eve"))
    with refuses("not_your_turn"):
        ask(table, other)
    with refuses("stale"):
        hints.give_hint(table.pk, player_to_act(table), seen=table.move_count + 1)
    pauses.propose_pause(table.pk, four[0])
    for user in four[1:]:
        pauses.agree_pause(table.pk, user)
    with refuses("paused"):
        ask(table)


def test_there_is_none_where_cards_are_lifted(hinted, refuses):
    with refuses("no_choice"):
        ask(hinted("family"))


# What it costs


def test_a_hint_uses_the_budget_of_thinking(hinted):
    table = hinted()
    ask(table)
    assert budgets.used(BOT_TIME, subject_of(player_to_act(table))) == hints.SECONDS * 1000


def test_no_budget_no_hint_at_page_and_program(hinted, limited):
    table = hinted()
    user = player_to_act(table)
    limited(BOT_TIME, person=199)
    sentence = "Your bots have used up their thinking time. Try again in "
    page = client_of(user).post(place(table), {"seen": 0})
    assert (page.status_code, sentence in page.text) == (429, True)
    answered = by_program(client_of(user), table)
    assert (answered.status_code, answered.json()["budget"]) == (429, "bot_time")


# Hidden cards


@pytest.mark.parametrize("stop", [0, 11, 40, 65])
def test_a_hint_is_the_same_whatever_the_seat_cannot_see(stop, hinted, driver):
    with time_machine.travel(NOW, tick=False):
        table = driver.until(hinted(), lambda table: table.move_count >= stop)
        seat, user = table.seat_to_act, player_to_act(table)
        client, sent = client_of(user), {"seen": table.move_count}

        def answers():
            response = by_program(client, table)
            return answer(client, "post", place(table), sent), (response.status_code, response.content)

        here = answers()
        with another_world(table, seat, seed=f"hint {stop}"):
            there = answers()
        assert (here[0][0], here[1][0]) == (200, 200)
        assert here == there


def test_a_key_of_the_deal_is_no_part_of_the_seed(hinted):
    table = hinted()
    here = ask(table)
    draft = state_of(table).draft()
    draft.seed = bytes(32)
    keep(table, draft.freeze())
    table.save()
    assert ask(table) == here
