"""Bounced emails piped in by a mail server: manage.py bounced < message."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from accounts.services import bounces


class Command(BaseCommand):
    help = "Reads a bounced email from standard input and stops mail to its recipient."

    def handle(self, *args: Any, **options: Any) -> None:
        # Whatever it was, this ends well: else the mail server would send a report on the report.
        self.stdout.write(bounces.handle_report(sys.stdin.buffer.read()))
