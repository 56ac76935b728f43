"""Channels: each reads its address, keeps to its limit, sends what is shown, and says why it failed."""

import base64
import hashlib
import hmac
import json
import time
from dataclasses import replace
from urllib.parse import unquote

import pytest

from tests import browsers
from tests.mail_server import mail_server
from web import public_requests
from web.channels import by_hand, email, web_push
from web.channels.interface import Failed, Message
from web.channels.known import CHANNELS, SENT_BY_THE_SITE, recognise
from web.channels.posting import in_limit
from web.channels.troubles import TROUBLES, Then, follows, sentence_of

MESSAGE = Message(
    "7-1", "standings", "Harbour: matchday 6", "1. Vermeer / Falk, 11\n2. <Ann> & *Ben*, 10", "https://x.org/h"
)
BOT = "123456789:AAbbCCddEEffGGhhIIjjKKllMMnnOOppQQr"
SECRET = "whsec_" + base64.b64encode(b"a secret of 24 bytes, ok").decode()

ADDRESSES = {
    "https://discord.com/api/webhooks/123/abc-DEF_9": "discord",
    "https://discordapp.com/api/webhooks/123/abc": "discord",
    "https://hooks.slack.com/services/T0/B0/abc": "slack",
    "https://discord.com/api/webhooks/123/abc?wait=true&thread_id=7": "discord",
    "https://discord.com/api/webhooks/123/abc/slack": "discord",
    "https://hooks.slack.com/services/T0/B0/abc?x=1": "slack",
    f"{BOT} @harbour_hf": "telegram",
    f"{BOT}  -1001234567890": "telegram",
    f"https://api.telegram.org/bot{BOT}/sendMessage?chat_id=@harbour": "telegram",
    "https://ntfy.sh/harbour-9xk2": "ntfy",
    "https://ntfy.example.org/harbour tk_abc": "ntfy",
    "https://matrix.org !room:matrix.org syt_abcdefghij": "matrix",
    "!room:example.org syt_abcdefghij": "matrix",
    "https://example.org/hook?x=1": "webhook",
}


def where(name, url):
    """The address of a channel at a receiver."""
    return {
        "discord": {"url": f"{url}/api/webhooks/1/t"},
        "slack": {"url": f"{url}/services/T"},
        "telegram": {"base": url, "token": BOT, "chat": "@harbour"},
        "ntfy": {"server": url, "topic": "harbour", "token": "tk_a"},
        "matrix": {"server": url, "room": "!room:example.org", "token": "syt_a"},
        "webhook": {"url": f"{url}/hook", "secret": SECRET},
        "web_push": {"endpoint": f"{url}/send/abc", **browsers.KEYS},
    }[name]


def send(name, local, message=MESSAGE):
    (CHANNELS | SENT_BY_THE_SITE)[name].send(message, where(name, local.url))


every_channel = pytest.mark.parametrize("name", sorted(CHANNELS))
every_receiver = pytest.mark.parametrize("name", sorted([*CHANNELS, "web_push"]))


@pytest.mark.parametrize(("typed", "name"), ADDRESSES.items())
def test_the_channel_is_known_from_its_address(typed, name):
    channel, parts = recognise(f"  {typed}\n")
    assert channel.name == name
    assert all(isinstance(part, str) for part in parts.values())


@pytest.mark.parametrize(
    "typed",
    ["", "harbour", "http://example.org/x", "https://127.0.0.1/x", "https://ntfy.internal/topic x", BOT, "x" * 1001,
     "!room:example.org", "https://example.org/a b", "javascript:alert(1)",
     "ann@example.org", "mailto:ann@example.org", "https://ntfy.sh/harbour tk_ab\u0107", "!room:example.org syt_abcdefgh\u0107\u0107"],
)  # fmt: skip
def test_other_addresses_are_of_no_channel(typed):
    assert recognise(typed) is None


@pytest.mark.parametrize(
    ("name", "method", "path"),
    [
        ("discord", "POST", "/api/webhooks/1/t?wait=true"),
        ("slack", "POST", "/services/T"),
        ("telegram", "POST", f"/bot{BOT}/sendMessage"),
        ("ntfy", "POST", "/"),
        ("matrix", "PUT", "/_matrix/client/v3/rooms/!room:example.org/send/m.room.message/7-1"),
        ("webhook", "POST", "/hook"),
        ("web_push", "POST", "/send/abc"),
    ],
)
def test_a_message_goes_to_its_address(local, name, method, path):
    send(name, local)
    ((used, to, _, _),) = local.requests
    assert (used, unquote(to)) == (method, path)


