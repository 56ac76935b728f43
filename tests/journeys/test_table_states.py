"""The table page in rare states: crowded, with long names, stale, dragged on; and how still it is."""

import pytest
from playwright.sync_api import expect

from engine.play.moves import parse_move
from engine.play.position import read_position
from gameplay.models import Seat, Table
from gameplay.services import pauses, play, rematch
from gameplay.snapshot import keep
from tests.journeys.hands import DESK, PHONE, page_width, shows, table_at

SMALL = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
LONG = ["Bartholomew Maximilian Featherstonehaugh-Smythes", "Anna-Margarethe Schleswig-Holstein von Sonderburg"]
LONG += ["Bartholomew Theodore Wolfeschlegelsteinhausens", "DonaudampfschifffahrtsgesellschaftskapitänswitweAB"]
RANKS = "456789TJQKA"


@pytest.fixture
def at_position(seated):
    """Make a table of Ann, Ben, Cem and Dee at a position."""

    def make(**position):
        table = seated("standard")
        state = read_position({"rules": "standard", "dealer": 3, **position})
        keep(table, state)
        table.seat_to_act = state.actor
        table.save()
        return table

    return make


def melds(count):
    return [f"{rank}: {rank}c {rank}d {rank}h" for rank in RANKS[:count]]


@pytest.mark.parametrize("device", [DESK, PHONE, SMALL], ids=["desk", "phone", "small"])
def test_long_names_never_make_the_page_wider_than_the_screen(device, visit, at_position, four):
    table = at_position(melds={"0": melds(4), "1": melds(5)}, feet={"0": None, "2": None})
    for user, name in zip(four, LONG, strict=True):
        user.display_name = name
        user.save()
        Seat.objects.filter(user=user).update(name=name)
    page = visit(device, user=four[1])
    page.goto(table.get_absolute_url())
    assert page_width(page) == device["viewport"]["width"]
    if device is not DESK:
        expect(page.locator(".who >> visible=true")).to_have_text(
            ["Bartholomew W.", LONG[3], "Bartholomew F."], use_inner_text=True
        )


@pytest.mark.parametrize("count", [4, 8, 11])
def test_own_melds_lie_above_the_dock_at_a_desk(count, visit, at_position, four):
    table = at_position(melds={"0": melds(count), "1": melds(count)}, hands={"0": "4c 5d 6h 7s 8c 9d Th Js"})
    page = visit(DESK, user=four[0])
    page.goto(table.get_absolute_url())
    bottom = page.locator(".team.mine .melds").evaluate("element => element.getBoundingClientRect().bottom")
    assert bottom <= page.locator("#dock").evaluate("element => element.getBoundingClientRect().top")


def test_cards_are_dragged_onto_a_meld_into_a_new_one_and_to_the_pile(visit, at_position, four):
    table = at_position(melds={"0": ["K: Kc Kd Kh"]}, hands={"0": "Ks 4c 4d 4h 9c Jd"})
    page = visit(DESK, user=four[0])
    page.goto(table.get_absolute_url())
    expect(page.locator("#table[data-drags]")).to_be_attached()
    page.locator("#card-Ks").drag_to(page.locator(".mine .meld"))
    expect(page.locator("#staged [data-group]")).to_have_count(1)
    pick_all = [page.locator(f"#card-{code}") for code in ("4c", "4d", "4h")]
    for card in pick_all:
        card.click()
    pick_all[1].drag_to(page.locator("#stage"))
    expect(page.locator("#staged [data-group]")).to_have_count(2)
    page.locator("#card-Jd").drag_to(page.locator(".piles .pile"))
    expect(page.locator("#card-Jd")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#go")).to_contain_text("and discard J")
    page.locator("#go").click()
    expect(page.locator("#go-wait")).to_be_visible()
    assert [move.text for move in table.moves.all()] == ["meld Ks, 4c 4d 4h", "discard Jd"]


class Touch:
    """A finger that rests on a card until it is taken up, and puts it down elsewhere."""

    def __init__(self, page):
        self.page, self.device = page, page.context.new_cdp_session(page)

    def send(self, kind, *points):
        self.device.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [dict(zip("xy", p, strict=True)) for p in points]}
        )

    def middle(self, place, part=0.5):
        box = self.page.locator(place).bounding_box()
        return box["x"] + box["width"] * part, box["y"] + box["height"] / 2

    def drag(self, card, place, part=0.5):
        self.send("touchStart", self.middle(card))
        expect(self.page.locator(".lifted")).to_be_visible()
        self.send("touchMove", self.middle(place, part))
        expect(self.page.locator(".target")).to_have_count(1)
        self.send("touchEnd")


def test_by_touch_a_card_is_dragged_within_the_hand_and_onto_a_meld_and_a_mere_touch_selects(visit, at_position, four):
    table = at_position(melds={"0": ["K: Kc Kd Kh"]}, hands={"0": "Ks 4c 4d 4h 9c Jd"})
    page = visit(PHONE, user=four[0])
    page.goto(table.get_absolute_url())
    expect(page.locator("#table[data-drags]")).to_be_attached()
    touch = Touch(page)
    touch.drag("#card-4c", "#card-Jd", 0.2)
    expect(page.locator("#tray")).to_have_attribute("data-order", "own")
    order = ["Ks", "4c", "Jd", "9c", "4h", "4d"]
    assert page.locator("#hand .card").evaluate_all("cards => cards.map((card) => card.dataset.card)") == order
    touch.drag("#card-Ks", ".mine .meld")
    expect(page.locator("#staged [data-group]")).to_have_count(1)
    expect(page.locator(".card[aria-pressed=true]")).to_have_count(0)
    page.locator("#card-9c").tap()
    expect(page.locator("#card-9c")).to_have_attribute("aria-pressed", "true")
    page.reload()
    assert page.locator("#hand .card").evaluate_all("cards => cards.map((card) => card.dataset.card)") == order


