"""The pages for import and export: access, refusals, and that nothing typed is lost."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.models import Act, League, Membership, Season, SeasonEntry
from tests.clubs.seasons import PAIRS, round_robin, sheet
from tests.makers import make_club
from tests.tournaments.organising import Desk, pressed, refusal
from tournaments.models import Pairing
from tournaments.services.matches import results

pytestmark = pytest.mark.django_db
DATA, SEASONS, TAKE, CLUB = (
    "/clubs/harbour/data/",
    "/clubs/harbour/data/seasons/",
    "/clubs/harbour/data/club.zip",
    "/clubs/import/",
)


@pytest.fixture
def desk(staff):
    return Desk(staff["owner"])


def send(desk, path, button, **typed):
    """Fill in the form of a page that has this button, and press it."""
    return press(desk, path, desk.get(path), button, **typed)


def press(desk, path, markup, button, **typed):
    return desk.post({**pressed(markup, "", button), "action": path}, **typed)


def test_only_owners_see_them(staff, club, person):
    for path in (DATA, SEASONS, "/clubs/harbour/data/specimen.csv"):
        for role, user in staff.items():
            Desk(user).get(path, 200 if role == "owner" else 403)
        Desk().get(path, 403)
    stranger = Desk(person("Stranger"))
    for path in (DATA, SEASONS):
        stranger.get(path, 403)


def test_only_owners_take_the_club_away(staff, person):
    key = {"key": "one"}
    for user in (staff["organiser"], staff["member"], person("Stranger"), None):
        reader = Desk(user)
        reader.client.handler.enforce_csrf_checks = False
        assert reader.client.post(TAKE, key).status_code == 403
        assert reader.client.post(SEASONS, {**key, "table": "x"}).status_code == 403
    assert Act.objects.count() == 0


def test_reading_takes_nothing_away(desk):
    answer = desk.client.get(TAKE)
    assert (answer.status_code, answer["Location"]) == (302, DATA)
    assert Act.objects.count() == 0


def test_the_file_of_a_club(desk, club):
    answer = desk.send(DATA, "club.zip")
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"].startswith('attachment; filename="harbour-')
    assert "no-store" in answer["Cache-Control"]
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert archive.testzip() is None
    assert "Last export: <bdi>Owner</bdi>" in desk.get(DATA)


def test_a_form_without_its_token_is_refused(desk):
    assert desk.client.post(TAKE, {"key": "one"}).status_code == 403


def test_a_file_of_past_seasons_is_previewed_and_imported(desk, club):
    file = SimpleUploadedFile("old.csv", sheet(round_robin(PAIRS)).encode("cp1252"))
    preview = send(desk, SEASONS, "look", file=file, league_name="Harbour League", win="3")
    assert preview.status_code == 200
    assert Season.objects.count() == 0
    answer = press(desk, SEASONS, preview.content.decode(), "bring")
    assert (answer.status_code, answer["Location"]) == (302, DATA)
    assert Season.objects.get().plan_json["win"] == "3"


def test_what_is_wrong_keeps_what_was_typed(desk):
    lines = round_robin(PAIRS)
    lines[0][6] = "many"
    sent = {"table": sheet(lines), "league_name": "Old <b>", "kind": "person", "levels": "Premier", "order": "month"}
    answer = send(desk, SEASONS, "look", **sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "The home score “many” is not a whole number of points." in page
    fields = pressed(page, "", "look")["fields"]
    for name, value in sent.items():
        assert fields[name] == [value.strip() + ("\n" if name == "table" else "")], name
    assert "Old &lt;b&gt;" in page


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"league_name": ""}, "Enter a name"),
        ({"league": "999999"}, "This no longer exists."),
        ({"win": "many"}, "not a value for win"),
        ({"rules": "version:77"}, "House rules not found in this club."),
        ({"rules": "none"}, "Choose the rules."),
        ({"kind": "choir"}, "people, pairs or teams"),
        ({"table": ""}, "The file is empty."),
        ({"file": SimpleUploadedFile("x.csv", b"\0" * 50)}, "table of text"),
        ({"file": SimpleUploadedFile("x.csv", b"x" * 1_000_001)}, "too large"),
    ],
)
def test_what_cannot_be_is_said(desk, sent, words):
    answer = send(desk, SEASONS, "look", **{"table": sheet(round_robin(PAIRS)), "league_name": "Old", **sent})
    assert answer.status_code == 422
    assert words in refusal(answer)
    assert League.objects.count() == 0


def test_a_league_of_another_club_is_not_there(desk, person):
    other = make_club("Other")
    league = League.objects.create(club=other, name="Theirs", slug="theirs")
    answer = send(desk, SEASONS, "look", table=sheet(round_robin(PAIRS)), league=str(league.pk))
    assert answer.status_code == 422
    assert league.seasons.count() == 0


def test_importing_a_club_needs_an_account(client):
    answer = client.get(CLUB)
    assert answer.status_code == 302
    assert answer["Location"].endswith("?next=/clubs/import/")


def test_a_club_is_imported(desk, club, person):
    content = b"".join(desk.send(DATA, "club.zip").streaming_content)
    other = Desk(person("Otto"))
    refused = send(other, CLUB, "bring", file=SimpleUploadedFile("club.zip", content), own_name="Otto")
    assert refused.status_code == 422
    assert "Nobody in the club is called Otto" in refusal(refused) or "is taken" in refusal(refused)
    answer = send(other, CLUB, "bring", file=SimpleUploadedFile("club.zip", content), slug="harbour-two")
    assert (answer.status_code, answer["Location"]) == (302, "/clubs/harbour-two/run/")
    assert Membership.objects.filter(club__slug="harbour-two").count() == 6


@pytest.mark.parametrize("file", [None, SimpleUploadedFile("x.zip", b"nothing")])
def test_no_club_in_a_file(desk, file):
    answer = send(desk, CLUB, "bring", **({"file": file} if file else {}))
    assert answer.status_code == 422
    assert refusal(answer).endswith(".")


def test_final_places_are_worked_out_again_if_results_were_corrected(desk, staff, club):
    preview = send(desk, SEASONS, "look", table=sheet(round_robin(PAIRS)), league_name="Old")
    press(desk, SEASONS, preview.content.decode(), "bring")
    assert "Results were corrected" not in desk.get(DATA)
    last = SeasonEntry.objects.get(final_rank=4)
    for pairing in Pairing.objects.filter(places__entry=last.entry):
        lines = [
            {"entry": place.entry_id, "score": 9 * (place.entry_id == last.entry_id)} for place in pairing.places.all()
        ]
        results.decide(pairing.pk, lines, by=staff["owner"], reason="Misread")
    path = f"/clubs/harbour/data/seasons/{last.season_id}/rank/"
    assert path in desk.get(DATA)
    assert Desk(staff["organiser"]).client.post(path).status_code == 403
    assert desk.send(DATA, path).status_code == 302
    last.refresh_from_db()
    assert last.final_rank == 1
    page = desk.get(DATA)
    assert "were recalculated" in page
    assert path not in page


def test_a_season_of_another_club_is_not_there(desk, person):
    other = make_club("Other")
    season = League.objects.create(club=other, name="T", slug="t").seasons.create(
        number=1, name="S", slug="s", rules_json={}, starts_on="2026-01-01"
    )
    desk.client.handler.enforce_csrf_checks = False
    assert desk.client.post(f"/clubs/harbour/data/seasons/{season.pk}/rank/", {"key": "x"}).status_code == 404
