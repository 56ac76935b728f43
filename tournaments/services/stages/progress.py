"""Advancing: everything that follows from what was decided, worked out again as often as one likes.

`advance` is what the task, the sweeper and every act call. It draws rounds, opens them, lets walkovers be, closes
rounds and stages, and fills the next stage. It changes nothing where there is nothing to do, and keeps what has begun.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, gettext

from accounts.languages import language_of
from engine.compete.records import CannotPair
from tournaments import expected_rounds, live_updates
from tournaments.models import Pairing, Round, Stage, Tournament
from tournaments.plan import DRAWN_BY_ROUND, KNOWN_BEFOREHAND
from tournaments.services import notifications
from tournaments.services.matches import boards, online_tables, scores
from tournaments.services.stages import arena_calls, round_sync, stage_entries
from tournaments.stage_state import RoundState, StageState, TableState, has_begun, load
from web.database.compiled_queries import Prepared
from web.errors import Refused

MOST_STEPS = 200
"""More steps than any tournament takes at once; a guard against going round in circles."""


def advance(tournament_id: int, now: datetime | None = None) -> bool:
    """Work out what follows from what is decided; whether anything changed. For the task and the sweeper."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
        if tournament is None:
            return False
        tournament.look_at = None
        changed = advance_locked(tournament, now or timezone.now())
        if changed:
            tournament.bump()
        tournament.save_progress()
        if changed:
            live_updates.tell(tournament)
        return changed


def waiting(now: datetime | None = None) -> list[int]:
    """Ids of tournaments at which somebody should look: a task was lost, or an arena goes on."""
    looked = Tournament.objects.filter(look_at__lte=now or timezone.now()).order_by("look_at")
    return list(looked.values_list("pk", flat=True))


def advance_locked(tournament: Tournament, now: datetime, *, strict: bool = False) -> bool:
    """The same for a tournament that is locked; the caller saves it. `strict` raises `Refused` where a draw fails."""
    if not tournament.has_begun:
        return stage_entries.take_down(tournament, now)
    changed = False
    for _ in range(MOST_STEPS):
        if not _step(tournament, now, strict=strict):
            break
        changed = True
    return _finish(tournament, now) or changed


_STAGES = Prepared(lambda event: Stage.objects.filter(tournament=event).order_by("number"), int)


def _step(tournament: Tournament, now: datetime, *, strict: bool) -> bool:
    before: Stage | None = None
    for stage in _STAGES(tournament.pk):
        stage.tournament = tournament
        try:
            with transaction.atomic():
                changed = _advance_stage(stage, before, now)
            trouble = ""
        except CannotPair as error:
            if strict:
                raise Refused("cannot_pair", error.sentence) from None
            stage.refresh_from_db()
            changed, trouble = False, _told_to_its_maker(stage, before, now) or error.sentence
        if stage.trouble != trouble[:300]:
            Stage.objects.filter(pk=stage.pk).update(trouble=trouble[:300])
            if trouble:
                notifications.trouble(stage, trouble)
        if changed:
            return True
        before = stage
    return False


def _told_to_its_maker(stage: Stage, before: Stage | None, now: datetime) -> str:
    """Why a stage cannot go on, in the language of who made the event, whoever's act led there: the sentence is stored, and
    would else be another each time. Empty where that is the active language."""
    maker = stage.tournament.created_by
    if maker is None or maker.language == get_language():
        return ""
    try:
        with language_of(maker), transaction.atomic():
            _advance_stage(stage, before, now)
            raise CannotPair("")
    except CannotPair as error:
        stage.refresh_from_db()
        return error.sentence


def _advance_stage(stage: Stage, before: Stage | None, now: datetime) -> bool:
    """One step of a stage; whether there was one to take. Raises `CannotPair`."""
    if stage_entries.fill(stage, before, now):
        return True
    if stage.status == Stage.Status.WAITING:
        return False
    state = load(stage)
    return (
        scores.settle(state, now)
        or _draw(state, now)
        or _walkovers(state, now)
        or arena_calls.seat(state, now)
        or _open(state, now)
        or _close(state, now)
        or stage_entries.close(state, now)
        or online_tables.reseat(stage, now)
        or boards.unseal_finished(stage, now)
    )


# Drawing


