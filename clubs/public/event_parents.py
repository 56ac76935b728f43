"""Parents of events of clubs: the division or season that they are played for, or the club."""

from clubs.models import Division, SeasonEvent
from clubs.public import league
from clubs.queries import club_of
from tournaments.event_parents import Home
from tournaments.models import Tournament


def home_of(event: Tournament) -> Home | None:
    """The page of a club that an event is part of: three queries at most."""
    division = Division.objects.filter(tournament=event).select_related("season__league__club").first()
    if division is not None:
        season = division.season
        return Home(f"{season.league}, {season}", league.division_path(season, "division", division.level))
    alongside = SeasonEvent.objects.filter(tournament=event).select_related("season__league__club").first()
    if alongside is not None:
        return Home(f"{alongside.season.league}, {alongside.season}", alongside.season.get_absolute_url())
    club = club_of(event.circle)
    return Home(club.name, club.get_absolute_url()) if club is not None else None
