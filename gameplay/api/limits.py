"""Limits of API requests. Apart from the views, because REST framework loads this first."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import IO, Any

from django.conf import settings
from django.core.cache import cache
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

MOST_BYTES = 64 * 1024
"""The longest body that is read."""
MINUTE = 60


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
    most = MOST_BYTES
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
    """Most requests a minute for each person, with all their tokens, else for each address. Counted in the cache."""

    def allow_request(self, request: Request, view: Any) -> bool:
        key = f"api:{_requester(request)}:{int(time.time() // MINUTE)}"
        cache.add(key, 0, 2 * MINUTE)
        try:
            return cache.incr(key) <= settings.API_REQUESTS_A_MINUTE
        except ValueError:  # just thrown out of the cache
            return True

    def wait(self) -> float:
        return MINUTE - time.time() % MINUTE


def _requester(request: Request) -> str:
    return f"user:{request.user.pk}" if request.user.is_authenticated else f"from:{address_of(request)}"


def address_of(request: Request) -> str:
    """The network address of a request: behind a proxy the one it reports, which clients cannot forge."""
    from allauth.account.adapter import get_adapter  # reads the models, which are not there yet when this is loaded

    address: str = get_adapter().get_client_ip(request._request)
    return address
