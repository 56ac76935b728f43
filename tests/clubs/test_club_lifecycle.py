"""Starting, describing and archiving a club."""

import pytest
from django.urls import reverse

from accounts.budgets import CLUBS
from clubs.house_rules import urls as house_rules
from clubs.models import Act, Club, Membership
from clubs.services import club_lifecycle, history, settings
from clubs.urls import club as club_urls
from clubs.urls import members, publications
from tests.tournaments.organising import refusal
from web.errors import NotAllowed, Stale

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(person):
    return person("Ann")


def test_the_founder_of_a_club_owns_it(ann):
    club = club_lifecycle.make_club(ann, name="Lakeside  Club", fields={"time_zone": "Toronto", "line": "Tuesdays"})
    assert (club.name, club.slug, club.time_zone, club.line) == (
        "Lakeside Club",
        "lakeside-club",
        "America/Toronto",
        "Tuesdays",
    )
    member = club.memberships.get()
    assert (member.user, member.role, member.name) == (ann, "owner", "Ann")
    assert Act.objects.get(club=club).sentence == "Ann started the club."


def test_the_same_form_sent_twice_starts_one_club(ann):
    first = club_lifecycle.make_club(ann, name="Lakeside", request_key="k")
    assert club_lifecycle.make_club(ann, name="Lakeside", request_key="k") == first
    assert Club.objects.count() == 1


def test_addresses_follow_from_names_and_are_never_twice(ann):
    slugs = [club_lifecycle.make_club(ann, name=name).slug for name in ("Müller", "Muller", "New", "…!")]
    assert slugs == ["muller", "muller-2", "new-2", "club"]


@pytest.mark.parametrize(
    ("slug", "code"),
    [("new", "slug_taken"), ("harbour", "slug_taken"), ("a b", "bad_slug"), ("-a", "bad_slug"), ("x" * 51, "bad_slug")],
)
def test_addresses_that_cannot_be(ann, club, refuses, slug, code):
    with refuses(code):
        club_lifecycle.make_club(ann, name="Another", slug=slug)
    assert Club.objects.count() == 1


def test_every_page_of_the_site_keeps_its_address():
    prefixes = [
        str(route.pattern).partition("/")[0]
        for module in (club_urls, members, house_rules, publications)
        for route in module.sitewide
        if str(route.pattern)
    ]
    assert set(prefixes) <= club_lifecycle.RESERVED


@pytest.mark.parametrize(
    ("fields", "code", "at"),
    [
        ({"time_zone": "Atlantis"}, "bad_zone", "time_zone"),
        ({"colour": "puce"}, "bad_choice", "colour"),
        ({"line": "x" * 161}, "too_long", "line"),
    ],
)
def test_fields_that_cannot_be(ann, refuses, fields, code, at):
    with refuses(code) as caught:
        club_lifecycle.make_club(ann, name="Lakeside", fields=fields)
    assert caught.value.details["field"] == at


@pytest.mark.parametrize("name", ["", " ", "a\u202eb", "former member", "x" * 81])
def test_names_that_cannot_be(ann, refuses, name):
    with refuses("bad_name") as caught:
        club_lifecycle.make_club(ann, name=name)
    assert caught.value.details["field"] == "name"


def test_guests_start_no_club(person, refuses):
    with refuses("guest"):
        club_lifecycle.make_club(person("Gus", is_guest=True), name="Lakeside")


def test_nobody_starts_clubs_without_end(ann, refuses):
    for number in range(CLUBS.person):
        club_lifecycle.make_club(ann, name=f"Club {number}")
    with refuses("too_much"):
        club_lifecycle.make_club(ann, name="One more")


def test_the_form_starts_a_club_and_leads_to_its_desk(ann, browser_of):
    page = browser_of(ann)
    to = page.submit("/clubs/new/", "start", name="Lakeside", slug="lake", colour="teal", joining="open")
    assert to == "/clubs/lake/run/"
    assert "Tell the club" in page.get(to)
    club = Club.objects.get()
    assert (club.colour, club.joining, club.is_listed, club.has_directory) == ("teal", "open", True, True)


