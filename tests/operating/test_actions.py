"""The buttons: each mends its trouble once; if it is over, a sentence refuses; all is written down."""

import re

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client

from accounts.models import Erasure, Notice, OperatorAct, User
from accounts.services import notices
from gameplay.models import Deal, Move, Table
from gameplay.services import clocks, repair
from operating import actions, checks
from operating.actions import ACTS
from tests.operating import troubles
from tests.security.site_map import digest
from tournaments.models import RatingPool

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("make", troubles.ALL)
def test_a_button_mends_what_it_is_for_once_and_is_written_down(press, olga, seated, make, heard):
    name, act, subject = make(seated)
    answer = press(act, subject)
    assert (answer.status_code, answer.url) == (302, "/operator/")
    (record,) = OperatorAct.objects.all()
    assert (record.by, record.kind, record.sentence[-1]) == (olga, act, ".")
    assert not [item for item in found_items(name) if act in item.acts]
    repeat = press(act, subject)
    assert repeat.status_code in (404, 422)
    assert 'class="error" role="alert"' in repeat.text
    assert OperatorAct.objects.count() == 1


def found_items(name):
    return next(section.items for section in checks.sections(troubles.timezone.now()) if section.name == name)


def test_a_deadline_is_acted_on_as_the_rules_of_the_table_say(press, seated, heard):
    _, act, pk = troubles.a_deadline_that_passed(seated)
    press(act, pk)
    table = Table.objects.get(pk=pk)
    assert set(table.moves.values_list("by", flat=True)) == {Move.By.STAND_IN}
    record = OperatorAct.objects.get()
    assert (record.subject, record.before["moves"], record.after["moves"]) == (f"table:{pk}", 0, table.move_count)


def test_a_deadline_that_was_put_off_by_a_failure_is_acted_on(press, seated, heard):
    _, act, pk = troubles.a_deadline_that_passed(seated)
    later = troubles.timezone.now() + clocks.RETRY
    Table.objects.filter(pk=pk).update(deadline_at=later, failed_at=troubles.ago(minutes=1))
    assert press(act, pk).status_code == 302
    table = Table.objects.get(pk=pk)
    assert (table.failed_at, table.move_count > 0) == (None, True)


def test_a_deadline_that_is_still_to_come_is_not_hurried(press, seated, heard):
    table = seated()
    Table.objects.filter(pk=table.pk).update(failed_at=troubles.ago(minutes=1))
    answer = press("deadline", table.pk)
    assert (answer.status_code, "No deadline has passed" in answer.text) == (422, True)
    assert not Move.objects.exists()


def test_emails_go_out(press, seated, heard):
    for make in (troubles.a_letter_to_a_table, troubles.a_letter_to_a_club, troubles.a_copy_of_a_newsletter):
        _, act, subject = make(seated)
        press(act, subject)
    assert sorted(message.to[0] for message in mail.outbox) == [
        "friend@example.net", "friend@example.net", "ida@example.org"
    ]  # fmt: skip


def test_an_email_that_is_being_sent_is_not_sent_twice(press, seated, heard):
    _, act, subject = troubles.a_letter_to_a_club(seated)
    later = troubles.timezone.now() + troubles.timedelta(minutes=8)
    troubles.ClubInvitation.objects.update(due_at=later)
    answer = press(act, subject)
    assert (answer.status_code, "It is being sent" in answer.text) == (422, True)
    assert mail.outbox == []


def test_a_notice_that_was_refused_goes_out_again(press, seated, heard):
    _, act, pk = troubles.a_notice_that_was_refused(seated)
    press(act, pk)
    assert notices.send_due() == 1
    assert [message.to for message in mail.outbox] == [["ida@example.org"]]
    notice = Notice.objects.get()
    assert (notice.trouble, notice.was_sent) == ("", True)


def test_nothing_is_sent_again_to_who_takes_no_mail(press, seated, heard):
    _, act, pk = troubles.a_notice_that_was_refused(seated)
    User.objects.filter(username="ida").update(notice_email=False)
    answer = press(act, pk)
    assert (answer.status_code, "does not receive email now" in answer.text) == (422, True)


def test_mail_that_is_stopped_stays_stopped_until_the_address_is_confirmed(press, seated, heard):
    _, act, pk = troubles.a_notice_that_came_back(seated)
    press(act, pk)
    kim = User.objects.get(username="kim")
    assert (kim.mail_stopped_for, kim.mail_stopped_at is not None) == ("operator", True)
    Notice.objects.create(user=kim, kind="news", key="later", title="!", url="/", due_at=troubles.ago(minutes=1))
    notices.send_due()
    assert mail.outbox == []


def test_an_erasure_is_finished(press, seated, heard, gone):
    _, act, pk = troubles.somebody_who_is_not_forgotten(seated)
    press(act, pk)
    assert not Erasure.objects.exists()


