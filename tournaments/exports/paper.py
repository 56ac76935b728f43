"""What stands at the head and foot of an event’s PDF documents."""

from django.utils.translation import gettext

from tournaments.exports import source
from tournaments.models import Tournament
from tournaments.public.names import links_of
from web.paper import Cover
from web.text import date_and_time, zone_name


def cover(event: Tournament) -> Cover:
    """The cover of an event's documents, with times in the zone that is active: one query."""
    at = source.as_of(event)
    words = gettext("As of %(moment)s %(year)s, times in %(zone)s")
    stamp = words % {"moment": date_and_time(at), "year": at.year, "zone": zone_name(at)}
    return Cover(event.name, source.full_url(links_of(event).event), stamp, at)
