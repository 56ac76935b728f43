"""What the players have to agree upon, or why nobody can move on: said on the page, with the buttons for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from gameplay.models import Seat, Table
from gameplay.page.words import is_reader
from web.words import listed


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
        return Standstill(gettext("The match is paused."), [("resume", pgettext("with a paused match", "Go on"))])
    if table.proposal is None:
        return None
    agreed, what = table.proposal["agreed"], table.proposal["what"]
    if own.number in agreed:
        acts = [("decline", pgettext("a proposal", "Take it back"))]
    else:
        acts = [(f"agree-{what}", gettext("Agree")), ("decline", gettext("Say no"))]
    return Standstill(_sentence([names[number] for number in agreed], what), acts)


def _sentence(names: Sequence[str], what: str) -> str:
    shown = {"names": listed(names)}
    if len(names) == 1 and is_reader(names[0]):
        if what == "pause":
            return gettext("You propose to pause the match. It happens when all players agree.")
        return gettext("You propose to abandon the match. It happens when all players agree.")
    if len(names) == 1:
        if what == "pause":
            return gettext("%(names)s proposes to pause the match. It happens when all players agree.") % shown
        return gettext("%(names)s proposes to abandon the match. It happens when all players agree.") % shown
    if what == "pause":
        return gettext("%(names)s propose to pause the match. It happens when all players agree.") % shown
    return gettext("%(names)s propose to abandon the match. It happens when all players agree.") % shown
