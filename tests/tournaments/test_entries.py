"""Entering: for oneself and by organisers, the limit and the waiting list, names."""

from functools import partial

import pytest
from django.utils import timezone

from accounts.models import User
from tests.at_once import at_once
from tests.makers import make_club, make_member
from tournaments.models import Act, Entry, Member, Tournament
from tournaments.services import history
from tournaments.services.entries import enrolment, partners, withdrawal
from tournaments.services.events import lifecycle

pytestmark = pytest.mark.django_db


def statuses(tournament):
    return dict(Entry.objects.filter(tournament=tournament).values_list("name", "status"))


# For oneself


def test_who_enters_has_a_place_and_the_history_says_so(new_event, person):
    cup = new_event(entries=2)
    entry = enrolment.enter(cup.pk, person("Ann"))
    assert (entry.number, entry.name, entry.status) == (3, "Ann", "entered")
    member = entry.members.get()
    assert (str(member.user), member.name, member.answer, member.is_captain) == ("Ann", "Ann", "accepted", True)
    act = Act.objects.get(tournament=cup)
    assert (act.kind, act.name, act.sentence) == ("enter", "Ann", "Ann was entered.")
    cup.refresh_from_db()
    assert cup.version == 1


def test_the_same_request_twice_is_one_entry(new_event, person):
    cup, ann = new_event(entries=0), person("Ann")
    first = enrolment.enter(cup.pk, ann, request_key="k")
    assert enrolment.enter(cup.pk, ann, request_key="k") == first
    assert Entry.objects.count() == 1


def test_a_person_enters_once(new_event, person, refuses):
    cup, ann = new_event(entries=0), person("Ann")
    enrolment.enter(cup.pk, ann)
    with refuses("entered_already"):
        enrolment.enter(cup.pk, ann)
    other = new_event(entries=0)
    assert enrolment.enter(other.pk, ann).status == "entered"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"status": "draft"}, "not_announced"),
        ({"status": "closed"}, "entries_closed"),
        ({"status": "running"}, "has_begun"),
        ({"status": "over"}, "has_begun"),
        ({"status": "cancelled"}, "cancelled"),
    ],
)
def test_entries_are_taken_only_while_they_are_open(new_event, person, refuses, fields, code):
    cup = new_event(entries=2)
    Tournament.objects.filter(pk=cup.pk).update(**fields)
    with refuses(code):
        enrolment.enter(cup.pk, person("Ann"))
    assert not Act.objects.exists()


def test_entries_close_by_the_clock(new_event, person, refuses):
    now = timezone.now()
    cup = new_event(entries=0, entries_close_at=now)
    with refuses("entries_closed"):
        enrolment.enter(cup.pk, person("Ann"), now=now)


def test_guests_sign_up_first(new_event, person, refuses):
    with refuses("guest"):
        enrolment.enter(new_event(entries=0).pk, person("Guest", is_guest=True))


def test_an_event_of_a_club_is_for_its_members(new_event, person, refuses):

    club, ann = make_club("Harbour"), person("Ann")
    cup = new_event(entries=0, visibility="circle", circle=f"club:{club.pk}")
    with refuses("not_of_club"):
        enrolment.enter(cup.pk, ann)
    make_member(club, ann)
    assert enrolment.enter(cup.pk, ann).status == "entered"


def test_alone_is_alone(new_event, person, refuses):
    with refuses("too_many"):
        enrolment.enter(new_event(entries=0).pk, person("Ann"), partners=[person("Ben")])


def test_an_undone_entry_is_gone_and_its_number_is_not_given_again(new_event, person, olga):
    cup = new_event(entries=2)
    enrolment.enter(cup.pk, person("Ann"))
    undone = history.undo(Act.objects.latest("pk").pk, by=olga)
    assert set(statuses(cup)) == {"Player 1", "Player 2"}
    assert enrolment.enter(cup.pk, person("Ben")).number == 4
    history.undo(undone.pk, by=olga)
    assert Entry.objects.get(name="Ann").number == 3
    assert Member.objects.get(name="Ann").entry.name == "Ann"


