"""Totals of each team and each person: matches, scores, books, going out, runs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext, gettext_noop, ngettext

from clubs.models import Team
from clubs.statistics import streaks
from clubs.statistics.queries import Match, Person
from web.text import number, per_cent


class Tally:
    """Sums over matches of one side."""

    def __init__(self) -> None:
        self.won = self.drawn = self.lost = 0
        self.scored_matches = self.scored = self.conceded = 0
        self.highest: int | None = None
        self.dealt = self.books = self.outs = 0
        """Deals of which books are known; books in them; how many of them this side ended by going out."""

    def add(self, match: Match, side: int) -> None:
        """Count a match, seen from one of its sides."""
        sign = match.sides[side].sign
        self.won += sign == "W"
        self.drawn += sign == "D"
        self.lost += sign == "L"
        if match.scores is not None:
            score = match.scores[side]
            self.scored_matches += 1
            self.scored += score
            self.conceded += match.scores[1 - side]
            self.highest = score if self.highest is None else max(score, self.highest)
        for deal in match.deals:
            if deal.books is not None:
                self.dealt += 1
                self.books += deal.books[side]
                self.outs += deal.out == side

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def average(self) -> int | None:
        """Card points per match, rounded; `None` if no score is known."""
        return rounded(self.scored, self.scored_matches)

    @property
    def average_against(self) -> int | None:
        """Card points of the other side."""
        return rounded(self.conceded, self.scored_matches)

    @property
    def books_a_deal(self) -> str:
        """`2.4`; empty if no score sheet is known."""
        return tenths(self.books, self.dealt)

    @property
    def outs_share(self) -> str:
        """The share of deals in which it went out first: `40%`; empty if no score sheet is known."""
        return "" if not self.dealt else per_cent(rounded(100 * self.outs, self.dealt) or 0)

    @property
    def wins_share(self) -> str:
        return "" if not self.played else per_cent(rounded(100 * self.won, self.played) or 0)


@dataclass(frozen=True)
class TeamLine:
    """A team with its sums and its longest runs."""

    team: Team
    tally: Tally
    wins: int
    unbeaten: int


@dataclass(frozen=True)
class PersonLine:
    """A person with the sums of the sides they played for."""

    person: Person
    teams: str
    """The teams they played for; empty for former members."""
    tally: Tally


@dataclass(frozen=True)
class Average:
    """Averages of a matchday."""

    number: int
    matches: int
    """Matches with scores."""
    score: int | None
    """Card points a side."""
    gap: int | None
    """Card points between the two sides."""
    books: str
    """Books a side and deal."""


def teams(matches: Sequence[Match]) -> list[TeamLine]:
    """The teams of some matches, the largest share of wins first."""
    tallies: dict[int, tuple[Team, Tally]] = {}
    for match in matches:
        for at, side in enumerate(match.sides):
            tallies.setdefault(side.team.pk, (side.team, Tally()))[1].add(match, at)
    wins = {streak.team.pk: streak.length for streak in streaks.won(matches)}
    unbeaten = {streak.team.pk: streak.length for streak in streaks.unbeaten(matches)}
    lines = [TeamLine(team, tally, wins.get(pk, 0), unbeaten.get(pk, 0)) for pk, (team, tally) in tallies.items()]
    return sorted(lines, key=lambda line: (_order(line.tally), line.team.name.casefold(), line.team.pk))


def people(matches: Sequence[Match]) -> list[PersonLine]:
    """The people who played, the largest share of wins first; former members last, without their names."""
    tallies: dict[int, tuple[Person, dict[str, None], Tally]] = {}
    for match in matches:
        if match.is_walkover:
            continue
        for at, side in enumerate(match.sides):
            for person in side.people:
                _, names, tally = tallies.setdefault(person.membership_id, (person, {}, Tally()))
                names[side.team.name] = None
                tally.add(match, at)
    lines = [
        PersonLine(person, ", ".join(names) if person.is_here else "", tally)
        for person, names, tally in tallies.values()
    ]
    return sorted(
        lines,
        key=lambda line: (
            not line.person.is_here,
            _order(line.tally),
            line.person.name.casefold(),
            line.person.membership_id,
        ),
    )


def _order(tally: Tally) -> tuple[Fraction, int]:
    share = Fraction(2 * tally.won + tally.drawn, 2 * tally.played) if tally.played else Fraction(0)
    return -share, -tally.played


def averages(matches: Iterable[Match]) -> list[Average]:
    """Averages of each matchday, over all divisions."""
    days: dict[int, list[Match]] = {}
    for match in matches:
        if match.division is not None and match.scores is not None:
            days.setdefault(match.number, []).append(match)
    return [_average(number, matches_of_day) for number, matches_of_day in sorted(days.items())]


def _average(number: int, matches: Sequence[Match]) -> Average:
    scores = [match.scores for match in matches if match.scores is not None]
    books = [each for match in matches for deal in match.deals for each in deal.books or ()]
    return Average(
        number=number,
        matches=len(scores),
        score=rounded(sum(map(sum, scores)), 2 * len(scores)),
        gap=rounded(sum(abs(first - second) for first, second in scores), len(scores)),
        books=tenths(sum(books), len(books)),
    )


@dataclass(frozen=True)
class HeadToHead:
    """Results of two teams against each other."""

    one: Team
    other: Team
    won: int
    drawn: int
    lost: int
    """From the side of the first."""
    scored: int
    conceded: int
    matches: tuple[tuple[Match, str], ...]
    """The last first, with the score as the first team has it."""

    @property
    def words(self) -> str:
        """`Lund / Arai won 3 of 5 matches against Haddad / Penrose, lost 1 and drew 1.`"""
        count = len(self.matches)
        if not count:
            return gettext("%(one)s and %(other)s have not met yet.") % {"one": self.one, "other": self.other}
        if self.drawn:
            words = ngettext(
                "%(one)s won %(won)s of %(count)s match against %(other)s and lost %(lost)s, and drew %(drawn)s.",
                "%(one)s won %(won)s of %(count)s matches against %(other)s and lost %(lost)s, and drew %(drawn)s.",
                count,
            )
        else:
            words = ngettext(
                "%(one)s won %(won)s of %(count)s match against %(other)s and lost %(lost)s.",
                "%(one)s won %(won)s of %(count)s matches against %(other)s and lost %(lost)s.",
                count,
            )
        return words % {
            "one": self.one,
            "other": self.other,
            "won": self.won,
            "lost": self.lost,
            "drawn": self.drawn,
            "count": count,
        }


def head_to_head(matches: Sequence[Match], first: Team, second: Team) -> HeadToHead:
    """Sum up the matches of two teams against each other."""
    tally, met = Tally(), []
    for match in matches:
        pks = [side.team.pk for side in match.sides]
        if set(pks) == {first.pk, second.pk}:
            side = pks.index(first.pk)
            tally.add(match, side)
            met.append((match, _score(match, side)))
    return HeadToHead(
        *(first, second, tally.won, tally.drawn, tally.lost, tally.scored, tally.conceded), matches=tuple(reversed(met))
    )


def _score(match: Match, side: int) -> str:
    if match.scores is None:
        signs = {"W": gettext_noop("won by walkover"), "L": gettext_noop("lost by walkover")}
        words = {"W": gettext_noop("won"), "L": gettext_noop("lost"), "D": gettext_noop("drawn")}
        return gettext((words | signs if match.is_walkover else words)[match.sides[side].sign])
    return f"{number(match.scores[side])} – {number(match.scores[1 - side])}"


# Numbers


def rounded(total: int, count: int) -> int | None:
    """A mean as a whole number, halves away from zero; `None` without values."""
    if not count:
        return None
    mean = (2 * abs(total) + count) // (2 * count)
    return mean if total >= 0 else -mean


def tenths(total: int, count: int) -> str:
    """A mean with one decimal; empty without values."""
    if not count:
        return ""
    tenth = rounded(10 * total, count) or 0
    return f"{tenth // 10}.{tenth % 10}"
