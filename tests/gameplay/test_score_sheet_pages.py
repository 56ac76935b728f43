"""Pages of score sheets: beginning one, writing without a script and from a phone, looking, photographs, strangers."""

import io
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from PIL import Image

from engine.play.rules import Rules
from gameplay.house_rules import rule_sources
from gameplay.house_rules.rule_sources import RuleVersion
from gameplay.score_sheets import photo_files as pictures
from gameplay.score_sheets import photo_services
from gameplay.score_sheets import services as score_sheets
from gameplay.score_sheets.models import ScoreSheet, SheetPhoto
from web.errors import Refused

pytestmark = pytest.mark.django_db

START = {"rules": "standard", "shape": "4x2", "seat-0": "Ann", "seat-1": "Ben", "seat-2": "Cem", "seat-3": "Dee"}
FILLED = {
    "s0-clean": "2", "s0-dirty": "2", "s0-wild": "1", "s0-red_threes_laid": "4", "s0-melded": "1115", "s0-out": "1",
    "s1-melded": "540", "s1-left": "185",
}  # fmt: skip
DEAL = {"teams": [{"melded": {"K": 8}}, {"left": 35}]}


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@pytest.fixture
def sheet(client):
    """A sheet that this visitor began."""
    response = client.post("/score/", START)
    return ScoreSheet.objects.get(key=response.url.split("/")[-2])


def sync(client, sheet, deals, seen=0, key="k", **more):
    sent = {"deals": deals, "isStopped": False, "seen": seen, "key": key, "earlier": [], **more}
    return client.post(f"{sheet.edit_url}sync/", json.dumps(sent), content_type="application/json")


def photo(size=(900, 600), kind="JPEG", name="sheet.jpg", **saving):
    buffer = io.BytesIO()
    Image.effect_noise(size, 90).convert("RGB").save(buffer, kind, **saving)
    return SimpleUploadedFile(name, buffer.getvalue())


# Beginning


def test_anyone_starts_a_score_sheet_from_the_front_page(client):
    assert 'href="/score/"' in client.get("/").content.decode()
    response = client.post("/score/", START | {"title": "Friday", "dealer": "2", "key": "one"})
    sheet = ScoreSheet.objects.get()
    assert response.url == sheet.edit_url
    assert (sheet.title, sheet.names, sheet.dealer, sheet.owner) == ("Friday", ["Ann", "Ben", "Cem", "Dee"], 1, None)
    assert client.post("/score/", START | {"key": "one"}).url == sheet.edit_url
    assert "Friday" in text(client.get("/score/"))
    assert "Friday" not in text(Client().get("/score/"))


@pytest.mark.parametrize(
    ("chosen", "seats", "words"),
    [
        ({"rules": "pennies"}, 6, "6 players in 2 teams of 3"),
        ({"rules": "solo", "shape": "5x1"}, 5, "5 players, each for themselves"),
        ({"rules": "bga", "shape": "12x3"}, 12, "12 players in 4 teams of 3"),
        ({"rules": "no such rules", "shape": "٣x1"}, 4, "4 players in pairs"),
    ],
)
def test_the_form_follows_the_rules(client, chosen, seats, words):
    markup = client.get("/score/", chosen).content.decode()
    assert len(re.findall(r'name="seat-\d+"', markup)) == seats
    assert re.search(rf"selected>{words}", markup)
    client.post("/score/", chosen)
    assert ScoreSheet.objects.get().seat_count == seats


def test_house_rules_are_offered_and_named(client, person, monkeypatch):
    rules = Rules.make("standard", {"length": {"deals": 2}})
    version = RuleVersion("tests:1", "Harbour rules", 3, "Harbour", rules, url="/rules/standard/")

    class Source:
        def offered(self, user):
            return [version]

        def versions(self, ref):
            return [version]

        def find_all(self, refs):
            return [version]

    monkeypatch.setitem(rule_sources._sources, "tests", Source())
    client.force_login(person("Ann"))
    assert "Harbour rules, version 3" in text(client.get("/score/"))
    client.post("/score/", {"rules": "tests:1"})
    sheet = ScoreSheet.objects.get()
    assert (sheet.rules, sheet.rules_ref) == (rules, "tests:1")
    page = client.get(sheet.get_absolute_url())
    assert "Harbour rules, version 3" in text(page)
    assert 'href="/rules/standard/"' in page.content.decode()


