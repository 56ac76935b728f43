"""Patterns in an event, or in any rated games, that may be against fair play; see `gameplay.fair_play.patterns`."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext

from gameplay.fair_play.patterns import Concerned, Finding, Kind, Reviewed, names_of, of_looks, reviewed
from gameplay.links import links_of
from gameplay.models import Table
from tournaments.models import Pairing, RatedGame, RatingStep, Remark, Tournament
from web.text import number, several

GAMES = 8
"""Fewer games together than this are not evaluated."""
NEARLY_ALL = 0.9
"""Least share of either’s games with a partner that the two play together."""
FAR = 2.5
"""Least number of standard deviations by which their wins exceed the prediction of their ratings."""
MOST_GAMES = 2000
"""Most games checked, newest first, so that a page stays quick for any club."""


def of_event(event: Tournament) -> list[Finding]:
    """Findings of an event. A fixed number of queries.

    Fixed pairs and teams are meant to play together, so partners are only checked if people enter alone.
    """
    findings = of_looks(Table.objects.filter(pairing__round__stage__tournament=event))
    if event.entry_kind == Tournament.Kind.PERSON:
        findings += of_partners(RatedGame.objects.filter(tournament=event))
    return findings


def list_findings(event: Tournament, *, reader: int) -> list[Reviewed]:
    """The findings of an event, as one of its organisers (the id of an account) may see them."""
    return reviewed(of_event(event), Remark.objects.filter(tournament=event).select_related("by"), reader=reader)


# Partners


class _Game(NamedTuple):
    """A rated game as fetched."""

    pk: int
    kind: str
    source: int
    sides: list[list[int]]
    ranks: list[int]


class _Together(NamedTuple):
    """Games of two people as partners, with the win and its predicted chance for each."""

    games: list[_Game]
    won: list[bool]
    chances: list[float]


def of_partners(games: QuerySet[RatedGame]) -> list[Finding]:
    """Partners who almost always play together and win far more than predicted. At most five queries."""
    counting = games.exclude(pool="").filter(side_size__gt=1).order_by("-ended_at", "-pk")
    rows = [_Game(*values) for values in counting.values_list("pk", "kind", "source", "sides", "ranks")[:MOST_GAMES]]
    pairs, partnered = _pairs(rows)
    never_apart = {
        pair: shared
        for pair, shared in pairs.items()
        if len(shared) >= GAMES and len(shared) >= NEARLY_ALL * max(partnered[user] for user in pair)
    }
    if not never_apart:
        return []
    chances = _chances({game.pk: game for shared in never_apart.values() for game in shared}.values())
    together = {pair: _outcome(pair, shared, chances) for pair, shared in never_apart.items()}
    return list(_findings({pair: record for pair, record in together.items() if _is_far(record)}, partnered))


def _pairs(games: Iterable[_Game]) -> tuple[dict[tuple[int, int], list[_Game]], Counter[int]]:
    """The games of each two partners, and how many each person played with a partner."""
    pairs = defaultdict[tuple[int, int], list[_Game]](list)
    partnered: Counter[int] = Counter()
    for game in games:
        for side in game.sides:
            for user, other in combinations(sorted(side), 2):
                pairs[user, other].append(game)
            if len(side) > 1:
                partnered.update(side)
    return pairs, partnered


def _chances(games: Iterable[_Game]) -> dict[int, list[float]]:
    """By game: the chance of each side to win, by the ratings that its people had before."""
    from tournaments.ratings.rating_model import (  # whose library need not be there when the site starts
        Standing,
        chances,
    )

    by_game = {game.pk: game for game in games}
    before = defaultdict[int, dict[int, Standing]](dict)
    steps = RatingStep.objects.filter(game__in=by_game, rating__partner=None).order_by()
    for game, user, mu, sigma in steps.values_list("game_id", "rating__user_id", "mu_before", "sigma_before"):
        before[game][user] = Standing(mu, sigma)
    return {pk: chances(game.sides, before[pk]) for pk, game in by_game.items()}


def _outcome(pair: tuple[int, int], games: Sequence[_Game], chances: Mapping[int, list[float]]) -> _Together:
    sides = [next(at for at, side in enumerate(game.sides) if pair[0] in side) for game in games]
    won = [game.ranks[side] == 1 and game.ranks.count(1) == 1 for game, side in zip(games, sides, strict=True)]
    return _Together(list(games), won, [chances[game.pk][side] for game, side in zip(games, sides, strict=True)])


def _is_far(record: _Together) -> bool:
    """Whether they won too many games for chance to explain."""
    spread = sqrt(sum(chance * (1 - chance) for chance in record.chances))
    return sum(record.won) - sum(record.chances) >= FAR * spread


def _findings(together: Mapping[tuple[int, int], _Together], partnered: Mapping[int, int]) -> Iterator[Finding]:
    names = names_of(user for pair in together for user in pair)
    links = _links([game for record in together.values() for game in record.games])
    for (user, other), record in together.items():
        count, out_of = len(record.games), max(partnered[user], partnered[other])
        sentence = gettext(
            "%(first)s and %(second)s were partners in %(count)s of the %(games)s that either played "
            "with a partner. They won %(won)s. Their ratings predicted %(chances)s."
        ) % {
            "first": names[user],
            "second": names[other],
            "count": number(count),
            "games": several(out_of, "match", "matches"),
            "won": number(sum(record.won)),
            "chances": number_format(sum(record.chances), 1),
        }
        tables = tuple(links[game.kind, game.source] for game in record.games if (game.kind, game.source) in links)
        yield Finding(Kind.PARTNERS, user, other, sentence, count, out_of, tables)


def _links(games: Iterable[_Game]) -> dict[tuple[str, int], Concerned]:
    """Names and links of games: two queries."""
    sources = defaultdict[str, set[int]](set)
    for game in games:
        sources[game.kind].add(game.source)
    links: dict[tuple[str, int], Concerned] = {}
    tables = Table.objects.filter(pk__in=sources[RatedGame.Kind.TABLE])
    for pk, name, slug in tables.values_list("pk", "name", "slug"):
        links[RatedGame.Kind.TABLE, pk] = Concerned(name, links_of(slug).table, 1)
    matches = Pairing.objects.filter(pk__in=sources[RatedGame.Kind.MATCH]).select_related("round__stage__tournament")
    for match in matches:
        links[RatedGame.Kind.MATCH, match.pk] = Concerned(match.name, match.get_absolute_url(), 1)
    return links
