"""Joining a club: at once, by asking, by its link, by invitation."""

from datetime import timedelta
from functools import partial

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.budgets import INVITATIONS
from accounts.models import Notice, User
from accounts.services import notices
from clubs.models import Act, Club, Invitation, JoinRequest, Membership
from clubs.services import club_lifecycle, history
from clubs.services.members import joining, member_invitations, membership
from tests.at_once import at_once
from tests.makers import make_club
from web.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db

JOIN = "/clubs/harbour/join/"


@pytest.fixture
def mia(person):
    return person("Mia")


def member_of(club, user):
    return Membership.objects.filter(club=club, user=user, left_at=None).first()


def set_joining(club, way):
    Club.objects.filter(pk=club.pk).update(joining=way)


# At once


def test_an_open_club_is_joined_at_once(club, mia, browser_of, refuses):
    set_joining(club, "open")
    browser_of(mia).submit(JOIN, "join")
    assert member_of(club, mia).role == "member"
    with refuses("of_club_already"):
        joining.join(club.pk, mia)


@pytest.mark.parametrize("way", ["request", "link"])
def test_no_other_club_is(club, mia, refuses, way):
    set_joining(club, way)
    with refuses("not_open"):
        joining.join(club.pk, mia)
    assert member_of(club, mia) is None


def test_guests_sign_up_first(club, person, refuses):
    set_joining(club, "open")
    gus = person("Gus", is_guest=True)
    for act in (
        lambda: joining.join(club.pk, gus),
        lambda: joining.ask(club.pk, gus),
        lambda: joining.join_by_link(club.join_token, gus),
    ):
        with refuses("guest"):
            act()
    assert not Membership.objects.exists()


def test_visitors_are_led_to_sign_in_and_back(club, client):
    set_joining(club, "open")
    markup = client.get(JOIN).content.decode()
    assert f'{reverse("account_signup")}?next={JOIN}"' in markup
    assert client.post(JOIN, {"act": "join"})["Location"] == f"{reverse('account_login')}?next={JOIN}"


def test_one_can_be_of_many_clubs_and_come_back_as_who_one_was(club, mia, person):
    set_joining(club, "open")
    other = make_club("Other", owner=person("Eve"), joining="open")
    joining.join(club.pk, mia)
    joining.join(other.pk, mia)
    member = member_of(club, mia)
    membership.leave(club.pk, mia)
    joining.join(club.pk, mia)
    assert member_of(club, mia) == member
    assert member_of(other, mia) is not None


def test_two_of_one_name_are_told_apart(club, in_club, mia):
    set_joining(club, "open")
    membership.add_names(club.pk, in_club(club, "Own", "owner"), lines=["MIA"])
    joining.join(club.pk, mia)
    assert member_of(club, mia).name == "Mia (2)"


# By asking


def test_a_request_is_told_to_organisers_and_answered(club, staff, mia, browser_of):
    browser_of(mia).submit(JOIN, "ask", words="I play on Tuesdays")
    request = JoinRequest.objects.get()
    club_asks = Notice.objects.filter(kind="club_ask")
    assert {notice.user for notice in club_asks} == {staff["owner"], staff["organiser"]}
    assert club_asks[0].title == "Harbour Hand and Foot: Mia asks to join"
    page = browser_of(staff["organiser"])
    desk = reverse("clubs:desk", args=["harbour"])
    assert "I play on Tuesdays" in page.get(desk)
    page.submit(desk, f"yes-{request.pk}")
    assert member_of(club, mia).role == "member"
    assert Notice.objects.get(user=mia).title == "Harbour Hand and Foot: you are in"
    assert not any(notices.is_wanted(notice) for notice in club_asks.all())
    assert notices.is_wanted(Notice.objects.get(user=mia))


def test_who_was_declined_waits_before_asking_again(club, staff, mia, browser_of, refuses):
    joining.ask(club.pk, mia)
    request = JoinRequest.objects.get()
    browser_of(staff["owner"]).submit("/clubs/harbour/run/", f"no-{request.pk}")
    assert member_of(club, mia) is None
    with refuses("answered"):
        joining.accept(request.pk, staff["owner"])
    with refuses("declined"):
        joining.ask(club.pk, mia)
    JoinRequest.objects.update(answered_at=timezone.now() - joining.PAUSE - timedelta(minutes=1))
    joining.ask(club.pk, mia)


