"""Attacks on clubs: unexpected fields, expired links, and files with formulas."""

import csv
import io
import re

import icalendar
import pytest
from django.core.cache import cache
from django.test import Client

from clubs.models import Act, Membership
from tests.makers import make_member, make_person
from tests.security.clubs import call, club_addresses, make_full_club, path_of
from tests.security.site_map import body_of, digest

pytestmark = pytest.mark.django_db

EXTRA = {
    "role": "owner", "user": "1", "user_id": "1", "club_id": "1", "is_staff": "on", "is_superuser": "on",
    "left_at": "", "join_token": "x", "claim_token": "x", "version": "0", "by": "1", "archived_at": "",
}  # fmt: skip
"""Fields of rows that no form of an ordinary member has."""


@pytest.fixture
def pair(made_once):
    """Two clubs with one of everything."""
    return made_once(two_clubs)


def two_clubs():
    harbour = make_full_club(make_person("Olive"), make_person("Asker"))
    return harbour, make_full_club(make_person("Otto"), make_person("Bella"), word="Meadow")


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def test_a_member_gets_nothing_by_fields_that_a_form_does_not_have(pair, person):
    harbour, _ = pair
    mia = person("Mia")
    membership = make_member(harbour.club, mia)
    rows = Membership.objects.filter(pk=membership.pk)
    was = rows.values("role", "user_id", "club_id", "left_at", "claim_token").get()
    client = signed_in(mia)
    user = type(mia).objects.filter(pk=mia.pk).values().get()
    answer = client.post(f"/clubs/{harbour.club.slug}/me/", {**EXTRA, "name": "Mia", "contact": "Quay"})
    assert answer.status_code == 302
    assert rows.values(*was).get() == was
    assert type(mia).objects.filter(pk=mia.pk).values().get() == user
    assert Membership.objects.get(pk=membership.pk).contact == "Quay"


def test_an_organiser_makes_no_owner(pair, person):
    harbour, _ = pair
    olga = person("Olga")
    membership = make_member(harbour.club, olga, "organiser")
    path = f"/clubs/{harbour.club.slug}/people/{membership.pk}/"
    answer = signed_in(olga).post(path, {"act": "role", "role": "owner"})
    assert answer.status_code == 403
    owner = Membership.objects.get(user=harbour.owner, club=harbour.club)
    for form in ({"act": "remove", "sure": "yes"}, {"act": "role", "role": "member"}):
        assert signed_in(olga).post(f"/clubs/{harbour.club.slug}/people/{owner.pk}/", form).status_code == 403
    assert set(Membership.objects.filter(club=harbour.club, role="owner")) == {owner}


@pytest.mark.slow
def test_a_link_that_was_changed_leads_nowhere(harbour, person):
    client, before, tried = signed_in(person("Eve")), digest(), set()
    for view, address in club_addresses().items():
        if address.arguments == ("token",):
            token = harbour.filled(address)["token"]
            for wrong in (token[:-1], token[:-1] + ("A" if token[-1] != "A" else "B"), token.swapcase(), "x"):
                path = address.path({"token": wrong})
                assert client.get(path).status_code in (404, 405, 410, 422), (view, wrong)
                assert client.post(path, {"answer": "yes"}).status_code in (404, 405, 410, 422), (view, wrong)
            tried.add(view)
    assert tried >= {"join_by_link", "invitation", "claim", "shared_rules", "shared_rules_file", "stop_letters"}
    assert digest() == before


def test_a_link_of_a_name_is_good_for_one_person(pair, person):
    harbour, _ = pair
    path = club_addresses()["claim"].path({"token": harbour.arguments["claim", "token"]})
    eve, fay = person("Eve"), person("Fay")
    assert signed_in(eve).post(path).status_code == 302
    membership = Membership.objects.get(pk=harbour.rows["letters"].pk)
    assert membership.user == eve
    signed_in(fay).post(path)
    membership.refresh_from_db()
    assert (membership.user, Membership.objects.filter(user=fay).exists()) == (eve, False)


FORMULAS = ("=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "＝1+1", "＋1", "－1", "＠x")


@pytest.mark.slow
def test_no_file_for_spreadsheets_begins_a_cell_with_a_formula(harbour):
    client, paths = signed_in(harbour.owner), [path_of(address, harbour) for address in club_addresses().values()]
    files, count = [path for path in paths if path.endswith(".csv")], 0
    for text in FORMULAS:
        call(harbour.club, text + "HYPERLINK")
        cache.clear()
        for path in files:
            rows = list(csv.reader(io.StringIO(client.get(path).content.decode("utf-8-sig"))))
            for cell in (cell for row in rows for cell in row):
                number = re.fullmatch(r"[-−+]?[\d.,]+", cell)
                assert number or not cell.startswith(tuple("=+-@\t\r＝＋－＠")), (text, path, cell)
                count += "HYPERLINK" in cell
    assert len(files) >= 4
    assert count > 4 * len(FORMULAS)


def test_calendars_hold_what_they_should_whatever_things_are_called(person):
    text = "Night\r\nDTSTART:19700101T000000Z\nATTENDEE:x 👩‍👩‍👧" * 3
    harbour, read = make_full_club(person("Olive"), person("Asker"), text=text), 0
    for _, address in sorted(club_addresses().items()):
        path = path_of(address, harbour)
        if not path.endswith(".ics"):
            continue
        first, second = (body_of(Client().get(path)) for _ in range(2))
        assert all(len(line) <= 75 for line in first.split(b"\r\n")), path
        assert b"\n" not in first.replace(b"\r\n", b""), path
        events = icalendar.Calendar.from_ical(first).walk("VEVENT")
        assert all(event["DTSTART"].dt.year > 2000 and "ATTENDEE" not in event for event in events), path
        assert [event["UID"] for event in events] == [
            event["UID"] for event in icalendar.Calendar.from_ical(second).walk("VEVENT")
        ]
        read += 1
    assert read >= 3


def test_every_act_says_who_did_what_when_and_what_was_before(pair):
    harbour, _ = pair
    membership = harbour.rows["letters"]
    signed_in(harbour.owner).post(
        f"/clubs/{harbour.club.slug}/people/{membership.pk}/",
        {"act": "edit", "name": "Zoe", "email": "", "reason": "Asked."},
    )
    act = Act.objects.filter(club=harbour.club).latest("pk")
    (change,) = [part for part in act.changes if part["model"] == "membership"]
    assert (act.by, act.name, act.reason, bool(act.at)) == (harbour.owner, "Olive", "Asked.", True)
    assert (change["was"]["name"], change["is"]["name"]) == ("Harbour reader", "Zoe")
