"""A bracket as it is drawn: columns of matches, in the winners' half and in the second chance."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext

from engine.compete.pairing import knockout
from tournaments import expected_rounds, stage_standings, ties
from tournaments.models import Round
from tournaments.public import possible_ranks
from tournaments.public.live import Playing
from tournaments.public.matches import Match, matches_of
from tournaments.public.names import Entrant, Links
from tournaments.round_names import round_name
from tournaments.stage_state import RoundState, StageState
from web.text import date_and_time, several

ONE_SHEET = 16
"""Most entries of a bracket on one sheet of paper."""


@dataclass(frozen=True)
class Column:
    """A round as a column. A box is empty if no entry can reach it."""

    anchor: str
    title: str
    remark: str
    flow: str
    """Its lines: `merge` (two to one), `thru` (one to one), `from` (a line from the left)."""
    boxes: tuple[Match | None, ...]
    is_now: bool


@dataclass(frozen=True)
class Half:
    """The winners' bracket, or the second chance."""

    anchor: str
    title: str
    remark: str
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Place:
    """The place of an entry, or its possible places."""

    entrant: Entrant
    words: str
    is_certain: bool
    by: str = ""
    """What put it ahead of those it was tied with: `ahead by lot`."""


@dataclass(frozen=True)
class Drawn:
    """A whole bracket, its match for third place, and the places it led to so far."""

    halves: tuple[Half, ...]
    third: Match | None
    places: tuple[Place, ...]
    columns: int
    """Columns of the widest half."""
    codes: tuple[str, ...]
    """What the short names in its boxes mean: `SF 1: semi-final 1`."""
    paper: str
    """Its printout: `one` sheet, `two` with a sheet for each half, or `many`."""


def drawn(
    state: StageState, entrants: Mapping[int, Entrant], links: Links, *, live: Playing, corrected: Collection[int]
) -> Drawn:
    """The bracket of a stage."""
    tree = expected_rounds.bracket(state)
    rows = {round_.tables[0].row.name.split(".")[0]: round_ for round_ in state.rounds if round_.tables}
    boxes = {
        name: matches_of(round_.tables, entrants, links, state.stage.number, live=live, corrected=corrected)
        for name, round_ in rows.items()
    }
    if tree.kind == "single":
        last = tree.rounds[-1]
        boxes[last] = tuple(replace(box, title=gettext("Final"), short=gettext("Final")) for box in boxes.get(last, ()))
    first = _half(
        "winners", _winners_title(tree), [name for name in tree.rounds if name[:2] in ("WB", "GF")], tree, rows, boxes
    )
    second = _half("second", (gettext("Second chance"), gettext("A second loss means you are out.")),
                   [name for name in tree.rounds if name.startswith("LB")], tree, rows, boxes)  # fmt: skip
    halves = tuple(half for half in (first, second) if half.columns)
    third = boxes.get("TP1", ())
    return Drawn(
        halves=halves,
        third=third[0] if third else None,
        places=places(state, entrants),
        columns=max(len(half.columns) for half in halves),
        codes=_codes(halves),
        paper="one" if tree.entries <= ONE_SHEET else "two" if tree.entries <= 2 * ONE_SHEET else "many",
    )


def _codes(halves: tuple[Half, ...]) -> tuple[str, ...]:
    """The short names of the first match of each kind of round: `R1-1` says what `R2-1` means."""
    boxes = [box for half in halves for column in half.columns for box in column.boxes if box is not None]
    firsts: dict[str, Match] = {}
    for box in boxes:
        if box.short != box.title:
            firsts.setdefault(box.short.rstrip("0123456789-"), box)
    return tuple(f"{box.short}: {box.called}" for box in firsts.values())


def _winners_title(tree: knockout.Bracket) -> tuple[str, str]:
    if tree.kind == "double":
        return gettext("Winners’ bracket"), gettext("A loss here leads to the second chance.")
    return gettext("Bracket"), gettext("Lose once and you are out.")


def _half(
    anchor: str,
    words: tuple[str, str],
    names: list[str],
    tree: knockout.Bracket,
    rows: Mapping[str, RoundState],
    boxes: Mapping[str, tuple[Match, ...]],
) -> Half:
    size = 1 << (tree.entries - 1).bit_length()
    drawn_names = [name for name in names if name in boxes]
    columns = []
    for at, name in enumerate(drawn_names):
        count = places_in(name, size)
        following = places_in(drawn_names[at + 1], size) if at + 1 < len(drawn_names) else 0
        before = places_in(drawn_names[at - 1], size) if at else 0
        columns.append(
            Column(
                anchor=name.lower(),
                title=_title(tree, name),
                remark=_remark(rows[name], boxes[name]),
                flow=_flow(before, count, following),
                boxes=_in_place(boxes[name], count),
                is_now=any(box.is_open and box.pairing.status != "waits" for box in boxes[name]),
            )
        )
    return Half(anchor, *words, tuple(columns))


def _title(tree: knockout.Bracket, name: str) -> str:
    """The name of a round in its own half."""
    if name.startswith("LB"):
        return gettext("Round %(number)s") % {"number": name[2:]}
    return round_name(knockout.round_title(tree, name))


def places_in(name: str, size: int) -> int:
    """The number of places in a round of a bracket of this size, unreachable ones included."""
    if not name.startswith(("WB", "LB")):
        return 1
    number = int(name[2:])
    return size >> number if name.startswith("WB") else size >> (number + 3) // 2


def _flow(before: int, count: int, following: int) -> str:
    onward = "merge" if following and following < count else "thru" if following else ""
    return f"{onward} from".strip() if before > count else onward


def _in_place(boxes: tuple[Match, ...], count: int) -> tuple[Match | None, ...]:
    """The matches at their places in the column, by the number behind the dot of their names."""
    at = {int(box.name.split(".")[1]): box for box in boxes}
    return tuple(at.get(number) for number in range(1, count + 1))


def _remark(round_: RoundState, boxes: tuple[Match, ...]) -> str:
    """The progress of a round: `done`, `1 live`, its start, or the number of results."""
    live = sum(box.kind == "live" for box in boxes)
    if live:
        return gettext("%(count)s live") % {"count": live}
    if all(box.kind == "maybe" for box in boxes):
        return gettext("only if needed") if any(box.is_open for box in boxes) else gettext("not needed")
    if round_.row.status == Round.Status.CLOSED or round_.is_complete:
        return gettext("done")
    if round_.row.starts_at is not None:
        return date_and_time(round_.row.starts_at)
    finished = sum(not box.is_open and box.kind != "bye" for box in boxes)
    if finished:
        matches = several(sum(box.kind != "bye" for box in boxes), "match", "matches")
        return gettext("%(done)s of %(matches)s done") % {"done": finished, "matches": matches}
    if round_.row.deadline_at is None:
        return ""
    return gettext("by %(time)s") % {"time": date_and_time(round_.row.deadline_at)}


def places(state: StageState, entrants: Mapping[int, Entrant]) -> tuple[Place, ...]:
    """Every entry with its place or its possible places, best first; also for other knockouts."""
    spans = possible_ranks.of(state, ())
    count = Counter(span for span in spans.values() if span[0] == span[1])
    ranked = sorted(spans.items(), key=lambda item: (item[1], item[0]))
    by = {place.entry: ties.by_words(place.by) for place in stage_standings.ranking(state)} if state.rounds else {}
    return tuple(
        Place(
            entrants[state.entries[at].entry_id],
            possible_ranks.words(span, is_shared=count[span] > 1),
            span[0] == span[1],
            by.get(at, ""),
        )
        for at, span in ranked
    )
