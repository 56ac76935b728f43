"""Limits of API requests. Apart from the views, because REST framework loads this first."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import IO, Any

from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from web import bodies


class TooLarge(APIException):
    """The body is longer than anything that could be meant."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


class Json(BaseParser):
    """JSON that fits into memory and into a database: not too long, not too deep, every string of it text.

    Not a `JSONParser`: before one of those, REST framework reads the whole body, by Django's limit for forms, and
    answers longer ones with a page.
    """

    media_type = JSONParser.media_type
    most = bodies.SMALL
    """Bytes that are read; more are refused."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        body = stream.read(self.most + 1)
        if len(body) > self.most:
            raise TooLarge(f"A request has at most {self.most} bytes here.")
        try:
            data = JSONParser().parse(BytesIO(body), media_type, parser_context)
            # Written without escapes a NUL is itself anywhere; the parser refused it outside of strings.
            has_nul = b"\0" in _text_of(data).encode()
        except RecursionError:
            raise ParseError("This JSON is nested too deeply.", code="too_deep") from None
        except UnicodeEncodeError:
            raise ParseError("Half a character is no text.", code="half_character") from None
        if has_nul:
            raise ParseError("A NUL character is no text.", code="nul")
        return data


def _text_of(data: Any) -> str:
    """Every string in the data, keys too."""
    return "".join(_strings(data))


def _strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for name, value in data.items():
            yield name
            yield from _strings(value)
    elif isinstance(data, list):
        for value in data:
            yield from _strings(value)


class Throttle(BaseThrottle):
    """Counts requests with a token for its person, whichever of them it is. Others were counted before."""

    def allow_request(self, request: Request, view: Any) -> bool:
        # Reads the models, which are not there yet when this is loaded.
        from accounts import budgets, heavy_addresses

        if request.auth is not None:
            person = budgets.subject_of(request.auth.user)
            budgets.spend(budgets.REQUESTS, person)
            if heavy_addresses.is_heavy(request._request):
                budgets.spend(budgets.HEAVY, person)
        return True
