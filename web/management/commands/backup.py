"""Makes one file of the database and the stored secrets, while the site runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from web.database import backup


class Command(BaseCommand):
    help = "Saves the database and the stored secrets as one file, while the site runs (docs/running.md)."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to write it, such as foothold.tar.gz")

    def handle(self, *args: Any, **options: Any) -> None:
        file = options["file"].absolute()
        try:
            backup.make(file, settings.DATABASES["default"], settings.DATA_DIR)
        except backup.CannotBackUp as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes.")
