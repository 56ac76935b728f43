"""Sentences of the rule sheet about what is there before the first turn: players, pack, deal, and the cards."""

from __future__ import annotations

from engine.play.cards import RANK_WORDS, RANKS
from engine.play.melds import BOOK, number_words
from engine.play.options import Shape
from engine.play.sheet_words import (
    NOBODY,
    SOME,
    Chapter,
    Sheet,
    cards,
    earns,
    listed,
    number,
    points,
    runs,
    start,
    turned_up,
)

GAME, DEAL, CARDS = "The game", "The pack and the deal", "The cards"

BEFORE_PLAY = Chapter()
says = BEFORE_PLAY.says


# The game


@says(GAME, "shapes")
def _shapes(s: Sheet) -> str:
    if s.shape is not None:
        return f"This game is played by {_players(s.shape)}."
    alone: list[int] = []
    tables: list[str] = []
    for shape in (*s.rules.shapes, None):
        if shape is not None and shape.team_size == 1:
            alone.append(shape.seats)
            continue
        if alone:
            tables.append(f"{listed(map(number, alone), 'or')} players, each for themselves")
            alone = []
        if shape is not None:
            tables.append(_players(shape))
    text = f"This game is for {'; or for '.join(tables)}."
    if len(s.rules.shapes) > 1:
        text += f" The usual table is {_players(s.rules.shapes[0])}."
    return text + (" A player without partners is a team of one." if s.partners == SOME else "")


def _players(shape: Shape) -> str:
    if shape.team_size == 1:
        return f"{number(shape.seats)} players, each for themselves"
    return f"{number(shape.seats)} players in {number(shape.teams)} teams of {number(shape.team_size)}"


@says(GAME, partners=True)
def _seating(s: Sheet) -> str:
    if s.partners == NOBODY:
        return ""
    return start(f"{s.with_partners}the teams follow one another in turn round the table, so partners sit apart.")


@says(GAME)
def _aim(s: Sheet) -> str:
    return (
        f"You score by laying cards face up in melds (sets of one rank), and above all by completing books, which are "
        f"melds of {number(BOOK)}; cards that you are left with count against you."
    )


@says(GAME)
def _two_sets(s: Sheet) -> str:
    return "Each player has a hand, which is played first, and a foot, a second set of cards that waits face down."


@says(GAME)
def _book_words(s: Sheet) -> str:
    one, several = s.rules.book_words
    if one == "book":
        return ""
    return f"Many who play this ruleset call books {several}" + (
        "; in these rules, the pile is always the discard pile." if one == "pile" else "."
    )


# The pack and the deal


@says(DEAL, "decks", "jokers_per_deck")
def _decks(s: Sheet) -> str:
    count, plus_seats = s.rules.decks
    jokers = s.rules.jokers_per_deck
    each = f"with {number_words(jokers, 'joker', 'jokers')} added to each" if jokers else "without jokers"
    if s.shape is not None:
        size = len(s.rules.pack(s.shape.seats))
        return f"The pack is {_deck_words(s.rules.deck_count(s.shape.seats))}, {each}: {size} cards in all."
    if not plus_seats:
        return f"The pack is {_deck_words(count)}, {each}, shuffled together."
    if count == 0:
        return f"The pack is as many decks of 52 cards as there are players, {each}, shuffled together."
    compare = f"{'more' if count > 0 else 'fewer'} than there are players"
    return f"The pack is {_deck_words(abs(count))} {compare}, {each}, shuffled together."


def _deck_words(count: int) -> str:
    return f"{number_words(count, 'deck', 'decks')} of 52 cards"


@says(DEAL, "hand_cards", "foot_cards")
def _stack_sizes(s: Sheet) -> str:
    first, second = s.rules.hand_cards, s.rules.foot_cards
    return f"Each player gets two face-down stacks, the first of {cards(first)} and the second of {cards(second)}."


@says(DEAL, "lift_bonus", on=("hand_cards", "foot_cards"))
def _lift(s: Sheet) -> str:
    bonus, exact = s.rules.lift_bonus, s.rules.hand_cards + s.rules.foot_cards
    if not bonus:
        return "The dealer deals the stacks, and no points go with it."
    return (
        f"Each player makes the two stacks from a block of cards lifted off the pack without counting: lifting exactly "
        f"{exact} {earns(bonus)}, cards too many go back and cards too few are made up."
    )


