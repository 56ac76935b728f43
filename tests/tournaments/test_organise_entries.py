"""Entries at the organisers’ pages: added, accepted, checked in, seeded, withdrawn with a preview; people, byes,
points.
"""

import pytest
from django.urls import reverse

from tests.tournaments import driving
from tests.tournaments.organising import pressed, refusal
from tournaments.models import Act, Adjustment, Entry, KeptApart, Member, Organiser, StageEntry, Tournament
from tournaments.plan import standard
from tournaments.services import history
from tournaments.services.entries import enrolment


@pytest.fixture
def coming(new_event):
    """Makes an event that has not begun, without entries unless told otherwise."""
    return lambda kind="partnership", count=0, **fields: new_event(
        "swiss", entries=count, kind=kind, setting="face", **fields
    )


def at(name, event, *args):
    return reverse(f"tournaments:{name}", args=[event.slug, *args])


def entry_names(event, status="entered"):
    return list(event.entries.filter(status=status).values_list("name", flat=True))


# Adding


def test_pairs_are_added_a_line_each(coming, olga, desk_of):
    event, desk = coming(), desk_of(olga)
    text = "Ann Lee / Ben Ross\n\n  The Two: Cem / Dee  \nEve"
    assert desk.send(at("organise_entries", event), "/entries/", "add", who=text).status_code == 302
    assert entry_names(event) == ["Ann Lee / Ben Ross", "The Two"]
    assert entry_names(event, "forming") == ["Eve"]


def test_people_and_teams_are_added(coming, olga, desk_of):
    alone, teams = coming("person"), coming("team")
    desk = desk_of(olga)
    desk.send(at("organise_entries", alone), "/entries/", "add", who="Ann Lee\nBen / Ross")
    desk.send(at("organise_entries", teams), "/entries/", "add", who="The Foxes: Ann, Ben, Cem\nDee, Eve")
    assert entry_names(alone) == ["Ann Lee", "Ben / Ross"]
    assert entry_names(teams) == ["The Foxes", "Team Dee"]
    assert teams.entries.get(number=1).members.count() == 3


def test_of_a_list_with_a_refused_line_nothing_is_entered_and_all_of_it_stays(coming, olga, desk_of):
    event, desk, text = coming(), desk_of(olga), "Ann / Ben\nCem / Dee / Eve\nFay / Gus"
    answer = desk.send(at("organise_entries", event), "/entries/", "add", who=text)
    assert answer.status_code == 422
    assert refusal(answer) == "“Cem / Dee / Eve”: A pair is two people."
    assert pressed(answer.content.decode(), "/entries/", "add")["fields"]["who"] == [text]
    assert entry_names(event) == []


def test_a_pasted_list_is_one_line_of_history_and_one_undo(coming, olga, desk_of):
    event, desk = coming("person"), desk_of(olga)
    before = Act.objects.filter(tournament=event).count()
    desk.send(at("organise_entries", event), "/entries/", "add", who="\n".join(f"Guest {n}" for n in range(56)))
    (act,) = Act.objects.filter(tournament=event)[: Act.objects.filter(tournament=event).count() - before]
    assert (act.sentence, event.entries.count()) == ("56 entries were added.", 56)
    history.undo(act.pk, by=olga)
    assert event.entries.count() == 0


def test_a_list_of_late_entries_is_one_act_too(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=3), entry_kind="person"), desk_of(olga)
    desk.send(at("organise_entries", event), "/entries/", "add", who="Late Lena\nLate Lou")
    act = Act.objects.filter(tournament=event).first()
    assert (act.kind, act.sentence) == ("late", "Added: Late Lena, Late Lou.")
    history.undo(act.pk, by=olga)
    assert event.entries.count() == 4


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "Enter the entries"), ("x\n" * 201, "Enter at most 200 lines"), ("a\u202eb / c", "“a\u202eb / c”: ")],
)
def test_what_names_nobody_is_refused(coming, olga, desk_of, text, sentence):
    answer = desk_of(olga).send(at("organise_entries", coming()), "/entries/", "add", who=text)
    assert (answer.status_code, sentence in answer.content.decode()) == (422, True)


