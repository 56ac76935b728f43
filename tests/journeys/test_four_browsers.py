"""Four browsers play a whole deal: one sleeps for a minute, one has a slow line, one wishes for stillness."""

from playwright.sync_api import expect

from tests.journeys.hands import DESK, PHONE, Mouse, act, shows, table_at

FIRST_DEAL = 16
"""A deal that is short."""
NOTED = """() => {
  window.noted = []; window.flown = 0;
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (key, value) {
    if (key.startsWith("told:")) noted.push(Number(value));
    return setItem.call(this, key, value);
  };
  const { append } = Element.prototype;
  Element.prototype.append = function (...nodes) {
    if (this.matches(".sky")) flown += 1;
    return append.apply(this, nodes);
  };
}"""
ASLEEP = """is => {
  Object.defineProperty(document, "hidden", { value: is, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
MINUTE = 60_000
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 60_000, "uploadThroughput": 30_000}


def test_a_whole_deal_is_shown_to_all_in_the_order_of_events(seated, four, visit):
    table = seated("standard")
    options = [{"reduced_motion": "reduce"}, *[{"reduced_motion": "no-preference"}] * 3]
    pages = [
        visit(DESK if seat % 2 else PHONE, user=user, **motion)
        for seat, (user, motion) in enumerate(zip(four, options, strict=True))
    ]
    pages[2].clock.install()
    for page in pages:
        page.add_init_script(f"({NOTED})()")
        page.goto(table.get_absolute_url())
    pages[3].context.new_cdp_session(pages[3]).send("Network.emulateNetworkConditions", SLOW)
    hands, sleeper, naps = [Mouse(page) for page in pages], pages[2], []

    while table.seat_to_act is not None:
        if table.seat_to_act == 3 and not naps and table.move_count > 12:
            shows(sleeper, table)
            naps.append((table.move_count, sleeper.evaluate("Date.now()")))
            sleeper.context.set_offline(True)
            sleeper.evaluate(ASLEEP, True)
            seen = sleeper.locator("#bar").get_attribute("data-version")
        if table.seat_to_act == 2 and len(naps) == 1:
            # By its clock the minute passes at once, as for a phone that was in a pocket.
            sleeper.clock.fast_forward(MINUTE)
            naps.append((table.move_count, sleeper.evaluate("Date.now()")))
            expect(sleeper.locator("#bar")).to_have_attribute("data-version", seen)
            sleeper.context.set_offline(False)
            sleeper.evaluate(ASLEEP, False)
        table = act(hands[table.seat_to_act], table.slug)

    (first, asleep_at), (last, awake_at) = naps
    assert awake_at - asleep_at >= MINUTE
    # A turn of three people has a draw and a discard at least.
    assert last - first >= 6
    for page in pages:
        shows(page, table_at(table.slug))
        expect(page.locator(".sheet").first).to_be_visible()
        noted = page.evaluate("noted")
        assert noted == sorted(noted)
        assert page.evaluate("document.querySelectorAll('.yet, .coming, .was, .sky > *').length") == 0
    assert pages[0].evaluate("flown") == 0
    assert all(page.evaluate("flown") > 40 for page in pages[1:])
