"""Nonsense that is all the same to a database: odd text, bodies and uploads that cannot be read."""

import pytest

from tests.security.test_hostile_requests import (
    FIELDS,
    FOR_THE_DATABASE,
    FORM,
    VALUES,
    broken_by,
    broken_by_texts,
    browser,
    check,
    nothing,
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
def test_no_odd_text_breaks_a_page(site):
    odd = {name: text for name, text in VALUES.items() if name not in FOR_THE_DATABASE}
    nothing(broken_by_texts(site(), odd))


@pytest.mark.slow
def test_no_body_breaks_a_page(site):
    site = site()
    bodies = [(name, body, FORM) for name, body in RAW.items()]
    bodies.append(("bad bytes", RAW["bad bytes"], FORM + "; charset=utf-7"))
    nothing(broken_by(browser(site.users["Ann"]), site, bodies))


@pytest.mark.slow
def test_no_upload_breaks_a_page(site):
    site = site()
    client = browser(site.users["Ann"])
    nothing(broken_by(client, site, [(name, body, MULTIPART) for name, body in PARTS.items()]))
    for name, body in PARTS.items():
        check(client.post("/records/", body, content_type="multipart/form-data"), name)
