"""People in templates."""

import zlib

from django.template import Context, Library
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

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


@register.filter
def card_colours(player: object) -> str:
    """The player’s deck, backs and colour of the table, as attributes of a page; none for nobody."""
    if getattr(player, "pk", None) is None:
        return ""
    words = ' data-deck="{}" data-back="{}" data-table="{}"'
    return format_html(words, *[getattr(player, name) for name in ("deck", "card_back", "table_colour")])


@register.simple_tag(takes_context=True)
def own_link(context: Context, view: str, label: str) -> str:
    """A link to one of one's own pages; marks the page one is on."""
    address = reverse(view)
    is_here = "request" in context and context["request"].path == address
    return format_html('<a href="{}"{}>{}</a>', address, mark_safe(' aria-current="page"' if is_here else ""), label)  # noqa: S308
