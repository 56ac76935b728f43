"""What the site stores, by the rules of how long it is kept: rows, those overdue, and their size."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext

from accounts.models import Clearing
from accounts.retention import Reason, Rule, reasons, rules
from accounts.services import clearing
from web import text
from web.database import free_space

SHOWN = 7
"""Days of clearing on the page."""


@dataclass(frozen=True)
class Stored:
    """Rows of a rule with their number, and how many of them should have been deleted days ago."""

    rule: Rule
    count: int
    overdue: int


def by_rule() -> list[Stored]:
    """The rows of every rule."""
    late = {rule.name: count for rule, count in clearing.overdue()}
    return [Stored(rule, rule.rows().count(), late.get(rule.name, 0)) for rule in rules()]


def permanent() -> list[tuple[Reason, str]]:
    """Reasons why rows stay, with the size of their tables where the database knows it."""
    sizes, total = free_space.table_sizes(), dict.fromkeys(reasons().values(), 0)
    for model, reason in reasons().items():
        total[reason] += sizes.get(model._meta.db_table, 0)
    return [(reason, bytes_in_words(size) if sizes else "") for reason, size in total.items()]


def database_size() -> str:
    """The size of the database in words, with its free space if that is known."""
    size = free_space.size()
    total = bytes_in_words(size.total)
    if size.free is None:
        return total
    return gettext("%(total)s, of which %(free)s are free") % {"total": total, "free": bytes_in_words(size.free)}


def days() -> list[tuple[Clearing, str]]:
    """The last days of clearing, newest first, with what was deleted in words."""
    titles = {rule.name: str(rule.title) for rule in rules()}
    return [(day, _deleted(day, titles)) for day in Clearing.objects.order_by("-day")[:SHOWN]]


def _deleted(day: Clearing, titles: dict[str, str]) -> str:
    parts = (f"{titles.get(name, name)}: {text.number(count)}" for name, count in day.counts.items())
    return "; ".join(parts) or gettext("nothing")


def bytes_in_words(size: int) -> str:
    """A size in MB."""
    return f"{number_format(size / (1 << 20), 1, force_grouping=True)} MB"
