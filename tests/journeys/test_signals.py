"""A tone and a buzz when it becomes your turn, only for players who have asked for them."""

import pytest

from tests.journeys.hands import PHONE, shows

STUBS = """
window.signals = [];
navigator.vibrate = (length) => window.signals.push("buzz") > 0;
window.AudioContext = class {
  state = "suspended"; currentTime = 0; destination = {};
  resume() { this.state = "running"; }
};
window.GainNode = class { gain = { linearRampToValueAtTime() {} }; connect(next) { return next; } };
window.OscillatorNode = class { connect(next) { return next; } start() { window.signals.push("tone"); } stop() {} };
"""


@pytest.mark.parametrize(
    ("fields", "heard"),
    [
        ({}, []),
        ({"has_sound": True}, ["tone"]),
        ({"has_haptics": True}, ["buzz"]),
        ({"has_sound": True, "has_haptics": True}, ["tone", "buzz"]),
    ],
)
def test_what_was_asked_for_comes_once_a_turn(visit, seated, four, driver, fields, heard):
    table = seated("standard")
    seat = (table.seat_to_act + 1) % 4
    type(four[seat]).objects.filter(pk=four[seat].pk).update(**fields)
    page = visit(PHONE, user=four[seat])
    page.add_init_script(STUBS)
    page.goto(table.get_absolute_url())
    page.locator("#hand .card").first.click()
    driver.act(table)
    shows(page, table)
    assert page.evaluate("signals") == []
    driver.until(table, lambda table: table.seat_to_act == seat)
    shows(page, table)
    assert page.evaluate("signals") == heard


def test_before_anything_is_pressed_there_is_no_sound_and_no_fault(visit, seated, four, driver):
    table = seated("standard")
    seat = (table.seat_to_act + 1) % 4
    type(four[seat]).objects.filter(pk=four[seat].pk).update(has_sound=True)
    page = visit(PHONE, user=four[seat])
    page.add_init_script(STUBS)
    page.goto(table.get_absolute_url())
    driver.until(table, lambda table: table.seat_to_act == seat)
    shows(page, table)
    assert page.evaluate("signals") == []


def test_a_real_browser_plays_the_tone_without_complaint(visit, seated, four, driver):
    table = seated("standard")
    seat = (table.seat_to_act + 1) % 4
    type(four[seat]).objects.filter(pk=four[seat].pk).update(has_sound=True, has_haptics=True)
    page = visit(PHONE, user=four[seat])
    page.goto(table.get_absolute_url())
    page.locator("#hand .card").first.click()
    driver.until(table, lambda table: table.seat_to_act == seat)
    shows(page, table)
