"""Ready answers to the questions about house rules: how the published rulesets answer them, most common first."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.utils.translation import gettext

from engine.play.rule_sheet.questions import Choice, Question
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from gameplay.house_rules import rule_changes

OTHERWISE = "otherwise"
MOST = 4
MOST_PARTS = 3
"""The parts of an amount that are named; the hint of the question says what more of them are."""


class Ready(NamedTuple):
    """An answer that a published ruleset gives: `values` are the options of the question in JSON."""

    preset: str
    values: dict[str, Any]
    label: str = ""


def ready_answers(question: Question, start: str) -> list[Ready]:
    """The most common answers among the published rulesets, always with that of the `start`."""
    all_answers: list[Ready] = [Ready(name, _values(question, Rules.preset(name))) for name in PRESETS]
    count = Counter(str(each.values) for each in all_answers)
    first: dict[str, Ready] = {}
    for each in all_answers:
        first.setdefault(str(each.values), each)
    common = [first[text] for text, _ in count.most_common()]
    of_start = [
        each for each in common[MOST:] if start in PRESETS and each.values == _values(question, Rules.preset(start))
    ]
    return _labelled(question, [*common[: MOST - len(of_start)], *of_start])


def _values(question: Question, rules: Rules) -> dict[str, Any]:
    return {name: rules.write_option(name) for name in question.options}


def _labelled(question: Question, answers: list[Ready]) -> list[Ready]:
    """The answers in words: the choice of the question that they make, and its amounts."""
    choices = [_choice_made(question, Rules.preset(each.preset)) for each in answers]
    with_labels = []
    for answer, choice in zip(answers, choices, strict=True):
        alike = [other for other, its in zip(answers, choices, strict=True) if its is choice]
        label = ": ".join(filter(None, [gettext(choice.label) if choice else "", _amounts(question, answer, alike)]))
        with_labels.append(answer._replace(label=label[:1].upper() + label[1:]))
    return with_labels


def _choice_made(question: Question, rules: Rules) -> Choice | None:
    """The choice that these rules make already, where it can be told without its amounts."""
    for choice in question.choices:
        if choice.may_stay and Rules.make(rules, choice.set(rules, []), is_draft=True) == rules:
            return choice
    return None


def _amounts(question: Question, answer: Ready, alike: Iterable[Ready]) -> str:
    """The options of an answer with numbers, and those that tell it from others alike, in words."""
    words = []
    for name in question.options:
        parts = rule_changes.value_parts(name, Rules.preset(answer.preset))
        is_told = any(other.values[name] != answer.values[name] for other in alike)
        text = ", ".join(parts.values()) if len(parts) > MOST_PARTS else rule_changes.join_parts(parts)
        if is_told or any(letter.isdigit() for letter in text):
            words.append(text)
    return "; ".join(words)
