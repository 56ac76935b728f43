"""The pages under /you/ and the files that a browser needs to install the site."""

import json
import re
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import TestCase
from django.utils import timezone

from accounts.models import User
from accounts.signals import free_time_changed
from tests.accounts.conftest import NOON

pytestmark = pytest.mark.django_db

PAGES = ["", "notices/", "absences/", "tokens/", "privacy/"]
PROFILE = {
    "display_name": "Ann",
    "time_zone": "Europe/Paris",
    "language": "en",
    "quiet_from": "22:00",
    "quiet_until": "07:00",
    "weekend_days": ["6", "5"],
    "notice_email": "on",
    "hand_order": "low",
    "has_sound": "on",
}


@pytest.mark.parametrize("page", PAGES)
def test_strangers_are_asked_to_sign_in(client, page):
    assert client.get(f"/you/{page}").url == f"/accounts/login/?next=/you/{page}"


@pytest.mark.parametrize("page", PAGES)
def test_members_see_their_own(signed_in, page):
    response = signed_in.get(f"/you/{page}")
    assert response.status_code == 200
    assert " style=" not in response.content.decode()
    assert not re.search(r"<script(?! src=)", response.content.decode())


@pytest.mark.parametrize("page", ["notices/", "privacy/", "privacy/export/"])
def test_what_is_only_read_takes_no_post(signed_in, page):
    assert signed_in.post(f"/you/{page}").status_code == 405


@pytest.mark.parametrize("page", ["", "absences/", "tokens/"])
def test_other_methods_are_refused(signed_in, page):
    assert signed_in.delete(f"/you/{page}").status_code == 405


class TestProfile:
    def test_saving(self, signed_in, ann):
        assert signed_in.post("/you/", PROFILE).status_code == 302
        ann.refresh_from_db()
        assert (ann.time_zone, ann.time_zone_is_guess, ann.weekend_days) == ("Europe/Paris", False, "56")
        assert (ann.quiet_from, ann.quiet_until, ann.hand_order) == (time(22), time(7), "low")
        assert (ann.notice_email, ann.notice_push, ann.has_sound) == (True, False, True)

    @pytest.mark.parametrize(
        ("changed", "expected"),
        [
            ({}, []),
            ({"time_zone": "Asia/Kolkata"}, ["Ann"]),
            ({"quiet_from": "21:00"}, ["Ann"]),
            ({"weekend_days": ["4"]}, ["Ann"]),
            ({"hand_order": "rank"}, []),
        ],
    )
    def test_other_apps_hear_when_free_time_changes(self, signed_in, changed, expected):
        signed_in.post("/you/", PROFILE)
        heard = []

        def hear(sender, user, **kwargs):
            heard.append(str(user))

        free_time_changed.connect(hear)
        with TestCase.captureOnCommitCallbacks(execute=True):
            signed_in.post("/you/", {**PROFILE, **changed})
        free_time_changed.disconnect(hear)
        assert heard == expected

    @pytest.mark.parametrize(
        ("typed", "zone"), [("paris", "Europe/Paris"), ("St Johns", "America/St_Johns"), (" utc ", "UTC")]
    )
    def test_a_place_is_enough(self, signed_in, ann, typed, zone):
        signed_in.post("/you/", {**PROFILE, "time_zone": typed})
        ann.refresh_from_db()
        assert ann.time_zone == zone

    @pytest.mark.parametrize(
        ("changed", "sentence"),
        [
            ({"time_zone": "Olympus"}, "is not a time zone"),
            ({"display_name": "\u202ennA"}, "cannot have invisible characters"),
            ({"display_name": "former member"}, "reserved for former members"),
            ({"quiet_until": ""}, "Enter both times or leave both empty."),
            ({"language": "tlh"}, "Select a valid choice"),
            ({"weekend_days": ["9"]}, "Select a valid choice"),
        ],
    )
    def test_refusals_keep_what_was_typed(self, signed_in, ann, changed, sentence):
        response = signed_in.post("/you/", {**PROFILE, "has_haptics": "on", **changed})
        assert response.status_code == 422
        page = response.content.decode()
        assert sentence in page
        assert re.search(r'name="has_haptics"[^>]* checked', page)
        ann.refresh_from_db()
        assert ann.hand_order == "rank"

    def test_fields_of_others_kinds_are_ignored(self, signed_in, ann):
        signed_in.post("/you/", {**PROFILE, "is_staff": "on", "is_superuser": "on", "email": "x@example.org"})
        ann.refresh_from_db()
        assert (ann.is_staff, ann.is_superuser, ann.email) == (False, False, "ann@example.org")

    def test_it_says_when_no_mail_can_be_sent(self, signed_in, ann):
        assert "until you confirm your address" not in signed_in.get("/you/").content.decode()
        ann.emailaddress_set.update(verified=False)
        assert "until you confirm your address" in signed_in.get("/you/").content.decode()


