"""Events from their making to their start."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from accounts.models import User
from engine.play.rules import Rules
from tests.at_once import at_once
from tests.makers import make_club, make_member
from tournaments import access
from tournaments.models import Act, Entry, Organiser, Pairing, Stage, StageEntry, Tournament
from tournaments.plan import Plan, standard
from tournaments.services import history
from tournaments.services.entries import enrolment
from tournaments.services.events import event_settings, lifecycle
from tournaments.services.stages import stage_plans

pytestmark = pytest.mark.django_db
SATURDAY = datetime(2026, 11, 28, 10, tzinfo=UTC)
PAIRS = {"entry_kind": "partnership", "side_size": 2, "rules": "standard"}


def stages_of(tournament):
    return [(stage.number, stage.name) for stage in Stage.objects.filter(tournament=tournament)]


# Making


def test_an_event_from_a_template_is_a_draft_of_its_owner(olga):
    cup = lifecycle.make_event(olga, name="  Harbour   Cup ", starter="groups_knockout")
    assert (cup.name, cup.slug, cup.status, cup.created_by) == ("Harbour Cup", "harbour-cup", "draft", olga)
    assert (cup.entry_kind, cup.side_size) == ("partnership", 2)
    assert cup.rules.write_options()["length"] == {"deals": 2}
    assert stages_of(cup) == [(1, "Groups"), (2, "Knockout")]
    assert access.role_of(olga, cup) == "owner"
    assert [(act.kind, act.sentence) for act in Act.objects.all()] == [("make", "Olga created Harbour Cup.")]


def test_settings_and_plans_go_before_the_template(olga):
    User.objects.filter(pk=olga.pk).update(time_zone="Asia/Kolkata")
    olga.refresh_from_db()
    cup = lifecycle.make_event(
        olga,
        name="Cup",
        starter="swiss_weekend",
        settings={"rules": Rules.make("family"), "entry_limit": 12},
        plans=[standard("swiss", rounds=3), ("Final", standard("single_elimination", take=2))],
    )
    assert (cup.rules.name, cup.entry_limit, cup.time_zone, cup.has_check_in) == ("family", 12, "Asia/Kolkata", True)
    assert stages_of(cup) == [(1, "Swiss"), (2, "Final")]


def test_the_same_form_sent_twice_makes_one_event(olga):
    first = lifecycle.make_event(olga, name="Cup", starter="ladder", request_key="k")
    assert lifecycle.make_event(olga, name="Cup", starter="ladder", request_key="k") == first
    assert Tournament.objects.count() == 1


def test_addresses_are_free_and_stay(olga):
    events = [
        lifecycle.make_event(olga, name=name, starter="ladder") for name in ("Cup", "Cup", "Cup!", "Новый год", "New")
    ]
    assert [cup.slug for cup in events] == ["cup", "cup-2", "cup-3", "event", "new-2"]
    lifecycle.change_settings(events[0].pk, olga, changes={"name": "Bowl"})
    events[0].refresh_from_db()
    assert (events[0].name, events[0].slug) == ("Bowl", "cup")


@pytest.mark.django_db(transaction=True)
def test_events_of_one_name_made_at_once_have_addresses_of_their_own(players):
    people = players(6)
    events = at_once(*[partial(lifecycle.make_event, user, name="Cup", starter="ladder") for user in people])
    assert sorted(cup.slug for cup in events) == ["cup", *(f"cup-{number}" for number in range(2, 7))]


def test_whoever_has_the_link_has_one_that_nobody_guesses(olga):
    slugs = {
        lifecycle.make_event(olga, name="Cup", starter="ladder", settings={"visibility": "link"}).slug for _ in range(3)
    }
    assert len(slugs) == 3
    assert {len(slug) for slug in slugs} == {len("cup-") + 10}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"side_size": 3}, "A person sits alone"),
        ({"entry_limit": 1}, "2 to 2000 entries"),
        ({"visibility": "circle"}, "Choose a club"),
        ({"circle": "club:1"}, "You do not belong to that club"),
        ({"time_zone": "Moon/Crater"}, "is not a time zone"),
        ({"visibility": "secret"}, "not a valid choice"),
        ({"starts_at": SATURDAY, "entries_close_at": SATURDAY + timedelta(hours=1)}, "Entries must close before"),
        ({"check_in_from": SATURDAY, "check_in_until": SATURDAY}, "Check-in must close after"),
        ({"confirm_hours": 10_000}, "at most 30 days"),
        ({"terms": {"clock_hours": 1}}, "A turn must have at least 12 hours"),
        ({"terms": {"clock": "sundial"}}, "not a valid choice"),
        ({"terms": {"snapshot": {}}}, "A table has only these terms"),
        ({"rules": "poker"}, "Ruleset 'poker' not found"),
        ({"lots": "1"}, "“lots” is not a setting"),
        ({"status": "over"}, "“status” is not a setting"),
    ],
)
def test_settings_that_are_wrong_say_why_and_make_nothing(olga, refuses, settings, words):
    code = "bad_rules" if "rules" in settings else "bad_settings"
    with refuses(code) as caught:
        lifecycle.make_event(olga, name="Cup", starter="swiss_weekend", settings=settings)
    assert words in caught.value.sentence
    assert not Tournament.objects.exists()


def test_what_cannot_work_is_not_made(olga, person, refuses):
    with refuses("cannot_work") as caught:
        lifecycle.make_event(olga, name="Cup", settings=PAIRS, plans=[standard("rotating_partners")])
    assert "people enter alone" in caught.value.sentence
    with refuses("cannot_work"):
        lifecycle.make_event(olga, name="Cup", settings=PAIRS)
    with refuses("no_rules"):
        lifecycle.make_event(olga, name="Cup", plans=[standard("swiss")])
    with refuses("no_such_starter"):
        lifecycle.make_event(olga, name="Cup", starter="poker")
    with refuses("bad_name"):
        lifecycle.make_event(olga, name="   ", starter="ladder")
    with refuses("guest"):
        lifecycle.make_event(person("Guest", is_guest=True), name="Cup", starter="ladder")


def test_an_event_of_a_club_is_made_by_its_members(olga):
    club = make_club("Harbour")
    make_member(club, olga)
    settings = {"visibility": "circle", "circle": f"club:{club.pk}"}
    assert lifecycle.make_event(olga, name="Cup", starter="ladder", settings=settings).circle == f"club:{club.pk}"


# The next edition


def test_the_next_edition_has_everything_but_the_entries(new_event, olga, person):
    cup = new_event(
        plans=[standard("swiss", rounds=2), standard("single_elimination", take=4)],
        starts_at=SATURDAY,
        entries_close_at=SATURDAY - timedelta(days=2),
        about="Every November.",
        status="over",
    )
    petra = person("Petra")
    Organiser.objects.create(tournament=cup, user=petra, role="owner")
    later = SATURDAY + timedelta(days=364)
    new = lifecycle.copy_event(cup.pk, petra, name="Harbour Cup 2027", starts_at=later, request_key="k")
    assert lifecycle.copy_event(cup.pk, petra, name="Harbour Cup 2027", starts_at=later, request_key="k") == new
    assert (new.status, new.about, new.starts_at) == ("draft", "Every November.", later)
    assert new.entries_close_at == later - timedelta(days=2)
    assert stages_of(new) == stages_of(cup)
    assert (new.slug, new.lots == cup.lots, new.entries.count()) == ("harbour-cup-2027", False, 0)
    assert {str(helper.user): helper.role for helper in new.organisers.all()} == {"Olga": "owner", "Petra": "owner"}


def test_without_a_date_the_next_edition_has_none_and_no_fixtures_of_others(new_event, olga):
    plan = standard("round_robin", fixtures=(((1, 2),), ((2, 1),)))
    cup = new_event(plans=[plan], starts_at=SATURDAY, check_in_from=SATURDAY - timedelta(hours=1), has_check_in=True)
    new = lifecycle.copy_event(cup.pk, olga, name="Again")
    assert (new.starts_at, new.check_in_from, new.has_check_in) == (None, None, True)
    assert new.stages.get().plan_json == standard("round_robin").write()


# Settings


def test_changes_are_in_the_history_and_undone(new_event, olga):
    cup = new_event(entries=2, kind="partnership")
    act = lifecycle.change_settings(cup.pk, olga, changes={"venue": "Town hall", "rules": "family"})
    assert act.sentence == "Changed: venue, rules."
    cup.refresh_from_db()
    assert (cup.venue, cup.rules.name) == ("Town hall", "family")
    history.undo(act.pk, by=olga)
    cup.refresh_from_db()
    assert (cup.venue, cup.rules.name) == ("", "standard")


def test_changing_nothing_is_no_act(new_event, olga, refuses):
    cup = new_event(venue="Town hall")
    with refuses("same"):
        lifecycle.change_settings(cup.pk, olga, changes={"venue": "Town hall"})
    assert not Act.objects.exists()


def test_an_old_page_is_told_so(new_event, olga, refuses):
    cup = new_event()
    lifecycle.change_settings(cup.pk, olga, changes={"venue": "Town hall"}, seen=0)
    with refuses("stale"):
        lifecycle.change_settings(cup.pk, olga, changes={"venue": "Library"}, seen=0)


@pytest.mark.parametrize("changes", [{"rules": "family"}, {"side_size": 2}, {"is_rated": False}])
def test_what_play_has_fixed_stays(new_event, olga, refuses, changes):
    cup = new_event(entries=2)
    Tournament.objects.filter(pk=cup.pk).update(status="running")
    with refuses("has_begun"):
        lifecycle.change_settings(cup.pk, olga, changes=changes)


def test_venue_and_name_can_change_during_play(new_event, olga):
    cup = new_event("swiss", entries=4, rounds=2, started=True)
    lifecycle.change_settings(cup.pk, olga, changes={"venue": "Library", "name": "Harbour Bowl"})
    cup.refresh_from_db()
    assert (cup.venue, cup.name, cup.status) == ("Library", "Harbour Bowl", "running")


def test_who_enters_is_fixed_by_the_first_entry(new_event, olga, refuses):
    with refuses("has_entries"):
        lifecycle.change_settings(new_event(entries=1).pk, olga, changes={"entry_kind": "partnership", "side_size": 2})
    draft = new_event(entries=0, status="draft")
    lifecycle.change_settings(draft.pk, olga, changes={"entry_kind": "partnership", "side_size": 2})


def test_an_announced_event_keeps_working(new_event, olga, refuses):
    cup = new_event("swiss", entries=0)
    with refuses("cannot_work"):
        lifecycle.change_settings(cup.pk, olga, changes={"rules": "denexa"})
    cup.refresh_from_db()
    assert cup.rules.name == "standard"


def test_online_needs_accounts(new_event, olga, refuses):
    cup = new_event(entries=0)
    enrolment.enter_for(cup.pk, olga, members=["Ada"])
    with refuses("names_alone"):
        lifecycle.change_settings(cup.pk, olga, changes={"setting": "online"})


def test_every_setting_is_a_field_with_words():
    fields = {field.name for field in Tournament._meta.fields}
    assert set(event_settings.LABELS) <= fields
    assert set(event_settings.FIXED_BY_PLAY) <= set(event_settings.LABELS)


# Stages


def test_stages_are_added_changed_and_taken_out(new_event, olga, refuses):
    cup = new_event("swiss", entries=8, rounds=3)
    final = stage_plans.add_stage(cup.pk, olga, plan=standard("single_elimination", take=4), name="Final")
    first = stage_plans.add_stage(cup.pk, olga, plan=standard("swiss", rounds=2), name="Opening", at=1)
    assert stages_of(cup) == [(1, "Opening"), (2, "Swiss"), (3, "Final")]
    act = stage_plans.remove_stage(first.pk, olga)
    assert stages_of(cup) == [(1, "Swiss"), (2, "Final")]
    history.undo(act.pk, by=olga)
    assert stages_of(cup) == [(1, "Opening"), (2, "Swiss"), (3, "Final")]
    act = stage_plans.change_stage_plan(final.pk, olga, plan=standard("double_elimination", take=2), name="Finals")
    assert act.sentence == "Final was changed: Finals, Double elimination."
    with refuses("same"):
        stage_plans.change_stage_plan(final.pk, olga, name="Finals")
    history.undo(act.pk, by=olga)
    assert stages_of(cup)[2] == (3, "Final")


def test_stages_that_cannot_work_together_are_refused(new_event, olga, refuses):
    cup = new_event("swiss", entries=8)
    with refuses("cannot_work") as caught:
        stage_plans.add_stage(cup.pk, olga, plan=standard("single_elimination", take_each=2))
    assert caught.value.sentence.startswith("Stage 2: The stage before has no groups")
    with refuses("last_stage"):
        stage_plans.remove_stage(cup.stages.get().pk, olga)


def test_what_has_begun_is_not_planned_anew(new_event, olga, refuses):
    cup = new_event(plans=[standard("swiss", rounds=2), standard("single_elimination", take=4)], started=True)
    first, second = cup.stages.all()
    with refuses("has_begun"):
        stage_plans.change_stage_plan(first.pk, olga, plan=standard("swiss", rounds=3))
    with refuses("has_begun"):
        stage_plans.remove_stage(first.pk, olga)
    with refuses("has_begun"):
        stage_plans.add_stage(cup.pk, olga, plan=standard("swiss", rounds=1), at=1)
    with refuses("has_begun"):
        stage_plans.change_stage_plan(second.pk, olga, plan=standard("single_elimination", take=4, cut_tie="playoff"))
    stage_plans.change_stage_plan(first.pk, olga, plan=standard("swiss", rounds=2, round_hours=2))
    stage_plans.change_stage_plan(second.pk, olga, plan=standard("single_elimination", take=2))
    stage_plans.remove_stage(second.pk, olga)
    assert Plan.read(cup.stages.get().plan_json).round_hours == 2


# From draft to play


def test_announcing_opens_entries_once(new_event, olga, refuses):
    cup = new_event(status="draft")
    act = lifecycle.publish(cup.pk, olga)
    cup.refresh_from_db()
    assert cup.status == "open"
    with refuses("wrong_status"):
        lifecycle.publish(cup.pk, olga)
    history.undo(act.pk, by=olga)
    cup.refresh_from_db()
    assert cup.status == "draft"


def test_what_cannot_work_is_not_announced(new_event, olga, refuses):
    with refuses("cannot_work"):
        lifecycle.publish(new_event("rotating_partners", entries=0, status="draft", kind="partnership").pk, olga)


def test_entries_are_closed_and_opened_again(new_event, olga, refuses):
    day_before = SATURDAY - timedelta(days=1)
    cup = new_event(entries_close_at=day_before)
    with refuses("wrong_status"):
        lifecycle.reopen_entries(cup.pk, olga, now=day_before - timedelta(hours=1))
    lifecycle.close_entries(cup.pk, olga)
    with refuses("wrong_status"):
        lifecycle.close_entries(cup.pk, olga)
    lifecycle.reopen_entries(cup.pk, olga, now=SATURDAY)
    cup.refresh_from_db()
    assert (cup.status, cup.entries_close_at) == ("open", None)


def test_the_start_draws_the_first_round_for_those_who_take_part(new_event, entry, olga):
    cup = new_event("swiss", entries=6, rounds=3)
    Entry.objects.filter(pk=entry(cup, 6).pk).update(status="forming")
    act = lifecycle.start(cup.pk, olga)
    assert act.sentence == "The event started with 5 entries."
    cup.refresh_from_db()
    assert (cup.status, cup.started_at is not None) == ("running", True)
    assert StageEntry.objects.count() == 5
    assert Pairing.objects.count() == 2


def test_the_start_is_one_whoever_presses(new_event, olga, refuses):
    cup = new_event("swiss", entries=4, rounds=2)
    first = lifecycle.start(cup.pk, olga, request_key="k")
    assert lifecycle.start(cup.pk, olga, request_key="k") == first
    with refuses("has_begun"):
        lifecycle.start(cup.pk, olga)
    assert Pairing.objects.count() == 2


@pytest.mark.parametrize(
    ("format", "count", "plan", "words"),
    [
        ("swiss", 1, {}, "at least two entries"),
        ("swiss", 4, {"rounds": 5}, "3 rounds without meeting twice"),
        ("groups", 3, {"groups": 2}, "2 groups need at least 4 entries"),
        ("single_elimination", 3, {"third_place": True}, "third place needs at least four"),
        ("swiss_pods", 5, {"seats": 4, "most": 4}, "cannot be seated at tables of 3 to 4"),
    ],
)
def test_too_few_entries_do_not_start(new_event, olga, refuses, format, count, plan, words):
    cup = new_event(format, entries=count, **plan)
    with refuses("cannot_work") as caught:
        lifecycle.start(cup.pk, olga)
    assert words in caught.value.sentence
    cup.refresh_from_db()
    assert cup.status == "open"
    assert not StageEntry.objects.exists()


def test_cancelling_tells_everybody_and_can_be_undone(new_event, entry, user_of, olga, refuses):
    cup = new_event(entries=2)
    with refuses("no_reason"):
        lifecycle.cancel(cup.pk, olga, reason="")
    act = lifecycle.cancel(cup.pk, olga, reason="Snow")
    cup.refresh_from_db()
    assert (cup.status, act.reason) == ("cancelled", "Snow")
    assert user_of(entry(cup, 1)).notices.get().title == "Harbour Cup: the event was cancelled: Snow"
    for act_again in (lifecycle.start, lifecycle.close_entries, lifecycle.publish):
        with refuses("cancelled"):
            act_again(cup.pk, olga)
    history.undo(act.pk, by=olga)
    cup.refresh_from_db()
    assert (cup.status, cup.ended_at) == ("open", None)
