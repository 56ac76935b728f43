"""A series of a club: made by its organiser, read by everyone, on a phone and at a desk."""

from datetime import date

import pytest
from playwright.sync_api import expect

from clubs.models import Club
from clubs.series import services
from tests.clubs.test_series import evening
from tests.journeys.hands import DESK, PHONE, page_width
from tests.makers import make_club, make_member, make_person

PEOPLE = ("Ann Carter", "Bob Carter", "Edith Clark", "Konstantina Papadopoulos-Richardson")
SCORES = ((4000, 3000, 2000, 1000), (1000, 3500, 2000, 500), (100, 200, 4000, 3000), (2500, 2600, 2700, 2800))


@pytest.fixture
def owner(transactional_db):
    owner = make_person("Olga")
    club = make_club("Harbour Hand and Foot", slug="harbour")
    make_member(club, owner, "owner")
    for week, scores in enumerate(SCORES):
        evening(club, owner, week, scores, names=PEOPLE)
    return owner


def test_a_series_is_made_and_its_standings_are_read(owner, visit, picture, no_barriers):
    desk = visit(DESK, user=owner)
    desk.goto("/clubs/harbour/series/")
    picture(desk, "series-all-1280")
    no_barriers(desk)
    desk.fill("#name", "Autumn league")
    desk.fill("#first_day", "2026-09-01")
    desk.fill("#number", "2")
    desk.click("#make")
    expect(desk.locator("#messages")).to_contain_text("Series created: Autumn league.")
    desk.goto("/clubs/harbour/series/autumn-league/edit/")
    picture(desk, "series-edit-1280")
    no_barriers(desk)
    desk.locator("[name=included]").first.uncheck()
    desk.click("#save-evenings")
    expect(desk.locator("#messages")).to_contain_text("were changed")
    rows = desk.locator("table.series tbody tr")
    expect(rows.first).to_contain_text("Bob Carter")
    expect(rows.first.locator("s")).to_have_count(1)
    picture(desk, "series-1280")
    no_barriers(desk)
    phone = visit(PHONE)
    phone.goto("/clubs/harbour/series/autumn-league/")
    assert page_width(phone) == 390
    picture(phone, "series-390")
    no_barriers(phone)
    phone.emulate_media(color_scheme="dark")
    picture(phone, "series-390-dark")
    no_barriers(phone)
    organiser = visit(PHONE, user=owner)
    organiser.goto("/clubs/harbour/series/autumn-league/edit/")
    assert page_width(organiser) == 390
    picture(organiser, "series-edit-390")
    no_barriers(organiser)


def test_the_same_in_german(owner, visit, picture, no_barriers):
    owner.language = "de"
    owner.save()
    services.make(Club.objects.get(), owner, name="Herbst", first_day=date(2026, 9, 1), way="best", number=2)
    page = visit(PHONE, user=owner, locale="de-DE")
    for path, name in (("", "all"), ("herbst/", "one"), ("herbst/edit/", "edit")):
        page.goto(f"/clubs/harbour/series/{path}")
        assert page_width(page) == 390
        picture(page, f"series-{name}-390-de")
        no_barriers(page)
    expect(page.locator("#save-evenings")).to_have_text("Abende speichern")
