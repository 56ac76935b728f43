"""A position of the reference: plain lists of card names, read from the JSON of a position and written as such."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from engine.play.rules import Rules

RANKS = "23456789TJQKA"
RED_THREES = ("3d", "3h")
BLACK_THREES = ("3c", "3s")
BOOK = 7


class Illegal(Exception):
    """The rules do not allow the move; the text says why."""


def names_of_melds() -> list[str]:
    """The names that a meld may have."""
    return [*RANKS[1:], "wild", "garbage"]


def read_cards(text: str) -> list[str]:
    """The cards of a list in notation; ranks may be written small."""
    return [word[0].upper() + word[1:] for word in text.split()]


def read_name(text: str) -> str:
    """The name of a meld: a rank, which may be written small, wild or garbage."""
    name = text.strip()
    return name.upper() if name.strip("*+").lower() in RANKS.lower() else name.lower()


def is_wild(card: str) -> bool:
    return card[0] in "2X"


def wild_of(cards: list[str]) -> list[str]:
    return [card for card in cards if is_wild(card)]


def naturals_of(cards: list[str]) -> list[str]:
    return [card for card in cards if not is_wild(card)]


def order(card: str) -> tuple[int, str]:
    """Key that sorts cards as notation does: twos to aces, then jokers, the red ones first."""
    return (RANKS + "X").index(card[0]), {"r": "0", "b": "1"}.get(card[1], card[1])


@dataclass
class Meld:
    """Cards on the table. `name` is a rank, wild or garbage; `keeps` marks a clean book that took wild cards (r32)."""

    name: str
    cards: list[str]
    keeps: bool = False

    @property
    def is_book(self) -> bool:
        return self.name != "garbage" and len(self.cards) >= BOOK

    @property
    def is_open(self) -> bool:
        """Whether it is a meld that is no book yet."""
        return self.name != "garbage" and len(self.cards) < BOOK

    @property
    def kind(self) -> str:
        """Clean, dirty or wild (r12)."""
        if self.name == "wild":
            return "wild"
        return "dirty" if wild_of(self.cards) and not self.keeps else "clean"

    @classmethod
    def read(cls, text: str) -> Meld:
        name, _, cards = text.partition(":")
        keeps = name.strip().endswith("+") and bool(wild_of(read_cards(cards)))
        return cls(read_name(name).removesuffix("+"), read_cards(cards), keeps)

    def write(self) -> str:
        return f"{self.name}{'+' * self.keeps}: {' '.join(sorted(self.cards, key=lambda c: (is_wild(c), order(c))))}"

    def copy(self) -> Meld:
        return Meld(self.name, list(self.cards), self.keeps)


def options_of_deal(options: dict[str, Any], deal: int) -> dict[str, Any]:
    """The options of a ruleset as they are in the deal of this number, the last entry for later deals (r31)."""

    def of_deal(name: str, value: Any) -> Any:
        if name != "opening" and isinstance(value, dict) and list(value) == ["by_deal"]:
            return value["by_deal"][min(deal, len(value["by_deal"])) - 1]
        return value

    return {name: of_deal(name, value) for name, value in options.items()}


@lru_cache(maxsize=64)
def options_in(rules: Rules, deal: int) -> dict[str, Any]:
    """The options of a ruleset in a deal; shared, so they are never changed."""
    return options_of_deal(rules.write_options(), deal)


@dataclass
class Table:
    """Everything on a table, by seat or by team, under the names that positions have in notation.

    `feet` holds for each seat the stacks that are not picked up, the next one first. `options` are those of the deal.
    """

    options: dict[str, Any]
    seats: int
    team_size: int
    deal: int
    dealer: int
    turn: int
    phase: str
    assist: bool
    scores: list[int]
    hands: list[list[str]]
    feet: list[list[list[str]]]
    foot_turns: list[int]
    foot_acted: bool
    melds: list[list[Meld]]
    opened: list[bool]
    opened_by: list[bool]
    opener: list[int | None]
    books_by: list[int]
    red_threes: list[list[str]]
    laid_sevens: list[list[str]]
    pile: list[str]
    stock: list[str]
    frozen: bool = False
    last_red_three: bool = False
    foot_due: bool = False
    allowed: bool = False
    refused: bool = False
    answers: int = 0
    wilds_asked: bool = False
    grabs: list[int | None] = field(default_factory=list)
    stacks: list[list[list[str]] | None] = field(default_factory=list)
    first_turn: list[bool] = field(default_factory=list)
    peeked: list[bool] = field(default_factory=list)
    penalties: list[int] = field(default_factory=list)
    out_by: int | None = None
    went_out: int | None = None
    reshuffles: int = 0
    seed: str | None = None
    undo: list[dict[str, Any]] = field(default_factory=list)

    @property
    def teams(self) -> int:
        return self.seats // self.team_size

    @property
    def team(self) -> int:
        """Team of the seat whose turn it is."""
        return self.turn % self.teams

    @property
    def hand(self) -> list[str]:
        """The hand of the seat whose turn it is."""
        return self.hands[self.turn]

    def partners(self, seat: int) -> list[int]:
        """The other seats of a seat's team."""
        return [other for other in range(self.seats) if other % self.teams == seat % self.teams and other != seat]

    @property
    def on_foot(self) -> bool:
        """Whether the seat whose turn it is has picked up its last stack (r36)."""
        return not self.feet[self.turn]

    @property
    def each_opens(self) -> bool:
        """Whether each player has to reach the opening minimum (r40)."""
        return "each_player" in self.options["opening_terms"]

    @property
    def red_threes_laid(self) -> bool:
        return self.options["red_threes"] == "laid"

    def all_red_threes(self) -> int:
        """Red threes of the whole pack: two a deck (r13)."""
        decks = self.options["decks"]
        if isinstance(decks, dict):
            decks = self.seats + decks["seats_plus"] if "seats_plus" in decks else decks["by_seats"][str(self.seats)]
        return 2 * decks

    def copy(self) -> Table:
        """Another table that can be changed without changing this one."""
        values = dict(self.__dict__)
        for name in LISTS:
            values[name] = list(values[name])
        values["hands"] = [list(hand) for hand in self.hands]
        values["feet"] = [[list(stack) for stack in stacks] for stacks in self.feet]
        values["melds"] = [[meld.copy() for meld in melds] for melds in self.melds]
        values["red_threes"] = [list(cards) for cards in self.red_threes]
        values["laid_sevens"] = [list(cards) for cards in self.laid_sevens]
        return Table(**values)


