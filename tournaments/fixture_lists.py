"""Fixtures of a round robin that somebody else drew: the rounds in order, each with its matches."""

from collections.abc import Collection, Sequence
from typing import Any

from django.utils.translation import gettext

from engine.compete.fixtures import MOST
from engine.compete.records import CannotPair, Drawn
from web.errors import Refused

Fixtures = tuple[tuple[tuple[int, int], ...], ...]
"""For each round its matches, as places in the draw from 1, the home side first."""
MOST_ROUNDS = 60


def read_fixtures(value: Any) -> Fixtures:
    """Fixtures from JSON. Raises `Refused`."""
    wrong = Refused(
        "bad_plan",
        gettext("Fixtures need a list of matches for each round, with two places in the draw for each match."),
    )
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > MOST_ROUNDS:
        raise wrong
    try:
        rounds = tuple(tuple((home, away) for home, away in matches) for matches in value)
    except (TypeError, ValueError):
        raise wrong from None
    for matches in rounds:
        places = [place for match in matches for place in match]
        if not places or not all(type(place) is int and 1 <= place <= MOST for place in places):
            raise wrong
        if len(set(places)) < len(places):
            raise Refused("bad_plan", gettext("In the fixtures, an entry plays twice in one round."))
    return rounds


def drawn(fixtures: Fixtures, entries: int) -> tuple[Drawn, ...]:
    """The rounds of fixtures with so many entries; who is in none of a round’s matches has a bye. Raises
    `CannotPair`."""
    places = {place for matches in fixtures for match in matches for place in match}
    if places != set(range(1, entries + 1)):
        raise CannotPair(gettext("The fixtures are not those of %(entries)s entries.") % {"entries": entries})
    return tuple(
        Drawn(matches, tuple(sorted(places - {place for match in matches for place in match}))) for matches in fixtures
    )


def without(each: Drawn, gone: Collection[int]) -> Drawn:
    """A round without the matches of places that have left; their opponents have a bye."""
    tables = tuple(match for match in each.tables if not set(match) & set(gone))
    playing = {place for match in tables for place in match}
    everyone = {*each.byes, *(place for match in each.tables for place in match)}
    return Drawn(tables, tuple(sorted(everyone - playing - set(gone))))
