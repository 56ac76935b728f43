"""Moves of a player, read and written as text and as JSON."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from engine.errors import BadInput
from engine.play.cards import KINDS, NAMES, RANKS, Cards, parse_card, parse_cards, write_cards
from engine.words import say

WILD, GARBAGE = 14, 15
"""Names of melds without a rank: numbers beyond the last rank."""
MELD_NAMES = (*RANKS, "wild", "garbage")
"""Names of melds in notation, by number; `X` and `2` name none."""

_NAMED = {name: number for number, name in enumerate(MELD_NAMES) if name not in ("X", "2")}


class Group(NamedTuple):
    """Cards laid together. `name` is the rank or kind of their meld, or `None` where the cards say it."""

    name: int | None
    cards: Cards
    is_new: bool = False
    """Whether they start a meld, even if they could join another (ruling 38)."""
    is_mixed: bool = False
    """Whether they join the meld of that name that has wild cards: `8*:`."""


class Move(NamedTuple):
    """A move. `kind` is its word in notation; the other fields are set if that kind has them."""

    kind: str
    groups: tuple[Group, ...] = ()
    """For meld, take and draw top; the first group of a take or a draw top goes with the top card of the pile."""
    card: int = -1
    """For discard."""
    number: int = 0
    """For grab (cards lifted), keep (1 or 2) and answer (1 is yes, 0 is no)."""

    def __str__(self) -> str:
        return write_move(self)


DRAW, DRAW_TOP, TAKE, END, UNDO, ASK, WILDS, PEEK = (
    Move(kind) for kind in ("draw", "draw_top", "take", "end", "undo", "ask", "wilds", "peek")
)
YES, NO = Move("answer", number=1), Move("answer", number=0)
KEEP_FIRST, KEEP_SECOND = Move("keep", number=1), Move("keep", number=2)
DISCARDS = tuple(Move("discard", card=card) for card in range(KINDS))
"""The discard of each card."""

_PLAIN = {move.kind: move for move in (DRAW, END, UNDO, ASK, WILDS, PEEK)}
_LONGEST = 4000


@lru_cache(maxsize=65536)
def single_meld(name: int | None, cards: Cards, is_new: bool = False, is_mixed: bool = False) -> Move:
    """The move that melds one group. Cached, because the same few thousand come again and again."""
    return Move("meld", (Group(name, cards, is_new, is_mixed),))


@lru_cache(maxsize=16384)
def claim(cards: Cards, kind: str = "take") -> Move:
    """The move that takes the pile, or draws its top card, by melding that card with these."""
    return Move(kind, (Group(None, cards),)) if cards else Move(kind)


def grab(number: int) -> Move:
    """The move that says how many cards were lifted."""
    return Move("grab", number=number)


def parse_move(text: object) -> Move:
    """The move that a line of notation says. Raises `BadInput` for anything else."""
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise BadInput(say("A move is one line of text."))
    kind, _, rest = text.strip().partition(" ")
    kind, rest = kind.lower(), rest.strip()
    if kind in _PLAIN and not rest:
        return _PLAIN[kind]
    if kind == "discard":
        return DISCARDS[parse_card(rest)]
    if kind == "answer" and rest.lower() in ("yes", "no"):
        return YES if rest.lower() == "yes" else NO
    if kind in ("grab", "keep"):
        return _numbered(kind, int(rest) if rest.isascii() and rest.isdigit() and len(rest) <= 6 else None)
    if kind == "take" and not rest:
        return TAKE
    if kind == "draw" and (rest.lower() == "top" or rest[:4].lower() == "top "):
        kind, rest = "draw_top", rest[4:].strip()
        if not rest:
            return DRAW_TOP
    if kind in ("meld", "take", "draw_top"):
        return Move(kind, tuple(_parse_group(part) for part in rest.split(",")))
    raise BadInput(say("%(text)s is not a move.", text=f"{text.strip()!r:.60}"))


def _numbered(kind: str, number: Any) -> Move:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 10**6:
        raise BadInput(say("After %(kind)s comes a whole number.", kind=kind))
    if kind == "keep" and number not in (1, 2):
        raise BadInput(say("After keep comes 1 or 2."))
    return Move(kind, number=number)


def _parse_group(text: str) -> Group:
    text = text.strip()
    is_new = text[:4].lower() in ("new", "new ")
    head, colon, tail = (text[4:] if is_new else text).partition(":")
    if colon:
        head, is_mixed = _without_star(head)
        group = Group(parse_meld_name(head), parse_cards(tail), is_new, is_mixed)
    else:
        group = Group(None, parse_cards(head), is_new)
    if not group.cards:
        raise BadInput(say("A group names at least one card."))
    return group


def _without_star(name: str) -> tuple[str, bool]:
    """The name of a meld without a star after it, and whether it had one."""
    word = name.strip()
    return (word[:-1], True) if word.endswith("*") else (word, False)


def parse_meld_name(text: str) -> int:
    """The number of the meld name `text`: a rank from 3 to ace, wild or garbage."""
    word = text.strip()
    number = _NAMED.get(word.upper() if len(word) == 1 else word.lower())
    if number is None:
        raise BadInput(say("%(word)s is not the name of a meld. Enter a rank, wild or garbage.", word=f"{word!r:.20}"))
    return number


def write_move(move: Move) -> str:
    """The move in notation; `parse_move` gives it back."""
    if move.kind == "discard":
        return f"discard {NAMES[move.card]}"
    if move.kind == "answer":
        return "answer yes" if move.number else "answer no"
    if move.kind in ("grab", "keep"):
        return f"{move.kind} {move.number}"
    if move.groups:
        return f"{_WORDS.get(move.kind, move.kind)} " + ", ".join(write_group(group) for group in move.groups)
    return _WORDS.get(move.kind, move.kind)


_WORDS = {"draw_top": "draw top"}
"""Kinds of move that are written otherwise."""


def write_group(group: Group) -> str:
    """A group in notation, with its name where it has one."""
    cards = write_cards(group.cards)
    if group.name is not None:
        cards = f"{MELD_NAMES[group.name]}{'*' * group.is_mixed}: {cards}"
    return f"new {cards}" if group.is_new else cards


def move_to_json(move: Move) -> dict[str, Any]:
    """The move as a JSON object: `move` is its kind, next to `groups`, `card`, `yes`, `number` or `stack`."""
    data: dict[str, Any] = {"move": move.kind}
    if move.groups:
        data["groups"] = [
            ({} if group.name is None else {"name": MELD_NAMES[group.name] + "*" * group.is_mixed})
            | ({"new": True} if group.is_new else {})
            | {"cards": write_cards(group.cards).split()}
            for group in move.groups
        ]
    elif move.kind == "discard":
        data["card"] = NAMES[move.card]
    elif move.kind == "answer":
        data["yes"] = bool(move.number)
    elif move.kind in _NUMBER_KEYS:
        data[_NUMBER_KEYS[move.kind]] = move.number
    return data


_NUMBER_KEYS = {"grab": "number", "keep": "stack"}
_JSON_KEYS = {"discard": {"card"}, "answer": {"yes"}, "grab": {"number"}, "keep": {"stack"}, "meld": {"groups"}}


def move_from_json(data: Any) -> Move:
    """The move that a JSON object says. Raises `BadInput` for anything else."""
    kind = data.get("move") if isinstance(data, dict) else None
    if not isinstance(kind, str):
        raise BadInput(say("That JSON is not a move."))
    keys = set(data) - {"move"}
    if kind in _PLAIN and not keys:
        return _PLAIN[kind]
    bare = {"take": TAKE, "draw_top": DRAW_TOP}
    if kind in bare and (not keys or (keys == {"groups"} and data["groups"] == [])):
        return bare[kind]
    if (kind not in _JSON_KEYS and kind not in bare) or keys != _JSON_KEYS.get(kind, {"groups"}):
        raise BadInput(say("That JSON is not a move."))
    if kind == "discard":
        return DISCARDS[parse_card(data["card"])]
    if kind == "answer":
        if not isinstance(data["yes"], bool):
            raise BadInput(say("An answer's `yes` is true or false."))
        return YES if data["yes"] else NO
    if kind in _NUMBER_KEYS:
        return _numbered(kind, data[_NUMBER_KEYS[kind]])
    groups = data["groups"]
    if not isinstance(groups, list) or not 1 <= len(groups) <= 100:
        raise BadInput(say("The groups of a move are a list of objects with cards."))
    return Move(kind, tuple(_group_from_json(group) for group in groups))


def _group_from_json(data: Any) -> Group:
    cards = data.get("cards") if isinstance(data, dict) and set(data) <= {"name", "new", "cards"} else None
    if not isinstance(cards, list) or not 1 <= len(cards) <= 1000 or not isinstance(data.get("new", False), bool):
        raise BadInput(say("A group is an object with a list of cards, and a name if they need one."))
    name = data.get("name")
    if name is not None and not isinstance(name, str):
        raise BadInput(say("The name of a meld is a rank, wild or garbage."))
    held = bytes([parse_card(card) for card in cards])
    if name is None:
        return Group(None, held, data.get("new", False))
    word, is_mixed = _without_star(name)
    return Group(parse_meld_name(word), held, data.get("new", False), is_mixed)
