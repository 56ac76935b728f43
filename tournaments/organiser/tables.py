"""Matches as the event desk lists them: their problems, and the results that were entered, with their authors."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext

from tournaments import seating
from tournaments.models import Answer, Pairing, Place, Result, Round, Tournament
from tournaments.public.live import Live, Playing
from tournaments.public.matches import source_words
from tournaments.public.names import match_title
from tournaments.round_names import match_short, round_name
from tournaments.stage_state import moment_of
from web.text import duration, join_words, moment, number

Status = Pairing.Status
TO_DECIDE = (Status.DISPUTED, Status.REPORTED)


@dataclass(frozen=True)
class Figure:
    """A figure of one side on one sheet; `differs` if another sheet has another figure."""

    words: str
    differs: bool = False


@dataclass(frozen=True)
class Sheet:
    """An entered result that is not final yet."""

    result: Result
    author: str
    figures: tuple[Figure, ...]
    answers: tuple[str, ...] = ()
    """Answers of the others: `Jiří: “my red threes are missing”`."""


@dataclass(frozen=True)
class SideRow:
    """A side of a match in the list of its sheets."""

    names: str
    entry: int
    figures: tuple[Figure, ...]


@dataclass
class Row:
    """A match at the desk. `tag` is its problem: class, sign and word."""

    pairing: Pairing
    title: str
    short: str
    """The short name of one of several matches of a round in a bracket: `SF 1`. Others have the number of their table."""
    size: str
    names: str
    meta: str
    tag: tuple[str, str] = ("", "")
    sheets: tuple[Sheet, ...] = ()
    lines: tuple[SideRow, ...] = ()
    result: str = ""
    confirms_at: datetime | None = None
    is_level: bool = False
    """Whether a match in a knockout is tied, so that an organiser must choose the side that goes through."""
    live: Live | None = None
    newest: int = 0
    """The newest result (id); 0 for none."""
    places: list[Place] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Its anchor on the page."""
        return f"m-{self.pairing.round.stage.number}-{self.pairing.name.replace('.', '-')}"

    @property
    def confirm_at(self) -> str:
        """The control named by a refusal of one of its buttons."""
        return f"confirm-{self.pairing.pk}"


def pairings(event: Tournament) -> QuerySet[Pairing]:
    """The matches of an event with everything that a row shows: a fixed number of queries."""
    answers = Answer.objects.select_related("entry")
    results = Result.objects.select_related("by", "by_entry").prefetch_related(Prefetch("answers", answers))
    rows = Pairing.objects.filter(round__stage__tournament=event)
    return rows.select_related("round__stage__tournament", "table", "result__by").prefetch_related(
        Prefetch("places", Place.objects.select_related("entry")), Prefetch("results", results)
    )


def being_played(event: Tournament) -> QuerySet[Pairing]:
    """The matches of open rounds, without byes and matches that wait for earlier ones."""
    rows = pairings(event).filter(round__status=Round.Status.OPEN)
    return rows.exclude(status__in=(Status.WAITS, Status.IDLE)).order_by(
        "round__stage__number", "round__number", "number"
    )


def rows(pairings: Iterable[Pairing], live: Playing, now: datetime, *, names_round: bool = False) -> list[Row]:
    """The rows of matches; `names_round` if they are of several rounds."""
    return [row_of(pairing, live, now, names_round=names_round) for pairing in pairings]


def row_of(pairing: Pairing, live: Playing, now: datetime, *, names_round: bool = False) -> Row:
    """A match as the desk lists it."""
    places, entered = list(pairing.places.all()), list(pairing.results.all())
    sides = seating.by_side(places)
    open_ones = [result for result in entered if result.status in (Result.Status.REPORTED, Result.Status.DISPUTED)]
    sheets = _sheets(open_ones, sides)
    row = Row(
        pairing=pairing,
        title=match_title(pairing),
        short=_short(pairing),
        size=gettext("%(count)s pl.") % {"count": len(places)} if len(places) > 2 else "",
        names=_names(sides, pairing),
        meta="",
        sheets=sheets,
        lines=_lines(sheets, sides, pairing) if sheets else (),
        live=live.get(pairing.pk),
        newest=max((result.pk for result in entered), default=0),
        places=places,
    )
    _set_state(row, open_ones, now)
    if names_round:
        name = round_name(pairing.round.name)
        row.meta = ": ".join(part for part in (name, row.meta) if part)
    return row


def _set_state(row: Row, entered: Sequence[Result], now: datetime) -> None:
    """Set the tag, the notes and the result of a row by the state of its match."""
    pairing = row.pairing
    if pairing.status == Status.DONE:
        row.result = result_words(pairing, row.places)
        corrected = sum(result.confirmed_at is not None for result in pairing.results.all()) > 1
        row.tag = ("", gettext("✎ corrected")) if corrected else ("", "")
        row.meta = _who_entered(pairing.result)
    elif pairing.status == Status.DISPUTED:
        row.tag = ("bad", gettext("≠ disputed"))
        row.is_level = len(entered) == 1 and entered[0].origin == Result.Origin.TABLE
        row.meta = (
            gettext("tied: choose the entry that goes through")
            if row.is_level
            else ", ".join(_when(result, now) for result in entered)
        )
    elif pairing.status == Status.REPORTED and entered:
        _wait_for_answers(row, entered[0], now)
    else:
        _being_played(row, now)


