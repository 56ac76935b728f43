"""Links that open a messenger with a text ready. They send nothing: people press send themselves."""

import re
import string
from urllib.parse import quote

_BRACKETED = re.compile(r"\((\+?[0-9]{2,5})\)(?=[ .-]*[0-9])")
"""The code of a country or an area in brackets, before the rest of its number."""
_FIRST = re.compile(r"(?:0[0-9]{2,4} ?/ ?|\+ ?)?[0-9](?:[ .\u2010-\u2013-]*[0-9])*")
"""A number, which ends at a word, a bracket or a stroke; one stroke can be behind its area code."""


def whatsapp(text: str, phone: str = "") -> str:
    """The address that opens WhatsApp with this text, to a number with its country or for people to choose whom."""
    number = number_of(phone)
    to = number[1:] if number.startswith("+") else ""
    return f"https://wa.me/{to}?text={quote(text, safe='')}"


def sms(text: str, phone: str = "") -> str:
    """The address (RFC 5724) that opens a new text message."""
    return f"sms:{number_of(phone)}?body={quote(text, safe='')}"


def number_of(phone: str) -> str:
    """The first telephone number of a text, such as `+31612345678`: digits, with `+` before that of a country."""
    match = _FIRST.search(_BRACKETED.sub(r"\1", phone.replace("(0)", "")))
    if match is None:
        return ""
    digits = "".join(sign for sign in match[0] if sign in string.digits)
    if match[0].startswith("+"):
        return f"+{digits}"
    return f"+{digits[2:]}" if digits.startswith("00") else digits
