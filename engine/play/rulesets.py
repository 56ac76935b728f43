"""Every published ruleset as data, in the JSON that house rules are written in too.

Standard names every option; each other preset says what it sets differently. The tables, the sources and the
rulings behind each figure are in the project's rule documents; `docs/engine.md` lists the sources.
"""

from __future__ import annotations

from typing import Any

STANDARD: dict[str, Any] = {
    # Players, pack, deal
    "shapes": [[4, 2], [6, 3], [2, 1], [3, 1], [4, 1], [5, 1], [6, 1]],
    "decks": {"seats_plus": 1},
    "jokers_per_deck": 2,
    "hand_cards": 13,
    "foot_cards": 13,
    "lift_bonus": 0,
    "pass_stack": "none",
    "hand_choice": "dealt",
    "foot_seen": False,
    "upcard": True,
    "upcard_bury": ["red_three", "wild"],
    # Drawing
    "draw_count": 2,
    "pile_take": 7,
    "pile_claim": "natural_pair",
    "pile_to_meld": "never",
    "wild_on_top": "matching_pair",
    "wild_freezes": False,
    "take_needs_open": False,
    "stock_out": "play_on",
    "last_red_three_ends": False,
    # Melding
    "wild_limits": [1, 1, 1, 2, 2],
    "wild_melds": True,
    "pure_ranks": [],
    "kept_ranks": [],
    "kept_until": "never",
    "books_grow": False,
    "second_meld": True,
    "garbage": False,
    "black_three_meld": "never",
    "opening": {"by_deal": [50, 90, 120, 150]},
    "book_lock": "none",
    # Foot
    "foot_when": "hand_empty",
    "foot_after_discard": "next_turn",
    # Going out
    "contract": {"clean": 2, "dirty": 2, "wild": 1, "sevens": 0},
    "contract_red_threes": "none",
    "partner_foot": "played",
    "permission": "required",
    "last_card": "either",
    "final_turns": False,
    "out_bonus": 100,
    # Values
    "values": {
        **{"X": 50, "2": 20, "A": 20, "K": 10, "Q": 10, "J": 10, "T": 10},
        **{"9": 10, "8": 10, "7": 5, "6": 5, "5": 5, "4": 5, "3": 5},
    },
    "book_bonus": {"clean": 500, "dirty": 300, "wild": 1500},
    "red_three": {"laid": 100, "held": -100},
    "red_three_all": None,
    "red_three_sevens": False,
    "red_three_replaced": "always",
    "wild_unfinished": 0,
    "wild_needs_clean": False,
    # Match
    "length": {"deals": 4},
    "tie": "shared",
    "penalties": None,
    "ask_wilds": False,
}

DENEXA = {
    "shapes": [[4, 2]],
    "decks": 5,
    "hand_cards": 11,
    "foot_cards": 11,
    "lift_bonus": 100,
    "pass_stack": "right",
    "hand_choice": "choose",
    "pile_claim": "legal_meld",
    "last_red_three_ends": True,
    "penalties": {"out_refused": -100, "asked_not_out": -100, "wrong_claim": -50},
}

FAMILY = {
    "shapes": [[4, 2], [6, 2]],
    "hand_cards": 11,
    "foot_cards": 11,
    "lift_bonus": 100,
    "pass_stack": "left",
    "hand_choice": "higher_bottom",
    "upcard": False,
    "upcard_bury": [],
    "pile_take": "none",
    "pile_claim": "none",
    "wild_on_top": "never",
    "wild_limits": [1, 2, 2, 2, 2],
    "books_grow": True,
    "second_meld": False,
    "opening": "none",
    "foot_after_discard": "at_once",
    "contract": {"clean": 2, "dirty": 2, "wild": 0, "sevens": 0},
    "partner_foot": "none",
    "permission": "none",
    "final_turns": True,
    "out_bonus": 0,
    "values": {"8": 5, "3": 0},
    "book_bonus": {"clean": 300, "dirty": 100, "wild": 1000},
    "wild_unfinished": -1000,
    "wild_needs_clean": True,
    "length": {"deals": 1},
    "ask_wilds": True,
}

