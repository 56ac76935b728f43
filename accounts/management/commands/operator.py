"""Makes operators, who see /operator/, and lets them be none any more."""

from __future__ import annotations

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

    def _set(self, user: User, wanted: bool) -> None:
        sentence = f"Account {user.pk} is {'now' if wanted else 'no longer'} an operator."
        if user.is_staff != wanted:
            User.objects.filter(pk=user.pk).update(is_staff=wanted)
            OperatorAct.objects.create(
                kind="operator",
                subject=f"account:{user.pk}",
                sentence=sentence,
                before={"operator": user.is_staff},
                after={"operator": wanted},
            )
        self.stdout.write(sentence)


def _account(who: str) -> User:
    people = User.objects.select_for_update().filter(is_active=True, is_guest=False)
    found = list(people.filter(pk=int(who)) if who.isascii() and who.isdecimal() else people.filter(email__iexact=who))
    if len(found) != 1:
        raise CommandError(f"{len(found) or 'No'} accounts match. Enter the number of one.")
    return found[0]
