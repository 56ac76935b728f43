"""Options in the form that they had in older records and house rules, read with the meaning they had then."""

from __future__ import annotations

from typing import Any

from engine.errors import BadRules
from engine.play.options import Special, SpecialBooks, Whole, YesNo
from engine.words import say

_SIZE, _FLAG, _POINTS = Whole(1, 40), YesNo(), Whole(-1_000_000, 1_000_000)

REPLACED = {"hand_cards": "stacks", "foot_cards": "stacks", "second_meld": "melds_per_rank", "lift_bonus": "lift"}
"""Options that are no more, and the one that says the same now."""


def modern(options: dict[str, Any], special: dict[str, dict[str, Any]], stacks: Any) -> dict[str, Any]:
    """The options in their present form. `special` and `stacks` are the base's, which old forms change in part.

    Raises `BadRules` where an option has no value that it could have had, or stands beside its present form.
    """
    changed = dict(options)
    for old, new in REPLACED.items():
        if old in options and new in options:
            raise _refusal((new,), say("%(old)s is the old form of %(new)s. Name only one.", old=old, new=new))
    if "hand_cards" in options or "foot_cards" in options:
        sizes = stacks["by_deal"][0] if isinstance(stacks, dict) else stacks
        hand = _read("hand_cards", _SIZE, changed.pop("hand_cards", sizes[0]))
        changed["stacks"] = [hand, _read("foot_cards", _SIZE, changed.pop("foot_cards", sizes[1])), *sizes[2:]]
    if "second_meld" in options:
        changed["melds_per_rank"] = "after_book" if _read("second_meld", _FLAG, changed.pop("second_meld")) else "one"
    if "lift_bonus" in options:
        points = _read("lift_bonus", _POINTS, changed.pop("lift_bonus"))
        changed["lift"] = {"by": "each", "within": [[0, points]]} if points else None
    return _with_special_books(changed, special)


def _with_special_books(options: dict[str, Any], special: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """`sevens` in the bonuses and in the contract are the special book of sevens now."""
    bonus, contract = options.get("book_bonus"), options.get("contract")
    points = bonus.get("sevens") if isinstance(bonus, dict) else None
    needed = _needed(contract)
    new = dict(special)
    if "special_books" in options:
        if points is not None or needed is not None:
            sentence = say("%(old)s is the old form of %(new)s. Name only one.", old="sevens", new="special_books")
            raise _refusal(("special_books",), sentence)
    elif isinstance(bonus, dict):
        new = {rank: books for rank, books in special.items() if rank != "7"}
        if points is not None and (points := _read("book_bonus", _POINTS, points)):
            before = special.get("7", {})
            new["7"] = Special(points, before.get("needed", 0), mixed=False)._asdict()
    if needed:
        if "7" not in new:
            raise _refusal(
                ("contract", "special_books"),
                say("The contract asks for a book of sevens, but books of sevens are not special."),
            )
        new["7"] = new["7"] | {"needed": _read("contract", Whole(0, 20), needed)}
    elif needed == 0 and "7" in new:
        new["7"] = new["7"] | {"needed": 0}
    changed = dict(options)
    if isinstance(bonus, dict):
        changed["book_bonus"] = {kind: worth for kind, worth in bonus.items() if kind != "sevens"}
    if needed is not None and isinstance(contract, dict):
        changed["contract"] = _without_sevens(contract)
    if new != special:
        changed["special_books"] = SpecialBooks().write(SpecialBooks().read(new, None))
    return changed


def _needed(contract: Any) -> Any:
    """The books of sevens that an old contract asks for; `None` if it does not say. By deal, each says the same."""
    if not isinstance(contract, dict):
        return None
    entries = contract["by_deal"] if isinstance(contract.get("by_deal"), list) else [contract]
    numbers = [entry.get("sevens") for entry in entries if isinstance(entry, dict)]
    if len(numbers) < len(entries) or any(number != numbers[0] for number in numbers):
        return None
    return numbers[0]


def _without_sevens(contract: dict[str, Any]) -> dict[str, Any]:
    if "by_deal" in contract:
        return contract | {"by_deal": [_without_sevens(entry) for entry in contract["by_deal"]]}
    return {kind: count for kind, count in contract.items() if kind != "sevens"}


def _read(name: str, kind: Any, value: Any) -> Any:
    try:
        return kind.read(value, None)
    except ValueError as error:
        raise _refusal((name,), say("The option %(name)s %(fault)s.", name=name, fault=error)) from None


def _refusal(options: tuple[str, ...], sentence: str) -> BadRules:
    return BadRules([sentence], [options])
