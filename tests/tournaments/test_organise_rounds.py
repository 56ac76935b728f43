"""Rounds at the organisers’ pages: start, manual pairing, times; and two organisers who press the same button."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.tournaments import driving
from tests.tournaments.organising import pressed, refusal
from tournaments.models import Act, Member, Pairing, Round, SitOut, Stage, Tournament
from tournaments.plan import standard
from tournaments.services.stages import arenas


def desk_path(event):
    return reverse("tournaments:organise", args=[event.slug])


def round_path(event, number=1, match=None):
    path = reverse("tournaments:organise_round", args=[event.slug, 1, number])
    return f"{path}?open={match.pk}" if match else path


def names(round_row):
    return {
        table.number: [place.entry.name for place in table.places.select_related("entry")]
        for table in Pairing.objects.filter(round=round_row)
    }


@pytest.fixture
def waiting(make):
    """An event whose rounds wait for a go."""
    return make(8, standard("swiss", rounds=3, waits_for_go=True))


# The go


def test_the_go_makes_the_next_round_when_it_is_ready(waiting, olga, desk_of):
    desk = desk_of(olga)
    assert "4 tables, nobody meets again." in desk.get(desk_path(waiting))
    assert desk.send(desk_path(waiting), "/go/").status_code == 302
    assert Round.objects.count() == 1
    first, *rest = driving.open_pairings(waiting)
    for pairing in rest:
        driving.decide(pairing, olga)
    markup = desk.get(desk_path(waiting))
    assert "<b>Round 2 waits</b> for table 1." in markup
    assert 'aria-disabled="true"' in markup
    refused = desk.send(desk_path(waiting), "/go/")
    assert (refused.status_code, refusal(refused)) == (422, "Round 2 waits for table 1 of the round before.")
    driving.decide(first, olga)
    assert "<b>Round 2 is ready.</b>" in desk.get(desk_path(waiting))


def test_two_organisers_who_press_the_same_button_make_one_round(waiting, olga, organiser_as, desk_of):
    desks = [desk_of(olga), desk_of(organiser_as(waiting, "director"))]
    forms = [desk.form(desk_path(waiting), "/go/") for desk in desks]
    answers = [desk.post(form) for desk, form in zip(desks, forms, strict=True)]
    assert [answer.status_code for answer in answers] == [302, 409]
    assert "changed since you opened" in refusal(answers[1])
    # The page that came back is the desk as it is now.
    assert "Round 1 of 3" in answers[1].content.decode()
    assert (Round.objects.count(), Act.objects.filter(kind="go").count()) == (1, 1)
    assert desks[0].post(forms[0]).status_code == 302
    assert Act.objects.filter(kind="go").count() == 1


def test_a_dispute_is_named_among_what_is_waited_for(waiting, olga, desk_of):
    desk_of(olga).send(desk_path(waiting), "/go/")
    first, second, *_ = driving.open_pairings(waiting)
    Pairing.objects.filter(pk=second.pk).update(status="disputed")
    driving.decide(first, olga)
    assert "for tables 3, 4 and one dispute." in desk_of(olga).get(desk_path(waiting))


def test_what_begins_by_itself_says_when(make, olga, desk_of):
    event = make(4, standard("swiss", rounds=2))
    assert "Round 2 is drawn automatically</b> when tables 1 and 2 are finished." in desk_of(olga).get(desk_path(event))
    driving.decide(driving.open_pairings(event)[0], olga)
    assert "when table 2 is finished." in desk_of(olga).get(desk_path(event))


def test_a_stage_that_cannot_go_on_says_why(make, olga, desk_of):
    event = make(4, standard("swiss", rounds=2))
    Stage.objects.update(trouble="Tied at the cut: Ann, Ben.")
    assert "Tied at the cut: Ann, Ben." in desk_of(olga).get(desk_path(event))


def test_a_scorer_gives_no_go(waiting, olga, organiser_as, desk_of):
    form = desk_of(olga).form(desk_path(waiting), "/go/")
    desk = desk_of(organiser_as(waiting, "scorer"))
    assert "/go/" not in desk.get(desk_path(waiting))
    token = desk.form(desk_path(waiting).replace("organise/", "organise/check-in/"), "/check-in/1/")["fields"]
    answer = desk.client.post(form["action"], {**form["fields"], "csrfmiddlewaretoken": token["csrfmiddlewaretoken"]})
    assert answer.status_code == 403


# By hand


def test_two_entries_change_places(make, olga, desk_of):
    event = make(8, standard("swiss", rounds=2))
    round_, desk = Round.objects.get(), desk_of(olga)
    was, first, second = names(round_), event.entries.get(number=1), event.entries.get(number=2)
    answer = desk.send(round_path(event), "/swap/", one=first.pk, other=second.pk)
    assert (answer.status_code, answer.url) == (302, round_path(event))
    change = {first.name: second.name, second.name: first.name}
    assert names(round_) == {table: [change.get(name, name) for name in at] for table, at in was.items()}
    assert "Paired by hand" in desk.get(round_path(event))
    assert desk.send(round_path(event), "/redraw/").status_code == 302
    assert names(Round.objects.get()) == was


@pytest.mark.parametrize("typed", [{}, {"one": "1"}, {"one": "x", "other": "y"}, {"one": "9" * 12, "other": "1"}])
def test_nobody_is_swapped_for_nothing(make, olga, desk_of, typed):
    event = make(4, standard("swiss", rounds=2))
    answer = desk_of(olga).send(round_path(event), "/swap/", **typed)
    assert (answer.status_code, refusal(answer)) == (422, "Choose two entries.")


def test_a_choice_that_was_refused_is_still_chosen(make, olga, desk_of):
    event = make(4, standard("swiss", rounds=2))
    entry_id = event.entries.get(number=1).pk
    answer = desk_of(olga).send(round_path(event), "/swap/", one=entry_id, other=entry_id)
    assert answer.status_code == 422
    assert pressed(answer.content.decode(), "/swap/")["fields"]["one"] == [str(entry_id)]


def test_at_bigger_tables_one_is_moved_or_sits_out(make, olga, desk_of):
    event, desk = make(8, standard("swiss_pods", seats=4, rounds=2)), desk_of(olga)
    round_ = Round.objects.get()
    entry = Pairing.objects.get(round=round_, number=1).places.first().entry
    desk.send(round_path(event), "/move/", one=entry.pk, to="2")
    assert [len(at) for at in names(round_).values()] == [3, 5]
    desk.send(round_path(event), "/move/", one=entry.pk, to="half_bye")
    assert SitOut.objects.get().kind == "half_bye"
    assert refusal(desk.send(round_path(event), "/move/", one=entry.pk, to="nowhere")) == "Choose a table."


def test_what_was_drawn_meanwhile_is_not_drawn_over(make, olga, desk_of):
    event, desk = make(8, standard("swiss", rounds=2)), desk_of(olga)
    form = desk.form(round_path(event), "/redraw/")
    desk.send(round_path(event), "/swap/", one=event.entries.get(number=1).pk, other=event.entries.get(number=2).pk)
    answer = desk.post(form)
    assert answer.status_code == 409
    assert Round.objects.get().is_fixed


# Times and places


def test_a_round_and_a_match_get_times_by_the_events_own_clock(make, olga, desk_of):
    event = make(4, standard("swiss", rounds=2), time_zone="Europe/Prague")
    desk, match = desk_of(olga), driving.open_pairings(event)[0]
    desk.send(round_path(event), "/1/times/", deadline_at="2100-07-01T20:00")
    desk.send(
        round_path(event, match=match), "/R1.1/times/", starts_at="2100-07-01T18:00", deadline_at="2100-07-02T18:00"
    )
    match.refresh_from_db()
    assert (match.starts_at.isoformat(), match.deadline_at.isoformat()) == (
        "2100-07-01T16:00:00+00:00",
        "2100-07-02T16:00:00+00:00",
    )
    assert Round.objects.get().deadline_at.isoformat() == "2100-07-01T18:00:00+00:00"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("2000-01-01T10:00", "already passed"),
        ("tomorrow", "Enter the day and the time"),
        ("2100-03-28T02:30", "that time does not exist"),
        ("9999-12-31T23:59", "Enter the day and the time"),
    ],
)
def test_times_that_are_none_come_back(make, olga, desk_of, typed, sentence):
    event = make(4, standard("swiss", rounds=2), time_zone="Europe/Prague")
    answer = desk_of(olga).send(round_path(event), "/1/times/", deadline_at=typed)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert f'value="{typed}"' in answer.content.decode()


def test_a_match_that_cannot_be_played_online_says_who_has_no_account(make, olga, desk_of):
    event = make(2, standard("single_elimination"), entry_kind="person", side_size=1)
    match, desk = driving.open_pairings(event)[0], desk_of(olga)
    for place in match.places.all():
        Member.objects.create(entry=place.entry, tournament=event, name=f"Nameless {place.number}")
    answer = desk.send(round_path(event, match=match), "/where/", "online")
    assert answer.status_code == 422
    assert "Without one: Nameless 0, Nameless 1" in refusal(answer)


def test_players_are_asked_and_who_plays_is_named(make, olga, desk_of):
    event = make(2, standard("single_elimination"), entry_kind="partnership", side_size=2)
    match, desk = driving.open_pairings(event)[0], desk_of(olga)
    place = match.places.first()
    people = [
        Member.objects.create(entry=place.entry, tournament=event, name=name, position=at, role=role)
        for at, (name, role) in enumerate([("Ann", "player"), ("Ben", "player"), ("Cem", "reserve")])
    ]
    assert desk.send(desk_path(event), "/ask/").status_code == 302
    answer = desk.send(round_path(event, match=match), "/people/", people=[people[0].pk, people[2].pk])
    assert answer.status_code == 302
    place.refresh_from_db()
    assert place.players == [people[0].pk, people[2].pk]
    refused = desk.send(round_path(event, match=match), "/people/", people=[people[0].pk])
    assert (refused.status_code, "Choose 2 from" in refusal(refused)) == (422, True)


def test_only_what_has_begun_can_be_called_off(make, olga, desk_of):
    event, desk = make(4, standard("swiss", rounds=1)), desk_of(olga)
    match = driving.open_pairings(event)[0]
    opened = round_path(event, match=match)
    assert "/call-off/" not in desk.get(opened)
    Pairing.objects.filter(pk=match.pk).update(status=Pairing.Status.PLAYING, begun_at=timezone.now())
    desk.send(opened, "/call-off/", reason="It rained")
    match.refresh_from_db()
    assert (match.status, match.begun_at) == (Pairing.Status.READY, None)


def test_a_challenge_is_called_off(make, olga, desk_of):
    event, desk = make(4, standard("ladder")), desk_of(olga)
    first, second = event.entries.get(number=1), event.entries.get(number=2)
    arenas.challenge(Stage.objects.get().pk, second.pk, first.pk, by=olga)
    match = Pairing.objects.get()
    desk.send(round_path(event, match=match), "/call-off/", reason="They asked for it")
    assert not Pairing.objects.exists()
    assert Act.objects.filter(kind="call_off").get().reason == "They asked for it"


def test_an_organiser_makes_challenges_for_those_without_accounts(make, olga, desk_of):
    event, desk = make(6, standard("ladder")), desk_of(olga)
    pks = dict(event.entries.values_list("number", "pk"))
    desk.send(round_path(event), "/challenge/", one=pks[3], other=pks[1])
    assert [place.entry.name for place in Pairing.objects.get().places.all()] == ["Entry 3", "Entry 1"]
    far = desk.send(round_path(event), "/challenge/", one=pks[6], other=pks[2])
    assert (far.status_code, bool(refusal(far))) == (422, True)
    assert pressed(far.content.decode(), "/challenge/")["fields"]["one"] == [str(pks[6])]
    assert refusal(desk.send(round_path(event), "/challenge/")) == "Choose both entries of the challenge."


def test_an_organiser_says_who_is_free_in_an_arena(make, olga, organiser_as, desk_of):
    event = make(4, standard("arena"))
    desk, pks = desk_of(organiser_as(event, "scorer")), dict(event.entries.values_list("number", "pk"))
    organisers = desk_of(olga)
    organisers.send(round_path(event), "/free/", "free", one=pks[1])
    assert "Waiting: <bdi>Entry 1</bdi>." in organisers.get(round_path(event))
    organisers.send(round_path(event), "/free/", "break", one=pks[1])
    organisers.send(round_path(event), "/free/", "free", one=pks[2])
    organisers.send(round_path(event), "/free/", "free", one=pks[3])
    match = Pairing.objects.get()
    assert {place.entry.name for place in match.places.all()} == {"Entry 2", "Entry 3"}
    playing = organisers.send(round_path(event), "/free/", "free", one=pks[2])
    assert (playing.status_code, refusal(playing)) == (422, "Finish the match you are in first.")
    assert "1 of 1" not in desk.get(round_path(event))


# From stage to stage


def test_a_ladder_is_ended(make, olga, desk_of):
    event, desk = make(4, standard("ladder")), desk_of(olga)
    markup = desk.get(desk_path(event))
    assert "It runs until you end it." in markup
    desk.send(reverse("tournaments:organise_stage", args=[event.slug, 1]), "/end/")
    event.refresh_from_db()
    assert event.status == Tournament.Status.OVER


def test_who_goes_on_is_named_by_numbers(make, olga, desk_of):
    event = make(4, standard("swiss", rounds=1), standard("single_elimination", take=2, by_hand=True))
    driving.play_round(event, olga)
    desk, path = desk_of(olga), reverse("tournaments:organise_admit", args=[event.slug, 2])
    assert path in desk.get(desk_path(event))
    form = desk.form(path, "/admit/")
    suggested = [name for name, value in form["fields"].items() if name.startswith("place-") and value != [""]]
    assert len(suggested) == 2
    first, second = [event.entries.get(number=number).pk for number in (4, 3)]
    typed = dict.fromkeys((name for name in form["fields"] if name.startswith("place-")), "")
    twice = desk.post(form, **(typed | {f"place-{first}": "1", f"place-{second}": "1"}))
    assert (twice.status_code, refusal(twice)) == (422, "Two entries have the same number.")
    odd = desk.post(form, **(typed | {f"place-{first}": "1", f"place-{second}": "second"}))
    assert (odd.status_code, refusal(odd)) == (422, "Enter a number from 1 upwards, not “second”.")
    assert desk.post(form, **(typed | {f"place-{first}": "1", f"place-{second}": "2"})).status_code == 302
    assert [entry.entry_id for entry in Stage.objects.get(number=2).entries.all()] == [first, second]


def test_late_matches_come_first_and_say_so(make, olga, desk_of):
    event = make(4, standard("swiss", rounds=2))
    late_match = driving.open_pairings(event)[1]
    Pairing.objects.filter(pk=late_match.pk).update(deadline_at=timezone.now() - timedelta(hours=3))
    markup = desk_of(olga).get(desk_path(event))
    assert "! late 3 h" in markup
    assert markup.index('id="m-1-R1-2"') < markup.index('id="m-1-R1-1"')
