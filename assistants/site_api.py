"""Requests to the API of one site, with one person’s token."""

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import anyio
import httpx2
from pydantic import BaseModel, ConfigDict, ValidationError

TIMEOUT = 30.0
"""Seconds for a whole answer."""
LARGEST_ANSWER = 4 * 1024 * 1024
LOCAL = {"localhost", "127.0.0.1", "::1"}
PART = re.compile(r"\w[\w.-]*")
"""What can be between two slashes of an address: never `..`."""


class SiteError(Exception):
    """A refusal or failure, as a sentence for people. `code` is the API’s, empty for failures on the way."""

    def __init__(self, sentence: str, code: str = "") -> None:
        super().__init__(sentence)
        self.code = code


class Shape(BaseModel):
    """The part of an answer that assistants get. Everything else in it is left out."""

    model_config = ConfigDict(extra="ignore")


Answer = TypeVar("Answer", bound=Shape)


def checked_address(text: str) -> str:
    """The address of a site without a slash at its end. Raises `ValueError` with a sentence."""
    parts = urlsplit(text.strip())
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOCAL):
        raise ValueError("The address of the site must start with https://.")
    if not parts.hostname or "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("Enter the address of the site alone, such as https://foothold.example.")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def checked_token(text: str) -> str:
    """A token as it can be sent. Raises `ValueError` with a sentence, which does not contain it."""
    token = text.strip()
    if not re.fullmatch(r"[!-~]{1,200}", token):
        raise ValueError("Set FOOTHOLD_TOKEN to a token of your account.")
    return token


def path(*parts: str | int) -> str:
    """An address below `api/v1/` of these parts. Raises `SiteError` for a part that could lead elsewhere."""
    texts = [str(part) for part in parts]
    if wrong := [text for text in texts if not PART.fullmatch(text)]:
        raise SiteError(f"“{wrong[0][:80]}” is not a name in an address. Use names from an earlier answer.")
    return "".join(f"{quote(text)}/" for text in texts)


class Site:
    """The API of one site. No request goes to another host, and none follows a redirect."""

    def __init__(self, address: str, token: str, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._client = httpx2.AsyncClient(
            base_url=f"{checked_address(address)}/api/v1/",
            headers={"Authorization": f"Bearer {checked_token(token)}", "Accept": "application/json"},
            timeout=TIMEOUT,
            follow_redirects=False,
            trust_env=False,
            transport=transport,
        )

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Keep connections open, and close them at the end."""
        async with self._client:
            yield

    async def get(self, shape: type[Answer], address: str, **query: str | int | None) -> Answer:
        """Read an address, leaving out what is `None` in the query. Raises `SiteError`."""
        return await self._send(shape, "GET", address, query={k: v for k, v in query.items() if v is not None})

    async def post(self, shape: type[Answer], address: str, data: Mapping[str, Any]) -> Answer:
        """Send data to an address. Raises `SiteError`."""
        return await self._send(shape, "POST", address, data=data)

    async def _send(
        self,
        shape: type[Answer],
        method: str,
        address: str,
        *,
        query: Mapping[str, str | int] | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> Answer:
        try:
            with anyio.fail_after(TIMEOUT):
                status, body = await self._read(method, address, query, data)
        except (httpx2.HTTPError, TimeoutError, OSError):
            raise SiteError("The site does not answer. Try again later.") from None
        if 300 <= status < 400:
            raise SiteError("The site is at another address. Change --site to it.")
        try:
            answer = json.loads(body)
            if status >= 400:
                raise _refusal(answer)
            return shape.model_validate(answer)
        except (ValueError, ValidationError, KeyError, TypeError):
            raise SiteError("The answer is not one of this site’s API. Check --site.") from None

    async def _read(
        self, method: str, address: str, query: Mapping[str, str | int] | None, data: Mapping[str, Any] | None
    ) -> tuple[int, bytes]:
        async with self._client.stream(method, address, params=query or None, json=data) as response:
            body = bytearray()
            async for part in response.aiter_bytes():
                body += part
                if len(body) > LARGEST_ANSWER:
                    raise SiteError("The answer of the site is too large.")
            return response.status_code, bytes(body)


def _refusal(answer: Mapping[str, Any]) -> SiteError:
    """The API’s refusal. Raises `KeyError` if it is none."""
    sentence, code = str(answer["sentence"]), str(answer["code"])
    for field, problems in answer.get("fields", {}).items():
        sentence += f" {field}: {problems}"
    if wait := answer.get("retry_after"):
        sentence += f" Wait {wait} seconds."
    return SiteError(sentence[:1000], code)
