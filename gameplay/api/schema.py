"""Details of our views in the schema, beyond those that drf-spectacular finds."""

from typing import Any

from drf_spectacular.openapi import AutoSchema

FILE = "*/*"
"""Schema of views of files; the end of the address decides the type."""
KINDS = {
    ".atom": "application/atom+xml",
    ".csv": "text/csv",
    ".ics": "text/calendar",
    ".json": "application/json",
    ".pdf": "application/pdf",
    ".png": "image/png",
}
JSON: dict[str, Any] = {"schema": {"type": "object", "additionalProperties": {}}}


class EndpointSchema(AutoSchema):
    """Schema with views that need no token: their permissions have `lets_anybody_in`."""

    def get_auth(self) -> list[dict[str, Any]]:
        open_door = any(getattr(permission, "lets_anybody_in", False) for permission in self.view.get_permissions())
        return [*super().get_auth(), *([{}] if open_door else [])]


def tell_kinds_of_files(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """A hook of drf-spectacular: set the type of each file."""
    for path, operations in result["paths"].items():
        kind = next((kind for end, kind in KINDS.items() if path.endswith(end)), None)
        for operation in operations.values():
            content = operation["responses"].get("200", {}).get("content", {})
            if kind and FILE in content:
                operation["responses"]["200"]["content"] = {kind: JSON if kind.endswith("json") else content[FILE]}
    return result


def allow_anything_once(result: Any, **context: Any) -> Any:
    """A hook of drf-spectacular: a field for anything also takes `null`; one of both would refuse it."""
    parts = result.values() if isinstance(result, dict) else result if isinstance(result, list) else ()
    for each in parts:
        allow_anything_once(each)
    if isinstance(result, dict) and result.get("oneOf") == [{}, {"type": "null"}]:
        del result["oneOf"]
    return result
