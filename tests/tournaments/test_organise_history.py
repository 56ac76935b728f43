"""The history: every act with before and after in words, and undone after a preview."""

import pytest
from django.urls import reverse

from tests.pages import squeezed
from tests.tournaments import driving
from tests.tournaments.organising import pressed, refusal
from tournaments.models import Act, Entry, Pairing
from tournaments.organiser.action_diff import Change, list_changes, names_of
from tournaments.plan import standard
from tournaments.services import history
from tournaments.services.entries import withdrawal as leaving
from tournaments.services.events import lifecycle, organisers
from tournaments.services.matches import point_adjustments, results
from tournaments.services.stages import manual_pairing, seeding, stage_decisions, stage_plans


def at(event, *more):
    return reverse("tournaments:organise_history", args=[event.slug])


def changes_of(act):
    changes, _ = list_changes(act, names_of([act]))
    return changes


# In words


def test_a_result_and_its_correction(make, olga):
    event = make(2, standard("single_elimination"))
    match = driving.open_pairings(event)[0]
    winner, loser = [place.entry_id for place in match.places.all()]
    first = results.decide(match.pk, [{"entry": winner, "score": 4210}, {"entry": loser, "score": -350}], by=olga)
    assert Change("Final", "", "Entry 1 4,210, Entry 2 −350") in changes_of(first)
    lines = [{"entry": winner, "score": 1}, {"entry": loser, "score": 2}]
    second = results.decide(match.pk, lines, by=olga, reason="Wrong way round")
    assert Change("Final: result", "Confirmed", "Replaced") in changes_of(second)
    assert Change("Final", "", "Entry 1 1, Entry 2 2") in changes_of(second)


def test_entries_seeds_points_and_plans(make, olga):
    event = make(4, standard("swiss", rounds=3, waits_for_go=True))
    stage, entry = event.stages.get(), event.entries.get(number=1)
    acts = {
        "withdraw": leaving.withdraw(entry.pk, olga),
        "go": stage_decisions.start_round(stage.pk, 1, by=olga),
        "apart": seeding.keep_apart(event.pk, olga, one=entry.pk, other=event.entries.get(number=2).pk),
        "plan": stage_plans.change_stage_plan(stage.pk, olga, plan=standard("swiss", rounds=3)),
        "settings": lifecycle.change_settings(event.pk, olga, changes={"name": "New Name", "confirm_hours": 3}),
    }
    point_adjustments.adjust(stage.pk, olga, entry_id=entry.pk, points="-1/2", reason="Late")
    acts["points"] = Act.objects.first()
    expected = {
        "withdraw": Change("Entry 1: entry", "Entered", "Withdrawn"),
        "go": Change("Swiss: started up to round", "0", "1"),
        "apart": Change("Entry 1", "", "kept apart from Entry 2"),
        "plan": Change("Swiss: plan", "waits for go yes", "waits for go no"),
        "settings": Change("time to confirm a result", "24", "3"),
        "points": Change("Entry 1", "", "−½"),
    }
    for name, change in expected.items():
        assert change in changes_of(acts[name]), changes_of(acts[name])


def test_a_pairing_by_hand(make, olga):
    event = make(4, standard("swiss", rounds=1))
    round_ = Pairing.objects.first().round
    act = manual_pairing.swap(round_.pk, olga, one=event.entries.get(number=1).pk, other=event.entries.get(number=2).pk)
    assert Change("Round 1, table 1: seat", "Entry 1", "Entry 2") in changes_of(act)
    assert Change("Round 1: paired by hand", "no", "yes") in changes_of(act)
    # What is only held for undoing is no change.
    assert not [change for change in changes_of(act) if change.was == change.became]


def test_names_are_those_of_the_rows_even_where_they_are_gone(make, olga):
    event = make(3, standard("swiss", rounds=2))
    act = leaving.withdraw(event.entries.get(number=3).pk, olga)
    Entry.objects.filter(number=3).delete()
    assert [change.what for change in changes_of(act)] == ["An entry: last round", "An entry: entry"]


# The page


def test_the_page_tells_who_when_what_and_why(make, olga, desk_of):
    event = make(4, standard("swiss", rounds=2))
    match = driving.open_pairings(event)[0]
    driving.decide(match, olga)
    driving.decide(match, olga, lambda names: [1, 2], reason="One clean book counted twice")
    markup = desk_of(olga).get(at(event))
    for words in ("Olga", "was changed from", "Reason: <bdi>One clean book counted twice</bdi>", "Before and after"):
        assert words in markup


