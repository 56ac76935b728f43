"""Published rulesets: each is a file of data in this folder, with its source and its cases.

`place` orders them, Standard first. `set` has the options that differ from Standard, whose own values are those that
`engine/play/rules.py` declares. `unsaid` lists what the source says and no option can. `cases` are rule vectors.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from engine.words import later, say

FOLDER = Path(__file__).parent

GROUPS = {
    "usual": later("The usual game"),
    "light": later("Quick or without partners"),
    "sevens": later("Books of sevens"),
    "held": later("Red threes stay in the hand"),
    "large": later("Larger games"),
}
"""Headings of lists of rulesets, in their order."""


class Ruleset(NamedTuple):
    """A published ruleset. Its texts are in English; `say` translates them."""

    name: str
    title: str
    about: str
    """It in a sentence."""
    source: str
    place: int
    group: str
    unsaid: tuple[str, ...]
    options: dict[str, Any]
    """Options that differ from Standard, in the JSON of house rules."""
    book_words: tuple[str, str]
    """Its word for a book, singular and plural."""


def _read(file: Path) -> Ruleset:
    data = json.loads(file.read_text(encoding="utf-8"))
    singular, plural = data.get("book", ("book", "books"))
    return Ruleset(
        name=file.stem,
        title=data["title"],
        about=data["about"],
        source=data["source"],
        place=data["place"],
        group=data["group"],
        unsaid=tuple(data["unsaid"]),
        options=data["set"],
        book_words=(singular, plural),
    )


RULESETS = {
    ruleset.name: ruleset for ruleset in sorted(map(_read, FOLDER.glob("*.json")), key=lambda ruleset: ruleset.place)
}
"""Every published ruleset by its name, Standard first."""

PRESETS = {name: ruleset.options for name, ruleset in RULESETS.items()}
TITLES = {name: ruleset.title for name, ruleset in RULESETS.items()}


def title_of(name: str) -> str:
    """The title of a published ruleset in the language of the reader; other names are left as they are."""
    return say(TITLES[name]) if name in TITLES else name


def in_groups() -> list[tuple[str, list[Ruleset]]]:
    """Published rulesets under their headings, for readers."""
    groups = [
        (say(title), [each for each in RULESETS.values() if each.group == group]) for group, title in GROUPS.items()
    ]
    return [(title, rulesets) for title, rulesets in groups if rulesets]


def choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """(name, title) of the published rulesets under their headings, for forms."""
    return [(title, [(each.name, say(each.title)) for each in rulesets]) for title, rulesets in in_groups()]
