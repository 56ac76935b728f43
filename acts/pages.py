"""What a page's form sends for an act, by the act's own fields."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from rest_framework import serializers
from rest_framework.fields import empty

from accounts.models import User
from acts.declaring import Declared
from acts.history import By
from web.errors import Refused
from web.form_actions import key_of, number, reason_of

LONGEST = 5000
"""Letters of a field that are looked at; what is too long is refused by the act, in its own words."""


def typed(request: HttpRequest, act: Declared[Any, Any, Any, Any]) -> dict[str, Any]:
    """The fields as they were typed. Raises `Refused` beside the first that cannot be read."""
    found: dict[str, Any] = {}
    for name, field in act.fields.items():
        if isinstance(field, serializers.CharField):
            found[name] = request.POST.get(name, "")[:LONGEST]
        elif isinstance(field, serializers.BooleanField):
            found[name] = name in request.POST
        else:
            many = isinstance(field, serializers.ListField)
            sent: Any = request.POST.getlist(name) if many else request.POST.get(name) or empty
            try:
                found[name] = field.run_validation(sent)
            except serializers.SkipField:
                continue
            except serializers.ValidationError as wrong:
                raise Refused("bad_field", _first(wrong.detail), field=name) from None
    return found


def by(request: HttpRequest, user: User, *, seen: bool = False) -> By:
    """Who asks, with the key, the reason and, where that matters, the version that the form sends along."""
    return By(user, key_of(request), number(request, "seen") if seen else None, reason_of(request))


def _first(detail: Any) -> str:
    while isinstance(detail, dict | list):
        detail = next(iter(detail.values() if isinstance(detail, dict) else detail))
    return str(detail)
