"""Nobody does or undoes anything without the right to it, not even their own acts; every kind of act names its
right.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from acts.kinds import Rows
from clubs.house_rules import services as house_rules
from clubs.models import Act, Membership
from clubs.roles import ROLES
from clubs.services import club_archive
from clubs.services.history import history, may_be_undone, undo
from engine.play.rules import Rules
from web.errors import NotAllowed

pytestmark = pytest.mark.django_db

UNDOABLE = sorted(name for name, kind in history.kinds.items() if isinstance(kind.undo, Rows))
LOADED = """
import django
django.setup()
from clubs.services.history import history
from tournaments.services.history import history as of_events
before, events_before = set(history.kinds), set(of_events.kinds)
import config.urls, clubs.tasks
assert len(before) > 60, before
assert set(history.kinds) == before, set(history.kinds) - before
assert set(of_events.kinds) == events_before, set(of_events.kinds) - events_before
"""


@pytest.mark.slow
def test_every_kind_is_known_once_the_site_is_set_up():
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    folder = Path(__file__).parents[2]
    command = [sys.executable, "-c", LOADED]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_whatever_can_be_undone_takes_more_than_to_look():
    assert len(UNDOABLE) > 30
    assert [name for name in UNDOABLE if "look" in history.kinds[name].undo_rights] == []


def test_who_lost_the_role_does_not_bring_an_old_name_back(club, staff):
    house_rules.make(club, staff["organiser"], name="Quay", rules=Rules.preset("standard"))
    rules = club.house_rules.get()
    renamed = house_rules.rename(rules, staff["organiser"], name="Wharf")
    Membership.objects.filter(user=staff["organiser"]).update(role="guest")
    with pytest.raises(NotAllowed):
        undo(renamed.pk, by=staff["organiser"])
    rules.refresh_from_db()
    assert rules.name == "Wharf"


@pytest.mark.parametrize("kind", UNDOABLE)
def test_who_lost_the_right_undoes_nothing_of_their_own(club, staff, kind):
    user = staff["organiser"]
    changes = [{"model": "club", "pk": club.pk, "was": {"line": ""}, "is": {"line": club.line}}]
    act = Act.objects.create(club=club, at="2026-09-01T12:00Z", by=user, kind=kind, sentence="x", changes=changes)
    needed = history.undo_right(act)
    for role in (role for role, rights in ROLES.items() if needed not in rights):
        Membership.objects.filter(club=club, user=user).update(role=role)
        assert not may_be_undone(act, may=ROLES[role], is_own=True)
        with pytest.raises(NotAllowed):
            undo(act.pk, by=user)


def test_an_act_of_another_takes_the_right_to_undo_as_well(club, staff):
    house_rules.make(club, staff["owner"], name="Quay", rules=Rules.preset("standard"))
    renamed = house_rules.rename(club.house_rules.get(), staff["owner"], name="Wharf")
    assert may_be_undone(renamed, may={"rules", "undo"}, is_own=False)
    assert not may_be_undone(renamed, may={"rules"}, is_own=False)


def test_an_act_of_a_kind_that_no_code_declares_is_shown_and_cannot_be_undone(club, staff, client):
    changes = [{"model": "club", "pk": club.pk, "was": {"line": ""}, "is": {"line": club.line}}]
    act = Act.objects.create(club=club, at="2026-09-01T12:00Z", kind="of_elsewhere", sentence="Sang.", changes=changes)
    client.force_login(staff["owner"])
    page = client.get(f"/clubs/{club.slug}/history/")
    assert (page.status_code, "Sang." in page.text) == (200, True)
    assert f"/history/{act.pk}/undo/" not in page.text
    refused = client.post(f"/clubs/{club.slug}/history/{act.pk}/undo/")
    assert (refused.status_code, "This cannot be undone here." in refused.text) == (422, True)
    assert Act.objects.filter(undoes=act).count() == 0


def test_a_file_of_another_site_may_have_acts_of_kinds_that_are_unknown_here(club, staff, client):
    Act.objects.create(club=club, at="2026-09-01T12:00Z", kind="of_elsewhere", sentence="Sang.")
    with TemporaryFile() as file:
        club_archive.export_club(club.pk, staff["owner"], file)
        brought = club_archive.import_club(staff["owner"], file, slug="quay", own_name="Owner")
    assert brought.acts.get(kind="of_elsewhere").sentence == "Sang."
    client.force_login(staff["owner"])
    assert "Sang." in client.get("/clubs/quay/history/").text
    acts = client.get("/api/v1/clubs/quay/history/").json()["acts"]
    assert {act["kind"]: act["can_undo"] for act in acts} == {"brought": False, "of_elsewhere": False}
