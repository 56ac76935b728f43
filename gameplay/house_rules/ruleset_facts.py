"""Rulesets side by side: one short answer for each question that players ask first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.utils.translation import gettext, gettext_lazy, gettext_noop, pgettext

from engine.play.options import Books, Opening
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from web.text import either, number, several

CHARACTER = {
    "standard": gettext_lazy(
        "The game most people mean: pairs, four deals, and two clean, two dirty and one wild book to go out."
    ),
    "denexa": gettext_lazy(
        "Standard with a ritual: everyone lifts their cards from the stock, passes a stack on and chooses a hand."
    ),
    "family": gettext_lazy(
        "For an evening: nobody can take the discard pile, there is no opening minimum, and one deal is a match."
    ),
    "bain": gettext_lazy(
        "A long match to 20,000 points. You can win the whole discard pile, and sevens are worth a fortune."
    ),
    "solo": gettext_lazy("Everyone plays alone. Red threes cost points, and two books are enough to go out."),
    "bga": gettext_lazy("As on Board Game Arena: any table from 2 to 12, and you can go out without asking."),
    "saskatchewan": gettext_lazy("Standard with a shorter way out: one book of each kind."),
    "pennies": gettext_lazy("Six players in two teams of three, four decks, and above all books of sevens."),
}
"""Each published ruleset in a sentence."""


class Fact(NamedTuple):
    """A question, and its answer for each ruleset."""

    question: str
    answers: list[str]


def published() -> list[Rules]:
    """Every published ruleset, Standard first."""
    return [Rules.preset(name) for name in PRESETS]


def facts(rulesets: list[Rules]) -> list[Fact]:
    """The table that compares rulesets."""
    return [Fact(gettext(question), [answer(rules) for rules in rulesets]) for question, answer in _QUESTIONS.items()]


_MANY = 3
"""More sizes of team than these are summed up."""


def _players(rules: Rules) -> str:
    by_team: dict[int, list[int]] = {}
    for shape in rules.shapes:
        by_team.setdefault(shape.team_size, []).append(shape.seats)
    if len(by_team) > _MANY:
        seats = [shape.seats for shape in rules.shapes]
        return gettext("%(least)s to %(most)s, alone or in teams") % {"least": min(seats), "most": max(seats)}
    return "; ".join(
        _sizes(sorted(seats), size) for size, seats in sorted(by_team.items(), reverse=True, key=_pairs_first)
    )


def _pairs_first(item: tuple[int, list[int]]) -> tuple[bool, int]:
    return item[0] == 2, item[0]


def _sizes(seats: list[int], team_size: int) -> str:
    is_run = len(seats) > 2 and seats == list(range(seats[0], seats[-1] + 1))
    counts = either(str(count) for count in seats)
    if is_run:
        counts = gettext("%(least)s to %(most)s") % {"least": seats[0], "most": seats[-1]}
    if team_size == 1:
        return gettext("%(players)s alone") % {"players": counts}
    if team_size == 2:
        return gettext("%(players)s in pairs") % {"players": counts}
    return gettext("%(players)s in teams of %(size)s") % {"players": counts, "size": team_size}


def _decks(rules: Rules) -> str:
    if rules.decks.plus_seats and rules.decks.number == 1:
        return gettext("one more than players, %(jokers)s jokers each") % {"jokers": rules.jokers_per_deck}
    decks = {"decks": rules.deck_count(4), "jokers": rules.jokers_per_deck}
    return gettext("%(decks)s, %(jokers)s jokers each") % decks


def _cards(rules: Rules) -> str:
    return gettext("%(hand)s and %(foot)s") % {"hand": rules.hand_cards, "foot": rules.foot_cards}


def _pile(rules: Rules) -> str:
    if rules.pile_take == "none":
        return gettext("never")
    much = gettext("the whole pile")
    if rules.pile_take != "all":
        much = gettext("top %(count)s cards") % {"count": rules.pile_take}
    return gettext(_HOW_TAKEN.get(rules.pile_claim, "%(much)s")) % {"much": much}


_HOW_TAKEN = {
    "natural_pair": gettext_noop("%(much)s with a pair"),
    "legal_meld": gettext_noop("%(much)s with a meld"),
    "one_match": gettext_noop("%(much)s with one matching card"),
}


def _opening(rules: Rules) -> str:
    opening: Opening = rules.opening
    if opening.kind == "none":
        return pgettext("first meld", "none")
    steps = ", ".join(number(points) for _, points in opening.steps)
    if opening.kind == "by_deal":
        return gettext("%(points)s, by deal") % {"points": steps}
    return gettext("%(points)s, by score") % {"points": steps}


def _contract(rules: Rules) -> str:
    counts = rules.contract._asdict()
    parts = [gettext(words) % {"count": counts[kind]} for kind, words in _BOOKS.items() if counts[kind]]
    return ", ".join(parts) or gettext("nothing")


_BOOKS = {
    "clean": gettext_noop("%(count)s clean"),
    "dirty": gettext_noop("%(count)s dirty"),
    "wild": gettext_noop("%(count)s wild"),
    "sevens": gettext_noop("%(count)s of sevens"),
}


def _permission(rules: Rules) -> str:
    return {"required": gettext("must ask"), "optional": gettext("can ask"), "none": gettext("no need")}[
        rules.permission
    ]


def _bonus(rules: Rules) -> str:
    bonus: Books = rules.book_bonus
    parts = [
        gettext("clean %(points)s") % {"points": number(bonus.clean)},
        gettext("dirty %(points)s") % {"points": number(bonus.dirty)},
    ]
    if bonus.wild:
        parts.append(gettext("wild %(points)s") % {"points": number(bonus.wild)})
    if bonus.sevens:
        parts.append(gettext("sevens %(points)s") % {"points": number(bonus.sevens)})
    return ", ".join(parts)


def _red_threes(rules: Rules) -> str:
    return gettext("%(laid)s laid, %(held)s not laid") % {
        "laid": number(rules.red_three.laid),
        "held": number(rules.red_three.held),
    }


def _wild(rules: Rules) -> str:
    most = rules.wild_limits[-1]
    return gettext("up to %(count)s") % {"count": most} if most else pgettext("wild cards", "none")


def _length(rules: Rules) -> str:
    if rules.length.by == "target":
        return gettext("to %(points)s points") % {"points": number(rules.length.number)}
    return several(rules.length.number, "deal")


_QUESTIONS: dict[str, Callable[[Rules], str]] = {
    gettext_noop("Players"): _players,
    gettext_noop("Decks"): _decks,
    gettext_noop("Hand and foot"): _cards,
    gettext_noop("Taking the pile"): _pile,
    gettext_noop("Minimum to open"): _opening,
    gettext_noop("Wild cards in a dirty book"): _wild,
    gettext_noop("Books of wild cards"): lambda rules: gettext("yes") if rules.wild_melds else gettext("no"),
    gettext_noop("To go out"): _contract,
    gettext_noop("Ask the partner"): _permission,
    gettext_noop("After going out"): lambda rules: (
        gettext("others have one more turn") if rules.final_turns else gettext("the deal is over")
    ),
    gettext_noop("Bonus for books"): _bonus,
    gettext_noop("Red threes"): _red_threes,
    gettext_noop("Bonus for going out"): lambda rules: number(rules.out_bonus),
    gettext_noop("A match"): _length,
}
