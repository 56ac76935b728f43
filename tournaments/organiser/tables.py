"""Matches as the organisers' desk lists them: what is wrong with each, and what was entered for it by whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext

from tournaments.models import Answer, Pairing, Place, Result, Round, Tournament
from tournaments.public.live import Live, Playing
from tournaments.public.matches import source_words
from tournaments.public.names import match_title
from tournaments.round_names import round_words
from tournaments.stage_state import moment_of
from web.text import duration, listed, moment, number

Status = Pairing.Status
TO_DECIDE = (Status.DISPUTED, Status.REPORTED)


@dataclass(frozen=True)
class Figure:
    """What one sheet says of one side; `differs` where another sheet says otherwise."""

    words: str
    differs: bool = False


@dataclass(frozen=True)
class Sheet:
    """A result that somebody entered and that does not count yet."""

    result: Result
    who: str
    figures: tuple[Figure, ...]
    answers: tuple[str, ...] = ()
    """What others said to it: `Jiří: “my red threes are missing”`."""


@dataclass(frozen=True)
class Line:
    """One side of a match in the list of its sheets."""

    names: str
    entry: int
    figures: tuple[Figure, ...]


@dataclass
class Row:
    """A match at the desk. `tag` is what is wrong with it: class, sign and word."""

    pairing: Pairing
    title: str
    size: str
    names: str
    meta: str
    tag: tuple[str, str] = ("", "")
    sheets: tuple[Sheet, ...] = ()
    lines: tuple[Line, ...] = ()
    result: str = ""
    confirms_at: datetime | None = None
    is_level: bool = False
    """Whether nobody can say who goes on: the match ended level in a knockout."""
    live: Live | None = None
    newest: int = 0
    """The newest result (id) that there is of it; 0 for none."""
    places: list[Place] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Where it is on the page."""
        return f"m-{self.pairing.round.stage.number}-{self.pairing.name.replace('.', '-')}"

    @property
    def confirm_at(self) -> str:
        """What its buttons are called where one of them is refused."""
        return f"confirm-{self.pairing.pk}"


def pairings(event: Tournament) -> QuerySet[Pairing]:
    """The matches of an event with everything that a row shows: a fixed number of queries."""
    answers = Answer.objects.select_related("entry")
    results = Result.objects.select_related("by", "by_entry").prefetch_related(Prefetch("answers", answers))
    found = Pairing.objects.filter(round__stage__tournament=event)
    return found.select_related("round__stage__tournament", "table", "result__by").prefetch_related(
        Prefetch("places", Place.objects.select_related("entry")), Prefetch("results", results)
    )


def being_played(event: Tournament) -> QuerySet[Pairing]:
    """The matches of rounds that are open, those that wait for earlier ones and byes aside."""
    found = pairings(event).filter(round__status=Round.Status.OPEN)
    return found.exclude(status__in=(Status.WAITS, Status.IDLE)).order_by(
        "round__stage__number", "round__number", "number"
    )


def rows(found: Iterable[Pairing], live: Playing, now: datetime, *, names_round: bool = False) -> list[Row]:
    """The rows of matches; `names_round` where those of several rounds stand together."""
    return [row(one, live, now, names_round=names_round) for one in found]


def row(pairing: Pairing, live: Playing, now: datetime, *, names_round: bool = False) -> Row:
    """A match as the desk lists it."""
    places, entered = list(pairing.places.all()), list(pairing.results.all())
    sides = _sides(places)
    open_ones = [one for one in entered if one.status in (Result.Status.REPORTED, Result.Status.DISPUTED)]
    sheets = _sheets(open_ones, sides)
    own = Row(
        pairing=pairing,
        title=match_title(pairing),
        size=gettext("%(count)s pl.") % {"count": len(places)} if len(places) > 2 else "",
        names=_names(sides, pairing),
        meta="",
        sheets=sheets,
        lines=_lines(sheets, sides) if sheets else (),
        live=live.get(pairing.pk),
        newest=max((one.pk for one in entered), default=0),
        places=places,
    )
    _stand(own, open_ones, now)
    if names_round:
        own.meta = ": ".join(part for part in (round_title(pairing.round), own.meta) if part)
    return own


def round_title(one: Round) -> str:
    """What a round is called: `Round 3`, or in a bracket `Second chance, round 2`."""
    words = round_words(one.name)
    return words[:1].upper() + words[1:]


def _stand(own: Row, entered: Sequence[Result], now: datetime) -> None:
    """Say how a match stands."""
    pairing = own.pairing
    if pairing.status == Status.DONE:
        own.result = result_words(pairing, own.places)
        corrected = sum(one.confirmed_at is not None for one in pairing.results.all()) > 1
        own.tag = ("", gettext("✎ corrected")) if corrected else ("", "")
        own.meta = _who_entered(pairing.result)
    elif pairing.status == Status.DISPUTED:
        own.tag = ("bad", gettext("≠ disputed"))
        own.is_level = len(entered) == 1 and entered[0].origin == Result.Origin.TABLE
        own.meta = (
            gettext("tied: choose the entry that goes through")
            if own.is_level
            else ", ".join(_when(one, now) for one in entered)
        )
    elif pairing.status == Status.REPORTED and entered:
        _wait_for_answers(own, entered[0], now)
    else:
        _being_played(own, now)


