"""Words that stand otherwise in other languages."""

from __future__ import annotations

from django.template import Library
from django.utils import timezone, translation

from web import words

register = Library()


@register.simple_tag
def now_by(pattern: str) -> str:
    """The reader's present day by a pattern of the `date` filter; Django's own `now` takes no translated pattern."""
    return words.on_calendar(timezone.localtime(), pattern)


@register.filter
def within(label: object) -> str:
    """A label as it stands within a line: small in English, as it is where nouns are written large."""
    return str(label).lower() if (translation.get_language() or "en") == "en" else str(label)
