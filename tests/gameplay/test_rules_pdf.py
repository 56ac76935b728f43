"""Rule sheets as PDF: the text of the sheet, in the reader's language, marked where rules differ."""

import re

import pytest
from django.test import Client

from accounts.heavy_addresses import ALWAYS
from engine.play.rule_sheet.sheet import Section, Sentence, rule_sheet
from engine.play.rules import Rules
from gameplay.house_rules import rules_pdf
from web.paper import Cover

pytestmark = pytest.mark.django_db


def sheets(document):
    return len(re.findall(rb"/Type /Page\n", document))


@pytest.fixture
def written(monkeypatch):
    """All text that is put on paper."""
    texts = []
    put = rules_pdf.Paper.put

    def note(paper, x, y, width, text, **style):
        texts.append(text)
        put(paper, x, y, width, text, **style)

    monkeypatch.setattr(rules_pdf.Paper, "put", note)
    return texts


def make(sections, changed=()):
    from django.utils import timezone

    about = Cover("Harbour rules", "https://example.org/rules/", "Version 1", timezone.now())
    return rules_pdf.rules_pdf(about, "Rule sheet", sections, changed)


def words(text):
    return text.split()


def test_every_sentence_is_on_the_paper_in_its_order(written):
    sections = rule_sheet(Rules.preset("standard"))
    make(sections)
    text = " ".join(written)
    at = 0
    for section in sections:
        for sentence in section.sentences:
            for word in words(sentence.text):
                at = text.index(word, at)


def test_changed_rules_have_a_sign_and_the_head_explains_it(written):
    sections = [Section("The game", (Sentence((), "Draw three cards."), Sentence((), "Discard one.")))]
    make(sections, {"Draw three cards."})
    assert written[written.index("Draw three cards.") - 1] == "≠"
    assert written[written.index("Discard one.") - 1] == "•"
    assert "≠ marks house rules" in written


def test_a_sheet_too_long_for_two_takes_more():
    sentences = tuple(Sentence((), f"Rule {number} " + "is long " * 30) for number in range(300))
    assert sheets(make([Section("The game", sentences)])) > 2


def test_a_sheet_of_one_rule_takes_one():
    assert sheets(make([Section("The game", (Sentence((), "Draw three cards."),))])) == 1


def test_a_published_ruleset_has_its_sheet_in_both_languages(written):
    client = Client()
    english = client.get("/rules/bain/sheet.pdf")
    assert (english.status_code, english["Content-Type"]) == (200, "application/pdf")
    assert "Rule sheet" in written
    assert sheets(english.content) == 2
    client.get("/rules/bain/sheet.pdf", headers={"Accept-Language": "de"})
    assert "Regelblatt" in written
    assert client.get("/rules/poker/sheet.pdf").status_code == 404


def test_a_reader_who_has_the_file_does_not_get_it_again():
    client = Client()
    tag = client.get("/rules/bain/sheet.pdf")["ETag"]
    assert client.get("/rules/bain/sheet.pdf", headers={"If-None-Match": tag}).status_code == 304


def test_the_files_count_as_heavy():
    assert {"gameplay:ruleset_pdf", "clubs:rules_pdf"} <= ALWAYS
