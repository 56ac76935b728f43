"""The page that imports a list of members, without script: given, read, changed, imported."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.models import Act, Invitation, KeptAside, Membership
from clubs.services.members import membership
from tests.clubs.bring_in.samples import MESSY
from tests.pages import squeezed
from tests.tournaments.organising import pressed, refusal

pytestmark = pytest.mark.django_db

PAGE = "/clubs/harbour/import/members/"


@pytest.fixture
def page(browser_of, staff):
    return browser_of(staff["organiser"])


def upload(page, content=MESSY, name="Members 2026.xlsx", **fields):
    """The answer to a file."""
    page.get(PAGE)
    token = page.client.cookies["csrftoken"].value
    return page.client.post(PAGE, {"csrfmiddlewaretoken": token, "file": SimpleUploadedFile(name, content), **fields})


def fields_of(answer):
    return pressed(answer.content.decode(), "", "import")["fields"]


def names(club):
    return set(Membership.objects.filter(club=club, user=None).values_list("name", flat=True))


def test_a_file_is_read_and_nothing_is_saved(page, club):
    answer = upload(page)
    text = squeezed(answer.content.decode())
    assert answer.status_code == 200
    assert "19 rows" in text
    assert "9 rows need your eye" in text
    assert "Old members" in text
    fields = fields_of(answer)
    assert (fields["sheet"], fields["heading"], fields["c1"], fields["c4"]) == (["1"], ["2"], ["name"], ["leave_out"])
    assert fields["a-6-two_people"] == ["Ann Jones / Bob Jones"]
    assert names(club) == set()
    assert not Act.objects.exists()


def test_what_was_read_is_imported_at_once_and_no_email_is_sent(page, club):
    fields = fields_of(upload(page))
    assert page.client.post(PAGE, fields)["Location"] == "/clubs/harbour/people/"
    assert {"Asha Menon", "Ann Jones", "Bob Jones", "John Smith"} <= names(club)
    assert len(names(club)) == 10
    assert not Invitation.objects.exists()
    page.client.post(PAGE, fields)
    assert Act.objects.count() == 1
    assert len(names(club)) == 10


def test_answers_and_columns_are_chosen(page, club):
    fields = fields_of(upload(page))
    fields |= {"a-6-two_people": "aside", "a-14-no_name": "typed", "t-14-no_name": "Nora Whitlock", "c4": "note"}
    shown = page.client.post(PAGE, {**fields, "do": "read"})
    assert fields_of(shown)["a-14-no_name"] == ["typed"]
    assert fields_of(shown)["t-14-no_name"] == ["Nora Whitlock"]
    page.client.post(PAGE, fields)
    assert "Nora Whitlock" in names(club)
    assert "Ann Jones" not in names(club)
    assert Membership.objects.get(club=club, name="Asha Menon").note == "Treasurer; yes"


def test_another_sheet_begins_anew(page):
    fields = fields_of(upload(page)) | {"sheet": "0", "do": "read"}
    shown = fields_of(page.client.post(PAGE, fields))
    assert (shown["sheet"], shown["heading"], shown["columns"]) == (["0"], ["0"], ["2"])


def test_titles_in_another_row(page):
    fields = fields_of(upload(page)) | {"heading": "", "do": "read"}
    shown = fields_of(page.client.post(PAGE, fields))
    assert shown["heading"] == [""]


def test_names_are_pasted(page, club):
    page.get(PAGE)
    answer = page.press(PAGE, "read", paste="Ann Lee\nSmith, John\nTOTAL 2\n")
    page.client.post(PAGE, fields_of(answer))
    assert names(club) == {"Ann Lee", "John Smith"}


def test_a_file_that_is_none_is_refused_in_words(page):
    answer = upload(page, b"\x89PNG\r\n\x1a\n", "x.png")
    assert answer.status_code == 422
    assert refusal(answer) == "This is not a table. Choose a workbook (.xlsx, .xls, .ods) or a CSV file."
    page.get(PAGE)
    assert refusal(page.press(PAGE, "read", paste=" ")) == "Choose a file, or paste a list."


def test_a_workbook_that_somebody_made_up_is_refused(page):
    answer = page.press(PAGE, "read", book="eyJ4IjoxfQ:abc:def")
    assert answer.status_code == 422
    assert refusal(answer) == "This page is too old. Choose the file again."


def test_markup_in_cells_stays_text(page):
    shown = page.press(PAGE, "read", paste="Name\tRole\n=1+1<script>\t<b>x\nAnn Lee\t\n").content.decode()
    assert "=1+1&lt;script&gt;" in shown
    assert "<script>\t" not in shown
    assert "<b>x" not in shown


def test_what_was_kept_aside_is_downloaded(page, club, staff, client):
    page.client.post(PAGE, fields_of(upload(page)))
    aside_row = KeptAside.objects.get()
    assert "Download" in page.get("/clubs/harbour/people/")
    lines = page.client.get(f"/clubs/harbour/kept-aside/{aside_row.pk}/").content.decode("utf-8-sig").splitlines()
    assert lines[0] == "row,why,cells"
    assert "8,A heading within the list.,Committee" in lines
    client.force_login(staff["member"])
    assert client.get(f"/clubs/harbour/kept-aside/{aside_row.pk}/").status_code == 403


def test_the_old_address_leads_here(page):
    assert page.client.get("/clubs/harbour/people/import/")["Location"] == PAGE


def test_phone_and_note_of_a_person_are_corrected(page, club, staff):
    membership.add_names(club.pk, staff["owner"], lines=["Ann Lee"])
    ann = Membership.objects.get(name="Ann Lee")
    page.press(f"/clubs/harbour/people/{ann.pk}/", "edit", phone="07700  900101", note="Treasurer")
    ann.refresh_from_db()
    assert (ann.name, ann.phone, ann.note) == ("Ann Lee", "07700 900101", "Treasurer")
    assert Act.objects.first().sentence == "The contact details of Ann Lee were changed."
