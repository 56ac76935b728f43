"""A person's own channels: added after a test, and sent what their email says, once."""

import ast
import json
from datetime import time, timedelta
from functools import partial
from pathlib import Path

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from accounts import privacy
from accounts.models import NoticeDelivery, NoticePlace, User
from accounts.notice_places import addresses, messages, sending, services, topics
from accounts.notice_places.topics import TURNS
from accounts.services import digests, notices
from clubs import notification_types as club_types
from gameplay import notification_types as table_types
from tests.accounts.conftest import NOON
from tests.accounts.test_notices import Refusing
from tests.at_once import at_once
from tests.web.test_channels import where
from tournaments import notification_types as event_types
from web import public_requests
from web.channels import email
from web.channels.known import CHANNELS
from web.channels.retries import GAPS
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db
EVERY = tuple(topics.TOPICS)
PAGE = "/you/channels/"
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def clock(request):
    if request.node.get_closest_marker("slow"):
        yield None
        return
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture(autouse=True)
def turns_are_wanted(kinds):
    """Notifications about turns are wanted, whatever their table."""
    notices.register("turn", TURNS)


@pytest.fixture
def place(ann, local):
    """A webhook of Ann's at the receiver, which gets everything."""
    return add(ann, local)


def add(by, local, path="hook", chosen=EVERY):
    place, _ = services.add(by, typed=f"{local.url}/{path}", chosen=chosen)
    local.requests.clear()
    return place


def place_of(user, local, channel):
    """A place of any channel, at the receiver."""
    sealed = addresses.seal(where(channel, local.url))
    return NoticePlace.objects.create(user=user, channel=channel, ending="0000", sealed=sealed, topics=list(EVERY))


def send(now=None):
    """What the sweepers do."""
    notices.send_due(now or timezone.now())
    sending.OUTBOX.send_due()


def titles(local):
    return [body["data"]["title"] for body in local.bodies]


# Topics


def kinds_in_code():
    """The kinds of notifications that our code names where it adds one."""
    for app in ("accounts", "gameplay", "tournaments", "clubs", "operating"):
        for path in (ROOT / app).rglob("*.py"):
            for call in ast.walk(ast.parse(path.read_text())):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "notices.add":
                    values = [word.value for word in call.keywords if word.arg == "kind"]
                    yield from (value.value for value in values if isinstance(value, ast.Constant))


def test_every_kind_of_notification_belongs_to_one_topic():
    club_types.register()
    known = {*table_types.KINDS, *event_types.KINDS, *notices._questions, *kinds_in_code()}
    assert known > {"invitation", "friend", "event_news", "club_ask"}
    assert {kind for kind in known if topics.of_kind(kind) not in topics.TOPICS} == set()


def test_turns_are_what_waits_for_the_player():
    assert {kind for kind in table_types.KINDS if topics.of_kind(kind) == "turns"} == table_types.TURN_KINDS


# Adding


def test_a_place_is_tested_and_added(ann, local):
    place, secret = services.add(ann, typed=f"{local.url}/hook", chosen=["clubs", "turns"])
    assert (place.user, place.channel, place.ending, place.topics) == (ann, "webhook", "hook", ["turns", "clubs"])
    assert secret.startswith("whsec_")
    assert titles(local) == ["Foothold"]


@pytest.mark.parametrize("status", [404, 429, 500, 302])
def test_what_fails_its_test_is_not_added_and_what_was_typed_stays(ann, signed_in, local, status):
    local.answer((status, {"Location": "http://10.0.0.1/"}, b""))
    answer = signed_in.post(PAGE, {"act": "add", "typed": f"{local.url}/hook", "topics": ["clubs"]})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert not NoticePlace.objects.exists()
    assert f'value="{local.url}/hook"' in page
    assert page.count(" checked") == 1
    assert "Webhook: " in page


def test_an_address_is_added_once_and_its_secret_shown_once(ann, signed_in, local):
    form = {"act": "add", "typed": f"{local.url}/hook", "topics": ["turns"]}
    assert b"whsec_" in signed_in.post(PAGE, form).content
    assert signed_in.post(PAGE, form).status_code == 302
    assert b"whsec_" not in signed_in.get(PAGE).content
    assert (NoticePlace.objects.count(), len(local.requests)) == (1, 1)


