"""Inviting people to a table, and their answers."""

from datetime import timedelta
from functools import partial

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from accounts.budgets import INVITATIONS
from accounts.models import User
from gameplay.models import Invitation, Table
from gameplay.services import invitations, seating
from tests.at_once import at_once
from tests.makers import make_table
from web.errors import NotAllowed, Refused


@pytest.fixture
def table(four):
    return make_table(four[:1], begun=False, name="By invitation", joining="invited", watching="nobody")


@pytest.fixture
def letter(table, four):
    """An invitation with its email sent."""
    invitation = invitations.invite(table.pk, four[0], "Guest@Example.org")
    invitations.send_letter(invitation.pk)
    return invitation


def address(invitation):
    return reverse("gameplay:invitation", args=[invitation.table.slug, invitation.token])


def test_an_email_has_the_link_and_goes_out_once(letter, settings):
    assert not invitations.send_letter(letter.pk)
    invitations.send_due_letters()
    (sent,) = mail.outbox
    assert sent.to == ["guest@example.org"]
    assert sent.subject == "Ann invites you to play Hand and Foot"
    assert settings.SITE_URL + address(letter) in sent.body
    letter.refresh_from_db()
    assert letter.letter_due_at is None


def test_an_email_that_broke_off_is_sent_again(table, four, no_mail_server):
    invitation = invitations.invite(table.pk, four[0], "guest@example.org")

    with no_mail_server():
        invitations.send_letter(invitation.pk)
    assert not invitations.send_letter(invitation.pk)
    Invitation.objects.update(letter_due_at=timezone.now() - timedelta(seconds=1))
    invitations.send_due_letters()
    assert len(mail.outbox) == 1


def test_the_same_address_twice_is_one_invitation(table, four):
    first = invitations.invite(table.pk, four[0], "guest@example.org")
    assert invitations.invite(table.pk, four[0], "GUEST@example.org ") == first


@pytest.mark.parametrize(
    "address",
    ["a@b", "two@example.org, more@example.org", "x@example.org\nBcc: y@example.org", "@", "a" * 250 + "@x.org"],
)
def test_what_is_no_address_is_refused(table, four, address):
    with pytest.raises(Refused):
        invitations.invite(table.pk, four[0], address)
    assert not Invitation.objects.exists()


def test_no_name_makes_a_second_header(table, four):
    User.objects.filter(pk=four[0].pk).update(display_name="Ann\r\nBcc: all@example.org")
    invitation = invitations.invite(table.pk, User.objects.get(pk=four[0].pk), "guest@example.org")
    invitations.send_letter(invitation.pk)
    (sent,) = mail.outbox
    assert sent.subject == "Ann Bcc: all@example.org invites you to play Hand and Foot"
    assert sent.recipients() == ["guest@example.org"]


def test_invitations_of_a_day_are_counted_even_if_cancelled(table, four, person, limited, refuses):
    limited(INVITATIONS, person=3)
    person("Eve")
    for guest in ("guest1@example.org", "guest2@example.org", "Eve"):
        invitation = invitations.invite(table.pk, four[0], guest)
        invitations.revoke(table.pk, four[0], invitation.pk)
    with refuses("too_much"):
        invitations.invite(table.pk, four[0], "onemore@example.org")


def test_the_same_invitation_twice_is_counted_once(table, four, person, limited):
    limited(INVITATIONS, person=2)
    person("Eve")
    for guest in ("guest@example.org", "Eve"):
        for _ in range(3):
            invitations.invite(table.pk, four[0], guest)


def test_an_address_with_an_account_looks_like_any_other(client, table, four, person):
    person("Eve")
    client.force_login(four[0])
    pages = []
    for address in ("eve@example.org", "nobody@example.org"):
        response = client.post(reverse("gameplay:invite", args=[table.slug]), {"who": address}, follow=True)
        pages.append(response.content.decode().count(address))
        assert response.status_code == 200
    assert pages[0] == pages[1]
    assert list(Invitation.objects.values_list("user", flat=True)) == [None, None]


def test_by_name_a_notice_tells(table, four):
    invitation = invitations.invite(table.pk, four[0], "ben")
    assert invitation.user == four[1]
    assert invitations.invite(table.pk, four[0], "Ben") == invitation
    assert four[1].notices.get().title == "Ann invites you to By invitation"
    assert not mail.outbox


def test_names_that_say_too_little_are_refused(table, four, person):
    with pytest.raises(Refused, match="Nobody here is called Zoe"):
        invitations.invite(table.pk, four[0], "Zoe")
    person("ben2")
    User.objects.filter(username="ben2").update(display_name="Ben")
    with pytest.raises(Refused, match="More than one person is called Ben"):
        invitations.invite(table.pk, four[0], "Ben")
    with pytest.raises(Refused, match="Enter a name or an email address"):
        invitations.invite(table.pk, four[0], "  ")


def test_only_who_made_it_invites_to_a_closed_table(table, four):
    with pytest.raises(NotAllowed):
        invitations.invite(table.pk, four[1], "guest@example.org")


def test_who_is_invited_by_name_joins_and_others_do_not(client, table, four):
    invitations.invite(table.pk, four[0], "Ben")
    client.force_login(four[1])
    assert client.post(reverse("gameplay:join", args=[table.slug])).status_code == 302
    assert table.seats.filter(user=four[1]).exists()
    assert Invitation.objects.get().is_accepted
    client.force_login(four[2])
    assert client.post(reverse("gameplay:join", args=[table.slug])).status_code == 404


