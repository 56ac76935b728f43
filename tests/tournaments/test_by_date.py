"""Rounds that open on their own days, and what those who run events by rule ask of them."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Notice
from engine.play.rules import Rules
from tests.tournaments import driving
from tournaments.forms.stage import StageForm
from tournaments.models import Entry, Member, Organiser, Pairing, Round, Stage, Tournament
from tournaments.plan import Plan, standard
from tournaments.services import history
from tournaments.services.entries import enrolment, partners, substitutes
from tournaments.services.events import deletion, organisers
from tournaments.services.matches import deadlines, match_scheduling, results
from tournaments.views.organiser import stages
from web.errors import Refused

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def league(new_event):
    """A round robin of four that has begun, whose rounds have no days yet."""
    return new_event("round_robin", 4, started=True, by_date=True, round_hours=168)


def statuses(event):
    return [round_.status for round_ in Round.objects.filter(stage__tournament=event).order_by("number")]


def timetable(event, by, *starts):
    times = {number: (at, at + 7 * DAY) for number, at in enumerate(starts, 1)}
    return match_scheduling.set_timetable(event.stages.get().pk, by, times=times)


def test_a_plan_by_date_survives_being_written():
    assert Plan.read(standard("round_robin", by_date=True).write()).by_date


def test_the_form_of_a_stage_leaves_its_days_alone():
    plan = standard("round_robin", by_date=True)
    unbound = StageForm(number=1, plan=plan)
    data = {f"stage-1-{name}": value for name, value in unbound.initial.items() if value not in (False, None)}
    form = StageForm(data | {"stage-1-round_hours": "48"}, number=1, plan=plan)
    assert form.is_valid()
    assert (form.plan().by_date, form.plan().round_hours) == (True, 48)


@pytest.mark.parametrize(
    ("typed", "still"), [({}, True), ({"fixtures": ""}, False), ({"format": "swiss", "was": "swiss"}, False)]
)
def test_the_form_of_a_stage_keeps_listed_fixtures_or_drops_them(typed, still):
    plan = standard("round_robin", fixtures=(((1, 2),), ((2, 1),)))
    sent = {name: value for name, value in StageForm(number=1, plan=plan).initial.items() if value not in (False, None)}
    form = StageForm({f"stage-1-{name}": value for name, value in (sent | typed).items()}, number=1, plan=plan)
    assert form.is_valid()
    assert form.plan().fixtures == (plan.fixtures if still else ())
    assert Plan.read(plan.write() | stages._changed_choices(form)).fixtures == form.plan().fixtures


def test_without_days_every_round_waits(league):
    assert statuses(league) == ["drawn"] * 3
    assert not Pairing.objects.exclude(opened_at=None).exists()


def test_each_round_opens_on_its_day_and_the_sweep_sees_to_it(league, olga):
    now = timezone.now()
    timetable(league, olga, now - DAY, now + DAY, now + 8 * DAY)
    assert statuses(league) == ["open", "drawn", "drawn"]
    with time_machine.travel(now + 2 * DAY, tick=False):
        deadlines.sweep()
        assert statuses(league) == ["open", "open", "drawn"]
        assert deadlines.timed(timezone.now()) == []


def test_a_match_is_called_at_an_earlier_time_of_its_own(league, olga):
    now = timezone.now()
    timetable(league, olga, now + DAY, now + 8 * DAY, now + 15 * DAY)
    match = Pairing.objects.filter(round__number=3).first()
    match_scheduling.set_match_times(match.pk, olga, starts_at=now + 2 * DAY, deadline_at=None)
    with time_machine.travel(now + 2 * DAY, tick=False):
        assert deadlines.timed(timezone.now()) == [league.pk]
        deadlines.sweep()
    assert Pairing.objects.get(pk=match.pk).opened_at is not None
    assert statuses(league) == ["open", "drawn", "drawn"]


def test_an_online_match_with_a_later_time_gets_its_table_then(new_event, olga):
    event = new_event("round_robin", 2, started=True, kind="person", by_date=True, setting="mixed", side_size=1,
                 rules_json=Rules.make("solo").write())  # fmt: skip
    now = timezone.now()
    [match] = Pairing.objects.filter(round__stage__tournament=event)
    match_scheduling.set_match_times(match.pk, olga, starts_at=now + 3 * DAY, deadline_at=now + 5 * DAY)
    timetable(event, olga, now - DAY)
    assert (statuses(event), Pairing.objects.get(pk=match.pk).table) == (["open"], None)
    with time_machine.travel(now + 3 * DAY, tick=False):
        deadlines.sweep()
    assert Pairing.objects.get(pk=match.pk).table is not None


def test_a_timetable_is_one_act_that_can_be_undone(league, olga):
    now = timezone.now()
    act = timetable(league, olga, now + DAY, now + 2 * DAY, now + 3 * DAY)
    history.undo(act.pk, by=olga)
    assert not Round.objects.exclude(starts_at=None).exists()
    with pytest.raises(Refused, match="no longer exists"):
        match_scheduling.set_timetable(league.stages.get().pk, olga, times={9: (now + DAY, None)})
    with pytest.raises(Refused, match="already passed"):
        match_scheduling.set_timetable(league.stages.get().pk, olga, times={1: (None, now - DAY)})


def test_a_round_that_is_played_before_its_day_is_closed(league, olga):
    for pairing in Pairing.objects.filter(round__number=1):
        driving.decide(pairing, olga)
    assert statuses(league) == ["closed", "drawn", "drawn"]


# Who organises


def test_who_organises_is_settled_at_once_and_twice_the_same(league, olga, person):
    pia, sam = person("Pia"), person("Sam")
    roles = {pia.pk: "owner", sam.pk: "scorer"}
    for _ in range(2):
        organisers.assign(league.pk, None, roles=roles)
        rows = Organiser.objects.filter(tournament=league)
        assert {organiser.user_id: organiser.role for organiser in rows} == roles
    organisers.assign(league.pk, pia, roles={pia.pk: "owner", sam.pk: "director"})
    assert Organiser.objects.get(user=sam).role == "director"
    assert not Notice.objects.filter(user=sam, kind="event_news").exists()


@pytest.mark.parametrize(("roles", "words"), [({}, "needs an owner"), ({1: "owner", 2: "king"}, "owner, director")])
def test_nobody_else_than_an_owner_is_the_last(league, roles, words):
    with pytest.raises(Refused, match=words):
        organisers.assign(league.pk, None, roles=roles)
    assert Organiser.objects.get(tournament=league).role == "owner"


# Taking an event away


def test_an_event_in_which_nothing_was_played_is_taken_away_whole(league):
    for _ in range(2):
        deletion.delete_event(league.pk, "A mistake.", timezone.now())
    assert not Tournament.objects.exists()
    assert not Entry.objects.exists()
    assert not Stage.objects.exists()


def test_what_was_played_stays(league, olga):
    driving.decide(Pairing.objects.first(), olga)
    with pytest.raises(Refused, match="has already started"):
        deletion.delete_event(league.pk, "A mistake.", timezone.now())
    results.remove_result(Pairing.objects.exclude(result=None).get().pk, by=olga, reason="Wrong match.")
    deletion.delete_event(league.pk, "A mistake.", timezone.now())
    assert not Tournament.objects.exists()


# People who accepted elsewhere


def test_who_has_agreed_elsewhere_is_in_an_online_event_at_once(new_event, olga, players):
    event = new_event("round_robin", 0, kind="partnership", setting="online")
    ann, ben, cem, dee = players(4)
    entry = enrolment.enter_for(event.pk, olga, members=[ann, ben], has_agreed=True)
    assert entry.status == "entered"
    assert set(entry.members.values_list("answer", flat=True)) == {"accepted"}
    reserve = partners.invite(entry.pk, olga, person=cem, role="reserve", has_agreed=True)
    assert reserve.answer == "accepted"
    first = entry.members.get(user=ann)
    came = substitutes.replace_member(first.pk, olga, person=dee, has_agreed=True)
    assert (came.answer, came.is_captain) == ("accepted", True)
    assert Member.objects.filter(entry=entry, left_at=None).count() == 3


def test_online_names_alone_stay_out_whatever_is_said(new_event, olga):
    event = new_event("round_robin", 0, setting="online")
    with pytest.raises(Refused):
        enrolment.enter_for(event.pk, olga, members=["Nobody Known"], has_agreed=True)
