"""A duplicate evening at real tables: created, dealt on paper by somebody who does not play, entered board by board."""

import os
import re
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from engine.play.rules import Rules
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_club, make_event, make_member
from tests.tournaments import driving
from tournaments import board_numbers
from tournaments.duplicate import movement
from tournaments.hall import services as hall
from tournaments.models import Act, Board, Pairing, Tournament
from tournaments.plan import standard
from tournaments.services.entries import bulk_entry
from tournaments.services.entries.bulk_entry import Names
from tournaments.services.events import lifecycle
from tournaments.services.stages import stage_decisions

NAMES = ["Ada", "Ben", "Cem", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea", "Max", "Nia", "Ole", "Pia"]


def enter_pairs(event, by):
    pairs = [Names([first, second]) for first, second in zip(NAMES[::2], NAMES[1::2], strict=True)]
    bulk_entry.enter_list(event.pk, by, lines=pairs)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_duplicate_evening_from_the_template_to_the_standings(visit, olga, picture, no_barriers, width):
    page = visit(DESK if width == 1280 else PHONE, user=olga)
    page.goto("/events/new/?from=duplicate")
    page.get_by_label("Name", exact=True).first.fill("Duplicate at the quay")
    page.locator("button[name=do]").last.click()
    page.wait_for_url("**/organise/**")
    event = Tournament.objects.get()
    lifecycle.publish(event.pk, olga) if event.status == "draft" else None
    enter_pairs(event, olga)
    lifecycle.start(event.pk, olga, anyway=True, absent=[])

    page.goto(reverse("tournaments:organise_rounds", args=[event.slug]))
    page.get_by_role("link", name="Boards: dealing sheets and results").click()
    expect(page.get_by_text("7 boards of 5 packs, 35 packs in all.")).to_be_visible()
    picture(page, f"duplicate-boards-{width}")
    assert no_barriers.violations(page) == []
    assert page_width(page) <= width
    page.get_by_role("button", name="Show for printing").click()
    expect(page.get_by_role("heading", name="Board 7")).to_be_visible()
    assert page.locator(".dealing .suited").count() == 7 * 270
    picture(page, f"duplicate-sheets-{width}")
    assert no_barriers.violations(page) == []
    assert page_width(page) <= width
    assert Act.objects.filter(tournament=event, kind="boards").count() == 1
    paper = page.pdf(format="A4")
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        Path(folder, f"duplicate-sheets-{width}.pdf").write_bytes(paper)
    assert len(re.findall(rb"/Type /Page\b", paper)) == 4

    for label in range(1, 8):
        page.goto(reverse("tournaments:organise_board", args=[event.slug, 1, label]))
        cells = page.locator("#board input[id^=s]")
        assert cells.count() == 8
        for at in range(8):
            cells.nth(at).fill(str(500 + 5 * (at * label % 11)))
        if label == 1:
            picture(page, f"duplicate-entering-{width}")
            assert no_barriers.violations(page) == []
        page.keyboard.press("Enter")
        page.wait_for_url("**/boards/")
    driving_over = Pairing.objects.filter(round__stage__tournament=event).exclude(status="done")
    assert not driving_over.exists()
    page.goto(reverse("tournaments:stage", args=[event.slug, 1]))
    page.get_by_role("link", name="Boards", exact=True).click()
    picture(page, f"duplicate-public-{width}")
    assert no_barriers.violations(page) == []
    page.get_by_role("link", name="Board 5").click()
    expect(page.locator(".traveller tbody tr")).to_have_count(4)
    expect(page.get_by_text(Board.objects.get(number=5).key)).to_be_visible()
    picture(page, f"duplicate-board-{width}")
    assert no_barriers.violations(page) == []
    assert page_width(page) <= width


def test_table_cards_and_the_phone_tell_where_boards_go_and_take_their_scores(
    visit, new_event, olga, picture, no_barriers
):
    rules = Rules.make("standard", {"length": {"deals": 2}}).write()
    event = new_event("howell", 8, kind="partnership", setting="face", rules_json=rules, started=True)
    page = visit(DESK, user=olga)
    page.goto(reverse("tournaments:print_cards", args=[event.slug]))
    picture(page, "duplicate-cards")
    assert no_barriers.violations(page) == []
    pairing = driving.open_pairings(event)[1]
    pairing.round.stage.tournament = event
    words = movement.all_tables(pairing.round.stage)[pairing.pk].next_words
    phone = visit(PHONE)
    phone.goto(reverse("tournaments:card", args=[pairing.token]))
    expect(phone.locator("#boards")).to_contain_text(words)
    picture(phone, "duplicate-card-phone")
    first, second = board_numbers.labels_at_table(pairing)
    phone.goto(reverse("tournaments:card_score", args=[pairing.token, pairing.places.first().number]))
    expect(phone.get_by_role("link", name="Final score")).to_have_count(0)
    phone.get_by_role("link", name="Board totals").click()
    expect(phone.locator("#title")).to_contain_text(f", board {first}")
    for label, scores in ((first, ("600", "500")), (second, ("400", "700"))):
        for side, score in enumerate(scores):
            phone.locator(f"label[for=side-{side}]").click()
            phone.locator(f"#s{side}-points").fill(score)
        expect(phone.locator("#dock-words")).to_contain_text(f"Board {label} is not saved yet.")
        if label == second:
            picture(phone, "duplicate-sheet-phone")
            assert no_barriers.violations(phone) == []
            assert page_width(phone) <= 390
        expect(phone.get_by_role("button", name="End the match here")).to_be_hidden()
        phone.get_by_role("button", name=f"Save board {label}").click()
    expect(phone.locator("#title")).to_contain_text(": all boards")
    phone.get_by_role("button", name="Send the result").click()
    phone.wait_for_url("**/answer/")
    assert [deal["points"] for deal in pairing.results.get().sheet["deals"]] == [[600, 500], [400, 700]]


def test_dealing_sheets_in_german(visit, new_event, olga, picture, no_barriers):
    rules = Rules.make("standard", {"length": {"deals": 1}}).write()
    event = new_event("howell", 8, kind="partnership", setting="face", rules_json=rules, started=True)
    page = visit(DESK, user=olga, locale="de-DE")
    type(olga).objects.filter(pk=olga.pk).update(language="de")
    page.goto(reverse("tournaments:organise_boards", args=[event.slug, 1]))
    expect(page.get_by_role("button", name="Zum Drucken zeigen")).to_be_visible()
    picture(page, "duplicate-boards-german")
    page.get_by_text("Baupläne für sortierte Kartendecks").click()
    page.get_by_role("button", name="Zum Drucken zeigen").click()
    expect(page.get_by_text("Talon (", exact=False).first).to_be_visible()
    picture(page, "duplicate-plan-german")
    paper = page.pdf(format="A4")
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        Path(folder, "duplicate-plan-german.pdf").write_bytes(paper)
    assert len(re.findall(rb"/Type /Page\b", paper)) == 7
    assert no_barriers.violations(page) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_boards_are_typed_tonight_by_keyboard_and_then_move(visit, olga, picture, no_barriers, width):
    club = make_club("Harbour Hand and Foot", slug="harbour")
    make_member(club, olga, "owner")
    rules = Rules.make("standard", {"length": {"deals": 2}}).write()
    choices = {"kind": "partnership", "setting": "face", "rules_json": rules, "entries": 4, "circle": club.circle}
    plan = standard("howell", waits_for_go=True)
    event = make_event(olga, plan, name="Duplicate", starts_at=timezone.now(), status="open", started=True, **choices)
    stage_decisions.start_round(event.stages.get().pk, 1, by=olga)
    page = visit(DESK if width == 1280 else PHONE, user=olga)
    page.goto("/clubs/harbour/tonight/")
    cells = page.locator("#grid-list .score")
    expect(cells).to_have_count(8)
    cells.nth(0).focus()
    for at in range(8):
        page.keyboard.type("503" if at == 5 else str(500 + 5 * at))
        page.keyboard.press("Enter")
        if at < 7:
            expect(cells.nth(at + 1)).to_be_focused()
    page.keyboard.press("Tab")
    first, second = Pairing.objects.filter(round__number=1).order_by("number")[:2]
    wrong = page.locator(f"#said-{second.pk}-0 .error")
    expect(wrong).to_have_text("503 cannot be right: scores by these rules are multiples of 5.")
    picture(page, f"tonight-boards-{width}")
    assert page_width(page) <= width
    no_barriers(page)
    cells.nth(5).fill("520")
    cells.nth(5).press("ArrowDown")
    expect(cells.nth(7)).to_be_focused()
    expect(wrong).to_have_count(0)
    expect(page.locator("#boards .mini tbody tr")).to_have_count(4)
    expect(page.locator("#big-act")).to_be_enabled()
    expect(page.locator(f"#said-{first.pk}")).to_contain_text("by ")
    page.locator("#big-act").click()
    expect(page.locator("#moves-1")).to_contain_text("Boards 3 and 4 go to table")
    picture(page, f"tonight-moves-{width}")
    assert page_width(page) <= width
    no_barriers(page)
    assert Pairing.objects.filter(round__number=1, status="done").count() == 2
    lines = [Pairing.objects.get(pk=pairing.pk).result.lines for pairing in (first, second)]
    assert [line["deals"] for line in lines[0]] == [[500, 510], [505, 515]]
    assert [line["deals"] for line in lines[1]] == [[520, 530], [520, 535]]
    hall.open_screen(event.pk, olga)
    screen = visit({"viewport": {"width": 1280, "height": 720}})
    screen.goto(reverse("tournaments:screen", args=[event.hall.token]))
    expect(screen.locator("main.boards li").first).to_be_visible()
    picture(screen, f"hall-boards-{width}")
