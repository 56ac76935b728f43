"""Budgets on the operator's page: who uses how much, and limits that are changed and restored."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import budget_limits
from accounts.budgets import (
    BOT_TIME,
    BUDGETS,
    BYTES,
    MESSAGES,
    TABLES,
    asked_from,
    charge,
    hold,
    limit_of,
    spend,
    subject_of,
)
from accounts.models import BudgetLimit, OperatorAct
from operating.budget_use import amount_text
from tests.makers import make_table
from tests.pages import squeezed
from tests.test_layout import ROOT
from web.errors import TooMuch

pytestmark = pytest.mark.django_db
URL = "/operator/budgets/"


@pytest.fixture
def change(desk):
    """Change a limit by the form."""

    def send(budget, kind, who="", most=""):
        return desk.post(URL, {"budget": budget, "kind": kind, "who": who, "most": most})

    return send


def test_only_operators_see_and_change_them(client, person):
    for sign_in in (lambda: None, lambda: client.force_login(person("Ann"))):
        sign_in()
        assert client.get(URL).status_code == 404
        assert client.post(URL, {"budget": "tables", "kind": "person", "most": "1"}).status_code == 404
    assert not BudgetLimit.objects.exists()


def test_those_who_use_most_are_shown_by_name_and_number_or_address(desk, person):
    ann, guest = person("Ann"), person("Gus", is_guest=True)
    with asked_from("192.0.2.7"):
        spend(TABLES, ann, 12)
    charge(BOT_TIME, guest, 120_000)
    lease = hold(BYTES, ann, 3 * 1024**2)
    page = squeezed(desk.get(URL).text)
    for words in (
        f"<bdi>Ann (account {ann.pk})</bdi></b></p><p>12 of 30",
        "<bdi>192.0.2.7</bdi></b></p><p>12 of 240",
        f"<bdi>Guest {guest.pk}</bdi></b></p><p>2 min of 5 min",
        "3.0 MB of 64.0 MB",
    ):
        assert words in page
    lease.__exit__()


def test_people_alone_at_tables_are_counted_by_the_database(desk, four):
    from engine.play.rules import Rules
    from gameplay.services import tables

    make_table(four)
    for _ in range(2):
        tables.make_practice(four[0], Rules.preset("standard"))
    assert f"<bdi>Ann (account {four[0].pk})</bdi></b></p><p>2 of 5" in squeezed(desk.get(URL).text)


def test_the_operators_page_names_those_who_use_much(desk, person, heard):
    ann = person("Ann")
    spend(TABLES, ann, 14)
    assert "Nobody uses more than half of a budget." in desk.get("/operator/").text
    spend(TABLES, ann)
    page = squeezed(desk.get("/operator/").text)
    assert f"<bdi>Ann (account {ann.pk})</bdi></b></p><p>Tables created in an hour: 15 of 30</p>" in page


def test_the_number_of_queries_stays_the_same(desk, person):
    def count():
        with CaptureQueriesContext(connection) as captured:
            desk.get(URL)
        return len(captured)

    spend(TABLES, person("Ann"))
    first = count()
    for name in ("Ben", "Cem", "Dee"):
        spend(TABLES, person(name))
        spend(MESSAGES, person(f"{name}2"))
    assert count() == first


def test_a_limit_is_tightened_lifted_and_restored(desk, press, change, person, olga):
    ann, ben = person("Ann"), person("Ben")
    answer = change("tables", "person", ann.pk, "1")
    assert (answer.status_code, answer.url) == (302, URL)
    budget_limits.read_again()
    spend(TABLES, ann)
    with pytest.raises(TooMuch):
        spend(TABLES, ann)
    spend(TABLES, ben, 2)
    assert f"<bdi>Ann (account {ann.pk})</bdi>, 1" in squeezed(desk.get(URL).text)
    change("tables", "person", ann.pk)
    budget_limits.read_again()
    assert limit_of(TABLES, subject_of(ann)) is None
    assert "1, no limit" in squeezed(desk.get(URL).text)
    (row,) = BudgetLimit.objects.all()
    assert press("limit_end", row.pk).url == URL
    budget_limits.read_again()
    assert limit_of(TABLES, subject_of(ann)) == TABLES.person
    sentences = [
        f"Limit {row.pk} is no longer changed.",
        f"Limit {row.pk} was changed: Tables created in an hour.",
        f"Limit {row.pk} was changed: Tables created in an hour.",
    ]
    acts = list(OperatorAct.objects.all())
    assert [(act.by, act.subject, act.sentence) for act in acts] == [(olga, f"limit:{row.pk}", s) for s in sentences]
    assert [(act.before, act.after) for act in acts] == [
        ({"budget": "tables", "limit": None}, {}),
        ({"limit": 1}, {"limit": None}),
        ({}, {"limit": 1}),
    ]
    assert press("limit_end", row.pk).status_code == 404


def test_a_limit_of_an_address_is_of_its_network_and_not_in_the_history(change):
    change("requests", "address", "2001:db8:1:2::3", "5")
    assert BudgetLimit.objects.get().subject == "address:2001:db8:1:2::"
    change("requests", "address", "", "70")
    assert set(BudgetLimit.objects.values_list("subject", "limit")) == {("address:2001:db8:1:2::", 5), ("address", 70)}
    assert "2001" not in repr(list(OperatorAct.objects.values()))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (("tables", "person", "", "many"), "Enter the limit as a whole number, or nothing for no limit."),
        (("tables", "person", "", "-1"), "Enter the limit as a whole number, or nothing for no limit."),
        (("tables", "person", "999999", "1"), "Account not found. Enter its number."),
        (("tables", "person", "Ann", "1"), "That no longer exists."),
        (("tables", "address", "home", "1"), "Enter an IP address, such as 192.0.2.1 or 2001:db8::1."),
        (("tables", "club", "", "1"), "This budget is not counted for that."),
        (("practice_tables", "address", "", "1"), "This budget is not counted for that."),
        (("nothing", "person", "", "1"), "That no longer exists."),
    ],
)
def test_what_is_no_limit_is_refused_with_the_form_as_it_was(change, fields, sentence):
    answer = change(*fields)
    assert answer.status_code in (404, 422)
    assert sentence in answer.text
    assert (
        f'name="most" maxlength="15" inputmode="numeric" aria-describedby="most-help" value="{fields[3]}"'
        in squeezed(answer.text)
    )
    assert not BudgetLimit.objects.exists()
    assert not OperatorAct.objects.exists()


def test_a_link_fills_in_the_form(desk):
    page = squeezed(desk.get(f"{URL}?budget=emails&kind=guest&who=7").text)
    assert '<option value="emails" selected>' in page
    assert '<option value="guest" selected>' in page
    assert 'name="who" maxlength="50" value="7"' in page


def test_every_budget_is_on_the_page(desk):
    page = desk.get(URL).text
    assert [budget.name for budget in BUDGETS if f'id="{budget.name}"' not in page] == []


def test_the_docs_have_every_budget_with_its_limits():
    page = (ROOT / "docs/running.md").read_text()
    for budget in BUDGETS:
        limits = (budget.person, budget.guest, budget.address)
        cells = " | ".join("–" if limit is None else amount_text(budget, limit) for limit in limits)
        assert f"| {budget.title} | {cells} |" in page
