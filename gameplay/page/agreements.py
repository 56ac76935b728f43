"""What the players have to agree upon, or why nobody can move on: said on the page, with the buttons for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from gameplay.models import Seat, Table
from gameplay.page.words import is_reader
from web.text import listed


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
        return Standstill(gettext("The match is paused."), [("resume", pgettext("with a paused match", "Resume"))])
    if table.proposal is None:
        return None
    agreed, what = table.proposal["agreed"], table.proposal["what"]
    if own.number in agreed:
        acts = [("decline", pgettext("a proposal", "Cancel my request"))]
    else:
        acts = [(f"agree-{what}", gettext("Agree")), ("decline", gettext("Decline"))]
    return Standstill(_sentence([names[number] for number in agreed], what), acts)


def _sentence(names: Sequence[str], what: str) -> str:
    shown = {"names": listed(names)}
    if len(names) == 1 and is_reader(names[0]):
        if what == "pause":
            return gettext("You asked to pause the match. Waiting for all players to agree.")
        return gettext("You asked to abandon the match. Waiting for all players to agree.")
    if len(names) == 1:
        if what == "pause":
            return gettext("%(names)s wants to pause the match. All players must agree.") % shown
        return gettext("%(names)s wants to abandon the match. All players must agree.") % shown
    if what == "pause":
        return gettext("%(names)s want to pause the match. All players must agree.") % shown
    return gettext("%(names)s want to abandon the match. All players must agree.") % shown
