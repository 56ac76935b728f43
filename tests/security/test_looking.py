"""Reading changes nothing: no GET of any address stores anything, for any reader."""

import pytest

from tests.security.site_map import WRITES, body_of, crawl, digest, written

pytestmark = pytest.mark.django_db

SESSION = {"django_session"}
"""Tables that may be written: the visitor’s own session, which keeps messages until they are shown."""


QUERY = {"page": "2", "step": "3", "seen": "0", "rules": "family", "from": "2", "at": "2.1", "first": "3"}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["head", "options"])
def test_no_address_stores_anything_when_it_is_only_looked_at(site, method):
    """By other methods than GET, about which test_every_answer.py asks."""
    site = site()
    before = digest()
    with written() as tables:
        for name, path, response in crawl(site, method=method, data=QUERY, people=["Ann"]):
            body_of(response)
            assert tables <= SESSION, (name, path)
    assert digest() == before
    assert site.clients["Ann"].get("/you/").status_code == 200, "looking signs nobody out"


def test_this_test_would_see_a_row_that_is_written(site):
    site = site()
    before = digest()
    with written() as tables:
        type(site.playing).objects.filter(pk=site.playing.pk).update(version=99)
    assert tables == {"gameplay_table"}
    assert digest() != before
    assert WRITES.match('INSERT INTO "gameplay_move" VALUES (1)')
