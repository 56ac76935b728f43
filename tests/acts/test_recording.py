"""What was only tried out leaves nothing behind, in the database or after it."""

import pytest
from django.db import transaction

from accounts.models import User
from acts.recording import thrown_away

pytestmark = pytest.mark.django_db


def test_nothing_of_a_preview_stays_and_nothing_is_done_after_it(person, django_capture_on_commit_callbacks):
    done = []
    with django_capture_on_commit_callbacks(execute=True):
        with thrown_away():
            person("Ann")
            transaction.on_commit(lambda: done.append("told of Ann"))
        transaction.on_commit(lambda: done.append("went on"))
    assert done == ["went on"]
    assert not User.objects.exists()


def test_an_error_in_a_preview_is_raised_and_nothing_stays(person):
    def preview():
        with thrown_away():
            person("Ann")
            raise ValueError("impossible")

    with pytest.raises(ValueError, match="impossible"):
        preview()
    assert not User.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_preview_outside_any_transaction_leaves_nothing_either(person):
    done = []
    with thrown_away():
        person("Ann")
        transaction.on_commit(lambda: done.append("told of Ann"))
    assert done == []
    assert not User.objects.exists()
