"""Reviews of deals that are over: who may ask, what is worked out when, what the page says, and what stays hidden."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from accounts import budgets
from accounts.budgets import BOT_TIME, subject_of
from gameplay.models import Deal, DealReview, Table
from gameplay.reviews import display, replays, services, work
from gameplay.reviews.positions import beginning_of, played
from gameplay.tasks import sweep_reviews, work_on_reviews

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Few decisions, weighed in few imagined deals and in one slice."""
    monkeypatch.setattr(work, "SCREENED", 1)
    monkeypatch.setattr(work, "WEIGHED", 2)
    monkeypatch.setattr(work, "DEAREST", 2)
    monkeypatch.setattr(work, "MOST_DECISIONS", 24)
    monkeypatch.setattr(work, "BATCH", 1000)


@pytest.fixture
def over(seated, driver):
    """A table of Ann, Ben, Cem and Dee whose first deal is over."""
    return driver.until(seated(), lambda table: table.is_between_deals)


def ask(table, user, deal=1):
    return services.ask_review(table.pk, user, deal=deal)


def place(table, name="review"):
    return reverse(f"gameplay:{name}", args=[table.slug])


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


# Asking


def test_a_player_asks_once_and_it_is_worked_out_for_all(over, four, django_capture_on_commit_callbacks, monkeypatch):
    called = []
    monkeypatch.setattr(work_on_reviews, "delay", called.append)
    with django_capture_on_commit_callbacks(execute=True):
        review = ask(over, four[0])
        assert ask(over, four[1]) == review
    assert called == [review.pk]
    assert budgets.used(BOT_TIME, subject_of(four[0])) == services.COST
    assert budgets.used(BOT_TIME, subject_of(four[1])) == 0
    sweep_reviews()
    review.refresh_from_db()
    assert (review.is_done, review.due_at) == (True, None)
    progress = review.progress
    sweep_reviews()
    assert ask(over, four[2]).progress == progress


def test_only_players_ask_and_only_for_a_deal_that_lies_open(over, four, person, refuses):
    with refuses("no_seat"):
        ask(over, person("Eve"))
    for deal in (0, 2, 9):
        with refuses("not_over") as caught:
            ask(over, four[0], deal=deal)
        assert caught.value.sentence == "This deal is not over yet."
    Table.objects.filter(pk=over.pk).update(is_sealed=True)
    with refuses("not_over"):
        ask(over, four[0])
    assert not DealReview.objects.exists()


def test_without_budget_the_page_says_when_again(over, four, limited):
    limited(BOT_TIME, person=services.COST - 1)
    response = client_of(four[0]).post(place(over, "ask_review"), {"deal": 1})
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert "Your bots have used up their thinking time. Try again in " in response.text
    assert not DealReview.objects.exists()


# Working


def test_a_review_comes_in_slices_with_bots_turns_between(over, four, monkeypatch):
    monkeypatch.setattr(work, "BATCH", 9)
    review = ask(over, four[0])
    seen = []

    def give_way():
        review.refresh_from_db()
        seen.append((review.progress["done"], review.is_done))

    services.work_all(give_way)
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))
    assert [is_done for _, is_done in seen] == [False] * (len(seen) - 1) + [True]


def test_a_slice_that_another_worker_has_taken_is_not_done_twice(over, four):
    review = ask(over, four[0])
    DealReview.objects.update(due_at=timezone.now() + timedelta(seconds=30))
    sweep_reviews()
    review.refresh_from_db()
    assert review.progress == {}


def test_what_fails_is_given_up_and_can_be_asked_for_again(over, four, monkeypatch, caplog):
    review = ask(over, four[0])
    with monkeypatch.context() as patch:
        patch.setattr(services, "work_on", lambda review: 1 / 0)
        sweep_reviews()
    review.refresh_from_db()
    assert (review.is_done, review.due_at) == (False, None)
    assert "ZeroDivisionError" in caplog.text
    assert "This review could not be worked out." in client_of(four[1]).get(place(over)).text
    assert ask(over, four[1]).due_at is not None