def test_its_address_is_stored_encrypted_and_shown_nowhere(ann, signed_in, local):
    place = add(ann, local, path="secret-path-1234")
    assert addresses.read(place)["url"].endswith("secret-path-1234")
    assert "secret-path" not in place.sealed
    page = signed_in.get(PAGE).content.decode()
    assert "1234" in page
    assert "secret-path" not in page + json.dumps(privacy.export(ann), default=str)


@pytest.mark.parametrize("typed", ["https://10.0.0.1/hook", "hello", "", "http://localhost/x"])
def test_an_address_that_is_none_is_refused(ann, typed):
    with pytest.raises(Refused) as refused:
        services.add(ann, typed=typed, chosen=EVERY)
    assert (refused.value.code, refused.value.details["field"]) == ("no_channel", "typed")


@pytest.mark.parametrize("chosen", [[], ["nonsense"]])
def test_something_must_go_there(ann, local, chosen):
    with pytest.raises(Refused) as refused:
        services.add(ann, typed=f"{local.url}/hook", chosen=chosen)
    assert (refused.value.details["field"], local.requests) == ("topics", [])


def test_a_person_has_three_at_most(ann, local):
    for number in range(services.MOST):
        add(ann, local, path=f"hook{number}")
    with pytest.raises(Refused) as refused:
        services.add(ann, typed=f"{local.url}/more", chosen=EVERY)
    assert (refused.value.code, local.requests) == ("too_many", [])


def test_guests_have_none(local):
    guest = User.objects.create(username="guest", is_guest=True)
    with pytest.raises(NotAllowed):
        services.add(guest, typed=f"{local.url}/hook", chosen=EVERY)


def test_the_page_is_for_people_with_an_account(client):
    assert client.get(PAGE).status_code == 302


# Changing


@pytest.mark.parametrize("act", ["save", "secret", "test", "pause", "resume", "remove"])
def test_nobody_else_can_change_a_place(place, local, person, client, act):
    client.force_login(person("Ben"))
    answer = client.post(PAGE, {"act": f"{act}:{place.pk}", "topics": ["clubs"]})
    assert answer.status_code == (302 if act == "remove" else 404)
    before = NoticePlace.objects.get()
    assert (before.topics, before.rest, before.sealed, local.requests) == (list(EVERY), "", place.sealed, [])


def test_topics_are_changed_and_a_refused_change_stays_on_the_page(place, signed_in):
    assert signed_in.post(PAGE, {"act": f"save:{place.pk}", "topics": ["clubs"]}).status_code == 302
    assert NoticePlace.objects.get().topics == ["clubs"]
    answer = signed_in.post(PAGE, {"act": f"save:{place.pk}"})
    assert answer.status_code == 422
    assert b"Choose what goes there." in answer.content


def test_a_place_has_a_name_and_without_one_its_channel_and_ending(place, signed_in):
    assert str(place) == "Webhook …hook"
    signed_in.post(PAGE, {"act": f"save:{place.pk}", "topics": ["clubs"], "name": "  Hall   screen "})
    assert str(NoticePlace.objects.get()) == "Hall screen"
    page = signed_in.get(PAGE).content.decode()
    assert "<bdi>Hall screen</bdi>" in page
    assert "Webhook," in page
    signed_in.post(PAGE, {"act": f"save:{place.pk}", "topics": ["clubs"], "name": ""})
    assert str(NoticePlace.objects.get()) == "Webhook …hook"


@pytest.mark.parametrize("name", ["x" * 61, "Hall\u202escreen"])
def test_a_name_that_cannot_be_shown_is_refused_and_stays_on_the_page(place, signed_in, name):
    answer = signed_in.post(PAGE, {"act": f"save:{place.pk}", "topics": ["clubs"], "name": name})
    assert answer.status_code == 422
    assert f'value="{name[:60]}"' in answer.content.decode()
    assert NoticePlace.objects.get().name == ""


def test_a_name_that_is_refused_loses_nothing_of_a_new_place(signed_in, local):
    form = {"act": "add", "typed": f"{local.url}/hook", "topics": ["clubs"], "name": "Hall\u202escreen"}
    page = signed_in.post(PAGE, form).content.decode()
    assert f'value="{local.url}/hook"' in page
    assert 'value="Hall\u202escreen"' in page
    assert (local.requests, NoticePlace.objects.count()) == ([], 0)


