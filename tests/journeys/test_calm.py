"""Nothing sounds, buzzes or moves that its player did not wish for."""

import pytest
from playwright.sync_api import expect

from engine.play.state import PLAYING
from gameplay.snapshot import state_of
from tests.journeys.hands import PHONE, Mouse, act, shows

LISTEN = """
window.heard = [];
navigator.vibrate = (pattern) => heard.push("buzz") > 0;
for (const name of ["AudioContext", "Audio"])
  window[name] = class { constructor() { heard.push("tone"); throw new Error("silence"); } };
"""
MOVING = "document.getAnimations().filter((one) => one.playState === 'running').length"


def test_sound_and_vibration_are_off_until_asked_for(visit, seated, four, driver):
    table = driver.act(seated("standard"))
    after_next = (table.seat_to_act + 1) % 4
    page = visit(PHONE, user=four[after_next])
    page.context.add_init_script(LISTEN)
    page.goto(table.get_absolute_url())
    driver.until(table, lambda table: table.seat_to_act == after_next)
    shows(page, table)
    act(Mouse(page), table.slug)
    assert page.evaluate("heard") == []


def test_nothing_moves_where_the_system_wishes_for_stillness(visit, seated, four, driver):
    table = seated("standard")
    page = visit(user=four[table.seat_to_act], reduced_motion="reduce")
    page.goto(table.get_absolute_url())
    act(Mouse(page), table.slug)
    assert page.evaluate(MOVING) == 0
    page.locator("#hand .card").first.click()
    assert page.evaluate(MOVING) == 0
    times = "(element) => { const s = getComputedStyle(element); return [s.transitionDuration, s.animationName]; }"
    assert page.locator("#hand .card").first.evaluate(times) == ["0s", "none"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_as_light_or_dark_as_the_system(scheme, visit, seated, four, driver):
    table = driver.until(seated("family"), lambda table: state_of(table).phase == PLAYING)
    page = visit(user=four[table.seat_to_act], color_scheme=scheme)
    page.goto(table.get_absolute_url())
    ground, ink = page.locator("body").evaluate("e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]")
    assert (lightness(ground) > lightness(ink)) == (scheme == "light")
    expect(page.locator("#hand .card").first).to_be_visible()


def lightness(colour):
    """The sum of red, green and blue of `rgb(1, 2, 3)`."""
    return sum(float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3])
