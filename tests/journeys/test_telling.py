"""What others did since the last look, shown on the board: by itself, paused, skipped, again, still, and never in the way."""

import pytest
from playwright.sync_api import expect

from tests.journeys.hands import DESK, PHONE, shows, table_at

SHIFTS = """() => {
  window.shifts = 0; window.sources = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
      window.shifts += entry.value;
      for (const { node, previousRect: a, currentRect: b } of entry.sources)
        sources.push([entry.value, Math.round(entry.startTime), (node?.outerHTML ?? node?.parentElement?.outerHTML ?? "").slice(0, 90), [a.x, a.y, a.width, a.height].join(" "), [b.x, b.y, b.width, b.height].join(" ")]);
    }
  }).observe({ type: "layout-shift", buffered: true });
}"""

MOVING = {"reduced_motion": "no-preference"}
DEVICES = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
HEARD = """() => {
  window.heard = []; window.flown = 0; window.most = 0; window.slots = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, timing) {
    if (this.matches(".sky")) slots.push(timing.duration);
    return animate.call(this, frames, timing);
  };
  document.addEventListener("DOMContentLoaded", () => {
    new MutationObserver(() => {
      const words = document.getElementById("tell-say").textContent;
      if (words) heard.push(words);
    }).observe(document.getElementById("tell-say"), { childList: true });
    new MutationObserver((list) => {
      for (const change of list) for (const node of change.addedNodes)
        if (node.parentElement?.matches(".sky")) { flown += 1; most = Math.max(most, node.parentElement.children.length); }
    }).observe(document.body, { childList: true, subtree: true });
  });
}"""


@pytest.fixture
def came_back(seated, four, driver, visit):
    """A page of Ann, opened after the three others have played a turn each; and the table."""

    def open_page(device=PHONE, after=3, **options):
        def is_back(table):
            return table.seat_to_act == 0 and table.move_count > 12 * after and table.moves.last().seat == 3

        table = driver.until(seated("standard"), is_back)
        page = visit(device, user=four[0], **options)
        page.add_init_script(f"({HEARD})()")
        page.goto(table.get_absolute_url())
        if options.get("java_script_enabled", True):
            page.evaluate(SHIFTS)
        return page, table

    return open_page


def at_rest(page):
    expect(page.locator("#tell-again")).to_be_visible()


def count_acts(page):
    return page.locator("#acts [data-act]").count()


@DEVICES
def test_the_acts_of_others_are_shown_one_by_one_and_the_board_ends_as_the_server_has_it(
    device, came_back, no_barriers
):
    page, _ = came_back(device, **MOVING)
    expect(page.locator("#tell-pause")).to_be_visible()
    top = page.locator(".pile .under > :first-child").text_content()
    no_barriers(page)
    at_rest(page)
    assert page.locator(".pile .under > :first-child").text_content() == top
    heard = page.evaluate("heard")
    assert len(heard) == count_acts(page)
    assert page.evaluate("flown") > 3
    assert page.evaluate("most") <= 8
    assert page.evaluate("shifts") == 0, page.evaluate("window.sources")
    assert page.locator(".yet, .coming, #caption:not([hidden])").count() == 0
    page.locator("#h-hand").click()
    board = page.locator("#board").inner_text()
    page.reload()
    at_rest(page)
    assert page.evaluate("flown") == 0
    page.locator("#h-hand").click()
    assert page.locator("#board").inner_text() == board


def test_a_telling_is_paused_goes_on_is_skipped_and_is_shown_again(came_back):
    page, _ = came_back(**MOVING)
    page.locator("#tell-pause").click()
    expect(page.locator("#tell-on")).to_be_focused()
    words = page.locator("#caption").inner_text()
    page.wait_for_timeout(1200)
    assert page.locator("#caption").inner_text() == words
    page.locator("#tell-on").click()
    expect(page.locator("#caption")).not_to_have_text(words)
    page.locator("#tell-skip").click()
    at_rest(page)
    expect(page.locator("#caption")).to_be_hidden()
    page.locator("#tell-again").click()
    expect(page.locator("#tell-pause")).to_be_visible()
    expect(page.locator("#caption")).to_have_text(words.split(",")[0], use_inner_text=True)


def test_a_press_on_the_own_cards_ends_the_telling_and_does_what_it_does(came_back):
    page, _ = came_back(**MOVING)
    expect(page.locator("#tell-pause")).to_be_visible()
    page.locator("#hand .card").first.click()
    expect(page.locator("#hand .card").first).to_have_attribute("aria-pressed", "true")
    at_rest(page)
    assert page.locator(".yet, .coming").count() == 0
    expect(page.locator(".plus >> visible=true")).to_have_count(0)


