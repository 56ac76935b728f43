"""The pages of a hall screen at a moment: who plays whom where, the standings, and the clock."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate
from typing import TypeVar

from django.db.models import Prefetch
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from tournaments import outcome, stage_standings
from tournaments.duplicate import movement
from tournaments.exports import sheets
from tournaments.lookups import stages_of
from tournaments.models import Hall, Pairing, Place, Round, Stage, Tournament
from tournaments.public import standings
from tournaments.public.matches import Match
from tournaments.public.names import entrants_of, links_of
from tournaments.public.schedule import current_stage, listed_match
from tournaments.round_names import is_matchday, number_words, round_name, round_words
from tournaments.rules_text import round_sentence
from tournaments.stage_state import VENUE_HOURS, StageState, load, moment_of
from web.text import duration, several

A_PAGE = 9
"""Rows that one reads from ten metres."""
BY_TABLE = 12
"""Most tables that are listed by table; of more, everybody looks for their own name."""
LONG = 22
"""Letters that fit beside the number of a table."""
JUST_DRAWN = timedelta(minutes=5)
"""Time after the call of a round in which only its tables are shown."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class TableLine:
    """A table of two sides, which stand left and right of its number."""

    number: str
    sides: tuple[str, ...]
    scores: tuple[str, ...]
    """Scores by side once there is a result; else empty."""
    boards: str = ""
    """The boards it plays, in a movement."""

    @property
    def left(self) -> str:
        """The names left of the number."""
        return self.sides[0]

    @property
    def right(self) -> str:
        """The names right of it; none at a table that waits for its other side."""
        return self.sides[1] if len(self.sides) > 1 else ""

    @property
    def is_long(self) -> bool:
        """Whether its names need smaller letters."""
        return max(map(len, self.sides)) > LONG


@dataclass(frozen=True)
class NameLine:
    """A name and its table."""

    name: str
    table: str

    @property
    def is_long(self) -> bool:
        """Whether its name needs smaller letters."""
        return len(self.name) > LONG


@dataclass(frozen=True)
class PlaceLine:
    """A place in the standings; `moved` is the number of places gained since the round before."""

    place: str
    name: str
    points: str
    moved: int | None

    @property
    def moved_words(self) -> str:
        """`▲ 2`, `▼ 1` or `=`; empty where nobody stood anywhere before."""
        if self.moved is None:
            return ""
        return f"{'▲' if self.moved > 0 else '▼'} {abs(self.moved)}" if self.moved else "="

    @property
    def is_long(self) -> bool:
        """Whether its name needs smaller letters."""
        return len(self.name) > LONG


@dataclass(frozen=True)
class Clock:
    """What is counted: minutes until `ends_at`, or those that are left of a paused timer."""

    label: str
    ends_at: datetime | None
    minutes: int
    """Whole minutes, rounded up; 0 when the time is over."""
    over: str
    """What is shown when the time is over."""
    is_paused: bool = False


@dataclass(frozen=True)
class Page:
    """One page of the screen. Only the parts of its kind are filled."""

    kind: str
    """`tables`, `names`, `boards`, `standings`, `clock`, `winners` or `empty`."""
    title: str
    foot: str = ""
    tables: tuple[TableLine, ...] = ()
    names: tuple[NameLine, ...] = ()
    boards: tuple[str, ...] = ()
    """Where the boards go, a sentence each."""
    places: tuple[PlaceLine, ...] = ()
    points: str = ""
    """Head of the column of points."""
    since: str = ""
    """Head of the column of places gained."""
    clock: Clock | None = None
    winners: str = ""
    playing: tuple[str, ...] = ()
    """Numbers of the tables without a result, on the page of the clock."""


def pages(event: Tournament, hall: Hall, now: datetime) -> tuple[Page, ...]:
    """The pages that turn at this moment, at least one. The number of queries depends on the stages only."""
    rounds = _open_rounds(event)
    opened = [round_.opened_at for round_ in rounds if round_.opened_at]
    seats = [page for round_ in rounds for page in _seats(event, round_)]
    stages = stages_of(event)
    boards = [page for stage in stages for page in _boards(event, stage, stages)]
    if seats and opened and now - max(opened) < JUST_DRAWN:
        return (*boards, *seats)
    clock = _clock(event, hall, rounds, now)
    shown = [*([_clock_page(clock, rounds)] if clock else []), *_winners(event), *boards, *_standings(event, stages)]
    if seats and any(pairing.is_open for round_ in rounds for pairing in round_.pairings.all()):
        shown += seats
    return tuple(shown) or (Page("empty", event.name, _begins(event)),)


