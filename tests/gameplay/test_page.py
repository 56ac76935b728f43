"""The page's data: words, melds, piles, contract, dock; worked out from views alone."""

import re
from datetime import UTC, datetime

import pytest
from django.utils import translation

from accounts.models import User
from engine.play.cards import NAMES, THREE, parse_card, parse_cards
from engine.play.moves import parse_move
from engine.play.position import read_position
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.scoring import Item, Outcome
from engine.play.view import view
from gameplay.dry_run import dry_run
from gameplay.models import Seat, Table
from gameplay.page import board, markup
from gameplay.page.deal_score import Cell, score_sheet
from gameplay.page.hand_panel import dock, sort_hand
from gameplay.page.move_text import choices_of, move_words
from gameplay.page.seats import chair_places, clock_note, names_of, short_names
from gameplay.page.words import Reader, card_words, cards_words
from web.text import join_words

YOU = Reader("You")
NAMES_HERE = [YOU, "Tom", "Walter", "Priya"]


def table_view(seat=0, **position):
    return view(read_position({"rules": "standard", "dealer": 3, **position}), seat)


@pytest.mark.parametrize(
    ("card", "words"), [("8c", "8 of clubs"), ("Jh", "Jack of hearts"), ("Ts", "10 of spades"), ("Xb", "Black joker")]
)
def test_cards_in_words(card, words):
    assert card_words(parse_card(card)) == words


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("9c 9d 9h", "three 9s"),
        ("Td", "a 10"),
        ("5c 5d 2h", "two 5s with a wild card"),
        ("2c 2d Xr", "three wild cards"),
        ("4c 4d 9h", "two 4s and a 9"),
    ],
)
def test_several_cards_as_the_button_says_them(cards, words):
    assert cards_words(parse_cards(cards)) == words


def test_lists_in_words():
    assert [join_words(parts) for parts in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("draw", "Draw from the stock"),
        ("take 8c 8d", "Take the pile with two 8s"),
        ("take", "Take the pile onto your meld"),
        ("meld 5c 5d 5h, 8: 2h", "Meld three 5s and a wild card on eights"),
        ("discard Kc", "Discard the King of clubs"),
        ("answer no", "Answer no"),
        ("keep 2", "Keep the second stack"),
    ],
)
def test_moves_in_words(move, words):
    assert move_words(parse_move(move)) == words


def test_a_sentence_shows_its_cards_and_escapes_the_rest():
    html = markup.sentence("You do not have 5c <b>.")
    assert "5 of clubs" in html
    assert "&lt;b&gt;" in html


def test_every_card_has_a_face_a_chip_and_a_name():
    assert len(markup.FACE) == len(markup.CHIP) == len(markup.MINI) == len(set(markup.SPOKEN)) == 54
    assert len(set(markup.FACE)) == 54


def test_a_meld_says_what_it_holds_and_what_may_join():
    team = board.teams(
        table_view(melds={"0": ["T: Tc Td Th Ts Tc", "wild: 2c 2d Xr Xb", "K: Kc Kc Kd Kh Ks Kd Ks"]}), NAMES_HERE
    )
    tiles = {tile.name: tile for tile in team[-1].melds}
    assert tiles["T"].words == "Tens: 5 of 7, clean, no wild cards, one allowed"
    assert (tiles["T"].wilds, tiles["T"].takes_cards) == ("0/1", True)
    assert tiles["wild"].words == "Wild cards: 4 of 7, wild cards only"
    assert tiles["K"].words == "Kings: clean book, plus 500"
    assert (tiles["K"].wilds, tiles["K"].takes_cards) == ("+500", False)


@pytest.mark.parametrize(
    ("natural", "wild", "boxes"),
    [
        (3, 0, "p p p no no no no"),
        (5, 2, "p p p p p wd wd"),
        (9, 2, "p p p p p p p p p wd wd"),
        (20, 1, "p " * 13 + "wd"),
    ],
)
def test_a_meld_has_a_box_for_each_card_so_that_a_dirty_book_looks_dirty_at_any_size(natural, wild, boxes):
    classes = re.findall(r'class="([^"]+)"', markup.pips(natural, wild))
    assert [css.split()[-1] for css in classes] == boxes.split()


@pytest.mark.parametrize(("wild", "room"), [("", "1"), ("2c", "0")])
def test_an_own_meld_says_how_many_wild_cards_it_takes(wild, room):
    team = board.teams(table_view(melds={"0": [f"T: Tc Td Th {wild}".strip()]}), NAMES_HERE)[-1]
    assert f'data-meld="T" data-room="{room}"' in team.melds[0].html


