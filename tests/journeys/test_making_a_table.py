"""A table within seconds: for friends by a link, without an account, and for people who wait with the same wishes."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from gameplay.models import Table
from gameplay.services import quick_matches
from tests.journeys.hands import DESK, PHONE, Finger, Mouse, act, shows
from tests.makers import make_person


@pytest.mark.parametrize(("device", "hands"), [(DESK, Mouse), (PHONE, Finger)], ids=["desk", "phone"])
def test_three_presses_make_a_table_and_a_friend_without_an_account_plays_at_it(
    device, hands, visit, picture, no_barriers
):
    ann = visit(device, user=make_person("Ann"))
    ann.goto("/tables/new/")
    expect(ann.locator(".full-sheet")).to_be_visible(visible=device is DESK)
    ann.get_by_role("link", name="Read the rule sheet").click()
    expect(ann.locator(".full-sheet")).to_be_visible()
    hands(ann).press(ann.get_by_label("No clock"))
    hands(ann).press(ann.get_by_role("button", name="Create table"))
    link = ann.get_by_label("Link to this table").input_value()
    hands(ann).press(ann.get_by_text("QR code", exact=True))
    expect(ann.get_by_role("img", name="QR code with the link to this table")).to_be_visible()
    no_barriers(ann)
    picture(ann, f"friends-creator-{device['viewport']['width']}")

    zoe = visit(device)
    zoe.goto(link)
    no_barriers(zoe)
    picture(zoe, f"friends-guest-{device['viewport']['width']}")
    zoe.get_by_label("Your name").fill("Zoe")
    hands(zoe).press(zoe.get_by_role("button", name="Agree to the rules and join"))
    expect(zoe.get_by_text("You play as a guest in this browser.")).to_be_visible()
    no_barriers(zoe)

    expect(ann.locator("#waiting-seats b").get_by_text("Zoe (guest)")).to_be_visible()
    hands(ann).press(ann.get_by_role("button", name="Fill with bots"))
    expect(ann.locator("#waiting-seats").get_by_text("Every seat is taken.")).to_be_visible()
    hands(ann).press(ann.get_by_role("button", name="Start the match"))
    expect(zoe.locator("#bar")).to_be_attached()

    players = {0: hands(ann), 1: hands(zoe)}
    table = Table.objects.get()
    assert table.seats.get(number=1).user.is_guest
    while not table.moves.filter(seat=1).exists():
        table = act(players[table.seat_to_act], table.slug)
    shows(zoe, table)


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_two_people_who_play_now_meet_and_bots_join_them_after_the_wait(device, visit, picture, no_barriers):
    ann, ben = [visit(device, user=make_person(name)) for name in ("Ann", "Ben")]
    for page in (ann, ben):
        page.goto("/tables/")
        page.get_by_role("link", name="Play now").click()
        no_barriers(page)
        picture(page, f"play-now-{device['viewport']['width']}")
        page.get_by_role("button", name="Agree to the rules and join").click()
        expect(page.get_by_role("heading", name="Quick match")).to_be_visible()
    expect(ann.locator("#waiting-seats b").get_by_text("Ben")).to_be_visible()
    expect(ann.locator("#waiting-seats")).to_contain_text("2 seats are free. Bots take the free seats:")
    no_barriers(ann)
    picture(ann, f"quick-match-{device['viewport']['width']}")

    table = Table.objects.get()
    quick_matches.sweep(table.bots_join_at + timedelta(seconds=1))
    for page in (ann, ben):
        expect(page.locator("#bar")).to_be_attached()
    table.refresh_from_db()
    assert [str(seat) for seat in table.seats.all()] == ["Ann", "Ben", "Charles (bot)", "Dorothea (bot)"]


def test_without_javascript_the_waiting_room_shows_the_match_once_it_starts(visit):
    page = visit(user=make_person("Ann"), java_script_enabled=False)
    page.goto("/play/now/")
    page.get_by_role("button", name="Agree to the rules and join").click()
    expect(page.get_by_role("heading", name="Quick match")).to_be_visible()
    quick_matches.sweep(Table.objects.get().bots_join_at)
    expect(page.locator("#bar")).to_be_attached()
