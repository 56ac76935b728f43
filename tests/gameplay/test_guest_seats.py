"""People without an account at a table of friends: they sit down under a name, and keep the match by signing up."""

from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.budgets import GUESTS
from accounts.models import User
from accounts.services import clearing
from accounts.signals import guest_adopted
from gameplay.models import Seat, Table
from gameplay.services import guest_seats, invitations, seating, tables
from tests.at_once import at_once
from tests.makers import make_person, make_table
from web.errors import NotAllowed, Refused


@pytest.fixture
def table(four):
    return make_table(four[:1], begun=False, name="Friends")


def names(table):
    return [str(seat) if seat.is_taken else "" for seat in table.seats.all()]


def join(client, table, name="Zoe", **data):
    return client.post(reverse("gameplay:join_as_guest", args=[table.slug]), {"name": name, "key": "k" * 32, **data})


def test_a_friend_with_the_link_sits_down_under_a_name(client, table):
    assert "Your name" in client.get(table.get_absolute_url()).content.decode()
    response = join(client, table, seat="2")
    assert (response.status_code, response["Location"]) == (302, table.get_absolute_url())
    assert names(table) == ["Ann", "", "Zoe (guest)", ""]
    guest = table.seats.get(number=2).user
    assert (guest.is_guest, guest.is_active) == (True, False)
    page = client.get(table.get_absolute_url()).content.decode()
    assert "You play as a guest in this browser." in page
    assert 'action="/tables/{table.slug}/invite/"' not in page
    assert [line.sentence for line in table.happenings.all()][1:] == ["Zoe (guest) joined and agreed to the rules."]


def test_the_form_sent_twice_seats_one_guest(client, table):
    join(client, table)
    join(client, table)
    other = Client()
    join(other, table)
    assert names(table) == ["Ann", "Zoe (guest)", "", ""]
    assert "You play as a guest" in other.get(table.get_absolute_url()).content.decode()
    assert User.objects.filter(is_guest=True).count() == 1


def test_a_guest_who_was_removed_and_sends_the_form_again_is_the_same_guest(client, table, four):
    join(client, table)
    seating.remove(table.pk, four[0], seat=1)
    join(Client(), table)
    assert names(table) == ["Ann", "Zoe (guest)", "", ""]
    assert User.objects.filter(is_guest=True).count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_form_sent_eight_times_at_once_seats_one_guest(table):
    outcomes = at_once(*[partial(join, Client(), table) for _ in range(8)])
    assert [answer.status_code for answer in outcomes] == [302] * 8
    assert names(table) == ["Ann", "Zoe (guest)", "", ""]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Enter a name."),
        ("\u0301", "Enter a name that people can read."),
        ("Zo\u202ee", "A name cannot have invisible characters or line breaks."),
        ("z" * 41, "A name can have at most 40 characters."),
        ("yOE", "Someone at this table already has this name. Choose another."),
    ],
)
def test_a_name_that_will_not_do_is_refused_and_leaves_no_guest(client, table, name, sentence):
    guest_seats.join(table.pk, None, name="Yoe", key="first")
    response = join(client, table, name)
    page = response.content.decode()
    assert response.status_code == 422
    assert sentence in page
    assert f'value="{name}"' in page
    assert User.objects.filter(is_guest=True).count() == 1


@pytest.mark.parametrize(
    ("terms", "status"),
    [
        ({"joining": "invited"}, 403),
        ({"joining": "open"}, 403),
        ({"is_rated": True}, 403),
        ({"joining": "invited", "watching": "nobody"}, 404),
    ],
)
def test_only_a_link_that_is_not_rated_lets_guests_in(client, four, terms, status):
    table = make_table(four[:1], begun=False, **terms)
    assert join(client, table).status_code == status
    assert names(table) == ["Ann", "", "", ""]
    assert "guest-name" not in client.get(table.get_absolute_url()).content.decode()
    assert not User.objects.filter(is_guest=True).exists()