WORDS = "Harbour: matchday 6\n\n1. Vermeer / Falk, 11\n2. <Ann> & *Ben*, 10\n\nhttps://x.org/h"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "discord",
            {
                "content": "Harbour: matchday 6\n\n1\\. Vermeer / Falk, 11\n2\\. <Ann\\> & \\*Ben\\*, 10\n\nhttps://x.org/h",
                "allowed_mentions": {"parse": []},
            },
        ),
        ("slack", {"text": WORDS.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"), "mrkdwn": False}),
        ("telegram", {"chat_id": "@harbour", "text": WORDS}),
        ("matrix", {"msgtype": "m.text", "body": WORDS}),
        (
            "ntfy",
            {
                "topic": "harbour",
                "title": "Harbour: matchday 6",
                "message": WORDS.partition("\n\n")[2],
                "click": "https://x.org/h",
            },
        ),
    ],
)
def test_the_words_arrive_as_they_are_shown(local, name, content):
    send(name, local)
    assert local.bodies == [content]


PICTURE = "https://x.org/pictures/h.png"


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("discord", {"embeds": [{"image": {"url": PICTURE}}]}),
        (
            "slack",
            {
                "unfurl_links": False,
                "attachments": [{"blocks": [{"type": "image", "image_url": PICTURE, "alt_text": MESSAGE.title}]}],
            },
        ),
        ("telegram", {"link_preview_options": {"url": PICTURE, "prefer_large_media": True}}),
        ("ntfy", {"attach": PICTURE}),
        ("matrix", {"foothold.picture": PICTURE}),
    ],
)
def test_the_picture_goes_with_the_message(local, name, part):
    send(name, local, replace(MESSAGE, picture=PICTURE))
    assert local.bodies[0].items() >= part.items()


def test_a_webhook_gets_the_address_of_the_picture(local):
    send("webhook", local, replace(MESSAGE, picture=PICTURE))
    assert local.bodies[0]["data"]["picture"] == PICTURE


def test_a_thread_of_discord_is_kept(local):
    _, parts = recognise("https://discord.com/api/webhooks/1/t?thread_id=7&x=2")
    CHANNELS["discord"].send(MESSAGE, {**parts, "url": f"{local.url}/api/webhooks/1/t"})
    assert local.requests[0][1] == "/api/webhooks/1/t?wait=true&thread_id=7"


def test_the_link_on_discord_shows_no_second_picture(local):
    send("discord", local, replace(MESSAGE, picture=PICTURE))
    assert local.bodies[0]["content"].endswith("\n\n<https://x.org/h>")


@every_channel
def test_a_message_that_is_refused_with_its_picture_goes_without(local, name):
    local.answer((400, {}, b""), (200, {}, b""))
    CHANNELS[name].deliver(replace(MESSAGE, picture=PICTURE), where(name, local.url))
    with_picture, without = (body for _, _, _, body in local.requests)
    assert PICTURE.encode() in with_picture
    assert PICTURE.encode() not in without


def test_a_webhook_is_signed_as_standard_webhooks_has_it(local):
    send("webhook", local)
    _, _, headers, body = local.requests[0]
    at = headers["webhook-timestamp"]
    signed = hmac.new(base64.b64decode(SECRET[6:]), b".".join([b"7-1", at.encode(), body]), hashlib.sha256).digest()
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(signed).decode()}"
    assert headers["webhook-id"] == "7-1"
    assert abs(int(at) - time.time()) < 300
    content = json.loads(body)
    assert content["type"] == "standings"
    assert content["data"]["words"] == WORDS


def test_each_webhook_gets_a_secret_of_its_own():
    first, second = (recognise("https://example.org/hook")[1]["secret"] for _ in range(2))
    assert first != second
    assert len(base64.b64decode(first.removeprefix("whsec_"))) == 24


