"""Photos of the paper sheets of matches: adding, access, and cards counted by rank."""

import io
import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from accounts.services import clearing
from gameplay.models import SheetPhoto
from tests.tournaments.reading import ONE_DEAL
from tests.tournaments.scoring import LOST, WON, entries_of, form, matches
from tournaments.models import Place, Tournament
from tournaments.score_sheets import photos

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(new_event):
    """A match of two pairs at a real table, and its two entries."""

    def make(**choices):
        chosen = {"kind": "partnership", "setting": "face", "rules_json": ONE_DEAL} | choices
        pairing = matches(new_event("swiss", 4, started=True, **chosen))[0]
        return pairing, *entries_of(pairing)

    return make


def browser(user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def photo():
    buffer = io.BytesIO()
    Image.effect_noise((60, 40), 90).convert("RGB").save(buffer, "JPEG")
    return SimpleUploadedFile("sheet.jpg", buffer.getvalue())


def attach(client, pairing, **data):
    return client.post(f"{pairing.get_absolute_url()}photos/", data or {"photo": photo()})


def photos_on_page(client, pairing):
    return client.get(pairing.get_absolute_url()).content.decode()


def test_who_plays_attaches_a_photo_and_everybody_sees_it(played, user_of):
    pairing, first, _ = played()
    ann = browser(user_of(first))
    assert "Attach a photo" in photos_on_page(ann, pairing)
    assert "Attach a photo" not in photos_on_page(browser(), pairing)
    assert attach(ann, pairing).url == f"{pairing.get_absolute_url()}#photos"
    path = re.search(r'src="([^"]+\.jpg)"', photos_on_page(browser(), pairing))[1]
    assert browser().get(path)["Content-Type"] == "image/jpeg"
    assert browser().get(path.replace("R1.1", "R1.2")).status_code == 404
    assert "Remove" not in photos_on_page(browser(), pairing)
    attach(ann, pairing, remove=SheetPhoto.objects.get().slug)
    assert not SheetPhoto.objects.exists()


def test_an_organiser_may_and_strangers_may_not(played, user_of, olga, person):
    pairing, _first, _ = played()
    assert attach(browser(olga), pairing).status_code == 302
    other = next(entry for entry in pairing.round.stage.tournament.entries.all() if entry.pk not in
                 set(Place.objects.filter(pairing=pairing).values_list("entry", flat=True)))  # fmt: skip
    for stranger in (person("Eve"), user_of(other)):
        assert attach(browser(stranger), pairing).status_code == 403
        assert attach(browser(stranger), pairing, remove=SheetPhoto.objects.get().slug).status_code == 403
    assert "/accounts/login/" in attach(browser(), pairing).url
    assert SheetPhoto.objects.count() == 1


def test_a_photo_of_a_clubs_own_event_is_for_who_may_see_it(played, user_of):
    pairing, first, _ = played()
    attach(browser(user_of(first)), pairing)
    path = f"{pairing.get_absolute_url()}photos/{SheetPhoto.objects.get().slug}.jpg"
    Tournament.objects.update(visibility="circle", circle="club:1")
    assert browser().get(path).status_code == 404
    assert browser(user_of(first)).get(path).status_code == 200


def test_who_has_the_card_attaches_one_too(played):
    pairing, _, _ = played()
    card = f"/events/card/{pairing.token}/0/"
    assert "Attach a photo of the paper sheet" in browser().get(card).content.decode()
    assert browser().post(f"{card}photos/", {"photo": photo()}).url == card
    assert "Another photo" in browser().get(card).content.decode()
    assert browser().post("/events/card/no-such-card/0/photos/", {"photo": photo()}).status_code == 404


def test_what_is_no_photo_is_said(played, user_of):
    pairing, first, _ = played()
    ann = browser(user_of(first))
    attach(ann, pairing, photo=SimpleUploadedFile("a.jpg", b"<html>"))
    assert "Upload a JPEG, PNG or WebP file" in photos_on_page(ann, pairing)
    attach(ann, pairing, other="1")
    assert "Choose a photo first." in photos_on_page(ann, pairing)
    assert not SheetPhoto.objects.exists()


def test_photos_of_matches_that_are_no_more_are_cleared_away(played, user_of):
    pairing, _first, _ = played()
    saved = photos.add(pairing, photo(), by=None)
    SheetPhoto.objects.create(ref="match:999999", image=b"x", width=1, height=1, digest="d")
    SheetPhoto.objects.update(added_at=timezone.now() - timedelta(days=2))
    clearing.clear()
    clearing.clear()
    assert [sheet_photo.pk for sheet_photo in SheetPhoto.objects.all()] == [saved.pk]


def test_cards_of_a_match_are_counted_by_rank_too(played, user_of):
    pairing, first, _ = played()
    ann, url = browser(user_of(first)), f"{pairing.get_absolute_url()}score/"
    filled = form({**WON, "melded": ""}, LOST) | {"s0-melded-K": "60", "s0-melded-A": "25", "s0-melded-7": "3"}
    markup = ann.post(url, filled | {"act": "count"}).content.decode()
    assert re.search(r'id="p-s0-melded">\+1,115<', markup)
    assert "its books alone" not in markup
    assert "but the pack has only" in markup
    filled |= {"s0-melded-K": "16", "s0-melded-A": "20", "s0-melded-Q": "18", "s0-melded-J": "17", "s0-melded-T": "20",
               "s0-melded-7": "1"}  # fmt: skip
    assert ann.post(url, filled).status_code == 302
    deals = Place.objects.get(pairing=pairing, entry=first).sheet["deals"]
    assert deals[0]["teams"][0]["melded"]["K"] == 16
    assert "4,715" in ann.get(url).content.decode()


def test_a_remark_stands_under_its_row(played, user_of):
    pairing, first, _ = played()
    filled = form({**WON, "wild": 0, "act": "count"}, LOST)
    answer = browser(user_of(first)).post(f"{pairing.get_absolute_url()}score/", filled | {"act": "count"})
    assert "This team needs 1 wild book more to go out. Your entry is still counted." in answer.content.decode()
