"""A newcomer’s guided first deal, by what is visible only: read the hint, press what it names."""

import re
import time

import pytest
from playwright.sync_api import expect

from engine.bots.guide import LESSONS
from gameplay.models import Table
from tests.journeys.hands import DESK, PHONE, Finger, Mouse, page_width

MOST_PRESSES = 150


class Newcomer:
    """Presses the marked cards, and whatever the hint has in bold."""

    def __init__(self, hands, picture, name):
        self.hands, self.page, self.picture, self.name, self.pictures = hands, hands.page, picture, name, 0
        self.hint = self.page.locator("#say .hint")

    def show(self):
        self.pictures += 1
        self.picture(self.page, f"{self.name}-{self.pictures:02}")

    def step(self):
        """Do what the hint says."""
        meant = self.page.locator("#hand .card.meant")
        if meant.count():
            if not self.page.locator("#hand [aria-pressed=true]").count():
                self.show()
            self.hands.press(meant.first)
            return
        # Read now: while cards are still to be selected, it can change between two looks.
        hint = self.hint.inner_text()
        self.show()
        if "Now press your" in hint:
            self.hands.press(self.page.locator(".mine button.meld.meant"))
        elif "Now press New meld" in hint:
            self.hands.press(self.page.get_by_role("button", name=re.compile("^New meld")))
        elif "Take it" in hint:
            self.hands.press(self.page.get_by_role("button", name=re.compile("^Take")))
        elif "Draw two cards" in hint:
            self.hands.press(self.page.get_by_role("button", name="Draw two", exact=True).last)
        elif "Now press Discard" in hint:
            self.hands.press(self.page.get_by_role("button", name=re.compile("^Discard")))
        else:
            assert "Press the button below" in hint
            self.hands.press(self.page.locator("#go"))
        expect(self.page.locator("#dock.busy")).to_have_count(0)

    def play(self):
        """Play the deal to its end."""
        for _ in range(MOST_PRESSES):
            if self.page.locator("#h-sheet").is_visible():
                self.show()
                return
            expect(self.page.locator("#say .hint:not(:text('turn. Watch')), #h-sheet").first).to_be_visible()
            if self.hint.is_visible():
                self.step()
        raise AssertionError("the deal never ended")


WATCHED = """() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.mark.parametrize(
    ("device", "hands", "name"), [(DESK, Mouse, "guided-desk"), (PHONE, Finger, "guided-phone")], ids=["desk", "phone"]
)
def test_who_follows_the_hints_learns_everything_and_goes_out(device, hands, name, visit, picture, no_barriers):
    page = visit(device)
    page.goto("/")
    picture(page, f"{name}-00")
    newcomer = Newcomer(hands(page), picture, name)
    newcomer.hands.press(page.get_by_role("button", name=re.compile("Play a practice deal now")))
    expect(page.locator(".moment")).to_contain_text("seven are a book")
    expect(newcomer.hint).to_have_text("Draw two cards to start. Every turn starts like this.")
    no_barriers(page)
    assert page_width(page) == device["viewport"]["width"]

    newcomer.play()

    expect(page.locator("#h-sheet")).to_have_text("You and Charles won the match")
    expect(page.locator("#h-learnt")).to_have_text("9 of 9 learnt")
    inner, outer = page.locator("#story").evaluate("(story) => [story.scrollHeight, story.clientHeight]")
    assert inner <= outer, "the turns before the last run over the points"
    expect(page.get_by_role("link", name="Play a whole match")).to_be_visible()
    no_barriers(page)
    assert Table.objects.get().guide["learnt"] == list(LESSONS)


def test_the_first_act_is_one_press_after_the_practice_button_and_nothing_jumps(visit):
    page = visit(PHONE, reduced_motion="no-preference")
    page.add_init_script(f"({WATCHED})()")
    page.goto("/")
    pages = []
    page.on("response", lambda response: response.request.is_navigation_request() and pages.append(response.status))
    finger = Finger(page)
    pressed = time.monotonic()
    finger.press(page.get_by_role("button", name=re.compile("Play a practice deal now")))
    draw = page.get_by_role("button", name="Draw two", exact=True).last
    expect(page.locator("#say .hint")).to_have_text("Draw two cards to start. Every turn starts like this.")
    expect(draw).to_be_enabled()
    print(f"The first act was possible {time.monotonic() - pressed:.2f} s after the press.")
    assert pages == [302, 200], "the table is the first page after the press"
    assert page.evaluate("window.shifts") == 0

    finger.press(draw)
    expect(page.locator("#hand .card")).to_have_count(9)


def test_the_button_says_what_the_hint_says(visit):
    page = visit(PHONE)
    page.goto("/")
    page.get_by_role("button", name=re.compile("Play a practice deal now")).click()
    page.get_by_role("button", name="Draw two", exact=True).last.click()
    expect(page.locator("#say .hint")).to_contain_text("Select them")
    expect(page.locator("#go")).to_have_text("Select the marked cards")
    page.locator("#hand .card.meant").first.click()
    expect(page.locator("#go:has-text('Discard')")).to_have_class("go aside")
    page.locator("#hand [aria-pressed=true]").click()
    page.locator("#hush").click()
    expect(page.locator("#go")).to_have_text("Select a card to discard")