@every_channel
def test_a_long_message_keeps_to_the_limit_and_keeps_its_address(local, name):
    lines = "\n".join(f"{number}. Vermeer & Fälk \U0001f0cf *x*" * 40 for number in range(60))
    long = Message("1", "standings", "Harbour", lines, "https://x.org/h")
    send(name, local, long)
    words = CHANNELS[name].write(long)
    assert words.endswith("…\n\nhttps://x.org/h")
    most = {"discord": 2000, "slack": 3000, "telegram": 4096, "ntfy": 4096, "matrix": 16000, "webhook": 16000}[name]
    assert len(words) <= most
    body = local.bodies[0]
    if name == "ntfy":
        assert len(body["message"].encode()) <= most
    if name in ("discord", "slack"):
        assert len(body["content" if name == "discord" else "text"]) <= most


def test_a_message_of_which_nothing_fits_is_its_address():
    assert in_limit(Message("1", "news", "x" * 50, "", "https://x.org/h"), 20) == "https://x.org/h"


@every_receiver
@pytest.mark.parametrize(
    ("status", "trouble", "then"),
    [
        (500, "server_error", Then.AGAIN),
        (503, "server_error", Then.AGAIN),
        (504, "no_answer", Then.ASK),
        (429, "busy", Then.AGAIN),
        (404, "gone", Then.END),
        (410, "gone", Then.END),
        (400, "refused", Then.END),
        (302, "redirect", Then.END),
    ],
)
def test_every_channel_says_why_it_failed(local, name, status, trouble, then):
    local.answer((status, {"Location": "http://10.0.0.1/"}, b"not json"))
    with pytest.raises(Failed) as failed:
        send(name, local)
    assert failed.value.trouble == trouble
    assert follows(trouble) is then
    assert len(local.requests) == 1


@pytest.mark.parametrize("status", [401, 403])
@every_receiver
def test_an_address_that_is_not_let_in_is_gone_except_where_we_are_meant(local, name, status):
    local.answer((status, {}, b""))
    with pytest.raises(Failed) as failed:
        send(name, local)
    assert failed.value.trouble == ("refused" if name == "web_push" else "gone")


@every_receiver
def test_silence_is_no_answer(local, name, monkeypatch):
    monkeypatch.setattr(public_requests, "TIMEOUT", 0.05)
    local.answer(lambda connection: connection.recv(1))
    with pytest.raises(Failed) as failed:
        send(name, local)
    assert failed.value.trouble == "no_answer"
    assert BOT not in str(failed.value.__context__)


@pytest.mark.parametrize(
    ("name", "headers", "body", "after"),
    [
        ("discord", {"Retry-After": "64.5"}, b"", 64.5),
        ("slack", {"Retry-After": "30"}, b"", 30),
        ("slack", {"Retry-After": "soon"}, b"", None),
        ("slack", {"Retry-After": "-5"}, b"", None),
        ("slack", {"Retry-After": "Mon, 01 Jan 2001 00:00:00 GMT"}, b"", None),
        ("telegram", {}, b'{"ok": false, "parameters": {"retry_after": 35}}', 35),
        ("telegram", {}, b'{"parameters": {"retry_after": "x"}}', None),
        ("matrix", {}, b'{"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 2000}', 2),
        ("matrix", {}, b'{"retry_after_ms": NaN}', None),
        ("matrix", {}, b"[1]", None),
        ("matrix", {}, b'{"retry_after_ms": 1' + b"0" * 400 + b"}", None),
        ("webhook", {}, b"[" * 60_000, None),
    ],
)
def test_how_long_to_wait_is_read_from_the_answer(local, name, headers, body, after):
    local.answer((429, headers, body))
    with pytest.raises(Failed) as failed:
        send(name, local)
    assert failed.value.after == after


def test_every_trouble_is_a_sentence():
    assert all(sentence_of(trouble).endswith(".") for trouble in TROUBLES)
    assert sentence_of("") == ""


def test_whatsapp_opens_with_the_words():
    assert by_hand.link(MESSAGE).startswith("https://wa.me/?text=Harbour%3A%20matchday%206%0A%0A1.")


# Email and web push


def test_they_are_no_channels_of_places():
    assert set(SENT_BY_THE_SITE) == {"email", "web_push"}
    assert not set(SENT_BY_THE_SITE) & set(CHANNELS)
    assert [channel.read("ann@example.org") for channel in SENT_BY_THE_SITE.values()] == [None, None]


