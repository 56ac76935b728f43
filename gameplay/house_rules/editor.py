"""The editor of house rules: every option of the engine as a field of a form, and the way back.

A form carries the base of its fields (`base`): a published ruleset, or a saved version of house rules
(`gameplay.house_rules.rule_sources`). Differences from it are changes, which outlive the choice of another start.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.conf import settings
from django.http import QueryDict
from django.utils.translation import get_language, gettext, ngettext, override

from engine.errors import BadInput, BadRules
from engine.play.cards import RANKS
from engine.play.options import (
    GROWTH,
    POINTS_LIMIT,
    BookBonus,
    BooksGrow,
    ByDeal,
    Contract,
    DeckCount,
    Kind,
    LiftPoints,
    Limits,
    MatchLength,
    OpeningSteps,
    PenaltyPoints,
    PointsOrNull,
    RankPoints,
    RedThreePoints,
    RedThreeSets,
    Shapes,
    SpecialBooks,
    StackSizes,
    Whole,
    Word,
    WordOrWhole,
    WordSet,
    YesNo,
    YesNoCount,
    YesNoOr,
)
from engine.play.rule_sheet.nearest import state_differences
from engine.play.rule_sheet.questions import QUESTIONS, Question, companions
from engine.play.rules import KINDS_OF_OPTION, Rules
from engine.play.rulesets import PRESETS
from gameplay.house_rules import rule_changes, rule_sources
from gameplay.house_rules.match_length import LENGTH
from gameplay.house_rules.option_text import GROUPS, NAMED, OPTIONS, rank_name, title_of, word_of
from gameplay.house_rules.ready_answers import OTHERWISE, Ready, ready_answers
from gameplay.house_rules.rule_sources import Start


class Part(NamedTuple):
    """A control of an option: `control` is number, select, text or checks."""

    name: str
    label: str
    control: str
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    chosen: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None


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
PREFIX = "rule-"
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
            value = _read(name, kind, _values(parts, typed))
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


# From an option's JSON to controls


def parts_of(name: str, kind: Kind, value: Any) -> list[Part]:
    """The controls for an option that has this value in JSON."""
    return _PARTS[type(kind)](PREFIX + name, kind, value)


def _number(name: str, label: str, value: Any, low: int, high: int) -> Part:
    return Part(name, label, "number", "" if value is None else str(value), low=low, high=high)


def _choices(words: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((word, word_of(word)) for word in words)


def _select(name: str, label: str, value: str, words: Iterable[str]) -> Part:
    return Part(name, label, "select", value, _choices(words))


def _whole_parts(name: str, kind: Whole, value: Any) -> list[Part]:
    return [_number(name, "", value, kind.low, kind.high)]


def _yes_no_parts(name: str, kind: YesNo, value: bool) -> list[Part]:
    return [_select(name, "", "yes" if value else "no", ("no", "yes"))]


def _word_parts(name: str, kind: Word, value: str) -> list[Part]:
    option = name.removeprefix(PREFIX)
    return [Part(name, "", "select", value, tuple((word, word_of(word, option)) for word in kind.words))]


def _word_or_whole_parts(name: str, kind: WordOrWhole, value: str | int) -> list[Part]:
    is_word = isinstance(value, str)
    option = name.removeprefix(PREFIX)
    choices = tuple((word, word_of(word, option)) for word in (*kind.words, "number"))
    return [
        Part(f"{name}.how", gettext("How much"), "select", str(value) if is_word else "number", choices),
        _number(f"{name}.number", gettext("Number of cards"), None if is_word else value, kind.low, kind.high),
    ]


def _set_parts(name: str, kind: WordSet, value: list[str]) -> list[Part]:
    words = tuple((word, rank_name(word) if word in RANKS else word_of(word)) for word in kind.words)
    return [Part(name, "", "checks", "", words, tuple(value))]


def _shape_parts(name: str, kind: Shapes, value: list[list[int]]) -> list[Part]:
    return [Part(name, gettext("Seats × players in a team"), "text", ", ".join(f"{s}×{t}" for s, t in value))]


def _deck_parts(name: str, kind: DeckCount, value: Any) -> list[Part]:
    plus = value if isinstance(value, dict) else {}
    by_seats = plus.get("by_seats", {})
    how = "by_seats" if by_seats else "seats" if plus else "fixed"
    number = plus.get("seats_plus", 1) if plus else value
    table = ", ".join(f"{seats}: {decks}" for seats, decks in by_seats.items())
    return [
        _number(f"{name}.number", gettext("Decks"), number, -10, 30),
        _select(f"{name}.plus", gettext("Counted"), how, ("fixed", "seats", "by_seats")),
        Part(f"{name}.table", gettext("By seats: “4: 6, 6: 8”"), "text", table),
    ]


def _by_deal_parts(name: str, kind: ByDeal, value: Any) -> list[Part]:
    entries = value["by_deal"] if isinstance(value, dict) and "by_deal" in value else []
    parts = parts_of(name.removeprefix(PREFIX), kind.plain, entries[0] if entries else value)
    label = gettext("A value for each deal (optional): “%(example)s”") % {"example": _EXAMPLES[type(kind.plain)]}
    text = ", ".join(_entry_text(kind.plain, entry, name.removeprefix(PREFIX)) for entry in entries)
    return [*parts, Part(f"{name}.deals", label, "text", text)]


_EXAMPLES: dict[type, str] = {
    Whole: "2, 3, 3",
    WordOrWhole: "3, 5, all",
    Word: "right, none",
    Contract: "0/0/0, 1/1/0",
    StackSizes: "11+11, 13+11",
}


def _entry_text(kind: Any, entry: Any, option: str) -> str:
    """A value of one deal among others, as people write it."""
    if isinstance(kind, Contract):
        return "/".join(str(count) for count in entry.values())
    return "+".join(map(str, entry)) if isinstance(kind, StackSizes) else str(entry)


def _stack_parts(name: str, kind: StackSizes, value: list[int]) -> list[Part]:
    sizes = {"hand": value[0], "knee": value[1] if len(value) == 3 else None, "foot": value[-1]}
    return [_number(f"{name}.{key}", gettext(NAMED[StackSizes][key]), size, 1, 40) for key, size in sizes.items()]


def _growth_parts(name: str, kind: BooksGrow, value: dict[str, str]) -> list[Part]:
    labels = NAMED[BooksGrow]
    return [_select(f"{name}.{key}", gettext(labels[key]), value[key], words) for key, words in GROWTH.items()]


def _special_parts(name: str, kind: SpecialBooks, value: dict[str, dict[str, Any]]) -> list[Part]:
    entries = []
    for rank, special in value.items():
        needed = f"/{special['needed']}" if special["needed"] or special["mixed"] else ""
        entries.append(f"{rank}: {special['points']}{needed}{'/mixed' * special['mixed']}")
    return [Part(name, gettext("Rank: points/needed: “7: 1500/1, 5: 3000/0/mixed”"), "text", ", ".join(entries))]


def _lift_parts(name: str, kind: LiftPoints, value: dict[str, Any] | None) -> list[Part]:
    choices = tuple((word, word_of(word, "lift")) for word in ("none", "each", "dealer"))
    steps = ", ".join(f"{distance}: {points}" for distance, points in (value or {}).get("within", []))
    return [
        Part(f"{name}.by", gettext("Lifted by"), "select", value["by"] if value else "none", choices),
        Part(f"{name}.within", gettext("Distance: points: “0: 100, 2: 50”"), "text", steps),
    ]


def _sets_parts(name: str, kind: RedThreeSets, value: dict[str, int] | None) -> list[Part]:
    bounds = {"size": (2, 60), "points": (-POINTS_LIMIT, POINTS_LIMIT)}
    return [
        _number(f"{name}.{key}", gettext(label), (value or {}).get(key), *bounds[key])
        for key, label in NAMED[RedThreeSets].items()
    ]


def _count_parts(name: str, kind: YesNoCount, value: bool | int) -> list[Part]:
    return [_number(name, "", int(value), 0, kind.high)]


def _yes_no_or_parts(name: str, kind: YesNoOr, value: bool | str) -> list[Part]:
    return [_select(name, "", kind.read(value, None), ("no", "yes", kind.word))]


def _limit_parts(name: str, kind: Limits, value: list[int]) -> list[Part]:
    return [
        _number(f"{name}.{size}", gettext("in %(size)s cards") % {"size": size}, limit, 0, 7)
        for size, limit in enumerate(value, start=3)
    ]


def _opening_parts(name: str, kind: OpeningSteps, value: Any) -> list[Part]:
    how = value if isinstance(value, str) else next(iter(value))
    steps = [] if isinstance(value, str) else value[how]
    text = ", ".join(
        str(step) if how == "by_deal" else f"{'below' if step[0] is None else step[0]}: {step[1]}" for step in steps
    )
    return [
        _select(f"{name}.how", gettext("Depends on"), how, ("none", "by_deal", "by_score")),
        Part(
            f"{name}.steps", gettext("Points: “50, 90, clean_book” by deal, “below: 15, 0: 50” by score"), "text", text
        ),
    ]


def _named_parts(low: int, high: int) -> Callable[[str, Any, dict[str, int]], list[Part]]:
    def parts(name: str, kind: Any, value: dict[str, int]) -> list[Part]:
        names = NAMED[type(kind)]
        return [_number(f"{name}.{key}", gettext(label), value.get(key), low, high) for key, label in names.items()]

    return parts


def _rank_parts(name: str, kind: RankPoints, value: dict[str, int]) -> list[Part]:
    return [_number(f"{name}.{rank}", rank_name(rank), value[rank], 0, 10_000) for rank in RANKS]


def _points_or_null_parts(name: str, kind: PointsOrNull, value: int | None) -> list[Part]:
    return [_number(name, gettext("Points (optional)"), value, -POINTS_LIMIT, POINTS_LIMIT)]


def _length_parts(name: str, kind: MatchLength, value: dict[str, int]) -> list[Part]:
    ((by, number),) = value.items()
    return [
        _select(f"{name}.by", gettext("Ends"), by, ("deals", "target")),
        _number(f"{name}.number", gettext("Deals or points"), number, 1, POINTS_LIMIT),
    ]


def _penalty_parts(name: str, kind: PenaltyPoints, value: dict[str, int] | None) -> list[Part]:
    how = _select(f"{name}.how", gettext("Penalties"), "none" if value is None else "points", ("none", "points"))
    numbers = [
        _number(f"{name}.{key}", gettext(label), (value or {}).get(key, 0), -POINTS_LIMIT, 0)
        for key, label in NAMED[PenaltyPoints].items()
    ]
    return [how, *numbers]


_PARTS: dict[type, Callable[[str, Any, Any], list[Part]]] = {
    Whole: _whole_parts,
    YesNo: _yes_no_parts,
    YesNoCount: _count_parts,
    YesNoOr: _yes_no_or_parts,
    ByDeal: _by_deal_parts,
    StackSizes: _stack_parts,
    BooksGrow: _growth_parts,
    SpecialBooks: _special_parts,
    LiftPoints: _lift_parts,
    RedThreeSets: _sets_parts,
    Word: _word_parts,
    WordOrWhole: _word_or_whole_parts,
    WordSet: _set_parts,
    Shapes: _shape_parts,
    DeckCount: _deck_parts,
    Limits: _limit_parts,
    OpeningSteps: _opening_parts,
    Contract: _named_parts(0, 20),
    BookBonus: _named_parts(-POINTS_LIMIT, POINTS_LIMIT),
    RankPoints: _rank_parts,
    RedThreePoints: _named_parts(-POINTS_LIMIT, POINTS_LIMIT),
    PointsOrNull: _points_or_null_parts,
    MatchLength: _length_parts,
    PenaltyPoints: _penalty_parts,
}


# And back


def _read(name: str, kind: Kind, values: dict[str, list[str]]) -> Any:
    """The JSON of an option from what its controls hold. Raises `ValueError` with the second half of a sentence."""
    return _READERS[type(kind)]({key: texts[0] if texts else "" for key, texts in values.items()}, values, kind)


def _int(text: str, low: int, high: int) -> int:
    plain = text.strip().replace("−", "-").replace(",", "")
    plain = re.sub(r"(?<=\d)\.(?=\d{3}(?:\D|$))", "", plain)  # as in 1.250
    try:
        if len(plain) > 9:
            raise ValueError
        number = int(plain)
    except ValueError:
        raise ValueError(_not_whole(low, high)) from None
    if not low <= number <= high:
        raise ValueError(_not_whole(low, high))
    return number


def _not_whole(low: int, high: int) -> str:
    limits = {"low": f"{low:,}", "high": f"{high:,}"}
    return gettext("must be a whole number from %(low)s to %(high)s") % limits


def _points(text: str) -> int:
    return _int(text, -POINTS_LIMIT, POINTS_LIMIT)


def _read_word_or_whole(part: dict[str, str], values: Any, kind: WordOrWhole) -> str | int:
    return _int(part["number"], kind.low, kind.high) if part["how"] == "number" else part["how"]


def _read_shapes(part: dict[str, str], values: Any, kind: Shapes) -> list[list[int]]:
    try:
        pairs = [part.lower().replace("×", "x").split("x") for part in part[""].split(",")]
        return [[int(seats), int(size)] for seats, size in pairs]
    except ValueError:
        raise ValueError(gettext("must be written like 4×2, 6×3 (seats × players in a team)")) from None


def _read_decks(part: dict[str, str], values: Any, kind: DeckCount) -> Any:
    if part["plus"] == "by_seats":
        pairs = _pairs(part["table"], "4: 6, 6: 8")
        return {"by_seats": {str(seats): _int(decks, 1, 30) for seats, decks in pairs}}
    return {"seats_plus": _int(part["number"], -10, 20)} if part["plus"] == "seats" else _int(part["number"], 1, 30)


def _read_opening(part: dict[str, str], values: Any, kind: OpeningSteps) -> Any:
    if part["how"] == "none":
        return "none"
    steps = [step.strip() for step in part["steps"].split(",") if step.strip()]
    try:
        if part["how"] == "by_deal":
            return {"by_deal": [step if step == "clean_book" else _points(step) for step in steps]}
        pairs = [step.split(":") for step in steps]
        return {"by_score": [[None if a.strip() == "below" else _points(a), _points(b)] for a, b in pairs]}
    except ValueError:
        example = "50, 90, 120, 150" if part["how"] == "by_deal" else "below: 15, 0: 50, 1500: 90"
        raise ValueError(gettext("must be written like %(example)s") % {"example": example}) from None


def _pairs(text: str, example: str) -> list[tuple[str, str]]:
    """Entries like `4: 6, 6: 8`. Raises `ValueError` with the second half of a sentence."""
    entries = [entry.partition(":") for entry in text.split(",") if entry.strip()]
    if any(not colon for _, colon, _ in entries):
        raise ValueError(gettext("must be written like %(example)s") % {"example": example})
    return [(key.strip(), value.strip()) for key, _, value in entries]


def _read_by_deal(part: dict[str, str], values: dict[str, list[str]], kind: ByDeal) -> Any:
    texts = [text.strip() for text in part.get("deals", "").split(",") if text.strip()]
    if not texts:
        plain = {key: value for key, value in values.items() if key != "deals"}
        return _read("", kind.plain, plain)
    try:
        return {"by_deal": [_read_entry(kind.plain, text) for text in texts]}
    except ValueError:
        example = {"example": _EXAMPLES[type(kind.plain)]}
        raise ValueError(gettext("must be written like %(example)s") % example) from None


def _read_entry(kind: Any, text: str) -> Any:
    if isinstance(kind, Contract):
        return dict(zip(GROWTH, [int(count) for count in text.split("/")], strict=True))
    if isinstance(kind, StackSizes):
        return [int(size) for size in text.split("+")]
    if isinstance(kind, Word):
        return next((word for word in kind.words if text in (word, word_of(word, "pass_stack"))), text)
    if isinstance(kind, WordOrWhole) and not text.lstrip("-").isdigit():
        return next((word for word in kind.words if text in (word, word_of(word, "pile_take"))), text)
    return _points(text)


def _read_stacks(part: dict[str, str], values: Any, kind: StackSizes) -> list[int]:
    return [_int(part[key], 1, 40) for key in ("hand", "knee", "foot") if key != "knee" or part[key]]


def _read_special(part: dict[str, str], values: Any, kind: SpecialBooks) -> dict[str, dict[str, Any]]:
    example = "7: 1500/1, 5: 3000/0/mixed"
    books: dict[str, dict[str, Any]] = {}
    for rank, text in _pairs(part[""], example):
        points, *more = text.split("/")
        if len(more) > 2 or (len(more) == 2 and more[1].strip() != "mixed"):
            raise ValueError(gettext("must be written like %(example)s") % {"example": example})
        needed = _int(more[0], 0, 20) if more else 0
        books[rank.upper()] = {"points": _points(points), "needed": needed, "mixed": len(more) == 2}
    return books


def _read_lift(part: dict[str, str], values: Any, kind: LiftPoints) -> dict[str, Any] | None:
    if part["by"] == "none":
        return None
    pairs = _pairs(part["within"], "0: 100, 2: 50")
    return {"by": part["by"], "within": [[_int(distance, 0, 1000), _points(points)] for distance, points in pairs]}


def _read_sets(part: dict[str, str], values: Any, kind: RedThreeSets) -> dict[str, int] | None:
    if not part["size"] and not part["points"]:
        return None
    return {"size": _int(part["size"], 2, 60), "points": _points(part["points"])}


def _read_counts(part: dict[str, str], values: Any, kind: Any) -> dict[str, int]:
    limit = 20 if isinstance(kind, Contract) else POINTS_LIMIT
    low = 0 if isinstance(kind, Contract) else -POINTS_LIMIT
    return {key: _int(text, low, limit) for key, text in part.items()}


def _read_penalties(part: dict[str, str], values: Any, kind: PenaltyPoints) -> dict[str, int] | None:
    if part["how"] == "none":
        return None
    return {key: _int(text, -POINTS_LIMIT, 0) for key, text in part.items() if key != "how"}


def _read_length(part: dict[str, str], values: Any, kind: MatchLength) -> dict[str, int]:
    is_deals = part["by"] == "deals"
    return {"deals" if is_deals else "target": _int(part["number"], 1, 100 if is_deals else POINTS_LIMIT)}


_READERS: dict[type, Callable[[dict[str, str], dict[str, list[str]], Any], Any]] = {
    Whole: lambda part, values, kind: _int(part[""], kind.low, kind.high),
    YesNo: lambda part, values, kind: part[""] == "yes",
    Word: lambda part, values, kind: part[""],
    WordOrWhole: _read_word_or_whole,
    WordSet: lambda part, values, kind: [word for word in kind.words if word in values[""]],
    Shapes: _read_shapes,
    DeckCount: _read_decks,
    Limits: lambda part, values, kind: [_int(part[str(size)], 0, 7) for size in range(3, 8)],
    OpeningSteps: _read_opening,
    Contract: _read_counts,
    BookBonus: _read_counts,
    YesNoCount: lambda part, values, kind: _int({"no": "0", "yes": "1"}.get(part[""], part[""]), 0, kind.high),
    YesNoOr: lambda part, values, kind: {"yes": True, "no": False}.get(part[""], part[""]),
    ByDeal: _read_by_deal,
    StackSizes: _read_stacks,
    BooksGrow: lambda part, values, kind: part,
    SpecialBooks: _read_special,
    LiftPoints: _read_lift,
    RedThreeSets: _read_sets,
    RankPoints: lambda part, values, kind: {rank: _int(part[rank], 0, 10_000) for rank in RANKS},
    RedThreePoints: _read_counts,
    PointsOrNull: lambda part, values, kind: _points(part[""]) if part[""] else None,
    MatchLength: _read_length,
    PenaltyPoints: _read_penalties,
}