def _draw(state: StageState, now: datetime) -> bool:
    plan = state.plan
    if plan.is_bracket:
        followed = [round_sync.follow(state, wanted, now) for wanted in expected_rounds.bracket_rounds(state)]
        return any(followed)
    if plan.format in KNOWN_BEFOREHAND:
        if state.rounds and any(one.row.is_fixed or one.has_begun for one in state.rounds):
            return False
        wanted = expected_rounds.first_rounds(state)
        followed = [round_sync.follow(state, one, now) for one in wanted]
        changed = any(followed)
        for spare in state.rounds[len(wanted) :]:
            round_sync.remove_round(spare, now)
            changed = True
        return changed
    if plan.format in DRAWN_BY_ROUND:
        return _draw_by_round(state, now)
    return not state.rounds and round_sync.follow(state, expected_rounds.first_rounds(state)[0], now)


def _draw_by_round(state: StageState, now: datetime) -> bool:
    """Draw the next round when the one before is in; draw a round anew, or take it back, when that was changed."""
    for number in range(1, (expected_rounds.round_count(state) or 0) + 1):
        have, last = state.round(number), state.round(number - 1)
        is_ready = number == 1 or (last is not None and last.is_complete)
        if have is None:
            if is_ready and not may_open(state, number):
                notifications.round_waits(state.stage, number)
            if not is_ready or not may_open(state, number):
                return False
            return round_sync.follow(state, expected_rounds.next_round(state, number), now)
        if not may_open(state, number) and not _any_begun(have):
            round_sync.remove_round(have, now)
            return True
        if have.has_begun or have.row.is_fixed:
            continue
        if not is_ready:
            round_sync.remove_round(have, now)
            return True
        if expected_rounds.digest(state, number) != have.row.drawn_from:
            return round_sync.follow(state, expected_rounds.next_round(state, number), now)
    return False


def may_open(state: StageState, number: int) -> bool:
    """Whether a round may be drawn and opened, as far as the organisers' go is concerned."""
    return not state.plan.waits_for_go or number <= state.stage.go_round


# Walkovers


def _walkovers(state: StageState, now: datetime) -> bool:
    """Matches of entries that have left are decided without being played, and no longer where they are back."""
    changed = False
    for one in state.rounds:
        for table in one.tables:
            if (
                not table.has_begun
                and len(table.known) == len(table.places)
                and table.row.status != Pairing.Status.IDLE
            ):
                changed |= _walkover(state, one, table, now)
    return changed


def _walkover(state: StageState, one: RoundState, table: TableState, now: datetime) -> bool:
    gone = expected_rounds.left_from(state, one, table)
    if not gone:
        if table.row.is_walkover:
            scores.clear(table)
            return True
        return False
    if table.row.is_walkover:
        return False
    sides = {place.side for at, place in zip(table.entries, table.places, strict=True) if at not in gone}
    if len(sides) >= max(2, state.plan.least if len(table.places) > 2 else 2) and not state.plan.has_partners:
        round_sync.drop_places(one, table, gone, now)
        return True
    online_tables.call_off(table.row, now, gettext("The match is decided by walkover."))
    scores.walk_over(state, table, gone, now)
    return True


# Opening and closing


def _open(state: StageState, now: datetime) -> bool:
    changed = False
    for one in state.rounds:
        if one.row.status == Round.Status.OPEN and not may_open(state, one.row.number) and not _any_begun(one):
            _let_wait(state, one, now)
            changed = True
        if one.row.status == Round.Status.DRAWN and _is_next(state, one, now) and may_open(state, one.row.number):
            one.row.status, one.row.opened_at = Round.Status.OPEN, now
            if state.plan.round_hours and one.row.deadline_at is None:
                one.row.deadline_at = now + timedelta(hours=state.plan.round_hours)
            one.row.save(update_fields=["status", "opened_at", "deadline_at"])
            changed = True
        due = [table for table in one.tables if _is_due(state, one, table, now)]
        called = [_open_table(state, table, now) for table in due]
        changed |= any(called)
    return changed


def _let_wait(state: StageState, one: RoundState, now: datetime) -> None:
    """Let a round wait again whose go was taken back: whoever was called to a table is told."""
    hours = timedelta(hours=state.plan.round_hours)
    for table in one.tables:
        table.row.deadline_at = _own_deadline(table.row, hours)
        online_tables.call_off(table.row, now, gettext("The round is waiting for an organiser again."))
        table.row.opened_at = None
        table.row.save(update_fields=["opened_at", "deadline_at"])
    one.row.deadline_at, one.row.opened_at = _own_deadline(one.row, hours), None
    one.row.status = Round.Status.DRAWN
    one.row.save(update_fields=["status", "opened_at", "deadline_at"])


