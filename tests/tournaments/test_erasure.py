"""Taking one's data away, and being forgotten by events."""

import json

import pytest

from accounts import privacy
from tests.tournaments import driving
from tournaments.models import Act, Entry, Member, Organiser
from tournaments.services import erasure, history
from tournaments.services.entries import enrolment, partners, withdrawal
from tournaments.services.events import lifecycle, organisers
from tournaments.services.matches import point_adjustments

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(person):
    return person("Ann Okafor")


def everything(cup):
    """The history and the lists, as text."""
    acts = Act.objects.filter(tournament=cup).values("sentence", "reason", "name", "changes")
    rows = Member.objects.filter(tournament=cup).values("name", "email")
    names = Entry.objects.filter(tournament=cup).values_list("name", flat=True)
    return json.dumps([list(acts), list(rows), list(names)], default=str)


def test_the_export_holds_ones_entries_and_acts(new_event, ann, olga):
    cup = new_event(entries=0)
    enrolment.enter(cup.pk, ann)
    events = privacy.export(ann)["events"]
    (own_entry,) = events["entries"]
    assert (own_entry["event"], own_entry["address"], own_entry["entry"], own_entry["entry_status"]) == (
        "Harbour Cup",
        cup.slug,
        "Ann Okafor",
        "entered",
    )
    assert [act["sentence"] for act in events["acts"]] == ["Ann Okafor was entered."]
    assert [organiser["role"] for organiser in privacy.export(olga)["events"]["organises"]] == ["owner"]
    assert "token" not in json.dumps(events, default=str)


@pytest.mark.parametrize("count", [1, 3])
def test_the_export_takes_five_queries(new_event, ann, django_assert_num_queries, count):
    from tournaments.personal_data import events_of

    for _ in range(count):
        enrolment.enter(new_event(entries=0).pk, ann)
    with django_assert_num_queries(5):
        assert len(events_of(ann)["entries"]) == count


def test_before_the_start_the_place_goes_to_who_waits(new_event, ann, person, gone):
    cup = new_event(entries=0, entry_limit=1)
    enrolment.enter(cup.pk, ann)
    waiting = enrolment.enter(cup.pk, person("Ben"))
    gone(ann)
    waiting.refresh_from_db()
    assert waiting.status == "entered"
    assert "Okafor" not in everything(cup)


def test_a_partner_stays_and_waits_for_another(new_event, ann, person, gone):
    cup, ben = new_event(entries=0, kind="partnership"), person("Ben")
    entry = enrolment.enter(cup.pk, ann, partners=[ben])
    partners.accept(entry.members.get(user=ben).pk, ben)
    gone(ann)
    entry.refresh_from_db()
    assert (entry.name, entry.status) == ("Ben", "forming")


def test_during_play_results_stay_and_the_name_does_not(new_event, ann, olga, gone):
    cup = new_event("swiss", entries=3, rounds=3)
    entry = enrolment.enter(cup.pk, ann)
    lifecycle.start(cup.pk, olga)
    driving.play_round(cup, olga, driving.by_lot)
    stage = cup.stages.get()
    point_adjustments.adjust(stage.pk, olga, entry_id=entry.pk, points=1, reason="Ann Okafor was kept waiting")
    gone(ann)
    erasure.anonymise(ann.pk)
    assert "Okafor" not in everything(cup)
    entry.refresh_from_db()
    assert (entry.name, entry.status) == ("former member", "entered")
    assert stage.adjustments.get().reason == "former member was kept waiting"
    assert "former member was entered." in set(Act.objects.values_list("sentence", flat=True))


def test_what_was_done_can_still_be_undone(new_event, ann, olga, gone):
    cup = new_event("swiss", entries=4, rounds=2)
    entry = enrolment.enter(cup.pk, ann)
    enrolment.rename(entry.pk, ann, name="Ann Okafor the Great")
    lifecycle.start(cup.pk, olga)
    act = withdrawal.withdraw(entry.pk, olga)
    gone(ann)
    history.undo(act.pk, by=olga)
    entry.refresh_from_db()
    assert (entry.name, entry.status) == ("former member the Great", "entered")


def test_others_keep_their_longer_names(new_event, person, gone, olga):
    cup, ann = new_event(entries=0), person("Ann")
    enrolment.enter(cup.pk, ann)
    enrolment.enter_for(cup.pk, olga, members=["Mary Ann Lee"])
    gone(ann)
    sentences = set(Act.objects.values_list("sentence", flat=True))
    assert "Mary Ann Lee was entered by Olga." in sentences
    assert "former member was entered." in sentences


def test_an_event_whose_owner_is_gone_has_another(new_event, olga, person, gone):
    cup = new_event(entries=0)
    organisers.add_organiser(cup.pk, olga, person=person("Sam"), role="scorer")
    organisers.add_organiser(cup.pk, olga, person=person("Petra"), role="director")
    gone(olga)
    rows = Organiser.objects.filter(tournament=cup).select_related("user")
    assert {str(organiser.user): organiser.role for organiser in rows} == {"Sam": "scorer", "Petra": "owner"}
    assert "Olga" not in everything(cup)


def test_what_was_asked_is_declined(new_event, ann, person, gone):
    cup = new_event(entries=0, kind="partnership")
    member = enrolment.enter(cup.pk, person("Ben"), partners=[ann]).members.get(user=ann)
    gone(ann)
    member.refresh_from_db()
    assert (member.answer, member.name) == ("declined", "former member")
