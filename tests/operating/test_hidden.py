"""The operator’s page shows no card, no address and no token, and its history is only added to."""

import re

import pytest

from accounts.models import BudgetLimit, OperatorAct, PushSubscription, User
from clubs.models import Invitation as ClubInvitation
from gameplay.models import Deal, Invitation, Table
from gameplay.services import repair
from operating.actions import ACTS
from tests.operating import troubles
from tests.security.histories import changed, rewritten, rows
from tests.security.test_cards_in_pages import CARD
from tournaments.models import Member

pytestmark = pytest.mark.django_db


@pytest.fixture
def pages(desk, press, seated, heard, driver):
    """Press every button on a site with everything to mend, and gives the text of every page before and after."""
    texts = []
    table = seated()
    for _ in range(6):
        driver.act(table)
    Table.objects.filter(pk=table.pk).update(move_count=3)
    PushSubscription.objects.create(
        user=table.creator, endpoint="https://push.example/s", p256dh="pk", auth="au", failures=5
    )
    waiting = [make(seated) for make in troubles.ALL] + [("", "check", table.pk), ("", "rebuild", table.pk)]

    def open_pages():
        for path in ("/operator/", "/operator/history/", "/operator/budgets/", f"/operator/tables/{table.pk}/"):
            texts.append(desk.get(path).text)

    open_pages()
    for _, act, subject in waiting:
        texts.append(desk.post("/operator/do/", {"act": act, "subject": subject}, follow=True).text)
        texts.append(press(act, subject, follow=True).text)
    press("wake", "worker")
    desk.post("/operator/budgets/", {"budget": "tables", "kind": "person", "most": "9"})
    open_pages()
    press("limit_end", BudgetLimit.objects.get().pk)
    open_pages()
    return texts


@pytest.mark.slow
def test_no_page_shows_a_card_an_address_or_a_token(pages):
    assert {act.kind for act in OperatorAct.objects.all()} == set(ACTS)
    tokens = {
        *Invitation.objects.values_list("token", flat=True),
        *ClubInvitation.objects.values_list("token", flat=True),
        *Member.objects.values_list("token", flat=True),
        *Deal.objects.values_list("key", flat=True),
        *Table.objects.values_list("slug", flat=True),
        "https://push.example/s",
    }
    addresses = {*User.objects.exclude(email="").values_list("email", flat=True), "friend@example.net"}
    acts = str(list(OperatorAct.objects.values_list("sentence", "before", "after", "subject")))
    for text in (*pages, acts):
        # Drawings have letters and numbers of their own, and the token of a form is random each time.
        visible = re.sub(r'name="csrf[^>]*>|<svg.*?</svg>', "", text, flags=re.DOTALL)
        assert CARD.findall(visible) == []
        assert not {token for token in tokens if token and token in visible}
        assert not {address for address in addresses if address in visible}


@pytest.mark.slow
def test_buttons_change_no_line_of_any_history(seated, desk, press, heard):
    waiting = [make(seated) for make in troubles.ALL]
    before = {app: rows(app) for app in ("accounts", "gameplay", "tournaments", "clubs")}
    with rewritten() as statements:
        for _, act, subject in waiting:
            if act != "erase":
                press(act, subject)
    assert not statements
    for app, was in before.items():
        kinds = {"accounts": {"operatoract"}, "gameplay": {"move", "happening"}}.get(app, {"act"})
        assert not [key for key, fields in changed(was, rows(app)) if key[0] in kinds and fields]


def test_who_leaves_is_no_operator_and_stays_in_the_history_without_a_name(olga, press, heard, gone):
    press("wake", "worker")
    gone(olga)
    act = OperatorAct.objects.get()
    assert (str(act.by), act.by.is_staff) == ("former member", False)


def test_what_a_check_finds_is_said_without_cards(seated):
    table = seated()
    Table.objects.filter(pk=table.pk).update(move_count=1)
    assert repair.check(table.pk) == ["it counts 1 moves and its log has 0"]
