"""Makes a club from the file of one, where that is larger than a page takes."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from clubs.services import archiving
from web.errors import Refused


class Command(BaseCommand):
    help = "Makes a club from the file of one (see docs/club-files.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file, ending in .zip")
        parser.add_argument("--owner", required=True, help="username of whoever is to own it here")
        parser.add_argument("--name", default="", help="what the club's list calls the owner; without, they are added")
        parser.add_argument("--slug", default="", help="its address here, where that is not to be the one it had")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = User.objects.filter(username=options["owner"], is_active=True).first()
        if owner is None:
            raise CommandError(f"Nobody here is called {options['owner']}.")
        try:
            with options["file"].open("rb") as file:
                club = archiving.bring_in(owner, file, slug=options["slug"], own_name=options["name"])
        except (Refused, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{club} is here: {club.get_absolute_url()}")
