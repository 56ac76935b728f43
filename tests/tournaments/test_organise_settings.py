"""The event itself: settings and stages, start, cancellation, next edition; organisers and announcements."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice
from tests.pages import squeezed
from tests.tournaments.organising import pressed, refusal
from tournaments.models import Act, Organiser, Stage, Tournament
from tournaments.plan import Plan, standard


def at(name, event, *args):
    return reverse(f"tournaments:{name}", args=[event.slug, *args])


@pytest.fixture
def coming(new_event):
    """Makes an event that has not begun."""
    return lambda count=4, **fields: new_event(
        "swiss", entries=count, kind="person", setting="face", time_zone="Europe/Prague", **fields
    )


# Settings


def test_only_what_was_changed_is_changed(coming, olga, desk_of):
    event, desk = coming(0), desk_of(olga)
    desk.send(at("organise_settings", event), "/settings/", "save", name="Prague Open", starts_at="2030-07-01T19:30")
    event.refresh_from_db()
    assert (event.name, event.starts_at.isoformat()) == ("Prague Open", "2030-07-01T17:30:00+00:00")
    assert Act.objects.first().sentence == "Changed: name, start."
    answer = desk.send(at("organise_settings", event), "/settings/", "save")
    assert (answer.status_code, refusal(answer)) == (422, "You have not changed anything.")


def test_rules_and_terms_are_changed_until_play_begins(coming, olga, desk_of):
    event, desk = coming(0, terms={"assist": False}), desk_of(olga)
    path = at("organise_settings", event)
    desk.send(path, "/settings/", "save", clock_hours="72", **{"rule-length.number": "2"})
    event.refresh_from_db()
    assert (event.terms["clock_hours"], event.terms["assist"], event.rules.length.number) == (72, False, 2)
    Tournament.objects.filter(pk=event.pk).update(status="running")
    markup = desk.get(path)
    assert (
        "Play has started, so you cannot change entry type, people at a table, rules, length of a match, rating."
        in markup
    )
    assert 'name="preset"' not in markup
    assert desk.send(path, "/settings/", "save", entry_kind="team", venue="Elsewhere").status_code == 302
    event.refresh_from_db()
    assert (event.entry_kind, event.venue) == ("person", "Elsewhere")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"name": ""}, "Fill in this field."),
        ({"entry_limit": "1"}, "Enter 2 or more."),
        ({"entries_close_at": "2031-01-01T10:00", "starts_at": "2030-01-01T10:00"}, "Entries must close before the event starts."),
        ({"confirm_hours": "9999"}, "Enter 720 or less."),
        ({"visibility": "circle"}, "Choose a club."),
        ({"rule-decks.number": "x"}, "must be a whole number"),
    ],
)  # fmt: skip
def test_settings_that_do_not_fit_come_back_as_typed(coming, olga, desk_of, typed, sentence):
    event, desk = coming(0), desk_of(olga)
    answer = desk.send(at("organise_settings", event), "/settings/", "save", about="Kept", **typed)
    markup = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in markup
    assert pressed(markup, "/settings/", "save")["fields"]["about"] == ["Kept"]
    assert not Act.objects.filter(kind="settings").exists()


# Announcing and beginning


def test_a_draft_is_announced(new_event, olga, desk_of):
    draft, desk = new_event("swiss", entries=0, status="draft"), desk_of(olga)
    desk.send(at("organise", draft), "/announce/")
    draft.refresh_from_db()
    assert draft.status == Tournament.Status.OPEN


def test_a_draft_that_cannot_work_says_why_beside_the_button(new_event, olga, desk_of):
    draft, desk = new_event("howell", entries=0, status="draft"), desk_of(olga)
    markup = desk.get(at("organise", draft))
    assert "Howell is for pairs. Set “Entry type” to “Pairs”." in markup
    assert 'aria-disabled="true"' in markup
    answer = desk.send(at("organise", draft), "/announce/")
    assert (answer.status_code, refusal(answer)) == (422, "Howell is for pairs. Set “Entry type” to “Pairs”.")


def test_an_event_begins(coming, olga, desk_of):
    event, desk = coming(4), desk_of(olga)
    assert "4 entries play." in desk.get(at("organise", event))
    assert desk.send(at("organise", event), "/start/").status_code == 302
    event.refresh_from_db()
    assert event.status == Tournament.Status.RUNNING


def test_with_too_few_it_does_not(coming, olga, desk_of):
    event, desk = coming(1), desk_of(olga)
    assert "The event cannot start yet." in desk.get(at("organise", event))
    answer = desk.send(at("organise", event), "/start/")
    assert (answer.status_code, "needs at least two entries" in refusal(answer)) == (422, True)


def test_while_check_in_goes_on_it_asks_once_more(coming, olga, desk_of):
    event, desk = coming(4, has_check_in=True, check_in_until=timezone.now() + timedelta(hours=1)), desk_of(olga)
    event.entries.filter(number=4).update(is_here=None)
    assert "1 entry not checked in would be left out." in desk.get(at("organise", event))
    answer = desk.send(at("organise", event), "/start/")
    markup = answer.content.decode()
    assert answer.status_code == 422
    assert ("Check-in is open until" in refusal(answer), "Start anyway" in markup) == (True, True)
    assert desk.post(pressed(markup, "/start/")).status_code == 302
    assert event.entries.get(number=4).is_here is False


def test_two_who_begin_it_begin_it_once(coming, olga, organiser_as, desk_of):
    event = coming(4)
    desks = [desk_of(olga), desk_of(organiser_as(event, "director"))]
    forms = [desk.form(at("organise", event), "/start/") for desk in desks]
    answers = [desk.post(form) for desk, form in zip(desks, forms, strict=True)]
    assert [answer.status_code for answer in answers] == [302, 409]
    assert Act.objects.filter(kind="start").count() == 1


# Stages


def test_a_stage_is_planned_anew(coming, olga, desk_of):
    event, desk = coming(6), desk_of(olga)
    path = at("organise_stage", event, 1)
    assert desk.send(path, "/stages/1/", "save", **{"stage-1-rounds": "4", "stage-1-name": "Four"}).status_code == 302
    stage = Stage.objects.get()
    assert (stage.name, Plan.read(stage.plan_json)) == ("Four", standard("swiss", rounds=4))
    wrong = desk.send(path, "/stages/1/", "save", **{"stage-1-rounds": "9"})
    assert wrong.status_code == 422
    assert "6 entries can play 5 rounds without meeting twice, not 9." in wrong.content.decode()


def test_choices_that_the_form_does_not_show_stay(coming, olga, desk_of):
    event, desk = coming(6), desk_of(olga)
    plan = standard("swiss", rounds=3, tiebreaks=["wins"], minutes=90)
    Stage.objects.update(plan_json=plan.write())
    desk.send(at("organise_stage", event, 1), "/stages/1/", "save", **{"stage-1-rounds": "4"})
    assert Plan.read(Stage.objects.get().plan_json) == plan.but(rounds=4)


def test_of_a_stage_under_way_only_hours_and_goes_are_open(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=3)), desk_of(olga)
    path = at("organise_stage", event, 1)
    form = desk.form(path, "/stages/1/", "save")
    assert desk.post(form, **{"stage-1-rounds": "2", "stage-1-waits_for_go": "on"}).status_code == 302
    assert Plan.read(Stage.objects.get().plan_json) == standard("swiss", rounds=3, waits_for_go=True)


def test_stages_are_added_and_taken_out(coming, olga, desk_of):
    event, desk = coming(8), desk_of(olga)
    desk.send(at("organise_add_stage", event), "/stages/new/", "save", **{"stage-2-take": "4"})
    assert [Plan.read(stage.plan_json).take for stage in event.stages.all()] == [0, 4]
    too_many = desk.send(at("organise_add_stage", event), "/stages/new/", "save", **{"stage-3-take": "6"})
    assert (too_many.status_code, event.stages.count()) == (422, 2)
    desk.send(at("organise_stages", event), "/stages/2/remove/")
    assert event.stages.count() == 1
    assert "8 entries." in desk.get(at("organise_stages", event))


def test_the_schedule_beside_a_stage_follows_what_is_filled_in(coming, olga, desk_of):
    event, desk = coming(6), desk_of(olga)
    form = desk.form(at("organise_stage", event, 1), "/stages/1/", "save")
    typed = form["fields"] | {"stage-1-rounds": "2"}
    part = desk.client.post(at("organise_schedule", event), typed).content.decode()
    assert "6 entries. 2 rounds, 3 tables at once" in squeezed(part)
    typed |= {"stage-1-format": "double_elimination"}
    part = desk.client.post(at("organise_schedule", event), typed).content.decode()
    assert 'name="stage-1-reset"' in part
    assert Act.objects.count() == 0


# Cancelling, and holding it again


def test_cancelling_asks_on_a_page_of_its_own_and_for_a_reason(coming, olga, desk_of, user_of):
    event, desk = coming(2), desk_of(olga)
    path = at("organise_cancel", event)
    assert path in desk.get(at("organise_settings", event))
    refused = desk.send(path, "/cancel/")
    assert (refused.status_code, refusal(refused)) == (422, "Enter a reason. Players will see it.")
    desk.send(path, "/cancel/", reason="The hall is flooded")
    event.refresh_from_db()
    assert event.status == Tournament.Status.CANCELLED
    assert Notice.objects.filter(user=user_of(event.entries.get(number=1)), title__contains="flooded").exists()


def test_it_is_held_again_with_its_times_moved(coming, olga, desk_of):
    start = timezone.now() + timedelta(days=3)
    event, desk = coming(4, starts_at=start, entries_close_at=start - timedelta(hours=2)), desk_of(olga)
    path = at("organise_copy", event)
    answer = desk.send(path, "/copy/", name="Next Cup", starts_at="2030-07-01T19:30")
    copied = Tournament.objects.get(name="Next Cup")
    assert answer.url == at("organise", copied)
    assert (copied.status, copied.starts_at - copied.entries_close_at) == ("draft", timedelta(hours=2))
    wrong = desk.send(path, "/copy/", name="Third", starts_at="never")
    assert wrong.status_code == 422
    assert 'value="never"' in wrong.content.decode()


# Who organises


def test_an_owner_says_who_helps_and_as_what(coming, olga, person, desk_of):
    event, desk = coming(2), desk_of(olga)
    dee, path = person("Dee"), at("organise_people", event)
    desk.send(path, "/people/", "add", who="dee", role="scorer")
    organiser = Organiser.objects.get(user=dee)
    desk.send(path, f"/people/{organiser.pk}/", role="director")
    organiser.refresh_from_db()
    assert organiser.role == "director"
    last = desk.send(path, f"/people/{Organiser.objects.get(user=olga).pk}/", role="none")
    assert (last.status_code, "An event needs an owner" in last.content.decode()) == (422, True)
    desk.send(path, f"/people/{organiser.pk}/", role="none")
    assert Organiser.objects.count() == 1
    nobody = desk.send(path, "/people/", "add", who="Nobody At All", role="scorer")
    assert nobody.status_code == 422
    assert pressed(nobody.content.decode(), "/people/", "add")["fields"]["who"] == ["Nobody At All"]


def test_a_director_changes_no_roles_but_may_leave(coming, organiser_as, desk_of, olga):
    event = coming(2)
    user = organiser_as(event, "director")
    desk, path = desk_of(user), at("organise_people", event)
    organiser, owner = Organiser.objects.get(user=user), Organiser.objects.get(user=olga)
    form = desk.form(path, f"/people/{organiser.pk}/")
    assert desk.post({**form, "action": at("organise_role", event, owner.pk)}).status_code == 403
    assert desk.post({**form, "action": path}, who="x").status_code == 403
    assert desk.post(form).url == event.get_absolute_url()
    assert not Organiser.objects.filter(user=user).exists()


def test_a_notice_goes_to_everybody_once(coming, olga, desk_of):
    event, desk = coming(3), desk_of(olga)
    form = desk.form(at("organise_people", event), "/notice/")
    for _ in range(2):
        desk.post(form, text="Bring your own pencils.")
    assert Notice.objects.filter(body="Bring your own pencils.").count() == 3
    empty = desk.send(at("organise_people", event), "/notice/", text=" ")
    assert (empty.status_code, "Enter a message of at most" in refusal(empty)) == (422, True)


@pytest.mark.parametrize("role", ["director", "scorer"])
def test_what_only_owners_do_is_closed_to_others(coming, organiser_as, desk_of, role):
    event = coming(2)
    desk = desk_of(organiser_as(event, role))
    token = desk.form(at("organise_check_in", event), "/check-in/1/")["fields"]["csrfmiddlewaretoken"]
    doors = {
        at("organise_settings", event): {"name": "X"},
        at("organise_announce", event): {},
        at("organise_cancel", event): {"reason": "x"},
        at("organise_stage", event, 1): {"do": "save"},
        at("organise_add_stage", event): {"do": "save"},
        at("organise_remove_stage", event, 1): {},
        at("organise_people", event): {"who": "x"},
    }
    for path, data in doors.items():
        assert desk.client.post(path, {**data, "csrfmiddlewaretoken": token}).status_code == 403, path
    assert Act.objects.count() == 0