def test_the_same_lines_sent_twice_are_entered_once(coming, olga, desk_of):
    event, desk = coming(), desk_of(olga)
    form = desk.form(at("organise_entries", event), "/entries/", "add")
    for _ in range(2):
        desk.post(form, who="Ann / Ben\nCem / Dee")
    assert event.entries.count() == 2


def test_late_entries_come_with_points_for_what_they_missed(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=3), entry_kind="person"), desk_of(olga)
    driving.play_round(event, olga)
    desk.send(at("organise_entries", event), "/entries/", "add", who="Late Lena", missed="half_bye")
    stage_entry = StageEntry.objects.get(entry__name="Late Lena")
    assert (stage_entry.first_round, stage_entry.start_points) == (3, 2)


def test_entries_are_found_by_a_few_letters_or_a_number(coming, olga, desk_of):
    event, desk = coming("person", 12), desk_of(olga)
    path = at("organise_entries", event)
    assert desk.get(f"{path}?q=player 11").count('id="entry-') == 1
    assert desk.get(f"{path}?q=3").count('id="entry-') == 1
    assert "Nobody has this name." in desk.get(f"{path}?q=zebra")
    assert desk.get(f"{at('organise_check_in', event)}?q=PLAYER 1").count('id="entry-') == 4


# The waiting list


def test_somebody_is_let_in_from_the_waiting_list(coming, olga, desk_of):
    event, desk = coming("person", 2, entry_limit=2), desk_of(olga)
    enrolment.enter_for(event.pk, olga, members=["Wendell"])
    assert entry_names(event, "waiting") == ["Wendell"]
    desk.send(at("organise_entries", event), "/accept/")
    assert "Wendell" in entry_names(event)
    desk.send(at("organise_entry", event, 3), "/accept/", "to-list")
    assert entry_names(event, "waiting") == ["Wendell"]


def test_entries_are_closed_and_opened_again(coming, olga, desk_of):
    event, desk = coming(), desk_of(olga)
    desk.send(at("organise_entries", event), "/gate/")
    event.refresh_from_db()
    assert event.status == Tournament.Status.CLOSED
    desk.send(at("organise_entries", event), "/gate/")
    event.refresh_from_db()
    assert event.status == Tournament.Status.OPEN


# Check-in


def test_everybody_is_marked_here_in_one_act_but_for_those_marked_absent(coming, olga, desk_of):
    event, desk = coming("person", 5, has_check_in=True), desk_of(olga)
    Entry.objects.update(is_here=None)
    path = at("organise_check_in", event)
    desk.send(path, "/check-in/2/", "absent-2")
    desk.send(path, "/check-in/all/", "all-here")
    assert [entry.is_here for entry in event.entries.order_by("number")] == [True, False, True, True, True]
    act = Act.objects.filter(tournament=event).first()
    assert act.sentence == "4 entries are here. Absent: Player 2."
    history.undo(act.pk, by=olga)
    assert [entry.is_here for entry in event.entries.order_by("number")] == [None, False, None, None, None]
    assert "all-here" in desk.get(path)


def test_a_scorer_at_the_door_says_who_is_here(coming, organiser_as, desk_of):
    event = coming("person", 3, has_check_in=True)
    Entry.objects.update(is_here=None)
    desk, path = desk_of(organiser_as(event, "scorer")), at("organise_check_in", event)
    desk.send(path, "/check-in/1/", "here-1")
    answer = desk.send(f"{path}?q=Player 2", "/check-in/2/", "absent-2")
    assert answer.url == f"{path}?q=Player+2#entry-2"
    assert list(event.entries.values_list("is_here", flat=True)) == [True, False, None]
    desk.send(path, "/check-in/2/", "back-2")
    assert event.entries.get(number=2).is_here is True
    form = desk.form(path, "/check-in/3/", "here-3")
    assert [desk.post(form).status_code for _ in range(2)] == [302, 302]
    assert "3 of 3 here, 0 absent." in desk.get(path)


