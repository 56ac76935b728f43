"""Past seasons brought in from a file: looked at first, then made in one act, closed and with every result."""

from clubs.services.importing.acts import bring_in, look
from clubs.services.importing.anew import corrected, rank_anew
from clubs.services.importing.outlook import Outlook, Row, Wishes

__all__ = ["Outlook", "Row", "Wishes", "bring_in", "corrected", "look", "rank_anew"]