def test_a_push_has_the_message_for_its_browser_alone(local):
    send("web_push", local)
    _, _, headers, body = local.requests[0]
    assert browsers.read(body) == {"title": MESSAGE.title, "body": MESSAGE.text, "url": MESSAGE.url, "tag": MESSAGE.key}
    assert b"Vermeer" not in body
    assert (headers["Content-Encoding"], headers["TTL"]) == ("aes128gcm", "86400")
    assert web_push.public_key() in headers["Authorization"]


@pytest.mark.parametrize("line", ["Fälk \U0001f0cf\n", 'x"\\\n', "x"])
def test_a_long_push_keeps_to_the_limit_of_its_service(local, line):
    long = replace(MESSAGE, title="T" * 300, text=line * 5000)
    send("web_push", local, long)
    _, _, _, body = local.requests[0]
    assert 4000 < len(body) <= 4096
    assert browsers.read(body)["body"].endswith("…")
    assert web_push.write(long) == "T" * 200 + "\n\n" + browsers.read(body)["body"]


@pytest.mark.parametrize(
    "endpoint", ["https://10.0.0.1/send", "https://localhost/send", "http://push.example.org/send"]
)
def test_nothing_is_pushed_to_a_private_address(endpoint):
    with pytest.raises(Failed) as failed:
        web_push.send(MESSAGE, {"endpoint": endpoint, **browsers.KEYS})
    assert failed.value.trouble == "not_reached"


@pytest.fixture
def inbox():
    with mail_server(timeout=0.2) as running:
        yield running


TO_ANN = {"to": "ann@example.org", "stop": "https://x.org/stop", "message_id": "<notice-1@x.org>"}


def test_an_email_arrives_as_it_is_written(inbox):
    email.CHANNEL.deliver(MESSAGE, TO_ANN)
    (arrived,) = inbox.messages
    assert "\n".join(arrived.get_content().splitlines()) == WORDS.partition("\n\n")[2]
    assert email.write(MESSAGE) == WORDS
    expected = {
        "Subject": MESSAGE.title,
        "To": "ann@example.org",
        "List-Unsubscribe": "<https://x.org/stop>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
        "Message-ID": "<notice-1@x.org>",
    }
    assert {name: arrived[name] for name in expected} == expected


def test_a_name_cannot_add_a_header(inbox):
    email.CHANNEL.deliver(replace(MESSAGE, title="Ann\r\nBcc: eve@example.org"), TO_ANN)
    (arrived,) = inbox.messages
    assert (arrived["Subject"], arrived["Bcc"]) == ("Ann Bcc: eve@example.org", None)


@pytest.mark.parametrize(
    ("answers", "trouble"),
    [
        ({"RCPT": "550 5.1.1 unknown"}, "gone"),
        ({"RCPT": "451 4.2.1 later"}, "busy"),
        ({"MAIL": "451 4.7.1 later"}, "busy"),
        ({"END": "452 4.3.1 full"}, "busy"),
        ({"END": "554 5.7.1 spam"}, "refused"),
        ({"DATA": "554 5.7.1 no"}, "refused"),
        ({"CONNECT": "421 4.3.2 closing"}, "not_reached"),
        ({"END": None}, "no_answer"),
    ],
)
def test_the_answer_of_the_mail_server_says_why_an_email_failed(inbox, answers, trouble):
    inbox.answers.update(answers)
    with pytest.raises(Failed) as failed:
        email.CHANNEL.deliver(MESSAGE, TO_ANN)
    assert (failed.value.trouble, inbox.messages) == (trouble, [])


def test_a_mail_server_that_is_away_is_not_reached(inbox, settings):
    settings.EMAIL_PORT = 1
    with pytest.raises(Failed) as failed:
        email.CHANNEL.deliver(MESSAGE, TO_ANN)
    assert failed.value.trouble == "not_reached"


def test_only_an_address_that_is_unknown_is_dropped(inbox):
    letter = email.letter("ann@example.org", "Hello", "Hello.")
    assert email.post_or_drop(letter)
    inbox.answers["RCPT"] = "550 5.1.1 unknown"
    assert not email.post_or_drop(letter)
    inbox.answers["RCPT"] = "451 4.2.1 later"
    with pytest.raises(Failed):
        email.post_or_drop(letter)
