"""Answers where no view could give one: a page for people, a code and a sentence in JSON under `/api/`.

Failures on our side have a status that says whether they will pass.
"""

import errno
import sys
from typing import Any
from urllib.parse import urlsplit

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template import loader
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, gettext_noop
from django.views import defaults

from web import bodies
from web.errors import Refused
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
    if is_of_api(request):
        code, sentence = ("away", _AWAY) if is_away else ("failed", _FAILED)
        response = json_refusal(code, gettext(sentence), status)
    else:
        # Without a request in the context, and so without a look at the database.
        context = {"reference": current().request_id}
        response = HttpResponse(loader.get_template(f"{status}.html").render(context), status=status)
    if is_away:
        response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers["Cache-Control"] = "no-store"
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to a request that cannot be read, or whose body is not, as `handler400`."""
    if isinstance(exception, bodies.BodyRefused):
        return body_refused(request, exception)
    if is_of_api(request):
        return json_refusal("bad_request", gettext("We could not read this request. Nothing was changed."), 400)
    return defaults.bad_request(request, exception)


def body_refused(request: HttpRequest, refused: bodies.BodyRefused) -> HttpResponse:
    """The answer to a request whose body is not read."""
    response: HttpResponse
    if is_of_api(request):
        response = json_refusal(refused.code, refused.sentence, refused.status)
    else:
        # Without a request in the context, because there is none that is whole.
        text = loader.get_template("web/body_refused.html").render({"sentence": refused.sentence})
        response = HttpResponse(text, status=refused.status)
    for name, value in refused.headers.items():
        response.headers[name] = value
    response.headers["Cache-Control"] = "no-store"
    return response


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to a request that nobody allowed, as `handler403`."""
    if is_of_api(request):
        return json_refusal("permission_denied", gettext("You are not allowed to do that."), 403)
    return defaults.permission_denied(request, exception)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer at an unknown address, as `handler404`."""
    if is_of_api(request):
        return json_refusal("not_found", gettext("Address not found. /api/v1/docs/ lists all addresses."), 404)
    return defaults.page_not_found(request, exception)


def refusal(request: HttpRequest, error: Refused) -> HttpResponse:
    """The answer to a refused request where no view gave one: a page with its sentence, or JSON."""
    response: HttpResponse
    if is_of_api(request):
        response = json_refusal(error.code, error.sentence, error.status, **error.details)
    else:
        context = {"sentence": error.sentence, "way_in": _way_in(request) if error.status == 403 else ""}
        response = render(request, "web/refused.html", context, status=error.status)
    for name, value in error.headers.items():
        response.headers[name] = value
    return response


def form_only(request: HttpRequest) -> HttpResponse:
    """The page for somebody who opens an address that only takes forms: a browser does so when it restores its pages."""
    sentence = gettext("This address only takes a form. Open the page with the form again.")
    return render(request, "web/refused.html", {"sentence": sentence}, status=405)


def _way_in(request: HttpRequest) -> str:
    """The page to come back to once signed in, for visitors: this one, or the one whose form was sent; else empty."""
    user = getattr(request, "user", None)  # a refusal may come before it is known
    if user is None or user.is_authenticated:
        return ""
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    came_from = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(came_from, allowed_hosts={request.get_host()})
    return urlsplit(came_from).path if is_ours else "/"


def is_of_api(request: HttpRequest) -> bool:
    """Whether a program asks, which reads JSON and no pages."""
    return request.path.startswith("/api/")


def json_refusal(code: str, sentence: str, status: int, **details: Any) -> JsonResponse:
    """A refusal as the API gives it."""
    return JsonResponse({"code": code, "sentence": sentence, **details}, status=status)


def will_pass(error: BaseException | None) -> bool:
    """Whether an error says that the database is away, or that there is no room to write."""
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    return isinstance(error, (OperationalError, InterfaceError))
