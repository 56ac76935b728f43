"""Ratings: a log of games in sync with tables and results, from which everything else is computed.

Two steps, each a transaction of its own and safe to repeat. *Syncing* a table or tournament compares its games with
their rows of the log; if they differ it changes the log and marks the pool dirty since the earliest changed game.
*Rating* a dirty pool recomputes it from that moment on, under the pool’s lock, with exactly the result of rating its
whole log from the beginning.
"""

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
    _recompute_all(sync_table(table_id))


def rate_tournament(tournament_id: int) -> None:
    """Bring the ratings into step with the results of one tournament. Does nothing where there is nothing to do."""
    _recompute_all(sync_tournament(tournament_id))


def sweep() -> None:
    """Do what lost tasks should have done."""
    for table_id in unrated_tables():
        sync_table(table_id)
    for tournament_id in outdated_tournaments():
        sync_tournament(tournament_id)
    drop_orphans()
    _recompute_all(dirty_pools())


def rebuild() -> int:
    """Sync everything with the log and recompute every pool. Returns the number of games that count."""
    rated = Table.objects.filter(status=Table.Status.OVER, is_rated=True).values_list("pk", flat=True)
    logged_tables = RatedGame.objects.filter(kind=RatedGame.Kind.TABLE).values_list("source", flat=True)
    for table_id in sorted({*rated, *logged_tables}):
        sync_table(table_id)
    for tournament_id in Tournament.objects.order_by("pk").values_list("pk", flat=True):
        sync_tournament(tournament_id)
    drop_orphans()
    logged = RatedGame.objects.exclude(pool="").order_by().values_list("pool", flat=True).distinct()
    pools = sorted({*logged, *Rating.objects.order_by().values_list("pool", flat=True).distinct()})
    for name in pools:
        rate_whole(name)
    return RatedGame.objects.exclude(pool="").count()


def rate_whole(name: str) -> None:
    """Recompute a pool from its first game on."""
    with transaction.atomic():
        _lock_and_mark({name: BEGINNING})
        Rating.objects.filter(pool=name).update(is_stale=True)
        recompute(name)


# Pending work


def unrated_tables() -> list[int]:
    """Ids of finished rated tables that are not in the log."""
    looked_at = RatedGame.objects.filter(kind=RatedGame.Kind.TABLE, source=OuterRef("pk"))
    over = Table.objects.filter(status=Table.Status.OVER, is_rated=True, is_arranged=False, result__isnull=False)
    waiting = over.filter(~Exists(looked_at), pairing=None)
    return list(waiting.order_by("ended_at", "pk").values_list("pk", flat=True)[:AT_ONCE])


def outdated_tournaments() -> list[int]:
    """Ids of tournaments with changes since their results were last compared with the log."""
    begun = (Tournament.Status.RUNNING, Tournament.Status.OVER, Tournament.Status.CANCELLED)
    logged = RatedGame.objects.filter(tournament=OuterRef("pk"))
    up_to_date = RatedTournament.objects.filter(tournament=OuterRef("pk"), version=OuterRef("version"))
    outdated = Tournament.objects.filter(Q(status__in=begun) | Exists(logged)).exclude(Exists(up_to_date))
    return list(outdated.order_by("pk").values_list("pk", flat=True)[:AT_ONCE])


def dirty_pools() -> list[str]:
    """Names of the pools to recompute."""
    return list(RatingPool.objects.filter(dirty_since__isnull=False).order_by("name").values_list("name", flat=True))


# Keeping the log


def sync_table(table_id: int) -> list[str]:
    """Sync the log with a table. Returns the pools changed."""
    with transaction.atomic():
        table = Table.objects.select_for_update().filter(pk=table_id).first()
        game = rated_games.of_table(table) if table is not None else None
        logged = RatedGame.objects.filter(kind=RatedGame.Kind.TABLE, source=table_id)
        return _update_log(logged, [game] if game is not None else [])


def sync_tournament(tournament_id: int) -> list[str]:
    """Sync the log with the confirmed results of a tournament. Returns the pools changed."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
        if tournament is None:
            return []
        logged = RatedGame.objects.filter(tournament=tournament)
        pools = _update_log(logged, rated_games.of_tournament(tournament))
        RatedTournament.objects.update_or_create(tournament=tournament, defaults={"version": tournament.version})
        return pools


def drop_orphans() -> list[str]:
    """Remove games of deleted tournaments from the log. Returns the pools changed."""
    with transaction.atomic():
        return _update_log(RatedGame.objects.filter(kind=RatedGame.Kind.MATCH, tournament=None), [])


def _update_log(logged: Iterable[RatedGame], expected: Sequence[Game]) -> list[str]:
    old, fresh = {logged_game.source: logged_game for logged_game in logged}, {game.source: game for game in expected}
    gone, new, since = [], [], dict[str, datetime]()
    for source in sorted({*old, *fresh}):
        logged_game, game = old.get(source), fresh.get(source)
        if logged_game is not None and _read(logged_game) == game:
            continue
        if logged_game is not None:
            gone.append(logged_game.pk)
        if game is not None:
            new.append(RatedGame(**dataclasses.asdict(game)))
        for each in (logged_game, game):
            if each is not None and each.pool:
                since[each.pool] = min(each.ended_at, since.get(each.pool, each.ended_at))
    _lock_and_mark(since)
    if gone:
        Rating.objects.filter(steps__game__in=gone).update(is_stale=True)
        RatedGame.objects.filter(pk__in=gone).delete()
    RatedGame.objects.bulk_create(new, batch_size=500)
    return sorted(since)


def _read(game: RatedGame) -> Game:
    names = [field.name for field in dataclasses.fields(Game)]
    values = {name: getattr(game, name) for name in names}
    return Game(**values | {"sides": tuple(map(tuple, game.sides)), "ranks": tuple(game.ranks)})


def _lock_and_mark(since: dict[str, datetime]) -> None:
    """Lock these pools, always in the same order, and mark each dirty since its time."""
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
    """Recompute a pool from the earliest changed game. Returns whether there was anything to do."""
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
    Rating.objects.filter(pk__in=[rating.pk for rating in ratings.values() if not rating.matches]).delete()
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
    """The ratings that games from this moment on change, or changed before."""
    rows = Rating.objects.filter(pool=name)
    if len(people) <= FEW:
        moved = RatingStep.objects.filter(rating=OuterRef("pk"), game__ended_at__gte=since)
        rows = rows.filter(Q(is_stale=True) | Q(user__in=people) | Exists(moved))
    return {_key(rating): rating for rating in rows}


def _standings(ratings: Iterable[Rating]) -> dict[Key, Standing]:
    """Ratings after their remaining steps."""
    keys = {rating.pk: _key(rating) for rating in ratings}
    standings: dict[Key, Standing] = {}
    last = RatingStep.objects.filter(rating=OuterRef("pk")).order_by("-number").values("pk")[:1]
    ids = list(keys)
    for at in range(0, len(ids), FEW):
        newest = Rating.objects.filter(pk__in=ids[at : at + FEW]).values(last=Subquery(last))
        for step in RatingStep.objects.filter(pk__in=newest):
            standings[keys[step.rating_id]] = Standing(step.mu, step.sigma, step.number)
    return standings


def _key(rating: Rating) -> Key:
    return (rating.user_id,) if rating.partner_id is None else (rating.user_id, rating.partner_id)


def _new(pool: str, key: Key) -> Rating:
    return Rating(pool=pool, user_id=key[0], partner_id=key[1] if len(key) == 2 else None)
