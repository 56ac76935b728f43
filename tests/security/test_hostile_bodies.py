"""Nonsense that is all the same to a database: odd text, bodies and uploads that cannot be read; and the list of fields."""

import pytest

from tests.security.site_map import Page, addresses, is_page
from tests.security.test_hostile_requests import (
    FIELDS,
    FOR_THE_DATABASE,
    FORM,
    VALUES,
    browser,
    check,
    doors,
    harmlessly,
    send_everywhere,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("requests_are_let_go")]

RAW = {
    "bad bytes": b"&".join(f"{name}=".encode() + b"%ff%fe%c0%80\xff" for name in FIELDS),
    "half a pair": b"&".join(f"{name}=%ed%a0%80".encode() for name in FIELDS),
    "no names": b"=&=&&==;%",
    "a thousand fields and more": b"&".join(b"f%d=1" % n for n in range(1200)),
    "too large": b"text=" + b"x" * 3_000_000,
}
MULTIPART = "multipart/form-data; boundary=zz"
PARTS = {
    "cut off": b'--zz\r\nContent-Disposition: form-data; name="text"\r\n\r\nx',
    "no end": b"--zz\r\nContent-Disposition: form-data",
    "bad name": b'--zz\r\nContent-Disposition: form-data; name="\xff\x00"; filename="\x00"\r\n\r\n\xff\r\n--zz--\r\n',
    "bad base64": b'--zz\r\nContent-Disposition: form-data; name="text"\r\nContent-Transfer-Encoding: base64\r\n\r\nx=x\r\n--zz--\r\n',
}


@pytest.mark.slow
@pytest.mark.parametrize("value", [name for name in VALUES if name not in FOR_THE_DATABASE])
def test_no_odd_text_breaks_a_page(site, value):
    send_everywhere(site(), VALUES[value])


@pytest.mark.slow
@pytest.mark.parametrize("body", RAW.values(), ids=RAW)
def test_no_body_breaks_a_page(site, body):
    site = site()
    client = browser(site.users["Ann"])
    for name, path in doors(site):
        for kind in (FORM, FORM + "; charset=utf-7") if body is RAW["bad bytes"] else (FORM,):
            check(harmlessly(lambda p=path, k=kind: client.generic("POST", p, body, content_type=k)), name)


@pytest.mark.slow
@pytest.mark.parametrize("body", PARTS.values(), ids=PARTS)
def test_no_upload_breaks_a_page(site, body):
    site = site()
    client = browser(site.users["Ann"])
    for name, path in doors(site):
        check(harmlessly(lambda path=path: client.post(path, body, content_type=MULTIPART)), name)
    check(client.post("/records/", body, content_type="multipart/form-data"))


@pytest.mark.slow
def test_every_field_of_a_form_is_in_the_list(site):
    site = site()
    found = set()
    for _, path in doors(site):
        for client in site.clients.values():
            answer = client.get(path)
            if is_page(answer):
                elements = Page(answer.content.decode()).elements
                found |= {
                    a["name"] for tag, a in elements if tag in ("input", "select", "textarea", "button") and "name" in a
                }
    rules = {name for name in found if name.startswith("rule-")}
    assert found - rules - set(FIELDS) - {"csrfmiddlewaretoken"} == set()
    assert {address.name for address in addresses()} >= {"gameplay:move", "accounts:profile", "account_login"}
