"""What a place is about: the whole club, one of its leagues or one of its events."""

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext

from clubs.models import Club, League, NewsPlace
from tournaments.models import Tournament
from web.errors import Refused
from web.sent_numbers import read_whole

MOST = 50
"""Events to choose from, the newest."""
Status = Tournament.Status


def value_of(place: NewsPlace) -> str:
    """What a place is about, as forms and programs name it: `league:3`, `event:7`, or empty for the whole club."""
    if place.league_id is not None:
        return f"league:{place.league_id}"
    return f"event:{place.event_id}" if place.event_id is not None else ""


def read(club: Club, about: str, place: NewsPlace | None = None) -> dict[str, Any]:
    """The fields of a place that is about this. Raises `Refused` for what the place of this club cannot be about."""
    kind, _, number = about.partition(":")
    pk = read_whole(number, digits=18) or 0
    topic: dict[str, Any] = {"league": None, "event": None}
    if kind == "league":
        topic["league"] = League.objects.filter(club=club, pk=pk).first()
    elif kind == "event":
        topic["event"] = _events(club, place).filter(pk=pk).first()
    if about and topic.get(kind) is None:
        raise Refused("no_topic", gettext("Choose the whole club, a league or an event."), field="about")
    return topic


def choices(club: Club, place: NewsPlace | None = None) -> list[tuple[str, list[tuple[str, str]]]]:
    """Leagues and events to choose from, under their headings."""
    is_usable = Q(is_archived=False) | Q(pk=place.league_id if place is not None else None)
    leagues = [(f"league:{row.pk}", row.name) for row in League.objects.filter(is_usable, club=club)]
    events = [(f"event:{row.pk}", row.name) for row in _events(club, place).order_by("-pk")[:MOST]]
    groups = [(gettext("Leagues"), leagues), (gettext("Events"), events)]
    return [(title, rows) for title, rows in groups if rows]


def _events(club: Club, place: NewsPlace | None) -> Any:
    """Public events that are not over, and that of a place."""
    to_come = Q(visibility=Tournament.Visibility.PUBLIC, division=None) & ~Q(status__in=(Status.OVER, Status.CANCELLED))
    return Tournament.objects.filter(to_come | Q(pk=place.event_id if place is not None else None), circle=club.circle)


def is_about(place: NewsPlace, event: Tournament, league_id: int | None) -> bool:
    """Whether news of an event, in a season of this league, goes to a place."""
    if place.league_id is not None:
        return place.league_id == league_id
    return place.event_id in (None, event.pk)


def overlap(place: NewsPlace, other: NewsPlace) -> bool:
    """Whether the same news can go to both."""
    return value_of(place) == value_of(other) or not value_of(place) or not value_of(other)
