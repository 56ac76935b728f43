"""Web push: where it may post, its messages, and browsers that are gone."""

import pytest

from accounts.models import PushSubscription
from accounts.services import push
from tests import browsers
from web import public_requests
from web.errors import Refused

pytestmark = pytest.mark.django_db

ENDPOINT = "https://push.example.org/send/abc"
P256DH = "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"
AUTH = "tBHItJI5svbpez7KI4CCXg"
KEYS = {"endpoint": ENDPOINT, "p256dh": P256DH, "auth": AUTH}


@pytest.fixture
def subscribed(ann, local):
    """A browser of Ann's, whose push service is the receiver."""
    return subscribe(ann, local)


def subscribe(user, local, path="/send/abc"):
    return push.subscribe(user, endpoint=f"{local.url}{path}", **browsers.KEYS)


def messages(local):
    return [browsers.read(body) for _, _, _, body in local.requests]


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://localhost/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://10.0.0.8/x",
        "https://192.168.1.1/x",
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:127.0.0.1]/x",
        "https://2130706433/x",
        "https://127.1/x",
        "https://0x7f.0.0.1/x",
        "https://database/x",
        "https://metadata.google.internal/x",
        "https://printer.local/x",
        "https://push.example.org:8443/x",
        "https://push.example.org:99999/x",
        "https://someone@push.example.org/x",
        "ftp://push.example.org/x",
        "javascript:alert(1)",
        "https://push.example.org/" + "x" * 500,
        "",
    ],
)
def test_addresses_that_lead_elsewhere_are_refused(ann, endpoint):
    with pytest.raises(Refused) as refused:
        push.subscribe(ann, endpoint=endpoint, p256dh=P256DH, auth=AUTH)
    assert refused.value.code == "push_endpoint"


@pytest.mark.parametrize("keys", [{"p256dh": "short"}, {"auth": "!!"}, {"auth": ""}])
def test_keys_that_are_none_are_refused(ann, keys):
    with pytest.raises(Refused):
        push.subscribe(ann, **{**KEYS, **keys})


def test_a_browser_belongs_to_the_last_user(ann, person):
    ben = person("Ben")
    push.subscribe(ann, **KEYS)
    push.subscribe(ben, **KEYS)
    assert list(PushSubscription.objects.values_list("user__display_name", flat=True)) == ["Ben"]


def test_the_oldest_browser_makes_room(ann):
    for number in range(push.MOST + 1):
        push.subscribe(ann, **{**KEYS, "endpoint": f"{ENDPOINT}{number}"})
    endpoints = ann.push_subscriptions.values_list("endpoint", flat=True)
    assert len(endpoints) == push.MOST
    assert f"{ENDPOINT}0" not in endpoints


def test_one_message_a_browser(ann, tell, local, subscribed):
    push.send(ann, [tell(ann, 1), tell(ann, 2)])
    assert messages(local) == [
        {
            "title": "2 things wait for you",
            "body": "Table 1: your turn\nTable 2: your turn",
            "url": "/play/",
            "tag": "several",
        }
    ]


def test_a_single_notice_leads_to_its_table(ann, tell, local, subscribed):
    push.send(ann, [tell(ann)])
    assert messages(local) == [{"title": "Table 1: your turn", "body": "", "url": "/tables/t1/", "tag": "table:1"}]


def test_who_wants_no_push_gets_none(person, tell, local):
    ann = person(notice_push=False)
    subscribe(ann, local)
    push.send(ann, [tell(ann)])
    assert local.requests == []


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(ann, tell, local, subscribed, status):
    local.answer((status, {}, b""))
    push.send(ann, [tell(ann)])
    assert ann.push_subscriptions.count() == 0


@pytest.mark.parametrize("status", [302, 400, 401, 403, 413, 429, 500])
def test_trouble_is_counted_and_success_forgives_it(ann, tell, local, subscribed, status):
    local.answer((status, {"Location": f"{local.url}/inner"}, b""), (201, {}, b""))
    push.send(ann, [tell(ann)])
    assert (ann.push_subscriptions.get().failures, len(local.requests)) == (1, 1)
    push.send(ann, [tell(ann)])
    assert ann.push_subscriptions.get().failures == 0


def test_a_service_that_hangs_or_breaks_stops_nothing(ann, tell, local, monkeypatch):
    monkeypatch.setattr(public_requests, "TIMEOUT", 0.05)
    for number in range(2):
        subscribe(ann, local, f"/send/{number}")
    local.answer(lambda connection: connection.recv(1))
    push.send(ann, [tell(ann)])
    assert len(local.requests) == 2
    assert set(ann.push_subscriptions.values_list("failures", flat=True)) == {1}


def test_a_browser_that_fails_again_and_again_is_forgotten(ann, tell, local, subscribed):
    ann.push_subscriptions.update(failures=push.MOST_FAILURES - 1)
    local.answer((500, {}, b""))
    push.send(ann, [tell(ann)])
    assert ann.push_subscriptions.count() == 0


def test_keys_that_nobody_can_encrypt_for_count_as_a_failure(ann, tell, local, subscribed):
    ann.push_subscriptions.update(p256dh="A" * 87)
    push.send(ann, [tell(ann)])
    assert (ann.push_subscriptions.get().failures, local.requests) == (1, [])


class TestDoors:
    def test_subscribe_and_unsubscribe(self, signed_in, ann):
        assert signed_in.post("/you/push/subscribe/", KEYS).status_code == 204
        assert ann.push_subscriptions.count() == 1
        assert signed_in.post("/you/push/unsubscribe/", {"endpoint": ENDPOINT}).status_code == 204
        assert signed_in.post("/you/push/unsubscribe/", {"endpoint": ENDPOINT}).status_code == 204
        assert ann.push_subscriptions.count() == 0

    def test_a_refusal_is_json(self, signed_in):
        response = signed_in.post("/you/push/subscribe/", {**KEYS, "endpoint": "https://127.0.0.1/"})
        assert response.status_code == 422
        assert response.json()["code"] == "push_endpoint"
        assert signed_in.post("/you/push/subscribe/", {}).json()["code"] == "push_keys"

    def test_signing_out_ends_it_for_this_browser_only(self, signed_in, ann):
        push.subscribe(ann, **{**KEYS, "endpoint": f"{ENDPOINT}0"})
        signed_in.post("/you/push/subscribe/", KEYS)
        signed_in.post("/accounts/logout/")
        assert list(ann.push_subscriptions.values_list("endpoint", flat=True)) == [f"{ENDPOINT}0"]

    def test_nobody_unsubscribes_another(self, client, ann, person):
        push.subscribe(ann, **KEYS)
        client.force_login(person("Ben"))
        client.post("/you/push/unsubscribe/", {"endpoint": ENDPOINT})
        assert ann.push_subscriptions.count() == 1

    def test_all_devices_at_once(self, signed_in, ann):
        push.subscribe(ann, **KEYS)
        assert signed_in.post("/you/push/forget/").url == "/you/"
        assert ann.push_subscriptions.count() == 0

    @pytest.mark.parametrize("act", ["subscribe", "unsubscribe", "forget"])
    def test_strangers_and_other_methods(self, client, ann, act):
        assert client.post(f"/you/push/{act}/", KEYS).status_code == 302
        client.force_login(ann)
        assert client.get(f"/you/push/{act}/").status_code == 405
