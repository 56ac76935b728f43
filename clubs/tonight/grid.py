"""The grid of results: every table of tonight with its sides, the scores typed or entered, and what is said of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from clubs.league.agenda import is_put_off
from clubs.tonight.evening import Section, byes_of, matches_of
from engine.compete import explain
from engine.compete.scoring import SCORINGS
from tournaments import line_ups, seating
from tournaments.duplicate.movement import title, title_of
from tournaments.models import Entry, Pairing, Place, Result, TypedScores
from tournaments.plan import WITHOUT_POINTS, Plan
from tournaments.round_names import match_heading
from tournaments.services.matches import scores as scoring
from tournaments.services.matches import typed_scores
from tournaments.services.matches.typed_scores import Doubt
from web.text import join_words, number, several

Status = Pairing.Status


@dataclass
class Side:
    """A side of a table: its names, and its score as it is shown in the cell."""

    at: int
    names: str
    score: str = ""
    has_won: bool = False
    doubt: Doubt | None = None
    error: str = ""
    playing: str = ""
    """Who was named to play: `Ann Carter, Ken Ito`."""

    @property
    def instead(self) -> str:
        """The score that was probably meant."""
        return "" if self.doubt is None or self.doubt.instead is None else number(self.doubt.instead)


@dataclass
class BoardLine:
    """A board at a table: the scores of its sides."""

    at: int
    title: str
    sides: list[Side]
    conflict: "Conflict | None" = None

    @property
    def joined(self) -> str:
        """Its scores as the page shows them, to be compared with those that are sent."""
        if self.conflict is not None and self.conflict.base is not None:
            return self.conflict.base
        return "|".join(side.score for side in self.sides)

    @property
    def doubts(self) -> list[Side]:
        """The sides whose scores are questioned."""
        return [side for side in self.sides if side.doubt is not None or side.error]


@dataclass
class Row:
    """A table of tonight."""

    number: int
    pairing: Pairing
    sides: list[Side]
    """Its cells; where several boards are typed one by one those of the first, then of the next."""
    state: str
    """`none`, `half`, `bad`, `in` (to be published), `final`, `other` (decided elsewhere), `off` (put off)."""
    words: str
    """`by 435, 2 points`."""
    source: str = ""
    """`you, 21:32`."""
    version: int = 0
    conflict: "Conflict | None" = None
    boards: str = ""
    """The boards it plays, in a movement: `Board 5`."""
    labels: tuple[int, ...] = ()
    """Numbers of the boards that are typed one by one; empty for a table that has one score for each side."""
    side_names: tuple[str, ...] = ()
    """The names of each side."""
    can_be_timed: bool = False
    """Whether the reader can set when it is played."""
    of_event: str = ""
    """The title of its event, where several are on: each counts its tables from 1, as on its cards and its screen."""
    of_round: str = ""
    """`Third place`: which match it is, where several rounds of its event are played."""

    @property
    def pk(self) -> int:
        return self.pairing.pk

    @property
    def event(self) -> int:
        """Its event (id)."""
        return self.pairing.tournament_id

    @property
    def called(self) -> str:
        """Its number, with its event where several are on: `3 (Juniors)`."""
        return f"{self.number} ({self.of_event})" if self.of_event else str(self.number)

    @property
    def names(self) -> str:
        return " – ".join(self.side_names)

    @property
    def lines(self) -> list[BoardLine]:
        """Its boards, where they are typed one by one."""
        count = len(self.side_names)
        conflict = self.conflict
        return [
            BoardLine(
                at,
                title([label]),
                self.sides[at * count : (at + 1) * count],
                conflict if conflict is not None and conflict.board == at else None,
            )
            for at, label in enumerate(self.labels)
        ]

    @property
    def joined(self) -> str:
        """Its scores as the page shows them, to be compared with those that are sent."""
        return "|".join(side.score for side in self.sides)

    @property
    def known(self) -> int:
        """The version that the typist knows: an older one until they have chosen between two results."""
        conflict = self.conflict
        return self.version if conflict is None or conflict.known is None else conflict.known

    @property
    def can_type(self) -> bool:
        return self.state in ("none", "half", "bad", "in")

    @property
    def doubts(self) -> list[Side]:
        """The sides whose scores are questioned."""
        return [side for side in self.sides if side.doubt is not None or side.error]


@dataclass(frozen=True)
class Conflict:
    """Two results that were typed for one table."""

    theirs: str
    mine: str
    sentence: str
    """Who typed what."""
    scores: tuple[tuple[int, str], ...]
    """The cells that the reader typed otherwise, by their numbers."""
    board: int = 0
    """Which of the boards of the table."""
    known: int | None = None
    """The version that the reader's result changes. The page sends it again, not that of the other result: what is typed
    next, such as the score of the next side, would otherwise replace the other one unasked."""
    base: str | None = None
    """The same for one of several boards: the scores that the reader's result changes."""


