"""What the editor of house rules calls the options, and how it explains each in a line."""

from __future__ import annotations

from typing import NamedTuple

from engine.play.cards import RANK_WORDS, RANKS
from engine.play.options import BookBonus, Contract, PenaltyPoints, RedThreePoints


class OptionWords(NamedTuple):
    """An option's name for people, what it means, and words for its values where the general ones do not fit."""

    title: str
    hint: str = ""
    words: dict[str, str] = {}


WORDS = {
    "all": "the whole pile",
    "at_once": "at once",
    "black_three": "black threes",
    "by_deal": "the number of the deal",
    "by_score": "the score so far",
    "deals": "after so many deals",
    "discard": "must be discarded",
    "either": "melded or discarded",
    "end": "the deal ends",
    "fixed": "that many",
    "going_out": "when going out",
    "left": "to the left",
    "meld": "must be melded",
    "never": "never",
    "next_turn": "in the next turn",
    "no": "no",
    "none": "none",
    "number": "so many cards",
    "play_on": "play goes on without",
    "points": "cost points",
    "red_three": "red threes",
    "reshuffle": "the discards are shuffled",
    "right": "to the right",
    "seats": "and one for each seat",
    "target": "at so many points",
    "wild": "wild cards",
    "yes": "yes",
}

RANK_NAMES = {rank: RANK_WORDS[rank][1].capitalize() for rank in RANKS}
NAMED: dict[type, dict[str, str]] = {
    Contract: {"clean": "Clean", "dirty": "Dirty", "wild": "Wild", "sevens": "Of sevens"},
    BookBonus: {"clean": "Clean", "dirty": "Dirty", "wild": "Wild", "sevens": "Of sevens (empty: as clean)"},
    RedThreePoints: {"laid": "On the table", "held": "In hand or foot"},
    PenaltyPoints: {
        "out_refused": "Out though refused",
        "asked_not_out": "Asked, not gone out",
        "wrong_claim": "Pile wrongly claimed",
    },
}
"""The parts of options that have several, by the kind of the option."""

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Players, pack and deal",
        (
            "shapes",
            "decks",
            "jokers_per_deck",
            "hand_cards",
            "foot_cards",
            "lift_bonus",
            "pass_stack",
            "hand_choice",
            "foot_seen",
            "upcard",
            "upcard_bury",
        ),
    ),
    (
        "Drawing and the pile",
        (
            "draw_count",
            "pile_take",
            "pile_claim",
            "pile_to_meld",
            "wild_on_top",
            "wild_freezes",
            "take_needs_open",
            "stock_out",
            "last_red_three_ends",
        ),
    ),
    (
        "Melding",
        (
            "opening",
            "wild_limits",
            "wild_melds",
            "pure_ranks",
            "kept_ranks",
            "kept_until",
            "books_grow",
            "second_meld",
            "garbage",
            "black_three_meld",
            "book_lock",
        ),
    ),
    ("The foot", ("foot_when", "foot_after_discard")),
    (
        "Going out",
        (
            "contract",
            "contract_red_threes",
            "partner_foot",
            "permission",
            "ask_wilds",
            "last_card",
            "final_turns",
            "out_bonus",
        ),
    ),
    (
        "What counts how much",
        (
            "values",
            "book_bonus",
            "red_three",
            "red_three_all",
            "red_three_sevens",
            "red_three_replaced",
            "wild_unfinished",
            "wild_needs_clean",
        ),
    ),
    ("The match", ("length", "tie", "penalties")),
)
"""Every option once, in the order of the game."""

