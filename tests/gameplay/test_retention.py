"""How long guests, practice matches, tables without a match and invitations are kept."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Notice, User
from accounts.services import clearing
from engine.play.rules import Rules
from gameplay.models import Happening, Invitation, Move, Seat, Table
from gameplay.services import invitations, leaving, tables
from tests.turns import play_turn

pytestmark = pytest.mark.django_db


def ago(**time):
    return timezone.now() - timedelta(**time)


def practice(user):
    return tables.make_practice(user, Rules.make("standard"))


def make_old(days):
    """Everything at the tables happened so many days ago."""
    Table.objects.update(created_at=ago(days=days), started_at=ago(days=days))
    Seat.objects.filter(joined_at__isnull=False).update(joined_at=ago(days=days))
    Move.objects.update(at=ago(days=days))


def left():
    return set(Table.objects.values_list("pk", flat=True))


@pytest.mark.parametrize(("days", "is_kept"), [(29, True), (31, False)])
def test_practice_is_deleted_30_days_after_it_started(person, days, is_kept):
    table = practice(person("Ann"))
    make_old(days)
    clearing.clear()
    assert left() == ({table.pk} if is_kept else set())


@pytest.mark.parametrize("status", [Table.Status.PLAYING, Table.Status.OVER, Table.Status.ABANDONED])
def test_practice_is_deleted_30_days_after_the_last_turn(person, status):
    ann = person("Ann")
    recent, old = practice(ann), practice(ann)
    for table in (recent, old):
        play_turn(table, ann)
    make_old(40)
    last = recent.moves.order_by("-number").first()
    Move.objects.filter(pk=last.pk).update(at=ago(days=29))
    Table.objects.update(status=status)
    clearing.clear()
    assert left() == {recent.pk}


def test_practice_of_several_people_is_kept_as_every_match_of_people(seated, four):
    together, one_left = seated(is_practice=True, clock="none"), seated(is_practice=True, clock="none")
    for seat in one_left.seats.exclude(number=0):
        leaving.resign(one_left.pk, seat.user)
    serious = seated()
    make_old(400)
    clearing.clear()
    assert left() == {together.pk, one_left.pk, serious.pk}


def test_guests_go_30_days_after_they_last_looked_and_then_their_practice(person):
    ann, ben = (person(name, is_guest=True) for name in ("Ann", "Ben"))
    practice(ann)
    User.objects.update(date_joined=ago(days=31))
    Seat.objects.filter(user=ann).update(looked_at=ago(days=29))
    clearing.clear()
    assert set(User.objects.all()) == {ann}
    assert not User.objects.filter(pk=ben.pk).exists()
    Seat.objects.filter(user=ann).update(looked_at=ago(days=31))
    make_old(31)
    clearing.clear()
    assert not User.objects.exists()
    assert not Table.objects.exists()


def test_accounts_are_kept_however_old(person):
    ann = person("Ann")
    User.objects.update(date_joined=ago(days=4000))
    clearing.clear()
    assert User.objects.get() == ann


def test_a_table_is_cancelled_30_days_after_the_last_player_took_a_seat(seated):
    waiting, recent, arranged = seated(begun=False), seated(begun=False), seated(begun=False)
    make_old(31)
    Seat.objects.filter(table=recent, number=1).update(joined_at=ago(days=29))
    Table.objects.filter(pk=arranged.pk).update(is_arranged=True)
    people = {seat.user_id for seat in waiting.seats.all()}
    Notice.objects.all().delete()
    clearing.clear()
    assert left() == {recent.pk, arranged.pk}
    sent = Notice.objects.filter(kind="cancelled")
    assert {notice.user_id for notice in sent} == people
    assert {notice.title for notice in sent} == {f"{waiting.name} was cancelled because the match did not start"}


def test_a_match_that_started_is_no_table_without_a_match(seated):
    table = seated()
    make_old(400)
    clearing.clear()
    assert left() == {table.pk}
    assert table.happenings.filter(kind=Happening.Kind.STARTED).exists()


def test_invitations_go_after_30_days_once_the_match_started(seated, person):
    started, waiting = seated(begun=False), seated(begun=False)
    for table in (started, waiting):
        invitations.invite(table.pk, table.creator, "friend@example.net")
    tables.start(started.pk, started.creator)
    Invitation.objects.update(created_at=ago(days=31))
    clearing.clear()
    assert list(Invitation.objects.values_list("table", flat=True)) == [waiting.pk]


# What people are told before


def test_practice_says_how_long_it_is_kept(client, person):
    ann, words = person("Ann"), "Practice matches against bots are deleted 30 days after the last turn."
    client.force_login(ann)
    assert words in client.get("/practice/").text
    assert words not in client.get("/play/").text
    practice(ann)
    assert words in client.get("/play/").text


def test_a_table_says_when_it_is_cancelled(client, seated):
    table = seated(begun=False)
    words = "If the match does not start, the table is cancelled 30 days after the last player took a seat."
    assert words not in client.get(table.get_absolute_url()).text
    client.force_login(table.creator)
    assert words in client.get(table.get_absolute_url()).text


def test_the_privacy_page_says_how_long_everything_is_kept(client):
    page = client.get("/privacy/").text
    assert (
        "<li>Practice matches against bots: 30 days after the last turn, because no other player needs them.</li>"
        in page
    )
    assert (
        "<li>Matches of people, with seats, moves, log and chat: because they belong to everyone who played.</li>"
        in page
    )
