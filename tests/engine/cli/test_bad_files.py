"""Everything that can be wrong with a file, for every command that reads one."""

import io
import sys

import pytest

READERS = {"check": ["check"], "replay": ["replay"], "verify": ["verify"], "score": ["score"], "rules": ["rules"]}
BAD = {
    "empty": (b"", "it is empty."),
    "blank": (b" \n\t\n", "it is empty."),
    "cut short": (b'[{"name": "x",', "it is cut short: the JSON that starts here does not end (line 1, column 15)."),
    "cut short in a string": (b'{"format": "footh', "it is cut short: the JSON that starts here does not end "),
    "not UTF-8": (b'{"a": "\xff"}', "it is not UTF-8 text, at byte 8."),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "it is not UTF-8 text, at byte 1."),
    "not JSON": (b'{"a": 1,\n b}', "it is not JSON: expecting property name enclosed in double quotes at line 2, "),
    "more after the end": (b"{} {}", "it is not JSON: extra data at line 1, column 4."),
    "NaN": (b'{"a": NaN}', "it is not JSON: NaN is not a number."),
    "a key twice": (b'{"deal": 1, "deal": 2}', "an object names the key 'deal' twice."),
    "deep": (b"[" * 100_000 + b"]" * 100_000, "it is nested too deeply: at most 100 levels are read."),
    "rather deep": (b"[" * 500 + b"]" * 500, "it is nested too deeply: at most 100 levels are read."),
    "a huge number": (b"[" + b"9" * 5000 + b"]", "it contains a number with too many digits."),
}


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
@pytest.mark.parametrize("kind", BAD)
def test_bad_file(complaint, write, words, kind):
    content, sentence = BAD[kind]
    path = write("bad.json", content)
    assert complaint(*words, path).startswith(f"{path}: {sentence}")


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_no_such_file(complaint, tmp_path, words):
    path = tmp_path / "none.json"
    assert complaint(*words, path) == f"{path}: file not found."


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_a_folder(complaint, tmp_path, words):
    assert complaint(*words, tmp_path) == f"{tmp_path}: this is a folder, not a file."


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
@pytest.mark.parametrize("content", ["null", "3", '"frob"', "true", '{"a": []}', "[[]]", "1e999", "-0.5"])
def test_json_of_another_kind(complaint, write, words, content):
    path = write("other.json", content)
    assert complaint(*words, path).startswith(f"{path}: ")


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_a_file_that_never_ends(complaint, words):
    assert complaint(*words, "/dev/zero") == "/dev/zero: it is larger than 64 MB."


def test_a_name_that_would_steer_the_terminal_is_escaped(complaint):
    assert complaint("check", "a\nb\x1b[2J") == "a\\nb\\x1b[2J: file not found."


def test_a_name_that_no_file_can_have(complaint):
    assert complaint("check", "a\0b") == "a\\x00b: it cannot be read: embedded null byte."


def test_standard_input(complaint, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[")))
    assert complaint("check", "-").startswith("standard input: it is cut short")


def test_a_byte_order_mark_is_no_harm(run, write):
    assert run("check", write("bom.json", b"\xef\xbb\xbf[]")).out == "0 passed, 0 failed\n"
