import re

import pytest
from django.utils import translation

from engine.play.cards import parse_cards
from engine.play.events import KINDS, Event
from engine.play.moves import DRAW
from gameplay.log import story
from gameplay.models import Move, Seat
from gameplay.services import play

SEATS = [Seat(number=number, name=name) for number, name in enumerate(("Ann", "Ben (bot)", "Cem", "Dee"))]


def event(kind, seat=0, cards="", number=0, text="", *, private=False):
    cards = parse_cards(cards)
    return Event(kind, seat, cards, number or len(cards), text, private)


def moved(number, *events, seat=0, by=Move.By.PLAYER, deal=1):
    return Move(number=number, seat=seat, deal=deal, by=by, events=story.keep_events(events))


def sentences(*moves, reader=None, **options):
    return [line.sentence for line in story.tell(moves, SEATS, reader, **options)]


NEXT = event("turn_began", 1)


def test_a_turn_is_one_line():
    moves = [
        moved(1, event("drew", 2, "4c 5d", private=True), seat=2),
        moved(2, event("melded", 2, "6c", text="6"), event("book_completed", 2, "6c 6d", text="clean 6"), seat=2),
        moved(3, event("discarded", 2, "9c"), event("foot_picked_up", 2, number=13), event("turn_began", 3), seat=2),
    ]
    assert sentences(*moves) == ["Cem finished the sixes, discarded 9♣, picked up the foot."]
    line = story.tell(moves, SEATS, None)[0]
    assert (line.seat, line.name, line.first, line.last) == (2, "Cem", 1, 3)
    assert story.Chip("9c") in line.parts


def test_drawn_cards_are_told_to_the_drawer_only():
    draw = moved(1, event("drew", 0, "4c Xr", private=True))
    assert sentences(draw, reader=0) == ["You drew 4♣ ★."]
    assert sentences(draw, reader=1) == sentences(draw) == ["Ann drew two cards."]
    assert sentences(draw, is_open=True) == ["Ann drew 4♣ ★."]


def test_melds_make_one_clause_and_opening_names_them():
    meld = moved(
        1, event("melded", 0, "Tc Td 2h", text="T"), event("melded", 0, "4c 4d 4h 4s", text="4"), event("opened", 0)
    )
    assert sentences(meld) == ["Ann opened with two tens with one wild card and four fours."]
    more = moved(2, event("melded", 0, "Tc", text="T"), event("melded", 0, "2c", text="4"))
    assert sentences(meld, more) == [
        "Ann opened with two tens with one wild card and four fours, added one ten and 2♣ to the fours."
    ]


def test_an_undone_meld_is_not_told_but_in_the_full_story():
    moves = [
        moved(1, event("drew", 0, "4c", private=True)),
        moved(2, event("melded", 0, "Tc Td Th", text="T")),
        moved(3, event("undone", 0)),
        moved(4, event("discarded", 0, "Tc"), NEXT),
    ]
    assert sentences(*moves) == ["Ann discarded 10♣."]
    assert sentences(*moves, is_full=True) == ["Ann drew one card, melded three tens, undid a meld, discarded 10♣."]


def test_a_partners_answer_belongs_to_the_turn_and_what_begins_the_next_to_the_next():
    moves = [
        moved(1, event("asked", 0)),
        moved(2, event("answered", 2, text="no"), seat=2),
        moved(3, event("discarded", 0, "Kc"), NEXT, event("red_three_laid", 1, "3d")),
        moved(4, event("discarded", 1, "2c"), event("froze", 1), event("turn_began", 2), seat=1, by=Move.By.STAND_IN),
    ]
    assert sentences(*moves) == [
        "Ann asked to go out, Cem said no, discarded K♣.",
        "Ben laid 3♦, discarded 2♣, froze the pile (a bot played this turn).",
    ]
    assert sentences(moves[1]) == ["Cem said no."]
    assert sentences(moves[1], reader=2) == ["You said no."]


@pytest.mark.parametrize("how", ["went_out", "final_turns", "stock_out", "last_red_three", "all_kept"])
def test_the_end_of_a_deal_is_a_sentence_whether_or_not_more_is_told_of_the_turn(how):
    drew, over = event("drew", 0, "4c", private=True), event("deal_over", -1, text=how)
    alone, after = sentences(moved(1, drew, over)), sentences(moved(1, event("discarded", 0, "Tc"), over))
    assert not alone[0].startswith("Ann and")
    assert after[0].startswith("Ann discarded 10♣, and ")


