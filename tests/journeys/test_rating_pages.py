"""The pages of ratings at both widths, light and dark: nothing that axe finds, and nothing too wide."""

from datetime import timedelta

import pytest

from gameplay.models import Seat, Table
from tests.journeys.test_pages import check_pages, faults, people  # noqa: F401  fixtures
from tournaments.ratings import services as ratings


@pytest.fixture
def played(seated, four):
    """Fourteen rated matches, now won by the one side and now by the other."""
    first = seated(is_rated=True, watching="anybody")
    for number in range(14):
        table = Table.objects.get(pk=first.pk)
        table.pk, table.slug, table.name = None, f"evening{number:03}", f"Thursday {number + 1}"
        table.status, table.ended_at = Table.Status.OVER, first.started_at + timedelta(days=7 * number)
        totals = [9000, 7000] if number % 5 not in (1, 2) else [5000, 8000]
        table.result = {"totals": totals, "winners": [0], "reason": "played"}
        table.save(force_insert=True)
        Seat.objects.bulk_create(Seat(table=table, number=at, user=user) for at, user in enumerate(four))
    ratings.sweep()


def test_ladders_and_a_persons_page(check_pages, people, played):  # noqa: F811  the fixtures
    paths = {
        "ratings-ladder": ("/ratings/", people.nobody),
        "ratings-member": ("/ratings/", people.ann),
        "ratings-partnerships": ("/ratings/partnerships/", people.ann),
        "ratings-person": ("/ratings/of/ann/", people.nobody),
        "ratings-own": ("/ratings/of/ann/", people.ann),
        "ratings-pair": ("/ratings/of/ann/with/cem/", people.nobody),
    }
    check_pages([(name, path, reader) for name, (path, reader) in paths.items()])