def _open_rounds(event: Tournament) -> list[Round]:
    places = Place.objects.select_related("entry")
    pairings = Pairing.objects.exclude(status__in=(Pairing.Status.IDLE, Pairing.Status.WAITS)).order_by("number")
    rows = Round.objects.filter(stage__tournament=event, status=Round.Status.OPEN).select_related("stage__tournament")
    return list(
        rows.order_by("stage__number", "number").prefetch_related(
            Prefetch("pairings", pairings.prefetch_related(Prefetch("places", places)))
        )
    )


# Who plays whom where


def _seats(event: Tournament, round_: Round) -> list[Page]:
    matches = [_match(event, round_, pairing) for pairing in round_.pairings.all()]
    title = gettext("%(round)s: find your table") % {"round": round_name(round_.name)}
    terms = round_sentence(round_)
    if len(matches) <= BY_TABLE and not _is_individual(matches):
        lines = [_table_line(match) for match in matches]
        return [Page("tables", title, foot=terms, tables=part) for part in _split(lines, A_PAGE)]
    entrants = [
        NameLine(entrant.name, str(match.pairing.number))
        for match in matches
        for side in match.sides
        for entrant in side.entrants
    ]
    names = sorted(entrants, key=lambda line: sheets.name_order(line.name))
    pages_ = _split(names, 2 * A_PAGE)
    letters = [_letters(part) if len(pages_) > 1 else "" for part in pages_]
    feet = [". ".join(filter(None, (each, terms))) for each in letters]
    return [Page("names", title, foot=foot, names=part) for foot, part in zip(feet, pages_, strict=True)]


def _match(event: Tournament, round_: Round, pairing: Pairing) -> Match:
    pairing.round = round_
    return listed_match(pairing, links_of(event), {}, set())


def _is_individual(matches: Sequence[Match]) -> bool:
    """Whether people of several entries share a table or a side, so that everybody looks for one name."""
    return any(len(match.sides) > 2 or len(side.entrants) > 1 for match in matches for side in match.sides)


def _table_line(match: Match) -> TableLine:
    scores = tuple(side.score for side in match.sides)
    return TableLine(
        str(match.pairing.number),
        tuple(side.names for side in match.sides),
        scores if all(scores) else (),
        movement.title_of(match.pairing),
    )


def _letters(names: Sequence[NameLine]) -> str:
    return gettext("%(first)s to %(last)s") % {"first": names[0].name, "last": names[-1].name}


def _boards(event: Tournament, stage: Stage, stages: Sequence[Stage]) -> list[Page]:
    """Where the boards go after a round, while the event is under way."""
    is_next = stage.status != Stage.Status.OVER or stage == current_stage(stages)
    moves = movement.moves(stage) if event.status == Tournament.Status.RUNNING and is_next else None
    if moves is None:
        return []
    return [Page("boards", moves.title, boards=part) for part in _split(moves.sentences, A_PAGE)]


# Standings


def _standings(event: Tournament, stages: Sequence[Stage]) -> list[Page]:
    stage = current_stage(stages)
    if stage is None or stage.status == Stage.Status.WAITING:
        return []
    state = load(stage, event)
    played = [round_ for round_ in state.rounds if round_.has_results]
    if not played or state.plan.is_bracket or state.plan.format == "pod_knockout":
        return []
    last = played[-1].row
    before = _ranks(state, last.number) if last.number > 1 and state.plan.format not in ("ladder", "arena") else {}
    title = (
        gettext("After %(round)s") % {"round": round_words(last.name)}
        if played[-1].is_complete
        else gettext("Standings")
    )
    return [
        page
        for table in standings.tables(state, entrants_of(state, links_of(event)))
        for page in _table_pages(table, title, before, _since(event, last.number) if before else "")
    ]


def _winners(event: Tournament) -> list[Page]:
    """Who won, once the event is over."""
    if event.status != Tournament.Status.OVER:
        return []
    result = outcome.of(event)
    return (
        [Page("winners", gettext("Final result"), foot=result.sentence, winners=result.names)] if result.names else []
    )


def _ranks(state: StageState, before: int) -> dict[int, int]:
    """Ranks before a round by the ids of the entries."""
    groups = range(1, state.plan.groups + 1) if state.plan.format == "groups" else (0,)
    rows = [row for group in groups for row in stage_standings.table(state, group=group, before=before)]
    return {state.entries[row.entry].entry_id: row.rank for row in rows}


def _table_pages(table: standings.Table, title: str, before: dict[int, int], since: str) -> list[Page]:
    lines = [
        PlaceLine(row.place, row.entrant.name, row.points, _moved(before, row)) for row in table.lines if row.place
    ]
    parts = _split(lines, A_PAGE)
    starts = accumulate((len(part) for part in parts), initial=0)
    return [
        Page(
            "standings",
            title if table.anchor == "standings" else f"{table.title}: {title}",
            foot=_places(start, len(part), len(lines)) if len(parts) > 1 else "",
            places=part,
            points=table.points.title,
            since=since,
        )
        for start, part in zip(starts, parts, strict=False)
    ]


