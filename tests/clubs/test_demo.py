"""The sample data."""

from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone

from accounts.models import Notice, User
from clubs.demo import turns
from clubs.models import Club, Meeting, Season
from clubs.tonight import evening
from gameplay.models import Table
from tournaments.models import Pairing, Place, Tournament

FINAL = "Winter Cup · Final"
SEMI_FINALS = ["Winter Cup · Semi-final 1", "Winter Cup · Semi-final 2"]


def test_the_sample_is_made_once(db, capsys):
    call_command("demo")
    call_command("demo")
    assert "Sign in as nora@example.org with the password seven-of-a-rank" in capsys.readouterr().out
    nora = User.objects.get(email="nora@example.org")
    assert nora.emailaddress_set.get().verified
    assert Club.objects.get().memberships.count() == 16
    tables = {table.name: table for table in Table.objects.all()}
    assert sorted(tables) == ["Breakwater", "Come and try Family", "Lighthouse Four", FINAL, *SEMI_FINALS]
    assert tables[FINAL].status == Table.Status.OVER
    assert tables[FINAL].deals.count() == 4
    lighthouse = tables["Lighthouse Four"]
    assert lighthouse.seats.get(number=lighthouse.seat_to_act).user == nora
    assert turns.is_at_its_climax(lighthouse, lighthouse.seat_to_act)
    assert tables["Breakwater"].seats.get(number=tables["Breakwater"].seat_to_act).user != nora
    assert not Notice.objects.filter(settled_at=None, kind="turn").exists()
    assert [event.name for event in Tournament.objects.order_by("pk")][:4] == [
        "Winter Cup",
        "Harbour Cup",
        "Lantern Night",
        "Thursday Club Night",
    ]
    season = Season.objects.get()
    assert (season.status, season.divisions.count(), season.entries.count()) == ("running", 2, 8)
    assert Pairing.objects.filter(status="done").count() == 3 + 4 + 3 + 8
    thursdays = [meeting.starts_at.astimezone(Club.objects.get().zone) for meeting in Meeting.objects.all()]
    assert {(at.weekday(), at.hour, at.minute) for at in thursdays} == {(3, 18, 30)}
    assert timedelta() < min(thursdays) - timezone.now() <= timedelta(days=7)
    assert Place.objects.filter(pairing__status="ready", entry__members__user=nora).exists()


def test_a_final_is_over_that_anyone_can_watch_again(db, client):
    call_command("demo")
    final = Pairing.objects.get(table__name=FINAL)
    assert (final.status, final.round.stage.tournament.status) == ("done", "over")
    assert final.places.filter(rank=1).exists()
    assert client.get(f"{final.table.get_absolute_url()}replay/").status_code == 200


def test_an_evening_is_on_tonight_with_a_table_still_playing(db):
    call_command("demo")
    club = Club.objects.get()
    nora = User.objects.get(email="nora@example.org")
    on = [section for section in evening.sections(club, nora, timezone.now()) if section.title == "Lantern Night"]
    statuses = Pairing.objects.filter(round__stage__tournament__name="Lantern Night").values_list("status", flat=True)
    assert len(on) == 1
    assert (list(statuses).count("done"), "ready" in statuses) == (3, True)


def test_a_match_that_ends_before_its_climax_leaves_nothing(db, monkeypatch):
    slugs, is_at_its_climax = [], turns.is_at_its_climax

    def never_in_the_first(table, seat):
        slugs.append(table.slug)
        return table.slug != slugs[0] and is_at_its_climax(table, seat)

    monkeypatch.setattr(turns, "is_at_its_climax", never_in_the_first)
    call_command("demo")
    assert Table.objects.get(name="Lighthouse Four").slug != slugs[0]


def test_members_are_a_circle(db):
    from gameplay import visibility_groups

    call_command("demo")
    club = Club.objects.get()
    nora = User.objects.get(email="nora@example.org")
    circle = visibility_groups.Circle(f"club:{club.pk}", "Harbour Hand and Foot", "Europe/London")
    assert visibility_groups.circles_of(nora) == [circle]
    stranger = User.objects.create_user("stranger")
    assert not visibility_groups.belongs(stranger, f"club:{club.pk}")