def test_where_the_system_wishes_for_stillness_acts_are_shown_press_by_press(came_back):
    page, _ = came_back()
    at_rest(page)
    assert page.evaluate("heard") == []
    page.locator("#tell-again").click()
    count = count_acts(page)
    for _ in range(count - 1):
        page.locator("#tell-next").click()
    assert len(page.evaluate("heard")) == count
    page.locator("#tell-next").click()
    at_rest(page)
    expect(page.locator("#tell-again")).to_be_focused()
    assert (page.evaluate("flown"), page.evaluate("shifts")) == (0, 0)


@DEVICES
def test_an_act_of_another_is_shown_as_it_happens_and_moves_nothing(device, came_back, driver):
    page, table = came_back(device, after=1, **MOVING)
    at_rest(page)
    before = len(page.evaluate("heard"))
    driver.act(table)
    driver.until(table, lambda table: table.seat_to_act == 1)
    driver.until(table, lambda table: table.seat_to_act == 2)
    shows(page, table_at(table.slug))
    expect(page.locator("#tell-pause")).to_be_visible()
    at_rest(page)
    assert len(page.evaluate("heard")) > before
    assert page.evaluate("shifts") == 0, page.evaluate("window.sources")


AS_MANY = """() => {
  const list = document.getElementById("acts");
  for (let round = 1; round < 30; round += 1)
    for (const line of [...list.children].reverse()) {
      const more = line.cloneNode(true);
      for (const act of more.querySelectorAll("[data-act]")) act.dataset.move = Number(act.dataset.move) + 500 * round;
      list.prepend(more);
      if (list.children.length > 60) return;
    }
}"""
"""The story many times over, as if that much had happened."""


def test_a_whole_telling_takes_ten_seconds_at_most_and_no_act_is_too_short_to_follow(came_back):
    page, _ = came_back(**MOVING)
    page.locator("#tell-skip").click()
    page.evaluate(AS_MANY)
    page.evaluate("slots.splice(0)")
    page.locator("#tell-again").click()
    expect(page.locator("#tell-pause")).to_be_visible()
    at_rest(page)
    slots = page.evaluate("slots")
    assert len(slots) == 40
    assert sum(slots) <= 10_000
    assert min(slots) >= 250


MORE = """(id) => {
  const list = document.getElementById("acts");
  const last = Math.max(...[...list.querySelectorAll("[data-act]")].map((act) => Number(act.dataset.move)));
  for (const line of [...list.children].reverse()) {
    const more = line.cloneNode(true);
    for (const act of more.querySelectorAll("[data-act]")) act.dataset.move = last + 1;
    list.prepend(more);
  }
  const target = document.getElementById(id);
  target.dispatchEvent(new CustomEvent("htmx:oobAfterSwap", { bubbles: true, detail: { target } }));
}"""
"""As many acts again as the story has, as a part that comes while it is told."""


def test_acts_that_come_while_others_are_told_are_told_within_the_same_ten_seconds(came_back):
    page, _ = came_back(**MOVING)
    page.locator("#tell-skip").click()
    page.evaluate("slots.splice(0)")
    page.locator("#tell-again").click()
    first = count_acts(page)
    for _ in range(6):
        page.wait_for_function("count => slots.length > count", arg=page.evaluate("slots.length"))
        page.evaluate(MORE, "story")
    at_rest(page)
    slots = page.evaluate("slots")
    assert len(slots) > first
    assert sum(slots) <= 10_000
    assert min(slots) >= 250
    assert page.evaluate("heard.at(-1)").startswith(page.locator("#acts > li > b").first.inner_text())


def test_double_speed_halves_each_act_and_is_kept(came_back):
    page, _ = came_back(device=DESK, after=1, **MOVING)
    page.locator("#tell-skip").click()
    page.locator("#tell-speed").click()
    page.reload()
    expect(page.locator("#tell-speed")).to_have_attribute("aria-pressed", "true")
    page.evaluate("slots.splice(0)")
    page.locator("#tell-again").click()
    expect(page.locator("#tell-pause")).to_be_visible()
    at_rest(page)
    assert set(page.evaluate("slots")) == {350}


def test_pile_and_stock_are_shown_as_they_were(came_back):
    page, table = came_back(**MOVING)
    page.locator("#tell-pause").click()
    [rank, suit] = table.moves.filter(seat=0, text__startswith="discard").last().text.removeprefix("discard ")
    was = page.locator(".under > .was")
    assert was.inner_text() == ("★" if rank == "X" else "10" if rank == "T" else rank)
    assert suit in was.get_attribute("class").split()
    page.locator("#tell-skip").click()
    at_rest(page)
    expect(was).to_have_count(0)


def test_without_scripts_the_story_stands_newest_first(came_back):
    page, _ = came_back(java_script_enabled=False)
    names = page.locator("#acts > li > b").all_text_contents()
    assert names[0] == "Dee"
    expect(page.locator("[data-tell] >> visible=true")).to_have_count(0)
    expect(page.locator(".pile .plus >> visible=true")).to_have_count(1)
