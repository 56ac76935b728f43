"""Components that all templates share: headings, fields, options and buttons."""

from collections.abc import Iterable
from typing import Any

from django.template import Library

register = Library()


@register.inclusion_tag("web/heading.html")
def heading(title: str, note: Any = None, id: str = "") -> dict[str, Any]:
    """The heading of a section, with a remark at its side."""
    return {"title": title, "note": note, "id": id}


@register.inclusion_tag("web/empty.html")
def empty(head: str, text: str) -> dict[str, Any]:
    """An empty state: a bold line, and what will appear here."""
    return {"head": head, "text": text}


@register.inclusion_tag("web/field.html")
def field(field: Any) -> dict[str, Any]:
    """A field of a form: label, control, help, errors. The first one that was refused has the focus.

    Without the placeholder that allauth gives its fields: it repeats the label, and an empty field looks filled in.
    """
    field.field.widget.attrs.pop("placeholder", None)
    refused = (each for each in field.form.visible_fields() if each.errors)
    is_first = field.form.is_bound and field.name == next((each.name for each in refused), None)
    return {"field": field, "control": field.as_widget(attrs={"autofocus": True}) if is_first else field}


@register.inclusion_tag("web/options.html")
def options(choices: Iterable[tuple[object, str]], chosen: object = None) -> dict[str, Any]:
    """Options of a select, from pairs of a value and a label."""
    return {"choices": choices, "chosen": chosen}


@register.inclusion_tag("web/option_groups.html")
def option_groups(groups: Iterable[tuple[str, Iterable[tuple[object, str]]]], chosen: object = None) -> dict[str, Any]:
    """Options of a select under headings: groups of pairs of a value and a label."""
    return {"groups": groups, "chosen": chosen}


@register.inclusion_tag("web/object_options.html")
def object_options(objects: Iterable[Any], chosen: str | None = None) -> dict[str, Any]:
    """Options of a select, one for each row of a table; the key of the chosen one is text."""
    return {"objects": objects, "chosen": chosen}


@register.inclusion_tag("web/radio.html")
def radio(name: str, value: str, chosen: object, label: str, hint: str = "") -> dict[str, Any]:
    """A choice with a circle."""
    return {"name": name, "value": value, "chosen": chosen, "label": label, "hint": hint}


@register.inclusion_tag("web/checkbox.html")
def checkbox(name: str, label: str, value: str = "", is_ticked: object = False, hint: str = "") -> dict[str, Any]:
    """A choice with a box."""
    return {"name": name, "label": label, "value": value, "is_ticked": is_ticked, "hint": hint}


@register.inclusion_tag("web/submit.html")
def submit(id: str, label: str, style: str = "") -> dict[str, Any]:
    """The button of a form, with a class."""
    return {"id": id, "label": label, "style": style}
