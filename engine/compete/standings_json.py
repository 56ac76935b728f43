"""Standings from JSON: results in, rows out, as `python -m engine compete standings` reads and writes them.

A document is an object with

- `rounds`: a list of `{"tables": […], "unplayed": […]}`, in the order they were played. A table is `{"entries":
  [1, 2], "points": [1, 0]}` and may have lists as long as `entries` of `scores` (card points), `sides` (partners
  share one), `books` and `outs`. An entry that did not play is `{"entry": 3, "points": 1, "kind": "bye"}`, and may name an
  `opponent`. `awaited` lists entries whose result is still to come. An entry that a round does not name was absent, without
  points.
- `tiebreaks`: names, in the order they are used (none if it is missing).
- `unplayed_rule`: `fide2023` (also if it is missing) or `virtual_opponent`.
- optionally `entries` (numbers of all that take part), `start` (points by entry outside of rounds), `removed` (numbers),
  `lots` (the seed of a draw; "0"), `best_of` (how many rounds; all but one), `spread_cap` (card points; 1,000),
  `total_rounds`, `win` and `draw` (what a match brings) and `round_robin` (true or false), as in `standings.table`.

Points are numbers, or fractions as text ("1/3"); 0.1 is a tenth exactly. Other keys are passed over.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from engine.compete.records import Kind, Played, Round, Unplayed
from engine.compete.standings import Row, table
from engine.compete.tiebreaks import FIDE_2023
from engine.errors import BadInput

LARGEST: Final = 10**12
"""No number in a document may be larger: nobody scores that much, and sums stay quick."""

LOTS: Final = "0"
"""The seed of a draw by lot, where a document names none."""

SPREAD_CAP: Final = 1_000
"""Card points that one match brings to the capped difference at most, where a document says nothing else."""

_FRACTION = re.compile(r"-?\d{1,12}(/\d{1,12}|\.\d{1,12})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Request:
    """Request of a document; `options` are further arguments of `standings.table`."""

    rounds: tuple[Round, ...]
    tiebreaks: tuple[str, ...]
    unplayed_rule: str = FIDE_2023
    options: Mapping[str, Any] = field(default_factory=dict)


def read(document: object) -> Request:
    """Read a decoded JSON document. Raises `BadInput` with a sentence that names the faulty place."""
    top = _object(document, "The document")
    rounds = tuple(_read_round(item, f"Round {number}") for number, item in enumerate(_list(top, "rounds", ""), 1))
    tiebreaks = tuple(_text(name, "A tie-break") for name in _list(top, "tiebreaks", "", required=False))
    rule = FIDE_2023 if top.get("unplayed_rule") is None else _text(top["unplayed_rule"], "“unplayed_rule”")
    request = Request(rounds, tiebreaks, rule, _usual(tiebreaks, len(rounds)) | dict(_read_options(top)))
    rows(request)  # whatever else cannot be is refused here, not later
    return request


def _usual(tiebreaks: Collection[str], rounds: int) -> dict[str, Any]:
    """The settings of those tie-breaks that need one, where the document gives none."""
    usual: dict[str, tuple[str, Any]] = {
        "lots": ("lots", LOTS),
        "best_rounds": ("best_of", max(1, rounds - 1)),
        "capped_spread": ("spread_cap", SPREAD_CAP),
    }
    return dict(usual[name] for name in usual if name in tiebreaks)


def rows(request: Request) -> list[dict[str, int | float | None]]:
    """The standings, row by row: `entry`, `rank`, `points` and the value of each tie-break under its name."""
    standings = table(
        request.rounds, tiebreaks=request.tiebreaks, unplayed_rule=request.unplayed_rule, **request.options
    )
    return [_row(row) for row in standings]


def number(value: Fraction | None) -> int | float | None:
    """A value as JSON has it: whole numbers without a point."""
    if value is None:
        return None
    return value.numerator if value.denominator == 1 else float(value)


def _row(row: Row) -> dict[str, int | float | None]:
    """A row as JSON."""
    values = {name: number(value) for name, value in row.values.items()}
    return {"entry": row.entry, "rank": row.rank, "points": number(row.points), **values}


def _read_round(item: object, where: str) -> Round:
    """A round; an entry may be in it once."""
    data = _object(item, where)
    tables = tuple(
        _read_table(each, f"{where}, table {index}")
        for index, each in enumerate(_list(data, "tables", where, required=False), 1)
    )
    unplayed = tuple(
        _read_unplayed(each, f"{where}, unplayed {index}")
        for index, each in enumerate(_list(data, "unplayed", where, required=False), 1)
    )
    awaited = tuple(_entry(each, where) for each in _list(data, "awaited", where, required=False))
    return Round(tables, unplayed, str(data.get("name") or ""), awaited)


def _read_table(item: object, where: str) -> Played:
    """A table with its results."""
    data = _object(item, where)
    entries = tuple(_entry(each, where) for each in _list(data, "entries", where))
    if len(entries) < 2:
        raise BadInput(f"{where}: a table has at least two entries.")
    points = tuple(_number(each, f"{where}, points") for each in _list(data, "points", where))
    if len(points) != len(entries):
        raise BadInput(f"{where}: there are {len(entries)} entries, but {len(points)} points.")
    scores, sides, books, outs = (
        _read_numbers(data, key, len(entries), where) for key in ("scores", "sides", "books", "outs")
    )
    return Played(entries, points, scores, sides, books, outs)


def _read_numbers(data: Mapping[str, Any], key: str, size: int, where: str) -> tuple[int, ...]:
    """A table's numbers under this key: as many whole numbers as entries, or none."""
    numbers = tuple(_integer(each, f"{where}, {key}") for each in _list(data, key, where, required=False))
    if numbers and len(numbers) != size:
        raise BadInput(f"{where}: there are {size} entries, but {len(numbers)} {key}.")
    return numbers


