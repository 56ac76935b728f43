"""Hands at the table page: the presses that make a move, following the advice of a bot."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from engine.bots import make_bot
from engine.play.cards import NAMES, WILD_CARDS
from engine.play.game import apply
from engine.play.moves import GARBAGE, MELD_NAMES, Group, Move, write_move
from engine.play.state import State
from engine.play.view import view
from gameplay.models import Table
from gameplay.snapshot import state_of

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESK = {"viewport": {"width": 1280, "height": 800}}


def page_width(page: Page) -> int:
    """Width of the page in pixels, once it has loaded; more than that of its window if it scrolls sideways."""
    page.wait_for_load_state()
    return int(page.evaluate("document.documentElement.scrollWidth"))


@dataclass
class Mouse:
    """Presses by mouse."""

    page: Page

    def press(self, place: Locator) -> None:
        place.click()

    def stage(self) -> None:
        """Prepare the selected cards as a meld."""
        self.press(self.page.locator("#stage"))

    def settle(self) -> None:
        """Wait until the focus is somewhere: nobody may lose their place by their own acts, or by those of others."""


class Finger(Mouse):
    """Presses by touch."""

    def press(self, place: Locator) -> None:
        place.tap()


class Keys(Mouse):
    """Presses by the keyboard alone: H and the arrow keys in the hand, G for the button, M to stage, else Tab."""

    def press(self, place: Locator) -> None:
        expect(place).to_be_visible()
        self.reach(place)
        self.page.keyboard.press("Enter")
        self.settle()

    def reach(self, place: Locator) -> None:
        """Move the focus to this element, from the hand or from the button, whichever is nearer."""
        start, key = place.evaluate(_WAY)
        if start:
            self.page.keyboard.press(start)
        for _ in range(80):
            if place.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press(key)
        raise LookupError(f"{key} never came to {place}")

    def stage(self) -> None:
        self.page.keyboard.press("m")
        self.settle()

    def settle(self) -> None:
        expect(self.page.locator("body :focus")).to_be_attached()


_WAY = """element => {
  if (!document.getElementById("hand")) return ["", "Tab"];
  if (element.matches(".skip")) return ["", "Tab"];
  if (element.closest("#hand")) return ["h", "ArrowRight"];
  if (element.closest("#dots")) return ["g", "Shift+Tab"];
  if (element.closest("#act")) return ["g", "Tab"];
  return ["h", element.closest("#board, #staged") ? "Shift+Tab" : "Tab"];
}"""


# Acts: the moves sent by one press


def act_of(state: State, seed: int) -> list[Move]:
    """The next moves of a bot, as far as one press of the page’s button can send them."""
    advised = _advice(state, seed)
    if advised.kind != "meld":
        return [advised]
    moves: list[Move] = []
    staged: set[int] = set()
    before = state
    while advised.kind == "meld" and not staged & (ranks := {_rank(group) for group in advised.groups}):
        moves.append(advised)
        staged |= ranks
        state = apply(state, advised).state
        if state.feet != before.feet or state.actor != before.actor or not state.hands[before.actor]:
            return moves
        advised = _advice(state, seed)
    return [*moves, advised] if advised.kind == "discard" else moves


def _advice(state: State, seed: int) -> Move:
    return make_bot("club", seed=seed).choose(view(state, state.actor))


def _rank(group: Group) -> int:
    """The meld that a group goes to: its name, or the rank of its natural cards."""
    natural = [card // 4 for card in group.cards if card not in WILD_CARDS]
    return group.name if group.name is not None else natural[0] if natural else 14


def do(hands: Mouse, state: State, moves: list[Move]) -> None:
    """Press the buttons of these moves."""
    page, first = hands.page, moves[0]
    if first.kind in ("meld", "discard"):
        for move in moves:
            for group in move.groups:
                _stage(hands, state, group)
        if moves[-1].kind == "discard":
            pick(hands, [moves[-1].card])
        hands.press(page.locator("#go"))
    elif first.kind == "take":
        for group in first.groups[1:]:
            _stage(hands, state, group)
        pick(hands, first.groups[0].cards if first.groups else b"")
        hands.press(page.locator("#take"))
    elif first.kind == "grab":
        hands.press(page.locator("#go-lift"))
    else:
        button = page.locator(f"#act button[name=moves][value='{write_move(first)}']").first
        if first.kind in ("ask", "wilds", "peek", "undo"):
            hands.press(page.locator("#dots > summary"))
        hands.press(button)


def pick(hands: Mouse, cards: bytes | list[int]) -> None:
    """Press the cards of the hand, one press for each."""
    for card in cards:
        hands.press(hands.page.locator(f"#card-{NAMES[card]}"))


def _stage(hands: Mouse, state: State, group: Group) -> None:
    """Prepare a group: for the own meld that it extends, or as a new one."""
    pick(hands, group.cards)
    name = _rank(group)
    melds = hands.page.locator(f".team.mine button.meld[data-meld='{MELD_NAMES[name]}']")
    grows = any(meld.name == name and not meld.is_book for meld in state.melds[state.team])
    only_wild = name < 14 and all(card in WILD_CARDS for card in group.cards)
    if grows or only_wild or name == GARBAGE or (len(group.cards) < 3 and melds.count()):
        hands.press(melds.last)
    else:
        hands.stage()


# Turns


def table_at(slug: str) -> Table:
    return Table.objects.get(slug=slug)


def shows(page: Page, table: Table) -> None:
    """Wait until the page shows the table as it is."""
    expect(page.locator("#bar")).to_have_attribute("data-version", str(table.version))


def act(hands: Mouse, slug: str) -> Table:
    """Make the next act of the table at the page of the seat to act; the table once it is made."""
    table = table_at(slug)
    shows(hands.page, table)
    hands.settle()
    state = state_of(table)
    # The answer comes only when the bots, too, have moved.
    with hands.page.expect_response("**/move/"):
        do(hands, state, act_of(state, table.move_count))
    expect(hands.page.locator("#tray input[name=seen]")).not_to_have_value(str(table.move_count))
    hands.settle()
    return table_at(slug)


def play_deal(hands: list[Mouse | None], slug: str) -> Table:
    """Play until the deal is over, each seat by its own hands; the bots of the other seats move automatically."""
    table = table_at(slug)
    while table.seat_to_act is not None:
        actor = hands[table.seat_to_act]
        assert actor is not None, "a bot has not moved"
        table = act(actor, slug)
    return table
