"""Events told in short sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.play.cards import write_cards
from engine.play.events import Event
from engine.play.melds import meld_words, number_words
from engine.play.moves import parse_meld_name

Namer = Callable[[int], str]
"""Name of a seat at the beginning of a sentence."""


def by_number(seat: int) -> str:
    """A seat called by its number."""
    return f"Seat {seat}"


def describe(events: Iterable[Event], name: Namer = by_number) -> str:
    """Describe the events in sentences; those about one seat after another are joined."""
    sentences: list[str] = []
    subject = -1
    for event in events:
        if event.kind not in _PHRASES:
            continue
        if event.seat < 0:
            sentences.append(_PHRASES[event.kind](event))
            subject = -1
        elif event.seat == subject:
            sentences[-1] += f", {_PHRASES[event.kind](event)}"
        else:
            sentences.append(f"{name(event.seat)} {_PHRASES[event.kind](event)}")
            subject = event.seat
    return " ".join(f"{sentence}." for sentence in sentences)


def _count(number: int) -> str:
    return number_words(number, "card", "cards")


def _cards_of(event: Event) -> str:
    """The cards, where they are seen."""
    return f" ({write_cards(event.cards)})" if event.cards else ""


def _melded(event: Event) -> str:
    name = parse_meld_name(event.text)
    cards = write_cards(event.cards)
    natural = [card for card in event.cards if card // 4 == name]
    return f"melded {cards}" if natural else f"melded {cards} as {meld_words(name)}"


def _book(event: Event) -> str:
    kind, _, name = event.text.partition(" ")
    cards = "wild cards" if kind == "wild" else meld_words(parse_meld_name(name))
    return f"completed a {kind} book of {cards}" if kind in ("clean", "dirty") else f"completed a book of {cards}"


_PENALTIES = {
    "wrong_claim": "for a wrong attempt to take the pile",
    "out_refused": "for going out despite a refusal",
    "asked_not_out": "for asking and then not going out",
}
_ENDINGS = {
    "went_out": "The deal is over",
    "final_turns": "Everyone else has had a final turn: the deal is over",
    "stock_out": "The stock has run out: the deal is over",
    "last_red_three": "The stock ended with a red three: the deal is over",
    "all_kept": "The deal is over",
}

_PHRASES: dict[str, Callable[[Event], str]] = {
    "lifted": lambda e: f"lifted {_count(e.number)}",
    "kept": lambda e: f"kept the {'first' if e.number == 1 else 'second'} stack as the hand",
    "peeked": lambda e: f"looked at the foot{_cards_of(e)}",
    "drew": lambda e: f"drew {_count(e.number)}{_cards_of(e)}",
    "drew_top": lambda e: f"drew {write_cards(e.cards)} from the pile",
    "red_three_laid": lambda e: f"laid {write_cards(e.cards)}",
    "replaced": lambda e: f"drew {_count(e.number)} in its place{_cards_of(e)}",
    "reshuffled": lambda e: f"The discard pile was shuffled into a new stock of {_count(e.number)}",
    "took_pile": lambda e: f"took {_count(e.number)} from the pile ({write_cards(e.cards)})",
    "melded": _melded,
    "opened": lambda e: "opened for the team",
    "book_completed": _book,
    "undone": lambda e: "undid the last meld",
    "foot_due": lambda e: "picks up the foot after discarding",
    "knee_picked_up": lambda e: f"picked up the knee of {_count(e.number)}",
    "foot_picked_up": lambda e: f"picked up the foot of {_count(e.number)}",
    "discarded": lambda e: f"discarded {write_cards(e.cards)}",
    "froze": lambda e: "froze the pile with it",
    "asked": lambda e: "asked to go out",
    "answered": lambda e: f"answered {e.text}",
    "wilds_told": lambda e: f"said they have {number_words(e.number, 'wild card', 'wild cards')}",
    "penalty": lambda e: f"lost {-e.number} points {_PENALTIES.get(e.text, e.text)}",
    "turn_passed": lambda e: "passed, with no move left",
    "sevens_laid": lambda e: f"laid {write_cards(e.cards)}, which nobody can discard",
    "went_out": lambda e: "went out",
    "deal_over": lambda e: _ENDINGS.get(e.text, "The deal is over"),
}