def test_people_of_one_name_are_told_apart_by_number(new_event, person):
    cup = new_event(entries=0)
    people = [person(name) for name in ("Ann", "ann2")]
    User.objects.filter(username="ann2").update(display_name="ANN")
    names = [enrolment.enter(cup.pk, User.objects.get(pk=user.pk)).name for user in people]
    assert names == ["Ann", "ANN (2)"]


def test_an_entry_that_others_have_built_on_is_not_undone(new_event, person, olga, refuses):
    cup, ann = new_event("swiss", entries=3, rounds=2, kind="partnership"), person("Ann")
    entry = enrolment.enter(cup.pk, ann)
    act = Act.objects.get(kind="enter")
    partners.invite(entry.pk, ann, person=person("Ben"))
    with refuses("changed_since"):
        history.undo(act.pk, by=olga)
    single = new_event("swiss", entries=3, rounds=2)
    enrolment.enter(single.pk, ann)
    lifecycle.start(single.pk, olga)
    with refuses("in_play"):
        history.undo(Act.objects.get(tournament=single, kind="enter").pk, by=olga)
    assert single.entries.count() == 4


# By an organiser


def test_an_organiser_enters_names_alone_where_tables_are_real(new_event, olga):
    cup = new_event(entries=0, kind="partnership")
    entry = enrolment.enter_for(cup.pk, olga, members=["Ada Okafor", "Bea Bell"])
    assert (entry.name, entry.status, entry.entered_by) == ("Ada Okafor / Bea Bell", "entered", olga)
    assert list(entry.members.values_list("user", "answer")) == [(None, "accepted")] * 2
    assert Act.objects.get().sentence == "Ada Okafor / Bea Bell was entered by Olga."


def test_an_organiser_enters_people_with_accounts_who_are_told(new_event, olga, person):
    ann = person("Ann")
    entry = enrolment.enter_for(new_event(entries=0).pk, olga, members=[ann])
    assert entry.status == "entered"
    assert [notice.title for notice in ann.notices.all()] == ["Harbour Cup: Olga entered you"]


def test_online_people_are_asked_first_and_names_alone_are_refused(new_event, olga, person, refuses):
    ann = person("Ann")
    cup = new_event(entries=0, setting="online")
    with refuses("nobody"):
        enrolment.enter_for(cup.pk, olga, members=["Nobody At All"])
    entry = enrolment.enter_for(cup.pk, olga, members=["Ann"])
    assert (entry.status, entry.members.get().answer, entry.members.get().user) == ("forming", "invited", ann)


def test_an_organiser_who_names_themselves_need_not_be_asked(new_event, olga):
    entry = enrolment.enter_for(new_event(entries=0, setting="online").pk, olga, members=["olga"])
    assert (entry.status, entry.members.get().user) == ("entered", olga)


def test_an_organiser_enters_before_and_after_entries_are_open(new_event, olga, refuses):
    cup = new_event(entries=0, status="draft")
    enrolment.enter_for(cup.pk, olga, members=["Ada"])
    Tournament.objects.filter(pk=cup.pk).update(status="closed")
    enrolment.enter_for(cup.pk, olga, members=["Bea"])
    Tournament.objects.filter(pk=cup.pk).update(status="running")
    with refuses("has_begun"):
        enrolment.enter_for(cup.pk, olga, members=["Cleo"])


@pytest.mark.parametrize(
    ("kind", "members", "code"),
    [
        ("person", [], "nobody"),
        ("person", ["Ada", "Bea"], "too_many"),
        ("partnership", ["Ada", "Bea", "Cleo"], "too_many"),
        ("partnership", ["Ada", "  "], "nobody"),
        ("person", ["a@b"], "bad_email"),
        ("person", ["A\u200bda"], "bad_name"),
        ("person", ["former member"], "bad_name"),
        ("person", ["x" * 51], "bad_name"),
    ],
)
def test_what_is_no_entry_is_refused_and_leaves_nothing(new_event, olga, refuses, kind, members, code):
    cup = new_event(entries=0, kind=kind)
    with refuses(code):
        enrolment.enter_for(cup.pk, olga, members=members)
    assert not Entry.objects.exists()
    assert not Member.objects.exists()


