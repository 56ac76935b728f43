"""The page of a review as plain data, in the words of its reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext

from engine.bots.advice import reason
from engine.play.cards import WILD_CARDS, Cards
from engine.play.moves import parse_move
from engine.play.state import State
from gameplay.log.match_history import read_outcome, titles_of
from gameplay.log.story import StoryLine, tell
from gameplay.models import Deal, DealReview, Seat, Table
from gameplay.page import markup
from gameplay.page.move_text import move_words
from gameplay.page.seats import names_of
from gameplay.reviews.positions import Played, beginning_of, played
from web.text import number

MOST_TURNING_POINTS = 3
MOST_OF_ALL = 3
"""Costly acts that spectators see, of all players together."""
_LEAST_SWING = 100
_STEP = 10
"""Points to which estimates are rounded."""
_WIDTH, _TOP, _BOTTOM = 372, 16, 120
_LEFT, _RIGHT = 12, 360


@dataclass(frozen=True)
class Hand:
    """The cards of a player at the start and at the end of a deal, hand and foot."""

    name: str
    dealt: list[tuple[str, SafeString]]
    """Title and cards of each stack."""
    left: list[tuple[str, SafeString]]


@dataclass(frozen=True)
class TurningPoint:
    """A turn after which another side was to be expected ahead, or ahead by much more."""

    mark: int
    line: StoryLine
    swing: str


@dataclass(frozen=True)
class CostlyAct:
    """An act with one that was better, as far as the player could know."""

    number: int
    name: str
    act: str
    better: str
    points: str
    reason: str


@dataclass(frozen=True)
class Course:
    """The expected lead of a side after each turn, worked out for an SVG of fixed size."""

    title: str
    words: str
    points: str
    zero: int
    marks: list[tuple[int, int, int]]
    """Number, x and y of each turning point."""


@dataclass(frozen=True)
class ReviewPage:
    """Everything on the page. What is worked out in the background is empty until then."""

    status: str
    """`none`, `working`, `done` or `failed`."""
    hands: list[Hand]
    titles: list[str]
    """The sides, the reader's first."""
    course: Course | None = None
    turning_points: list[TurningPoint] = field(default_factory=list)
    costs: list[CostlyAct] = field(default_factory=list)
    is_own: bool = False
    """Whether the costly acts are the reader's alone."""
    plays: list[list[int]] = field(default_factory=list)
    """Points of each side in each play of the bots."""
    average: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    """Points that the sides made themselves."""
    luck: str = ""


def build_review(table: Table, seats: Sequence[Seat], reader: int | None, deal: Deal) -> ReviewPage:
    """The review of a deal that lies open; `reader` is the seat of the reader, if any."""
    names = names_of(seats, reader)
    beginning = beginning_of(table, deal.number)
    moves = list(played(table, deal.number, beginning))
    team = 0 if reader is None else reader % table.teams
    order = [team, *[other for other in range(table.teams) if other != team]]
    by_team = titles_of(names, table.teams)
    titles = [capfirst(by_team[team]) for team in order]
    hands = _hands(beginning, moves[-1].after if moves else beginning, names)
    review = DealReview.objects.filter(deal=deal).first()
    status = _status(review)
    if review is None or status != "done":
        return ReviewPage(status, hands, titles)
    progress = review.progress
    leads = [row[2][team] for row in progress["turns"]]
    turning = _turning(progress["turns"], leads)
    scores = [read_outcome(deal.result or {}).deal_score[team] for team in order]
    plays = [[play[team] for team in order] for play in progress["bots"]]
    average = [round(sum(column) / len(plays)) for column in zip(*plays, strict=True)]
    return ReviewPage(
        status,
        hands,
        titles,
        course=_course(titles[0], leads, turning, is_reader=reader is not None),
        turning_points=_turning_points(table, seats, reader, progress["turns"], leads, turning),
        costs=_costs(progress["costs"], moves, names, reader),
        is_own=reader is not None and seats[reader].user_id is not None,
        plays=plays,
        average=average,
        scores=scores,
        luck=_luck(titles[0], scores, average, is_reader=reader is not None),
    )


def _status(review: DealReview | None) -> str:
    if review is None:
        return "none"
    if review.is_done:
        return "done"
    return "working" if review.due_at is not None else "failed"


# Hands


def _hands(beginning: State, end: State, names: Sequence[str]) -> list[Hand]:
    return [Hand(str(name), _stacks(beginning, seat), _stacks(end, seat)) for seat, name in enumerate(names)]


