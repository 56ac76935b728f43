"""The whole page of a table for one reader."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from engine.play.events import Event
from engine.play.state import ANSWERING, CHOOSE, OVER, State
from engine.play.view import View
from gameplay import clocks
from gameplay.house_rules import rule_titles
from gameplay.links import Links, links_of
from gameplay.log.deal_end import DealEnd
from gameplay.log.story import StoryLine
from gameplay.models import Seat, Table
from gameplay.page import board
from gameplay.page.agreements import Standstill, standstill
from gameplay.page.board import Check, OpeningLine, Piles, Team
from gameplay.page.deal_score import ScoreSheet, score_sheet
from gameplay.page.ending import Ending, build_ending
from gameplay.page.guide import Guide, aim, guide_of
from gameplay.page.hand_panel import Act, Dock, dock
from gameplay.page.hints import HintRow
from gameplay.page.marks import marks_of
from gameplay.page.seats import (
    SeatPanel,
    clock_note,
    clock_words,
    names_of,
    panels,
    ring_css,
    short_names,
    watching_words,
)
from gameplay.page.words import is_reader
from gameplay.queries import is_turn_of
from web.text import duration, number


@dataclass(frozen=True)
class NextTable:
    """Other tables where it is the reader's turn: the first of them, and their number."""

    url: str
    name: str
    count: int
    time_left: str


@dataclass(frozen=True)
class Page:
    """The whole page of a table."""

    table: Table
    links: Links
    seat: Seat | None
    deal: str
    target: str
    opens: str
    rules_title: str
    seats: list[SeatPanel]
    clock_note: str
    watching: str
    """The number of spectators, in words."""
    teams: list[Team]
    piles: Piles
    needs: SafeString
    """Conditions to open and to go out; nothing once the deal is over."""
    note: str
    """Special moments: final turns, an open question, the price of a wrong claim."""
    dock: Dock | None
    sheet: ScoreSheet | None
    ending: Ending | None
    next: NextTable | None
    title: str
    is_turn: bool
    waiting: int
    """Tables where the reader must act, this one included."""
    story: Sequence[StoryLine] | None = None
    """Turns of the others since the reader last played; `None` if the page shows them already."""
    notice: SafeString | str = ""
    """The answer to the last request in the status line, if the dock does not show it."""
    notice_cards: str = ""
    """The cards that it is about, in notation."""
    is_bad: bool = False
    is_stale: bool = False
    """Whether the page that sent the request was older than the table."""
    moved_on: str = ""
    """The players who moved since then: `Tom moved: look again`."""
    hints: list[HintRow] = field(default_factory=list)
    """The best acts, if the reader has just asked for them."""
    ready: list[str] = field(default_factory=list)
    """Players who asked for the next deal, or for a rematch."""
    with_people: str = ""
    """The query of the form of a new table that chooses the other people of this one."""
    unread: int = 0
    """Messages of the chat that the reader has not seen."""
    standstill: Standstill | None = None
    may_take_back: bool = False
    """Whether the reader can return to a seat that a bot plays in."""
    guide: Guide | None = None
    """The guide of a first deal."""
    menu: SafeString = field(default_factory=SafeString)
    """What is behind the dots next to the button."""

    @property
    def hint(self) -> SafeString | str:
        """The hint in the status line."""
        return "" if self.guide is None or self.guide.is_hidden else self.guide.steps["select"]

    @property
    def own_seat(self) -> SeatPanel | None:
        """The reader's own seat, which the dock shows."""
        return self.seats[0] if self.seat is not None else None

    @property
    def chairs(self) -> list[SeatPanel]:
        """The seats round the middle: those of the others, all for a spectator."""
        return self.seats[self.seat is not None :]

    @property
    def ring(self) -> str:
        """How the chairs are laid out: round the middle, or as a row once the deal is over."""
        return "over" if self.sheet else ring_css(len(self.chairs))


@dataclass(frozen=True)
class Scene:
    """The source of a page: fetched rows, and the view."""

    table: Table
    seats: Sequence[Seat]
    seat: Seat | None
    view: View
    now: datetime
    next: NextTable | None = None
    happened: Sequence[Event] = ()
    mover: int | None = None
    """The seat with the last move, if the reader's page did not know of it."""
    may_take_back: bool = False
    deal_end: DealEnd | None = None
    """From the log, if the deal is over."""


