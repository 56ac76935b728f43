"""Printouts for a venue: table cards with their codes, blank score sheets, seats by name, and name cards."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from engine.play.rules import Rules
from gameplay.score_sheets import paper_scoring
from gameplay.score_sheets.codes import code
from tournaments import terms
from tournaments.duplicate.movement import OnTable, all_tables
from tournaments.exports import source
from tournaments.models import Entry, Pairing, Place, Round, Stage, Tournament
from tournaments.plan import Plan
from tournaments.public.matches import Match
from tournaments.public.names import links_of, match_title
from tournaments.public.schedule import current_stage, listed_match
from tournaments.round_names import round_name
from tournaments.rules_text import phrase, round_sentence
from web.text import joined, number

TARGET_DEALS = 6
"""Deals on the sheet of a match to a number of points."""
MOST_DEALS = 12
COLUMNS = 8
"""Columns to write in that fit next to each other."""


@dataclass(frozen=True)
class Chosen:
    """A round of an event with its matches at real tables that can still be played, in order."""

    stage: Stage
    round: Round
    matches: tuple[Match, ...]

    @property
    def title(self) -> str:
        """The title of the round."""
        return round_name(self.round.name)

    @property
    def terms(self) -> str:
        """What the round plays differently from the event, in a line."""
        return round_sentence(self.round)

    @property
    def rules_phrase(self) -> str:
        """Its rules within a sentence. One query for house rules."""
        return phrase(terms.of_round(self.round))


@dataclass(frozen=True)
class Printable:
    """A round of which there is something to print."""

    round: Round
    title: str
    has_tables: bool
    """Whether matches of it are still to be played at real tables."""


def printable(event: Tournament) -> list[Printable]:
    """The rounds with known entries, newest first: one query."""
    seated = ~Q(pairings__status__in=(Pairing.Status.WAITS, Pairing.Status.IDLE))
    open_at_tables = seated & ~Q(pairings__status=Pairing.Status.DONE) & Q(pairings__is_online=False)
    rows = _rounds(event).annotate(
        seated=Count("pairings", filter=seated), to_play=Count("pairings", filter=open_at_tables)
    )
    printed = [each for each in rows if vars(each)["seated"]]
    return [Printable(each, round_name(each.name), vars(each)["to_play"] > 0) for each in printed[::-1]]


def _rounds(event: Tournament) -> QuerySet[Round]:
    rounds = Round.objects.filter(stage__tournament=event).select_related("stage")
    return rounds.order_by("stage__number", "number")


def choose(
    event: Tournament, stages: Sequence[Stage], stage: int | None, round_number: int | None, *, is_all: bool = False
) -> Chosen | None:
    """The round of these numbers, else the first that is not over; `None` if none is drawn. Three queries.

    Matches that are over, online or a bye are left out, and with `is_all` only byes.
    """
    stage_ = next((each for each in stages if each.number == stage), None) or current_stage(stages)
    drawn = [round_ for round_ in _rounds(event) if stage_ is not None and round_.stage_id == stage_.pk]
    if stage_ is None or not drawn:
        return None
    stage_.tournament = event
    unfinished = [round_ for round_ in drawn if round_.status != Round.Status.CLOSED]
    chosen = next((round_ for round_ in drawn if round_.number == round_number), (unfinished or drawn[-1:])[0])
    chosen.stage = stage_
    return Chosen(stage_, chosen, tuple(_matches(event, chosen, is_all=is_all)))


def _matches(event: Tournament, chosen: Round, *, is_all: bool) -> list[Match]:
    places: QuerySet[Place] = Place.objects.select_related("entry")
    rows = Pairing.objects.filter(round=chosen).exclude(status=Pairing.Status.IDLE).order_by("number", "pk")
    if not is_all:
        rows = rows.filter(is_online=False).exclude(status__in=(Pairing.Status.DONE, Pairing.Status.WAITS))
    matches = []
    for pairing in rows.prefetch_related(Prefetch("places", places)):
        pairing.round = chosen
        if is_all or all(place.entry_id is not None for place in pairing.places.all()):
            matches.append(listed_match(pairing, links_of(event), {}, set()))
    return matches


# Table cards


@dataclass(frozen=True)
class Card:
    """A table card: the match, and the code that leads to its score sheet."""

    match: Match
    address: str
    code: SafeString
    boards: OnTable | None
    """The boards it plays, where the tables share them, and where they go next."""


def cards(chosen: Chosen) -> list[Card]:
    """A card for each table of a round."""
    boards = all_tables(chosen.stage)
    return [_card(match, boards.get(match.pairing.pk)) for match in chosen.matches]


def _card(match: Match, boards: OnTable | None) -> Card:
    address = source.full_url(reverse("tournaments:card", args=[match.pairing.token]))
    drawn = code(address, gettext("Code of %(match)s") % {"match": match_title(match.pairing)})
    return Card(match, address, drawn, boards)


# Score sheets


@dataclass(frozen=True)
class Deal:
    """A deal on a blank sheet: its number, and its opening minimum if that depends on the deal."""

    number: int
    opening: str
    board: int = 0
    """The number on its board, where all tables play the same ones."""


@dataclass(frozen=True)
class Blank:
    """A blank score sheet: the match, its rows, and its deals in blocks that fit next to each other."""

    match: Match
    sides: tuple[str, ...]
    rows: tuple[paper_scoring.Row, ...]
    blocks: tuple[tuple[Deal, ...], ...]
    opening: str
    """The opening minimum if it depends on the score."""
    boards: OnTable | None = None


def blanks(event: Tournament, chosen: Chosen) -> list[Blank]:
    """A score sheet for each table of a round, by its terms. A query where tables share their deals."""
    size = 1 if Plan.read(chosen.stage.plan_json).has_partners else event.side_size
    rules, boards = terms.of_round(chosen.round).rules, all_tables(chosen.stage)
    return [_with_boards(_blank(rules, match, size), boards.get(match.pairing.pk)) for match in chosen.matches]


def _with_boards(blank: Blank, boards: OnTable | None) -> Blank:
    """A score sheet whose deals are boards, which have their own numbers."""
    if boards is None:
        return blank
    labels = dict(enumerate(boards.labels, 1))
    blocks = tuple(tuple(replace(deal, board=labels.get(deal.number, 0)) for deal in block) for block in blank.blocks)
    return replace(blank, boards=boards, blocks=blocks)


def _blank(rules: Rules, match: Match, size: int) -> Blank:
    names = tuple(side.names for side in match.sides)
    most = max(len(side.entrants) for side in match.sides)
    scored_by = paper_scoring.Terms(names, rules, paper_scoring.shape_of(rules, len(names), size * most))
    count = min(rules.length.number, MOST_DEALS) if rules.length.by == "deals" else TARGET_DEALS
    by_deal = rules.opening.kind == "by_deal"
    deals = [Deal(at, number(rules.opening.minimum(at, 0)) if by_deal else "") for at in range(1, count + 1)]
    each = max(1, COLUMNS // len(names))
    return Blank(
        match,
        names,
        tuple(paper_scoring.rows(scored_by)),
        tuple(tuple(deals[at : at + each]) for at in range(0, count, each)),
        _by_score(rules.opening.steps) if rules.opening.kind == "by_score" else "",
    )


def _by_score(steps: Sequence[tuple[int | None, int]]) -> str:
    """`below 1,500: 50; from 1,500: 90`."""
    parts = []
    for start, points in steps:
        words = gettext("at first: %(points)s") if start is None else gettext("from %(start)s: %(points)s")
        parts.append(words % {"start": number(start or 0), "points": number(points)})
    return "; ".join(parts)


# Seats


@dataclass(frozen=True)
class Seat:
    """An entry's table and opponents in a round."""

    name: str
    table: str
    against: str


def seats(chosen: Chosen) -> list[Seat]:
    """Everyone in a round by name."""
    rows = [
        Seat(entrant.name, match.title, joined([other.names for other in match.sides if other is not side]))
        for match in chosen.matches
        for side in match.sides
        for entrant in side.entrants
    ]
    return sorted(rows, key=lambda seat: name_order(seat.name))


def name_order(name: str) -> tuple[str, str]:
    """Sort key of a name, without accents and capitals."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    return bare.casefold(), name


@dataclass(frozen=True)
class NameCard:
    """A person's card, or that of an entry without named people."""

    name: str
    entry: str
    number: int


def name_cards(event: Tournament) -> list[NameCard]:
    """A card for everyone who takes part, by name: two queries."""
    cards: list[NameCard] = []
    for entry in source.entries(event):
        if entry.status != Entry.Status.ENTERED:
            continue
        members = [member.name for member in entry.members.all()] or [entry.name]
        cards += [NameCard(name, "" if name == entry.name else entry.name, entry.number) for name in members]
    return sorted(cards, key=lambda card: name_order(card.name))