def test_a_new_secret_is_shown_once_and_signs_the_next_message(place, signed_in):
    page = signed_in.post(PAGE, {"act": f"secret:{place.pk}"}).content.decode()
    before, place.sealed = addresses.read(place), NoticePlace.objects.get().sealed
    after = addresses.read(place)
    assert before["url"] == after["url"]
    assert before["secret"] not in page
    assert page.count(after["secret"]) == 1
    assert after["secret"] not in signed_in.get(PAGE).content.decode()


def test_only_webhooks_have_a_secret(ann, signed_in, local):
    place = place_of(ann, local, "ntfy")
    assert "Signing secret" not in signed_in.get(PAGE).content.decode()
    answer = signed_in.post(PAGE, {"act": f"secret:{place.pk}"})
    assert answer.status_code == 422
    assert b"Only webhooks have a signing secret." in answer.content


def test_a_place_that_was_removed_elsewhere_is_politely_refused(place, signed_in):
    NoticePlace.objects.all().delete()
    answer = signed_in.post(PAGE, {"act": f"save:{place.pk}", "topics": ["clubs"]})
    assert answer.status_code == 404
    assert b"Channel not found." in answer.content


def test_a_test_is_sent_and_its_trouble_said(place, local, signed_in):
    assert signed_in.post(PAGE, {"act": f"test:{place.pk}"}).status_code == 302
    local.answer((404, {}, b""))
    answer = signed_in.post(PAGE, {"act": f"test:{place.pk}"})
    assert answer.status_code == 422
    assert b"It does not know this address." in answer.content
    assert len(local.requests) == 2


def test_nothing_goes_to_a_paused_place_nor_what_came_in_its_pause(ann, place, local, tell):
    tell(ann)
    notices.send_due(NOON)
    for _ in range(2):
        services.pause(ann, place.pk, rests=True)
    tell(ann, 2)
    send()
    for _ in range(2):
        services.pause(ann, place.pk, rests=False)
    send()
    assert local.requests == []
    tell(ann, 3)
    send()
    assert titles(local) == ["Table 3: your turn"]


def test_removing_deletes_address_and_messages_at_once_and_twice_does_no_harm(ann, place, tell, local):
    tell(ann)
    notices.send_due(NOON)
    for _ in range(2):
        services.remove(ann, place.pk)
    send()
    assert not NoticePlace.objects.exists()
    assert not NoticeDelivery.objects.exists()
    assert local.requests == []


def test_the_export_has_them_and_a_deleted_account_has_none(ann, place):
    (row,) = privacy.export(ann)["notice_places"]
    assert {name: row[name] for name in ("name", "channel", "ending", "rest")} == {
        "name": "",
        "channel": "webhook",
        "ending": "hook",
        "rest": "",
    }
    privacy.delete_account(ann)
    assert not NoticePlace.objects.exists()


# Writing


def test_what_is_sent_by_email_goes_there_too_once(ann, place, local, tell):
    tell(ann)
    for _ in range(2):
        send()
    assert titles(local) == ["Table 1: your turn"]
    assert len(mail.outbox) == 1


def test_only_its_topics_go_there(ann, local, tell):
    add(ann, local, chosen=["clubs"])
    tell(ann)
    send()
    assert local.requests == []


def test_people_without_email_and_push_get_it_there(ann, place, local, tell):
    User.objects.update(notice_email=False, notice_push=False)
    tell(ann)
    send()
    assert (titles(local), mail.outbox) == (["Table 1: your turn"], [])


def test_an_email_that_is_tried_again_is_not_sent_there_again(ann, place, local, tell, monkeypatch, clock):
    monkeypatch.setattr(email, "get_connection", Refusing)
    tell(ann)
    for _ in range(3):
        send()
        clock.shift(timedelta(hours=1))
    assert len(local.requests) == 1


def test_quiet_hours_hold(ann, place, local, tell, clock):
    User.objects.update(quiet_from=time(11), quiet_until=time(14))
    tell(ann)
    send()
    assert local.requests == []
    clock.move_to(NOON + timedelta(hours=2, minutes=1))
    send()
    assert len(local.requests) == 1


