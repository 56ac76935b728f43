import json
from itertools import pairwise

import pytest
from django.urls import reverse

from engine.play.record import replay
from engine.play.view import view, view_to_json
from gameplay.log import lines, match_history, timeline
from gameplay.models import Deal, Happening, Table
from gameplay.page.open_hands import board_context
from gameplay.services import phrases
from gameplay.snapshot import state_of, view_of
from gameplay.views.replay import PART, PARTS
from tests.pages import squeezed

PAGES = ("scores", "rules", "log", "replay", "shuffle")


def over(table):
    return table.status == Table.Status.OVER


def place(name, table, query=""):
    return reverse(f"gameplay:{name}", args=[table.slug]) + query


@pytest.fixture
def second_deal(seated, driver):
    """A table in its second deal."""
    return driver.until(seated(), lambda table: table.deal_number == 2 and table.moves.filter(deal=2).count() > 20)


@pytest.mark.slow
def test_the_last_step_is_the_position_of_the_table(second_deal):
    match = match_history.match_of(second_deal, match_history.dealt(second_deal))
    steps = match_history.steps(match)
    assert match_history.state_at(match, steps[-1]) == state_of(second_deal)
    assert len(steps) == second_deal.move_count + 2
    begun = next(
        index for index, step in enumerate(steps) if step == match_history.Step(2, steps[index - 1].number, True)
    )
    assert match_history.state_at(match, steps[begun - 1]).phase == "over"
    assert match_history.state_at(match, steps[begun]).deal == 2


@pytest.mark.slow
def test_a_running_deal_is_replayed_as_each_seat_saw_it(second_deal):
    match = match_history.match_of(second_deal, match_history.dealt(second_deal))
    steps = match_history.steps(match)
    for number in (0, 1, 2, 3, None):
        view = match_history.view_at(second_deal, match_history.state_at(match, steps[-1]), number)
        assert view_to_json(view) == view_to_json(view_of(second_deal, number))
        first = match_history.view_at(second_deal, match_history.state_at(match, steps[0]), number)
        assert all("cards" in hand for hand in view_to_json(first)["hands"])
        assert first.position.seed is None


@pytest.mark.slow
def test_pages_answer_players_and_refuse_strangers(second_deal, client, four, person, django_assert_max_num_queries):
    Table.objects.filter(pk=second_deal.pk).update(watching="nobody")
    client.force_login(person("Eve"))
    for name in (*PAGES, "record"):
        assert client.get(place(name, second_deal)).status_code == 404
    client.force_login(four[1])
    for name in PAGES:
        with django_assert_max_num_queries(12):
            response = client.get(place(name, second_deal))
        assert response.status_code == 200
        assert b"</html>" in response.content
        part = client.get(place(name, second_deal), headers={"HX-Request": "true"})
        assert (b"</html>" in part.content) == (name == "replay")
        assert client.post(place(name, second_deal)).status_code == 405


def test_before_the_match_there_is_no_replay_and_no_record(seated, client, four):
    table = seated(begun=False)
    client.force_login(four[0])
    assert [client.get(place(name, table)).status_code for name in (*PAGES, "record")] == [200, 200, 200, 404, 200, 404]


def shown(client, table, query):
    """Deal and place that the replay shows."""
    response = client.get(place("replay", table, query))
    assert response.status_code == 200
    return response.context["deal"], response.context["place"]