def test_without_check_in_everybody_is_here_who_is_not_absent(make, olga, desk_of):
    event, desk = make(3, standard("swiss", rounds=2)), desk_of(olga)
    assert "3 of 3 here, 0 absent." in desk.get(at("organise_check_in", event))
    desk.send(at("organise_check_in", event), "/check-in/1/", "absent-1")
    assert "2 of 3 here, 1 absent." in desk.get(at("organise_check_in", event))


def test_who_is_absent_in_a_running_event_is_left_out_and_put_back(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=3)), desk_of(olga)
    driving.play_round(event, olga)
    desk.send(at("organise_check_in", event), "/check-in/1/", "absent-1")
    stage_entry = StageEntry.objects.get(entry__number=1)
    assert stage_entry.last_round is not None
    desk.send(at("organise_entry", event, 1), "/check-in/1/", "put-back", missed="half_bye")
    stage_entry.refresh_from_db()
    assert stage_entry.last_round is None


def test_nothing_said_is_refused(coming, olga, desk_of):
    event, desk = coming("person", 2), desk_of(olga)
    form = desk.form(at("organise_check_in", event), "/check-in/1/")
    answer = desk.post(form, to="somewhere")
    assert (answer.status_code, "Choose “here” or “absent”." in answer.content.decode()) == (422, True)


# Seeds


def order(event):
    seeded = event.entries.exclude(seed=None).order_by("seed")
    return list(seeded.values_list("number", flat=True))


def test_seeds_are_moved_up_and_down_and_kept(coming, olga, desk_of):
    event, desk = coming("person", 4), desk_of(olga)
    path, pk = at("organise_seeds", event), event.entries.get(number=4).pk
    first = event.entries.get(number=1).pk
    answer = desk.send(path, "/seeds/", f"up-{pk}")
    assert (answer.status_code, "not saved yet" in answer.content.decode()) == (200, True)
    assert order(event) == [1, 2, 3, 4]
    form = pressed(answer.content.decode(), "/seeds/", f"down-{first}")
    saved = desk.post(pressed(desk.post(form).content.decode(), "/seeds/", "keep"))
    assert saved.status_code == 302
    assert order(event) == [2, 1, 4, 3]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ({4: "1"}, [4, 1, 2, 3]),
        ({1: "4"}, [2, 3, 4, 1]),
        ({3: "1", 1: "3"}, [3, 2, 1, 4]),
        ({2: ""}, [1, 2, 3, 4]),
        ({1: "99"}, [2, 3, 4, 1]),
        ({4: "2", 3: "2"}, [1, 3, 4, 2]),
    ],
)
def test_seeds_are_sorted_by_typed_numbers(coming, olga, desk_of, typed, expected):
    event, desk = coming("person", 4), desk_of(olga)
    pks = dict(event.entries.values_list("number", "pk"))
    form = desk.form(at("organise_seeds", event), "/seeds/", "keep")
    desk.post(form, **{f"seed-{pks[number]}": text for number, text in typed.items()})
    assert order(event) == expected


def test_seeds_by_lot_by_rating_and_none(coming, olga, desk_of):
    event, desk = coming("person", 4), desk_of(olga)
    path = at("organise_seeds", event)
    desk.send(path, "/seeds/", "by-lot")
    by_lot = order(event)
    desk.send(path, "/seeds/", "by-rating")
    assert order(event) == [1, 2, 3, 4]
    desk.send(path, "/seeds/", "by-lot")
    assert order(event) == by_lot
    desk.send(path, "/seeds/", "no-seeds")
    assert order(event) == []


def test_an_order_that_somebody_changed_meanwhile_is_not_overwritten(coming, olga, desk_of):
    event, desk = coming("person", 4), desk_of(olga)
    path, pk = at("organise_seeds", event), event.entries.get(number=4).pk
    form = desk.form(path, "/seeds/", "keep")
    desk.send(path, "/seeds/", "by-lot")
    by_lot = order(event)
    answer = desk.post(form, **{f"seed-{pk}": "1"})
    assert answer.status_code == 409
    assert order(event) == by_lot
    assert "not saved yet" in answer.content.decode()


