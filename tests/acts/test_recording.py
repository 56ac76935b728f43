"""A preview leaves nothing behind, in the database or after it."""

import pytest
from django.db import transaction

from accounts.models import User
from acts.recording import rollback

pytestmark = pytest.mark.django_db


def test_nothing_of_a_preview_stays_and_nothing_is_done_after_it(person, django_capture_on_commit_callbacks):
    calls = []
    with django_capture_on_commit_callbacks(execute=True):
        with rollback():
            person("Ann")
            transaction.on_commit(lambda: calls.append("told of Ann"))
        transaction.on_commit(lambda: calls.append("went on"))
    assert calls == ["went on"]
    assert not User.objects.exists()


def test_an_error_in_a_preview_is_raised_and_nothing_stays(person):
    def preview():
        with rollback():
            person("Ann")
            raise ValueError("impossible")

    with pytest.raises(ValueError, match="impossible"):
        preview()
    assert not User.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_preview_outside_any_transaction_leaves_nothing_either(person):
    calls = []
    with rollback():
        person("Ann")
        transaction.on_commit(lambda: calls.append("told of Ann"))
    assert calls == []
    assert not User.objects.exists()