@pytest.mark.slow
def test_the_replay_goes_where_it_is_asked(second_deal, client, four):
    client.force_login(four[0])
    moves = second_deal.moves
    first, last = moves.filter(deal=1).count(), moves.filter(deal=2).count()
    for query, at in (
        ("?step=5", (1, 5)),
        ("?from=6", (1, 5)),
        ("?move=6", (1, 6)),
        ("?step=0", (1, 0)),
        ("?from=0", (1, 0)),
        ("?move=9999999", (2, last)),
        ("?deal=2", (2, 0)),
        ("?deal=9", (2, 0)),
        ("?deal=1&at=1.2", (1, 2)),
        ("?at=1.2", (1, 2)),
        ("?deal=2&at=1", (2, 1)),
        ("?deal=2&at=1.99", (2, len(turns(second_deal, 2)[0].moves))),
        ("?deal=1&at=999.1", (1, first)),
        ("?deal=1&at=0", (1, 0)),
        *((wrong, (1, 0)) for wrong in ("", "?step=99999999", "?step=x", "?step=²", "?at=x", "?at=1.", "?at=²")),
    ):
        assert shown(client, second_deal, query) == at, query


def turns(table, deal):
    return timeline.turns_of(table.moves.filter(deal=deal), table.rules, 0)


@pytest.mark.slow
def test_turns_hold_every_act_of_a_deal_in_order_one_player_each(second_deal):
    first = turns(second_deal, 1)
    assert [turn.first for turn in first] == [1, *(turn.last + 1 for turn in first[:-1])]
    assert first[-1].last == second_deal.moves.filter(deal=1).count()
    assert all(second.seat == (turn.seat + 1) % 4 for turn, second in pairwise(first))
    assert all({move.seat for move in turn.moves} <= {turn.seat, (turn.seat + 2) % 4} for turn in first)


@pytest.mark.slow
def test_parts_of_the_replay_together_are_the_pages_of_its_places(second_deal, client, four, django_assert_num_queries):
    client.force_login(four[0])
    last, shown = second_deal.moves.filter(deal=1).count(), {}
    for first in range(0, last + 1, PART):
        with django_assert_num_queries(8):
            answer = client.get(reverse("gameplay:replay_part", args=[second_deal.slug]), {"deal": 1, "first": first})
        part = answer.json()
        assert part["first"] == first
        assert len(answer.content) < 60_000
        for at, changed in enumerate(part["places"], start=first):
            shown |= changed
            if at % 17 == 0:
                page = squeezed(client.get(place("replay", second_deal, f"?step={at}")).content.decode())
                for lines in shown.values():
                    assert squeezed(" ".join(part["pieces"][line] for line in lines)) in page
    assert sorted(shown) == sorted(PARTS)


@pytest.mark.slow
def test_a_page_of_the_replay_is_small_and_reads_as_much_at_any_place(
    second_deal, client, four, django_assert_num_queries
):
    client.force_login(four[0])
    for query in ("", "?deal=1&at=999.1", "?deal=2&at=3.1"):
        with django_assert_num_queries(8):
            page = client.get(place("replay", second_deal, query))
        assert len(page.content) < 60_000


def test_the_log_tells_turns_and_happenings_in_order(second_deal, four):
    seats = list(second_deal.seats.all())
    before = lines.log_of(second_deal, seats, 0, 0)
    assert [entry.kind for entry in before] == ["created", "joined", "joined", "joined", "started"]
    first = lines.log_of(second_deal, seats, 0, 1)
    assert (first[0].kind, first[-1].kind) == ("dealt", "deal_over")
    numbers = [(entry.line.first, entry.line.last) for entry in first if entry.line]
    assert numbers[0][0] == 1
    assert numbers[-1][1] == second_deal.moves.filter(deal=1).last().number
    assert all(earlier[1] <= later[0] for earlier, later in pairwise(numbers))


def test_the_log_names_cards_drawn_in_a_running_deal_to_the_drawer_only(second_deal):
    seats = list(second_deal.seats.all())
    for reader in (0, None):
        for entry in lines.log_of(second_deal, seats, reader, 2):
            if entry.line and entry.line.seat != reader:
                assert "drew" not in entry.line.sentence or "drew two cards" in entry.line.sentence


