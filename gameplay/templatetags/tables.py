"""A table's terms in words."""

from __future__ import annotations

from collections.abc import Mapping

from django.template import Library

from engine.play.options import Shape
from gameplay import rule_titles
from gameplay.forms import shape_words
from gameplay.models import Table

register = Library()


def _hours(count: int) -> str:
    days, rest = divmod(count, 24)
    if days and not rest:
        return "1 day" if days == 1 else f"{days} days"
    return f"{count} hours"


@register.filter
def clock_words(table: Table) -> str:
    """The clock in a few words: `2 days a turn`."""
    if table.clock == Table.Clock.NONE:
        return "no clock"
    if table.clock == Table.Clock.MOVE:
        return f"{_hours(table.clock_hours)} a turn"
    return f"{_hours(table.clock_hours)} in the bank, and {_hours(table.increment_hours)} a turn"


@register.filter
def size_words(table: Table) -> str:
    """The size of the table: `4 players in 2 teams of 2`."""
    return shape_words(Shape(table.seat_count, table.team_size))


@register.filter
def rules_words(table: Table, names: Mapping[int, str] | None = None) -> str:
    """What the rules of a table are called; of one of a list with the names of `gameplay.rule_titles.of_tables`."""
    return names.get(table.pk, "") if names is not None else rule_titles.title(table.rules_ref, table.rules)


@register.filter
def terms(table: Table) -> list[str]:
    """Every term of the table, a sentence each."""
    said = [_kind(table), _clock(table)]
    if table.clock != Table.Clock.NONE:
        said += [_free(table), _absences(table), _missed(table)]
    said += [_assist(table), _joining(table), _watching(table)]
    return [sentence for sentence in said if sentence]


def _kind(table: Table) -> str:
    if table.is_practice:
        return "A practice match: nothing depends on it, and any talk is welcome."
    rated = "rated" if table.is_rated else "not rated"
    return f"A serious match, {rated}: during play, partners send one another set phrases only."


def _clock(table: Table) -> str:
    if table.clock == Table.Clock.NONE:
        return "There is no clock."
    if table.clock == Table.Clock.MOVE:
        return f"Each turn has {_hours(table.clock_hours)}."
    cap = _hours(table.cap_hours or table.clock_hours)
    added = f"each turn played adds {_hours(table.increment_hours)}, up to {cap}"
    return f"Each player begins with {_hours(table.clock_hours)}; {added}."


def _free(table: Table) -> str:
    free = [
        words for is_free, words in ((table.free_weekends, "weekends"), (table.free_nights, "quiet hours")) if is_free
    ]
    return f"The player’s own {' and '.join(free)} do not count." if free else "Weekends and nights count as well."


def _absences(table: Table) -> str:
    return f"Absences {'stop' if table.allows_absences else 'do not stop'} the clock."


def _missed(table: Table) -> str:
    return {
        Table.Missed.BOT: "If a deadline is missed, a bot plays that one turn.",
        Table.Missed.SUBSTITUTE: "If a deadline is missed, a reserve is asked to take the seat.",
        Table.Missed.FORFEIT: "Who misses a deadline loses the match.",
    }[Table.Missed(table.missed)]


def _assist(table: Table) -> str:
    if table.assist:
        return "Assist is on: what the rules forbid cannot be done."
    return "Assist is off: wrong claims can be made, and cost what the rules say."


def _joining(table: Table) -> str:
    return f"May join: {table.get_joining_display().lower()}."


def _watching(table: Table) -> str:
    return f"May watch: {table.get_watching_display().lower()}."