def test_the_ratings_are_worked_out(press, seated, heard):
    _, act, name = troubles.ratings_that_wait(seated)
    press(act, name)
    pool = RatingPool.objects.get()
    assert (pool.dirty_since, pool.marked_at) == (None, None)


def test_the_worker_is_called_for_everything_that_the_clock_calls_it_for(press, heard, settings, monkeypatch):
    sent = []
    monkeypatch.setattr(actions.current_app, "send_task", lambda name, **options: sent.append(name))
    press("wake", "worker")
    assert sent == sorted(entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values())
    assert OperatorAct.objects.get().after == {"tasks": len(sent)}


def test_a_broker_that_is_away_is_said_in_a_sentence(press, heard, monkeypatch):
    def fail(name, **options):
        raise OSError

    monkeypatch.setattr(actions.current_app, "send_task", fail)
    answer = press("wake", "worker")
    assert (answer.status_code, "the worker could not be woken" in answer.text) == (422, True)


def test_what_the_mail_server_said_to_an_invitation_is_named(press, seated, heard, settings):
    _, act, subject = troubles.a_letter_to_a_table(seated)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    answer = press(act, subject)
    assert (answer.status_code, "ConnectionRefusedError" in answer.text) == (422, True)
    assert OperatorAct.objects.get().after == {"error": "ConnectionRefusedError"}


# Tables and their logs


def test_a_table_is_checked_and_rebuilt_from_its_log(press, desk, seated, heard, driver):
    table = seated()
    for _ in range(4):
        driver.act(table)
    right = table.snapshot
    press("check", table.pk)
    assert OperatorAct.objects.get().after == {"wrong": []}
    assert press("rebuild", table.pk).status_code == 422
    broken = {**right, "dealer": (right["dealer"] + 1) % 4}
    Table.objects.filter(pk=table.pk).update(snapshot=broken, move_count=2)
    answer = press("check", table.pk)
    assert answer.url == f"/operator/tables/{table.pk}/"
    page = desk.get(answer.url).text
    assert "It does not agree with its log" in page
    assert "Its snapshot is not what its log comes to." in page
    (item,) = found_items("unsound")
    assert (item.subject, item.acts) == (str(table.pk), ("rebuild", "check"))
    press("rebuild", table.pk)
    table.refresh_from_db()
    assert (table.snapshot, table.move_count) == (right, 4)
    assert repair.check(table.pk) == []
    assert found_items("unsound") == []


def test_no_table_is_rebuilt_from_a_log_that_is_damaged(press, seated, heard, driver):
    table = seated()
    for _ in range(4):
        driver.act(table)
    before = table.snapshot
    table.moves.filter(number=2).delete()
    answer = press("rebuild", table.pk)
    assert (answer.status_code, "Bring it back from a backup" in answer.text) == (422, True)
    assert Table.objects.get(pk=table.pk).snapshot == before
    Deal.objects.update(key="00" * 32)
    assert "Bring it back from a backup" in press("rebuild", table.pk).text


def test_a_table_that_has_not_begun_cannot_be_checked(press, seated, heard):
    answer = press("check", seated(begun=False).pk)
    assert (answer.status_code, "No cards have been dealt" in answer.text) == (422, True)


# Refusals


def test_what_cannot_be_undone_is_asked_for_once_more(desk, seated, heard):
    for make in troubles.ALL:
        _, act, subject = make(seated)
        if not ACTS[act].warning:
            continue
        before = digest()
        answer = desk.post("/operator/do/", {"act": act, "subject": subject})
        assert answer.status_code == 200
        assert ACTS[act].warning in answer.text
        assert digest() == before
        with transaction.atomic():
            assert desk.post("/operator/do/", {"act": act, "subject": subject, "sure": "yes"}).status_code == 302
            transaction.set_rollback(True)


def test_what_is_not_there_is_refused(press, heard):
    for act in set(ACTS) - {"wake"}:  # which is for everything
        for subject in ("", "0", "x", "-1", "9" * 30, "٣", "table:x", "nothing:1", "\n"):
            assert press(act, subject).status_code in (404, 422), (act, subject)
            assert not OperatorAct.objects.exists(), (act, subject)


def test_an_act_that_nobody_knows_is_refused(press, heard):
    assert press("delete", "1").status_code == 404


@pytest.mark.parametrize("act", ["deadline", "bot"])
def test_what_breaks_off_changes_nothing_and_is_written_down_without_its_words(
    press, seated, heard, monkeypatch, act, caplog
):
    make = {"deadline": troubles.a_deadline_that_passed, "bot": troubles.a_bot_that_does_not_move}[act]
    _, _, pk = make(seated)

    def stumble(*thought, **time):
        raise LookupError("K♠ of ann@example.org")

    monkeypatch.setattr("gameplay.services.bots.think", stumble)
    moves = Table.objects.get(pk=pk).move_count
    answer = press(act, pk)
    assert (answer.status_code, "That failed (LookupError)" in answer.text) == (422, True)
    assert Table.objects.get(pk=pk).move_count == moves
    record = OperatorAct.objects.get()
    assert (record.subject, record.after) == (f"table:{pk}", {"error": "LookupError"})
    assert "♠" not in caplog.text + record.sentence


