"""What the players have to agree upon, or why nobody can move on: said on the page, with the buttons for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gameplay.models import Seat, Table
from gameplay.page.words import listed

_WHAT = {"pause": "to pause the match", "abandon": "to abandon the match"}


@dataclass(frozen=True)
class Standstill:
    """A sentence, and buttons: what each sends as `act` and what it says."""

    sentence: str
    acts: list[tuple[str, str]]


def standstill(table: Table, own: Seat, names: Sequence[str]) -> Standstill | None:
    """A proposal or a pause, for a player of the match; `None` where there is neither."""
    if table.status != Table.Status.PLAYING:
        return None
    if table.paused_at is not None:
        return Standstill("The match is paused.", [("resume", "Go on")])
    if table.proposal is None:
        return None
    agreed, what = table.proposal["agreed"], table.proposal["what"]
    if own.number in agreed:
        acts = [("decline", "Take it back")]
    else:
        acts = [(f"agree-{what}", "Agree"), ("decline", "Say no")]
    return Standstill(_sentence([names[number] for number in agreed], _WHAT[what]), acts)


def _sentence(names: Sequence[str], what: str) -> str:
    verb = "proposes" if len(names) == 1 and names[0] != "You" else "propose"
    return f"{listed(names)} {verb} {what}. It happens when all players agree."
