"""What all players of a match agree upon: a pause, or to abandon it. And going on after a pause."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.services import notices
from gameplay import clocks
from gameplay.arranged import check_free
from gameplay.models import Happening
from gameplay.position import state_of
from gameplay.services.leaving import abandon, check_playing
from gameplay.services.play import Sitting, begin_deal_if_ready, save, set_actor, sit_down, tell
from web.errors import Refused

PAUSE, ABANDON = "pause", "abandon"
PROPOSALS = {PAUSE: "to pause the match", ABANDON: "to abandon the match"}


def propose_pause(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Propose a pause; it begins when all have agreed. Proposing what is proposed is agreeing."""
    return _propose(table_id, user, PAUSE, now)


def agree_pause(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Agree to the pause that is proposed. Twice does no harm."""
    return _agree(table_id, user, PAUSE, now)


def offer_abandon(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Propose to end the match without a winner; it ends when all have agreed."""
    return _propose(table_id, user, ABANDON, now)


def agree_abandon(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Agree to abandon the match. Twice does no harm."""
    return _agree(table_id, user, ABANDON, now)


def decline(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Say no to what is proposed, or take back one's own proposal. Twice does no harm."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        sitting.seat_of(user)
        sitting.table.proposal = None
        save(sitting)
        return sitting


def resume(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Go on after a pause. Cards may be played at once; the clock runs after `clocks.RESUME_NOTICE`."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        seat = sitting.seat_of(user)
        if sitting.table.paused_at is not None:
            go_on(sitting, f"{seat} resumed the match; the clock stands still for another 24 hours.")
            _tell_others(sitting, user, "resumed", "the match goes on")
        return sitting


def pause(sitting: Sitting, sentence: str) -> None:
    """Stop a match that is being played; what is left on the clock stays. Saves."""
    table = sitting.table
    clocks.stop(table, sitting.seats, sitting.now)
    table.paused_at, table.bot_due_at, table.proposal = sitting.now, None, None
    tell(sitting, Happening.Kind.PAUSED, sentence)
    save(sitting)


def go_on(sitting: Sitting, sentence: str) -> None:
    """Let a paused match go on, with what was left on the clock. Saves."""
    table = sitting.table
    table.paused_at = table.proposal = None
    tell(sitting, Happening.Kind.RESUMED, sentence)
    if begin_deal_if_ready(sitting):
        return
    seat, has = (None, table.wait_left)
    if table.seat_to_act is not None:
        seat = sitting.seats[table.seat_to_act]
        reminded = seat.reminded
        set_actor(sitting, state_of(table))
        table.wait_left, seat.reminded = has, reminded
    clocks.run(table, seat, sitting.now + clocks.RESUME_NOTICE)
    save(sitting)


def _propose(table_id: int, user: User, what: str, now: datetime | None) -> Sitting:
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table, seat = sitting.table, sitting.seat_of(user)
        check_playing(table)
        if what == ABANDON:
            check_free(table)
        if what == PAUSE and table.paused_at is not None:
            return sitting
        if table.proposal is not None and table.proposal["what"] != what:
            raise Refused("proposal_open", f"Answer first: somebody proposes {PROPOSALS[table.proposal['what']]}.")
        is_new = table.proposal is None
        _add(sitting, seat.number, what)
        if is_new and table.proposal is not None:
            _tell_others(sitting, user, "proposal", f"{seat} proposes {PROPOSALS[what]}")
        return sitting


def _agree(table_id: int, user: User, what: str, now: datetime | None) -> Sitting:
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table, seat = sitting.table, sitting.seat_of(user)
        if what == PAUSE and table.paused_at is not None:
            return sitting
        check_playing(table)
        if table.proposal is None or table.proposal["what"] != what:
            raise Refused("no_proposal", f"Nobody proposes {PROPOSALS[what]} any more.")
        _add(sitting, seat.number, what)
        return sitting


def _add(sitting: Sitting, number: int, what: str) -> None:
    """Count a voice; when all people have agreed, do it. Saves."""
    table = sitting.table
    agreed = {number, *(table.proposal or {"agreed": []})["agreed"]}
    table.proposal = {"what": what, "agreed": sorted(agreed)}
    if any(seat.user_id is not None and seat.number not in agreed for seat in sitting.seats):
        save(sitting)
    elif what == PAUSE:
        pause(sitting, "The match was paused, as all players agreed.")
    else:
        abandon(sitting, "The match was abandoned, as all players agreed.")


def _tell_others(sitting: Sitting, user: User, kind: str, words: str) -> None:
    table = sitting.table
    for seat in sitting.seats:
        if seat.user is not None and seat.user_id != user.pk and not table.is_practice:
            notices.add(
                seat.user,
                kind=kind,
                key=f"{kind}:{table.pk}:{table.version}",
                subject=f"table:{table.pk}",
                title=f"{table.name}: {words}",
                url=table.get_absolute_url(),
                due_at=sitting.now,
            )