@pytest.mark.parametrize("value", ["rules:" + "9" * 40, "rules:-1", ":", "x" * 7000, "𝒳", "\x01\u2028"], ids=range(6))
def test_nonsense_in_the_form_is_no_fault(client, value):
    fields = ("rules", "shape", "dealer", "title", "key", "seat-0")
    assert client.get("/score/", dict.fromkeys(fields, value)).status_code == 200
    assert client.post("/score/", dict.fromkeys(fields, value)).status_code in (302, 422)


def test_refused_names_come_back_as_they_were_typed(client):
    response = client.post("/score/", START | {"seat-3": "Ann"})
    assert response.status_code == 422
    assert "Two players are called Ann" in text(response)
    assert 'value="Cem"' in response.content.decode()


def test_signing_in_keeps_what_was_begun_before(client, sheet, person):
    ann = person("Ann")
    ann.set_password("a long pass phrase")
    ann.save()
    client.post("/accounts/login/", {"login": ann.email, "password": "a long pass phrase"})
    sheet.refresh_from_db()
    assert sheet.owner == ann
    assert "Your score sheets" in text(client.get("/score/"))
    client.post("/score/", START | {"title": "At home"})
    assert ScoreSheet.objects.get(title="At home").owner == ann


def test_a_list_of_sheets_takes_no_more_questions_as_it_grows(client, person, django_assert_num_queries):
    client.force_login(person("Ann"))
    client.post("/score/", START)
    client.get("/score/")
    with CaptureQueriesContext(connection) as captured:
        client.get("/score/")
    few = len(captured)
    for _ in range(3):
        client.post("/score/", START)
    with django_assert_num_queries(few):
        client.get("/score/")


# Writing without a script


def test_a_deal_is_counted_saved_changed_and_taken_away(client, sheet):
    url = sheet.edit_url
    form = {"by": "books", "deal": "1", "seen": "0", **FILLED}
    answer = client.post(url, form | {"step": "s1-clean:1"})
    assert re.search(r'id="d-0">\+4,715<', answer.content.decode())
    assert 'name="s1-clean" value="1"' in answer.content.decode()
    assert "its books alone are worth" not in text(answer)
    assert client.post(url, form | {"act": "save"}).status_code == 302
    page = text(client.get(url))
    assert "deal 2 of 4" in page
    assert "90 for both sides" in page
    assert 'name="s0-melded" value="1115"' in client.get(f"{url}?deal=1").content.decode()
    changed = client.post(url, form | {"act": "save", "seen": "1", "s1-melded": "640"})
    assert changed.status_code == 302
    sheet.refresh_from_db()
    assert sheet.deals[0]["teams"][1]["melded"] == 640
    client.post(url, {"act": "stop"})
    assert "You ended the match here." in text(client.get(url))
    client.post(url, {"act": "go_on"})
    client.post(url, {"act": "away", "last": "1"})
    sheet.refresh_from_db()
    assert sheet.deals == []


def test_a_remark_stands_under_its_row(client, sheet):
    answer = client.post(sheet.edit_url, {"by": "books", "deal": "1", "act": "count", **FILLED, "s0-wild": "0"})
    assert "This team needs 1 wild book more to go out. Your entry is still counted." in text(answer)


def test_what_is_refused_loses_nothing(client, sheet):
    answer = client.post(sheet.edit_url, {"by": "books", "deal": "1", "act": "save", **FILLED, "s0-melded": "10"})
    assert answer.status_code == 422
    assert "Ann / Cem, cards melded: its books alone are worth 280 or more in cards, not 10." in text(answer)
    assert 'name="s0-clean" value="2"' in answer.content.decode()
    answer = client.post(sheet.edit_url, {"by": "deals", "deal": "1", "act": "save", "s0-points": "5"})
    assert answer.status_code == 422
    assert "Enter the points of Ben / Dee." in text(answer)


def test_a_page_that_is_out_of_date_is_refused_once(client, sheet):
    score_sheets.save_deal(sheet.pk, 1, {"points": [5, 0]}, seen=0)
    form = {"by": "books", "deal": "1", "seen": "0", "act": "save", **FILLED}
    answer = client.post(sheet.edit_url, form)
    assert answer.status_code == 409
    assert 'name="seen" value="1"' in answer.content.decode()
    assert 'name="s0-melded" value="1115"' in answer.content.decode()
    assert client.post(sheet.edit_url, form | {"seen": "1"}).status_code == 302


# From a phone


