"""The page of a review as plain data, in the words of its reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext

from engine.play.cards import parse_cards
from gameplay.log.match_history import is_open, read_outcome, titles_of
from gameplay.log.story import StoryLine, tell
from gameplay.models import Deal, DealReview, Seat, Table
from gameplay.page import markup
from gameplay.page.seats import names_of
from gameplay.reviews.replays import Act, Replay, Stacks, replay_of
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
    dealt: Stacks
    left: Stacks

    @property
    def dealt_cards(self) -> list[tuple[str, SafeString]]:
        """Title and cards of each stack."""
        return [_chips(*stack) for stack in self.dealt]

    @property
    def left_cards(self) -> list[tuple[str, SafeString]]:
        """The same at the end."""
        return [_chips(*stack) for stack in self.left]


@dataclass(frozen=True)
class TurningPoint:
    """A turn after which another side was to be expected ahead, or ahead by much more."""

    mark: int
    line: StoryLine
    points: int

    @property
    def swing(self) -> str:
        """The change of the lead, with its sign."""
        return _signed(self.points)


@dataclass(frozen=True)
class CostlyAct:
    """An act with one that was better, as far as the player could know."""

    number: int
    seat: int
    name: str
    act: Act
    points: int


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
    team: int
    """The side whose leads are given: the reader's, else the first."""
    hands: list[Hand]
    titles: list[str]
    """The sides, the reader's first."""
    leads: list[tuple[int, int, int]] = field(default_factory=list)
    """Of each turn its last move, the seat, and the lead to be expected then. The first is the start of the deal."""
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


def open_deals(table: Table) -> list[Deal]:
    """The deals that are over and whose cards everyone may see."""
    over = Deal.objects.filter(table=table, ended_at__isnull=False, result__isnull=False)
    return [deal for deal in over if is_open(table, deal.number)]


def build_review(table: Table, seats: Sequence[Seat], reader: int | None, deal: Deal) -> ReviewPage:
    """The review of a deal that lies open; `reader` is the seat of the reader, if any."""
    names = names_of(seats, reader)
    team = 0 if reader is None else reader % table.teams
    order = [team, *[other for other in range(table.teams) if other != team]]
    by_team = titles_of(names, table.teams)
    titles = [capfirst(by_team[team]) for team in order]
    review = DealReview.objects.filter(deal=deal).first()
    status = _status(review)
    is_done = review is not None and status == "done"
    progress = review.progress if review is not None and is_done else {"costs": []}
    replay = replay_of(table, deal, progress["costs"])
    hands = [Hand(str(name), dealt, left) for name, dealt, left in zip(names, replay.dealt, replay.left, strict=True)]
    if not is_done:
        return ReviewPage(status, team, hands, titles)
    leads = [row[2][team] for row in progress["turns"]]
    turning = _turning(progress["turns"], leads)
    scores = [read_outcome(deal.result or {}).deal_score[team] for team in order]
    plays = [[play[team] for team in order] for play in progress["bots"]]
    average = [round(sum(column) / len(plays)) for column in zip(*plays, strict=True)]
    return ReviewPage(
        status,
        team,
        hands,
        titles,
        leads=[(move, seat, lead) for (move, seat, _), lead in zip(progress["turns"], leads, strict=True)],
        course=_course(titles[0], leads, turning, is_reader=reader is not None),
        turning_points=_turning_points(table, seats, reader, progress["turns"], leads, turning),
        costs=_costs(progress["costs"], replay, names, reader),
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


def _chips(name: str, cards: str) -> tuple[str, SafeString]:
    titles = {"hand": gettext("Hand"), "knee": gettext("Knee"), "foot": gettext("Foot")}
    return titles[name], markup.chips(parse_cards(cards))


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
            points.append(TurningPoint(mark, lines[0], _rounded(swing)))
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


def _costs(rows: Sequence[Sequence[Any]], replay: Replay, names: Sequence[str], reader: int | None) -> list[CostlyAct]:
    shown = [row for row in rows if reader in (None, row[1])]
    shown = sorted(shown, key=lambda row: (-row[3], row[0]))[:MOST_OF_ALL]
    return [
        CostlyAct(at, seat, str(names[seat]), replay.acts[at], max(_STEP, _rounded(points)))
        for at, seat, _, points in shown
    ]


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
