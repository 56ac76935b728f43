"""Statistics for spreadsheets: a line for each team, then one for each person."""

from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from clubs.exports import tables
from clubs.exports.tables import Cell
from clubs.statistics import totals
from clubs.statistics.queries import Match
from clubs.statistics.totals import Tally

HEAD = (
    *("kind", "name", "teams", "played", "won", "drawn", "lost", "average_score", "average_against", "highest_score"),
    *("deals_with_books", "books", "went_out_first", "longest_wins", "longest_unbeaten"),
)


def statistics_csv(zone: ZoneInfo, matches: Sequence[Match]) -> bytes:
    """Statistics of the teams and people of some matches, as CSV."""
    return tables.write(zone, HEAD, _lines(matches))


def _lines(matches: Sequence[Match]) -> Iterator[Sequence[Cell]]:
    for team in totals.teams(matches):
        yield ["team", team.team.name, None, *_sums(team.tally), team.wins, team.unbeaten]
    for person in totals.people(matches):
        yield ["person", person.person.name, person.teams, *_sums(person.tally), None, None]


def _sums(tally: Tally) -> list[Cell]:
    deals = [tally.dealt, tally.books, tally.outs] if tally.dealt else [None, None, None]
    return [
        *(tally.played, tally.won, tally.drawn, tally.lost, tally.average, tally.average_against, tally.highest),
        *deals,
    ]
