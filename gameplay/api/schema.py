"""What the schema tells of our doors beyond what drf-spectacular sees by itself."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema

FILE = "*/*"
"""How a door to a file is told of; what kind of file it is, the end of its address says."""
KINDS = {
    ".atom": "application/atom+xml",
    ".csv": "text/csv",
    ".ics": "text/calendar",
    ".json": "application/json",
    ".pdf": "application/pdf",
    ".png": "image/png",
}
JSON: dict[str, Any] = {"schema": {"type": "object", "additionalProperties": {}}}


class DoorSchema(AutoSchema):
    """Knows doors that need no token: their permissions have `lets_anybody_in`."""

    def get_auth(self) -> list[dict[str, Any]]:
        open_door = any(getattr(one, "lets_anybody_in", False) for one in self.view.get_permissions())
        return [*super().get_auth(), *([{}] if open_door else [])]


def tell_kinds_of_files(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """A hook of drf-spectacular: say of each file what it is."""
    for path, operations in result["paths"].items():
        kind = next((kind for end, kind in KINDS.items() if path.endswith(end)), None)
        for operation in operations.values():
            content = operation["responses"].get("200", {}).get("content", {})
            if kind and FILE in content:
                operation["responses"]["200"]["content"] = {kind: JSON if kind.endswith("json") else content[FILE]}
    return result
