"""Writes the table of acts of clubs and events: who may do each, and who may undo it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from acts.table import table
from clubs.services.history import history as clubs
from tournaments.services.history import history as events

HEAD = """# Who may do what

Of every kind of act that clubs and events keep in their histories: the right it takes and the right that undoing it takes,
as the code declares them. `manage.py acts_table` writes this page, and a test holds it equal to the code. What the rights
are called is in `clubs/roles.py` and `tournaments/roles.py`; how acts are declared, in [Acts](acts.md).

Nobody undoes an act without the right in the last column. An act of somebody else takes `undo` as well.
"""


class Command(BaseCommand):
    help = "Writes docs/acts-table.md: the right that each kind of act needs, and the right to undo it."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write("\n".join((HEAD, *table([("Clubs", clubs), ("Events", events)]))).rstrip())
