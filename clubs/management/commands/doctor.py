"""Consistency checks of matches, brackets, ratings and histories, and data that should have been deleted."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.services import clearing
from clubs.services.history import history as clubs
from gameplay.monitoring import heartbeats
from gameplay.monitoring import integrity as play
from tournaments import integrity as competition
from tournaments.services.history import history as events
from web.database import free_space
from web.text import join_words, several


class Command(BaseCommand):
    help = "Checks every match against its log, every bracket against its results and every rating against its matches."

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = self._check("table", play.tables())
        wrong += self._check("event", competition.events())
        wrong += self._check("pool of ratings", competition.pools(), "pools of ratings")
        wrong += self._check("history", _histories(), "histories")
        self._tell_of_old_data()
        if lanes := heartbeats.lanes_without_worker():
            self.stdout.write(f"No worker for {join_words(lanes)}: tasks there wait.")
        if wrong:
            raise CommandError(f"Does not fit: {several(wrong, 'thing')}.")
        self.stdout.write("Everything fits.")

    def _tell_of_old_data(self) -> None:
        """Print rows that should have been deleted long ago: no fault of the data, and usual after a restore."""
        for rule, count in clearing.overdue():
            self.stderr.write(f"Overdue: {several(count, 'row')} of “{rule.title}” ({rule.duration_words}).")
        if not free_space.gives_back():
            self.stderr.write("The database file does not shrink. Stop the site and run `manage.py compact` once.")

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
