"""Parents of events of clubs: the division or season that they are played for, or the club."""

from django.urls import reverse

from clubs.models import Club, Division, SeasonEvent
from clubs.public import league
from clubs.public.link_cards import crest_svg
from clubs.queries import club_of
from tournaments.event_parents import Home
from tournaments.models import Tournament


def home_of(event: Tournament) -> Home | None:
    """The page of a club that an event is part of: three queries at most."""
    division = Division.objects.filter(tournament=event).select_related("season__league__club").first()
    if division is not None:
        season = division.season
        path = league.division_path(season, "division", division.level)
        look = _look(season.league.club, event)
        return Home(f"{season.league}, {season}", path, *look, is_league=True)
    alongside = SeasonEvent.objects.filter(tournament=event).select_related("season__league__club").first()
    if alongside is not None:
        season = alongside.season
        look = _look(season.league.club, event)
        return Home(f"{season.league}, {season}", season.get_absolute_url(), *look, is_league=True)
    club = club_of(event.circle)
    return Home(club.name, club.get_absolute_url(), *_look(club, event)) if club is not None else None


def _look(club: Club, event: Tournament) -> tuple[str, str, str]:
    is_online = event.setting == Tournament.Setting.ONLINE
    return club.colour, crest_svg(club), "" if is_online else reverse("clubs:tonight", args=[club.slug])
