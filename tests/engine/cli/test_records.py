"""`replay` and `verify`: right records, tampered ones, and those that are none."""

import hashlib
import io
import json
import sys

import pytest

from engine.play.cards import write_cards
from engine.play.deal import deal_seed, shuffle
from engine.play.record import _link
from engine.play.view import outcome_to_json

COMMANDS = ("replay", "verify")


def relink(record):
    """A forger's work: every link made to fit again after a change."""
    header = {key: value for key, value in record.items() if key not in ("link", "deals")}
    link = record["link"] = _link("", header)
    for deal in record["deals"]:
        head = {key: deal[key] for key in ("deal", "dealer", "commitment", "phrases")}
        link = deal["link"] = _link(link, head)
        for line in deal["moves"]:
            link = line["link"] = _link(link, {key: line[key] for key in ("seat", "move", "at")})
    return record


def test_replay_prints_every_deal(run, write, record, finished_game):
    ran = run("replay", write("record.json", record))
    assert (ran.status, ran.err) == (0, "")
    assert max(map(len, ran.lines)) <= 80
    assert ran.lines[:4] == [
        "Standard, 4 seats in teams of 2, 4 deals",
        "Seats: 0 Ann, 1 Bob, 2 Cid, 3 Dee",
        "Team 0: Ann & Cid",
        "Team 1: Bob & Dee",
    ]
    first, second = finished_game.deals
    assert ran.lines[5] == (
        f"Deal 1: seat 3 dealt; the shuffle fits its commitment; {len(first.moves)} moves, all legal."
    )
    totals = [line.split()[1:] for line in ran.lines if line.startswith("Total ")]
    assert totals == [[str(n) for n in log.result.totals] for log in (first, second)]
    assert ran.lines[-1] == "Deal 3 of 4 follows."


def test_replay_as_json(run, write, record, finished_game):
    data = json.loads(run("replay", "--json", write("record.json", record)).out)
    assert data["players"] == ["Ann", "Bob", "Cid", "Dee"]
    assert [deal["outcome"] for deal in data["deals"]] == [outcome_to_json(log.result) for log in finished_game.deals]
    assert data["running"] is None
    assert "log" not in data["deals"][0]


def test_replay_tells_the_moves(run, write, record, finished_game):
    path = write("record.json", record)
    ran = run("replay", "--moves", path)
    assert max(map(len, ran.lines)) <= 80
    assert any(line.startswith("    1  Seat 0 ") for line in ran.lines)
    data = json.loads(run("replay", "--moves", "--json", path).out)
    assert [line["move"] for line in data["deals"][0]["log"]] == [line["move"] for line in record["deals"][0]["moves"]]
    assert data["deals"][0]["log"][0]["events"]


def test_verify_shows_what_was_checked(run, write, record, finished_game):
    ran = run("verify", write("record.json", record))
    assert (ran.status, ran.err) == (0, "")
    log = finished_game.deals[0]
    order = shuffle(finished_game.rules.pack(4), deal_seed(log.key, log.phrases))
    assert ran.lines[:5] == [
        "Deal 1: the key fits the commitment, and the order follows from the key.",
        f"  commitment  {hashlib.sha256(log.key).hexdigest()}",
        f"  key         {log.key.hex()}",
        "  phrase of 0 luck",
        f"  order       {write_cards(order[:13])} …",
    ]
    assert ran.lines[-1] == "2 deals fair"
    assert max(map(len, ran.lines)) <= 80


def test_verify_shows_the_whole_order(run, write, record):
    ran = run("verify", "--order", write("record.json", record))
    order = json.loads(run("verify", "--json", write("record2.json", record)).out)["fair"][0]["order"]
    assert len(order.split()) == 270
    text = " ".join(" ".join(ran.lines[4:]).split())
    assert text.startswith(f"order {order} Deal 2:")


def test_standard_input(run, record, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(record).encode())))
    assert run("verify", "-").lines[-1] == "2 deals fair"


# A deal under way


def test_a_deal_under_way_is_not_replayed(run, write, running_record):
    ran = run("replay", write("record.json", running_record))
    assert ran.status == 0
    assert " ".join(ran.out.split()).endswith(
        "Deal 2 is under way: its 20 moves fit together and can be replayed when its key is shown."
    )


def test_a_deal_under_way_is_not_verified(run, write, running_record):
    ran = run("verify", write("record.json", running_record))
    assert ran.status == 0
    assert ran.lines[-3:] == [
        "Deal 2: under way, so its shuffle cannot be checked yet.",
        f"  commitment  {running_record['deals'][1]['commitment']}",
        "one deal fair, one not checked",
    ]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_record_of_nothing_but_a_deal_under_way(run, write, running_record, command):
    running_record["deals"] = [{**running_record["deals"][0], "key": None, "result": None}]
    path = write("record.json", running_record)
    ran = run(command, path)
    assert (ran.status, ran.err) == (0, "")
    assert "Deal 1" in ran.out
    assert "under way" in ran.out
    assert json.loads(run(command, "--json", path).out)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_moves_of_a_deal_under_way_hang_together(run, write, running_record, command):
    running_record["deals"][1]["moves"][7]["at"] = None
    ran = run(command, write("record.json", running_record))
    assert ran.status == 1
    assert "Deal 2, move 8: this was changed after it was recorded" in ran.err


# Tampered records


def change_move(record):
    record["deals"][0]["moves"][5]["move"] = "end"


