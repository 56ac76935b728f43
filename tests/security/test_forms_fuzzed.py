"""Every form of every page, filled in by a machine: as its page has it, but for some senseless fields.

No page breaks; a refusal changes nothing, gives its reason in a sentence, and keeps the input.
"""

import re
from http.cookies import SimpleCookie
from traceback import format_exception
from typing import NamedTuple
from urllib.parse import quote_from_bytes, urlsplit

import pytest
from django.core.cache import cache
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.urls import resolve
from hypothesis import given
from hypothesis import strategies as st

from tests.security.fuzzing import tried, undone
from tests.security.sent import Sent, forms_of
from tests.security.site_map import STREAMS, Page, addresses, digest, is_page, written

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"


def areas():
    """Names of pages by area; each test takes one area."""
    by_area = {}
    for name in sorted({address.name for address in addresses()} - {*STREAMS}):
        app, _, rest = name.partition(":")
        if "api" not in app:
            by_area.setdefault(app if rest else "the rest", []).append(name)
    return by_area


HUGE = "x" * 100_000
WORDS = [
    b"", b" ", b"\0", b"a\0b", b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\x80", b"x\r\n\r\ny", b"\r\nBcc: a@example.org",
    *(text.encode() for text in (
        HUGE, "\u202eright to left", "שלום", "👩‍👩‍👧" * 40, "e" + "\u0301" * 400, "\u2028\ufeff\x7f\x85", "<script>1</script>",
        "=1+1", "{{ 7|add:7 }}", "%s%d{0}", "../../etc/passwd", "//example.org", "x@example.org", "None", "[]", '{"a": [1]}',
    )),
]  # fmt: skip
NUMBERS = [
    text.encode() for text in (
        "", "-1", "0", "1", "1.5", "2147483648", "9223372036854775808", "1e999", "-1e999", "NaN", "inf", "٣", "²", "1_0", "0x1",
        " 7 ", "9" * 5000, "1/0", "½", "x",
    )
]  # fmt: skip
TIMES = [
    text.encode() for text in (
        "", "0001-01-01", "0000-00-00", "9999-12-31", "10000-01-01", "2025-02-30", "2026-W10", "24:00", "23:59:60", "٢٣:٥٩",
        "0001-01-01T00:00", "9999-12-31T23:59", "2026-03-29T02:30", "2026-10-25T02:30", "2026-03-08T02:30+14:00",
        "2026-11-22T10:00Z", "-1", "1e9", "now", "2026-11-22 10:00:00.0000000001", "9999-12-31T23:59-23:59",
    )
]  # fmt: skip
CHOICES = [
    text.encode() for text in ("", "no-such-choice", "-1", "0", "1", "2", "3", "5", "8", "987654", "9223372036854775808", "٣")
]  # fmt: skip
"""Among them ids that rows of others have."""
FILES = [
    b"", b"\0", b"x" * 100_000, b"\x89PNG\r\n\x1a\n", b"GIF89a\xff\xff\xff\xff", b"\xff\xd8\xff\xe0\0\x10JFIF\0", b"PK\x03\x04",
    b"PK\x05\x06" + b"\0" * 18, b"\xef\xbb\xbf;;;\n", b"a,b\n\"", b"\xff\xfea\0", b'{"a": ' * 3000, b"[" * 9000,
    b'{"format": null, "moves": {}}', b"%PDF-1.7",
]  # fmt: skip
KINDS = {
    "number": NUMBERS, "range": NUMBERS, "date": TIMES, "time": TIMES, "datetime-local": TIMES, "month": TIMES,
    "select": CHOICES, "radio": CHOICES, "checkbox": CHOICES, "hidden": CHOICES,
}  # fmt: skip
"""Values for each kind of control, in addition to any text."""
TYPED = ("text", "search", "email", "url", "textarea")
"""Kinds of controls to type into, whose text would have to be typed again."""
LONG = 8
"""Characters that every such control takes."""


class Field(NamedTuple):
    """A control and the values that are sent by its name, none or many."""

    name: str
    values: tuple[bytes, ...]


