"""Seats of a table before its match: taken, changed, given up, and filled with bots."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from accounts.models import User
from gameplay.access import is_welcome
from gameplay.log.log_language import say_to
from gameplay.models import BOT_MARK, Deal, Happening, Seat
from gameplay.services.gathering import check_creator, check_gathering, delete_table, notify, start_match
from gameplay.services.sitting import Sitting, save, sit_down, tell
from web.errors import NotAllowed, Refused

BOT_LEVELS = {
    "novice": gettext_lazy("Novice"),
    "club": gettext_lazy("Club player"),
    "expert": gettext_lazy("Expert"),
    "master": gettext_lazy("Master"),
}
"""The levels of bots, weakest first, and their names."""


BOT_NAMES = (
    "Ada",
    "Blaise",
    "Charles",
    "Dorothea",
    "Emmy",
    "Felix",
    "Grace",
    "Hypatia",
    "Isaac",
    "Joan",
    "Kurt",
    "Lise",
)


def join(table_id: int, user: User, *, seat: int | None = None, now: datetime | None = None) -> Sitting:
    """Take a free seat, agreeing to the rule sheet. Views check the right to join (`access.may_join`).

    The last to join a quick match starts it. Joining twice changes nothing. Raises `Refused` if no seat is free or the match has started.
    """
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        check_gathering(sitting)
        if any(s.user_id == user.pk for s in sitting.seats):
            return sitting
        if not is_welcome(user, sitting.table):
            raise NotAllowed("not_invited", gettext("Only invited players can join this table."))
        free = [s for s in sitting.seats if not s.is_taken and seat in (None, s.number)]
        if not free:
            raise Refused("no_free_seat", _no_seat(sitting))
        take_seat(sitting, free[0], user)
        tell(
            sitting,
            Happening.Kind.JOINED,
            gettext_noop("%(user)s joined and agreed to the rules."),
            free[0].number,
            user=user,
        )
        if sitting.table.wish_id is not None and all(s.is_taken for s in sitting.seats):
            start_match(sitting)
        else:
            save(sitting)
        return sitting


def move_to(table_id: int, user: User, *, seat: int, now: datetime | None = None) -> Sitting:
    """Move to a free seat. Raises `Refused` if it is taken."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        seat_before = sitting.seat_of(user)
        check_gathering(sitting)
        place = _seat(sitting, seat)
        if place == seat_before:
            return sitting
        if place.is_taken:
            raise Refused(
                "seat_taken", gettext("%(place)s has this seat. The table’s creator can swap you.") % {"place": place}
            )
        _swap(sitting, seat_before, place)
        save(sitting)
        return sitting


def swap(table_id: int, user: User, *, first: int, second: int, now: datetime | None = None) -> Sitting:
    """Swap two seats, taken or not. For the creator."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        check_creator(sitting, user)
        first_seat, second_seat = _seat(sitting, first), _seat(sitting, second)
        if first_seat == second_seat:
            raise Refused("same_seat", gettext("Choose two different seats to swap."))
        _swap(sitting, first_seat, second_seat)
        save(sitting)
        return sitting


def leave(table_id: int, user: User, now: datetime | None = None) -> Sitting | None:
    """Leave the table before the match starts; twice does no harm.

    If the creator leaves, the next player with an account becomes creator; without one, the table is cancelled
    (`None`). A quick match, which has nothing to arrange, stays for guests too.
    """
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        check_gathering(sitting)
        seat = next((s for s in sitting.seats if s.user_id == user.pk), None)
        if seat is None:
            return sitting
        _free(sitting, seat)
        tell(sitting, Happening.Kind.LEFT, gettext_noop("%(user)s left the table."), seat.number, user=user)
        can_inherit = sitting.table.wish_id is not None
        heir = next((s.user for s in sitting.seats if s.user and (can_inherit or not s.user.is_guest)), None)
        if heir is None:
            delete_table(sitting)
            return None
        if sitting.table.creator_id == user.pk:
            sitting.table.creator = heir
        save(sitting)
        return sitting


def remove(table_id: int, user: User, *, seat: int, now: datetime | None = None) -> Sitting:
    """Remove a player before the match starts. For the creator."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        check_creator(sitting, user)
        place = _seat(sitting, seat)
        if place.user_id == user.pk:
            raise Refused("own_seat", gettext("To give up your own seat, leave the table."))
        removed, name = place.user, str(place)
        if place.is_taken:
            _free(sitting, place)
            words = gettext_noop("%(user)s removed %(name)s from the table.")
            tell(sitting, Happening.Kind.LEFT, words, seat, user=user, name=name)
        if removed is not None:
            sitting.table.invitations.filter(user=removed).update(revoked_at=sitting.now)
            title = say_to(removed, gettext_noop("You were removed from %(table)s"), table=sitting.table.name)
            notify(sitting, removed, "removed", title)
        save(sitting)
        return sitting


