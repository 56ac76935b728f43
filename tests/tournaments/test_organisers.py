"""Organisers and their roles; notices to all."""

import pytest

from tournaments import roles
from tournaments.models import Act, Organiser
from tournaments.services import history
from tournaments.services.entries import withdrawal
from tournaments.services.events import organisers

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(new_event):
    return new_event(entries=2)


def roles_in(tournament):
    rows = Organiser.objects.filter(tournament=tournament).select_related("user")
    return {str(organiser.user): organiser.role for organiser in rows}


def organiser_named(tournament, name):
    return Organiser.objects.get(tournament=tournament, user__display_name=name)


def test_an_organiser_is_added_told_and_taken_away_again(cup, olga, person):
    petra = person("Petra")
    organiser = organisers.add_organiser(cup.pk, olga, person="Petra", role="scorer")
    assert (organiser.user, roles_in(cup)) == (petra, {"Olga": "owner", "Petra": "scorer"})
    assert petra.notices.get().title == "Harbour Cup: Olga made you a scorer of the event"
    act = organisers.remove_organiser(organiser.pk, olga)
    assert act.sentence == "Petra is no longer a scorer."
    history.undo(act.pk, by=olga)
    assert roles_in(cup) == {"Olga": "owner", "Petra": "scorer"}


def test_adding_is_done_once(cup, olga, person, refuses):
    petra = person("Petra")
    first = organisers.add_organiser(cup.pk, olga, person=petra, request_key="k")
    assert organisers.add_organiser(cup.pk, olga, person=petra, request_key="k") == first
    with refuses("organises_already"):
        organisers.add_organiser(cup.pk, olga, person=petra)
    assert Organiser.objects.count() == 2


@pytest.mark.parametrize(
    ("name", "role", "code"),
    [("Nobody", "director", "nobody"), ("x@example.org", "director", "no_account"), ("Petra", "king", "no_such_role")],
)
def test_who_cannot_organise(cup, olga, person, refuses, name, role, code):
    person("Petra")
    with refuses(code):
        organisers.add_organiser(cup.pk, olga, person=name, role=role)
    assert roles_in(cup) == {"Olga": "owner"}


def test_guests_do_not_organise(cup, olga, person, refuses):
    with refuses("guest"):
        organisers.add_organiser(cup.pk, olga, person=person("Guest", is_guest=True))


def test_the_last_owner_stays(cup, olga, person, refuses):
    with refuses("last_owner"):
        organisers.remove_organiser(organiser_named(cup, "Olga").pk, olga)
    with refuses("last_owner"):
        organisers.change_role(organiser_named(cup, "Olga").pk, olga, role="director")
    petra = organisers.add_organiser(cup.pk, olga, person=person("Petra"))
    act = organisers.change_role(petra.pk, olga, role="owner")
    assert act.sentence == "Petra became an owner, no longer a director."
    organisers.remove_organiser(organiser_named(cup, "Olga").pk, olga)
    assert roles_in(cup) == {"Petra": "owner"}


def test_a_role_is_changed_once(cup, olga, person, refuses):
    petra = organisers.add_organiser(cup.pk, olga, person=person("Petra"))
    with refuses("same_role"):
        organisers.change_role(petra.pk, olga, role="director")
    with refuses("no_organiser"):
        organisers.change_role(0, olga, role="director")


def test_every_role_names_known_acts():
    for acts in roles.ROLES.values():
        assert acts <= set(roles.ACTS)
    assert roles.ROLES["owner"] == set(roles.ACTS)
    assert roles.ROLES["scorer"] < roles.ROLES["director"] < roles.ROLES["owner"]


def test_a_notice_reaches_everybody_who_is_in_it(cup, olga, entry, user_of):
    gone = user_of(entry(cup, 2))
    withdrawal.withdraw(entry(cup, 2).pk, olga)
    act = organisers.tell_entries(cup.pk, olga, " Play begins at ten. ")
    assert act.sentence == "To all: Play begins at ten."
    notice = user_of(entry(cup, 1)).notices.get()
    assert (notice.kind, notice.body) == ("event_note", "Play begins at ten.")
    assert not gone.notices.filter(kind="event_note").exists()


def test_the_same_notice_twice_goes_out_twice_but_not_by_one_request(cup, olga, entry, user_of):
    for key in ("one", "one", "two"):
        organisers.tell_entries(cup.pk, olga, "Lunch.", request_key=key)
    assert user_of(entry(cup, 1)).notices.count() == 2
    assert Act.objects.filter(kind="told").count() == 2


@pytest.mark.parametrize("text", ["", "   ", "x" * 2001])
def test_words_that_are_none(cup, olga, refuses, text):
    with refuses("bad_words"):
        organisers.tell_entries(cup.pk, olga, text)
