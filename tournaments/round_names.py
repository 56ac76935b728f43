"""Names of rounds in the reader’s language. They are stored in English."""

from django.utils.translation import gettext, gettext_noop

from web.text import in_sentence

_NUMBERED = {
    "Round": gettext_noop("Round %(number)s"),
    "Level": gettext_noop("Round %(number)s"),
    "Round of": gettext_noop("Round of %(number)s"),
    "Second chance, round": gettext_noop("Second chance, round %(number)s"),
}
_CODES = {"GF1": "Final", "GF2": "Decider", "TP1": "Third place"}
"""Names of events that are older than these titles."""
_NAMED = (
    gettext_noop("Final"),
    gettext_noop("Semi-finals"),
    gettext_noop("Quarter-finals"),
    gettext_noop("Last two"),
    gettext_noop("Decider"),
    gettext_noop("Third place"),
)


def round_name(stored: str) -> str:
    """`Round 3`, `Semi-finals` in the reader’s language: the one name of a round, everywhere."""
    stored = _titled(stored)
    words, _, number = stored.rpartition(" ")
    if words in _NUMBERED and number.isdecimal():
        return gettext(_NUMBERED[words]) % {"number": number}
    return gettext(stored) if stored in _NAMED else stored


def _titled(stored: str) -> str:
    """The title for a code of a bracket, such as `LB2`; other names stay as they are."""
    if stored[:2] in ("WB", "LB") and stored[2:].isdecimal():
        return f"{'Round' if stored[0] == 'W' else 'Second chance, round'} {stored[2:]}"
    return _CODES.get(stored, stored)


def round_words(name: str) -> str:
    """Name of a round within a sentence: `round 3`, `semi-finals`."""
    return in_sentence(round_name(name))
