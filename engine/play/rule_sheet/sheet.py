"""Rule sheets: a ruleset tells a newcomer in plain English how it is played, or how it differs from another.

Every option has its sentence in `sheet_deal`, `sheet_turn` or `sheet_end`: a small function from the options to
words. A new option gets a new one there, where a reader will look for it; nothing here need change.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from engine.play.options import Shape
from engine.play.rule_sheet.deal_text import BEFORE_PLAY
from engine.play.rule_sheet.end_text import ENDING
from engine.play.rule_sheet.shared_text import NOBODY, Sheet, Writer, nth_deal, runs, sheet_for
from engine.play.rule_sheet.turn_text import TURNS
from engine.play.rules import KINDS_OF_OPTION, Rules
from engine.play.rulesets import PRESETS
from engine.words import join_words, say

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
        Sentence((*writer.options, *writer.on), _by_deal(sheet, writer))
        for writer in writers
        if not (writer.partners and alone)
    ]
    return tuple(sentence for sentence in written if sentence.text)


def _by_deal(sheet: Sheet, writer: Writer) -> str:
    """The words of a sentence; where they change from deal to deal, those of each deal."""
    rules = sheet.rules
    if not any(name in writer.options or name in writer.on for name, _ in rules.by_deal):
        return writer.write(sheet)
    texts = [writer.write(sheet._replace(rules=rules.in_deal(deal + 1))) for deal in range(rules.deals)]
    spans = runs(texts)
    if len(spans) == 1:
        return texts[0]
    words = []
    for begin, end in spans:
        deals = join_words([nth_deal(number) for number in range(begin + 1, end + 1)])
        when = say("In all later deals:") if end == len(texts) else say("In %(deals)s:", deals=deals)
        words.append(f"{when} {texts[begin]}" if texts[begin] else "")
    return " ".join(filter(None, words))


class Difference(NamedTuple):
    """A sentence that two rulesets do not share; where one has no use for it, its words are empty.

    `options` are those of the sentence that differ, and `stated` those of them that it states itself.
    """

    options: tuple[str, ...]
    stated: tuple[str, ...]
    was: str
    now: str

    @property
    def line(self) -> str:
        """The difference in a line: what holds now, or what no longer does."""
        return self.now or say("Not: %(sentence)s", sentence=self.was)


def compare_sheets(was: Rules, now: Rules) -> tuple[Difference, ...]:
    """The sentences in which two rulesets differ, in the order of the sheet."""
    differing = set(now.differences(was))
    sheet = sheet_for(now)
    # Both in the same words, so that a sentence does not differ by calling a team of one `you`.
    before = sheet._replace(rules=was)
    written = [
        Difference(
            tuple(option for option in KINDS_OF_OPTION if option in differing.intersection(writer.options + writer.on)),
            tuple(option for option in KINDS_OF_OPTION if option in differing.intersection(writer.options)),
            _by_deal(before, writer),
            _by_deal(sheet, writer),
        )
        for writer in WRITERS
        if differing.intersection(writer.options + writer.on)
    ]
    return tuple(difference for difference in written if difference.was != difference.now)


def differences(rules: Rules, base: Rules) -> tuple[Sentence, ...]:
    """The sentences in which `rules` says something else than `base`; `options` are those of them that differ."""
    return tuple(Sentence(each.options, each.now) for each in compare_sheets(base, rules) if each.now)


def state_options(rules: Rules, options: Sequence[str]) -> list[str]:
    """The sentences that state these options."""
    sheet = sheet_for(rules)
    return [
        text for _, text in _written(sheet, [writer for writer in WRITERS if set(options).intersection(writer.options)])
    ]


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
