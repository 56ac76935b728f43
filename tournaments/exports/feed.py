"""An event as an Atom feed (RFC 4287): results as they come, and rounds as they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.syndication.views import Feed
from django.db.models import Prefetch
from django.http import HttpRequest
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext

from tournaments.exports import source
from tournaments.exports.atom import MOST, Item, OfItems
from tournaments.exports.lettering import plain
from tournaments.models import Pairing, Place, Round, Tournament
from tournaments.public.corrections import corrected_among
from tournaments.public.names import links_of
from tournaments.public.schedule import listed_match
from tournaments.round_names import round_name, round_words
from web.text import several


def items(event: Tournament, several_stages: bool) -> list[Item]:
    """The latest first: four queries."""
    found = [*_results(event, several_stages), *_rounds(event, several_stages)]
    return sorted(found, key=lambda one: (one.at, one.mark), reverse=True)[:MOST]


def _results(event: Tournament, several_stages: bool) -> list[Item]:
    links = links_of(event)
    done = Pairing.objects.filter(
        round__stage__tournament=event, status=Pairing.Status.DONE, done_at__isnull=False
    ).select_related("round__stage")
    rows = list(
        done.prefetch_related(Prefetch("places", Place.objects.select_related("entry"))).order_by("-done_at")[:MOST]
    )
    changed = corrected_among(one.pk for one in rows)
    found = []
    for row in rows:
        match = listed_match(row, links, {}, changed)
        stage = row.round.stage
        between = " – " if len(match.sides) == 2 else "; "
        told = between.join(f"{side.names} {side.score}".strip() for side in match.sides)
        where = f"{stage.name}, {round_words(row.round.name)}" if several_stages else round_words(row.round.name)
        note = f" {match.note}." if match.note else ""
        # A correction is news: it has a mark of its own.
        mark = f"result-{row.result_id or row.name}"
        words = f"{where[:1].upper()}{where[1:]}, {match.called}: {told}.{note}"
        found.append(Item(plain(told), plain(words), match.url, mark, row.done_at or event.created_at))
    return found


def _rounds(event: Tournament, several_stages: bool) -> list[Item]:
    links, found = links_of(event), []
    rows = Round.objects.filter(stage__tournament=event).select_related("stage").prefetch_related("pairings")
    for row in rows.order_by("-drawn_at")[:MOST]:
        tables = [one for one in row.pairings.all() if one.status != Pairing.Status.IDLE]
        name = f"{row.stage.name}, {round_words(row.name)}" if several_stages else round_name(row.name)
        url = f"{links.event}schedule/?stage={row.stage.number}&round={row.number}"
        mark = f"drawn-{row.stage.number}-{row.number}"
        title = gettext("%(round)s is drawn") % {"round": name}
        words = gettext("%(round)s is drawn: %(tables)s.") % {"round": name, "tables": several(len(tables), "table")}
        found.append(Item(plain(title), plain(words), url, mark, row.drawn_at))
    return found


if TYPE_CHECKING:
    _Feed = Feed[Item, tuple[Tournament, bool]]
else:
    _Feed = Feed


class EventFeed(OfItems, _Feed):
    """The feed of the event that it is called with."""

    feed_type = Atom1Feed
    author_name = "Foothold"

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> tuple[Tournament, bool]:
        event: Tournament = kwargs["event"]
        return event, bool(kwargs["several_stages"])

    def title(self, about: tuple[Tournament, bool]) -> str:
        return plain(about[0].name)

    def subtitle(self, about: tuple[Tournament, bool]) -> str:
        return gettext("New results and newly drawn rounds.")

    def link(self, about: tuple[Tournament, bool]) -> str:
        return source.whole(about[0].get_absolute_url())

    def feed_url(self, about: tuple[Tournament, bool]) -> str:
        return source.whole(reverse("tournaments:feed", args=[about[0].slug]))

    def feed_guid(self, about: tuple[Tournament, bool]) -> str:
        return self.link(about)

    def items(self, about: tuple[Tournament, bool]) -> list[Item]:
        return items(*about)