def test_entries_are_kept_apart_and_may_meet_again(coming, olga, desk_of):
    event, desk = coming("person", 4), desk_of(olga)
    first, second = event.entries.get(number=2).pk, event.entries.get(number=1).pk
    path = at("organise_seeds", event)
    desk.send(path, "/apart/", "keep-apart", one=first, other=second)
    assert KeptApart.objects.count() == 1
    assert "Kept apart from" in desk.get(at("organise_entry", event, 1))
    desk.send(path, "/apart/", "meet")
    assert not KeptApart.objects.exists()
    refused = desk.send(path, "/apart/", "keep-apart", one=first, other=first)
    assert (refused.status_code, refusal(refused)) == (422, "Choose two different entries.")


# Leaving


def test_a_withdrawal_is_seen_before_it_is_done(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=3)), desk_of(olga)
    path = at("organise_entry", event, 1)
    answer = desk.send(path, "/leaving/preview/", "withdraw-now")
    markup = answer.content.decode()
    assert "Entry 1 withdrew at once and loses round 1, table 1 by walkover." in markup
    assert event.entries.get(number=1).status == "entered"
    assert desk.post(pressed(markup, "/leaving/"), reason="Ill").status_code == 302
    assert event.entries.get(number=1).status == "withdrawn"
    assert Act.objects.first().reason == "Ill"
    back = desk.send(path, "/leaving/preview/", "reinstate", missed="half_bye").content.decode()
    assert pressed(back, "/leaving/")["fields"]["missed"] == ["half_bye"]
    assert desk.post(pressed(back, "/leaving/")).status_code == 302
    assert event.entries.get(number=1).status == "entered"


def test_a_withdrawal_after_the_round(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=3)), desk_of(olga)
    markup = desk.send(at("organise_entry", event, 1), "/leaving/preview/", "withdraw-after").content.decode()
    desk.post(pressed(markup, "/leaving/"))
    assert StageEntry.objects.get(entry__number=1).last_round == 1


def test_a_disqualification_needs_a_reason(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=3)), desk_of(olga)
    markup = desk.send(at("organise_entry", event, 1), "/leaving/preview/", "disqualify").content.decode()
    refused = desk.post(pressed(markup, "/leaving/"))
    assert (refused.status_code, refusal(refused)) == (422, "Enter a reason. It appears in the history.")
    assert desk.post(pressed(refused.content.decode(), "/leaving/"), reason="Hid cards").status_code == 302
    assert event.entries.get(number=1).status == "disqualified"


def test_a_preview_that_is_out_of_date_comes_anew_with_the_reason(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=3)), desk_of(olga)
    markup = desk.send(at("organise_entry", event, 1), "/leaving/preview/", "withdraw-now").content.decode()
    driving.decide(driving.open_pairings(event)[1], olga)
    answer = desk.post(pressed(markup, "/leaving/"), reason="Ill")
    assert answer.status_code == 409
    assert pressed(answer.content.decode(), "/leaving/")["fields"]["reason"] == ["Ill"]
    assert event.entries.get(number=1).status == "entered"


@pytest.mark.parametrize("way", ["", "fly"])
def test_leaving_in_no_way_is_refused(make, olga, desk_of, way):
    event, desk = make(4, standard("swiss", rounds=3)), desk_of(olga)
    form = desk.form(at("organise_entry", event, 1), "/leaving/preview/")
    answer = desk.post(form, way=way)
    assert (answer.status_code, refusal(answer)) == (422, "Choose an action.")


# People


def test_a_person_is_replaced_by_name_and_by_a_reserve(coming, olga, desk_of):
    event, desk = coming("partnership", 2), desk_of(olga)
    path, member = at("organise_entry", event, 1), event.entries.get(number=1).members.first()
    desk.send(path, "/people/", "add-person", who="Reserve Rita", role="reserve")
    reserve = Member.objects.get(name="Reserve Rita")
    desk.send(path, f"/people/{member.pk}/replace/", reserve=reserve.pk)
    reserve.refresh_from_db()
    assert reserve.role == "player"
    desk.send(path, f"/people/{reserve.pk}/replace/", who="Wendell")
    assert Member.objects.filter(name="Wendell", left_at=None).exists()
    nobody = Member.objects.get(name="Wendell").pk
    refused = desk.send(path, f"/people/{nobody}/replace/", who=" ")
    assert (refused.status_code, "Choose a replacement." in refused.content.decode()) == (422, True)


