"""What the browser is told of every page, and what no page and no template may hold."""

import re
from pathlib import Path

import pytest
from django.test import Client

from tests.security.site_map import Page, body_of, crawl, is_data, is_page, paths

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(path for path in ROOT.rglob("*.html") if ".venv" not in path.parts and "tests" not in path.parts)


def policy_of(response):
    """The content security policy by directive."""
    parts = [part.split() for part in response["Content-Security-Policy"].split(";")]
    return {name: sources for name, *sources in parts}


def check_headers(response, **other):
    """The usual policy, but for the directives given as sources by name."""
    assert policy_of(response) == {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        **{name.replace("_", "-"): sources for name, sources in other.items()},
    }
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response["Referrer-Policy"] == "same-origin"


@pytest.mark.slow
@pytest.mark.django_db
def test_every_answer_forbids_inline_script_eval_framing_and_guessing_of_types(site):
    site, readable_elsewhere = site(), set()
    for _, path, answer in crawl(site):
        check_kind(answer)
        if "Access-Control-Allow-Origin" in answer:
            readable_elsewhere.add((path.rpartition("/")[2], answer["Access-Control-Allow-Origin"]))
        if "/embed/" in path and answer.status_code == 200:  # for others' pages to frame, and without any script
            check_headers(answer, frame_ancestors=["*"], script_src=["'none'"])
            assert "X-Frame-Options" not in answer
        else:
            check_headers(answer)
            assert answer["X-Frame-Options"] == "DENY"
    assert readable_elsewhere == {("table.json", "*")}  # scripts of others may read a league's table


def check_kind(response):
    """Whoever reads the answer need not guess what it is, nor in which letters text is written."""
    kind, *parameters = response.get("Content-Type", "").split("; ")
    assert re.fullmatch(r"[a-z]+/[a-z0-9.+-]+", kind) or response.status_code in (204, 304)
    assert "charset=utf-8" in parameters or not kind.startswith("text/")


@pytest.mark.django_db
def test_no_address_sends_a_request_back(site):
    site = site()
    for _, path in paths(site, site.playing):
        answer = site.clients["Ann"].trace(path, headers={"X-Mine": "echo-of-a-secret"})
        assert b"echo-of-a-secret" not in body_of(answer), path


@pytest.mark.django_db
def test_answers_to_faults_forbid_the_same(site, monkeypatch):
    site = site()
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(site.users["Ann"])
    page = site.playing.get_absolute_url()
    answers = [
        client.get("/nowhere/"),
        client.post(page),
        client.get(f"{page}move/"),
        client.get("/", HTTP_HOST="evil"),
    ]
    monkeypatch.setattr("gameplay.views.home.queries.public_tables", None)
    answers.append(client.get("/"))
    assert [answer.status_code for answer in answers] == [404, 403, 405, 400, 500]
    for answer in answers:
        check_headers(answer)


@pytest.mark.slow
@pytest.mark.django_db
def test_pages_of_players_are_stored_nowhere(site):
    site = site()
    for name in ("Ann", "Eve"):
        for _, path in paths(site, site.playing):
            answer = site.clients[name].get(path)
            assert "no-store" in answer["Cache-Control"] or not is_page(answer) or path == "/offline/", path


@pytest.mark.slow
@pytest.mark.django_db
def test_no_page_holds_inline_script_style_or_handlers(site):
    site = site()
    for name, path, answer in crawl(site):
        if is_page(answer):
            assert inline_parts(Page(answer.content.decode())) == [], (name, path)


def inline_parts(page):
    """Scripts and styles within a page, handlers and style attributes, and whatever htmx would evaluate."""
    found = [each for each in page.inline if each[0] == "script" or each[1].strip()]
    for tag, attributes in page.elements:
        for name, value in attributes.items():
            is_handler = name.startswith(("on", "hx-on", "hx-vars"))
            is_code = name.startswith("hx-") and re.match(r"\s*(js|javascript):", value or "")
            is_filter = name == "hx-trigger" and "[" in (value or "")
            if name == "style" or is_handler or is_code or is_filter:
                found.append((tag, name, value))
        if tag == "script" and "src" not in attributes and not is_data(tag, attributes):
            found.append((tag, "without src", ""))
    return found


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_template_holds_what_the_policy_would_block(path):
    source = re.sub(r"{%.*?%}", "{}", path.read_text())
    assert re.findall(r"<script(?![^>]*\ssrc=)[^>]*>", source) == []
    blocked = r"<style|\sstyle\s*=|\son[a-z]+\s*=|\shx-on|\shx-vars|[\"'=]\s*javascript:"
    assert re.findall(blocked, source, re.IGNORECASE) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_page_template_switches_escaping_off(path):
    assert re.findall(r"\|\s*safe\b|safeseq|autoescape\s+off", path.read_text()) == []


def test_no_script_of_ours_evaluates_text():
    scripts = sorted((ROOT / "static").rglob("*.js"))
    assert scripts
    for script in scripts:
        evaluates = (
            r"\beval\(|new Function|document\.write|insertAdjacentHTML|outerHTML\s*=|set(Timeout|Interval)\(['\"`]"
        )
        assert re.findall(evaluates, script.read_text()) == [], script.name
