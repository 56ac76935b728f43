"""The editor of house rules: every option of the engine as a field of a form, and the way back.

A form carries the base of its fields (`base`): a published ruleset, or a saved version of house rules
(`gameplay.house_rules.rule_sources`). Differences from it are changes, which outlive the choice of another start.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.http import QueryDict
from django.utils.translation import get_language, gettext, ngettext, override

from engine.errors import BadInput, BadRules
from engine.play.rule_sheet.nearest import state_differences
from engine.play.rule_sheet.questions import QUESTIONS, Question, companions
from engine.play.rules import KINDS_OF_OPTION, Rules
from engine.play.rulesets import PRESETS
from gameplay.house_rules import rule_changes, rule_sources
from gameplay.house_rules.match_length import LENGTH
from gameplay.house_rules.option_controls import PREFIX, Part, parts_of
from gameplay.house_rules.option_input import read_option
from gameplay.house_rules.option_text import GROUPS, OPTIONS, title_of
from gameplay.house_rules.ready_answers import OTHERWISE, Ready, ready_answers
from gameplay.house_rules.rule_sources import Start


@dataclass
class Option:
    """An option as the form shows it."""

    name: str
    title: str
    hint: str
    parts: list[Part]
    is_changed: bool = False
    was: str = ""
    """Its value in the rules of the start, if changed."""
    errors: list[str] = field(default_factory=list)
    elsewhere: str = ""
    """Its words in other languages, for a search."""
    is_hidden: bool = False
    """Whether a search leaves it out."""

    @property
    def words(self) -> str:
        """All its words, for a search."""
        labels = [text for part in self.parts for text in (part.label, *(label for _, label in part.choices))]
        return " ".join([self.title, self.hint, self.elsewhere, *labels])

    @property
    def error(self) -> str:
        """Its problems."""
        return " ".join(self.errors)


@dataclass
class Group:
    """The options of one part of the game."""

    title: str
    options: list[Option]
    name: str = ""
    """The name of the question that it answers, if it answers one."""
    lines: list[str] = field(default_factory=list)
    """What the answer changes in the rule sheet of the start."""
    elsewhere: str = ""
    """Its title in other languages, for a search."""
    ready: list[Ready] = field(default_factory=list)
    """The ready answers to its question."""
    answer: str = ""
    """The chosen answer: a ruleset, or `OTHERWISE`."""
    is_answered_anew: bool = False
    """Whether a ready answer has just filled its options."""
    hint: str = ""
    is_hidden: bool = False
    """Whether a search leaves it out."""

    @property
    def changed(self) -> int:
        """The number of house rules among them. The length of a match is none."""
        return sum(option.is_changed and option.name != LENGTH for option in self.options)

    @property
    def has_errors(self) -> bool:
        """Whether any is refused."""
        return any(option.error for option in self.options)


@dataclass
class Editor:
    """A choice of rules as typed: `rules` is the result, or `None` with sentences of its problems."""

    preset: str
    """Its start: a published ruleset's name, or the ref of a saved version."""
    typed: dict[str, list[str]]
    start: Start | None = None
    rules: Rules | None = None
    draft: Rules | None = None
    """The result although its options may contradict each other; `None` if a field cannot be read."""
    sentences: list[str] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    asked: list[Group] = field(default_factory=list)
    """Options below the questions that people argue about, if the editor starts with these."""
    changes: dict[str, Any] = field(default_factory=dict)
    """The options changed from the start, in JSON."""
    answers: dict[str, str] = field(default_factory=dict)
    """The sent answer to each question."""
    unread: frozenset[str] = frozenset()
    """The options that cannot be read."""
    answered_anew: dict[str, str] = field(default_factory=dict)
    """Those chosen since the fields were filled, which stand for these."""
    sought: str = ""
    """The words that a search looks for."""

    @property
    def changed(self) -> int:
        """The number of options changed from the start."""
        return sum(group.changed for group in (*self.asked, *self.groups))

    def ask_first(self) -> None:
        """Move the options that people argue about out of their groups, to ten questions."""
        options = {option.name: option for group in self.groups for option in group.options}
        if self.start is None or not options:
            return
        differences = state_differences(self.start.rules, self.draft) if self.draft else ()
        for question in QUESTIONS:
            lines = [each.line for each in differences if set(question.options).intersection(each.stated)]
            fields = [options.pop(name) for name in question.options]
            group = Group(
                gettext(question.text), fields, question.name, lines, _elsewhere([question.text]), hint=question.hint
            )
            group.ready = ready_answers(question, self.preset)
            group.answer = self._answer_of(question, group)
            group.is_answered_anew = question.name in self.answered_anew
            self.asked.append(group)
        for group, (title, _) in zip(self.groups, GROUPS, strict=True):
            group.options = [option for option in group.options if option.name in options]
            group.elsewhere = _elsewhere([title])
        for group in (*self.asked, *self.groups):
            for option in group.options:
                words = OPTIONS[option.name]
                option.elsewhere = _elsewhere([words.title, words.hint, *words.words.values()])

    def search(self, sought: str) -> None:
        """Hide the options and groups without these words, as `static/js/rule_search.js` does in the browser."""
        self.sought = sought.strip()
        words = self.sought.casefold().split()

        def has_words(text: str) -> bool:
            return all(word in text.casefold() for word in words)

        for group in (*self.asked, *self.groups):
            answers = " ".join(ready.label for ready in group.ready)
            is_meant = has_words(f"{group.title} {group.elsewhere}") or (group.ready and has_words(answers))
            for option in group.options:
                option.is_hidden = not is_meant and not has_words(option.words)
            group.is_hidden = all(option.is_hidden for option in group.options)

    @property
    def hits(self) -> str:
        """The number of options that a search leaves, in words; empty without a search."""
        if not self.sought:
            return ""
        count = sum(not option.is_hidden for group in (*self.asked, *self.groups) for option in group.options)
        text = ngettext("%(count)s rule found", "%(count)s rules found", count) if count else gettext("No rules found")
        return text % {"count": count}

    @property
    def start_changes(self) -> list[str]:
        """What the rules of the start change in the rule sheet of the first published ruleset."""
        if self.start is None or self.start.rules == _FIRST:
            return []
        return [each.line for each in state_differences(_FIRST, self.start.rules)]

    def _answer_of(self, question: Question, group: Group) -> str:
        if self.start is None or self.answers.get(question.name) == OTHERWISE or set(question.options) & self.unread:
            return OTHERWISE
        values = {name: self.changes.get(name, self.start.rules.write_option(name)) for name in question.options}
        return next((ready.preset for ready in group.ready if ready.values == values), OTHERWISE)

    @property
    def state(self) -> str:
        """The number of changes, in words."""
        if self.changed:
            return gettext("%(count)s changed") % {"count": self.changed}
        return gettext("as saved") if self.ref else gettext("as published")

    @property
    def ref(self) -> str:
        """The saved version that it starts from; empty for a published ruleset."""
        return self.start.ref if self.start else ""