def test_undone_melds_and_moves_of_bots_are_not_weighed(over):
    moves = list(played(over, 1, beginning_of(over, 1)))
    assert work._decisions(moves) == moves[: work.MOST_DECISIONS]
    melds = [each for each in moves if each.move.kind == "meld"]
    undo = moves[0]._replace(move=moves[0].move._replace(kind="undo"))
    assert work._decisions([melds[0], moves[0], undo]) == []
    assert work._decisions([each._replace(is_player=False) for each in moves]) == []


def test_an_act_is_judged_by_what_the_player_could_know(over):
    for each in list(played(over, 1, beginning_of(over, 1)))[::17]:
        view = each.view()
        others = [seat for seat in range(4) if seat != each.seat]
        assert all(set(view.position.hands[seat]) <= {view.position.stock[0]} for seat in others if view.position.stock)
        assert view.position.seed is None


# The page


@pytest.fixture
def reviewed(over, four):
    """The table with the review of its first deal."""
    ask(over, four[0])
    work_on_reviews()
    return over


def test_the_page_tells_players_their_own_costly_acts_and_spectators_those_of_all(reviewed, four, person):
    page = client_of(four[0]).get(place(reviewed)).text
    for words in (
        "Turning points",
        "Your acts that cost most",
        "The luck of the cards",
        "All hands",
        "Bots on average",
    ):
        assert words in page
    watching = client_of(person("Eve")).get(place(reviewed)).text
    assert "The acts that cost most" in watching
    deal = reviewed.deals.get(number=1)
    seats = list(reviewed.seats.all())
    for seat in range(4):
        page = display.build_review(reviewed, seats, seat, deal)
        assert len(page.costs) <= work.MOST_COSTS
        assert {cost.name for cost in page.costs} <= {"You"}
    progress = deal.review.progress
    assert page.course.points.count(",") == len(progress["turns"])
    assert [len(scores) for scores in progress["bots"]] == [2] * 5


def test_the_lead_at_the_end_is_the_score(reviewed):
    deal = reviewed.deals.get(number=1)
    first, second = deal.result["deal_score"]
    assert deal.review.progress["turns"][-1][2] == [first - second, second - first]


def test_hands_are_those_dealt_and_left(over):
    page = display.build_review(over, list(over.seats.all()), 0, over.deals.get(number=1))
    assert [hand.name for hand in page.hands] == ["You", "Ben", "Cem", "Dee"]
    assert [[title for title, _ in hand.dealt_cards] for hand in page.hands] == [["Hand", "Foot"]] * 4


def test_before_it_is_worked_out_the_page_shows_the_hands_and_asks_again_by_itself(over, four):
    client = client_of(four[0])
    assert "Review the deal" in client.get(place(over)).text
    response = client.post(place(over, "ask_review"), {"deal": 1})
    assert (response.status_code, response["Location"]) == (302, f"{place(over)}?deal=1")
    page = client.get(f"{place(over)}?deal=1").text
    assert "The review is being worked out. It appears here in a moment." in page
    assert 'hx-trigger="load delay:3s"' in page
    assert "All hands" in page


def test_a_spectator_cannot_ask(over, person):
    client = client_of(person("Eve"))
    assert "No player has asked for this review yet." in client.get(place(over)).text
    response = client.post(place(over, "ask_review"), {"deal": 1})
    assert (response.status_code, "You have no seat at this table." in response.text) == (403, True)


def test_without_an_open_deal_there_is_nothing_to_see(seated, driver, four):
    table = seated()
    client = client_of(four[0])
    assert "No finished deals yet" in client.get(place(table)).text
    driver.until(table, lambda table: table.is_between_deals)
    Table.objects.filter(pk=table.pk).update(is_sealed=True)
    assert "No finished deals yet" in client.get(f"{place(table)}?deal=1").text


