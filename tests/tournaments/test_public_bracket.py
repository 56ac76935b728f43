"""Brackets and levels of tables as pages show them: every state of a match, and how the lines run."""

import pytest
from django.utils import timezone

from tests.tournaments import driving
from tournaments.models import Entry, Pairing, Round, Stage
from tournaments.public import bracket, corrections, levels, live
from tournaments.public.names import entrants_of, links_of
from tournaments.services.entries import withdrawal
from tournaments.services.matches import results
from tournaments.stage_state import load


@pytest.fixture
def drawn():
    """The bracket of an event as its page draws it; `playing` by ids of pairings."""

    def draw(event, playing=None):
        stage = Stage.objects.get(tournament=event)
        state = load(stage, event)
        changed = corrections.corrected(stage)
        return bracket.drawn(
            state, entrants_of(state, links_of(event)), links_of(event), live=playing or {}, corrected=changed
        )

    return draw


def boxes(bracket):
    by_name = {box.name: box for half in bracket.halves for column in half.columns for box in column.boxes if box}
    return by_name | ({bracket.third.name: bracket.third} if bracket.third else {})


def match(event, name):
    return Pairing.objects.get(round__stage__tournament=event, name=name)


def decide(event, olga, name, scores, **how):
    pairing = match(event, name)
    entries = [place.entry_id for place in pairing.places.all()]
    lines = [{"entry": entry, "score": score} for entry, score in zip(entries, scores, strict=True)]
    return results.decide(pairing.pk, lines, by=olga, **how)


def sides_of(box):
    return [(side.names, side.score, side.has_won) for side in box.sides]


def test_columns_and_lines_of_a_double_elimination(new_event, drawn):
    bracket = drawn(new_event("double_elimination", 16, started=True))
    winners, second = bracket.halves
    assert [(column.title, column.flow, len(column.boxes)) for column in winners.columns] == [
        ("Round 1", "merge", 8),
        ("Round 2", "merge from", 4),
        ("Semi-finals", "merge from", 2),
        ("Last two", "thru from", 1),
        ("Final", "thru", 1),
        ("Decider", "", 1),
    ]
    assert [(column.title, column.flow, len(column.boxes)) for column in second.columns] == [
        ("Round 1", "thru", 4),
        ("Round 2", "merge", 4),
        ("Round 3", "thru from", 2),
        ("Round 4", "merge", 2),
        ("Round 5", "thru from", 1),
        ("Round 6", "", 1),
    ]
    assert (bracket.columns, bracket.paper) == (6, "one")


def test_a_single_elimination_ends_in_a_final_with_a_match_for_third_place_beside(new_event, drawn):
    bracket = drawn(new_event("single_elimination", 11, third_place=True, started=True))
    (half,) = bracket.halves
    assert [(column.title, len(column.boxes)) for column in half.columns] == [
        ("Round of 16", 8), ("Quarter-finals", 4), ("Semi-finals", 2), ("Final", 1),
    ]  # fmt: skip
    assert (half.columns[-1].boxes[0].title, bracket.third.title) == ("Final", "Third place")
    assert [side.names for side in bracket.third.sides] == ["loser of semi-final 1", "loser of semi-final 2"]
    assert bracket.codes == ("R16-1: round of 16, match 1", "QF 1: quarter-final 1", "SF 1: semi-final 1")


@pytest.mark.parametrize(("entries", "paper"), [(16, "one"), (17, "two"), (32, "two"), (33, "many")])
def test_up_to_sixteen_fit_on_one_sheet_and_up_to_32_on_one_for_each_half(new_event, drawn, entries, paper):
    assert drawn(new_event("double_elimination", entries, started=True)).paper == paper


def test_places_nobody_can_reach_stay_empty_so_that_the_lines_meet(new_event, drawn):
    bracket = drawn(new_event("double_elimination", 5, started=True))
    first = bracket.halves[1].columns[0]
    assert len(first.boxes) == 2
    assert [box.name if box else None for box in first.boxes] == ["LB1.1", None]
    assert all(len(column.boxes) == len(list(column.boxes)) for half in bracket.halves for column in half.columns)


def test_a_bye_waits_for_nobody(new_event, drawn):
    box = boxes(drawn(new_event("single_elimination", 3, started=True)))["WB1.1"]
    assert (box.kind, box.note) == ("bye", "bye")
    assert [(side.names, side.seed) for side in box.sides] == [("Player 1", "1"), ("nobody", "")]


