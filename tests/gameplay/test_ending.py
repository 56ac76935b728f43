"""The end of a deal: who won and why in a sentence, the points side by side, the lead deal by deal, the moments."""

import pytest

from engine.play.position import read_position
from engine.play.scoring import Outcome, outcome
from engine.play.view import view
from gameplay.log.deal_end import DealEnd, read_deal_end
from gameplay.page.deal_score import score_sheet
from gameplay.page.ending import build_ending
from gameplay.page.words import Reader

CLEAN, DIRTY = "K: Kc Kc Kd Kd Kh Kh Ks", "6: 6c 6c 6d 6d 6h 2c 2d"
TITLES = {0: "You and Cem", 1: "Ben and Dee"}


UNKNOWN = DealEnd()


def end_of(end=UNKNOWN, *, seat=0, deal=1, scores=(0, 0), titles=TITLES, **position):
    """The ending of a deal of Standard for the reader at the seat."""
    state = read_position(
        {"rules": "standard", "dealer": 3, "phase": "over", "deal": deal, "scores": list(scores), **position}
    )
    names = [Reader("You") if number == seat else name for number, name in enumerate(["Ann", "Ben", "Cem", "Dee"])]
    result = outcome(state)
    return build_ending(view(state, seat), list(titles), score_sheet(result, titles, state.rules), end, names)


def out_by(seat):
    return DealEnd([], "went_out", seat, [])


BETTER = {"melds": {"0": [CLEAN], "1": [DIRTY]}}


@pytest.mark.parametrize(
    ("end", "why"),
    [
        (out_by(0), "You went out, and clean books made the difference: 205 points ahead."),
        (out_by(2), "Cem went out, and clean books made the difference: 205 points ahead."),
        (out_by(3), "Dee went out, but clean books weighed more: 205 points ahead."),
        (DealEnd([], "stock_out"), "The stock ran out, and clean books made the difference: 205 points ahead."),
        (DealEnd([], "all_kept"), "Nobody went out, and clean books made the difference: 205 points ahead."),
        (DealEnd(), "205 points ahead: the difference was clean books."),
    ],
)
def test_the_end_of_a_deal_says_who_won_and_why(end, why):
    ending = end_of(end, **BETTER)
    assert (ending.headline, ending.why, ending.is_won) == ("You and Cem won the deal", why, True)


def test_the_reader_who_went_out_and_lost_is_told_what_weighed_more():
    ending = end_of(out_by(0), melds={"0": [DIRTY], "1": [CLEAN]})
    assert (ending.headline, ending.is_won) == ("Ben and Dee won the deal", False)
    assert ending.why == "You went out, but clean books weighed more: 205 points ahead."


def test_a_tie_is_no_win_of_anybody():
    ending = end_of(melds={"0": [CLEAN], "1": [CLEAN]})
    assert (ending.headline, ending.why) == ("The deal is tied", "The best sides have the same number of points.")


def test_the_end_of_a_match_names_the_deal_that_made_the_difference():
    deals = [Outcome((), (100, 300), (100, 300), None), Outcome((), (900, 0), (1000, 300), None)]
    last = Outcome((), (570, 330), (1570, 630), (0,))
    ending = end_of(DealEnd([*deals, last]), deal=4, scores=(1000, 300), **BETTER)
    assert ending.headline == "You and Cem won the match"
    assert ending.why == "905 points ahead: deal 2 made the difference."


def test_two_sides_stand_side_by_side_and_the_longest_bar_is_the_most_points():
    lines = {line.words: line.cells for line in end_of(**BETTER).lines}
    assert [cell and (cell.number, cell.points, cell.width) for cell in lines["Clean books"]] == [(1, 500, 100), None]
    assert [cell and (cell.number, cell.points, cell.width) for cell in lines["Dirty books"]] == [None, (1, 300, 60)]


def test_the_lead_is_plotted_after_each_deal_and_said_in_words():
    deals = [Outcome((), (), (100, 300), None), Outcome((), (), (1000, 300), None)]
    plot = end_of(DealEnd(deals), **BETTER).plot
    assert plot.words == "Deal 1: −200; Deal 2: +700"
    assert [mark.label for mark in plot.marks] == ["", "−200", "+700", "", ""]
    assert [mark.below for mark in plot.marks] == ["start", "Deal 1", "Deal 2", "Deal 3", "Deal 4"]
    heights = [int(point.split(",")[1]) for point in plot.points.split()]
    assert heights[2] < heights[0] < heights[1]
    assert end_of(**BETTER).plot is None


def test_the_other_side_reads_its_own_lead():
    deals = [Outcome((), (), (100, 300), None)]
    ending = end_of(DealEnd(deals), seat=1, titles={1: "You and Dee", 0: "Ann and Cem"}, **BETTER)
    assert (ending.plot.words, ending.is_won) == ("Deal 1: +200", False)


def test_the_best_meld_of_the_winners_is_shown():
    assert [suit for suit, _ in end_of(**BETTER).spread] == ["c", "c", "d", "d"]
    assert end_of(DealEnd(), red_threes={"0": "3h"}).spread == []


@pytest.mark.slow
def test_the_log_tells_how_a_deal_ended_and_its_moments_in_order(seated, driver, django_assert_num_queries):
    table = driver.until(seated("standard"), lambda table: table.is_between_deals)
    seats = list(table.seats.all())
    with django_assert_num_queries(2):
        end = read_deal_end(table, 0, seats)
    last = table.moves.last()
    assert end.how == next(event["text"] for event in last.events if event["event"] == "deal_over")
    assert (end.out_by is None) == (end.how != "went_out")
    assert 0 < len(end.moments) <= 3
    assert [line.first for line in end.moments] == sorted(line.first for line in end.moments)
    assert [list(result.totals) for result in end.outcomes] == [list(table.deals.first().result["totals"])]


@pytest.mark.slow
def test_the_page_of_a_deal_that_is_over_takes_two_queries_more_than_one_that_runs(seated, driver, client, four):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    table = driver.act(seated("standard"))
    client.force_login(four[0])

    def queries():
        with CaptureQueriesContext(connection) as captured:
            assert client.get(table.get_absolute_url()).status_code == 200
        return len(captured)

    queries()
    running = queries()
    driver.until(table, lambda table: table.is_between_deals)
    assert queries() <= running + 2


def test_a_guest_is_offered_to_keep_the_game(seated, driver, client, four):
    table = driver.until(seated("standard"), lambda table: table.is_between_deals)
    client.force_login(four[0])
    assert b'id="keep"' not in client.get(table.get_absolute_url()).content
    four[0].is_guest = True
    four[0].save()
    assert b'id="keep"' in client.get(table.get_absolute_url()).content