class TestNotices:
    def test_the_list(self, signed_in, ann, tell, person):
        tell(ann, 1)
        tell(ann, 2, due_at=timezone.now() + timedelta(days=1))
        tell(person("Ben"), 3)
        ann.notices.create(kind="turn", key="gone", title="Gone", url="/", due_at=NOON, settled_at=NOON, was_sent=False)
        page = signed_in.get("/you/notices/").content.decode()
        assert '<a href="/tables/t1/">Table 1: your turn</a>' in page
        assert "● new" in page
        for hidden in ("Table 2", "Table 3", "Gone"):
            assert hidden not in page

    def test_looking_marks_nothing_the_button_does(self, signed_in, ann, tell):
        tell(ann)
        signed_in.get("/you/notices/")
        assert ann.notices.get().read_at is None
        assert signed_in.post("/you/notices/read/").url == "/you/notices/"
        assert ann.notices.get().read_at is not None
        assert "● new" not in signed_in.get("/you/notices/").content.decode()

    def test_times_are_those_of_the_own_clock(self, client, person, tell):
        ann = person(time_zone="Asia/Kolkata")
        tell(ann, due_at=datetime(2026, 5, 6, 20, tzinfo=UTC))
        client.force_login(ann)
        assert "7 May 2026, 01:30" in client.get("/you/notices/").content.decode()

    def test_words_of_people_are_text(self, signed_in, ann, tell):
        tell(ann, title="<img src=x onerror=alert(1)>", body="<b>hm</b>")
        page = signed_in.get("/you/notices/").content.decode()
        assert "<img src=x" not in page
        assert "<b>hm" not in page

    @pytest.mark.parametrize("count", [1, 3])
    def test_queries(self, signed_in, ann, tell, count, django_assert_max_num_queries):
        for number in range(count):
            tell(ann, number)
        with django_assert_max_num_queries(9):
            signed_in.get("/you/notices/")

    def test_doors(self, client, ann):
        assert client.post("/you/notices/read/").status_code == 302
        client.force_login(ann)
        assert client.get("/you/notices/read/").status_code == 405


class TestInstalling:
    def test_the_worker_looks_after_the_whole_site_and_keeps_no_page(self, client):
        response = client.get("/sw.js")
        assert response["Content-Type"].startswith("text/javascript")
        assert response["Cache-Control"] == "no-cache"
        text = response.content.decode()
        assert "cache.put" not in text
        assert ".put(" not in text
        assert "cache.add(" not in text
        assert 'OFFLINE = ["/offline/", "/static/css/offline.css"]' in text

    def test_the_manifest_names_icons_that_are_there(self, client):
        response = client.get("/manifest.webmanifest")
        assert response["Content-Type"] == "application/manifest+json"
        manifest = json.loads(response.content)
        assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
        for icon in manifest["icons"]:
            assert (Path(settings.BASE_DIR) / icon["src"].lstrip("/")).is_file()

    def test_the_page_for_no_network_is_nobodys(self, client, ann):
        before = client.get("/offline/").content
        client.force_login(ann)
        assert client.get("/offline/").content == before
        assert b"csrf" not in before

    @pytest.mark.parametrize("address", ["/sw.js", "/manifest.webmanifest", "/offline/"])
    def test_they_are_only_read(self, client, address):
        assert client.post(address).status_code == 405


def test_visitors_see_times_by_their_browsers_clock(client, rf):
    from accounts.middleware import player

    def zone_with(cookie):
        request = rf.get("/")
        request.user = type("Nobody", (), {"is_authenticated": False})()
        request.session = {}
        request.COOKIES["zone"] = cookie
        zones = []

        def answer(request):
            zones.append(timezone.get_current_timezone_name())
            return HttpResponse()

        player(answer)(request)
        return zones[0]

    assert zone_with("America/St_Johns") == "America/St_Johns"
    assert zone_with("nonsense") == "UTC"


def test_the_zone_of_one_request_is_not_that_of_the_next(client, person):
    client.force_login(person(time_zone="Asia/Kolkata"))
    client.get("/you/")
    assert timezone.get_current_timezone_name() == "UTC"


def test_initials_are_drawn_without_style_and_hidden_from_readers(ann):
    from django.template import Context, Template

    User.objects.filter(pk=ann.pk).update(display_name="<")
    ann.refresh_from_db()
    drawn = Template("{% load people %}{% avatar user %}").render(Context({"user": ann}))
    assert 'aria-hidden="true"' in drawn
    assert "style" not in drawn
    assert "&lt;" in drawn
