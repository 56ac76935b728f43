"""Rulesets side by side: one short answer for each question that players ask first."""

from collections.abc import Callable
from typing import NamedTuple

from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from engine.play.options import CLEAN_BOOK, Books, Opening
from engine.play.rules import Rules
from engine.play.rulesets import Ruleset, in_groups
from web.text import either, number, several


class Fact(NamedTuple):
    """A question, and its answer for each ruleset."""

    question: str
    answers: list[str]


class Comparison(NamedTuple):
    """Published rulesets of a kind, and the table that compares them with Standard, which is its first column."""

    title: str
    rulesets: list[Ruleset]
    columns: list[Rules]
    facts: list[Fact]


def compare_published() -> list[Comparison]:
    """The published rulesets by kind."""
    comparisons = []
    for title, rulesets in in_groups():
        columns = [Rules.preset(name) for name in dict.fromkeys(["standard", *(each.name for each in rulesets)])]
        comparisons.append(Comparison(title, rulesets, columns, facts(columns)))
    return comparisons


def facts(rulesets: list[Rules]) -> list[Fact]:
    """The table that compares rulesets."""
    return [Fact(gettext(question), [answer(rules) for rules in rulesets]) for question, answer in _QUESTIONS.items()]


def _by_deal(answer: Callable[[Rules], str]) -> Callable[[Rules], str]:
    """The answer, or if it changes from deal to deal those of all deals."""

    def answers(rules: Rules) -> str:
        words = [answer(rules.in_deal(deal + 1)) for deal in range(rules.deals)]
        if len(set(words)) == 1:
            return words[0]
        return gettext("%(points)s, by deal") % {"points": "; ".join(words)}

    return answers


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
    if rules.decks.by_seats:
        decks = ", ".join(f"{seats}: {count}" for seats, count in rules.decks.by_seats)
        return gettext("by players %(decks)s, %(jokers)s jokers each") % {
            "decks": decks,
            "jokers": rules.jokers_per_deck,
        }
    if rules.decks.plus_seats and rules.decks.number == 1:
        return gettext("one more than players, %(jokers)s jokers each") % {"jokers": rules.jokers_per_deck}
    return gettext("%(decks)s, %(jokers)s jokers each") % {
        "decks": rules.deck_count(4),
        "jokers": rules.jokers_per_deck,
    }


def _cards(rules: Rules) -> str:
    if rules.has_knee:
        hand, knee, foot = rules.stacks
        return gettext("%(hand)s, %(knee)s and %(foot)s") % {"hand": hand, "knee": knee, "foot": foot}
    return gettext("%(hand)s and %(foot)s") % {"hand": rules.stacks[0], "foot": rules.stacks[-1]}


def _pile(rules: Rules) -> str:
    if rules.pile_take == "none":
        return gettext("never")
    much = gettext("the whole pile")
    if rules.pile_take != "all":
        count = int(rules.pile_take)
        much = ngettext("top card", "top %(count)s cards", count) % {"count": count}
    return gettext(_HOW_TAKEN.get(rules.pile_claim, "%(much)s")) % {"much": much}


_HOW_TAKEN = {
    "natural_pair": gettext_noop("%(much)s with a pair"),
    "legal_meld": gettext_noop("%(much)s with a meld"),
    "one_match": gettext_noop("%(much)s with one matching card"),
    "naturals": gettext_noop("%(much)s with a pair"),
    "new_meld": gettext_noop("%(much)s with a pair"),
}


def _opening(rules: Rules) -> str:
    opening: Opening = rules.opening
    if opening.kind == "none":
        return pgettext("first meld", "none")
    steps = ", ".join(_steps(rules))
    if opening.kind == "by_deal":
        return gettext("%(points)s, by deal") % {"points": steps}
    return gettext("%(points)s, by score") % {"points": steps}


def _steps(rules: Rules) -> list[str]:
    """The points that open, step by step; nothing if any meld opens."""
    if rules.opening.kind == "none":
        return []
    return [gettext("clean book") if points == CLEAN_BOOK else number(points) for _, points in rules.opening.steps]


def _contract(rules: Rules) -> str:
    parts = [books_needed(kind, count) for kind, count in rules.needed.items() if count]
    return ", ".join(parts) or gettext("nothing")


_BOOKS = {
    "clean": gettext_noop("%(count)s clean"),
    "dirty": gettext_noop("%(count)s dirty"),
    "wild": gettext_noop("%(count)s wild"),
    "sevens": gettext_noop("%(count)s of sevens"),
}


def books_needed(kind: str, count: int) -> str:
    """So many books of a kind, in few words: `2 clean`, `1 of fives`."""
    if kind in _BOOKS:
        return gettext(_BOOKS[kind]) % {"count": count}
    return gettext("%(count)s of %(cards)s") % {"count": count, "cards": gettext(kind)}


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
    for kind in rules.special_kinds.values():
        parts.append(f"{gettext(kind)} {number(rules.bonus_of[kind])}")
    return ", ".join(parts)


def _red_threes(rules: Rules) -> str:
    if not rules.laid_threes:
        return gettext("held, %(held)s each") % {"held": number(rules.red_three.held)}
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


def short_facts(rules: Rules) -> list[tuple[str, str]]:
    """What people ask first about rules, in so few words that they fit on a picture."""
    cards, pile = _by_deal(_cards)(rules), _by_deal(_pile)(rules)
    return [
        (pgettext("rules on a picture", "Cards"), cards),
        (pgettext("rules on a picture", "Open with"), ", ".join(_steps(rules)) or _opening(rules)),
        (pgettext("rules on a picture", "Go out with"), _by_deal(_contract)(rules)),
        (pgettext("rules on a picture", "Pile"), pile),
    ]


_QUESTIONS: dict[str, Callable[[Rules], str]] = {
    gettext_noop("Players"): _players,
    gettext_noop("Decks"): _decks,
    gettext_noop("Hand and foot"): _by_deal(_cards),
    gettext_noop("Drawn from the stock"): _by_deal(lambda rules: number(rules.draw_count)),
    gettext_noop("Taking the pile"): _by_deal(_pile),
    gettext_noop("Minimum to open"): _opening,
    gettext_noop("Wild cards in a dirty book"): _wild,
    gettext_noop("Books of wild cards"): lambda rules: gettext("yes") if rules.wild_melds else gettext("no"),
    gettext_noop("To go out"): _by_deal(_contract),
    gettext_noop("Ask the partner"): _permission,
    gettext_noop("After going out"): lambda rules: (
        gettext("others have one more turn") if rules.final_turns != "no" else gettext("the deal is over")
    ),
    gettext_noop("Bonus for books"): _bonus,
    gettext_noop("Red threes"): _red_threes,
    gettext_noop("Bonus for going out"): _by_deal(lambda rules: number(rules.out_bonus)),
    gettext_noop("A match"): _length,
}
