"""Acts: what people decide about a tournament, each one transaction, kept with what it changed, and undone by that.

Only decisions are kept (a result, a withdrawal, a go for a round, a pairing by hand). What follows from them (who plays
whom next, who goes on) is worked out again by `tournaments.services.rounds.advance` after each act; so to undo an act
is to set its decisions back and work everything out again, and a preview is the act itself, rolled back.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from django.apps import apps
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from tournaments import access, news
from tournaments.models import Act, Pairing, Place, Result, Round, SitOut, Stage, StageEntry, Tournament
from tournaments.services import matches, ratings
from tournaments.services.undoing import ready
from web.errors import NotAllowed, Refused, Stale
from web.recording import Recording, Row, thrown_away, unwritten, written

if TYPE_CHECKING:
    from tournaments.services.acts import How


class Record(Recording):
    """What one act changes in a tournament, and who asked for it."""

    def __init__(self, tournament: Tournament, by: User | None, now: datetime) -> None:
        super().__init__()
        self.tournament, self.by, self.now = tournament, by, now
        self.undoes: Act | None = None

    def keep_rounds(self, stage: Stage, first: int) -> None:
        """Note the rounds of a stage from one on, as they are, before they are worked out anew; undoing brings them
        back whole. From the first round on, the stage's entries are kept with them."""
        if any(
            each["is"] == "rounds" and each["pk"] == stage.pk and each["was"]["first"] <= first for each in self.changes
        ):
            return
        rounds = Round.objects.filter(stage=stage, number__gte=first)
        kept: list[Iterable[Row]] = [rounds, SitOut.objects.filter(round__in=rounds)]
        pairings = Pairing.objects.filter(round__in=rounds)
        kept += [pairings, Place.objects.filter(pairing__in=pairings), Result.objects.filter(pairing__in=pairings)]
        if first == 1:
            kept.insert(0, StageEntry.objects.filter(stage=stage))
        rows = [{"model": row._meta.model_name, "fields": written(row)} for group in kept for row in group]
        was = {"first": first, "status": stage.status, "rows": rows}
        self.changes.append({"model": "stage", "pk": stage.pk, "was": was, "is": "rounds"})

    def hold(self, row: Row, *names: str, **back: Any) -> None:
        """Note fields that must still be as they are for the act to be undone; `back` is what undoing sets besides."""
        held = written(row, names)
        self.changes.append({"model": row._meta.model_name, "pk": row.pk, "was": held | back, "is": held})


Do = Callable[[Record], str]
"""An act: changes rows through the record and says in a sentence what was done."""


def perform(
    tournament_id: int,
    do: Do,
    *,
    kind: str,
    by: User | None,
    reason: str = "",
    request_key: str | None = None,
    seen: int | None = None,
    advance: bool = True,
    strict: bool = False,
    now: datetime | None = None,
) -> Act:
    """Do one act in one transaction under the tournament's lock, keep it, and let what follows from it follow.

    An act whose `request_key` is known is not done again. `seen` is the version that the page showed: where the
    tournament has moved on since, `Stale` is raised; leave it out where that does not matter. With `advance`, what
    follows is worked out at once; else the worker is woken for it. With `strict` the act is refused where a draw that
    follows from it cannot be made; else the stage says so. Raises what `do` raises.
    """
    with transaction.atomic():
        tournament = Tournament.objects.locked(tournament_id)
        if request_key and (done := Act.objects.filter(tournament=tournament, request_key=request_key).first()):
            return done
        if seen is not None and seen != tournament.version:
            raise Stale(
                "stale",
                gettext("Something changed since you opened this page: look again."),
                version=tournament.version,
            )
        about = {"kind": kind, "by": by, "reason": reason, "request_key": request_key}
        return _perform(tournament, do, about, now or timezone.now(), advance=advance, strict=strict)


def _perform(
    tournament: Tournament, do: Do, about: dict[str, Any], now: datetime, *, advance: bool = True, strict: bool = False
) -> Act:
    from tournaments.services import rounds  # which keeps acts by the functions of this module

    record = Record(tournament, about["by"], now)
    sentence = do(record)
    act = note(tournament, sentence=sentence, changes=record.changes, undoes=record.undoes, now=now, **about)
    if advance:
        rounds.advance_locked(tournament, now, strict=strict)
    else:
        tournament.look_at = now
        wake_after_commit(tournament.pk)
    tournament.bump()
    tournament.save_progress()
    news.tell(tournament)
    if tournament.has_begun:
        ratings.wake_after_commit(tournament.pk)
    return act


