"""Past seasons brought in from a file: looked at first, then made in one act, closed and with every result."""

from clubs.services.seasons.past_seasons.preview import Outlook, Row, Wishes
from clubs.services.seasons.past_seasons.rerank import corrected, rank_anew
from clubs.services.seasons.past_seasons.run import bring_in, look

__all__ = ["Outlook", "Row", "Wishes", "bring_in", "corrected", "look", "rank_anew"]
