"""A hint in words: the best acts, what each is worth, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from engine.bots.advice import Advice
from gameplay.page.move_text import move_words
from web.text import number

_STEP = 10
"""Points to which a worth is rounded: it is an estimate."""


@dataclass(frozen=True)
class HintRow:
    """An act that is worth a thought."""

    words: str
    worth: str
    """What it should bring: of the first as a lead, of the others beside the first."""
    reason: str


def hint_rows(acts: Sequence[Advice]) -> list[HintRow]:
    """The acts of a hint in words, the best first."""
    return [
        HintRow(
            move_words(act.move), _lead_words(act.worth) if act is acts[0] else _less_words(acts[0], act), act.reason
        )
        for act in acts
    ]


def _lead_words(worth: float) -> str:
    lead = _rounded(worth)
    if lead > 0:
        return gettext("You should end the deal about %(points)s points ahead.") % {"points": number(lead)}
    if lead < 0:
        return gettext("You should end the deal about %(points)s points behind.") % {"points": number(-lead)}
    return gettext("The deal should end about even.")


def _less_words(best: Advice, act: Advice) -> str:
    less = _rounded(best.worth - act.worth)
    return (
        gettext("About %(points)s points less.") % {"points": number(less)} if less > 0 else gettext("About as good.")
    )


def _rounded(points: float) -> int:
    return _STEP * round(points / _STEP)