def _read_unplayed(item: object, where: str) -> Unplayed:
    """An entry that did not play."""
    data = _object(item, where)
    kinds = [kind.value for kind in Kind]
    if data.get("kind") not in kinds:
        raise BadInput(f"{where}: “kind” must be one of {', '.join(kinds)}, not {_quote(data.get('kind'))}.")
    opponent = data.get("opponent")
    return Unplayed(
        entry=_entry(data.get("entry"), where),
        points=_number(data.get("points"), f"{where}, points"),
        kind=Kind(data["kind"]),
        opponent=None if opponent is None else _entry(opponent, where),
    )


def _read_options(top: Mapping[str, object]) -> Iterator[tuple[str, Any]]:
    """The further arguments of `standings.table` that the document gives."""
    for key in ("entries", "removed"):
        if top.get(key) is not None:
            yield key, tuple(_entry(each, f"“{key}”") for each in _list(top, key, ""))
    for key in ("best_of", "spread_cap", "total_rounds"):
        if top.get(key) is not None:
            yield key, _integer(top[key], f"“{key}”")
    for key in ("win", "draw"):
        if top.get(key) is not None:
            yield key, _number(top[key], f"“{key}”")
    if top.get("lots") is not None:
        yield "lots", _text(top["lots"], "“lots”")
    if top.get("start") is not None:
        points = _object(top["start"], "“start”")
        yield "start", {_entry_text(entry): _number(value, "“start”") for entry, value in points.items()}
    if top.get("round_robin") is not None:
        if not isinstance(top["round_robin"], bool):
            raise BadInput(f"“round_robin” must be true or false, not {_quote(top['round_robin'])}.")
        yield "is_round_robin", top["round_robin"]


def _object(value: object, label: str) -> dict[str, Any]:
    """An object, or a sentence."""
    if not isinstance(value, dict):
        raise BadInput(f"{label} must be an object, not {_quote(value)}.")
    return value


def _list(data: Mapping[str, Any], key: str, where: str, *, required: bool = True) -> list[object]:
    """The list under this key, or a sentence; a list that need not be there may be missing."""
    value = data.get(key)
    if value is None and not required:
        return []
    if not isinstance(value, list):
        place = f"{where}: " if where else ""
        raise BadInput(f"{place}“{key}” must be a list, not {'missing' if value is None else _quote(value)}.")
    return value


def _text(value: object, label: str) -> str:
    """Text, or a sentence."""
    if not isinstance(value, str):
        raise BadInput(f"{label} must be text, not {_quote(value)}.")
    return value


def _entry(value: object, where: str) -> int:
    """The number of an entry, or a sentence."""
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= LARGEST:
        raise BadInput(f"{where}: an entry is a whole number from 1, not {_quote(value)}.")
    return value


def _entry_text(value: str) -> int:
    """The number of an entry that is a key, and so text, or a sentence."""
    if not re.fullmatch(r"[1-9]\d{0,8}", value, re.ASCII):
        raise BadInput(f"“start”: an entry is a whole number from 1, not {_quote(value)}.")
    return int(value)


def _integer(value: object, label: str) -> int:
    """A whole number, or a sentence."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > LARGEST:
        raise BadInput(f"{label} must be a whole number, not {_quote(value)}.")
    return value


def _number(value: object, label: str) -> Fraction:
    """A number, exactly: 0.1 is a tenth, "1/3" a third; or a sentence."""
    if isinstance(value, float) and math.isfinite(value) and abs(value) <= LARGEST:
        return Fraction(str(value))
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST:
        return Fraction(value)
    if isinstance(value, str) and _FRACTION.fullmatch(value) and not re.search(r"/0*$", value):
        return Fraction(value)
    raise BadInput(f"{label}: a number is needed, not {_quote(value)}.")


def _quote(value: object) -> str:
    """A value as a sentence shows it, short."""
    if isinstance(value, int) and abs(value) > LARGEST:
        return "a number that is too large"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
