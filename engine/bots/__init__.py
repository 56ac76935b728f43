"""Players that see only a view: random, novice, club, expert, master."""

from __future__ import annotations

from engine.bots.bot import Bot
from engine.bots.registry import BOTS, make_bot

__all__ = ["BOTS", "Bot", "make_bot"]
