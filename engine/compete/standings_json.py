"""Standings from JSON: results in, rows out, as `python -m engine compete standings` reads and writes them.

A document is an object with

- `rounds`: a list of `{"tables": […], "unplayed": […]}`, in the order they were played. A table is `{"entries":
  [1, 2], "points": [1, 0]}` and may have lists as long as `entries` of `scores` (card points), `sides` (partners
  share one), `books` and `outs`. An entry that did not play is `{"entry": 3, "points": 1, "kind": "bye"}`, and may name an
  `opponent`. `awaited` lists entries whose result is still to come. An entry that a round does not name was absent, without
  points.
- `scoring`: `{"kind": "result", "sit_out": "average"}` (also if it is missing). Kinds are `result` (points add up), `total`
  (scores add up) and `average` (scores divided by `deals`, which a table may name; 1). An entry without a seat is
  `{"entry": 13, "kind": "sit_out"}` in `unplayed`: it counts the mean of its own played rounds (`average`), nothing
  (`none`) or a figure (`{"points": 500}`); an average counts it as it is, plus the figure. `win_bonus` are card points for
  each match won. With `total` and `average` a table may leave out `points`: more scores win.
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
from functools import cached_property, lru_cache
from typing import Any, Final

from engine.compete import scoring as match_scoring
from engine.compete.evening import SCORINGS, Scoring
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


@dataclass(frozen=True)
class Request:
    """Request of a document; `options` are further arguments of `standings.table`."""

    rounds: tuple[Round, ...]
    tiebreaks: tuple[str, ...]
    unplayed_rule: str = FIDE_2023
    options: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def standings(self) -> tuple[Row, ...]:
        """The standings. Raises `BadInput` for results that cannot be."""
        return table(self.rounds, tiebreaks=self.tiebreaks, unplayed_rule=self.unplayed_rule, **self.options)


def read(document: object) -> Request:
    """Read a decoded JSON document. Raises `BadInput` with a sentence that names the faulty place."""
    top = read_object(document, "The document")
    scoring = _read_scoring(top)
    rounds = tuple(
        _read_round(item, scoring, f"Round {number}") for number, item in enumerate(read_list(top, "rounds", ""), 1)
    )
    tiebreaks = tuple(read_text(name, "A tie-break") for name in read_list(top, "tiebreaks", "", required=False))
    rule = FIDE_2023 if top.get("unplayed_rule") is None else read_text(top["unplayed_rule"], "“unplayed_rule”")
    options = {**_usual(tiebreaks, len(rounds)), **dict(_read_options(top)), "scoring": scoring}
    request = Request(rounds, tiebreaks, rule, options)
    _ = request.standings  # whatever else cannot be is refused here, not later
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
    return [_row(row) for row in request.standings]


def number(value: Fraction | None) -> int | float | None:
    """A value as JSON has it: whole numbers without a point."""
    if value is None:
        return None
    return value.numerator if value.denominator == 1 else float(value)


def _row(row: Row) -> dict[str, int | float | None]:
    """A row as JSON."""
    values = {name: number(value) for name, value in row.values.items()}
    return {"entry": row.entry, "rank": row.rank, "points": number(row.points), **values}


def _read_scoring(top: Mapping[str, object]) -> Scoring:
    """The scoring of the evening; the usual one where none is named."""
    if top.get("scoring") is None:
        return Scoring()
    data = read_object(top["scoring"], "“scoring”")
    kind = data.get("kind", Scoring().kind)
    if not isinstance(kind, str) or kind not in SCORINGS:
        raise BadInput(f"“scoring”: “kind” must be one of {', '.join(SCORINGS)}, not {_quote(kind)}.")
    return Scoring(kind, _read_sit_out(data), read_integer(data.get("win_bonus", 0), "“scoring”, “win_bonus”"))


def _read_sit_out(data: Mapping[str, object]) -> Fraction | None:
    """The worth of a round sat out; `None` for the mean of the played ones."""
    rule = data.get("sit_out", "average")
    if rule == "average":
        return None
    if rule == "none":
        return Fraction(0)
    if not isinstance(rule, dict):
        raise BadInput(f'“scoring”: “sit_out” must be average, none or {{"points": …}}, not {_quote(rule)}.')
    return read_number(rule.get("points"), "“scoring”, “sit_out”, points")


def _read_round(item: object, scoring: Scoring, where: str) -> Round:
    """A round; an entry may be in it once."""
    data = read_object(item, where)
    tables = tuple(
        _read_table(each, scoring, f"{where}, table {index}")
        for index, each in enumerate(read_list(data, "tables", where, required=False), 1)
    )
    unplayed = tuple(
        _read_unplayed(each, f"{where}, unplayed {index}")
        for index, each in enumerate(read_list(data, "unplayed", where, required=False), 1)
    )
    awaited = tuple(_entry(each, where) for each in read_list(data, "awaited", where, required=False))
    return Round(tables, unplayed, str(data.get("name") or ""), awaited)


def _read_table(item: object, scoring: Scoring, where: str) -> Played:
    """A table with its results."""
    data = read_object(item, where)
    entries = tuple(_entry(each, where) for each in read_list(data, "entries", where))
    if len(entries) < 2:
        raise BadInput(f"{where}: a table has at least two entries.")
    scores, sides, books, outs = (
        _read_numbers(data, key, len(entries), where) for key in ("scores", "sides", "books", "outs")
    )
    if data.get("points") is None and scoring.is_of_cards and scores:
        points = _points_of(scores, sides)
    else:
        label = f"{where}, points"
        points = tuple([read_number(each, label) for each in read_list(data, "points", where)])
    if len(points) != len(entries):
        raise BadInput(f"{where}: there are {len(entries)} entries, but {len(points)} points.")
    deals = read_integer(data.get("deals", 1), f"{where}, deals")
    if deals < 1:
        raise BadInput(f"{where}: a table plays at least one deal.")
    return Played(entries, points, scores, sides, books, outs, deals=deals)


def _points_of(scores: tuple[int, ...], sides: tuple[int, ...]) -> match_scoring.Points:
    """The match points of a table that names card points only: by result for two sides, else by place."""
    of_sides = dict(zip(sides or range(len(scores)), scores, strict=True))
    by = match_scoring.by_result if len(of_sides) == 2 else match_scoring.by_place
    points = dict(zip(of_sides, by(tuple(of_sides.values())), strict=True))
    return tuple(points[side] for side in sides or range(len(scores)))


def _read_numbers(data: Mapping[str, Any], key: str, size: int, where: str) -> tuple[int, ...]:
    """A table's numbers under this key: as many whole numbers as entries, or none."""
    if data.get(key) is None:
        return ()
    label = f"{where}, {key}"
    numbers = tuple([read_integer(each, label) for each in read_list(data, key, where)])
    if numbers and len(numbers) != size:
        raise BadInput(f"{where}: there are {size} entries, but {len(numbers)} {key}.")
    return numbers


