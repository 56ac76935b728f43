"""The site in German on a phone: longer words, and no page that must be scrolled sideways for them."""

from django.test import Client

from accounts.models import User
from tests.journeys.hands import PHONE
from tests.journeys.test_pages import too_wide
from tests.security.site_map import is_page, paths
from tests.security.test_in_german import german_site


def menu_too_wide(page):
    """By how much the main menu must be scrolled, in words; empty where all of it is in sight, or there is none."""
    words = "(menu) => `menu of ${menu.scrollWidth} in ${menu.clientWidth}`.repeat(menu.scrollWidth > menu.clientWidth)"
    menu = page.locator(".site nav ul")
    return menu.evaluate(words) if menu.count() else ""


def test_no_page_is_wider_than_a_phone(visit, person, driver, picture):
    site = german_site(person, driver)
    ann = site.users["Ann"]
    page, client = visit(PHONE, user=ann, locale="de-DE"), Client()
    client.force_login(User.objects.get(pk=ann.pk))
    wide = {}
    for table in site.tables:
        for name, path in paths(site, table):
            if path in wide or name.startswith(("gameplay:api", "gameplay_api", "events_api", "clubs_api")):
                continue
            answer = client.get(path)
            if answer.status_code == 200 and is_page(answer) and b"<html" in answer.content[:500]:
                page.goto(path)
                assert page.locator("html").get_attribute("lang") == "de" or name == "api:docs", path
                wide[path] = too_wide(page) or menu_too_wide(page)
                picture(page, f"german-{name.replace(':', '-')}-{table.status}")
    assert len(wide) > 150
    assert {path: words for path, words in wide.items() if words} == {}
