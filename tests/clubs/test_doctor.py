"""The doctor names acts that nobody could undo because no code declares their kind."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from clubs.models import Act

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
