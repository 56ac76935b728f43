"""Headers of every page, and forbidden parts of pages and templates; test_every_answer.py asks it."""

import re
from pathlib import Path

import pytest
from django.test import Client

from tests.security.site_map import body_of, is_data, paths

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(ROOT.glob("[a-z]*/templates/**/*.html")) + sorted((ROOT / "templates").rglob("*.html"))


def policy_of(headers):
    """The content security policy by directive; of an answer, or of its headers."""
    parts = [part.split() for part in headers["Content-Security-Policy"].split(";")]
    return {name: sources for name, *sources in parts}


def check_headers(headers, **other):
    """The usual policy, but for the directives given as sources by name."""
    assert policy_of(headers) == {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        **{name.replace("_", "-"): sources for name, sources in other.items()},
    }
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Referrer-Policy"] == "same-origin"


def check_kind(headers, status):
    """The answer has its type, and text its encoding."""
    kind, *parameters = headers.get("Content-Type", "").split("; ")
    assert re.fullmatch(r"[a-z]+/[a-z0-9.+-]+", kind) or status in (204, 304)
    assert "charset=utf-8" in parameters or not kind.startswith("text/")


@pytest.mark.slow
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


def inline_parts(page):
    """Scripts and styles within a page, handlers and style attributes, and anything that htmx would evaluate."""
    parts = [each for each in page.inline if each[0] == "script" or each[1].strip()]
    for tag, attributes in page.elements:
        for name, value in attributes.items():
            is_handler = name.startswith(("on", "hx-on", "hx-vars"))
            is_code = name.startswith("hx-") and re.match(r"\s*(js|javascript):", value or "")
            is_filter = name == "hx-trigger" and "[" in (value or "")
            if name == "style" or is_handler or is_code or is_filter:
                parts.append((tag, name, value))
        if tag == "script" and "src" not in attributes and not is_data(tag, attributes):
            parts.append((tag, "without src", ""))
    return parts


def holding(pattern, source_of):
    """Matches of a pattern in templates, by the template’s name."""
    matches = {
        path.relative_to(ROOT).as_posix(): re.findall(pattern, source_of(path), re.IGNORECASE) for path in TEMPLATES
    }
    assert len(matches) > 300
    return {name: held for name, held in matches.items() if held}


def test_no_template_holds_what_the_policy_would_block():
    def markup(path):
        return re.sub(r"{%.*?%}", "{}", path.read_text())

    assert holding(r"<script(?![^>]*\ssrc=)[^>]*>", markup) == {}
    blocked = r"<style|\sstyle\s*=|\son[a-z]+\s*=|\shx-on|\shx-vars|[\"'=]\s*javascript:"
    assert holding(blocked, markup) == {}


def test_no_page_template_switches_escaping_off():
    assert holding(r"\|\s*safe\b|safeseq|autoescape\s+off", Path.read_text) == {}


def test_no_script_of_ours_evaluates_text():
    scripts = sorted((ROOT / "static").rglob("*.js"))
    assert scripts
    for script in scripts:
        evaluates = (
            r"\beval\(|new Function|document\.write|insertAdjacentHTML|outerHTML\s*=|set(Timeout|Interval)\(['\"`]"
        )
        assert re.findall(evaluates, script.read_text()) == [], script.name
