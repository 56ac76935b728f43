import copy
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from engine.bots import make_bot
from engine.play.record import Game, write_record
from engine.play.rules import Rules
from engine.play.view import view


@pytest.fixture(scope="module")
def record():
    """The record of a match of one deal."""
    game = Game.start(Rules.make("standard", {"length": {"deals": 1}}), ("Ann", "Ben", "Cem", "<b>Dee"), b"k" * 32)
    bot = make_bot("novice", seed=1)
    while game.state.phase != "over":
        game.play(bot.choose(view(game.state, game.state.actor)))
    return write_record(game)


@pytest.fixture
def check(db, client):
    """Post a record as text, with other fields of the form."""

    def post(record, **more):
        text = record if isinstance(record, str) else json.dumps(record)
        return client.post("/records/", {"record": text, **more})

    return post


def test_a_record_is_checked_and_shown_step_by_step(check, record):
    response = check(record)
    assert response.status_code == 200
    moves = len(record["deals"][0]["moves"])
    assert response.context["verdict"].startswith(f"Everything fits: 1 deal and {moves} moves")
    assert response.context["at"] == moves
    assert "<b>Dee" not in response.content.decode()
    for step, expected in (("0", 0), ("3", 3), ("99999", moves), ("x", moves)):
        assert check(record, step=step).context["at"] == expected


def test_a_file_is_checked_too(client, db, record):
    file = SimpleUploadedFile("match.json", json.dumps(record).encode())
    assert client.post("/records/", {"file": file}).context["verdict"].startswith("Everything fits")


def test_a_change_is_found_at_its_place(check, record):
    changed = copy.deepcopy(record)
    changed["deals"][0]["moves"][4]["move"] = "discard Xr"
    response = check(changed)
    assert response.status_code == 422
    assert "Deal 1, move 5: this was changed after it was recorded" in response.content.decode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "nonsense",
        "[" * 100_000,
        "{}",
        "null",
        '{"format": "foothold-record/1"}',
        "1" * 10_000,
        '"\\ud800"',
        '{"format": "foothold-record/1", "players": ["\\udfff"]}',
        '{"format": NaN}',
    ],
)
def test_hostile_text_gets_a_sentence(check, text):
    response = check(text)
    assert response.status_code == 422
    assert response.context["refusal"]


def test_half_a_character_in_a_right_record_is_refused(check, record):
    changed = copy.deepcopy(record)
    changed["players"][0] = "\ud800"
    assert check(changed).status_code == 422


def test_what_is_too_long_or_no_text_is_refused(client, db):
    long = SimpleUploadedFile("long.json", b" " * 2_000_001)
    assert "at most 2 million bytes" in client.post("/records/", {"file": long}).content.decode()
    assert client.post("/records/", {"record": "x" * 2_000_001}).status_code == 422
    picture = SimpleUploadedFile("picture.png", b"\x89PNG\xff\xfe")
    assert client.post("/records/", {"file": picture}).status_code == 422


def test_other_methods_are_refused(client, db):
    assert client.put("/records/").status_code == 405
    assert client.get("/records/").status_code == 200
