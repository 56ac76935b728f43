"""Fast writes, with statements that are built once for each set of columns.

For the writes of a turn: building the statement is most of the ORM's cost for a small one. Written by the ORM, a
turn would cost 3.0 bare views of `bin/bench turn` and not 2.5. No signals are sent, and inserted objects get no id.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model

from web.database.compiled_queries import cursor_of


def insert(rows: Sequence[Model], *, skip_known: bool = False) -> None:
    """Add rows of one model; `skip_known` leaves out those that a constraint says are there already."""
    if not rows:
        return
    connection, model = connections[DEFAULT_DB_ALIAS], type(rows[0])
    sql, fields = _insertion(model, len(rows), skip_known)
    values = [field.get_db_prep_save(field.pre_save(row, True), connection) for row in rows for field in fields]
    with cursor_of(connection) as cursor:
        cursor.execute(sql, values)


def update(row: Model, names: Iterable[str], *, returning: str = "") -> None:
    """Write these attributes of a row back. `returning` is an expression of SQL to be worked out from the new row."""
    connection = connections[DEFAULT_DB_ALIAS]
    sql, fields = _updating(type(row), tuple(names), returning)
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
    with cursor_of(connection) as cursor:
        cursor.execute(sql, [*values, row.pk])


@lru_cache(maxsize=64)
def _insertion(model: type[Model], count: int, skip_known: bool) -> tuple[str, list[Field[Any, Any]]]:
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    holes = f"({', '.join(['%s'] * len(fields))})"
    end = " ON CONFLICT DO NOTHING" if skip_known else ""
    return f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES {", ".join([holes] * count)}{end}', fields  # noqa: S608  names of our own


@lru_cache(maxsize=256)
def _updating(model: type[Model], names: tuple[str, ...], returning: str) -> tuple[str, list[Field[Any, Any]]]:
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    fields = [by_name[name] for name in names]
    columns = ", ".join(f'"{field.column}" = %s' for field in fields)
    end = f" RETURNING {returning}" if returning else ""
    key = model._meta.pk.column
    return f'UPDATE "{model._meta.db_table}" SET {columns} WHERE "{key}" = %s{end}', fields  # noqa: S608  names of our own
