"""Moves in notation, as the reference reads them."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.engine.reference.melding import Group
from tests.engine.reference.table import Illegal, names_of_melds, read_cards, read_name


@dataclass
class Move:
    """A move: its word, its groups, and what else comes after the word (a card, a number, yes or no)."""

    kind: str
    groups: list[Group] = field(default_factory=list)
    rest: str = ""


def read_move(text: str) -> Move:
    """The move that a line of notation says. Raises `Illegal` where a meld has a name that there is not."""
    kind, _, rest = text.strip().partition(" ")
    if kind == "draw" and rest.split()[:1] == ["top"]:
        kind, rest = "draw top", rest.strip()[3:]
    if kind in ("meld", "take", "draw top"):
        return Move(kind, [read_group(part) for part in rest.split(",")] if rest.strip() else [])
    return Move(kind, rest=" ".join(read_cards(rest)) if kind == "discard" else rest.strip())


def read_group(text: str) -> Group:
    """A group: `4c 4d`, `8: 2h`, `8*: 8c`, `new 8c 8d 8h`."""
    words = text.split()
    is_new = words[:1] == ["new"]
    text = " ".join(words[is_new:])
    if ":" not in text:
        return Group(read_cards(text), is_new=is_new)
    head, _, cards = text.partition(":")
    name = read_name(head).removesuffix("*")
    if name not in names_of_melds():
        raise Illegal(f"{name} is no name of a meld")
    return Group(read_cards(cards), name, is_new, head.strip().endswith("*"))
