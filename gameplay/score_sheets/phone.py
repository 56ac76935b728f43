"""Score sheets as sent by a phone's script: `static/js/score/keep.js`."""

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
"""The pattern of a change's name."""
MOST_EARLIER = 200
"""Most changes without an answer in a phone's memory."""


@dataclass(frozen=True)
class Sent:
    """All deals of a phone, which replace the stored ones."""

    deals: list[Deal]
    is_stopped: bool
    seen: int
    """The version that they were made from."""
    key: str
    """The name of this change."""
    earlier: frozenset[str]
    """The names of changes that the phone sent before without getting an answer."""


def body(request: HttpRequest) -> dict[str, Any]:
    """The JSON object of a request. Raises `Refused` for anything else, such as a body read as a form."""
    try:
        data = json.loads(request.body)
    except (RawPostDataException, RecursionError, ValueError):
        data = None
    if not isinstance(data, dict):
        raise _unreadable()
    return data


def read(terms: Terms, sent: dict[str, Any]) -> Sent:
    """The sheet of a request, with every figure checked. Raises `Refused` for anything else."""
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
        frozenset(key for key in earlier[:MOST_EARLIER] if isinstance(key, str)),
    )


def final(terms: Terms, sent: Any) -> tuple[int, ...] | None:
    """The points by side of a match with only its final score; `None` without them. Raises `Refused`."""
    return None if sent is None else tuple(score_form.from_phone(terms, {"points": sent})["points"])


def is_key(key: Any) -> bool:
    """Whether this can name a change."""
    return isinstance(key, str) and KEY.fullmatch(key) is not None


def blamed(refusal: Refused) -> dict[str, Any]:
    """A refusal for the script: with the deal, the side or the row to blame."""
    names = [name for name in ("deal", "side", "row") if name in refusal.details]
    blame: dict[str, Any] = {name: refusal.details[name] for name in names}
    return {"code": refusal.code, "sentence": refusal.sentence, **blame}


def _unreadable() -> Refused:
    return Refused("bad_sheet", gettext("We cannot read the score sheet that was sent."))
