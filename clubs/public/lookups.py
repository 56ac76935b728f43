"""Lookups of rows that an address names."""

from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404

RowOf = TypeVar("RowOf", bound=Model)


def first_or_404(rows: QuerySet[RowOf], sentence: str) -> RowOf:
    """The first row. Raises `Http404` with the sentence if there is none."""
    if (row := rows.first()) is None:
        raise Http404(sentence)
    return row
