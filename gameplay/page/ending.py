"""The end of a deal or match on the page: who won and why, the points side by side, the match so far, the moments."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from engine.play.melds import Meld
from engine.play.scoring import Outcome
from engine.play.state import State
from engine.play.view import View
from gameplay.log.deal_end import DealEnd
from gameplay.log.story import StoryLine
from gameplay.page import markup
from gameplay.page.deal_score import Cell, ScoreSheet
from gameplay.page.words import is_reader
from web.text import in_sentence, number

WIDTH, HEIGHT = 372, 104
_LEFT, _RIGHT, _TOP, _BOTTOM = 26, 346, 20, 72
_MOST_LABELS = 6
"""Deals whose labels have room along the plot."""
_SPREAD = 4
"""Cards of the best meld that are shown."""


@dataclass(frozen=True)
class TallyCell(Cell):
    """The points of one side in one line, and the length of their bar in hundredths."""

    width: int


@dataclass(frozen=True)
class TallyLine:
    """A line of two sides, with its words between them."""

    words: str
    cells: list[TallyCell | None]


@dataclass(frozen=True)
class Mark:
    """A place on the plot of the lead: the points after a deal, and its labels."""

    x: str
    y: str
    label: str
    label_y: str
    below: str
    is_ahead: bool


@dataclass(frozen=True)
class LeadPlot:
    """The lead of a side after each deal, worked out for an SVG of fixed size."""

    title: str
    words: str
    """The same in a sentence, for those who do not see it."""
    points: str
    zero: str
    """The height of no lead."""
    marks: list[Mark]
    """The places, the start first; deals to come have only the label below."""


@dataclass(frozen=True)
class Ending:
    """What is told of a deal that is over, beside its score sheet."""

    headline: str
    why: str
    is_won: bool
    """Whether the reader’s side has won; for a spectator every end is one."""
    spread: list[tuple[str, SafeString]]
    """Suit and face of cards of the winners’ best meld."""
    lines: list[TallyLine]
    """The lines of the sheet side by side; none where there are more than two sides."""
    plot: LeadPlot | None
    moments: Sequence[StoryLine]
    left: SafeString
    """The cards left in the reader’s hand, and their names."""
    left_words: str


def build_ending(view: View, order: Sequence[int], sheet: ScoreSheet, end: DealEnd, names: Sequence[str]) -> Ending:
    """The ending of a deal; `order` has the sides by number in the order of the sheet’s columns."""
    is_match = bool(sheet.winners)
    sums = sheet.totals if is_match else sheet.deal
    first = [place for place, points in enumerate(sums) if points == max(sums)]
    if is_match:
        first = [place for place, title in enumerate(sheet.titles) if title in sheet.winners]
    reader_place = None if view.seat is None else order.index(view.seat % view.position.teams)
    return Ending(
        headline=_headline([sheet.titles[place] for place in first], is_match=is_match),
        why=_why(view.position, order, sheet, end, names, first),
        is_won=reader_place is None or reader_place in first,
        spread=_spread(view.position, order[first[0]]),
        lines=_side_by_side(sheet) if len(order) == 2 else [],
        plot=_plot(view, order, sheet, end.outcomes, reader_place),
        moments=end.moments,
        left=markup.fan(view.hand),
        left_words=", ".join(markup.SPOKEN[card] for card in view.hand),
    )


def _headline(winners: Sequence[str], *, is_match: bool) -> str:
    names = ", ".join(winners)
    if is_match:
        text = ngettext("%(names)s won the match", "%(names)s won the match", len(winners))
        return text % {"names": names}
    if len(winners) > 1:
        return gettext("The deal is tied")
    return gettext("%(names)s won the deal") % {"names": names}


# Why


def _why(
    state: State, order: Sequence[int], sheet: ScoreSheet, end: DealEnd, names: Sequence[str], first: Sequence[int]
) -> str:
    """In one sentence: who went out, what weighed most, and by how many points."""
    sums = sheet.totals if sheet.winners else sheet.deal
    others = [points for place, points in enumerate(sums) if place not in first]
    if len(first) > 1 or not others:
        return gettext("The best sides have the same number of points.")
    winner, ahead = first[0], sums[first[0]] - max(others)
    if sheet.winners and len(end.outcomes) > 1:
        leads = [_lead(outcome.deal_score, order[winner]) for outcome in end.outcomes]
        values = {"points": number(ahead), "deal": leads.index(max(leads)) + 1}
        return gettext("%(points)s points ahead: deal %(deal)s made the difference.") % values
    rival = sums.index(max(others))
    weights = {"points": number(ahead), "item": _heaviest(sheet, winner, rival)}
    if end.out_by is None:
        return gettext(_NOBODY_OUT.get(end.how, _NOBODY_OUT[""])) % weights
    is_winner = end.out_by % state.teams == order[winner]
    if is_reader(names[end.out_by]):
        if is_winner:
            return gettext("You went out, and %(item)s made the difference: %(points)s points ahead.") % weights
        return gettext("You went out, but %(item)s weighed more: %(points)s points ahead.") % weights
    weights["name"] = names[end.out_by]
    if is_winner:
        return gettext("%(name)s went out, and %(item)s made the difference: %(points)s points ahead.") % weights
    return gettext("%(name)s went out, but %(item)s weighed more: %(points)s points ahead.") % weights


_NOBODY_OUT = {
    "": gettext_noop("%(points)s points ahead: the difference was %(item)s."),
    "stock_out": gettext_noop("The stock ran out, and %(item)s made the difference: %(points)s points ahead."),
    "last_red_three": gettext_noop("The stock ran out, and %(item)s made the difference: %(points)s points ahead."),
    "all_kept": gettext_noop("Nobody went out, and %(item)s made the difference: %(points)s points ahead."),
}


def _lead(points: Sequence[int], team: int) -> int:
    return points[team] - max(score for other, score in enumerate(points) if other != team)


def _heaviest(sheet: ScoreSheet, winner: int, rival: int) -> str:
    """The line in which the winner has most more than the rival, as it stands within a sentence."""

    def difference(cells: Sequence[object]) -> int:
        points = [getattr(cells[place], "points", 0) for place in (winner, rival)]
        return points[0] - points[1]

    return in_sentence(max(sheet.lines, key=lambda line: difference(line.cells)).words) if sheet.lines else ""


# The drawings


def _spread(state: State, team: int) -> list[tuple[str, SafeString]]:
    melds = state.melds[team]
    if not melds:
        return []

    def worth(meld: Meld) -> tuple[bool, bool, int]:
        return meld.is_book, not meld.wild, len(meld.cards)

    cards = max(melds, key=worth).cards[:_SPREAD]
    return [(markup.suit_class(card), markup.face(card)) for card in cards]


def _side_by_side(sheet: ScoreSheet) -> list[TallyLine]:
    most = max([abs(cell.points) for line in sheet.lines for cell in line.cells if cell] or [1]) or 1
    return [
        TallyLine(
            line.words,
            [
                None if cell is None else TallyCell(cell.number, cell.points, round(100 * abs(cell.points) / most))
                for cell in line.cells
            ],
        )
        for line in sheet.lines
    ]


def _plot(
    view: View, order: Sequence[int], sheet: ScoreSheet, outcomes: Sequence[Outcome], reader_place: int | None
) -> LeadPlot | None:
    """The lead of the reader’s side (for a spectator of the first) over the best other after each deal."""
    if not outcomes:
        return None
    place = reader_place or 0
    leads = [_lead(outcome.totals, order[place]) for outcome in outcomes]
    length = view.position.rules.length
    deals = max(len(leads), length.number) if length.by == "deals" and length.number <= _MOST_LABELS else len(leads)
    low, high = min(0, *leads), max(0, *leads)
    shown = range(0, deals + 1, -(-deals // _MOST_LABELS))

    def x(deal: int) -> str:
        return str(round(_LEFT + (_RIGHT - _LEFT) * deal / deals))

    def y(lead: int) -> int:
        return round(_BOTTOM - (_BOTTOM - _TOP) * (lead - low) / ((high - low) or 1)) if high > low else _BOTTOM

    marks = []
    for deal in range(deals + 1):
        is_over = deal <= len(leads)
        lead = ([0, *leads])[deal] if is_over else 0
        is_labelled = is_over and deal > 0 and (deal in shown or deal == len(leads))
        below = pgettext("of a plot", "start") if deal == 0 else gettext("Deal %(number)s") % {"number": deal}
        marks.append(
            Mark(
                x=x(deal),
                y=str(y(lead)) if is_over else "",
                label=_signed(lead) if is_labelled else "",
                label_y=str(y(lead) - 9 if lead >= 0 else y(lead) + 15),
                below=below if deal in shown else "",
                is_ahead=lead >= 0,
            )
        )
    titles = {"names": sheet.titles[place]}
    words = [
        gettext("Deal %(number)s: %(lead)s") % {"number": deal, "lead": _signed(lead)}
        for deal, lead in enumerate(leads, 1)
    ]
    return LeadPlot(
        title=gettext("Your lead, deal by deal")
        if reader_place is not None
        else gettext("Lead of %(names)s, deal by deal") % titles,
        words="; ".join(words),
        points=" ".join(f"{mark.x},{mark.y}" for mark in marks if mark.y),
        zero=str(y(0)),
        marks=marks,
    )


def _signed(points: int) -> str:
    return f"+{number(points)}" if points > 0 else number(points)
