"""Consistency checks: matches and logs, brackets and results, ratings and matches, histories and the code to undo."""

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
        wrong = self._check("table", play.tables())
        wrong += self._check("event", competition.events())
        wrong += self._check("pool of ratings", competition.pools(), "pools of ratings")
        wrong += self._check("history", _histories(), "histories")
        if wrong:
            raise CommandError(f"Does not fit: {several(wrong, 'thing')}.")
        self.stdout.write("Everything fits.")

    def _check(self, noun: str, results: Iterable[tuple[str, list[str]]], plural: str | None = None) -> int:
        """Print the problems of each and the number checked; return the number of problems."""
        checked = wrong = 0
        for name, sentences in results:
            checked += 1
            wrong += len(sentences)
            for sentence in sentences:
                self.stderr.write(f"{name}: {sentence}.")
        self.stdout.write(f"{several(checked, noun, plural)} checked.")
        return wrong


def _histories() -> Iterator[tuple[str, list[str]]]:
    """Kinds of stored acts that no code declares: such acts are shown, and cannot be undone."""
    for name, history in (("Actions of clubs", clubs), ("Actions of events", events)):
        yield name, [f"no code declares the kind {kind}" for kind in history.unknown_kinds()]
