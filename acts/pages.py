"""Forms of pages, read by the fields of an act."""

from typing import Any

from django.http import HttpRequest
from rest_framework import serializers
from rest_framework.fields import empty

from accounts.models import User
from acts.declaring import Declared
from acts.history import Actor
from web.errors import Refused
from web.form_actions import key_of, number, reason_of

LONGEST = 5000
"""Most characters read of a field; the act itself refuses long text in better words."""


def read_fields(request: HttpRequest, act: Declared[Any, Any, Any, Any]) -> dict[str, Any]:
    """The typed fields. Raises `Refused` with the first that cannot be read."""
    fields: dict[str, Any] = {}
    for name, field in act.fields.items():
        if isinstance(field, serializers.CharField):
            fields[name] = request.POST.get(name, "")[:LONGEST]
        elif isinstance(field, serializers.BooleanField):
            fields[name] = name in request.POST
        else:
            many = isinstance(field, serializers.ListField)
            sent: Any = request.POST.getlist(name) if many else request.POST.get(name) or empty
            try:
                fields[name] = field.run_validation(sent)
            except serializers.SkipField:
                continue
            except serializers.ValidationError as wrong:
                raise Refused("bad_field", _first(wrong.detail), field=name) from None
    return fields


def actor(request: HttpRequest, user: User, *, seen: bool = False) -> Actor:
    """The actor, with the key, the reason and, if needed, the version that the form sends along."""
    return Actor(user, key_of(request), number(request, "seen") if seen else None, reason_of(request))


def _first(detail: Any) -> str:
    while isinstance(detail, dict | list):
        detail = next(iter(detail.values() if isinstance(detail, dict) else detail))
    return str(detail)
