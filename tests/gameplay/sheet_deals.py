"""Random deals of score sheets, likely and unlikely, for tests that hold two ways of reckoning against each other."""

from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from gameplay.score_sheets import paper_scoring
from gameplay.score_sheets.paper_scoring import Terms

HOUSE = {
    "base": "standard",
    "set": {
        "book_bonus": {"clean": 450, "dirty": 250, "wild": 1200, "sevens": 700},
        "red_three_all": 900,
        "red_three_sevens": True,
        "wild_unfinished": -700,
        "wild_needs_clean": True,
        "lift_bonus": 75,
        "jokers_per_deck": 0,
        "contract": {"clean": 3, "dirty": 1, "wild": 0, "sevens": 1},
        "opening": {"by_score": [[None, 15], [0, 50], [1500, 90], [3000, 120]]},
        "length": {"target": 6000},
        "tie": "extra_deals",
        "values": {"3": 3, "4": 7},
    },
}


def all_terms():
    """The terms of every shape of every ruleset, and of some house rules."""
    for rules in [*map(Rules.preset, PRESETS), Rules.read(HOUSE)]:
        for shape in rules.shapes:
            names = tuple(f"Side {side}" for side in range(1, shape.teams + 1))
            yield Terms(names, rules, shape)
            if shape.seats == 4:
                yield Terms(names, rules, shape, needs_winner=True)
                yield Terms(names, rules, None)


def random_deal(terms, chance):
    """A deal: mostly a possible one, sometimes more of something than there is."""
    if terms.shape is None or chance.random() < 0.1:
        return {"points": [chance.randrange(-300, 900) * 5 for _ in terms.names]}
    out = chance.choice([None, *range(len(terms.names))])
    return {"teams": [_team(terms, chance, side == out) for side in range(len(terms.names))]}


def _team(terms, chance, is_out):
    team = {}
    letters = [rank.letter for rank in paper_scoring.ranks(terms)]
    wild = chance.random() < 0.08
    for row in paper_scoring.rows(terms):
        if row.name == "out":
            count = is_out or chance.random() < 0.03
        elif row.is_cards and chance.random() < 0.4:
            count = {letter: chance.randrange(1, 30 if wild else 9) for letter in letters if chance.random() < 0.6} or 0
        elif row.is_cards:
            count = chance.choice([0, chance.randrange(400)]) * 5 + (chance.random() < 0.03)
        elif row.name == "penalties":
            count = chance.choice([0, 0, 50, 100])
        else:
            count = chance.choice([0, 0, 1, 2, 40 if wild else 3])
        if is_out and row.name == "left":
            count = 0
        paper_scoring.with_value(team, row.name, count)
    return team
