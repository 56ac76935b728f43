"""Allowed display names: visible characters only, so that no name can pass for another or turn the text around it."""

import unicodedata
from itertools import groupby
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from web.errors import Refused

LONGEST = 50
FORMER = "former member"
"""The name of every deleted account, as it is stored; pages have it in the reader's language."""

_HIDDEN_CATEGORIES = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
# Letters and signs by their category, but nothing to see.
_BLANKS = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_MOST_MARKS = 2


def name_text(name: str) -> str:
    """A stored name, also of a pair, as a page says it: the words for people who left in the reader's language."""
    if FORMER not in name:
        return name
    return " / ".join(gettext("former member") if part == FORMER else part for part in name.split(" / "))


def clean_display_name(value: str, longest: int = LONGEST) -> str:
    """The name in NFC with single spaces; `ValidationError` with a sentence if it cannot be shown as it is."""
    name = " ".join(unicodedata.normalize("NFC", value).split(" ")).strip()
    if any(unicodedata.category(c) in _HIDDEN_CATEGORIES or c in _BLANKS for c in name):
        raise ValidationError(gettext("A name cannot have invisible characters or line breaks."), code="invisible")
    name = " ".join(name.split())
    if not name:
        raise ValidationError(gettext("Enter a name."), code="empty")
    if not any(unicodedata.category(c)[0] in "LNPS" for c in name):
        raise ValidationError(gettext("Enter a name that people can read."), code="empty")
    if len(name) > longest:
        sentence = gettext("A name can have at most %(most)s characters.")
        raise ValidationError(sentence % {"most": longest}, code="long")
    if _longest_run_of_marks(name) > _MOST_MARKS:
        raise ValidationError(gettext("A letter of a name can have at most 2 accents."), code="marks")
    if folded(name) == FORMER:
        raise ValidationError(gettext("That name is reserved for former members. Choose another one."), code="reserved")
    return name


def clean_name(name: str, longest: int, **details: Any) -> str:
    """The name of anything that a person may name: by the same rules. Raises `Refused`, with these details."""
    try:
        return clean_display_name(name, longest)
    except ValidationError as error:
        raise Refused("bad_name", " ".join(error.messages), **details) from None


def folded(name: str) -> str:
    """A key that names share if they pass for one another: lower case, and wide, narrow or joined characters plain.

    For comparing names, never for showing one. Done here because databases fold characters each in their own way.
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", plain)


def initials(name: str) -> str:
    """Initials of a name, one or two capitals: of the first and of the last word."""
    words = [word for word in name.split() if unicodedata.category(word[0])[0] in "LN"] or name.split() or ["?"]
    return "".join(word[0].upper()[0] for word in dict.fromkeys((words[0], words[-1])))


def _longest_run_of_marks(name: str) -> int:
    runs = groupby(unicodedata.category(c) == "Mn" for c in name)
    return max((len(list(run)) for is_mark, run in runs if is_mark), default=0)