def fields(sent, name):
    """Ways to fill in one control of a form."""
    kind = sent.kinds.get(name, "button")
    if kind == "file":
        return st.sampled_from(FILES).map(lambda value: Field(name, (value,)))
    usual = [value.encode() for value in sent.offered.get(name, [])]
    field = st.one_of(
        st.sampled_from(KINDS.get(kind, WORDS)),
        st.sampled_from([*WORDS, *NUMBERS, *TIMES, *CHOICES, *usual]),
        st.text(max_size=30).map(lambda text: text.encode()),
    )
    return st.one_of(field.map(lambda value: (value,)), st.just(()), st.tuples(field, field)).map(
        lambda values: Field(name, values)
    )


MOST_AT_ONCE = 8
"""Fields of a form that hold something else than the page has: with more, the first would hide the others."""


def fillings(sent):
    """A value in place of the page’s own."""
    names = sorted(sent.names)
    if not names:
        return st.just(())
    chosen = st.lists(st.sampled_from(names), min_size=1, max_size=MOST_AT_ONCE, unique=True)
    return chosen.flatmap(lambda picked: st.tuples(*(fields(sent, name) for name in picked)))


class Browser:
    """A browser that forgets its cookies: each request is the same."""

    def __init__(self, client):
        self.client, self.cookies = Client(raise_request_exception=False), client.cookies.output(header="", sep=";")

    def ask(self, method, path, body=b"", kind=FORM):
        cache.clear()  # in which requests are counted
        self.client.cookies = SimpleCookie(self.cookies)
        return self.client.generic(method.upper(), path, body, content_type=kind)


def send(browser, sent, filling, method):
    """The answer to a form that is filled in so."""
    data = {name: [value.encode() for value in values] for name, values in sent.data.items()}
    data |= {field.name: list(field.values) for field in filling}
    if method == "get":
        return browser.ask("get", f"{urlsplit(sent.action).path}?{encoded(data).decode()}")
    if "file" not in sent.kinds.values():
        return browser.ask("post", sent.action, encoded(data))
    return browser.ask("post", sent.action, in_parts(sent, data), MULTIPART_CONTENT)


def encoded(data):
    return b"&".join(
        f"{quote_from_bytes(name.encode())}={quote_from_bytes(value)}".encode()
        for name, values in data.items()
        for value in values
    )


def in_parts(sent, data):
    """A form with files, as `MULTIPART_CONTENT` has it."""
    body = b""
    for name, values in data.items():
        for value in values:
            file = b'; filename="file.csv"' if sent.kinds.get(name) == "file" else b""
            head = b'--BoUnDaRyStRiNg\r\nContent-Disposition: form-data; name="' + name.encode() + b'"' + file
            body += head + b"\r\n\r\n" + value + b"\r\n"
    return body + b"--BoUnDaRyStRiNg--\r\n"


class Form(NamedTuple):
    """A form as a browser sees it."""

    sent: Sent
    method: str
    path: str
    browser: Browser

    @property
    def does(self):
        """Its act without the row or the control that it is done to: `up` of `up:12`, nothing of `s0-clean:1`."""
        words = self.sent.act.split(":")
        return ":".join(word for word in words if word not in self.sent.names and not word.lstrip("-").isdecimal())

    @property
    def key(self):
        """The form’s key: forms of one key do the same to other rows."""
        return (self.method, resolve(urlsplit(self.sent.action).path).view_name, self.does, frozenset(self.sent.names))


@pytest.fixture(scope="module")
def walked(shared_site):
    """Browsers of all readers of the site, the paths of each address, and the database."""
    browsers = [Browser(client) for client in shared_site.clients.values()]
    pages = {}
    for name, path in shared_site.places:
        if "." not in path:  # files have no forms
            pages.setdefault(name, []).append(path)
    return browsers, pages, digest()


def forms_at(browsers, paths):
    """The forms at some paths by their keys, each once for each reader."""
    forms = {}
    for path in paths:
        for browser in browsers:
            with undone():
                answer = browser.ask("get", path)
            if answer.status_code not in (200, 404) or not is_page(answer):
                continue
            markup = answer.content.decode()
            for method in ("post", "get"):
                for sent in [*forms_of(markup, path, method), *(unasked(markup, path) if method == "post" else ())]:
                    form = Form(sent, method, path, browser)
                    forms.setdefault(form.key, []).append(form)
    return forms


def unasked(markup, path):
    """Requests that a page sends while a form is filled in."""
    actions = {
        attrs["hx-post"] for tag, attrs in Page(markup).elements if "hx-post" in attrs and tag not in ("form", "button")
    }
    return [sent._replace(action=action, button=None) for action in actions for sent in forms_of(markup, path)]


