"""Entries that go through, chosen by an organiser: kept through corrections, undone before the stage starts."""

from fractions import Fraction

import pytest
from django.urls import reverse

from tests.tournaments import driving
from tournaments.models import Act, Entry, Pairing, Stage, StageEntry
from tournaments.plan import Plan, standard
from tournaments.services import history
from tournaments.services.entries import withdrawal
from tournaments.services.matches import results
from tournaments.services.stages import stage_decisions, stage_plans
from web.errors import Refused


def ids(event, *numbers):
    return [event.entries.get(number=number).pk for number in numbers]


def in_stage(number=2):
    return [row.entry.number for row in StageEntry.objects.filter(stage__number=number).select_related("entry")]


def final():
    return Stage.objects.get(number=2)


@pytest.fixture
def played(make, olga):
    """An event whose first stage is over, and whose second waits for names; choices of its plan by name."""

    def play(format="single_elimination", entries=4, **choices):
        event = make(entries, standard("swiss", rounds=1), standard(format, **{"by_hand": True, **choices}))
        driving.play_round(event, olga)
        return event

    return play


@pytest.mark.parametrize("format", ["single_elimination", "groups", "swiss", "round_robin"])
def test_naming_is_undone_and_done_again(played, olga, format):
    event = played(format, 8, **({"groups": 2} if format == "groups" else {}))
    before = driving.outline(event)
    act = stage_decisions.choose_entries(final().pk, ids(event, 6, 3, 4, 1), by=olga)
    after = driving.outline(event)
    assert (in_stage(), final().status, final().trouble) == ([6, 3, 4, 1], "running", "")
    undone = history.undo(act.pk, by=olga)
    assert (in_stage(), final().status) == ([], "waiting")
    assert "is waiting for an organiser" in final().trouble
    assert driving.outline(event) == before
    history.undo(undone.pk, by=olga)
    assert driving.outline(event) == after


def test_naming_is_not_undone_once_a_match_has_its_result(played, olga):
    event = played()
    act = stage_decisions.choose_entries(final().pk, ids(event, 4, 3), by=olga)
    driving.play_round(event, olga)
    with pytest.raises(Refused, match="Remove its results first"):
        history.undo(act.pk, by=olga)
    assert in_stage() == [4, 3]


def test_names_outlive_a_correction_and_can_still_be_undone(played, olga):
    event = played()
    act = stage_decisions.choose_entries(final().pk, ids(event, 4, 3), by=olga)
    first = Pairing.objects.filter(round__stage__number=1).first()
    back = results.remove_result(first.pk, by=olga, reason="Read wrong.")
    assert (in_stage(), final().status) == ([4, 3], "waiting")
    history.undo(back.pk, by=olga)
    assert (in_stage(), final().status) == ([4, 3], "running")
    history.undo(act.pk, by=olga)
    assert (in_stage(), final().status) == ([], "waiting")


def test_after_a_tie_at_the_cut_who_was_named_plays(make, olga):
    event = make(4, standard("swiss", rounds=1, cut_tie="playoff"), standard("single_elimination", take=3))
    driving.play_round(event, olga)
    assert "Tied at the cut" in final().trouble
    act = stage_decisions.choose_entries(final().pk, ids(event, 1, 2, 4), by=olga)
    assert (in_stage(), final().status, final().trouble) == ([1, 2, 4], "running", "")
    history.undo(act.pk, by=olga)
    assert not Plan.read(final().plan_json).by_hand
    assert "Tied at the cut" in final().trouble


def test_others_may_be_named_than_the_standings_say(make, olga):
    event = make(4, standard("swiss", rounds=1), standard("single_elimination", take=2))
    stage_decisions.choose_entries(final().pk, ids(event, 4, 3), by=olga)
    driving.play_round(event, olga)
    assert (in_stage(), final().status) == ([4, 3], "running")


def test_who_left_after_being_named_is_replaced_by_an_organiser(make, olga):
    event = make(4, standard("swiss", rounds=1), standard("single_elimination", by_hand=True))
    stage_decisions.choose_entries(final().pk, ids(event, 4, 3), by=olga)
    gone = withdrawal.withdraw(ids(event, 3)[0], olga)
    driving.play_round(event, olga)
    assert (final().status, final().trouble) == (
        "waiting",
        f"Entry 3 left after being chosen for {final()}. Choose the entries again.",
    )
    with pytest.raises(Refused, match="Entry 3 does not take part"):
        stage_decisions.choose_entries(final().pk, ids(event, 4, 3), by=olga)
    history.undo(gone.pk, by=olga)
    assert (in_stage(), final().status, final().trouble) == ([4, 3], "running", "")


def test_points_are_carried_with_who_was_named(played, olga):
    event = played("round_robin", carries=True)
    points = {place.entry.number: place.points for pairing in Pairing.objects.all() for place in pairing.places.all()}
    act = stage_decisions.choose_entries(final().pk, ids(event, 4, 1), by=olga)
    finalists = final().entries.all()
    assert [Fraction(finalist.start_points) for finalist in finalists] == [points[4], points[1]] == [0, 2]
    history.undo(act.pk, by=olga)
    assert in_stage() == []


def test_a_stage_that_is_no_longer_filled_by_hand_forgets_the_names(make, olga):
    event = make(4, standard("swiss", rounds=1), standard("single_elimination", take=2, by_hand=True))
    stage_decisions.choose_entries(final().pk, ids(event, 4, 3), by=olga)
    by_itself = Plan.read(final().plan_json).but(by_hand=False)
    act = stage_plans.change_stage_plan(final().pk, olga, plan=by_itself)
    assert in_stage() == []
    history.undo(act.pk, by=olga)
    assert in_stage() == [4, 3]
    stage_plans.change_stage_plan(final().pk, olga, plan=by_itself)
    driving.play_round(event, olga)
    assert in_stage() == [1, 2]


def test_nobody_is_named_for_the_first_stage(new_event, olga):
    cup = new_event("swiss", 4)
    acts = Act.objects.count()
    with pytest.raises(Refused, match="no stage before it"):
        stage_decisions.choose_entries(cup.stages.get().pk, ids(cup, 1, 2), by=olga)
    assert (Act.objects.count(), Entry.objects.filter(in_stages__isnull=False).count()) == (acts, 0)


def test_the_page_proposes_who_is_still_in_and_shows_who_was_named(make, olga, desk_of):
    event = make(4, standard("swiss", rounds=1), standard("single_elimination", take=2))
    withdrawal.withdraw(ids(event, 1)[0], olga)
    driving.play_round(event, olga)
    path = reverse("tournaments:organise_admit", args=[event.slug, 2])

    def numbers():
        fields = desk_of(olga).form(path, "/admit/")["fields"]
        places = {name.removeprefix("place-"): value[0] for name, value in fields.items() if name.startswith("place-")}
        return {int(pk): value for pk, value in places.items() if value}

    two, three, four = ids(event, 2, 3, 4)
    Stage.objects.filter(number=2).update(status="waiting")
    final().entries.all().delete()
    assert numbers() == {two: "1", three: "2"}
    for at, pk in enumerate((four, two), 1):
        StageEntry.objects.create(stage=final(), entry_id=pk, position=at)
    assert numbers() == {four: "1", two: "2"}
