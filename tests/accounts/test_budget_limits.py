"""Limits of budgets that operators change."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import budget_limits
from accounts.budgets import TABLES, Subject, asked_from, limit_of, spend, subject_of, used
from accounts.models import BudgetLimit
from web.errors import TooMuch

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def read_again():
    """They are read from the database, as on the site."""
    budget_limits.read_again()


def limit(subject, most):
    BudgetLimit.objects.update_or_create(budget="tables", subject=subject, defaults={"limit": most})
    budget_limits.read_again()


def test_a_limit_can_be_tightened_for_everyone_and_for_one(person):
    ann, ben = person("Ann"), person("Ben")
    limit("person", 1)
    limit(f"person:{ben.pk}", 2)
    spend(TABLES, ann)
    spend(TABLES, ben, 2)
    for user in (ann, ben):
        with pytest.raises(TooMuch):
            spend(TABLES, user)


def test_a_lifted_limit_is_still_counted(person):
    ann = person("Ann")
    limit("address:192.0.2.1", None)
    limit("person", None)
    with asked_from("192.0.2.1"):
        spend(TABLES, ann, 1000)
    assert used(TABLES, subject_of(ann)) == used(TABLES, Subject("address", "192.0.2.1")) == 1000


def test_they_are_read_once_in_a_few_seconds():
    subject = Subject("person", "1")
    with CaptureQueriesContext(connection) as captured:
        assert [limit_of(TABLES, subject) for _ in range(3)] == [TABLES.person] * 3
    assert len(captured) == 1
    BudgetLimit.objects.create(budget="tables", subject="person:1", limit=7)
    assert limit_of(TABLES, subject) == TABLES.person
    budget_limits._read_at -= budget_limits.FRESH
    assert limit_of(TABLES, subject) == 7


def test_while_the_database_is_away_the_last_ones_hold(monkeypatch):
    limit("person", 3)
    assert limit_of(TABLES, Subject("person", "1")) == 3
    budget_limits.read_again()
    with monkeypatch.context() as patch:
        patch.setattr(BudgetLimit, "objects", None)
        patch.setattr(budget_limits, "DatabaseError", AttributeError)
        assert limit_of(TABLES, Subject("person", "1")) == 3
