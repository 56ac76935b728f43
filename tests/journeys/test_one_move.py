"""Two tabs and a hasty finger post one move; a page that is out of date warns and loses nothing."""

import pytest
from playwright.sync_api import expect

from engine.play.moves import DRAW
from gameplay.services import play
from tests.journeys.hands import shows, table_at


@pytest.fixture
def turn(seated, four):
    """A table of Standard whose first player is to draw, and that player."""
    table = seated("standard")
    return table, four[table.seat_to_act]


def test_a_double_click_posts_one_move(visit, turn):
    table, user = turn
    page, posts = visit(user=user), []
    page.on("request", lambda request: posts.append(request.url) if request.url.endswith("/move/") else None)
    page.goto(table.get_absolute_url())
    page.locator("#draw").dblclick()
    expect(page.locator("#go")).to_be_visible()
    assert len(posts) == 1
    assert [move.text for move in table.moves.all()] == ["draw"]


def test_a_click_that_is_sent_twice_is_one_move(visit, turn):
    """A proxy that lost the answer sends the same request again, with the same key."""
    table, user = turn
    page = visit(user=user)
    page.goto(table.get_absolute_url())
    answers = []

    def twice(route):
        answers.append(route.fetch().status)
        answer = route.fetch()
        answers.append(answer.status)
        route.fulfill(response=answer)

    page.route("**/move/", twice)
    # The live event of the first answer can show the drawn cards before the second answer is in.
    with page.expect_response("**/move/"):
        page.locator("#draw").click()
    expect(page.locator("#go")).to_be_visible()
    assert answers == [200, 200]
    assert [move.text for move in table.moves.all()] == ["draw"]


def test_two_tabs_that_draw_at_once_draw_once(visit, turn):
    table, user = turn
    tabs = [visit(user=user), visit(user=user)]
    for tab in tabs:
        tab.goto(table.get_absolute_url())
        expect(tab.locator("#draw")).to_be_visible()
    for tab in tabs:
        tab.locator("#draw").evaluate("button => button.click()")
    for tab in tabs:
        expect(tab.locator("#go")).to_be_visible()
    assert [move.text for move in table.moves.all()] == ["draw"]


def test_a_stale_page_says_so_keeps_what_is_picked_and_shows_the_table_as_it_is(visit, turn):
    table, user = turn
    page = visit(user=user)
    page.route("**/live/**", lambda route: route.abort())
    page.goto(table.get_absolute_url())
    first = page.locator("#hand .card").first
    code = first.get_attribute("data-card")
    first.click()

    play.play(table.pk, user, [DRAW], seen=0)
    page.locator("#draw").click()
    expect(page.locator("#say")).to_have_class("say bad")
    shows(page, table_at(table.slug))
    expect(page.locator(f"#card-{code}")).to_have_attribute("aria-pressed", "true")
    assert table.moves.count() == 1

    # The first press after that only takes note; the next one plays.
    expect(page.locator("#go")).to_have_text("You have moved. Check again.")
    page.locator("#go").click()
    expect(page.locator("#go")).to_contain_text("Discard")
    assert table.moves.count() == 1
    page.locator("#go").click()
    expect(page.locator("#go-wait")).to_be_visible()
    assert [move.text for move in table.moves.all()] == ["draw", f"discard {code}"]
