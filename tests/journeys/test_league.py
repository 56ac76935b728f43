"""Leagues in a real browser at both widths: from nothing to a running league, the table found and printed, every page."""

from datetime import date, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clubs.house_rules import services as house_rules
from clubs.models import Membership, Season, SeasonEntry, Team
from clubs.services.leagues import leagues, teams
from clubs.services.seasons import cups, season_draw, season_setup
from engine.play.rules import Rules
from tests.clubs import leagues as makers
from tests.journeys.test_pages import DEVICES, PAIRS, check_pages, faults, people, too_wide  # noqa: F401  fixtures
from tests.journeys.test_public_paper import sheets
from tests.makers import make_club, make_member
from tournaments.models import Pairing
from tournaments.services.matches import results

BASE = "/clubs/lakeside/leagues/"
LEAGUE = f"{BASE}lakeside-league/"
SEASON = f"{LEAGUE}autumn/"

both_devices = pytest.mark.parametrize("device", DEVICES)

TEAMS = """Lindqvist / Åberg
Tremblay / Côté
Ní Bhriain / Daly
The Anchors: Whitfield, Okoye + Bell"""


@pytest.fixture
def club(people):  # noqa: F811  the fixture
    """A club of Ann's."""
    fields = {"venue": "Lakeside Hall, 12 Quay Street", "time_zone": "America/Toronto", "crest": "wave"}
    return make_club("Lakeside Hand and Foot Club", owner=people.ann, slug="lakeside", **fields)


@pytest.fixture
def running(club, people):  # noqa: F811  the fixture
    """A season of eight pairs and four more, half of it played, with a correction; Ben plays in the first pair."""
    ann = people.ann
    league = leagues.make(club.pk, ann, name="Lakeside League", about="Played since 1983.")
    names = [*PAIRS, *(f"Lower {number} / Partner {number}" for number in range(1, 5))]
    make_member(club, people.ben)
    for at, name in enumerate(names):
        first, _, second = name.partition(" / ")
        members = [Membership.objects.create(club=club, name=person) for person in (first, second)]
        if at == 0:
            members[0] = Membership.objects.get(club=club, name="Ben")
        teams.add(league.pk, ann, members=[member.pk for member in members], name=name)
    first_day = timezone.localdate() + timedelta(days=7)
    season = season_setup.make(
        league.pk, ann, name="Autumn", starts_on=first_day, divisions=[("Premier", 8), ("Division One", 4)]
    )
    ids = list(Team.objects.order_by("number").values_list("pk", flat=True))
    premier, lower = season.divisions.order_by("level")
    season_setup.place(season.pk, ann, divisions={premier.pk: ids[:8], lower.pk: ids[8:]})
    season_draw.draw(season.pk, ann)
    matches = Pairing.objects.filter(round__stage__tournament__division__season=season, round__number__lte=4)
    for match in matches.order_by("round__number", "number"):
        decide(match, ann)
    decide(matches[0], ann, more=300, reason="One wild book was entered as dirty.")
    return Season.objects.get(pk=season.pk)


def decide(match, by, more=0, reason=""):
    """A result by how far up the teams were entered, no two alike."""
    lines = [
        {"entry": place.entry_id, "score": 6000 + 37 * match.number + more - 450 * place.entry.number + 11 * at}
        for at, place in enumerate(match.places.select_related("entry").order_by("number"))
    ]
    results.decide(match.pk, lines, by=by, reason=reason)


