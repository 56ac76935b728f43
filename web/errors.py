"""Refusals in one place: a closed code and a sentence become a page part or JSON."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext


class Refused(Exception):
    """An act that is not done. `code` is for programs, `sentence` for people; `status` is that of HTTP."""

    status = 422

    def __init__(self, code: str, sentence: str, **details: Any) -> None:
        super().__init__(sentence)
        self.code, self.sentence, self.details = code, sentence, details

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the answer."""
        return {}


class NotAllowed(Refused):
    """The person may not do this at all."""

    status = 403


class Stale(Refused):
    """The page was older than the state it would change; `details` hold the current version."""

    status = 409


class TooMuch(Refused):
    """The person has used up a budget; it has room again after `retry_after` seconds."""

    status = 429

    def __init__(self, code: str, sentence: str, *, retry_after: int, **details: Any) -> None:
        super().__init__(code, sentence, retry_after=retry_after, **details)
        self.retry_after = retry_after

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the answer."""
        return {"Retry-After": str(self.retry_after)}


def key_used() -> Refused:
    """The refusal of a request whose key came with other data before."""
    return Refused("key_used", gettext("This key was already sent for something else. Choose another key."))


def is_htmx(request: HttpRequest) -> bool:
    """Whether the request wants a part of the page."""
    return bool(getattr(request, "htmx", False))
