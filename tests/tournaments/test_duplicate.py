"""Duplicate at real tables: boards with keys, dealing sheets, where boards go, results by board, and what stays secret."""

import json
import re
from collections import Counter
from hashlib import sha256
from itertools import pairwise

import pytest
from django.urls import reverse
from django.utils import timezone

from engine.play.cards import write_cards
from engine.play.deal import commitment
from engine.play.game import new_game
from engine.play.rules import Rules
from tests.at_once import at_once
from tests.makers import finish_match
from tests.tournaments import driving
from tournaments.duplicate import cards, entering, movement, preparing, services, traveller
from tournaments.hall import screen
from tournaments.hall import services as hall_services
from tournaments.models import Act, Board, Entry, Hall, Member, Pairing, Place, TypedScores
from tournaments.plan import standard
from tournaments.plan_checks import plan_problems
from tournaments.score_sheets import services as score_sheets
from tournaments.services import history
from tournaments.services.entries import bulk_entry, name_claims, partners
from tournaments.services.entries.bulk_entry import Names
from tournaments.services.events import lifecycle, organisers
from tournaments.services.matches import boards as shared
from tournaments.services.matches import match_scheduling, results
from tournaments.services.matches.scores import points_by_deal
from tournaments.services.stages import stage_decisions, stage_plans
from web.errors import NotAllowed, Refused

