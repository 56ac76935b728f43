"""Answers to failures on our side: a calm page, and a status that says whether it will pass."""

from __future__ import annotations

import errno
import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.translation import gettext, gettext_noop

from web.monitoring.work_context import current

RETRY_AFTER = 5
"""Seconds after which a program may try again when the database was away."""
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})
"""Errors of the system for a full disk or quota."""
_AWAY = gettext_noop("The site cannot reach its database right now. Please try again in a moment.")
_FAILED = gettext_noop("Something went wrong on our side. Please try again in a moment.")


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer to an uncaught error, as `handler500`: 503 if the database was away or a disk full, else 500."""
    is_away = will_pass(sys.exception())
    status = 503 if is_away else 500
    response: HttpResponse
    if request.path.startswith("/api/"):
        code, sentence = ("away", _AWAY) if is_away else ("failed", _FAILED)
        response = JsonResponse({"code": code, "sentence": gettext(sentence)}, status=status)
    else:
        # Without a request in the context, and so without a look at the database.
        context = {"reference": current().request_id}
        response = HttpResponse(loader.get_template(f"{status}.html").render(context), status=status)
    if is_away:
        response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers["Cache-Control"] = "no-store"
    return response


def will_pass(error: BaseException | None) -> bool:
    """Whether an error says that the database is away, or that there is no room to write."""
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    return isinstance(error, (OperationalError, InterfaceError))