@pytest.mark.slow
def test_score_sheets_add_up(seated, driver, client, four):
    table = driver.until(seated(), over)
    sheets = match_history.score_sheets(table, list(table.seats.all()))
    assert [sheet.number for sheet in sheets] == [1, 2, 3, 4]
    assert sheets[-1].sheet.totals == table.result["totals"]
    for earlier, later in pairwise(sheets):
        assert later.sheet.before == earlier.sheet.totals
    for deal in sheets:
        for side, points in enumerate(deal.sheet.deal):
            assert sum(line.cells[side].points for line in deal.sheet.lines if line.cells[side]) == points
    client.force_login(four[0])
    page = client.get(place("scores", table)).content.decode()
    assert f"{table.result['totals'][0]:,}" in page


@pytest.mark.slow
def test_a_running_deal_shows_neither_key_nor_others_phrases_to_come(second_deal, client, four):
    running = Deal.objects.get(table=second_deal, number=2)
    client.force_login(four[0])
    for name in (*PAGES, "record"):
        content = client.get(place(name, second_deal)).content.decode()
        assert running.key not in content
    page = client.get(place("shuffle", second_deal)).content.decode()
    assert running.commitment in page
    assert Deal.objects.get(table=second_deal, number=1).key in page


def test_phrases_to_come_are_shown_to_nobody_else(seated, client, four):
    table = seated(begun=False)
    phrases.set_phrase(table.pk, four[1], "blue heron")
    client.force_login(four[0])
    assert "blue heron" not in client.get(place("shuffle", table)).content.decode()
    client.force_login(four[1])
    assert "blue heron" in client.get(place("shuffle", table)).content.decode()


@pytest.mark.slow
def test_the_record_of_a_running_match_holds_the_deals_that_are_over(second_deal, client, four):
    client.force_login(four[0])
    response = client.get(place("record", second_deal))
    assert response["Content-Disposition"] == f'attachment; filename="hand-and-foot-{second_deal.slug}.json"'
    record = json.loads(response.content)
    assert replay(record).running == 0
    assert [(deal["key"] is None, len(deal["moves"]) > 0) for deal in record["deals"]] == [(False, True), (True, False)]


@pytest.mark.slow
def test_the_record_of_a_finished_match_replays_to_its_result(seated, driver, client, four):
    table = driver.until(seated(), over)
    client.force_login(four[0])
    game, running = replay(json.loads(client.get(place("record", table)).content))
    assert running == 0
    assert list(game.deals[-1].result.totals) == table.result["totals"]


@pytest.mark.slow
def test_an_abandoned_match_lies_open(second_deal, client, four):
    Table.objects.filter(pk=second_deal.pk).update(status=Table.Status.ABANDONED)
    client.force_login(four[0])
    record = json.loads(client.get(place("record", second_deal)).content)
    assert len(replay(record).game.deals) == 2
    assert client.get(place("replay", second_deal)).context["is_open"]


def test_hostile_names_are_shown_as_text(seated, driver, client, four):
    evil = '"><script>alert(1)</script>'
    table = seated()
    table.seats.filter(number=1).update(name=evil[:60])
    Table.objects.filter(pk=table.pk).update(name=evil)
    Happening.objects.create(table=table, at=table.started_at, after_move=0, kind="away", sentence=evil)
    driver.until(table, lambda table: table.move_count > 12)
    client.force_login(four[0])
    for name in (*PAGES, "chat", "notes", "standing", "resign", "report"):
        assert "<script>alert" not in client.get(place(name, table)).content.decode()


@pytest.mark.parametrize("view", [match_history.open_view, view], ids=["open", "as dealt"])
def test_a_replay_names_knee_and_foot(view, seated):
    hands = board_context(view(state_of(seated("knee")), 0), ["Ann", "Ben", "Cem", "Dee"])["hands"]
    assert [[(stack.kind, stack.held) for stack in hand.waiting] for hand in hands] == [
        [("knee", 13), ("foot", 11)]
    ] * 4
    assert {bool(stack.words) for hand in hands for stack in hand.waiting} == {view is match_history.open_view}
