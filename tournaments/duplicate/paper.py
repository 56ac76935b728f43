"""Dealing sheets as a PDF: two boards on a page, or a building plan of each board on a page of its own."""

from collections.abc import Sequence

from django.utils.translation import gettext

from tournaments.duplicate.cards import SUITS, Card, Seat, Sheet, Stack, sorted_rows
from tournaments.duplicate.sheet_text import about, face_up, joker_words, plan_heads, stock_title
from tournaments.exports.paper import cover
from tournaments.models import Tournament
from web.paper import MARGIN, POINT, TOP, Paper

SIGNS = dict(zip(SUITS, "\xa8\xa9\xaa\xab", strict=True))
"""The suits in Zapf Dingbats, a font that every reader of PDF has. The font of the site has none."""
RED = (176, 0, 32)
GAP = 6.0
"""Millimetres between two boards on a page."""
SIZE, LEAST_SIZE = 9.5, 6.5
"""Sizes of type of the cards in points."""
LEADING = 1.45
A_LINE = 20
"""Cards of the stock in a line."""


def dealing_sheets(event: Tournament, sheets: Sequence[Sheet]) -> bytes:
    """The boards, two on a page where they fit."""
    paper = Paper(cover(event), _heading(gettext("Dealing sheets")), gettext("Secret until all tables have played"))
    half = (paper.bottom - TOP - GAP) / 2
    is_half = all(_height(paper, sheet, SIZE) <= half or _height(paper, sheet, LEAST_SIZE) <= half for sheet in sheets)
    room = half if is_half else paper.bottom - TOP
    y = 0.0
    for at, sheet in enumerate(sheets):
        is_second = is_half and at % 2 == 1
        y = y + half + GAP if is_second else paper.sheet()
        if is_second:
            paper.set_dash_pattern(dash=1, gap=1)
            paper.line(MARGIN, y - GAP / 2, MARGIN + paper.inner, y - GAP / 2)
            paper.set_dash_pattern()
        _board(paper, y, sheet, _fitting(paper, sheet, room))
    return paper.to_bytes()


def _heading(title: str) -> str:
    return f"{title}. {joker_words()}"


def _fitting(paper: Paper, sheet: Sheet, room: float) -> float:
    """The biggest size of type at which a board fits."""
    size = SIZE
    while size > LEAST_SIZE and _height(paper, sheet, size) > room:
        size -= 0.25
    return size


def _line(size: float) -> float:
    return size * POINT * LEADING


