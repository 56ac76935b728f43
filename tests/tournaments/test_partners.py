"""Partners and teams: asking, answering, leaving, captains."""

from functools import partial

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse

from tests.at_once import at_once
from tournaments.models import Entry, Letter, Member, Tournament
from tournaments.services import history
from tournaments.services.entries import enrolment, entry_members, partners
from tournaments.services.events import lifecycle
from web.errors import NotAllowed

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(new_event):
    return new_event(entries=0, kind="partnership")


@pytest.fixture
def ben(person):
    return person("Ben")


@pytest.fixture
def invited(cup, ann, ben):
    """Ann has entered and asked Ben; Ben's row."""
    return enrolment.enter(cup.pk, ann, partners=["Ben"]).members.get(user=ben)


def entry_now():
    return Entry.objects.get()


# Asking and answering


def test_an_entry_forms_until_the_partner_agrees(invited, ann, ben):
    assert (entry_now().name, entry_now().status, invited.answer) == ("Ann / Ben", "forming", "invited")
    assert [notice.kind for notice in ben.notices.all()] == ["event_partner"]
    assert list(partners.invitations_of(ben)) == [invited]
    act = partners.accept(invited.pk, ben)
    assert act.sentence == "Ben agreed to play in Ann / Ben. It has a place."
    assert entry_now().status == "entered"
    assert [notice.title for notice in ann.notices.all()] == ["Harbour Cup: Ben plays with you"]
    assert not partners.invitations_of(ben).exists()


def test_agreeing_twice_does_no_harm(invited, ben):
    partners.accept(invited.pk, ben, request_key="k")
    partners.accept(invited.pk, ben, request_key="k")
    assert partners.accept(invited.pk, ben).changes == []
    assert Member.objects.filter(answer="accepted").count() == 2


def test_agreeing_can_be_undone(invited, ben, olga):
    act = partners.accept(invited.pk, ben)
    history.undo(act.pk, by=olga)
    invited.refresh_from_db()
    assert (invited.answer, entry_now().status) == ("invited", "forming")


def test_where_the_event_is_full_the_pair_waits(new_event, ann, ben):
    cup = new_event(entries=2, entry_limit=2, kind="partnership")
    entry = enrolment.enter(cup.pk, ann, partners=[ben])
    act = partners.accept(entry.members.get(user=ben).pk, ben)
    entry.refresh_from_db()
    assert entry.status == "waiting"
    assert act.sentence.endswith("It is on the waiting list.")


def test_strangers_answer_nothing(invited, person, refuses):
    eve = person("Eve")
    for act in (partners.accept, partners.decline):
        with refuses("not_yours"):
            act(invited.pk, eve)
        with refuses("not_yours"):
            act(invited.pk, eve, token=invited.token)
    with refuses("not_yours"):
        partners.decline(invited.pk, None)


def test_a_partner_who_declines_leaves_the_place_to_another(invited, ann, ben, person):
    partners.decline(invited.pk, ben)
    assert (entry_now().name, entry_now().status) == ("Ann", "forming")
    assert ann.notices.get().title == "Harbour Cup: Ben declined to play with you"
    cem = person("Cem")
    new = partners.invite(entry_now().pk, ann, person="Cem")
    partners.accept(new.pk, cem)
    assert (entry_now().name, entry_now().status) == ("Ann / Cem", "entered")


def test_what_was_declined_cannot_be_accepted(invited, ben, refuses):
    partners.decline(invited.pk, ben)
    with refuses("no_invitation"):
        partners.accept(invited.pk, ben)
    assert partners.decline(invited.pk, ben).changes == []


def test_being_asked_binds_nobody_and_saying_yes_declines_the_others(invited, cup, ben, person):
    other = enrolment.enter(cup.pk, person("Cem"), partners=[ben])
    partners.accept(other.members.get(user=ben).pk, ben)
    invited.refresh_from_db()
    assert invited.answer == "declined"
    assert not partners.invitations_of(ben).exists()


def test_who_plays_already_cannot_be_asked_nor_agree(invited, cup, ben, person, refuses):
    dee = person("Dee")
    other = enrolment.enter(cup.pk, dee, partners=["Ben"])
    partners.accept(invited.pk, ben)
    with refuses("no_invitation"):
        partners.accept(other.members.get(user=ben).pk, ben)
    with refuses("entered_already"):
        enrolment.enter(cup.pk, person("Eve"), partners=[ben])