@both_devices
def test_an_organiser_comes_from_nothing_to_a_running_league_with_house_rules(
    visit,
    club,
    people,  # noqa: F811  the fixture
    picture,
    no_barriers,
    device,
):
    house_rules.make(club.pk, people.ann, name="Lakeside rules", rules=Rules.make("bain"))
    page = visit(DEVICES[device], user=people.ann)
    page.goto("/clubs/lakeside/run/")
    page.get_by_role("link", name="Create a league").click()
    page.get_by_label("Name").fill("Lakeside League")
    page.get_by_role("button", name="Create league").click()

    # A line that is wrong is named, and nothing is lost.
    page.get_by_label("Teams, one per line").fill(f"{TEAMS}\nAlone")
    page.get_by_role("button", name="Add teams").click()
    expect(page.get_by_text("Line 5: A pair is two people.")).to_be_focused()
    no_barriers(page)
    page.get_by_label("Teams, one per line").fill(TEAMS)
    page.get_by_role("button", name="Add teams").click()
    expect(page.get_by_role("heading", name="This is what we read")).to_be_visible()
    no_barriers(page)
    page.get_by_role("button", name="Add 4 teams").click()
    expect(page.get_by_text("4 teams were added to Lakeside League, with 9 names new in the club.")).to_be_visible()
    page.get_by_role("link", name="New season").click()

    # A preview appears next to the form as it is filled in.
    page.get_by_label("Name of the season").fill("Autumn 2026")
    picture(page, f"league-setup-who-{device}")
    no_barriers(page)
    page.get_by_role("button", name="Next: when").click()
    day = timezone.localdate() + timedelta(days=10)
    page.get_by_label("First day", exact=True).fill(day.isoformat())
    page.get_by_label("Start time (optional)").fill("19:00")
    page.get_by_text("More: days to play a match, days off").click()
    page.get_by_label("Days to play a match in").fill("0")
    page.get_by_label("Days to play a match in").blur()
    expect(page.locator("#outlook").get_by_text("Enter 1 to 92 days.")).to_be_visible()
    page.get_by_label("Days to play a match in").fill("1")
    page.get_by_label("Days to play a match in").blur()
    expect(page.locator("#outlook").get_by_text("4 teams, 3 matchdays, 6 matches")).to_be_visible()
    assert too_wide(page) == ""
    no_barriers(page)
    picture(page, f"league-setup-when-{device}")
    # A date without play moves all later ones.
    page.locator("#evenings").get_by_role("checkbox").nth(1).click()
    expect(page.locator("#evenings").get_by_role("checkbox")).to_have_count(4)
    expect(page.locator("#evenings").get_by_role("checkbox").nth(1)).not_to_be_checked()
    page.locator("#evenings").get_by_role("checkbox").nth(1).click()
    expect(page.locator("#evenings").get_by_role("checkbox")).to_have_count(3)
    page.get_by_role("button", name="Next: how").click()
    page.get_by_label("Rules").select_option(label="Lakeside rules, version 1")
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_label("Start time (optional)")).to_have_value("19:00")
    page.get_by_role("button", name="How", exact=True).click()
    expect(page.locator("#rules option:checked")).to_have_text("Lakeside rules, version 1")
    assert too_wide(page) == ""
    no_barriers(page)
    picture(page, f"league-setup-{device}")
    page.get_by_role("button", name="Save and assign teams").click()
    page.get_by_role("button", name="Save and continue").click()
    page.get_by_role("link", name="Preview the draw").click()
    expect(page.get_by_text("Matchday 1", exact=True)).to_be_visible()
    page.get_by_role("button", name="Draw the season").click()
    expect(page.get_by_text("Autumn 2026 of Lakeside League was drawn: 6 matches.")).to_be_visible()
    season = Season.objects.get()
    assert (season.status, str(season.rules_version)) == ("running", "Lakeside rules, version 1")
    page.get_by_role("link", name="See the standings").click()
    expect(page.get_by_role("rowheader", name="The Anchors")).to_be_visible()
    no_barriers(page)


