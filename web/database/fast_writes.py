"""Fast writes, with statements that are built once for each set of columns.

For the writes of a turn: building the statement is most of the ORM's cost for a small one. Written by the ORM, a
turn would cost 3.0 bare views of `bin/bench turn` and not 2.5. No signals are sent, and inserted objects get no id.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model

from web.database.compiled_queries import cursor_of

Change = tuple[Model, Sequence[str]]
"""A row that is there, and the names of its attributes that are written back."""


def insert(rows: Sequence[Model], *, skip_known: bool = False) -> None:
    """Add rows of one model; `skip_known` leaves out those that a constraint says are there already."""
    if rows:
        connection = connections[DEFAULT_DB_ALIAS]
        with cursor_of(connection) as cursor:
            cursor.execute(_insertion(type(rows[0]), len(rows), skip_known), _new_values(rows, connection))


def update(*changes: Change, new: Sequence[Model] = (), returning: str = "") -> None:
    """Write attributes of different rows back, and add `new` rows of one model.

    On PostgreSQL in one statement, elsewhere in one for the new rows and one for each other. `returning` is an
    expression of SQL to be worked out with the last row.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor == "postgresql":
        _update_at_once(connection, changes, new, returning)
        return
    insert(new)
    for change in changes[:-1]:
        _update_at_once(connection, [change], (), "")
    _update_at_once(connection, changes[-1:], (), returning)


def _update_at_once(connection: Any, changes: Sequence[Change], new: Sequence[Model], returning: str) -> None:
    writes = tuple([(type(row), tuple(names)) for row, names in changes])
    sql, fields = _updating(writes, type(new[0]) if new else None, len(new), returning)
    values = _new_values(new, connection)
    for (row, _), row_fields in zip(changes, fields, strict=True):
        values += [field.get_db_prep_save(getattr(row, field.attname), connection) for field in row_fields]
    with cursor_of(connection) as cursor:
        cursor.execute(sql, values)


def _new_values(rows: Sequence[Model], connection: Any) -> list[Any]:
    """The values of new rows in the order of the holes of their statement."""
    fields = _insertable(type(rows[0])) if rows else []
    return [field.get_db_prep_save(field.pre_save(row, True), connection) for row in rows for field in fields]


@lru_cache(maxsize=16)
def _insertable(model: type[Model]) -> list[Field[Any, Any]]:
    return [field for field in model._meta.concrete_fields if not field.primary_key]


@lru_cache(maxsize=64)
def _insertion(model: type[Model], count: int, skip_known: bool) -> str:
    fields = _insertable(model)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    holes = f"({', '.join(['%s'] * len(fields))})"
    end = " ON CONFLICT DO NOTHING" if skip_known else ""
    return f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES {", ".join([holes] * count)}{end}'  # noqa: S608  names of our own


@lru_cache(maxsize=256)
def _updating(
    writes: tuple[tuple[type[Model], tuple[str, ...]], ...], new: type[Model] | None, count: int, returning: str
) -> tuple[str, list[list[Field[Any, Any]]]]:
    """The statement, and the fields of each row that is there, in the order of its holes; the key comes last."""
    statements, fields = [_insertion(new, count, False)] if new else [], []
    for model, names in writes:
        by_name = {field.attname: field for field in model._meta.concrete_fields}
        changed, key = [by_name[name] for name in names], model._meta.pk
        columns = ", ".join(f'"{field.column}" = %s' for field in changed)
        statements.append(f'UPDATE "{model._meta.db_table}" SET {columns} WHERE "{key.column}" = %s')  # noqa: S608  names of our own
        fields.append([*changed, key])
    *others, last = statements
    before = ", ".join(f"row_{place} AS ({statement})" for place, statement in enumerate(others))
    return (f"WITH {before} " if before else "") + last + (f" RETURNING {returning}" if returning else ""), fields
