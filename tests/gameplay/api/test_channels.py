"""A person's own channels, by program: added after a test, named, changed, and no address comes out."""

import json

import pytest

from accounts.models import NoticePlace
from accounts.notice_places import addresses, services

pytestmark = pytest.mark.django_db

CHANNELS = "/api/v1/channels/"
ACTS = {"change/": {"name": "x"}, "secret/": {}, "test/": {}, "pause/": {}}


@pytest.fixture
def ann(person):
    return person("Ann")


@pytest.fixture
def program_of_ann(program, ann):
    return program(ann, "channels")


def post(client, path="", status=200, **body):
    answer = client.post(f"{CHANNELS}{path}", body, format="json")
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


@pytest.fixture
def place(program_of_ann, local):
    """A webhook at the receiver."""
    added = add(program_of_ann, local)
    local.requests.clear()
    return NoticePlace.objects.get(pk=added["channel"]["id"])


def add(client, local, status=201, **more):
    values = {"address": f"{local.url}/secret-path-1234", "topics": ["turns"], **more}
    return post(client, status=status, **values)


def own_channels(client):
    return client.get(CHANNELS).json()["channels"]


def test_a_channel_is_added_once_and_its_secret_is_in_that_answer_only(program_of_ann, local):
    first, second = (add(program_of_ann, local, name="Hall screen") for _ in range(2))
    assert first["secret"].startswith("whsec_")
    assert (second["secret"], second["channel"]) == (None, first["channel"])
    assert len(local.requests) == 1
    assert own_channels(program_of_ann) == [
        {
            "id": first["channel"]["id"],
            "kind": "webhook",
            "name": "Hall screen",
            "ending": "1234",
            "topics": ["turns"],
            "is_paused": False,
            "has_failed": False,
            "has_secret": True,
            "trouble": "",
        }
    ]


def test_no_address_and_no_secret_comes_out(program_of_ann, place):
    content = json.dumps(program_of_ann.get(CHANNELS).json())
    assert "secret-path" not in content
    assert addresses.read(place)["secret"] not in content


def test_the_list_says_what_can_be_chosen(program_of_ann):
    content = program_of_ann.get(CHANNELS).json()
    assert content["topics"][0] == {"topic": "turns", "title": "My turns", "example": "“Thursday table: your turn”"}
    assert {kind["kind"] for kind in content["kinds"]} == {
        "discord", "slack", "telegram", "ntfy", "matrix", "webhook"
    }  # fmt: skip


def test_an_address_whose_test_fails_is_not_added(program_of_ann, local):
    local.answer((302, {"Location": "http://10.0.0.1/"}, b""))
    refused = add(program_of_ann, local, status=422)
    assert (refused["code"], refused["field"]) == ("no_test", "address")
    assert not NoticePlace.objects.exists()
    assert len(local.requests) == 1


@pytest.mark.parametrize("address", ["ann@example.org", "https://10.0.0.1/hook", "hello"])
def test_an_address_that_is_none_is_refused(program_of_ann, address):
    refused = post(program_of_ann, status=422, address=address, topics=["turns"])
    assert (refused["code"], refused["field"]) == ("no_channel", "address")


@pytest.mark.parametrize(("topics", "status"), [([], 422), (["nonsense"], 400)])
def test_something_must_go_there(program_of_ann, local, topics, status):
    add(program_of_ann, local, status=status, topics=topics)
    assert local.requests == []


def test_a_channel_is_renamed_and_its_topics_stay(program_of_ann, place):
    changed = post(program_of_ann, f"{place.pk}/change/", name="Phone")
    assert (changed["channel"]["name"], changed["channel"]["topics"]) == ("Phone", ["turns"])
    changed = post(program_of_ann, f"{place.pk}/change/", topics=["clubs"])
    assert (changed["channel"]["name"], changed["channel"]["topics"]) == ("Phone", ["clubs"])


def test_a_new_secret_is_the_one_that_signs(program_of_ann, place):
    before = addresses.read(place)
    renewed = post(program_of_ann, f"{place.pk}/secret/")
    place.refresh_from_db()
    assert addresses.read(place) == {**before, "secret": renewed["secret"]}
    assert renewed["secret"] != before["secret"]


def test_a_test_is_sent_and_its_trouble_said(program_of_ann, local, place):
    post(program_of_ann, f"{place.pk}/test/")
    local.answer((500, {}, b""))
    assert post(program_of_ann, f"{place.pk}/test/", 422)["code"] == "no_test"
    assert len(local.requests) == 2


def test_a_channel_is_paused_resumed_and_removed_and_twice_does_no_harm(program_of_ann, place):
    for is_paused in (True, True, False, False):
        paused = post(program_of_ann, f"{place.pk}/pause/", is_paused=is_paused)
        assert paused["channel"]["is_paused"] is is_paused
    for _ in range(2):
        post(program_of_ann, f"{place.pk}/remove/", 204)
    assert own_channels(program_of_ann) == []


def test_nobody_else_sees_or_changes_it(program, person, place, local):
    eve = program(person("Eve"))
    assert own_channels(eve) == []
    for path, body in ACTS.items():
        assert post(eve, f"{place.pk}/{path}", 404, **body)["sentence"] == "Channel not found."
    post(eve, f"{place.pk}/remove/", 204)
    after = NoticePlace.objects.get()
    assert (after.name, after.rest, after.sealed, local.requests) == ("", "", place.sealed, [])


def test_a_token_needs_the_scope(program, ann, local, place):
    other = program(ann, "read", "play", "tables")
    assert other.get(CHANNELS).status_code == 403
    add(other, local, status=403)
    for path, body in {**ACTS, "remove/": {}}.items():
        assert "channels" in post(other, f"{place.pk}/{path}", 403, **body)["sentence"]
    assert NoticePlace.objects.count() == 1


def test_without_a_token_nothing_is_seen(program):
    assert program().get(CHANNELS).status_code == 401


@pytest.mark.parametrize("path", ["", *ACTS, "remove/"])
def test_other_methods_are_refused(program_of_ann, place, path):
    address = f"{CHANNELS}{place.pk}/{path}" if path else CHANNELS
    for method in ("put", "patch", "delete", *(("get",) if path else ())):
        assert getattr(program_of_ann, method)(address).status_code == 405


def test_tests_are_counted_as_on_the_page(program_of_ann, ann, place, monkeypatch):
    spent = []
    monkeypatch.setattr(services, "spend", lambda budget, by: spent.append((budget.name, by)))
    post(program_of_ann, f"{place.pk}/test/")
    assert spent == [(services.HEAVY.name, ann)]