def test_a_phone_sends_its_deals_and_hears_of_others(client, sheet):
    assert sync(client, sheet, [DEAL]).json()["state"]["version"] == 1
    answer = Client().get(f"{sheet.edit_url}sync/").json()
    assert answer["state"]["deals"][0]["teams"][0]["melded"] == {"K": 8}
    stale = sync(Client(), sheet, [{"points": [1, 2]}], key="other")
    assert stale.status_code == 409
    assert stale.json()["state"]["version"] == 1
    refused = sync(client, sheet, [DEAL, {"teams": [{"melded": 3}, {}]}], seen=1)
    assert (refused.status_code, refused.json()["deal"], refused.json()["row"]) == (422, 2, "melded")
    assert sync(client, sheet, [], seen=1, isStopped=True).json()["state"]["isStopped"] is False


@pytest.mark.parametrize(
    "body",
    [
        b"", b"\xff", b"[]", b"{}", b'{"deals": 1, "seen": 0, "key": "k"}', b'{"deals": [], "seen": true, "key": "k"}',
        b'{"deals": [], "seen": 0, "key": "\\u0000"}', b'{"deals": [], "seen": 0, "key": "k", "earlier": 3}',
        b'{"deals": [{}], "seen": 0, "key": "k"}', b"[" * 100_000, b'{"deals": [], "seen": ' + b"9" * 5000 + b"}",
    ],
    ids=range(11),
)  # fmt: skip
def test_nonsense_from_a_phone_is_refused(client, sheet, body):
    response = client.post(f"{sheet.edit_url}sync/", body, content_type="application/json")
    assert response.status_code == 422
    assert "cannot read the score sheet" in response.json()["sentence"]


def test_the_token_of_a_page_is_asked_for(sheet):
    strict = Client(enforce_csrf_checks=True)
    assert sync(strict, sheet, [DEAL]).status_code == 403
    token = strict.get(f"{sheet.edit_url}sync/").json()["token"]
    sent = json.dumps({"deals": [DEAL], "seen": 0, "key": "k"})
    answer = strict.post(
        f"{sheet.edit_url}sync/", sent, content_type="application/json", headers={"X-CSRFToken": token}
    )
    assert answer.status_code == 200


# Looking, and strangers


def test_who_has_the_link_looks_and_cannot_write(client, sheet):
    sync(client, sheet, [DEAL])
    page = Client().get(sheet.get_absolute_url())
    assert "Ann / Cem" in text(page)
    assert "+80" in text(page)
    assert sheet.key not in page.content.decode()
    assert "Edit scores" in text(client.get(sheet.get_absolute_url()))
    for path in ("sheet.json", "sheet.csv"):
        assert sheet.key not in Client().get(f"{sheet.get_absolute_url()}{path}").content.decode("utf-8-sig")
    assert Client().get(f"/score/edit/{sheet.slug}/").status_code == 404
    assert Client().get(f"/score/{sheet.key}/").status_code == 404


def test_who_has_won_is_said_on_the_finished_sheet(client, sheet):
    sync(client, sheet, [{"points": [5, 0]}] * 4)
    assert "Ann / Cem won." in text(client.get(sheet.get_absolute_url()))
    assert "finished, 4 deals" in text(client.get("/score/"))


def test_a_sheet_in_an_account_is_deleted_by_its_owner_only(client, sheet, person):
    ann = person("Ann")
    owner = Client()
    owner.force_login(ann)
    owner.post(f"{sheet.edit_url}keep/")
    assert client.post(f"{sheet.edit_url}delete/", {"sure": "yes"}).status_code == 422
    assert owner.post(f"{sheet.edit_url}delete/").status_code == 422
    assert ScoreSheet.objects.exists()
    owner.post(f"{sheet.edit_url}delete/", {"sure": "yes"})
    assert not ScoreSheet.objects.exists()
    assert client.get(sheet.edit_url).status_code == 404


def test_names_are_changed_on_the_page(client, sheet):
    client.post(f"{sheet.edit_url}names/", {"seat-0": "Anna", "seat-1": "Ben", "dealer": "1", "title": "X"})
    sheet.refresh_from_db()
    assert (sheet.names, sheet.dealer) == (["Anna", "Ben", "", ""], 0)
    refused = client.post(f"{sheet.edit_url}names/", {"seat-0": "Ann", "seat-1": "Ann", "dealer": "1"})
    assert refused.status_code == 422
    assert "Two players are called Ann" in text(refused)
    assert client.post(f"{sheet.edit_url}names/", {"dealer": "9"}).status_code == 422


# Photographs


