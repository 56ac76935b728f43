"""People in templates."""

import zlib

from django.template import Context, Library
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from accounts.colours import colours_of
from accounts.display_names import initials
from accounts.models import User

register = Library()

COLOURS = 6
"""The classes `.avatar-0` to `.avatar-5` of the stylesheet."""


@register.inclusion_tag("accounts/avatar.html")
def avatar(user: User | None) -> dict[str, object]:
    """A disc with the person's initials, hidden from screen readers because the name is next to it."""
    name = str(user) if user is not None else "?"
    return {"initials": initials(name), "colour": zlib.crc32(name.encode()) % COLOURS}


@register.simple_tag(takes_context=True)
def card_colours(context: Context) -> str:
    """The reader’s deck, backs and colour of the table, as attributes of a page; none outside a request."""
    if getattr(context.get("request"), "player", None) is None:
        return ""
    colours = colours_of(context["request"])
    return format_html(' data-deck="{deck}" data-back="{card_back}" data-table="{table_colour}"', **colours)


@register.simple_tag(takes_context=True)
def own_link(context: Context, view: str, label: str) -> str:
    """A link to one of one's own pages; marks the page one is on."""
    address = reverse(view)
    is_here = "request" in context and context["request"].path == address
    return format_html('<a href="{}"{}>{}</a>', address, mark_safe(' aria-current="page"' if is_here else ""), label)  # noqa: S308
