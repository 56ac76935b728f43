"""What a phone sends of its score sheet, as its script writes it: `static/js/score/keep.js`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, RawPostDataException
from django.utils.translation import gettext

from gameplay.score_sheets import paper_scoring, score_form
from gameplay.score_sheets.paper_scoring import Deal, Terms
from web.errors import Refused

KEY = re.compile(r"[\w-]{1,64}", re.ASCII)
"""What the name of a change is made of."""
MOST_EARLIER = 200
"""So many changes without an answer a phone remembers."""


@dataclass(frozen=True)
class Sent:
    """All deals of a phone, to be put in the place of those that are kept."""

    deals: list[Deal]
    is_stopped: bool
    seen: int
    """The version that they were made from."""
    key: str
    """The name of this change."""
    earlier: frozenset[str]
    """Those of changes that the phone sent before and had no answer to."""


def body(request: HttpRequest) -> dict[str, Any]:
    """The JSON object that was sent. Raises `Refused` for what is none, such as a form that was read as one."""
    try:
        found = json.loads(request.body)
    except (RawPostDataException, RecursionError, ValueError):
        found = None
    if not isinstance(found, dict):
        raise _unreadable()
    return found


def read(terms: Terms, sent: dict[str, Any]) -> Sent:
    """The sheet that was sent, with every figure looked at. Raises `Refused` for what is none."""
    deals, seen, key = sent.get("deals"), sent.get("seen"), sent.get("key")
    earlier = sent.get("earlier", [])
    if not isinstance(deals, list) or type(seen) is not int or not is_key(key) or not isinstance(earlier, list):
        raise _unreadable()
    if len(deals) > paper_scoring.MOST_DEALS:
        raise Refused(
            "too_many_deals", gettext("A match can have at most %(most)s deals.") % {"most": paper_scoring.MOST_DEALS}
        )
    return Sent(
        [score_form.from_phone(terms, deal) for deal in deals],
        sent.get("isStopped") is True,
        seen,
        str(key),
        frozenset(one for one in earlier[:MOST_EARLIER] if isinstance(one, str)),
    )


def final(terms: Terms, sent: Any) -> tuple[int, ...] | None:
    """The points by side of a match of which only the end was sent; nothing where none were. Raises `Refused`."""
    return None if sent is None else tuple(score_form.from_phone(terms, {"points": sent})["points"])


def is_key(key: Any) -> bool:
    """Whether this can name a change."""
    return isinstance(key, str) and KEY.fullmatch(key) is not None


def blamed(refusal: Refused) -> dict[str, Any]:
    """A refusal as the script reads it: where a deal, a side or a row is to blame, that one is named."""
    names = [name for name in ("deal", "side", "row") if name in refusal.details]
    found: dict[str, Any] = {name: refusal.details[name] for name in names}
    return {"code": refusal.code, "sentence": refusal.sentence, **found}


def _unreadable() -> Refused:
    return Refused("bad_sheet", gettext("We cannot read the score sheet that was sent."))
