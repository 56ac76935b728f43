"""The schema of the API as it is handed out: read and written once in each process."""

from __future__ import annotations

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

_MADE: dict[str, dict[str, Any]] = {}
"""By language."""
_WRITTEN: dict[tuple[str, str], bytes] = {}
"""By language and kind."""


class OnceGenerator(SchemaGenerator):
    """Reads the doors once in each process, which takes a second: the schema says the same to everybody."""

    def get_schema(self, request: Any = None, public: bool = False) -> dict[str, Any]:
        """As the library's, of what is public; not to be changed by whoever asks."""
        language = translation.get_language()
        if language not in _MADE:
            self.api_version = None  # there is one, whatever the address asks for
            _MADE[language] = super().get_schema(None, public=True)  # type: ignore[no-untyped-call]
        return _MADE[language]


class _Once:
    """Writes the schema once in each process; what else a door says, such as a refusal, every time."""

    media_type: str

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        language = translation.get_language()
        if data is not _MADE.get(language) or accepted_media_type != self.media_type:
            return cast(bytes, super().render(data, accepted_media_type, renderer_context))  # type: ignore[misc]
        key = (language, self.media_type)
        if key not in _WRITTEN:
            _WRITTEN[key] = super().render(data, accepted_media_type, renderer_context)  # type: ignore[misc]
        return _WRITTEN[key]


class YamlOnce(_Once, OpenApiYamlRenderer):
    """YAML under its own kind."""


class PlainYamlOnce(_Once, OpenApiYamlRenderer2):
    """YAML under the general kind."""


class JsonOnce(_Once, OpenApiJsonRenderer):
    """JSON under its own kind."""


class PlainJsonOnce(_Once, OpenApiJsonRenderer2):
    """JSON under the general kind."""


class Schema(SpectacularAPIView):
    """The schema of all doors, as YAML or JSON."""

    generator_class = OnceGenerator
    renderer_classes = [YamlOnce, PlainYamlOnce, JsonOnce, PlainJsonOnce]
