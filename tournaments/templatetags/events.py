"""Template tags for the public pages of events."""

from collections.abc import Iterable

from django.template import Library
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop, pgettext

from tournaments import event_parents, rules_text
from tournaments.deadline_text import deadline_text
from tournaments.models import Entry, Member, Pairing, Round, Stage, Tournament
from web import frames

register = Library()

_ENTRY = {"person": gettext_noop("player"), "partnership": gettext_noop("pair"), "team": gettext_noop("team")}


@register.filter
def entry_word(kind: str) -> str:
    """The noun for an entry of this kind: `player`, `pair` or `team`."""
    return gettext(_ENTRY[kind]) if kind in _ENTRY else pgettext("of an event", "entry")


@register.simple_tag
def bare_names(people: Iterable[Member | str]) -> SafeString:
    """Names in a row, each isolated from the text around it."""
    return format_html_join(", ", "<bdi>{}</bdi>", ((getattr(person, "name", person),) for person in people))


@register.simple_tag
def asked_names(people: Iterable[Member], besides: Member) -> SafeString:
    """Names of an entry's people except one, with a mark on invitations without an answer."""
    return format_html_join(
        ", ",
        "<bdi>{}</bdi>{}",
        (
            (person.name, f" {gettext('(invited)')}" if person.answer == Member.Answer.INVITED else "")
            for person in people
            if person.pk != besides.pk
        ),
    )


@register.filter
def has_other_names(entry: Entry) -> bool:
    """Whether the names of an entry's people differ from its own name. Members must be fetched."""
    return " / ".join(member.name for member in entry.members.all()) not in ("", entry.name)


@register.filter
def deadline(row: Round | Pairing, event: Tournament) -> str:
    """The deadline of a round or match of an event, for a page that is made now."""
    return deadline_text(event, row, timezone.now())


@register.filter
def round_terms(round_: Round) -> str:
    """What a round plays differently from its event, in a line; empty for nothing."""
    return rules_text.round_sentence(round_)


@register.filter
def rules_phrase(event: Tournament) -> str:
    """The rules of an event: `Standard rules`, or the house rules with their version."""
    return rules_text.rules_phrase(event)


@register.simple_tag
def embed_code(event: Tournament, stage: Stage) -> str:
    """The element that shows a stage on another site, as text to be copied."""
    return frames.element(reverse("tournaments:embed", args=[event.slug, stage.number]), f"{event.name}: {stage.name}")


@register.simple_tag
def home_of(event: Tournament) -> event_parents.Home | None:
    """The page that an event is part of, such as a season of a league; `None` for an event of its own."""
    return event_parents.home_of(event)