def note(
    tournament: Tournament,
    kind: str,
    sentence: str,
    *,
    by: User | None = None,
    reason: str = "",
    request_key: str | None = None,
    changes: list[dict[str, Any]] | None = None,
    undoes: Act | None = None,
    now: datetime | None = None,
) -> Act:
    """Write a line of the history; also for what the site did by itself, which has no changes of its own."""
    return Act.objects.create(
        tournament=tournament,
        at=now or timezone.now(),
        by=by,
        name=str(by)[:60] if by else "",
        kind=kind,
        sentence=sentence[:300],
        reason=reason[:200],
        changes=changes or [],
        undoes=undoes,
        request_key=request_key,
    )


def wake_after_commit(tournament_id: int) -> None:
    """Queue the advancing once the transaction is in; if the broker is down, the sweeper finds `look_at`."""
    from tournaments import tasks

    transaction.on_commit(partial(tasks.wake, tournament_id))


@contextlib.contextmanager
def rolled_back(tournament_id: int) -> Iterator[Tournament]:
    """A transaction under the tournament's lock whose changes are thrown away at its end."""
    with thrown_away():
        yield Tournament.objects.locked(tournament_id)


def try_out(
    tournament_id: int, do: Do, look: Callable[[Tournament], Any], *, now: datetime | None = None
) -> tuple[Any, Any]:
    """What `look` sees before an act and after it and all that follows, without doing it. Raises what `do` raises."""
    with rolled_back(tournament_id) as tournament:
        before = look(tournament)
        about = {"kind": "preview", "by": None, "reason": "", "request_key": None}
        _perform(tournament, do, about, now or timezone.now())
        return before, look(tournament)


def undo(act_id: int, *, by: User, **how: Unpack[How]) -> Act:
    """Set back what an act decided. Raises `Refused` where a later act has changed the same thing.

    Who did it may undo it, while they may still do such a thing; of others only who may `undo`.
    """
    act = Act.objects.get(pk=act_id)
    return perform(act.tournament_id, undoing(act, by), kind="undo", by=by, **how)


def undoing(act: Act, by: User) -> Do:
    """The act of undoing another."""

    def do(record: Record) -> str:
        if not access.may_undo_as(by, access.role_of(by, record.tournament), act) and act.changes:
            raise NotAllowed("not_your_part", gettext("Only who may do such a thing may undo it."))
        if Act.objects.filter(undoes=act).exists():
            raise Refused("undone", gettext("This was undone already."))
        if not act.changes:
            raise Refused("nothing_to_undo", gettext("This follows from other acts: undo those."))
        record.undoes = act
        for change in reversed(act.changes):
            _set_back(record, change)
        return _undone_words(act)

    return do


def _undone_words(act: Act) -> str:
    """`Undone: …` for an act, and `Done again: …` for the undoing of one."""
    is_again = False
    while act.undoes is not None:
        act, is_again = act.undoes, not is_again
    return f"{'Done again' if is_again else 'Undone'}: {act.sentence}"


def _set_back(record: Record, change: dict[str, Any]) -> None:
    if change["is"] == "rounds":
        _set_back_rounds(record, change["pk"], change["was"])
        return
    row = apps.get_model("tournaments", change["model"])._default_manager.filter(pk=change["pk"]).first()
    if row is not None:
        change = ready(record, row, change)
    record.set_back("tournaments", change, locked=record.tournament)


def _set_back_rounds(record: Record, stage_id: int, was: dict[str, Any]) -> None:
    """Bring the rounds of a stage back as they were kept. A match that was stopped in its middle is to be played."""
    stage = Stage.objects.filter(pk=stage_id).first()
    if stage is None:
        raise Refused("changed_since", gettext("The stage is not there any more: undo its removal first."))
    record.keep_rounds(stage, was["first"])
    now_there = Round.objects.filter(stage=stage, number__gte=was["first"])
    for pairing in Pairing.objects.filter(round__in=now_there, table__isnull=False):
        matches.call_off(pairing, record.now, gettext("The new draw was undone."))
    now_there.delete()
    if was["first"] == 1:
        StageEntry.objects.filter(stage=stage).delete()
    Stage.objects.filter(pk=stage.pk).update(status=was["status"])
    for kept in was["rows"]:
        row = unwritten(apps.get_model("tournaments", kept["model"]), kept["fields"])
        if isinstance(row, Pairing) and row.result_id is None:
            row.table_id = row.begun_at = row.opened_at = None
        row.save(force_insert=True)
