"""What other sites show for links to tables, matches that are over, and rulesets, as a stranger may see them.

No card of a match is ever in a picture, and nothing of a table whose link does not suffice to see it.
"""

from collections.abc import Iterator, Sequence

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext, ngettext, pgettext

from engine.play.rules import Rules
from engine.play.rulesets import PRESETS, title_of
from gameplay.access import may_know, may_watch, takes_guests
from gameplay.house_rules import rule_titles, ruleset_facts
from gameplay.models import Seat, Table
from gameplay.page.seats import names_of
from gameplay.templatetags.tables import clock_words
from gameplay.turn_list import deal_words
from web import oembed, sitemap
from web.link_cards import LinkCard
from web.link_pictures import kinds, layouts
from web.link_pictures.canvas import Canvas
from web.link_pictures.kinds import Picture
from web.link_pictures.layouts import Band, Side
from web.oembed import Embed
from web.text import in_sentence, join_words, number

NOBODY = AnonymousUser()
Status = Table.Status


def register() -> None:
    """Declare pictures, frames and pages. Called once, when the app is ready."""
    kinds.register("table", find_table)
    kinds.register("ruleset", find_ruleset)
    oembed.register("gameplay:replay", embed_of_replay)
    sitemap.register(_pages)


def _pages() -> Iterator[sitemap.Page]:
    for name in ("home", "rulesets", "practice", "lobby", "about", "api", "privacy", "accessibility"):
        yield reverse(f"gameplay:{name}"), None
    for name in PRESETS:
        yield reverse("gameplay:ruleset", args=[name]), None


# Tables


def is_open_by_link(table: Table) -> bool:
    """Whether the link alone lets a stranger see the table."""
    return may_watch(NOBODY, table) or may_know(NOBODY, table)


def table_card(table: Table, seats: Sequence[Seat]) -> LinkCard:
    """The card of a table: an invitation while it waits for players, then who plays, then how it ended. No query."""
    if not is_open_by_link(table):
        return LinkCard(table.name, gettext("A table of Hand and Foot."))
    return LinkCard(*_words(table, seats), picture=table_picture(table, seats))


def table_picture(table: Table, seats: Sequence[Seat]) -> str:
    """The path of a table's picture, if the link lets a stranger see it."""
    return kinds.address("table", table.slug, _version(table, seats)) if is_open_by_link(table) else ""


def replay_card(table: Table, seats: Sequence[Seat]) -> LinkCard:
    """The card of a replay, which other sites can show as a picture."""
    card = table_card(table, seats)
    is_shown = bool(card.picture)
    title = card.title if table.result else gettext("Replay: %(table)s") % {"table": table.name}
    return LinkCard(title, card.description, card.picture, embed=table.get_absolute_url() if is_shown else "")


def _words(table: Table, seats: Sequence[Seat]) -> tuple[str, str]:
    if table.status == Status.GATHERING:
        free = sum(not seat.is_taken for seat in seats)
        words = ngettext("%(count)s seat is free.", "%(count)s seats are free.", free) % {"count": free}
        guests = gettext("You need no account.") if takes_guests(table) else ""
        host = _host(seats)
        title = gettext("%(name)s asks you to play") % {"name": host} if host else table.name
        return title, f"{words} {guests}".strip()
    names = _sides(table, seats)
    if table.result is None or table.status != Status.OVER:
        title = (
            gettext("%(one)s against %(other)s") % {"one": names[0], "other": names[1]}
            if len(names) == 2
            else table.name
        )
        return title, f"{table.name}."
    return _outcome(table, names), f"{table.name}, {in_sentence(rule_titles.title('', table.rules))}."


def _host(seats: Sequence[Seat]) -> str:
    """The first person at the table."""
    return next((seat.name for seat in seats if seat.is_taken and not seat.bot), "")


def _sides(table: Table, seats: Sequence[Seat]) -> list[str]:
    names = names_of(seats, None)
    return [" / ".join(names[team :: table.teams]) for team in range(table.teams)]


