"""Data for scoring in the page's script: every figure of a ruleset that a score sheet needs.

`static/js/score/reckon.js` reads it, and gets the results of `gameplay.score_sheets.paper_scoring`.
"""

from collections import Counter
from collections.abc import Sequence
from math import gcd
from typing import Any

from django.utils.translation import gettext

from engine.play.cards import FOUR, JOKER, RANKS, THREE, TWO
from engine.play.legality.going_out import book_noun
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
        "kinds": list(rules.bonus_of),
        "kindWords": {kind: gettext(kind) for kind in rules.special_kinds.values()},
        "bonus": rules.bonus_of,
        "mixed": [rules.special_kinds[rank] for rank, special in rules.special.items() if special.mixed],
        "wildMelds": rules.wild_melds,
        "wildNeedsClean": rules.wild_needs_clean,
        "wildUnfinished": rules.wild_unfinished,
        "wildLimit": rules.wild_limits[-1],
        "redThree": list(rules.red_three),
        "redThreeAll": rules.red_three_all,
        "redThreeSets": None if rules.red_three_sets is None else list(rules.red_three_sets),
        "redThreeSevens": rules.red_three_sevens,
        "heldCounts": rules.held_counts == "all",
        "redThrees": paper_scoring.red_threes(terms),
        "out": [rules.in_deal(deal + 1).out_bonus for deal in range(rules.deals)],
        "lift": (rules.lift.exact or 0) if rules.lift else 0,
        "lifters": paper_scoring.lifters(terms),
        "contract": [rules.in_deal(deal + 1).needed for deal in range(rules.deals)],
        "bookWords": list(book_words(rules)),
        "specialBooks": {kind: [book_noun(count, kind) for count in (1, 2)] for kind in rules.special_kinds.values()},
        "opening": {"kind": rules.opening.kind, "steps": [list(step) for step in rules.opening.steps]},
        "length": list(rules.length),
        "extraDeals": terms.has_extra_deals,
        "boards": list(terms.boards),
        "mostDeals": paper_scoring.MOST_DEALS,
        "most": score_form.MOST,
        "order": RANKS,
        "unit": gcd(*rules.values),
        "leastNatural": min(rules.values[THREE if rules.black_three_meld == "always" else FOUR : JOKER]),
        "wildWorth": min(rules.values[TWO], rules.values[JOKER]) if rules.jokers_per_deck else rules.values[TWO],
        "pack": dict(Counter(RANKS[card // 4] for card in pack if card not in rules.never_melded)),
        "packWorth": sum(rules.meld_values[card] for card in pack),
    }