@pytest.mark.parametrize(
    ("name", "code"), [("Ann", "entered_already"), ("Nobody", "nobody"), ("", "nobody"), ("x@", "bad_email")]
)
def test_who_cannot_be_asked(cup, ann, refuses, name, code):
    with refuses(code):
        enrolment.enter(cup.pk, ann, partners=[name])
    assert not Entry.objects.exists()


def test_a_partnership_is_two(invited, ann, refuses, person):
    with refuses("entry_full"):
        partners.invite(entry_now().pk, ann, person=person("Cem"))


def test_a_guest_does_not_agree(invited, ben, refuses):
    ben.is_guest = True
    with refuses("guest"):
        partners.accept(invited.pk, ben)


@pytest.mark.parametrize("status", ["over", "cancelled"])
def test_after_the_end_there_is_nothing_to_answer(invited, cup, ben, refuses, status):
    Tournament.objects.filter(pk=cup.pk).update(status=status)
    with refuses(status):
        partners.accept(invited.pk, ben)
    assert not partners.invitations_of(ben).exists()


def test_a_pair_that_agrees_after_the_start_waits(new_event, ann, ben):
    cup = new_event("swiss", entries=4, kind="partnership")
    entry = enrolment.enter(cup.pk, ann, partners=[ben])
    lifecycle.start(cup.pk, cup.created_by)
    partners.accept(entry.members.get(user=ben).pk, ben)
    entry.refresh_from_db()
    assert entry.status == "waiting"


# By email


def test_an_address_gets_a_letter_and_any_account_with_the_link_may_answer(cup, ann, ben):
    entry = enrolment.enter(cup.pk, ann, partners=["Some.One@Example.org"])
    member = entry.members.get(user=None)
    assert (entry.name, member.email, member.name) == (
        "Ann / invited partner",
        "some.one@example.org",
        "invited partner",
    )
    assert Letter.objects.get().member == member
    assert partners.read(cup.slug, member.token) == member
    partners.accept(member.pk, ben, token=member.token)
    member.refresh_from_db()
    assert (member.user, member.name, member.email) == (ben, "Ben", "")
    assert entry_now().name == "Ann / Ben"


def test_an_address_known_to_be_ones_own_needs_no_link(cup, ann, ben, refuses):
    member = enrolment.enter(cup.pk, ann, partners=["ben@example.org"]).members.get(user=None)
    address = EmailAddress.objects.create(user=ben, email="Ben@example.org", verified=False)
    assert not partners.invitations_of(ben).exists()
    with refuses("not_yours"):
        partners.accept(member.pk, ben)
    EmailAddress.objects.filter(pk=address.pk).update(verified=True)
    assert list(partners.invitations_of(ben)) == [member]
    partners.accept(member.pk, ben)


def test_a_letter_can_be_declined_without_an_account(cup, ann):
    member = enrolment.enter(cup.pk, ann, partners=["ben@example.org"]).members.get(user=None)
    partners.decline(member.pk, None, token=member.token)
    member.refresh_from_db()
    assert member.answer == "declined"


def notified(user):
    """The titles of a person's notifications that name an unconfirmed address."""
    return [notice.title for notice in user.notices.order_by("pk") if "unconfirmed address" in notice.title]


@pytest.mark.parametrize("address", [None, "other@example.org", "some.one@example.org"])
def test_with_an_unconfirmed_address_the_organisers_are_told_and_can_undo_it(cup, ann, ben, olga, address):
    entry = enrolment.enter(cup.pk, ann, partners=["some.one@example.org"])
    member = entry.members.get(user=None)
    if address:
        EmailAddress.objects.create(user=ben, email=address, verified=address.startswith("other"))
    act = partners.accept(member.pk, ben, token=member.token)
    assert act.sentence.endswith("The account has not confirmed the invited address.")
    words = f"{cup}: Ben accepted an emailed invitation to Ann / invited partner with an unconfirmed address. Check that you know them"
    assert notified(olga) == [words]
    history.undo(act.pk, by=olga)
    member.refresh_from_db()
    assert (member.user, member.email, member.answer) == (None, "some.one@example.org", "invited")


def test_after_undo_the_link_is_good_no_longer(cup, ann, ben, olga, refuses):
    member = enrolment.enter(cup.pk, ann, partners=["some.one@example.org"]).members.get(user=None)
    history.undo(partners.accept(member.pk, ben, token=member.token).pk, by=olga)
    with refuses("no_invitation"):
        partners.read(cup.slug, member.token)
    with refuses("not_yours"):
        partners.accept(member.pk, ben, token=member.token)


