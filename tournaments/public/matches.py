"""A match as every page shows it: its sides, scores and state."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from engine.compete.explain import value
from tournaments import seating
from tournaments.duplicate.movement import title_of
from tournaments.models import Pairing, Place
from tournaments.public.live import Live, Playing
from tournaments.public.names import Entrant, Links, match_title
from tournaments.round_names import match_heading, match_short, match_words, round_before
from tournaments.stage_state import TableState, moment_of
from web.clocks import by_clock
from web.text import in_sentence, join_words, number

Status = Pairing.Status


@dataclass(frozen=True)
class Side:
    """A side of a match: an entry, or several that are partners of this match."""

    entrants: tuple[Entrant, ...]
    waits: str = ""
    """The source of an entry not known yet: `winner of semi-final 1`."""
    waits_short: str = ""
    """The same for little room: `winner of SF 1`."""
    score: str = ""
    """Card points, `w/o`, or empty."""
    points: str = ""
    has_won: bool = False
    has_lost: bool = False
    place: int | None = None

    @property
    def names(self) -> str:
        """The names on this side: `Okafor / Bell`."""
        return " / ".join(entrant.name for entrant in self.entrants) or self.waits

    @property
    def tight(self) -> str:
        """The same with narrower spaces, for little room: `Okafor / Bell`, `winner of SF 1`."""
        return (self.names if self.entrants else self.waits_short).replace(" / ", "\u200a/\u200a")

    @property
    def seed(self) -> str:
        """The seed of a single entry."""
        return str(self.entrants[0].seed or "") if len(self.entrants) == 1 else ""


@dataclass(frozen=True)
class Match:
    """A match: its title, address, state and sides."""

    name: str
    title: str
    url: str
    kind: str
    """Its style: `todo`, `live`, `done`, `fixed` (corrected), `bye` or `maybe`."""
    note: str
    """Its state in a few words; empty for one that was simply played."""
    sides: tuple[Side, ...]
    pairing: Pairing
    deal: str = ""
    """The deal being played at its table: `deal 3 of 4`."""
    boards: str = ""
    """The boards that it plays in a movement: `Board 5`."""

    short: str = ""
    """Its title in a narrow box: `SF 1`."""

    @property
    def called(self) -> str:
        """Its title within a sentence: `table 3`."""
        return in_sentence(self.title)

    @property
    def heading(self) -> str:
        """The match with its round: `Round 2, table 3`, `Semi-final 1`."""
        return match_heading(self.pairing.round.name, self.name, self.pairing.number)

    @property
    def words(self) -> str:
        """The same within a sentence."""
        return in_sentence(self.heading)

    @property
    def is_open(self) -> bool:
        """Whether a result is still to come."""
        return self.pairing.is_open

    @property
    def versus(self) -> str:
        """Its sides: `Okafor / Bell – Müller / Wójcik`, or with more than two `Ann, Ben, Cem and Dee`."""
        if len(self.sides) > 2:
            return join_words(side.names for side in self.sides)
        return " – ".join(side.names for side in self.sides)

    @property
    def label(self) -> str:
        """The whole match as text, for screen readers."""
        parts = [f"{side.names} {side.score}".strip() for side in self.sides]
        return f"{self.title}: {'; '.join(parts)}" + (f". {self.note}" if self.note else "")


def match_of(
    pairing: Pairing,
    places: Sequence[Place],
    entrants: Mapping[int, Entrant],
    url: str,
    *,
    live: Playing,
    corrected: Collection[int] = (),
    boards: str = "",
) -> Match:
    """A match for a page. `places` are in seat order, `entrants` go by the ids of entries; `corrected` are ids of pairings
    whose result was changed."""
    playing = live.get(pairing.pk)
    grouped = seating.by_side(places)
    sides = tuple(_side(pairing, group, entrants, playing, at) for at, group in enumerate(grouped))
    if len(sides) > 2 and pairing.status == Status.DONE:
        sides = tuple(sorted(sides, key=lambda side: side.place or len(sides)))
    kind, note = _standing(pairing, sides, playing, is_corrected=pairing.pk in corrected)
    deal = playing.deal if kind == "live" and playing is not None else ""
    short = match_short(pairing.round.name, pairing.name, pairing.number)
    return Match(pairing.name, match_title(pairing), url, kind, note, sides, pairing, deal, boards, short)


def matches_of(
    tables: Sequence[TableState],
    entrants: Mapping[int, Entrant],
    links: Links,
    stage: int,
    *,
    live: Playing,
    corrected: Collection[int] = (),
) -> tuple[Match, ...]:
    """The tables of a round."""
    return tuple(
        match_of(
            table.row,
            table.places,
            entrants,
            links.match(stage, table.row.name),
            live=live,
            corrected=corrected,
            boards=title_of(table.row),
        )
        for table in tables
    )


def _side(
    pairing: Pairing, places: Sequence[Place], entrants: Mapping[int, Entrant], live: Live | None, at: int
) -> Side:
    people = tuple(entrant for place in places if (entrant := entrants.get(place.entry_id or 0)))
    first = places[0]
    is_done = pairing.status == Status.DONE
    score = ""
    if is_done:
        score = _score(first)
    elif live is not None and at < len(live.totals):
        score = number(live.totals[at])
    return Side(
        entrants=people,
        waits="" if people else source_words(first.source, pairing),
        waits_short="" if people else source_words(first.source, pairing, is_short=True),
        score=score,
        points="" if first.points is None else value(first.points),
        has_won=is_done and first.rank == 1,
        has_lost=is_done and first.rank != 1,
        place=first.rank if is_done else None,
    )


WALKOVER = "w/o"
"""The score of the winner of a match that was not played, in every language."""


def _score(place: Place) -> str:
    if place.score is not None:
        return number(place.score)
    return WALKOVER if place.rank == 1 else "–"


def source_words(source: str, pairing: Pairing, *, is_short: bool = False) -> str:
    """The source of an entry of a match as text: `winner of semi-final 1`, in a narrow box `winner of SF 1`."""
    kind, _, match = source.partition(" ")
    if pairing.name == "GF2.1":
        return gettext("the same two again") if kind == "winner" else gettext("if the second chance wins")
    if kind not in ("winner", "loser"):
        return gettext("nobody") if kind == "nobody" else gettext("not known yet")
    round_ = pairing.round
    is_double = round_.stage.plan_json.get("format") == "double_elimination"
    stored = round_before(match, pairing.name, round_.name, round_.number, is_double=is_double)
    short, title = match_short(stored, match, 1), match_words(stored, match, 1)
    title = short if is_short and in_sentence(short) != title else title
    return (gettext("winner of %(match)s") if kind == "winner" else gettext("loser of %(match)s")) % {"match": title}


def _standing(pairing: Pairing, sides: Sequence[Side], live: Live | None, *, is_corrected: bool) -> tuple[str, str]:
    """The style of a match, and its state in words."""
    status = pairing.status
    if status == Status.IDLE:
        return _idle(pairing, sides)
    if status == Status.DONE:
        if is_corrected:
            return "fixed", f"✎ {gettext('corrected')}"
        return "done", _walkover_words(sides)
    if status == Status.DISPUTED:
        return "todo", f"≠ {gettext('disputed')}"
    if status == Status.REPORTED:
        return "todo", gettext("not confirmed yet")
    if live is not None or status == Status.PLAYING:
        if live is not None and live.deal:
            return "live", gettext("● live, %(deal)s") % {"deal": live.deal}
        return "live", gettext("● being played")
    if pairing.name == "GF2.1" and status == Status.WAITS:
        return "maybe", gettext("only if needed")
    return "todo", when_words(pairing)


def _idle(pairing: Pairing, sides: Sequence[Side]) -> tuple[str, str]:
    if pairing.name == "GF2.1":
        return "maybe", gettext("not needed")
    return "bye", gettext("bye") if any(side.entrants for side in sides) else gettext("not played")


def _walkover_words(sides: Sequence[Side]) -> str:
    """The note on a match that was decided without play."""
    scores = {side.score for side in sides}
    if scores <= {"–"}:
        return gettext("nobody came")
    return gettext("walkover") if WALKOVER in scores else ""


def result_words(
    lines: Sequence[Mapping[str, object]], entrants: Mapping[int, Entrant], places: Iterable[Place] = ()
) -> str:
    """The lines of a result in a few words: `4,210 – 3,640`, or the absent entries.

    With the `places` of its match each side has one score.
    """
    absent = [line for line in lines if line.get("forfeit")]
    if absent:
        names = join_words(_name(line, entrants) for line in absent)
        return gettext("walkover: %(names)s did not come") % {"names": names}
    of_sides = seating.one_of_each_side(lines, places)
    return " – ".join(number(int(str(line.get("score") or 0))) for line in of_sides)


def _name(line: Mapping[str, object], entrants: Mapping[int, Entrant]) -> str:
    entrant = entrants.get(int(str(line["entry"])))
    return entrant.name if entrant else gettext("an entry")


def when_words(pairing: Pairing) -> str:
    """The time of a match: `Sat 21 Nov 17:30`, or `by Sat 21 Nov 17:30`."""
    if pairing.starts_at is not None:
        return by_clock(pairing.starts_at, pairing.clock)
    until: datetime | None = moment_of(pairing)
    return gettext("by %(time)s") % {"time": by_clock(until, pairing.clock)} if until is not None else ""
