"""Results at the event desk: entered in place, decided, corrected with a preview, removed; and two organisers at
once.
"""

import pytest
from django.urls import reverse

from tests.tournaments import driving
from tests.tournaments.organising import pressed, refusal
from tournaments.models import Act, Organiser, Pairing, Result, Tournament
from tournaments.plan import standard
from tournaments.services.matches import results
from web.errors import Refused


@pytest.fixture
def swiss(make):
    return make(4, standard("swiss", rounds=3))


def desk_path(event, pairing=None):
    path = reverse("tournaments:organise", args=[event.slug])
    return f"{path}?open={pairing.pk}" if pairing else path


def score(pairing):
    return [place.score for place in Pairing.objects.get(pk=pairing.pk).places.all()]


def report(pairing, *sheets):
    """Scores of a match, the first side first."""
    for place, points in zip(pairing.places.all(), sheets, strict=False):
        lines = driving.lines_of(pairing, lambda names, points=points: points)
        results.report(pairing.pk, lines, by=None, by_entry=place.entry_id, origin="card")


# Entering


def test_a_result_is_entered_in_place(swiss, olga, desk_of):
    first, desk = driving.open_pairings(swiss)[0], desk_of(olga)
    answer = desk.send(desk_path(swiss, first), "/result/", score_0="4,210", score_1="−350")
    assert (answer.status_code, answer.url) == (302, f"{desk_path(swiss)}#m-1-R1-1")
    assert score(first) == [4210, -350]
    act = Act.objects.filter(kind="result").get()
    assert (act.by, act.sentence.endswith("4,210 to −350.")) == (olga, True)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"score_0": "100"}, "Enter the score of"),
        ({"score_0": "100", "score_1": "a lot"}, "Enter a whole number of points"),
        ({"score_0": "100", "score_1": "9999999999"}, "Enter a whole number of points"),
        ({}, "Enter the score of"),
    ],
)
def test_what_is_no_result_comes_back_as_it_was_typed(swiss, olga, desk_of, typed, sentence):
    first, desk = driving.open_pairings(swiss)[0], desk_of(olga)
    answer = desk.send(desk_path(swiss, first), "/result/", reason="By hand", **typed)
    assert answer.status_code == 422
    markup = answer.content.decode()
    assert sentence in markup
    fields = pressed(markup, "/result/")["fields"]
    assert {name: fields[name] for name in (*typed, "reason")} == {name: [text] for name, text in typed.items()} | {
        "reason": ["By hand"]
    }
    assert not Result.objects.exists()


def test_a_walkover_for_one_and_for_both(swiss, olga, desk_of):
    (first, second), desk = driving.open_pairings(swiss), desk_of(olga)
    desk.send(desk_path(swiss, first), "/result/", absent_1="on")
    desk.send(desk_path(swiss, second), "/result/", absent_0="on", absent_1="on")
    assert [Result.objects.get(pairing=match).kind for match in (first, second)] == ["forfeit", "double_forfeit"]
    assert [place.rank for place in Pairing.objects.get(pk=first.pk).places.all()] == [1, 2]
    assert [place.rank for place in Pairing.objects.get(pk=second.pk).places.all()] == [2, 2]


def test_in_a_knockout_somebody_goes_on(make, olga, desk_of):
    event, desk = make(4, standard("single_elimination")), desk_of(olga)
    first = driving.open_pairings(event)[0]
    answer = desk.send(desk_path(event, first), "/result/", score_0="500", score_1="500")
    assert answer.status_code == 422
    assert "The scores are tied. Choose the entry that goes through." in answer.content.decode()
    winner = first.places.all()[1].entry_id
    desk.send(desk_path(event, first), "/result/", score_0="500", score_1="500", winner=winner)
    assert Result.objects.get().winner_id == winner


def test_the_same_form_sent_twice_is_one_result(swiss, olga, desk_of):
    first, desk = driving.open_pairings(swiss)[0], desk_of(olga)
    form = desk.form(desk_path(swiss, first), "/result/")
    for _ in range(2):
        assert desk.post(form, score_0="100", score_1="50").status_code == 302
    assert Result.objects.count() == 1


def test_two_organisers_who_enter_different_results_at_once(swiss, olga, organiser_as, desk_of):
    first = driving.open_pairings(swiss)[0]
    desk, other = desk_of(olga), desk_of(organiser_as(swiss, "director"))
    forms = [browser.form(desk_path(swiss, first), "/result/") for browser in (desk, other)]
    assert desk.post(forms[0], score_0="100", score_1="50").status_code == 302
    answer = other.post(forms[1], score_0="90", score_1="50", reason="I was there")
    assert answer.status_code == 409
    markup = answer.content.decode()
    assert "Someone else has just entered a result for round 1, table 1" in markup or "changed since" in markup
    assert score(first) == [100, 50]
    # No input is lost: it is in the form that would correct the result.
    assert 'value="I was there"' in markup
    fresh = pressed(markup, "/result/")
    assert fresh["fields"]["score_0"] == ["90"]
    assert other.post(fresh).status_code == 302
    assert score(first) == [90, 50]


