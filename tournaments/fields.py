"""A column for exact fractions: shared places are worth thirds, and sums must come out even."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext

if TYPE_CHECKING:
    _Text = models.CharField[Fraction | int | str | None, Any]
else:
    _Text = models.CharField


@lru_cache(maxsize=4096)
def _read(text: str) -> Fraction:
    """A fraction as it is kept. A big stage has thousands of them, and few that differ."""
    return Fraction(text)


class FractionField(_Text):
    """A `Fraction`, kept as text such as `7/2`. For reading and writing whole; the database does not compare it."""

    description = "an exact fraction"

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("max_length", 40)
        super().__init__(*args, **options)

    def from_db_value(self, value: str | None, expression: object, connection: object) -> Fraction | None:
        return None if value is None else _read(value)

    def to_python(self, value: Any) -> Fraction | None:
        if value is None or isinstance(value, Fraction):
            return value
        try:
            return Fraction(str(value))
        except (ValueError, ZeroDivisionError):
            raise ValidationError(gettext("Enter a number.")) from None

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else str(Fraction(value))