def test_a_message_that_is_late_waits_for_the_end_of_quiet_hours(ann, place, local, tell):
    tell(ann)
    notices.send_due(NOON)
    User.objects.update(quiet_from=time(11), quiet_until=time(14))
    sending.OUTBOX.send_due()
    assert local.requests == []
    assert NoticeDelivery.objects.get().due_at == NOON + timedelta(hours=2)


def test_people_with_one_email_a_day_get_one_message_a_day(ann, place, local, tell, monkeypatch):
    User.objects.update(notice_digest=True)
    tell(ann)
    tell(ann, 2)
    send()
    assert local.requests == []
    with monkeypatch.context() as mail_server:
        mail_server.setattr(email, "get_connection", Refusing)
        digests.send_digests(NOON)
    for _ in range(2):
        digests.send_digests(NOON)
        sending.OUTBOX.send_due()
    assert titles(local) == ["2 things wait for you"]
    assert len(mail.outbox) == 1


# Words


def test_a_message_has_title_body_and_address_of_its_notification_and_nothing_else(ann, place, local, tell):
    tell(ann, body="Play until Friday.")
    send()
    (body,) = local.bodies
    data = {"title": "Table 1: your turn", "text": "Play until Friday.", "url": "http://localhost:8000/tables/t1/"}
    words = "\n\n".join(data.values())
    assert (body["type"], body["data"]) == ("notification", {**data, "words": words})


def test_several_are_one_message_with_the_same_of_each(ann, tell):
    rows = [tell(ann, body="Play until Friday."), tell(ann, 2)]
    message = messages.message_of(ann, rows, "k")
    assert (message.key, message.kind, message.picture) == ("k", "notification", "")
    assert message.title == "2 things wait for you"
    assert message.text.splitlines() == [
        "Table 1: your turn",
        "Play until Friday.",
        "http://localhost:8000/tables/t1/",
        "",
        "Table 2: your turn",
        "http://localhost:8000/tables/t2/",
    ]


def test_a_message_is_in_the_language_of_its_person(ann, tell):
    ann.language = "de"
    title = messages.message_of(ann, [tell(ann), tell(ann, 2)], "k").title
    assert title != "2 things wait for you"


def test_what_is_no_longer_wanted_is_left_out(ann, place, local, tell):
    notices.register("turn", TURNS, lambda notice: True)
    tell(ann)
    tell(ann, 2)
    notices.send_due(NOON)
    notices.register("turn", TURNS, lambda notice: notice.subject == "table:2")
    sending.OUTBOX.send_due()
    assert titles(local) == ["Table 2: your turn"]


def test_if_nothing_is_wanted_nothing_is_sent(ann, place, local, tell):
    tell(ann)
    notices.send_due(NOON)
    notices.register("turn", TURNS, lambda notice: False)
    sending.OUTBOX.send_due()
    assert local.requests == []
    assert not NoticeDelivery.objects.exists()


def test_news_that_is_wanted_once_is_sent_there_too(ann, place, local, tell):
    notices.register("club_news", topics.CLUBS, club_types.is_news)
    tell(ann, kind="club_news")
    send()
    assert len(local.requests) == 1


# Sending

every_channel = pytest.mark.parametrize("channel", sorted(CHANNELS))


@every_channel
def test_each_channel_takes_them(ann, local, tell, channel):
    place_of(ann, local, channel)
    tell(ann)
    send()
    assert NoticeDelivery.objects.get().status == "sent"
    assert len(local.requests) == 1


def test_a_failure_is_tried_again_with_growing_gaps_then_the_place_rests_and_its_person_is_told(
    ann, place, local, tell, clock
):
    local.answer((500, {}, b""))
    tell(ann)
    notices.send_due()
    for gap in GAPS:
        sending.OUTBOX.send_due()
        delivery = NoticeDelivery.objects.get()
        assert (delivery.status, delivery.due_at - timezone.now()) == ("waiting", gap)
        clock.move_to(delivery.due_at)
    sending.OUTBOX.send_due()
    sending.OUTBOX.send_due()
    delivery.refresh_from_db()
    place.refresh_from_db()
    assert (delivery.status, place.rest, len(local.requests)) == ("failed", "failed", 4)
    mail.outbox.clear()
    send()
    assert [message.subject for message in mail.outbox] == ["Webhook …hook gets no more notifications"]


