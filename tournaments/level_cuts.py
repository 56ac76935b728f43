"""A knockout at bigger tables: its levels, and the entries that go through from each, with every tie at a cut settled."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext

from engine.compete.pairing import knockout_pods
from engine.compete.records import Played
from engine.compete.ties import Settled
from tournaments import ties
from tournaments.stage_state import StageState, TableState


def levels(state: StageState, number: int = 0) -> tuple[knockout_pods.Level, ...]:
    """The levels of a knockout at bigger tables, from all entries down to the final.

    Where ties let more entries through than planned, the later levels follow from their number. `number` is the level
    that is being drawn, 0 for none.
    """
    plan = state.plan
    planned = list(_planned(state, len(state.entries)))
    for at in range(2, len(state.rounds) + 1):
        seated = len(_seated(state, at))
        if seated and (at > len(planned) or seated > planned[at - 1].entries):
            planned[at - 1 :] = _planned(state, seated)
    if plan.cut_tie == "all" or state.stage.ties_json:
        count = len(survivors(state, number)) if 1 < number <= len(planned) else 0
        if count and count > planned[number - 1].entries:
            planned[number - 1 :] = _planned(state, count)
    return tuple(planned)


def _planned(state: StageState, entries: int) -> tuple[knockout_pods.Level, ...]:
    plan = state.plan
    return plan.levels(entries)


def _seated(state: StageState, number: int) -> list[int]:
    return [at for table in tables_of(state, number) for at in table.known]


@dataclass(frozen=True)
class LevelCut:
    """Entries that go through from a level, best first, or those that are tied for the last places.

    `settled` are the ties at its cuts, each with what settled it.
    """

    through: tuple[int, ...]
    undecided: tuple[int, ...]
    settled: tuple[Settled, ...]

    def is_settled(self, level: knockout_pods.Level, table: Played) -> bool:
        """Whether it is settled who goes through from a decided table by place."""
        for tied, places in knockout_pods.tied_at_tables([table], level):
            result = next((each for each in self.settled if set(each.order) == set(tied)), None)
            return result is not None and not result.across(places)[0]
        return True


def level_cut(state: StageState, number: int) -> LevelCut:
    """The cut after a level, by its decided tables; lots are drawn once all are."""
    round_ = state.round(number)
    tables, level = level_tables(state, number), _level_of(state, number)
    draws = round_ is not None and round_.is_complete
    settled: list[Settled] = []
    admitted: set[int] = set()
    still_tied = [
        _settle(state, tied, places, number, settled, admitted, draws=draws)
        for tied, places in knockout_pods.tied_at_tables(tables, level)
    ]
    tied, places = knockout_pods.tied_others(tables, level, ranking_key(tables, settled), admitted=admitted)
    if tied and not _matter(still_tied, tables, level, settled, admitted):
        still_tied.append(_settle(state, tied, places, number, settled, admitted, draws=draws))
    undecided = _matter(still_tied, tables, level, settled, admitted)
    through = knockout_pods.advancing_entries(tables, level, ranking_key(tables, settled), admitted=admitted)
    return LevelCut(through, undecided, tuple(settled))


def _matter(
    still_tied: Sequence[tuple[int, ...]],
    tables: Sequence[Played],
    level: knockout_pods.Level,
    settled: Sequence[Settled],
    admitted: set[int],
) -> tuple[int, ...]:
    """The first tie that decides who goes through: not all of its entries do, whoever is ahead."""
    through = knockout_pods.advancing_entries(tables, level, ranking_key(tables, settled), admitted=admitted)
    return next((tied for tied in still_tied if not set(tied) <= set(through)), ())


def _settle(
    state: StageState,
    tied: Sequence[int],
    places: int,
    number: int,
    settled: list[Settled],
    admitted: set[int],
    *,
    draws: bool,
) -> tuple[int, ...]:
    """Settle one tie and note it. Returns the entries that stay tied across the line."""
    result = ties.settle_tie(state, tied, number, draws=draws)
    settled.append(result)
    across, left = result.across(places)
    still_in = set(state.active(number + 1)) & set(across)
    if result.shared == "all" or len(still_in) <= left:
        admitted.update(still_in)
        return ()
    return across


def _level_of(state: StageState, number: int) -> knockout_pods.Level:
    planned = levels(state)
    return planned[min(number, len(planned)) - 1]


def ranking_key(tables: Sequence[Played], settled: Sequence[Settled] = ()) -> Callable[[int], tuple[int, int, int]]:
    """Key for equals within a level, lowest first: card points, then the settled ties, then the seed.

    The seed orders the next draw only: whoever goes through is settled before.
    """
    totals = {at: score for table in tables for at, score in zip(table.entries, table.scores, strict=True)}
    place: Mapping[int, int] = {at: place for tie in settled for place, at in enumerate(tie.order)}
    return lambda at: (-totals.get(at, 0), place.get(at, 0), at)


def survivors(state: StageState, number: int) -> list[int]:
    """Entries of a level, best first: all at the first, then those that go through from the one before.

    Raises `ties.Undecided` with a question for the organisers if a tie decides who goes through, and nothing settles it.
    """
    if number == 1:
        return state.active(1)
    cut = level_cut(state, number - 1)
    if cut.undecided:
        raise ties.Undecided(question(state, cut.undecided), cut.undecided)
    return [at for at in cut.through if at in set(state.active(number))]


def question(state: StageState, tied: Sequence[int]) -> str:
    """The question for the organisers about a tie at a cut."""
    return gettext("Tied at the cut: %(names)s. Decide the tie.") % {"names": ties.names(state, tied)}


def level_tables(state: StageState, number: int) -> tuple[Played, ...]:
    """The decided tables of a level, each with the entries that can go through.

    If nobody played because some did not come, the entries that came are tied.
    """
    tables = []
    for table in tables_of(state, number):
        seats = list(zip(table.entries, table.places, strict=True))
        is_played = any(place.score is not None for place in table.places)
        came = [
            (at, place) for at, place in seats if at and (place.score is not None if is_played else place.rank == 1)
        ]
        if table.is_decided and came:
            points = tuple(Fraction(place.points or 0) for _, place in came)
            tables.append(Played(tuple(at for at, _ in came), points, tuple(place.score or 0 for _, place in came)))
    return tuple(tables)


def tables_of(state: StageState, number: int) -> list[TableState]:
    """The tables of a level; none before it is drawn."""
    round_ = state.round(number)
    return round_.tables if round_ else []
