"""Fields that forms send along with an act, and the refusal shown on its page."""

from dataclasses import dataclass

from django.http import HttpRequest

from web.sent_numbers import read_whole


@dataclass(frozen=True)
class Refusal:
    """A refusal: the control of the page, and the sentence."""

    at: str
    sentence: str
    status: int = 422
    code: str = ""


def number(request: HttpRequest, name: str) -> int | None:
    """A whole number of the form; `None` if it is not one."""
    return read_whole(request.POST.get(name, ""))


def key_of(request: HttpRequest) -> str | None:
    """The key of the form, by which an act that is sent twice is done once."""
    return request.POST.get("key", "")[:48] or None


def reason_of(request: HttpRequest) -> str:
    """The reason that was typed; empty for none."""
    return request.POST.get("reason", "").strip()[:200]
