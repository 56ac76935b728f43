"""The sample data."""

from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone

from accounts.models import Notice, User
from clubs.models import Club, Meeting, Season
from gameplay.models import Table
from gameplay.snapshot import state_of
from tournaments.models import Pairing, Place, Tournament


def test_the_sample_is_made_once(db, capsys):
    call_command("demo")
    call_command("demo")
    assert "Sign in as nora@example.org with the password seven-of-a-rank" in capsys.readouterr().out
    nora = User.objects.get(email="nora@example.org")
    assert nora.emailaddress_set.get().verified
    assert Club.objects.get().memberships.count() == 16
    tables = {table.name: table for table in Table.objects.all()}
    assert sorted(tables) == ["Breakwater", "Come and try Family", "Lighthouse Four", "Sunday Circle"]
    assert tables["Sunday Circle"].status == Table.Status.OVER
    assert tables["Sunday Circle"].deals.count() == 4
    lighthouse = tables["Lighthouse Four"]
    assert lighthouse.seats.get(number=lighthouse.seat_to_act).user == nora
    assert state_of(lighthouse).phase == "draw"
    assert tables["Breakwater"].seats.get(number=tables["Breakwater"].seat_to_act).user != nora
    assert not Notice.objects.filter(settled_at=None, kind="turn").exists()
    assert [event.name for event in Tournament.objects.order_by("pk")][:2] == ["Harbour Cup", "Thursday Club Night"]
    season = Season.objects.get()
    assert (season.status, season.divisions.count(), season.entries.count()) == ("running", 2, 8)
    assert Pairing.objects.filter(status="done").count() == 4 + 8
    thursdays = [meeting.starts_at.astimezone(Club.objects.get().zone) for meeting in Meeting.objects.all()]
    assert {(at.weekday(), at.hour, at.minute) for at in thursdays} == {(3, 18, 30)}
    assert timedelta() < min(thursdays) - timezone.now() <= timedelta(days=7)
    assert Place.objects.filter(pairing__status="ready", entry__members__user=nora).exists()


def test_members_are_a_circle(db):
    from gameplay import visibility_groups

    call_command("demo")
    club = Club.objects.get()
    nora = User.objects.get(email="nora@example.org")
    assert visibility_groups.circles_of(nora) == [(f"club:{club.pk}", "Harbour Hand and Foot")]
    stranger = User.objects.create_user("stranger")
    assert not visibility_groups.belongs(stranger, f"club:{club.pk}")
