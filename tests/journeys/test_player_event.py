"""A player on a phone, from the email of a partner to the final of a small knockout played with real cards."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone
from playwright.sync_api import expect

from tests.journeys.hands import DESK, PHONE, Finger
from tests.journeys.test_pages import DEVICES, faults  # noqa: F401  the fixture
from tests.tournaments.reading import ONE_DEAL
from tests.tournaments.scoring import LOST, WON
from tournaments.models import Entry, Pairing
from tournaments.score_sheets import services as score_sheets
from tournaments.services.entries import enrolment, invitation_emails
from tournaments.services.events import lifecycle
from tournaments.services.matches import results

TEAM = {"books": {"clean": 2, "dirty": 2, "wild": 1}, "red_threes_laid": 4, "melded": 1115, "out": True}
OTHER = {"books": {"clean": 1, "dirty": 1}, "red_threes_laid": 2, "melded": 540, "left": 185}


@pytest.fixture
def cup(new_event):
    """A knockout of pairs with three entries and room for a fourth, whose check-in is open."""
    now = timezone.now()
    return new_event(
        "single_elimination",
        3,
        kind="partnership",
        setting="face",
        rules_json=ONE_DEAL,
        has_check_in=True,
        check_in_from=now - timedelta(hours=1),
        check_in_until=now + timedelta(hours=1),
    )


def fill_in(page, side, figures):
    page.locator(f"label.side[for=side-{side}]").tap()
    for name, value in figures.items():
        if name == "out":
            page.locator(f"[name=s{side}-out][value='{value}']").locator("xpath=..").tap()
        elif name in ("melded", "left"):
            page.locator(f"#s{side}-{name}").fill(str(value))
        else:
            for count in range(1, value + 1):
                page.locator(f"[name=step][value='s{side}-{name}:1']").tap()
                expect(page.locator(f"#s{side}-{name}")).to_have_value(str(count))


def match_of(entry):
    return Pairing.objects.get(places__entry=entry, status="ready")


def decide_other(cup, entry, olga):
    """The organiser decides the match that the player is not in."""
    other = Pairing.objects.exclude(places__entry=entry).get(status="ready", name__startswith="WB1")
    first, second = [place.entry_id for place in other.places.all()]
    results.decide(other.pk, [{"entry": first, "score": 900}, {"entry": second, "score": 100}], by=olga)


def test_a_player_from_invitation_to_the_final(visit, no_barriers, picture, cup, person, olga, user_of):
    ann = person("Ann")
    enrolment.enter(cup.pk, ann, partners=["Ben <ben@example.net>"])
    invitation_emails.send_due()
    link = re.search(r"https?://\S+", mail.outbox[-1].body)[0]

    page = visit(PHONE)
    hands = Finger(page)
    page.goto(link)
    no_barriers(page)
    picture(page, "invitation-phone")
    hands.press(page.get_by_role("main").get_by_role("link", name="Sign up"))
    page.get_by_label("Name", exact=True).fill("Ben")
    page.get_by_label("Email address").fill("ben@example.net")
    page.get_by_label("Password", exact=True).fill("a long pass phrase")
    hands.press(page.get_by_role("button", name="Sign up"))
    hands.press(page.get_by_role("button", name="Agree to play"))
    expect(page.get_by_role("heading", name="Ann / Ben")).to_be_visible()
    no_barriers(page)
    picture(page, "own-entry-phone")
    hands.press(page.get_by_role("button", name=re.compile("Check in")))
    expect(page.get_by_text("You are checked in.").first).to_be_visible()

    lifecycle.start(cup.pk, olga, anyway=True)
    entry = Entry.objects.get(name="Ann / Ben")
    decide_other(cup, entry, olga)
    final = None
    for is_final in (False, True):
        match = match_of(entry)
        at = match.places.get(entry=entry).number
        rival = match.places.exclude(entry=entry).get().entry
        page.goto(cup.get_absolute_url())
        hands.press(page.get_by_role("link", name=re.compile("Against")))
        hands.press(page.get_by_role("link", name="Enter the score"))
        fill_in(page, at, WON)
        expect(page.locator(f"#d-{at}")).to_have_text("+4,715")
        fill_in(page, 1 - at, LOST)
        expect(page.locator(f"#d-{1 - at}")).to_have_text("+1,355")
        no_barriers(page)
        picture(page, "score-phone")
        if is_final:
            page.context.set_offline(True)
            hands.press(page.get_by_role("button", name="Save deal 1"))
            expect(page.get_by_text("No network. We send it once you are online.")).to_be_visible()
            page.context.set_offline(False)
        else:
            hands.press(page.get_by_role("button", name="Save deal 1"))
        expect(page.get_by_text("The match is over.").first).to_be_visible()
        hands.press(page.get_by_role("button", name="Send the result"))
        expect(page.get_by_text("has not answered").first).to_be_visible()

        rival_page = visit(PHONE, user=user_of(rival))
        rival_page.goto(match.get_absolute_url())
        no_barriers(rival_page)
        picture(rival_page, "to-confirm-phone")
        Finger(rival_page).press(rival_page.get_by_role("button", name="Confirm"))
        expect(rival_page.get_by_text("The result is final.")).to_be_visible()
        final = match
    assert final is not None
    page.goto(cup.get_absolute_url())
    expect(page.get_by_text("Won by")).to_be_visible()
    expect(page.locator(".champion")).to_contain_text("Ann / Ben")


def test_a_draft_outlives_a_page_that_was_closed(visit, cup, olga, user_of):
    lifecycle.start(cup.pk, olga, anyway=True)
    match = Pairing.objects.filter(status="ready").first()
    entry = match.places.first().entry
    page = visit(PHONE, user=user_of(entry))
    page.goto(f"{match.get_absolute_url()}score/")
    page.locator("#s0-melded").fill("640")
    expect(page.locator("#p-s0-melded")).to_have_text("+640")
    page.goto(cup.get_absolute_url())
    page.goto(f"{match.get_absolute_url()}score/")
    expect(page.locator("#s0-melded")).to_have_value("640")
    expect(page.get_by_text("On this phone.")).to_be_visible()
    # A refused form stays, with the sentence in view.
    page.locator("[name=step][value='s0-clean:1']").tap()
    page.locator("#s0-melded").fill("10")
    page.get_by_role("button", name="Save deal 1").tap()
    expect(page.locator("#refused")).to_contain_text("its books alone are worth")
    expect(page.locator("#s0-melded")).to_be_focused()
    expect(page.locator("#s0-melded")).to_have_value("10")


def test_a_sheet_adds_up_without_a_network(visit, cup, olga, user_of):
    lifecycle.start(cup.pk, olga, anyway=True)
    match = Pairing.objects.filter(status="ready").first()
    page = visit(PHONE, user=user_of(match.places.first().entry))
    page.goto(f"{match.get_absolute_url()}score/")
    page.context.set_offline(True)
    page.locator("[name=step][value='s0-clean:1']").tap()
    page.get_by_text("count by rank").first.tap()
    page.locator("[name=step][value='s0-melded-A:1']").tap()
    page.locator("[name=s0-out][value='1']").locator("xpath=..").tap()
    expect(page.locator("#s0-melded")).to_have_value("20")
    expect(page.locator("#d-0")).to_have_text("+620")
    expect(page.locator("#t-0")).to_have_text("620")
    expect(page.locator("#r-s0-out")).to_contain_text("more to go out.")
    expect(page.locator("#dock-words")).to_contain_text("On this phone. Deal 1 is not saved yet.")


def test_a_sheet_is_filled_in_by_the_keyboard_at_a_desk(visit, no_barriers, picture, cup, olga, user_of):
    lifecycle.start(cup.pk, olga, anyway=True)
    match = Pairing.objects.filter(status="ready").first()
    page = visit(DESK, user=user_of(match.places.first().entry))
    page.goto(f"{match.get_absolute_url()}score/")
    more = page.locator("[name=step][value='s0-clean:1']")
    more.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    expect(page.locator("#s0-clean")).to_have_value("2")
    expect(more).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#s0-clean")).to_have_value("0")
    # Minus stops at nothing, and the focus goes to plus rather than nowhere.
    expect(more).to_be_focused()
    no_barriers(page)
    picture(page, "score-desk")


def test_a_sheet_is_filled_in_and_sent_without_a_script(visit, cup, olga, user_of):
    lifecycle.start(cup.pk, olga, anyway=True)
    match = Pairing.objects.filter(status="ready").first()
    page = visit(PHONE, user=user_of(match.places.first().entry), java_script_enabled=False)
    page.goto(f"{match.get_absolute_url()}score/")
    for count in ("1", "2"):
        page.locator("[name=step][value='s0-clean:1']").tap()
        expect(page.locator("#s0-clean")).to_have_value(count)
    page.locator("#s0-melded").fill("640")
    # Enter in a field counts, and presses no minus.
    page.locator("#s0-melded").press("Enter")
    expect(page.locator("#d-0")).to_have_text("+1,640")
    expect(page.locator("#s0-clean")).to_have_value("2")
    page.locator("label.side[for=side-1]").tap()
    expect(page.locator("#s1-melded")).to_be_visible()
    page.locator("#s1-melded").fill("45")
    page.get_by_role("button", name="Save deal 1").tap()
    page.get_by_role("button", name="Send the result").tap()
    expect(page.get_by_text("has not answered")).to_be_visible()
    assert [line["score"] for line in match.results.get().lines] == [1640, 45]


@pytest.mark.parametrize("device", DEVICES)
def test_every_page_that_players_act_on(visit, faults, new_event, person, entry, user_of, device):  # noqa: F811
    pairs = new_event("swiss", 4, kind="partnership", setting="face", started=True)
    match = Pairing.objects.filter(status="ready").first()
    home, away = [place.entry for place in match.places.all()]
    score_sheets.save(match.pk, home.pk, 1, {"teams": [TEAM, OTHER]})
    pods = new_event("swiss_pods", 6, seats=6, setting="face", started=True)
    big = Pairing.objects.get(round__stage__tournament=pods)
    ladder = new_event("ladder", 6, setting="face", started=True)
    ladder.name = "Ladder"
    coming = new_event("swiss", 0, kind="team")
    ann, first, second = person("Ann"), user_of(home), user_of(away)

    def check(name, path, user, *, do=None, spared=()):
        page = visit(DEVICES[device], user=user)
        page.goto(path)
        if do is not None:
            do(page)
        expect(page.locator("h1").first).to_be_visible()
        assert faults(page, name, device) == []
        page.context.close()

    def refused(page):
        page.locator("#s0-melded").fill("10")
        page.locator("[name=s0-out][value='1']").locator("xpath=..").click()
        page.locator("#s0-clean").fill("2")
        page.get_by_role("button", name="Save deal 2").click()
        expect(page.locator("#refused")).to_be_visible()

    url = match.get_absolute_url()
    check("score-next", f"{url}score/", first)
    check("score-refused", f"{url}score/", first, do=refused)
    check("score-totals", f"{url}score/?by=deals", first)
    check("score-final", f"{url}score/?by=final", first)
    check("score-six", f"{big.get_absolute_url()}score/", user_of(big.places.first().entry))
    score_sheets.send(match.pk, home.pk, by=first, is_early=True)
    check("match-own-report", url, first)
    check("match-to-confirm", url, second)
    score_sheets.save(
        match.pk, away.pk, 1, {"teams": [TEAM, {**OTHER, "books": {"clean": 2, "dirty": 1}, "melded": 600}]}
    )
    check("answer", f"{url}answer/", second)
    score_sheets.send(match.pk, away.pk, by=second, is_early=True)
    check("match-disputed", url, second)
    check("answer-disputed", f"{url}answer/", first)
    check("card", f"/events/card/{match.token}/", None)
    check("card-score", f"/events/card/{match.token}/0/", None)
    check("challenge", f"{ladder.get_absolute_url()}1/challenge/", user_of(entry(ladder, 5)))
    check("event-ladder", ladder.get_absolute_url(), user_of(entry(ladder, 5)))
    check("enter-team", f"{coming.get_absolute_url()}enter/", ann)
    check("own-entry", f"{pairs.get_absolute_url()}you/", first)
