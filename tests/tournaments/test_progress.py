"""Progress of events: every format from start to champion, even if tasks run twice."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournaments import driving
from tournaments import stage_standings
from tournaments.models import Act, Pairing, Round, Stage, Tournament
from tournaments.plan import Plan, standard
from tournaments.services import history
from tournaments.services.entries import enrolment
from tournaments.services.matches import results
from tournaments.services.previews import preview_of_result
from tournaments.services.stages import progress, redraws, stage_decisions, stage_plans
from tournaments.stage_state import load
from web.errors import Refused

STATUS = Tournament.Status


def champion(event):
    last = Stage.objects.filter(tournament=event).last()
    state = load(last)
    return [state.entries[line.entry].entry.name for line in stage_standings.ranking(state) if line.rank == 1]


@pytest.mark.parametrize(
    ("count", "plans"),
    [
        (8, [standard("single_elimination")]),
        (6, [standard("single_elimination", third_place=True)]),
        (8, [standard("double_elimination")]),
        (5, [standard("double_elimination")]),
        (8, [standard("swiss", rounds=3)]),
        (7, [standard("swiss", rounds=4)]),
        (6, [standard("round_robin")]),
        (12, [standard("swiss_pods", rounds=2)]),
        (8, [standard("groups", groups=2), standard("single_elimination", take=4, take_each=2)]),
        (18, [standard("pod_knockout", seats=6, advance=2)]),
        (8, [standard("swiss", rounds=2), standard("single_elimination", take=4)]),
    ],
)
def test_the_better_seed_becomes_champion(make, olga, count, plans):
    event = make(count, *plans)
    driving.play_out(event, olga)
    event.refresh_from_db()
    assert event.status == STATUS.OVER
    assert champion(event) == ["Entry 1"]
    assert not progress.advance(event.pk)


def test_nothing_moves_before_the_last_result_of_a_round(make, olga):
    event = make(8, standard("swiss", rounds=3))
    for pairing in driving.open_pairings(event)[:-1]:
        driving.decide(pairing, olga)
    assert Round.objects.count() == 1
    driving.decide(driving.open_pairings(event)[0], olga)
    assert [round_.status for round_ in Round.objects.all()] == ["closed", "open"]


def test_a_corrected_result_pairs_the_next_round_anew(make, olga):
    event, straight = make(8, standard("swiss", rounds=3)), make(8, standard("swiss", rounds=3))
    driving.play_round(event, olga)
    first = of_entry(event, "Entry 2")
    lines = driving.lines_of(first, lambda names: list(reversed(driving.better_seed(names))))
    results.decide(first.pk, lines, by=olga, reason="Read the wrong way round.", pair_again=True)
    driving.play_out(event, olga)

    same = of_entry(straight, "Entry 2")
    for pairing in driving.open_pairings(straight):
        wrong = pairing == same
        driving.decide(
            pairing, olga, (lambda names: list(reversed(driving.better_seed(names)))) if wrong else driving.better_seed
        )
    driving.play_out(straight, olga)
    assert without_ids(driving.outline(event)) == without_ids(driving.outline(straight))


def test_an_announced_round_stays_when_an_earlier_result_is_corrected(make, olga):
    event = make(8, standard("swiss", rounds=3))
    driving.play_round(event, olga)
    drawn = _tables(Round.objects.get(number=2))
    first = of_entry(event, "Entry 2")
    lines = driving.lines_of(first, lambda names: list(reversed(driving.better_seed(names))))
    preview = redraws.preview(event.pk, results.DECIDE, olga, results.decision(first.pk, lines, reason="Wrong."))
    assert ([line.sign for line in preview.lines], preview.has_choice) == (["moves", "kept", "falls"], True)
    correction = results.decide(first.pk, lines, by=olga, reason="Wrong.")
    assert _tables(Round.objects.get(number=2)) == drawn
    history.undo(correction.pk, by=olga)
    assert _tables(Round.objects.get(number=2)) == drawn
    assert Round.objects.get(number=2).kept_at is None


def test_a_round_kept_as_announced_can_still_be_redrawn_by_hand(make, olga):
    event = make(8, standard("swiss", rounds=3))
    driving.play_round(event, olga)
    drawn = _tables(Round.objects.get(number=2))
    first = of_entry(event, "Entry 2")
    lines = driving.lines_of(first, lambda names: list(reversed(driving.better_seed(names))))
    results.decide(first.pk, lines, by=olga, reason="Wrong.")
    Pairing.objects.filter(round__number=2).update(opened_at=timezone.now() - timedelta(minutes=6))
    redraws.redraw(Stage.objects.get().pk, 2, by=olga)
    assert sorted(entries for _, entries in _tables(Round.objects.get(number=2))) != sorted(e for _, e in drawn)


def test_in_a_knockout_the_new_winner_plays_although_the_next_round_was_announced(make, olga):
    event = make(4, standard("single_elimination"))
    driving.play_round(event, olga)
    first = Pairing.objects.get(name="WB1.1")
    winner, loser = _names("WB1.1")
    lines = driving.lines_of(first, lambda names: list(reversed(driving.better_seed(names))))
    results.decide(first.pk, lines, by=olga, reason="Wrong.")
    assert loser in _names("WB2.1")
    assert winner not in _names("WB2.1")


def without_ids(outline):
    """Without ids of rows, which differ from event to event."""
    return [part[:4] if isinstance(part, tuple) and len(part) == 5 else part for part in outline]


def test_undoing_a_result_opens_the_match_and_takes_the_next_round_back(make, olga):
    event = make(4, standard("swiss", rounds=2))
    before = driving.outline(event)
    driving.play_round(event, olga)
    for act in Act.objects.filter(tournament=event, kind="result"):
        history.undo(act.pk, by=olga)
    assert driving.outline(event) == before


def test_what_has_begun_is_kept_and_the_preview_says_so(make, olga):
    event = make(8, standard("swiss", rounds=3))
    driving.play_round(event, olga)
    second = Round.objects.get(number=2)
    begun = driving.open_pairings(event)[0]
    driving.decide(begun, olga)
    drawn = _tables(second)

    first = of_entry(event, "Entry 2")
    lines = driving.lines_of(first, lambda names: list(reversed(driving.better_seed(names))))
    preview = preview_of_result(first, lines, by=olga, reason="Wrong.")
    assert preview.has_choice
    assert [line.sign for line in preview.lines] == ["moves", "kept", "falls"]
    assert "Round 2, table 1" in preview.lines[1].sentence
    assert _tables(second) == drawn  # a preview changes nothing
    assert Act.objects.filter(kind="preview").count() == 0

    results.decide(first.pk, lines, by=olga, reason="Wrong.")
    assert _tables(second) == drawn


def test_what_has_begun_can_be_paired_again_and_that_undone(make, olga):
    event, straight = make(8, standard("swiss", rounds=3)), make(8, standard("swiss", rounds=3))
    driving.play_round(event, olga)
    for pairing in driving.open_pairings(event):
        driving.decide(pairing, olga)
    before = without_ids(driving.outline(event))
    first = of_entry(event, "Entry 2")
    turned = lambda names: list(reversed(driving.better_seed(names)))  # noqa: E731
    act = results.decide(first.pk, driving.lines_of(first, turned), by=olga, reason="Wrong.", pair_again=True)
    for pairing in driving.open_pairings(straight):
        driving.decide(pairing, olga, turned if pairing == of_entry(straight, "Entry 2") else driving.better_seed)
    fresh = {frozenset(entry) for entry in _entries(straight, 2)}
    assert {frozenset(entry) for entry in _entries(event, 2)} == fresh

    history.undo(act.pk, by=olga)
    assert without_ids(driving.outline(event)) == before


def test_a_bracket_pairs_again_what_descends_from_the_result(make, olga):
    event = make(8, standard("double_elimination"))
    for _ in range(3):
        driving.play_round(event, olga)
    first = Pairing.objects.get(name="WB1.1")
    turned = lambda names: list(reversed(driving.better_seed(names)))  # noqa: E731
    results.decide(first.pk, driving.lines_of(first, turned), by=olga, reason="Wrong.", pair_again=True)
    assert _names("WB2.1")[0] == "Entry 8"
    assert "Entry 1" in _names("LB1.1")
    driving.play_out(event, olga)
    assert champion(event) == ["Entry 1"]


def test_who_withdraws_loses_what_is_left(make, olga):
    event = make(4, standard("single_elimination"))
    leaver = Stage.objects.get().entries.get(position=1)
    assert drop(event, leaver, 0, olga)
    assert _names("WB2.1")[0] == "Entry 4"
    driving.play_out(event, olga)
    assert champion(event) == ["Entry 2"]


def test_who_is_out_of_a_bracket_has_the_place_of_that_round(make, olga):
    event = make(8, standard("single_elimination"))
    driving.play_round(event, olga)
    assert {standing.rank for standing in stage_standings.ranking(load(Stage.objects.get()))} == {5}


def test_a_double_walkover_makes_a_bye_of_the_next_match(make, olga):
    event = make(8, standard("single_elimination"))
    pairing = Pairing.objects.get(name="WB1.1")
    results.walkover(pairing.pk, [place.entry_id for place in pairing.places.all()], by=olga, reason="Nobody came.")
    driving.play_out(event, olga)
    assert champion(event) == ["Entry 2"]
    event.refresh_from_db()
    assert event.status == STATUS.OVER


def test_rounds_wait_for_the_go_and_twice_makes_one(make, olga):
    event = make(8, standard("swiss", rounds=2, waits_for_go=True))
    stage = Stage.objects.get()
    assert not stage.rounds.exists()
    stage_decisions.start_round(stage.pk, 1, by=olga, request_key="a")
    stage_decisions.start_round(stage.pk, 1, by=olga, request_key="a")
    with pytest.raises(Refused, match="has already been started"):
        stage_decisions.start_round(stage.pk, 1, by=olga, request_key="b")
    with pytest.raises(Refused, match="waits for table 1, 2, 3, 4"):
        stage_decisions.start_round(stage.pk, 2, by=olga)
    driving.play_round(event, olga)
    assert stage.rounds.count() == 1
    stage_decisions.start_round(stage.pk, 2, by=olga)
    assert stage.rounds.count() == 2


def test_a_stage_is_filled_from_the_one_before_and_follows_its_corrections(make, olga):
    event = make(6, standard("swiss", rounds=1, cut_tie="total"), standard("single_elimination", take=2))
    driving.play_round(event, olga)
    final = Stage.objects.get(number=2)
    assert [entry.entry.name for entry in final.entries.all()] == ["Entry 1", "Entry 2"]
    first = of_entry(event, "Entry 2")
    turned = lambda names: list(reversed(driving.better_seed(names)))  # noqa: E731
    results.decide(first.pk, driving.lines_of(first, turned), by=olga, reason="Wrong.")
    assert [entry.entry.name for entry in final.entries.all()] == ["Entry 1", "Entry 5"]


def of_entry(event, name):
    """The match of an entry in the first round."""
    rows = Pairing.objects.filter(round__stage__tournament=event, round__stage__number=1, round__number=1)
    return rows.get(places__entry__name=name)


def drop(event, entry, after, by):
    """Withdraw an entry after a round."""

    def do(record):
        return "It left." if record.change(entry, last_round=after) else ""

    return history.perform(event.pk, do, enrolment.ENTER_FOR, by=by)


def _tables(round_):
    return [(pairing.name, [place.entry_id for place in pairing.places.all()]) for pairing in round_.pairings.all()]


def _entries(event, number):
    rows = Pairing.objects.filter(round__stage__tournament=event, round__number=number)
    return [[place.entry.name for place in match.places.select_related("entry")] for match in rows]


def _names(name):
    return [place.entry and place.entry.name for place in Pairing.objects.get(name=name).places.select_related("entry")]


def test_people_who_sit_at_a_venue_are_not_sent_away_by_a_correction(make, olga):
    event = make(8, standard("swiss", rounds=3))
    driving.play_round(event, olga)
    drawn = _tables(Round.objects.get(number=2))
    Pairing.objects.filter(round__number=2).update(opened_at=timezone.now() - timedelta(minutes=6))
    first = of_entry(event, "Entry 2")
    lines = driving.lines_of(first, lambda names: list(reversed(driving.better_seed(names))))
    preview = redraws.preview(event.pk, results.DECIDE, olga, results.decision(first.pk, lines, reason="Wrong."))
    assert [line.sign for line in preview.lines] == ["moves", "kept", "falls"]
    results.decide(first.pk, lines, by=olga, reason="Wrong.")
    assert _tables(Round.objects.get(number=2)) == drawn


@pytest.mark.parametrize("format", ["swiss", "round_robin"])
def test_a_go_is_undone_until_something_of_its_round_has_begun(make, olga, format):
    event = make(6, standard(format, rounds=3 if format == "swiss" else 0, waits_for_go=True))
    stage = Stage.objects.get()
    before = driving.outline(event)
    act = stage_decisions.start_round(stage.pk, 1, by=olga)
    assert driving.open_pairings(event)
    # People may sit at the tables: an organiser who undoes the start knows.
    Pairing.objects.filter(status="ready", opened_at__isnull=False).update(
        opened_at=timezone.now() - timedelta(minutes=6)
    )
    undone = history.undo(act.pk, by=olga)
    assert driving.outline(event) == before
    history.undo(undone.pk, by=olga)
    driving.decide(driving.open_pairings(event)[0], olga)
    with pytest.raises(Refused, match="has since started"):
        history.undo(Act.objects.get(undoes=undone).pk, by=olga)


@pytest.mark.parametrize("format", ["swiss", "round_robin"])
def test_rounds_may_wait_for_the_go_from_the_next_one_on(make, olga, format):
    event = make(4, standard(format, rounds=3 if format == "swiss" else 0))
    driving.play_round(event, olga)
    stage = Stage.objects.get()
    act = stage_plans.change_stage_plan(stage.pk, olga, plan=Plan.read(stage.plan_json).but(waits_for_go=True))
    driving.play_round(event, olga)
    assert not driving.open_pairings(event)
    go = stage_decisions.start_round(stage.pk, 3, by=olga)
    assert len(driving.open_pairings(event)) == 2
    history.undo(go.pk, by=olga)
    assert not driving.open_pairings(event)
    history.undo(act.pk, by=olga)
    assert len(driving.open_pairings(event)) == 2
