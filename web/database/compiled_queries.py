"""Queries that are compiled once: the ORM writes the SQL, and every further call only runs it with other values.

Of a small query, building, compiling and planning is most of the cost. A turn makes three such queries and would cost
3.4 bare views of `bin/bench turn` without this and not 2.5 (all by processor time, PostgreSQL's included); reading a
stage, in each act of an event, makes eight: 2.5 ms and not 8. A contract in pyproject.toml limits its use to these.

On PostgreSQL they are prepared statements, whose plan each connection keeps (`prepare_threshold` of the settings).
It relies on the columns of Django's compiler: tests/web/test_compiled_queries.py checks that, and
docs/architecture.md says what to do if it fails.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)

_MARKS: dict[type, list[Any]] = {
    int: [7_046_029_254_386_353 + place for place in range(4)],
    str: [f"\ue000value {place}" for place in range(4)],
}
"""Placeholders of values in a query while it is compiled, by type and place."""


@dataclass(frozen=True)
class _Compiled:
    """The SQL of a query, and how an object is made of each row."""

    sql: str
    params: list[Any]
    model: type[Model]
    columns: slice
    attributes: list[str]
    related: list[Any]
    annotations: dict[str, int]
    converters: list[tuple[int, tuple[list[Callable[..., Any]], Any]]]

    def objects(self, rows: Sequence[Sequence[Any]], connection: Any) -> list[Any]:
        """The objects of fetched rows."""
        return [self._object(list(row), connection) for row in rows]

    def _object(self, row: list[Any], connection: Any) -> Model:
        for place, (converters, expression) in self.converters:
            for convert in converters:
                row[place] = convert(row[place], expression, connection)
        result = self.model.from_db(DEFAULT_DB_ALIAS, self.attributes, row[self.columns])
        for related in self.related:
            related.populate(row, result)
        for name, place in self.annotations.items():
            setattr(result, name, row[place])
        return result


class Prepared(Generic[M]):
    """A query for whole model objects, which `build` makes from values of these types, `int` or `str`.

    Calling it with values gives the list of objects, `select_related` and annotations included. Numbers must be ids:
    Django leaves out a comparison that it knows the column cannot fail.
    """

    def __init__(self, build: Callable[..., QuerySet[M]], *types: type) -> None:
        self._build = build
        self._marks = [_MARKS[kind][place] for place, kind in enumerate(types)]
        self._compiled: dict[str, _Compiled] = {}

    def __call__(self, *values: int | str) -> list[M]:
        connection = connections[DEFAULT_DB_ALIAS]
        compiled = self._compiled.get(connection.vendor)
        if compiled is None:
            compiled = self._compiled[connection.vendor] = self._compile(connection)
        marks = self._marks
        params = [values[marks.index(param)] if param in marks else param for param in compiled.params]
        with cursor_of(connection) as cursor:
            cursor.execute(compiled.sql, params)
            rows = cursor.fetchall()
        return compiled.objects(rows, connection)

    def _compile(self, connection: Any) -> _Compiled:
        compiler = self._build(*self._marks).query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        if any(mark not in params for mark in self._marks):
            raise ValueError("Each value must stand in the query as it is given.")
        select, about = compiler.select, compiler.klass_info
        columns = slice(about["select_fields"][0], about["select_fields"][-1] + 1)
        return _Compiled(
            sql=sql,
            params=list(params),
            model=about["model"],
            columns=columns,
            attributes=[column[0].target.attname for column in select[columns]],
            related=get_related_populators(about, select, DEFAULT_DB_ALIAS),  # type: ignore[call-arg]
            annotations=dict(compiler.annotation_col_map or {}),
            converters=list(compiler.get_converters([column[0] for column in select[: compiler.col_count]]).items()),
        )


def cursor_of(connection: Any) -> Any:
    """A cursor for repeated statements: PostgreSQL keeps their plans, saving a turn 0.4 bare views.

    Django can bind values on the server for all cursors of a site, which changes what other queries mean; this is
    one cursor of psycopg's own, in Django's wrapping. If queries are logged it is Django's, which can log the
    values.
    """
    if connection.vendor != "postgresql" or connection.queries_logged:
        return connection.cursor()
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    return connection.make_cursor(psycopg.Cursor(connection.connection))