@both_devices
def test_a_visitor_finds_the_table_and_prints_it(visit, running, picture, no_barriers, device):
    page = visit(DEVICES[device])
    page.goto("/clubs/lakeside/")
    page.get_by_role("navigation", name="Club").get_by_role("link", name="Leagues").click()
    page.get_by_role("link", name="Lakeside League", exact=True).click()
    expect(page.get_by_role("heading", name="Standings after matchday 4 of 7")).to_be_visible()
    assert too_wide(page) == ""
    no_barriers(page)
    picture(page, f"league-table-{device}")
    assert sheets(page) == [(210, 297)]
    page.get_by_role("link", name="Division One").click()
    expect(page.get_by_role("rowheader", name="Lower 1 / Partner 1")).to_be_visible()


@both_devices
def test_a_captain_proposes_another_time(visit, running, people, picture, device):  # noqa: F811
    page = visit(DEVICES[device], user=people.ben)
    page.goto(BASE)
    expect(page.get_by_role("heading", name="Your next match")).to_be_visible()
    page.locator("#main .fx a.sides").first.click()
    when = (timezone.localtime() + timedelta(days=20)).replace(hour=19, minute=30)
    page.get_by_label("Day and time in Toronto").first.fill(f"{when:%Y-%m-%dT%H:%M}")
    page.get_by_label("Message to the other side (optional)").fill("I am away that week.")
    page.get_by_role("button", name="Send proposal").click()
    expect(page.get_by_text("We told the other side. Waiting for their answer.")).to_be_visible()
    picture(page, f"league-proposed-{device}")


def test_pages_for_everyone(check_pages, people, running):  # noqa: F811  the fixtures
    match = Pairing.objects.filter(round__stage__tournament__division__season=running, status="ready").first()
    paths = {
        "leagues": (BASE, people.ben),
        "league": (LEAGUE, people.nobody),
        "season": (SEASON, people.nobody),
        "fixtures": (f"{SEASON}1/fixtures/", people.nobody),
        "results": (f"{SEASON}1/results/", people.nobody),
        "crosstable": (f"{SEASON}1/crosstable/", people.nobody),
        "league-embed": (f"{SEASON}1/embed/", people.nobody),
        "teams": (f"{LEAGUE}teams/", people.nobody),
        "team": (f"{LEAGUE}teams/1/", people.nobody),
        "roster": (f"{LEAGUE}teams/1/roster/", people.ben),
        "fixture": (f"{LEAGUE}match/{match.pk}/", people.ann),
    }
    check_pages([(f"league-{name}", path, reader) for name, (path, reader) in paths.items()])


def test_pages_of_who_runs_it(check_pages, people, running):  # noqa: F811  the fixtures
    ann = people.ann
    teams_in = list(SeasonEntry.objects.filter(season=running).values_list("team_id", flat=True))
    cups.make_cup(running.pk, ann, name="Lakeside Cup", team_ids=teams_in[:4])
    other = leagues.make(running.league.club_id, ann, name="Second League")
    draft = season_setup.make(other.pk, ann, name="Winter", starts_on=date(2030, 1, 7), divisions=[("A", 4), ("B", 4)])
    for number in range(1, 9):
        makers.pair(other, ann, number)
    ids = list(Team.objects.filter(league=other).order_by("number").values_list("pk", flat=True))
    top, low = draft.divisions.order_by("level")
    season_setup.place(draft.pk, ann, divisions={top.pk: ids[:4], low.pk: ids[4:]})
    prepared = f"{BASE}second-league/winter/"
    paths = {
        "new": f"{BASE}new/",
        "edit": f"{LEAGUE}edit/",
        "add-teams": f"{LEAGUE}teams/add/",
        "new-season": f"{BASE}second-league/new/",
        "desk": f"{SEASON}run/",
        "cups": f"{SEASON}cups/",
        "days-off": f"{SEASON}days-off/",
        "close": f"{SEASON}close/",
        "next": f"{SEASON}next/",
        "draft": f"{prepared}run/",
        "setup-draft": f"{prepared}setup/",
        "places": f"{prepared}places/",
        "draw": f"{prepared}draw/",
    }
    check_pages([(f"league-{name}", path, ann) for name, path in paths.items()])
