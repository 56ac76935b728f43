"""The replay of a match: a page for each place, and its positions by part for the page's script."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from engine.play.state import State
from gameplay import link_cards
from gameplay.log import match_history, story
from gameplay.log.match_history import Match, Step
from gameplay.log.timeline import Turn, place_of, turn_at, turns_of
from gameplay.page.open_hands import board_context
from gameplay.page.seats import names_of, past_chairs
from gameplay.views.visits import Visit, visit, whole_number

PART = 8
"""Places that one request brings."""
_AT = re.compile(r"(\d{1,4})(?:\.(\d{1,4}))?", re.ASCII)
_TALLEST = 24
"""Height of the bar of a turn that finished a book."""


@require_safe
@never_cache
def replay(request: HttpRequest, slug: str) -> HttpResponse:
    """The match from a place on: `at` is turn and act (`20.4`) of `deal`, `step` a place of the whole match.

    `deal` alone is the start of a deal, `from` a move about to be made, `move` one just made.
    """
    reel = _reel(request, slug)
    place = reel.place_asked(request)
    state = match_history.state_at(reel.match, reel.steps[place])
    table, seats = reel.visited.table, reel.visited.seats
    context = {"table": table, "link_card": link_cards.replay_card(table, seats), **reel.page_at(place, state)}
    return render(request, "gameplay/replay.html", context)


@require_safe
@never_cache
def replay_part(request: HttpRequest, slug: str) -> JsonResponse:
    """The positions of `deal` from place `first` on, for the script of the page: `{first, pieces, places}`.

    A place names the parts that differ from the place before, each by the numbers of its lines in `pieces`.
    """
    reel = _reel(request, slug)
    first = whole_number(request.GET.get("first"), 0, 0, len(reel.steps) - 1)
    pieces: dict[str, int] = {}
    places, before = [], dict.fromkeys(PARTS, "")
    part = reel.steps[first : first + PART]
    for place, state in enumerate(match_history.states(reel.match, part), start=first):
        now = reel.parts_at(place, state)
        changed = {name: html for name, html in now.items() if html != before[name]}
        places.append({name: _numbers(html, pieces) for name, html in changed.items()})
        before = now
    return JsonResponse({"first": first, "pieces": list(pieces), "places": places})


PARTS = {
    "board": "gameplay/table/board.html",
    "replay-hands": "gameplay/replay_hands.html",
    "turn": "gameplay/replay_turn.html",
    "said": "gameplay/replay_act.html",
}
"""The parts of the page that change from place to place, by their element."""


def _numbers(html: str, pieces: dict[str, int]) -> list[int]:
    """The lines of a part by their numbers; a line that is new gets the next one."""
    return [pieces.setdefault(line, len(pieces)) for line in map(str.strip, html.splitlines()) if line]


class Bar(NamedTuple):
    """A turn above the scale, and in the list of turns."""

    deal: int
    turn: Turn
    words: str
    is_us: bool
    height: int
    is_to_come: bool

    @property
    def html(self) -> SafeString:
        """A column, with a dot where a book was finished."""
        css = f"{'ours' if self.is_us else ''}{' later' if self.is_to_come else ''}".strip()
        middle = 10 * self.turn.number - 5
        dot = format_html('<path class="dot" d="M{} 1v5"/>', middle) if self.turn.books else ""
        return format_html('<g class="{}"><path d="M{} 32v-{}"/>{}</g>', css, middle, self.height, dot)

    @property
    def link(self) -> SafeString:
        """An item of the list of turns."""
        return format_html(
            '<li><a href="?deal={}&amp;at={}" data-acts="{}">{}</a></li>',
            *(self.deal, self.turn.number, self.turn.acts, self.words),
        )


def _turn_words(turn: Turn, names: Sequence[str]) -> str:
    return gettext("Turn %(number)s, %(name)s") % {"number": turn.number, "name": names[turn.seat]}


class Reel(NamedTuple):
    """One deal of a match as a reader may see it."""

    visited: Visit
    match: Match
    every: list[Step]
    """The steps of the whole match."""
    deal: int
    turns: list[Turn]
    names: list[str]

    @property
    def steps(self) -> list[Step]:
        """The places of the deal."""
        return [step for step in self.every if step.deal == self.deal]

    def place_asked(self, request: HttpRequest) -> int:
        """The place in the deal that the address asks for."""
        written = _AT.fullmatch(request.GET.get("at", ""))
        if written:
            return min(place_of(self.turns, int(written[1]), int(written[2] or 1)), len(self.steps) - 1)
        return self.steps.index(self.every[_step_asked(request, self.every)])

    def parts_at(self, place: int, state: State) -> dict[str, str]:
        """The parts of the page that show this place, by name."""
        context = self._context(place, state)
        return {name: render_to_string(template, context) for name, template in PARTS.items()}

    def page_at(self, place: int, state: State) -> dict[str, Any]:
        """What the page needs to show this place."""
        turn, last = turn_at(self.turns, place), len(self.steps) - 1
        number = turn.number if turn else 0
        before = max(0, number - 1) if turn is None or place == turn.first else number
        return {
            **self._context(place, state),
            "place": place,
            "part": PART,
            "number": number,
            "bars": self._bars(number),
            "width": 10 * len(self.turns),
            "back": self._at(place - 1) if place else "",
            "on": self._at(place + 1) if place < last else "",
            "turn_back": f"{before}.1" if place else "",
            "turn_on": f"{number + 1}.1" if number < len(self.turns) else "",
            "deals": [step.deal for step in self.every if step.is_beginning],
        }

    def _context(self, place: int, state: State) -> dict[str, Any]:
        view = match_history.view_at(self.visited.table, state, self.visited.number)
        chairs = past_chairs(view.position, self.visited.seats, view.seat, self.names)
        turn = turn_at(self.turns, place)
        return {
            **board_context(view, self.names, chairs),
            "deal": self.deal,
            "turn": turn,
            "turns": len(self.turns),
            "turn_words": _turn_words(turn, self.names) if turn else "",
            "act": place - turn.first + 1 if turn else 0,
            "acts": self._acts_of(turn) if turn else [],
            "is_open": self.is_open,
        }

    @property
    def is_open(self) -> bool:
        """Whether all hands of the deal can be seen."""
        return match_history.is_open(self.visited.table, self.deal)

    def _acts_of(self, turn: Turn) -> list[tuple[int, list[story.StoryLine]]]:
        """Number and words of each act of a turn."""
        return [(number, self._lines_of(turn, number)) for number in range(1, turn.acts + 1)]

    def _lines_of(self, turn: Turn, number: int) -> list[story.StoryLine]:
        who = self.visited
        return story.tell([turn.moves[number - 1]], who.seats, who.number, is_full=True, is_open=self.is_open)

    def _at(self, place: int) -> str:
        turn = turn_at(self.turns, place)
        return f"{turn.number}.{place - turn.first + 1}" if turn else "0"

    def _bars(self, current: int) -> list[Bar]:
        most = max((turn.points for turn in self.turns), default=0) or 1
        reader, teams = self.visited.number, self.visited.table.teams
        heights = [_TALLEST if turn.books else 3 + 15 * turn.points // most for turn in self.turns]
        return [
            Bar(
                deal=self.deal,
                turn=turn,
                words=_turn_words(turn, self.names),
                is_us=turn.seat % teams == (reader or 0) % teams,
                height=height,
                is_to_come=turn.number > current,
            )
            for turn, height in zip(self.turns, heights, strict=True)
        ]


def _reel(request: HttpRequest, slug: str) -> Reel:
    """The deal that the address asks for. Seven queries, however long the match. Raises `Http404`."""
    visited = visit(request, slug)
    table = visited.table
    deals = match_history.dealt(table)
    if not deals:
        raise Http404(gettext("The match has not started yet."))
    match = match_history.match_of(table, deals)
    every = match_history.steps(match)
    number = every[_step_asked(request, every)].deal
    moves = table.moves.filter(deal=number).defer("request_key", "text")
    turns = turns_of(moves, table.rules, visited.number)
    return Reel(visited, match, every, number, turns, names_of(visited.seats, visited.number))


def _step_asked(request: HttpRequest, steps: Sequence[Step]) -> int:
    """The place in the match from the address; the beginning by default."""
    last, moves = len(steps) - 1, steps[-1].number
    if "from" in request.GET:
        number = whole_number(request.GET["from"], 1, 1, max(1, moves)) - 1
        return max(index for index, step in enumerate(steps) if step.number <= number)
    if "move" in request.GET:
        number = whole_number(request.GET["move"], moves, 0, moves)
        return min(index for index, step in enumerate(steps) if step.number >= number)
    if "deal" in request.GET:
        deal = whole_number(request.GET["deal"], 1, 1, steps[-1].deal)
        return min(index for index, step in enumerate(steps) if step.deal == deal)
    return whole_number(request.GET.get("step"), 0, 0, last)


urls = [
    path("tables/<slug:slug>/replay/", replay, name="replay"),
    path("tables/<slug:slug>/replay/part/", replay_part, name="replay_part"),
]
