"""The schema of the API: complete, and more than the fields of each view."""

import json
import re

import pytest
from django.core.management import call_command
from django.urls import get_resolver
from drf_spectacular.generators import SchemaGenerator

from gameplay.api import published
from web.channels import webhook
from web.channels.interface import Message


@pytest.fixture(scope="module")
def schema():
    return published.OnceGenerator().get_schema()


def test_it_is_valid_and_made_without_a_warning(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))


@pytest.mark.parametrize("app", ["gameplay", "tournaments", "clubs"])
def test_it_tells_of_every_door(schema, app):
    patterns = get_resolver(f"{app}.api.urls").url_patterns
    doors = {"/api/v1/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(each.pattern)) for each in patterns}
    assert doors - schema["paths"].keys() <= {"/api/v1/schema/", "/api/v1/docs/"}


@pytest.mark.parametrize(("name", "kind"), [("news", "results"), ("notifications", "notification")])
def test_it_tells_of_messages_as_they_are_sent(schema, monkeypatch, name, kind):
    sent = {}
    monkeypatch.setattr(webhook, "send_to", lambda method, url, body, headers: sent.update(json.loads(body)))
    message = Message("key", kind, "Harbour League", "A 10 – 5 B", "https://foothold.example/")
    webhook.send(message, {"url": "https://example.org/", "secret": webhook.new_secret()})
    body = schema["webhooks"][name]["post"]["requestBody"]["content"]["application/json"]["schema"]
    schemas = {f"#/components/schemas/{name}": each for name, each in schema["components"]["schemas"].items()}
    told_of = schemas[body["$ref"]]
    assert sent.keys() == told_of["properties"].keys()
    assert sent["data"].keys() == set(schemas[told_of["properties"]["data"]["$ref"]]["required"])
    assert sent["type"] in told_of["properties"]["type"]["enum"]


def test_bodies_of_declared_acts_are_named_after_what_they_change(schema):
    assert {"HouseRulesMake", "HouseRulesRename", "HouseRulesSave"} <= schema["components"]["schemas"].keys()


def test_it_is_english_in_any_language_of_the_first_reader(client, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(published, "_MADE", [])
        patch.setattr(published, "_WRITTEN", {})
        german = client.get("/api/v1/schema/", headers={"Accept-Language": "de"}).content
    assert german == client.get("/api/v1/schema/").content
    assert german == client.get("/api/v1/schema/?lang=de").content


def content(schema, path):
    return schema["paths"][f"/api/v1/{path}"]["get"]["responses"]["200"]["content"]


def test_a_file_is_told_of_as_what_it_is(schema):
    event = "events/{event}/files"
    assert {end: [*content(schema, f"{event}/{end}")] for end in ("event.json", "results.csv", "preview.png")} == {
        "event.json": ["application/json"],
        "results.csv": ["text/csv"],
        "preview.png": ["image/png"],
    }
    assert content(schema, f"{event}/event.json")["application/json"]["schema"]["type"] == "object"
    assert [*content(schema, "shared-rules/{token}/file/")] == ["application/json"]
    assert not [path for path in schema["paths"] if "*/*" in str(schema["paths"][path])]


def test_doors_that_need_no_token_say_so(schema):
    def is_open(path, method="get"):
        return {} in schema["paths"][f"/api/v1/{path}"][method]["security"]

    assert is_open("events/")
    assert is_open("clubs/{club}/")
    assert is_open("clubs/{club}/files/calendar.ics")
    assert not is_open("events/", "post")
    assert not is_open("clubs/{club}/people/")
    assert not is_open("tables/")


def test_a_request_has_no_fields_but_those_told_of(schema):
    body = schema["paths"]["/api/v1/tables/"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert schema["components"]["schemas"][body["$ref"].rpartition("/")[2]]["additionalProperties"] is False


@pytest.mark.parametrize("kind", ["application/vnd.oai.openapi", "application/vnd.oai.openapi+json"])
def test_it_is_written_once_for_everyone(client, kind, monkeypatch, schema):
    first = client.get("/api/v1/schema/", headers={"Accept": kind})
    monkeypatch.setattr(SchemaGenerator, "parse", None)
    for address in ("/api/v1/schema/", "/api/v1/schema/?version=7"):
        second = client.get(address, headers={"Accept": kind})
        assert second.content == first.content
        assert second["Content-Type"].startswith(kind)
    assert "/api/v1/tables/" in first.content.decode()
    assert schema["info"]["version"] == "1"


def test_a_refusal_at_its_door_is_not_taken_for_the_schema(client):
    client.get("/api/v1/schema/")
    refused = client.post("/api/v1/schema/")
    assert refused.status_code == 405
    assert b"paths" not in refused.content
