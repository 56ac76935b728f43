"""Who sent a request, before it is answered: for the queue in which requests wait for a thread.

Nobody is signed in yet. Sessions and tokens that named a person in this process before are remembered by their digests;
everyone else is a network address, as guests are, since anyone can be a new guest at any time.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from django.conf import settings
from django.http import HttpRequest, parse_cookie

from accounts.addresses import address_of, network_of
from accounts.models import User

REMEMBERED = 20_000

_people: OrderedDict[bytes, int] = OrderedDict()
_lock = threading.Lock()


def sender_of(environ: Mapping[str, Any]) -> str:
    """The person of a request's session or token, as far as known, or else its network address."""
    digest = _digest(environ)
    if digest is not None and (person := _people.get(digest)) is not None:
        return f"person {person}"
    request = HttpRequest()
    request.META = dict(environ)
    return f"address {network_of(address_of(request))}"


def remember(request: HttpRequest, person: User) -> None:
    """Remember that the session or token of a request is a person's."""
    digest = _digest(request.META)
    if person.is_guest or digest is None:
        return
    with _lock:
        _people[digest] = person.pk
        _people.move_to_end(digest)
        if len(_people) > REMEMBERED:
            _people.popitem(last=False)


def _digest(environ: Mapping[str, Any]) -> bytes | None:
    """Digest of what a request signs in with: its token, or without one its session; none without either."""
    cookies = parse_cookie(environ.get("HTTP_COOKIE", ""))
    credential = environ.get("HTTP_AUTHORIZATION") or cookies.get(settings.SESSION_COOKIE_NAME, "")
    return blake2b(credential.encode(errors="replace"), digest_size=16).digest() if credential else None
