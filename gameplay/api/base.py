"""Basics of every API view: scope, input and refusals, and their description in the schema."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import needs
from accounts.models import User
from engine.errors import EngineError
from web.errors import Refused

View = Callable[..., Response]

SENT = {413, 415}
"""Statuses for input that is too long, or not JSON."""


def player(request: Request) -> User:
    """The user of a request; the permissions have checked that there is one."""
    user: User = request.user  # type: ignore[assignment]
    return user


class Input(serializers.Serializer[Any]):
    """A request: these fields and no others, so that nothing is silently ignored."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError({name[:40]: ["There is no such field here."] for name in unknown[:10]})
        return super().to_internal_value(data)


class Output(serializers.Serializer[Any]):
    """An answer."""


class Refusal(Output):
    """The reason for a refusal. 400 has `fields`, 409 `move_count`, a refused move `move` (position) and `cards`."""

    code = serializers.CharField(help_text="For programs. Never changes.")
    sentence = serializers.CharField(help_text="For people.")
    fields = serializers.DictField(  # type: ignore[assignment]
        required=False, help_text="The problems of each field."
    )
    move_count = serializers.IntegerField(required=False)
    move = serializers.IntegerField(required=False)
    cards = serializers.CharField(required=False)


def read(form: type[Input], data: Any) -> dict[str, Any]:
    """The data as the form reads it. Raises `ValidationError`."""
    serializer = form(data=data)
    serializer.is_valid(raise_exception=True)
    result: dict[str, Any] = serializer.validated_data
    return result


def read_query(form: type[Input], request: Request) -> dict[str, Any]:
    """The query of the address as the form reads it; unlike a body it may hold more."""
    names = [str(name) for name in form().fields]
    return read(form, {name: request.query_params[name] for name in names if name in request.query_params})


@contextmanager
def engine_words() -> Iterator[None]:
    """Turn input errors of the engine into refusals with their sentence."""
    try:
        yield
    except EngineError as error:
        raise Refused(error.code, error.sentence) from None


def digest(text: str) -> str:
    """A mark of a text, for keys of requests and what was sent with them."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def endpoint(
    method: str,
    scope: str,
    answer: Any,
    *,
    takes: type[Input] | None = None,
    asks: type[Input] | None = None,
    refusals: tuple[int, ...] = (),
    status: int = 200,
    name: str | None = None,
) -> Callable[[View], Any]:
    """An API view for one method and one scope, described in the schema by the function's docstring."""

    def wrap(view: View) -> Any:
        api = api_view([method])(permission_classes([needs(scope)])(view))
        return described(answer, takes=takes, asks=asks, refusals=refusals, status=status, name=name)(api)

    return wrap


class ReadAndAdd(APIView):
    """A list, and a way to add to it: two scopes at one address."""

    scope = "tables"
    """The scope for adding."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs(self.scope if self.request.method == "POST" else "read")()]


def described(
    answer: Any,
    *,
    takes: type[Input] | None = None,
    asks: type[Input] | None = None,
    refusals: tuple[int, ...] = (),
    status: int = 200,
    name: str | None = None,
) -> Callable[[Any], Any]:
    """Describe the request and the answer of a view in the schema."""
    codes = {401, 403, 404, 429, *refusals} | ({400, 422} if takes or asks else set()) | (SENT if takes else set())
    return extend_schema(
        operation_id=name,
        request=takes,
        parameters=None if asks is None else [asks],
        responses={status: answer, **dict.fromkeys(sorted(codes), Refusal)},
    )


JSON = OpenApiTypes.OBJECT


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Authentication in the schema."""

    target_class = "accounts.api.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token made under API tokens, with its scopes."}


class InputSchema(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Requests without further fields, in the schema."""

    target_class = "gameplay.api.base.Input"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": False}
