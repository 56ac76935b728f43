"""Moves as a person types them: notation, or something shorter for it."""

from __future__ import annotations

from engine.errors import BadInput
from engine.play.cards import RANK_WORDS, RANKS, Cards, parse_card, write_cards
from engine.play.moves import Move, parse_move
from engine.play.state import DRAWING
from engine.play.view import View

HELP = """\
Moves are written in notation. Suits can be left out:
  d, draw            draw from the stock
  draw top 8 8       draw the top card of the discard pile, if the rules say so
  t 8 8, take 8c 8d  take the discard pile: meld its top card with these cards
  m K K K, 5 5 2     meld: separate melds by commas
  m K: 2             add wild cards to the kings; m wild: 2 2 X melds wild cards
  m new K K K        start a second meld
  d 9, discard 9c    discard and end the turn
  a, ask             "May I go out?"     y, n  answer yes or no
  u, undo            undo the last meld          e, end  end without a discard
  grab 26, keep 1    before the deal, if the rules ask
Other words:
  moves [WORD]       your legal moves, numbered; a number plays one
  table, hand, score, rules, save FILE, help, quit\
"""

_WORDS = {
    "t": "take",
    "m": "meld",
    "e": "end",
    "u": "undo",
    "a": "ask",
    "y": "answer yes",
    "n": "answer no",
    "yes": "answer yes",
    "no": "answer no",
    "g": "grab",
    "k": "keep",
    "p": "peek",
    "w": "wilds",
}
_KINDS = frozenset(_WORDS.values()) | {"draw", "discard", "answer"}


def read_typed(text: str, view: View) -> Move:
    """The move that was typed. Raises `BadInput` with a sentence where it is none."""
    if text.isascii() and text.isdigit():
        return _by_number(text, view)
    typed, _, rest = text.partition(" ")
    word, rest = typed.lower(), rest.strip()
    if word == "d":
        word = "discard" if rest or view.position.phase != DRAWING else "draw"
    word = _WORDS.get(word, word)
    if word not in _KINDS:
        raise BadInput(f"{typed!r:.40} is not a known word. Type ? for help.")
    if word == "draw" and rest[:4].lower() == "top ":
        return parse_move(f"draw top {name_cards(rest[4:], view.hand)}")
    if word == "discard" and not rest:
        raise BadInput("Enter the card to discard, as in: d 9c.")
    if word in ("take", "meld", "discard") and rest:
        rest = name_cards(rest, view.hand)
    return parse_move(f"{word} {rest}" if rest else word)


def _by_number(text: str, view: View) -> Move:
    moves = view.legal_moves()
    number = int(text[:9])
    if not 1 <= number <= len(moves):
        raise BadInput(f"Move {number} not found. `moves` lists moves 1 to {len(moves)}.")
    return moves[number - 1]


def name_cards(text: str, hand: Cards) -> str:
    """Groups with every card named: a rank alone means a card of that rank in the hand."""
    parts = [(head, tail.split()) for head, tail in map(_split, text.split(","))]
    unused = list(hand)
    for _, words in parts:
        for word in words:
            if not _is_rank(word) and (card := parse_card(word)) in unused:
                unused.remove(card)
    return ", ".join(f"{head} {' '.join(_name_card(word, unused) for word in words)}".strip() for head, words in parts)


def _split(part: str) -> tuple[str, str]:
    """What stands before the cards of a group, `new` and a name with its colon, and the cards."""
    part = part.strip()
    new, rest = ("new ", part[4:]) if part[:4].lower() == "new " else ("", part)
    head, colon, tail = rest.partition(":")
    return (f"{new}{head.strip()}:", tail) if colon else (new.strip(), rest)


def _is_rank(word: str) -> bool:
    return len(word) == 1 and word.upper() in RANKS


def _name_card(word: str, unused: list[int]) -> str:
    if not _is_rank(word):
        return word
    rank = word.upper()
    for card in unused:
        if card // 4 == RANKS.index(rank):
            unused.remove(card)
            return write_cards([card])
    raise BadInput(f"You do not have enough {RANK_WORDS[rank][1]} for that.")
