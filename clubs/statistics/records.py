"""Records: the highest scores, the clearest and the closest matches, the longest runs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from clubs.statistics import streaks
from clubs.statistics.queries import Match
from clubs.statistics.streaks import Streak
from web.text import number, several

MOST = 3
"""Most holders named for one record."""
FROM = 2
"""Least number of matches in a run."""


@dataclass(frozen=True)
class Holder:
    """The holder of a record, and the match in which it was set."""

    team: str
    where: str
    url: str
    other: str = ""
    """The other team of the match."""
    score: str = ""
    """The score of a result; without it, only the opponent is named."""

    @property
    def names(self) -> str:
        """`Lund / Arai against Haddad / Penrose`, `Lund / Arai – Haddad / Penrose 5,200 – 1,200`."""
        if not self.other:
            return self.team
        return f"{self.team} {self.joined} {self.other} {self.score}".strip()

    @property
    def joined(self) -> str:
        """The word or dash between the two teams."""
        return "–" if self.score else gettext("against")


@dataclass(frozen=True)
class Record:
    """A record with its holders."""

    title: str
    value: str
    holders: tuple[Holder, ...]
    others: int
    """Number of holders not named."""


@dataclass(frozen=True)
class _Mark:
    """A candidate for a record: the higher, the better."""

    size: int
    value: str
    holder: Holder


def records(matches: Sequence[Match]) -> list[Record]:
    """The records of some matches, without unknown ones."""
    played = [match for match in matches if match.scores is not None]
    runs = [(gettext("Longest run of wins"), streaks.won), (gettext("Longest run without a defeat"), streaks.unbeaten)]
    best = [
        _best(gettext("Highest score of a match"), _scores(played)),
        _best(gettext("Highest score of a deal"), _deals(played)),
        _best(gettext("Biggest win"), _wins(played)),
        _best(gettext("Closest match"), _closest(played)),
        _best(gettext("Most books in a deal"), _books(played)),
        *(_best(title, _runs(of(matches))) for title, of in runs),
    ]
    return [record for record in best if record is not None]


def _best(title: str, marks: Iterable[_Mark]) -> Record | None:
    all_marks = list(marks)
    if not all_marks:
        return None
    size = max(mark.size for mark in all_marks)
    first = [mark for mark in all_marks if mark.size == size]
    return Record(title, first[0].value, tuple(mark.holder for mark in first[:MOST]), max(0, len(first) - MOST))


def _scores(matches: Iterable[Match]) -> Iterable[_Mark]:
    for match in matches:
        for side, score in enumerate(match.scores or ()):
            yield _Mark(score, number(score), _against(match, side))


def _deals(matches: Iterable[Match]) -> Iterable[_Mark]:
    for match in matches:
        for deal in match.deals:
            for side, points in enumerate(deal.points):
                yield _Mark(points, number(points), _against(match, side, _deal(deal.number)))


def _books(matches: Iterable[Match]) -> Iterable[_Mark]:
    for match in matches:
        for deal in match.deals:
            for side, count in enumerate(deal.books or ()):
                if count:
                    yield _Mark(count, several(count, "book"), _against(match, side, _deal(deal.number)))


def _wins(matches: Iterable[Match]) -> Iterable[_Mark]:
    for match in matches:
        first, second = match.scores or (0, 0)
        if first != second:
            ahead = 0 if first > second else 1
            size = abs(first - second)
            yield _Mark(size, gettext("by %(points)s") % {"points": number(size)}, _result(match, ahead))


def _closest(matches: Iterable[Match]) -> Iterable[_Mark]:
    for match in matches:
        first, second = match.scores or (0, 0)
        size = abs(first - second)
        value = gettext("%(points)s apart") % {"points": number(size)} if size else pgettext("of a match", "drawn")
        yield _Mark(-size, value, _result(match, 0 if first >= second else 1))


def _runs(runs: Iterable[Streak]) -> Iterable[_Mark]:
    for run in runs:
        if run.length >= FROM:
            where = gettext("from %(first)s to %(last)s") % {"first": run.first.where, "last": run.last.where}
            yield _Mark(run.length, several(run.length, "match", "matches"), Holder(str(run.team), where, run.last.url))


def _deal(number: int) -> str:
    return gettext("deal %(number)s") % {"number": number}


def _against(match: Match, side: int, detail: str = "") -> Holder:
    where = f"{match.where}, {detail}" if detail else match.where
    return Holder(str(match.sides[side].team), where, match.url, str(match.sides[1 - side].team))


def _result(match: Match, ahead: int) -> Holder:
    scores = match.scores or (0, 0)
    score = f"{number(scores[ahead])} – {number(scores[1 - ahead])}"
    return Holder(str(match.sides[ahead].team), match.where, match.url, str(match.sides[1 - ahead].team), score)