def test_the_link_leads_a_newcomer_through_sign_up_to_the_table(client, letter):
    page = client.get(address(letter)).content.decode()
    assert f"/accounts/signup/?next={address(letter)}" in page
    assert "Rule sheet" in page
    newcomer = User.objects.create_user("newcomer", "other@example.org")
    client.force_login(newcomer)
    response = client.post(address(letter), {"answer": "yes"})
    assert response["Location"] == letter.table.get_absolute_url()
    assert letter.table.seats.filter(user=newcomer).exists()
    assert client.get(address(letter))["Location"] == letter.table.get_absolute_url()


def notified(user):
    return [notice.title for notice in user.notices.order_by("pk") if notice.kind == "other_address"]


def test_with_an_unconfirmed_address_the_creator_is_told_once_and_can_remove_the_player(letter, four):
    for _ in range(2):
        invitations.accept(letter, four[1])
    assert notified(four[0]) == ["Ben accepted an emailed invitation to By invitation with an unconfirmed address"]
    seating.remove(letter.table_id, four[0], seat=letter.table.seats.get(user=four[1]).number)
    assert not letter.table.seats.filter(user=four[1]).exists()


def test_with_the_confirmed_address_nobody_is_told(letter, four):
    EmailAddress.objects.create(user=four[1], email="Guest@example.org", verified=True)
    invitations.accept(letter, four[1])
    assert notified(four[0]) == []


def test_the_link_shows_the_address_masked_to_who_has_not_confirmed_it(client, letter, four):
    client.force_login(four[1])
    page = client.get(address(letter)).content.decode()
    assert "<bdi>g…@example.org</bdi>" in page
    assert "We tell the table’s creator if you join." in page
    assert letter.email not in page
    EmailAddress.objects.create(user=four[1], email=letter.email, verified=True)
    assert "…@example.org" not in client.get(address(letter)).content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_two_holders_of_a_link_at_once_one_takes_a_seat(letter, four):
    answers = at_once(*[partial(invitations.accept, letter, each) for each in four[1:3]])
    (refused,) = [answer for answer in answers if isinstance(answer, Refused)]
    assert refused.code == "used"
    assert letter.table.seats.filter(user__in=four[1:3]).count() == 1
    assert len(notified(four[0])) == 1


def test_a_link_is_good_for_one(client, letter, four):
    invitations.accept(letter, four[1])
    client.force_login(four[2])
    response = client.get(address(letter))
    assert response.status_code == 422
    assert "This invitation has already been used." in response.content.decode()
    assert client.post(address(letter), {"answer": "yes"}).status_code == 422
    assert not letter.table.seats.filter(user=four[2]).exists()


@pytest.mark.parametrize("token", ["nonsense", "a" * 43, "é", "a" * 400])
def test_a_tampered_link_says_so(client, letter, token):
    response = client.get(reverse("gameplay:invitation", args=[letter.table.slug, token]))
    assert response.status_code == 422
    assert "This invitation is not valid." in response.content.decode()


def test_a_link_is_for_its_own_table(client, letter, four):
    other = make_table(four[1:2], begun=False)
    assert client.get(reverse("gameplay:invitation", args=[other.slug, letter.token])).status_code == 422


def test_a_cancelled_link_is_no_longer_good(client, letter, four):
    invitations.revoke(letter.table_id, four[0], letter.pk)
    assert client.get(address(letter)).status_code == 422
    client.force_login(four[1])
    assert client.post(address(letter), {"answer": "yes"}).status_code == 422
    assert not letter.table.seats.filter(user=four[1]).exists()


def test_an_invitation_can_be_declined_without_an_account(client, letter):
    assert client.post(address(letter), {"answer": "no"}).status_code == 302
    letter.refresh_from_db()
    assert (letter.is_accepted, letter.answered_at is None) == (False, False)


def test_the_lobby_shows_invitations_to_an_address_known_to_be_ones_own(client, letter, person):
    eve = person("Eve")
    EmailAddress.objects.create(user=eve, email="guest@example.org", verified=False)
    client.force_login(eve)
    assert list(client.get(reverse("gameplay:lobby")).context["invitations"]) == []
    EmailAddress.objects.update(verified=True)
    assert list(client.get(reverse("gameplay:lobby")).context["invitations"]) == [letter]
    assert client.post(reverse("gameplay:decline", args=[letter.table.slug])).status_code == 302
    assert list(client.get(reverse("gameplay:lobby")).context["invitations"]) == []


def test_a_table_with_a_guest_who_cannot_be_found_is_not_made(client, four):
    client.force_login(four[0])
    data = {
        "preset": "standard",
        "shape": "4x2",
        "name": "Thursday",
        "pace": "own",
        "assist": "yes",
        "joining": "link",
        "watching": "link",
        "clock": "move",
        "clock_hours": "48",
        "missed": "bot",
        "invite": "guest@example.org\nZoe",
    }
    response = client.post(reverse("gameplay:new_table"), data)
    assert response.status_code == 422
    assert "Nobody here is called Zoe." in response.content.decode()
    assert not Table.objects.exists()
    client.post(reverse("gameplay:new_table"), data | {"invite": "guest@example.org, Ben"})
    assert Invitation.objects.filter(table=Table.objects.get()).count() == 2


def test_signing_up_through_the_email_leads_back_to_it(client, letter):
    page = client.get(f"/accounts/signup/?next={address(letter)}").content.decode()
    assert f'name="next" value="{address(letter)}"' in page.replace('type="hidden" ', "")
    answers = {"email": "guest@example.org", "password1": "seven-of-a-rank", "next": address(letter)}
    response = client.post("/accounts/signup/", answers | {"display_name": "Guest", "time_zone": "Europe/Oslo"})
    assert response["Location"] == address(letter)
    assert "Agree to the rules and join" in client.get(address(letter)).content.decode()
