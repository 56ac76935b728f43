"""A tone and a buzz when it becomes one's turn, for those who have asked for them and for nobody else."""

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
    ("wanted", "heard"),
    [
        ({}, []),
        ({"has_sound": True}, ["tone"]),
        ({"has_haptics": True}, ["buzz"]),
        ({"has_sound": True, "has_haptics": True}, ["tone", "buzz"]),
    ],
)
def test_what_was_asked_for_comes_once_a_turn(visit, seated, four, driver, wanted, heard):
    table = seated("standard")
    own = (table.seat_to_act + 1) % 4
    type(four[own]).objects.filter(pk=four[own].pk).update(**wanted)
    page = visit(PHONE, user=four[own])
    page.add_init_script(STUBS)
    page.goto(table.get_absolute_url())
    page.locator("#hand .card").first.click()
    driver.act(table)
    shows(page, table)
    assert page.evaluate("signals") == []
    driver.until(table, lambda table: table.seat_to_act == own)
    shows(page, table)
    assert page.evaluate("signals") == heard


def test_before_anything_is_pressed_there_is_no_sound_and_no_fault(visit, seated, four, driver):
    table = seated("standard")
    own = (table.seat_to_act + 1) % 4
    type(four[own]).objects.filter(pk=four[own].pk).update(has_sound=True)
    page = visit(PHONE, user=four[own])
    page.add_init_script(STUBS)
    page.goto(table.get_absolute_url())
    driver.until(table, lambda table: table.seat_to_act == own)
    shows(page, table)
    assert page.evaluate("signals") == []


def test_a_real_browser_plays_the_tone_without_complaint(visit, seated, four, driver):
    table = seated("standard")
    own = (table.seat_to_act + 1) % 4
    type(four[own]).objects.filter(pk=four[own].pk).update(has_sound=True, has_haptics=True)
    page = visit(PHONE, user=four[own])
    page.goto(table.get_absolute_url())
    page.locator("#hand .card").first.click()
    driver.until(table, lambda table: table.seat_to_act == own)
    shows(page, table)