def _outcome(table: Table, names: Sequence[str]) -> str:
    """`Vermeer / Falk won by 1,240 after the last card`."""
    winners = table.result["winners"] if table.result else []
    won, lead = join_words([names[team] for team in winners]), _lead(table)
    if lead:
        return gettext("%(names)s won by %(points)s after the last card") % {"names": won, "points": number(lead)}
    if len(winners) == 1:
        return gettext("%(names)s won") % {"names": won}
    return gettext("%(names)s tied") % {"names": won} if winners else table.name


def _lead(table: Table) -> int:
    """The points by which the one winner is ahead in a match that was played to its end; else nothing."""
    if table.result is None or table.result["reason"] != "played" or len(table.result["winners"]) != 1:
        return 0
    (winner,), totals = table.result["winners"], table.result["totals"]
    lead: int = totals[winner] - max(points for team, points in enumerate(totals) if team != winner)
    return max(0, lead)


def _version(table: Table, seats: Sequence[Seat]) -> str:
    people = tuple((seat.number, seat.name, seat.bot, seat.is_taken) for seat in seats)
    return kinds.version_of(table.pk, table.name, table.status, table.deal_number, table.result, people)


def find_table(key: str) -> Picture:
    """The picture of a table. Raises `Http404` unless its link lets a stranger see it."""
    table = Table.objects.filter(slug=key).defer("snapshot").first()
    if table is None or not is_open_by_link(table):
        raise Http404("Table not found.")
    seats = list(Seat.objects.filter(table=table))
    return Picture(_version(table, seats), lambda: _draw_table(table, seats))


def _draw_table(table: Table, seats: Sequence[Seat]) -> Canvas:
    rules = rule_titles.title(table.rules_ref, table.rules)
    if table.status == Status.GATHERING:
        host = _host(seats)
        title = gettext("Play with %(name)s?") % {"name": host.split()[0]} if host else table.name
        players = [seat.player_name for seat in seats if seat.is_taken]
        free = sum(not seat.is_taken for seat in seats)
        line = f"{rules}, {clock_words(table)}"
        return layouts.seats(
            Band(title, line), players, free, gettext("Your seat"), pgettext("seat on a picture", "free")
        )
    names = _sides(table, seats)
    if table.result is None or table.status != Status.OVER:
        return layouts.match(Band(table.name, rules), [Side(name) for name in names], deal_words(table))
    totals, winners = table.result["totals"], table.result["winners"]
    sides = [Side(name, number(totals[team]), team in winners) for team, name in enumerate(names)]
    lead = _lead(table)
    note = gettext("Won by %(points)s after the last card") % {"points": number(lead)} if lead else ""
    return layouts.match(Band(table.name, rules), sorted(sides, key=lambda side: not side.is_winner), note)


def embed_of_replay(slug: str) -> Embed:
    """A replay for other sites: its picture. Raises `Http404` unless the link lets a stranger see the match."""
    table = Table.objects.filter(slug=slug).defer("snapshot").first()
    if table is None or not is_open_by_link(table) or table.status == Status.GATHERING:
        raise Http404("Match not found.")
    card = replay_card(table, list(Seat.objects.filter(table=table)))
    return Embed(card.title, card.picture)


# Rulesets


def ruleset_card(name: str) -> LinkCard:
    """The card of a published ruleset; its sentence is the page's own."""
    picture = kinds.address("ruleset", name, find_ruleset(name).version)
    return LinkCard(gettext("%(title)s rules of Hand and Foot") % {"title": title_of(name)}, picture=picture)


def find_ruleset(key: str) -> Picture:
    """The picture of a published ruleset. Raises `Http404`."""
    if key not in PRESETS:
        raise Http404("Ruleset not found.")

    def draw() -> Canvas:
        return layouts.facts(
            Band(title_of(key), gettext("Rules of Hand and Foot")), ruleset_facts.short_facts(Rules.preset(key))
        )

    return Picture(kinds.version_of(key, PRESETS[key]), draw)