def _own_deadline(row: Round | Pairing, hours: timedelta) -> datetime | None:
    """The deadline that an organiser has set; nothing where it follows from the moment of opening."""
    follows = row.opened_at is not None and row.deadline_at == row.opened_at + hours
    return None if follows else row.deadline_at


def _any_begun(one: RoundState) -> bool:
    """Whether anything was played; people who only sit at a venue's tables are told by the organiser."""
    return any(has_begun(table.row) for table in one.tables)


def _is_due(state: StageState, one: RoundState, table: TableState, now: datetime) -> bool:
    """Whether a table may be called: with its round; by date also at a time of its own, and online not before that."""
    is_open, at = one.row.status == Round.Status.OPEN, table.row.starts_at
    if not state.plan.by_date or at is None:
        return is_open
    return at <= now or (is_open and not table.row.is_online)


def _is_next(state: StageState, one: RoundState, now: datetime) -> bool:
    """Whether everything before a round is done, or need not be."""
    if state.plan.by_date:
        return one.row.starts_at is not None and one.row.starts_at <= now
    if state.plan.is_bracket:
        return any(table.row.status == Pairing.Status.READY for table in one.tables)
    if state.plan.all_at_once:
        return True
    return all(each.row.status == Round.Status.CLOSED for each in state.rounds if each.row.number < one.row.number)


def _open_table(state: StageState, table: TableState, now: datetime) -> bool:
    """Call the players of a table that can be played."""
    pairing = table.row
    if pairing.opened_at is not None or pairing.status != Pairing.Status.READY:
        return False
    pairing.opened_at = now
    fields = ["opened_at"]
    if state.plan.is_bracket and state.plan.round_hours and pairing.deadline_at is None:
        pairing.deadline_at = now + timedelta(hours=state.plan.round_hours)
        fields.append("deadline_at")
    pairing.save(update_fields=fields)
    if pairing.is_online:
        online_tables.open_online(pairing, now)
    notifications.match_ready(pairing)
    return True


def _close(state: StageState, now: datetime) -> bool:
    changed = False
    for one in state.rounds:
        is_over = one.is_complete and state.plan.format not in ("ladder", "arena")
        if (one.row.status == Round.Status.OPEN and is_over) or (
            one.row.status == Round.Status.DRAWN and is_over and _is_settled(state, one)
        ):
            one.row.status, one.row.closed_at = Round.Status.CLOSED, now
        elif one.row.status == Round.Status.CLOSED and not is_over:
            one.row.status, one.row.closed_at = Round.Status.OPEN, None
        elif (one.row.status == Round.Status.OPEN and state.plan.is_bracket and _waits(one)) or (
            one.row.status == Round.Status.CLOSED and one.row.opened_at is None and not _is_settled(state, one)
        ):
            one.row.status, one.row.closed_at = Round.Status.DRAWN, None
        else:
            continue
        one.row.save(update_fields=["status", "closed_at"])
        changed = True
    return changed


def _waits(one: RoundState) -> bool:
    """Whether every match of a bracket's round waits for earlier ones."""
    return all(table.row.status in (Pairing.Status.WAITS, Pairing.Status.IDLE) for table in one.tables)


def _is_settled(state: StageState, one: RoundState) -> bool:
    """Whether a round that was never opened is over: only byes and walkovers, or a decider that was not needed."""
    before = [each for each in state.rounds if each.row.number < one.row.number]
    return bool(one.tables or one.sit_outs) and all(each.row.status == Round.Status.CLOSED for each in before)


def _finish(tournament: Tournament, now: datetime) -> bool:
    """A tournament is over when its stages are, and goes on again when a correction opens one."""
    is_over = not Stage.objects.filter(tournament=tournament).exclude(status=Stage.Status.OVER).exists()
    if is_over and tournament.status == Tournament.Status.RUNNING:
        tournament.status, tournament.ended_at = Tournament.Status.OVER, now
        notifications.over(tournament)
        return True
    if not is_over and tournament.status == Tournament.Status.OVER:
        tournament.status, tournament.ended_at = Tournament.Status.RUNNING, None
        return True
    return False