def test_a_full_table_and_one_that_plays_refuse_guests_and_keep_none(client, seated, four):
    full = seated(begun=False)
    assert "Every seat has just been taken." in join(client, full).content.decode()
    tables.start(full.pk, four[0])
    with pytest.raises(Refused, match="already started"):
        guest_seats.join(full.pk, None, name="Zoe", key="k")
    assert not User.objects.filter(is_guest=True).exists()


def test_a_person_who_is_signed_in_joins_as_themselves(client, table, four):
    client.force_login(four[1])
    join(client, table)
    assert names(table) == ["Ann", "Ben", "", ""]


def test_guests_are_counted_by_their_address(client, table, limited):
    limited(GUESTS, address=1)
    assert join(client, table).status_code == 302
    refused = Client().post(reverse("gameplay:join_as_guest", args=[table.slug]), {"name": "Yoe", "key": "other"})
    assert refused.status_code == 429
    assert "There were too many guests. Sign up to take a seat." in refused.content.decode()
    assert names(table) == ["Ann", "Zoe (guest)", "", ""]


def test_a_guest_moves_and_leaves_but_arranges_nothing(client, table, four):
    join(client, table)

    def post(door, **data):
        return client.post(reverse(f"gameplay:{door}", args=[table.slug]), data)

    post("change_seat", seat="3")
    assert names(table) == ["Ann", "", "", "Zoe (guest)"]
    for door in ("swap_seats", "remove_player", "seat_bots", "start", "cancel", "invite"):
        assert post(door, seat="0", first="0", second="1", level="club", who="Ben")["Location"].startswith("/accounts/")
    with pytest.raises(NotAllowed):
        invitations.invite(table.pk, table.seats.get(number=3).user, "Ben")
    post("leave")
    assert names(table) == ["Ann", "", "", ""]


def test_a_table_is_never_left_to_a_guest(table, four):
    guest_seats.join(table.pk, None, name="Zoe", key="k")
    seating.join(table.pk, four[1])
    seating.leave(table.pk, four[0])
    table.refresh_from_db()
    assert table.creator == four[1]
    assert seating.leave(table.pk, four[1]) is None


def test_a_guest_plays_with_people_and_keeps_the_match_by_signing_up(client, table, four):
    join(client, table)
    for user in four[1:3]:
        seating.join(table.pk, user)
    tables.start(table.pk, four[0])
    assert client.get(table.get_absolute_url()).status_code == 200
    guest, zoe = table.seats.get(number=1).user, make_person("Zoe")
    guest_adopted.send(sender=User, guest=guest, user=zoe)
    guest.delete()
    seat = table.seats.get(number=1)
    assert (seat.user, seat.name) == (zoe, "Zoe")


def test_a_guest_who_turns_out_to_sit_here_already_gives_the_second_seat_up(table, four):
    guest = guest_seats.join(table.pk, None, name="Annie", key="k")
    guest_adopted.send(sender=User, guest=guest, user=four[0])
    guest.delete()
    assert list(table.seats.values_list("name", flat=True)) == ["Ann", "", "", ""]


def test_a_guest_who_stays_away_leaves_the_seat_to_a_bot_and_no_name(table, four):
    guest = guest_seats.join(table.pk, None, name="Zoe", key="k")
    for user in four[1:3]:
        seating.join(table.pk, user)
    tables.start(table.pk, four[0])
    User.objects.filter(pk=guest.pk).update(date_joined=timezone.now() - timedelta(days=31))
    clearing.clear()
    assert not User.objects.filter(is_guest=True).exists()
    seat = table.seats.get(number=1)
    assert (seat.user, bool(seat.bot)) == (None, True)
    assert not Seat.objects.filter(name__contains="Zoe").exists()
    assert not any("Zoe" in line.sentence for line in table.happenings.all())
    assert Table.objects.get(pk=table.pk).status == Table.Status.PLAYING
