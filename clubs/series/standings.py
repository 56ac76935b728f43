"""Standings of a series: people by their evenings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext, ngettext

from accounts.display_names import FORMER, folded
from clubs.models import Club, Membership, Series
from clubs.series.evenings import Evening, evenings_of, figures
from engine.compete import series
from engine.compete.series import AVERAGE, BEST, MEASURES, PERCENT, WAYS, Result, SeriesRow
from tournaments.models import Member
from tournaments.public.tiebreak_text import total_words

Person = str
"""Someone in a series: a member of the club, an account, or a name."""


@dataclass(frozen=True)
class Cell:
    """A person's evening."""

    words: str
    is_dropped: bool


@dataclass(frozen=True)
class Row:
    """A person in the standings."""

    place: str
    name: str
    total: str
    cells: tuple[Cell, ...]
    note: str
    """`2 of 5 evenings`: not enough for an average."""
    line: SeriesRow[Person]


@dataclass(frozen=True)
class Board:
    """The standings of a series."""

    evenings: tuple[Evening, ...]
    rows: tuple[Row, ...]

    @property
    def is_public(self) -> bool:
        """Whether everyone can see all of its evenings."""
        return all(evening.is_public for evening in self.evenings)

    @property
    def winners(self) -> list[str]:
        """The people in first place."""
        return [row.name for row in self.rows if row.line.rank == 1]


def rule_words(this_series: Series) -> str:
    """How a series counts: `Points of the evening. Each person’s best 3 evenings count.`"""
    measure, count = gettext(MEASURES[this_series.measure][0]), this_series.number
    if this_series.way == BEST:
        way = ngettext("Each person’s best evening counts.", "Each person’s best %(count)s evenings count.", count) % {
            "count": count
        }
    elif this_series.way == AVERAGE and count > 1:
        way = gettext("The average of all evenings counts, from %(count)s evenings on.") % {"count": count}
    else:
        way = gettext(WAYS[this_series.way][1])
    return f"{measure}. {way}"


def board(this_series: Series) -> Board:
    """The standings over all evenings so far: three queries, and those of evenings that are not cached."""
    evenings = evenings_of(this_series)
    people, names = _people(this_series.club, evenings)
    worths = []
    for evening in evenings:
        by_entry = people[evening.event.pk]
        results = [
            Result(tuple(by_entry[each.entry]), each.points, each.rank, each.won, each.most)
            for each in figures(evening.event)
            if each.entry in by_entry
        ]
        worths.append(series.worth(results, this_series.measure))
    lines = series.standings(worths, this_series.counting)
    return Board(tuple(evenings), tuple(_row(line, lines, names, this_series) for line in lines))


def _row(
    line: SeriesRow[Person], lines: Sequence[SeriesRow[Person]], names: Mapping[Person, str], this_series: Series
) -> Row:
    is_percent = this_series.measure == PERCENT
    is_shared = sum(other.rank == line.rank for other in lines) > 1
    place, note = "–", ""
    if line.rank is not None:
        place = f"{line.rank}{'=' if is_shared else ''}"
    else:
        note = gettext("%(played)s of %(needed)s evenings") % {"played": line.played, "needed": this_series.number}
    cells = tuple(
        Cell(
            "–" if value is None else shown(value, is_percent=is_percent), value is not None and at not in line.counted
        )
        for at, value in enumerate(line.values)
    )
    return Row(place, names[line.person], shown(line.total, is_percent=is_percent), cells, note, line)


def shown(value: Fraction, *, is_percent: bool = False) -> str:
    """A figure as pages show it: `12½`, `6,420`, `58.33`."""
    if is_percent:
        return f"{float(value):.2f}"
    return total_words(value)


# People


def _people(club: Club, evenings: Sequence[Evening]) -> tuple[dict[int, dict[int, list[Person]]], dict[Person, str]]:
    """By event and entry the people who played, and their names: two queries.

    Someone is the member of the club that a name was linked to, or whose account or name it is; else the account, or the
    name alone. Former members without a name are told apart.
    """
    events = [evening.event.pk for evening in evenings]
    rows = Member.objects.filter(
        tournament__in=events, left_at=None, role=Member.Role.PLAYER, answer=Member.Answer.ACCEPTED
    )
    members = list(rows.select_related("appearance__membership").order_by("tournament", "entry", "position", "pk"))
    of_club = sorted(Membership.objects.filter(club=club), key=lambda each: each.left_at is None)
    accounts: dict[int | None, Membership] = {each.user_id: each for each in of_club if each.user_id is not None}
    by_name = {folded(each.name): each for each in of_club if each.left_at is None}
    people: dict[int, dict[int, list[Person]]] = {pk: defaultdict(list) for pk in events}
    names: dict[Person, str] = {}
    met: dict[int, set[Person]] = defaultdict(set)
    for member in members:
        person, name = _person(club, member, accounts, by_name)
        if person in met[member.tournament_id]:  # two people of one name on one evening
            person = f"{person} {member.pk}"
        met[member.tournament_id].add(person)
        names[person] = name
        people[member.tournament_id][member.entry_id].append(person)
    return people, names


def _person(
    club: Club, member: Member, accounts: Mapping[int | None, Membership], by_name: Mapping[str, Membership]
) -> tuple[Person, str]:
    appearance = getattr(member, "appearance", None)
    linked = appearance.membership if appearance is not None and appearance.membership.club_id == club.pk else None
    if member.name == FORMER:
        return f"former:{member.pk}", member.name
    membership = (
        linked or accounts.get(member.user_id) or (None if member.user_id else by_name.get(folded(member.name)))
    )
    if membership is not None:
        return f"member:{membership.pk}", membership.name
    return (f"user:{member.user_id}" if member.user_id else f"name:{folded(member.name)}"), member.name
