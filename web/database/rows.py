"""A row as it is kept in JSON, and back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

Row = models.Model


def written(row: Row, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Fields of a row, ready for JSON: those of `names`, or all."""
    wanted = None if names is None else set(names)
    fields = [field for field in row._meta.concrete_fields if wanted is None or {field.name, field.attname} & wanted]
    return {field.attname: _plain(field, row) for field in fields}


def unwritten(model: type[Row], values: dict[str, Any]) -> Row:
    """A row from what `written` wrote, not saved."""
    row = model()
    for field in model._meta.concrete_fields:
        if field.attname in values:
            setattr(row, field.attname, field.to_python(values[field.attname]))
    return row


def _plain(field: Any, row: Row) -> Any:
    value = getattr(row, field.attname)
    if isinstance(value, bool | int | float | str | list | dict | None):
        return value
    return DjangoJSONEncoder().default(value) if isinstance(value, datetime) else field.value_to_string(row)
