"""The user of a session, read in every request and so by a prepared statement, as in `accounts.sessions`."""

from allauth.account.auth_backends import AuthenticationBackend

from accounts.models import User

_BY_ID = f"SELECT * FROM {User._meta.db_table} WHERE id = %s"  # noqa: S608  a name of our own


class Backend(AuthenticationBackend):  # type: ignore[misc]
    """Signing in as allauth has it."""

    def get_user(self, user_id: object) -> User | None:
        """The person with this id, unless the account is closed."""
        user = next(iter(User.objects.raw(_BY_ID, [int(str(user_id))])), None)
        return user if user is not None and self.user_can_authenticate(user) else None
