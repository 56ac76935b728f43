"""Actions on results of an event can be undone at once, without a trace, and done again."""

import random
from functools import partial

import pytest

from tests.tournaments import driving
from tests.tournaments.test_corrections import FORMATS
from tests.tournaments.test_progress import without_ids
from tournaments.models import Act, Entry, Pairing
from tournaments.plan import KNOWN_BEFOREHAND, standard
from tournaments.services import history
from tournaments.services.entries import withdrawal
from tournaments.services.matches import results
from tournaments.services.stages import manual_pairing, redraws, stage_decisions
from web.errors import Refused


def some_act(dice, event, olga):
    """Does something at random; the act, or nothing where it was refused."""
    matches = Pairing.objects.filter(round__stage__tournament=event)
    open_ones = driving.open_pairings(event)
    decided = list(matches.filter(result__isnull=False))
    entries = list(Entry.objects.filter(tournament=event))
    salt = str(dice.random())

    def by_lot(names):
        return driving.by_lot(names, salt)

    def correct(pair_again):
        match = dice.choice(decided)
        return driving.decide(match, olga, by_lot, reason="Read wrong.", pair_again=pair_again)

    def swap():
        round_ = dice.choice(list(matches)).round
        first, second = dice.sample(entries, 2)
        return manual_pairing.swap(round_.pk, olga, one=first.pk, other=second.pk)

    def redraw():
        round_ = dice.choice(list(matches)).round
        return redraws.redraw(round_.stage_id, round_.number, by=olga)

    def walkover():
        match = dice.choice(open_ones)
        return results.walkover(match.pk, [dice.choice(list(match.places.all())).entry_id], by=olga)

    acts = [lambda: driving.decide(dice.choice(open_ones), olga, by_lot)] * 4 if open_ones else []
    acts += [walkover] if open_ones else []
    acts += [lambda: correct(True), lambda: correct(False)] if decided else []
    acts += [lambda: results.remove_result(dice.choice(decided).pk, by=olga, reason="Not played.")] if decided else []
    acts += [swap, redraw, lambda: withdrawal.withdraw(dice.choice(entries).pk, olga, at_once=dice.random() < 0.5)]
    acts += [lambda: withdrawal.reinstate(dice.choice(entries).pk, olga)]
    for stage in event.stages.filter(status="running", plan_json__waits_for_go=True):
        acts += [partial(stage_decisions.start_round, stage.pk, stage.go_round + 1, by=olga)] * 3
    try:
        return dice.choice(acts)()
    except Refused:
        return None


def outline(event):
    """The outline, but for the rounds of a schedule that are open: what players were called to they stay called to."""
    parts = without_ids(driving.outline(event))
    scheduled = {stage.number for stage in event.stages.all() if stage.plan_json["format"] in KNOWN_BEFOREHAND}
    waits = {number for number in scheduled if event.stages.get(number=number).plan_json["waits_for_go"]}
    return [
        (*row[:2], "", *row[3:]) if isinstance(row, tuple) and len(row) == 4 and row[0] in scheduled - waits else row
        for row in parts
    ]


WITH_GO = {
    "swiss with a go": (6, [standard("swiss", rounds=3, waits_for_go=True)]),
    "robin with a go": (5, [standard("round_robin", waits_for_go=True, round_hours=2)]),
    "bracket with a go": (6, [standard("single_elimination", waits_for_go=True, round_hours=2)]),
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", FORMATS | WITH_GO)
def test_each_act_is_undone_and_done_again(make, olga, name, seed):
    count, plans = (FORMATS | WITH_GO)[name]
    event, dice = make(count, *plans), random.Random(f"{name} {seed}")
    for _ in range(14):
        before = outline(event)
        act = some_act(dice, event, olga)
        if act is None:
            assert outline(event) == before
            continue
        after = outline(event)
        undone = history.undo(act.pk, by=olga)
        assert outline(event) == before, f"{act} is not undone"
        history.undo(undone.pk, by=olga)
        assert outline(event) == after, f"{act} is not done again"
    assert Act.objects.filter(tournament=event, kind="undo").count() > 6
