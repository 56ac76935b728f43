"""The page of a score sheet: each side's rows, the running score, dealers and opening minimums."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, pgettext

from engine.play.options import CLEAN_BOOK
from gameplay.house_rules.ruleset_facts import books_needed
from gameplay.score_sheets import deal_names, paper_scoring, score_form
from gameplay.score_sheets.paper_scoring import Deal, Row, Scored, Terms
from gameplay.score_sheets.score_form import BY_END, Typed, field_name, rank_name
from web.errors import Refused
from web.text import number as figure


@dataclass(frozen=True)
class RankField:
    """The counter of one rank."""

    key: str
    sign: str
    words: str
    points: int
    text: str
    error: str

    @property
    def is_least(self) -> bool:
        return self.text == "0"


@dataclass(frozen=True)
class Field:
    """A row of a side."""

    row: Row
    key: str
    text: str
    points: str
    error: str
    remark: str = ""
    """A remark about an odd but counted figure."""
    ranks: tuple[RankField, ...] = ()

    @property
    def is_least(self) -> bool:
        return self.text in ("", "0")

    @property
    def is_counted(self) -> bool:
        """Whether its cards are counted by rank."""
        return any(rank.text != "0" for rank in self.ranks)


@dataclass(frozen=True)
class Side:
    """A side of the sheet."""

    number: int
    name: str
    is_own: bool
    fields: tuple[Field, ...]
    total: str
    deal: str
    opening: str


@dataclass(frozen=True)
class Seating:
    """Names of players by seat; empty if unknown. The last seat deals first by default."""

    seats: tuple[str, ...] = ()
    dealer: int | None = None

    def deals(self, number: int) -> str:
        """The dealer of a deal."""
        first = len(self.seats) - 1 if self.dealer is None else self.dealer
        return self.seats[(first + number - 1) % len(self.seats)] if self.seats else ""

    def begins(self, number: int) -> str:
        """The first player of a deal: next to the dealer."""
        return self.deals(number + 1)


def sheet(
    terms: Terms,
    deals: Sequence[Deal],
    number: int | None,
    typed: Typed,
    *,
    seating: Seating,
    url: str,
    wrong: Mapping[str, str] | None = None,
    own_side: int | None = None,
) -> dict[str, Any]:
    """The context of a page on which deal `number` is open, if any; `wrong` are sentences by field."""
    is_end = typed.way == BY_END
    is_over = paper_scoring.is_over(terms, len(deals), paper_scoring.reckon(terms, deals).totals)
    now_at = number if number is not None and not is_end else None
    deals_now = list(deals)
    if now_at is not None:
        deals_now[now_at - 1 : now_at] = [typed.deal]
    scored = [paper_scoring.count(terms, deal, at) for at, deal in enumerate(deals_now, 1)]
    totals = tuple(sum(deal.points[side] for deal in scored) for side in range(len(terms.names)))
    now = scored[now_at - 1] if now_at is not None else None
    following = len(deals) + 1 if now_at is None else max(now_at, len(deals)) + 1
    has_next = not is_over and not is_end and may_follow(terms, following)
    has_fields = number is not None or is_end
    of_deal = terms._replace(rules=terms.rules.in_deal(now_at or following))
    sides = [
        Side(
            number=side,
            name=name,
            is_own=side == own_side,
            fields=fields(of_deal, typed, side, now_at or following, now, wrong or {}) if has_fields else (),
            total="–" if is_end else figure(totals[side]),
            deal=signed(now.points[side]) if now else "",
            opening=opening_words(terms.rules.opening.minimum(following, totals[side])) if has_next else "",
        )
        for side, name in enumerate(terms.names)
    ]
    length = terms.rules.length
    return {
        "sides": sides,
        "typed": typed,
        "ways": [(way, words, f"{url}?by={way}") for way, words in score_form.ways(terms).items()],
        "number": number,
        "entering": now_at is not None,
        "is_end": is_end,
        "is_over": is_over,
        "is_saved": now_at is not None and now_at <= len(deals),
        "saved": len(deals),
        "length": gettext(" of %(deals)s") % {"deals": length.number}
        if length.by == "deals" and (now_at or 0) <= length.number and not terms.boards
        else "",
        "label": deal_names.label(terms.boards, number) if number is not None else "",
        "is_of_boards": bool(terms.boards),
        "is_board": number is not None and deal_names.is_board(terms.boards, number),
        "is_last_board": deal_names.is_board(terms.boards, len(deals)),
        "is_by_board": terms.is_by_board,
        "last_label": deal_names.label(terms.boards, len(deals)),
        "running": running(terms, scored, now_at, url),
        "totals": [figure(total) for total in totals],
        "remarks": list(now.remarks) if now else [sentence for deal in scored for sentence in deal.remarks],
        "contract": contract(of_deal),
        "coming": coming(terms, seating, now_at, len(deals), deals_now, is_over=is_over or is_end),
    }


def may_follow(terms: Terms, number: int) -> bool:
    """Whether the rules may have a deal of this number, as far as its number goes."""
    length = terms.rules.length
    return length.by != "deals" or number <= length.number or terms.has_extra_deals


def signed(points: int) -> str:
    """Points of a deal with their sign."""
    return f"+{figure(points)}" if points > 0 else figure(points)


def forms(
    terms: Terms, deals: Sequence[Deal], number: int | None, typed: Typed, wrong: Mapping[str, str], *, but: str = ""
) -> list[dict[str, Any]]:
    """The rows of each way to fill the sheet in, by side, except `but`: a script switches between them."""
    result = []
    for way in score_form.ways(terms):
        if way == but:
            continue
        filled = typed if way == typed.way and number is not None else score_form.from_deal(terms, way, None)
        if way == typed.way == BY_END:
            filled = typed
        now = None if way == BY_END else paper_scoring.count(terms, filled.deal, number or len(deals) + 1)
        sides = [
            {"number": side, "name": name, "fields": fields(terms, filled, side, number or len(deals) + 1, now, wrong)}
            for side, name in enumerate(terms.names)
        ]
        result.append({"way": way, "is_chosen": way == typed.way, "is_end": way == BY_END, "sides": sides})
    return result


def fields(
    terms: Terms, typed: Typed, side: int, at: int, now: Scored | None, wrong: Mapping[str, str]
) -> tuple[Field, ...]:
    """The rows that a side fills in for this deal, counted from 1, with their points."""
    return tuple(_field(terms, typed, side, row, at, now, wrong) for row in score_form.fields(terms, typed.way))


def _field(
    terms: Terms, typed: Typed, side: int, row: Row, at: int, now: Scored | None, wrong: Mapping[str, str]
) -> Field:
    key = field_name(side, row.name)
    points = None
    if now is not None:
        points = now.points[side] if row.name == "points" else now.items[side].get(row.name, 0)
    ranks = tuple(
        RankField(
            name := rank_name(side, row.name, rank.letter),
            rank.sign,
            rank.words,
            rank.points,
            typed.texts.get(name) or "0",
            wrong.get(name, ""),
        )
        for rank in (paper_scoring.ranks(terms) if row.is_cards else ())
    )
    lacks = paper_scoring.lacks(terms, typed.deal, side, at) if row.kind == "out" else ""
    figures = "" if points is None else signed(points)
    return Field(row, key, typed.texts.get(key, ""), figures, wrong.get(key, ""), remark_words(lacks), ranks)


def remark_words(lacks: str) -> str:
    """The remark that books for going out are missing; it counts all the same."""
    return (
        gettext("This team needs %(books)s more to go out. Your entry is still counted.") % {"books": lacks}
        if lacks
        else ""
    )


def problem(terms: Terms, typed: Typed) -> str:
    """The reason why the deal cannot be saved yet, while it is being filled in."""
    try:
        paper_scoring.check(terms, typed.deal)
    except Refused as refusal:
        return refusal.sentence
    return ""


def running(terms: Terms, scored: Sequence[Scored], now: int | None, url: str) -> list[dict[str, Any]]:
    """The deals so far, with their opening minimums."""
    totals, rows = [0] * len(terms.names), []
    for at, deal in enumerate(scored, 1):
        rows.append(
            {
                "number": at,
                "label": deal_names.label(terms.boards, at),
                "words": deal_names.words(terms.boards, "Change deal %(number)s", at),
                "is_now": at == now,
                "points": [signed(points) for points in deal.points],
                "to_open": _minimums(terms, at, totals),
                "url": f"{url}?deal={at}",
            }
        )
        totals = [total + points for total, points in zip(totals, deal.points, strict=True)]
    return rows


def _minimums(terms: Terms, deal: int, totals: Sequence[int]) -> str:
    minimums = [figure(terms.rules.opening.minimum(deal, total)) for total in totals]
    return minimums[0] if len(set(minimums)) == 1 else " / ".join(minimums)


def coming(
    terms: Terms, seating: Seating, number: int | None, saved: int, deals: Sequence[Deal], *, is_over: bool
) -> list[dict[str, Any]]:
    """Facts for the table about the open deal, and about the next one if there is one."""
    first = number if number is not None and number > saved else saved + 1
    if is_over:
        return []
    result = [_deal(terms, seating, first, deals[: first - 1])]
    if number == first and may_follow(terms, first + 1):
        result.append(_deal(terms, seating, first + 1, deals))
    return result


def _deal(terms: Terms, seating: Seating, number: int, before: Sequence[Deal]) -> dict[str, Any]:
    """The opening minimum and the dealer of a deal."""
    scored = [paper_scoring.count(terms, deal, at) for at, deal in enumerate(before, 1)]
    totals = [sum(points.points[side] for points in scored) for side in range(len(terms.names))]
    minimums = [terms.rules.opening.minimum(number, total) for total in totals]
    if len(set(minimums)) > 1:
        words = gettext("%(points)s for %(name)s")
        pairs = zip(minimums, terms.names, strict=True)
        opening = ", ".join(words % {"points": opening_words(points), "name": name} for points, name in pairs)
    elif minimums[0]:
        words = gettext("%(points)s for both sides") if len(minimums) == 2 else gettext("%(points)s for everyone")
        opening = words % {"points": opening_words(minimums[0])}
    else:
        opening = pgettext("first meld", "none")
    length = terms.rules.length
    is_last = length.by == "deals" and number == length.number
    title = "Deal %(number)s, the last" if is_last else "Deal %(number)s"
    return {
        "number": number,
        "title": deal_names.words(terms.boards, title, number),
        "is_last": is_last,
        "opening": opening,
        "dealer": seating.deals(number),
        "beginner": seating.begins(number),
    }


def opening_words(points: int) -> str:
    """An opening minimum: points, or a clean book."""
    return gettext("clean book") if points == CLEAN_BOOK else figure(points)


def contract(terms: Terms) -> str:
    """The books that going out takes: `2 clean, 2 dirty, 1 wild`."""
    return ", ".join(books_needed(kind, count) for kind, count in terms.rules.needed.items() if count)