def build(scene: Scene, story: Sequence[StoryLine] | None = None, **more: Any) -> Page:
    """The page of a scene, with the turns to tell; `more` are fields of `Page` that come from elsewhere."""
    table, state, seat = scene.table, scene.view.position, scene.seat
    names = names_of(scene.seats, None if seat is None else seat.number)
    short = short_names(names, scene.seats)
    marks = marks_of(story or (), scene.view)
    teams = board.teams(scene.view, short, marks)
    sheet, ending = _ending(scene, teams, names)
    is_turn = seat is not None and is_turn_of(table, seat)
    panel, guide = _dock(scene, seat, short) if seat is not None else None, guide_of(table, scene.view, short)
    waiting = (scene.next.count if scene.next else 0) + is_turn
    return Page(
        table=table,
        links=links_of(table.slug),
        seat=seat,
        deal=_deal_words(state) if table.guide is None else gettext("Short deal, about 5 minutes"),
        target=_target_words(state),
        opens=_opens_words(scene.view),
        rules_title=rule_titles.title(table.rules_ref, state.rules),
        seats=panels(
            table, state, scene.seats, None if seat is None else seat.number, names, scene.now, marks.pile_cards
        ),
        clock_note=clock_note(table),
        watching=watching_words(table),
        teams=teams,
        piles=board.piles(scene.view, "" if marks.discarder is None else short[marks.discarder]),
        needs=SafeString() if sheet else _needs(scene.view, short),
        note=aim(table, scene.view, short) or _note(scene, names),
        dock=panel,
        menu=_menu(panel, guide, table.slug) if panel is not None else SafeString(),
        sheet=sheet,
        ending=ending,
        next=scene.next,
        title=_title(table, is_turn=is_turn, waiting=waiting),
        is_turn=is_turn,
        waiting=waiting,
        with_people=_with_people(scene.seats, seat) if sheet else "",
        unread=0 if seat is None or seat.mutes_chat else seat.unread,
        standstill=None if seat is None else standstill(table, seat, names),
        may_take_back=scene.may_take_back,
        moved_on=_moved_on(scene, short),
        guide=guide,
        ready=[names[seat.number] for seat in scene.seats if seat.is_ready and seat.user_id is not None],
        story=story,
        **more,
    )


def _with_people(seats: Sequence[Seat], mine: Seat | None) -> str:
    others = [seat.user.username for seat in seats if seat.user and seat != mine and not seat.user.is_guest]
    return urlencode([("with", username) for username in others])


def _dock(scene: Scene, seat: Seat, names: Sequence[str]) -> Dock:
    return dock(scene.table, scene.view, seat, names, scene.happened, _waits_for(scene, names))


def _needs(view: View, names: Sequence[str]) -> SafeString:
    contract = tuple(board.contract(view, names))
    return _needs_html(contract, board.opening(view, names), view.position.deal, get_language())


@lru_cache(maxsize=4096)
def _needs_html(contract: tuple[Check, ...], opening: OpeningLine, deal: int, language: str | None) -> SafeString:
    """Made once for each language: it changes a few times in a deal only."""
    return render_to_string("gameplay/table/needs.html", {"contract": contract, "opening": opening, "deal": deal})


def _menu(panel: Dock, guide: Guide | None, slug: str) -> SafeString:
    hides_hints = None if guide is None else guide.is_hidden
    where = "" if guide is None else slug
    return _menu_html(tuple(panel.more), panel.order, panel.may_start_another, hides_hints, where, get_language())


@lru_cache(maxsize=4096)
def _menu_html(
    more: tuple[Act, ...],
    order: str,
    may_start_another: bool,
    hides_hints: bool | None,
    slug: str,
    language: str | None,
) -> SafeString:
    """Made once for each language: most of it never changes."""
    context = {"more": more, "order": order, "may_start_another": may_start_another}
    return render_to_string("gameplay/table/menu.html", {**context, "hides_hints": hides_hints, "slug": slug})


