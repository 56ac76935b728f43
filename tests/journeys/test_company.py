"""Company at a table in a real browser: unread messages in the bar, and who is here."""

import pytest
from playwright.sync_api import expect

from gameplay.conversation import services as conversation
from tests.journeys.hands import DESK, PHONE


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
