"""Another partner: the same people are invited to a new table, each to another seat."""

import pytest
from django.urls import reverse

from gameplay.models import Invitation, Table
from gameplay.services import invitations
from gameplay.services.partners import change_partners
from tests.makers import finish_match, make_table
from tests.pages import squeezed
from web.errors import NotAllowed

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(four):
    return finish_match(make_table(four, clock_hours=24), [900, 500], [0])


def seat_everyone(table):
    for invitation in Invitation.objects.filter(table=table).order_by("-pk"):
        invitations.accept(invitation, invitation.user)
    return [str(seat) for seat in table.seats.order_by("number")]


def test_three_more_matches_bring_each_partner_once(match, four):
    partners = []
    for _ in range(3):
        table = change_partners(match.pk, four[0])
        seats = seat_everyone(table)
        partners.append(seats[2])
        match = finish_match(table, [1, 0], [0])
    assert partners == ["Dee", "Ben", "Cem"]


def test_the_new_table_has_the_rules_and_terms_of_the_old_and_waits(match, four):
    table = change_partners(match.pk, four[1])
    assert (table.status, table.rules_json, table.clock_hours) == ("gathering", match.rules_json, 24)
    assert (table.joining, table.creator, str(table.seats.get(number=0))) == ("invited", four[1], "Ben")
    assert set(Invitation.objects.filter(table=table).values_list("user__username", "seat")) == {
        ("dee", 1),
        ("ann", 2),
        ("cem", 3),
    }


def test_a_seat_that_is_taken_by_then_is_no_obstacle(match, four):
    table = change_partners(match.pk, four[0])
    meant = Invitation.objects.get(table=table, seat=1)
    other = Invitation.objects.get(table=table, seat=2)
    invitations.accept(other, other.user, seat=1)
    invitations.accept(meant, meant.user)
    assert table.seats.get(user=meant.user).number == 2


def test_sent_twice_it_is_one_table(match, four):
    assert change_partners(match.pk, four[0]) == change_partners(match.pk, four[0])
    assert Table.objects.count() == 2
    assert Invitation.objects.count() == 3


def test_bots_move_along(match, four):
    match.seats.filter(number=1).update(user=None, bot="club")
    table = change_partners(match.pk, four[0])
    assert [seat.bot for seat in table.seats.order_by("number")] == ["", "", "", "club"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [({"status": "playing"}, "not_over"), ({"is_practice": True}, "no_partners"), ({"team_size": 1}, "no_partners")],
)
def test_it_is_for_finished_matches_with_partners(match, four, refuses, fields, code):
    Table.objects.filter(pk=match.pk).update(**fields)
    with refuses(code):
        change_partners(match.pk, four[0])


def test_strangers_cannot(match, person, client):
    eve = person("Eve")
    with pytest.raises(NotAllowed):
        change_partners(match.pk, eve)
    address = reverse("gameplay:partners", args=[match.slug])
    assert client.post(address).url.startswith("/accounts/login/")
    client.force_login(eve)
    assert client.post(address).status_code == 403


def test_the_button_leads_to_the_new_table(match, four, client):
    client.force_login(four[0])
    answer = client.post(reverse("gameplay:partners", args=[match.slug]))
    table = Table.objects.exclude(pk=match.pk).get()
    assert answer.url == table.get_absolute_url()
    assert "Dee" in squeezed(client.get(answer.url))
