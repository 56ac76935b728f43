"""Data for scoring in the page's script: every figure of a ruleset that a score sheet needs.

`static/js/score/reckon.js` reads it, and gets the results of `gameplay.score_sheets.paper_scoring`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import gcd
from typing import Any

from engine.play.cards import FOUR, JOKER, RANKS, RED_THREES, TWO
from engine.play.paper import KINDS_OF_BOOK
from gameplay.page.words import book_words
from gameplay.score_sheets import paper_scoring, score_form
from gameplay.score_sheets.paper_scoring import Terms


def numbers(terms: Terms, seats: Sequence[str], dealer: int | None = None) -> dict[str, Any]:
    """Data ready for JSON. `seats` are the players by seat; `dealer` deals first, else the last one."""
    rules = terms.rules
    pack = rules.pack(paper_scoring.seats_of(terms))
    return {
        "names": list(terms.names),
        "title": rules.title,
        "seats": list(seats),
        "dealer": len(seats) - 1 if dealer is None else dealer,
        "shape": list(terms.shape) if terms.shape else None,
        "ways": [way for way in score_form.ways(terms) if way != score_form.BY_END],
        "rows": [[row.name, row.label, row.kind, row.is_cards] for row in paper_scoring.rows(terms)],
        "ranks": [[rank.letter, rank.points] for rank in paper_scoring.ranks(terms)],
        "kinds": list(KINDS_OF_BOOK),
        "bonus": {kind: getattr(rules.book_bonus, kind) or 0 for kind in KINDS_OF_BOOK},
        "wildMelds": rules.wild_melds,
        "wildNeedsClean": rules.wild_needs_clean,
        "wildUnfinished": rules.wild_unfinished,
        "wildLimit": rules.wild_limits[-1],
        "redThree": list(rules.red_three),
        "redThreeAll": rules.red_three_all,
        "redThreeSevens": rules.red_three_sevens,
        "redThrees": paper_scoring.red_threes(terms),
        "out": rules.out_bonus,
        "lift": rules.lift_bonus,
        "contract": {kind: count or 0 for kind, count in rules.contract._asdict().items()},
        "bookWords": list(book_words(rules)),
        "opening": {"kind": rules.opening.kind, "steps": [list(step) for step in rules.opening.steps]},
        "length": list(rules.length),
        "extraDeals": rules.tie == "extra_deals" or terms.needs_winner,
        "mostDeals": paper_scoring.MOST_DEALS,
        "most": score_form.MOST,
        "order": RANKS,
        "unit": gcd(*rules.values),
        "leastNatural": min(rules.values[FOUR:JOKER]),
        "wildWorth": min(rules.values[TWO], rules.values[JOKER]) if rules.jokers_per_deck else rules.values[TWO],
        "pack": dict(Counter(RANKS[card // 4] for card in pack if card not in RED_THREES)),
        "packWorth": sum(rules.card_values[card] for card in pack),
    }