def _height(paper: Paper, sheet: Sheet, size: float) -> float:
    stacks = sum(_rows_of_seat(paper, sheet.seats[at : at + 2], size) for at in range(0, len(sheet.seats), 2))
    stock = -(-len(sheet.stock.cards) // A_LINE) + 1
    return 11 + (stacks + stock + 1) * _line(size) + 2.0 * (len(sheet.seats) // 2 + 2)


def _rows_of_seat(paper: Paper, pair: Sequence[Seat], size: float) -> int:
    """Lines of two seats side by side."""
    width = (paper.inner - GAP) / 2
    return max(1 + sum(len(_broken(paper, stack, width - 18, size)) for stack in seat.stacks) for seat in pair)


def _board(paper: Paper, y: float, sheet: Sheet, size: float) -> None:
    """A board from `y` on."""
    y = _title(paper, y, sheet)
    width, line = (paper.inner - GAP) / 2, _line(size)
    for at in range(0, len(sheet.seats), 2):
        pair = sheet.seats[at : at + 2]
        for column, seat in enumerate(pair):
            x, top = MARGIN + column * (width + GAP), y
            paper.put(x, top, width, seat.name, size=size, bold=True)
            top += line
            for stack in seat.stacks:
                paper.put(x, top, 17, stack.title, size=size * 0.85)
                for cards in _broken(paper, stack, width - 18, size):
                    _cards(paper, x + 18, top, cards, size, is_grouped=not stack.is_ordered)
                    top += line
        y += _rows_of_seat(paper, pair, size) * line + 2.0
    if sheet.pile.cards:
        paper.put(MARGIN, y, 34, sheet.pile.title, size=size, bold=True)
        _cards(paper, MARGIN + 36, y, sheet.pile.cards, size, is_grouped=False)
        y += line + 1
    paper.put(MARGIN, y, paper.inner, stock_title(sheet), size=size, bold=True)
    _stock(paper, y + line, sheet.stock.cards, size)


def _title(paper: Paper, y: float, sheet: Sheet) -> float:
    title = gettext("Board %(number)s") % {"number": sheet.label}
    paper.put(MARGIN, y, 60, title, size=15, bold=True)
    paper.put(MARGIN + 60, y + 1.4, paper.inner - 60, about(sheet), size=9, align="R")
    return y + 9


def _stock(paper: Paper, y: float, cards: Sequence[Card], size: float) -> float:
    """The stock in lines of twenty with their numbers; its lower end."""
    cell = (paper.inner - 9) / A_LINE
    for at in range(0, len(cards), A_LINE):
        paper.put(MARGIN, y, 8, str(at + 1), size=size * 0.75, align="R")
        for column, card in enumerate(cards[at : at + A_LINE]):
            _card(paper, MARGIN + 10 + column * cell, y, card, size)
        y += _line(size)
    return y


def _broken(paper: Paper, stack: Stack, width: float, size: float) -> list[tuple[Card, ...]]:
    """The cards of a stack in lines that fit."""
    lines: list[list[Card]] = [[]]
    used, before = 0.0, ""
    for card in stack.cards:
        is_grouped = not stack.is_ordered
        more = _width(paper, card, size, with_rank=not is_grouped or card.rank != before or not lines[-1])
        if used + more > width:
            lines.append([])
            used, more = 0.0, _width(paper, card, size, with_rank=True)
        lines[-1].append(card)
        used, before = used + more, card.rank
    return [tuple(line) for line in lines]


def _width(paper: Paper, card: Card, size: float, *, with_rank: bool) -> float:
    paper.set_font("body", "B", size)
    rank = float(paper.get_string_width(card.rank)) + 0.19 * size if with_rank else 0.0
    return rank + _suit_width(paper, card, size)


def _suit_width(paper: Paper, card: Card, size: float) -> float:
    return 0.32 * size if card.suit in SIGNS else float(paper.get_string_width(card.suit)) + 0.09 * size


def _cards(paper: Paper, x: float, y: float, cards: Sequence[Card], size: float, *, is_grouped: bool) -> None:
    """Cards in a line; of several of one rank it is written once."""
    before = ""
    for card in cards:
        with_rank = not is_grouped or card.rank != before
        if with_rank and before:
            x += 0.13 * size
        x = _card(paper, x, y, card, size, with_rank=with_rank)
        before = card.rank


def _card(paper: Paper, x: float, y: float, card: Card, size: float, *, with_rank: bool = True) -> float:
    """A card with its left upper corner there; the place of the next."""
    if card.is_red:
        paper.set_text_color(*RED)
    if with_rank:
        paper.set_font("body", "B", size)
        width = float(paper.get_string_width(card.rank))
        paper.put(x, y, width + 1, card.rank, size=size, bold=True)
        x += width + 0.06 * size
    if card.suit in SIGNS:
        paper.set_font("zapfdingbats", "", size * 0.9)
        paper.set_xy(x, y)
        paper.cell(0.3 * size, size * POINT * 1.25, SIGNS[card.suit])
    else:
        paper.put(x, y, 8, card.suit, size=size)
    paper.set_text_color(0)
    return x + _suit_width(paper, card, size)


# Building plans


def building_plans(event: Tournament, sheets: Sequence[Sheet]) -> bytes:
    """For each board how to build it from sorted packs: how many of each card go to each stack, then the stock."""
    paper = Paper(cover(event), _heading(gettext("Building plans")), gettext("Secret until all tables have played"))
    for sheet in sheets:
        _plan(paper, paper.sheet(), sheet)
    return paper.to_bytes()


def _plan(paper: Paper, y: float, sheet: Sheet) -> None:
    y = _title(paper, y, sheet)
    rows, heads = sorted_rows(sheet), plan_heads(sheet)
    stock = -(-len(sheet.stock.cards) // A_LINE) + 2
    row = min(4.2, (paper.bottom - y - 12 - stock * 3.6) / (len(rows) + 1))
    size = min(8.0, row / POINT / 1.3)
    column = (paper.inner - 24) / len(heads)
    for at, (above, below) in enumerate(heads):
        paper.put(MARGIN + 24 + at * column, y, column - 1, above, size=6.5, bold=True, align="R")
        paper.put(MARGIN + 24 + at * column, y + 2.8, column - 1, below, size=6.5, align="R")
    y += 6.4
    for number_of_row, each in enumerate(rows):
        if number_of_row % 2 == 0:
            paper.set_fill_color(240)
            paper.rect(MARGIN, y, paper.inner, row, style="F")
        _card(paper, MARGIN + 1, y + 0.2, each.card, size)
        paper.put(MARGIN + 12, y + 0.2, 10, f"× {each.total}", size=size)
        for at, count in enumerate(each.counts):
            if count:
                paper.put(MARGIN + 24 + at * column, y + 0.2, column - 1, str(count), size=size, align="R")
        y += row
    y += 2
    paper.put(MARGIN, y, paper.inner, f"{stock_title(sheet)}. {face_up()}", size=7.5, bold=True)
    _stock(paper, y + 4, sheet.stock.cards, min(7.0, (paper.bottom - y - 4) / stock / POINT / LEADING))
