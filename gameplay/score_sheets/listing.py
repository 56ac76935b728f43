"""Score sheets as others see them: a line of a list, and the whole sheet to look at and to print."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext

from accounts.models import User
from gameplay.score_sheets import paper_scoring
from gameplay.score_sheets.display import signed
from gameplay.score_sheets.models import ScoreSheet
from gameplay.score_sheets.paper_scoring import Reckoning, Row, Terms
from gameplay.score_sheets.terms import seat_names, terms_of
from web.text import number as figure
from web.text import several

MOST = 50
"""Sheets in a list, the latest first."""


class SideLine(NamedTuple):
    """A side of a deal: its figures by row, in the order of the sheet."""

    name: str
    cells: tuple[str, ...]
    points: str
    total: str


class DealLines(NamedTuple):
    """A deal with its sides."""

    number: int
    dealer: str
    lines: tuple[SideLine, ...]


@dataclass(frozen=True)
class ScoredSheet:
    """A sheet with its score."""

    sheet: ScoreSheet

    @cached_property
    def terms(self) -> Terms:
        return terms_of(self.sheet)

    @cached_property
    def reckoning(self) -> Reckoning:
        return paper_scoring.reckon(self.terms, self.sheet.deals)

    @property
    def is_over(self) -> bool:
        """Whether the rules or the players have ended the match."""
        return self.reckoning.is_over or self.sheet.is_stopped

    @property
    def progress(self) -> str:
        """The progress: `finished, 4 deals`, `2 of 4 deals`."""
        length, played = self.terms.rules.length, len(self.sheet.deals)
        if self.is_over:
            return gettext("finished, %(deals)s") % {"deals": several(played, "deal")}
        if length.by == "deals" and played < length.number:
            return gettext("%(played)s of %(deals)s deals") % {"played": played, "deals": length.number}
        return several(played, "deal")

    @property
    def scores(self) -> list[tuple[str, str, bool]]:
        """Each side: its name, its total, whether it has won."""
        best = max(self.reckoning.totals)
        return [
            (name, figure(total), self.is_over and total == best)
            for name, total in zip(self.terms.names, self.reckoning.totals, strict=True)
        ]

    @property
    def outcome(self) -> str:
        """The winners in a sentence; empty until the match is over."""
        if not self.is_over:
            return ""
        winners = [name for name, _, has_won in self.scores if has_won]
        text = gettext("%(winner)s won.") % {"winner": winners[0]}
        if len(winners) > 1:
            shared = {"most": ", ".join(winners[:-1]), "last": winners[-1]}
            text = gettext("%(most)s and %(last)s share the win.") % shared
        if self.sheet.is_stopped and not self.reckoning.is_over:
            text += " " + gettext("The match was stopped before the end.")
        return text

    @property
    def players(self) -> list[str]:
        return seat_names(self.sheet)

    @cached_property
    def rows(self) -> list[Row]:
        """The rows that something was counted in."""
        if all("points" in deal for deal in self.sheet.deals):
            return []
        by_books = [deal for deal in self.sheet.deals if "teams" in deal]
        sides = range(len(self.terms.names))
        return [
            row
            for row in paper_scoring.rows(self.terms)
            if any(paper_scoring.value(self.terms, deal, side, row.name) for deal in by_books for side in sides)
        ]

    @cached_property
    def deals(self) -> list[DealLines]:
        """Every deal with its sides."""
        totals, result = [0] * len(self.terms.names), []
        players = seat_names(self.sheet)
        for at, (deal, scored) in enumerate(zip(self.sheet.deals, self.reckoning.deals, strict=True), 1):
            totals = [total + points for total, points in zip(totals, scored.points, strict=True)]
            lines = tuple(
                SideLine(name, self._cells(deal, side), signed(scored.points[side]), figure(totals[side]))
                for side, name in enumerate(self.terms.names)
            )
            result.append(DealLines(at, players[(self.sheet.dealer + at - 1) % len(players)], lines))
        return result

    def _cells(self, deal: paper_scoring.Deal, side: int) -> tuple[str, ...]:
        if "points" in deal:
            return ("",) * len(self.rows)
        cells = []
        for row in self.rows:
            count = paper_scoring.value(self.terms, deal, side, row.name)
            less = row.name in ("left", "penalties")
            cells.append(("✓" if count else "") if row.kind == "out" else figure(-count if less else count))
        return tuple(cells)

    @property
    def remarks(self) -> list[str]:
        """Remarks about odd figures."""
        return [sentence for deal in self.reckoning.deals for sentence in deal.remarks]

    @property
    def is_long(self) -> bool:
        """Whether it takes small print to fit on one sheet of paper."""
        return len(self.sheet.deals) * len(self.terms.names) > 24


def of_owner(owner: User) -> list[ScoredSheet]:
    """Score sheets in an account."""
    return [ScoredSheet(sheet) for sheet in ScoreSheet.objects.filter(owner=owner).order_by("-touched_at")[:MOST]]


def of_keys(keys: Sequence[str]) -> list[ScoredSheet]:
    """The sheets of a visitor's session."""
    sheets = ScoreSheet.objects.filter(key__in=list(keys)).order_by("-touched_at")
    return [ScoredSheet(sheet) for sheet in sheets] if keys else []
