"""Writes the table of acts of clubs and events, with the permissions to do and to undo each."""

from typing import Any

from django.core.management.base import BaseCommand

from acts.table import rights_table
from clubs.services.history import history as clubs
from tournaments.services.history import history as events

HEAD = """# Rights

For auditors and developers: the right that each [action](../acts.md) of clubs and events needs, and the right to undo it.
To undo the action of another person you also need `undo`. The rights are in `clubs/roles.py` and `tournaments/roles.py`.
`manage.py acts_table` writes this page.
"""


class Command(BaseCommand):
    help = "Writes docs/reference/acts-table.md: the right that each kind of act needs, and the right to undo it."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write("\n".join((HEAD, *rights_table([("Clubs", clubs), ("Events", events)]))).rstrip())
