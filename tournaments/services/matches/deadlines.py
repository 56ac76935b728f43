"""Deadlines: unanswered results, no-shows, reminders, and lost tasks."""

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
"""Shares of a match’s time after which its players are reminded. A last reminder comes two hours before the end."""
LAST = timedelta(hours=2)
AT_ONCE = 200
"""Items of each kind in one sweep. The next sweep does the rest."""


def sweep(now: datetime | None = None) -> None:
    """Do everything that is due. Running it twice or concurrently does no harm."""
    now = now or timezone.now()
    _each(results.unanswered(now), lambda result_id: results.confirm_unanswered(result_id, now))
    _each(finished_tables(), lambda table_id: results.record_table_result(table_id, now))
    _each(no_shows(now), lambda pairing_id: no_show(pairing_id, now))
    _each(to_remind(now), lambda pairing_id: remind(pairing_id, now))
    _each([*progress.due_tournaments(now), *timed(now)], lambda tournament_id: _advance(tournament_id, now))


def finished_tables() -> list[int]:
    """Finished tables of matches whose result is not recorded yet."""
    over = Pairing.objects.filter(table__status__in=(Table.Status.OVER, Table.Status.ABANDONED), result=None)
    waits = over.exclude(status=Pairing.Status.DISPUTED).order_by("pk")
    return [pk for pk in waits.values_list("table_id", flat=True) if pk is not None]


def no_shows(now: datetime) -> list[int]:
    """Matches without any result at their deadline, in events that decide these."""
    overdue = _unplayed().filter(_until(lte=now), round__stage__tournament__no_show=Tournament.NoShow.WALKOVER)
    untouched = overdue.filter(Q(table=None) | Q(table__move_count=0), begun_at=None)
    return list(untouched.order_by("pk").values_list("pk", flat=True))


def no_show(pairing_id: int, now: datetime) -> bool:
    """Decide a match that nobody started in time. Returns whether it was decided.

    At an online table the side to act loses, otherwise all sides do.
    """
    pairing = _unplayed().filter(_until(lte=now), pk=pairing_id).first()
    if pairing is None or has_begun(pairing) or _was_undone(pairing):
        return False
    places = list(pairing.places.all())
    if pairing.table is not None and pairing.table.seat_to_act is not None:
        sides = seating.sides_of(places)
        late_side = sides[pairing.table.seat_to_act % len(sides)]
        places = [place for place in places if place.side == late_side]
    entries = [place.entry_id for place in places if place.entry_id]
    results.walkover(pairing_id, entries, by=None, reason=gettext("Nobody played by the deadline."), now=now)
    return True


def _was_undone(pairing: Pairing) -> bool:
    """Whether an organiser has undone the no-show decision. Only a later deadline decides again."""
    acts = Act.objects.filter(tournament=pairing.tournament_id, kind="walkover", by=None, undone_by__isnull=False)
    since = acts.filter(at__gte=moment_of(pairing)).values_list("changes", flat=True)
    return any(change["model"] == "pairing" and change["pk"] == pairing.pk for changes in since for change in changes)


def to_remind(now: datetime) -> list[int]:
    """Matches with a reminder due, nearest deadline first."""
    soon = _unplayed().filter(_until(gt=now), opened_at__isnull=False, reminded__lt=3)
    rows = soon.annotate(until=Coalesce("deadline_at", "round__deadline_at")).order_by("until", "pk")
    times = rows.values_list("pk", "opened_at", "until", "reminded")
    return [pk for pk, since, until, reminded in times if since and reminders_due(since, until, now) > reminded]


def reminders_due(since: datetime, until: datetime, now: datetime) -> int:
    """Number of reminders due by now for a match between these two moments."""
    due = sum(now >= since + (until - since) * share for share in SHARES)
    return 3 if now >= until - LAST and until - since > 2 * LAST else due


def remind(pairing_id: int, now: datetime) -> bool:
    """Remind the players of a match, once for each reminder. Returns whether one was due."""
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
    """Tournaments with a timed change: arenas that may end, rounds and matches to open by date."""
    return [*_arenas(now), *_dated(now)]


def _dated(now: datetime) -> list[int]:
    by_date = Q(round__stage__plan_json__by_date=True, round__stage__status=Stage.Status.RUNNING)
    by_match = Q(starts_at__lte=now, opened_at=None, status=Pairing.Status.READY)
    of_round = Q(round__status=Round.Status.DRAWN, round__starts_at__lte=now)
    running = by_date & Q(round__stage__tournament__status=Tournament.Status.RUNNING)
    due = Pairing.objects.filter(running & (by_match | of_round)).order_by()
    return list(due.values_list("round__stage__tournament_id", flat=True).distinct()[:AT_ONCE])


def _arenas(now: datetime) -> list[int]:
    running = Stage.objects.filter(status=Stage.Status.RUNNING, plan_json__format="arena").select_related("tournament")
    return [
        stage.tournament_id
        for stage in running
        if stage.started_at and now >= stage.started_at + timedelta(minutes=Plan.read(stage.plan_json).minutes)
    ]


def _unplayed() -> QuerySet[Pairing]:
    """Playable matches without a result."""
    ready = Pairing.objects.filter(Q(status=Pairing.Status.READY) | Q(status=Pairing.Status.PLAYING), result=None)
    running = ready.filter(round__stage__tournament__status=Tournament.Status.RUNNING)
    return running.select_related("round__stage__tournament", "table")


def _until(**how: datetime) -> Q:
    """Filter on the deadline of a match: its own, otherwise its round’s."""
    by_match = Q(**{f"deadline_at__{name}": at for name, at in how.items()})
    of_round = Q(**{f"round__deadline_at__{name}": at for name, at in how.items()})
    return by_match | (Q(deadline_at=None) & of_round)


def _advance(tournament_id: int, now: datetime) -> bool:
    progress.advance(tournament_id, now)
    return True


def _each(ids: Iterable[int], act: Callable[[int], bool]) -> None:
    """Call `act` for each id, until enough was done for one sweep.

    Failures are logged and do not stop the others. Refused ones do not count, so that they block nobody.
    """
    count = 0
    for pk in ids:
        if count == AT_ONCE:
            break
        try:
            count += act(pk)
        except Refused:
            continue
        except Exception:
            log.exception("Something due could not be done for %s.", pk)