def _stacks(state: State, seat: int) -> list[tuple[str, SafeString]]:
    """The stacks of a seat that have cards; before it lifted or chose, they are the two that it was dealt."""
    stacks = state.stacks[seat]
    first, last = (stacks[0], stacks[1]) if stacks else (b"", b"")
    by_title = [
        (gettext("Hand"), state.hands[seat] + first),
        (gettext("Knee"), state.knees[seat] or b""),
        (gettext("Foot"), (state.feet[seat] or b"") + last),
    ]
    return [(title, _chips(cards)) for title, cards in by_title if cards]


def _chips(cards: Cards) -> SafeString:
    """Named cards, wild ones last."""
    return markup.chips(bytes(sorted(cards, key=lambda card: (card in WILD_CARDS, card))))


# The course of the deal


def _turning(turns: Sequence[Sequence[Any]], leads: Sequence[int]) -> list[int]:
    """Places of the turns that changed the lead most, in order of play."""
    swings = [(abs(after - before), place) for place, (before, after) in enumerate(pairwise(leads), 1)]
    best = sorted(swings, key=lambda pair: (-pair[0], pair[1]))[:MOST_TURNING_POINTS]
    return sorted(place for swing, place in best if swing >= _LEAST_SWING)


def _turning_points(
    table: Table,
    seats: Sequence[Seat],
    reader: int | None,
    turns: Sequence[Sequence[Any]],
    leads: Sequence[int],
    turning: Sequence[int],
) -> list[TurningPoint]:
    points = []
    for mark, place in enumerate(turning, 1):
        moves = table.moves.filter(number__gt=turns[place - 1][0], number__lte=turns[place][0])
        lines = [
            line for line in tell(moves, seats, reader, is_full=True, is_open=True) if line.seat == turns[place][1]
        ]
        swing = leads[place] - leads[place - 1]
        if lines:
            points.append(TurningPoint(mark, lines[0], _signed(_rounded(swing))))
    return points


def _course(title: str, leads: Sequence[int], turning: Sequence[int], *, is_reader: bool) -> Course:
    low, high = min(0, *leads), max(0, *leads)

    def x(place: int) -> int:
        return round(_LEFT + (_RIGHT - _LEFT) * place / max(1, len(leads) - 1))

    def y(lead: int) -> int:
        return round(_BOTTOM - (_BOTTOM - _TOP) * (lead - low) / ((high - low) or 1))

    words = gettext("From %(first)s through %(low)s and %(high)s to %(last)s") % {
        "first": _signed(_rounded(leads[0])),
        "low": _signed(_rounded(min(leads))),
        "high": _signed(_rounded(max(leads))),
        "last": _signed(leads[-1]),
    }
    return Course(
        title=gettext("Your expected lead, turn by turn")
        if is_reader
        else gettext("Expected lead of %(names)s, turn by turn") % {"names": title},
        words=words,
        points=" ".join(f"{x(place)},{y(lead)}" for place, lead in enumerate(leads)),
        zero=y(0),
        marks=[(mark, x(place), y(leads[place])) for mark, place in enumerate(turning, 1)],
    )


# Costly acts


def _costs(
    rows: Sequence[Sequence[Any]], moves: Sequence[Played], names: Sequence[str], reader: int | None
) -> list[CostlyAct]:
    shown = [row for row in rows if reader in (None, row[1])]
    shown = sorted(shown, key=lambda row: (-row[3], row[0]))[:MOST_OF_ALL]
    by_number = {each.number: each for each in moves}
    acts = []
    for at, seat, better, points in shown:
        each, other = by_number[at], parse_move(better)
        acts.append(
            CostlyAct(
                at,
                str(names[seat]),
                move_words(each.move),
                move_words(other),
                number(max(_STEP, _rounded(points))),
                reason(each.view(), other),
            )
        )
    return acts


# The luck of the cards


def _luck(title: str, scores: Sequence[int], average: Sequence[int], *, is_reader: bool) -> str:
    lead, cards = scores[0] - max(scores[1:]), average[0] - max(average[1:])
    values = {"names": title, "cards": number(abs(_rounded(cards))), "more": number(abs(_rounded(lead - cards)))}
    if is_reader:
        favour = gettext("The cards favoured you by %(cards)s points.")
        against = gettext("The cards were against you by %(cards)s points.")
        better = gettext("You did %(more)s points better than the bots.")
        worse = gettext("You did %(more)s points worse than the bots.")
    else:
        favour = gettext("The cards favoured %(names)s by %(cards)s points.")
        against = gettext("The cards were against %(names)s by %(cards)s points.")
        better = gettext("%(names)s did %(more)s points better than the bots.")
        worse = gettext("%(names)s did %(more)s points worse than the bots.")
    return " ".join([(favour if cards >= 0 else against) % values, (better if lead >= cards else worse) % values])


def _rounded(points: float) -> int:
    return _STEP * round(points / _STEP)


def _signed(points: int) -> str:
    return f"+{number(points)}" if points > 0 else number(points)
