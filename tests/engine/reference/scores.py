"""Scores: the points of each team for a deal, item by item, the totals, and who has won the match."""

from __future__ import annotations

from typing import Any

from tests.engine.reference.melding import book_points, has_special
from tests.engine.reference.table import RED_THREES, Table
from tests.engine.reference.turns import value_in_meld


def deal_items(table: Table, team: int) -> dict[str, int]:
    """Points of a team for a deal that is over, by what they are for; nothing is left out."""
    melds = table.melds[team]
    held = held_cards(table, team)
    threes = [card for card in held if card in RED_THREES]
    return {
        "books": sum(book_points(table, melds, meld) for meld in melds if meld.is_book),
        "melded": melded_points(table, team),
        "wild_unfinished": unfinished_points(table, team),
        "red_threes_laid": laid_points(table, team),
        "red_threes_held": len(threes) * table.options["red_three"]["held"],
        "left": -sum(table.options["values"][card[0]] for card in held if card not in RED_THREES),
        "out": table.options["out_bonus"] if table.went_out == team else 0,
        "lift": lift_points(table, team),
        "penalties": table.penalties[team],
    }


def melded_points(table: Table, team: int) -> int:
    """Cards on the table count for their team, in books or not, and so do sevens laid at the end (r20).

    Red threes count only in a meld of threes (r29, r37).
    """
    laid = [card for card in table.laid_sevens[team] if card not in RED_THREES]
    melded = [card for meld in table.melds[team] for card in meld.cards]
    return sum(value_in_meld(table, card) for card in melded + laid)


def unfinished_points(table: Table, team: int) -> int:
    return table.options["wild_unfinished"] * sum(meld.name == "wild" and meld.is_open for meld in table.melds[team])


def laid_points(table: Table, team: int) -> int:
    """Red threes on the table: each, all together, or in sets; against a team without a book of sevens (r17, r28, r41)."""
    options, count = table.options, len(table.red_threes[team])
    laid = options["red_three"]["laid"]
    points = count * laid
    if options["red_three_all"] is not None and count == table.all_red_threes():
        points = options["red_three_all"]
    elif options["red_three_sets"]:
        sets, single = divmod(count, options["red_three_sets"]["size"])
        points = sets * options["red_three_sets"]["points"] + single * laid
    if options["red_three_sevens"] and not has_special(table, table.melds[team], "7"):
        points = -abs(points)
    return points


def held_cards(table: Table, team: int) -> list[str]:
    """Hands and stacks count against the team, unless it went out and only the others pay (r43)."""
    if table.options["held_counts"] == "others" and table.went_out == team:
        return []
    seats = range(team, table.seats, table.teams)
    return [card for seat in seats for cards in (table.hands[seat], *table.feet[seat]) for card in cards]


def lift_points(table: Table, team: int) -> int:
    """Points for lifting, by the distance from the cards needed (r1, r42)."""
    lift = table.options["lift"]
    if not lift:
        return 0
    needed, seats = sum(table.options["stacks"]), list(range(team, table.seats, table.teams))
    if lift["by"] == "dealer":
        needed = needed * table.seats + int(table.options["upcard"])
        seats = [seat for seat in seats if seat == table.dealer]
    distances = [abs(number - needed) for seat in seats if (number := table.grabs[seat])]
    return sum(next((points for most, points in lift["within"] if distance <= most), 0) for distance in distances)


def deal_scores(table: Table) -> list[int]:
    return [sum(deal_items(table, team).values()) for team in range(table.teams)]


def totals(table: Table) -> list[int]:
    return [before + points for before, points in zip(table.scores, deal_scores(table), strict=True)]


MOST_DEALS = 200
"""A bound of the engine, not of the rules: a target may never be reached."""


def winners(table: Table) -> list[int] | None:
    """The teams that have won the match, or `None` where another deal is played (r23)."""
    length: dict[str, Any] = table.options["length"]
    sums = totals(table)
    best = [team for team, points in enumerate(sums) if points == max(sums)]
    if table.deal >= MOST_DEALS:
        return best
    if table.deal < length["deals"] if "deals" in length else max(sums) < length["target"]:
        return None
    return None if len(best) > 1 and table.options["tie"] == "extra_deals" else best