def test_a_photo_is_encoded_again_and_shown(client, sheet):
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "Camera of Ann"
    client.post(f"{sheet.edit_url}photo/", {"photo": photo((3000, 1500), exif=exif)})
    stored = SheetPhoto.objects.get()
    assert (stored.width, stored.height) == (1000, 2000)
    assert len(bytes(stored.image)) <= 600_000
    assert b"Camera of Ann" not in bytes(stored.image)
    assert not Image.open(io.BytesIO(bytes(stored.image))).getexif()
    path = f"{sheet.get_absolute_url()}photo/{stored.slug}.jpg"
    assert path in Client().get(sheet.get_absolute_url()).content.decode()
    answer = Client().get(path)
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/jpeg", "nosniff")
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    client.post(f"{sheet.edit_url}photo/{stored.slug}/remove/")
    assert Client().get(path).status_code == 404


def test_of_a_photo_that_is_something_else_as_well_the_picture_is_kept(client, sheet):
    sent = photo()
    two_things = SimpleUploadedFile("a.jpg.html", sent.read() + b"<script>alert(1)</script>PK\x03\x04")
    client.post(f"{sheet.edit_url}photo/", {"photo": two_things})
    stored = bytes(SheetPhoto.objects.get().image)
    assert Image.open(io.BytesIO(stored)).format == "JPEG"
    assert (b"<script>" in stored, b"PK\x03\x04" in stored) == (False, False)


def test_a_photo_of_another_sheet_is_not_found(client, sheet):
    client.post(f"{sheet.edit_url}photo/", {"photo": photo()})
    client.post("/score/", START)
    other = ScoreSheet.objects.exclude(pk=sheet.pk).get()
    slug = SheetPhoto.objects.get().slug
    assert client.get(f"{other.get_absolute_url()}photo/{slug}.jpg").status_code == 404
    client.post(f"{other.edit_url}photo/{slug}/remove/")
    assert SheetPhoto.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [
        SimpleUploadedFile("a.jpg", b"<script>alert(1)</script>"),
        SimpleUploadedFile("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        SimpleUploadedFile("a.gif", b"GIF89a" + b"\0" * 50),
        SimpleUploadedFile("a.jpg", b"\xff\xd8\xff\xe0" + b"\0" * 500),
    ],
    ids=["html", "svg", "gif", "broken"],
)
def test_what_is_no_photo_is_refused(client, sheet, sent):
    sent.seek(0)
    response = client.post(f"{sheet.edit_url}photo/", {"photo": sent})
    assert response.status_code == 422
    assert "Upload a JPEG, PNG or WebP file." in text(response)
    assert not SheetPhoto.objects.exists()


def test_a_photo_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(pictures, "MOST_PIXELS", 100)
    with pytest.raises(Refused, match="too many pixels"):
        pictures.picture(photo((20, 20)))
    monkeypatch.setattr(pictures, "MOST_BYTES", 1024 * 1024)
    with pytest.raises(Refused, match="larger than 1 MB"):
        pictures.picture(io.BytesIO(b"x" * 1024 * 1025))


def test_what_is_see_through_becomes_paper():
    buffer = io.BytesIO()
    Image.new("RGBA", (9, 9), (0, 0, 0, 0)).save(buffer, "PNG")
    buffer.seek(0)
    image = Image.open(io.BytesIO(pictures.picture(buffer).data))
    assert image.getpixel((4, 4)) == (255, 255, 255)


def test_a_photo_sent_twice_is_kept_once_and_there_are_only_so_many(sheet):
    upload = photo()
    for _ in range(2):
        upload.seek(0)
        photo_services.add(sheet, upload)
    assert SheetPhoto.objects.count() == 1
    for _ in range(photo_services.MOST - 1):
        photo_services.add(sheet, photo((50, 50)))
    with pytest.raises(Refused, match="Remove one first"):
        photo_services.add(sheet, photo((50, 50)))


def test_photos_of_something_else_go_by_its_ref(sheet):
    stored = photo_services.add("match:7", photo())
    assert list(photo_services.of(sheet)) == []
    assert photo_services.image("match:7", stored.slug) is not None
    assert photo_services.image("match:8", stored.slug) is None
    photo_services.remove("match:7", stored.slug)
    assert not SheetPhoto.objects.exists()


def test_with_a_sheet_its_photos_go(sheet):
    photo_services.add(sheet, photo())
    score_sheets.delete(sheet.pk)
    assert not SheetPhoto.objects.exists()
