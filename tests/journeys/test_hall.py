"""The hall screen in a browser: readable from ten metres, turning by itself, with nothing cut off."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.journeys.hands import PHONE
from tests.tournaments import driving
from tournaments.hall import services
from tournaments.models import Entry, Hall, Round

SCREENS = {"1280": {"viewport": {"width": 1280, "height": 720}}, "1920": {"viewport": {"width": 1920, "height": 1080}}}
A_PAGE = 20_000
"""Milliseconds that a page stays."""
LONG = ("Vermeer / Falk", "Castellano-Ruiz / von und zu Pardowitz", "Ní Bhriain / Daly", "Müller / Wójcik")
CUT_OFF = """() => {
  const foot = document.querySelector('.hall footer').getBoundingClientRect().top;
  return [...document.querySelectorAll('.hall *')].filter((each) => {
    const box = each.getBoundingClientRect();
    if (each.closest('.vh') || !box.width) return false;
    const floor = each.closest('main') ? foot : innerHeight;
    return box.right > innerWidth + 1 || box.bottom > floor + 1 || box.left < -1 || box.top < -1;
  }).map((each) => each.outerHTML.slice(0, 120));
}"""


@pytest.fixture
def hall(new_event, olga):
    """Makes an event with a hall screen, and its address."""

    def make(entries=18, format="swiss", **choices):
        event = new_event(format, entries, setting="face", started=True, **choices)
        for number, name in enumerate(LONG, 1):
            Entry.objects.filter(tournament=event, number=number).update(name=name)
        services.open_screen(event.pk, olga)
        return event, f"/events/screen/{Hall.objects.get(tournament=event).token}/"

    return make


def an_hour_ago(event):
    """Let the round under way have been called long ago."""
    Round.objects.filter(stage__tournament=event).update(opened_at=timezone.now() - timedelta(hours=1))


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_on_the_screen_and_has_no_barriers(visit, hall, olga, picture, no_barriers, size, scheme):
    event, url = hall()
    page = visit(SCREENS[size], color_scheme=scheme)
    page.goto(url)
    shown = []

    def look(name):
        picture(page, f"hall-{name}-{size}-{scheme}")
        assert page.evaluate(CUT_OFF) == []
        # The script turns the page without loading; what is for browsers without scripts is not looked at.
        assert no_barriers.violations(page, spared=("meta-refresh",)) == []
        shown.append(name)

    look("tables")
    services.write_note(event.pk, olga, text="Tea is served.")
    services.start_timer(event.pk, olga, minutes=90)
    driving.play_round(event, olga, driving.by_lot)
    for pairing in driving.open_pairings(event)[:5]:
        driving.decide(pairing, olga, driving.by_lot)
    an_hour_ago(event)
    for number, name in enumerate(("clock", "standings", "standings-2", "results"), 1):
        page.goto(f"{url}?page={number}")
        look(name)
    assert len(shown) == 5


def test_names_of_individuals_stand_in_two_columns(visit, hall, picture):
    _, url = hall(36, "swiss_pods")
    page = visit(SCREENS["1280"])
    page.goto(url)
    picture(page, "hall-names-1280")
    assert page.evaluate(CUT_OFF) == []
    assert page.locator(".names li").count() == 18
    lefts = page.locator(".names li").evaluate_all("all => new Set(all.map((each) => each.offsetLeft)).size")
    assert lefts == 2


def test_it_turns_by_itself_and_holds_at_any_key(visit, hall, olga):
    event, url = hall()
    driving.decide(driving.open_pairings(event)[0], olga, driving.by_lot)
    an_hour_ago(event)
    page = visit(SCREENS["1280"])
    page.clock.install()
    page.goto(url)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Standings")
    page.clock.fast_forward(A_PAGE)
    expect(page.locator("footer")).to_contain_text("Places 10 to 18 of 18.")
    page.keyboard.press("Space")
    expect(page.get_by_role("status")).to_have_text("Paused. Press any key to continue.")
    page.clock.fast_forward(3 * A_PAGE)
    expect(page.locator("footer")).to_contain_text("Places 10 to 18 of 18.")
    page.keyboard.press("Space")
    expect(heading).to_have_text("Round 1: find your table")


def test_a_lost_line_leaves_the_last_picture(visit, hall):
    _, url = hall()
    page = visit(SCREENS["1280"])
    page.clock.install()
    page.goto(url)
    page.context.set_offline(True)
    page.clock.fast_forward(A_PAGE)
    expect(page.locator(".lost")).to_have_text(re.compile(r"As of \d\d:\d\d\."))
    expect(page.locator(".tables li")).to_have_count(9)
    page.context.set_offline(False)
    page.clock.fast_forward(A_PAGE)
    expect(page.locator(".lost")).to_be_hidden()


def test_without_scripts_the_browser_is_told_to_turn(visit, hall):
    _, url = hall(26)
    page = visit(SCREENS["1280"], java_script_enabled=False)
    page.goto(url)
    expect(page.locator("meta[http-equiv=refresh]")).to_have_attribute("content", f"20; url={url}?page=2")


def test_the_organiser_runs_the_timer_on_a_phone(visit, new_event, olga, picture, no_barriers):
    event = new_event("swiss", 8, started=True, setting="face")
    page = visit(PHONE, user=olga)
    page.goto(f"/events/{event.slug}/organise/hall/")
    page.get_by_role("button", name="Open a hall screen").tap()
    page.get_by_label("Minutes").fill("45")
    page.get_by_role("button", name="Start").tap()
    expect(page.locator("#timer")).to_contain_text("45 min left")
    page.get_by_role("button", name="Pause").tap()
    expect(page.locator("#timer")).to_contain_text("Paused")
    picture(page, "hall-desk-390")
    no_barriers(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("button", name="Resume").tap()
    expect(page.locator("#timer")).to_contain_text("left, until")
