"""Sentences that people read, in the language of their readers.

The engine writes English and knows no other language. A site that does hands its own translation over once, by `speak`;
every sentence then passes through it before its values are put in.

    say("Pick %(count)s cards to discard.", count=2)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple


class Speaker(NamedTuple):
    """Translation of plain sentences, of those that differ by a number, and of words that differ by context."""

    plain: Callable[[str], str]
    by_number: Callable[[str, str, int], str]
    in_context: Callable[[str, str], str]


ENGLISH = Speaker(
    plain=lambda sentence: sentence,
    by_number=lambda singular, plural, count: singular if count == 1 else plural,
    in_context=lambda context, word: word,
)

_speaker = ENGLISH


def speak(speaker: Speaker) -> None:
    """Translate all sentences of this process by this speaker, which chooses the language at each moment."""
    global _speaker
    _speaker = speaker


def say(sentence: str, /, **values: object) -> str:
    """Translate a sentence and put in its values, which it names as `%(name)s`; without values it is taken as it is."""
    text = _speaker.plain(sentence)
    return text % values if values else text


def say_several(singular: str, plural: str, count: int, /, **values: object) -> str:
    """Translate a sentence by its count and put in its values, with the count itself as `%(count)s`."""
    return _speaker.by_number(singular, plural, count) % {"count": count, **values}


def say_as(context: str, word: str, /) -> str:
    """Translate a word that has several meanings, by its context: `say_as("of cards", "hand")`."""
    return _speaker.in_context(context, word)


def later(sentence: str, /) -> str:
    """Mark a sentence that is kept in English, such as in a table of the module, and translated later by `say`."""
    return sentence


def join_words(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = [*parts] or [""]
    return say("%(most)s and %(last)s", most=", ".join(most), last=last) if most else last


def either(parts: Iterable[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *most, last = [*parts] or [""]
    return say("%(most)s or %(last)s", most=", ".join(most), last=last) if most else last