def test_with_the_confirmed_address_nobody_is_told(cup, ann, ben, olga):
    member = enrolment.enter(cup.pk, ann, partners=["Some.One@example.org"]).members.get(user=None)
    EmailAddress.objects.create(user=ben, email="some.ONE@example.org", verified=True)
    act = partners.accept(member.pk, ben, token=member.token)
    assert "unconfirmed" not in act.sentence
    assert "not confirmed" not in act.sentence
    assert notified(olga) == []


def test_the_place_of_a_name_is_taken_with_a_word_as_well(new_event, olga, ann):
    cup = new_event(entries=0)
    member = enrolment.enter_for(cup.pk, olga, members=["Ann Lee <ann.lee@example.org>"]).members.get()
    act = partners.accept(member.pk, ann, token=member.token)
    assert act.sentence.endswith("The account has not confirmed the invited address.")
    assert len(notified(olga)) == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_link_shows_the_address_masked_to_who_has_not_confirmed_it(cup, ann, ben, client, language):
    member = enrolment.enter(cup.pk, ann, partners=["some.one@example.org"]).members.get(user=None)
    ben.language = language
    ben.save()
    client.force_login(ben)
    page = reverse("tournaments:invitation", args=[cup.slug, member.token])
    markup = client.get(page).content.decode()
    assert "<bdi>s…@example.org</bdi>" in markup
    assert "some.one" not in markup
    notes = {"en": "We tell the organisers if you accept.", "de": "Wenn du annimmst, benachrichtigen wir die Leitung."}
    assert notes[language] in markup
    EmailAddress.objects.create(user=ben, email="some.one@example.org", verified=True)
    assert "…@example.org" not in client.get(page).content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_two_holders_of_a_link_at_once_one_gets_the_place(cup, ann, ben, person, olga):
    member = enrolment.enter(cup.pk, ann, partners=["some.one@example.org"]).members.get(user=None)
    people = [ben, person("Cem")]
    answers = at_once(*[partial(partners.accept, member.pk, each, token=member.token) for each in people])
    (refused,) = [answer for answer in answers if isinstance(answer, NotAllowed)]
    assert refused.code == "not_yours"
    member.refresh_from_db()
    assert member.user == people[0 if answers[1] is refused else 1]
    assert len(notified(olga)) == 1


@pytest.mark.parametrize("token", ["", "nonsense", "é", "x" * 400])
def test_a_tampered_link_says_so(invited, cup, refuses, token):
    with refuses("no_invitation"):
        partners.read(cup.slug, token)


def test_who_was_put_in_by_name_and_address_takes_over_their_place(new_event, olga, ann):
    cup = new_event(entries=0)
    entry = enrolment.enter_for(cup.pk, olga, members=["Ann Lee <ann.lee@example.org>"])
    member = entry.members.get()
    assert (entry.name, entry.status, member.name) == ("Ann Lee", "entered", "Ann Lee")
    partners.accept(member.pk, ann, token=member.token)
    member.refresh_from_db()
    assert (member.user, Entry.objects.get().name, Entry.objects.get().status) == (ann, "Ann", "entered")


# Leaving


def test_a_partner_who_leaves_frees_the_place_for_the_waiting_list(new_event, entry, user_of, person, olga):
    cup = new_event(entries=2, kind="partnership", entry_limit=2)
    waiting = enrolment.enter_for(cup.pk, olga, members=["Ada", "Bea"])
    second = entry(cup, 1).members.get(name="Player 2")
    act = entry_members.remove_member(second.pk, second.user)
    waiting.refresh_from_db()
    assert (entry(cup, 1).status, waiting.status) == ("forming", "entered")
    assert act.sentence == "Player 2 left Pair 1. Ada / Bea moved up from the waiting list."
    history.undo(act.pk, by=olga)
    waiting.refresh_from_db()
    assert (entry(cup, 1).status, waiting.status) == ("entered", "waiting")


def test_who_left_can_enter_again_and_then_the_leaving_stays(new_event, entry, olga, refuses):
    cup = new_event(entries=1, kind="partnership")
    second = entry(cup, 1).members.get(name="Player 2")
    act = entry_members.remove_member(second.pk, second.user)
    assert enrolment.enter(cup.pk, second.user).status == "forming"
    with refuses("changed_since"):
        history.undo(act.pk, by=olga)