def test_one_request_at_a_time_which_can_be_cancelled(club, staff, mia, person, browser_of, refuses):
    joining.ask(club.pk, mia)
    with refuses("asked_already"):
        joining.ask(club.pk, mia)
    request = JoinRequest.objects.get()
    with pytest.raises(NotAllowed):
        joining.withdraw(request.pk, person("Eve"))
    browser_of(mia).submit(JOIN, "withdraw")
    request.refresh_from_db()
    assert request.status == "withdrawn"
    joining.ask(club.pk, mia)


def test_nobody_asks_without_end(mia, person, refuses, monkeypatch):
    monkeypatch.setattr(joining, "MOST_OPEN", 2)
    clubs = [make_club(name) for name in ("A", "B", "C")]
    joining.ask(clubs[0].pk, mia)
    joining.ask(clubs[1].pk, mia)
    with refuses("too_many"):
        joining.ask(clubs[2].pk, mia)


def test_only_who_lets_people_in_answers(club, staff, mia):
    joining.ask(club.pk, mia)
    request = JoinRequest.objects.get()
    for role in ("scorer", "member", "guest"):
        with pytest.raises(NotAllowed):
            joining.accept(request.pk, staff[role])
        with pytest.raises(NotAllowed):
            joining.decline(request.pk, staff[role])


def test_a_request_of_another_club_is_not_found(club, staff, mia, person, client):
    other = make_club("Other", owner=person("Eve"), joining="request")
    joining.ask(other.pk, mia)
    client.force_login(staff["owner"])
    assert client.post(f"/clubs/harbour/requests/{JoinRequest.objects.get().pk}/", {"answer": "yes"}).status_code == 404
    assert member_of(other, mia) is None


def test_joining_otherwise_settles_a_request(club, mia):
    joining.ask(club.pk, mia)
    joining.join_by_link(club.join_token, mia)
    assert JoinRequest.objects.get().status == "accepted"


# By link


def test_a_club_joined_by_link_takes_no_requests_from_strangers(club, mia, browser_of, refuses):
    set_joining(club, "link")
    assert 'value="ask"' not in browser_of(mia).get(JOIN)
    client = Client()
    client.force_login(mia)
    for name in ("", "Mia", "Nobody"):
        with refuses("by_link"):
            joining.ask(club.pk, mia, name=name)
        page = client.post(JOIN, {"act": "ask", "name": name})
        assert page.status_code == 422
        assert "You can only join this club with its link or an invitation." in page.content.decode()
        answer = client.post("/api/v1/clubs/harbour/ask/", {"name": name}, "application/json")
        assert (answer.status_code, answer.json()["code"]) == (422, "by_link")
    assert not JoinRequest.objects.exists()


def test_a_member_of_a_club_joined_by_link_asks_for_another_name(club, mia, browser_of):
    set_joining(club, "link")
    joining.join_by_link(club.join_token, mia)
    assert 'value="ask"' in browser_of(mia).get(JOIN)
    joining.ask(club.pk, mia, name="Mimi")
    assert JoinRequest.objects.get().user == mia


def test_the_link_says_which_club_before_anything_is_done(club, mia, browser_of, client):
    set_joining(club, "link")
    path = reverse("clubs:join_by_link", args=[club.join_token])
    assert "Harbour Hand and Foot" in client.get(path).content.decode()
    assert client.post(path)["Location"].startswith(reverse("account_login"))
    page = browser_of(mia)
    page.get(path)
    assert member_of(club, mia) is None
    assert page.submit(path, "yes") == "/clubs/harbour/"
    assert member_of(club, mia).role == "member"
    assert "You are already a member of this club" in page.get(path)


def test_an_old_link_has_ended(club, staff, mia, browser_of, refuses):
    from clubs.services import settings

    old = club.join_token
    settings.renew_link(club.pk, staff["owner"])
    with refuses("link_ended"):
        joining.join_by_link(old, mia)
    assert "This link has expired" in browser_of(mia).get(reverse("clubs:join_by_link", args=[old]), status=422)


# By invitation


