"""Keys, commitments and the shuffle; and the checker that the page for players prints."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from engine.errors import BadInput
from engine.play import deal
from engine.play.cards import parse_cards, write_cards
from engine.play.choices import legal_moves
from engine.play.record import Game, write_record
from engine.play.rules import Rules
from engine.play.state import OVER

PAGE = Path(__file__).parents[3] / "docs" / "fair-deals.md"
KEY = bytes(range(32))


def checker() -> str:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    return code


def finished_record(name: str, phrases: tuple[str, ...] = ()) -> dict:
    game = Game.start(Rules.preset(name), ("Ada", "Ben", "Cy", "Dee"), KEY, phrases=phrases)
    while game.state.phase != OVER:
        moves = legal_moves(game.state)
        game.play(moves[len(moves) // 2])
    return write_record(game)


def run_checker(tmp_path: Path, record: dict) -> subprocess.CompletedProcess[str]:
    (tmp_path / "check.py").write_text(checker())
    (tmp_path / "record.json").write_text(json.dumps(record))
    command = [sys.executable, "-I", "check.py", "record.json"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["standard", "denexa", "bain", "family"])
def test_the_checker_of_the_page_finds_the_order_that_was_dealt(tmp_path: Path, name: str) -> None:
    phrases = ("good luck", "", "Grüße", "3 of hearts")
    record = finished_record(name, phrases)
    rules = Rules.preset(name)
    expected = deal.shuffle(rules.pack(4), deal.deal_seed(KEY, phrases))
    result = run_checker(tmp_path, record)
    assert result.stderr == ""
    assert result.stdout == f"Deal 1: {write_cards(expected)}\n"


def test_the_checker_of_the_page_shares_no_code_with_the_engine_and_is_short() -> None:
    lines = [line for line in checker().splitlines() if line.strip()]
    assert "engine" not in checker()
    assert len(lines) <= 18


def test_the_checker_of_the_page_stops_at_a_key_that_was_not_committed_to(tmp_path: Path) -> None:
    record = finished_record("standard")
    record["deals"][0]["key"] = "00" * 32
    result = run_checker(tmp_path, record)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "Deal 1: not the key committed to\n"


def test_the_checker_of_the_page_passes_over_a_deal_under_way(tmp_path: Path) -> None:
    game = Game.start(Rules.preset("standard"), ("Ada", "Ben", "Cy", "Dee"), KEY)
    result = run_checker(tmp_path, write_record(game))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_commitment_is_the_sha256_of_the_key() -> None:
    assert deal.commitment(KEY) == hashlib.sha256(KEY).hexdigest()
    assert len({deal.new_key() for _ in range(50)}) == 50
    assert len(deal.new_key()) == 32


def test_the_shuffle_is_as_published() -> None:
    """A fixed key gives these cards for ever: records of years ago must still verify."""
    order = deal.shuffle(Rules.preset("standard").pack(4), deal.deal_seed(KEY, ("", "", "", "")))
    assert write_cards(order[:12]) == GOLDEN_FIRST
    assert hashlib.sha256(order).hexdigest() == GOLDEN_DIGEST


def test_one_changed_bit_or_letter_changes_the_order() -> None:
    pack = Rules.preset("standard").pack(4)
    orders = {
        deal.shuffle(pack, deal.deal_seed(KEY, ("a", "", "", ""))),
        deal.shuffle(pack, deal.deal_seed(KEY, ("b", "", "", ""))),
        deal.shuffle(pack, deal.deal_seed(KEY, ("", "a", "", ""))),
        deal.shuffle(pack, deal.deal_seed(bytes([1, *KEY[1:]]), ("a", "", "", ""))),
        deal.shuffle(pack, deal.deal_seed(KEY, ("a", "", "", "")), "reshuffle 1"),
    }
    assert len(orders) == 5


def test_every_order_of_four_cards_comes_equally_often() -> None:
    """Chi-square over the 24 orders: 23 degrees of freedom, below 49.7 in 999 of 1,000 fair cases; the seeds are fixed."""
    cards = parse_cards("4c 5d 6h 7s")
    counts = Counter(deal.shuffle(cards, hashlib.sha256(b"%d" % i).digest()) for i in range(12_000))
    assert set(counts) == {bytes(order) for order in itertools.permutations(cards)}
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 49.7


def test_every_card_comes_equally_often_to_every_place() -> None:
    """52 cards by 52 places, 51 × 51 degrees of freedom: far below 2,900 in any fair case."""
    cards = bytes(range(52))
    counts: Counter[tuple[int, int]] = Counter()
    for i in range(2600):
        counts.update(enumerate(deal.shuffle(cards, hashlib.sha256(b"place %d" % i).digest())))
    assert sum((counts[place, card] - 50) ** 2 / 50 for place in range(52) for card in range(52)) < 2900


def test_every_two_cards_lie_beside_each_other_equally_often() -> None:
    """52 × 51 pairs in order, fewer than 2,652 degrees of freedom: far below 3,000 in any fair case."""
    counts: Counter[tuple[int, int]] = Counter()
    for i in range(2600):
        order = deal.shuffle(bytes(range(52)), hashlib.sha256(b"pair %d" % i).digest())
        counts.update(itertools.pairwise(order))
    assert sum((counts[pair] - 50) ** 2 / 50 for pair in itertools.permutations(range(52), 2)) < 3000


def test_numbers_beyond_the_last_whole_multiple_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([2**32 - 1, 2, 1])
    monkeypatch.setattr(deal, "numbers", lambda seed, label: drawn)
    assert deal.shuffle(b"\x00\x01\x02", KEY) == b"\x00\x01\x02"
    assert next(drawn, None) is None


def test_a_phrase_is_one_printable_line_for_each_seat() -> None:
    assert deal.check_phrases((), 3) == ("", "", "")
    with pytest.raises(BadInput, match=r"^There must be one phrase for each of the 3 seats\.$"):
        deal.check_phrases(("a",), 3)
    with pytest.raises(BadInput, match="at most 200 printable characters on one line"):
        deal.check_phrases(("a\nb", "", ""), 3)
    with pytest.raises(BadInput, match="at most 200"):
        deal.check_phrases(("x" * 201, "", ""), 3)


@pytest.mark.parametrize("text", [None, 12, "", "0" * 63, "g" * 64, "0x" + "0" * 62, "0" * 66])
def test_a_key_is_64_hexadecimal_digits(text: object) -> None:
    with pytest.raises(BadInput, match=r"^A key is written as 64 hexadecimal digits\.$"):
        deal.read_key(text)


def test_nothing_in_dealing_uses_a_predictable_source() -> None:
    source = Path(deal.__file__).read_text()
    assert "import random" not in source
    assert "secrets.token_bytes" in source


GOLDEN_FIRST = "6c 5c 5d Ks Kh 2h Tc 7h 3d 7d Td 4h"
GOLDEN_DIGEST = "83d12495953b9b316fe7d8ac8171ca2c28574fece438883bdc31e09cbf9cf623"


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33)])
def test_a_key_of_another_length_is_refused(key: bytes) -> None:
    with pytest.raises(BadInput, match=r"^A key has 32 bytes, not \d+\.$"):
        deal.deal_seed(key, ("",))
