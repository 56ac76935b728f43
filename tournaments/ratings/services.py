"""Ratings: a log of games kept in step with tables and results, and everything else worked out from that log.

Two steps, each a transaction of its own and safe to repeat. *Looking* at a table or a tournament compares what counts
there with its rows of the log; where they differ it changes the log and marks the pool dirty since the earliest game that
changed. *Rating* a dirty pool works it out anew from that moment on, under the pool's lock: exactly what rating its whole
log from the beginning would give.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils import timezone

from gameplay.models import Table
from tournaments.models import RatedGame, RatedTournament, Rating, RatingPool, RatingStep, Tournament
from tournaments.ratings import rated_games, rating_model
from tournaments.ratings.rated_games import Game
from tournaments.ratings.rating_model import Key, Standing

BEGINNING = datetime.fromtimestamp(0, UTC)
AT_ONCE = 200
"""Tables, and tournaments, that one sweep looks at."""
FEW = 400
"""Up to so many people are asked for by name; of more, the whole pool is read."""


def rate(table_id: int) -> None:
    """Bring the ratings into step with one table. Does nothing where there is nothing to do."""
    _recompute_all(look_at_table(table_id))


def rate_tournament(tournament_id: int) -> None:
    """Bring the ratings into step with the results of one tournament. Does nothing where there is nothing to do."""
    _recompute_all(look_at_tournament(tournament_id))


def sweep() -> None:
    """Do what lost tasks should have done."""
    for table_id in unrated():
        look_at_table(table_id)
    for tournament_id in behind():
        look_at_tournament(tournament_id)
    drop_orphans()
    _recompute_all(dirty())


def rebuild() -> int:
    """Compare everything with the log and rate every pool from its first game on; how many games count."""
    rated = Table.objects.filter(status=Table.Status.OVER, is_rated=True).values_list("pk", flat=True)
    known = RatedGame.objects.filter(kind=RatedGame.Kind.TABLE).values_list("source", flat=True)
    for table_id in sorted({*rated, *known}):
        look_at_table(table_id)
    for tournament_id in Tournament.objects.order_by("pk").values_list("pk", flat=True):
        look_at_tournament(tournament_id)
    drop_orphans()
    logged = RatedGame.objects.exclude(pool="").order_by().values_list("pool", flat=True).distinct()
    pools = sorted({*logged, *Rating.objects.order_by().values_list("pool", flat=True).distinct()})
    for name in pools:
        rate_whole(name)
    return RatedGame.objects.exclude(pool="").count()


def rate_whole(name: str) -> None:
    """Rate a pool anew from its first game on."""
    with transaction.atomic():
        _lock_and_mark({name: BEGINNING})
        Rating.objects.filter(pool=name).update(is_stale=True)
        recompute(name)


# What the sweeper finds


def unrated() -> list[int]:
    """Ids of rated tables that are over and were not looked at."""
    looked_at = RatedGame.objects.filter(kind=RatedGame.Kind.TABLE, source=OuterRef("pk"))
    over = Table.objects.filter(status=Table.Status.OVER, is_rated=True, is_arranged=False, result__isnull=False)
    waiting = over.filter(~Exists(looked_at), pairing=None)
    return list(waiting.order_by("ended_at", "pk").values_list("pk", flat=True)[:AT_ONCE])


def behind() -> list[int]:
    """Ids of tournaments in which something was done since their results were last compared with the log."""
    begun = (Tournament.Status.RUNNING, Tournament.Status.OVER, Tournament.Status.CANCELLED)
    logged = RatedGame.objects.filter(tournament=OuterRef("pk"))
    up_to_date = RatedTournament.objects.filter(tournament=OuterRef("pk"), version=OuterRef("version"))
    found = Tournament.objects.filter(Q(status__in=begun) | Exists(logged)).exclude(Exists(up_to_date))
    return list(found.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])


def dirty() -> list[str]:
    """Names of the pools that are to be rated anew."""
    return list(RatingPool.objects.filter(dirty_since__isnull=False).order_by("name").values_list("name", flat=True))


# Keeping the log


def look_at_table(table_id: int) -> list[str]:
    """Make the log say of a table what counts there; the pools in which that changed anything."""
    with transaction.atomic():
        table = Table.objects.select_for_update().filter(pk=table_id).first()
        game = rated_games.of_table(table) if table is not None else None
        logged = RatedGame.objects.filter(kind=RatedGame.Kind.TABLE, source=table_id)
        return _keep(logged, [game] if game is not None else [])


def look_at_tournament(tournament_id: int) -> list[str]:
    """Make the log say of a tournament what its confirmed results say; the pools in which that changed anything."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
        if tournament is None:
            return []
        logged = RatedGame.objects.filter(tournament=tournament)
        pools = _keep(logged, rated_games.of_tournament(tournament))
        RatedTournament.objects.update_or_create(tournament=tournament, defaults={"version": tournament.version})
        return pools


def drop_orphans() -> list[str]:
    """Take games of tournaments that are gone out of the log; the pools in which that changed anything."""
    with transaction.atomic():
        return _keep(RatedGame.objects.filter(kind=RatedGame.Kind.MATCH, tournament=None), [])


