"""Agreements of all players of a match: to pause or abandon it. And resuming it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from accounts.models import User
from accounts.services import notices
from gameplay import clocks
from gameplay.event_tables import check_free
from gameplay.log.log_language import say_to
from gameplay.models import Happening, Table
from gameplay.services.leaving import abandon, check_playing
from gameplay.services.match_play import begin_deal_if_ready, set_actor
from gameplay.services.sitting import Sitting, save, sit_down, tell
from gameplay.snapshot import state_of
from web.errors import Refused

PAUSE, ABANDON = "pause", "abandon"
PROPOSALS = {PAUSE: gettext_lazy("to pause the match"), ABANDON: gettext_lazy("to abandon the match")}
_PROPOSED = {
    PAUSE: gettext_noop("%(seat)s proposes to pause the match"),
    ABANDON: gettext_noop("%(seat)s proposes to abandon the match"),
}
_ANSWER_FIRST = {
    PAUSE: gettext_noop("Answer the proposal to pause the match first."),
    ABANDON: gettext_noop("Answer the proposal to abandon the match first."),
}
_NO_MORE = {
    PAUSE: gettext_noop("The proposal to pause the match is no longer open."),
    ABANDON: gettext_noop("The proposal to abandon the match is no longer open."),
}


_RESUMED = gettext_noop("%(seat)s resumed the match. The clock starts again in 24 hours.")
_RESUMED_EVENING = gettext_noop("%(seat)s resumed the match. The clock starts again in 15 seconds.")


def propose_pause(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Propose a pause; it starts when all have agreed. Proposing it again is agreeing."""
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
    """Decline a proposal, or cancel the own one. Twice does no harm."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        sitting.seat_of(user)
        sitting.table.proposal = None
        save(sitting)
        return sitting


def resume(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Resume after a pause. Cards can be played at once; the clock runs after `clocks.RESUME_NOTICE`."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        seat = sitting.seat_of(user)
        if sitting.table.paused_at is not None:
            words = _RESUMED_EVENING if sitting.table.clock == Table.Clock.LIVE else _RESUMED
            go_on(sitting, words, seat=seat)
            _tell_others(sitting, user, "resumed", gettext_noop("the match has resumed"))
        return sitting


def pause(sitting: Sitting, sentence: str) -> None:
    """Pause a running match; the time left on the clock stays. Saves."""
    table = sitting.table
    clocks.stop(table, sitting.seats, sitting.now)
    table.paused_at, table.bot_due_at, table.proposal = sitting.now, None, None
    tell(sitting, Happening.Kind.PAUSED, sentence)
    save(sitting)


def go_on(sitting: Sitting, sentence: str, /, **values: object) -> None:
    """Resume a paused match, with the time left on the clock. Saves."""
    table = sitting.table
    table.paused_at = table.proposal = None
    tell(sitting, Happening.Kind.RESUMED, sentence, **values)
    if begin_deal_if_ready(sitting):
        return
    seat, has = (None, table.wait_left)
    if table.seat_to_act is not None:
        seat = sitting.seats[table.seat_to_act]
        reminded = seat.reminded
        set_actor(sitting, state_of(table))
        table.wait_left, seat.reminded = has, reminded
    clocks.run(table, seat, sitting.now + clocks.resume_notice(table))
    save(sitting)


def _propose(table_id: int, user: User, kind: str, now: datetime | None) -> Sitting:
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table, seat = sitting.table, sitting.seat_of(user)
        check_playing(table)
        if kind == ABANDON:
            check_free(table)
        if kind == PAUSE and table.paused_at is not None:
            return sitting
        if table.proposal is not None and table.proposal["what"] != kind:
            proposed = table.proposal["what"]
            raise Refused("proposal_open", gettext(_ANSWER_FIRST[proposed]))
        is_new = table.proposal is None
        _add(sitting, seat.number, kind)
        if is_new and table.proposal is not None:
            _tell_others(sitting, user, "proposal", _PROPOSED[kind], seat=seat)
        return sitting


def _agree(table_id: int, user: User, kind: str, now: datetime | None) -> Sitting:
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table, seat = sitting.table, sitting.seat_of(user)
        if kind == PAUSE and table.paused_at is not None:
            return sitting
        check_playing(table)
        if table.proposal is None or table.proposal["what"] != kind:
            raise Refused("no_proposal", gettext(_NO_MORE[kind]))
        _add(sitting, seat.number, kind)
        return sitting


def _add(sitting: Sitting, number: int, kind: str) -> None:
    """Count a voice; when all people have agreed, do it. Saves."""
    table = sitting.table
    agreed = {number, *(table.proposal or {"agreed": []})["agreed"]}
    table.proposal = {"what": kind, "agreed": sorted(agreed)}
    if any(seat.user_id is not None and seat.number not in agreed for seat in sitting.seats):
        save(sitting)
    elif kind == PAUSE:
        pause(sitting, gettext_noop("All players agreed to pause the match."))
    else:
        abandon(sitting, gettext_noop("All players agreed to abandon the match."))


def _tell_others(sitting: Sitting, user: User, kind: str, words: str, /, **values: object) -> None:
    table = sitting.table
    for other in sitting.seats:
        if other.user is not None and other.user_id != user.pk and not table.is_practice:
            notices.add(
                other.user,
                kind=kind,
                key=f"{kind}:{table.pk}:{table.version}",
                subject=f"table:{table.pk}",
                title=f"{table.name}: {say_to(other.user, words, **values)}",
                url=table.get_absolute_url(),
                due_at=sitting.now,
            )
