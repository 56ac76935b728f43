"""Import of past seasons from a file: previewed first, then created in one act, closed and with every result."""

from clubs.services.seasons.past_seasons.preview import Preview, Row, Wishes
from clubs.services.seasons.past_seasons.rerank import corrected_seasons, recalculate_places
from clubs.services.seasons.past_seasons.run import import_seasons, make, preview_import

__all__ = [
    "Preview",
    "Row",
    "Wishes",
    "corrected_seasons",
    "import_seasons",
    "make",
    "preview_import",
    "recalculate_places",
]
