"""An event as an Atom feed (RFC 4287): results as they come, and rounds as they are drawn."""

from typing import Any

from django.db.models import Prefetch
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext

from tournaments import outcome
from tournaments.exports import source
from tournaments.exports.atom import MOST, Item, OfItems
from tournaments.models import Pairing, Place, Round, Tournament
from tournaments.public.corrections import corrected_among
from tournaments.public.names import links_of
from tournaments.public.schedule import listed_match
from tournaments.round_names import round_name, round_words
from web.lettering import plain
from web.text import several


def items(event: Tournament, several_stages: bool) -> list[Item]:
    """The items, newest first: some queries for each kind."""
    news = [*_results(event, several_stages), *_rounds(event, several_stages), *_end(event)]
    return sorted(news, key=lambda item: (item.at, item.mark), reverse=True)[:MOST]


def _results(event: Tournament, several_stages: bool) -> list[Item]:
    links = links_of(event)
    finished = Pairing.objects.filter(
        round__stage__tournament=event, status=Pairing.Status.DONE, done_at__isnull=False
    ).select_related("round__stage")
    rows = list(
        finished.prefetch_related(Prefetch("places", Place.objects.select_related("entry"))).order_by("-done_at")[:MOST]
    )
    changed = corrected_among(pairing.pk for pairing in rows)
    items = []
    for pairing in rows:
        match = listed_match(pairing, links, {}, changed)
        stage = pairing.round.stage
        between = " – " if len(match.sides) == 2 else "; "
        result = between.join(f"{side.names} {side.score}".strip() for side in match.sides)
        where = f"{stage.name}, {match.words}" if several_stages else match.heading
        note = f" {match.note}." if match.note else ""
        # A correction is a new item: it has a mark of its own.
        mark = f"result-{pairing.result_id or pairing.name}"
        words = f"{where}: {result}.{note}"
        items.append(Item(plain(result), plain(words), match.url, mark, pairing.done_at or event.created_at))
    return items


def _end(event: Tournament) -> list[Item]:
    """The winners, once the event is over. Another decision is a new item."""
    won = outcome.of(event)
    if event.status != Tournament.Status.OVER or not won.champions:
        return []
    title = gettext("%(names)s won.") % {"names": won.names}
    numbers = "-".join(str(entry.number) for entry in won.champions)
    mark, at = f"won-{numbers}", event.ended_at or event.created_at
    return [Item(plain(title), plain(won.sentence or title), event.get_absolute_url(), mark, at)]


def _rounds(event: Tournament, several_stages: bool) -> list[Item]:
    links, items = links_of(event), []
    rows = Round.objects.filter(stage__tournament=event).select_related("stage").prefetch_related("pairings")
    for round_ in rows.order_by("-drawn_at")[:MOST]:
        tables = [pairing for pairing in round_.pairings.all() if pairing.status != Pairing.Status.IDLE]
        name = f"{round_.stage.name}, {round_words(round_.name)}" if several_stages else round_name(round_.name)
        url = f"{links.event}schedule/?stage={round_.stage.number}&round={round_.number}"
        mark = f"drawn-{round_.stage.number}-{round_.number}"
        title = gettext("%(round)s is drawn") % {"round": name}
        words = gettext("%(round)s is drawn: %(tables)s.") % {"round": name, "tables": several(len(tables), "table")}
        items.append(Item(plain(title), plain(words), url, mark, round_.drawn_at))
    return items


class EventFeed(OfItems):
    """The feed of one event."""

    author_name = "Foothold"

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> tuple[Tournament, bool]:
        event: Tournament = kwargs["event"]
        return event, bool(kwargs["several_stages"])

    def title(self, about: tuple[Tournament, bool]) -> str:
        return plain(about[0].name)

    def subtitle(self, about: tuple[Tournament, bool]) -> str:
        return gettext("New results and newly drawn rounds.")

    def link(self, about: tuple[Tournament, bool]) -> str:
        return source.full_url(about[0].get_absolute_url())

    def feed_url(self, about: tuple[Tournament, bool]) -> str:
        return source.full_url(reverse("tournaments:feed", args=[about[0].slug]))

    def items(self, about: tuple[Tournament, bool]) -> list[Item]:
        return items(*about)
