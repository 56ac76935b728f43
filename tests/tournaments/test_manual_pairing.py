"""Manual pairing: swapped entries stay, played matches are not touched, and it can be undone."""

import pytest

from tests.tournaments import driving
from tournaments.models import Entry, Pairing, Place, Round, SitOut, Stage
from tournaments.plan import standard
from tournaments.services import history
from tournaments.services.matches import results
from tournaments.services.stages import manual_pairing, progress, redraws
from web.errors import Refused


def tables(round_row):
    return {
        table.number: [place.entry.name for place in table.places.select_related("entry")]
        for table in Pairing.objects.filter(round=round_row)
    }


def entry(event, number):
    return Entry.objects.get(tournament=event, number=number).pk


def first_round(event):
    return Round.objects.get(stage__tournament=event, number=1)


def test_two_entries_change_tables_and_stay_there(make, olga):
    event = make(8, standard("swiss", rounds=3))
    round_, before = first_round(event), driving.outline(event)
    names = tables(round_)
    change = {"Entry 1": "Entry 6", "Entry 6": "Entry 1"}
    swapped = {number: [change.get(name, name) for name in at] for number, at in names.items()}
    act = manual_pairing.swap(round_.pk, olga, one=entry(event, 1), other=entry(event, 6))
    assert act.sentence == "Entry 1 and Entry 6 were swapped in round 1 of Swiss."
    assert tables(round_) == swapped != names
    round_.refresh_from_db()
    assert round_.is_fixed
    progress.advance(event.pk)
    assert tables(round_) == swapped
    history.undo(act.pk, by=olga)
    assert driving.outline(event) == before
    assert not first_round(event).is_fixed


def test_an_entry_changes_places_with_the_bye(make, olga):
    event = make(5, standard("swiss", rounds=2))
    round_ = first_round(event)
    out = SitOut.objects.get(round=round_)
    manual_pairing.swap(round_.pk, olga, one=out.entry_id, other=entry(event, 1))
    assert SitOut.objects.get(round=round_).entry.name == "Entry 1"
    assert out.entry.name in [name for names in tables(round_).values() for name in names]
    assert SitOut.objects.get(round=round_).points == out.points


def test_a_table_that_has_begun_is_not_touched_and_a_swap_cannot_be_undone_then(make, olga):
    event = make(8, standard("swiss", rounds=3))
    round_ = first_round(event)
    act = manual_pairing.swap(round_.pk, olga, one=entry(event, 1), other=entry(event, 6))
    begun = Pairing.objects.get(round=round_, number=1)
    driving.decide(begun, olga)
    with pytest.raises(Refused, match="Table 1 has started"):
        manual_pairing.swap(round_.pk, olga, one=entry(event, 6), other=entry(event, 2))
    with pytest.raises(Refused, match="changed again later"):
        history.undo(act.pk, by=olga)
    results.remove_result(begun.pk, by=olga, reason="Wrong table.")
    history.undo(act.pk, by=olga)
    assert "Entry 1" in tables(round_)[1]


def test_players_of_changed_tables_are_called_again(make, olga):
    event = make(4, standard("swiss", rounds=1))
    round_ = first_round(event)
    opened = dict(Pairing.objects.filter(round=round_).values_list("number", "opened_at"))
    manual_pairing.swap(round_.pk, olga, one=entry(event, 1), other=entry(event, 2))
    again_opened = dict(Pairing.objects.filter(round=round_).values_list("number", "opened_at"))
    assert all(again_opened[number] > at for number, at in opened.items())


def test_in_a_bracket_they_change_places_in_the_draw(make, olga):
    event = make(8, standard("single_elimination"))
    round_, before = first_round(event), driving.outline(event)
    act = manual_pairing.swap(round_.pk, olga, one=entry(event, 1), other=entry(event, 2))
    assert act.sentence == "Entry 1 and Entry 2 were swapped in the draw of Knockout."
    assert tables(round_)[1] == ["Entry 2", "Entry 8"]
    history.undo(act.pk, by=olga)
    assert driving.outline(event) == before
    driving.decide(driving.open_pairings(event)[0], olga)
    with pytest.raises(Refused, match="Their matches have started"):
        manual_pairing.swap(round_.pk, olga, one=entry(event, 1), other=entry(event, 2))
    manual_pairing.swap(round_.pk, olga, one=entry(event, 2), other=entry(event, 3))


