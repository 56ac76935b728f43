"""Hidden cards change nothing of the work that an answer takes, so that its time can tell nothing of them.

How long answers take is measured by `bin/bench timing`; here is what can be said exactly: the same questions to the
database, the same templates and the same number of bytes in two worlds that differ in hidden cards only.
"""

import pytest
import time_machine
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.gameplay.test_hidden_cards import NOW, another_world, answer, doors, wrong_acts

pytestmark = pytest.mark.django_db


def work(client, method, url, data):
    """Database queries of an answer, without the values, and its length."""
    with CaptureQueriesContext(connection) as captured, transaction.atomic():
        _, headers, body = answer(client, method, url, data)
        transaction.set_rollback(True)
    statements = [query["sql"].split() for query in captured.captured_queries]
    kinds = [words[:2] for words in statements if words[0] in ("SELECT", "INSERT", "UPDATE", "DELETE")]
    return kinds, len(body), [value for name, value in headers if name == "Content-Length"]


@pytest.mark.parametrize("acts", [3, 40])
def test_an_answer_takes_the_same_work_whatever_the_hidden_cards_are(seated, driver, acts):
    with time_machine.travel(NOW, tick=False):
        table = driver.until(seated(watching="anybody"), lambda table: table.move_count >= acts)
        reader = (table.seat_to_act + 1) % 4
        client = Client()
        client.force_login(table.seats.get(number=reader).user)
        requests = [("get", url, None) for url in doors(table) if table.slug in url]
        requests += [("post", url, data) for url, data in wrong_acts(table)]
        requests.append(("get", reverse("gameplay:parts", args=[table.slug]) + "?seen=0", None))
        for method, url, data in requests:
            work(client, method, url, data)  # what is remembered between requests is remembered
            here = work(client, method, url, data)
            with another_world(table, reader, seed=f"{acts} {url}"):
                there = work(client, method, url, data)
            assert here == there, url
