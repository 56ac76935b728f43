"""Can you play, and who plays? A captain on a phone without an account, the organiser at a desk, the team’s page."""

from datetime import time, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clubs.coming import asking, links, occasions, replies
from clubs.models import Membership, Question, Reply, TeamMember
from clubs.services.leagues import matchday_edits, teams
from tests.clubs import leagues as makers
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_harbour, make_person

SIZES = {"390": PHONE, "1280": DESK}
LEAGUE = "/clubs/harbour/leagues/monday-league/"


@pytest.fixture
def owner(transactional_db):
    return make_person("Nora")


@pytest.fixture
def match(owner):
    """A match tomorrow of Pair 1, whose first two matchdays are played, and whose players were asked."""
    club = make_harbour(owner)
    # Three matchdays a week apart: two are over, the third is tomorrow.
    first_day = timezone.localdate(timezone=club.zone) - timedelta(days=13)
    started = timezone.now() - timedelta(days=14)
    season = makers.make_season(club, owner, (4,), plays_at=time(23, 30), starts_on=first_day)
    season = makers.draw(season, owner, now=started)
    team = makers.team(season, "Pair 1")
    [rita] = makers.names(club, "Rita Reserve")
    teams.add_member(team.pk, owner, membership_id=rita.pk, role=TeamMember.Role.RESERVE)
    for other, scores in (("Pair 2", (6420, 5985)), ("Pair 3", (4100, 5200)), ("Pair 4", (5000, 3900))):
        pairing = makers.match(season, "Pair 1", other)
        if pairing.round.number < 3:
            makers.decide(pairing, owner, {"Pair 1": scores[0], other: scores[1]})
    asking.ask_league(season.league_id, owner, asks=True)
    asking.ask_due()
    question = Question.objects.get(team=team)
    replies.answer(question.pk, Membership.objects.get(name="Ben 1"), "no", way="own")
    replies.answer(question.pk, rita, "yes", way="own")
    return occasions.questions().get(pk=question.pk)


def own_link(question, name):
    return links.own_path(question, Membership.objects.get(name=name).pk)


@pytest.mark.parametrize("size", SIZES)
def test_a_captain_answers_and_names_who_plays_by_one_link(match, visit, picture, no_barriers, size):
    page = visit(SIZES[size])
    page.goto(own_link(match, "Ann 1"))
    expect(page.locator("h1")).to_have_text("Can you play, Ann?")
    assert page_width(page) == int(size)
    picture(page, f"can-play-{size}")
    no_barriers(page)
    page.locator("#yes").click()
    expect(page.locator("h1")).to_contain_text("You can play on")
    picture(page, f"can-play-said-{size}")
    no_barriers(page)
    page.get_by_role("link", name="Choose the line-up").click()
    expect(page.locator("label", has_text="Ben 1")).to_contain_text("cannot play")
    expect(page.get_by_label("Ann 1")).to_be_checked()
    expect(page.get_by_label("Rita Reserve")).to_be_checked()
    picture(page, f"line-up-link-{size}")
    no_barriers(page)
    page.get_by_label("Rita Reserve").uncheck()
    page.locator("#save").click()
    expect(page.locator("#refused")).to_contain_text("Choose 2 from Pair 1")
    expect(page.get_by_label("Rita Reserve")).not_to_be_checked()
    picture(page, f"line-up-refused-{size}")
    page.get_by_label("Rita Reserve").check()
    page.locator("#save").click()
    expect(page.locator("h1")).to_contain_text("You can play on")
    page.get_by_role("link", name="Choose the line-up").click()
    expect(page.locator("main")).to_contain_text("Ann 1, Rita Reserve.")
    assert page_width(page) == int(size)
    assert Reply.objects.get(membership__name="Ann 1").answer == "yes"


@pytest.mark.parametrize("size", SIZES)
def test_the_organiser_asks_sees_and_names_and_everyone_reads_it(match, owner, visit, picture, no_barriers, size):
    desk = visit(SIZES[size], user=owner)
    desk.goto(f"{LEAGUE}teams/coming/")
    expect(desk.locator("li", has_text="Pair 1").first).to_contain_text("1 yes, 1 no, 1 without an answer")
    assert page_width(desk) == int(size)
    picture(desk, f"league-coming-{size}")
    no_barriers(desk)
    desk.get_by_role("link", name="Pair 1", exact=True).click()
    picture(desk, f"team-coming-{size}")
    no_barriers(desk)
    desk.get_by_role("link", name="Choose the line-up").click()
    section = desk.locator("section", has=desk.get_by_role("heading", name="Line-up of Pair 1"))
    section.locator("summary").click()
    picture(desk, f"fixture-line-up-{size}")
    no_barriers(desk)
    section.get_by_role("button", name="Save line-up").click()
    expect(section).to_contain_text("Ann 1, Rita Reserve.")
    expect(section).to_contain_text("Others see it once both sides have chosen theirs")
    other = desk.locator("section", has=desk.get_by_role("heading", name=f"Line-up of {match_opponent(match)}"))
    other.locator("summary").click()
    other.get_by_role("button", name="Save line-up").click()
    stranger = visit(SIZES[size])
    stranger.goto(f"{LEAGUE}match/{match.pairing_id}/")
    expect(stranger.locator("#line-ups")).to_contain_text("Ann 1, Rita Reserve")
    assert page_width(stranger) == int(size)
    picture(stranger, f"fixture-line-ups-{size}")
    no_barriers(stranger)
    stranger.goto(match.pairing.get_absolute_url())
    expect(stranger.locator("#line-ups")).to_contain_text("Ann 1, Rita Reserve")
    picture(stranger, f"event-line-ups-{size}")
    no_barriers(stranger)


def match_opponent(question):
    return occasions.Occasion(question).opponents[0]


@pytest.mark.parametrize("size", SIZES)
def test_the_page_of_a_team_says_its_place_its_form_and_what_is_next(match, visit, picture, no_barriers, size):
    page = visit(SIZES[size])
    page.goto(f"{LEAGUE}match/{match.pairing_id}/")
    page.get_by_role("link", name="Pair 1").first.click()
    this_season = page.locator("section", has=page.get_by_role("heading", name="This season"))
    expect(this_season).to_contain_text(" of 4")
    expect(page.locator("section", has=page.get_by_role("heading", name="Next match"))).to_contain_text("Harbour Hall")
    expect(page.locator("section", has=page.get_by_role("heading", name="Results"))).to_contain_text("Won")
    assert page_width(page) == int(size)
    picture(page, f"team-{size}")
    no_barriers(page)


@pytest.mark.parametrize("size", SIZES)
def test_tonight_shows_who_was_named(match, owner, visit, picture, no_barriers, size):
    team = match.team
    ids = [Membership.objects.get(name=name).pk for name in ("Ann 1", "Rita Reserve")]
    matchday_edits.set_line_up(match.pairing_id, owner, team_id=team.pk, membership_ids=ids)
    page = visit(SIZES[size], user=owner)
    page.goto("/clubs/harbour/tonight/")
    expect(page.locator(f"#row-{match.pairing_id}")).to_contain_text("Ann 1, Rita Reserve")
    assert page_width(page) == int(size)
    picture(page, f"tonight-line-up-{size}")
    no_barriers(page)
