"""Restores a backup, into an empty installation or over the current one."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from web.database import backup


class Command(BaseCommand):
    help = "Restores the file that `backup` wrote. Stop the site first (docs/running.md)."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file that `backup` wrote")
        parser.add_argument("--replace", action="store_true", help="replace the existing database")

    def handle(self, *args: Any, **options: Any) -> None:
        database = settings.DATABASES["default"]
        try:
            made_at = backup.restore(options["file"], database, settings.DATA_DIR, replace=options["replace"])
        except backup.CannotBackUp as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"Everything is as on {made_at:%Y-%m-%d at %H:%M:%S} UTC. Run `manage.py migrate`, then `manage.py doctor`."
        )
