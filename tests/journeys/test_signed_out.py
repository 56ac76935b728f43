"""After signing out nothing of a hand is left in the browser."""

from playwright.sync_api import expect

KEPT = """async () => {
  const caches_ = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) caches_.push(request.url);
  return [Object.entries(localStorage), Object.entries(sessionStorage), caches_];
}"""


def test_the_back_button_shows_no_hand(visit, seated, four, driver):
    table = driver.act(seated("standard"))
    page = visit(user=four[table.seat_to_act])
    page.goto(table.get_absolute_url())
    expect(page.locator("#hand .card").first).to_be_visible()

    page.goto("/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(
        page.get_by_role("heading", name="Play Hand and Foot. Run your club. Show everyone the standings.")
    ).to_be_visible()
    local, session, cached = page.evaluate(KEPT)
    assert (local, session) == ([], [["htmx-current-path-for-history", "/"]])
    assert [url for url in cached if "/tables/" in url] == []

    page.go_back()
    page.go_back()
    expect(page.locator("body")).to_be_visible()
    assert page.locator("#hand, #dock").count() == 0
    assert page.evaluate(KEPT)[0] == []
