"""Fields of acts: declared once, at the function's keywords, and read from forms of pages and from JSON alike.

`name: Annotated[str, words(60)]` is a text of at most 60 characters.
"""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

MOST = 2**31 - 1
MOST_IDS = 512


def words(longest: int, *, help_text: str = "", blank: bool = True) -> serializers.CharField:
    """Text, which can be empty: the act refuses that in better words."""
    return serializers.CharField(max_length=longest, allow_blank=blank, help_text=help_text or None)


def number(*, least: int = 1, help_text: str = "") -> serializers.IntegerField:
    """An id or a number."""
    return serializers.IntegerField(min_value=least, max_value=MOST, help_text=help_text or None)


def numbers(*, help_text: str = "") -> serializers.ListField:
    """Ids or numbers."""
    return serializers.ListField(child=number(), max_length=MOST_IDS, help_text=help_text or None)


def one_of(choices: Iterable[Any], *, help_text: str = "") -> serializers.ChoiceField:
    """A choice."""
    return serializers.ChoiceField(list(choices), help_text=help_text or None)


def yes(*, help_text: str = "") -> serializers.BooleanField:
    """Yes or no; in a form, whether it was sent."""
    return serializers.BooleanField(help_text=help_text or None)


def day(*, help_text: str = "") -> serializers.DateField:
    """A day."""
    return serializers.DateField(help_text=help_text or None)
