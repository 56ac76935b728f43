"""The site in German: every address answers as it does in English, and no page has English left."""

import re
from functools import partial

import pytest

from tests.security.conftest import make_site, with_browsers
from tests.security.site_map import crawl, is_page

pytestmark = pytest.mark.django_db

ENGLISH = re.compile(
    r"\b(the|and|of|your|you|with|has|have|from|this|that|are|is|for|by|not|no|to|it|its|they|there|when|who|which|been)\b"
)
"""Words that English pages are full of and German ones never hold."""


def english_in(html):
    """Pieces of a page's text that hold such words."""
    bare = re.sub(r"(?s)<(script|style|code|pre|textarea)\b.*?</\1>|<!--.*?-->", " ", html)
    attributes = re.findall(r'(?:title|aria-label|placeholder|alt)="([^"]+)"', bare)
    pieces = [*attributes, *re.split(r"<[^>]+>", bare)]
    return {" ".join(piece.split()) for piece in pieces if ENGLISH.search(piece)}


SPARED = re.compile(r"Pennies from Heaven|Hand and Foot")
"""Names of rulesets and of the game."""


def german_site(person, driver):
    """The site of `tests/security/conftest.py`, whose people read German."""
    return with_browsers(make_site(partial(person, language="de"), driver))


@pytest.mark.slow
def test_no_page_in_german_has_english_left(person, driver):
    site, english = german_site(person, driver), {}
    for client in site.clients.values():
        client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    for _, path, answer in crawl(site, people=("Ann", "Eve", "")):
        assert answer.status_code < 500 or path == "/readyz", path
        if is_page(answer):
            if path == "/api/v1/docs/":
                continue  # for programmers, in English
            assert '<html lang="de"' in answer.content.decode() or answer.content[:5].lower() != b"<!doc", path
            pieces = {piece for piece in english_in(answer.content.decode()) if not SPARED.search(piece)}
            for piece in pieces:
                english.setdefault(piece, path)
    assert english == {}
