"""Rows to JSON, and back."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

Row = models.Model


def row_values(row: Row, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Fields of a row, ready for JSON: those of `names`, or all."""
    chosen = None if names is None else set(names)
    fields = [field for field in row._meta.concrete_fields if chosen is None or {field.name, field.attname} & chosen]
    return {field.attname: _json_value(field, row) for field in fields}


def row_from_values(model: type[Row], values: dict[str, Any]) -> Row:
    """A row from its `row_values`, not saved."""
    row = model()
    for field in model._meta.concrete_fields:
        if field.attname in values:
            setattr(row, field.attname, field.to_python(values[field.attname]))
    return row


def _json_value(field: Any, row: Row) -> Any:
    value = getattr(row, field.attname)
    if isinstance(value, bool | int | float | str | list | dict | None):
        return value
    return DjangoJSONEncoder().default(value) if isinstance(value, datetime) else field.value_to_string(row)
