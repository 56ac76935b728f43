"""Checks that what is kept agrees with itself: games with their logs, brackets with their results, ratings with their
games, and histories with the code that undoes what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.services.history import history as clubs
from gameplay.monitoring import integrity as play
from tournaments import integrity as competition
from tournaments.services.history import history as events
from web.text import several


class Command(BaseCommand):
    help = "Checks every match against its log, every bracket against its results and every rating against its matches."

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = self._look("table", play.tables())
        wrong += self._look("event", competition.events())
        wrong += self._look("pool of ratings", competition.pools(), "pools of ratings")
        wrong += self._look("history", _histories(), "histories")
        if wrong:
            raise CommandError(f"Does not fit: {several(wrong, 'thing')}.")
        self.stdout.write("Everything fits.")

    def _look(self, what: str, found: Iterable[tuple[str, list[str]]], more: str | None = None) -> int:
        """Say what is wrong with each, and how many there were; how many faults."""
        looked = wrong = 0
        for name, sentences in found:
            looked += 1
            wrong += len(sentences)
            for sentence in sentences:
                self.stderr.write(f"{name}: {sentence}.")
        self.stdout.write(f"{several(looked, what, more)} checked.")
        return wrong


def _histories() -> Iterator[tuple[str, list[str]]]:
    """Kinds of stored acts that no code declares: such acts are shown, and cannot be undone."""
    for name, history in (("Actions of clubs", clubs), ("Actions of events", events)):
        yield name, [f"no code declares the kind {kind}" for kind in history.unknown_kinds()]