def test_an_entry_that_nobody_is_left_in_is_withdrawn(new_event, entry):
    cup = new_event(entries=1)
    first = entry(cup, 1).members.get()
    entry_members.remove_member(first.pk, first.user)
    assert entry(cup, 1).status == "withdrawn"


def test_an_invitation_can_be_taken_back(invited, ann, ben, refuses):
    entry_members.remove_member(invited.pk, ann)
    assert (entry_now().name, entry_now().status) == ("Ann", "forming")
    with refuses("no_invitation"):
        partners.accept(invited.pk, ben)


def test_strangers_drop_and_ask_nobody(invited, person, refuses):
    eve = person("Eve")
    with refuses("not_yours"):
        entry_members.remove_member(invited.pk, eve)
    with refuses("not_yours"):
        partners.invite(entry_now().pk, eve, person="Olga")
    with refuses("no_such_row"):
        entry_members.remove_member(0, eve)


def test_once_play_has_begun_who_is_needed_stays(new_event, entry, refuses):
    cup = new_event(entries=2, kind="partnership")
    Tournament.objects.filter(pk=cup.pk).update(status="running")
    first = entry(cup, 1).members.first()
    with refuses("needed"):
        entry_members.remove_member(first.pk, first.user)


# Teams


@pytest.fixture
def team(new_event, entry, person, ann, ben):
    """A team of Player 1 (captain), Player 2, Ann, and Ben in reserve."""
    cup = new_event(entries=1, kind="team")
    first = entry(cup, 1)
    captain = first.members.get(is_captain=True).user
    for user, role in ((ann, "player"), (ben, "reserve")):
        partners.accept(partners.invite(first.pk, captain, person=user, role=role).pk, user)
    return first


def by_name(team):
    return {member.name: member for member in team.members.select_related("user")}


def test_only_the_captain_acts_for_a_team(team, ann, ben, person, refuses):
    for user in (ann, ben):
        with refuses("not_yours"):
            partners.invite(team.pk, user, person=person(f"Friend{user}"))
    captain = by_name(team)["Player 1"].user
    entry_members.make_captain(by_name(team)["Ann"].pk, captain)
    assert {name: member.is_captain for name, member in by_name(team).items()} == {
        "Player 1": False,
        "Player 2": False,
        "Ann": True,
        "Ben": False,
    }
    with refuses("not_yours"):
        entry_members.make_captain(by_name(team)["Player 2"].pk, captain)


def test_a_captain_who_leaves_hands_on(team):
    captain = by_name(team)["Player 1"]
    entry_members.remove_member(captain.pk, captain.user)
    assert by_name(team)["Player 2"].is_captain
    team.refresh_from_db()
    assert team.status == "entered"


def test_reserves_and_players_change_roles(team, olga, refuses):
    entry_members.set_role(by_name(team)["Ben"].pk, olga, role="player")
    entry_members.set_role(by_name(team)["Ann"].pk, olga, role="reserve")
    assert {name: member.role for name, member in by_name(team).items()}["Ben"] == "player"
    with refuses("same_role"):
        entry_members.set_role(by_name(team)["Ben"].pk, olga, role="player")
    with refuses("not_playing"):
        entry_members.make_captain(by_name(team)["Ann"].pk, olga)


def test_the_order_of_a_team(team, olga, refuses):
    ids = {name: member.pk for name, member in by_name(team).items()}
    act = entry_members.reorder(
        team.pk, olga, member_ids=[ids[name] for name in ("Ann", "Player 2", "Player 1", "Ben")]
    )
    assert list(team.members.values_list("name", flat=True)) == ["Ann", "Player 2", "Player 1", "Ben"]
    history.undo(act.pk, by=olga)
    assert list(team.members.values_list("name", flat=True)) == ["Player 1", "Player 2", "Ann", "Ben"]
    with refuses("bad_order"):
        entry_members.reorder(team.pk, olga, member_ids=[ids["Ann"]])


def test_a_team_too_small_waits_for_players(new_event, entry):
    cup = new_event(entries=1, kind="team")
    second = entry(cup, 1).members.get(name="Player 2")
    entry_members.remove_member(second.pk, second.user)
    assert entry(cup, 1).status == "forming"


@pytest.mark.parametrize("count", [1, 3])
def test_listing_invitations_takes_two_queries(new_event, players, ben, django_assert_num_queries, count):
    for user in players(count):
        enrolment.enter(new_event(entries=0, kind="partnership").pk, user, partners=[ben])
    with django_assert_num_queries(2):
        assert len([(row.entry.name, row.tournament.name) for row in partners.invitations_of(ben)]) == count
