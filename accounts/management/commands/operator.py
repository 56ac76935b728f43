"""Makes operators, with access to /operator/, and removes them."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.models import OperatorAct, User


class Command(BaseCommand):
    help = "Gives an account access to /operator/, or ends it with --remove. Without an account, lists the operators."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("who", nargs="?", help="email address or number of an account")
        parser.add_argument("--remove", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["who"] is None:
            for user in User.objects.filter(is_staff=True, is_active=True).order_by("pk"):
                self.stdout.write(f"{user} (account {user.pk})")
            return
        with transaction.atomic():
            user = _account(options["who"])
            self._set(user, not options["remove"])

    def _set(self, user: User, is_on: bool) -> None:
        sentence = f"Account {user.pk} is {'now' if is_on else 'no longer'} an operator."
        if user.is_staff != is_on:
            User.objects.filter(pk=user.pk).update(is_staff=is_on)
            OperatorAct.objects.create(
                kind="operator",
                subject=f"account:{user.pk}",
                sentence=sentence,
                before={"operator": user.is_staff},
                after={"operator": is_on},
            )
        self.stdout.write(sentence)


def _account(key: str) -> User:
    people = User.objects.select_for_update().filter(is_active=True, is_guest=False)
    users = list(people.filter(pk=int(key)) if key.isascii() and key.isdecimal() else people.filter(email__iexact=key))
    if len(users) != 1:
        raise CommandError(f"{len(users) or 'No'} accounts match. Enter the number of one.")
    return users[0]