def test_every_state_of_a_match(new_event, olga, drawn):
    event = new_event("double_elimination", 8, started=True)
    decide(event, olga, "WB1.1", (7000, 6000))
    decide(event, olga, "WB1.2", (6100, 7105))
    corrected = match(event, "WB1.2")
    decide(event, olga, "WB1.2", (7105, 6100), reason="Entered the wrong way round.")
    absent = match(event, "WB1.3").places.all()[1]
    results.walkover(absent.pairing_id, [absent.entry_id], by=olga, reason="Did not come.")
    playing = match(event, "WB1.4")
    by_name = boxes(drawn(event, {playing.pk: live.Live("deal 3 of 4", (6420, 5985))}))
    assert {
        name: (box.kind, box.note) for name, box in by_name.items() if name in ("WB1.1", "WB1.2", "WB1.3", "WB1.4")
    } == {
        "WB1.1": ("done", ""),
        "WB1.2": ("fixed", "✎ corrected"),
        "WB1.3": ("done", "walkover"),
        "WB1.4": ("live", "● live, deal 3 of 4"),
    }
    assert sides_of(by_name["WB1.2"]) == [("Player 4", "7,105", True), ("Player 5", "6,100", False)]
    assert sides_of(by_name["WB1.3"]) == [("Player 2", "w/o", True), ("Player 7", "–", False)]
    assert sides_of(by_name["WB1.4"]) == [("Player 3", "6,420", False), ("Player 6", "5,985", False)]
    assert sides_of(by_name["WB2.2"]) == [("Player 2", "", False), ("winner of round 1, match 4", "", False)]
    assert sides_of(by_name["LB1.1"]) == [("Player 8", "", False), ("Player 5", "", False)]
    assert (by_name["GF2.1"].kind, by_name["GF2.1"].note) == ("maybe", "only if needed")
    assert corrected.pk in corrections.corrected(corrected.round.stage)
    kept_for_watchers = boxes(drawn(event, {playing.pk: live.Live()}))["WB1.4"]
    assert (kept_for_watchers.note, sides_of(kept_for_watchers)[0][1]) == ("● being played", "")


def test_results_that_do_not_count_yet_are_not_shown(new_event, olga, drawn):
    event = new_event("single_elimination", 4, started=True)
    pairing = match(event, "WB1.1")
    first, second = list(pairing.places.select_related("entry"))
    lines = [{"entry": first.entry_id, "score": 7105}, {"entry": second.entry_id, "score": 6400}]
    results.report(pairing.pk, lines, by=first.entry.members.get().user)
    box = boxes(drawn(event))["WB1.1"]
    assert (box.kind, box.note) == ("todo", "not confirmed yet")
    assert [side.score for side in box.sides] == ["", ""]
    other_lines = [{"entry": first.entry_id, "score": 6000}, {"entry": second.entry_id, "score": 6400}]
    results.report(pairing.pk, other_lines, by=second.entry.members.get().user)
    assert boxes(drawn(event))["WB1.1"].note == "≠ disputed"


def test_a_match_says_when_it_is_to_be_played(new_event, drawn):
    event = new_event("single_elimination", 4, started=True)
    moment = timezone.now().replace(year=2026, month=11, day=21, hour=17, minute=30)
    Pairing.objects.filter(name="WB1.1").update(starts_at=moment)
    Round.objects.filter(stage__tournament=event, number=1).update(deadline_at=moment)
    Pairing.objects.filter(name="WB1.2").update(deadline_at=None)
    by_name = boxes(drawn(event))
    assert (by_name["WB1.1"].note, by_name["WB1.2"].note) == ("Sat 21 Nov 17:30", "by Sat 21 Nov 17:30")


def test_both_absent_leave_a_bye_behind(new_event, olga, drawn):
    event = new_event("single_elimination", 4, started=True)
    pairing = match(event, "WB1.1")
    results.walkover(pairing.pk, [place.entry_id for place in pairing.places.all()], by=olga, reason="Nobody came.")
    by_name = boxes(drawn(event))
    assert by_name["WB1.1"].note == "nobody came"
    assert [side.score for side in by_name["WB1.1"].sides] == ["–", "–"]


