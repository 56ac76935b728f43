"""Every published ruleset as data, in the JSON that house rules are written in too.

Standard is the value that each option is declared with in `rules.py`; every other preset has only its differences.
`docs/engine.md` lists the sources.
"""

from __future__ import annotations

from typing import Any

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

SASKATCHEWAN = {"shapes": [[4, 2], [6, 3]], "contract": {"clean": 1, "dirty": 1, "wild": 1, "sevens": 0}}

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
    "foot_after_discard": "at_once",
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
    "standard": {},
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
"""Words for a book in rulesets that call it otherwise."""