def test_a_running_deal_is_not_reviewed(over, driver, four, refuses):
    table = driver.until(over, lambda table: table.deal_number == 2 and table.moves.filter(deal=2).count() > 5)
    Deal.objects.filter(table=table, number=2).update(ended_at=timezone.now())
    with refuses("not_over"):
        ask(table, four[0], deal=2)
    assert "Deal 2" not in client_of(four[0]).get(f"{place(table)}?deal=2").text.partition("<main")[2]


def test_the_end_of_the_deal_leads_there(over, four, person):
    player = client_of(four[0]).get(over.get_absolute_url()).text
    assert f'action="{place(over, "ask_review")}"' in player
    assert f'href="{place(over)}?deal=1"' in client_of(person("Eve")).get(over.get_absolute_url()).text
    Table.objects.filter(pk=over.pk).update(is_sealed=True)
    assert place(over, "ask_review") not in client_of(four[0]).get(over.get_absolute_url()).text


def test_queries_of_the_page(reviewed, four):
    client = client_of(four[0])
    client.get(place(reviewed))
    with CaptureQueriesContext(connection) as captured:
        client.get(place(reviewed))
    assert len(captured) <= 16, "\n".join(query["sql"] for query in captured)


def test_the_match_is_replayed_once_for_each_language(reviewed, four, monkeypatch):
    calls = []
    monkeypatch.setattr(replays, "played", lambda *arguments: calls.append(1) or played(*arguments))
    for user in (four[0], four[1], four[0]):
        assert client_of(user).get(place(reviewed)).status_code == 200
    assert len(calls) == 1
    with translation.override("de"):
        display.build_review(reviewed, list(reviewed.seats.all()), 0, reviewed.deals.get(number=1))
    assert len(calls) == 2


# By the API


def address(table, query=""):
    return f"/api/v1/tables/{table.slug}/review/{query}"


def test_a_program_reads_what_the_page_shows_the_same_reader(reviewed, four, person):
    deal = reviewed.deals.get(number=1)
    for user, seat in ((four[0], 0), (four[1], 1), (person("Eve"), None)):
        answer = client_of(user).get(address(reviewed)).json()
        page = display.build_review(reviewed, list(reviewed.seats.all()), seat, deal)
        assert (answer["deal"], answer["deals"], answer["status"], answer["team"]) == (1, [1], "done", page.team)
        assert [cost["move"] for cost in answer["costs"]] == [cost.number for cost in page.costs]
        assert seat is None or {cost["seat"] for cost in answer["costs"]} <= {seat}
        assert answer["turns"][-1]["lead"] == answer["scores"][0] - answer["scores"][1]
        assert (answer["average"], answer["luck"]) == (page.average, page.luck)
        assert [set(hand["dealt"]) for hand in answer["hands"]] == [{"hand", "foot"}] * 4


def test_a_program_asks_for_a_review_as_a_player(over, four, person):
    client = client_of(four[0])
    before = client.get(address(over, "?deal=1")).json()
    assert (before["status"], before["costs"], len(before["hands"])) == ("none", [], 4)
    for _ in range(2):
        answer = client.post(address(over), {"deal": 1}, content_type="application/json")
        assert (answer.status_code, answer.json()["status"]) == (200, "working")
    assert DealReview.objects.count() == 1
    refused = client_of(person("Eve")).post(address(over), {"deal": 1}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "no_seat")
    refused = client.post(address(over), {"deal": 2}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (422, "not_over")


def test_a_program_gets_no_deal_that_is_not_open(seated, driver, four):
    table, client = seated(), client_of(four[0])
    assert client.get(address(table)).status_code == 404
    driver.until(table, lambda table: table.is_between_deals)
    assert client.get(address(table)).status_code == 200
    assert client.get(address(table, "?deal=2")).status_code == 404
    Table.objects.filter(pk=table.pk).update(is_sealed=True)
    assert client.get(address(table, "?deal=1")).status_code == 404
