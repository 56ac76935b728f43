"""What the public pages of events need."""

from __future__ import annotations

from django.conf import settings
from django.template import Library
from django.urls import reverse
from django.utils.html import escape, format_html

from tournaments import homes, rules_words
from tournaments.models import Entry, Stage, Tournament

register = Library()

_ENTRY = {"person": "player", "partnership": "pair", "team": "team"}


@register.filter
def entry_word(kind: str) -> str:
    """What an entry of this kind is called: `player`, `pair` or `team`."""
    return _ENTRY.get(kind, "entry")


@register.filter
def has_other_names(entry: Entry) -> bool:
    """Whether the people of an entry are worth naming: they are not what it is called. Members must be fetched."""
    return " / ".join(one.name for one in entry.members.all()) not in ("", entry.name)


@register.filter
def rules_phrase(event: Tournament) -> str:
    """By which rules it is played: `Standard rules`, or the house rules with their version."""
    return rules_words.rules_phrase(event)


@register.simple_tag
def embed_code(event: Tournament, stage: Stage) -> str:
    """The element that shows a stage on another site, as text to be copied."""
    address = f"{settings.SITE_URL}{reverse('tournaments:embed', args=[event.slug, stage.number])}"
    title = f"{event.name}: {stage.name}"
    element = format_html('<iframe src="{}" title="{}" width="100%" height="520"></iframe>', address, title)
    return escape(element)


@register.simple_tag
def home_of(event: Tournament) -> homes.Home | None:
    """The page that an event is part of, such as a season of a league; none for one that stands alone."""
    return homes.home_of(event)
