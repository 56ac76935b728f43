"""A match of an event, scored on a phone at the table, that loses its network half way: nothing is lost, and it ends
right, although the match may have changed.
"""

import pytest
from playwright.sync_api import expect

from tests.journeys.hands import DESK, PHONE
from tests.journeys.real_cards import FIRST, OTHER, POOR, enter, fill_in, is_kept, wire  # noqa: F401  a fixture
from tests.tournaments.reading import TWO_DEALS
from tests.tournaments.scoring import entries_of, matches
from tournaments.models import Pairing, Place, Result
from tournaments.score_sheets import services as score_sheets
from tournaments.services.matches import results

# ruff: noqa: F811  fixtures that are taken from elsewhere

DEVICES = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])


@pytest.fixture
def played(new_event):
    """A match of two pairs at a real table, and its two entries."""

    def make(**choices):
        options = {"kind": "partnership", "setting": "face"} | choices
        pairing = matches(new_event("swiss", 4, started=True, **options))[0]
        return pairing, *entries_of(pairing)

    return make


@pytest.fixture
def phone(visit, wire, user_of):
    """The phone of a player, or, without an entry, one that reads the card of the table; its sheet is open."""

    def at(pairing, entry=None, device=PHONE):
        page = visit(device, base_url=wire.url, user=entry and user_of(entry))
        page.goto(f"{pairing.get_absolute_url()}score/" if entry else f"/events/card/{pairing.token}/0/")
        is_kept(page)
        return page

    return at


def dock(page):
    return page.locator("#dock-words")


def saved_sheet(pairing, entry):
    """The sheet of an entry as the site has it."""
    fresh = Pairing.objects.select_related("round__stage__tournament").get(pk=pairing.pk)
    return score_sheets.saved_sheet(score_sheets.read(fresh), entry.pk)


def send(page):
    page.get_by_role("button", name="Send the result").click()


@pytest.mark.parametrize("by_card", [False, True], ids=["match", "card"])
@DEVICES
def test_a_match_is_scored_to_its_end_without_a_network(
    visit, wire, no_barriers, picture, played, phone, user_of, device, by_card
):
    pairing, entry, rival = played()
    kind = f"{'phone' if device is PHONE else 'desk'}{'-card' if by_card else ''}"
    page = phone(pairing, None if by_card else entry, device)
    no_barriers(page)
    enter(page, 1, FIRST, OTHER)
    expect(dock(page)).to_contain_text("Sent.")
    assert [len(saved_sheet(pairing, entry).deals), saved_sheet(pairing, entry).version] == [1, 1]
    assert Pairing.objects.get(pk=pairing.pk).begun_at is not None

    wire.cut(page)
    enter(page, 2, POOR, FIRST)
    expect(dock(page)).to_contain_text("No network. We send it once you are online.")
    # The phone is put away and taken out again, still without a network.
    page.reload()
    expect(page.locator("#t-0")).to_have_text("4,595")
    expect(page.locator("#t-1")).to_have_text("6,070")
    enter(page, 3, OTHER, POOR)
    page.get_by_role("link", name="Change deal 1").click()
    fill_in(page, 1, {"left": 85})
    page.get_by_role("button", name="Save deal 1").click()
    expect(page.locator("#running tbody tr").first).to_contain_text("+1,455")
    enter(page, 4, POOR, POOR)
    expect(page.locator("#outcome")).to_contain_text("won, 5,830 : 5,930")
    no_barriers(page)
    picture(page, f"match-over-offline-{kind}")
    send(page)
    expect(dock(page)).to_contain_text("We send the result once you are online.")
    page.reload()
    expect(dock(page)).to_contain_text("On this phone.")
    no_barriers(page)
    picture(page, f"match-to-send-{kind}")
    assert saved_sheet(pairing, entry).version == 1
    assert Result.objects.count() == 0

    wire.mend(page)
    expect(page.get_by_text("has not answered")).to_be_visible()
    picture(page, f"match-sent-{kind}")
    result = Result.objects.get()
    assert [line["score"] for line in result.lines] == [5830, 5930]
    assert (len(result.sheet["deals"]), result.origin) == (4, "card" if by_card else "player")
    assert result.sheet["deals"][0]["teams"][1]["left"] == 85

    rival_page = visit(PHONE, user=user_of(rival))
    rival_page.goto(pairing.get_absolute_url())
    rival_page.get_by_role("button", name="Confirm").click()
    expect(rival_page.get_by_text("The result is final.")).to_be_visible()
    assert Pairing.objects.get(pk=pairing.pk).result == result


def test_a_match_that_has_been_decided_takes_nothing_and_loses_nothing(wire, no_barriers, picture, played, phone, olga):
    pairing, entry, rival = played(rules_json=TWO_DEALS)
    page = phone(pairing, entry)
    enter(page, 1, FIRST, OTHER)
    expect(dock(page)).to_contain_text("Sent.")
    wire.cut(page)
    enter(page, 2, POOR, POOR)
    send(page)
    expect(dock(page)).to_contain_text("On this phone.")
    results.decide(pairing.pk, [{"entry": entry.pk, "score": 1}, {"entry": rival.pk, "score": 2}], by=olga)

    page.problems.clear()
    wire.mend(page)
    expect(dock(page)).to_contain_text("Not sent. Everything is saved on this phone.")
    refused = page.locator("#refused")
    expect(refused).to_contain_text("This match has a confirmed result. An organiser can change it.")
    expect(page.locator("#running tbody tr")).to_have_count(2)
    no_barriers(page)
    picture(page, "match-decided-meanwhile")
    assert len(saved_sheet(pairing, entry).deals) == 1
    assert Result.objects.get().lines[0]["score"] == 1

    # The page of the match shows deals that only this phone has, until they are discarded.
    refused.get_by_role("link", name="See the match").click()
    unsent = page.locator("[data-unsent]")
    expect(unsent).to_contain_text("Only on this phone")
    expect(unsent.locator("tbody tr")).to_have_count(2)
    expect(unsent.locator("tfoot")).to_contain_text("4,595")
    no_barriers(page)
    picture(page, "match-left-on-the-phone")

    # The organiser removes the result: the pressed deals go through.
    results.remove_result(pairing.pk, by=olga, reason="The table had not finished.")
    page.goto(f"{pairing.get_absolute_url()}score/")
    expect(page.get_by_text("has not answered")).to_be_visible()
    assert [line["score"] for line in Result.objects.latest("pk").lines] == [4595, 1235]
    expect(page.locator("[data-unsent]")).to_be_hidden()
    clear_refusals(page)


