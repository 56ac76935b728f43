"""Rulesets side by side: one short answer for each question that players ask first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.play.options import Books, Opening
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from web.words import number

CHARACTER = {
    "standard": "The game most people mean: pairs, four deals, two clean books and two dirty ones and a wild one to go out.",
    "denexa": "Standard with a ritual: everybody lifts their cards from the stock, passes a stack on and chooses a hand.",
    "family": "For an evening: nobody can take the pile, there is no opening minimum, and one deal is a match.",
    "bain": "A long match to 20,000 points, with the whole pile to be won and sevens worth a fortune.",
    "solo": "Everybody plays alone. Red threes cost points, and two books are enough to go out.",
    "bga": "As on Board Game Arena: any table from two to twelve, and no leave to go out is needed.",
    "saskatchewan": "Standard with a shorter way out: one book of each kind.",
    "pennies": "Six players in two teams of three, four decks, and books of sevens before all else.",
}
"""What each published ruleset is like, in a sentence."""


class Fact(NamedTuple):
    """One question, and its answer for each ruleset."""

    question: str
    answers: list[str]


def published() -> list[Rules]:
    """Every published ruleset, Standard first."""
    return [Rules.preset(name) for name in PRESETS]


def facts(rulesets: list[Rules]) -> list[Fact]:
    """The table that compares rulesets."""
    return [Fact(question, [answer(rules) for rules in rulesets]) for question, answer in _QUESTIONS.items()]


_MANY = 3
"""More sizes of team than these are summed up."""


def _players(rules: Rules) -> str:
    by_team: dict[int, list[int]] = {}
    for shape in rules.shapes:
        by_team.setdefault(shape.team_size, []).append(shape.seats)
    if len(by_team) > _MANY:
        seats = [shape.seats for shape in rules.shapes]
        return f"{min(seats)} to {max(seats)}, alone or in teams"
    return "; ".join(
        _sizes(sorted(seats), size) for size, seats in sorted(by_team.items(), reverse=True, key=_pairs_first)
    )


def _pairs_first(item: tuple[int, list[int]]) -> tuple[bool, int]:
    return item[0] == 2, item[0]


def _sizes(seats: list[int], team_size: int) -> str:
    together = {1: "alone", 2: "in pairs"}.get(team_size, f"in teams of {team_size}")
    is_run = len(seats) > 2 and seats == list(range(seats[0], seats[-1] + 1))
    counts = f"{seats[0]} to {seats[-1]}" if is_run else " or ".join(str(count) for count in seats)
    return f"{counts} {together}"


def _decks(rules: Rules) -> str:
    jokers = f"{rules.jokers_per_deck} jokers each"
    decks = "one more than players" if rules.decks.plus_seats and rules.decks.number == 1 else str(rules.deck_count(4))
    return f"{decks}, {jokers}"


def _cards(rules: Rules) -> str:
    return f"{rules.hand_cards} and {rules.foot_cards}"


def _pile(rules: Rules) -> str:
    if rules.pile_take == "none":
        return "never"
    how = {"natural_pair": "with a pair", "legal_meld": "with a meld", "one_match": "with one match"}.get(
        rules.pile_claim, ""
    )
    much = "the whole pile" if rules.pile_take == "all" else f"top {rules.pile_take} cards"
    return f"{much} {how}".strip()


def _opening(rules: Rules) -> str:
    opening: Opening = rules.opening
    if opening.kind == "none":
        return "none"
    steps = ", ".join(number(points) for _, points in opening.steps)
    return f"{steps}, by {'deal' if opening.kind == 'by_deal' else 'score'}"


def _contract(rules: Rules) -> str:
    words = {"clean": rules.contract.clean, "dirty": rules.contract.dirty, "wild": rules.contract.wild}
    parts = [f"{count} {kind}" for kind, count in words.items() if count]
    if rules.contract.sevens:
        parts.append(f"{rules.contract.sevens} of sevens")
    return ", ".join(parts) or "nothing"


def _permission(rules: Rules) -> str:
    return {"required": "must ask", "optional": "may ask", "none": "no need"}[rules.permission]


def _bonus(rules: Rules) -> str:
    bonus: Books = rules.book_bonus
    parts = [f"clean {number(bonus.clean)}", f"dirty {number(bonus.dirty)}"]
    if bonus.wild:
        parts.append(f"wild {number(bonus.wild)}")
    if bonus.sevens:
        parts.append(f"sevens {number(bonus.sevens)}")
    return ", ".join(parts)


def _red_threes(rules: Rules) -> str:
    return f"{number(rules.red_three.laid)} laid, {number(rules.red_three.held)} held"


def _wild(rules: Rules) -> str:
    return f"up to {rules.wild_limits[-1]}" if rules.wild_limits[-1] else "none"


def _length(rules: Rules) -> str:
    if rules.length.by == "target":
        return f"to {number(rules.length.number)} points"
    return "1 deal" if rules.length.number == 1 else f"{rules.length.number} deals"


_QUESTIONS: dict[str, Callable[[Rules], str]] = {
    "Players": _players,
    "Decks": _decks,
    "Hand and foot": _cards,
    "Taking the pile": _pile,
    "First meld, points": _opening,
    "Wild cards in a dirty book": _wild,
    "Books of wild cards": lambda rules: "yes" if rules.wild_melds else "no",
    "To go out": _contract,
    "Ask the partner": _permission,
    "After going out": lambda rules: "others have one more turn" if rules.final_turns else "the deal is over",
    "Bonus for books": _bonus,
    "Red threes": _red_threes,
    "Bonus for going out": lambda rules: number(rules.out_bonus),
    "A match": _length,
}
