"""Records: the highest scores, the clearest and the closest matches, the longest runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from clubs.statistics import streaks
from clubs.statistics.queries import Match
from clubs.statistics.streaks import Streak
from web.text import number, several

MOST = 3
"""So many are named who share a record."""
FROM = 2
"""A run is of two matches at least."""


@dataclass(frozen=True)
class Holder:
    """Who holds a record, and in which match it was set."""

    team: str
    where: str
    url: str
    other: str = ""
    """The other team of the match."""
    score: str = ""
    """Of a result; without, it is only said against whom it was."""

    @property
    def names(self) -> str:
        """`Lund / Arai against Haddad / Penrose`, `Lund / Arai – Haddad / Penrose 5,200 – 1,200`."""
        if not self.other:
            return self.team
        return f"{self.team} {self.joined} {self.other} {self.score}".strip()

    @property
    def joined(self) -> str:
        """What stands between the two."""
        return "–" if self.score else gettext("against")


@dataclass(frozen=True)
class Record:
    """A record with all who hold it."""

    title: str
    value: str
    holders: tuple[Holder, ...]
    others: int
    """How many more hold it than are named."""


@dataclass(frozen=True)
class _Mark:
    """Something that could be a record: the higher the better."""

    size: int
    value: str
    holder: Holder


def records(matches: Sequence[Match]) -> list[Record]:
    """The records of some matches; those of which nothing is known are left out."""
    played = [one for one in matches if one.scores is not None]
    runs = [
        (gettext("Longest run of wins"), streaks.won),
        (gettext("Longest run without a defeat"), streaks.unbeaten),
    ]
    found = [
        _best(gettext("Highest score of a match"), _scores(played)),
        _best(gettext("Highest score of a deal"), _deals(played)),
        _best(gettext("Biggest win"), _wins(played)),
        _best(gettext("Closest match"), _closest(played)),
        _best(gettext("Most books in a deal"), _books(played)),
        *(_best(title, _runs(of(matches))) for title, of in runs),
    ]
    return [one for one in found if one is not None]


def _best(title: str, marks: Iterable[_Mark]) -> Record | None:
    own = list(marks)
    if not own:
        return None
    size = max(one.size for one in own)
    first = [one for one in own if one.size == size]
    return Record(title, first[0].value, tuple(one.holder for one in first[:MOST]), max(0, len(first) - MOST))


def _scores(matches: Iterable[Match]) -> Iterable[_Mark]:
    for one in matches:
        for side, score in enumerate(one.scores or ()):
            yield _Mark(score, number(score), _against(one, side))


def _deals(matches: Iterable[Match]) -> Iterable[_Mark]:
    for one in matches:
        for deal in one.deals:
            for side, points in enumerate(deal.points):
                yield _Mark(points, number(points), _against(one, side, _deal(deal.number)))


def _books(matches: Iterable[Match]) -> Iterable[_Mark]:
    for one in matches:
        for deal in one.deals:
            for side, count in enumerate(deal.books or ()):
                if count:
                    yield _Mark(count, several(count, "book"), _against(one, side, _deal(deal.number)))


def _wins(matches: Iterable[Match]) -> Iterable[_Mark]:
    for one in matches:
        first, second = one.scores or (0, 0)
        if first != second:
            ahead = 0 if first > second else 1
            size = abs(first - second)
            yield _Mark(size, gettext("by %(points)s") % {"points": number(size)}, _result(one, ahead))


def _closest(matches: Iterable[Match]) -> Iterable[_Mark]:
    for one in matches:
        first, second = one.scores or (0, 0)
        size = abs(first - second)
        value = gettext("%(points)s apart") % {"points": number(size)} if size else pgettext("of a match", "drawn")
        yield _Mark(-size, value, _result(one, 0 if first >= second else 1))


def _runs(found: Iterable[Streak]) -> Iterable[_Mark]:
    for one in found:
        if one.length >= FROM:
            where = gettext("from %(first)s to %(last)s") % {"first": one.first.where, "last": one.last.where}
            yield _Mark(one.length, several(one.length, "match", "matches"), Holder(str(one.team), where, one.last.url))


def _deal(number: int) -> str:
    return gettext("deal %(number)s") % {"number": number}


def _against(one: Match, side: int, detail: str = "") -> Holder:
    where = f"{one.where}, {detail}" if detail else one.where
    return Holder(str(one.sides[side].team), where, one.url, str(one.sides[1 - side].team))


def _result(one: Match, ahead: int) -> Holder:
    scores = one.scores or (0, 0)
    score = f"{number(scores[ahead])} – {number(scores[1 - ahead])}"
    return Holder(str(one.sides[ahead].team), one.where, one.url, str(one.sides[1 - ahead].team), score)
