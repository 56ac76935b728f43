"""From a reminder in the mail to the turn, and out of the mails again without signing in."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from playwright.sync_api import expect

from accounts.models import User
from accounts.services import notices
from gameplay.models import Heartbeat
from gameplay.services import clocks
from tests.journeys.hands import DESK, PHONE, Mouse, act

PASS_PHRASE = "a long pass phrase"


@pytest.fixture(params=["link", "nobody"])
def reminded(request, seated, four, site):
    """A table with a player who was reminded by email, that player, and the message."""
    table = seated("standard", clock_hours=48, allows_absences=False, watching=request.param)
    user = four[table.seat_to_act]
    user.set_password(PASS_PHRASE)
    user.save()
    later = table.clock_started_at + timedelta(hours=25)
    Heartbeat.objects.update_or_create(name=clocks.HEARTBEAT, defaults={"at": later - timedelta(minutes=1)})
    clocks.sweep(later)
    notices.send_due(later)
    [message] = mail.outbox
    assert message.to == [user.email]
    return table, user, message.body


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_the_link_leads_to_the_turn(device, reminded, visit):
    table, user, body = reminded
    [link] = set(re.findall(r"http://\S+/tables/\w+/", body))
    page = visit(device)
    page.goto(link)
    page.get_by_role("main").or_(page.get_by_role("banner")).get_by_role("link", name="Sign in").last.click()
    page.problems.clear()  # where nobody may watch, the table is not to be found before
    page.get_by_label(re.compile("^e-?mail", re.I)).fill(user.email)
    page.get_by_label("Password").fill(PASS_PHRASE)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page).to_have_url(link)
    expect(page).to_have_title("(1) Your turn · Harbour Four")
    act(Mouse(page), table.slug)
    assert table.moves.latest("number").seat == table.seat_to_act


def test_the_stop_link_works_without_signing_in(reminded, visit):
    _, user, body = reminded
    stop = re.findall(r"http://\S+/you/stop/\S+", body)[0]
    page = visit()
    page.goto(stop)
    assert User.objects.get(pk=user.pk).notice_email
    page.get_by_role("main").get_by_role("button").first.click()
    expect(page.get_by_text("Unsubscribed from notifications by email.")).to_be_visible()
    assert not User.objects.get(pk=user.pk).notice_email
