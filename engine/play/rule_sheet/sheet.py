"""Rule sheets: a ruleset tells a newcomer in plain English how it is played, or how it differs from another.

Every option has its sentence in `sheet_deal`, `sheet_turn` or `sheet_end`: a small function from the options to
words. A new option gets a new one there, where a reader will look for it; nothing here need change.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from engine.play.options import Shape
from engine.play.rule_sheet.deal_text import BEFORE_PLAY
from engine.play.rule_sheet.end_text import ENDING
from engine.play.rule_sheet.shared_text import NOBODY, Sheet, Writer, sheet_for
from engine.play.rule_sheet.turn_text import TURNS
from engine.play.rules import KINDS_OF_OPTION, Rules
from engine.play.rulesets import PRESETS
from engine.words import say

WRITERS: tuple[Writer, ...] = (*BEFORE_PLAY, *TURNS, *ENDING)
"""Every sentence in the order of the sheet; those of a section are together."""


class Sentence(NamedTuple):
    """A statement of a rule sheet, clear without the others. `options` are those it states or leans on."""

    options: tuple[str, ...]
    text: str


class Section(NamedTuple):
    """Some sentences under a heading."""

    title: str
    sentences: tuple[Sentence, ...]


def rule_sheet(rules: Rules, shape: Shape | None = None) -> tuple[Section, ...]:
    """The whole ruleset: for one shape of table, or without `shape` for all that it allows.

    Without a shape every option is stated. With one, what depends on the number of players is worked out, and
    partners are not mentioned where nobody has one. Raises `BadInput` for a shape that the ruleset does not allow.
    """
    sheet = sheet_for(rules, shape)
    sections = []
    for title, writers in groupby(WRITERS, key=lambda writer: writer.section):
        if sentences := _written(sheet, writers):
            sections.append(Section(say(title), sentences))
    return tuple(sections)


def _written(sheet: Sheet, writers: Iterable[Writer] = WRITERS) -> tuple[Sentence, ...]:
    alone = sheet.shape is not None and sheet.partners == NOBODY
    written = [
        Sentence((*writer.options, *writer.on), writer.write(sheet))
        for writer in writers
        if not (writer.partners and alone)
    ]
    return tuple(sentence for sentence in written if sentence.text)


def differences(rules: Rules, base: Rules) -> tuple[Sentence, ...]:
    """The sentences in which `rules` says something else than `base`; `options` are those of them that differ."""
    differing = set(rules.differences(base))
    sheet = sheet_for(rules)
    # The base in the same words, so that a sentence does not differ by calling a team of one `you`.
    same = {sentence.text for sentence in _written(sheet._replace(rules=base))}
    return tuple(
        Sentence(tuple(option for option in KINDS_OF_OPTION if option in differing.intersection(options)), text)
        for options, text in _written(sheet)
        if differing.intersection(options) and text not in same
    )


def sheet_title(rules: Rules) -> str:
    """The ruleset's name for a heading, with a mark for a changed preset."""
    changed = rules.name in PRESETS and rules != Rules.preset(rules.name)
    return say("%(title)s with house rules", title=rules.title) if changed else rules.title


def write_sheet(rules: Rules, shape: Shape | None = None, width: int | None = None) -> str:
    """The rule sheet as plain text, a line a sentence, wrapped at `width` characters where that is given."""
    title = f"Hand and Foot: {sheet_title(rules)}"
    blocks = [f"{title}\n{'=' * len(title)}"]
    for section in rule_sheet(rules, shape):
        heading = f"{section.title}\n{'-' * len(section.title)}"
        blocks.append("\n".join([heading, "", _bullets(section.sentences, width)]))
    return "\n\n".join(blocks)


def write_differences(rules: Rules, base: Rules, width: int | None = None) -> str:
    """Differences of a ruleset from another as plain text: `As Standard, but: …`, a line a sentence."""
    sentences = differences(rules, base)
    if not sentences:
        return say("Exactly as %(title)s.", title=sheet_title(base))
    return say("As %(title)s, but:", title=sheet_title(base)) + f"\n\n{_bullets(sentences, width)}"


def _bullets(sentences: tuple[Sentence, ...], width: int | None) -> str:
    lines = [f"- {sentence.text}" for sentence in sentences]
    if width is not None:
        lines = [textwrap.fill(line, width, subsequent_indent="  ", break_long_words=False) for line in lines]
    return "\n".join(lines)


def sheet_to_json(rules: Rules, shape: Shape | None = None) -> dict[str, Any]:
    """The rule sheet as JSON: title, name, and the sections with their sentences and the options these state."""
    return {
        "title": sheet_title(rules),
        "name": rules.name,
        "sections": [
            {
                "title": section.title,
                "sentences": [
                    {"options": list(sentence.options), "text": sentence.text} for sentence in section.sentences
                ],
            }
            for section in rule_sheet(rules, shape)
        ],
    }
