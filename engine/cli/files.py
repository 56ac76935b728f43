"""JSON from files, with a sentence for everything that can be wrong with one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NoReturn

from engine.errors import BadInput

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 100
"""Levels of lists and objects. Nothing the engine reads has more than eight."""


def read_json(name: str) -> Any:
    """The JSON that a file holds; `-` is standard input. Raises `BadInput` with the file's name and the place."""
    try:
        return parse_json(_read_text(name))
    except BadInput as error:
        raise BadInput(f"{label(name)}: {error.sentence}") from None


def label(name: str) -> str:
    """Name of a file in a sentence."""
    return "standard input" if name == "-" else name


def parse_json(text: str) -> Any:
    """The JSON that the text holds. Raises `BadInput` with the place."""
    if not text.strip():
        raise BadInput("it is empty.")
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            raise BadInput(f"it is cut short: the JSON that starts here does not end ({where}).") from None
        raise BadInput(f"it is not JSON: {error.msg[:1].lower()}{error.msg[1:]} at {where}.") from None
    except RecursionError:
        raise BadInput(_TOO_DEEP) from None
    except ValueError:  # Python's limit on the digits of a whole number
        raise BadInput("it contains a number with too many digits.") from None
    _check_depth(data)
    return data


_TOO_DEEP = f"it is nested too deeply: at most {MAX_DEPTH} levels are read."


def _read_text(name: str) -> str:
    try:
        if name == "-":
            stream = getattr(sys.stdin, "buffer", None)
            data = stream.read(MAX_BYTES + 1) if stream else sys.stdin.read(MAX_BYTES + 1).encode()
        else:
            with Path(name).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise BadInput("file not found.") from None
    except IsADirectoryError:
        raise BadInput("this is a folder, not a file.") from None
    except PermissionError:
        raise BadInput("permission to read this file was denied.") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"it cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if len(data) > MAX_BYTES:
        raise BadInput(f"it is larger than {MAX_BYTES // 1024 // 1024} MB.")
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise BadInput(f"it is not UTF-8 text, at byte {error.start + 1}.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that names each key once: of two, other readers may believe the other one."""
    data = dict(pairs)
    if len(data) < len(pairs):
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise BadInput(f"an object names the key {key!r:.40} twice.")
            keys.add(key)
    return data


def _no_constant(word: str) -> NoReturn:
    raise BadInput(f"it is not JSON: {word} is not a number.")


def _check_depth(data: Any) -> None:
    level = [data]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for value in level
            for inner in (value.values() if isinstance(value, dict) else value if isinstance(value, list) else ())
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise BadInput(_TOO_DEEP)