def test_an_entry_is_renamed_and_somebody_taken_out(coming, olga, desk_of):
    event, desk = coming("team", 2), desk_of(olga)
    path, entry = at("organise_entry", event, 1), event.entries.get(number=1)
    desk.send(path, "/name/", name="The Foxes")
    entry.refresh_from_db()
    assert entry.name == "The Foxes"
    refused = desk.send(path, "/name/", name="Team 2")
    assert (refused.status_code, refusal(refused)) == (422, "Another entry is called Team 2.")
    member = entry.members.last()
    desk.send(path, f"/people/{member.pk}/", f"captain-{member.pk}")
    desk.send(path, f"/people/{member.pk}/", f"out-{member.pk}")
    member.refresh_from_db()
    assert member.left_at is not None


def test_a_person_of_another_entry_is_none_of_this_one(coming, olga, desk_of):
    event, desk = coming("person", 2), desk_of(olga)
    path, member = at("organise_entry", event, 1), event.entries.get(number=1).members.get()
    other = event.entries.get(number=2).members.get()
    form = desk.form(path, f"/people/{member.pk}/", f"out-{member.pk}")
    answer = desk.post({**form, "action": at("organise_change_person", event, 1, other.pk)})
    assert answer.status_code == 422
    assert Member.objects.filter(left_at=None).count() == 2


# Byes and points


def test_byes_on_request_are_given_and_taken_back(coming, olga, desk_of):
    event, desk = coming("person", 4, rounds=3), desk_of(olga)
    path = at("organise_entry", event, 1)
    desk.send(path, "/bye/", "bye", round="2", kind="bye")
    assert event.entries.get(number=1).byes == {"2": "bye"}
    desk.send(path, "/bye/", "play-2")
    assert event.entries.get(number=1).byes == {}


def test_points_are_given_with_a_reason_and_taken_back(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=3)), desk_of(olga)
    path = at("organise_entry", event, 1)
    refused = desk.send(path, "/points/", points="−1/2")
    assert (refused.status_code, refusal(refused)) == (
        422,
        "Enter a reason. It appears in the history and below the standings.",
    )
    assert pressed(refused.content.decode(), "/points/")["fields"]["points"] == ["−1/2"]
    desk.send(path, "/points/", points="−1/2", reason="Late")
    assert [str(adjustment.points) for adjustment in Adjustment.objects.all()] == ["-1/2"]
    assert "−1/2 point for Entry 1 in" in desk.get(path)
    desk.send(path, f"/points/{Adjustment.objects.get().pk}/")
    assert not Adjustment.objects.exists()


# Who may


def test_a_scorer_changes_no_entries(make, olga, organiser_as, desk_of):
    event = make(4, standard("swiss", rounds=3), entry_kind="person")
    scorer = desk_of(organiser_as(event, "scorer"))
    token = scorer.form(at("organise_check_in", event), "/check-in/1/")["fields"]["csrfmiddlewaretoken"]
    doors = {
        at("organise_entries", event): {"who": "Ann"},
        at("organise_gate", event): {"to": "close"},
        at("organise_accept", event, 1): {"to": "wait"},
        at("organise_seeds", event): {"way": "lot"},
        at("organise_apart", event): {"one": 1, "other": 2},
        at("organise_leaving", event, 1): {"way": "now"},
        at("organise_leaving_preview", event, 1): {"way": "now"},
        at("organise_rename", event, 1): {"name": "X"},
        at("organise_add_person", event, 1): {"who": "X"},
        at("organise_bye", event, 1): {"round": 2},
        at("organise_adjust", event, 1): {"points": 1, "stage": 1, "reason": "x"},
    }
    before = Act.objects.count()
    for path, data in doors.items():
        assert scorer.client.post(path, {**data, "csrfmiddlewaretoken": token}).status_code == 403, path
    assert Act.objects.count() == before
    assert Organiser.objects.count() == 2
