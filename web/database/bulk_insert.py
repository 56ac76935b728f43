"""Many new rows at once: ids are reserved first, so that rows can name each other, and few statements a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections, models

Row = models.Model


def fresh_ids(model: type[Row], count: int) -> list[int]:
    """Ids that the database will never give to other rows. Within a transaction."""
    if not count:
        return []
    table, column = model._meta.db_table, str(model._meta.pk.column)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            name = connection.ops.quote_name(table)
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)", [name, column, count]
            )
            return sorted(int(row[0]) for row in cursor.fetchall())
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
        last = int(row[0]) if row else 0
        if row is None:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, count])
        else:
            cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [last + count, table])
        return list(range(last + 1, last + count + 1))


def number(rows: Sequence[Row]) -> None:
    """Give new rows of one model their ids, in this order, before they are stored."""
    if rows:
        for row, pk in zip(rows, fresh_ids(type(rows[0]), len(rows)), strict=True):
            row.pk = pk


def insert(rows: Sequence[Row], *, keeps_times: bool = False) -> None:
    """Store new rows of one model; those without an id get one. A faster `bulk_create`.

    `keeps_times` leaves fields with `auto_now_add` as they are if they have a value. Raises `IntegrityError`.
    """
    if not rows:
        return
    number([row for row in rows if row.pk is None])
    meta, quote = type(rows[0])._meta, connection.ops.quote_name
    fields = list(meta.local_concrete_fields)
    columns = ", ".join(quote(str(field.column)) for field in fields)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with (
                connection.wrap_database_errors,
                cursor.copy(f"COPY {quote(meta.db_table)} ({columns}) FROM STDIN") as copy,
            ):
                for values in _prepared(fields, rows, keeps_times):
                    copy.write_row(values)
        else:
            holes = ", ".join(["%s"] * len(fields))
            statement = f"INSERT INTO {quote(meta.db_table)} ({columns}) VALUES ({holes})"  # noqa: S608  names of models
            cursor.executemany(statement, list(_prepared(fields, rows, keeps_times)))
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias


def _prepared(fields: Sequence[models.Field[Any, Any]], rows: Iterable[Row], keeps_times: bool) -> Iterator[list[Any]]:
    """The values of each row as the database takes them; equal plain ones are prepared once."""
    database = connections[DEFAULT_DB_ALIAS]
    timed = {field for field in fields if getattr(field, "auto_now_add", False) or getattr(field, "auto_now", False)}
    columns: list[tuple[models.Field[Any, Any], str, bool, dict[Any, Any]]] = [
        (field, field.attname, field in timed, {}) for field in fields
    ]
    for row in rows:
        held, values = row.__dict__, []
        for field, name, is_timed, prepared in columns:
            value = held[name] if name in held else getattr(row, name)
            if is_timed and (value is None or not keeps_times):
                value = field.pre_save(row, True)
            if value and isinstance(value, list | dict | bytes):
                values.append(field.get_db_prep_save(value, database))
                continue
            key = (type(value), value or None)
            if key not in prepared:
                if len(prepared) == _KEPT:
                    prepared.clear()
                prepared[key] = field.get_db_prep_save(value, database)
            values.append(prepared[key])
        yield values


_KEPT = 2000
"""Most prepared values of a field in memory."""
