"""Everything that follows from decisions, worked out again as often as needed.

The task, the sweeper and every action call `advance`. It draws and opens rounds, decides walkovers, closes rounds
and stages, and fills the next stage. It changes nothing if there is nothing to do, and keeps started matches.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language, gettext

from accounts.languages import language_of
from engine.compete.records import CannotPair
from tournaments import cuts, expected_rounds, followers, live_updates, terms, ties
from tournaments.models import Pairing, Round, Stage, Tournament
from tournaments.plan import DRAWN_BY_ROUND, KNOWN_BEFOREHAND
from tournaments.services import notifications
from tournaments.services.matches import boards, online_tables, scores
from tournaments.services.stages import arena_calls, round_sync, stage_entries
from tournaments.stage_state import RoundState, StageState, TableState, has_begun, load
from web.database.compiled_queries import Prepared
from web.errors import Refused

MOST_STEPS = 200
"""More steps than any tournament takes at once, as a guard against endless loops."""


def advance(tournament_id: int, now: datetime | None = None) -> bool:
    """Work out everything that follows from decisions, for the task and the sweeper; whether anything changed."""
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


def due_tournaments(now: datetime | None = None) -> list[int]:
    """Ids of tournaments to advance, because a task was lost or an arena is under way."""
    looked = Tournament.objects.filter(look_at__lte=now or timezone.now()).order_by("look_at")
    return list(looked.values_list("pk", flat=True))


def advance_locked(tournament: Tournament, now: datetime, *, strict: bool = False) -> bool:
    """The same for a locked tournament, which the caller saves. `strict` raises `Refused` if a draw fails."""
    if not tournament.has_begun:
        return stage_entries.reset_started_stages(tournament, now)
    changed = False
    for _ in range(MOST_STEPS):
        if not _step(tournament, now, strict=strict):
            break
        changed = True
    changed = _finish(tournament, now) or changed
    if changed:
        followers.tell(tournament, now)
    return changed


_STAGES = Prepared(lambda event: Stage.objects.filter(tournament=event).order_by("number"), int)


def _step(tournament: Tournament, now: datetime, *, strict: bool) -> bool:
    before: Stage | None = None
    stages = list(_STAGES(tournament.pk))
    for stage in stages:
        stage.tournament = tournament
        is_last = stage is stages[-1]
        try:
            with transaction.atomic():
                changed = _advance_stage(stage, before, now, is_last=is_last)
            trouble = ""
        except CannotPair as error:
            if strict:
                raise Refused("cannot_pair", error.sentence) from None
            stage.refresh_from_db()
            changed, trouble = False, _trouble_for_maker(stage, before, now, is_last=is_last) or error.sentence
        if stage.trouble != trouble[:300]:
            Stage.objects.filter(pk=stage.pk).update(trouble=trouble[:300])
            if trouble:
                notifications.trouble(stage, trouble)
        if changed:
            return True
        before = stage
    return False


def _trouble_for_maker(stage: Stage, before: Stage | None, now: datetime, *, is_last: bool) -> str:
    """The trouble of a stage in the language of the event’s creator, for storage; empty if that is active."""
    maker = stage.tournament.created_by
    if maker is None or maker.language == get_language():
        return ""
    try:
        with language_of(maker), transaction.atomic():
            _advance_stage(stage, before, now, is_last=is_last)
            raise CannotPair("")
    except CannotPair as error:
        stage.refresh_from_db()
        return error.sentence


def _advance_stage(stage: Stage, before: Stage | None, now: datetime, *, is_last: bool) -> bool:
    """Take one step of a stage. Returns whether there was one to take.

    Raises `CannotPair`, at the end of the last stage too if a tie for first place is undecided.
    """
    if stage_entries.fill_stage(stage, before, now):
        return True
    if stage.status == Stage.Status.WAITING:
        return False
    state = load(stage)
    if scores.apply_scores(state, now):
        return True
    cannot: CannotPair | None = None
    try:
        changed = _draw(state, now)
    except CannotPair as error:
        if state.plan.format not in DRAWN_BY_ROUND:
            raise
        changed, cannot = False, error  # the round before is closed all the same
    changed = (
        changed
        or boards.make_for_tables(state)
        or _walkovers(state, now)
        or arena_calls.seat(state, now)
        or _open(state, now)
        or _close(state, now)
        or stage_entries.close_stage(state, now)
        or online_tables.reseat(stage, now)
        or boards.unseal_finished(stage, now)
    )
    if not changed and cannot is not None:
        raise cannot
    if is_last and not changed and stage.status == Stage.Status.OVER and (tie := cuts.open_tie(state, None)):
        raise CannotPair(tie.sentence)
    return changed


# Drawing


def _draw(state: StageState, now: datetime) -> bool:
    plan = state.plan
    if plan.is_bracket:
        followed = [round_sync.follow(state, expected, now) for expected in expected_rounds.bracket_rounds(state)]
        return any(followed)
    if plan.format in KNOWN_BEFOREHAND:
        if state.rounds and any(round_.row.is_fixed or round_.has_begun for round_ in state.rounds):
            return False
        rounds = expected_rounds.first_rounds(state)
        followed = [round_sync.follow(state, expected, now) for expected in rounds]
        changed = any(followed)
        for spare in state.rounds[len(rounds) :]:
            round_sync.remove_round(spare, now)
            changed = True
        return changed
    if plan.format in DRAWN_BY_ROUND:
        return _draw_by_round(state, now)
    return not state.rounds and round_sync.follow(state, expected_rounds.first_rounds(state)[0], now)


def _draw_by_round(state: StageState, now: datetime) -> bool:
    """Draw the next round once the one before is complete; redraw or delete a round if that one changed."""
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
            try:
                expected = expected_rounds.next_round(state, number)
            except ties.Undecided:  # a tie that was decided is open again
                round_sync.remove_round(have, now)
                return True
            return round_sync.follow(state, expected, now)
    return False


def may_open(state: StageState, number: int) -> bool:
    """Whether a round may be drawn and opened, as far as the organisers’ start is concerned."""
    return not state.plan.waits_for_go or number <= state.stage.go_round


# Walkovers


def _walkovers(state: StageState, now: datetime) -> bool:
    """Decide matches of entries that have left, and reopen them if the entries are back."""
    changed = False
    for round_ in state.rounds:
        for table in round_.tables:
            if (
                not table.has_begun
                and len(table.known) == len(table.places)
                and table.row.status != Pairing.Status.IDLE
            ):
                changed |= _walkover(state, round_, table, now)
    return changed


def _walkover(state: StageState, round_: RoundState, table: TableState, now: datetime) -> bool:
    gone = expected_rounds.entries_gone(state, round_, table)
    if not gone:
        if table.row.is_walkover:
            scores.clear_scores(table)
            return True
        return False
    if table.row.is_walkover:
        return False
    sides = {place.side for at, place in zip(table.entries, table.places, strict=True) if at not in gone}
    if len(sides) >= max(2, state.plan.least if len(table.places) > 2 else 2) and not state.plan.has_partners:
        round_sync.drop_places(round_, table, gone, now)
        return True
    online_tables.stop_table(table.row, now, gettext("The match is decided by walkover."))
    scores.score_walkover(state, table, gone, now)
    return True


# Opening and closing


def _open(state: StageState, now: datetime) -> bool:
    changed = False
    for round_ in state.rounds:
        row = round_.row
        if row.status == Round.Status.OPEN and not may_open(state, row.number) and not _any_begun(round_):
            _reset_round(state, round_, now)
            changed = True
        if row.status == Round.Status.DRAWN and _is_next(state, round_, now) and may_open(state, row.number):
            row.status, row.opened_at = Round.Status.OPEN, now
            if (time := terms.of_round(row).time) and row.deadline_at is None:
                row.deadline_at = now + time
            row.save(update_fields=["status", "opened_at", "deadline_at"])
            changed = True
        due = [table for table in round_.tables if _is_due(state, round_, table, now)]
        called = [_open_table(state, table, now) for table in due]
        changed |= any(called)
    return changed


def _reset_round(state: StageState, round_: RoundState, now: datetime) -> None:
    """Reset a round whose start was undone. Players already called are told."""
    time = terms.of_round(round_.row).time
    for table in round_.tables:
        table.row.deadline_at = _deadline_by_hand(table.row, time)
        online_tables.stop_table(table.row, now, gettext("The round is waiting for an organiser again."))
        table.row.opened_at = None
        table.row.save(update_fields=["opened_at", "deadline_at"])
    round_.row.deadline_at, round_.row.opened_at = _deadline_by_hand(round_.row, time), None
    round_.row.status = Round.Status.DRAWN
    round_.row.save(update_fields=["status", "opened_at", "deadline_at"])


def _deadline_by_hand(round_or_match: Round | Pairing, time: timedelta) -> datetime | None:
    """The deadline set by an organiser, or `None` if it follows from the opening."""
    follows = round_or_match.opened_at is not None and round_or_match.deadline_at == round_or_match.opened_at + time
    return None if follows else round_or_match.deadline_at


def _any_begun(round_: RoundState) -> bool:
    """Whether anything was played. The organiser tells people who only sit at a venue’s tables."""
    return any(has_begun(table.row) for table in round_.tables)


def _is_due(state: StageState, round_: RoundState, table: TableState, now: datetime) -> bool:
    """Whether a table may be called: with its round, or by date at its own time, online not before that."""
    is_open, at = round_.row.status == Round.Status.OPEN, table.row.starts_at
    if not state.plan.by_date or at is None:
        return is_open
    return at <= now or (is_open and not table.row.is_online)


def _is_next(state: StageState, round_: RoundState, now: datetime) -> bool:
    """Whether everything before a round is done, or does not matter."""
    if state.plan.by_date:
        return round_.row.starts_at is not None and round_.row.starts_at <= now
    if state.plan.is_bracket:
        return any(table.row.status == Pairing.Status.READY for table in round_.tables)
    if state.plan.all_at_once:
        return True
    return all(each.row.status == Round.Status.CLOSED for each in state.rounds if each.row.number < round_.row.number)


def _open_table(state: StageState, table: TableState, now: datetime) -> bool:
    """Call the players of a table that can be played."""
    pairing = table.row
    if pairing.opened_at is not None or pairing.status != Pairing.Status.READY:
        return False
    pairing.opened_at = now
    fields = ["opened_at"]
    if state.plan.is_bracket and pairing.deadline_at is None and (time := terms.of_round(pairing.round).time):
        pairing.deadline_at = now + time
        fields.append("deadline_at")
    pairing.save(update_fields=fields)
    if pairing.is_online:
        online_tables.open_online(pairing, now)
    notifications.match_ready(pairing)
    return True


def _close(state: StageState, now: datetime) -> bool:
    changed = False
    for round_ in state.rounds:
        is_over = round_.is_complete and state.plan.format not in ("ladder", "arena")
        if (round_.row.status == Round.Status.OPEN and is_over) or (
            round_.row.status == Round.Status.DRAWN and is_over and _is_settled(state, round_)
        ):
            round_.row.status, round_.row.closed_at = Round.Status.CLOSED, now
        elif round_.row.status == Round.Status.CLOSED and not is_over:
            round_.row.status, round_.row.closed_at = Round.Status.OPEN, None
        elif (round_.row.status == Round.Status.OPEN and state.plan.is_bracket and _waits(round_)) or (
            round_.row.status == Round.Status.CLOSED and round_.row.opened_at is None and not _is_settled(state, round_)
        ):
            round_.row.status, round_.row.closed_at = Round.Status.DRAWN, None
        else:
            continue
        round_.row.save(update_fields=["status", "closed_at"])
        changed = True
    return changed


def _waits(round_: RoundState) -> bool:
    """Whether every match of a bracket's round waits for earlier ones."""
    return all(table.row.status in (Pairing.Status.WAITS, Pairing.Status.IDLE) for table in round_.tables)


def _is_settled(state: StageState, round_: RoundState) -> bool:
    """Whether a round that was never opened is over: only byes and walkovers, or an unneeded decider."""
    before = [each for each in state.rounds if each.row.number < round_.row.number]
    return bool(round_.tables or round_.sit_outs) and all(each.row.status == Round.Status.CLOSED for each in before)


def _finish(tournament: Tournament, now: datetime) -> bool:
    """End a tournament when its stages are over and a tie for first place is decided; reopen it after a correction."""
    stages = Stage.objects.filter(tournament=tournament)
    is_over = not stages.exclude(status=Stage.Status.OVER, trouble="").exists()
    if is_over and tournament.status == Tournament.Status.RUNNING:
        tournament.status, tournament.ended_at = Tournament.Status.OVER, now
        notifications.over(tournament)
        return True
    if not is_over and tournament.status == Tournament.Status.OVER:
        tournament.status, tournament.ended_at = Tournament.Status.RUNNING, None
        return True
    return False