# Rights


def doors(table):
    return {
        "get": [
            "/operator/",
            "/operator/history/",
            f"/operator/tables/{table.pk}/",
            f"/operator/find/?table={table.pk}",
        ],
        "post": ["/operator/do/"],
    }


@pytest.mark.parametrize("name", ["nobody", "member", "superuser only", "closed"])
def test_for_everyone_else_the_page_is_not_found(person, seated, name):
    _, act, pk = troubles.a_deadline_that_passed(seated)
    client = Client()
    if name != "nobody":
        fields = {"superuser only": {"is_superuser": True}, "closed": {"is_staff": True}}.get(name, {})
        user = person("Eve", **fields)
        client.force_login(user)
        if name == "closed":
            User.objects.filter(pk=user.pk).update(is_active=False)
    for method, paths in doors(Table.objects.get(pk=pk)).items():
        for path in paths:
            answer = getattr(client, method)(
                path, {"act": act, "subject": pk, "sure": "yes"} if method == "post" else {}
            )
            assert answer.status_code == 404, path
            assert "<h1>Page not found</h1>" in answer.text
    assert not Move.objects.exists()
    assert not OperatorAct.objects.exists()


def test_the_doors_take_their_own_method_only(desk, seated, heard):
    table = seated()
    for method, paths in doors(table).items():
        other = "post" if method == "get" else "get"
        for path in paths:
            assert getattr(desk, other)(path).status_code == 405


def test_a_button_needs_the_token_of_a_page(olga, seated, heard):
    _, act, pk = troubles.a_deadline_that_passed(seated)
    client = Client(enforce_csrf_checks=True)
    client.force_login(olga)
    assert client.post("/operator/do/", {"act": act, "subject": pk, "sure": "yes"}).status_code == 403
    assert not Move.objects.exists()


def test_looking_changes_nothing(desk, seated, heard):
    for make in troubles.ALL:
        make(seated)
    table = Table.objects.filter(status="playing").first()
    before = digest()
    for path in doors(table)["get"]:
        assert desk.get(path, follow=True).status_code == 200
    assert digest() == before


# A table by its number


def test_a_table_is_found_by_its_number_and_by_its_address(desk, seated, heard):
    table = seated()
    address = f"/operator/tables/{table.pk}/"
    for text in (table.pk, table.slug, f"https://foothold.example{table.get_absolute_url()}", f" {table.slug} "):
        assert desk.get("/operator/find/", {"table": text}).url == address
    for text in ("", "x", "9" * 40, "²", table.pk + 99):
        answer = desk.get("/operator/find/", {"table": text})
        assert (answer.status_code, "Table not found" in answer.text) == (422, True)
    assert desk.get(f"/operator/tables/{'9' * 30}/").status_code == 404


def test_the_history_has_pages(desk, olga):
    for number in range(51):
        OperatorAct.objects.create(by=olga, kind="wake", subject="worker", sentence=f"Call {number}.")
    first, second = (desk.get("/operator/history/", {"page": page}).text for page in (1, 2))
    assert ("Call 50." in first, "Call 0." in first) == (True, False)
    assert ("Call 50." in second, "Call 0." in second) == (False, True)


def test_the_page_of_a_table_has_the_buttons_that_may_be_of_use(desk, seated, heard):
    def buttons(table_id):
        page = desk.get(f"/operator/tables/{table_id}/").text
        return re.findall(r'name="act" value="(\w+)"', page)

    assert buttons(seated(begun=False).pk) == []
    assert buttons(seated().pk) == ["check"]
    assert buttons(troubles.a_deadline_that_passed(seated)[2]) == ["deadline", "check"]
    assert buttons(troubles.a_bot_that_does_not_move(seated)[2]) == ["bot", "check"]
    _, act, pk = troubles.a_deal_that_nobody_begins(seated)
    assert buttons(pk) == ["deal", "check"]
    assert desk.post("/operator/do/", {"act": act, "subject": pk, "sure": "yes", "from": "table"}).url.endswith(
        f"/{pk}/"
    )
    assert Table.objects.get(pk=pk).deal_number == 2


def test_a_deal_that_a_clock_will_begin_is_not_begun(press, seated, heard):
    _, act, pk = troubles.a_deal_that_nobody_begins(seated)
    Table.objects.filter(pk=pk).update(deadline_at=troubles.timezone.now() + troubles.timedelta(hours=1))
    assert press(act, pk).status_code == 422
    assert Table.objects.get(pk=pk).deal_number == 1
