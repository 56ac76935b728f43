"""The standings after a matchday in plain sentences, with what the matchday changed."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext, ngettext, pgettext, pgettext_lazy

from clubs.statistics.season_progress import Course
from engine.compete import explain
from web.text import join_words

CLIMB = 2
"""A move by at least this many places is mentioned."""
_ORDINALS = {
    1: pgettext_lazy("place of a table", "first"),
    2: pgettext_lazy("place of a table", "second"),
    3: pgettext_lazy("place of a table", "third"),
    4: pgettext_lazy("place of a table", "fourth"),
    5: pgettext_lazy("place of a table", "fifth"),
    6: pgettext_lazy("place of a table", "sixth"),
    7: pgettext_lazy("place of a table", "seventh"),
    8: pgettext_lazy("place of a table", "eighth"),
    9: pgettext_lazy("place of a table", "ninth"),
    10: pgettext_lazy("place of a table", "tenth"),
    11: pgettext_lazy("place of a table", "eleventh"),
    12: pgettext_lazy("place of a table", "twelfth"),
}


@dataclass(frozen=True)
class Standing:
    """Places of the teams of a division before and after a matchday, by id, because two can have one name."""

    names: dict[int, str]
    now: dict[int, int]
    before: dict[int, int]
    """Empty for the first matchday."""
    points: dict[int, Fraction]
    order: tuple[int, ...]
    """The best first."""

    def leaders(self, places: dict[int, int]) -> list[int]:
        """The teams in first place, by name."""
        return sorted(
            (team for team, place in places.items() if place == 1), key=lambda team: self.names[team].casefold()
        )

    def names_of(self, teams: Iterable[int]) -> list[str]:
        return [self.names[team] for team in teams]


def standing_after(course: Course | None, day: int) -> Standing | None:
    """The places after a matchday; `None` if the division had no results by then."""
    if course is None or day not in course.days:
        return None
    at = course.days.index(day)
    names = {line.team.pk: line.team.name for line in course.lines}
    now = {line.team.pk: line.places[at] for line in course.lines}
    before = {line.team.pk: line.places[at - 1] for line in course.lines} if at else {}
    order = sorted(now, key=lambda team: now[team])
    return Standing(names, now, before, {line.team.pk: line.points[at] for line in course.lines}, tuple(order))


# In words


def describe_standings(stood: Standing | None, *, is_last: bool) -> Iterable[str]:
    """Who leads, and who moved far, a sentence each; `is_last` for the last matchday of a season."""
    if stood is None or not stood.order:
        return
    first = stood.leaders(stood.now)
    names = stood.names_of(first)
    points = stood.points[first[0]]
    had = f"{explain.value(points)} {ngettext('point', 'points', 1 if points == 1 else 2)}"
    if is_last:
        finished = ngettext(
            "That was the last matchday: %(teams)s finished first with %(points)s.",
            "That was the last matchday: %(teams)s finished first with %(points)s.",
            len(names),
        )
        yield finished % {"teams": join_words(names), "points": had}
    elif len(first) > 1:
        yield gettext("%(teams)s share the lead with %(points)s each.") % {"teams": join_words(names), "points": had}
    else:
        yield _lead(stood, first[0], had)
    moved = [
        (stood.before[at] - place, stood.names[at], place, at) for at, place in stood.now.items() if at in stood.before
    ]
    up, down = max(moved, default=None), min(moved, default=None)
    if up and up[0] >= CLIMB and up[3] not in first:
        yield gettext("%(team)s went up from %(was)s to %(now)s.") % {
            "team": up[1],
            "was": ordinal(up[2] + up[0]),
            "now": ordinal(up[2]),
        }
    if down and -down[0] >= CLIMB:
        yield gettext("%(team)s went down from %(was)s to %(now)s.") % {
            "team": down[1],
            "was": ordinal(down[2] + down[0]),
            "now": ordinal(down[2]),
        }


def _lead(stood: Standing, team: int, had: str) -> str:
    name, was = stood.names[team], stood.leaders(stood.before)
    values = {"team": name, "points": had, "others": join_words(stood.names_of(was))}
    if not was:
        start = gettext("%(team)s went ahead with %(points)s") % values
    elif team in was:
        start = gettext("%(team)s stayed ahead with %(points)s") % values
    else:
        start = gettext("%(team)s took the lead from %(others)s with %(points)s") % values
    rest = [other for other in stood.order if other != team]
    if not rest:
        return f"{start}."
    second = stood.names[rest[0]]
    ahead = stood.points[team] - stood.points[rest[0]]
    if ahead > 0:
        return gettext("%(start)s, %(points)s more than %(team)s.") % {
            "start": start,
            "points": explain.value(ahead),
            "team": second,
        }
    return gettext("%(start)s. %(team)s had as many, but was behind on the tie-break.") % {
        "start": start,
        "team": second,
    }


def list_places(stood: Standing | None) -> str:
    """Everybody's place, a line each."""
    if stood is None:
        return ""
    lines = [_place(stood, team) for team in stood.order]
    return "\n".join([gettext("Standings:"), *lines])


def _place(stood: Standing, team: int) -> str:
    name = stood.names[team]
    return f"{stood.now[team]}. {name}{direction_mark(name)}, {explain.value(stood.points[team])}"


def ordinal(place: int) -> str:
    """`first` to `twelfth`, then `13th`."""
    if place in _ORDINALS:
        return str(_ORDINALS[place])
    return pgettext("place of a table", "%(place)sth") % {"place": place}


def direction_mark(name: str) -> str:
    """A mark after a right-to-left name, so that figures after it keep their order."""
    return "\u200e" if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name) else ""
