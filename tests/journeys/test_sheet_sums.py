"""The script that adds a sheet up on a phone agrees with the site: over random sheets in every ruleset."""

from pathlib import Path
from random import Random

import pytest

from gameplay.score_sheets import paper_scoring
from gameplay.score_sheets.numbers import numbers
from tests.gameplay.sheet_deals import all_terms, random_deal
from web.errors import Refused

SCRIPTS = Path(__file__).parents[2] / "static/js"
SHEETS = 6
"""Sheets of each table, of up to six deals."""

ON_THE_PHONE = """([numbers, deals]) => {
  const { count, isOver, minimum, refusal, totals, lacks } = Foothold.reckon;
  const all = totals(numbers, deals);
  return {
    deals: deals.map((deal, at) => ({
      ...count(numbers, deal, at + 1),
      refusal: refusal(numbers, deal),
      lacks: numbers.names.map((name, side) => lacks(numbers, deal, side, at + 1)),
    })),
    totals: all,
    isOver: isOver(numbers, deals),
    openings: all.map((total) => minimum(numbers, deals.length + 1, total)),
  };
}"""


@pytest.fixture(scope="module")
def phone(browser):
    page = browser.new_page()
    for name in ("site.js", "score/reckon.js"):
        page.add_script_tag(path=SCRIPTS / name)
    yield lambda terms, deals: page.evaluate(ON_THE_PHONE, [numbers(terms, ["A", "B"]), deals])
    page.close()


def on_the_site(terms, deals):
    scored = [paper_scoring.count(terms, deal, at) for at, deal in enumerate(deals, 1)]
    totals = [sum(deal.points[side] for deal in scored) for side in range(len(terms.names))]
    return {
        "deals": [
            {
                "points": list(result.points),
                "items": list(result.items),
                "remarks": list(result.remarks),
                "refusal": refusal_of(terms, deal),
                "lacks": [paper_scoring.lacks(terms, deal, side, at) for side in range(len(terms.names))],
            }
            for at, (result, deal) in enumerate(zip(scored, deals, strict=True), 1)
        ],
        "totals": totals,
        "isOver": paper_scoring.is_over(terms, len(deals), tuple(totals)),
        "openings": [terms.rules.opening.minimum(len(deals) + 1, total) for total in totals],
    }


def refusal_of(terms, deal):
    try:
        paper_scoring.check(terms, deal)
    except Refused as refusal:
        blamed = {name: refusal.details[name] for name in ("side", "row") if name in refusal.details}
        return {"sentence": refusal.sentence, **blamed}
    return None


def without_nothing(data):
    """A refusal without the parts that nobody is blamed by, which the browser writes as null."""
    for deal in data["deals"]:
        if deal["refusal"]:
            deal["refusal"] = {name: value for name, value in deal["refusal"].items() if value is not None}
    return data


@pytest.mark.parametrize("terms", list(all_terms()), ids=lambda t: f"{t.rules.name}-{t.shape}-{t.needs_winner}")
def test_phone_and_site_come_to_the_same(phone, terms):
    chance = Random(f"{terms.rules.name} {terms.shape}")
    for _ in range(SHEETS):
        deals = [random_deal(terms, chance) for _ in range(chance.randrange(7))]
        assert without_nothing(phone(terms, deals)) == on_the_site(terms, deals)


def test_random_sheets_are_refused_and_accepted_for_many_reasons():
    """The sheets compared above are worth comparing."""
    sentences, fine = set(), 0
    for terms in all_terms():
        chance = Random(f"{terms.rules.name} {terms.shape}")
        for _ in range(SHEETS * 3):
            refusal = refusal_of(terms, random_deal(terms, chance))
            if refusal is None:
                fine += 1
            else:
                sentences.add((refusal["sentence"].split(": ")[-1].split(" ")[0], refusal.get("row")))
    assert fine > 100
    assert len(sentences) > 8