def _wait_for_answers(own: Row, result: Result, now: datetime) -> None:
    own.confirms_at = result.confirms_at
    own.tag = (
        ("warn", f"◔ {duration(result.confirms_at - now)}") if result.confirms_at else ("warn", gettext("◔ waits"))
    )
    agreed = {answer.entry_id for answer in result.answers.all() if answer.agrees}
    silent = [
        str(place.entry)
        for place in own.places
        if place.entry and place.entry_id != result.by_entry_id and place.entry_id not in agreed
    ]
    parts = []
    if len(own.places) > 2:
        parts.append(gettext("%(agreed)s of %(count)s agree") % {"agreed": len(agreed) + 1, "count": len(own.places)})
    if silent:
        parts.append(gettext("No answer from %(entries)s yet") % {"entries": listed(silent)})
    own.meta = ". ".join(parts)


def _being_played(own: Row, now: datetime) -> None:
    pairing, until = own.pairing, moment_of(own.pairing)
    parts = []
    if own.live is not None:
        totals = " – ".join(number(total) for total in own.live.totals)
        parts += [gettext("online"), own.live.deal or gettext("being played"), *([totals] if totals else [])]
    elif pairing.is_online:
        parts.append(gettext("online, not started") if pairing.table_id else gettext("online, no table yet"))
    elif pairing.status == Status.WAITS:
        parts.append(gettext("waits for earlier matches"))
    else:
        parts.append(gettext("nothing entered yet"))
    own.meta = ", ".join(parts)
    if until is not None and until <= now:
        own.tag = ("bad", gettext("! late %(duration)s") % {"duration": duration(now - until)})
    elif until is not None:
        own.tag = ("warn" if (until - now).total_seconds() < 3600 else "", f"◔ {duration(until - now)}")
    elif own.live is not None:
        own.tag = ("ok", gettext("● playing"))


# Sides and sheets


def _sides(places: Sequence[Place]) -> list[list[Place]]:
    numbers = sorted({place.side for place in places})
    return [[place for place in places if place.side == number] for number in numbers]


def _side_names(places: Sequence[Place]) -> str:
    known = [str(place.entry) for place in places if place.entry]
    return " / ".join(known) or source_words(places[0].source, "")


def _names(sides: Sequence[Sequence[Place]], pairing: Pairing) -> str:
    names = [_side_names(side) for side in sides]
    return ", ".join(names) if len(names) > 2 else " – ".join(names)


def _who(result: Result) -> str:
    if result.origin == Result.Origin.TABLE:
        return gettext("The table")
    if result.by is not None:
        return str(result.by)
    return str(result.by_entry) if result.by_entry else gettext("Someone")


def _when(result: Result, now: datetime) -> str:
    return f"{_who(result)} {moment(result.at, now)}"


def _words(line: Mapping[str, Any] | None) -> str:
    if line is None:
        return ""
    if line.get("forfeit"):
        return gettext("did not come")
    return gettext("won") if line.get("score") is None else number(int(line["score"]))


def _sheets(entered: Sequence[Result], sides: Sequence[Sequence[Place]]) -> tuple[Sheet, ...]:
    by_result = [{line["entry"]: line for line in one.lines} for one in entered]
    said = [[_words(lines.get(side[0].entry_id)) for side in sides] for lines in by_result]
    return tuple(
        Sheet(
            one,
            _who(one),
            tuple(Figure(words, any(other[at] != words for other in said)) for at, words in enumerate(said[index])),
            tuple(f"{answer.entry}: {_said(answer)}" for answer in one.answers.all() if not answer.agrees),
        )
        for index, one in enumerate(entered)
    )


def _said(answer: Answer) -> str:
    return gettext("“%(words)s”") % {"words": answer.words} if answer.words else gettext("does not agree")


def _lines(sheets: Sequence[Sheet], sides: Sequence[Sequence[Place]]) -> tuple[Line, ...]:
    return tuple(
        Line(_side_names(side), side[0].entry_id or 0, tuple(sheet.figures[at] for sheet in sheets))
        for at, side in enumerate(sides)
    )


# Results that count


def result_words(pairing: Pairing, places: Sequence[Place]) -> str:
    """What came of a match that is over: `4,210 – 3,640`, or who did not come."""
    if pairing.result is None:
        gone = [str(place.entry) for place in places if place.entry and place.rank != 1]
        return gettext("walkover: %(entries)s did not play") % {"entries": listed(gone)} if gone else gettext("decided")
    by_entry = {line["entry"]: line for line in pairing.result.lines}
    firsts = [side[0] for side in _sides(places)]
    absent = [place for place in firsts if by_entry.get(place.entry_id, {}).get("forfeit")]
    if absent:
        names = listed(str(place.entry) for place in absent)
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
    return gettext("entered by %(name)s") % {"name": _who(result)}