LISTS = (
    *("scores", "foot_turns", "opened", "opened_by", "opener", "books_by", "pile", "stock", "grabs", "stacks"),
    *("first_turn", "peeked", "penalties", "undo"),
)
PLAIN = (
    *("seats", "team_size", "assist", "deal", "dealer", "turn", "phase", "foot_acted", "frozen", "last_red_three"),
    *("foot_due", "allowed", "refused", "answers", "wilds_asked", "went_out", "out_by", "reshuffles", "seed"),
)


def read_table(position: dict[str, Any]) -> Table:
    """The table of a position in JSON, with the defaults of notation where it names something not at all."""
    rules = Rules.read(position["rules"])
    shape = rules.shape(position.get("seats"), position.get("team_size"))
    seats, teams = shape.seats, shape.teams
    deal = position.get("deal", 1)

    def each(key: str, size: int, default: Any) -> list[Any]:
        value = position.get(key) or {}
        pairs = {str(index): item for index, item in enumerate(value)} if isinstance(value, list) else value
        return [pairs.get(str(i), default) for i in range(size)]

    def stacks_of(value: Any) -> list[list[str]]:
        return [] if value is None else [read_cards(stack) for stack in ([value] if isinstance(value, str) else value)]

    feet = [stacks_of(value) for value in each("feet", seats, "Qc Qd Qh Qs")]
    melds = [[Meld.read(text) for text in texts or []] for texts in each("melds", teams, [])]
    opened = [bool(melds[team]) if flag is None else flag for team, flag in enumerate(each("opened", teams, None))]
    table = Table(
        options=options_in(rules.for_all_deals, deal),
        **{"seats": seats, "team_size": shape.team_size, "deal": deal, "dealer": position.get("dealer", seats - 1)},
        turn=position.get("turn", 0),
        phase=position.get("phase", "play"),
        assist=position.get("assist", True),
        scores=[points or 0 for points in each("scores", teams, 0)],
        hands=[read_cards("Kc Kd" if cards is None else cards) for cards in each("hands", seats, None)],
        feet=feet,
        foot_turns=[int(not feet[seat]) if n is None else n for seat, n in enumerate(each("foot_turns", seats, None))],
        foot_acted=False,
        melds=melds,
        opened=opened,
        opened_by=[
            opened[seat % teams] if flag is None else flag for seat, flag in enumerate(each("opened_by", seats, None))
        ],
        opener=each("opener", teams, None),
        books_by=[count or 0 for count in each("books_by", seats, 0)],
        red_threes=[read_cards(cards or "") for cards in each("red_threes", teams, "")],
        laid_sevens=[read_cards(cards or "") for cards in each("laid_sevens", teams, "")],
        pile=read_cards(position.get("pile", "9c")),
        stock=read_cards(position.get("stock", "5c 6d " * 10)),
        **{name: position.get(name, False) for name in ("frozen", "last_red_three", "foot_due", "allowed", "refused")},
        **{"wilds_asked": position.get("wilds_asked", False), "answers": position.get("answers", 0)},
        grabs=each("grabs", seats, None),
        stacks=[pair and [read_cards(stack) for stack in pair] for pair in each("stacks", seats, None)],
        first_turn=[bool(flag) for flag in each("first_turn", seats, False)],
        peeked=[bool(flag) for flag in each("peeked", seats, False)],
        penalties=[points or 0 for points in each("penalties", teams, 0)],
        out_by=position.get("out_by"),
        went_out=position.get("went_out"),
        reshuffles=position.get("reshuffles", 0),
        seed=position.get("seed"),
        undo=list(position.get("undo", [])),
    )
    if table.out_by is not None:
        table.went_out = table.out_by % teams
    mid_turn = table.phase in ("play", "answer") and table.on_foot and table.foot_turns[table.turn] > 0
    table.foot_acted = position.get("foot_acted", mid_turn)
    return table


def write_table(table: Table) -> dict[str, Any]:
    """What can be seen of a table, in JSON, in one form for tables that are equal."""

    def cards(names: list[str]) -> str:
        return " ".join(sorted(names, key=order))

    return {
        **{name: getattr(table, name) for name in PLAIN},
        **{name: list(getattr(table, name)) for name in LISTS if name not in ("pile", "stock", "stacks", "undo")},
        "opened_by": list(table.opened_by) if table.each_opens else [],
        "hands": [cards(hand) for hand in table.hands],
        "feet": [[cards(stack) for stack in stacks] for stacks in table.feet],
        "melds": [[meld.write() for meld in melds] for melds in table.melds],
        "red_threes": [cards(threes) for threes in table.red_threes],
        "laid_sevens": [cards(sevens) for sevens in table.laid_sevens],
        "pile": " ".join(table.pile),
        "stock": " ".join(table.stock),
        "stacks": [pair and [" ".join(stack) for stack in pair] for pair in table.stacks],
        "undo": len(table.undo),
    }
