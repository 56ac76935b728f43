"""Random rulesets, positions and moves for the comparison of the engine with the reference."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from engine.errors import BadInput, BadRules
from engine.play.cards import NAMES
from engine.play.choices import legal_moves
from engine.play.game import new_game
from engine.play.moves import write_move
from engine.play.position import read_position
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.state import State
from tests.engine.reference.melding import Meld, check_large_book, check_meld, takes_no_wild
from tests.engine.reference.table import (
    BOOK,
    RANKS,
    Illegal,
    Table,
    is_wild,
    names_of_melds,
    naturals_of,
    read_table,
    wild_of,
)

Maker = Callable[[random.Random], Any]


# Rulesets


def of(*values: Any) -> Maker:
    return lambda rng: rng.choice(values)


def some_of(*values: Any) -> Maker:
    return lambda rng: rng.sample(values, rng.randint(0, min(3, len(values))))


def number(low: int, high: int) -> Maker:
    return lambda rng: rng.randint(low, high)


def parts(**makers: Maker) -> Maker:
    return lambda rng: {name: maker(rng) for name, maker in makers.items()}


def by_deal(maker: Maker) -> Maker:
    """A plain value, or sometimes one for each deal (r31)."""
    return lambda rng: maker(rng) if rng.random() < 0.7 else {"by_deal": [maker(rng) for _ in range(rng.randint(1, 3))]}


def limits(rng: random.Random) -> list[int]:
    return [rng.randint(0, 2) for _ in range(1)] + sorted(rng.randint(0, 2 + i) for i in range(4))


OPTION_MAKERS: dict[str, Maker] = {
    "shapes": lambda rng: [rng.choice([[4, 2], [2, 1], [3, 1], [4, 1], [6, 3], [6, 2], [8, 2], [9, 3]])],
    "decks": lambda rng: rng.choice(
        [rng.randint(3, 9), {"seats_plus": rng.randint(0, 3)}, {"by_seats": {str(s): s + 1 for s in range(2, 13)}}]
    ),
    "jokers_per_deck": number(0, 6),
    "stacks": by_deal(lambda rng: [rng.randint(2, 14)] + [rng.randint(1, 9) for _ in range(rng.randint(1, 2))]),
    "lift": of(
        *[None, None, {"by": "each", "within": [[0, 100]]}, {"by": "dealer", "within": [[0, 50], [1, 300], [4, -20]]}]
    ),
    "pass_stack": by_deal(of("none", "left", "right", "both", "both_left", "both_right", "first_left", "partner")),
    "hand_choice": of("dealt", "choose", "higher_bottom", "lower_bottom"),
    "foot_seen": of(True, False),
    "upcard": of(False, True, 2, 5),
    "upcard_bury": some_of("red_three", "wild", "black_three", "7", "X"),
    "draw_count": by_deal(number(1, 4)),
    "draw_top": of("never", "first", "melded"),
    "pile_take": by_deal(of("all", 1, 2, 3, 7)),
    "pile_claim": of("natural_pair", "legal_meld", "one_match", "none", "naturals", "new_meld"),
    "pile_to_meld": of("never", "unfrozen"),
    "wild_on_top": of("never", "matching_pair"),
    "wild_freezes": of(True, False),
    "take_needs_open": of(True, False),
    "stock_out": of("play_on", "end", "reshuffle"),
    "last_red_three_ends": of(True, False),
    "wild_limits": lambda rng: rng.choice([[1, 1, 1, 2, 2], [1, 2, 2, 2, 3], [2, 3, 4, 5, 6], [0, 0, 0, 1, 2]]),
    "wild_beyond": of("limit", "fewer", "equal"),
    "wild_melds": of(True, False),
    "pure_ranks": some_of(*RANKS[2:]),
    "kept_ranks": some_of(*RANKS, "X"),
    "kept_until": of("never", "own_sevens", "any_sevens", "every_sevens"),
    "books_grow": parts(
        clean=of("no", "natural", "any", "keeps"), dirty=of("no", "natural", "any"), wild=of("no", "any")
    ),
    "melds_per_rank": of("one", "after_book", "clean_and_dirty", "free"),
    "garbage": of(True, False),
    "black_three_meld": of("never", "going_out", "always"),
    "red_three_meld": of(True, False),
    "opening_terms": some_of("books", "naturals", "empty_hand", "each_player"),
    "opening": of(
        *["none", {"by_deal": [20]}, {"by_deal": ["clean_book"]}, {"by_deal": [30, 90, "clean_book"]}],
        {"by_score": [[None, 15], [0, 50], [300, 90]]},
        {"by_score": [[0, 40]]},
    ),
    "book_lock": of("none", "opener_waits", "second_waits"),
    "foot_when": of("hand_empty", "own_book"),
    "foot_after_discard": of("at_once", "next_turn"),
    "contract": by_deal(parts(clean=number(0, 1), dirty=number(0, 1), wild=number(0, 1))),
    "contract_red_threes": of("none", "all"),
    "partner_foot": of("none", "picked_up", "played"),
    "permission": of("none", "optional", "required"),
    "last_card": of("either", "discard", "meld"),
    "final_turns": of(False, True, "always"),
    "out_bonus": by_deal(number(-100, 200)),
    "values": lambda rng: {rank: rng.randint(0, 60) for rank in rng.sample([*RANKS, "X"], 4)},
    "book_bonus": of({"clean": 500, "dirty": 300, "wild": 1500}, {"clean": 1, "dirty": 2, "wild": 3}),
    "special_books": lambda rng: {
        rank: {"points": rng.randint(-50, 5000), "needed": rng.randint(0, 1), "mixed": rng.random() < 0.5}
        for rank in rng.choice([[], ["7"], ["7", "5"], ["3", "7"], ["K"]])
    },
    "red_threes": of("laid", "held"),
    "red_three": parts(laid=number(-500, 100), held=number(-500, 100)),
    "red_three_all": of(None, 1000, -300),
    "red_three_sets": of(None, {"size": 2, "points": 400}, {"size": 7, "points": -1000}),
    "red_three_sevens": of(True, False),
    "red_three_replaced": of("always", "not_from_pile", "never"),
    "wild_unfinished": of(0, -1000),
    "wild_needs_clean": of(True, False),
    "held_counts": of("all", "others"),
    "length": of({"deals": 1}, {"deals": 3}, {"target": 500}),
    "tie": of("shared", "extra_deals"),
    "penalties": of(None, {"out_refused": -100, "asked_not_out": -70, "wrong_claim": -50}),
    "ask_wilds": of(True, False),
}
"""A maker of values for every option, in JSON."""

NO_PILE = {
    **{"pile_take": "none", "pile_claim": "none", "pile_to_meld": "never", "wild_on_top": "never"},
    **{"wild_freezes": False, "take_needs_open": False},
}


def random_rules(rng: random.Random) -> Rules:
    """A preset with up to thirty options set otherwise, one after the other, as far as they go together."""
    rules = Rules.preset(rng.choice(list(PRESETS)))
    names = rng.sample(list(OPTION_MAKERS), rng.choice([0, 3, 10, 20, 30]))
    for change in [{name: OPTION_MAKERS[name](rng)} for name in names] + [NO_PILE] * (rng.random() < 0.03):
        try:
            rules = Rules.make(rules, change)
        except BadRules:
            continue
    return rules


# Positions


def random_position(rules: Rules, rng: random.Random) -> dict[str, Any]:
    """A position late in a deal, in JSON; not every one is a position under these rules."""
    deal = rng.randint(1, 3)
    shape = rng.choice(rules.shapes)
    seats, teams = shape.seats, shape.teams
    names = sorted({"2h" if card == "??" else card for card in card_names(rules, seats)})
    ranks = rng.sample(RANKS[1:], 3)
    likely = [card for card in names if card[0] in ranks or is_wild(card)]

    def cards(most: int) -> str:
        count = rng.randint(0, most)
        return " ".join(rng.choice(likely if rng.random() < 0.7 else names) for _ in range(count))

    def stacks() -> Any:
        sizes = len(rules.in_deal(deal).stacks)
        left = rng.choice([0, 0, 1, sizes - 1])
        return None if left == 0 else [cards(5) or "Kd" for _ in range(left)]

    turn = rng.randrange(seats)
    position: dict[str, Any] = {
        **{"rules": rules, "seats": seats, "team_size": shape.team_size, "deal": deal},
        **{"turn": turn, "dealer": rng.randrange(seats), "phase": rng.choice(["draw", "draw", "play"])},
        "hands": [cards(8) for _ in range(seats)],
        "feet": [stacks() for _ in range(seats)],
        "foot_turns": [rng.choice([None, 0, 1]) for _ in range(seats)],
        "scores": [rng.randint(-200, 900) for _ in range(teams)],
        "opened": [rng.choice([None, None, None, False]) for _ in range(teams)],
        "opener": [rng.choice([None, *range(team, seats, teams)]) for team in range(teams)],
        "books_by": [rng.choice([0, 0, 1]) for _ in range(seats)],
        "red_threes": [" ".join(rng.choice(["3d", "3h"]) for _ in range(rng.randint(0, 5))) for _ in range(teams)],
        "pile": cards(6),
        "stock": " ".join(rng.choice(names) for _ in range(rng.choice([0, 1, 2, 3, 5, 20]))),
        "frozen": rules.wild_freezes and rng.random() < 0.4,
        "assist": rng.random() < 0.6,
        "first_turn": [rng.random() < 0.5 for _ in range(seats)],
        "melds": [random_melds(rules, deal, seats, ranks, rng) for _ in range(teams)],
    }
    if rules.each_opens:
        # A team has opened when one of its players has.
        by_seat = [rng.random() < 0.5 for _ in range(seats)]
        position["opened_by"] = by_seat
        position["opened"] = [any(by_seat[team::teams]) for team in range(teams)]
    if position["phase"] == "play":
        # An empty hand follows from a meld; here nothing is melded yet.
        position["hands"][turn] = position["hands"][turn] or rng.choice(likely)
    if rng.random() < 0.7:
        position["pile"] = f"{likely_top(position['hands'][turn].split(), likely, rng)} {position['pile']}".strip()
    if rng.random() < 0.4:
        near_the_end(position, rules, rng)
    if rules.red_threes == "held":
        position["red_threes"] = []
    if rng.random() < 0.3 and position["phase"] == "play":
        # A question has at most one answer.
        position |= dict(zip(("allowed", "refused"), rng.choice([(True, False), (False, True)]), strict=True))
    if rules.final_turns != "no" and rng.random() < 0.2:
        position["out_by"] = (turn + rng.randint(1, seats - 1)) % seats
        position["hands"][position["out_by"]] = ""
        position["feet"][position["out_by"]] = None
    return position


def likely_top(hand: list[str], likely: list[str], rng: random.Random) -> str:
    """A card that the hand may claim, as the pack has it."""
    ranks = {card[0] for card in hand}
    return rng.choice([card for card in likely if card[0] in ranks] or likely)


def near_the_end(position: dict[str, Any], rules: Rules, rng: random.Random) -> None:
    """Let the player whose turn it is have few cards, and most of what it takes to go out."""
    table = bare_table(rules, position["deal"], position["seats"])
    seat, teams = position["turn"], position["seats"] // position["team_size"]
    team = seat % teams
    position["hands"][seat] = " ".join(position["hands"][seat].split()[: rng.randint(1, 5)])
    for partner in range(team, position["seats"], teams):
        if rng.random() < 0.9:
            position["feet"][partner] = None
            position["foot_turns"][partner] = rng.choice([0, 1, 1, 2])
    if rng.random() < 0.9:
        books = contract_books(table, rng)
        names = {book.name for book in books}
        others = [meld for meld in position["melds"][team] if meld.partition(":")[0] not in names]
        position["melds"][team] = others + [book.write() for book in books]
    if rules.contract_red_threes == "all" and rng.random() < 0.8:
        position["red_threes"] = [
            " ".join(["3d"] * table.all_red_threes() if other == team else []) for other in range(teams)
        ]
    if position["phase"] == "play":
        position["allowed"] = position["refused"] = False
        position[rng.choice(["allowed", "allowed", "refused", "wilds_asked"])] = True


def contract_books(table: Table, rng: random.Random) -> list[Meld]:
    """The books that the contract asks for, of a rank each."""
    ranks = [rank for rank in rng.sample(RANKS[2:], 11) if rank not in table.options["special_books"]]
    books = [Meld("wild", ["2h"] * BOOK) for _ in range(table.options["contract"]["wild"])]
    books += [Meld(rank := ranks.pop(), [rank + "h"] * BOOK) for _ in range(table.options["contract"]["clean"])]
    if table.options["wild_limits"][-1]:
        ranks = [rank for rank in ranks if not takes_no_wild(table, rank)]
        books += [
            Meld(rank := ranks.pop(), [rank + "h"] * 6 + ["2h"]) for _ in range(table.options["contract"]["dirty"])
        ]
    special = table.options["special_books"].items()
    return books + [Meld(rank, [rank + "c"] * BOOK) for rank, terms in special for _ in range(terms["needed"])]


def card_names(rules: Rules, seats: int) -> list[str]:
    return [NAMES[card] for card in rules.pack(seats)]


def random_melds(rules: Rules, deal: int, seats: int, ranks: list[str], rng: random.Random) -> list[str]:
    """Melds that a team may have under these rules, most of them of the ranks that are likely in hands."""
    table = bare_table(rules, deal, seats)
    melds: list[Meld] = []
    for _ in range(rng.randint(0, 5)):
        name = rng.choice([*ranks, *ranks, rng.choice(names_of_melds()[:-1]), "wild", "7"])
        meld = random_meld(table, name, rng)
        others = [other for other in melds if other.name == name]
        mode = table.options["melds_per_rank"]
        few = {"one": not others, "after_book": not any(other.is_open for other in others)}
        if meld and few.get(
            mode, mode == "free" or not any(other.is_open and sort_of(other) == sort_of(meld) for other in others)
        ):
            melds.append(meld)
    return [meld.write() for meld in melds]


def sort_of(meld: Meld) -> bool:
    return bool(wild_of(meld.cards)) and meld.name != "wild"


def random_meld(table: Table, name: str, rng: random.Random) -> Meld | None:
    """A meld of the name with three to ten cards, or `None` where the cards that came out are none."""
    size = rng.choice([3, 4, 5, 6, 6, 7, 7, 7, 8, 10])
    never = {"wild": not table.options["wild_melds"], "3": table.options["black_three_meld"] != "always"}
    if never.get(name):
        return None
    wild = size if name == "wild" else rng.choice([0, 0, 1, 2, 3])
    suits = "cs" if name == "3" and not table.options["red_three_meld"] else "cdhs"
    cards = [name + rng.choice(suits) for _ in range(size - wild)] + ["2" + rng.choice("cdhs") for _ in range(wild)]
    meld = Meld(name, cards)
    if wild and name != "wild" and takes_no_wild(table, name):
        return None
    try:
        check_meld(table, name, cards[:BOOK])
        if size > BOOK:
            keeps = table.options["books_grow"]["clean"] == "keeps" and len(naturals_of(cards)) >= BOOK
            meld.keeps = keeps and bool(wild)
            if table.options["books_grow"][meld.kind] == "no" and not meld.keeps:
                return None
            check_large_book(table, meld)
    except Illegal:
        return None
    return meld


def bare_table(rules: Rules, deal: int, seats: int) -> Table:
    return read_table({"rules": rules, "seats": seats, "deal": deal})


def first_state(rules: Rules, rng: random.Random) -> State | None:
    """The beginning of a match, or a late position made up; `None` where what came out is no position."""
    if rng.random() < 0.1:
        shape = rng.choice(rules.shapes)
        table = {"seats": shape.seats, "team_size": shape.team_size, "dealer": rng.randrange(shape.seats)}
        return new_game(rules, rng.randbytes(32), **table, assist=rng.random() < 0.6)
    try:
        return read_position(random_position(rules, rng))
    except BadInput:
        return None


def eager_move(state: State, rng: random.Random) -> Any:
    """A legal move, melding and taking more often than not, so that deals get far."""
    moves = legal_moves(state)
    busy = [move for move in moves if move.kind in ("meld", "take", "draw_top")]
    return rng.choice(busy) if busy and rng.random() < 0.6 else rng.choice(moves)


# Moves


def moves_to_try(table: Table, offered: list[str], rng: random.Random, count: int = 12) -> list[str]:
    """Listed moves changed a little, and moves made up."""
    tries = [changed(rng.choice(offered), table, rng) for _ in range(count // 2)] if offered else []
    tries += [invented(table, rng) for _ in range(count - len(tries))]
    tries += [f"discard {card}" for card in sorted(set(table.hand))[:3]]
    return tries


def changed(text: str, table: Table, rng: random.Random) -> str:
    """A move with a card more or less or another one, another name, `new` or a star, a group more or less."""
    kind, _, rest = text.partition(" ")
    if kind == "draw" and rest.startswith("top"):
        kind, rest = "draw top", rest[3:].strip()
    if kind not in ("meld", "take", "draw top"):
        return invented(table, rng)
    groups = [group.strip() for group in rest.split(",") if group.strip()]
    if not groups:
        return f"{kind} {random_group(table, rng)}"
    place = rng.randrange(len(groups))
    head, colon, cards = groups[place].rpartition(":")
    is_new = head.startswith("new") or cards.startswith("new")
    head, words = head.removeprefix("new").strip(), [word for word in cards.split() if word != "new"]
    match rng.randrange(8):
        case 0:
            words = [*words, rng.choice(table.hand or ["Kc"])]
        case 1:
            words = words[1:] or words
        case 2:
            words = [*words[:-1], rng.choice(table.hand or ["Kc"])]
        case 3:
            head, colon = (
                (rng.choice(names_of_melds()) if rng.random() < 0.3 else rank_in(words)) + rng.choice(["", "*"]),
                ":",
            )
        case 4:
            is_new = not is_new
        case 5:
            head, colon = "", ""
        case 6:
            words += [card for card in table.hand if is_wild(card)][:1]
        case _:
            groups.append(random_group(table, rng))
    groups[place] = f"{'new ' * is_new}{head}{colon} {' '.join(words)}".strip()
    if rng.random() < 0.15:
        rng.shuffle(groups)
    if rng.random() < 0.1:
        kind = rng.choice(["meld", "take", "draw top"])
    return f"{kind} {', '.join(groups)}"


def rank_in(cards: list[str]) -> str:
    """Rank of the natural cards, as the name of their meld; of wild cards, wild."""
    return next((card[0] for card in cards if not is_wild(card)), "wild")


def random_group(table: Table, rng: random.Random) -> str:
    """Cards of the hand as a group: most of a rank, with or without wild cards, with or without a name."""
    hand = table.hand or ["Kc"]
    rank = rng.choice(hand)[0]
    cards = [card for card in hand if card[0] == rank]
    cards = cards[: rng.choice([1, 2, 3, len(cards), len(cards)])]
    wild = [card for card in hand if is_wild(card) and card[0] != rank]
    cards += rng.sample(wild, rng.randint(0, min(2, len(wild)))) if rng.random() < 0.4 else []
    if rng.random() < 0.05:
        cards = rng.sample(hand, rng.randint(1, min(4, len(hand))))
    name = ""
    if all(is_wild(card) for card in cards):
        names = [meld.name for meld in table.melds[table.team]] + ["wild"]
        name = rng.choice(["", *[name + star + ": " for name in names for star in ("", "", "*")]])
    elif rng.random() < 0.2:
        name = rank + rng.choice(["", "*"]) + ": "
    elif rng.random() < 0.2 and table.options["garbage"]:
        name = "garbage: "
    return rng.choice(["", "", "new "]) + name + " ".join(cards)


def invented(table: Table, rng: random.Random) -> str:
    """A move that somebody might think of, at any time."""
    in_time = ["take", "take", "draw top"] if table.phase == "draw" else ["meld"] * 3
    kind = rng.choice(in_time * 3 + ["meld", "take", "draw top", "other", "other"])
    if kind == "other":
        return rng.choice(
            [
                *["draw", "take", "draw top", "end", "undo", "ask", "wilds", "peek", "answer yes", "answer no"],
                *["keep 1", "grab 22", f"discard {rng.choice(['Kc', '2h', '3d', '3c', '7c'])}"],
            ]
        )
    groups = [random_group(table, rng) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    if kind != "meld" and table.pile and rng.random() < 0.8:
        groups[0] = claiming_group(table, rng)
    return f"{kind} {', '.join(groups)}"


def claiming_group(table: Table, rng: random.Random) -> str:
    """Cards of the hand that might claim the top card."""
    top = table.pile[0]
    cards = [card for card in table.hand if card[0] == top[0]]
    cards = cards[: rng.choice([1, 2, 3, len(cards), len(cards)])]
    wild = [card for card in table.hand if is_wild(card) and card[0] != top[0]]
    cards += rng.sample(wild, rng.randint(0, min(2, len(wild)))) if rng.random() < 0.4 else []
    head = rng.choice(
        ["", "", "", "", "new ", "new ", "garbage: ", f"{rng.choice([top[0], 'wild'])}: ", f"{top[0]}*: "]
    )
    return head + " ".join(cards or table.hand[:1] or ["Kc"])


def offered_moves(state: State) -> list[str]:
    return [write_move(move) for move in legal_moves(state)]