def test_choices_with_the_same_words_name_their_cards():
    moves = [parse_move(text) for text in ("meld 9c 9d 9h", "meld 9c 9d 9s", "discard Kc")]
    assert [words for _, words in choices_of(moves)] == [
        "Meld three 9s: 9 of clubs, 9 of diamonds, 9 of hearts",
        "Meld three 9s: 9 of clubs, 9 of diamonds, 9 of spades",
        "Discard the King of clubs",
    ]


def test_the_stock_is_a_button_while_its_cards_can_be_drawn():
    position = {"phase": "draw", "stock": "4c 4d 4h", "hands": {"0": "Kc"}}
    assert board.piles(table_view(**position)).draws == "Draw two"
    assert board.piles(table_view(1, **position)).draws == ""
    assert board.piles(table_view(**{**position, "phase": "play"})).draws == ""


def test_the_own_side_comes_last_and_names_the_reader_first():
    assert [team.title for team in board.teams(table_view(2), ["Ann", "Tom", YOU, "Priya"])] == [
        "Tom and Priya",
        "You and Ann",
    ]


def test_a_spectator_sees_both_sides_and_no_button():
    teams = board.teams(table_view(None, melds={"0": ["T: Tc Td Th"]}), ["Ann", "Tom", "Walter", "Priya"])
    assert [team.title for team in teams] == ["Ann and Walter", "Tom and Priya"]
    assert not teams[0].melds[0].takes_cards


@pytest.mark.parametrize(
    ("position", "verdict", "reason"),
    [
        ({"pile": "3c 9c"}, f"You cannot take the discard pile while {markup.CHIP[parse_card('3c')]} is on top.", ""),
        (
            {"pile": "9c 4d", "phase": "draw", "hands": {"0": "9d Kc"}},
            "Not blocked.",
            "To take the top 2, you need two natural nines. You have one.",
        ),
        (
            {"pile": "9c", "hands": {"0": "Kd Kc"}},
            "Not blocked, but you have already drawn.",
            "To take this card, you need two natural nines. You have none.",
        ),
    ],
)
def test_the_pile_says_why(position, verdict, reason):
    piles = board.piles(table_view(**position))
    assert (piles.verdict, piles.reason) == (verdict, reason)


def test_the_contract_as_a_checklist():
    checks = board.contract(table_view(feet={"0": "Qc Qd", "2": None}, foot_turns=[0, 0, 1, 0]), NAMES_HERE)
    assert [(f"{check.whose} {check.short}".strip(), check.value, check.is_done) for check in checks] == [
        ("Clean", "0/2", False),
        ("Dirty", "0/2", False),
        ("Wild", "0/1", False),
        ("Your foot", "not picked up", False),
        ("Walter’s foot", "played", True),
        ("Walter’s yes", "ask first", False),
    ]


@pytest.mark.parametrize(("preset", "words"), [("standard", " books"), ("family", " books"), ("bain", " canasta")])
def test_books_are_called_what_the_ruleset_calls_them(preset, words):
    assert board.contract(table_view(rules=preset), NAMES_HERE)[0].rest == words


@pytest.mark.parametrize(
    ("preset", "words", "expected"),
    [
        ("standard", "book", ">Book<"),
        ("family", "book", ">Book<"),
        ("bain", "canasta", '><span class="wide">Canasta</span><span class="slim">7</span><'),
    ],
)
def test_a_meld_that_is_complete_is_called_so_too(preset, words, expected):
    tile = board.teams(table_view(rules=preset, melds={"0": ["K: Kc Kc Kd Kh Ks Kd 2s"]}), NAMES_HERE)[-1].melds[0]
    assert tile.words.startswith(f"Kings: dirty {words}, plus ")
    assert expected in tile.html


def test_the_lines_of_a_score_sheet_name_books_so_too():
    items = tuple(Item(kind, 1, 100) for kind in ("clean", "dirty", "wild", "sevens"))
    sheets = [
        score_sheet(Outcome((items,), (400,), (400,), None), {0: "Us"}, Rules.preset(p)) for p in ("family", "pennies")
    ]
    assert [[line.words for line in sheet.lines] for sheet in sheets] == [
        ["Clean books", "Dirty books", "Wild books", "Books of sevens"],
        ["Clean books", "Dirty books", "Wild books", "Books of sevens"],
    ]


def test_a_player_whose_short_name_needs_a_mark_keeps_it_beside_what_is_meant():
    checks = board.contract(table_view(), [YOU, "Priya", "Tom F.", "Tom W."])
    assert [(check.whose, check.short) for check in checks[-2:]] == [("Tom", "F.’s foot"), ("Tom", "F.’s yes")]


