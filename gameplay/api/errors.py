"""Refusals as JSON, in one place."""

from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from web.errors import Refused


def api_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: every refusal as `{"code", "sentence", …}`.

    For input that cannot be read, `fields` holds the problems of each.
    """
    if isinstance(error, Refused):
        data = {"code": error.code, "sentence": error.sentence, **error.details}
        return Response(data, status=error.status, headers=error.headers)
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, ValidationError):
        response.data = {"code": "invalid", "sentence": _first_sentence(response.data), "fields": response.data}
    else:
        detail = response.data["detail"]
        response.data = {"code": getattr(detail, "code", "error"), "sentence": str(detail)}
    return response


def _first_sentence(problems: Any) -> str:
    """The first of the sentences that a serializer found, after the name of its field."""
    if isinstance(problems, dict) and problems:
        name, sentences = next(iter(problems.items()))
        return _first_sentence(sentences) if name == "non_field_errors" else f"{name}: {_first_sentence(sentences)}"
    return _first_sentence(problems[0]) if isinstance(problems, list) and problems else str(problems)