def test_the_draw_of_a_later_stage_is_kept_as_changed(make, olga):
    event = make(8, standard("swiss", rounds=1), standard("single_elimination", take=4))
    driving.play_round(event, olga)
    stage = Stage.objects.get(tournament=event, number=2)
    first, second = [entry.entry_id for entry in stage.entries.all()][:2]
    round_ = Round.objects.get(stage=stage, number=1)
    manual_pairing.swap(round_.pk, olga, one=first, other=second)
    progress.advance(event.pk)
    assert [entry.entry_id for entry in stage.entries.all()][:2] == [second, first]


def test_where_everything_is_fixed_beforehand_play_must_not_have_begun(make, olga):
    event = make(4, standard("round_robin"))
    round_ = first_round(event)
    manual_pairing.swap(round_.pk, olga, one=entry(event, 1), other=entry(event, 2))
    driving.decide(driving.open_pairings(event)[0], olga)
    with pytest.raises(Refused, match="Play has started"):
        manual_pairing.swap(round_.pk, olga, one=entry(event, 1), other=entry(event, 2))


def test_at_bigger_tables_an_entry_moves_to_another_or_sits_out(make, olga):
    event = make(8, standard("swiss_pods", seats=4, rounds=2))
    round_, before = first_round(event), driving.outline(event)
    name = tables(round_)[1][0]
    mover = Entry.objects.get(tournament=event, name=name)
    act = manual_pairing.move(round_.pk, olga, entry=mover.pk, table=2)
    assert [len(names) for names in tables(round_).values()] == [3, 5]
    assert tables(round_)[2][-1] == name
    progress.advance(event.pk)
    assert [len(names) for names in tables(round_).values()] == [3, 5]
    driving.decide(Pairing.objects.get(round=round_, number=2), olga)
    results.remove_result(Pairing.objects.get(round=round_, number=2).pk, by=olga, reason="Too early.")
    history.undo(act.pk, by=olga)
    assert driving.outline(event)[0][:4] == before[0][:4]
    manual_pairing.move(round_.pk, olga, entry=mover.pk, table=None, kind="half_bye")
    assert SitOut.objects.get(round=round_).points > 0
    assert Place.objects.filter(pairing__round=round_, entry=mover).count() == 0


@pytest.mark.parametrize(
    ("plan", "count", "act", "sentence"),
    [
        (standard("swiss", rounds=2), 4, {"entry": 1, "table": 2}, "tables keep their size"),
        (standard("swiss_pods", seats=3, rounds=2), 6, {"entry": 1, "table": 9}, "This round has no table 9"),
        (
            standard("swiss_pods", seats=3, rounds=2),
            6,
            {"entry": 1, "table": None, "kind": "x"},
            "A bye gives no points",
        ),
        (standard("ladder"), 4, {"entry": 1, "table": 1}, "has no draw to change"),
    ],
)
def test_what_cannot_be_moved_is_refused(make, olga, plan, count, act, sentence):
    event = make(count, plan)
    before = driving.outline(event)
    with pytest.raises(Refused, match=sentence):
        manual_pairing.move(first_round(event).pk, olga, **{**act, "entry": entry(event, act["entry"])})
    assert driving.outline(event) == before


def test_the_same_table_and_the_same_entry_are_refused(make, olga):
    event = make(4, standard("swiss", rounds=2))
    round_ = first_round(event)
    first, opponent = [place.entry_id for place in Pairing.objects.get(round=round_, number=1).places.all()]
    with pytest.raises(Refused, match="two different"):
        manual_pairing.swap(round_.pk, olga, one=first, other=first)
    with pytest.raises(Refused, match="already at one table"):
        manual_pairing.swap(round_.pk, olga, one=first, other=opponent)


def test_drawing_anew_drops_what_was_paired_by_hand(make, olga):
    event = make(8, standard("swiss", rounds=3))
    round_, before = first_round(event), tables(first_round(event))
    manual_pairing.swap(round_.pk, olga, one=entry(event, 1), other=entry(event, 6))
    redraws.redraw(round_.stage_id, 1, by=olga)
    assert tables(first_round(event)) == before
