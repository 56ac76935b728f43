"""Turns off two-step sign-in of an account whose owner has lost app, passkeys and recovery codes."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from accounts.models import User
from accounts.services import second_step


class Command(BaseCommand):
    help = "Turns off two-step sign-in of an account and ends its sessions. First make sure that its owner asked."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("who", metavar="USERNAME", help="username or email address of the account")

    def handle(self, *args: Any, **options: Any) -> None:
        account = options["who"]
        users = User.objects.filter(Q(username=account) | Q(email__iexact=account), is_active=True)
        if len(users) != 1:
            raise CommandError(f"Account not found: {account}." if not users else f"Several accounts match {account}.")
        if second_step.forget(users[0]):
            self.stdout.write("Two-step sign-in is off, and all sessions have ended.")
        else:
            self.stdout.write("Two-step sign-in was already off.")
