"""Tags of the head of every page: what other sites show for its link."""

import html
import json
from typing import Any

from django.http import HttpRequest
from django.template import Context, Library
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from web.link_cards import PRIVATE, LinkCard, absolute
from web.link_pictures import site_picture

register = Library()

_SITE = " · Foothold"
_IN_SCRIPT = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}
_LOCALES = {"en": "en_GB", "de": "de_DE"}


@register.simple_block_tag
def text_of(content: str) -> str:
    """What it encloses as plain text in one line, to be used more than once."""
    return " ".join(html.unescape(content).split())


@register.inclusion_tag("web/link_tags.html", takes_context=True)
def link_tags(context: Context, title: str, description: str) -> dict[str, Any]:
    """The tags by which other sites show a link to the page; `link_card` of the context goes first."""
    card: LinkCard = context.get("link_card") or LinkCard()
    request: HttpRequest | None = context.get("request")
    path = request.path if request and not request.path.startswith(PRIVATE) else ""
    language = get_language() or "en"
    return {
        "title": card.title or title.removesuffix(_SITE),
        "description": card.description or description,
        "picture": absolute(card.picture or site_picture.address()),
        "url": absolute(path),
        "locale": _LOCALES.get(language, language),
        "facts": facts_script({"@context": "https://schema.org", **card.facts}) if card.facts else "",
        "oembed": f"{absolute(reverse('oembed'))}?url={absolute(path)}" if card.embed else "",
    }


def facts_script(facts: dict[str, Any]) -> SafeString:
    """Facts as JSON in an element that they cannot end. Browsers do not run it, so the policy needs no exception."""
    text = json.dumps(facts, ensure_ascii=False).translate(_IN_SCRIPT)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))  # noqa: S308  escaped just here
