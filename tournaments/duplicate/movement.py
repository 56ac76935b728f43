"""The way of the boards: which of them are on a table in a round, and where they go next."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from engine.play.rules import Rules
from tournaments import terms
from tournaments.board_numbers import labels_of, sets_of
from tournaments.models import Pairing, Round, Stage
from tournaments.plan import Plan
from tournaments.round_names import round_words
from web.text import join_words


@dataclass(frozen=True)
class Stop:
    """A table in a round, as a set of boards comes to it."""

    round: int
    table: int


@dataclass(frozen=True)
class OnTable:
    """The boards of a match, and where they go when it is over; `after` is `None` if nobody plays them again."""

    labels: tuple[int, ...]
    round: int
    table: int
    after: Stop | None
    is_online: bool = False
    is_moved: bool = False
    """Whether the next table has played them already."""

    @property
    def title(self) -> str:
        """`Board 5`, or `Boards 9 and 10`."""
        return title(self.labels)

    @property
    def next_words(self) -> str:
        """Where they go: `Then take board 5 to table 3.`"""
        if self.is_online:
            return ""
        count, boards = len(self.labels), boards_words(self.labels)
        if self.after is None:
            words = ngettext("Then give %(boards)s back.", "Then give %(boards)s back.", count)
            return words % {"boards": boards}
        values = {"boards": boards, "table": self.after.table, "round": self.after.round}
        if self.after.round > self.round + 1:
            words = ngettext(
                "Then put %(boards)s aside. Table %(table)s plays it in round %(round)s.",
                "Then put %(boards)s aside. Table %(table)s plays them in round %(round)s.",
                count,
            )
            return words % values
        if self.after.table == self.table:
            words = ngettext("Then %(boards)s stays here.", "Then %(boards)s stay here.", count)
            return words % values
        return gettext("Then take %(boards)s to table %(table)s.") % values

    @property
    def move_words(self) -> str:
        """The same when the match is over: `Board 5 goes to table 3.` Empty once the next table has played them."""
        if self.is_online or self.is_moved:
            return ""
        if self.after is None:
            return _back_words(self.labels)
        if self.after.round > self.round + 1:
            return _aside_words(self.labels, self.after.round)
        return _go_words(self.labels, [self.after.table], is_same=self.after.table == self.table)


def title(labels: Sequence[int]) -> str:
    """`Board 5`, or `Boards 9 and 10`."""
    words = ngettext("Board %(numbers)s", "Boards %(numbers)s", len(labels))
    return words % {"numbers": _numbers(labels)}


def _numbers(labels: Sequence[int]) -> str:
    """`5`, `9 and 10`, or `1 to 4`."""
    if len(labels) > 2 and labels[-1] - labels[0] == len(labels) - 1:
        return gettext("%(first)s to %(last)s") % {"first": labels[0], "last": labels[-1]}
    return join_words(str(label) for label in labels)


def boards_words(labels: Sequence[int]) -> str:
    """The same within a sentence: `board 5`."""
    words = ngettext("board %(numbers)s", "boards %(numbers)s", len(labels))
    return words % {"numbers": _numbers(labels)}


def title_of(pairing: Pairing) -> str:
    """The boards of a match of a movement: `Board 5`; empty for other matches. No queries if its event is known."""
    if not pairing.boards:
        return ""
    return title(labels_of(pairing.boards, terms.of_stage(pairing.round.stage).rules))


def all_tables(stage: Stage, rules: Rules | None = None) -> dict[int, OnTable]:
    """The boards of each match of a stage that shares its deals, by the match’s id: one query. Empty for others."""
    if not Plan.read(stage.plan_json).shares_deals:
        return {}
    rows = Pairing.objects.filter(round__stage=stage).exclude(status=Pairing.Status.IDLE).select_related("round")
    return on_tables(rows.order_by("round__number", "number"), rules or terms.of_stage(stage).rules)


def on_tables(pairings: Iterable[Pairing], rules: Rules) -> dict[int, OnTable]:
    """The same for these matches, in order of rounds and tables."""
    stops: dict[tuple[int, ...], list[tuple[Stop, int]]] = defaultdict(list)
    rows = list(pairings)
    played = {Stop(row.round.number, row.number) for row in rows if row.status == Pairing.Status.DONE}
    for pairing in rows:
        if not pairing.is_online:
            stops[tuple(sets_of(pairing))].append((Stop(pairing.round.number, pairing.number), pairing.pk))
    way = {
        row.pk: OnTable(tuple(labels_of(sets_of(row), rules)), row.round.number, row.number, None, is_online=True)
        for row in rows
        if row.is_online
    }
    for numbers, calls in stops.items():
        labels = tuple(labels_of(numbers, rules))
        for stop, pk in calls:
            after = _after(stop, [each for each, _ in calls])
            way[pk] = OnTable(labels, stop.round, stop.table, after, is_moved=after in played)
    return way


def _after(stop: Stop, stops: Sequence[Stop]) -> Stop | None:
    """Where a set goes after a stop. Copies of it go on in the order of their tables."""
    together = [each for each in stops if each.round == stop.round]
    later = sorted({each.round for each in stops if each.round > stop.round})
    if not later:
        return None
    following = [each for each in stops if each.round == later[0]]
    at = together.index(stop)
    return following[at] if at < len(following) else None


@dataclass(frozen=True)
class Moves:
    """Where the boards go after a round, a sentence for each way: `Boards 3 and 4 go to table 2.`"""

    title: str
    sentences: tuple[str, ...]


def moves(stage: Stage) -> Moves | None:
    """Where the boards go after the last round that ended, until a table of the next one has its result.

    `None` before that, and for stages whose real tables share no boards: one query, or none.
    """
    if not Plan.read(stage.plan_json).shares_deals or stage.status == Stage.Status.WAITING:
        return None
    rows = Pairing.objects.filter(round__stage=stage, is_online=False).exclude(status=Pairing.Status.IDLE)
    pairings = list(rows.select_related("round").order_by("round__number", "number"))
    ended = [row.round for row in pairings if row.round.status == Round.Status.CLOSED]
    if not ended:
        return None
    last = ended[-1]
    later = [row.round.number for row in pairings if row.round.number > last.number]
    following = [row for row in pairings if later and row.round.number == later[0]]
    if any(row.status == Pairing.Status.DONE for row in following):
        return None
    title = gettext("After %(round)s: move the boards") % {"round": round_words(last.name)}
    return Moves(title, tuple(_move_sentences(pairings, last.number, following, terms.of_stage(stage).rules)))


def _move_sentences(
    pairings: Sequence[Pairing], ended: int, following: Sequence[Pairing], rules: Rules
) -> Iterable[str]:
    """Where each set goes: to the tables that play it now, else aside until a later round, else back."""
    here, there = _tables_by_set(row for row in pairings if row.round.number == ended), _tables_by_set(following)
    back: list[int] = []
    for numbers in sorted({*here, *there}):
        labels = labels_of(numbers, rules)
        if numbers in there:
            yield _go_words(labels, there[numbers], is_same=here.get(numbers) == there[numbers])
            continue
        waits = [row for row in pairings if row.round.number > ended and tuple(sets_of(row)) == numbers]
        if waits:
            yield _aside_words(labels, waits[0].round.number)
        else:
            back += labels
    if back:
        yield _back_words(back)


def _tables_by_set(pairings: Iterable[Pairing]) -> dict[tuple[int, ...], list[int]]:
    tables: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for pairing in pairings:
        tables[tuple(sets_of(pairing))].append(pairing.number)
    return tables


def _go_words(labels: Sequence[int], tables: Sequence[int], *, is_same: bool = False) -> str:
    """`Boards 3 and 4 go to table 2.`"""
    tables_words = ngettext("table %(tables)s", "tables %(tables)s", len(tables))
    values = {"numbers": _numbers(labels), "tables": tables_words % {"tables": join_words(map(str, tables))}}
    if is_same:
        words = ngettext(
            "Board %(numbers)s stays at %(tables)s.", "Boards %(numbers)s stay at %(tables)s.", len(labels)
        )
    else:
        words = ngettext("Board %(numbers)s goes to %(tables)s.", "Boards %(numbers)s go to %(tables)s.", len(labels))
    return words % values


def _aside_words(labels: Sequence[int], until: int) -> str:
    words = ngettext(
        "Board %(numbers)s is put aside until round %(round)s.",
        "Boards %(numbers)s are put aside until round %(round)s.",
        len(labels),
    )
    return words % {"numbers": _numbers(labels), "round": until}


def _back_words(labels: Sequence[int]) -> str:
    words = ngettext("Board %(numbers)s is given back.", "Boards %(numbers)s are given back.", len(labels))
    return words % {"numbers": _numbers(labels)}


def copies(pairings: Iterable[Pairing]) -> int:
    """How many of each board are needed: the most tables at which one round plays the same."""
    counts: dict[tuple[int, tuple[int, ...]], int] = defaultdict(int)
    for pairing in pairings:
        if not pairing.is_online:
            counts[pairing.round.number, tuple(sets_of(pairing))] += 1
    return max(counts.values(), default=1)
