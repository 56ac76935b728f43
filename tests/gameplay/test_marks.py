"""What others did since the reader last played is marked on the board, in words too, until the reader's next act."""

import re

from engine.play.position import read_position
from engine.play.view import view
from gameplay.log import story
from gameplay.models import Move, Seat
from gameplay.page import board
from gameplay.page.marks import NOTHING, marks_of
from tests.gameplay.test_story import SEATS, event, moved
from tests.gameplay.test_table_page import page_of

FOUR, TEN = 2, 8
AFTER = {
    "rules": "standard",
    "dealer": 3,
    "phase": "draw",
    "pile": "9c 4d",
    "melds": {"0": ["4: 4c 4d 4h"], "1": ["T: Tc Td Th Ts 2c"]},
}
MOVES = [
    moved(1, event("took_pile", 1, "Ts Kd", 7), event("melded", 1, "Ts", text="T"), seat=1),
    moved(2, event("melded", 1, "2c", text="T"), seat=1),
    moved(3, event("discarded", 1, "Kc"), event("turn_began", 2), seat=1),
    moved(4, event("melded", 2, "4c 4d 4h", text="4"), seat=2),
    moved(5, event("discarded", 2, "9c"), event("turn_began", 3), seat=2),
]


def view_at(seat=0, **position):
    return view(read_position({**AFTER, **position}), seat)


def lines_of(*moves, reader=0):
    return story.tell(moves, SEATS, reader)


def tiles(marks, **position):
    teams = board.teams(view_at(**position), ["You", "Ben", "Cem", "Dee"], marks)
    return {tile.name: tile.html for team in teams for tile in team.melds}


def test_melds_the_pile_and_who_took_cards_of_it_are_marked():
    marks = marks_of(lines_of(*MOVES), view_at())
    assert (marks.melds, marks.pile_cards, marks.discarder) == ({(1, TEN): 2, (0, FOUR): 3}, {1: 7}, 2)


def test_a_meld_says_how_much_of_it_is_new_in_a_tag_and_in_words():
    html = tiles(marks_of(lines_of(*MOVES), view_at()))
    assert '<span class="plus" aria-hidden="true">+2</span>' in html["T"]
    assert ", 2 new cards" in html["T"]
    assert '<span class="plus" aria-hidden="true">new</span>' in html["4"]
    assert ", new meld" in html["4"]
    assert not any('class="plus"' in tile for tile in tiles(NOTHING).values())


def test_of_two_melds_of_a_rank_the_later_is_marked():
    melds = {"0": ["T: Tc Td Th Ts Tc Td Th", "T: Tc Td Th"], "1": []}
    [_, team] = board.teams(view_at(melds=melds), ["You", "Ben", "Cem", "Dee"], NOTHING._replace(melds={(0, TEN): 1}))
    assert ['class="plus"' in tile.html for tile in team.melds] == [False, True]


def test_nothing_is_marked_in_the_middle_of_the_own_turn_once_the_deal_is_over_or_from_another_deal():
    lines = lines_of(*MOVES)
    assert marks_of(lines, view_at(phase="play")) == NOTHING
    assert marks_of(lines, view_at(3, phase="play")).discarder == 2
    assert marks_of(lines, view_at(deal=2)) == NOTHING


def test_a_pile_that_was_taken_is_marked_on_the_chair_only():
    lines = lines_of(*MOVES, moved(6, event("took_pile", 3, "9c", 2), seat=3))
    assert marks_of(lines, view_at(2)).discarder is None
    assert marks_of(lines, view_at(2)).pile_cards == {1: 7, 3: 2}


def test_an_undone_meld_is_not_marked():
    lines = lines_of(*MOVES[:4], moved(5, event("undone", 2, "4c 4d 4h", text="4"), seat=2))
    assert (0, FOUR) not in marks_of(lines, view_at()).melds


def test_a_page_marks_them_until_its_reader_has_drawn(seated, client, driver):
    def melds(table):
        seen_number = table.seats.get(number=0).seen_number
        return Move.objects.filter(table=table, number__gt=seen_number, text__startswith="meld").exclude(seat=0)

    table = driver.until(seated(), lambda table: table.seat_to_act == 0 and table.move_count > 8 and melds(table))
    page = page_of(client, table, Seat.objects.get(table=table, number=0).user)
    assert re.search(r'class="meld [^"]*changed"', page)
    assert '<span class="vh">discarded by Dee</span>' in page
    driver.act(table)
    assert 'class="plus"' not in page_of(client, table)
