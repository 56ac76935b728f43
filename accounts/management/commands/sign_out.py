"""`manage.py sign_out`: ends the sessions of a person, or of everyone, for the operator."""

from typing import Any

from allauth.usersessions.models import UserSession
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import ApiToken, User


class Command(BaseCommand):
    """Signs the account of this email address out everywhere; `--everybody` all accounts. `--tokens` also revokes
    API tokens. Guests stay, because they cannot sign in again.
    """

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        """Options for the account and for the tokens."""
        whose = parser.add_mutually_exclusive_group(required=True)
        whose.add_argument("address", nargs="?", help="email address of the account")
        whose.add_argument("--everybody", action="store_true", help="all sessions")
        parser.add_argument("--tokens", action="store_true", help="also revoke API tokens")

    def handle(self, *args: Any, **options: Any) -> None:
        """End them, and say how many there were."""
        sessions, tokens = UserSession.objects.all(), ApiToken.objects.all()
        if not options["everybody"]:
            user = User.objects.filter(email__iexact=options["address"], is_guest=False).first()
            if user is None:
                raise CommandError("No account has this address.")
            sessions, tokens = sessions.filter(user=user), tokens.filter(user=user)
        ended = [session.end() for session in sessions]
        revoked = tokens.delete()[0] if options["tokens"] else 0
        self.stdout.write(f"Sessions ended: {len(ended)}. Tokens revoked: {revoked}.")
