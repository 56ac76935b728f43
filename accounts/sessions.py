"""Sessions in the database, as Django keeps them: looked up in every request, and so with a query that is compiled once.

A session lasts `SESSION_COOKIE_AGE` after it was last written; that of somebody who signed in never longer than
`MOST_DAYS`, however often it is written.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from web.prepared import Prepared

MOST_DAYS = 90
"""After so many days one signs in once more."""
PUSH_KEY = "push_subscription"
"""Where a session keeps the push subscription of its browser."""
SIGNED_IN_AT = "signed_in_at"
"""Where a session keeps since when; set on signing in, see `accounts.receivers`."""

_session = Prepared(lambda key: Session.objects.filter(session_key=key), str)


class SessionStore(db.SessionStore):
    """The session of a cookie."""

    def _get_session_from_db(self) -> Session | None:
        """The row of this session's key; none where there is none or it has expired, and then the key is no key."""
        found = _session(self.session_key) if self.session_key and "\0" not in self.session_key else []
        if found and found[0].expire_date > timezone.now():
            return found[0]
        self._session_key = None
        return None

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """The row to store, which expires on the last day at the latest."""
        if SESSION_KEY in data:
            data.setdefault(SIGNED_IN_AT, timezone.now().isoformat())
        row = cast(Session, super().create_model_instance(data))
        if SESSION_KEY in data:
            last = datetime.fromisoformat(data[SIGNED_IN_AT]) + timedelta(days=MOST_DAYS)
            row.expire_date = min(row.expire_date, last)
        return row