@dataclass
class Grid:
    """All tables of a section."""

    section: Section
    rows: list[Row]
    off: list[Row] = field(default_factory=list)
    """Matches that were put off."""
    byes: list[Entry] = field(default_factory=list)
    """Entries without an opponent in rounds that are being played."""

    def count(self, *states: str) -> int:
        return sum(row.state in states for row in self.rows)

    @property
    def done(self) -> int:
        """Tables whose results are in."""
        return self.count("in", "final")

    @property
    def most_sides(self) -> int:
        return max((len(row.sides) for row in self.rows), default=2)

    @property
    def cards_url(self) -> str:
        """The printout of the table cards of its round; of several rounds the page to choose from."""
        slug, rounds = self.section.event.slug, self.section.rounds
        if len(rounds) > 1:
            return reverse("tournaments:print", args=[slug])
        only = {"stage": rounds[0].stage.number, "round": rounds[0].number}
        return reverse("tournaments:print_cards", args=[slug], query=only)


def grids(sections: Sequence[Section], reader: User, zone: ZoneInfo) -> list[Grid]:
    """The grids of tonight. Tables have the numbers of their cards; those of several rounds are numbered through."""
    built = []
    for section in sections:
        matches = matches_of(section) if section.has_begun else []
        is_numbered_through = len({match.round_id for match in matches}) > 1
        rows: list[Row] = []
        off: list[Row] = []
        for pairing in matches:
            if section.has_put_off and not section.has_later and is_put_off(pairing):
                off.append(row_of(pairing, pairing.number, reader, zone))
                off[-1].state, off[-1].can_be_timed = "off", "play" in section.may
            else:
                at = len(rows) + 1 if is_numbered_through else pairing.number
                rows.append(row_of(pairing, at, reader, zone))
                if is_numbered_through:
                    rows[-1].of_round = match_heading(pairing.round.name, pairing.name, pairing.number)
        for row in rows if len(sections) > 1 else ():
            row.of_event = section.title
        built.append(Grid(section, rows, off, byes_of(section) if section.has_begun else []))
    return built


def row_of(pairing: Pairing, at: int, reader: User, zone: ZoneInfo) -> Row:
    """A table with its scores as they are now."""
    places = list(pairing.places.all())
    names = seating.names_by_side(places)
    labels = tuple(typed_scores.boards_of(pairing)) if pairing.status != Status.DONE else ()
    cells = [f"{title([label])}, {name}" for label in labels for name in names] or names
    sides = [Side(index, name) for index, name in enumerate(cells)]
    typed: TypedScores | None = getattr(pairing, "typed", None)
    row = Row(at, pairing, sides, "none", gettext("not in yet"), version=typed.version if typed else 0)
    row.boards, row.labels, row.side_names = title_of(pairing), labels, names
    if not labels and len(places) == len(sides):
        for side, place in zip(sides, places, strict=True):
            side.playing = ", ".join(line_ups.names_of(pairing, place))
    if pairing.status == Status.DONE:
        _final(row, places, zone)
    elif pairing.status == Status.DISPUTED:
        row.state, row.words = "other", gettext("two different results")
    elif pairing.is_online:
        row.state, row.words = "other", gettext("played online")
    elif typed is not None:
        _typed(row, places, typed, reader, zone)
    elif pairing.status == Status.REPORTED:
        row.words = _reported(pairing, places, names)
    return row


def _reported(pairing: Pairing, places: Sequence[Place], names: Sequence[str]) -> str:
    """Who entered a result that is not final yet, and its score for each side."""
    reports = [result for result in pairing.results.all() if result.status == Result.Status.REPORTED]
    if not reports:
        return gettext("not in yet")
    sides = [[place.entry_id for place in side] for side in seating.by_side(places)]
    by = next((name for name, side in zip(names, sides, strict=True) if reports[-1].by_entry_id in side), "?")
    scores = [line.get("score") for line in seating.one_of_each_side(reports[-1].lines, places)]
    words = " – ".join(number(score) for score in scores if score is not None)
    return gettext("%(entry)s entered %(result)s") % {"entry": by, "result": words}


