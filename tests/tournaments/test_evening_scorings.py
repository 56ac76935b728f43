"""What adds up in an event: card points, their average, and what a bye counts."""

from fractions import Fraction
from itertools import pairwise

import pytest

from tests.tournaments import driving
from tournaments import expected_rounds, plan_checks, stage_standings
from tournaments.models import Place, Result, Round, SitOut, Stage
from tournaments.plan import Plan, standard
from tournaments.public import format_text, possible_ranks, standings
from tournaments.public.names import entrants_of, links_of
from tournaments.services.stages import manual_pairing
from tournaments.stage_state import load
from web.errors import Refused


def state_of(event):
    return load(Stage.objects.get(tournament=event), event)


def points_of(event):
    state = state_of(event)
    return {state.entries[row.entry].entry.name: row.points for row in stage_standings.table(state)}


def by_number(base):
    """Card points by the number in the name, so that every one is another."""
    return lambda names: [base + 10 * int(name.split()[-1]) for name in names]


def test_card_points_of_all_rounds_add_up(new_event, olga):
    event = new_event("round_robin", 4, started=True, counts="total")
    driving.play_out(event, olga, by_number(1000))
    assert points_of(event) == {"Player 1": 3030, "Player 2": 3060, "Player 3": 3090, "Player 4": 3120}


def test_each_match_won_brings_its_bonus(new_event, olga):
    event = new_event("round_robin", 4, started=True, counts="total", win_bonus=500)
    driving.play_out(event, olga, by_number(1000))
    assert points_of(event) == {"Player 1": 3030, "Player 2": 3560, "Player 3": 4090, "Player 4": 4620}


def test_an_average_is_of_the_deals_played_and_no_bye_changes_it(new_event, olga):
    event = new_event("swiss", 3, started=True, rounds=2, counts="average")
    assert event.rules.length.number == 4
    driving.play_out(event, olga, by_number(1000))
    assert points_of(event) == {
        "Player 1": Fraction(1010, 4),
        "Player 2": Fraction(1020, 4),
        "Player 3": Fraction(1030, 4),
    }


def test_a_sheet_of_fewer_deals_counts_its_own(new_event, olga):
    event = new_event("round_robin", 2, started=True, counts="average")
    driving.play_out(event, olga, by_number(1000))
    Result.objects.update(sheet={"deals": [{}, {}]})
    assert points_of(event) == {"Player 1": 505, "Player 2": 510}


def test_a_bye_counts_as_the_other_rounds_on_average_and_is_no_win(new_event, olga):
    event = new_event("swiss", 5, started=True, rounds=3)
    driving.play_out(event, olga)
    out = SitOut.objects.filter(round__stage__tournament=event)
    assert {each.kind for each in out} == {"sit_out"}
    assert len({each.entry_id for each in out}) == 3
    state = state_of(event)
    for row in stage_standings.table(state):
        played = [
            table.points[table.entries.index(row.entry)]
            for round_ in state.played()
            for table in round_.tables
            if row.entry in table.entries
        ]
        assert row.points == sum(played) + (3 - len(played)) * Fraction(sum(played), len(played))


@pytest.mark.parametrize(("choice", "points"), [("none", 0), ("points", 2)])
def test_a_bye_counts_nothing_or_its_points(new_event, olga, choice, points):
    event = new_event("swiss", 3, started=True, rounds=1, byes_count=choice)
    name = SitOut.objects.get(round__stage__tournament=event).entry.name
    driving.play_out(event, olga)
    assert points_of(event)[name] == points


def test_with_card_points_a_bye_may_count_a_set_number(new_event, olga):
    event = new_event("swiss", 3, started=True, rounds=1, counts="total", byes_count="points", bye="700")
    name = SitOut.objects.get(round__stage__tournament=event).entry.name
    driving.play_out(event, olga, by_number(1000))
    assert points_of(event)[name] == 700


