"""From shuffled cards to the first turn: stacks, passing, the choice of the hand, cards turned up, lifting."""

from __future__ import annotations

from typing import Any

from tests.engine.reference.table import BLACK_THREES, RED_THREES, Illegal, Table, is_wild, options_of_deal

Pair = list[list[str]]
"""Two stacks, the bottom card of each last."""


def deal_out(ruleset: dict[str, Any], cards: list[str], *, seats: int, team_size: int, deal: int, dealer: int) -> Table:
    """A deal before its first move, from shuffled cards; `ruleset` is every option in JSON.

    Cards are dealt seat by seat from the top, and a card put back goes under the stock: the order is no rule.
    """
    options = options_of_deal(ruleset, deal)
    stock = list(cards)
    dealt = [[[stock.pop(0) for _ in range(size)] for size in options["stacks"]] for _ in range(seats)]
    teams = seats // team_size
    table = Table(
        **{"options": options, "seats": seats, "team_size": team_size, "deal": deal, "dealer": dealer},
        **{"turn": (dealer + 1) % seats, "phase": "draw", "assist": True, "scores": [0] * teams},
        **{"hands": [[] for _ in range(seats)], "feet": [[[]] for _ in range(seats)], "foot_turns": [0] * seats},
        **{"foot_acted": False, "melds": [[] for _ in range(teams)], "opened": [False] * teams},
        **{"opened_by": [False] * seats, "opener": [None] * teams, "books_by": [0] * seats},
        **{"red_threes": [[] for _ in range(teams)], "laid_sevens": [[] for _ in range(teams)]},
        **{"pile": [], "stock": stock, "grabs": [None] * seats, "stacks": [None] * seats},
        **{"first_turn": [True] * seats, "peeked": [False] * seats, "penalties": [0] * teams},
    )
    turn_up(table)
    if len(options["stacks"]) == 3:
        for seat in range(seats):
            table.hands[seat], table.feet[seat] = dealt[seat][0], dealt[seat][1:]
    else:
        table.stacks = list(passed(dealt, options["pass_stack"], teams))
        if options["hand_choice"] != "choose":
            for seat in range(seats):
                take_stacks(table, seat, chosen_place(options, table.stacks[seat]))
    if options["lift"]:
        table.phase = "lift"
        table.turn = dealer if options["lift"]["by"] == "dealer" else table.turn
    elif options["hand_choice"] == "choose":
        table.phase = "choose"
    return table


def turn_up(table: Table) -> None:
    """Turn up the cards that start the pile, the last on top; some kinds are put back and replaced (r47)."""
    passed_over = 0
    while len(table.pile) < int(table.options["upcard"]) and passed_over < len(table.stock):
        card = table.stock.pop(0)
        if is_buried(table, card):
            table.stock.append(card)
            passed_over += 1
        else:
            table.pile.insert(0, card)
    freezing = [card for card in table.pile if is_wild(card) or (card in RED_THREES and table.red_threes_laid)]
    table.frozen = bool(table.options["wild_freezes"] and freezing)


def is_buried(table: Table, card: str) -> bool:
    """Whether a card turned up is put back: a kind, or a rank of which all cards are meant."""
    kinds = {"red_three": card in RED_THREES, "wild": is_wild(card), "black_three": card in BLACK_THREES}
    return any(kinds.get(name, card[0] == name) for name in table.options["upcard_bury"])


def passed(dealt: list[Pair], pass_stack: str, teams: int) -> list[Pair]:
    """The two stacks before each player after passing; with right they change hands after the choice (r2, r30)."""
    seats = len(dealt)

    def stack(seat: int, place: int) -> list[str]:
        return dealt[seat % seats][place]

    # The left-hand neighbour is the seat after, the right-hand neighbour the seat before.
    first_and_second = {
        "none": lambda s: [stack(s, 0), stack(s, 1)],
        "right": lambda s: [stack(s, 0), stack(s, 1)],
        "left": lambda s: [stack(s, 0), stack(s - 1, 1)],
        "both": lambda s: [stack(s + 1, 0), stack(s - 1, 1)],
        "both_left": lambda s: [stack(s - 1, 0), stack(s - 1, 1)],
        "both_right": lambda s: [stack(s + 1, 0), stack(s + 1, 1)],
        "first_left": lambda s: [stack(s - 1, 0), stack(s, 1)],
        "partner": lambda s: [stack(s, 0), stack(s - teams, 1)],
    }
    return [first_and_second[pass_stack](seat) for seat in range(seats)]


def chosen_place(options: dict[str, Any], pair: Pair | None) -> int:
    """Which of two stacks is the hand where nobody chooses: by the points of the bottom cards, on a tie the first."""

    def points(stack: list[str]) -> int:
        return 100 if stack[-1] in RED_THREES else options["values"][stack[-1][0]]

    if pair is None or options["hand_choice"] == "dealt":
        return 0
    first, second = points(pair[0]), points(pair[1])
    return int(second > first) if options["hand_choice"] == "higher_bottom" else int(second < first)


def take_stacks(table: Table, seat: int, place: int) -> None:
    """This stack is the hand, the other the foot: the player's, or with right that of the seat before (r2)."""
    pair = table.stacks[seat] or []
    table.hands[seat] = list(pair[place])
    owner = (seat - 1) % table.seats if table.options["pass_stack"] == "right" else seat
    table.feet[owner] = [list(pair[1 - place])]
    table.stacks[seat] = None


def grab(table: Table, number: str) -> None:
    """A player, or the dealer for all, has lifted so many cards (r1, r42). The next seat, or the deal begins."""
    if table.phase != "lift" or not number.isdigit():
        raise Illegal("nothing to lift now")
    table.grabs[table.turn] = int(number)
    following = (table.turn + 1) % table.seats
    if table.options["lift"]["by"] == "each" and table.grabs[following] is None:
        table.turn = following
        return
    table.turn = (table.dealer + 1) % table.seats
    table.phase = "choose" if table.options["hand_choice"] == "choose" else "draw"


def keep(table: Table, number: str) -> None:
    """Choose the hand of two stacks (r2, r30). The next seat, or the deal begins."""
    if table.phase != "choose" or number not in ("1", "2"):
        raise Illegal("nothing to choose now")
    take_stacks(table, table.turn, int(number) - 1)
    table.turn = (table.turn + 1) % table.seats
    if table.stacks[table.turn] is None:
        table.turn = (table.dealer + 1) % table.seats
        table.phase = "draw"
