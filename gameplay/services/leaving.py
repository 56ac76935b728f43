"""Leaving a match and returning: reserves, bots in a player's place, lost and abandoned matches.

A bot in a person's seat plays at club level at every table, so that nobody is better off without a partner.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from accounts.services import blocks, notices
from engine.play.scoring import outcome
from gameplay import clocks
from gameplay.log.log_language import say_at, say_to
from gameplay.models import Happening, Reserve, Seat, Table
from gameplay.services.match_play import begin_deal_if_ready, end_match, set_actor, team_names
from gameplay.services.sitting import Sitting, save, sit_down, tell
from gameplay.snapshot import state_of
from web.errors import NotAllowed, Refused

STAND_IN = "club"
"""The level of a bot that plays for a missing player, or one who wants it."""
_SEATED = gettext_noop("you have a seat")
_OWN = ["user", "bot", "name", "former_user", "joined_at", "agreed_at", "standing", "hand_order", "note", "mutes_chat"]


def check_playing(table: Table) -> None:
    """Raise `Refused` unless the match is being played."""
    if table.status != Table.Status.PLAYING:
        raise Refused("not_running", gettext("The match is not being played."))


def resign(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Leave a match for good: a reserve or a bot takes over. Raises `NotAllowed` or `Refused`."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        check_playing(sitting.table)
        seat = sitting.seat_of(user)
        tell(sitting, Happening.Kind.LEFT, gettext_noop("%(seat)s left the match."), seat.number, seat=seat)
        hand_over(sitting, seat)
        return sitting


def can_return(table: Table, seat: Seat, user: User) -> bool:
    """Whether this former player can return to the seat that a bot plays in: once in a match."""
    if table.status != Table.Status.PLAYING or not seat.bot or seat.former_user_id != user.pk:
        return False
    came_back = table.happenings.filter(kind=Happening.Kind.SEATED, seat=seat.number, at__gte=table.started_at)
    return not came_back.exists()


def return_to_seat(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Return to the seat that a bot plays in. Twice does no harm. Raises `NotAllowed`."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        if any(seat.user_id == user.pk for seat in sitting.seats):
            return sitting
        seat = next((s for s in sitting.seats if can_return(sitting.table, s, user)), None)
        if seat is None:
            raise NotAllowed("no_seat", gettext("You have no seat to return to at this table."))
        tell(
            sitting,
            Happening.Kind.SEATED,
            gettext_noop("%(user)s returned and replaced the bot."),
            seat.number,
            user=user,
        )
        seat.former_user = None
        _seat_person(sitting, seat, user)
        _go_on(sitting, seat)
        return sitting


def hand_over(sitting: Sitting, seat: Seat) -> None:
    """Give the seat of a missing player to the first reserve, or to a bot, and save.

    If no person is left, the match is abandoned.
    """
    if seat.user_id is not None:
        seat.former_user = seat.user
    was, reserve = str(seat), first_reserve(sitting)
    if reserve is not None:
        _seat_person(sitting, seat, reserve.user)
        tell(
            sitting,
            Happening.Kind.REPLACED,
            gettext_noop("%(seat)s, a reserve, took over for %(was)s."),
            seat.number,
            seat=seat,
            was=was,
        )
    else:
        seat.user, seat.bot, seat.name = (
            None,
            STAND_IN,
            say_at(sitting.seats, gettext_noop("Bot for %(name)s"), name=was)[:60],
        )
        seat.missed_in_a_row, seat.standing, seat.is_ready = 0, {}, sitting.table.is_between_deals
        tell(sitting, Happening.Kind.REPLACED, gettext_noop("A bot took over for %(was)s."), seat.number, was=was)
    _go_on(sitting, seat)


def hand_over_empty(sitting: Sitting) -> None:
    """Replace players whose account is deleted."""
    for seat in sitting.seats:
        is_gone = not seat.is_taken or (seat.user is not None and not seat.user.is_active and not seat.user.is_guest)
        if is_gone and sitting.table.status == Table.Status.PLAYING:
            hand_over(sitting, seat)


def leave_all(user_id: int) -> None:
    """Leave every match: the account is gone."""
    for table_id in list(Table.objects.running().filter(seats__user=user_id).values_list("pk", flat=True)):
        with transaction.atomic():
            sitting = sit_down(table_id)
            for seat in sitting.seats:
                if seat.user_id == user_id and sitting.table.status == Table.Status.PLAYING:
                    hand_over(sitting, seat)


def fill_from_reserves(sitting: Sitting) -> None:
    """Seat the reserves in place of bots for missing players, and save."""
    for seat in sitting.seats:
        reserve = first_reserve(sitting) if _wants_reserve(sitting.table, seat) else None
        if reserve is not None:
            replace(sitting, seat, reserve.user, gettext_noop("%(new)s, a reserve, took %(old)s’s place."))
            return
    save(sitting)


def replace(sitting: Sitting, seat: Seat, user: User, sentence: str) -> None:
    """Seat a person in place of a player, or of a bot for one; `sentence` names `new` and `old`. Saves."""
    old = str(seat)
    seat.former_user = seat.user or seat.former_user
    _seat_person(sitting, seat, user)
    tell(sitting, Happening.Kind.REPLACED, sentence, seat.number, new=seat, old=old)
    _go_on(sitting, seat)


def _wants_reserve(table: Table, seat: Seat) -> bool:
    """Whether a reserve can have the seat: of a bot, or of a player who missed the last turn, if reserves are asked."""
    if seat.bot:
        return seat.former_user_id is not None
    return table.missed == Table.Missed.SUBSTITUTE and seat.missed_in_a_row > 0


def first_reserve(sitting: Sitting) -> Reserve | None:
    """The reserve who has waited longest, has and had no seat at this table, and whom nobody there has blocked."""
    seated_ids = {seat.user_id for seat in sitting.seats} | {seat.former_user_id for seat in sitting.seats}
    waiting = Reserve.objects.filter(table=sitting.table).select_related("user").prefetch_related("user__absences")
    unwanted = seated_ids | blocks.blocked_by_any(seat.user_id for seat in sitting.seats)
    return next((reserve for reserve in waiting.order_by("pk") if reserve.user_id not in unwanted), None)


def _seat_person(sitting: Sitting, seat: Seat, user: User) -> None:
    """Put a person into the seat, without the private data of the last one."""
    table, was_bot = sitting.table, bool(seat.bot)
    seat.user, seat.bot, seat.name = user, "", str(user)[:60]
    seat.joined_at = seat.agreed_at = sitting.now
    seat.standing, seat.hand_order, seat.note, seat.mutes_chat = {}, "", "", False
    seat.missed_in_a_row, seat.looked_at, seat.is_ready = 0, None, False
    Reserve.objects.filter(table=table, user=user).delete()
    if seat.number == table.seat_to_act and not was_bot:
        clocks.stop(table, sitting.seats, sitting.now)
    if table.clock != Table.Clock.NONE and seat.time_left is None:
        seat.time_left = table.allowance
    clocks.begin_turn(table, seat)
    if not table.is_practice:
        notices.add(
            user,
            kind="seated",
            key=f"seated:{table.pk}:{table.version}",
            subject=f"table:{table.pk}",
            title=f"{table.name}: {say_to(user, _SEATED)}",
            url=table.get_absolute_url(),
            due_at=sitting.now,
        )


def _go_on(sitting: Sitting, seat: Seat) -> None:
    """Continue after a change of player: the clock, the next deal, or the end without people. Saves."""
    table = sitting.table
    seat.save(update_fields=_OWN)
    table.proposal = None
    if all(s.user_id is None for s in sitting.seats):
        abandon(sitting, gettext_noop("The match was abandoned because no player was left."))
        return
    if table.seat_to_act == seat.number:
        set_actor(sitting, state_of(table))
    elif seat.user_id is None:
        seat.is_lifting = False
    if not begin_deal_if_ready(sitting):
        save(sitting)


def forfeit(sitting: Sitting, seat: Seat) -> None:
    """Lose the match for the seat's team, at any score; saves."""
    totals = totals_of(sitting)
    loser = seat.number % sitting.table.teams
    best = max(total for team, total in enumerate(totals) if team != loser)
    winners = [team for team, total in enumerate(totals) if team != loser and total == best]
    words = gettext_noop("%(seat)s ran out of time. %(winners)s won the match.")
    tell(sitting, Happening.Kind.FORFEITED, words, seat.number, seat=seat, winners=team_names(sitting, winners))
    end_match(sitting, totals, winners, "forfeit")
    save(sitting)


def abandon(sitting: Sitting, sentence: str) -> None:
    """End the match without a winner; saves."""
    tell(sitting, Happening.Kind.ABANDONED, sentence)
    end_match(sitting, totals_of(sitting), [], "abandoned")
    save(sitting)


def totals_of(sitting: Sitting) -> list[int]:
    """Points by team, the deal that is being played left out."""
    state = state_of(sitting.table)
    result = outcome(state)
    return list(state.scores if result is None else result.totals)