BAIN = {
    "shapes": [[4, 2]],
    "decks": 4,
    "hand_cards": 15,
    "foot_seen": True,
    "upcard_bury": [],
    "pile_take": "all",
    "pile_to_meld": "unfrozen",
    "wild_on_top": "never",
    "wild_freezes": True,
    "wild_limits": [1, 2, 2, 2, 3],
    "pure_ranks": ["7"],
    "kept_ranks": ["7"],
    "garbage": True,
    "black_three_meld": "going_out",
    "opening": {"by_score": [[None, 15], [0, 50], [5000, 90], [10000, 120], [15000, 150]]},
    "book_lock": "opener_waits",
    "foot_when": "own_book",
    "foot_after_discard": "at_once",
    "contract": {"clean": 1, "dirty": 1, "wild": 1, "sevens": 1},
    "contract_red_threes": "all",
    "partner_foot": "none",
    "permission": "optional",
    "last_card": "discard",
    "out_bonus": 200,
    "book_bonus": {"clean": 500, "dirty": 300, "wild": 1000, "sevens": 1500},
    "red_three_sevens": True,
    "red_three_replaced": "not_from_pile",
    "length": {"target": 20000},
    "tie": "extra_deals",
}

SOLO = {
    "shapes": [[4, 1], [2, 1], [3, 1], [5, 1], [6, 1]],
    "hand_cards": 11,
    "foot_cards": 11,
    "lift_bonus": 100,
    "pass_stack": "right",
    "wild_on_top": "never",
    "wild_melds": False,
    "books_grow": True,
    "second_meld": False,
    "contract": {"clean": 1, "dirty": 1, "wild": 0, "sevens": 0},
    "partner_foot": "none",
    "permission": "none",
    "last_card": "discard",
    "book_bonus": {"clean": 300, "dirty": 100, "wild": 0},
    "red_three": {"laid": -500, "held": -500},
}

BGA = {
    "shapes": [
        *([4, 2], [2, 1], [3, 1], [4, 1], [5, 1], [6, 1], [7, 1], [6, 2], [6, 3]),
        *([8, 2], [8, 4], [9, 3], [10, 2], [10, 5], [12, 2], [12, 3], [12, 4], [12, 6]),
    ],
    "hand_cards": 11,
    "foot_cards": 11,
    "stock_out": "end",
    "foot_after_discard": "at_once",
    "partner_foot": "none",
    "permission": "none",
}

SASKATCHEWAN = {
    "shapes": [[4, 2], [6, 3]],
    "contract": {"clean": 1, "dirty": 1, "wild": 1, "sevens": 0},
}

PENNIES = {
    "shapes": [[6, 3]],
    "decks": 4,
    "foot_cards": 11,
    "upcard_bury": [],
    "pile_take": "all",
    "pile_to_meld": "unfrozen",
    "wild_on_top": "never",
    "wild_freezes": True,
    "wild_limits": [1, 2, 2, 2, 3],
    "kept_ranks": ["7"],
    "kept_until": "own_sevens",
    "black_three_meld": "going_out",
    "opening": {"by_score": [[None, 15], [0, 50], [500, 90], [1000, 120], [1500, 150]]},
    "foot_when": "own_book",
    "contract": {"clean": 1, "dirty": 1, "wild": 1, "sevens": 1},
    "partner_foot": "none",
    "permission": "optional",
    "book_bonus": {"clean": 500, "dirty": 300, "wild": 1000, "sevens": 1500},
    "red_three_all": 1000,
    "red_three_sevens": True,
    "red_three_replaced": "not_from_pile",
    "length": {"target": 20000},
    "tie": "extra_deals",
}

PRESETS: dict[str, dict[str, Any]] = {
    "standard": STANDARD,
    "denexa": DENEXA,
    "family": FAMILY,
    "bain": BAIN,
    "solo": SOLO,
    "bga": BGA,
    "saskatchewan": SASKATCHEWAN,
    "pennies": PENNIES,
}

TITLES = {
    "standard": "Standard",
    "denexa": "Denexa",
    "family": "Family",
    "bain": "Bain",
    "solo": "Solo",
    "bga": "Board Game Arena",
    "saskatchewan": "Saskatchewan",
    "pennies": "Pennies from Heaven",
}

BOOK_WORDS = {
    "standard": ("pile", "piles"),
    "denexa": ("pile", "piles"),
    "bain": ("canasta", "canastas"),
    "saskatchewan": ("pile", "piles"),
    "pennies": ("pile", "piles"),
}
"""What a ruleset's own players call a book, where they call it otherwise."""
