"""Proof from outside that the cards are fair: publication, and agreement with the deal."""

import ast
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.play.cards import write_cards
from engine.play.deal import deal_seed, new_key, shuffle
from engine.play.rules import Rules
from gameplay.models import Deal, Table
from gameplay.services import phrases, tables

ROOT = Path(__file__).parents[2]


def imported_by(path):
    """The modules that a file imports, whole names."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return modules


DEALING = [
    *(ROOT / "engine/play").rglob("*.py"),
    *(ROOT / "gameplay").rglob("*.py"),
    *(ROOT / "accounts").rglob("*.py"),
]


def test_nothing_that_deals_or_keeps_secrets_uses_predictable_numbers():
    predictable = {"random", "numpy", "numpy.random", "uuid.uuid1", "django.utils.crypto.random"}
    imports = {path.relative_to(ROOT).as_posix(): imported_by(path) & predictable for path in DEALING}
    assert len(imports) > 200
    assert {path: modules for path, modules in imports.items() if modules} == {}


def test_processes_that_come_of_one_another_draw_different_keys():
    keys = {new_key()}
    for _ in range(4):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writing, new_key())
            os._exit(0)
        os.waitpid(child, 0)
        keys.add(os.read(reading, 64))
        os.close(reading)
        os.close(writing)
    assert len(keys | {new_key()}) == 6


@pytest.mark.django_db
def test_no_key_follows_from_the_time_or_the_table(seated):
    """A sample of likely guesses: the seconds around the deal, ids and names, plain, hashed, as a seed."""
    table = seated()
    deal = table.deals.get()
    moment = int(table.started_at.timestamp())
    guesses = {b"", table.slug.encode(), table.name.encode(), deal.commitment.encode(), bytes(32)}
    numbers = [*range(1000), *range(moment - 1000, moment + 1000), table.pk, deal.pk]
    numbers += [round(table.started_at.timestamp() * 1000) + step for step in range(-500, 500)]
    key = bytes.fromhex(deal.key)
    for number in numbers:
        guesses |= {str(number).encode(), number.to_bytes(8, "big"), number.to_bytes(8, "little")}
        assert random.Random(number).randbytes(32) != key
    for guess in guesses:
        assert key not in (guess.ljust(32, b"\0"), guess.rjust(32, b"\0"), hashlib.sha256(guess).digest())
        assert hashlib.sha256(hashlib.sha256(guess).digest()).hexdigest() != deal.commitment


# What is published, and when


def commitments_shown(client, table):
    """Every commitment on the pages of a table."""
    pages = [client.get(f"/tables/{table.slug}/{part}").content.decode() for part in ("", "shuffle/")]
    return set(re.findall(r"\b[0-9a-f]{64}\b", "".join(pages)))


@pytest.mark.django_db
def test_the_commitment_is_on_the_page_before_a_card_is_dealt_and_stays_the_same(seated, four, client):
    table = seated(begun=False)
    client.force_login(four[1])
    assert Table.objects.get(pk=table.pk).snapshot is None
    commitments = commitments_shown(client, table)
    assert commitments == {table.deals.get().commitment}
    tables.start(table.pk, four[0])
    deal = table.deals.get()
    assert commitments_shown(client, table) == commitments
    assert hashlib.sha256(bytes.fromhex(deal.key)).hexdigest() == deal.commitment


@pytest.mark.django_db
def test_the_commitment_to_the_next_deal_is_there_once_a_deal_is_over(seated, four, driver, client):
    table = driver.until(seated(), lambda table: table.is_between_deals)
    client.force_login(four[1])
    coming = table.deals.get(number=2)
    assert coming.dealt_at is None
    page = client.get(f"/tables/{table.slug}/shuffle/").content.decode()
    assert coming.commitment in page
    assert coming.key not in page


@pytest.mark.django_db
def test_a_phrase_of_one_player_makes_another_deal_of_the_same_key(seated, four):
    orders = []
    for phrase in ("", "sea", "Sea"):
        table = seated(begun=False)
        Deal.objects.filter(table=table).update(key="11" * 32)
        phrases.set_phrase(table.pk, four[2], phrase)
        tables.start(table.pk, four[0])
        deal = table.deals.get()
        assert deal.phrases == ["", "", phrase, ""]
        orders.append(
            shuffle(Rules.preset("standard").pack(4), deal_seed(bytes.fromhex(deal.key), tuple(deal.phrases)))
        )
    assert len(set(orders)) == 3


@pytest.mark.django_db
def test_once_the_cards_are_dealt_no_phrase_can_be_changed(seated, four, client):
    table = seated()
    client.force_login(four[2])
    client.post(f"/tables/{table.slug}/phrase/", {"phrase": "late"})
    assert table.deals.get().phrases == ["", "", "", ""]


# Checking with none of our code


@pytest.fixture
def checked(tmp_path):
    """Runs the program of docs/fair-deals.md on a record; returns its exit code and output."""
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/fair-deals.md").read_text(), re.S)
    (tmp_path / "check.py").write_text(program)

    def run(record):
        (tmp_path / "record.json").write_text(json.dumps(record))
        command = [sys.executable, "-I", "check.py", "record.json"]
        process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return process.returncode, process.stdout + process.stderr

    return run


@pytest.mark.django_db
def test_the_record_of_the_site_is_checked_by_a_program_of_few_lines(seated, four, driver, client, checked):
    table = seated(begun=False)
    phrases.set_phrase(table.pk, four[2], "Grüße, 3 of hearts")
    tables.start(table.pk, four[0])
    driver.until(table, lambda table: table.deal_number == 2 and table.moves.filter(deal=2).count() > 3)
    client.force_login(four[0])
    record = client.get(f"/tables/{table.slug}/record.json").json()
    first, second = table.deals.all()
    assert [deal["key"] for deal in record["deals"]] == [first.key, None]
    assert [deal["commitment"] for deal in record["deals"]] == [first.commitment, second.commitment]
    assert second.key not in json.dumps(record)
    order = shuffle(table.rules.pack(4), deal_seed(bytes.fromhex(first.key), tuple(first.phrases)))
    assert checked(record) == (0, f"Deal 1: {write_cards(order)}\n")

    record["deals"][0]["key"] = f"{int(first.key[0], 16) ^ 1:x}{first.key[1:]}"
    assert checked(record) == (1, "Deal 1: not the key committed to\n")
    record["deals"][0]["key"] = first.key
    record["deals"][0]["phrases"][2] += "."
    assert checked(record)[1] != f"Deal 1: {write_cards(order)}\n"
