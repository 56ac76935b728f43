"""The table at a glance: everybody sits where they play, and nothing is covered however much lies there."""

import pytest
from playwright.sync_api import expect

from engine.play.position import read_position
from gameplay.snapshot import keep
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_person, make_table

DEVICES = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
MELDS = [
    "A: As Ah Ad Ac As",
    "K: Ks Kh Kd Kc Ks 2h 2d",
    "Q: Qs Qh Qd Qc Qs Qh 2d",
    "J: Js Jh Jd Jc Js Jh Jd",
    "T: Ts Th Td Tc Ts Th Td",
    "9: 9s 9h 9d 9c",
    "8: 8s 8h 8d 8c 8s 2s 2d",
    "7: 7s 7h 7d 7c 7s 7h 7d",
    "6: 6s 6h 6d 6c 2h",
    "5: 5s 5h 5d 5c 5s 2s 2d",
    "4: 4s 4h 4d",
    "wild: Xr Xb 2s 2h 2d 2c Xr",
]
HAND = "As Ad Ac Kh Kd Qs Qh Jd Jc Th 9s 9d 8c 7h 7d 6s 5c 4h 3s 2d Xr"
NAMES = ["Ann", "Tom", "Walter", "Priya", "Asha", "Piet", "Maeve", "Oskar", "Jo", "Ines", "Hugo", "Lena"]

COVERED = """() => {
  const covered = [];
  for (const thing of document.querySelectorAll(".chair, .meld, .meld .mini, .cardback, .piles .card, .dock .card, #act .go, .contract li, .score")) {
    const { left, top, right, bottom } = thing.getBoundingClientRect();
    if (left === right) continue;
    for (const [x, y] of [[left + 2, top + 2], [left + 2, bottom - 2], [left + 6, (top + bottom) / 2]]) {
      const upper = document.elementFromPoint(x, y);
      if (!upper || !(thing.contains(upper) || upper.contains(thing))) covered.push([thing.outerHTML.slice(0, 80), x, y, upper?.outerHTML.slice(0, 60)]);
    }
    if (left < 0 || right > innerWidth || thing.scrollWidth > thing.clientWidth + 1 && thing.matches(".meld")) covered.push([thing.outerHTML.slice(0, 80), left, right]);
  }
  return covered;
}"""
"""What lies under another thing by its left edge, beside the screen, or is too wide for its tile."""


@pytest.fixture
def at_position(four):
    """A table of so many at a position of a ruleset that has that many seats."""

    def make(rules="standard", *, seats=4, team_size=2, names=(), **position):
        people = [*four, *[make_person(f"p{number}") for number in range(4, seats)]][:seats]
        for user, name in zip(people, names, strict=False):
            user.display_name = name
            user.save()
        table = make_table(people, rules, seats=seats, team_size=team_size)
        state = read_position({"rules": rules, "seats": seats, "team_size": team_size, **position})
        keep(table, state)
        table.seat_to_act = state.actor
        table.save()
        return table

    return make


def crowded(at_position, count, **position):
    counts = {"1": "4c " * 13, "2": "5c " * 3, "3": "6c " * 9}
    scores, melds = [4025, 4850], {"0": MELDS[:count], "1": MELDS[:count]}
    position = {"phase": "draw", "feet": {"0": None, "2": None}, "pile": "9c 4d", "stock": "Kd Ks " * 24, **position}
    return at_position(melds=melds, hands={"0": HAND, **counts}, scores=scores, **position)


@DEVICES
@pytest.mark.parametrize("count", [3, 8, 11, 12])
def test_melds_and_a_hand_of_twenty_one_lie_side_by_side_with_nothing_covered(
    device, count, visit, at_position, four, picture, no_barriers
):
    table = crowded(at_position, count, dealer=3, red_threes={"0": "3h 3d", "1": "3h"})
    page = visit(device, user=four[0])
    page.goto(table.get_absolute_url())
    picture(page, f"crowd-{count}-{device['viewport']['width']}")
    assert page_width(page) == device["viewport"]["width"]
    assert page.evaluate(COVERED) == []
    no_barriers(page)


@DEVICES
@pytest.mark.parametrize(("seats", "team_size"), [(2, 1), (3, 1), (4, 2), (6, 3), (8, 2), (12, 4)])
def test_players_sit_clockwise_round_the_middle(device, seats, team_size, visit, at_position, four, picture):
    table = at_position("bga", seats=seats, team_size=team_size, names=NAMES, turn=min(2, seats - 1), pile="5c")
    page = visit(device, user=four[0])
    page.goto(table.get_absolute_url())
    picture(page, f"seats-{seats}-{device['viewport']['width']}")
    expect(page.locator(".chair .who >> visible=true")).to_have_text(NAMES[1:seats], use_inner_text=True)
    assert page_width(page) == device["viewport"]["width"]
    assert page.evaluate(COVERED) == []
    # Clockwise round stock and pile as the order of play goes, which starts to the left of the reader.
    angles = page.evaluate("""() => {
      const at = (thing) => { const { x, y, width, height } = thing.getBoundingClientRect(); return [x + width / 2, y + height]; };
      const [x0, y0] = at(document.querySelector(".piles"));
      return [...document.querySelectorAll(".chair")].map((chair) => { const [x, y] = at(chair); return Math.atan2(x - x0, y0 + 8 - y); });
    }""")
    assert angles == sorted(angles)


WORDS_OUT = """selector => [...document.querySelectorAll(selector)].filter((thing) => {
  const words = document.createRange();
  words.selectNodeContents(thing);
  const { top, bottom } = words.getBoundingClientRect(), box = thing.getBoundingClientRect();
  return top < box.top || bottom > box.bottom;
}).map((thing) => thing.innerText)"""
"""Texts that stick out of their button, above or below."""

BOTTOM = "document.getElementById('go').getBoundingClientRect().bottom"


def test_the_stack_that_comes_next_has_its_name_and_long_words_fit_their_buttons(visit, at_position, four):
    four[0].language = "de"
    four[0].save()
    stacks = ["4c 4d", "5c 5d"]
    melds = ["T: Ts Th Td", "K: Ks Kh Kd Kc Ks"]
    table = at_position(
        "knee", phase="play", hands={"0": "Ts Th Tc Kh"}, feet=dict.fromkeys("0123", stacks), melds={"0": melds}
    )
    table.allows_hints = True
    table.save()
    page = visit(PHONE, user=four[0])
    page.goto(table.get_absolute_url())
    assert page.evaluate(WORDS_OUT, ".hinter, .go") == []
    bottom = page.evaluate(BOTTOM)
    for card, meld in (("Ts", "T"), ("Th", "T"), ("Tc", "T"), ("Kh", "K")):
        page.locator(f"#card-{card}").tap()
        page.locator(f".team.mine button.meld[data-meld='{meld}']").tap()
    expect(page.locator("#go")).to_have_text("Drei 10er und einen König anlegen und das Knie aufnehmen")
    assert page.evaluate(WORDS_OUT, ".hinter, .go") == []
    assert page.evaluate(BOTTOM) == bottom


def test_a_crowd_of_books_on_a_phone_has_rank_and_word_apart(visit, at_position, four):
    table = crowded(at_position, 12)
    page = visit(PHONE, user=four[0])
    page.goto(table.get_absolute_url())
    gaps = page.evaluate("""() => [...document.querySelectorAll(".meld.book")].map((book) => {
      const [rank, word] = [".rk", ".ct"].map((part) => {
        const words = document.createRange();
        words.selectNodeContents(book.querySelector(part));
        return words.getBoundingClientRect();
      });
      return word.left - rank.right;
    })""")
    assert min(gaps) >= 3