OPTIONS = {
    "shapes": OptionWords("Tables", "Which numbers of seats and sizes of team these rules allow."),
    "decks": OptionWords("Decks of 52", "How many are shuffled together."),
    "jokers_per_deck": OptionWords("Jokers in each deck"),
    "hand_cards": OptionWords("Cards in the hand"),
    "foot_cards": OptionWords("Cards in the foot"),
    "lift_bonus": OptionWords(
        "Bonus for lifting exactly", "Points for lifting just the right number of cards; 0 where the cards are dealt."
    ),
    "pass_stack": OptionWords(
        "A stack is passed on", "Which neighbour gets one of the two stacks.", {"none": "both are kept"}
    ),
    "hand_choice": OptionWords(
        "Which stack is the hand",
        "",
        {
            "dealt": "the first one dealt",
            "choose": "the player chooses",
            "higher_bottom": "the one with the higher bottom card",
            "lower_bottom": "the one with the lower bottom card",
        },
    ),
    "foot_seen": OptionWords("The foot may be looked at", "Once, before one’s first turn."),
    "upcard": OptionWords("A card is turned up", "It starts the discard pile."),
    "upcard_bury": OptionWords("Turned up and replaced", "Cards of these kinds go back into the stock."),
    "draw_count": OptionWords("Cards drawn from the stock"),
    "pile_take": OptionWords(
        "Taken with the pile", "How much comes with its top card.", {"none": "nothing: it is never taken"}
    ),
    "pile_claim": OptionWords(
        "What claims the pile",
        "Cards of the hand that must go with the top card.",
        {
            "natural_pair": "two natural cards of its rank",
            "none": "nothing",
            "legal_meld": "any two that make a legal meld",
            "one_match": "one natural card of its rank",
        },
    ),
    "pile_to_meld": OptionWords(
        "Top card onto an own meld", "Taking the pile by adding to a meld.", {"unfrozen": "unless it is frozen"}
    ),
    "wild_on_top": OptionWords(
        "A wild card on top", "", {"matching_pair": "is taken with a pair like it", "never": "blocks the pile"}
    ),
    "wild_freezes": OptionWords("A wild card freezes the pile", "Until somebody takes it."),
    "take_needs_open": OptionWords("Only opened teams take the pile"),
    "stock_out": OptionWords("When the stock runs out"),
    "last_red_three_ends": OptionWords("A red three as last card of the stock ends the deal"),
    "opening": OptionWords("Opening minimum", "Least value of a team’s first meld in a deal."),
    "wild_limits": OptionWords("Most wild cards in a meld", "By the number of cards in it; the last also beyond 7."),
    "wild_melds": OptionWords("Melds of wild cards only"),
    "pure_ranks": OptionWords("Ranks melded without wild cards"),
    "kept_ranks": OptionWords("Ranks that may not be discarded"),
    "kept_until": OptionWords(
        "Until when", "", {"never": "for the whole deal", "own_sevens": "until the team has a book of sevens"}
    ),
    "books_grow": OptionWords("A complete book may grow"),
    "second_meld": OptionWords("A second meld of a rank", "Once the first is a complete book."),
    "garbage": OptionWords("Garbage pile", "After a book of sevens, cards of complete ranks may be laid aside."),
    "black_three_meld": OptionWords("Black threes may be melded"),
    "book_lock": OptionWords(
        "A locked book",
        "A complete book that must wait for something.",
        {"opener_waits": "who opened waits", "second_waits": "the second team waits"},
    ),
    "foot_when": OptionWords(
        "The foot is picked up",
        "",
        {"hand_empty": "when the hand is played", "own_book": "when the player has completed a book"},
    ),
    "foot_after_discard": OptionWords("After a discard that empties the hand"),
    "contract": OptionWords("Books needed to go out"),
    "contract_red_threes": OptionWords(
        "Red threes needed to go out", "", {"all": "every one of the pack must lie on the table"}
    ),
    "partner_foot": OptionWords(
        "Partners’ feet before going out",
        "",
        {"played": "each has played from it", "none": "do not matter", "picked_up": "each has picked it up"},
    ),
    "permission": OptionWords(
        "“May I go out?”",
        "",
        {"required": "must be asked", "none": "is not asked", "optional": "may be asked and binds"},
    ),
    "ask_wilds": OptionWords("Partners may ask how many wild cards the other holds"),
    "last_card": OptionWords("The last card"),
    "final_turns": OptionWords("One more turn for the others", "After somebody went out by a discard."),
    "out_bonus": OptionWords("Bonus for going out"),
    "values": OptionWords("Points of the cards", "The three is the black one; red threes count below."),
    "book_bonus": OptionWords("Bonus of a book"),
    "red_three": OptionWords("A red three"),
    "red_three_all": OptionWords("All red threes together", "Points in place of the single ones; empty for none."),
    "red_three_sevens": OptionWords(
        "Red threes need a book of sevens", "Without one, those on the table count against the team."
    ),
    "red_three_replaced": OptionWords(
        "A red three laid is replaced",
        "By another card from the stock.",
        {"always": "always", "not_from_pile": "unless it came with the pile", "never": "never"},
    ),
    "wild_unfinished": OptionWords("An unfinished meld of wild cards", "Points at the end of the deal."),
    "wild_needs_clean": OptionWords("A wild book counts only beside a clean one"),
    "length": OptionWords("The match ends"),
    "tie": OptionWords(
        "At equal points", "", {"shared": "the win is shared", "extra_deals": "deals are added until one leads"}
    ),
    "penalties": OptionWords("Penalties", "At tables without assist."),
}
