"""Limits of signing in: who is counted together, and what somebody who has to wait is told.

A device or network known to the account has its own count, and all strangers share one: they cannot lock its owner out.
Where somebody is signed in already, the session has a count. An address without an account has the same counts.

A code by email, and a link for a new password, are open to everyone. Past the limit no further email is sent, but the
page continues, because what was sent before still works: a code is the same for everybody who asks while it is new, so
whichever email its owner opens has it. A flood fills no inbox, and keeps nobody from a code.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.account.utils import filter_users_by_email
from allauth.core.exceptions import ImmediateHttpResponse
from django.http import HttpRequest
from django.shortcuts import render

from accounts import attempts
from accounts.attempts import Attempt, Limit, TooMany
from accounts.models import User
from accounts.services import known_clients
from accounts.services.known_clients import Client
from web.text import duration

SIGN_INS = Limit("sign_in", 30, 60)
"""Passwords from a network, or for an account from its known devices, right or wrong."""
WRONG_HERE = Limit("wrong_here", 10, 60)
"""Wrong passwords and codes from a network, but for known devices in it."""
WRONG_PASSWORDS = Limit("wrong_password", 5, 300)
"""Wrong passwords for an account from a known device, a known network, or all strangers together."""
WRONG_CODES = Limit("wrong_code", 5, 300)
"""The same of codes of the second step."""
MAILS_HERE = Limit("mail_here", 20, 60)
"""Codes asked for from a network, but for known devices in it."""
CODES_HERE = Limit("code_here", 5, 300)
"""Codes for one address from a network: each allows a few guesses."""
CODES = Limit("code", 3, 300)
"""Emails with a code to an address, caused by a known device, a known network, or all strangers together."""
RESETS = Limit("reset", 3, 1800)
"""The same of links for a new password, which are good for longer than that."""
USED_CODES = Limit("used_code", 1, 900)
"""A code by email signs in once."""
PROVIDERS_HERE = Limit("provider_here", 60, 60)
"""Ways to an account elsewhere and back, from a network: a whole club may sit in it."""
STRANGERS = "strangers"
LAST_CODE = "last_code"


@dataclass(frozen=True)
class CodeMail:
    """A code to sign in with, and whether an email with it is to be sent."""

    code: str
    is_to_send: bool


def try_password(request: HttpRequest, email: str) -> Attempt:
    """Count a password before it is compared; the attempt is to be given back if it fits. Answers 429 past a limit."""
    if request.user.is_authenticated:
        return _take(request, [(WRONG_PASSWORDS, _session(request))])
    client, address = _client(request, email), _plain(email)
    other_ways = {"email": email}
    _take(request, [(SIGN_INS, address if client.is_device else client.network)], **other_ways)
    counts = [*_wrong_here(client), (WRONG_PASSWORDS, f"{address}:{client.known or STRANGERS}")]
    return _take(request, counts, **other_ways)


def try_code(request: HttpRequest, user: User) -> Attempt:
    """Count a code of the second step before it is compared, like a password.

    Strangers who came by a code by email have their own count: those who only know the password do not lock them out.
    """
    if request.user.is_authenticated:
        return _take(request, [(WRONG_CODES, _session(request))])
    client = known_clients.recognise(request, user)
    came_by_code = "code" in {record["method"] for record in get_authentication_records(request, user)}
    who = client.known or f"{STRANGERS}:{came_by_code}"
    return _take(request, [*_wrong_here(client), (WRONG_CODES, f"{user.pk}:{who}")], is_second_step=not came_by_code)


def try_provider(request: HttpRequest) -> None:
    """Count a way to an account elsewhere, or back from it. Answers 429 past the limit of the network."""
    _take(request, [(PROVIDERS_HERE, known_clients.network_of(request))])


def next_code(request: HttpRequest, email: str, user: User | None, make: Callable[[], str]) -> CodeMail:
    """The code to sign in with that is asked for, and whether to email it. Answers 429 past a limit of the network.

    The code of the last minutes again, else a new one. Past the limit only a new one is sent.
    """
    client, address = _client(request, email), _plain(email)
    if not client.is_device:
        _take(request, [(MAILS_HERE, client.network), (CODES_HERE, f"{address}:{client.network}")])
    key = _account(email, user)
    code: str | None = attempts.recall(LAST_CODE, key)
    try:
        attempts.take((CODES, f"{address}:{client.known or STRANGERS}"))
    except TooMany:
        is_to_send = code is None
    else:
        is_to_send = True
    if code is None:
        code = make()
        attempts.remember(LAST_CODE, key, code, CODES.seconds)
    return CodeMail(code, is_to_send)


def use_code(email: str, user: User, code: str) -> bool:
    """Use up a mailed code that fits; whether it was still unused."""
    try:
        attempts.take((USED_CODES, f"{_account(email, user)}:{code}"))
    except TooMany:
        return False
    attempts.forget(LAST_CODE, _account(email, user))
    return True


def can_mail_reset(request: HttpRequest, email: str) -> bool:
    """Count a link for a new password; whether to email it. Otherwise the last ones are still good."""
    client = _client(request, email)
    try:
        attempts.take((RESETS, f"{_plain(email)}:{client.known or STRANGERS}"))
    except TooMany:
        return False
    return True


def forget_wrong_passwords(user: User) -> None:
    """Clear the counts of strangers: the password that they tried, or asked to replace, is no longer the password."""
    for email in EmailAddress.objects.filter(user=user).values_list("email", flat=True):
        for limit in (WRONG_PASSWORDS, RESETS):
            attempts.clear(limit, f"{_plain(email)}:{STRANGERS}")


def _client(request: HttpRequest, email: str) -> Client:
    return known_clients.recognise(request, next(iter(filter_users_by_email(email, prefer_verified=True)), None))


def _wrong_here(client: Client) -> list[tuple[Limit, str]]:
    return [] if client.is_device else [(WRONG_HERE, client.network)]


def _session(request: HttpRequest) -> str:
    return f"session:{request.session.session_key}"


def _account(email: str, user: User | None) -> str:
    """Whom a code is for, exactly: two accounts whose addresses are counted as one must not share it."""
    return f"{user.pk if user is not None else 0}:{email.lower()}"


def _plain(email: str) -> str:
    """An address as it is counted: databases compare some letters as one that are not the same to Python."""
    return unicodedata.normalize("NFKC", email.strip()).upper().casefold()


def _take(request: HttpRequest, counts: Sequence[tuple[Limit, str]], **other_ways: object) -> Attempt:
    """Count an attempt, or answer with a page that says how long to wait and what else can be done."""
    try:
        return attempts.take(*counts)
    except TooMany as error:
        seconds = math.ceil(error.wait)
    # Rounded up: whoever comes back by this time must not be too early.
    time = duration(timedelta(minutes=math.ceil(seconds / 60)))
    page = render(request, "account/locked.html", {"time": time, **other_ways}, status=429)
    page["Retry-After"] = str(seconds)
    raise ImmediateHttpResponse(page)
