"""Refusals in one place: a closed code and a sentence become a page part or JSON."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


class Refused(Exception):
    """An act that is not done. `code` is for programs, `sentence` for people; `status` is that of HTTP."""

    status = 422

    def __init__(self, code: str, sentence: str, **details: Any) -> None:
        super().__init__(sentence)
        self.code, self.sentence, self.details = code, sentence, details


class NotAllowed(Refused):
    """The person may not do this at all."""

    status = 403


class Stale(Refused):
    """The page was older than the state it would change; `details` hold the current version."""

    status = 409


def is_htmx(request: HttpRequest) -> bool:
    """Whether the request wants a part of the page."""
    return bool(getattr(request, "htmx", False))