def _elsewhere(texts: Iterable[str]) -> str:
    """Texts in all languages but that of the reader."""
    words: list[str] = []
    for code, _ in settings.LANGUAGES:
        if code != get_language():
            with override(code):
                words.extend(gettext(text) for text in texts if text)
    return " ".join(words)


Typed = dict[str, list[str]]
_FIRST = Rules.preset("standard")
"""The ruleset that a new editor starts from."""


def edit(preset: str, data: QueryDict | None = None) -> Editor:
    """The editor for a start with typed changes. An unknown start is refused with a sentence."""
    typed = {key: [str(v) for v in data.getlist(key)] for key in data if key.startswith(PREFIX)} if data else {}
    editor = Editor(preset, typed)
    if data:
        _answer(editor, data)
    try:
        editor.start = rule_sources.start(preset)
        base = rule_sources.start((data.get("base") or preset) if data else preset).rules
    except BadInput as error:
        editor.sentences.append(error.sentence)
        return editor
    changes, unread = read_changes(typed, base)
    editor.sentences.extend(unread.values())
    wrong = {name: [sentence] for name, sentence in unread.items()}
    try:
        if not unread:
            answered = Rules.make(editor.start.rules, changes, is_draft=True)
            changes |= companions(answered, changes)
            editor.draft = Rules.make(answered, changes, is_draft=True)
        editor.rules = None if unread else Rules.make(editor.start.rules, changes)
    except BadRules as error:
        editor.sentences.extend(error.sentences)
        for sentence, options in zip(error.sentences, error.options, strict=True):
            for name in options:
                wrong.setdefault(name, []).append(sentence)
    editor.changes, editor.unread = changes, frozenset(unread)
    editor.groups = _groups(editor.start.rules, changes, typed, unread, wrong)
    return editor


