"""Agreements of the players, or why nobody can move: a sentence on the page, with buttons."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from gameplay.models import Seat, Table
from gameplay.page.words import is_reader
from web.text import join_words


@dataclass(frozen=True)
class Standstill:
    """A sentence, and buttons: the `act` that each sends, and its text."""

    sentence: str
    acts: list[tuple[str, str]]


def standstill(table: Table, seat: Seat, names: Sequence[str]) -> Standstill | None:
    """A proposal or a pause, shown to a player of the match; `None` if there is neither."""
    if table.status != Table.Status.PLAYING:
        return None
    if table.paused_at is not None:
        return Standstill(gettext("The match is paused."), [("resume", pgettext("with a paused match", "Resume"))])
    if table.proposal is None:
        return None
    agreed, kind = table.proposal["agreed"], table.proposal["what"]
    if seat.number in agreed:
        acts = [("decline", pgettext("a proposal", "Cancel my request"))]
    else:
        acts = [(f"agree-{kind}", gettext("Agree")), ("decline", gettext("Decline"))]
    return Standstill(_sentence([names[number] for number in agreed], kind), acts)


def _sentence(names: Sequence[str], kind: str) -> str:
    values = {"names": join_words(names)}
    if len(names) == 1 and is_reader(names[0]):
        if kind == "pause":
            return gettext("You asked to pause the match. Waiting for all players to agree.")
        return gettext("You asked to abandon the match. Waiting for all players to agree.")
    if len(names) == 1:
        if kind == "pause":
            return gettext("%(names)s wants to pause the match. All players must agree.") % values
        return gettext("%(names)s wants to abandon the match. All players must agree.") % values
    if kind == "pause":
        return gettext("%(names)s want to pause the match. All players must agree.") % values
    return gettext("%(names)s want to abandon the match. All players must agree.") % values