pytest_plugins = ["tests.tournaments.online"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(new_event):
    """Makes a duplicate evening of eight pairs at real tables, under way: seven boards, one in each round at a table."""

    def make(entries=8, *, deals=1, **choices):
        rules = Rules.make("standard", {"length": {"deals": deals}}).write()
        options = {"kind": "partnership", "setting": "face", "rules_json": rules, "started": True} | choices
        return new_event("howell", entries, **options)

    return make


def stage_of(event):
    stage = event.stages.get()
    stage.tournament = event
    return stage


def keys(event):
    return set(Board.objects.filter(stage__tournament=event).values_list("key", flat=True))


def pairings_on(event, number):
    return [
        row
        for row in Pairing.objects.filter(round__stage__tournament=event).order_by("round__number", "number")
        if row.boards == [number]
    ]


# Boards and their keys


def test_the_boards_of_an_evening_have_keys_as_soon_as_it_is_drawn(evening):
    event = evening()
    boards = Board.objects.filter(stage__tournament=event)
    assert [(board.number, board.deal, board.issue, board.opened_at) for board in boards] == [
        (number, 1, 1, None) for number in range(1, 8)
    ]
    assert len(keys(event)) == 7


def test_an_evening_without_shared_deals_has_no_boards(new_event):
    event = new_event("swiss", 4, setting="face", started=True)
    assert not Board.objects.filter(stage__tournament=event).exists()


def test_online_and_real_tables_of_one_field_have_the_same_boards(evening, olga):
    event = evening(4, setting="mixed", started=False)
    event.refresh_from_db()
    printed = services.print_sheets(stage_of(event).pk, olga)
    lifecycle.start(event.pk, olga)
    table = Pairing.objects.filter(round__stage__tournament=event, table__isnull=False).first()
    board = Board.objects.get(stage__tournament=event, number=table.boards[0], issue=1)
    deal = table.table.deals.get(number=1)
    assert deal.key == board.key
    sheet = next(sheet for sheet in printed.sheets if sheet.label == table.boards[0])
    state = new_game(event.rules, bytes.fromhex(deal.key), seats=4, team_size=2)
    assert [card.index for card in sheet.seats[1].stacks[0].cards] == list(state.hands[1])


# Dealing sheets


def test_the_printed_cards_of_a_board_are_its_packs(evening, olga):
    event = evening()
    printed = services.print_sheets(stage_of(event).pk, olga)
    assert [sheet.label for sheet in printed.sheets] == [1, 2, 3, 4, 5, 6, 7]
    for sheet in printed.sheets:
        indexes = sorted(card.index for stack in sheet.stacks for card in stack.cards)
        assert bytes(indexes) == bytes(sorted(event.rules.pack(4)))
        assert sheet.count == 270
    assert printed.act.sentence == "The dealing sheets of boards 1 to 7 were printed."
    assert printed.act.by == olga


def test_a_building_plan_has_every_card_of_the_packs(evening, olga):
    event = evening()
    sheet = services.print_sheets(stage_of(event).pk, olga, first=3, last=3).sheets[0]
    rows = cards.sorted_rows(sheet)
    assert Counter({row.card.index: row.total for row in rows}) == Counter(event.rules.pack(4))
    assert [sum(counts) for counts in zip(*(row.counts for row in rows), strict=True)] == [13] * 8 + [1, 165]


@pytest.mark.parametrize(
    ("name", "seats", "team", "stacks"),
    [
        ("knee", 4, 2, ["Hand", "Knee", "Foot"]),
        ("klassa", 4, 2, ["First stack", "Second stack"]),
        ("fives", 4, 2, ["Hand", "Foot"]),
        ("standard", 6, 3, ["Hand", "Foot"]),
    ],
)
def test_sheets_of_other_rulesets(name, seats, team, stacks):
    rules = Rules.preset(name)
    board = Board(number=1, deal=1, issue=1, key=sha256(b"1").hexdigest())
    sheet = cards.sheet_of(board, rules, 1, seats=seats, team_size=team)
    assert [stack.name for stack in sheet.seats[0].stacks] == stacks
    assert bytes(sorted(card.index for stack in sheet.stacks for card in stack.cards)) == bytes(
        sorted(rules.pack(seats))
    )


def test_boards_can_be_printed_before_the_draw_for_the_pairs_so_far(evening, olga):
    event = evening(started=False)
    before = services.print_sheets(stage_of(event).pk, olga).sheets
    lifecycle.start(event.pk, olga)
    assert [sheet.label for sheet in before] == list(range(1, 8))
    after = services.print_sheets(stage_of(event).pk, olga).sheets
    assert before == after


def test_printing_twice_with_one_key_is_one_line_of_the_history(evening, olga):
    event = evening()
    first = services.print_sheets(stage_of(event).pk, olga, request_key="one")
    again = services.print_sheets(stage_of(event).pk, olga, request_key="one")
    assert (first.act, first.sheets) == (again.act, again.sheets)
    assert Act.objects.filter(tournament=event, kind="boards").count() == 1


def test_boards_that_do_not_exist_are_refused_with_a_sentence(evening, olga, refuses):
    event = evening()
    with pytest.raises(Refused) as refused:
        services.print_sheets(stage_of(event).pk, olga, first=90, last=99)
    assert refused.value.sentence == "Boards not found. Choose boards that are still to be played."
    assert not Board.objects.filter(printed_at__isnull=False).exists()


# The right to print


def test_an_organiser_who_plays_is_refused_with_a_sentence(evening, olga):
    event = evening()
    member = Member.objects.filter(tournament=event).first()
    organisers.add_organiser(event.pk, olga, person=member.user.username, role="owner")
    with pytest.raises(NotAllowed) as refused:
        services.print_sheets(stage_of(event).pk, member.user)
    assert refused.value.sentence.startswith("You play in this event, so you cannot see its cards.")
    assert not Act.objects.filter(tournament=event, kind="boards").exists()


def test_an_organiser_entered_by_name_alone_is_refused_too(evening, olga):
    event = evening()
    Member.objects.filter(tournament=event, entry__number=1, position=0).update(user=None, name="OLGA")
    with pytest.raises(NotAllowed):
        services.print_sheets(stage_of(event).pk, olga)


def test_a_dealer_prints_and_a_scorer_does_not(evening, olga, person):
    event = evening()
    dan, sue = person("Dan"), person("Sue")
    organisers.add_organiser(event.pk, olga, person="Dan", role="dealer")
    organisers.add_organiser(event.pk, olga, person="Sue", role="scorer")
    assert len(services.print_sheets(stage_of(event).pk, dan).sheets) == 7
    with pytest.raises(NotAllowed):
        services.print_sheets(stage_of(event).pk, sue)


def test_somebody_who_printed_the_boards_cannot_play_them(evening, olga):
    event = evening(started=False, entries=7)
    services.print_sheets(stage_of(event).pk, olga)
    entry = Entry.objects.filter(tournament=event).first()
    member = entry.members.first()
    Member.objects.filter(pk=member.pk).update(user=None)
    with pytest.raises(Refused) as refused:
        name_claims.claim([member.pk], olga, by=olga)
    assert refused.value.sentence == "Olga printed the dealing sheets of this event and knows its cards."
    spare = entry.members.last()
    Member.objects.filter(pk=spare.pk).delete()
    for who in (olga, "olga"):
        with pytest.raises(Refused):
            partners.invite(entry.pk, olga, person=who)
    with pytest.raises(Refused):
        bulk_entry.enter_list(event.pk, olga, lines=[Names(["Olga", "Pat"])])


# What printed boards fix

PRINTED = "The boards of Howell have been printed, so its rules, packs and players at a table stay as they are."
OTHER_RULES = {"rules": Rules.make("standard", {"decks": 6, "length": {"deals": 1}})}


def test_rules_stay_as_they_are_once_boards_are_printed(evening, olga):
    event = evening(started=False)
    stage = stage_of(event)
    services.print_sheets(stage.pk, olga)
    before = keys(event)
    for change in (
        lambda: lifecycle.change_settings(event.pk, olga, changes=OTHER_RULES),
        lambda: lifecycle.change_settings(event.pk, olga, changes={"length": {"deals": 2}}),
        lambda: lifecycle.change_settings(event.pk, olga, changes={"setting": "online"}),
        lambda: stage_plans.change_stage_plan(stage.pk, olga, plan=standard("howell", own_terms={"deals": 2})),
        lambda: stage_plans.change_stage_plan(stage.pk, olga, plan=standard("swiss", rounds=3)),
    ):
        with pytest.raises(Refused) as refused:
            change()
        assert (refused.value.code, refused.value.sentence.startswith(PRINTED)) == ("boards_printed", True)
    assert keys(event) == before
    assert lifecycle.change_settings(event.pk, olga, changes={"name": "Quay"}).sentence == "Changed: name."
    assert stage_plans.change_stage_plan(stage.pk, olga, plan=standard("howell", round_minutes=20))


def test_an_earlier_change_of_the_rules_is_not_undone_once_boards_are_printed(evening, olga):
    event = evening(started=False)
    act = lifecycle.change_settings(event.pk, olga, changes=OTHER_RULES)
    sheet = services.print_sheets(stage_of(event).pk, olga).sheets[0]
    assert sheet.packs == 6
    with pytest.raises(Refused) as refused:
        history.undo(act.pk, by=olga)
    assert refused.value.code == "boards_printed"


def test_printed_boards_can_be_declared_void(evening, olga, desk_of):
    event = evening(started=False)
    services.print_sheets(stage_of(event).pk, olga)
    path = reverse("tournaments:organise_boards", args=[event.slug, 1])
    desk = desk_of(olga)
    assert desk.send(path, "/boards/print/", "void").status_code == 302
    assert "All printed boards of Howell are void. Its next boards have other cards." in desk.get(path)
    assert not Board.objects.filter(stage__tournament=event).exists()
    lifecycle.change_settings(event.pk, olga, changes=OTHER_RULES)
    assert services.print_sheets(stage_of(event).pk, olga).sheets[0].packs == 6


def test_programs_declare_printed_boards_void(evening, olga, program):
    event = evening(started=False)
    bot, at = program(olga), f"events/{event.slug}"
    assert len(bot.post(f"{at}/stages/1/boards/deal/", 200)["sheets"]) == 7
    assert bot.post(f"{at}/settings/", 422, length={"deals": 2})["code"] == "boards_printed"
    answer = bot.post(f"{at}/stages/1/boards/deal/", 200, is_void=True)
    assert (answer["sheets"], answer["sentence"][:36]) == ([], "All printed boards of Howell are voi")
    bot.post(f"{at}/settings/", 200, length={"deals": 2})


def test_boards_of_a_stage_that_has_started_are_not_void(evening, olga):
    event = evening()
    services.print_sheets(stage_of(event).pk, olga)
    before = keys(event)
    with pytest.raises(Refused, match="has started, so its boards stay as they are"):
        services.void_boards(stage_of(event).pk, olga)
    assert keys(event) == before


@pytest.mark.django_db(transaction=True)
def test_printing_and_changing_the_rules_at_once_never_leave_sheets_of_other_rules(evening, olga):
    event = evening(started=False)
    outcomes = at_once(
        lambda: services.print_sheets(stage_of(event).pk, olga),
        lambda: lifecycle.change_settings(event.pk, olga, changes=OTHER_RULES),
    )
    printed, changed = outcomes
    assert isinstance(printed, services.Printed), printed
    event.refresh_from_db()
    packs = event.rules.deck_count(4)
    assert {sheet.packs for sheet in printed.sheets} == {packs}
    if isinstance(changed, Exception):
        assert (changed.code, packs) == ("boards_printed", 5)
    else:
        assert packs == 6


# The right to print, on the page of printouts


def test_the_print_page_leads_dealers_who_do_not_play_to_the_boards(evening, olga, person, client):
    event = evening()
    address = reverse("tournaments:organise_boards", args=[event.slug, 1])
    page = reverse("tournaments:print", args=[event.slug])
    dan, sue = person("Dan"), person("Sue")
    organisers.add_organiser(event.pk, olga, person="Dan", role="dealer")
    organisers.add_organiser(event.pk, olga, person="Sue", role="scorer")
    player = Member.objects.filter(tournament=event).first().user
    organisers.add_organiser(event.pk, olga, person=player.username, role="owner")
    for user, is_there in ((olga, True), (dan, True), (sue, False), (player, False), (None, False)):
        client.logout()
        if user is not None:
            client.force_login(user)
        assert (address in client.get(page).content.decode()) == is_there, user


# Online and real tables


def test_online_and_real_tables_are_one_field_with_the_same_boards(evening, olga):
    event = evening(4, setting="mixed", started=False)
    printed = services.print_sheets(stage_of(event).pk, olga)
    lifecycle.start(event.pk, olga)
    online, at_table = pairings_on(event, 1)
    match_scheduling.set_online(at_table.pk, olga, online=False)
    online, at_table = pairings_on(event, 1)
    assert (online.is_online, at_table.is_online, online.issue, at_table.issue) == (True, False, 1, 1)
    (sheet,) = [each for each in printed.sheets if each.label == 1]
    dealt = new_game(event.rules, bytes.fromhex(online.table.deals.get(number=1).key), seats=4, team_size=2)
    assert [card.index for card in sheet.seats[1].stacks[0].cards] == list(dealt.hands[1])
    finish_match(online.table, [900, 500], [0])
    online.table.deals.update(result={"deal_score": [900, 500], "sheets": [[], []]})
    results.record_table_result(online.table_id)
    assert Board.objects.get(stage__tournament=event, number=1, issue=1).opened_at is None
    entering.enter_board(stage_of(event).pk, olga, label=1, scores={at_table.pk: (700, 600)})
    points = {row.pk: [int(place.points) for place in row.places.order_by("number")] for row in pairings_on(event, 1)}
    assert points == {online.pk: [2, 0], at_table.pk: [0, 2]}
    board = Board.objects.get(stage__tournament=event, number=1, issue=1)
    assert board.opened_at is not None
    assert [row.margin for row in traveller.traveller(stage_of(event), board)] == [400, 100]


# Rulesets


@pytest.mark.parametrize(
    ("rules", "start"),
    [
        (Rules.preset("family"), "By these rules players lift their cards"),
        (Rules.preset("bain"), "Boards at real tables need matches of a set number of deals"),
        (Rules.make("standard", {"stock_out": "reshuffle"}), "By these rules the discard pile is shuffled"),
        (Rules.make("standard", {"decks": 12}), "Each board would need 12 packs."),
    ],
)
def test_rulesets_whose_cards_cannot_be_prepared_are_refused(new_event, rules, start):
    event = new_event("howell", 8, kind="partnership", setting="face", rules_json=rules.write())
    assert plan_problems(event, [standard("howell")])[0].startswith(start)
    event.setting = "online"
    assert plan_problems(event, [standard("howell")]) == []


def test_the_standard_rules_can_be_prepared():
    assert preparing.why_not(Rules.preset("standard"), 4) == ""


# The way of the boards


def test_the_movement_says_where_each_board_goes_next(evening):
    event = evening()
    way = movement.all_tables(stage_of(event))
    for number in range(1, 8):
        stops = pairings_on(event, number)
        for now, after in pairwise(stops):
            assert (way[now.pk].after.round, way[now.pk].after.table) == (after.round.number, after.number)
        assert way[stops[-1].pk].after is None
    tables = {(each.round, each.table): each for each in way.values()}
    assert tables[1, 1].title == "Board 1"


def test_words_of_where_a_board_goes():
    stop = movement.Stop
    assert movement.OnTable((5,), 1, 2, stop(2, 3)).next_words == "Then take board 5 to table 3."
    assert movement.OnTable((9, 10), 1, 2, stop(2, 2)).next_words == "Then boards 9 and 10 stay here."
    words = "Then put board 5 aside. Table 1 plays it in round 4."
    assert movement.OnTable((5,), 1, 2, stop(4, 1)).next_words == words
    assert movement.OnTable((5,), 7, 2, None).next_words == "Then give board 5 back."


def start_round(event, by, number):
    stage_decisions.start_round(event.stages.get().pk, number, by=by)


def finish_round(event, by, number):
    """Start a round that waits for it, and enter its results."""
    start_round(event, by, number)
    for row in Pairing.objects.filter(round__stage__tournament=event, round__number=number).order_by("number"):
        driving.decide(row, by)


def test_after_a_round_every_board_goes_where_the_movement_has_it(evening, olga):
    event = evening(waits_for_go=True)
    assert movement.moves(stage_of(event)) is None
    finish_round(event, olga, 1)
    moves = movement.moves(stage_of(event))
    assert moves.title == "After round 1: move the boards"
    rows = Pairing.objects.filter(round__stage__tournament=event).select_related("round").order_by("round__number")
    now, following = ({row.boards[0]: row.number for row in rows if row.round.number == at} for at in (1, 2))
    assert (len(moves.sentences), len(following)) == (len({*now, *following}), 4)
    for board, table in following.items():
        words = f"stays at table {table}" if now.get(board) == table else f"goes to table {table}"
        assert f"Board {board} {words}." in moves.sentences
    for board in set(now) - set(following):
        later = min(row.round.number for row in rows if row.boards == [board] and row.round.number > 2)
        assert f"Board {board} is put aside until round {later}." in moves.sentences
    start_round(event, olga, 2)
    assert movement.moves(stage_of(event)) == moves
    driving.decide(Pairing.objects.get(round__stage__tournament=event, name="R2.1"), olga)
    assert movement.moves(stage_of(event)) is None


def test_after_the_last_round_the_boards_are_given_back(evening, olga):
    event = evening(4, deals=2, waits_for_go=True)
    for number in (1, 2, 3):
        finish_round(event, olga, number)
        if number == 1:
            first, second = movement.moves(stage_of(event)).sentences
            assert first == "Boards 3 and 4 go to tables 1 and 2."
            assert second == "Boards 1 and 2 are given back."
    assert movement.moves(stage_of(event)).sentences == ("Boards 5 and 6 are given back.",)


def test_the_hall_and_the_pages_of_a_player_say_where_the_boards_go(evening, olga, client):
    event = evening(waits_for_go=True)
    hall_services.open_screen(event.pk, olga)
    hall = Hall.objects.select_related("tournament").get(tournament=event)
    finish_round(event, olga, 1)
    sentences = movement.moves(stage_of(event)).sentences
    (page,) = [page for page in screen.pages(hall.tournament, hall, timezone.now()) if page.kind == "boards"]
    assert (page.title, page.boards) == ("After round 1: move the boards", sentences)
    shown = client.get(reverse("tournaments:screen", args=[hall.token]), {"page": 1}).content.decode()
    assert sentences[0] in shown
    pairing = Pairing.objects.get(round__stage__tournament=event, name="R1.2")
    way = movement.all_tables(stage_of(event))
    entry = pairing.places.first().entry
    client.force_login(entry.members.first().user)
    assert way[pairing.pk].move_words in sentences
    for address in (
        reverse("tournaments:mine"),
        reverse("tournaments:event", args=[event.slug]),
        reverse("tournaments:entry", args=[event.slug, entry.number]),
        reverse("tournaments:match", args=[event.slug, 1, "R1.2"]),
    ):
        assert way[pairing.pk].move_words in client.get(address).content.decode(), address
    start_round(event, olga, 2)
    kinds = [page.kind for page in screen.pages(hall.tournament, hall, timezone.now())]
    assert kinds == ["boards", "tables"]


def test_an_event_without_boards_has_no_word_of_them(new_event, olga):
    event = new_event("swiss", 8, setting="face", started=True)
    driving.play_round(event, olga)
    assert movement.moves(stage_of(event)) is None


def test_boards_of_several_deals_are_counted_through(evening):
    event = evening(deals=2)
    way = movement.all_tables(stage_of(event))
    assert sorted({each.title for each in way.values()})[0] == "Boards 1 and 2"
    assert Board.objects.filter(stage__tournament=event).count() == 14


def test_four_pairs_need_each_board_twice(evening):
    event = evening(4)
    rows = Pairing.objects.filter(round__stage__tournament=event).select_related("round")
    assert movement.copies(rows) == 2


# Results by board


def test_a_board_is_scored_against_all_tables_that_played_it(evening, olga):
    event = evening()
    stage, rows = stage_of(event), pairings_on(event, 1)
    scores = {row.pk: (500 + 100 * at, 400) for at, row in enumerate(rows)}
    act = entering.enter_board(stage.pk, olga, label=1, scores=scores)
    assert act.sentence == "Board 1: the results of 4 tables were entered."
    points = [[int(place.points) for place in Place.objects.filter(pairing=row).order_by("number")] for row in rows]
    assert points == [[0, 6], [2, 4], [4, 2], [6, 0]]


def test_a_match_of_two_boards_has_its_result_with_the_second(evening, olga):
    event = evening(deals=2)
    stage, rows = stage_of(event), pairings_on(event, 1)
    entering.enter_board(stage.pk, olga, label=1, scores={row.pk: (600, 500 + 100 * at) for at, row in enumerate(rows)})
    assert TypedScores.objects.count() == 4
    assert Pairing.objects.get(pk=rows[0].pk).result is None
    entering.enter_board(stage.pk, olga, label=2, scores={row.pk: (600, 500 + 100 * at) for at, row in enumerate(rows)})
    assert not TypedScores.objects.exists()
    assert [line["deals"] for line in Pairing.objects.get(pk=rows[1].pk).result.lines] == [[600, 600], [600, 600]]
    first = Place.objects.filter(pairing=rows[0]).order_by("number")
    assert [int(place.points) for place in first] == [12, 0]


def test_the_score_sheet_of_a_phone_goes_by_board(evening, client):
    row = Pairing.objects.get(round__stage__tournament=evening(deals=2), name="R1.2")
    first, second = labels = score_sheets.read(row).terms.boards
    sides = [place.entry for place in row.places.order_by("number")]
    client.force_login(sides[0].members.first().user)
    address = f"{row.get_absolute_url()}score/"
    page = client.get(address).content.decode()
    assert f", board {first}" in " ".join(page.split())
    assert (f"Save board <span data-number>{first}</span>" in page, "Final score" in page) == (True, False)
    filled = {"by": "deals", "act": "save", "s0-points": "600", "s1-points": "500"}
    page = client.post(address, filled | {"deal": "1"}, follow=True).content.decode()
    assert (f"Board {first} saved." in page, f"Board {second}, the last" in page) == (True, True)
    lacking = f"Enter board {second} first. Each board counts alone. If one cannot be played, ask an organiser."
    user = sides[0].members.first().user
    for early in ({"is_early": True}, {}):
        with pytest.raises(Refused) as refused:
            score_sheets.send(row.pk, sides[0].pk, by=user, **early)
        assert refused.value.sentence == lacking
    with pytest.raises(Refused, match=f"Enter board {first} first"):
        score_sheets.send(row.pk, sides[0].pk, by=user, final=(600, 500))
    with pytest.raises(Refused, match="Each board counts alone"):
        score_sheets.stop(row.pk, sides[0].pk, is_stopped=True)
    client.post(address, filled | {"deal": "2", "s1-points": "700"})
    client.post(address, {"act": "send"})
    client.force_login(sides[1].members.first().user)
    page = client.get(f"{row.get_absolute_url()}answer/").content.decode()
    assert all(f'<th scope="row">{label}</th>' in page for label in labels)
    results.answer(row.results.get().pk, by=sides[1].members.first().user, agrees=True)
    assert points_by_deal(Pairing.objects.get(pk=row.pk).result) == [[600, 600], [500, 700]]


def test_scores_that_cannot_be_right_are_refused_at_their_table(evening, olga):
    event = evening()
    row = pairings_on(event, 1)[0]
    for pair, sentence in (
        ((503, 400), "503 cannot be right: scores by these rules are multiples of 5."),
        ((500, None), "Enter both scores."),
    ):
        with pytest.raises(Refused) as refused:
            entering.enter_board(stage_of(event).pk, olga, label=1, scores={row.pk: pair})
        assert (refused.value.sentence, refused.value.details["pairing"]) == (sentence, row.pk)


# What stays secret


def play_board(event, by, number):
    rows = pairings_on(event, number)
    entering.enter_board(
        stage_of(event).pk, by, label=number, scores={row.pk: (500 + 100 * at, 400) for at, row in enumerate(rows)}
    )


def test_a_board_opens_when_its_last_table_is_final(evening, olga):
    event = evening()
    rows = pairings_on(event, 1)
    for row in rows[:-1]:
        driving.decide(row, olga)
    assert Board.objects.get(stage__tournament=event, number=1).opened_at is None
    entry = rows[-1].places.first().entry
    lines = driving.lines_of(rows[-1])
    results.report(rows[-1].pk, lines, by=entry.members.first().user)
    assert Board.objects.get(stage__tournament=event, number=1).opened_at is None
    driving.decide(rows[-1], olga)
    assert Board.objects.get(stage__tournament=event, number=1).opened_at is not None
    assert Board.objects.filter(stage__tournament=event, opened_at=None).count() == 6


def test_the_page_of_a_board_shows_its_commitment_first_and_then_its_cards(evening, olga, client):
    event = evening()
    board = Board.objects.get(stage__tournament=event, number=1)
    url = reverse("tournaments:board", args=[event.slug, 1, 1])
    before = client.get(url).content.decode()
    assert commitment(bytes.fromhex(board.key)) in before
    assert board.key not in before
    assert "stock-of" not in before
    play_board(event, olga, 1)
    after = client.get(url).content.decode()
    assert board.key in after
    assert "stock-of" in after
    rows = traveller.traveller(stage_of(event), board)
    assert [row.margin for row in rows] == [400, 300, 200, 100]
    assert [row.points for row in rows] == [("6", "0"), ("4", "2"), ("2", "4"), ("0", "6")]


def test_the_file_of_keys_can_be_checked_by_hand(evening, olga, client):
    event = evening()
    play_board(event, olga, 1)
    url = reverse("tournaments:board_keys", args=[event.slug, 1])
    record = json.loads(client.get(url).content)
    assert [deal["key"] is None for deal in record["deals"]] == [False] + [True] * 6
    opened = record["deals"][0]
    assert sha256(bytes.fromhex(opened["key"])).hexdigest() == opened["commitment"]


def test_a_match_played_again_gets_new_cards(evening, olga):
    event = evening()
    play_board(event, olga, 1)
    row = pairings_on(event, 1)[0]
    results.remove_result(row.pk, by=olga, reason="Played with the wrong cards.")
    sheet = services.print_sheets(stage_of(event).pk, olga, first=1, last=1).sheets[0]
    assert sheet.issue == 2
    assert Pairing.objects.get(pk=row.pk).issue == 2
    assert sheet.stock.cards[0] is not None


DOORS = [
    "event",
    "schedule",
    "entries",
    "stage",
    "crosstable",
    "boards",
    "board",
    "board_keys",
    "match",
    "event_json",
    "results_csv",
    "schedule_csv",
    "print",
    "print_scores",
    "print_pairings",
    "print_cards",
    "organise",
    "organise_boards",
    "organise_board",
    "organise_rounds",
    "organise_history",
    "schedule_pdf",
    "print_stage",
    "feed",
]


def doors(event):
    """Every address of an event that tells of its boards or matches."""
    where = {"stage": [event.slug, 1], "crosstable": [event.slug, 1], "boards": [event.slug, 1]}
    where |= {"board": [event.slug, 1, 1], "board_keys": [event.slug, 1], "match": [event.slug, 1, "R1.1"]}
    where |= {"organise_boards": [event.slug, 1], "organise_board": [event.slug, 1, 1], "print_stage": [event.slug, 1]}
    return [reverse(f"tournaments:{name}", args=where.get(name, [event.slug])) for name in DOORS]


def test_nothing_of_the_cards_leaves_any_other_door(evening, olga, client, caplog, monkeypatch):
    """Pages with other keys are the same byte for byte, but for the commitments."""
    event = evening()
    services.print_sheets(stage_of(event).pk, olga)
    client.force_login(olga)
    secrets_ = keys(event)
    for address in doors(event):
        answer = client.get(address)
        assert answer.status_code == 200, address
        content = answer.content.decode("latin-1")
        assert not any(key in content for key in secrets_), address
    for act in Act.objects.filter(tournament=event):
        assert not any(key in json.dumps([act.sentence, act.changes]) for key in secrets_)
    assert not any(key in caplog.text for key in secrets_)


def test_pages_do_not_depend_on_the_cards(evening, olga, client):
    event = evening()
    client.force_login(olga)
    addresses = [address for address in doors(event) if "/boards/" not in address]

    def texts():
        pages = [client.get(address).content for address in addresses]
        return [page.replace(b"\r", b"") for page in pages]

    first = [len(page) for page in texts()]
    for board in Board.objects.filter(stage__tournament=event):
        Board.objects.filter(pk=board.pk).update(key=sha256(board.key.encode()).hexdigest())
    assert [len(page) for page in texts()] == first


def test_an_archive_has_no_secret_board(evening, olga):
    from tournaments.models import Tournament
    from tournaments.services.events import event_transfer

    event = evening()
    play_board(event, olga, 1)
    rows = event_transfer.exported_rows(Tournament.objects.filter(pk=event.pk))
    assert list(rows["tournaments.board"].values_list("number", flat=True)) == [1]


def test_when_the_event_is_cancelled_its_boards_lie_open(evening, olga):
    event = evening()
    lifecycle.cancel(event.pk, olga, reason="A storm.")
    assert not Board.objects.filter(stage__tournament=event, opened_at=None).exists()


# Pages


def test_the_page_of_boards_and_its_printouts(evening, olga, client):
    event = evening()
    client.force_login(olga)
    page = client.get(reverse("tournaments:organise_boards", args=[event.slug, 1]))
    assert "7 boards of 5 packs, 35 packs in all." in page.content.decode()
    url = reverse("tournaments:organise_boards_print", args=[event.slug, 1])
    answer = client.post(url, {"way": "sheets", "file": "page", "key": "a", "first": "1", "last": "2"})
    assert (answer.status_code, answer["Cache-Control"]) == (
        200,
        "max-age=0, no-cache, no-store, must-revalidate, private",
    )
    text = answer.content.decode()
    assert text.count('class="dealing half-page"') == 2
    assert text.count('class="suited') == 2 * 270
    plan = client.post(url, {"way": "stacks", "file": "page", "key": "b", "first": "1", "last": "1"})
    assert "Building plan of board 1" in plan.content.decode()
    for way, sheets in (("sheets", 4), ("stacks", 7)):
        paper = client.post(url, {"way": way, "file": "pdf", "key": way})
        assert paper["Content-Type"] == "application/pdf"
        assert paper.content.count(b"/Type /Page\n") == sheets
    assert client.get(url).status_code == 405
    wrong = client.post(url, {"way": "sheets", "file": "page", "key": "c", "first": "70", "last": "80"})
    assert wrong.status_code == 422
    assert "Boards not found. Choose boards that are still to be played." in wrong.content.decode()


def test_results_of_a_board_are_typed_on_its_page(evening, olga, client):
    event = evening()
    client.force_login(olga)
    url = reverse("tournaments:organise_board", args=[event.slug, 1, 1])
    rows = pairings_on(event, 1)
    bad = {f"s0-{rows[0].pk}": "abc", f"s1-{rows[0].pk}": "400"}
    answer = client.post(url, bad)
    assert answer.status_code == 422
    assert "“abc” is not a score." in answer.content.decode()
    odd = {f"s0-{rows[0].pk}": "503", f"s1-{rows[0].pk}": "400", f"s0-{rows[1].pk}": "700", f"s1-{rows[1].pk}": "650"}
    answer = client.post(url, odd)
    assert answer.status_code == 422
    assert 'value="700"' in answer.content.decode()
    good = {f"s{side}-{row.pk}": str(500 + 5 * side) for row in rows for side in (0, 1)}
    assert client.post(url, good | {"key": "x"}).status_code == 302
    assert all(Pairing.objects.get(pk=row.pk).status == "done" for row in rows)
    assert "All results of this board are in." in client.get(url).content.decode()


def test_a_player_sees_no_way_to_print(evening, client):
    event = evening()
    client.force_login(Member.objects.filter(tournament=event).first().user)
    url = reverse("tournaments:organise_boards_print", args=[event.slug, 1])
    assert client.post(url, {"way": "sheets", "key": "x"}).status_code == 403


def test_table_cards_say_which_board_lies_there_and_where_it_goes(evening, olga, client):
    event = evening()
    client.force_login(olga)
    text = client.get(reverse("tournaments:print_cards", args=[event.slug])).content.decode()
    way = movement.all_tables(stage_of(event))
    pairing = Pairing.objects.get(round__stage__tournament=event, name="R1.2")
    assert way[pairing.pk].next_words in text
    card = client.get(reverse("tournaments:card", args=[pairing.token])).content.decode()
    assert way[pairing.pk].next_words in card
    assert "Board 3" in client.get(reverse("tournaments:schedule", args=[event.slug])).content.decode().replace(
        "board 3", "Board 3"
    )


def test_a_printed_score_sheet_has_a_column_for_each_board(evening, olga, client):
    event = evening(deals=2)
    client.force_login(olga)
    text = client.get(reverse("tournaments:print_scores", args=[event.slug])).content.decode()
    heads = [" ".join(head.split()) for head in re.findall(r'scope="colgroup">(.*?)</th>', text, re.DOTALL)]
    way = movement.all_tables(stage_of(event))
    first = Pairing.objects.get(round__stage__tournament=event, name="R1.1")
    assert [head.split("<")[0].strip() for head in heads[:2]] == [f"Board {label}" for label in way[first.pk].labels]


def test_a_board_in_words_is_the_same_deal_as_the_engine_deals(evening, olga):
    event = evening()
    board = Board.objects.get(stage__tournament=event, number=1)
    sheet = services.print_sheets(stage_of(event).pk, olga, first=1, last=1).sheets[0]
    state = new_game(event.rules, bytes.fromhex(board.key))
    assert write_cards(card.index for card in sheet.pile.cards) == write_cards(state.pile)
    assert shared.ensure(stage_of(event), [1], event.rules)[0].key == board.key