def _typed(row: Row, places: Sequence[Place], typed: TypedScores, reader: User, zone: ZoneInfo) -> None:
    scores = typed_scores.scores_of(typed, row.labels)
    for side, score in zip(row.sides, scores, strict=False):
        side.score = "" if score is None else number(score)
    for doubt in typed_scores.doubts(row.pairing, scores, is_kept=typed.is_kept):
        row.sides[doubt.side].doubt = doubt
    missing = sum(score is None for score in scores)
    row.source = source(typed.by, typed.at, reader, zone)
    if row.doubts:
        row.state, row.words = "bad", gettext("left out for now")
    elif missing:
        row.state = "half"
        row.words = (
            gettext("one score to come") if missing == 1 else gettext("%(count)s scores to come") % {"count": missing}
        )
    else:
        row.state = "in"
        lines = typed_scores.lines_of_typed(places, typed)
        _outcome(row, places, Result(kind=Result.Kind.DECIDED, lines=lines))


def _final(row: Row, places: Sequence[Place], zone: ZoneInfo) -> None:
    row.state = "final"
    if row.pairing.result is None:
        row.words = gettext("decided without play")
        return
    _outcome(row, places, row.pairing.result)
    row.source = gettext("published %(time)s") % {"time": clock(row.pairing.result.at, zone)}


def _outcome(row: Row, places: Sequence[Place], result: Result) -> None:
    """The margin and the points of a result."""
    plan = Plan.read(row.pairing.round.stage.plan_json)
    by_entry = {line["entry"]: line for line in result.lines}
    lines = [by_entry.get(place.entry_id, {"entry": place.entry_id, "score": None}) for place in places]
    scored = scoring.score_lines(plan, result.kind, lines, [place.side for place in places], result.winner_id)
    by_side = {place.side: score for place, score in zip(places, scored, strict=True)}
    firsts = [by_side[side] for side in sorted(by_side)]
    totals = [score.score for score in firsts]
    for side, score in zip(() if row.labels else row.sides, firsts, strict=False):
        side.score = "" if score.score is None else number(score.score)
        side.has_won = score.rank == 1 and sum(other.rank == 1 for other in firsts) == 1
    winners = [score for score in firsts if score.rank == 1]
    points = _points(plan, explain.value(winners[0].points)) if winners else ""
    known = [total for total in totals if total is not None]
    if len(known) < len(firsts):
        row.words = gettext("walkover")
    elif len(winners) > 1:
        row.words = gettext("a draw") if len(firsts) == 2 else gettext("tied")
    else:
        first, second = sorted(known, reverse=True)[:2]
        row.words = ", ".join(
            part for part in (gettext("by %(margin)s") % {"margin": number(first - second)}, points) if part
        )


def _points(plan: Plan, points: str) -> str:
    """`2 points`, where match points are what counts."""
    if plan.format in WITHOUT_POINTS or plan.counts != "result" or SCORINGS[plan.scoring].is_for_field:
        return ""
    return several(int(points), "point") if points.isdecimal() else f"{points} {several(2, 'point').split()[-1]}"


def source(by: User | None, at: datetime, reader: User, zone: ZoneInfo) -> str:
    """`you, 21:32`."""
    name = gettext("you") if by is not None and by.pk == reader.pk else str(by or gettext("someone"))
    return f"{name}, {clock(at, zone)}"


def clock(at: datetime, zone: ZoneInfo) -> str:
    """The time of day by the club’s clock."""
    return f"{timezone.localtime(at, zone):%H:%M}"


def table_names(rows: Sequence[Row]) -> str:
    """`4`, or `6, 7 and 8`, with their events where several are on."""
    return join_words(row.called for row in rows)


def find(grids: Sequence[Grid], number: int, event: int = 0) -> Row | None:
    """The table of this number, of this event (id) if one is named; `None` where several have the number."""
    rows = [row for grid in grids for row in grid.rows if row.number == number and event in (0, row.event)]
    return rows[0] if len(rows) == 1 else None


def by_pk(grids: Sequence[Grid], pk: int) -> Row | None:
    """The table of this match."""
    return next((row for grid in grids for row in (*grid.rows, *grid.off) if row.pk == pk), None)
