"""The telling on a slow machine: six players, the processor slowed four times, and nothing shifts or is laid out in flight.

With `-s` it prints what it measured. Nothing that depends on the speed of the machine is judged.
"""

import re
from pathlib import Path
from statistics import median

import pytest
from django.contrib.staticfiles.finders import find

from gameplay.models import Table
from tests.journeys.hands import DESK, PHONE, Mouse, act, shows, table_at
from tests.journeys.test_telling import MOVING, SHIFTS, at_rest
from tests.makers import make_person, make_table

DEVICES = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
SLOWED = 4
MOST_LAYOUTS = 6
"""Of the whole page, for an act: one as it begins and one as it ends, and those of caption and controls."""
WATCH = """() => {
  window.frames_ = []; window.animated = new Set(); window.most = 0; window.acts = 0; window.slots = []; window.read = 0;
  const { animate, getBoundingClientRect } = Element.prototype;
  Element.prototype.animate = function (frames, timing) {
    if (this.matches(".sky")) { acts += 1; slots.push(timing.duration); }
    for (const frame of frames) for (const name of Object.keys(frame)) animated.add(name);
    return animate.call(this, frames, timing);
  };
  Element.prototype.getBoundingClientRect = function () {
    read += 1;
    return getBoundingClientRect.call(this);
  };
  let before = 0;
  const frame = (now) => {
    const sky = document.querySelector(".sky")?.children.length ?? 0;
    most = Math.max(most, sky);
    if (before && sky) frames_.push(now - before);
    before = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""

GROWN = """() => {
  window.moved = [];
  let heights = "", grown = 0;
  const look = () => {
    const now = [...document.querySelectorAll(".melds")].map((list) => list.offsetHeight).join();
    if (now !== heights) grown = performance.now();
    heights = now;
    requestAnimationFrame(look);
  };
  look();
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput && Math.abs(startTime - grown) > 1000)
        moved.push([value, ...sources.map(({ node, previousRect: a, currentRect: b }) => [node?.className, node?.id, a.y, b.y, a.height, b.height].join(" "))]);
  }).observe({ type: "layout-shift", buffered: true });
}"""
"""Notes what moved, unless a team came to need another row of melds: on a phone the row moves what is below it."""


OF_OTHERS = """() => {
  window.moved = [];
  let shown = "", changed = 0;
  const kind = () => document.getElementById("tray")?.dataset.kind;
  const look = () => {
    const long = [...document.querySelectorAll(".melds")].filter((list) => list.querySelectorAll(".meld").length > 12);
    const now = [kind(), ...long.map((list) => list.offsetHeight)].join();
    if (now !== shown) changed = performance.now();
    shown = now;
    requestAnimationFrame(look);
  };
  look();
  new PerformanceObserver((list) => {
    for (const { value, startTime, sources } of list.getEntries())
      if (kind() === "wait" && startTime - changed > 1000)
        moved.push([value, ...sources.map(({ node, previousRect: a, currentRect: b }) => [node?.className, node?.id, a.y, b.y, a.height, b.height].join(" "))]);
  }).observe({ type: "layout-shift", buffered: true });
}"""
"""Notes what moved while others play: not what changes as one is asked oneself or the deal ends, nor for a 13th meld of a team."""


@pytest.fixture
def six(driver):
    """A table of six, whose first player is to act, after the five others have played a turn each."""
    people = [make_person(name) for name in ("Ann", "Ben", "Cem", "Dee", "Eve", "Fay")]
    table = make_table(people, "standard", seats=6, team_size=3)

    def is_back(table: Table) -> bool:
        return table.seat_to_act == 0 and table.move_count > 40 and table.moves.last().seat == 5

    return driver.until(table, is_back), people


def measured(client, *names):
    figures = {figure["name"]: figure["value"] for figure in client.send("Performance.getMetrics")["metrics"]}
    return [figures[name] for name in names]


def in_flight(frames):
    return (
        f"{len(frames)} frames in flight, median {median(frames):.1f} ms, p95 {frames[len(frames) * 95 // 100]:.1f} ms"
    )


@DEVICES
def test_the_whole_telling_shifts_nothing_and_lays_out_little(device, six, visit):
    table, people = six
    page = visit(device, user=people[0], **MOVING)
    client = page.context.new_cdp_session(page)
    client.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    client.send("Performance.enable")
    page.add_init_script(f"({WATCH})()")
    page.add_init_script(f"({SHIFTS})()")
    page.goto(table.get_absolute_url())
    page.locator("#tell-skip").click()
    at_rest(page)
    page.evaluate("frames_.length = 0; slots.length = 0; acts = 0; read = 0")
    layouts, styles = measured(client, "LayoutCount", "RecalcStyleCount")
    page.locator("#tell-again").click()
    page.locator("#tell-pause").wait_for()
    at_rest(page)
    after, restyled = measured(client, "LayoutCount", "RecalcStyleCount")
    acts, frames = page.evaluate("acts"), sorted(page.evaluate("frames_"))
    print(
        f"\n{device['viewport']['width']} px: {acts} acts, {in_flight(frames)}; {after - layouts:.0f} layouts,"
        f" {restyled - styles:.0f} times styles, {page.evaluate('read')} boxes read"
    )
    assert acts > 5
    assert page.evaluate("most") <= 8
    assert set(page.evaluate("[...animated]")) <= {"transform", "opacity", "offset"}
    assert sum(page.evaluate("slots")) <= 10_000
    assert after - layouts <= MOST_LAYOUTS * acts
    assert page.evaluate("shifts") == 0, page.evaluate("window.sources")


@DEVICES
def test_twenty_turns_shift_nothing(device, six, visit, driver):
    table, people = six
    page = visit(device, user=people[0], **MOVING)
    client = page.context.new_cdp_session(page)
    client.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.add_init_script(f"({GROWN})()")
    page.goto(table.get_absolute_url())
    turns, before = 0, table.seat_to_act
    while turns < 20:
        table = act(Mouse(page), table.slug) if table.seat_to_act == 0 else driver.act(table)
        if table.seat_to_act != before:
            turns, before = turns + 1, table.seat_to_act
            shows(page, table_at(table.slug))
    at_rest(page)
    moved = page.evaluate("moved")
    assert round(sum(value for value, *_ in moved), 3) == 0, moved


@DEVICES
def test_while_others_play_a_whole_deal_nothing_shifts(device, six, visit, driver):
    table, people = six
    page = visit(device, user=people[0], **MOVING)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.add_init_script(f"({OF_OTHERS})()")
    page.add_init_script(f"({WATCH})()")
    page.goto(table.get_absolute_url())
    while (seat := table.seat_to_act) is not None:
        table = driver.until(table, lambda now, seat=seat: now.seat_to_act != seat)
        shows(page, table)
    frames, moved = sorted(page.evaluate("frames_")), page.evaluate("moved")
    print(f"\n{device['viewport']['width']} px, a whole deal: {in_flight(frames)}")
    assert round(sum(value for value, *_ in moved), 3) == 0, moved


def test_nothing_but_opacity_and_transform_is_animated_by_styles():
    css = Path(find("css/telling.css")).read_text()
    [frames] = re.findall(r"@keyframes \w+ \{(.*?\})\s*\}", css, re.DOTALL)
    assert set(re.findall(r"([\w-]+):", frames)) <= {"opacity", "transform"}