def test_neighbours_in_the_standings_meet_where_card_points_count(new_event, olga):
    event = new_event("swiss", 8, started=True, rounds=2, counts="total")
    driving.play_round(event, olga, by_number(1000))
    order = [row.entry for row in stage_standings.table(state_of(event))]
    state = state_of(event)
    drawn = expected_rounds.next_round(state, 2)
    places = [sorted(order.index(at) for at in table.entries) for table in drawn.tables]
    assert places == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_an_organiser_may_give_a_bye_that_counts_the_average(new_event, olga):
    event = new_event("swiss_pods", 12, started=True, rounds=1)
    round_ = Round.objects.get(stage__tournament=event)
    entry_id = Place.objects.filter(pairing__round=round_).first().entry_id
    manual_pairing.move(round_.pk, olga, entry=entry_id, table=None, kind="sit_out")
    out = SitOut.objects.get(round=round_, entry=entry_id)
    assert (out.kind, out.points) == ("sit_out", 0)


def test_plans_made_before_keep_the_points_for_a_bye():
    old = {name: value for name, value in standard("swiss").write().items() if name not in ("counts", "byes_count")}
    plan = Plan.read(old)
    assert (plan.counts, plan.byes_count, plan.has_plain_byes) == ("result", "points", True)


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"counts": "books"}, "Choose what the standings go by."),
        ({"byes_count": "twice"}, "Choose what a bye counts."),
        ({"win_bonus": 5}, "A bonus for a win goes with card points, not with match points."),
    ],
)
def test_choices_that_do_not_fit_are_refused_with_a_sentence(choices, sentence):
    with pytest.raises(Refused) as refused:
        standard("swiss", **choices)
    assert refused.value.sentence == sentence


def test_card_points_do_not_add_up_in_a_knockout():
    with pytest.raises(Refused) as refused:
        standard("single_elimination", counts="total")
    assert refused.value.sentence == "In this format card points do not add up."


def test_an_average_needs_matches_of_a_set_number_of_deals(new_event):
    event = new_event("swiss", 4)
    event.rules_json = event.rules.make(event.rules, {"length": {"target": 10_000}}).write()
    assert plan_checks.plan_problems(event, [standard("swiss", counts="average")]) == [
        "An average of card points needs matches of a set number of deals."
    ]
    assert plan_checks.plan_problems(event, [standard("swiss", counts="total")]) == []


def test_the_standings_name_what_adds_up(new_event, olga):
    event = new_event("swiss", 3, started=True, rounds=2, counts="average")
    driving.play_round(event, olga, by_number(12_345))
    state = state_of(event)
    (table,) = standings.tables(state, entrants_of(state, links_of(event)), None)
    assert (table.points.title, table.has_ranges) == ("Average", False)
    assert [line.points for line in table.lines] == ["3,091.2", "3,088.8", "0"]


def test_the_format_says_what_adds_up_and_what_a_bye_counts(new_event):
    (text,) = format_text.stages(
        list(Stage.objects.filter(tournament=new_event("swiss", counts="total", win_bonus=100)))
    )
    assert "The card points of all deals add up." in text.sentences
    assert "Each match won earns 100 points more." in text.sentences
    assert "Neighbours in the standings meet." in text.sentences
    assert "A bye counts as much as the entry’s other rounds on average." in text.sentences
    (usual,) = format_text.stages(list(Stage.objects.filter(tournament=new_event("swiss"))))
    assert "A bye counts as much as the entry’s other rounds on average." in usual.sentences


@pytest.mark.parametrize("entries", [5, 7])
def test_places_still_possible_hold_and_never_widen_while_byes_count_an_average(new_event, olga, entries):
    event = new_event("swiss", entries, started=True, rounds=3)
    seen = []
    while pairings := driving.open_pairings(event):
        driving.decide(pairings[0], olga, driving.by_lot)
        state = state_of(event)
        seen.append(possible_ranks.of(state, stage_standings.table(state)))
    final = {row.entry: row.rank for row in stage_standings.table(state_of(event))}
    for before, after in pairwise(seen):
        for at, (best, worst) in after.items():
            assert before[at][0] <= best <= final[at] <= worst <= before[at][1]
