"""Takes the second step off an account whose person has lost app, passkeys and recovery codes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from accounts.models import User
from accounts.services import second_step


class Command(BaseCommand):
    help = "Takes the second step off an account and ends its sessions. Make sure first that it is the person who asks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("who", metavar="USERNAME", help="username or e-mail address of the account")

    def handle(self, *args: Any, **options: Any) -> None:
        who = options["who"]
        found = User.objects.filter(Q(username=who) | Q(email__iexact=who), is_active=True)
        if len(found) != 1:
            raise CommandError(f"Nobody here is called {who}." if not found else f"Several people are called {who}.")
        if second_step.forget(found[0]):
            self.stdout.write("The second step is taken off, and all sessions are ended.")
        else:
            self.stdout.write("There was no second step.")