def test_places_are_certain_or_a_range(new_event, olga, drawn):
    event = new_event("single_elimination", 4, started=True)
    decide(event, olga, "WB1.1", (7000, 6000))
    assert {place.entrant.name: (place.words, place.is_certain) for place in drawn(event).places} == {
        "Player 1": ("1–2", False),
        "Player 2": ("1–3", False),
        "Player 3": ("1–3", False),
        "Player 4": ("3", True),
    }
    decide(event, olga, "WB1.2", (7000, 6000))
    assert {place.words for place in drawn(event).places if place.is_certain} == {"3="}


def test_the_page_tells_of_corrections_with_their_reason(new_event, olga, client):
    event = new_event("single_elimination", 4, started=True)
    decide(event, olga, "WB1.1", (6000, 7000))
    decide(event, olga, "WB1.1", (7000, 6000), reason="Entered the wrong way round.")
    for page in ("1/", "1/WB1.1/"):
        markup = client.get(f"/events/{event.slug}/{page}").content.decode()
        assert "Entered the wrong way round." in markup
        assert "6,000 – 7,000" in markup
        assert "✎ corrected" in markup
    assert markup.index("7,000 – 6,000") < markup.index("6,000 – 7,000")


def test_a_match_says_where_it_leads(new_event, client):
    event = new_event("double_elimination", 8, started=True)
    markup = client.get(f"/events/{event.slug}/1/WB2.1/").content.decode()
    for words in (
        f'Winner of <a href="/events/{event.slug}/1/WB1.1/">round 1, match 1</a>.',
        f'Winner goes to <a href="/events/{event.slug}/1/WB3.1/">last two</a>.',
        f'Loser goes to <a href="/events/{event.slug}/1/LB2.',
    ):
        assert words in markup


def test_levels_say_who_goes_on(new_event, olga):
    event = new_event("pod_knockout", 18, seats=6, advance=2, started=True)
    stage = Stage.objects.get(tournament=event)

    def read_levels():
        state = load(stage, event)
        return levels.levels(state, entrants_of(state, links_of(event)), links_of(event), live={}, corrected=())

    first, final = read_levels()
    assert (first.title, first.remark, len(first.tables)) == ("Round 1", "The first 2 of each table go through.", 3)
    assert (final.title, final.tables, final.to_come) == ("Final", (), "1 table, 6 entries")
    assert not any(seat.goes_on or seat.is_out for table in first.tables for seat in table.seats)
    # A finished table has decided, whatever the others bring.
    driving.decide(driving.open_pairings(event)[0], olga)
    (decided, *undecided), _ = read_levels()[0].tables, read_levels()
    assert [seat.goes_on for seat in decided.seats] == [True, True, False, False, False, False]
    assert [seat.is_out for seat in decided.seats] == [False, False, True, True, True, True]
    assert not any(seat.goes_on or seat.is_out for table in undecided for seat in table.seats)
    driving.play_round(event, olga)
    first, final = read_levels()
    for table in first.tables:
        assert [seat.goes_on for seat in table.seats] == [True, True, False, False, False, False]
        assert [seat.is_out for seat in table.seats] == [False, False, True, True, True, True]
    assert len(final.tables[0].seats) == 6


def test_who_may_still_fill_a_place_is_neither_through_nor_out(new_event, olga):
    # Of tables of four, three and three the first go on, and the best of the others.
    event = new_event("pod_knockout", 10, seats=4, advance=1, least=3, most=5, started=True)
    driving.decide(driving.open_pairings(event)[0], olga)
    state = load(Stage.objects.get(tournament=event), event)
    first, *_ = levels.levels(state, entrants_of(state, links_of(event)), links_of(event), live={}, corrected=())
    assert first.remark == "The first of each table, and 1 best other go through."
    marks = [(seat.goes_on, seat.is_out) for seat in first.tables[0].seats]
    assert marks[:2] == [(True, False), (False, False)]


def test_names_stand_closer_together_in_a_box(new_event, client):
    event = new_event("single_elimination", 2, started=True)
    Entry.objects.filter(tournament=event, number=1).update(name="Okafor / Bell")
    assert "<bdi>Okafor\u200a/\u200aBell</bdi>" in client.get(f"/events/{event.slug}/1/").content.decode()


def test_who_withdrew_is_marked_and_loses_by_walkover(new_event, olga, drawn):
    event = new_event("single_elimination", 4, started=True)
    withdrawal.withdraw(Entry.objects.get(tournament=event, number=4).pk, olga, at_once=True)
    bracket = drawn(event)
    assert boxes(bracket)["WB1.1"].note == "walkover"
    assert [place.entrant.name for place in bracket.places if place.entrant.status == "withdrawn"] == ["Player 4"]
