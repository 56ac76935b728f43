"""Every budget holds at both doors alike: a page says the sentence and keeps what was typed, the API says when again."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts import budgets, heavy_addresses
from accounts.budgets import BUDGETS, KINDS
from accounts.scopes import SCOPES
from accounts.services import tokens
from clubs.models import Newsletter
from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay.score_sheets import services as score_sheets
from gameplay.services import seating, tables
from tests import costs
from tests.makers import make_club, make_member, make_person
from tests.security.site_map import addresses, models_of_ours
from tests.tournaments.organising import Desk

pytestmark = pytest.mark.django_db
SHEET = {"rules": "standard", "shape": "4x2", "seat-0": "Ann", "seat-1": "Ben", "seat-2": "Cem", "seat-3": "Dee"}


def gathering(ann):
    return tables.make_table(ann, Rules.preset("standard"), name="Quiet", seat_count=4, team_size=2)


def with_bots(ann):
    table = gathering(ann)
    for seat in (1, 2, 3):
        seating.seat_bot(table.pk, ann, seat=seat, level="novice")
    return table


def create_table(ann):
    return "/practice/", {"level": "expert"}, "tables/", {"name": "Quiet"}


def start_match(ann):
    path = f"tables/{with_bots(ann).slug}/start/"
    return f"/{path}", {}, path, {}


def invite(ann):
    path = f"tables/{gathering(ann).slug}/"
    return f"/{path}invite/", {"who": "typed@example.org"}, f"{path}invitations/", {"who": "typed@example.org"}


def say(ann):
    path = f"tables/{gathering(ann).slug}/chat/"
    return f"/{path}", {"text": "typed words"}, path, {"text": "typed words"}


def attach_photo(ann):
    sheet = score_sheets.make(Rules.preset("standard"), Shape(4, 2), ["Ann", "Ben", "Cem", "Dee"], owner=ann)
    photo = {"photo": SimpleUploadedFile("sheet.jpg", b"no picture")}
    return f"/score/edit/{sheet.key}/photo/", photo, f"score-sheets/edit/{sheet.key}/photos/", photo


def create_club(ann):
    fields = {**Desk(ann).form("/clubs/new/", "", "start")["fields"], "name": "Typed Club"}
    return "/clubs/new/", fields, "clubs/", {"name": "Typed Club"}


def create_event(ann):
    form = Desk(ann).form("/events/new/?from=swiss_weekend", "/events/new/", "publish")
    fields = {**form["fields"], "name": ["Typed Cup"], "starts_at": ["2030-07-01T19:30"]}
    return "/events/new/", fields, "events/", {"name": "Typed Cup", "starter": "swiss_weekend"}


def write_news(ann):
    path = f"clubs/{make_club(owner=ann).slug}/"
    fields = {"title": "Typed title", "body": "Typed body"}
    return f"/{path}news/write/", fields, f"{path}write-news/", fields


def send_newsletter(ann):
    club = make_club(owner=ann)
    make_member(club, None, name="Eve", email="eve@example.org", wants_letters=True)
    letter = Newsletter.objects.create(club=club, subject="Week", body="Hello.", by=ann)
    fields = {"act": "send", "version": letter.version, "to": "readers", "sure": "yes"}
    path = f"clubs/{club.slug}/"
    return (
        f"/{path}newsletter/{letter.pk}/",
        fields,
        f"{path}newsletters/{letter.pk}/send/",
        {"version": letter.version},
    )


def search(ann):
    return "/clubs/?q=typed", None, f"clubs/{make_club(owner=ann).slug}/statistics/", None


DOORS = {
    "requests": lambda ann: ("/play/", None, "me/", None),
    "heavy": search,
    "bot_time": start_match,
    "tables": create_table,
    "practice_tables": start_match,
    "actions": write_news,
    "clubs": create_club,
    "events": create_event,
    "invitations": invite,
    "emails": send_newsletter,
    "messages": say,
    "score_sheets": lambda ann: ("/score/", {**SHEET, "title": "Typed title"}, "score-sheets/", {"is_kept": True}),
    "photos": attach_photo,
    "guesses": lambda ann: ("/events/card/unknown/", None, "table-cards/unknown/", None),
}
"""An act of each budget at both doors: the page and its fields, the address of the API and its data."""
ELSEWHERE = {
    "bytes": "held by the web server, before a page or the API is asked",
    "streams": "held where live updates are sent, the same for pages and programs",
    "guests": "programs have an account",
    "meeting_guests": "for strangers without an account; programs have one",
    "reports": "programs report nobody",
}


def program_of(user):
    client = APIClient()
    _, text = tokens.create(user, name="bot", scopes=list(SCOPES), days=None)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def send(client, path, data):
    if data is None:
        return client.get(path)
    how = {"format": "json"} if isinstance(client, APIClient) and "photo" not in data else {}
    return client.post(path, data, **how)


@pytest.mark.parametrize("name", DOORS)
def test_a_budget_refuses_at_both_doors_and_nobody_else_is_refused(name, client, limited):
    ann, budget = make_person("Ann"), next(each for each in BUDGETS if each.name == name)
    client.force_login(ann)
    program = program_of(ann)
    page_path, fields, api_path, data = DOORS[name](ann)
    limited(budget, **{f"person:{ann.pk}": 0})
    sentence = budget.sentence if budget.seconds == budgets.ELSEWHERE else f"{budget.sentence} Try again in "

    page = send(client, page_path, fields)
    assert (page.status_code, page.headers.get("Retry-After", "0").isdecimal()) == (429, True), page.text[-3000:]
    assert int(page["Retry-After"]) > 0
    assert sentence in page.text
    typed = [value for value in (fields or {}).values() if "yped" in str(value)]
    assert [value for value in typed if (value[0] if isinstance(value, list) else value) not in page.text] == []

    refused = send(program, f"/api/v1/{api_path}", data)
    answer = refused.json()
    assert (refused.status_code, answer["code"], answer["budget"]) == (429, "too_much", name)
    assert answer["sentence"].startswith(sentence)
    assert refused["Retry-After"] == str(answer["retry_after"])

    limited(budget, **{f"person:{ann.pk}": None})
    assert send(program, f"/api/v1/{api_path}", data).status_code not in (429, 500)
    other = send(client, page_path, fields)
    assert other.status_code not in (429, 500)
    assert budget.sentence not in other.text


def test_every_budget_is_tried_at_both_doors_or_has_a_reason():
    assert {budget.name for budget in BUDGETS} == DOORS.keys() | ELSEWHERE.keys()
    assert not DOORS.keys() & ELSEWHERE.keys()


# The list of acts that cost something


def test_every_model_has_a_budget_or_a_reason():
    assert {model._meta.db_table for model in models_of_ours()} == costs.BUDGETS_OF.keys() | costs.FREE.keys()
    assert not costs.BUDGETS_OF.keys() & costs.FREE.keys()
    names = {budget.name for budget in BUDGETS}
    assert set().union(*costs.BUDGETS_OF.values()) <= names


def test_rows_that_no_budget_was_counted_for_are_found(client, monkeypatch):
    ann = make_person("Ann")
    client.force_login(ann)
    path = f"/tables/{gathering(ann).slug}/chat/"
    monkeypatch.setattr("gameplay.conversation.services.spend", lambda *act: None)
    with pytest.raises(AssertionError, match=r"adds rows without a budget: {'gameplay_chatmessage': \['messages'\]}"):
        client.post(path, {"text": "Hello"})


def test_every_heavy_address_exists_and_every_file_is_one():
    names = {address.name for address in addresses()}
    heavy = heavy_addresses.ALWAYS | heavy_addresses.POSTED | heavy_addresses.SEARCHED
    assert sorted(heavy - names) == []
    files = {
        name for name in names if re.search(r"_(csv|pdf|json|zip)$|statistics|print_|forecast|outlook|_preview$", name)
    }
    previews = {name for name in files if name.endswith("_preview")}
    small = {
        "gameplay:sheet_json": "forty deals at most",
        "gameplay:sheet_csv": "forty deals at most",
        "clubs:league_calendar": "fetched by programs",
    }
    assert sorted(files - heavy - previews - small.keys()) == []


def test_kinds_of_limits_are_those_of_subjects():
    assert KINDS == (budgets.PERSON, budgets.GUEST, budgets.ADDRESS)


def test_requests_that_overlap_count_their_own_budgets():
    """Of two requests in two threads, the first to end takes nothing from the second."""
    first, second = costs.budgets_counted(), costs.budgets_counted()
    with ThreadPoolExecutor(1) as thread:
        first_names = thread.submit(first.__enter__).result()
        second_names = second.__enter__()
        thread.submit(first.__exit__).result()
        budgets.spend(next(budget for budget in BUDGETS if budget.name == "heavy"), make_person("ann"))
        second.__exit__()
    assert (first_names, second_names) == (set(), {"heavy"})
