"""A knockout at bigger tables: level by level, with scores and the entries that go through."""

from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext, ngettext

from tournaments import cuts, level_cuts, stage_standings, ties
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
    by: str = ""
    """What put it ahead of those it was tied with: `ahead by lot`."""


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
    planned, spans = level_cuts.levels(state), possible_ranks.of(state, ())
    winners, reasons = _winners(state), _reasons(state, len(planned))
    result = []
    for number, plan in enumerate(planned, 1):
        is_final = number == len(planned)
        round_ = state.round(number)
        fates = _Fates(set(), set()) if is_final else _fates(state, number, planned[number].entries, spans)
        tables = []
        for table in round_.tables if round_ else ():
            url = links.match(state.stage.number, table.row.name)
            match = match_of(table.row, table.places, entrants, url, live=live, corrected=corrected)
            tables.append(
                Table(
                    match,
                    tuple(_seat(side, fates, winners if is_final else None, reasons[number]) for side in match.sides),
                )
            )
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


def _winners(state: StageState) -> set[int]:
    """Ids of the entries that won the stage, once it is over; nobody while a tie for first place is undecided."""
    winners, is_shared = cuts.first(state)
    if len(winners) > 1 and not is_shared:
        return set()
    return {state.entries[place.entry].entry_id for place in winners}


def _reasons(state: StageState, last: int) -> dict[int, dict[int, str]]:
    """By level and id of an entry, what put it ahead of those it was tied with."""
    reasons: dict[int, dict[int, str]] = {}
    for number in range(1, last + 1):
        cuts = level_cuts.level_cut(state, number).settled if number < last and state.round(number) else ()
        by = {at: each for tie in cuts for at, each in tie.reasons().items()}
        reasons[number] = {state.entries[at].entry_id: ties.by_words(each) for at, each in by.items()}
    final = stage_standings.ranking(state) if stage_standings.is_played_out(state) else ()
    reasons[last] = {state.entries[place.entry].entry_id: ties.by_words(place.by) for place in final}
    return reasons


def _seat(side: Side, fates: _Fates, winners: Set[int] | None, reasons: Mapping[int, str]) -> Seat:
    ids = {entrant.pk for entrant in side.entrants}
    by = next((reasons[pk] for pk in ids if reasons.get(pk)), "")
    if winners is not None:
        return Seat(
            side, goes_on=False, is_out=bool(winners) and not ids & winners, is_champion=bool(ids & winners), by=by
        )
    return Seat(side, goes_on=bool(ids & fates.through), is_out=bool(ids & fates.out), by=by)