def _wait_for_answers(row: Row, result: Result, now: datetime) -> None:
    row.confirms_at = result.confirms_at
    row.tag = (
        ("warn", f"◔ {duration(result.confirms_at - now)}") if result.confirms_at else ("warn", gettext("◔ waits"))
    )
    agreed = {answer.entry_id for answer in result.answers.all() if answer.agrees}
    silent = [
        str(place.entry)
        for place in row.places
        if place.entry and place.entry_id != result.by_entry_id and place.entry_id not in agreed
    ]
    parts = []
    if len(row.places) > 2:
        parts.append(gettext("%(agreed)s of %(count)s agree") % {"agreed": len(agreed) + 1, "count": len(row.places)})
    if silent:
        parts.append(gettext("No answer from %(entries)s yet") % {"entries": join_words(silent)})
    row.meta = ". ".join(parts)


def _being_played(row: Row, now: datetime) -> None:
    pairing, until = row.pairing, moment_of(row.pairing)
    parts = []
    if row.live is not None:
        totals = " – ".join(number(total) for total in row.live.totals)
        parts += [gettext("online"), row.live.deal or gettext("being played"), *([totals] if totals else [])]
    elif pairing.is_online:
        parts.append(gettext("online, not started") if pairing.table_id else gettext("online, no table yet"))
    elif pairing.status == Status.WAITS:
        parts.append(gettext("waits for earlier matches"))
    else:
        parts.append(gettext("nothing entered yet"))
    row.meta = ", ".join(parts)
    if until is not None and until <= now:
        row.tag = ("bad", gettext("! late %(duration)s") % {"duration": duration(now - until)})
    elif until is not None:
        row.tag = ("warn" if (until - now).total_seconds() < 3600 else "", f"◔ {duration(until - now)}")
    elif row.live is not None:
        row.tag = ("ok", gettext("● playing"))


# Sides and sheets


def _short(pairing: Pairing) -> str:
    short = match_short(pairing.round.name, pairing.name, pairing.number)
    return "" if short == match_title(pairing) else short


def _side_names(places: Sequence[Place], pairing: Pairing) -> str:
    names = [str(place.entry) for place in places if place.entry]
    return " / ".join(names) or source_words(places[0].source, pairing)


def _names(sides: Sequence[Sequence[Place]], pairing: Pairing) -> str:
    names = [_side_names(side, pairing) for side in sides]
    return ", ".join(names) if len(names) > 2 else " – ".join(names)


def _author(result: Result) -> str:
    if result.origin == Result.Origin.TABLE:
        return gettext("The table")
    if result.by is not None:
        return str(result.by)
    return str(result.by_entry) if result.by_entry else gettext("Someone")


def _when(result: Result, now: datetime) -> str:
    return f"{_author(result)} {moment(result.at, now)}"


def _words(line: Mapping[str, Any] | None) -> str:
    if line is None:
        return ""
    if line.get("forfeit"):
        return gettext("did not come")
    return gettext("won") if line.get("score") is None else number(int(line["score"]))


def _sheets(entered: Sequence[Result], sides: Sequence[Sequence[Place]]) -> tuple[Sheet, ...]:
    by_result = [{line["entry"]: line for line in result.lines} for result in entered]
    texts = [[_words(lines.get(side[0].entry_id)) for side in sides] for lines in by_result]
    return tuple(
        Sheet(
            result,
            _author(result),
            tuple(Figure(words, any(other[at] != words for other in texts)) for at, words in enumerate(texts[index])),
            tuple(f"{answer.entry}: {_answer_text(answer)}" for answer in result.answers.all() if not answer.agrees),
        )
        for index, result in enumerate(entered)
    )


def _answer_text(answer: Answer) -> str:
    return gettext("“%(words)s”") % {"words": answer.words} if answer.words else gettext("does not agree")


def _lines(sheets: Sequence[Sheet], sides: Sequence[Sequence[Place]], pairing: Pairing) -> tuple[SideRow, ...]:
    return tuple(
        SideRow(_side_names(side, pairing), side[0].entry_id or 0, tuple(sheet.figures[at] for sheet in sheets))
        for at, side in enumerate(sides)
    )


# Results that count


def result_words(pairing: Pairing, places: Sequence[Place]) -> str:
    """The result of a match that is over: `4,210 – 3,640`, or the absent entries."""
    if pairing.result is None:
        gone = [str(place.entry) for place in places if place.entry and place.rank != 1]
        words = gettext("walkover: %(entries)s did not play") if gone else gettext("decided")
        return words % {"entries": join_words(gone)}
    by_entry = {line["entry"]: line for line in pairing.result.lines}
    firsts = [side[0] for side in seating.by_side(places)]
    absent = [place for place in firsts if by_entry.get(place.entry_id, {}).get("forfeit")]
    if absent:
        names = join_words(str(place.entry) for place in absent)
        return gettext("walkover: %(entries)s did not come") % {"entries": names}
    return " – ".join(_words(by_entry.get(place.entry_id)) for place in firsts)


def _who_entered(result: Result | None) -> str:
    if result is None:
        return ""
    words = _from_whom(result)
    return f"{words}. {result.reason}" if result.reason else words


def _from_whom(result: Result) -> str:
    if result.origin == Result.Origin.TABLE:
        return gettext("from the table")
    if result.origin == Result.Origin.CLOCK:
        return gettext("decided at the deadline")
    if result.origin == Result.Origin.ORGANISER and not result.by:
        return gettext("entered by an organiser")
    return gettext("entered by %(name)s") % {"name": _author(result)}
