"""A public page that is left open: it follows the event, and nobody loses the place where they read."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.hands import DESK, PHONE, page_width
from tests.tournaments import driving
from tournaments.models import Entry, Pairing
from tournaments.services.events import lifecycle

A_LOOK = 26_000
"""Milliseconds after which an open page has looked again."""


def decide(name, by, scores):
    driving.decide(Pairing.objects.get(name=name), by, lambda names: scores)


def test_an_open_bracket_follows_and_keeps_focus_and_place(visit, site, new_event, olga):
    cup = new_event("double_elimination", 8, started=True)
    page = visit(PHONE)
    page.clock.install()
    page.goto(f"{cup.get_absolute_url()}1/")
    bracket, match = page.locator("#scroll-winners"), page.locator("[id='m-WB1.2']")
    page.locator("[id='m-WB3.1']").scroll_into_view_if_needed()
    match.evaluate("each => each.focus({ preventScroll: true })")
    place = bracket.evaluate("each => each.scrollLeft")
    decide("WB1.2", olga, [7105, 6400])
    page.clock.fast_forward(A_LOOK)
    expect(match).to_contain_text("7,105")
    expect(match).to_be_focused()
    assert bracket.evaluate("each => each.scrollLeft") == place > 0
    # And the time after: the part that came looks again by itself.
    decide("WB1.1", olga, [5005, 9100])
    page.clock.fast_forward(A_LOOK)
    expect(page.locator("[id='m-WB1.1']")).to_contain_text("9,100")


def test_a_page_nobody_looks_at_does_not_ask(visit, site, new_event, olga):
    cup = new_event("swiss", 4, started=True)
    page = visit(DESK)
    page.clock.install()
    page.goto(f"{cup.get_absolute_url()}1/")
    requests = []
    page.on("request", lambda request: requests.append(request.url) if "seen=" in request.url else None)
    # The first look is answered before the page is put away: one under way would be asked from nobody's sight.
    with page.expect_response("**seen=**"):
        page.clock.fast_forward(A_LOOK)
    hide = "hidden => Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })"
    page.evaluate(hide, True)
    decide("R1.1", olga, [7105, 6400])
    before = len(requests)
    page.clock.fast_forward(3 * A_LOOK)
    assert len(requests) == before
    page.evaluate(hide, False)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".sechead p").nth(1)).to_contain_text("1 of 2 tables finished")
    assert len(requests) > before


def test_a_result_is_there_before_the_page_would_look_again(visit, site, new_event, olga):
    cup = new_event("double_elimination", 8, started=True)
    page = visit(PHONE)
    with page.expect_response("**/live/events/?events=*"):
        page.goto(f"{cup.get_absolute_url()}1/")
    for name in ("WB1.2", "WB1.1"):
        decide(name, olga, [7105, 6400])
        expect(page.locator(f"[id='m-{name}']")).to_contain_text("7,105")


def test_a_page_without_a_stream_looks_now_and_then(visit, site, new_event, olga):
    cup = new_event("double_elimination", 8, started=True)
    page = visit(PHONE)
    page.clock.install()
    page.route("**/live/**", lambda route: route.abort())
    page.goto(f"{cup.get_absolute_url()}1/")
    decide("WB1.2", olga, [7105, 6400])
    page.clock.fast_forward(A_LOOK)
    expect(page.locator("[id='m-WB1.2']")).to_contain_text("7,105")


def test_who_waits_for_an_event_to_begin_sees_it_begin_and_end(visit, site, new_event, olga):
    cup = new_event("single_elimination", 2)
    page = visit(PHONE)
    with page.expect_response("**/live/events/?events=*"):
        page.goto(f"{cup.get_absolute_url()}1/")
    expect(page.locator("#part")).to_contain_text("No draw yet")
    lifecycle.start(cup.pk, olga, anyway=True)
    expect(page.locator("[id='m-WB1.1']")).to_contain_text("Player 2")
    decide("WB1.1", olga, [7105, 6400])
    expect(page.locator("[id='m-WB1.1']")).to_contain_text("7,105")
    expect(page.locator("#part")).not_to_have_attribute("data-live", re.compile("."))


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_names_of_pairs_are_whole_in_a_bracket(visit, new_event, olga, device):
    cup = new_event("double_elimination", 8, started=True)
    Entry.objects.filter(tournament=cup, number=2).update(name="Anastasiadou / Papadopoulos")
    decide("WB1.2", olga, [17105, 16400])
    page = visit(device)
    page.goto(f"{cup.get_absolute_url()}1/")
    cut_off = "[...document.querySelectorAll('.m bdi')].filter((each) => each.scrollWidth > each.clientWidth).length"
    expect(page.get_by_text("Anastasiadou").first).to_be_visible()
    assert page.evaluate(cut_off) == 0
    assert page_width(page) == device["viewport"]["width"]
