"""Whether the cards of a ruleset can be prepared for real tables, and what that takes."""

from dataclasses import dataclass

from django.utils.translation import gettext

from engine.play.rules import Rules
from tournaments.models import Stage, Tournament
from tournaments.plan import Plan

MOST_PACKS = 9
"""Packs of one board that can be sorted, checked and carried from table to table."""


def why_not(rules: Rules, seats: int) -> str:
    """Why boards by these rules cannot be prepared for real tables, as a sentence; empty if they can."""
    if rules.length.by != "deals":
        return gettext("Boards at real tables need matches of a set number of deals, not matches to a target score.")
    if rules.lift is not None:
        return gettext(
            "By these rules players lift their cards from the stock, so boards cannot be prepared. Play online, or turn "
            "off lifting in the house rules."
        )
    if rules.stock_out == "reshuffle":
        return gettext(
            "By these rules the discard pile is shuffled when the stock runs out, so each table would get other cards. "
            "Play online, or choose another end of the stock in the house rules."
        )
    if (packs := rules.deck_count(seats)) > MOST_PACKS:
        words = gettext("Each board would need %(packs)s packs. At most %(most)s can be prepared and passed on.")
        return words % {"packs": packs, "most": MOST_PACKS}
    return ""


def plays_boards(stage: Stage, tournament: Tournament) -> bool:
    """Whether tables of a stage share their deals, and any of them can be a real one."""
    return tournament.setting != Tournament.Setting.ONLINE and Plan.read(stage.plan_json).shares_deals


@dataclass(frozen=True)
class Material:
    """What the boards of a stage take."""

    boards: int
    packs_each: int
    copies: int
    """So many of each board are needed, because as many tables play it in one round."""

    @property
    def packs(self) -> int:
        """Packs for all boards."""
        return self.boards * self.packs_each * self.copies
