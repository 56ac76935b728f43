"""Random events with random corrections end as if the corrected results had been entered in the first place."""

import random

import pytest

from tests.tournaments import driving
from tests.tournaments.test_progress import without_ids
from tournaments.models import Act, Pairing, Stage
from tournaments.plan import standard
from tournaments.services import history
from tournaments.stage_state import load

FORMATS = {
    "single": (7, [standard("single_elimination", third_place=True)]),
    "double": (6, [standard("double_elimination")]),
    "swiss": (7, [standard("swiss", rounds=3)]),
    "pods": (9, [standard("swiss_pods", seats=3, rounds=2)]),
    "levels": (12, [standard("pod_knockout", seats=4, advance=2)]),
    "robin": (5, [standard("round_robin")]),
    "groups": (8, [standard("groups", groups=2), standard("single_elimination", take=4, take_each=2)]),
    "cut": (8, [standard("swiss", rounds=2), standard("double_elimination", take=4)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", FORMATS)
def test_corrections_in_time_leave_no_trace(make, olga, name, seed):
    """A wrong result is corrected, or undone and entered again, before anything that depends on it has begun."""
    count, plans = FORMATS[name]
    event, straight = make(count, *plans), make(count, *plans)
    chance = random.Random(f"{name} {seed}")

    def true(names):
        return driving.by_lot(names, seed)

    def wrong(names):
        return driving.by_lot(names, f"wrong {seed}")

    while pairings := driving.open_pairings(event):
        pairing = chance.choice(pairings)
        if chance.random() < 0.5:
            driving.decide(pairing, olga, true)
        elif chance.random() < 0.5:
            driving.decide(pairing, olga, wrong)
            driving.decide(pairing, olga, true, reason="Read wrong.", pair_again=True)
        else:
            act = driving.decide(pairing, olga, wrong)
            history.undo(act.pk, by=olga)
            driving.decide(Pairing.objects.get(pk=pairing.pk), olga, true)
    driving.play_out(straight, olga, true)
    assert without_ids(driving.outline(event)) == without_ids(driving.outline(straight))


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_late_corrections_that_pair_again_leave_no_trace_either(make, olga, name):
    """If the consequences of a result are redrawn, the event ends as if it had been right from the start."""
    count, plans = FORMATS[name]
    event, straight = make(count, *plans), make(count, *plans)
    chance = random.Random(name)
    wrong_ones = set()

    def true(names):
        return driving.by_lot(names, name)

    for _ in range(6):
        pairings = driving.open_pairings(event)
        if not pairings:
            break
        for pairing in pairings:
            is_wrong = chance.random() < 0.3
            driving.decide(pairing, olga, (lambda names: driving.by_lot(names, "wrong")) if is_wrong else true)
            if is_wrong:
                wrong_ones.add(pairing.pk)
    rows = Pairing.objects.filter(pk__in=wrong_ones).order_by("round__stage__number", "round__number")
    for pairing in list(rows):
        if Pairing.objects.filter(pk=pairing.pk, result__isnull=False).exists():
            driving.decide(pairing, olga, true, reason="Read wrong.", pair_again=True)
    driving.play_out(event, olga, true)
    driving.play_out(straight, olga, true)
    assert _meetings(event) == _meetings(straight)
    assert _final(event) == _final(straight)


def test_everything_can_be_undone_to_the_start(make, olga):
    event = make(6, standard("double_elimination"))
    before = driving.outline(event)
    driving.play_out(event, olga)
    for act in Act.objects.filter(tournament=event, kind="result"):
        history.undo(act.pk, by=olga)
    assert driving.outline(event) == before


def _meetings(event):
    rows = Pairing.objects.filter(round__stage__tournament=event, status="done")
    return sorted(
        (row.round.stage.number, row.round.name, sorted((place.entry.name, place.score) for place in row.places.all()))
        for row in rows.select_related("round__stage").prefetch_related("places__entry")
    )


def _final(event):
    from tournaments import stage_standings

    states = [load(stage) for stage in Stage.objects.filter(tournament=event)]
    return [
        [(state.entries[row.entry].entry.name, row.rank) for row in stage_standings.ranking(state)] for state in states
    ]
