"""Template tags for organisers' pages: hidden fields of every form, and refusals at their controls."""

import secrets
from typing import Any

from django.template import Context, Library
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = Library()

SIGNS = {"moves": "✓", "kept": "‖", "redrawn": "↻", "falls": "–"}


@register.simple_tag(takes_context=True)
def sent(context: Context) -> SafeString:
    """Hidden fields of a form: the CSRF token, a key of its own, and the version of the event that is shown."""
    event = context.get("event")
    version = format_html('<input type="hidden" name="seen" value="{}">', event.version) if event is not None else ""
    return format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}"><input type="hidden" name="key" value="{}">{}',
        context.get("csrf_token", ""),
        secrets.token_urlsafe(12),
        version,
    )


@register.simple_tag(takes_context=True)
def refused(context: Context, at: str) -> SafeString:
    """The sentence of a refusal, next to its control; empty if something else was refused."""
    refusal = context.get("refusal")
    if refusal is None or refusal.at != at:
        return SafeString("")
    return format_html('<p class="error" id="refused" role="alert" tabindex="-1" data-focus>{}</p>', refusal.sentence)


@register.simple_block_tag(takes_context=True)
def told(context: Context, content: SafeString) -> SafeString:
    """The content, and before it the sentence of a refusal that it does not show: the control that was used may no
    longer exist."""
    refusal = context.get("refusal")
    if refusal is None or ' id="refused"' in content:
        return content
    return SafeString(refused(context, refusal.at) + content)


@register.inclusion_tag("clubs/field.html", takes_context=True)
def text_field(context: Context, name: str, label: str, value: str, **more: Any) -> dict[str, Any]:
    """A field with its label and refusal; more are its `type`, `max`, the number of characters, and `help`."""
    return {"refusal": context.get("refusal"), "name": name, "label": label, "value": value, **more}


@register.inclusion_tag("clubs/act_button.html")
def act_button(act: str, label: str, style: str = "", id: str = "") -> dict[str, Any]:
    """The button of a form that does one of its acts."""
    return {"act": act, "label": label, "style": style, "id": id}


@register.inclusion_tag("tournaments/organiser/field.html")
def event_field(field: Any, style: str = "") -> dict[str, Any]:
    """A field of a form, with the place for its errors."""
    return {"field": field, "style": style}


@register.simple_tag(takes_context=True)
def refused_at(context: Context, kind: str, pk: int) -> SafeString:
    """The same for one of many rows of a kind: `entry` and its number."""
    return SafeString(refused(context, f"{kind}-{pk}"))


@register.simple_tag(takes_context=True)
def is_refused(context: Context, kind: str, pk: int) -> SafeString:
    """Open the details of a row of which something was refused."""
    refusal = context.get("refusal")
    return SafeString(" open" if refusal is not None and refusal.at == f"{kind}-{pk}" else "")


@register.filter
def slug_of(name: str) -> str:
    """The name of a match as a part of an anchor: `WB1-1`."""
    return name.replace(".", "-")


@register.filter
def sign(line: Any) -> str:
    """The sign of a line of a preview: ✓ moves, ‖ started and kept, ↻ redrawn, – deleted."""
    return SIGNS.get(line.sign, "·")


@register.filter
def item(mapping: Any, key: Any) -> Any:
    """An item of a mapping, or nothing."""
    return mapping.get(key) if mapping else None