@pytest.fixture
def letter(club, staff):
    member_invitations.invite(club.pk, staff["owner"], addresses="Guest@Example.org")
    return Invitation.objects.get()


def test_invitations_go_to_each_address_of_a_list_once(club, staff):
    act = member_invitations.invite(
        club.pk, staff["owner"], addresses="a@example.org; B@example.org\nCem Ak <c@example.org>, a@example.org"
    )
    assert act.sentence == "3 invitations sent."
    assert list(Invitation.objects.values_list("email", flat=True)) == [
        "a@example.org",
        "b@example.org",
        "c@example.org",
    ]
    act = member_invitations.invite(club.pk, staff["owner"], addresses="a@example.org\nd@example.org")
    assert act.sentence == "1 invitation sent. Already invited: 1."


@pytest.mark.parametrize("text", ["", "\n", "nonsense", "ann@example.org\nben"])
def test_lists_that_cannot_be_read(club, staff, refuses, text):
    with refuses("nobody" if not text.strip() else "bad_email"):
        member_invitations.invite(club.pk, staff["owner"], addresses=text)
    assert not Invitation.objects.exists()


def test_an_invitation_has_the_link_and_goes_out_once(letter, settings):
    assert member_invitations.send(letter.pk)
    assert not member_invitations.send(letter.pk)
    member_invitations.send_due()
    (sent,) = mail.outbox
    assert sent.to == ["guest@example.org"]
    assert sent.subject == "Owner invited you to join Harbour Hand and Foot"
    assert settings.SITE_URL + reverse("clubs:invitation", args=[letter.token]) in sent.body
    letter.refresh_from_db()
    assert letter.due_at is None


def test_an_invitation_that_broke_off_is_sent_again(letter, no_mail_server):
    with no_mail_server():
        member_invitations.send(letter.pk)
    assert not member_invitations.send(letter.pk)
    Invitation.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    member_invitations.send_due()
    assert len(mail.outbox) == 1


def test_no_name_makes_a_second_header(club, staff):
    User.objects.filter(pk=staff["owner"].pk).update(display_name="Ann\r\nBcc: all@example.org")
    member_invitations.invite(club.pk, User.objects.get(pk=staff["owner"].pk), addresses="guest@example.org")
    member_invitations.send_due()
    assert mail.outbox[0].recipients() == ["guest@example.org"]
    assert "\n" not in mail.outbox[0].subject


def test_invitations_a_day_are_counted(club, staff, refuses, limited):
    limited(INVITATIONS, person=3)
    member_invitations.invite(club.pk, staff["owner"], addresses="a@example.org\nb@example.org")
    with refuses("too_much"):
        member_invitations.invite(club.pk, staff["owner"], addresses="c@example.org\nd@example.org")
    member_invitations.invite(club.pk, staff["organiser"], addresses="c@example.org\nd@example.org")


def test_an_invitation_admits_once(club, letter, mia, person, browser_of, refuses):
    path = reverse("clubs:invitation", args=[letter.token])
    page = browser_of(mia)
    assert "You are invited to join" in page.get(path)
    page.submit(path, "yes")
    assert member_of(club, mia).role == "member"
    with refuses("invitation_ended"):
        member_invitations.accept(letter.token, person("Eve"))
    assert "This invitation has expired" in page.get(path, status=422)


def notified(user):
    """The titles of a person's notifications that name an unconfirmed address."""
    return [notice.title for notice in user.notices.order_by("pk") if "unconfirmed address" in notice.title]


def test_with_an_unconfirmed_address_the_organisers_are_told(club, staff, letter, mia):
    act = member_invitations.accept(letter.token, mia)
    assert act.sentence == "Mia joined by invitation. The account has not confirmed the invited address."
    words = "Harbour Hand and Foot: Mia accepted an emailed invitation with an unconfirmed address. Check that you know them"
    assert notified(staff["owner"]) == notified(staff["organiser"]) == [words]
    assert notified(staff["member"]) == []


