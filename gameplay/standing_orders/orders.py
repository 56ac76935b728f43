"""Standing orders: moves and answers that a player wants at once when it is their turn.

A seat stores the wanted parts only: `{"answer": "yes", "no" or "points", "points": N, "lift": true, "draw": true}` until they are
changed, for the next turn `"take": ["K", …], "take_least": N, "take_wild": true, "discard": ["4c", …]`, and a bot that
plays the turns, `"bot": "turn", "deal" or "day", "until": time in UTC`.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext, gettext_lazy

from engine.errors import BadInput
from engine.play.cards import ACE, FOUR, NAMES, RANKS, parse_card
from web.errors import Refused
from web.text import number

MOST_POINTS = 2000
MOST_PILE = 200
MOST_DISCARDS = 2
MOST_DAYS = 14
"""Days that a bot can play for somebody by one order."""

ANSWERS = {
    "": gettext_lazy("Ask me each time"),
    "yes": gettext_lazy("Always yes"),
    "no": gettext_lazy("Always no"),
    "points": gettext_lazy("Yes, if I have at most this many points in hand"),
}
"""Answers in advance to `May I go out?`."""
BOTS = {
    "": gettext_lazy("I play myself"),
    "turn": gettext_lazy("For my next turn"),
    "deal": gettext_lazy("Until this deal ends"),
    "day": gettext_lazy("Until the end of this day"),
}
"""How long a bot plays for the player; a move of their own ends it."""
RANKS_TO_TAKE = range(FOUR, ACE + 1)
"""Ranks of a top card of the pile that an order can name."""

_NEXT_TURN = ("take", "take_least", "take_wild", "discard")


class Standing(NamedTuple):
    """The standing orders of a player."""

    answer: str = ""
    """A key of `ANSWERS`."""
    points: int = 0
    """For `points`: the most that the cards in hand may be worth."""
    lift: bool = False
    """Lift for the player before a deal, and choose the first stack."""
    draw: bool = False
    """Draw when the discard pile cannot be taken."""
    take: tuple[int, ...] = ()
    """Next turn: take the pile if its top card is of one of these ranks."""
    take_least: int = 1
    """And if it has so many cards or more."""
    take_wild: bool = False
    """And if that needs a wild card."""
    discard: tuple[int, ...] = ()
    """Next turn: draw, then discard the first of these cards that is possible."""
    bot: str = ""
    """A key of `BOTS`."""
    until: datetime | None = None
    """For `day`: the end of that day."""

    def to_json(self) -> dict[str, Any]:
        """The stored form; empty if nothing is wanted."""
        data: dict[str, Any] = {"answer": self.answer} if self.answer else {}
        if self.answer == "points":
            data["points"] = self.points
        if self.lift:
            data["lift"] = True
        if self.draw:
            data["draw"] = True
        if self.take:
            data |= {"take": [RANKS[rank] for rank in self.take]}
            data |= {"take_least": self.take_least} if self.take_least > 1 else {}
            data |= {"take_wild": True} if self.take_wild else {}
        if self.discard:
            data["discard"] = [NAMES[card] for card in self.discard]
        if self.bot:
            data["bot"] = self.bot
        if self.until is not None:
            data["until"] = self.until.isoformat()
        return data

    def has_bot(self, now: datetime) -> bool:
        """Whether a bot plays for the player now."""
        return bool(self.bot) and (self.until is None or now < self.until)


def read_standing(data: Mapping[str, Any], zone: ZoneInfo | None = None, now: datetime | None = None) -> Standing:
    """The orders of a form, a program or a seat. Raises `Refused` if they make no sense.

    A form names a day in the player's `zone`, and its orders start `now`.
    """
    answer, draw = data.get("answer") or "", data.get("draw") or False
    if not isinstance(answer, str) or answer not in ANSWERS:
        raise Refused("bad_standing", gettext("Choose yes, no, or yes up to a number of points."), field="answer")
    words = gettext("Enter a whole number of points from 0 to %(most_points)s.")
    points = _number(data.get("points") or 0, 0, MOST_POINTS)
    if points is None:
        raise Refused("bad_standing", words % {"most_points": number(MOST_POINTS)}, field="points")
    take = _ranks(data.get("take"))
    least = _number(data.get("take_least") or 1, 1, MOST_PILE)
    if least is None:
        words = gettext("Enter a whole number of cards from 1 to %(most)s.")
        raise Refused("bad_standing", words % {"most": number(MOST_PILE)}, field="take_least")
    bot = data.get("bot") or ""
    if not isinstance(bot, str) or bot not in BOTS:
        raise Refused("bad_standing", gettext("Choose how long the bot plays."), field="bot")
    return Standing(
        answer,
        points if answer == "points" else 0,
        _is_on(data.get("lift") or False),
        _is_on(draw),
        take,
        least if take else 1,
        bool(take) and _is_on(data.get("take_wild") or False),
        _cards(data.get("discard")),
        bot,
        _until(data.get("until"), zone, now) if bot == "day" else None,
    )


def _is_on(value: object) -> bool:
    return value in (True, "true", "on", "1", "yes")


def _number(value: object, least: int, most: int) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        value = int(value)
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return value if is_whole and least <= value <= most else None  # type: ignore[operator, return-value]


def _ranks(value: object) -> tuple[int, ...]:
    names = value if isinstance(value, list) else [value] if value else []
    ranks = {RANKS.find(name) for name in names if isinstance(name, str) and len(name) == 1}
    if len(ranks) != len(names) or not ranks.issubset(RANKS_TO_TAKE):
        raise Refused("bad_standing", gettext("Choose the ranks from the list."), field="take")
    return tuple(sorted(ranks))


def _cards(value: object) -> tuple[int, ...]:
    names = [name for name in (value if isinstance(value, list) else [value]) if name]
    try:
        cards = tuple(dict.fromkeys(parse_card(name) for name in names))
    except (BadInput, TypeError, AttributeError):
        cards = (-1,)
    if -1 in cards or len(cards) > MOST_DISCARDS:
        raise Refused("bad_standing", gettext("Choose a card that you have."), field="discard")
    return cards


def _until(value: object, zone: ZoneInfo | None, now: datetime | None) -> datetime:
    """The moment when the bot stops: stored as such, or the end of a day that a form names."""
    try:
        if now is None:
            return datetime.fromisoformat(str(value))
        here = zone or ZoneInfo("UTC")
        day, today = date.fromisoformat(str(value)), now.astimezone(here).date()
        if today <= day <= today + timedelta(days=MOST_DAYS):
            return datetime.combine(day + timedelta(days=1), time(), here).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    words = gettext("Choose a day from today to %(days)s days from now.")
    raise Refused("bad_standing", words % {"days": MOST_DAYS}, field="until")


# What ends orders: each takes the stored form and gives a new one


def after_own_move(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Without the bot: the player is here."""
    return _without(stored, ("bot", "until"))


def after_turn(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Without what was for one turn."""
    return _without(stored, (*_NEXT_TURN, *(("bot",) if stored.get("bot") == "turn" else ())))


def after_deal(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Without what was for the deal."""
    return _without(stored, (*_NEXT_TURN, *(("bot",) if stored.get("bot") in ("turn", "deal") else ())))


def without_discard(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Without the discard."""
    return _without(stored, ("discard",))


def _without(stored: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: value for name, value in stored.items() if name not in names}