def seat_bot(table_id: int, user: User, *, seat: int, level: str, now: datetime | None = None) -> Sitting:
    """Add a bot of this level to a free seat; an empty level removes a bot. For the creator."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        check_creator(sitting, user)
        place = _seat(sitting, seat)
        if place.user_id is not None:
            raise Refused("seat_taken", gettext("%(place)s has this seat. Choose another.") % {"place": place})
        if level:
            _check_bot(sitting, level)
        _take_bot(sitting, place, level)
        save(sitting)
        return sitting


def seat_bots(table_id: int, user: User, *, level: str, now: datetime | None = None) -> Sitting:
    """Add a bot of this level to every free seat; twice does no harm. For the creator."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        check_creator(sitting, user)
        _check_bot(sitting, level)
        take_bots(sitting, level)
        save(sitting)
        return sitting


# What these are made of


def take_seat(sitting: Sitting, seat: Seat, user: User) -> None:
    """Put a person into a free seat of a locked table, agreeing to the rule sheet."""
    seat.user, seat.bot, seat.name = user, "", str(user)[:60]
    seat.joined_at = seat.agreed_at = sitting.now
    seat.save()


def take_bots(sitting: Sitting, level: str) -> None:
    """Put bots into the free seats of a locked table; the caller saves."""
    for seat in sitting.seats:
        if not seat.is_taken:
            _take_bot(sitting, seat, level)


def _seat(sitting: Sitting, number: int) -> Seat:
    if not 0 <= number < len(sitting.seats):
        raise Refused("no_such_seat", gettext("Seat not found at this table."))
    return sitting.seats[number]


def _no_seat(sitting: Sitting) -> str:
    if all(seat.is_taken for seat in sitting.seats):
        return gettext("Every seat has just been taken.")
    return gettext("That seat has just been taken. Choose another.")


def _check_bot(sitting: Sitting, level: str) -> None:
    if level not in BOT_LEVELS:
        raise Refused(
            "no_such_bot", gettext("Choose one of these bot levels: %(levels)s.") % {"levels": ", ".join(BOT_LEVELS)}
        )
    if sitting.table.is_rated:
        raise Refused("rated", gettext("Rated matches cannot have bots."))


def _take_bot(sitting: Sitting, seat: Seat, level: str) -> None:
    seat.bot, seat.name = level, ""
    if level:
        bot_names = {other.name for other in sitting.seats}
        names = (f"{name}{BOT_MARK}" for name in BOT_NAMES[seat.number :] + BOT_NAMES[: seat.number])
        seat.name = next(name for name in names if name not in bot_names)
    seat.save()


_PLAYER_FIELDS = ("user", "bot", "name", "joined_at", "agreed_at", "note", "mutes_chat")
"""Fields that move with a player from seat to seat."""


def _free(sitting: Sitting, seat: Seat) -> None:
    empty = Seat()
    for field in _PLAYER_FIELDS:
        setattr(seat, field, getattr(empty, field))
    seat.save()
    _set_phrases(sitting, {seat.number: ""})


def _swap(sitting: Sitting, one: Seat, other: Seat) -> None:
    first = {field: getattr(one, field) for field in _PLAYER_FIELDS}
    second = {field: getattr(other, field) for field in _PLAYER_FIELDS}
    # Nobody may be in two seats, not even between two statements.
    Seat.objects.filter(pk=one.pk).update(user=None)
    for seat, player in ((other, first), (one, second)):
        for field, value in player.items():
            setattr(seat, field, value)
        seat.save()
    phrases = _phrases(sitting)
    _set_phrases(sitting, {one.number: phrases[other.number], other.number: phrases[one.number]})
    words = gettext_noop("Seats %(one)s and %(other)s were swapped.")
    tell(sitting, Happening.Kind.SEATED, words, one=one.number + 1, other=other.number + 1)


def _phrases(sitting: Sitting) -> list[str]:
    return list(Deal.objects.get(table=sitting.table, number=1).phrases)


def _set_phrases(sitting: Sitting, by_seat: Mapping[int, str]) -> None:
    phrases = [by_seat.get(number, phrase) for number, phrase in enumerate(_phrases(sitting))]
    Deal.objects.filter(table=sitting.table, number=1).update(phrases=phrases)
