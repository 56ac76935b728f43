"""The operator’s page of stored data: every rule with its rows, and what was deleted."""

from datetime import date, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

from accounts import retention
from accounts.models import Clearing
from operating import health, stored_data
from tests.pages import squeezed
from web.database import free_space

pytestmark = pytest.mark.django_db


def session(key, **ago):
    Session.objects.create(session_key=key, session_data="", expire_date=timezone.now() - timedelta(**ago))


def fact():
    return next(fact for fact in health.facts(timezone.now()) if fact.name == "Old data")


def test_it_is_the_table_that_the_site_deletes_by(desk):
    page = squeezed(desk.get("/operator/data/"))
    for rule in retention.rules():
        assert f"<b>{rule.title}</b>: {rule.duration_words}, {rule.why}." in page
    for reason in retention.reasons().values():
        assert f"<b>{reason.title}</b>: {reason.why}." in page


def test_it_counts_the_rows_and_those_overdue(desk):
    session("fresh", days=-1)
    session("late", days=3)
    (line,) = [line for line in stored_data.by_rule() if line.rule.name == "sessions"]
    # Olga’s own is there too.
    assert (line.count, line.overdue) == (3, 1)
    assert "1 overdue" in desk.get("/operator/data/").text


def test_it_says_what_was_deleted_on_the_last_days(desk):
    Clearing.objects.create(day=date(2026, 5, 5), ended_at=timezone.now(), counts={"guests": 1204, "of_old": 2})
    Clearing.objects.create(day=date(2026, 5, 6))
    assert [words for _, words in stored_data.days()] == ["nothing", "Guests: 1,204; of_old: 2"]
    page = desk.get("/operator/data/").text
    assert page.count("(not finished)") == 1
    assert "Guests: 1,204; of_old: 2" in page


def test_it_says_how_large_the_database_is(desk, monkeypatch):
    monkeypatch.setattr(free_space, "size", lambda: free_space.Size(5 << 20, 1 << 20))
    assert "The database has 5.0 MB, of which 1.0 MB are free." in desk.get("/operator/data/").text
    monkeypatch.setattr(free_space, "size", lambda: free_space.Size(3 << 30))
    assert "The database has 3,072.0 MB." in desk.get("/operator/data/").text


def test_it_asks_to_compact_a_file_that_does_not_shrink(desk, monkeypatch):
    assert "manage.py compact" not in desk.get("/operator/data/").text
    monkeypatch.setattr(free_space, "gives_back", lambda: False)
    assert "manage.py compact" in desk.get("/operator/data/").text


def test_tables_have_their_size_where_the_database_knows_it():
    sizes = {size for _, size in stored_data.permanent()}
    assert (sizes == {""}) == (connection.vendor == "sqlite")


def test_the_first_page_says_when_old_data_was_last_cleared():
    assert (fact().words, fact().trouble) == ("not cleared yet", "")
    day = Clearing.objects.create(day=date(2026, 5, 5), ended_at=timezone.now() - timedelta(hours=47))
    assert (fact().words, fact().trouble) == ("cleared 1 d 23 h ago", "")
    Clearing.objects.filter(pk=day.pk).update(ended_at=timezone.now() - timedelta(hours=49))
    assert fact().trouble == "old data has not been cleared for 2 d 1 h"


def test_nobody_else_sees_it(client, person):
    assert client.get("/operator/data/").status_code == 404
    client.force_login(person("Ann"))
    assert client.get("/operator/data/").status_code == 404
