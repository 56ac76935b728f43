"""What dealing sheets say beside their cards, on pages and in PDF alike."""

from django.utils.translation import gettext

from engine.play.cards import BLACK_JOKER, RED_JOKER
from tournaments.duplicate.cards import Sheet, card_of


def joker_words() -> str:
    """What the signs of jokers mean: `Jk r: red joker, Jk b: black joker`."""
    red, black = card_of(RED_JOKER), card_of(BLACK_JOKER)
    words = gettext("%(red)s: red joker, %(black)s: black joker")
    return words % {"red": str(red), "black": str(black)}


def about(sheet: Sheet) -> str:
    """What is written beside the number of a board."""
    parts = [
        gettext("%(seat)s plays first") % {"seat": sheet.starts},
        *([gettext("opening minimum %(points)s") % {"points": sheet.opening}] if sheet.opening else []),
        gettext("%(cards)s cards, %(packs)s packs") % {"cards": sheet.count, "packs": sheet.packs},
        *([gettext("issue %(number)s") % {"number": sheet.issue}] if sheet.issue > 1 else []),
    ]
    return ", ".join(parts)


def stock_title(sheet: Sheet) -> str:
    """The heading of the stock."""
    return gettext("%(stock)s, the first card on top") % {"stock": sheet.stock.title}


def plan_heads(sheet: Sheet) -> list[tuple[str, str]]:
    """The heads of the columns of a building plan, in two lines: `North`, `Hand`."""
    heads = [(seat.name, stack.title) for seat in sheet.seats for stack in seat.stacks]
    return [*heads, (sheet.pile.name, f"({len(sheet.pile.cards)})"), (sheet.stock.name, f"({len(sheet.stock.cards)})")]


def face_up() -> str:
    """How to lay the stock."""
    return gettext("Lay it face up card by card, then turn it over.")