@pytest.mark.slow
@pytest.mark.parametrize("area", areas())
def test_no_form_breaks_or_does_half(walked, area):
    browsers, pages, before = walked
    wrong = []
    for page in areas()[area]:
        for forms in forms_at(browsers, pages.get(page, [])).values():
            try:
                fuzz(forms, before)
            except Exception as problem:  # of a check, or of what was made up; both are told whole
                wrong.append(f"{page}: {''.join(format_exception(problem))}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_forms_of_all_kinds_are_found(walked):
    browsers, pages, _ = walked
    some = ("account_logout", "accounts:profile", "clubs:clubs", "clubs:settings", "tournaments:card_score")
    by_page = {
        page: {(method, view): forms[0] for (method, view, _, _), forms in forms_at(browsers, pages[page]).items()}
        for page in some
    }
    assert ("post", "account_logout") in by_page["account_logout"]
    assert ("post", "accounts:profile") in by_page["accounts:profile"]
    assert ("get", "clubs:clubs") in by_page["clubs:clubs"]
    records = [forms[0].sent for forms in forms_at(browsers, pages["gameplay:records"]).values()]
    assert "file" in {kind for sent in records for kind in sent.kinds.values()}
    assert "radio" in by_page["tournaments:card_score"]["post", "tournaments:card_score"].sent.kinds.values()
    assert by_page["clubs:settings"]["post", "clubs:settings"].browser is browsers[0], "Ann owns the club, Eve does not"


def fuzz(forms, before):
    """Send a form in many ways, for each of its readers; `before` is the digest of the database."""

    @given(filled=st.sampled_from(forms).flatmap(lambda form: st.tuples(st.just(form), fillings(form.sent))))
    @tried(2)
    def holds(filled):
        form, filling = filled
        with undone():
            with written() as touched:
                answer = send(form.browser, form.sent, filling, form.method)
            about = (form.path, form.sent.action, form.sent.act, filling)
            assert answer.status_code < 500, (*about, repr(answer.exc_info))
            if answer.status_code >= 400:
                assert not touched or digest() == before, about
                check_is_told(answer, about)
                check_is_kept(answer, form.sent, filling, about)

    holds()


def check_is_told(answer, about):
    """A refusal gives its reason: as a page of its own, next to the form, or as JSON for a script."""
    text = answer.content.decode()
    if answer["Content-Type"] == "application/json":
        assert answer.json()["sentence"].endswith("."), about
    elif answer.status_code == 422:
        marks = {attributes.get("role") for _, attributes in Page(text).elements}
        marks |= {word for _, attributes in Page(text).elements for word in (attributes.get("class") or "").split()}
        assert marks & {"alert", "error", "errorlist", "refused", "bad"}, (*about, text)
    else:
        assert re.search(r"<(p|li|h1)[^>]*>[^<]*\w", text), (*about, text)


def check_is_kept(answer, sent, filling, about):
    """If the form is shown again, it has the input; a form that was tampered with may be another."""
    if any(sent.kinds.get(field.name, "hidden") == "hidden" for field in filling):
        return
    forms = [form for form in forms_of(answer.content.decode(), "") if (form.act, form.names) == (sent.act, sent.names)]
    visible = [field for field in filling if not (sent.data.get("by") == ["books"] and UNSEEN.fullmatch(field.name))]
    typed = {field.name: text_of(field) for field in visible if sent.kinds.get(field.name) in TYPED}
    for name, text in typed.items():
        if forms and text is not None:
            value = forms[0].data[name][0]
            assert is_kept(name, text, value), (name, text, value, *about)


UNSEEN = re.compile(r"s\d+-(points|final)")
"""Controls of other ways to enter a score, which the page hides while books are counted."""
RANK = re.compile(r"seed_\d+")
"""Numbers that only tell an order: its places are counted again."""


def is_kept(name, text, value):
    """Whether the input is shown again: whole, cut to the control’s limit, or as 0 in a count."""
    if RANK.fullmatch(name):
        return value.isdecimal()
    return value == text or (len(value) > LONG and text.startswith(value)) or (text, value) == ("", "0")


def text_of(field):
    """A text that could have been typed."""
    text = field.values[0].decode(errors="replace") if len(field.values) == 1 else "\n"
    return text if text.isprintable() and text == text.strip() else None
