"""Tags for every page: links with the current page marked, numbers and times in words."""

from datetime import datetime, timedelta, tzinfo

from django.template import Context, Library
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from web import clocks, text

register = Library()


@register.simple_tag(takes_context=True)
def nav_link(context: Context, view: str, label: str) -> str:
    """A link of the main navigation; marks the page one is on, and the part of the site it belongs to."""
    address = reverse(view)
    request = context.get("request")
    path = request.path if request else ""
    mark = SafeString("")
    if path.startswith(address):
        mark = format_html(' aria-current="{}"', "page" if path == address else "true")
    return format_html('<a href="{}"{}>{}</a>', address, mark, label)


@register.simple_tag
def ask(anchor: str, words: str) -> str:
    """A link to an answer of the help page, in a tab of its own, so that nothing typed or picked on this page is lost."""
    return format_html(
        '<a class="ask noprint" href="{}#{}" target="help">{}<span class="vh"> ({})</span></a>',
        reverse("help"),
        anchor,
        words,
        gettext("help, in another tab"),
    )


@register.filter
def unbroken(times: str) -> str:
    """A span of times, `18:30–21:30`, that no line breaks after its dash; anything else as it is."""
    return format_html('<span class="nowrap">{}</span>', times) if "–" in times else times


@register.filter
def number(value: int | None) -> str:
    """`6420` as `6,420`; below zero with a real minus sign."""
    return "" if value is None else text.number(value)


@register.filter
def per_cent(value: int) -> str:
    """A share of a hundred: `40%`."""
    return text.per_cent(value)


@register.filter
def full_stop(words: str) -> str:
    """The words as a sentence: with a full stop, unless they end with one, as `Doppel-K.-o.` does."""
    return words if words.endswith(".") else f"{words}."


@register.filter
def duration(length: timedelta | None) -> str:
    """A length of time: `1 d 14 h`."""
    return "" if length is None else text.duration(length)


@register.filter
def moment(at: datetime | None) -> str:
    """A moment in the reader's zone: `14:25 today`."""
    return "" if at is None else text.moment(at, timezone.now())


@register.filter
def date_and_time(at: datetime | None) -> str:
    """A moment in the reader's zone that stays right on a page left open: `Thu 26 Nov 20:15`."""
    return "" if at is None else text.date_and_time(at)


@register.filter
def by_clock(at: datetime | None, clock: tzinfo | None) -> str:
    """When a match, a meeting or a deadline is, by its place's clock; without one, which is online, by the reader's."""
    return "" if at is None else clocks.by_clock(at, clock)


@register.filter
def several(count: int, nouns: str) -> str:
    """A count with its noun, given as `table` or `match,matches`."""
    return text.several(count, *nouns.split(",", 1))


@register.simple_tag
def time_left(deadline: datetime) -> str:
    """The time left until a deadline, as an element that the page keeps up to date."""
    duration = text.duration(deadline - timezone.now())
    return format_html('<time datetime="{}" data-left>{}</time>', deadline.isoformat(), duration)


@register.simple_tag
def zone_name() -> str:
    """The reader's time zone, to be named once a section: `Toronto (EST)`."""
    return text.zone_name(timezone.now())


@register.filter
def in_sentence(label: object) -> str:
    """A label that starts with a capital by itself, within a sentence; German keeps its capitals."""
    return text.in_sentence(str(label))


@register.simple_tag
def now_by(pattern: str) -> str:
    """The reader's present day by a pattern of the `date` filter; Django's own `now` takes no translated pattern."""
    return text.on_calendar(timezone.localtime(), pattern)
