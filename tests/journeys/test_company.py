"""Company in a real browser: unread messages in the bar, who is here, and the page of a player."""

import pytest
from playwright.sync_api import expect

from accounts.services import friends
from engine.play.cards import parse_cards
from engine.play.melds import make_meld
from engine.play.moves import parse_meld_name
from gameplay.conversation import services as conversation
from gameplay.snapshot import keep, state_of
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import finish_match, make_table
from tournaments.ratings import services as ratings


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_unread_messages_are_counted_in_the_bar_until_the_chat_is_open(device, visit, seated, four, picture):
    table = seated()
    page, place = visit(device, user=four[1]), "company-phone" if device is PHONE else "company-desk"
    page.goto(table.get_absolute_url())
    link, badge = page.locator("#chat-link"), page.locator("#chat-link .badge")
    expect(badge).to_have_count(0)
    conversation.say(table.pk, four[0], phrase="luck")
    expect(badge).to_have_text("1")
    picture(page, f"{place}-unread")

    link.click()
    expect(page.locator("#chat .words")).to_have_text(["Good luck, everyone."])
    expect(badge).to_have_count(0)
    assert table.seats.get(user=four[1]).unread == 0
    conversation.say(table.pk, four[0], phrase="slow")
    expect(page.locator("#chat .words")).to_have_text(["Good luck, everyone.", "Sorry, I was slow."])
    picture(page, f"{place}-chat")

    page.locator("#chat summary").click()
    expect(badge).to_have_count(0)
    conversation.say(table.pk, four[0], phrase="bye")
    expect(badge).to_have_text("1")


def test_a_dot_says_who_is_here(visit, seated, four, picture):
    table = seated()
    table.seats.update(looked_at=None)
    first, second = visit(DESK, user=four[0]), visit(PHONE, user=four[1])
    first.goto(table.get_absolute_url())
    first.wait_for_load_state("networkidle")
    second.goto(table.get_absolute_url())
    other = table.seats.get(user=four[0]).number
    expect(second.locator(f'[data-seat="{other}"] .here')).to_have_count(1)
    expect(second.locator(".here:not([hidden])")).to_have_count(1)
    picture(second, "company-phone-here")


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_a_players_page_shows_the_curve_the_company_and_small_boards(device, visit, four, picture):
    make_record(four)
    page, name = visit(device, user=four[0]), "player-phone" if device is PHONE else "player-desk"
    page.goto("/players/ann/")
    curve = page.get_by_role("img", name="Standard: the rating after each match")
    expect(curve).to_be_visible()
    expect(page.get_by_role("img", name="Books at the end: 2 to 1")).to_have_count(3)
    expect(page.locator(".company li")).to_have_count(2)
    assert page_width(page) <= page.viewport_size["width"]
    picture(page, name)
    page.emulate_media(color_scheme="dark")
    picture(page, f"{name}-dark")
    page.goto("/friends/")
    picture(page, f"{name}-friends")


def meld(rank, cards):
    return make_meld(parse_meld_name(rank), parse_cards(cards))


def make_record(four):
    """Three rated matches of Ann and Cem against Ben and Dee, the last two won."""
    for days_ago, winner in ((30, 1), (9, 0), (1, 0)):
        table = make_table(four, watching="anybody", is_rated=True)
        state = state_of(table).draft()
        ours = (meld("K", "Kc " * 7), meld("Q", "Qc " * 6 + "2c"), meld("9", "9c " * 3))
        state.melds = (ours, (meld("Q", "Qc " * 7), meld("9", "9c " * 4)))
        keep(table, state.freeze())
        table.save()
        finish_match(table, [8120 - 900 * winner, 7905], [winner], days_ago=days_ago, deal_number=4)
        ratings.rate(table.pk)
    friends.ask(four[1], "ann")
    friends.ask(four[2], "ann")
    friends.accept(four[0], "cem")
    friends.ask(four[0], "dee")


def test_after_a_match_one_press_asks_the_same_people_with_another_partner(visit, seated, four, driver, picture):
    table = driver.until(seated("family"), lambda table: table.status == "over")
    page = visit(PHONE, user=four[0])
    page.goto(table.get_absolute_url())
    picture(page, "end-phone")
    page.locator("#other-partner").scroll_into_view_if_needed()
    assert page.evaluate(LIES_UNDER_THE_DOCK) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    picture(page, "end-desk")
    page.locator("#other-partner").click()
    page.wait_for_url(lambda url: table.slug not in url)
    expect(page.get_by_text("Dee")).not_to_have_count(0)
    picture(page, "end-waiting-room")


LIES_UNDER_THE_DOCK = """() => {
  scrollTo(0, document.documentElement.scrollHeight);
  const dock = document.getElementById("dock").getBoundingClientRect();
  const seen = (link) => link.checkVisibility() && link.getBoundingClientRect().bottom > 0;
  return [...document.querySelectorAll("#board a, #board button, #tail a, #tail summary")].filter(seen)
    .filter((link) => link.getBoundingClientRect().bottom > dock.top + 1 && link.getBoundingClientRect().top < dock.bottom)
    .map((link) => link.textContent.trim());
}"""
"""Links and buttons that the dock covers when the page is scrolled to its end."""
