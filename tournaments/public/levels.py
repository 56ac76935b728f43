"""A knockout at bigger tables: level by level, with scores and the entries that go through."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext, ngettext

from tournaments import expected_rounds
from tournaments.public import possible_ranks
from tournaments.public.live import Playing
from tournaments.public.matches import Match, Side, match_of
from tournaments.public.names import Entrant, Links
from tournaments.public.possible_ranks import Span
from tournaments.stage_state import StageState
from web.text import several


@dataclass(frozen=True)
class Seat:
    """An entry at a table of a level."""

    side: Side
    goes_on: bool
    is_out: bool
    is_champion: bool = False


@dataclass(frozen=True)
class Table:
    """A table of a level, best first once it is finished."""

    match: Match
    seats: tuple[Seat, ...]


@dataclass(frozen=True)
class Level:
    """A level: its sizes and its tables; it has none until the level above is finished."""

    anchor: str
    title: str
    remark: str
    tables: tuple[Table, ...]
    to_come: str
    """The tables and entries of a level that is not drawn yet."""


def levels(
    state: StageState, entrants: Mapping[int, Entrant], links: Links, *, live: Playing, corrected: Collection[int]
) -> tuple[Level, ...]:
    """The levels of a stage, from all entries down to the final."""
    planned, spans = expected_rounds.levels(state), possible_ranks.of(state, ())
    result = []
    for number, plan in enumerate(planned, 1):
        is_final = number == len(planned)
        round_ = state.round(number)
        fates = _Fates(set(), set()) if is_final else _fates(state, number, planned[number].entries, spans)
        tables = []
        for table in round_.tables if round_ else ():
            url = links.match(state.stage.number, table.row.name)
            match = match_of(table.row, table.places, entrants, url, live=live, corrected=corrected)
            tables.append(Table(match, tuple(_seat(side, fates, is_final=is_final) for side in match.sides)))
        result.append(
            Level(
                anchor=f"level-{number}",
                title=gettext("Final") if is_final else gettext("Round %(number)s") % {"number": number},
                remark=_remark(plan.advance, plan.best_others, is_final=is_final),
                tables=tuple(tables),
                to_come=""
                if round_
                else f"{several(len(plan.sizes), 'table')}, {several(plan.entries, 'entry', 'entries')}",
            )
        )
    return tuple(result)


def _remark(advance: int, others: int, *, is_final: bool) -> str:
    if is_final:
        return gettext("First place wins.")
    if not others:
        return ngettext(
            "The first of each table goes through.", "The first %(count)s of each table go through.", advance
        ) % {"count": advance}
    text = ngettext(
        "The first of each table, and %(others)s go through.",
        "The first %(count)s of each table, and %(others)s go through.",
        advance,
    )
    return text % {"count": advance, "others": several(others, "best other")}


class _Fates(NamedTuple):
    """Ids of the entries that certainly go through, and of those that are out."""

    through: set[int]
    out: set[int]


def _fates(state: StageState, number: int, room: int, spans: Mapping[int, Span]) -> _Fates:
    """Certain fates at a level from which `room` entries go through: by the next draw, else by the possible places."""
    here = {at for table in round_.tables for at in table.known} if (round_ := state.round(number)) else set()
    if following := state.round(number + 1):
        through = {at for table in following.tables for at in table.known}
        out = here - through
    else:
        through = {at for at in here if at in spans and spans[at][1] <= room}
        out = {at for at in here if at in spans and spans[at][0] > room}
    ids = {at: part.entry_id for at, part in state.entries.items()}
    return _Fates({ids[at] for at in through}, {ids[at] for at in out})


def _seat(side: Side, fates: _Fates, *, is_final: bool) -> Seat:
    if is_final:
        return Seat(side, goes_on=False, is_out=side.has_lost, is_champion=side.has_won)
    ids = {entrant.pk for entrant in side.entrants}
    return Seat(side, goes_on=bool(ids & fates.through), is_out=bool(ids & fates.out))
