"""Series from JSON: evenings in, standings out, as `python -m engine compete series` reads and writes them.

A document is an object with

- `evenings`: a list of `{"name": "3 Sep", "results": [{"person": 1, "points": 12}, …]}`, in the order they were played.
  A person is a number or a name; partners are a list. A result may have a `rank` (place points follow the points where no
  result has one), and `won` and `most`, the points won and possible in the matches played, for percentages.
- `measure`: `points` (also if it is missing), `place` or `percent`.
- `counting`: `{"kind": "best", "evenings": 18}`, `{"kind": "average", "evenings": 5}` (at least so many; 1) or
  `{"kind": "sum"}` (also if it is missing).

Numbers are as in the standings: fractions may be text ("1/3"). Other keys are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from engine.compete import series
from engine.compete.series import Counting, Result, SeriesRow
from engine.compete.standings_json import number, read_integer, read_list, read_number, read_object, read_text
from engine.errors import BadInput

Person = int | str
LONGEST_NAME: Final = 200


@dataclass(frozen=True)
class Request:
    """A document: its evenings by name, and its standings."""

    names: tuple[str, ...]
    lines: tuple[SeriesRow[Person], ...]


def read(document: object) -> Request:
    """Read a decoded JSON document. Raises `BadInput` with a sentence that names the faulty place."""
    top = read_object(document, "The document")
    measure = read_text(top.get("measure") or series.POINTS, "“measure”")
    series.check_measure(measure)
    counting = _read_counting(top)
    names, evenings = [], []
    for at, item in enumerate(read_list(top, "evenings", ""), 1):
        where = f"Evening {at}"
        data = read_object(item, where)
        results = [
            _read_result(each, f"{where}, result {index}")
            for index, each in enumerate(read_list(data, "results", where), 1)
        ]
        try:
            evenings.append(series.worth(results, measure))
        except BadInput as error:
            raise BadInput(f"{where}: {error.sentence}") from None
        names.append(str(data.get("name") or at)[:LONGEST_NAME])
    return Request(tuple(names), series.standings(evenings, counting))


def rows(request: Request) -> list[dict[str, Any]]:
    """The standings, row by row: `person`, `rank`, `total`, `evenings` (each one's worth) and `dropped` (from 1)."""
    return [_row(line) for line in request.lines]


def _row(line: SeriesRow[Person]) -> dict[str, Any]:
    dropped = [at + 1 for at, value in enumerate(line.values) if value is not None and at not in line.counted]
    values = [number(value) for value in line.values]
    return {
        "person": line.person,
        "rank": line.rank,
        "total": number(line.total),
        "evenings": values,
        "dropped": dropped,
    }


def _read_counting(top: Mapping[str, object]) -> Counting:
    if top.get("counting") is None:
        return Counting()
    data = read_object(top["counting"], "“counting”")
    way = read_text(data.get("kind", series.SUM), "“counting”, “kind”")
    if way == series.BEST and data.get("evenings") is None:
        raise BadInput("“counting”: “evenings” must say how many count.")
    return Counting(way, read_integer(data.get("evenings", 1), "“counting”, “evenings”"))


def _read_result(item: object, where: str) -> Result[Person]:
    data = read_object(item, where)
    people = data.get("person")
    members = people if isinstance(people, list) else [people]
    if not members:
        raise BadInput(f"{where}: a result has at least one person.")
    rank = None if data.get("rank") is None else read_integer(data["rank"], f"{where}, rank")
    figures = {key: _read_figure(data, key, where) for key in ("points", "won", "most")}
    return Result(tuple(_read_person(each, where) for each in members), rank=rank, **figures)


def _read_figure(data: Mapping[str, Any], key: str, where: str) -> Fraction | None:
    return None if data.get(key) is None else read_number(data[key], f"{where}, {key}")


def _read_person(value: object, where: str) -> Person:
    if isinstance(value, str) and value.strip():
        return value.strip()[:LONGEST_NAME]
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadInput(f"{where}: “person” must be a number or a name.")
    return read_integer(value, f"{where}, person")