# Deciding


def test_one_of_two_sheets_is_taken(swiss, olga, desk_of):
    first, desk = driving.open_pairings(swiss)[0], desk_of(olga)
    report(first, [4210, 3640], [4210, 3940])
    markup = desk.get(desk_path(swiss))
    assert markup.count('class="num diff"') == 2
    assert "≠ disputed" in markup
    second = Result.objects.order_by("pk")[1]
    assert desk.send(desk_path(swiss), "/confirm/", f"take-{second.pk}").status_code == 302
    assert score(first) == [4210, 3940]


def test_an_own_result_decides_a_dispute(swiss, olga, desk_of):
    first, desk = driving.open_pairings(swiss)[0], desk_of(olga)
    report(first, [4210, 3640], [4210, 3940])
    desk.send(desk_path(swiss, first), "/result/", score_0="4000", score_1="3000")
    assert score(first) == [4000, 3000]


def test_a_reported_result_is_confirmed(swiss, olga, organiser_as, desk_of):
    first, desk = driving.open_pairings(swiss)[0], desk_of(organiser_as(swiss, "scorer"))
    report(first, [4210, 3640])
    markup = desk.get(desk_path(swiss))
    assert "No answer from" in markup
    assert "Becomes final" in markup
    form = desk.form(desk_path(swiss), "/confirm/")
    assert [desk.post(form).status_code for _ in range(2)] == [302, 302]
    assert score(first) == [4210, 3640]
    assert Act.objects.filter(kind="confirm").count() == 1


def test_what_was_replaced_meanwhile_is_not_confirmed(swiss, olga, desk_of):
    first, desk = driving.open_pairings(swiss)[0], desk_of(olga)
    report(first, [4210, 3640])
    form = desk.form(desk_path(swiss), "/confirm/")
    driving.decide(first, olga)
    answer = desk.post(form)
    assert answer.status_code == 422
    assert "has just been replaced" in answer.content.decode()


def test_the_result_of_another_match_is_none_of_this_one(swiss, olga, desk_of):
    first, second = driving.open_pairings(swiss)
    report(first, [4210, 3640])
    report(second, [100, 50])
    desk = desk_of(olga)
    form = desk.form(desk_path(swiss), "R1.1/confirm/")
    foreign = Result.objects.get(pairing=second).pk
    answer = desk.post(form, result=foreign)
    assert answer.status_code == 422
    assert "does not belong to this match" in answer.content.decode()


# Changing


@pytest.fixture
def second_round(swiss, olga):
    """An event of whose second round one table has begun; the first match of the first round."""
    driving.play_round(swiss, olga)
    driving.decide(driving.open_pairings(swiss)[0], olga)
    return Pairing.objects.get(name="R1.1")


def round_path(event, pairing):
    return f"{reverse('tournaments:organise_round', args=[event.slug, 1, 1])}?open={pairing.pk}"


def test_a_change_is_seen_before_it_is_done_and_needs_a_reason(swiss, olga, desk_of, second_round):
    first, desk = second_round, desk_of(olga)
    was = score(first)
    form = desk.form(round_path(swiss, first), "/preview/", "result")
    answer = desk.post(form, score_0=was[1], score_1=was[0])
    assert answer.status_code == 200
    markup = answer.content.decode()
    for words in (
        "Correct the result of round 1, table 1",
        "Was",
        "Becomes",
        "Standings of Swiss",
        "already announced and stay",
    ):
        assert words in markup
    assert score(first) == was
    panel = pressed(markup, "/result/")
    assert panel["fields"]["pair_again"] == ["no"]
    refused = desk.post(panel)
    assert refused.status_code == 422
    assert "Enter a reason for the change" in refusal(refused)
    accepted = desk.post(pressed(refused.content.decode(), "/result/"), reason="Read the wrong way round")
    assert accepted.status_code == 302
    assert score(first) == [was[1], was[0]]
    assert Act.objects.filter(kind="result").first().reason == "Read the wrong way round"


def test_what_has_begun_can_be_stopped_and_paired_again(swiss, olga, desk_of, second_round):
    first, desk = second_round, desk_of(olga)
    was = score(first)
    markup = desk.send(round_path(swiss, first), "/preview/", "result", score_0=was[1], score_1=was[0]).content.decode()
    assert "If they are redrawn" in markup
    begun = Pairing.objects.filter(round__number=2, result__isnull=False).count()
    desk.post(pressed(markup, "/result/"), reason="Wrong way round", pair_again="yes")
    assert (begun, Pairing.objects.filter(round__number=2, result__isnull=False).count()) == (1, 0)


