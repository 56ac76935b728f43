"""Actions: decisions about a tournament, each one transaction, saved with its changes so that it can be undone.

Only decisions are saved (a result, a withdrawal, the start of a round, a pairing by hand). Everything that follows
(pairings, entries that go through) is worked out again by `stages.progress.advance` after each action. So undoing
sets the decisions back and works everything out again, and a preview is the action itself, rolled back.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Unpack

from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext

from accounts.budgets import HEAVY, spend
from accounts.models import User
from acts.declaring import Acts
from acts.history import Actor
from acts.kinds import Again, Itself, Kind
from tournaments import access, live_updates, worker_signals
from tournaments.duplicate import fixed_boards
from tournaments.models import Act, Pairing, Round, Stage, StageEntry, Tournament
from tournaments.roles import ACTS, ROLES
from tournaments.services.matches import online_tables
from tournaments.services.records import ActionRequest, Do, Record
from tournaments.services.stages import progress
from tournaments.services.undo_checks import ready
from web.database.rows import row_from_values
from web.errors import Refused


class History(Acts[Tournament, Act, Record]):
    """History of events."""

    app, home, act_model, record, rights = "tournaments", "tournament", Act, Record, ACTS

    def lock(self, home_id: int) -> Tournament:
        return Tournament.objects.locked(home_id)

    def check(self, by: User, home: Tournament, right: str) -> None:
        access.check(by, home, right)

    def settle(self, record: Record, *, advance: bool = True, strict: bool = False, **how: Any) -> None:
        tournament = record.tournament
        if advance:
            progress.advance_locked(tournament, record.now, strict=strict)
        else:
            tournament.look_at = record.now
            worker_signals.advance_after_commit(tournament.pk)
        tournament.bump()
        tournament.save_progress()
        live_updates.tell(tournament)
        if tournament.has_begun:
            worker_signals.ratings_after_commit(tournament.pk)

    def set_back(self, record: Record, change: dict[str, Any]) -> None:
        if change["is"] == "rounds":
            _set_back_rounds(record, change["pk"], change["was"])
            return
        row = apps.get_model("tournaments", change["model"])._default_manager.filter(pk=change["pk"]).first()
        super().set_back(record, change if row is None else ready(record, row, change))

    def cannot_undo(self) -> Refused:
        return Refused("nothing_to_undo", gettext("This is the result of other changes. Undo those instead."))

    def undone_words(self, act: Act) -> str:
        is_again = False
        while act.undoes is not None:
            act, is_again = act.undoes, not is_again
        return f"{'Done again' if is_again else 'Undone'}: {act.sentence}"


history = History()
act, declare, rolled_back = history.act, history.declare, history.rolled_back
UNDO = declare("undo", needs=Itself("The act that is undone says who may."), undo=Again())


def perform(
    tournament_id: int,
    do: Do,
    kind: Kind,
    *,
    by: User | None,
    advance: bool = True,
    strict: bool = False,
    **how: Unpack[ActionRequest],
) -> Act:
    """Perform one action of an event and everything that follows.

    With `advance` it follows at once, otherwise the worker is woken for it. With `strict` the action is refused if a
    draw that follows fails; otherwise the stage shows the problem. Raises what `do` raises.
    """
    return history.perform(tournament_id, do, kind, Actor(by, **how), advance=advance, strict=strict)


def note(
    tournament: Tournament,
    kind: Kind,
    sentence: str,
    *,
    by: User | None = None,
    reason: str = "",
    request_key: str | None = None,
    now: datetime | None = None,
) -> Act:
    """Add a history line for an automatic change."""
    record = Record(tournament, by, now or timezone.now())
    return history.note(record, kind, sentence, reason=reason, request_key=request_key)


def try_out(
    tournament_id: int, do: Do, kind: Kind, snapshot: Callable[[Tournament], Any], *, by: User | None
) -> tuple[Any, Any]:
    """Snapshots before an action and after everything that follows, without performing it. Raises what `do` raises."""
    if by is not None:
        spend(HEAVY, by)
    with rolled_back(tournament_id) as tournament:
        before = snapshot(tournament)
        record = history.recorded(tournament, kind, Actor(by))
        history.note(record, kind, history.run(record, do, kind))
        history.settle(record)
        return before, snapshot(tournament)


def undo(act_id: int, *, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Undo an action. Raises `Refused` if a later action has changed the same rows.

    The person who did it can undo it while they still have the right. Other actions need the right `undo`.
    """
    act = Act.objects.get(pk=act_id)
    do = history.undoing(act, by, within=how.get("within"))

    def do_with_boards(record: Record) -> str:
        with fixed_boards.keep(record.tournament):
            return do(record)

    changes_plans = any(change["model"] in ("tournament", "stage") for change in act.changes)
    return perform(act.tournament_id, do_with_boards if changes_plans else do, UNDO, by=by, **how)


def may_undo(player: User | AnonymousUser, act: Act, role: str) -> bool:
    """Whether an organiser in this role can undo it; undoing itself checks again."""
    return history.may_be_undone(act, may=ROLES.get(role, ()), is_own=act.by_id == player.pk)


def _set_back_rounds(record: Record, stage_id: int, was: dict[str, Any]) -> None:
    """Restore the saved rounds of a stage. A match stopped halfway must be replayed."""
    stage = Stage.objects.filter(pk=stage_id).first()
    if stage is None:
        raise Refused("changed_since", gettext("The stage no longer exists. Undo its removal first."))
    record.keep_rounds(stage, was["first"])
    now_there = Round.objects.filter(stage=stage, number__gte=was["first"])
    for pairing in Pairing.objects.filter(round__in=now_there, table__isnull=False):
        online_tables.stop_table(pairing, record.now, gettext("The new draw was undone."))
    now_there.delete()
    if was["first"] == 1:
        StageEntry.objects.filter(stage=stage).delete()
    Stage.objects.filter(pk=stage.pk).update(status=was["status"])
    for saved in was["rows"]:
        row = row_from_values(apps.get_model("tournaments", saved["model"]), saved["fields"])
        if isinstance(row, Pairing) and row.result_id is None:
            row.table_id = row.begun_at = row.opened_at = None
        row.save(force_insert=True)
