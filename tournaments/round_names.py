"""Names of rounds in the reader’s language. They are stored in English."""

from django.utils.translation import gettext, gettext_noop

from web.text import in_sentence

_NUMBERED = {
    "Round": gettext_noop("Round %(number)s"),
    "Level": gettext_noop("Round %(number)s"),
    "Round of": gettext_noop("Round of %(number)s"),
    "Second chance, round": gettext_noop("Second chance, round %(number)s"),
}
_IN_BRACKET = {"GF1": gettext_noop("final"), "GF2": gettext_noop("decider"), "TP1": gettext_noop("third place")}
_NAMED = (
    gettext_noop("Final"),
    gettext_noop("Semi-finals"),
    gettext_noop("Quarter-finals"),
    gettext_noop("Last two"),
    gettext_noop("Decider"),
    gettext_noop("Third place"),
)


def round_name(stored: str) -> str:
    """`Round 3` in the reader’s language; other names, such as `WB2`, stay as they are."""
    words, _, number = stored.rpartition(" ")
    if words in _NUMBERED and number.isdecimal():
        return gettext(_NUMBERED[words]) % {"number": number}
    return gettext(stored) if stored in _NAMED else stored


def round_words(name: str) -> str:
    """Name of a round within a sentence: `round 3`; of a bracket, `second chance, round 2` for its `LB2`."""
    if name in _IN_BRACKET:
        return gettext(_IN_BRACKET[name])
    if name[:2] == "LB" and name[2:].isdecimal():
        return gettext("second chance, round %(number)s") % {"number": name[2:]}
    if name[:2] == "WB" and name[2:].isdecimal():
        name = f"Round {name[2:]}"
    return in_sentence(round_name(name))
