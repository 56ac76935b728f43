"""The help page, the links that lead to its answers, and where to report a hole in the site's security."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.template import Context, Template

from tests.pages import squeezed

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
ASKED = [
    (path.relative_to(ROOT).as_posix(), anchor)
    for path in TEMPLATES
    for anchor in re.findall(r'{% ask "([^"]+)"', path.read_text())
]


@pytest.fixture
def page(client, db):
    return squeezed(client.get("/help/"))


def answers(page):
    """The anchor and the title of each answer, in order."""
    return re.findall(r'<section class="snug" id="([\w-]+)"><h3>([^<]+)</h3>', page)


def test_the_questions_above_are_those_that_are_answered_in_the_same_order(page):
    questions = re.findall(r'<li><a href="#([\w-]+)">([^<]+)</a></li>', page)
    assert questions == answers(page)
    assert len(dict(questions)) == len(questions)


def test_every_answer_that_a_page_points_to_is_there(page):
    there = dict(answers(page))
    assert [(path, anchor) for path, anchor in ASKED if anchor not in there] == []


def test_pages_point_to_answers_where_the_questions_arise():
    assert len({path for path, _ in ASKED}) >= 15


def test_a_link_to_an_answer_keeps_the_page_it_is_on():
    link = Template('{% ask "pile" words %}').render(Context({"words": "Why <not>"}))
    assert 'href="/help/#pile" target="help"' in link
    assert "Why &lt;not&gt;" in link


@pytest.mark.django_db
def test_help_is_read_and_not_written(client):
    assert client.post("/help/").status_code == 405


def test_nobody_is_named_for_reports_where_the_operator_names_nobody(client, db, settings):
    settings.SECURITY_CONTACT = ""
    assert client.get("/.well-known/security.txt").status_code == 404


def test_the_contact_for_reports_is_named_and_for_how_long(client, settings):
    settings.SECURITY_CONTACT = "mailto:safe@club.example"
    settings.SITE_URL = "https://club.example"
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    expires = datetime.fromisoformat(fields.pop("Expires"))
    assert timedelta(days=90) < expires - datetime.now(UTC) < timedelta(days=365)
    assert fields == {
        "Contact": "mailto:safe@club.example",
        "Preferred-Languages": "en",
        "Canonical": "https://club.example/.well-known/security.txt",
    }
