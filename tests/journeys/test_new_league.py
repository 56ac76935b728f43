"""An organiser comes from the front page to a running league and the first newsletter in ten minutes, and a visitor
without an account finds the table and prints it; on a phone and at a desk.

Every step is counted: 46 presses, 19 fields filled in or chosen, 41 pages. At 3 seconds for a press, 8 for a field (the
longest holds six pairs, the shortest a figure) and 5 to look at a page, that is eight minutes and fifteen seconds.
"""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone
from playwright.sync_api import expect

from clubs.models import Club, Membership, Newsletter, RulesVersion, Season
from engine.play.rules import Rules
from tests.journeys.counted import Hand
from tests.journeys.test_club_paper import on_paper
from tests.journeys.test_pages import DEVICES

STEPS = {"presses": 46, "fields": 19, "pages": 41}

SHEET = """\
Mitgl.-Nr.;Surname;First name;E-mail;Joined
1;Müller;Zoë;zoe@example.org;03.04.2019
2;Côté;Rémi;remi@example.org;2020-01-12

3;Bell;Tom;;12.09.2021
4;O’Brien;Áine;aine@example.org;2022-02-01
;;;;
5;Peña;Núria;nowhere;2022-02-01
3;Bell;Tom;;12.09.2021
"""
"""A list as organisers keep it: titles in their own order, extra columns, empty lines, one twice, one not right."""

ENCODINGS = {"phone": "utf-8-sig", "desk": "windows-1252"}
"""Encodings of the saved table: with a byte order mark, and in the code page of an older spreadsheet."""

PAIRS = """\
Zoë Müller, Rémi Côté
Tom Bell, Áine O’Brien
Núria Peña, Ole Vik
Ipek Şahin, Ada Roy
Jo Daly, Sam Byrne
Lan Nguyễn, Kit Haug"""


def sign_up(hand):
    hand.press("Clubs", within=hand.page.get_by_role("navigation", name="Main"))
    hand.at("Clubs", "clubs")
    hand.press("Start a club")
    hand.at("Sign in", "sign-in")
    hand.press("Sign up", within=hand.page.get_by_role("main"))
    hand.at("Sign up", "sign-up")
    hand.fill("Name", "Nora Lund")
    hand.fill("Email address", "nora@example.org")
    hand.fill("Password", "a long pass phrase")
    hand.press("Sign up", "button")


def start_club(hand):
    hand.at("Start a club", "new-club")
    hand.fill("Name", "Fjord Hand and Foot")
    hand.fill("One-line description (optional)", "Bergen. Mondays 19:00, Old Mill.")
    hand.tick("Teal")
    hand.tick("Wave")
    hand.press("Start the club", "button")
    hand.at("Manage club", "run")
    hand.press("Describe your club", exact=False)
    hand.at("Settings", "settings")
    hand.fill("Description", "We have played since 1983.\n\nCome and look: there is coffee.")
    hand.fill("Venue", "Old Mill, 4 Quay Street")
    hand.press("Save", "button", says="Changed: description, venue.")
    hand.at("Settings", "said")
    open_manage_page(hand)


def import_members(hand, tmp_path):
    file = tmp_path / "members.csv"
    file.write_bytes(SHEET.replace("\n", "\r\n").encode(ENCODINGS[hand.device]))
    hand.press("Import members", exact=False)
    hand.at("Import a list", "import")
    hand.page.get_by_label("Drop the file here, or choose it").set_input_files(file)
    hand.actions["fields"] += 1
    hand.press("Read the list", "button", says="Tom Bell and Tom Bell: one person?")
    hand.at("This is what we read", "looked")
    assert Membership.objects.count() == 1
    hand.press("Import 5 people", "button", exact=False)
    hand.at("Members", "people")
    names = set(Membership.objects.filter(user=None).values_list("name", flat=True))
    assert names == {"Zoë Müller", "Rémi Côté", "Tom Bell", "Áine O’Brien", "Núria Peña"}


def open_manage_page(hand):
    hand.press("Manage club", within=hand.page.get_by_role("navigation", name="Club", exact=True))
    hand.at("Manage club", "run")


def write_house_rules(hand):
    open_manage_page(hand)
    hand.press("Write your house rules", exact=False)
    hand.at("New house rules", "editor")
    hand.choose("Which published rules come nearest to yours?", "Bain")
    expect(hand.page.locator("#sheet")).to_contain_text("Exactly as Bain.")
    group = hand.page.locator("details.rule-group", has=hand.page.get_by_role("heading", name="Going out"))
    hand.tap(group.locator("> summary"))
    bonus = hand.page.locator("fieldset.rule", has=hand.page.get_by_text("Bonus for going out", exact=True))
    bonus.get_by_role("textbox").first.fill("250")
    hand.actions["fields"] += 1
    expect(hand.page.locator("#sheet")).to_contain_text("The nearest published ruleset is Bain, with 1 difference.")
    hand.fill("Name", "Fjord rules")
    hand.check_page("typed")
    hand.press("Save these rules", "button")
    hand.at("Fjord rules", "kept")
    assert RulesVersion.objects.get().rules == Rules.make("bain", {"out_bonus": 250})


