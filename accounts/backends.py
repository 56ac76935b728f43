"""Who a session belongs to: asked in every request, and so with a query that is compiled once."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend

from accounts.models import User
from web.prepared import Prepared

_user = Prepared(lambda pk: User.objects.filter(pk=pk), int)


class Backend(AuthenticationBackend):  # type: ignore[misc]
    """Signing in as allauth has it."""

    def get_user(self, user_id: object) -> User | None:
        """The person with this id, unless the account is closed."""
        found = _user(int(str(user_id)))
        return found[0] if found and self.user_can_authenticate(found[0]) else None
