"""What the clock brings about in tournaments: silence that confirms, no-shows, reminders, lost tasks made good."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext

from gameplay.models import Table
from tournaments import seating
from tournaments.models import Act, Pairing, Round, Stage, Tournament
from tournaments.plan import Plan
from tournaments.services import notifications
from tournaments.services.matches import results
from tournaments.services.stages import progress
from tournaments.stage_state import has_begun, moment_of
from web.errors import Refused

log = logging.getLogger(__name__)

SHARES = (0.5, 0.8)
"""After which shares of the time for a match its players are reminded; and once more two hours before its end."""
LAST = timedelta(hours=2)
AT_ONCE = 200
"""Things of a kind that one sweep does; the next sweep does the others."""


def sweep(now: datetime | None = None) -> None:
    """Everything that is due. Running it twice, or two of them at once, does no harm."""
    now = now or timezone.now()
    _each(results.unanswered(now), lambda result_id: results.let_stand(result_id, now))
    _each(finished_tables(), lambda table_id: results.from_table(table_id, now))
    _each(no_shows(now), lambda pairing_id: no_show(pairing_id, now))
    _each(to_remind(now), lambda pairing_id: remind(pairing_id, now))
    _each([*progress.waiting(now), *timed(now)], lambda tournament_id: _advance(tournament_id, now))


def finished_tables() -> list[int]:
    """Tables of matches that are over and whose result was not taken yet."""
    over = Pairing.objects.filter(table__status__in=(Table.Status.OVER, Table.Status.ABANDONED), result=None)
    waits = over.exclude(status=Pairing.Status.DISPUTED).order_by("pk")
    return [pk for pk in waits.values_list("table_id", flat=True) if pk is not None]


def no_shows(now: datetime) -> list[int]:
    """Matches of which nothing is known at their deadline, where the event's rule says what that means."""
    late = _unplayed().filter(_until(lte=now), round__stage__tournament__no_show=Tournament.NoShow.WALKOVER)
    untouched = late.filter(Q(table=None) | Q(table__move_count=0), begun_at=None)
    return list(untouched.order_by("pk").values_list("pk", flat=True))


def no_show(pairing_id: int, now: datetime) -> bool:
    """Decide a match that nobody began in time: at an online table who should have moved loses, else everybody does.

    Whether it was decided.
    """
    pairing = _unplayed().filter(_until(lte=now), pk=pairing_id).first()
    if pairing is None or has_begun(pairing) or _was_undone(pairing):
        return False
    places = list(pairing.places.all())
    if pairing.table is not None and pairing.table.seat_to_act is not None:
        sides = seating.sides_of(places)
        late = sides[pairing.table.seat_to_act % len(sides)]
        places = [place for place in places if place.side == late]
    entries = [place.entry_id for place in places if place.entry_id]
    results.walkover(pairing_id, entries, by=None, reason=gettext("Nobody played by the deadline."), now=now)
    return True


def _was_undone(pairing: Pairing) -> bool:
    """Whether an organiser has undone what the deadline of a match decided: only a later one decides again."""
    acts = Act.objects.filter(tournament=pairing.tournament_id, kind="walkover", by=None, undone_by__isnull=False)
    since = acts.filter(at__gte=moment_of(pairing)).values_list("changes", flat=True)
    return any(change["model"] == "pairing" and change["pk"] == pairing.pk for one in since for change in one)


def to_remind(now: datetime) -> list[int]:
    """Matches whose players are due a reminder, those with the nearest deadline first."""
    soon = _unplayed().filter(_until(gt=now), opened_at__isnull=False, reminded__lt=3)
    rows = soon.annotate(until=Coalesce("deadline_at", "round__deadline_at")).order_by("until", "pk")
    told = rows.values_list("pk", "opened_at", "until", "reminded")
    return [pk for pk, since, until, reminded in told if since and reminders_due(since, until, now) > reminded]


def reminders_due(since: datetime, until: datetime, now: datetime) -> int:
    """How many reminders the players should have had by now of a match that can be played since and until then."""
    due = sum(now >= since + (until - since) * share for share in SHARES)
    return 3 if now >= until - LAST and until - since > 2 * LAST else due


def remind(pairing_id: int, now: datetime) -> bool:
    """Remind the players of one match, once for each of its moments; whether one of them has come."""
    pairing = _unplayed().filter(pk=pairing_id).first()
    until = moment_of(pairing) if pairing is not None else None
    if pairing is None or pairing.opened_at is None or until is None:
        return False
    due = reminders_due(pairing.opened_at, until, now)
    is_due = Pairing.objects.filter(pk=pairing_id, reminded__lt=due).update(reminded=due) > 0
    if is_due:
        notifications.remind(pairing, due)
    return is_due


def timed(now: datetime) -> list[int]:
    """Tournaments in which something begins or ends by the clock: arenas whose time may be up, rounds and matches that
    are to be opened by date."""
    return [*_arenas(now), *_dated(now)]


def _dated(now: datetime) -> list[int]:
    by_date = Q(round__stage__plan_json__by_date=True, round__stage__status=Stage.Status.RUNNING)
    own = Q(starts_at__lte=now, opened_at=None, status=Pairing.Status.READY)
    of_round = Q(round__status=Round.Status.DRAWN, round__starts_at__lte=now)
    running = by_date & Q(round__stage__tournament__status=Tournament.Status.RUNNING)
    due = Pairing.objects.filter(running & (own | of_round)).order_by()
    return list(due.values_list("round__stage__tournament_id", flat=True).distinct()[:AT_ONCE])


def _arenas(now: datetime) -> list[int]:
    running = Stage.objects.filter(status=Stage.Status.RUNNING, plan_json__format="arena").select_related("tournament")
    return [
        stage.tournament_id
        for stage in running
        if stage.started_at and now >= stage.started_at + timedelta(minutes=Plan.read(stage.plan_json).minutes)
    ]


def _unplayed() -> QuerySet[Pairing]:
    """Matches that could be played, and of which nothing was reported."""
    ready = Pairing.objects.filter(Q(status=Pairing.Status.READY) | Q(status=Pairing.Status.PLAYING), result=None)
    running = ready.filter(round__stage__tournament__status=Tournament.Status.RUNNING)
    return running.select_related("round__stage__tournament", "table")


def _until(**how: datetime) -> Q:
    """Of a match: that the moment until which it is to be played compares so; its own, or else its round's."""
    own = Q(**{f"deadline_at__{name}": at for name, at in how.items()})
    of_round = Q(**{f"round__deadline_at__{name}": at for name, at in how.items()})
    return own | (Q(deadline_at=None) & of_round)


def _advance(tournament_id: int, now: datetime) -> bool:
    progress.advance(tournament_id, now)
    return True


def _each(ids: Iterable[int], act: Callable[[int], bool]) -> None:
    """Do something for each, until enough was done for one sweep.

    What fails is logged, and stops nothing else; nor does what cannot be done count, so that it keeps nobody waiting.
    """
    done = 0
    for one in ids:
        if done == AT_ONCE:
            break
        try:
            done += act(one)
        except Refused:
            continue
        except Exception:
            log.exception("Something due could not be done for %s.", one)