def test_a_partner_who_has_left_is_named_undivided():
    checks = board.contract(table_view(), [YOU, "Priya", "former member", "Walter"])
    assert [(check.whose, check.short) for check in checks[-2:]] == [
        ("former member’s", "foot"),
        ("former member’s", "yes"),
    ]
    with translation.override("de"):
        seats = [Seat(number=2, name="former member")]
        assert [str(seats[0]), *short_names([str(seats[0])])] == ["ehemaliges Mitglied"] * 2
        checks = board.contract(table_view(), [YOU, "Priya", str(seats[0]), "Walter"])
    assert [check.whose for check in checks[-2:]] == ["ehemaliges Mitglied:"] * 2


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["You", "Tom Featherstone", "Walter Okafor", "Priya"], ["You", "Tom", "Walter", "Priya"]),
        (["You", "Tom Featherstone", "Tom Wolfe", "Priya"], ["You", "Tom F.", "Tom W.", "Priya"]),
        (["You", "Tom Wolfe", "Tom Webb", "tom"], ["You", "Tom 2", "Tom 3", "tom 4"]),
        (["You", "Tom (guest)", "Tom Wolfe", "(guest)"], ["You", "Tom 2", "Tom 3", "(guest)"]),
        (["You", "former member", "Walter Okafor", "Priya"], ["You", "former member", "Walter", "Priya"]),
        (["You", "former member", "former member"], ["You", "former member 2", "former member 3"]),
        (["Bartholomew Ash", "Bartholomäus Elm"], ["Bartholomew A.", "Bartholomäus E."]),
    ],
)
def test_short_names_tell_players_apart(names, short):
    assert short_names(names) == short


def test_opening_says_what_it_took_once_it_is_done():
    opening = board.opening(table_view(opened={"0": True}, opener={"0": 2}), NAMES_HERE)
    assert (opening.words, opening.value) == ("Opened by Walter", "50 were needed")


def test_points_on_the_table_leave_out_what_is_in_hands():
    state = table_view(melds={"0": ["K: Kc Kc Kd Kh Ks Kd Ks"]}, red_threes={"0": "3h"}).position
    assert board.points_on_table(state, 0) == 500 + 70 + 100


@pytest.mark.parametrize(
    ("order", "own_order", "groups"),
    [
        ("rank", "", [["As", "Ad"], ["9h", "9c"], ["3s"], ["2d", "Xr"]]),
        ("low", "", [["3s"], ["9h", "9c"], ["As", "Ad"], ["2d", "Xr"]]),
        ("suit", "", [["As", "3s"], ["9h"], ["Ad"], ["9c"], ["2d", "Xr"]]),
        ("book", "", [["3s"], ["As", "Ad"], ["9h", "9c"], ["2d", "Xr"]]),
        ("own", "9c Xr As", [["9c", "Xr", "As", "Ad", "9h", "3s", "2d"]]),
    ],
)
def test_the_hand_is_sorted_as_the_player_likes_it(order, own_order, groups):
    hand = bytes(sorted(parse_cards("2d 3s 9c 9h As Ad Xr")))
    assert [[NAMES[card] for card in cards] for _, cards in sort_hand(hand, order, own_order, {THREE})] == groups


def hand_panel(table=None, seat=0, **position):
    table = table or Table(status=Table.Status.PLAYING, seat_to_act=seat)
    return dock(table, table_view(seat, **position), Seat(number=seat, user=User()), NAMES_HERE)


def test_to_draw_there_are_two_buttons_and_the_second_says_what_it_takes():
    acts = hand_panel(phase="draw", pile="5h 9c", opened={"0": True}, hands={"0": "5c 5d Kc Kd"}).acts
    assert [(act.words, act.moves, act.why_not) for act in acts] == [
        ("Draw two", "draw", ""),
        ("Take 2 with two 5s", "take 5c 5d", ""),
    ]


def test_a_pile_that_cannot_be_taken_says_why_on_its_button():
    acts = hand_panel(phase="draw", pile="5h 9c", opened={"0": True}, hands={"0": "5c Kc Kd"}).acts
    assert (acts[1].words, acts[1].moves, acts[1].why_not) == ("Take 2", "", "needs two fives")


def test_who_is_asked_answers_yes_or_no():
    panel = hand_panel(seat=0, phase="answer", turn=2, hands={"0": "Kc 4d"}, feet={"0": None, "2": None})
    assert [act.moves for act in panel.acts] == ["answer yes", "answer no"]
    assert panel.question == "Walter asks: may I go out?"
    assert panel.left_points == 15