def _keep(logged: Iterable[RatedGame], wanted: Sequence[Game]) -> list[str]:
    known, fresh = {row.source: row for row in logged}, {game.source: game for game in wanted}
    gone, new, since = [], [], dict[str, datetime]()
    for source in sorted({*known, *fresh}):
        row, game = known.get(source), fresh.get(source)
        if row is not None and _read(row) == game:
            continue
        if row is not None:
            gone.append(row.pk)
        if game is not None:
            new.append(RatedGame(**dataclasses.asdict(game)))
        for one in (row, game):
            if one is not None and one.pool:
                since[one.pool] = min(one.ended_at, since.get(one.pool, one.ended_at))
    _lock_and_mark(since)
    if gone:
        Rating.objects.filter(steps__game__in=gone).update(is_stale=True)
        RatedGame.objects.filter(pk__in=gone).delete()
    RatedGame.objects.bulk_create(new, batch_size=500)
    return sorted(since)


def _read(row: RatedGame) -> Game:
    names = [field.name for field in dataclasses.fields(Game)]
    values = {name: getattr(row, name) for name in names}
    return Game(**values | {"sides": tuple(map(tuple, row.sides)), "ranks": tuple(row.ranks)})


def _lock_and_mark(since: dict[str, datetime]) -> None:
    """Lock these pools, in one order everywhere, and note from when on each is to be rated anew."""
    for name in sorted(since):
        RatingPool.objects.get_or_create(name=name)
        pool = RatingPool.objects.select_for_update().get(name=name)
        if pool.dirty_since is None or since[name] < pool.dirty_since:
            pool.dirty_since = since[name]
            pool.marked_at = pool.marked_at or timezone.now()
            pool.save(update_fields=["dirty_since", "marked_at"])


# Rating


def _recompute_all(names: Iterable[str]) -> None:
    for name in names:
        recompute(name)


def recompute(name: str) -> bool:
    """Rate a pool anew from the earliest game that changed; whether there was anything to do."""
    with transaction.atomic():
        pool = RatingPool.objects.select_for_update().filter(name=name).first()
        if pool is None or pool.dirty_since is None:
            return False
        _rate_from(name, pool.dirty_since)
        pool.dirty_since = pool.marked_at = None
        pool.save(update_fields=["dirty_since", "marked_at"])
        return True


def _rate_from(name: str, since: datetime) -> None:
    games = list(RatedGame.objects.filter(pool=name, ended_at__gte=since))
    ratings = _ratings(name, since, {user for game in games for side in game.sides for user in side})
    RatingStep.objects.filter(rating__pool=name, game__ended_at__gte=since).delete()
    now = _standings(ratings.values())
    steps: list[tuple[Key, RatedGame, Standing, Standing]] = []
    for game in games:
        for key, after in rating_model.rate(game.sides, game.side_size, game.ranks, now).items():
            steps.append((key, game, now.get(key, Standing()), after))
            now[key] = after
    fresh = [_new(name, key) for key in sorted(now) if key not in ratings]
    ratings |= {_key(rating): rating for rating in Rating.objects.bulk_create(fresh, batch_size=500)}
    for key, rating in ratings.items():
        rating.mu, rating.sigma, rating.matches = now.get(key, Standing())
        rating.is_stale = False
    Rating.objects.bulk_update(ratings.values(), ["mu", "sigma", "matches", "is_stale"], batch_size=100)
    Rating.objects.filter(pk__in=[one.pk for one in ratings.values() if not one.matches]).delete()
    RatingStep.objects.bulk_create(
        (
            RatingStep(
                rating=ratings[key],
                game=game,
                number=after.matches,
                mu_before=before.mu,
                sigma_before=before.sigma,
                mu=after.mu,
                sigma=after.sigma,
            )
            for key, game, before, after in steps
        ),
        batch_size=500,
    )


def _ratings(name: str, since: datetime, people: set[int]) -> dict[Key, Rating]:
    """The ratings that games from this moment on move, or moved until now."""
    rows = Rating.objects.filter(pool=name)
    if len(people) <= FEW:
        moved = RatingStep.objects.filter(rating=OuterRef("pk"), game__ended_at__gte=since)
        rows = rows.filter(Q(is_stale=True) | Q(user__in=people) | Exists(moved))
    return {_key(row): row for row in rows}


def _standings(ratings: Iterable[Rating]) -> dict[Key, Standing]:
    """Where ratings stand after the steps that are left of them."""
    keys = {rating.pk: _key(rating) for rating in ratings}
    found: dict[Key, Standing] = {}
    last = RatingStep.objects.filter(rating=OuterRef("pk")).order_by("-number").values("pk")[:1]
    ids = list(keys)
    for at in range(0, len(ids), FEW):
        newest = Rating.objects.filter(pk__in=ids[at : at + FEW]).values(last=Subquery(last))
        for step in RatingStep.objects.filter(pk__in=newest):
            found[keys[step.rating_id]] = Standing(step.mu, step.sigma, step.number)
    return found


def _key(rating: Rating) -> Key:
    return (rating.user_id,) if rating.partner_id is None else (rating.user_id, rating.partner_id)


def _new(pool: str, key: Key) -> Rating:
    return Rating(pool=pool, user_id=key[0], partner_id=key[1] if len(key) == 2 else None)
