"""Sentences and docs keep to one vocabulary: nothing in them matches a pattern of words.toml that has no exception."""

import re
import tomllib
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent
WORDS = tomllib.loads((Path(__file__).parent / "words.toml").read_text())
VALUES = re.compile(r"%\(\w+\)[sd]|%[sd]|<[^>]*>|&\w+;|\{\w*\}")
RULE_SHEET = "engine/play/"
LANGUAGES = ["english", "german", "docs"]
"""Messages in two languages, and the docs, which keep to the English patterns."""


def paragraphs(page):
    """Prose of a page of docs, without code, links' addresses and quoted labels."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", page.read_text(), flags=re.S)
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|\*\*[^*]*\*\*|“[^”]*”", " ", text)
    yield from (" ".join(part.split()) for part in re.split(r"\n\s*\n|\n(?=[-|#*\d])", text))


def sentences(language):
    """(sentence, where it is said) of every message in this language, or of the docs."""
    if language == "docs":
        for page in [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
            for paragraph in paragraphs(page):
                for sentence in re.split(r"(?<=[.!?]) ", paragraph):
                    yield sentence, page.relative_to(ROOT).as_posix()
        return
    for catalogue in sorted((ROOT / "locale/de/LC_MESSAGES").glob("*.po")):
        with catalogue.open("rb") as file:
            for message in read_po(file, locale="de"):
                texts = message.id if language == "english" else message.string
                for text in (texts,) if isinstance(texts, str) else texts:
                    if message.id:
                        yield text, " ".join(path for path, _ in message.locations)


def broken(text, language, *, rule_sheet=False):
    """The patterns that a sentence breaks, each with what to write instead."""
    plain = VALUES.sub("", text)
    return [
        pattern["instead"]
        for pattern in WORDS["german" if language == "german" else "english"]
        if re.search(pattern["never"], plain, 0 if language == "german" else re.IGNORECASE)
        if not (rule_sheet and pattern.get("rule_sheet"))
    ]


def excepted(language):
    return {exception["sentence"] for exception in WORDS["exception"] if exception["language"] == language}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_says_what_the_glossary_forbids(language):
    hits = [
        f"{text!r} ({places}): write {'; '.join(instead)}"
        for text, places in sentences(language)
        if not {text, places} & excepted(language)
        if (instead := broken(text, language, rule_sheet=places.startswith(RULE_SHEET)))
    ]
    assert hits == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_exception_is_still_said_and_still_needed(language):
    needed = {part for hit in sentences(language) if broken(hit[0], language) for part in hit}
    assert excepted(language) - needed == set()


def test_every_exception_has_a_reason():
    assert [exception for exception in WORDS["exception"] if len(exception["reason"].split()) < 3] == []


@pytest.mark.parametrize(
    ("text", "instead"), [("This is done by itself.", "automatically"), ("Keep it", "saved, save")]
)
def test_a_forbidden_word_is_found(text, instead):
    assert broken(text, "english") == [instead]
