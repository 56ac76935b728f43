"""The doctor names acts that nobody could undo because no code declares their kind, and overdue data."""

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.utils import timezone

from clubs.models import Act
from web.database import free_space

pytestmark = pytest.mark.django_db


def test_the_doctor_names_kinds_that_no_code_declares(club, owner):
    Act.objects.create(club=club, at="2026-09-01T12:00Z", by=owner, kind="news", sentence="News.")
    out, err = StringIO(), StringIO()
    call_command("doctor", stdout=out, stderr=err)
    assert "2 histories checked." in out.getvalue()
    Act.objects.create(club=club, at="2026-09-01T12:00Z", by=owner, kind="of_elsewhere", sentence="Sang.")
    with pytest.raises(CommandError, match=r"^Does not fit: 1 thing\.$"):
        call_command("doctor", stdout=out, stderr=err)
    assert err.getvalue() == "Actions of clubs: no code declares the kind of_elsewhere.\n"


def test_the_doctor_names_overdue_data_which_is_no_fault(monkeypatch):
    Session.objects.create(session_key="old", session_data="", expire_date=timezone.now() - timedelta(days=3))
    monkeypatch.setattr(free_space, "gives_back", lambda: False)
    out, err = StringIO(), StringIO()
    call_command("doctor", stdout=out, stderr=err)
    assert out.getvalue().endswith("Everything fits.\n")
    assert err.getvalue() == (
        "Overdue: 1 row of “Sessions in browsers” (until they expire).\n"
        "The database file does not shrink. Stop the site and run `manage.py compact` once.\n"
    )
