"""Hostile names of people, tables and messages stay text on every page."""

import json
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.template.loader import get_template

from accounts.models import User
from accounts.templatetags.people import avatar
from gameplay.models import Table
from gameplay.services import invitations, seating
from tests.security.site_map import Page, crawl, is_page
from tests.security.test_headers import inline_parts

pytestmark = pytest.mark.django_db

HOSTILE = {
    "an element": "\"'--></title></script><zz onload=zz(1)>",
    "htmx": "'\" hx-get=//zz.example hx-trigger=load zz",
    "an address": "javascript:zz(1)//",
    "a template": "{{ zz }}{% load zz %}&lt;zz&gt;<svg/onload=zz(1)>",
}
"""Each short enough to be a name, and made to break out of text, of either kind of quotes, and of a script at once."""


def signs_of_injection(page):
    """Elements and attributes that only hostile text would bring, and addresses that lead away."""
    signs = inline_parts(page)
    refused = [attributes for _, attributes in page.elements if attributes.get("aria-invalid") == "true"]
    for tag, attributes in page.elements:
        # The first field that was refused has the cursor; nothing else may take it.
        takes_cursor = "autofocus" in attributes and attributes is not next(iter(refused), None)
        if "zz" in tag or takes_cursor or any("zz" in name for name in attributes):
            signs.append((tag, attributes))
        for name, value in attributes.items():
            plain = name.removeprefix("data-")
            if plain in ("hx-get", "hx-post", "hx-put", "hx-patch", "hx-delete") and (value or "/")[0] not in "/?":
                signs.append((tag, name, value))
            if plain in ("href", "src", "action", "formaction") and not is_address(value or ""):
                signs.append((tag, name, value))
    return signs


def is_address(value):
    """An address on this site, a place on the page, or one of the few that lead to public knowledge."""
    if is_message(value):
        return True
    leads_away = value.startswith("//") or value.partition(":")[0].casefold() in ("javascript", "data", "vbscript")
    return not leads_away and "zz.example" not in value


def is_message(value):
    """Whether it opens WhatsApp, a text message or a search on a map with a text, quoted, which leads nowhere by itself."""
    keys = {"https://wa.me/?": ["text"], "sms:?": ["body"], "https://www.openstreetmap.org/search?": ["query"]}
    parts = urlsplit(value)
    expected = next((key for start, key in keys.items() if value.startswith(start)), None)
    return expected is not None and not parts.fragment and list(parse_qs(parts.query)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(set(HOSTILE) - {"an element"}))
def test_hostile_text_stays_text_on_every_page(site, kind):
    """Ann’s pages, because she is shown most; with an element in it, test_every_answer.py shows it to everyone."""
    text = HOSTILE[kind]
    site = site(text)
    count = 0
    for name, path, answer in crawl(site, people=("Ann",)):
        if is_page(answer):
            markup = answer.content.decode()
            count += text[:20] in unescape(markup)
            assert signs_of_injection(Page(markup)) == [], (name, path)
        else:
            assert answer["X-Content-Type-Options"] == "nosniff"
    assert count > 20


def test_these_tests_would_see_what_is_not_escaped():
    for kind, text in HOSTILE.items():
        for markup in ('<p title="{}">', "<p title='{}'>", '<a href="{}">') if kind != "a template" else ("<p>{}</p>",):
            if kind != "an address" or "href" in markup:
                assert signs_of_injection(Page(markup.format(text))), (kind, markup)


@pytest.mark.slow
def test_what_was_typed_and_refused_comes_back_as_text(site):
    site = site()
    client = site.clients["Ann"]
    room, table = f"/tables/{site.gathering.slug}", f"/tables/{site.playing.slug}"
    for text in HOSTILE.values():
        forms = {
            "/you/": {"display_name": text * 9, "time_zone": text},
            "/you/tokens/": {"name": text * 9, "scopes": text},
            "/you/absences/": {"first": text, "last": text},
            "/tables/new/": {"name": text, "preset": text, "shape": text, "invite": text, "rule-decks": text},
            "/tables/new/sheet/": {"name": text, "preset": "standard", "rule-opening.by_deal": text},
            f"{room}/invite/": {"who": text},
            f"{room}/phrase/": {"phrase": text * 90},
            f"{room}/seat/": {"seat": text},
            f"{table}/chat/": {"text": text},
            f"{table}/report/": {"reason": text * 90},
            f"{table}/notes/": {"note": text * 900},
            f"{table}/standing/": {"draw": text, "pile_from": text, "answer": text},
            f"{table}/pause/": {"act": text},
            f"{table}/move/": {"moves": text, "seen": text, "key": text},
            f"{table}/order/": {"by": text, "cards": text},
            "/records/": {"record": text, "step": text},
            "/practice/": {"ruleset": text, "level": text},
            "/accounts/login/": {"login": text, "password": text},
        }
        for path, data in forms.items():
            for headers in ({}, {"HX-Request": "true"}):
                answer = client.post(path, data, headers=headers)
                if is_page(answer):
                    assert signs_of_injection(Page(answer.content.decode())) == [], (path, text)


def test_names_in_a_record_from_elsewhere_are_text(site):
    site = site()
    record = site.clients["Ann"].get(f"/tables/{site.over.slug}/record.json").json()
    for text in HOSTILE.values():
        record["players"] = [text] * 4
        record["rules"]["name"] = text
        answer = site.clients[""].post("/records/", {"record": json.dumps(record)})
        assert signs_of_injection(Page(answer.content.decode())) == []


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_letters_are_plain_text_whatever_is_in_them(seated, text, mailoutbox, django_capture_on_commit_callbacks):
    table = seated(begun=False)
    Table.objects.filter(pk=table.pk).update(name=f"{text}\r\nBcc: zz@zz.example"[:60])
    User.objects.filter(pk=table.creator_id).update(display_name=f"{text}\r\nBcc: zz@zz.example"[:50])
    seating.leave(table.pk, table.seats.get(number=3).user)
    with django_capture_on_commit_callbacks(execute=True):
        invitations.invite(table.pk, User.objects.get(pk=table.creator_id), "guest@example.org")
    invitations.send_due_letters()
    (letter,) = mailoutbox
    assert (letter.to, letter.cc, letter.bcc) == (["guest@example.org"], [], [])
    message = letter.message()
    assert message.get_content_type() == "text/plain"
    assert "Bcc" not in message
    assert "\n" not in letter.subject
    assert text[:20] in letter.body


def test_the_drawing_with_a_persons_initials_holds_nothing_else():
    for text in (*HOSTILE.values(), "<", "< >", "& &"):
        drawn = get_template("accounts/avatar.html").render(avatar(User(display_name=text)))
        assert [tag for tag, _ in Page(drawn).elements] == ["svg", "circle", "text"]