def test_each_act_of_a_line_carries_what_the_board_shows_and_no_card_that_the_reader_may_not_see():
    moves = [
        moved(1, event("drew", 1, "4c 5d", private=True), seat=1),
        moved(2, event("melded", 1, "Tc Td", text="T"), seat=1),
        moved(3, event("melded", 1, "Th", text="T"), event("book_completed", 1, text="clean T"), seat=1),
        moved(4, event("discarded", 1, "Kc"), NEXT, seat=1),
    ]
    [line] = story.tell(moves, SEATS, 0)
    assert [(act.kind, act.move, act.is_plain) for act in line.acts] == [
        ("drew", 1, False),
        ("book_completed", 3, True),
        ("discarded", 4, True),
    ]
    html = line.acts_html
    assert 'data-act="drew" data-by="1" data-move="1" data-count="2" data-cards="" data-melds="" hidden' in html
    assert (
        'data-act="book_completed" data-by="1" data-move="3" data-count="3" data-cards="Tc Td Th" data-melds="T"'
        in html
    )
    assert not {"4c", "5d", "4 of clubs", "5 of diamonds"} & set(re.findall(r"[2-9TJQKA][cdhs]|\d of \w+", html))
    assert 'data-cards="4c 5d"' in story.tell(moves, SEATS, 1)[0].acts_html


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event_has_words(kind):
    texts = {"melded": "T", "book_completed": "dirty T", "answered": "yes", "deal_over": "stock_out"}
    cards = "Tc" if kind in ("melded", "discarded", "red_three_laid", "drew") else ""
    verb, _ = story.WORDS[kind](event(kind, 0, cards, 1, texts.get(kind, "")), ["Ann"])
    assert verb


def test_a_chip_shows_the_card_and_keeps_the_full_stop():
    line = story.tell([moved(1, event("discarded", 0, "9c"), NEXT)], SEATS, None)[0]
    assert line.html.startswith('discarded <span class="nowrap"><span class="ic c">')
    assert line.html.endswith("</span></span>.</span>")
    assert story.Chip("9c").name == "9 of clubs"


def test_names_are_escaped():
    seats = [Seat(number=0, name="<b>"), Seat(number=1, name="Ben"), Seat(number=2, name="<i>x")]
    line = story.tell([moved(1, event("asked", 0)), moved(2, event("answered", 2, text="yes"), seat=2)], seats, 1)[0]
    assert "&lt;i&gt;x said yes" in line.html


def test_since_tells_what_came_after_the_own_last_turn(seated, driver, django_assert_num_queries):
    def is_before_the_draw(table):
        return table.move_count > 60 and table.seat_to_act == 0 and table.moves.last().seat == 3

    table = driver.until(seated(), is_before_the_draw)
    seats = list(table.seats.all())
    with django_assert_num_queries(1):
        lines = story.since(table, seats[0], seats)
    assert [line.seat for line in lines] == [1, 2, 3]
    play.play(table.pk, seats[0].user, [DRAW], seen=table.move_count)
    table.refresh_from_db()
    seats = list(table.seats.all())
    assert [line.seat for line in story.since(table, seats[0], seats)] == [1, 2, 3]


def test_since_is_bounded(seated, driver):
    table = driver.until(seated(), lambda table: table.move_count > 150)
    seats = list(table.seats.all())
    seats[0].seen_number = 0
    assert len(story.since(table, seats[0], seats)) <= 12
    assert len(story.since(table, None, seats)) <= 4


def test_a_turn_is_told_in_the_language_of_its_reader():
    moves = [
        moved(1, event("drew", 0, "4c 5d", private=True)),
        moved(2, event("melded", 0, "Tc Td 2h", text="T"), event("opened", 0)),
        moved(3, event("melded", 0, "2c", text="T"), event("discarded", 0, "9c")),
    ]
    with translation.override("de"):
        assert sentences(*moves, reader=1) == [
            "Ann: Erstmeldung mit 2 Zehnen mit 1 wilden Karte, 2♣ an die Zehnen angelegt, 9♣ abgeworfen."
        ]
