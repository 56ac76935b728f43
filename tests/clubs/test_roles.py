"""The table of roles and rights is the same on pages and in the code."""

import re

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils.html import escape

from clubs.models import Membership
from clubs.roles import ACTS, RANKS, ROLES
from tests.makers import make_club
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

PAGES = {
    "desk": "members",
    "people": "members",
    "bring_in_people": "members",
    "settings": "settings",
    "history": "history",
    "fair_play": "fair_play",
    "archive": "archive",
    "write_news": "news",
    "members": "directory",
}
"""Pages by the right they need."""
PUBLIC = ("club", "events", "roles", "dates", "all_news", "news_feed", "calendar", "join")
ACTS_BY_ROUTE = {"add_people": "members", "invite": "members", "join_link": "settings", "dates": "news"}


def test_the_page_shows_the_table(club, client):
    markup = squeezed(client.get("/clubs/harbour/roles/"))
    for act, words in ACTS.items():
        row = re.search(rf'<th scope="row"[^>]*>{re.escape(escape(str(words)))}</th>(.*?)</tr>', markup)[1]
        ticks = ["yes" in cell for cell in row.split("</td>")[:-1]]
        assert ticks == [act in ROLES[role] for role in RANKS]


@pytest.mark.parametrize("role", [*RANKS, None])
def test_pages_and_forms_are_for_the_roles_of_the_table(club, staff, person, client, role):
    client.force_login(staff[role] if role else person("Stranger"))
    for view, needed in PAGES.items():
        answer = client.get(reverse(f"clubs:{view}", args=["harbour"]))
        assert answer.status_code == (200 if role and needed in ROLES[role] else 403), view
    for view, needed in ACTS_BY_ROUTE.items():
        with transaction.atomic():
            answer = client.post(reverse(f"clubs:{view}", args=["harbour"]), {})
            transaction.set_rollback(True)
        assert (answer.status_code != 403) is (role is not None and needed in ROLES[role]), view


def test_anyone_reads_public_pages(club, client):
    for view in PUBLIC:
        assert client.get(reverse(f"clubs:{view}", args=["harbour"])).status_code == 200, view


def test_a_club_that_is_not_there(client, db):
    for view in (*PAGES, *PUBLIC):
        assert client.get(reverse(f"clubs:{view}", args=["nowhere"])).status_code == 404, view


def test_who_runs_another_club_has_no_rights_here(club, staff, person, client):
    eve = person("Eve")
    make_club("Other", owner=eve)
    client.force_login(eve)
    member = Membership.objects.get(user=staff["member"])
    assert client.get(f"/clubs/harbour/people/{member.pk}/").status_code == 403
    assert client.get(f"/clubs/other/people/{member.pk}/").status_code == 404
    assert client.post(f"/clubs/other/people/{member.pk}/", {"act": "remove", "sure": "yes"}).status_code == 404


def test_tabs_lead_only_where_one_may_go(club, staff, client):
    for role, is_shown in (("organiser", True), ("member", False)):
        client.force_login(staff[role])
        assert ("Manage club" in client.get("/clubs/harbour/").content.decode()) is is_shown