def test_half_a_partnership_waits_for_a_partner(new_event, olga):
    entry = enrolment.enter_for(new_event(entries=0, kind="partnership").pk, olga, members=["Ada"])
    assert entry.status == "forming"


# The limit


def test_who_is_one_too_many_waits(new_event, person, olga):
    cup = new_event(entries=2, entry_limit=2)
    entry = enrolment.enter(cup.pk, person("Ann"))
    assert entry.status == "waiting"
    assert Act.objects.get().sentence == "Ann was put on the waiting list."
    assert enrolment.enter_for(cup.pk, olga, members=["Bea"]).status == "waiting"


def test_a_place_that_is_free_goes_to_the_first_who_waits(new_event, person, entry, olga):
    cup, ann = new_event(entries=2, entry_limit=2), person("Ann")
    enrolment.enter(cup.pk, ann)
    enrolment.enter(cup.pk, person("Ben"))
    act = withdrawal.withdraw(entry(cup, 1).pk, olga)
    assert statuses(cup) == {"Player 1": "withdrawn", "Player 2": "entered", "Ann": "entered", "Ben": "waiting"}
    assert act.sentence == "Player 1 withdrew. Ann moved up from the waiting list."
    assert [notice.kind for notice in ann.notices.all()] == ["event_moved_up"]
    history.undo(act.pk, by=olga)
    assert statuses(cup) == {"Player 1": "entered", "Player 2": "entered", "Ann": "waiting", "Ben": "waiting"}


def test_a_higher_limit_lets_in_as_many(new_event, person, olga):
    cup = new_event(entries=2, entry_limit=2)
    for name in ("Ann", "Ben", "Cem"):
        enrolment.enter(cup.pk, person(name))
    lifecycle.change_settings(cup.pk, olga, changes={"entry_limit": 4})
    assert [statuses(cup)[name] for name in ("Ann", "Ben", "Cem")] == ["entered", "entered", "waiting"]


@pytest.mark.django_db(transaction=True)
def test_fifty_people_join_the_last_place_at_once(new_event, players):
    cup = new_event(entries=0, entry_limit=1)
    people = players(50)
    outcomes = at_once(*[partial(enrolment.enter, cup.pk, user) for user in people])
    assert [str(outcome) for outcome in outcomes if isinstance(outcome, Exception)] == []
    assert sorted(outcome.status for outcome in outcomes) == ["entered"] + ["waiting"] * 49
    assert sorted(outcome.number for outcome in outcomes) == list(range(1, 51))


@pytest.mark.django_db(transaction=True)
def test_one_person_on_four_devices_enters_once(new_event, person):
    cup, ann = new_event(entries=0), person("Ann")
    outcomes = at_once(*[partial(enrolment.enter, cup.pk, ann, request_key=f"k{n}") for n in range(4)])
    assert sum(isinstance(outcome, Entry) for outcome in outcomes) == 1
    assert Member.objects.count() == 1


# Names and lists


def test_renaming_and_back(new_event, entry, olga, user_of, refuses):
    cup = new_event(entries=2, kind="partnership")
    first = entry(cup, 1)
    act = enrolment.rename(first.pk, user_of(first), name="  The   Sharks ")
    assert act.sentence == "Pair 1 is now called The Sharks."
    with refuses("name_taken"):
        enrolment.rename(entry(cup, 2).pk, olga, name="the sharks")
    enrolment.rename(first.pk, olga, name="")
    assert entry(cup, 1).name == "Player 1 / Player 2"


def test_strangers_rename_nothing(new_event, entry, person, user_of, refuses):
    cup = new_event(entries=2)
    for stranger in (person("Eve"), user_of(entry(cup, 2))):
        with refuses("not_yours"):
            enrolment.rename(entry(cup, 1).pk, stranger, name="Mine")


@pytest.mark.parametrize("count", [1, 3])
def test_listing_entries_takes_two_queries(new_event, django_assert_num_queries, count):
    cup = new_event(entries=count, kind="partnership")
    with django_assert_num_queries(2):
        assert [len(entry.members.all()) for entry in enrolment.list_entries(cup)] == [2] * count