def test_a_message_that_failed_once_is_taken_later(ann, place, local, tell, clock):
    local.answer((500, {}, b""), (200, {}, b"{}"))
    tell(ann)
    send()
    clock.shift(GAPS[0])
    send()
    assert (NoticeDelivery.objects.get().status, len(local.requests)) == ("sent", 2)


def test_a_place_that_is_gone_rests_at_once(ann, place, local, tell):
    local.answer((410, {}, b""))
    tell(ann)
    send()
    assert (NoticePlace.objects.get().rest, len(local.requests)) == ("failed", 1)


@every_channel
def test_without_an_answer_it_is_sent_again_only_where_that_cannot_double_it(ann, local, tell, channel, monkeypatch):
    monkeypatch.setattr(public_requests, "TIMEOUT", 0.05)
    local.answer(lambda connection: connection.recv(1))
    place_of(ann, local, channel)
    tell(ann)
    send()
    delivery = NoticeDelivery.objects.get()
    expected = "waiting" if CHANNELS[channel].knows_again else "unsure"
    assert (delivery.status, delivery.trouble) == (expected, "no_answer")


@every_channel
def test_a_sending_that_broke_off_is_sent_again_only_where_that_cannot_double_it(ann, local, tell, channel):
    place_of(ann, local, channel)
    tell(ann)
    notices.send_due()
    NoticeDelivery.objects.update(status="sending")
    sending.OUTBOX.send_due()
    expected = ("sent", 1) if CHANNELS[channel].knows_again else ("unsure", 0)
    assert (NoticeDelivery.objects.get().status, len(local.requests)) == expected


def test_a_worker_that_looked_before_another_one_claimed_it_changes_nothing(ann, place, tell):
    tell(ann)
    notices.send_due()
    NoticeDelivery.objects.update(status="sending", attempts=1)
    seen = NoticeDelivery.objects.get()
    NoticeDelivery.objects.update(attempts=2)
    assert not sending.OUTBOX.settle(seen, "unsure", "broke_off")
    assert NoticeDelivery.objects.get().status == "sending"


def test_a_redirect_into_our_network_is_not_followed(ann, place, local, tell):
    local.answer((302, {"Location": f"{local.url}/inner"}, b""))
    tell(ann)
    send()
    assert NoticeDelivery.objects.get().trouble == "redirect"
    assert [path for _, path, _, _ in local.requests] == ["/hook"]


def test_an_error_that_nobody_thought_of_counts_as_a_failure(ann, place, tell, monkeypatch):
    monkeypatch.setattr(type(CHANNELS["webhook"]), "_send", lambda *args: 1 / 0)
    tell(ann)
    send()
    delivery = NoticeDelivery.objects.get()
    assert (delivery.status, delivery.trouble) == ("waiting", "broke_off")


def test_an_address_that_can_no_longer_be_read_rests(ann, place, tell, local):
    NoticePlace.objects.update(sealed="nonsense")
    tell(ann)
    send()
    assert NoticePlace.objects.get().rest == "failed"
    assert local.requests == []


def test_a_stopped_account_gets_nothing(ann, place, tell, local):
    tell(ann)
    notices.send_due()
    User.objects.update(is_active=False)
    sending.OUTBOX.send_due()
    assert local.requests == []


def test_the_page_says_if_messages_come(ann, place, tell, local, signed_in):
    tell(ann)
    send()
    assert b"\xe2\x9c\x93 sent, Wed 6 May 12:00" in signed_in.get(PAGE).content
    local.answer((410, {}, b""))
    tell(ann, 2)
    send()
    page = signed_in.get(PAGE).content.decode()
    assert "paused because it failed" in page
    assert "It does not know this address." in page


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_time_send_nothing_twice(ann, local, tell):
    add(ann, local)
    for number in range(3):
        tell(ann, number)
        notices.send_due()
    assert at_once(*[partial(sending.OUTBOX.send_due)] * 4) == [None] * 4
    assert len(local.requests) == 3