def _read_unplayed(item: object, where: str) -> Unplayed:
    """An entry that did not play."""
    data = read_object(item, where)
    kinds = [kind.value for kind in Kind]
    if data.get("kind") not in kinds:
        raise BadInput(f"{where}: “kind” must be one of {', '.join(kinds)}, not {_quote(data.get('kind'))}.")
    opponent = data.get("opponent")
    # What a round is worth that an entry had to sit out, the scoring says.
    points = Fraction(0) if data["kind"] == Kind.SIT_OUT else read_number(data.get("points"), f"{where}, points")
    return Unplayed(
        entry=_entry(data.get("entry"), where),
        points=points,
        kind=Kind(data["kind"]),
        opponent=None if opponent is None else _entry(opponent, where),
    )


def _read_options(top: Mapping[str, object]) -> Iterator[tuple[str, Any]]:
    """The further arguments of `standings.table` that the document gives."""
    for key in ("entries", "removed"):
        if top.get(key) is not None:
            yield key, tuple(_entry(each, f"“{key}”") for each in read_list(top, key, ""))
    for key in ("best_of", "spread_cap", "total_rounds"):
        if top.get(key) is not None:
            yield key, read_integer(top[key], f"“{key}”")
    for key in ("win", "draw"):
        if top.get(key) is not None:
            yield key, read_number(top[key], f"“{key}”")
    if top.get("lots") is not None:
        yield "lots", read_text(top["lots"], "“lots”")
    if top.get("start") is not None:
        points = read_object(top["start"], "“start”")
        yield "start", {_entry_text(entry): read_number(value, "“start”") for entry, value in points.items()}
    if top.get("round_robin") is not None:
        if not isinstance(top["round_robin"], bool):
            raise BadInput(f"“round_robin” must be true or false, not {_quote(top['round_robin'])}.")
        yield "is_round_robin", top["round_robin"]


def read_object(value: object, label: str) -> dict[str, Any]:
    """An object, or a sentence."""
    if not isinstance(value, dict):
        raise BadInput(f"{label} must be an object, not {_quote(value)}.")
    return value


def read_list(data: Mapping[str, Any], key: str, where: str, *, required: bool = True) -> list[object]:
    """The list under this key, or a sentence; a list that need not be there may be missing."""
    value = data.get(key)
    if value is None and not required:
        return []
    if not isinstance(value, list):
        place = f"{where}: " if where else ""
        raise BadInput(f"{place}“{key}” must be a list, not {'missing' if value is None else _quote(value)}.")
    return value


def read_text(value: object, label: str) -> str:
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


def read_integer(value: object, label: str) -> int:
    """A whole number, or a sentence."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > LARGEST:
        raise BadInput(f"{label} must be a whole number, not {_quote(value)}.")
    return value


def read_number(value: object, label: str) -> Fraction:
    """A number, exactly: 0.1 is a tenth, "1/3" a third; or a sentence."""
    if isinstance(value, float) and math.isfinite(value) and abs(value) <= LARGEST:
        return _exact(str(value))
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST:
        return _exact(value)
    if isinstance(value, str) and _FRACTION.fullmatch(value) and not re.search(r"/0*$", value):
        return Fraction(value)
    raise BadInput(f"{label}: a number is needed, not {_quote(value)}.")


@lru_cache(maxsize=4096)
def _exact(value: int | str) -> Fraction:
    """The fraction of a number. Cached: most tables of an event share out the same points."""
    return Fraction(value)


def _quote(value: object) -> str:
    """A value as a sentence shows it, short."""
    if isinstance(value, int) and abs(value) > LARGEST:
        return "a number that is too large"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
