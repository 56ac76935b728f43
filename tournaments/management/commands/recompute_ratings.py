"""`manage.py recompute_ratings`: every rating worked out from tables and results, from the first game on."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.ratings import services as ratings


class Command(BaseCommand):
    """Compares the log of rated matches with tables and results, and rates every pool from its start."""

    help = __doc__ or ""

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, and say how many games there are. Safe at any time, and twice."""
        count = ratings.rebuild()
        matches = "1 match counts" if count == 1 else f"{count} matches count"
        self.stdout.write(f"{matches} for ratings. Every rating was recalculated from them.")
