"""Deleted accounts: no row, page, file, email or log line names them any more, and their results stay."""

import logging

import pytest
from django.apps import apps
from django.db.models import CharField, JSONField, TextField
from django.test import Client

from clubs.models import Season, Team
from gameplay.models import Move, Table
from tests.security.erased import WORDS, known_everywhere
from tests.security.site_map import body_of
from tournaments.models import Entry, Place

pytestmark = pytest.mark.django_db

LEFT = {
    ("gameplay.Deal", "phrases"): "a phrase is part of what a deal was made of: without it no deal could be checked",
    ("tournaments.Tournament", "slug"): "addresses never change; it is made of what an event was called at first",
    ("accounts.Notice", "url"): "the same address",
}
"""Fields that may still hold it, and why."""


def naming():
    """(model, field, value) of everything stored that holds one of the words."""
    for model in apps.get_models():
        texts = [text for text in model._meta.get_fields() if isinstance(text, (CharField, TextField, JSONField))]
        for row in model._default_manager.values_list("pk", *(text.name for text in texts)):
            for field, value in zip(texts, row[1:], strict=True):
                if any(word.casefold() in str(value).casefold() for word in WORDS):
                    yield model._meta.label, field.name, str(value)[:90]


@pytest.fixture
def zora(person, driver, django_capture_on_commit_callbacks):
    """Zora, the other people, her club and her event."""
    with django_capture_on_commit_callbacks(execute=True):
        return known_everywhere(person, driver)


def test_nothing_stored_names_who_has_left(zora, gone, caplog):
    before = {(model, field) for model, field, _ in naming()}
    assert len(before) > 45, sorted(before)
    assert before >= set(LEFT)
    with caplog.at_level(logging.DEBUG):
        gone(zora[0])
    remaining = sorted({naming_field for naming_field in naming() if naming_field[:2] not in LEFT})
    assert not remaining, "\n".join(map(str, remaining))
    assert not [line for line in caplog.messages if any(word in line for word in WORDS)]
    gone(zora[0])
    assert not [naming_field for naming_field in naming() if naming_field[:2] not in LEFT]


def test_what_they_played_stays(zora, gone):
    def played():
        rows = Place.objects.order_by("pk").values_list("score", "points", "rank", "entry_id")
        return list(rows), list(Move.objects.order_by("pk").values_list("table_id", "number", "text", "seat"))

    before = played()
    gone(zora[0])
    assert played() == before
    assert Entry.objects.filter(name="former member").exists()
    assert Table.objects.filter(name="former member’s four").exists()
    assert Team.objects.filter(name="former member and Ben 1").exists()


@pytest.mark.slow
def test_pages_that_were_kept_ready_name_nobody(zora, gone):
    """Pages that the cache held before are not shown afterwards."""
    user, people, club, event = zora
    season = Season.objects.get(league__club=club)
    base = f"/clubs/{club.slug}/"
    league = f"{base}leagues/{season.league.slug}/"
    paths = [
        base, f"{base}news/", f"{base}news.atom", f"{base}calendar.ics", f"{base}statistics/", league,
        f"{league}{season.slug}/", f"{league}{season.slug}/1/fixtures/",
        f"{league}{season.slug}/1/table.csv", f"{league}{season.slug}/1/table.json", f"{league}calendar.ics",
        f"{league}teams/1/", f"{event.get_absolute_url()}", f"{event.get_absolute_url()}entries/",
        f"{event.get_absolute_url()}results/", f"{event.get_absolute_url()}event.json",
        f"{event.get_absolute_url()}entries.csv", f"{event.get_absolute_url()}feed.atom",
        f"{event.get_absolute_url()}1/standings.csv",
        f"/api/v1/clubs/{club.slug}/", f"/api/v1/clubs/{club.slug}/news/", f"/api/v1/events/{event.slug}/entries/",
    ]  # fmt: skip
    client, reader = Client(), Client()
    reader.force_login(people["ben"])

    def naming_pages():
        for path in paths:
            for browser in (client, reader):
                answer = browser.get(path)
                assert answer.status_code == 200, (path, answer.status_code)
                if b"Quillfeather" in body_of(answer):
                    yield path

    assert len(set(naming_pages())) > 14
    gone(user)
    assert set(naming_pages()) == set()
