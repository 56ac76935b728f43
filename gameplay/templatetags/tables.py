"""A table's terms in words."""

from collections.abc import Mapping

from django.template import Library
from django.utils.translation import gettext, ngettext

from engine.play.options import Shape
from gameplay.forms import shape_words
from gameplay.house_rules import rule_titles
from gameplay.models import Table

register = Library()


def _hours(count: int) -> str:
    days, rest = divmod(count, 24)
    if days and not rest:
        return ngettext("%(count)s day", "%(count)s days", days) % {"count": days}
    return ngettext("%(count)s hour", "%(count)s hours", count) % {"count": count}


@register.filter
def clock_words(table: Table) -> str:
    """The clock in a few words: `2 days a turn`."""
    if table.clock == Table.Clock.NONE:
        return gettext("no clock")
    if table.clock == Table.Clock.LIVE:
        return gettext("an evening, %(seconds)s seconds per turn") % {"seconds": table.turn_seconds}
    if table.clock == Table.Clock.MOVE:
        return gettext("%(time)s per turn") % {"time": _hours(table.clock_hours)}
    return gettext("%(time)s in the bank, plus %(more)s per turn") % {
        "time": _hours(table.clock_hours),
        "more": _hours(table.increment_hours),
    }


@register.filter
def size_words(table: Table) -> str:
    """The size of the table: `4 players in 2 teams of 2`."""
    return shape_words(Shape(table.seat_count, table.team_size))


@register.filter
def rules_words(table: Table, names: Mapping[int, str] | None = None) -> str:
    """The title of a table's rules; in a list with the names of `gameplay.house_rules.rule_titles.of_tables`."""
    return names.get(table.pk, "") if names is not None else rule_titles.title(table.rules_ref, table.rules)


@register.filter
def terms(table: Table) -> list[str]:
    """Every term of the table, a sentence each."""
    parts = [_kind(table), _talk(table), _clock(table)]
    if table.clock == Table.Clock.LIVE:
        parts.append(_missed(table))
    elif table.clock != Table.Clock.NONE:
        parts += [_free(table), _absences(table), _missed(table)]
    parts += [_assist(table), _hints(table), _joining(table), _watching(table)]
    return [sentence for sentence in parts if sentence]


def _kind(table: Table) -> str:
    if table.is_practice:
        return gettext("Practice match: not rated.")
    return gettext("Serious match, rated.") if table.is_rated else gettext("Serious match, not rated.")


def _talk(table: Table) -> str:
    if table.talk == Table.Talk.NONE:
        return gettext("There is no chat.")
    if table.is_practice or table.talk == Table.Talk.FREE:
        return gettext("You can chat freely.")
    return gettext("During play you can send set phrases only, because partners must not signal.")


def _clock(table: Table) -> str:
    if table.clock == Table.Clock.NONE:
        return gettext("There is no clock.")
    if table.clock == Table.Clock.LIVE:
        words = gettext(
            "An evening: each turn has %(seconds)s seconds, plus a bank of %(bank)s seconds. The clocks start when all"
            " players are at the table. Players who leave it lose their bank for the turn."
        )
        return words % {"seconds": table.turn_seconds, "bank": table.bank_seconds}
    if table.clock == Table.Clock.MOVE:
        return gettext("Each turn has %(time)s.") % {"time": _hours(table.clock_hours)}
    words = gettext("Each player starts with %(time)s. Each turn played adds %(more)s, up to %(cap)s.")
    return words % {
        "time": _hours(table.clock_hours),
        "more": _hours(table.increment_hours),
        "cap": _hours(table.cap_hours or table.clock_hours),
    }


def _free(table: Table) -> str:
    if table.free_weekends and table.free_nights:
        return gettext("The clock stops on each player’s weekend and in their quiet hours.")
    if table.free_weekends:
        return gettext("The clock stops on each player’s weekend.")
    if table.free_nights:
        return gettext("The clock stops during each player’s quiet hours.")
    return gettext("The clock also runs at weekends and at night.")


def _absences(table: Table) -> str:
    return gettext("Absences stop the clock.") if table.allows_absences else gettext("Absences do not stop the clock.")


def _missed(table: Table) -> str:
    return {
        Table.Missed.SKIP: gettext("If a deadline is missed, that turn only draws and discards."),
        Table.Missed.BOT: gettext("If a deadline is missed, a bot plays that one turn."),
        Table.Missed.SUBSTITUTE: gettext("If a deadline is missed, a reserve is asked to take the seat."),
        Table.Missed.FORFEIT: gettext("A player who misses a deadline loses the match."),
    }[Table.Missed(table.missed)]


def _assist(table: Table) -> str:
    if table.assist:
        return gettext("Assist is on: illegal moves are refused.")
    return gettext("Assist is off: you can take the discard pile wrongly, and the rules’ penalty applies.")


def _hints(table: Table) -> str:
    return gettext("Hints are on: you can ask what a bot would do.") if table.gives_hints else ""


def _joining(table: Table) -> str:
    return {
        Table.Joining.OPEN: gettext("Anyone can join."),
        Table.Joining.LINK: gettext("Anyone with the link can join."),
        Table.Joining.INVITED: gettext("Only invited players can join."),
        Table.Joining.CLUB: gettext("Only club members can join."),
    }[Table.Joining(table.joining)]


def _watching(table: Table) -> str:
    return {
        Table.Watching.ANYBODY: gettext("Anyone can watch."),
        Table.Watching.LINK: gettext("Anyone with the link can watch."),
        Table.Watching.CLUB: gettext("Only club members can watch."),
        Table.Watching.NOBODY: gettext("Only the players can watch."),
    }[Table.Watching(table.watching)]