def create_league(hand):
    open_manage_page(hand)
    hand.press("Create a league", exact=False)
    hand.at("Create a league", "new-league")
    hand.fill("Name", "Monday League")
    hand.press("Create league", "button")
    hand.at("Add teams", "teams")
    hand.fill("Teams, one per line", PAIRS)
    hand.press("Add teams", "button", says="Nothing is saved yet.")
    hand.at("This is what we read", "look-at-teams")
    hand.press("Add 6 teams", "button", says="6 teams were added to Monday League")
    hand.at("Add teams", "teams")
    hand.press("New season")
    hand.at("New season", "season")
    hand.fill("Name of the season", "Winter")
    hand.tick("Two divisions")
    hand.press("Next: when", "button")
    hand.at("New season", "season-when")
    hand.fill("First day", (timezone.localdate() + timedelta(days=5)).isoformat())
    hand.fill("Start time (optional)", "19:00")
    hand.page.get_by_label("Start time (optional)").blur()
    expect(hand.page.locator("#outlook").get_by_text("3 teams, 3 matchdays, 3 matches")).to_have_count(2)
    hand.press("Next: how", "button")
    hand.at("New season", "season-how")
    expect(hand.page.locator("#rules option:checked")).to_have_text("Fjord rules, version 1")
    hand.press("Save and assign teams", "button")
    hand.at("Teams in divisions", "places")
    hand.press("Save and continue", "button")


def draw_season(hand):
    hand.at("Winter", "season")
    hand.press("Preview the draw")
    hand.at("Draw Winter", "draw")
    expect(hand.page.get_by_text("Matchday 3", exact=True)).to_have_count(2)
    hand.press("Draw the season", "button")
    hand.at("Winter", "drawn")
    season = Season.objects.get()
    assert (season.status, str(season.rules_version), season.divisions.count()) == (
        "running",
        "Fjord rules, version 1",
        2,
    )


def enter_first_result(hand):
    hand.press("See the standings")
    hand.at("Monday League, Winter", "tables")
    hand.press("All fixtures")
    hand.at("Fixtures", "fixtures")
    hand.tap(hand.page.locator("#main .fx a.sides"))
    hand.at(re.compile("Tom Bell"), "match")
    hand.press("Enter the result")
    hand.at(re.compile("Matchday 1"), "open")
    scores = hand.page.locator(".tb.open input[inputmode=numeric]")
    for field, points in zip(scores.all(), (5240, 3815), strict=True):
        field.fill(str(points))
        hand.actions["fields"] += 1
    hand.press("Enter result", "button", says="Result of")
    hand.at(re.compile("Matchday 1"), "entered")
    hand.press("Monday League, Winter")
    hand.at("Monday League, Winter", "table")
    expect(hand.page.get_by_role("row", name=re.compile(r"Tom Bell.*\+1,425"))).to_be_visible()


def send_newsletter(hand):
    open_manage_page(hand)
    hand.press("Tell the club", exact=False)
    hand.at("Tell the club", "tell")
    hand.press("Newsletter", exact=False)
    hand.at("Newsletter", "letters")
    hand.press("Readers without an account")
    hand.at("Readers without an account", "readers")
    hand.tick("Zoë Müller", exact=False)
    hand.press("Save", "button")
    hand.at("Newsletter", "letters")
    hand.press("Write a newsletter")
    hand.at("Write a newsletter", "write")
    hand.press("Write", "button")
    hand.at("Change the newsletter", "draft")
    expect(hand.page.get_by_label("Text")).to_have_value(re.compile("5,240"))
    hand.fill("Heading", "The first week")
    hand.press("Save and preview", "button")
    hand.at("The first week", "letter")
    hand.press("Publish", "button", says="Sent to 1 member.")
    hand.at("The first week", "sent")
    assert Newsletter.objects.get().status == "sent"
    assert [(letter.to, letter.subject) for letter in mail.outbox if letter.subject == "The first week"] == [
        (["zoe@example.org"], "The first week")
    ]


def look_up_standings(hand):
    """Find the standings as a newcomer, from the front page."""
    hand.page.goto("/")
    hand.press("Clubs", within=hand.page.get_by_role("navigation", name="Main"))
    hand.at("Clubs", "clubs")
    hand.fill("Town or name", "Bergen")
    hand.press("Find", "button", says="1 club")
    hand.at("Clubs", "found")
    hand.press("Fjord Hand and Foot")
    hand.at("Fjord Hand and Foot", "club")
    hand.press("All standings", exact=False)
    hand.at("Monday League, Winter", "table")
    expect(hand.page.get_by_role("rowheader", name=re.compile("Zoë Müller"))).to_be_visible()


def print_standings(hand):
    """From the browser, or the document that is there for it: each on one sheet of A4."""
    assert on_paper(hand.page, f"secretary-{hand.device}") == 1
    document = hand.page.get_by_role("link", name="PDF to print").get_attribute("href")
    written = hand.page.request.get(document).body()
    assert (written[:4], written.count(b"/Type /Page\n")) == (b"%PDF", 1)


@pytest.mark.parametrize("device", DEVICES)
def test_from_nothing_to_a_league_with_a_newsletter(visit, no_barriers, picture, tmp_path, device):
    hand = Hand(visit(DEVICES[device]), device, no_barriers, picture)
    hand.page.goto("/")
    sign_up(hand)
    start_club(hand)
    import_members(hand, tmp_path)
    write_house_rules(hand)
    create_league(hand)
    draw_season(hand)
    enter_first_result(hand)
    send_newsletter(hand)
    assert hand.actions == STEPS
    assert hand.seconds <= 600
    club = Club.objects.get()
    assert (club.colour, club.crest, club.venue) == ("teal", "wave", "Old Mill, 4 Quay Street")

    visitor = Hand(visit(DEVICES[device]), device, no_barriers, picture, first=60)
    look_up_standings(visitor)
    assert visitor.actions["presses"] <= 4
    print_standings(visitor)