def change_seat(record):
    record["deals"][1]["moves"][2]["seat"] = 3


def change_time(record):
    record["deals"][0]["moves"][9]["at"] = "2027-01-01T00:00:00"


def drop_move(record):
    del record["deals"][0]["moves"][5]


def add_move(record):
    record["deals"][0]["moves"].append(dict(record["deals"][0]["moves"][-1]))


def swap_moves(record):
    moves = record["deals"][1]["moves"]
    moves[3], moves[4] = moves[4], moves[3]


def change_key(record):
    record["deals"][1]["key"] = "ab" * 32


def break_key(record):
    record["deals"][0]["key"] = "ab"


def change_commitment(record):
    record["deals"][1]["commitment"] = "00" * 32


def change_phrase(record):
    record["deals"][0]["phrases"][1] = "more luck"


def change_dealer(record):
    record["deals"][1]["dealer"] = 2


def change_score(record):
    record["deals"][0]["result"]["deal_score"][0] += 100


def drop_score(record):
    record["deals"][1]["result"] = None


def drop_deal(record):
    del record["deals"][0]


def hide_key(record):
    record["deals"][0]["key"] = None


def change_player(record):
    record["players"][2] = "Eve"


def change_rules(record):
    record["rules"]["options"]["draw_count"] = 3


def drop_option(record):
    del record["rules"]["options"]["out_bonus"]


def drop_part(record):
    del record["deals"][0]["moves"][2]["seat"]


def add_part(record):
    record["note"] = "honest"


def change_seats(record):
    record["seats"] = 3


TAMPERED = [
    (change_move, "Deal 1, move 6: this was changed after it was recorded"),
    (change_seat, "Deal 2, move 3: this was changed"),
    (change_time, "Deal 1, move 10: this was changed"),
    (drop_move, "Deal 1, move 6: this was changed"),
    (add_move, "Deal 1, move "),
    (swap_moves, "Deal 2, move 4: this was changed"),
    (change_key, "Deal 2: the key is not the one that was committed to."),
    (break_key, "Deal 1: A key is written as 64 hexadecimal digits."),
    (change_commitment, "Deal 2: this was changed"),
    (change_phrase, "Deal 1: this was changed"),
    (change_dealer, "Deal 2: this was changed"),
    (change_score, "Deal 1, result: the scores are not what the moves come to."),
    (drop_score, "Deal 2, result: the scores are not what the moves come to."),
    (drop_deal, "Deal 1: this was changed"),
    (hide_key, "Deal 1: only the last deal, still under way, may be without its key."),
    (change_player, "Header: this was changed"),
    (change_rules, "Header: this was changed"),
    (drop_option, "Header: "),
    (drop_part, "Deal 1, move 3: it must hold at, link, move, seat, and no more."),
    (add_part, "The record: it must hold "),
    (change_seats, "Header: "),
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("tamper", "sentence"), TAMPERED, ids=[tamper.__name__ for tamper, _ in TAMPERED])
def test_a_tampered_record_is_refused_with_the_place(run, write, record, command, tamper, sentence):
    tamper(record)
    path = write("record.json", record)
    ran = run(command, path)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"engine: {path}: {sentence}")
    assert ran.err.count("\n") == 1


FORGED = [
    (change_move, "Deal 1, move 6"),
    (change_seat, "Deal 2, move 3: seat "),
    (drop_move, "Deal 1, move "),
    (add_move, "Deal 1, move "),
    (change_phrase, "Deal 1, move "),
    (change_commitment, "Deal 2: the key is not the one that was committed to."),
    (change_dealer, "Deal 2: seat 0 deals, not 2."),
    (drop_deal, "Deal 1: its number is out of order."),
    (change_rules, "Deal "),
    (change_seats, "Header: "),
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("tamper", "sentence"), FORGED, ids=[tamper.__name__ for tamper, _ in FORGED])
def test_a_forger_who_makes_the_links_fit_is_found_by_the_rules(run, write, record, command, tamper, sentence):
    tamper(record)
    ran = run(command, write("record.json", relink(record)))
    assert (ran.status, ran.out) == (1, "")
    assert f": {sentence}" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "change",
    [
        {"deals": None},
        {"deals": []},
        {"deals": [None]},
        {"deals": [[]]},
        {"deals": [{"key": None}]},
        {"players": None},
        {"players": [1, 2, 3, 4]},
        {"rules": "standard"},
        {"rules": None},
        {"seats": "four"},
        {"team_size": None},
        {"assist": 1},
        {"link": None},
        {"link": []},
    ],
)
def test_a_record_of_the_wrong_kind(run, write, record, command, change):
    ran = run(command, write("record.json", {**record, **change}))
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("part", ["deal", "dealer", "commitment", "phrases", "moves", "key", "result", "link"])
@pytest.mark.parametrize("value", [7, "x", [], {}, [[]], 1e9])
def test_a_deal_of_the_wrong_kind(run, write, record, command, part, value):
    record["deals"][0][part] = value
    ran = run(command, write("record.json", relink(record) if part not in ("link", "moves") else record))
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_no_record(complaint, write, command):
    path = write("record.json", {"format": "chess/1"})
    assert complaint(command, path) == (
        f"{path}: this is not a game record. A record is an object with the format 'foothold-record/1'."
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_truncated_record(complaint, write, record, command):
    path = write("record.json", json.dumps(record)[:5000])
    assert complaint(command, path).startswith(f"{path}: it is cut short: ")