def _answer(editor: Editor, data: QueryDict) -> None:
    """Fill the fields of each question to which another ready answer is chosen than the one they were filled from."""
    for question in QUESTIONS:
        answer = editor.answers[question.name] = data.get(f"answer-{question.name}", "")
        if answer not in PRESETS or answer == data.get(f"answered-{question.name}"):
            continue
        editor.answered_anew[question.name] = answer
        for option in question.options:
            editor.typed |= typed_option(Rules.preset(answer), option)


def typed_option(rules: Rules, option: str) -> Typed:
    """The fields of an option as they are typed."""
    parts = parts_of(option, KINDS_OF_OPTION[option], rules.write_option(option))
    return {part.name: ["", *part.chosen] if part.control == "checks" else [part.value] for part in parts}


def editor_of(rules: Rules, start: str = "") -> Editor:
    """The editor before anything is typed: the start of the rules, and the differences.

    `start` is their version; without it, or if nobody keeps it any more, the published ruleset that they name.
    """
    name = (
        start if start in PRESETS or rule_sources.find(start) else rules.name if rules.name in PRESETS else "standard"
    )
    before = rule_sources.start(name).rules
    data = QueryDict(mutable=True)
    data["base"] = name
    for option in rules.differences(before):
        for part, texts in typed_option(rules, option).items():
            data.setlist(part, texts)
    return edit(name, data)


def read_changes(typed: Typed, base: Rules) -> tuple[dict[str, Any], dict[str, str]]:
    """The changes of the typed fields from `base`, in JSON, and the problems of others by option."""
    changes: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for name, kind in KINDS_OF_OPTION.items():
        before = base.write_option(name)
        parts = {part.name: part for part in parts_of(name, kind, before)}
        if not any(part in typed for part in parts):
            continue
        try:
            value = read_option(kind, _values(parts, typed))
            value = kind.write(kind.read(value, None))
        except ValueError as error:
            errors[name] = gettext("%(option)s %(fault)s.") % {"option": title_of(name), "fault": error}
            continue
        if value != before:
            changes[name] = value
    if "book_bonus" in changes and base.special_books:  # a bonus alone would say that no rank counts separately
        changes.setdefault("special_books", base.special_books_json)
    return changes, errors


def _values(parts: dict[str, Part], typed: Typed) -> dict[str, list[str]]:
    """Typed values by the last word of the part's name; a missing part keeps its value."""
    values = {}
    for name, part in parts.items():
        texts = typed.get(name)
        before = list(part.chosen) if part.control == "checks" else [part.value]
        values[_last(name)] = before if texts is None else [value.strip() for value in texts]
    return values


def _last(name: str) -> str:
    return name.rpartition(".")[2] if "." in name else ""


def _groups(
    start: Rules, changes: dict[str, Any], typed: Typed, unread: Mapping[str, str], wrong: Mapping[str, list[str]]
) -> list[Group]:
    def option(name: str) -> Option:
        kind, words = KINDS_OF_OPTION[name], OPTIONS[name]
        before = start.write_option(name)
        parts = parts_of(name, kind, changes.get(name, before))
        if name in unread:
            parts = [_as_typed(part, typed) for part in parts]
        is_changed = name in unread or changes.get(name, before) != before
        was = rule_changes.value(name, start) if is_changed else ""
        return Option(name, gettext(words.title), gettext(words.hint), parts, is_changed, was, wrong.get(name, []))

    return [Group(gettext(title), [option(name) for name in names]) for title, names in GROUPS]


def _as_typed(part: Part, typed: Typed) -> Part:
    texts = typed.get(part.name)
    if texts is None:
        return part
    return part._replace(chosen=tuple(texts)) if part.control == "checks" else part._replace(value=texts[0])
