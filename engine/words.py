"""Sentences that people read, in the language of whoever reads them.

The engine writes English and knows no other language. A site that does hands its own translation over once, by `speak`;
every sentence then passes through it before its values are put in.

    say("Pick %(count)s cards to discard.", count=2)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple


class Speaker(NamedTuple):
    """How sentences are translated: one by itself, one that differs by a number, and a word that differs by context."""

    one: Callable[[str], str]
    by_number: Callable[[str, str, int], str]
    in_context: Callable[[str, str], str]


ENGLISH = Speaker(
    one=lambda sentence: sentence,
    by_number=lambda one, more, count: one if count == 1 else more,
    in_context=lambda context, word: word,
)

_speaker = ENGLISH


def speak(speaker: Speaker) -> None:
    """From now on, in this process, sentences are in the language that the speaker finds right at each moment."""
    global _speaker
    _speaker = speaker


def say(sentence: str, /, **values: object) -> str:
    """The sentence with its values, which it names as `%(name)s`; without values it is taken as it stands."""
    told = _speaker.one(sentence)
    return told % values if values else told


def say_several(one: str, more: str, count: int, /, **values: object) -> str:
    """The sentence for one or for more, as the count is, with its values and the count itself as `%(count)s`."""
    return _speaker.by_number(one, more, count) % {"count": count, **values}


def say_as(context: str, word: str, /) -> str:
    """A word that other languages tell apart by what it means here: `say_as("of cards", "hand")`."""
    return _speaker.in_context(context, word)


def later(sentence: str, /) -> str:
    """Marks a sentence that is kept in English, such as in a table of the module, and said later by `say`."""
    return sentence


def listed(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = [*parts] or [""]
    return say("%(most)s and %(last)s", most=", ".join(most), last=last) if most else last


def either(parts: Iterable[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *most, last = [*parts] or [""]
    return say("%(most)s or %(last)s", most=", ".join(most), last=last) if most else last