def test_it_is_narrowed_to_a_kind_and_a_person(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=2)), desk_of(olga)
    driving.decide(driving.open_pairings(event)[0], olga)
    assert "The event started with 4 entries." not in desk.get(f"{at(event)}?kind=results")
    assert "The event started with 4 entries." in desk.get(f"{at(event)}?kind=event&by=olg")
    assert "No actions of this kind." in desk.get(f"{at(event)}?by=nobody")


def test_there_are_pages_of_it(make, olga, desk_of):
    event = make(2, standard("swiss", rounds=1))
    for number in range(40):
        history.note(event, organisers.TELL, f"Note {number}")
    desk = desk_of(olga)
    assert "Note 39" in desk.get(at(event))
    assert "Note 1<" in desk.get(f"{at(event)}?page=2")


# Undoing


def test_an_act_is_undone_after_a_preview(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=2)), desk_of(olga)
    act = driving.decide(driving.open_pairings(event)[0], olga)
    markup = desk.send(at(event), f"/{act.pk}/preview/").content.decode()
    assert "Undo this action?" in markup
    assert "The results of Swiss, Round 1, table 1 will be deleted." in markup
    assert Pairing.objects.get(name="R1.1").status == "done"
    assert desk.post(pressed(markup, f"/{act.pk}/undo/"), reason="Wrong table").status_code == 302
    assert Pairing.objects.get(name="R1.1").status == "ready"
    page = squeezed(desk.get(at(event)))
    undone = Act.objects.get(undoes=act)
    assert f'<a href="#act-{undone.pk}">Undone' in page
    assert page.count('class="what undone"') == 1
    assert f"/{act.pk}/preview/" not in page


def test_two_who_undo_the_same_thing_undo_it_once(make, olga, organiser_as, desk_of):
    event = make(4, standard("swiss", rounds=2))
    desks = [desk_of(olga), desk_of(organiser_as(event, "director"))]
    act = driving.decide(driving.open_pairings(event)[0], olga)
    panels = [pressed(desk.send(at(event), f"/{act.pk}/preview/").content.decode(), "/undo/") for desk in desks]
    answers = [desk.post(panel, reason="x") for desk, panel in zip(desks, panels, strict=True)]
    assert [answer.status_code for answer in answers] == [302, 422]
    assert refusal(answers[1]) == "This was already undone."
    assert Act.objects.filter(kind="undo").count() == 1


def test_what_was_changed_again_later_cannot_be_undone_and_says_so(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=2)), desk_of(olga)
    match = driving.open_pairings(event)[0]
    act = driving.decide(match, olga)
    driving.decide(match, olga, lambda names: [1, 2], reason="Wrong")
    answer = desk.send(at(event), f"/{act.pk}/preview/")
    assert (answer.status_code, refusal(answer)) == (422, "This was changed again later. Undo that first.")


def test_a_preview_of_yesterday_is_shown_anew(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=2)), desk_of(olga)
    act = driving.decide(driving.open_pairings(event)[0], olga)
    markup = desk.send(at(event), f"/{act.pk}/preview/").content.decode()
    driving.decide(driving.open_pairings(event)[0], olga)
    answer = desk.post(pressed(markup, "/undo/"), reason="Wrong table")
    assert answer.status_code == 409
    assert pressed(answer.content.decode(), "/undo/")["fields"]["reason"] == ["Wrong table"]
    assert desk.post(pressed(answer.content.decode(), "/undo/")).status_code == 302


@pytest.mark.parametrize(("role", "own_status", "other_status"), [("director", 200, 200), ("scorer", 200, 403)])
def test_a_scorer_undoes_only_their_own(make, olga, organiser_as, desk_of, role, own_status, other_status):
    event = make(4, standard("swiss", rounds=2))
    user = organiser_as(event, role)
    first, second = driving.open_pairings(event)
    own_act, other_act = driving.decide(first, user), driving.decide(second, olga)
    desk = desk_of(user)
    form = desk.form(at(event), f"/{own_act.pk}/preview/")
    assert desk.post(form).status_code == own_status
    foreign = {**form, "action": form["action"].replace(f"/{own_act.pk}/", f"/{other_act.pk}/")}
    assert desk.post(foreign).status_code == other_status
    assert desk.post({**foreign, "action": foreign["action"].replace("preview", "undo")}).status_code == (
        302 if other_status == 200 else 403
    )


def test_an_act_of_another_event_is_not_there(make, olga, desk_of):
    event, other = make(4, standard("swiss", rounds=2)), make(4, standard("swiss", rounds=2))
    act = driving.decide(driving.open_pairings(event)[0], olga)
    other_act = driving.decide(driving.open_pairings(other)[0], olga)
    desk = desk_of(olga)
    form = desk.form(at(event), f"/{act.pk}/preview/")
    assert desk.post({**form, "action": form["action"].replace(f"/{act.pk}/", f"/{other_act.pk}/")}).status_code == 404
