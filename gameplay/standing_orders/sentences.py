"""Standing orders in words, for the player who set them."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext

from engine.play.cards import rank_words
from engine.play.state import DRAWING, PLAYING
from engine.play.view import View
from gameplay.page.move_text import move_words
from gameplay.page.words import card_words
from gameplay.standing_orders.choice import imagined, move_for
from gameplay.standing_orders.orders import Standing
from web.text import date_and_time, either


def form_values(standing: Standing, zone: ZoneInfo) -> dict[str, Any]:
    """The orders as the fields of the form."""
    values = standing.to_json()
    if standing.until is not None:
        last = standing.until.astimezone(zone) - timedelta(seconds=1)
        values["until"] = last.date().isoformat()
    return values


def sentences(standing: Standing) -> list[str]:
    """What will be done, in sentences."""
    return [*_bot(standing), *_take(standing), *_discard(standing), *_answer(standing)]


def _answer(standing: Standing) -> list[str]:
    lines = {
        "yes": gettext("If your partner asks to go out, you say yes."),
        "no": gettext("If your partner asks to go out, you say no."),
        "points": gettext("If your partner asks to go out, you say yes if you have %(points)s points or fewer in hand.")
        % {"points": standing.points},
    }
    answer = [lines[standing.answer]] if standing.answer else []
    answer += [gettext("If you cannot take the pile, you draw.")] if standing.draw else []
    return [*answer, gettext("Before a deal we lift for you and choose your first stack.")] if standing.lift else answer


def _take(standing: Standing) -> list[str]:
    if not standing.take:
        return []
    ranks = either([rank_words(rank) for rank in standing.take])
    line = gettext("Next turn: if the top card is one of the %(ranks)s and you can take the pile, you take it.")
    lines = [line % {"ranks": ranks}]
    if standing.take_least > 1:
        lines.append(gettext("Not if it has fewer than %(count)s cards.") % {"count": standing.take_least})
    if not standing.take_wild:
        lines.append(gettext("Not if you would need a wild card."))
    return lines


def _discard(standing: Standing) -> list[str]:
    if not standing.discard:
        return []
    cards = [card_words(card) for card in standing.discard]
    first = gettext("Next turn: if you cannot take the pile, you draw and discard the %(card)s.") % {"card": cards[0]}
    rest = [gettext("If that is not possible, the %(card)s.") % {"card": card} for card in cards[1:]]
    return [first, *rest, gettext("If you can meld a card that you draw, we wait for you.")]


def _bot(standing: Standing) -> list[str]:
    if standing.bot == "day" and standing.until is not None:
        if not standing.has_bot(timezone.now()):
            return []
        return [gettext("A bot plays your turns until %(time)s.") % {"time": date_and_time(standing.until)}]
    lines = {
        "turn": gettext("A bot plays your next turn."),
        "deal": gettext("A bot plays your turns until this deal ends."),
    }
    return [lines[standing.bot]] if standing.bot else []


def preview(view: View, standing: Standing) -> str:
    """What would happen if it were the player's turn with the table as it is now; empty between deals."""
    if view.seat is None or view.position.phase not in (DRAWING, PLAYING):
        return ""
    if standing.has_bot(timezone.now()):
        return gettext("If it were your turn now, a bot would play it.")
    move = move_for(imagined(view), standing)
    if move is None:
        return gettext("If it were your turn now, we would wait for you.")
    return gettext("If it were your turn now: %(move)s.") % {"move": move_words(move)}
