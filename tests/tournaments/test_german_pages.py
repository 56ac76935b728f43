"""Pages of events in German: each reader has their own language, and words keep their capitals within a sentence."""

import re

import pytest
from django.test import Client
from django.utils import translation

from tests.tournaments import driving
from tournaments import round_names
from tournaments.templatetags.events import entry_word
from web.templatetags.site import in_sentence


def page(path, language):
    return Client(HTTP_ACCEPT_LANGUAGE=language).get(path).content.decode()


def test_a_part_that_is_kept_is_kept_for_each_language(new_event, olga):
    event = new_event("round_robin", 4, started=True)
    driving.play_round(event, olga)
    path = f"/events/{event.slug}/1/"
    german, english = page(path, "de"), page(path, "en")
    assert "Letzte fünf" in german
    assert "Last five" not in german
    assert "Last five" in english
    assert "Letzte fünf" not in english
    assert "Letzte fünf" in page(path, "de")
    assert '<i class="w">S</i>' in german
    assert '<i class="w">W</i>' in english


@pytest.mark.parametrize(
    ("stored", "title", "words", "german", "german_words"),
    [
        ("Round 3", "Round 3", "round 3", "Runde 3", "Runde 3"),
        ("Level 2", "Round 2", "round 2", "Runde 2", "Runde 2"),
        ("Final", "Final", "final", "Finale", "Finale"),
        ("Semi-finals", "Semi-finals", "semi-finals", "Halbfinale", "Halbfinale"),
        ("LB2", "Second chance, round 2", "second chance, round 2", "Zweite Chance, Runde 2", "Zweite Chance, Runde 2"),
        ("WB1", "Round 1", "round 1", "Runde 1", "Runde 1"),
        ("Friday’s", "Friday’s", "friday’s", "Friday’s", "Friday’s"),
    ],
)
def test_rounds_are_stored_in_english_and_told_in_the_readers_language(stored, title, words, german, german_words):
    with translation.override("en"):
        assert (round_names.round_name(stored), round_names.round_words(stored)) == (title, words)
    with translation.override("de"):
        assert (round_names.round_name(stored), round_names.round_words(stored)) == (german, german_words)


def test_a_format_that_ends_with_a_full_stop_gets_no_second_one(new_event):
    new_event("double_elimination", 4, venue="Harbour Hall, Quay St.")
    markup = page("/events/", "de")
    assert "Doppel-K.-o." in markup
    assert ".." not in re.sub(r"<[^>]+>", "", markup.partition("<h2>Kommende")[2])


def test_german_keeps_capitals_within_a_sentence():
    with translation.override("de"):
        assert in_sentence("Tisch 3") == "Tisch 3"
        assert entry_word("partnership") == "Paar"
    with translation.override("en"):
        assert in_sentence("Table 3") == "table 3"
        assert in_sentence("WB1.1") == "WB1.1"
        assert in_sentence("Sonneborn–Berger") == "Sonneborn–Berger"
        assert entry_word("partnership") == "pair"
