"""The ten questions about house rules that people argue about. Each answer sets all the options that belong to it.

An answer is a choice, with amounts where it has some: the number of the choice and the amounts in a line, `2 50 90`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from engine.errors import BadInput
from engine.play.cards import RANKS, SEVEN
from engine.play.options import Special
from engine.play.rule_sheet.sheet import state_options
from engine.play.rules import Rules
from engine.words import later, say

Settings = dict[str, Any]
Setter = Callable[[Rules, list[str]], Settings]
"""The options of an answer in JSON, from the rules so far and the amounts, or a `ValueError` for other amounts."""
Companions = Callable[[Rules], Settings]
"""The options in JSON that would contradict an answer otherwise, from the rules with this answer."""


class Choice(NamedTuple):
    """A possible answer. `example` shows its amounts, which may be left out if they `may_stay`."""

    label: str
    set: Setter
    example: str = ""
    may_stay: bool = True


class Question(NamedTuple):
    """A question about some options."""

    name: str
    text: str
    options: tuple[str, ...]
    choices: tuple[Choice, ...]
    hint: str = ""
    """What the amounts of its choices are."""
    companions: Companions = lambda rules: {}

    def state(self, rules: Rules) -> list[str]:
        """Sentences of the rule sheet that answer it at present."""
        return state_options(rules, self.options)

    def answer(self, rules: Rules, text: str) -> Rules:
        """The rules with this answer, a draft that may contain contradictions. Raises `BadInput` with a sentence."""
        for mark in "+,/":
            text = text.replace(mark, " ")
        words = text.split()
        choice = self.choices[0]
        if len(self.choices) > 1:
            numbers = {str(number): each for number, each in enumerate(self.choices, start=1)}
            if not words or words[0] not in numbers:
                raise BadInput(say("Enter a number from 1 to %(most)s.", most=len(self.choices)))
            choice = numbers[words.pop(0)]
        if (not words and not choice.may_stay) or (words and not choice.example):
            raise BadInput(self.explain(choice))
        try:
            settings = choice.set(rules, words)
        except ValueError:
            raise BadInput(self.explain(choice)) from None
        answered = Rules.make(rules, settings, is_draft=True)
        return Rules.make(answered, self.companions(answered), is_draft=True)

    def explain(self, choice: Choice) -> str:
        """How to enter a choice."""
        number = self.choices.index(choice) + 1 if len(self.choices) > 1 else ""
        return say("Enter this like: %(example)s", example=f"{number} {choice.example}".strip())


def companions(rules: Rules, changed: Collection[str]) -> Settings:
    """The options in JSON that go with changed answers to the questions, beside those changed themselves."""
    settings: Settings = {}
    for question in QUESTIONS:
        if any(name in changed for name in question.options):
            settings |= question.companions(rules)
    return {name: value for name, value in settings.items() if name not in changed}


def _deals(rules: Rules) -> list[Rules]:
    return [rules.in_deal(deal) for deal in range(1, rules.deals + 1)]


def _always(**settings: Any) -> Setter:
    return lambda rules, amounts: settings


# Cards, opening, the pile


def _set_stacks(rules: Rules, amounts: list[str]) -> Settings:
    return {"stacks": [int(amount) for amount in amounts]}


def _with_stacks(rules: Rules) -> Settings:
    # With hand, knee and foot no stack is passed on or chosen.
    has_knee = any(deal.has_knee for deal in _deals(rules))
    return {"pass_stack": "none", "hand_choice": "dealt"} if has_knee else {}


def _set_opening_by_deal(rules: Rules, amounts: list[str]) -> Settings:
    return {"opening": {"by_deal": [amount if amount == "clean_book" else int(amount) for amount in amounts]}}


def _set_opening_by_score(rules: Rules, amounts: list[str]) -> Settings:
    pairs = [amount.split(":") for amount in amounts]
    return {"opening": {"by_score": [[None if start == "below" else int(start), int(least)] for start, least in pairs]}}


_NO_PILE = {
    "pile_claim": "none",
    "pile_to_meld": "never",
    "wild_on_top": "never",
    "wild_freezes": False,
    "take_needs_open": False,
}


def _with_pile(rules: Rules) -> Settings:
    if all(deal.pile_take == "none" for deal in _deals(rules)):
        return _NO_PILE
    return {"pile_to_meld": "never"} if any(deal.pile_claim == "new_meld" for deal in _deals(rules)) else {}


def _claim(word: str) -> Setter:
    def set_claim(rules: Rules, amounts: list[str]) -> Settings:
        settings: Settings = {"pile_claim": word}
        if amounts:
            (amount,) = amounts
            settings["pile_take"] = amount if amount == "all" else int(amount)
        elif rules.pile_take == "none":
            settings["pile_take"] = "all"
        return settings

    return set_claim


# Books and wild cards


def _set_contract(rules: Rules, amounts: list[str]) -> Settings:
    clean, dirty, wild = [*map(int, amounts), *[0] * (3 - len(amounts))]
    return {"contract": {"clean": clean, "dirty": dirty, "wild": wild}}


def _with_contract(rules: Rules) -> Settings:
    return {"wild_melds": True} if any(deal.contract.wild for deal in _deals(rules)) else {}


def _wild_melds(allowed: bool) -> Setter:
    def set_wild_melds(rules: Rules, amounts: list[str]) -> Settings:
        return {"wild_melds": allowed} | ({"wild_limits": [int(amount) for amount in amounts]} if amounts else {})

    return set_wild_melds


def _with_wild_melds(rules: Rules) -> Settings:
    return {} if rules.wild_melds else {"wild_on_top": "never", "wild_unfinished": 0}


# Threes and sevens


def _set_red_threes_laid(rules: Rules, amounts: list[str]) -> Settings:
    settings: Settings = {"red_threes": "laid"}
    if amounts:
        laid, held = map(int, amounts)
        settings["red_three"] = {"laid": laid, "held": held}
    return settings


def _set_red_threes_held(rules: Rules, amounts: list[str]) -> Settings:
    settings: Settings = {"red_threes": "held"}
    if amounts:
        (held,) = map(int, amounts)
        settings["red_three"] = {"held": held}
    return settings


_NO_LAID_RED_THREES = {
    "red_three_all": None,
    "red_three_sets": None,
    "red_three_sevens": False,
    "contract_red_threes": "none",
    "last_red_three_ends": False,
}


def _with_red_threes(rules: Rules) -> Settings:
    return _NO_LAID_RED_THREES if rules.red_threes == "held" else {"red_three_meld": False}


def _with_black_threes(rules: Rules) -> Settings:
    return {} if rules.black_three_meld == "always" else {"red_three_meld": False}


_USUAL_SEVENS = Special(1500, 1, mixed=False)
"""What a book of sevens earns, and how many are needed, unless the rules say otherwise."""


def _set_ordinary_sevens(rules: Rules, amounts: list[str]) -> Settings:
    others = {rank: books for rank, books in rules.special_books_json.items() if rank != "7"}
    settings: Settings = {"special_books": others, "kept_until": "never"}
    return settings | {name: [rank for rank in getattr(rules, name) if rank != "7"] for name in _SEVENS_IN}


_SEVENS_IN = ("kept_ranks", "pure_ranks")


def _with_sevens(rules: Rules) -> Settings:
    return {} if SEVEN in rules.special else {"garbage": False, "kept_until": "never", "red_three_sevens": False}


def _sevens(kept_until: str | None = None) -> Setter:
    def set_sevens(rules: Rules, amounts: list[str]) -> Settings:
        books = rules.special.get(SEVEN, _USUAL_SEVENS)
        if amounts:
            points, *needed = map(int, amounts)
            (needed_books,) = needed or [books.needed]
            books = books._replace(points=points, needed=needed_books)
        others = [rank for rank in RANKS if rank in rules.kept_ranks and rank != "7"]
        return {
            "special_books": rules.special_books_json | {"7": books._asdict()},
            "kept_ranks": others if kept_until is None else [*others, "7"],
            "kept_until": kept_until or "never",
        }

    return set_sevens


# The end


def _set_deals(rules: Rules, amounts: list[str]) -> Settings:
    (deals,) = map(int, amounts)
    return {"length": {"deals": deals}}


def _set_target(rules: Rules, amounts: list[str]) -> Settings:
    (target,) = map(int, amounts)
    return {"length": {"target": target}}


QUESTIONS = (
    Question(
        "cards",
        later("How many cards are in your hand and in your foot?"),
        ("stacks",),
        (Choice(later("Hand and foot, or hand, knee and foot"), _set_stacks, "11 11", may_stay=False),),
        companions=_with_stacks,
    ),
    Question(
        "open",
        later("What do you need to open?"),
        ("opening",),
        (
            Choice(later("Any meld will do"), _always(opening="none")),
            Choice(later("A minimum that depends on the deal"), _set_opening_by_deal, "50 90 120 150", may_stay=False),
            Choice(
                later("A minimum that depends on your total"),
                _set_opening_by_score,
                "below:15 0:50 5000:90",
                may_stay=False,
            ),
        ),
    ),
    Question(
        "pile",
        later("What do you need to take the discard pile, and how many cards do you take?"),
        ("pile_take", "pile_claim"),
        (
            Choice(later("Nobody takes it"), _always(pile_take="none")),
            Choice(later("Two natural cards of the top card’s rank"), _claim("natural_pair"), "7"),
            Choice(later("Two such cards, melded without wild cards"), _claim("naturals"), "7"),
            Choice(later("Two such cards, as a new meld"), _claim("new_meld"), "7"),
            Choice(later("Any two cards that make a legal meld with it"), _claim("legal_meld"), "all"),
            Choice(later("One natural card of its rank"), _claim("one_match"), "7"),
            Choice(later("Nothing"), _claim("none"), "all"),
        ),
        companions=_with_pile,
    ),
    Question(
        "out",
        later("How many clean, dirty and wild books do you need to go out?"),
        ("contract",),
        (Choice(later("Clean, dirty and wild books"), _set_contract, "2 2 1", may_stay=False),),
        companions=_with_contract,
    ),
    Question(
        "wild",
        later("How are wild cards melded?"),
        ("wild_limits", "wild_melds"),
        (
            Choice(later("Only with natural cards"), _wild_melds(False), "1 1 2 2 3"),
            Choice(later("Also as melds of their own"), _wild_melds(True), "1 1 1 2 2"),
        ),
        later("The five amounts are the most of them in melds of 3 to 7 cards."),
        companions=_with_wild_melds,
    ),
    Question(
        "red_threes",
        later("What happens to red threes?"),
        ("red_threes", "red_three"),
        (
            Choice(later("They are laid at once, for points laid and not laid"), _set_red_threes_laid, "100 -100"),
            Choice(later("They stay in the hand and cost points"), _set_red_threes_held, "-500"),
        ),
        companions=_with_red_threes,
    ),
    Question(
        "black_threes",
        later("When can threes of clubs and spades be melded?"),
        ("black_three_meld",),
        (
            Choice(later("Never"), _always(black_three_meld="never")),
            Choice(later("Only when going out"), _always(black_three_meld="going_out")),
            Choice(later("Always"), _always(black_three_meld="always")),
        ),
        companions=_with_black_threes,
    ),
    Question(
        "sevens",
        later("Are sevens special?"),
        ("special_books", "kept_ranks", "kept_until"),
        (
            Choice(later("No, they are like other ranks"), _set_ordinary_sevens),
            Choice(later("Yes, a book of them counts separately"), _sevens(), "1500 1"),
            Choice(
                later("Yes, a book of them counts separately, and you can never discard them"),
                _sevens("never"),
                "1500 1",
            ),
            Choice(
                later("Yes, a book of them counts separately. Until your team has one, you cannot discard sevens"),
                _sevens("own_sevens"),
                "1500 1",
            ),
            Choice(
                later("Yes, a book of them counts separately. Until every team has one, you cannot discard sevens"),
                _sevens("every_sevens"),
                "1500 1",
            ),
        ),
        later("The amounts are points for a book of them, and how many are needed to go out."),
        companions=_with_sevens,
    ),
    Question(
        "length",
        later("When does a match end?"),
        ("length",),
        (
            Choice(later("After a number of deals"), _set_deals, "4", may_stay=False),
            Choice(later("When someone has enough points"), _set_target, "10000", may_stay=False),
        ),
    ),
    Question(
        "permission",
        later("Do you ask your partner before you go out?"),
        ("permission",),
        (
            Choice(later("You must ask"), _always(permission="required")),
            Choice(later("You can ask, and the answer binds you"), _always(permission="optional")),
            Choice(later("Nobody asks"), _always(permission="none")),
        ),
    ),
)
"""In the order in which they are asked, after the question which published rules come nearest."""