def test_what_was_kept_of_a_decided_match_is_deleted_by_its_phone(wire, played, phone, olga):
    pairing, entry, rival = played(rules_json=TWO_DEALS)
    page = phone(pairing)
    wire.cut(page)
    enter(page, 1, FIRST, OTHER)
    results.decide(pairing.pk, [{"entry": entry.pk, "score": 1}, {"entry": rival.pk, "score": 2}], by=olga)
    wire.mend(page)
    expect(page.locator("#refused")).to_contain_text("This match has a confirmed result")
    page.goto(f"/events/card/{pairing.token}/")
    expect(page.locator("[data-unsent] tbody")).to_contain_text("+4,715")
    page.get_by_role("button", name="Delete these deals").click()
    expect(page.locator("[data-unsent]")).to_be_hidden()
    assert page.evaluate("localStorage.length") == 0
    clear_refusals(page)


def test_a_partner_who_has_just_written_is_not_overwritten(wire, no_barriers, played, phone):
    pairing, entry, _ = played()
    page = phone(pairing, entry)
    wire.cut(page)
    enter(page, 1, FIRST, OTHER)
    score_sheets.save(pairing.pk, entry.pk, 1, {"points": [100, 200]})
    wire.mend(page)
    conflict = page.locator("#conflict")
    expect(conflict).to_contain_text("+4,715 : +1,355")
    expect(conflict).to_contain_text("+100 : +200")
    no_barriers(page)
    assert saved_sheet(pairing, entry).deals == [{"points": [100, 200]}]
    page.get_by_role("button", name="Use this phone’s").click()
    expect(dock(page)).to_contain_text("Sent.")
    assert saved_sheet(pairing, entry).deals[0]["teams"][0]["melded"] == 1115


def test_a_redrawn_match_does_not_take_the_deals_of_the_old_one(wire, played, phone, picture):
    pairing, entry, rival = played()
    page = phone(pairing, entry)
    wire.cut(page)
    enter(page, 1, FIRST, OTHER)
    third = entry.tournament.entries.exclude(pk__in=[entry.pk, rival.pk]).first()
    Place.objects.filter(pairing=pairing, entry=rival).update(entry=third)
    wire.mend(page)
    expect(page.locator("#refused")).to_contain_text("redrawn with different players")
    assert saved_sheet(pairing, entry).deals == []
    page.reload()
    expect(page.locator("#title")).to_contain_text("deal 1")
    expect(page.locator("#t-0")).to_have_text("0")
    expect(page.locator("[data-unsent] tbody")).to_contain_text("+4,715")
    picture(page, "match-drawn-anew")
    clear_refusals(page)


def test_a_signed_out_player_signs_in_and_loses_nothing(wire, played, phone, user_of):
    pairing, entry, _ = played()
    user_of(entry).set_password("a long pass phrase")
    page = phone(pairing, entry)
    wire.cut(page)
    enter(page, 1, FIRST, OTHER)
    cookies = [cookie for cookie in page.context.cookies() if cookie["name"] == "sessionid"]
    page.context.clear_cookies(name="sessionid")
    wire.mend(page)
    expect(page.locator("#refused")).to_contain_text("You are signed out.")
    expect(page.locator("#refused a")).to_have_attribute("href", f"/accounts/login/?next={pairing_path(pairing)}")
    page.context.add_cookies(cookies)
    page.reload()
    expect(dock(page)).to_contain_text("Sent.")
    assert len(saved_sheet(pairing, entry).deals) == 1
    clear_refusals(page)


def test_only_the_final_score_is_sent_when_the_network_is_back(wire, no_barriers, picture, played, phone):
    pairing, entry, _ = played()
    page = phone(pairing, entry)
    wire.cut(page)
    page.get_by_role("link", name="Final score").click()
    expect(page.locator("#title")).to_contain_text("final score")
    for side in (0, 1):
        expect(page.locator(f"#s{side}-final")).to_be_visible()
    send(page)
    expect(page.locator("#e-s0-final")).to_contain_text("Enter the points of")
    fill_in(page, 0, {"final": "5,980"})
    fill_in(page, 1, {"final": "−120"})
    no_barriers(page)
    picture(page, "match-final-offline")
    send(page)
    expect(dock(page)).to_contain_text("We send the result once you are online.")
    wire.mend(page)
    expect(page.get_by_text("has not answered")).to_be_visible()
    assert [line["score"] for line in Result.objects.get().lines] == [5980, -120]


def pairing_path(pairing):
    from urllib.parse import quote

    return quote(f"{pairing.get_absolute_url()}score/", safe="")


def clear_refusals(page):
    """Remove refusals from the complaints of the console: they were meant."""
    page.problems[:] = [
        problem for problem in page.problems if not any(code in problem for code in ("401", "403", "410"))
    ]
