"""API views that take a larger body than others, from callers whose token and rights allow it."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request

from accounts.api import TokenAuthentication
from web import bodies


class Session(SessionAuthentication):
    """The session of a page. The token of that page, which may be in the body, is asked for when that is read."""

    def enforce_csrf(self, request: Request) -> None:
        """Nothing yet."""


def takes(most: int, check: Callable[..., object] | None = None) -> Callable[[Any], Any]:
    """Declare that an API view takes a body of up to `most` bytes.

    Before it is read, the caller is identified and the view's permissions are asked, then `check`, with the request
    and the arguments of the address, which raises `Http404` or `Refused`. The outermost decorator of a view.
    """

    def wrap(view: Any) -> Any:
        def ask(request: HttpRequest, **where: Any) -> HttpResponseBase | None:
            # Counted when the body is there.
            before = {"authentication_classes": [TokenAuthentication, Session], "throttle_classes": []}
            handler = view.cls(**{**view.initkwargs, **before})
            handler.setup(request, **where)
            api_request = handler.request = handler.initialize_request(request, **where)
            handler.headers = handler.default_response_headers
            try:
                handler.initial(api_request, **where)
                request.sender = api_request.user  # type: ignore[attr-defined]
                if check is not None:
                    check(api_request, **where)
            except Exception as error:
                response = handler.finalize_response(api_request, handler.handle_exception(error), **where)
                return response.render()  # type: ignore[no-any-return]
            return None

        return bodies.takes(most, ask)(view)

    return wrap
