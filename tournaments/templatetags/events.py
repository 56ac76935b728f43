"""What the public pages of events need."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.template import Library
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop, pgettext

from tournaments import event_parents, rules_text
from tournaments.models import Entry, Member, Stage, Tournament

register = Library()

_ENTRY = {
    "person": gettext_noop("player"),
    "partnership": gettext_noop("pair"),
    "team": gettext_noop("team"),
}


@register.filter
def entry_word(kind: str) -> str:
    """What an entry of this kind is called: `player`, `pair` or `team`."""
    return gettext(_ENTRY[kind]) if kind in _ENTRY else pgettext("of an event", "entry")


@register.simple_tag
def bare_names(people: Iterable[Member | str]) -> SafeString:
    """Names one after another, each kept apart from the text around it."""
    return format_html_join(", ", "<bdi>{}</bdi>", ((getattr(one, "name", one),) for one in people))


@register.simple_tag
def asked_names(people: Iterable[Member], besides: Member) -> SafeString:
    """The same of an entry without one of its people, with a word on whoever has not answered."""
    return format_html_join(
        ", ",
        "<bdi>{}</bdi>{}",
        (
            (one.name, f" {gettext('(invited)')}" if one.answer == Member.Answer.INVITED else "")
            for one in people
            if one.pk != besides.pk
        ),
    )


@register.filter
def has_other_names(entry: Entry) -> bool:
    """Whether the people of an entry are worth naming: they are not what it is called. Members must be fetched."""
    return " / ".join(one.name for one in entry.members.all()) not in ("", entry.name)


@register.filter
def rules_phrase(event: Tournament) -> str:
    """By which rules it is played: `Standard rules`, or the house rules with their version."""
    return rules_text.rules_phrase(event)


@register.simple_tag
def embed_code(event: Tournament, stage: Stage) -> str:
    """The element that shows a stage on another site, as text to be copied."""
    address = f"{settings.SITE_URL}{reverse('tournaments:embed', args=[event.slug, stage.number])}"
    title = f"{event.name}: {stage.name}"
    element = format_html('<iframe src="{}" title="{}" width="100%" height="520"></iframe>', address, title)
    return escape(element)


@register.simple_tag
def home_of(event: Tournament) -> event_parents.Home | None:
    """The page that an event is part of, such as a season of a league; none for one that stands alone."""
    return event_parents.home_of(event)
