"""Statistics and the newsletter of a club in a browser: every page at both widths, and a newsletter from its draft
on.
"""

import random
import re

import pytest
from django.core import mail
from playwright.sync_api import expect

from clubs.models import Membership, Newsletter, Team
from clubs.services import history
from clubs.services.publications import newsletter_sending, newsletters
from tests.clubs import leagues as makers
from tests.journeys.test_pages import DEVICES, PAIRS, check_pages, faults, people  # noqa: F401  fixtures
from tests.makers import make_club
from tournaments.models import Pairing, Result

both_devices = pytest.mark.parametrize("device", DEVICES)

CLUB = "/clubs/harbour/"
STATISTICS = f"{CLUB}statistics/"
LEAGUE = f"{STATISTICS}monday-league/"


@pytest.fixture
def harbour(people):  # noqa: F811  the fixture
    """A club that Ann owns, with a season of eight pairs of which all but the last matchday is played."""
    club = make_club("Harbour Hand and Foot", owner=people.ann, slug="harbour")
    makers.draw(makers.make_season(club, people.ann, (8,)), people.ann)
    for team, name in zip(Team.objects.order_by("number"), PAIRS, strict=True):
        Team.objects.filter(pk=team.pk).update(name=name)
    chance = random.Random(5)
    for pairing in Pairing.objects.filter(round__number__lt=7).order_by("round__number", "number"):
        names = [place.entry.name for place in pairing.places.select_related("entry")]
        makers.decide(pairing, people.ann, {name: chance.randrange(20, 90) * 50 for name in names})
    with_books = Result.objects.first()
    both = [{"books": {"clean": 3}, "out": True}, {"books": {"dirty": 1}}]
    sides = [[line["entry"]] for line in with_books.lines]
    with_books.sheet = {"sides": sides, "deals": [{"teams": both, "points": [2450, -120]}], "totals": [2450, -120]}
    with_books.save()
    Membership.objects.filter(user=people.ann).update(wants_letters=True)
    Membership.objects.filter(name="Ann 2").update(email="two@example.org")
    return club


def test_statistics(check_pages, people, harbour):  # noqa: F811  the fixtures
    paths = {
        "statistics-club": STATISTICS,
        "statistics-league": LEAGUE,
        "statistics-season": f"{LEAGUE}autumn-2026/",
        "statistics-compared": f"{LEAGUE}teams/?one=1&other=7",
        "statistics-choose": f"{LEAGUE}teams/",
    }
    check_pages([(name, path, people.nobody) for name, path in paths.items()])


def test_newsletters(check_pages, people, harbour):  # noqa: F811  the fixtures
    season = harbour.leagues.get().seasons.get()
    newsletter = history.added_row(newsletters.draft(harbour.pk, people.ann, about=[(season.pk, 6)]), Newsletter)
    sent = history.added_row(newsletters.draft(harbour.pk, people.ann, about=[(season.pk, 5)]), Newsletter)
    newsletter_sending.send(sent.pk, people.ann, version=0)
    token = Membership.objects.get(user=people.ann).letters_token
    paths = {
        "letters": f"{CLUB}newsletter/",
        "letters-write": f"{CLUB}newsletter/write/",
        "letters-readers": f"{CLUB}newsletter/readers/",
        "letters-draft": f"{CLUB}newsletter/{newsletter.pk}/",
        "letters-edit": f"{CLUB}newsletter/{newsletter.pk}/edit/",
        "letters-sent": f"{CLUB}newsletter/{sent.pk}/",
        "letters-stop": f"/clubs/newsletter/{token}/stop/",
    }
    check_pages([(name, path, people.ann) for name, path in paths.items()])


@both_devices
def test_a_newsletter_is_drafted_edited_and_sent(visit, people, harbour, no_barriers, picture, device):  # noqa: F811
    page = visit(DEVICES[device], user=people.ann)
    page.goto(f"{CLUB}run/tell/")
    page.get_by_role("link", name=re.compile("^Newsletter")).click()
    page.get_by_role("link", name="Write a newsletter").click()
    expect(page.get_by_role("checkbox").first).to_be_checked()
    page.get_by_role("button", name="Write").click()
    expect(page.get_by_label("Text")).to_have_value(harbour.newsletters.get().body)
    newsletter = harbour.newsletters.get()
    newsletters.edit(newsletter.pk, people.ann, subject="From elsewhere", body="Another text", version=0)
    page.get_by_label("Heading").fill("Our week")
    page.get_by_label("Text").fill("My text")
    page.get_by_role("button", name="Save and preview").click()
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_text("Another text", exact=True)).to_be_visible()
    expect(page.get_by_label("Your text")).to_have_value("My text")
    no_barriers(page)
    picture(page, f"letters-stale-{device}")
    page.get_by_role("button", name="Save my text").click()
    expect(page.get_by_role("heading", name="Our week")).to_be_visible()
    expect(page.get_by_role("checkbox", name="By email")).to_be_checked()
    no_barriers(page)
    picture(page, f"letters-ready-{device}")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Sent to 1 member.")).to_be_visible()
    no_barriers(page)
    picture(page, f"letters-published-{device}")
    page.get_by_role("link", name="The club’s page").click()
    expect(page.get_by_role("heading", name="Our week")).to_be_visible()
    picture(page, f"letters-news-{device}")
    assert [(message.to, message.subject) for message in mail.outbox] == [(["ann@example.org"], "Our week")]


@both_devices
def test_two_teams_are_compared_with_the_keyboard(visit, people, harbour, device):  # noqa: F811  the fixtures
    page = visit(DEVICES[device])
    page.goto(LEAGUE)
    page.get_by_role("link", name="Compare teams").press("Enter")
    page.get_by_label("One team").select_option(label=PAIRS[0])
    page.get_by_label("Against").select_option(label=PAIRS[1])
    page.get_by_role("button", name="Compare").press("Enter")
    expect(page.get_by_role("heading", level=2)).to_contain_text(PAIRS[0])
    expect(page.get_by_text(f"{PAIRS[0]} won")).to_be_visible()