@pytest.mark.parametrize(("grabs", "count"), [([None] * 4, 0), ([22, None, None, None], 2)])
def test_a_hand_is_seen_once_it_is_lifted(grabs, count):
    lifting = hand_panel(phase="lift", rules="denexa", turn=1, grabs=grabs, hands={"0": "Kc Kd"})
    assert (lifting.count, len(lifting.hand), lifting.left_points) == (count, count // 2, 0)


def test_who_is_not_to_act_waits():
    assert hand_panel(turn=1).kind == "wait"
    assert hand_panel(Table(status=Table.Status.PLAYING, is_between_deals=True)).kind == "between"
    assert hand_panel(Table(status=Table.Status.PLAYING, paused_at=datetime.now(UTC))).kind == "paused"
    assert hand_panel(Table(status=Table.Status.OVER)).kind == "over"


@pytest.mark.parametrize(
    ("moves", "code", "points"),
    [
        (["meld 9c 9d 9h"], "below_minimum", 30),
        (["meld 9c 9d 9h, Ac Ad Ah"], None, 90),
        (["meld 9c 9d 9h, Ac Ad Ah", "discard Kc"], None, 90),
        (["meld 9c 9d 9h, Ac Ad Ah", "discard 4c"], "not_held", 90),
        (["meld 9c 9d Kc"], "mixed_ranks", 30),
    ],
)
def test_a_dry_run_says_what_the_rules_would(moves, code, points):
    verdict = dry_run(table_view(hands={"0": "9c 9d 9h Ac Ad Ah Kc Kd"}), [parse_move(move) for move in moves])
    assert (verdict.refusal and verdict.refusal.code, verdict.points, verdict.minimum) == (code, points, 50)


def test_a_dry_run_stops_where_hidden_cards_would_be_needed():
    verdict = dry_run(
        table_view(hands={"0": "9c 9d 9h"}, opened={"0": True}), [parse_move("meld 9c 9d 9h"), parse_move("discard Kc")]
    )
    assert verdict.refusal is None


def test_a_score_sheet_has_a_line_for_what_either_side_has():
    result = Outcome(
        ((Item("clean", 2, 1000), Item("left", 3, -25)), (Item("out", 1, 100),)), (975, 100), (1075, 600), (0,)
    )
    sheet = score_sheet(result, {1: "Them", 0: "Us"}, Rules.preset("bain"))
    assert [(line.words, line.cells) for line in sheet.lines] == [
        ("Clean canastas", [None, Cell(2, 1000)]),
        ("Going out", [Cell(0, 100), None]),
        ("Cards left in hand and foot", [None, Cell(0, -25)]),
    ]
    assert (sheet.before, sheet.deal, sheet.totals, sheet.winners) == ([500, 100], [100, 975], [600, 1075], ["Us"])


def test_with_a_knee_the_score_sheet_names_it():
    result = Outcome(((Item("red_threes_held", 1, -100), Item("left", 3, -25)),), (-125,), (-125,), None)
    sheet = score_sheet(result, {0: "Us"}, Rules.preset("knee"))
    assert [line.words for line in sheet.lines] == [
        "3♥ and 3♦ in hand, knee or foot",
        "Cards left in hand, knee and foot",
    ]


def test_the_clock_in_a_sentence():
    assert clock_note(Table(clock="move", clock_hours=48)) == "2 days per turn."
    assert clock_note(Table(clock="bank", clock_hours=72, increment_hours=8)) == "Time bank: 3 days, plus 8 h per turn."
    assert clock_note(Table(clock="none")) == "No clock. Take your time."
    assert clock_note(Table(clock="none", status=Table.Status.OVER)) == ""


def test_the_reader_is_called_you():
    assert names_of([Seat(number=0, name="Ann"), Seat(number=1, name="Ada (bot)")], 0) == ["You", "Ada"]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_ruleset_explains_its_wild_cards(preset):
    state = view(read_position({"rules": preset}), 0).position
    assert board.wild_note(state).startswith("Wild cards in a meld: ")
    assert Rules.preset(preset).title


@pytest.mark.parametrize(
    ("count", "places"),
    [
        (1, ["at-t"]),
        (2, ["at-l", "at-r"]),
        (3, ["at-l", "at-t", "at-r"]),
        (5, ["at-l row-1", *["at-t of-3"] * 3, "at-r row-1"]),
        (7, ["at-l row-2", "at-l row-1", *["at-t of-3"] * 3, "at-r row-1", "at-r row-2"]),
    ],
)
def test_players_sit_clockwise_from_the_left_of_the_reader(count, places):
    assert chair_places(count) == places


def test_each_number_of_players_has_a_place_for_everyone():
    assert [len(chair_places(count)) for count in range(13)] == list(range(13))


@pytest.mark.parametrize(
    ("position", "mark"), [({"pile": "3c"}, "blocked"), ({"pile": "9c", "frozen": True}, "frozen"), ({}, "")]
)
def test_the_pile_says_that_it_is_blocked_or_frozen(position, mark):
    assert board.piles(table_view(phase="draw", hands={"0": "4h 5s"}, **position)).mark == mark