def test_by_keyboard_a_card_is_moved_and_its_place_is_kept(visit, at_position, four):
    table = at_position(melds={"0": ["K: Kc Kd Kh"]}, hands={"0": "Ks 4c 9c Jd"})
    page = visit(DESK, user=four[0])
    page.goto(table.get_absolute_url())
    page.locator("#card-4c").focus()
    page.keyboard.press("Alt+ArrowLeft")
    expect(page.locator("#tray")).to_have_attribute("data-order", "own")
    assert page.locator("#hand .card").evaluate_all("cards => cards.map((card) => card.dataset.card)") == [
        "Ks",
        "Jd",
        "4c",
        "9c",
    ]


def test_a_single_card_dragged_begins_a_staged_row(visit, at_position, four):
    table = at_position(melds={"0": ["K: Kc Kd Kh"]}, hands={"0": "Ks 4c 4d 4h 9c Jd"})
    page = visit(DESK, user=four[0])
    page.goto(table.get_absolute_url())
    expect(page.locator("#table[data-drags]")).to_be_attached()
    page.locator("#card-9c").hover()
    page.mouse.down()
    page.locator("#card-Jd").hover()
    page.locator("#card-4c").hover()
    expect(page.locator("#stage")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#stage")).to_be_hidden()
    expect(page.locator("[aria-pressed=true]:is(.card)")).to_have_count(0)


@pytest.mark.parametrize(
    ("turns", "words"), [([["draw"]], "You have moved"), ([["draw", "discard Kc"], ["draw"]], "Ben has moved")]
)
def test_a_stale_page_names_who_moved(turns, words, visit, at_position, four):
    table = at_position(phase="draw", hands={"0": "Kc Kd 4h"}, pile="9c 4d")
    page = visit(user=four[0])
    page.route("**/live/**", lambda route: route.abort())
    page.goto(table.get_absolute_url())
    page.locator("#card-Kd").click()
    count = 0
    for user, moves in zip(four, turns, strict=False):
        for move in moves:
            play.play(table.pk, user, [parse_move(move)], seen=count)
            count += 1
    page.locator("#draw").click()
    expect(page.locator("#news")).to_have_attribute("data-stale", f"{words}. Check again.")
    expect(page.locator("#card-Kd")).to_have_attribute("aria-pressed", "true")


def test_another_table_of_the_player_shows_in_title_and_bar(visit, at_position, seated, four, driver):
    table = at_position(turn=1)
    other = driver.act(seated("family", begun=True))
    driver.until(other, lambda table: table.seat_to_act == 3)
    page = visit(user=four[0])
    page.goto(table.get_absolute_url())
    expect(page.locator("#next")).to_have_count(0)
    driver.until(other, lambda table: table.seat_to_act == 0)
    expect(page.locator("#next")).to_have_attribute("href", other.get_absolute_url())
    expect(page.locator("#go-next-table")).to_be_visible()
    expect(page).to_have_title("(1) Harbour Four")


SHIFTS = """() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_nothing_jumps_in_a_turn_or_when_news_arrive(device, visit, at_position, four):
    table = at_position(
        phase="draw",
        melds={"0": melds(4), "1": melds(4)},
        hands={"0": "4c 5d 6h 7s 8c 9d Th Js"},
        stock="Kd Ks 8d 8h " * 9,
    )
    page = visit(device, user=four[0])
    page.goto(table.get_absolute_url())
    page.evaluate(SHIFTS)
    page.locator("#draw").click()
    expect(page.locator("#go")).to_be_visible()
    page.locator("#card-8c").click()
    pauses.propose_pause(table.pk, four[1])
    shows(page, table_at(table.slug))
    expect(page.locator("#card-8c")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.shifts") < 0.01


def paused(table, four, driver):
    pauses.propose_pause(table.pk, four[0])
    for user in four[1:]:
        pauses.agree_pause(table.pk, user)


def with_a_bot(table, four, driver):
    Seat.objects.filter(table=table, number=3).update(user=None, bot="club", former_user=four[3], name="Ada (bot)")
    Seat.objects.filter(table=table, number=1).update(missed_in_a_row=2)


def after_a_rematch(table, four, driver):
    driver.until(table, lambda table: table.status == Table.Status.OVER)
    for user in four:
        rematch.ask_rematch(table.pk, user)


@pytest.mark.parametrize("state", [paused, with_a_bot, after_a_rematch])
def test_rare_states_have_no_barriers(state, visit, seated, four, driver, no_barriers):
    table = seated("standard", options={"length": {"deals": 1}})
    state(table, four, driver)
    for device in (DESK, PHONE):
        page = visit(device, user=four[0])
        page.goto(table.get_absolute_url())
        no_barriers(page)
        page.emulate_media(color_scheme="dark")
        no_barriers(page)
