"""Sending to a channel by https, with the same reading of every answer; and words within a limit."""

import json
import math
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from web import public_requests
from web.channels.interface import Failed, Message
from web.public_requests import Answer, NoAnswer, NotReached

JSON = {"Content-Type": "application/json", "User-Agent": "Foothold"}
MOST_LINES = 60
GONE = frozenset({401, 403, 404, 410})
"""Answers that say that an address is no longer good, unless a channel says otherwise."""


def post_json(url: str, content: Mapping[str, Any], **options: Any) -> None:
    """Post JSON. Raises `Failed`."""
    send("POST", url, json.dumps(content).encode(), **options)


def send(
    method: str,
    url: str,
    body: bytes,
    *,
    headers: Mapping[str, str] = {},
    wait_of: Callable[[Mapping[str, Any]], float | None] = lambda content: None,
    gone: Collection[int] = GONE,
) -> None:
    """Send a request. `wait_of` reads from the JSON of an answer how many seconds to wait. Raises `Failed`."""
    try:
        answer = public_requests.send(method, url, headers={**JSON, **headers}, body=body)
    except NotReached:
        raise Failed("not_reached") from None
    except NoAnswer:
        raise Failed("no_answer") from None
    if 200 <= answer.status < 300:
        return
    raise Failed(_trouble(answer.status, gone), after=_wait(answer, wait_of))


def _trouble(status: int, gone: Collection[int]) -> str:
    if status == 429:
        return "busy"
    if status == 504:
        return "no_answer"
    if status >= 500 or status in (408, 425):
        return "server_error"
    if status in gone:
        return "gone"
    return "redirect" if 300 <= status < 400 else "refused"


def _wait(answer: Answer, wait_of: Callable[[Mapping[str, Any]], float | None]) -> float | None:
    """The seconds to wait, from the header or the body."""
    text = answer.headers.get("retry-after", "")
    try:
        seconds = wait_of(_read_json(answer.body))
        if seconds is None and text:
            seconds = float(text) if text[0].isdigit() else _until(text)
        return seconds if seconds is not None and math.isfinite(seconds) and seconds > 0 else None
    except (TypeError, ValueError, OverflowError):
        return None


def _until(text: str) -> float:
    at = parsedate_to_datetime(text)
    return ((at if at.tzinfo else at.replace(tzinfo=UTC)) - datetime.now(UTC)).total_seconds()


def _read_json(body: bytes) -> Mapping[str, Any]:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def in_limit(message: Message, most: int, size: Callable[[str], int] = len) -> str:
    """Title, text and address of a message, with the last lines left out that do not fit."""
    lines = message.text.splitlines()[:MOST_LINES]
    is_cut = len(lines) < len(message.text.splitlines())
    while True:
        text = "\n".join([*lines, "…"] if is_cut else lines).strip()
        words = "\n\n".join(part for part in (message.title, text, message.url) if part)
        if size(words) <= most or not lines:
            break
        lines, is_cut = lines[:-1], True
    return words if size(words) <= most else message.url[:most]
