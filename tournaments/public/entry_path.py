"""An entry's path through an event: opponents, results, next match, and possible places."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from engine.compete import explain
from tournaments import stage_standings
from tournaments.duplicate.movement import all_tables
from tournaments.models import Entry, Pairing, Stage
from tournaments.public import corrections, possible_ranks
from tournaments.public.crosstable import out_words
from tournaments.public.live import Playing
from tournaments.public.matches import Match, matches_of
from tournaments.public.names import Entrant, Links
from tournaments.public.tiebreak_text import total_words
from tournaments.round_names import round_name
from tournaments.stage_state import RoundState, StageState, TableState
from web.text import join_words, ordinal


@dataclass(frozen=True)
class Step:
    """A round of an entry: a match, or the reason why there was none."""

    round: str
    match: Match | None
    partners: str
    against: str
    score: str
    """Card points, the entry's own first."""
    outcome: str
    """`won`, `drew`, `lost`, `2nd of 4`, or empty while it is open."""
    points: str
    """Match points; empty where card points add up, which match points are no part of."""
    words: str = ""
    """The reason without a match: `bye`."""


@dataclass(frozen=True)
class Stretch:
    """An entry in one stage."""

    stage: Stage
    url: str
    steps: tuple[Step, ...]
    group: int
    points: str
    rank: str
    range: str
    """Its possible places, in a sentence."""


def stretch(
    state: StageState, entry: Entry, entrants: Mapping[int, Entrant], links: Links, *, live: Playing
) -> Stretch | None:
    """The entry's part of a stage; `None` if it is not in it."""
    at = state.position_of.get(entry.pk)
    if at is None:
        return None
    changed = corrections.corrected(state.stage)
    steps = [step for round_ in state.rounds for step in _steps(state, round_, at, entrants, links, live, changed)]
    group = state.entries[at].group
    rows = [] if state.plan.is_bracket else list(stage_standings.table(state, group=group))
    standing = next((row for row in rows if row.entry == at), None)
    spans = possible_ranks.of(state, rows, group=group)
    has_ranks = state.plan.format in ("ladder", "pod_knockout") or not rows
    ranks = (
        {place.entry: place.rank for place in stage_standings.ranking(state)}
        if has_ranks
        else {row.entry: row.rank for row in rows}
    )
    has_begun = any(step.outcome for step in steps) and (standing is None or not standing.is_removed)
    is_over = state.stage.status == Stage.Status.OVER
    sentence = possible_ranks.sentence(spans.get(at), len(rows) or len(state.entries), is_over=is_over)
    return Stretch(
        stage=state.stage,
        url=links.stage(state.stage.number),
        steps=tuple(steps),
        group=group,
        points=total_words(standing.points) if standing is not None and not has_ranks else "",
        rank=str(ranks.get(at, "")) if has_begun else "",
        range=sentence if has_begun else "",
    )


def _steps(
    state: StageState,
    round_: RoundState,
    at: int,
    entrants: Mapping[int, Entrant],
    links: Links,
    live: Playing,
    changed: set[int],
) -> list[Step]:
    steps = []
    for table in round_.tables:
        if at in table.known:
            (match,) = matches_of([table], entrants, links, state.stage.number, live=live, corrected=changed)
            steps.append(_step(round_, table, match, at, entrants, state))
    entry_id = state.entries[at].entry_id
    for out in round_.sit_outs:
        if out.entry_id == entry_id:
            worth = explain.value(out.points) if out.points and not state.plan.counts_cards else ""
            steps.append(Step(round_name(round_.row.name), None, "", "", "", "", worth, out_words(out.kind)))
    return steps


def _step(
    round_: RoundState, table: TableState, match: Match, at: int, entrants: Mapping[int, Entrant], state: StageState
) -> Step:
    name = entrants[state.entries[at].entry_id]
    own_side = next(side for side in match.sides if name in side.entrants)
    opponents = [side for side in match.sides if side is not own_side]
    if table.row.status == Pairing.Status.IDLE:
        return Step(round_name(round_.row.name), match, "", "", "", "", "", match.note)
    return Step(
        round=round_name(round_.row.name),
        match=match,
        partners=join_words(each.name for each in own_side.entrants if each != name),
        against=join_words(side.names for side in opponents),
        score=" – ".join(side.score for side in (own_side, *opponents)) if own_side.score else "",
        outcome=outcome_words(match, name),
        points="" if state.plan.counts_cards else own_side.points,
    )


def outcome_words(match: Match, name: Entrant) -> str:
    """The outcome of a match for one of its entries; empty while it is open."""
    own_side = next((side for side in match.sides if name in side.entrants), None)
    if own_side is None or own_side.place is None:
        return ""
    if len(match.sides) > 2:
        return gettext("%(place)s of %(count)s") % {"place": ordinal(own_side.place), "count": len(match.sides)}
    if not own_side.has_won:
        return gettext("lost")
    return gettext("drew") if all(side.has_won for side in match.sides) else gettext("won")


def next_step(stretches: list[Stretch]) -> Step | None:
    """The match that the entry plays next, or is playing."""
    steps = [step for each in stretches for step in each.steps if step.match is not None and step.match.is_open]
    return steps[0] if steps else None


def next_boards(stretches: list[Stretch]) -> str:
    """The boards of the next match and where they go, after those that the entry just played; empty without boards."""
    for each in stretches:
        played = [step.match.pairing.pk for step in each.steps if step.match is not None and not step.match.is_open]
        coming = [step.match.pairing.pk for step in each.steps if step.match is not None and step.match.is_open]
        if coming:
            way = all_tables(each.stage)
            before, after = way.get(played[-1] if played else 0), way.get(coming[0])
            parts = [before.move_words if before else "", f"{after.title}. {after.next_words}" if after else ""]
            return " ".join(part for part in parts if part)
    return ""
