"""Creates a club from an exported file that is too large for the page."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from clubs.services import club_archive
from web.errors import Refused


class Command(BaseCommand):
    help = "Creates a club from an exported file (docs/club-files.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file, ending in .zip")
        parser.add_argument("--owner", required=True, help="username of its owner here")
        parser.add_argument("--name", default="", help="the owner's name in the member list (default: a new member)")
        parser.add_argument("--slug", default="", help="its address here (default: its old one)")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = User.objects.filter(username=options["owner"], is_active=True).first()
        if owner is None:
            raise CommandError(f"Account not found: {options['owner']}.")
        try:
            with options["file"].open("rb") as file:
                club = club_archive.import_club(owner, file, slug=options["slug"], own_name=options["name"])
        except (Refused, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{club} was imported: {club.get_absolute_url()}")
