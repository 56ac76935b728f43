"""A club that exists comes to the site in the tenth week of its season: its workbook is read, its league runs with all
results, and goes on. Every step is counted, and takes less than ten minutes.
"""

import re
from datetime import date, timedelta

import pytest
from playwright.sync_api import expect

from clubs.models import Membership, Season
from tests.clubs.bring_in.workbooks import Formula, Tab, xlsx
from tests.clubs.seasons import round_robin
from tests.journeys.counted import Hand
from tests.journeys.test_pages import DEVICES
from tests.makers import make_person
from tournaments.models import Pairing

WEEKS = 10
DAYS = [date.today() + timedelta(weeks=week - WEEKS, days=5) for week in range(14)]
"""Of the matchdays: the tenth was two days ago."""
PUT_OFF = DAYS[13] + timedelta(days=1)
LATE = "Castellano / Averill"
"""At home in the tenth week; nobody has heard how it ended."""
TEAMS = [
    *("Lund / Arai", "Bell / Okafor", "Doyle / Brandt", "Haddad / Vik", "Penrose / Menon", "Castellano / Averill"),
    *("Sommer / Daly", "Byrne / Roy", "Müller / Côté", "O’Brien / Peña", "Şahin / Nguyễn", "Haug / Falk"),
    *("Vermeer / Ibsen", "Keller / Moreau", "Novak / Ortiz", "Quinn / Reyes"),
]
NAMES = " / ".join(TEAMS).split(" / ")
"""The list of fixtures has surnames only: those of the members."""


def workbook():
    """Members, and fixtures of both divisions with the results of ten weeks, under titles and with notes and totals."""
    members = [["HARBOUR LEAGUE"], ["Members, as of today"], [], ["No.", "Member", "Tel", "E mail"]]
    members += [[at, f"{name}, Kim", 7700900100 + at, f"kim{at}@example.org"] for at, name in enumerate(NAMES, 1)]
    members += [[None, "TOTAL", Formula("COUNTA(B5:B36)", 32)], ["Ask Nora about changes"]]
    lines = [
        line
        for at in range(2)
        for line in round_robin(TEAMS[at * 8 : at * 8 + 8], division=f"Division {at + 1}", first=DAYS[0], legs=2)
    ]
    fixtures = [["Fixtures and results"], ["Div", "Round", "Date", "Time", "Home", "Away", "Score"]]
    for _, division, matchday, day, home, away, *score, _, _, _ in lines:
        is_known = int(matchday) <= WEEKS and (int(matchday), home) != (WEEKS, LATE)
        result = ":".join(str(int(points) // 5 * 5) for points in score) if is_known else None
        fixtures.append([division, int(matchday), date.fromisoformat(day), "19:30", home, away, result])
    return xlsx(Tab("Fees", [["Paid"], ["yes"]]), Tab("Members", members), Tab("Fixtures", fixtures))


def give(hand, file):
    hand.page.get_by_label("Drop the file here, or choose it").set_input_files(file)
    hand.actions["fields"] += 1
    hand.press("Read the list", "button")


def start_club(hand):
    hand.page.goto("/clubs/new/")
    hand.at("Start a club", "new-club")
    hand.fill("Name", "Harbour")
    hand.fill("Time zone of the club", "Europe/Oslo")
    hand.press("Start the club", "button")
    hand.at("Manage club", "run")


def bring_in(hand, file):
    hand.press("Import members", exact=False)
    hand.at("Import a list", "members")
    give(hand, file)
    hand.at("This is what we read", "members-read")
    hand.press("Import 32 people", "button", exact=False)
    hand.at("Members", "people")
    hand.page.goto("/clubs/harbour/import/fixtures/")
    hand.at("Import a list", "fixtures")
    give(hand, file)
    hand.at("This is what we read", "fixtures-read")
    for label, text in (("Name of a new league", "Monday League"), ("Season, if the list does not name it", "2026/27")):
        with hand.page.expect_response("**/import/fixtures/"):
            hand.fill(label, text)
            hand.page.get_by_label(label).blur()
    expect(hand.page.locator("#who")).to_contain_text("2026/27")
    expect(hand.page.locator("#who")).to_contain_text("Lund = Kim Lund")
    hand.press("Import 112 matches", "button", exact=False)
    hand.at("2026/27", "season")
    assert Membership.objects.count() == 33
    hand.press("Results so far")
    hand.at("Results so far", "so-far")
    hand.press("Publish", "button", exact=False)
    hand.at("Results so far", "published")
    season = Season.objects.get()
    assert (season.status, season.divisions.count()) == ("running", 2)
    assert Pairing.objects.filter(status="done").count() == WEEKS * 8 - 1


def open_match(hand, at=0):
    """The page of a match of the current matchday, from the season’s own page."""
    hand.page.goto(f"{Season.objects.get().get_absolute_url()}run/")
    hand.at("2026/27", f"season-{hand.page_count}")
    current = hand.page.locator(".sec", has=hand.page.get_by_role("heading", name="Division 1", exact=False)).first
    hand.tap(current.locator("a.sides").nth(at))
    hand.at(re.compile("–"), f"match-{hand.page_count}")


def enter_late_result(hand):
    open_match(hand)
    hand.press("Enter the result")
    hand.at(re.compile("Matchday 10"), "open")
    for field, points in zip(hand.page.locator(".tb.open input[inputmode=numeric]").all(), (5240, 3815), strict=True):
        field.fill(str(points))
        hand.actions["fields"] += 1
    hand.press("Enter result", "button", says="Result of")


def put_off(hand):
    open_match(hand)
    hand.page.locator("#set-starts_at").fill(f"{PUT_OFF}T20:00")
    hand.actions["fields"] += 1
    hand.tap(hand.page.locator("#set"))
    expect(hand.page.locator("#main")).to_contain_text("20:00")


def give_walkover(hand):
    open_match(hand, 1)
    hand.press("Enter the result")
    hand.at(re.compile("Matchday 11"), "open-11")
    hand.tap(hand.page.get_by_text("did not come").first)
    hand.press("Enter result", "button", says="Result of")


def look_from_kolkata(page):
    """A first visit without cookies: all times are by the club’s clock, and say so."""
    page.goto(Season.objects.get().get_absolute_url())
    main = page.locator("#main")
    expect(main).to_contain_text("Next: matchday 11")
    expect(main).to_contain_text("Times in Oslo")
    for day, clock in ((DAYS[WEEKS], "19:30"), (PUT_OFF, "20:00")):
        expect(main).to_contain_text(f"{day:%a} {day.day} {day:%b} {clock}")
    expect(main.get_by_text("w/o")).to_be_visible()


@pytest.mark.parametrize("device", DEVICES)
def test_a_season_comes_from_a_workbook_in_its_tenth_week(visit, no_barriers, picture, tmp_path, device):
    file = tmp_path / "Harbour League.xlsx"
    file.write_bytes(workbook())
    hand = Hand(visit(DEVICES[device], user=make_person("Nora")), device, no_barriers, picture)
    start_club(hand)
    bring_in(hand, file)
    enter_late_result(hand)
    put_off(hand)
    give_walkover(hand)
    assert hand.seconds <= 600
    look_from_kolkata(visit(DEVICES[device], timezone_id="Asia/Kolkata"))
