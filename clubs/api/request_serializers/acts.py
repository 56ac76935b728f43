"""Fields of every action, and kinds of fields."""

from typing import Any

from rest_framework import serializers

from gameplay.api.base import Input

A_PAGE = 100
MOST = 2**31 - 1
MOST_IDS = 512
"""Rows that can be named in one request."""
LONGEST_TABLE = 1_000_000
"""Characters of a table that a spreadsheet has written."""


def number(**options: Any) -> serializers.IntegerField:
    """An id or a number, from 1."""
    chosen: dict[str, Any] = {"min_value": 1, "max_value": MOST, **options}
    return serializers.IntegerField(**chosen)


def numbers(**options: Any) -> serializers.ListField:
    """A list of ids or numbers."""
    return serializers.ListField(child=number(), max_length=MOST_IDS, **options)


def text(longest: int, **options: Any) -> serializers.CharField:
    """Text that may be empty."""
    return serializers.CharField(max_length=longest, allow_blank=True, **options)


class ClubKeyed(Input):
    key = serializers.CharField(
        required=False, max_length=64, help_text="Your name for this request. The same name is not done twice."
    )


class ClubActing(ClubKeyed):
    seen = serializers.IntegerField(
        required=False, min_value=0, max_value=MOST, help_text="`version` of the club you saw. Refused if changed."
    )
    reason = text(200, required=False, help_text="Shown in the history.")
    preview = serializers.BooleanField(default=False, help_text="Preview only: nothing is done.")