def test_a_refused_form_keeps_what_was_typed(ann, club, browser_of):
    answer = browser_of(ann).press("/clubs/new/", "start", name="Löwen & Co", slug="harbour", line="Where we meet")
    assert answer.status_code == 422
    markup = answer.content.decode()
    assert refusal(answer) == "The address harbour is taken. Choose another."
    assert 'value="Löwen &amp; Co"' in markup
    assert 'value="Where we meet"' in markup


def test_visitors_sign_in_first(client):
    answer = client.get("/clubs/new/")
    assert answer["Location"] == f"{reverse('account_login')}?next=/clubs/new/"


# Settings


def test_settings_are_changed_and_undone(club, staff):
    act = settings.change(club.pk, staff["organiser"], fields={"line": "Quay Street", "colour": "red"})
    assert act.sentence == "Changed: line below the name, colour."
    club.refresh_from_db()
    assert (club.line, club.colour) == ("Quay Street", "red")
    history.undo(act.pk, by=staff["owner"])
    club.refresh_from_db()
    assert (club.line, club.colour) == ("", "blue")


def test_a_page_that_is_out_of_date_is_refused_and_loses_nothing(club, staff, browser_of):
    page = browser_of(staff["owner"])
    path = "/clubs/harbour/settings/"
    form = page.get(path)
    assert 'name="seen" value="0"' in form
    settings.change(club.pk, staff["organiser"], fields={"line": "Quay Street"})
    answer = page.client.post(
        path,
        {
            "csrfmiddlewaretoken": page.client.cookies["csrftoken"].value,
            "name": "Harbour",
            "line": "Mine",
            "about": "Two\nlines",
            "time_zone": "Europe/Paris",
            "colour": "red",
            "crest": "foot",
            "joining": "open",
            "seen": "0",
        },
    )
    assert answer.status_code == 409
    assert "Something has changed since you opened this page" in refusal(answer)
    assert 'value="Mine"' in answer.content.decode()
    club.refresh_from_db()
    assert club.line == "Quay Street"
    page.submit(path, "save", line="Mine")
    club.refresh_from_db()
    assert club.line == "Mine"


def test_a_new_link_ends_the_old(club, staff, browser_of):
    old = club.join_token
    browser_of(staff["owner"]).submit("/clubs/harbour/settings/", "renew")
    club.refresh_from_db()
    assert club.join_token not in ("", old)
    assert club.join_token not in str(Act.objects.get().changes)


def test_only_who_may_changes_settings(club, staff):
    for role in ("scorer", "member", "guest"):
        with pytest.raises(NotAllowed):
            settings.change(club.pk, staff[role], fields={"line": "x"})


def test_services_refuse_stale_acts(club, staff):
    settings.change(club.pk, staff["owner"], fields={"line": "x"})
    with pytest.raises(Stale):
        settings.change(club.pk, staff["owner"], fields={"line": "y"}, seen=0)


# Archiving


def test_an_archived_club_can_be_read_and_not_changed(club, staff, browser_of, refuses, client):
    page = browser_of(staff["owner"])
    assert page.press("/clubs/harbour/archive/", "archive").status_code == 422
    page.submit("/clubs/harbour/archive/", "archive", sure="yes")
    club.refresh_from_db()
    assert club.archived_at is not None
    assert "This club is archived" in client.get("/clubs/harbour/").content.decode()
    assert "harbour" not in client.get("/clubs/").content.decode()
    with refuses("archived"):
        settings.change(club.pk, staff["owner"], fields={"line": "x"})
    page.submit("/clubs/harbour/archive/", "back")
    club.refresh_from_db()
    assert club.archived_at is None
    assert Membership.objects.filter(club=club, left_at=None).count() == 5


def test_only_owners_archive(club, staff):
    with pytest.raises(NotAllowed):
        club_lifecycle.archive(club.pk, staff["organiser"])
