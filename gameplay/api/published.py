"""The schema of the API as it is handed out: read and written once in each process."""

from typing import Any, cast

from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.views import SpectacularAPIView

_MADE: list[dict[str, Any]] = []
_WRITTEN: dict[str, bytes] = {}
"""By kind."""


class OnceGenerator(SchemaGenerator):
    """Generates the schema once in each process, which takes a second: it is the same for everyone."""

    def get_schema(self, request: Any = None, public: bool = False) -> dict[str, Any]:
        """Like the library's, of public views; not to be changed by the request."""
        if not _MADE:
            self.api_version = None  # there is one, at any address
            # For programmers, and in English for every first request.
            with translation.override("en"):
                _MADE.append(super().get_schema(None, public=True))  # type: ignore[no-untyped-call]
        return _MADE[0]


class _Once:
    """Renders the schema once in each process; other answers, such as refusals, every time."""

    media_type: str

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        if not _MADE or data is not _MADE[0] or accepted_media_type != self.media_type:
            return cast(bytes, super().render(data, accepted_media_type, renderer_context))  # type: ignore[misc]
        if self.media_type not in _WRITTEN:
            with translation.override("en"):
                _WRITTEN[self.media_type] = super().render(data, accepted_media_type, renderer_context)  # type: ignore[misc]
        return _WRITTEN[self.media_type]


class YamlOnce(_Once, OpenApiYamlRenderer):
    """YAML under its own kind."""


class PlainYamlOnce(_Once, OpenApiYamlRenderer2):
    """YAML under the general kind."""


class JsonOnce(_Once, OpenApiJsonRenderer):
    """JSON under its own kind."""


class PlainJsonOnce(_Once, OpenApiJsonRenderer2):
    """JSON under the general kind."""


class Schema(SpectacularAPIView):
    """The schema of the API, as YAML or JSON."""

    generator_class = OnceGenerator
    renderer_classes = [YamlOnce, PlainYamlOnce, JsonOnce, PlainJsonOnce]
