"""Presence: who is at a table, watches it, or is on the site; shown unless a person hides it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import budgets
from accounts.budgets import STREAMS, hold
from accounts.models import User
from gameplay import presence
from gameplay.models import Seat, Table
from tests.pages import squeezed


@pytest.fixture
def table(seated):
    table = seated()
    table.seats.update(looked_at=None)
    return table


@pytest.fixture
def whole_window(monkeypatch):
    """What is held is counted in the last whole window; here there is only one."""
    monkeypatch.setattr("accounts.budgets._held_windows", lambda budget, now: [f"{budget.name}:1", f"{budget.name}:2"])


def look(table, number, ago):
    table.seats.filter(number=number).update(looked_at=timezone.now() - timedelta(seconds=ago))


def here(client, table):
    return client.get(reverse("gameplay:parts", args=[table.slug]), {"only": "here"}).json()


@pytest.mark.parametrize(("ago", "is_here"), [(0, True), (99, True), (101, False)])
def test_a_player_is_at_the_table_for_two_renewals_of_the_page(table, ago, is_here):
    now = timezone.now()
    seat = table.seats.get(number=2)
    seat.looked_at = now - timedelta(seconds=ago)
    assert presence.is_here(seat, now) is is_here


def test_a_seat_without_a_player_is_never_here(table):
    now = timezone.now()
    assert not presence.is_here(Seat(table=table, number=0, bot="club", looked_at=now), now)


def test_the_others_see_who_is_here_and_nobody_oneself(table, four, client):
    look(table, 1, 5)
    look(table, 2, 5)
    client.force_login(table.seats.get(number=1).user)
    page = squeezed(client.get(table.get_absolute_url()))
    shown = '<span class="here"><span class="vh">here now</span></span>'
    hidden = '<span class="here" hidden><span class="vh">here now</span></span>'
    assert [page.count(shown), page.count(hidden)] == [1, 2]
    assert here(client, table) == {"here": [1, 2], "watching": ""}


def test_a_person_who_hides_it_is_not_shown_and_still_here(table, client):
    look(table, 2, 5)
    seat = table.seats.get(number=2)
    User.objects.filter(pk=seat.user_id).update(shows_presence=False)
    client.force_login(table.seats.get(number=1).user)
    assert here(client, table) == {"here": [], "watching": ""}
    assert presence.is_here(seat, timezone.now())


def test_a_page_asks_who_is_here_without_reading_the_position(table, client):
    client.force_login(table.seats.get(number=1).user)
    here(client, table)
    with CaptureQueriesContext(connection) as queries:
        here(client, table)
    assert len(queries) == 5, [query["sql"][:80] for query in queries]


def test_strangers_learn_nothing_of_a_table_they_cannot_see(table, client, person):
    Table.objects.filter(pk=table.pk).update(watching="nobody")
    client.force_login(person("Eve"))
    assert client.get(reverse("gameplay:parts", args=[table.slug]), {"only": "here"}).status_code == 404


@pytest.mark.usefixtures("whole_window")
def test_spectators_are_counted_while_their_pages_are_open(table, client):
    first, second = presence.watch(table.pk), presence.watch(table.pk)
    client.force_login(table.seats.get(number=1).user)
    assert here(client, table)["watching"] == "2 spectators"
    assert "<span>2 spectators</span>" in squeezed(client.get(table.get_absolute_url()))
    budgets.release(first)
    assert here(client, table)["watching"] == "1 spectator"
    budgets.release(second)
    assert here(client, table)["watching"] == ""


@pytest.mark.usefixtures("whole_window")
def test_a_person_is_on_the_site_with_a_live_page_or_after_a_request(person, client):
    ann, ben, eve = person("Ann"), person("Ben"), person("Eve")
    with hold(STREAMS, ann):
        client.force_login(ben)
        client.get("/help/")
        assert presence.shown_on_site([ann, ben, eve]) == {ann.pk, ben.pk}
        ben.shows_presence = False
        assert presence.shown_on_site([ann, ben, eve]) == {ann.pk}
    assert not presence.is_on_site(ann)
