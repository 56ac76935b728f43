"""Places where a club's news goes, by program: added after a test, changed, and no address or secret comes out."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from clubs.models import Meeting, NewsDelivery, NewsPlace
from clubs.news_places import addresses, sending
from tests.clubs.test_news_places import at

pytestmark = pytest.mark.django_db

CLUB = "clubs/harbour/"


@pytest.fixture(autouse=True)
def by_day():
    with time_machine.travel(at(10)):
        yield


@pytest.fixture
def owner(staff, program):
    return program(staff["owner"])


@pytest.fixture
def place(owner, local):
    """A webhook at the receiver."""
    answer = owner.post(f"{CLUB}add-news-place/", address=f"{local.url}/secret-path-1234", kinds=["evening"], key="a")
    local.requests.clear()
    return NewsPlace.objects.get(pk=answer["made"]["id"])


def test_a_place_is_added_once_and_its_secret_is_in_that_answer_only(owner, local, place):
    body = {"address": f"{local.url}/secret-path-1234", "kinds": ["evening"], "key": "a"}
    again = owner.post(f"{CLUB}add-news-place/", **body)
    assert (again["made"]["id"], again["secret"]) == (place.pk, None)
    other = owner.post(f"{CLUB}add-news-place/", address=f"{local.url}/other", kinds=[], name="Hall")
    assert other["secret"].startswith("whsec_")
    assert other["sentence"] == "News now goes to Hall."
    assert len(local.requests) == 1


def test_nothing_secret_comes_out(owner, place):
    answers = [owner.get(f"{CLUB}{door}/") for door in ("news-places", "news-deliveries", "news-text", "history")]
    (row,) = answers[0]["places"]
    assert (row["ending"], row["kinds"], row["has_secret"]) == ("1234", ["evening"], True)
    assert "secret-path" not in json.dumps(answers)
    assert addresses.read(place)["secret"] not in json.dumps(answers)


def test_an_address_whose_test_fails_is_not_added(owner, local):
    local.answer((302, {"Location": "http://10.0.0.1/"}, b""))
    refused = owner.post(f"{CLUB}add-news-place/", 422, address=f"{local.url}/hook", kinds=["evening"])
    assert (refused["code"], refused["field"]) == ("no_test", "address")
    assert not NewsPlace.objects.exists()
    assert [path for _, path, _, _ in local.requests] == ["/hook"]


def test_a_place_gets_another_address_and_secret(owner, local, place):
    before = addresses.read(place)["secret"]
    moved = owner.post(f"{CLUB}news-places/{place.pk}/address/", address=f"{local.url}/next")
    renewed = owner.post(f"{CLUB}news-places/{place.pk}/secret/")
    assert len({before, moved["secret"], renewed["secret"]}) == 3
    assert addresses.read(place) == {"url": f"{local.url}/next", "secret": renewed["secret"]}


def test_what_goes_there_is_changed_paused_and_removed(owner, place):
    path = f"{CLUB}news-places/{place.pk}/"
    assert owner.post(f"{path}change/", name="Hall", kinds=["drawn"], preview=True)["act"] is None
    owner.post(f"{path}change/", name="Hall", kinds=["drawn"])
    owner.post(f"{path}pause/")
    (row,) = owner.get(f"{CLUB}news-places/")["places"]
    assert (row["name"], row["kinds"], row["is_paused"], row["has_failed"]) == ("Hall", ["drawn"], True, False)
    owner.post(f"{path}pause/", is_paused=False)
    owner.post(f"{path}remove/")
    assert owner.get(f"{CLUB}news-places/")["places"] == []
    owner.post(f"{path}pause/", 404)


def test_a_test_is_sent(owner, local, place):
    assert owner.post(f"{CLUB}news-places/{place.pk}/test/")["sentence"] == "A test was sent to Webhook."
    local.answer((500, {}, b""))
    assert owner.post(f"{CLUB}news-places/{place.pk}/test/", 422)["code"] == "no_test"
    assert len(local.requests) == 2


def test_messages_are_listed_and_sent_again(owner, club, local, place):
    meeting = Meeting.objects.create(club=club, title="Club night", starts_at=timezone.now() + timedelta(days=1))
    failed = NewsDelivery.objects.create(
        place=place, kind="evening", key="1", meeting=meeting, status="failed", trouble="gone"
    )
    (row,) = owner.get(f"{CLUB}news-deliveries/", place=place.pk)["deliveries"]
    assert (row["status"], row["title"]) == ("failed", "Next meeting, Club night")
    assert row["trouble"].startswith("It does not know this address.")
    owner.post(f"{CLUB}news-deliveries/{failed.pk}/again/")
    assert owner.post(f"{CLUB}news-deliveries/{failed.pk}/again/", 422)["code"] == "nothing_new"
    sending.OUTBOX.send_due()
    assert len(local.requests) == 1
    assert owner.get(f"{CLUB}news-deliveries/", before=failed.pk)["deliveries"] == []


def test_the_text_to_share_is_that_of_the_page(owner, club):
    Meeting.objects.create(club=club, title="Club night", starts_at=timezone.now() + timedelta(days=1))
    shared = owner.get(f"{CLUB}news-text/", kind="evening")
    assert shared["text"].startswith("Club night: ")
    assert shared["whatsapp"].startswith("https://wa.me/?text=Club")
    assert owner.get(f"{CLUB}news-text/", kind="champion")["text"] == ""


def test_places_are_for_people_who_publish(staff, program, place, local):
    for role in ("scorer", "member"):
        reader = program(staff[role])
        for door in ("news-places", "news-deliveries", "news-text"):
            reader.get(f"{CLUB}{door}/", 403)
        reader.post(f"{CLUB}add-news-place/", 403, address=f"{local.url}/other", kinds=[])
        reader.post(f"{CLUB}news-places/{place.pk}/test/", 403)
    assert local.requests == []
