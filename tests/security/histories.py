"""Histories, which are only added to, and a watch over statements that would change them."""

import re
from contextlib import contextmanager

from django.apps import apps
from django.db import connection

HISTORIES = ("clubs.Act", "tournaments.Act", "gameplay.Move", "gameplay.Happening", "accounts.OperatorAct")
"""Rows that are added and never changed: actions in clubs and events and by operators, moves, and other events of
tables.
"""
_CHANGES = re.compile(r'\s*(?:UPDATE|DELETE FROM|REPLACE INTO|TRUNCATE(?: TABLE)?)\s+"?(\w+)', re.IGNORECASE)


def tables():
    """The names of their tables."""
    return {apps.get_model(name)._meta.db_table for name in HISTORIES}


@contextmanager
def rewritten():
    """Collects statements that change or remove rows of histories."""
    names, statements = tables(), []

    def record(execute, sql, params, many, context):
        changed = _CHANGES.match(sql)
        if changed and changed[1] in names:
            statements.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        yield statements


def rows(app, besides=()):
    """Every row of an app as its fields: by (model, id)."""
    return _rows(model for model in apps.get_app_config(app).get_models() if model.__name__ not in besides)


def rows_after(before, app, touched):
    """The same, from the rows before and the names of the tables that were written to since."""
    models = [model for model in apps.get_app_config(app).get_models() if model._meta.db_table in touched]
    names = {model._meta.model_name for model in models}
    return {key: row for key, row in before.items() if key[0] not in names} | _rows(models)


def _rows(models):
    return {(model._meta.model_name, row["id"]): row for model in models for row in model._default_manager.values()}


def changed(before, after):
    """(model, id) of rows that are other, new or gone, with the names of the fields that are other."""
    for key in before.keys() | after.keys():
        was, now = before.get(key), after.get(key)
        if was != now:
            yield key, None if was is None or now is None else {name for name in was if was[name] != now[name]}