def _moved_on(scene: Scene, names: Sequence[str]) -> str:
    if scene.mover is None:
        return gettext("The table has changed. Check again.")
    if is_reader(names[scene.mover]):
        return gettext("You have moved. Check again.")
    return gettext("%(name)s has moved. Check again.") % {"name": names[scene.mover]}


def _waits_for(scene: Scene, names: Sequence[str]) -> tuple[str, str]:
    """`Tom’s turn`, `2 d 6 h`."""
    table = scene.table
    if table.seat_to_act is None:
        return "", ""
    if lifting := [names[seat.number] for seat in scene.seats if seat.is_lifting]:
        words = ngettext("Waiting for %(name)s to lift", "Waiting for %(count)s players to lift", len(lifting))
        if scene.view.position.phase == CHOOSE:
            words = ngettext("Waiting for %(name)s to choose", "Waiting for %(count)s players to choose", len(lifting))
        words %= {"name": lifting[0], "count": len(lifting)}
        return words, duration(table.deadline_at - scene.now) if table.deadline_at else ""
    name = names[table.seat_to_act]
    is_asked = scene.view.position.phase == ANSWERING
    if is_reader(name):
        words = gettext("Your answer is needed") if is_asked else gettext("Your turn")
    else:
        words = (gettext("Waiting for %(name)s to answer") if is_asked else gettext("%(name)s’s turn")) % {"name": name}
    if table.deadline_at is None or table.clock == Table.Clock.LIVE:  # whose seconds are counted at the chair
        return words, ""
    return words, clock_words(table, scene.seats[table.seat_to_act], scene.now)


def _deal_words(state: State) -> str:
    length = state.rules.length
    if length.by == "deals":
        return gettext("Deal %(number)s of %(deals)s") % {"number": state.deal, "deals": length.number}
    return gettext("Deal %(number)s") % {"number": state.deal}


def _target_words(state: State) -> str:
    length = state.rules.length
    return "" if length.by == "deals" else gettext("to %(points)s") % {"points": number(length.number)}


def _opens_words(view: View) -> str:
    state = view.position
    team = (state.turn if view.seat is None else view.seat) % state.teams
    least = state.rules.opening.minimum(state.deal, state.scores[team])
    return gettext("opens at %(points)s") % {"points": least} if least else ""


def _title(table: Table, *, is_turn: bool, waiting: int) -> str:
    title = gettext("Your turn · %(table)s") % {"table": table.name} if is_turn else table.name
    return f"({waiting}) {title}" if waiting else title


def _note(scene: Scene, names: Sequence[str]) -> str:
    """The special moments."""
    table, state = scene.table, scene.view.position
    if state.phase == OVER:
        return ""
    notes = []
    if (wait := clocks.bots_rest(table, scene.now)) is not None:
        words = gettext("The bots have used up their thinking time. They play again in %(time)s.")
        notes.append(words % {"time": duration(wait)})
    if table.paused_at is not None and scene.seat is None:  # players read it above the button to resume
        notes.append(gettext("The match is paused."))
    if state.out_by is not None:
        if is_reader(names[state.out_by]):
            notes.append(gettext("You went out. Everyone else has one last turn."))
        else:
            words = gettext("%(name)s went out. Everyone else has one last turn.")
            notes.append(words % {"name": names[state.out_by]})
    if state.last_red_three:
        notes.append(
            gettext("The last card of the stock was 3♥ or 3♦. The deal ends after this turn, without a discard.")
        )
    if state.phase == ANSWERING and is_reader(names[state.turn]):
        notes.append(gettext("You asked to go out. Waiting for an answer."))
    if not state.assist and (penalties := state.rules.penalties) is not None:
        words = gettext("Moves are not checked for you here. Taking the discard pile wrongly costs %(points)s points.")
        notes.append(words % {"points": -penalties.wrong_claim})
    return " ".join(notes)


def _ending(scene: Scene, teams: list[Team], names: Sequence[str]) -> tuple[ScoreSheet | None, Ending | None]:
    view, result = scene.view, scene.view.outcome
    if result is None:
        return None, None
    titles = {team.number: team.title for team in sorted(teams, key=lambda team: not team.is_mine)}
    sheet = score_sheet(result, titles, view.position.rules)
    return sheet, build_ending(view, list(titles), sheet, scene.deal_end or DealEnd(), names)
