"""Sessions in the database, as Django keeps them: looked up in every request, and so with a query that is compiled once."""

from __future__ import annotations

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from web.prepared import Prepared

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
