"""Names of rounds and their matches in the reader’s language. Those of rounds are stored in English."""

import re

from django.utils.translation import gettext, gettext_noop

from tournaments.models import Tournament
from web.text import in_sentence

_NUMBERED = {
    "Matchday": gettext_noop("Matchday %(number)s"),
    "Round": gettext_noop("Round %(number)s"),
    "Level": gettext_noop("Round %(number)s"),
    "Round of": gettext_noop("Round of %(number)s"),
    "Second chance, round": gettext_noop("Second chance, round %(number)s"),
}
_OF_ROUND = {
    "Semi-finals": gettext_noop("Semi-final %(match)s"),
    "Quarter-finals": gettext_noop("Quarter-final %(match)s"),
}
"""Matches of a bracket whose round has a name in the plural."""
_SHORT = {
    "Semi-finals": gettext_noop("SF %(match)s"),
    "Quarter-finals": gettext_noop("QF %(match)s"),
    "Round": gettext_noop("R%(number)s-%(match)s"),
    "Round of": gettext_noop("R%(number)s-%(match)s"),
    "Second chance, round": gettext_noop("SC%(number)s-%(match)s"),
}
"""The same and others where there is little room."""
_ALONE = {"GF1": gettext_noop("Final"), "GF2": gettext_noop("Decider"), "TP1": gettext_noop("Third place")}
"""Rounds of a single match, by the codes of their matches."""
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


def stored_number(event: Tournament, number: int) -> str:
    """A numbered round of an event as it is stored: `Round 3`, of a league its matchday: `Matchday 3`."""
    return f"{'Matchday' if event.has_matchdays else 'Round'} {number}"


_OLD_MATCHDAY = re.compile(r"(?:Round|Spieltag) ([0-9]+)")
"""As rounds of divisions were stored before, those of imported seasons in the language of their importer."""


def matchday_name(stored: str) -> str:
    """The stored name of a matchday for that of a round of a division, which may be old; others as they are."""
    numbered = _OLD_MATCHDAY.fullmatch(stored)
    return f"Matchday {numbered[1]}" if numbered else stored


def number_name(event: Tournament, number: int) -> str:
    """A numbered round of an event in the reader’s language, also before it is drawn: `Round 3`, `Matchday 3`."""
    return round_name(stored_number(event, number))


def number_words(event: Tournament, number: int) -> str:
    """The same within a sentence: `round 3`, `matchday 3`."""
    return in_sentence(number_name(event, number))


def round_name(stored: str) -> str:
    """`Round 3`, `Matchday 3`, `Semi-finals` in the reader’s language: the one name of a round, everywhere."""
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


def is_matchday(stored: str) -> bool:
    """Whether a round with this stored name is a matchday of a league."""
    return stored.startswith("Matchday ")


def in_round(stored: str) -> str:
    """When something was, within a sentence: `in round 3`, `on matchday 3`."""
    if is_matchday(stored):
        return gettext("on matchday %(number)s") % {"number": stored.rpartition(" ")[2]}
    return gettext("in %(round)s") % {"round": round_words(stored)}


def match_words(round_: str, name: str, number: int) -> str:
    """A match within a sentence, by the stored names of its round and of itself, and its table: `round 2, table 3`, or
    in a bracket `semi-final 1`.
    """
    return in_sentence(match_heading(round_, name, number))


def match_heading(round_: str, name: str, number: int) -> str:
    """A match with its round: `Round 2, table 3`, `Semi-final 1`, `Round of 16, match 3`."""
    title = match_title(round_, name, number)
    return f"{round_name(round_)}, {in_sentence(title)}" if name[:1] == "R" else title


def match_title(round_: str, name: str, number: int) -> str:
    """A match where its round is known: `Table 3`; in a bracket `Semi-final 1`, `Round of 16, match 3`, `Final`."""
    code, _, at = name.partition(".")
    if code in _ALONE:
        return gettext(_ALONE[code])
    if is_of_bracket(name):
        stored = _titled(round_ or code)
        if stored in _OF_ROUND:
            return gettext(_OF_ROUND[stored]) % {"match": at}
        if stored in _NAMED:
            return gettext(stored)
        return gettext("%(round)s, match %(match)s") % {"round": round_name(stored), "match": at}
    if name[:1] == "C":
        return gettext("Challenge %(number)s") % {"number": name[1:]}
    return gettext("Table %(number)s") % {"number": name[1:] if name[:1] == "A" else number}


def match_short(round_: str, name: str, number: int) -> str:
    """The same in a narrow box: `SF 1`, `R16-3`, `SC2-1` for the second chance; others as their title."""
    code, _, at = name.partition(".")
    stored = _titled(round_ or code)
    words, _, of_round = stored.rpartition(" ")
    pattern = _SHORT.get(stored) or _SHORT.get(words)
    if is_of_bracket(name) and pattern:
        return gettext(pattern) % {"number": of_round, "match": at}
    return match_title(round_, name, number)


def is_of_bracket(name: str) -> bool:
    """Whether a match has this name in a bracket, where it is no table of a round."""
    return name[:2] in ("WB", "LB", "GF", "TP")


def round_before(match: str, name: str, round_: str, number: int, *, is_double: bool) -> str:
    """The stored name of the round of `match`, by the one that waits for it: its name, its round and the number of that.

    A bracket of n winners’ rounds numbers them first, then those of the second chance, then the final.
    """
    kind, level = match[:2], int(match[2:].partition(".")[0])
    if kind == "LB":
        return f"Second chance, round {level}"
    if kind != "WB":
        return _ALONE.get(match.partition(".")[0], "")
    if not is_double:
        return "Semi-finals" if name[:2] == "TP" else _before(_titled(round_))
    if name[:2] == "WB":
        return "Semi-finals" if round_ == "Last two" else f"Round {level}"
    last = number - int(name[2:].partition(".")[0]) if name[:2] == "LB" else (number + 1) // 3
    return {0: "Last two", 1: "Semi-finals"}.get(last - level, f"Round {level}") if last > 1 else f"Round {level}"


def _before(round_: str) -> str:
    """The round before this one in a single elimination."""
    words, _, number = round_.rpartition(" ")
    if number.isdecimal():
        return f"{words} {2 * int(number) if words == 'Round of' else int(number) - 1}"
    return {"Final": "Semi-finals", "Semi-finals": "Quarter-finals"}.get(round_, "Round of 16")