def test_who_claims_a_name_with_an_unconfirmed_address_can_be_undone(club, staff, mia, refuses):
    name = Membership.objects.create(club=club, name="Ida", email="ida@example.org")
    member_invitations.invite_name(name.pk, staff["owner"])
    letter = Invitation.objects.get()
    act = member_invitations.accept(letter.token, mia)
    assert act.sentence == "Mia claimed the name Ida. The account has not confirmed the invited address."
    assert len(notified(staff["owner"])) == 1
    history.undo(act.pk, by=staff["owner"])
    name.refresh_from_db()
    assert (name.user, name.name, name.email) == (None, "Ida", "ida@example.org")
    with refuses("invitation_ended"):
        member_invitations.accept(letter.token, mia)


def test_with_the_confirmed_address_nobody_is_told(staff, letter, mia):
    EmailAddress.objects.create(user=mia, email="Guest@example.org", verified=True)
    assert member_invitations.accept(letter.token, mia).sentence == "Mia joined by invitation."
    assert notified(staff["owner"]) == []


def test_the_link_shows_the_address_masked_to_who_has_not_confirmed_it(letter, mia, browser_of):
    path = reverse("clubs:invitation", args=[letter.token])
    markup = browser_of(mia).get(path)
    assert "<bdi>g…@example.org</bdi>" in markup
    assert "We tell the organisers if you accept." in markup
    assert letter.email not in markup
    EmailAddress.objects.create(user=mia, email=letter.email, verified=True)
    assert "…@example.org" not in browser_of(mia).get(path)


def test_programs_are_shown_the_same(letter, mia, client):
    client.force_login(mia)
    body = {"kind": "letter", "token": letter.token}

    def sent_to():
        return client.post("/api/v1/club-links/look/", body, content_type="application/json").json()["sent_to"]

    assert sent_to() == "g…@example.org"
    EmailAddress.objects.create(user=mia, email=letter.email, verified=True)
    assert sent_to() == ""


@pytest.mark.django_db(transaction=True)
def test_of_two_holders_of_a_link_at_once_one_joins(club, staff, letter, mia, person):
    people = [mia, person("Eve")]
    answers = at_once(*[partial(member_invitations.accept, letter.token, each) for each in people])
    (refused,) = [answer for answer in answers if isinstance(answer, Refused)]
    assert refused.code == "invitation_ended"
    assert Membership.objects.filter(club=club, user__in=people).count() == 1
    assert len(notified(staff["owner"])) == 1


def test_saying_no_needs_no_account(letter, browser_of, client):
    path = reverse("clubs:invitation", args=[letter.token])
    answer = browser_of().press(path, "no")
    assert answer["Location"] == "/clubs/"
    letter.refresh_from_db()
    assert letter.revoked_at is not None
    assert client.post(path, {"answer": "no"}).status_code == 422


def test_a_cancelled_invitation_is_neither_sent_nor_answered(club, staff, letter, mia, browser_of, refuses):
    browser_of(staff["owner"]).submit("/clubs/harbour/people/", f"back-{letter.pk}")
    assert not member_invitations.send(letter.pk)
    with refuses("invitation_ended"):
        member_invitations.accept(letter.token, mia)


def test_old_invitations_expire(letter, mia, refuses):
    Invitation.objects.update(created_at=timezone.now() - member_invitations.LASTS - timedelta(minutes=1))
    with refuses("invitation_ended"):
        member_invitations.accept(letter.token, mia)


def test_invitations_give_no_rights(club, staff, refuses):
    with refuses("bad_role"):
        member_invitations.invite(club.pk, staff["owner"], addresses="a@example.org", role="owner")


def test_the_history_keeps_no_addresses(club, letter):
    assert "guest@example.org" not in str(Act.objects.get().changes) + Act.objects.get().sentence


def test_an_address_with_an_account_looks_like_any_other(club, staff, mia):
    member_invitations.invite(club.pk, staff["owner"], addresses=mia.email)
    assert Invitation.objects.get().membership is None
    assert not Notice.objects.filter(user=mia).exists()


def test_an_archived_club_lets_nobody_in(club, staff, mia, letter, refuses):
    set_joining(club, "open")
    club_lifecycle.archive(club.pk, staff["owner"])
    for act in (lambda: joining.join(club.pk, mia), lambda: joining.ask(club.pk, mia)):
        with refuses("archived"):
            act()
    with refuses("link_ended"):
        joining.join_by_link(club.join_token, mia)
    with refuses("invitation_ended"):
        member_invitations.accept(letter.token, mia)