@says(DEAL, "pass_stack", "hand_choice")
def _stacks(s: Sheet) -> str:
    side, choice = s.rules.pass_stack, s.rules.hand_choice
    other = "becomes the foot of your right-hand neighbour" if side == "right" else "is your foot"
    if choice == "dealt":
        if side == "left":
            other = "becomes the foot of your left-hand neighbour"
        return f"Your first stack is your hand; your second {other}."
    passed, which = "", "your two stacks"
    if side == "left":
        passed, which = "You pass your second stack to your left-hand neighbour; then ", "the two stacks before you"
    if choice == "choose":
        return start(
            f"{passed}you choose, without looking at the cards, which of {which} is your hand; the other {other}."
        )
    more = "more" if choice == "higher_bottom" else "fewer"
    # No option says what a red three counts here; the deal itself does (ruling 2).
    return start(
        f"{passed}the one of {which} whose bottom card is worth {more} points is your hand, and the other {other} "
        f"(here a red three counts 100; on a tie your own first stack is the hand)."
    )


@says(DEAL, "foot_seen")
def _foot_seen(s: Sheet) -> str:
    if s.rules.foot_seen:
        return "At the very beginning of your first turn you may look once at your foot."
    return "Nobody looks at a foot before it is picked up."


_BURIED = {"red_three": "red three", "wild": "wild card", "black_three": "black three"}


@says(DEAL, "upcard", "upcard_bury")
def _upcard(s: Sheet) -> str:
    if not s.rules.upcard:
        return "The rest of the pack is the stock, face down; no card is turned up, so the discard pile begins empty."
    text = "The rest of the pack is the stock, face down; its top card is turned up to start the discard pile"
    if not s.rules.upcard_bury:
        return f"{text}, whatever card it is."
    buried = listed([_BURIED[kind] for kind in s.rules.upcard_bury], "or")
    return f"{text}, but a {buried} turned up goes under the stock and the next card is turned up instead."


@says(DEAL)
def _order(s: Sheet) -> str:
    return "The player to the dealer's left begins, turns pass to the left, and so does the deal."


# The cards


@says(CARDS, on=("jokers_per_deck",))
def _wild_cards(s: Sheet) -> str:
    wild = "Twos and jokers" if s.rules.jokers_per_deck else "Twos"
    return f"{wild} are wild cards, which can stand for others in a meld; all other cards are called natural."


_VALUE_ORDER = "X2AKQJT987654"


@says(CARDS, "values")
def _values(s: Sheet) -> str:
    values = [s.rules.values[RANKS.index(rank)] for rank in _VALUE_ORDER]
    several = [RANK_WORDS[rank][1] for rank in _VALUE_ORDER]
    parts = []
    for begin, end in runs(values):
        names = several[begin:end]
        named = f"{names[0]} to {names[-1]}" if len(names) > 2 else listed(names)
        parts.append(f"{named} {points(values[begin]) if begin == 0 else f'{values[begin]:,}'}")
    parts.append(f"black threes {s.rules.values[RANKS.index('3')]:,}")
    return f"Each card has a value: {listed(parts)}."


@says(CARDS, "red_three_replaced", on=("pile_take", "upcard", "upcard_bury"))
def _red_threes(s: Sheet) -> str:
    in_pile = s.rules.pile_take != "none" and turned_up(s.rules, "red_three")
    replaced = {
        "always": f"draw a card from the stock in its place{', even if it came with the discard pile' * in_pile}",
        "not_from_pile": "draw a card from the stock in its place, unless it came with the discard pile",
        "never": "draw nothing in its place",
    }[s.rules.red_three_replaced]
    return f"Red threes are never melded or discarded: lay each one face up in front of you and {replaced}."


@says(CARDS, on=("red_three_replaced",))
def _red_three_moments(s: Sheet) -> str:
    text = (
        "You lay the red threes that you were dealt when your first turn begins, those in your foot when you pick it "
        "up, and others as soon as you get them"
    )
    if s.rules.red_three_replaced == "never":
        return f"{text}."
    return f"{text}; a red three drawn as a replacement is replaced in turn, as long as the stock lasts."


@says(CARDS, "black_three_meld")
def _black_threes(s: Sheet) -> str:
    if s.rules.black_three_meld == "never":
        return "Black threes are never part of a meld."
    return (
        "Black threes are melded only by a player who may go out: three or more, without a wild card, in a move that "
        "leaves at most one card in the hand."
    )
