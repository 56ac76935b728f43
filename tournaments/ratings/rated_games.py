"""Games that count for ratings, with sides and ranks, read from tables and results.

A ruleset belongs to the family of the published ruleset it started from, regardless of its settings: a club that
plays Standard to 5,000 points still plays Standard. A ruleset that started from none is not rated.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from gameplay.models import Move, Seat, Table
from tournaments import seating, terms
from tournaments.models import Member, Pairing, Place, RatedGame, Result, Tournament

Kind = RatedGame.Kind


@dataclass(frozen=True)
class Game:
    """A game as the log keeps it; see `RatedGame`. With an empty pool it does not count."""

    kind: str
    source: int
    ended_at: datetime
    pool: str = ""
    sides: tuple[tuple[int, ...], ...] = ()
    side_size: int = 1
    ranks: tuple[int, ...] = ()
    tournament_id: int | None = None


def family(rules: Rules) -> str:
    """The published ruleset that a ruleset is rated under; empty where it is not rated."""
    return rules.name if rules.name in PRESETS else ""


# Tables that people made for themselves


def of_table(table: Table) -> Game | None:
    """The game of a rated table that is over; `None` where there is nothing to look at.

    A table of an event has none: there the result of the match counts, so that a correction does.
    """
    if not table.is_rated or table.status != Table.Status.OVER or table.result is None or _is_of_event(table):
        return None
    ended_at = table.ended_at or table.created_at
    sides, pool = _seated(table, table.seats.all()), family(table.rules)
    if not pool or not all(sides):
        return Game(Kind.TABLE, table.pk, ended_at)
    ranks = ranks_of_table(table.result, table.teams)
    return Game(Kind.TABLE, table.pk, ended_at, pool, sides, table.team_size, ranks)


def _is_of_event(table: Table) -> bool:
    return table.is_arranged or Pairing.objects.filter(table=table).exists()


def _seated(table: Table, seats: Iterable[Seat]) -> tuple[tuple[int, ...], ...]:
    """The people at a table by team."""
    people = sorted((seat.number, seat.user_id) for seat in seats if seat.user_id is not None)
    return tuple(tuple(user for number, user in people if number % table.teams == team) for team in range(table.teams))


def ranks_of_table(result: dict[str, Any], teams: int) -> tuple[int, ...]:
    """The place of each team, 1 the best, from a table’s result: by totals or by forfeits."""
    if result["reason"] != "played":
        return tuple(1 if team in result["winners"] else 2 for team in range(teams))
    return ranks_by(result["totals"])


def ranks_by(totals: Sequence[int]) -> tuple[int, ...]:
    """Places by points, shared where equal."""
    return tuple(1 + sum(other > total for other in totals) for total in totals)


# Matches of events


def of_tournament(tournament: Tournament) -> list[Game]:
    """The games of a rated tournament by its confirmed results. A fixed number of queries."""
    if not tournament.is_rated:
        return []
    pairings = Pairing.objects.filter(round__stage__tournament=tournament, result__status=Result.Status.CONFIRMED)
    pairings = pairings.select_related("round__stage__tournament", "result", "table").defer("table__snapshot")
    played = list(pairings.prefetch_related("places", "results", "table__seats").order_by("pk"))
    members = defaultdict[int, list[Member]](list)
    for member in Member.objects.filter(tournament=tournament):
        members[member.entry_id].append(member)
    moved = _moved(match.table_id for match in played if match.result and match.result.kind == Result.Kind.FORFEIT)
    by_round = {match.round_id: match.round for match in played}
    pools = {pk: family(terms.of_round(round_).rules) for pk, round_ in by_round.items()}
    games = (_of_match(match, pool, members, moved) for match in played if (pool := pools[match.round_id]))
    return [game for game in games if game is not None]


def _moved(table_ids: Iterable[int | None]) -> dict[int, set[int]]:
    """By table: the seats whose own players made a move."""
    seats = defaultdict[int, set[int]](set)
    moves = Move.objects.filter(table__in=[pk for pk in table_ids if pk], by=Move.By.PLAYER)
    for table_id, seat in moves.order_by().values_list("table_id", "seat").distinct():
        seats[table_id].add(seat)
    return seats


def _of_match(pairing: Pairing, pool: str, members: dict[int, list[Member]], moved: dict[int, set[int]]) -> Game | None:
    result, lines = pairing.result, pairing.result.lines if pairing.result else []
    if result is None or not _was_played(pairing, result, moved):
        return None
    numbers = _sides_of_lines(pairing, lines)
    order = sorted(set(numbers))
    ended_at = _first_reported(pairing, result)
    size = seating.side_size(pairing) * max(numbers.count(number) for number in order)
    if pairing.table is not None:
        sides, size = _seated(pairing.table, pairing.table.seats.all()), pairing.table.team_size
        counts = all(sides)
    else:
        sides = _at_venue(pairing, lines, numbers, members, ended_at)
        counts = all(len(side) == size for side in sides)
    people = [user for side in sides for user in side]
    if not counts or len(sides) != len(order) or len(order) < 2 or len(set(people)) < len(people):
        return None
    ranks = _ranks_of_lines(result, lines, numbers, order)
    return Game(Kind.MATCH, pairing.pk, ended_at, pool, sides, size, ranks, pairing.tournament_id)


def _was_played(pairing: Pairing, result: Result, moved: dict[int, set[int]]) -> bool:
    """Whether people met over a match: not so in a walkover. A match given up at its table was played until then."""
    if result.kind == Result.Kind.DOUBLE_FORFEIT:
        return False
    lost = [at for at, line in enumerate(result.lines) if line.get("forfeit")]
    if result.kind != Result.Kind.FORFEIT:
        return not lost
    if result.origin != Result.Origin.TABLE or pairing.table is None:
        return False
    numbers = _sides_of_lines(pairing, result.lines)
    order, teams = sorted(set(numbers)), {seat % pairing.table.teams for seat in moved.get(pairing.table.pk, ())}
    return all(order.index(numbers[at]) in teams for at in lost)


def _sides_of_lines(pairing: Pairing, lines: Sequence[dict[str, Any]]) -> list[int]:
    """Side of each line’s entry. The places may differ from a result that names other entries."""
    places = pairing.places.all()
    if len(places) == len(lines):
        return [place.side for place in places]
    return [line.get("side", at) for at, line in enumerate(lines)]


def _ranks_of_lines(
    result: Result, lines: Sequence[dict[str, Any]], numbers: list[int], order: list[int]
) -> tuple[int, ...]:
    """The place of each side; the side that goes through from a tied match was ahead."""
    if any(line.get("forfeit") for line in lines):
        lost = {number for number, line in zip(numbers, lines, strict=True) if line.get("forfeit")}
        return tuple(2 if number in lost else 1 for number in order)
    ranks = ranks_by([lines[numbers.index(number)].get("score") or 0 for number in order])
    ahead = {number for number, line in zip(numbers, lines, strict=True) if line["entry"] == result.winner_id}
    if not ahead:
        return ranks
    return tuple(1 if number in ahead else max(rank, 2) for number, rank in zip(order, ranks, strict=True))


def _first_reported(pairing: Pairing, result: Result) -> datetime:
    """Time of a match: when its result was first entered, so that a correction does not move it."""
    entries = {line["entry"] for line in result.lines}
    return min(old.at for old in (*pairing.results.all(), result) if {line["entry"] for line in old.lines} == entries)


def _at_venue(
    pairing: Pairing,
    lines: Sequence[dict[str, Any]],
    numbers: list[int],
    members: dict[int, list[Member]],
    at: datetime,
) -> tuple[tuple[int, ...], ...]:
    """Accounts of the players of a match at a real table, by side."""
    places: dict[int | None, Place] = {place.entry_id: place for place in pairing.places.all()}
    size = seating.side_size(pairing)
    by_side: dict[int, list[int]] = {number: [] for number in sorted(numbers)}
    for line, number in zip(lines, numbers, strict=True):
        fielded = places[line["entry"]].players if line["entry"] in places else []
        played = fielded_then(members.get(line["entry"], []), fielded, size, at)
        by_side[number] += [member.user_id for member in played if member.user_id is not None]
    return tuple(tuple(side) for side in by_side.values())


def fielded_then(members: Sequence[Member], fielded: Sequence[int], size: int, at: datetime) -> list[Member]:
    """Members of an entry who played a match at that time: those chosen for it, else its first ones then.

    Like `seating.fielded`, but at a past time: later departures are still in, later replacements are not.
    """
    agreed = [each for each in members if each.answer == Member.Answer.ACCEPTED]
    there = [each for each in agreed if not each.left_at or each.left_at > at]
    there.sort(key=lambda m: (m.role == Member.Role.RESERVE, m.position, not m.left_at, m.left_at or at, m.pk))
    first: list[Member] = []
    for each in there:
        before = next((earlier for earlier in first if earlier.left_at and earlier.position == each.position), None)
        if before is None or before.role != each.role:
            first.append(each)
    chosen: list[Member] = []
    for pk in fielded[:size]:
        player = next((each for each in members if each.pk == pk), None)
        if player is not None and player not in there:  # left before, so the replacement
            player = next((each for each in there if each.position == player.position and each.pk not in fielded), None)
        if player is not None and player not in chosen:
            chosen.append(player)
    return [*chosen, *(each for each in first if each not in chosen)][:size]