def _since(event: Tournament, last: int) -> str:
    return gettext("since %(round)s") % {"round": number_words(event, last - 1)}


def _moved(before: dict[int, int], row: standings.StandingsRow) -> int | None:
    place = row.place.rstrip("=")
    was = before.get(row.entrant.pk)
    return was - int(place) if was is not None and place.isdecimal() else None


def _places(start: int, length: int, count: int) -> str:
    return gettext("Places %(first)s to %(last)s of %(count)s.") % {
        "first": start + 1,
        "last": start + length,
        "count": count,
    }


# The clock


def _clock(event: Tournament, hall: Hall, rounds: Sequence[Round], now: datetime) -> Clock | None:
    """The timer; without one the deadline of the round, else the start of the next round or of the event."""
    if hall.ends_at is not None or hall.seconds_left is not None:
        return _timer(hall, rounds, now)
    limits = [limit for round_ in rounds for pairing in round_.pairings.all() if (limit := moment_of(pairing))]
    if limits and now < min(limits) < now + timedelta(hours=VENUE_HOURS):
        return _until(min(limits), _left_words(rounds), gettext("Time is up"), now)
    if rounds:
        return None
    coming = Round.objects.filter(stage__tournament=event, status=Round.Status.DRAWN, starts_at__gt=now)
    following = coming.order_by("starts_at").first()
    if following is not None and following.starts_at is not None:
        words = gettext("%(round)s starts in") % {"round": round_name(following.name)}
        return _until(following.starts_at, words, gettext("Please sit down"), now)
    if not event.has_begun and event.starts_at and now < event.starts_at:
        return _until(event.starts_at, gettext("Play starts in"), gettext("Please sit down"), now)
    return None


def _timer(hall: Hall, rounds: Sequence[Round], now: datetime) -> Clock:
    is_break = hall.purpose == Hall.Purpose.BREAK
    label = gettext("Play resumes in") if is_break else _left_words(rounds)
    over = gettext("Please sit down") if is_break else gettext("Time is up")
    if hall.ends_at is not None:
        return _until(hall.ends_at, label, over, now)
    clock = _until(now + timedelta(seconds=hall.seconds_left or 0), label, over, now)
    return replace(clock, ends_at=None, is_paused=True)


def timer_words(hall: Hall, now: datetime) -> str:
    """The state of the timer in a sentence, for its organisers; empty without one."""
    if hall.seconds_left is not None:
        return gettext("Paused with %(left)s left.") % {"left": duration(timedelta(seconds=hall.seconds_left))}
    if hall.ends_at is None:
        return ""
    if hall.ends_at <= now:
        return gettext("The time is up.")
    ends = date_format(timezone.localtime(hall.ends_at), "H:i")
    return gettext("%(left)s left, until %(time)s.") % {"left": duration(hall.ends_at - now), "time": ends}


def _left_words(rounds: Sequence[Round]) -> str:
    if len(rounds) != 1:
        return gettext("Time left")
    stored = rounds[0].name
    words = gettext("Time left of %(matchday)s") if is_matchday(stored) else gettext("Time left in %(round)s")
    return words % {"matchday": round_words(stored), "round": round_words(stored)}


def _until(at: datetime, label: str, over: str, now: datetime) -> Clock:
    seconds = max(0.0, (at - now).total_seconds())
    return Clock(label, at, -int(-seconds // 60), over)


def _clock_page(clock: Clock, rounds: Sequence[Round]) -> Page:
    open_ones = [pairing for round_ in rounds for pairing in round_.pairings.all() if pairing.is_open]
    finished = sum(len(round_.pairings.all()) for round_ in rounds) - len(open_ones)
    title = round_name(rounds[0].name) if len(rounds) == 1 else gettext("The clock")
    # While all play, a list of all tables would say nothing.
    playing = tuple(str(pairing.number) for pairing in open_ones[: 3 * A_PAGE]) if finished else ()
    return Page("clock", title, foot=_finished(finished, len(open_ones)), clock=clock, playing=playing)


def _finished(finished: int, still: int) -> str:
    if not finished:
        return ""
    tables = several(finished + still, "table")
    return gettext("%(done)s of %(tables)s finished") % {"done": finished, "tables": tables} + "."


def _begins(event: Tournament) -> str:
    return "" if event.has_begun else gettext("The tables appear here when the first round is drawn.")


def _split(items: Sequence[Item], size: int) -> list[tuple[Item, ...]]:
    """Items in pages of about equal length, none longer than `size`."""
    if not items:
        return []
    count = -(-len(items) // size)
    length = -(-len(items) // count)
    return [tuple(items[at : at + length]) for at in range(0, len(items), length)]
