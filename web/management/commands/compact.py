"""Writes the file of an SQLite database again without the space of deleted rows."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from web.database import free_space


class Command(BaseCommand):
    help = "Writes SQLite’s file again without free space. Stop the site first (docs/running.md)."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "sqlite":
            self.stdout.write("Nothing to do. PostgreSQL reuses the space of deleted rows by itself.")
            return
        before = free_space.size().total
        try:
            free_space.compact()
        except DatabaseError as error:
            raise CommandError(f"The database could not be compacted: {error}. Nothing was changed.") from None
        self.stdout.write(f"The database had {before:,} bytes and has {free_space.size().total:,} now.")
