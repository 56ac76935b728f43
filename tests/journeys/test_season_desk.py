"""Between two seasons in a real browser at both widths: a cup seeded, the next season set and undone, the history
read, a guest club at its rosters.
"""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clubs.house_rules import services as house_rules
from clubs.models import Club, Membership, Season, Team
from clubs.services import settings
from clubs.services.leagues import leagues
from clubs.services.seasons import season_close, season_draw, season_setup
from engine.play.rules import Rules
from tests.clubs import leagues as makers
from tests.journeys.test_pages import DEVICES, faults, people  # noqa: F401  fixtures
from tests.makers import make_club

BASE = "/clubs/lakeside/"
LEAGUE = f"{BASE}leagues/lakeside-league/"
SEASON = f"{LEAGUE}autumn/"

pytestmark = pytest.mark.parametrize("device", DEVICES)


@pytest.fixture
def club(people):  # noqa: F811  the fixture
    """A club of Ann's, with house rules; Ben runs the club Quay, which plays in its league."""
    club = make_club("Lakeside Hand and Foot Club", owner=people.ann, slug="lakeside", crest="wave")
    house_rules.make(club.pk, people.ann, name="Lakeside rules", rules=Rules.make("standard", {"out_bonus": 7}))
    settings.change(club.pk, people.ann, fields={"colour": "plum", "venue": "Lakeside Hall, 12 Quay Street"})
    return club


@pytest.fixture
def season(club, people):  # noqa: F811  the fixture
    """A running season of two divisions of four, the last pair of the club Quay."""
    ann = people.ann
    league = leagues.make(club.pk, ann, name="Lakeside League")
    quay = make_club("Quay", owner=people.ben)
    leagues.answer_club(leagues.invite_club(league.pk, ann, club="quay").pk, people.ben, agrees=True)
    teams = [makers.pair(league, ann, number) for number in range(1, 8)]
    teams.append(makers.pair(league, people.ben, 8, club=Club.objects.get(pk=quay.pk)))
    day = timezone.localdate() + timedelta(days=7)
    divisions = [("Premier", 4), ("Division One", 4)]
    season = season_setup.make(league.pk, ann, name="Autumn", starts_on=day, divisions=divisions)
    top, low = season.divisions.order_by("level")
    ids = [team.pk for team in teams]
    season_setup.place(season.pk, ann, divisions={top.pk: ids[:4], low.pk: ids[4:]})
    season_draw.draw(season.pk, ann)
    return Season.objects.get()


@pytest.fixture
def check_page(faults, device):  # noqa: F811  the fixture
    """Check a page as it is: its width, the findings of axe, a picture."""

    def check(page, name):
        assert faults(page, f"season-{name}", device) == []

    return check


def test_a_cup_is_seeded_by_hand_and_by_the_tables(visit, check_page, season, people, device):  # noqa: F811
    page = visit(DEVICES[device], user=people.ann)
    page.goto(f"{SEASON}cups/")
    pk = Team.objects.get(name="Pair 3").pk
    page.locator("#cup-name").fill("Lakeside Cup")
    page.locator(f"#up-{pk}").press("Enter")
    expect(page.locator(f"#up-{pk}")).to_be_focused()
    expect(page.locator(".seeds li").nth(1)).to_contain_text("Pair 3")
    expect(page.locator("#cup-name")).to_have_value("Lakeside Cup")
    expect(page.locator("#seeding")).to_have_value("hand")
    check_page(page, "cups")
    page.locator("#seeding").select_option("table")
    page.locator("#order").click()
    expect(page.locator(".seeds li").nth(2)).to_contain_text("Pair 3")
    page.locator("#cup").click()
    expect(page.get_by_text("Lakeside Cup started.")).to_be_visible()
    assert [pair.team.name for pair in season.events.get().entries.order_by("pk")][:3] == ["Pair 1", "Pair 2", "Pair 3"]


def test_the_next_season_is_set_previewed_made_and_undone(visit, check_page, season, people, device):  # noqa: F811
    makers.play_out(season, people.ann)
    season_close.close(season.pk, people.ann)
    page = visit(DEVICES[device], user=people.ann)
    page.goto(f"{SEASON}close/")
    expect(page.get_by_text("Promoted to Premier: Pair 5")).to_be_visible()
    check_page(page, "close")
    page.goto(f"{SEASON}next/")
    page.locator("#name").fill("Spring")
    page.locator("#starts_on").fill((timezone.localdate() + timedelta(days=200)).isoformat())
    page.locator("#rules").select_option(label="Lakeside rules, version 1")
    page.locator(f"#level_{Team.objects.get(name='Pair 5').pk}").select_option(label="Division One")
    page.locator("#look").click()
    expect(page.get_by_text("stays by hand")).to_be_visible()
    expect(page.locator("#name")).to_have_value("Spring")
    check_page(page, "next")
    assert Season.objects.count() == 1
    page.locator("#make").click()
    expect(page.get_by_text("Spring was created from Autumn")).to_be_visible()
    assert str(Season.objects.get(name="Spring").rules_version) == "Lakeside rules, version 1"
    page.goto(f"{SEASON}next/")
    page.locator("#undo").click()
    expect(page.locator("#make")).to_be_visible()
    assert Season.objects.count() == 1


def test_the_history_says_what_was_before_and_after(visit, check_page, season, people, device):  # noqa: F811
    page = visit(DEVICES[device], user=people.ann)
    page.goto(f"{BASE}history/")
    for summary in page.locator("details summary").all():
        summary.press("Enter")
    expect(page.locator("details[open]").first).to_be_visible()
    expect(page.get_by_text("colour: Blue → Plum")).to_be_visible()
    check_page(page, "history")


def test_a_guest_club_finds_its_rosters(visit, check_page, season, people, device):  # noqa: F811
    page = visit(DEVICES[device], user=people.ben)
    Membership.objects.create(club=Club.objects.get(slug="quay"), name="Rex")
    page.goto("/clubs/quay/leagues/")
    check_page(page, "guest-leagues")
    page.get_by_role("link", name="Roster of Pair 8").click()
    page.locator("#membership").select_option(label="Rex")
    page.locator("#role").select_option("reserve")
    page.locator("#add").click()
    expect(page.locator(".roster b", has_text="Rex")).to_be_visible()
    check_page(page, "guest-roster")
    page.goto("/clubs/quay/")
    check_page(page, "guest-club")
