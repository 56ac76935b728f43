"""A token reaches its own site alone, and only as far as its person and scopes."""

import logging
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from mcp import StdioServerParameters

from accounts.services import tokens
from assistants import site_api
from tests.assistants.conftest import Assistant, AssistantClient, async_to_sync
from tests.assistants.test_results import previewed

ROOT = Path(__file__).parents[2]
TOKEN = "T0k3n" * 8


def answering(status=200, content=b"", **headers):
    """An assistant whose site answers this to everything, and the requests it got."""
    requests = []

    def answer(request):
        requests.append(request)
        return httpx2.Response(status, content=content, headers=headers)

    return Assistant(TOKEN, httpx2.MockTransport(answer)), requests


# Scopes and rights


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("scopes", "tool", "arguments", "needed"),
    [(["events_read"], "list_clubs", {}, "clubs_read"), (["clubs_read"], "list_my_matches", {}, "events_read")],
)
def test_a_missing_scope_is_named_by_the_site(assistant, person, scopes, tool, arguments, needed):
    ann = assistant(person("Ann"), *scopes)
    assert needed in ann.refusal(tool, **arguments)


@pytest.mark.django_db
def test_a_token_for_reading_enters_nothing(assistant, olga, new_event):
    event = new_event("round_robin", entries=2, started=True)
    scores = [{"entry": 1, "score": 10}, {"entry": 2, "score": 20}]
    reader = assistant(olga, "events_read")
    refused = reader.refusal("preview_result", event=event.slug, stage=1, match="R1.1", scores=scores)
    assert "events_results" in refused
    assert not event.stages.get().rounds.get().pairings.get().results.exists()


@pytest.mark.django_db
def test_an_event_hidden_from_a_person_is_hidden_from_their_assistant(assistant, olga, person, new_event):
    event = new_event("round_robin", entries=2, started=True, visibility="circle", circle="club:1")
    stranger = assistant(person("Eve"))
    for tool in ("read_event", "read_event_standings", "list_matches", "list_actions", "read_event_rules"):
        assert "Event not found." in stranger.refusal(tool, event=event.slug), tool
    assert stranger.ask("list_events", mine=False)["events"] == []
    assert assistant(olga).ask("read_event", event=event.slug)["slug"] == event.slug


# Where requests go


@pytest.mark.parametrize(
    "address",
    [
        "",
        "foothold.example",
        "http://foothold.example",
        "ftp://localhost",
        "https://",
        "https://a@b.example",
        "https://b?c",
    ],
)
def test_a_site_without_https_is_refused(address):
    with pytest.raises(ValueError, match="address of the site"):
        site_api.checked_address(address)


@pytest.mark.parametrize(
    ("address", "checked"),
    [
        ("https://foothold.example/", "https://foothold.example"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
    ],
)
def test_https_and_this_machine_are_allowed(address, checked):
    assert site_api.checked_address(address) == checked


@pytest.mark.parametrize("token", ["", " ", "a b", "a\nb", "é", "x" * 201])
def test_what_cannot_be_a_token_is_refused_without_repeating_it(token):
    with pytest.raises(ValueError, match="FOOTHOLD_TOKEN") as refused:
        site_api.checked_token(token)
    assert str(refused.value) == "Set FOOTHOLD_TOKEN to a token of your account."


def test_a_redirect_is_not_followed():
    assistant, requests = answering(302, Location="https://elsewhere.example/")
    assert assistant.refusal("list_clubs") == "The site is at another address. Change --site to it."
    assert [request.url.host for request in requests] == ["testserver"]


@pytest.mark.parametrize("part", ["../me", "..", "a/b", "a?b", "https://elsewhere.example", "", "%2e%2e"])
def test_a_name_cannot_lead_to_another_address(part):
    assistant, requests = answering()
    assert "is not a name in an address" in assistant.refusal("read_event", event=part)
    assert requests == []


# Answers


@pytest.mark.parametrize(
    ("status", "content", "sentence"),
    [
        (200, b"<html>", "The answer is not one of this site’s API. Check --site."),
        (200, b"[]", "The answer is not one of this site’s API. Check --site."),
        (502, b"Bad Gateway", "The answer is not one of this site’s API. Check --site."),
        (500, b"{}", "The answer is not one of this site’s API. Check --site."),
        (429, b'{"code": "too_much", "sentence": "Too many requests.", "retry_after": 7}', "Too many requests. Wait 7 seconds."),
        (400, b'{"code": "bad", "sentence": "Unreadable.", "fields": {"limit": ["Too large."]}}', "Unreadable. limit: ['Too large.']"),
    ],
)  # fmt: skip
def test_a_failure_is_a_sentence(status, content, sentence):
    assistant, _ = answering(status, content)
    assert assistant.refusal("list_clubs") == sentence


def test_an_answer_that_is_too_large_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr(site_api, "LARGEST_ANSWER", 100)
    assistant, _ = answering(200, b" " * 101)
    assert assistant.refusal("list_clubs") == "The answer of the site is too large."


@pytest.mark.parametrize("error", [httpx2.ConnectError(TOKEN), httpx2.ReadTimeout(TOKEN), OSError(TOKEN)])
def test_a_site_that_does_not_answer_is_a_sentence_too(error):
    def fail(request):
        raise error

    assistant = Assistant(TOKEN, httpx2.MockTransport(fail))
    assert assistant.refusal("list_clubs") == "The site does not answer. Try again later."


@pytest.mark.django_db
def test_the_token_is_nowhere_in_answers_errors_and_logs(assistant, olga, new_event, caplog):
    caplog.set_level(logging.DEBUG)
    event = new_event("round_robin", entries=2, started=True)
    ours = assistant(olga)
    arguments = {"event": event.slug, "stage": 1, "match": "R1.1"}
    scores = {"scores": [{"entry": 1, "score": 10}, {"entry": 2, "score": 20}]}
    answers = [
        *ours.call(("list_events", {}), ("read_event", {"event": "none"}), ("read_match", arguments | {"stage": 0})),
        *ours.call(*previewed("enter_result", arguments | scores)),
    ]
    texts = [str(answer) for answer in answers] + [record.getMessage() for record in caplog.records]
    assert [text for text in texts if ours.token in text or "Traceback" in text] == []


def test_a_mistake_of_the_server_shows_no_details(monkeypatch):
    async def fail(*args, **kwargs):
        raise RuntimeError(TOKEN)

    monkeypatch.setattr(site_api.Site, "get", fail)
    (answer,) = Assistant(TOKEN).call(("list_clubs", {}))
    assert [content.text for content in answer.content] == ["Error executing tool list_clubs"]


# The command


def run(*arguments, **environment):
    command = [sys.executable, "-m", "assistants", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.slow
def test_the_command_says_what_is_missing():
    assert "must start with https://" in run(FOOTHOLD_TOKEN=TOKEN).stderr
    without = run("--site", "https://foothold.example")
    assert (without.returncode, without.stderr) == (1, "Set FOOTHOLD_TOKEN to a token of your account.\n")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_an_assistant_starts_the_command_and_reads_a_served_site(live_server, person):
    _, token = tokens.create(person("Ann"), name="assistant", scopes=["clubs_read"], days=None)
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "assistants", "--site", live_server.url],
        cwd=ROOT,
        env={"FOOTHOLD_TOKEN": token},
    )

    async def read():
        async with AssistantClient(command) as client:
            return await client.call_tool("list_clubs", {"mine": False})

    answer = async_to_sync(read)()
    assert answer.structured_content == {"clubs": [], "more": False}