def test_a_preview_that_is_out_of_date_is_shown_anew_with_the_reason_kept(swiss, olga, desk_of, second_round):
    first, desk = second_round, desk_of(olga)
    was = score(first)
    markup = desk.send(round_path(swiss, first), "/preview/", "result", score_0=was[1], score_1=was[0]).content.decode()
    driving.decide(driving.open_pairings(swiss)[0], olga)
    answer = desk.post(pressed(markup, "/result/"), reason="Wrong way round")
    assert answer.status_code == 409
    assert "changed since you opened" in refusal(answer)
    fresh = pressed(answer.content.decode(), "/result/")
    assert fresh["fields"]["reason"] == ["Wrong way round"]
    assert desk.post(fresh).status_code == 302
    assert score(first) == [was[1], was[0]]


def test_a_result_is_taken_back_with_a_preview(swiss, olga, desk_of, second_round):
    first, desk = second_round, desk_of(olga)
    answer = desk.send(round_path(swiss, first), "/preview/", "take_back")
    markup = answer.content.decode()
    assert "Remove the result of round 1, table 1" in markup
    assert "not played yet" in markup
    refused = desk.post(pressed(markup, "/take-back/"))
    assert (refused.status_code, "Enter a reason" in refusal(refused)) == (422, True)
    desk.post(pressed(markup, "/take-back/"), reason="The wrong table")
    assert Pairing.objects.get(pk=first.pk).status == "ready"


def test_a_result_can_still_be_changed_when_the_event_is_over(make, olga, desk_of):
    event, desk = make(2, standard("single_elimination")), desk_of(olga)
    final = driving.open_pairings(event)[0]
    driving.decide(final, olga)
    event.refresh_from_db()
    assert event.status == Tournament.Status.OVER
    was = score(final)
    markup = desk.send(round_path(event, final), "/preview/", "result", score_0=was[1], score_1=was[0]).content.decode()
    assert desk.post(pressed(markup, "/result/"), reason="Wrong way round").status_code == 302
    assert score(final) == [was[1], was[0]]


# Who may


def test_a_scorer_enters_results_and_changes_none(swiss, olga, organiser_as, desk_of):
    first, second = driving.open_pairings(swiss)
    desk = desk_of(organiser_as(swiss, "scorer"))
    assert desk.send(desk_path(swiss, first), "/result/", score_0="100", score_1="50").status_code == 302
    form = desk.form(desk_path(swiss, second), "/result/")
    assert desk.post(form, absent_0="on").status_code == 403
    driving.decide(second, olga)
    assert desk.post(form, score_0="1", score_1="2", reason="x").status_code == 403
    for act in ("preview", "take-back"):
        path = reverse(
            f"tournaments:organise_{'result_preview' if act == 'preview' else 'take_back'}",
            args=[swiss.slug, 1, "R1.2"],
        )
        assert desk.post({"action": path, "fields": form["fields"], "page": ""}).status_code == 403


def test_nobody_else_enters_anything(swiss, olga, person, desk_of):
    first = driving.open_pairings(swiss)[0]
    form = desk_of(olga).form(desk_path(swiss, first), "/result/")
    for user in (person("Eve"), None):
        client = desk_of(user).client
        client.handler.enforce_csrf_checks = False
        assert client.post(form["action"], {"score_0": 1, "score_1": 2}).status_code == 403
    without_token = desk_of(olga)
    assert without_token.client.post(form["action"], {"score_0": 1, "score_1": 2}).status_code == 403
    assert not Result.objects.exists()


@pytest.mark.parametrize("name", ["result", "result_preview", "take_back", "confirm"])
def test_looking_does_nothing(swiss, olga, desk_of, name):
    desk_of(olga).get(reverse(f"tournaments:organise_{name}", args=[swiss.slug, 1, "R1.1"]), 405)


def test_an_organiser_who_plays_does_not_confirm_what_her_side_entered(new_event, organiser_as, user_of):
    event = new_event("swiss", 4, started=True)
    pairing = driving.open_pairings(event)[0]
    player = user_of(pairing.places.first().entry)
    Organiser.objects.create(tournament=event, user=player, role="director")
    results.report(pairing.pk, driving.lines_of(pairing), by=player)
    reported = pairing.results.get()
    with pytest.raises(Refused, match="Your side entered this result"):
        results.confirm(reported.pk, by=player)
    results.confirm(reported.pk, by=organiser_as(event, "scorer"))
    pairing.refresh_from_db()
    assert pairing.result_id == reported.pk
