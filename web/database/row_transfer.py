"""Rows carried from one installation to another: as plain data, with numbers in place of ids, and back as rows.

Rows of a model are numbered from 1 in the order of their ids; deleted rows that only a history still names have the
numbers after them. Reading reserves as many unused ids, so that a history can still be undone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.base.operations import BaseDatabaseOperations
from django.utils import timezone

from web.database import bulk_insert
from web.database.rows import row_values

Row = models.Model
Ids = Callable[[str, int], int | None]
"""The number of a row by its model and id, or the id by its number; `None` for one that is not carried."""
Within = Callable[[Any, Ids], Any]
"""Puts numbers in place of the ids within a value, or ids in place of the numbers."""
Check = Callable[[Any], object]
"""Raises `ValueError` for a value that no row of this kind has."""
MOST = 400_000
"""Rows of one model, gone ones included."""


class Damaged(ValueError):
    """Damaged data, which differs from the original."""


@dataclass(frozen=True)
class Carried:
    """A model whose rows are carried, and how."""

    model: type[Row]
    without: frozenset[str] = frozenset()
    """Fields that stay behind, by name."""
    within: Mapping[str, Within] = field(default_factory=dict)
    """Fields that hold ids within their values."""
    checks: Mapping[str, Check] = field(default_factory=dict)
    """Further checks of fields that are read, by name."""
    settle: Callable[[Row, dict[str, Any]], None] | None = None
    """Changes the written values of a row that only make sense where it is now, such as a table under way."""

    @property
    def label(self) -> str:
        """Its name, such as `clubs.team`."""
        return self.model._meta.label_lower

    @cached_property
    def fields(self) -> tuple[models.Field[Any, Any], ...]:
        """The fields that are carried, the id first."""
        return tuple(column for column in self.model._meta.concrete_fields if column.name not in self.without)

    @cached_property
    def by_column(self) -> Mapping[str, models.Field[Any, Any]]:
        """The same fields by column."""
        return {column.attname: column for column in self.fields}


# Away


class Numbers:
    """Gives numbers to rows."""

    def __init__(self) -> None:
        self._of: dict[str, dict[int, int]] = defaultdict(dict)

    def give(self, label: str, ids: Iterable[int]) -> None:
        """Number the rows of a model that are carried."""
        self._of[label] = {pk: number for number, pk in enumerate(ids, 1)}

    def living(self, label: str, pk: int) -> int | None:
        """The number of a row that is carried; `None` for others."""
        return self._of[label].get(pk)

    def any(self, label: str, pk: int) -> int | None:
        """The number of a row that is carried, or that is gone."""
        return self._of[label].setdefault(pk, len(self._of[label]) + 1)

    def count(self, label: str) -> int:
        """The count of numbers given to rows of a model."""
        return len(self._of[label])


def to_data(carried: Carried, row: Row, numbers: Numbers) -> dict[str, Any]:
    """A row as plain data."""
    values = row_values(row, [column.attname for column in carried.fields])
    for name in values:
        at = getattr(row, name)
        if isinstance(at, datetime):  # whole, where a history has milliseconds
            values[name] = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if carried.settle is not None:
        carried.settle(row, values)
    return translate(carried, values, numbers.living, numbers.any)


def translate(carried: Carried, values: Mapping[str, Any], ids: Ids, gone: Ids) -> dict[str, Any]:
    """Translate the ids or numbers in written fields; `gone` translates values that may name deleted rows."""
    result: dict[str, Any] = {}
    for column in carried.fields:
        if column.attname not in values:
            continue
        value = values[column.attname]
        if value is not None and (column.primary_key or column.is_relation):
            value = ids(carried.label if column.primary_key else _target(column), _number(value))
        elif value is not None and column.name in carried.within:
            value = carried.within[column.name](value, gone)
        result[column.attname] = value
    return result


def _target(column: models.Field[Any, Any]) -> str:
    target = column.related_model
    assert isinstance(target, type)  # noqa: S101  models are loaded
    return str(target._meta.label_lower)


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str) or not str(value).isdecimal():
        raise Damaged("a row has a number")
    return int(value)


# And back


class Reserved:
    """Ids for numbers, which no row has or had."""

    def __init__(self) -> None:
        self._ids: dict[str, list[int]] = {}
        self._rows: dict[str, int] = {}

    def reserve(self, carried: Carried, rows: int, numbers: int) -> None:
        """Reserve ids for so many rows of a model, and for all numbers that were given. Raises `Damaged`."""
        if not 0 <= rows <= numbers <= MOST:
            raise Damaged(f"{carried.label} has {numbers} numbers for {rows} rows")
        self._ids[carried.label] = bulk_insert.fresh_ids(carried.model, numbers)
        self._rows[carried.label] = rows

    def living(self, label: str, number: int) -> int | None:
        """The id of a row. Raises `Damaged` if it does not exist."""
        if not 1 <= number <= self._rows.get(label, 0):
            raise Damaged(f"there is no {label} {number}")
        return self._ids[label][number - 1]

    def any(self, label: str, number: int) -> int | None:
        """The id of a row that is there, or is gone. Raises `Damaged`."""
        if not 1 <= number <= len(self._ids.get(label, ())):
            raise Damaged(f"there never was a {label} {number}")
        return self._ids[label][number - 1]


def from_data(carried: Carried, values: Any, reserved: Reserved) -> Row:
    """A row from plain data, not saved. Raises `Damaged`."""
    checked = checked_fields(carried, values)
    row = carried.model()
    for name, value in translate(carried, checked, reserved.living, reserved.any).items():
        setattr(row, name, value)
    return row


def checked_fields(carried: Carried, values: Any) -> dict[str, Any]:
    """Fields as their columns have them, with numbers still in place of ids. Raises `Damaged`."""
    if not isinstance(values, dict):
        raise Damaged(f"this is no {carried.label}")
    columns = carried.by_column
    if unknown := values.keys() - columns.keys():
        raise Damaged(f"{carried.label} has no {sorted(unknown)[0]}")
    checked = {}
    for name, value in values.items():
        try:
            checked[name] = _checked(columns[name], value)
            if value is not None and columns[name].name in carried.checks:
                carried.checks[columns[name].name](value)
        except (ValidationError, ValueError, TypeError, KeyError, OverflowError) as error:
            raise Damaged(f"{carried.label} cannot have this {name}") from error
    return checked


def _checked(column: models.Field[Any, Any], value: Any) -> Any:
    if value is None:
        if not column.null:
            raise Damaged("empty")
        return None
    if column.primary_key or column.is_relation:
        return _number(value)
    if isinstance(column, models.JSONField):
        if type(value) is not (type(column.get_default()) if column.has_default() else dict):
            raise Damaged("of another shape")
        return value
    is_short = not isinstance(value, str) or len(value) <= _SHORT
    return (_checked_short if is_short else _checked_plain)(column, value)


def _checked_plain(column: models.Field[Any, Any], value: Any) -> Any:
    """The same for plain values: texts, numbers, times."""
    if type(value) not in _KINDS.get(column.get_internal_type(), (str,)):
        raise Damaged("of another kind")
    least, most = BaseDatabaseOperations.integer_field_ranges.get(column.get_internal_type(), (None, None))
    if least is not None and not least <= value <= most:
        raise Damaged("too large")
    parsed = column.to_python(value)
    # A column of text may be something else in Python; how long it may be concerns the text.
    column.run_validators(value if isinstance(column, models.CharField) else parsed)
    if column.max_length is not None and len(str(value)) > column.max_length:
        raise Damaged("too long")
    if column.choices and parsed not in dict(column.flatchoices) and (parsed != "" or not column.blank):
        raise Damaged("not among the choices")
    if isinstance(parsed, datetime) and timezone.is_naive(parsed):
        raise Damaged("a time without its zone")
    return parsed


_SHORT = 40
_checked_short = lru_cache(maxsize=10_000, typed=True)(_checked_plain)
"""The same for short values, which many rows share."""


_KINDS: dict[str, tuple[type, ...]] = {
    "BooleanField": (bool,),
    "FloatField": (int, float),
    "PositiveSmallIntegerField": (int,),
    "PositiveIntegerField": (int,),
    "PositiveBigIntegerField": (int,),
    "IntegerField": (int,),
}
"""Types of written values, by field; others are text."""


def save(carried: Carried, rows: Sequence[Row]) -> None:
    """Store rows under their reserved ids, with the times they had."""
    bulk_insert.insert(rows, keeps_times=True)


# What acts changed


def act_changes(app: str, models: Callable[[], Mapping[str, Carried]]) -> tuple[Within, Check]:
    """Translation and check of the changes of an app's acts (`web.database.rows`).

    Changes of rows that are not carried stay behind.
    """

    def within(changes: Any, ids: Ids) -> list[dict[str, Any]]:
        result = []
        for change in changes:
            carried = models().get(f"{app}.{change['model']}")
            if carried is not None:
                result.append({**change, **_change(carried, change, ids, app, models())})
        return result

    def check(changes: Any) -> None:
        for change in changes:
            carried = models().get(f"{app}.{change['model']}")
            if carried is None or set(change) != {"model", "pk", "was", "is"}:
                raise Damaged("a change of nothing known")
            for fields in _parts(carried, change, app, models()):
                checked_fields(*fields)

    return within, check


def _change(
    carried: Carried, change: Mapping[str, Any], ids: Ids, app: str, models_of: Mapping[str, Carried]
) -> dict[str, Any]:
    pk = ids(carried.label, _number(change["pk"]))
    if change["is"] == "rounds":
        was = change["was"]
        rows = [
            {"model": row["model"], "fields": translate(models_of[f"{app}.{row['model']}"], row["fields"], ids, ids)}
            for row in was["rows"]
        ]
        return {"pk": pk, "was": {**was, "rows": rows}}
    values = {key: None if change[key] is None else translate(carried, change[key], ids, ids) for key in ("was", "is")}
    return {"pk": pk, **values}


def _parts(
    carried: Carried, change: Mapping[str, Any], app: str, models_of: Mapping[str, Carried]
) -> Iterable[tuple[Carried, Any]]:
    """The written fields within a change, each with the model they are of."""
    _number(change["pk"])
    if change["is"] == "rounds":
        was = change["was"]
        if set(was) != {"first", "status", "rows"} or type(was["first"]) is not int or type(was["status"]) is not str:
            raise Damaged("kept rounds of another shape")
        yield from ((models_of[f"{app}.{row['model']}"], row["fields"]) for row in was["rows"])
        return
    yield from ((carried, change[key]) for key in ("was", "is") if change[key] is not None)
