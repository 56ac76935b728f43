"""Models of competitions."""

from tournaments.models.boards import Board
from tournaments.models.entries import Entry, KeptApart, Letter, Member
from tournaments.models.events import Organiser, Tournament
from tournaments.models.fair_play_notes import Remark
from tournaments.models.halls import Hall
from tournaments.models.history import Act
from tournaments.models.matches import Answer, Pairing, Place, Result
from tournaments.models.ratings import RatedGame, RatedTournament, Rating, RatingPool, RatingStep
from tournaments.models.stages import Adjustment, Round, SitOut, Stage, StageEntry
from tournaments.models.typed_scores import TypedScores

__all__ = [
    "Act",
    "Adjustment",
    "Answer",
    "Board",
    "Entry",
    "Hall",
    "KeptApart",
    "Letter",
    "Member",
    "Organiser",
    "Pairing",
    "Place",
    "RatedGame",
    "RatedTournament",
    "Rating",
    "RatingPool",
    "RatingStep",
    "Remark",
    "Result",
    "Round",
    "SitOut",
    "Stage",
    "StageEntry",
    "Tournament",
    "TypedScores",
]
