"""Making tables, taking and leaving seats, beginning the match."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from accounts.budgets import BOT_TIME, PRACTICE_TABLES, TABLES, check, note_network, spend
from accounts.display_names import clean_name
from accounts.models import User
from accounts.services import notices
from engine.errors import BadInput
from engine.play.deal import check_phrases
from engine.play.rules import Rules
from gameplay.access import is_welcome
from gameplay.event_tables import check_free, check_own_deals
from gameplay.log.log_language import say_to
from gameplay.models import Deal, Happening, Reserve, Seat, Table
from gameplay.queries import alone_at
from gameplay.services.leaving import fill_from_reserves
from gameplay.services.match_play import begin_deal, new_deal_row
from gameplay.services.sitting import Sitting, save, sit_down, tell
from gameplay.signals import table_started
from web.errors import NotAllowed, Refused, key_used

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

LONGEST_NAME = 60

LEAST_SECONDS, MOST_SECONDS, MOST_BANK = 30, 600, 1800
"""Limits of the clocks of an evening: for a turn, and for the bank."""
LEAST_HOURS = 12
"""The shortest time for a turn, and the least a bank begins with."""


# Making a table


def make_table(
    creator: User,
    rules: Rules,
    *,
    name: str,
    seat_count: int,
    team_size: int,
    terms: Mapping[str, Any] | None = None,
    key: bytes | None = None,
    request_key: str | None = None,
    request_content: str = "",
    now: datetime | None = None,
) -> Table:
    """A table that waits for players, its creator in the first seat.

    With a known `request_key` the table that it created; `request_content` is a digest of what came with the key.
    `terms` are fields of `Table`: clock, joining, watching and so on. `key` is that of the first deal, a fresh one unless
    given. Raises `BadInput` for a shape that the ruleset
    does not allow, and `Refused` for a name that cannot be shown, terms that contradict one another, and a key that came
    with other content before.
    """
    rules.shape(seat_count, team_size)
    table = Table(
        creator=creator,
        name=clean_name(name, LONGEST_NAME, field="name"),
        rules_json=rules.write(),
        seat_count=seat_count,
        team_size=team_size,
        made_with=request_key and request_key + request_content,
        **(terms or {}),
    )
    if wrong := wrong_terms(table):
        raise Refused("bad_terms", " ".join(wrong.values()))
    with transaction.atomic():
        if request_key:
            # The row of the person, so that the same request sent twice makes one table.
            User.objects.select_for_update(no_key=True).get(pk=creator.pk)
            if (earlier := Table.objects.filter(made_with__startswith=request_key).first()) is not None:
                if earlier.made_with != table.made_with:
                    raise key_used()
                return earlier
        spend(TABLES, creator)
        note_network(creator)
        table.save()
        Seat.objects.bulk_create([Seat(table=table, number=number) for number in range(seat_count)])
        new_deal_row(table, 1, key)
        sitting = sit_down(table.pk, now)
        _take(sitting, sitting.seats[0], creator)
        tell(sitting, Happening.Kind.CREATED, gettext_noop("%(creator)s created the table."), creator=creator)
        return table


def wrong_terms(table: Table) -> dict[str, str]:
    """The problems of a table's terms: sentences by field. Empty if there are none."""
    checks = [
        (
            "clock",
            table.clock == Table.Clock.NONE and not table.is_practice,
            gettext("Only practice tables can have no clock."),
        ),
        (
            "clock_hours",
            table.clock in (Table.Clock.MOVE, Table.Clock.BANK) and table.clock_hours < LEAST_HOURS,
            gettext("A turn must have at least %(hours)s hours, so that everyone can sleep.") % {"hours": LEAST_HOURS},
        ),
        (
            "turn_seconds",
            table.clock == Table.Clock.LIVE and not LEAST_SECONDS <= table.turn_seconds <= MOST_SECONDS,
            gettext("A turn of an evening has from %(least)s to %(most)s seconds.")
            % {"least": LEAST_SECONDS, "most": MOST_SECONDS},
        ),
        (
            "bank_seconds",
            table.clock == Table.Clock.LIVE and not 0 <= table.bank_seconds <= MOST_BANK,
            gettext("The time bank of an evening has at most %(most)s seconds.") % {"most": MOST_BANK},
        ),
        (
            "missed",
            table.missed == Table.Missed.SKIP and table.clock != Table.Clock.LIVE,
            gettext("Only on an evening can a missed turn just draw and discard."),
        ),
        (
            "cap_hours",
            table.clock == Table.Clock.BANK and 0 < table.cap_hours < table.clock_hours,
            gettext("The time bank cannot start with more than its limit."),
        ),
        (
            "is_rated",
            table.is_rated and table.is_practice,
            gettext("Practice matches are never rated. Choose a clock or turn off “Rated”."),
        ),
        (
            "allows_hints",
            table.is_rated and table.allows_hints,
            gettext("Rated matches have no hints. Turn off “Hints” or “Rated”."),
        ),
        (
            "talk",
            table.talk == Table.Talk.FREE and (table.is_rated or table.is_arranged),
            gettext("Partners must not signal where it counts. Choose set phrases or no chat."),
        ),
        (
            "audience",
            Table.Joining.CLUB in (table.joining, table.watching) and not table.audience,
            gettext("Choose a club."),
        ),
    ]
    return {field: sentence for field, is_wrong, sentence in checks if is_wrong}


def make_practice(
    user: User,
    rules: Rules,
    *,
    level: str = "club",
    seat_count: int = 4,
    team_size: int = 2,
    rules_ref: str = "",
    name: str = "",
    key: bytes | None = None,
    guide: dict[str, Any] | None = None,
) -> Table:
    """Create a practice table against bots, and start it. `rules_ref` is from `gameplay.house_rules.rule_sources`.

    `name`, `key` and `guide` are those of a first deal (`gameplay.services.first_deal`).
    """
    terms = {
        "guide": guide,
        "rules_ref": rules_ref,
        "is_practice": True,
        "clock": Table.Clock.NONE,
        "joining": Table.Joining.INVITED,
        "watching": Table.Watching.NOBODY,
    }
    name = name or gettext("Practice deal")
    with transaction.atomic():
        table = make_table(user, rules, name=name, seat_count=seat_count, team_size=team_size, terms=terms, key=key)
        sitting = sit_down(table.pk)
        for seat in sitting.seats[1:]:
            _take_bot(sitting, seat, level)
        start_match(sitting)
        return sitting.table


# Players and their seats


def join(table_id: int, user: User, *, seat: int | None = None, now: datetime | None = None) -> Sitting:
    """Take a free seat, agreeing to the rule sheet. Views check the right to join (`access.may_join`).

    The last to join a quick match starts it. Joining twice changes nothing. Raises `Refused` if no seat is free or the match has started.
    """
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        _check_gathering(sitting)
        if any(s.user_id == user.pk for s in sitting.seats):
            return sitting
        if not is_welcome(user, sitting.table):
            raise NotAllowed("not_invited", gettext("Only invited players can join this table."))
        free = [s for s in sitting.seats if not s.is_taken and seat in (None, s.number)]
        if not free:
            raise Refused("no_free_seat", _no_seat(sitting))
        _take(sitting, free[0], user)
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
        _check_gathering(sitting)
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
        _check_gathering(sitting)
        seat = next((s for s in sitting.seats if s.user_id == user.pk), None)
        if seat is None:
            return sitting
        _free(sitting, seat)
        tell(sitting, Happening.Kind.LEFT, gettext_noop("%(user)s left the table."), seat.number, user=user)
        can_inherit = sitting.table.wish_id is not None
        heir = next((s.user for s in sitting.seats if s.user and (can_inherit or not s.user.is_guest)), None)
        if heir is None:
            _remove(sitting)
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
            _notify(sitting, removed, "removed", title)
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


def cancel(table_id: int, user: User, now: datetime | None = None) -> None:
    """Cancel the table before the match starts; the others are notified. For the creator."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        check_creator(sitting, user)
        for seat in sitting.seats:
            if seat.user is not None and seat.user_id != user.pk:
                words = gettext_noop("%(user)s cancelled %(table)s")
                title = say_to(seat.user, words, user=user, table=sitting.table.name)
                _notify(sitting, seat.user, "cancelled", title, url="/tables/")
        _remove(sitting)


def cancel_unstarted(table_id: int, now: datetime | None = None) -> None:
    """Cancel a table whose match never started; its players are notified. For the site."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        _check_gathering(sitting)
        for seat in sitting.seats:
            if seat.user is not None:
                words = gettext_noop("%(table)s was cancelled because the match did not start")
                _notify(
                    sitting, seat.user, "cancelled", say_to(seat.user, words, table=sitting.table.name), url="/tables/"
                )
        _remove(sitting)


# The deal to come


def set_phrase(table_id: int, user: User, text: str, now: datetime | None = None) -> Sitting:
    """Add the player's own phrase to the shuffle of the next deal, whose commitment everyone sees already."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        seat, table = sitting.seat_of(user), sitting.table
        check_own_deals(table)
        deal = Deal.objects.filter(table=table, number=table.deal_number + 1, dealt_at=None).first()
        if deal is None or (table.status != Table.Status.GATHERING and not table.is_between_deals):
            raise Refused("dealt", gettext("The cards are dealt. You can add a phrase before the next deal."))
        phrases = list(deal.phrases)
        phrases[seat.number] = text.strip()
        try:
            check_phrases(tuple(phrases), table.seat_count)
        except BadInput as error:
            raise Refused("bad_phrase", error.sentence) from None
        deal.phrases = phrases
        deal.save(update_fields=["phrases"])
        save(sitting)
        return sitting


def start(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Begin the match. Every seat must be taken. Starting twice does no harm."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table = sitting.table
        if table.status == Table.Status.PLAYING and table.creator_id == user.pk:
            return sitting
        check_creator(sitting, user)
        if any(not seat.is_taken for seat in sitting.seats):
            raise Refused("seats_free", gettext("Some seats are still free. Invite someone or add a bot."))
        if table.is_rated and any(seat.bot for seat in sitting.seats):
            raise Refused("rated", gettext("Rated matches cannot have bots. Remove the bots first."))
        start_match(sitting)
        return sitting


def start_match(sitting: Sitting) -> None:
    """Begin the match of a locked table whose seats are all taken.

    Raises `TooMuch` if its bots have no time, or a person alone with bots has too many such matches.
    """
    table = sitting.table
    people = [seat.user for seat in sitting.seats if seat.user is not None]
    if len(people) == 1:
        _check_practice(people[0])
    if table.creator is not None and len(people) < len(sitting.seats):
        check(BOT_TIME, table.creator)
    table.status = Table.Status.PLAYING
    table.started_at, table.bots_join_at = sitting.now, None
    for seat in sitting.seats:
        seat.time_left = None if table.clock == Table.Clock.NONE else table.allowance
    tell(sitting, Happening.Kind.STARTED, gettext_noop("The match started."))
    begin_deal(sitting, None)
    transaction.on_commit(partial(_say_started, table.pk))


def _check_practice(user: User) -> None:
    # The row of the person, so that two matches started at once are both counted.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    check(PRACTICE_TABLES, user, already=alone_at(user).count())


def _say_started(table_id: int) -> None:
    table_started.send_robust(sender=Table, table_id=table_id)


# Reserves


def offer_reserve(table_id: int, user: User) -> None:
    """Be ready to take over a seat if a player goes missing. Offering twice does no harm."""
    with transaction.atomic():
        sitting = sit_down(table_id)
        check_free(sitting.table)
        if sitting.table.status != Table.Status.PLAYING:
            raise Refused("not_running", gettext("Only matches under way can have reserves."))
        if any(seat.user_id == user.pk for seat in sitting.seats):
            raise Refused("own_table", gettext("You already play at this table."))
        Reserve.objects.get_or_create(table=sitting.table, user=user)
        fill_from_reserves(sitting)


def withdraw_reserve(table_id: int, user: User) -> None:
    """Be a reserve no longer."""
    with transaction.atomic():
        sitting = sit_down(table_id)
        Reserve.objects.filter(table=sitting.table, user=user).delete()
        save(sitting)


# What these are made of


def check_creator(sitting: Sitting, user: User) -> None:
    """Raise unless the match is still to begin and this person made the table."""
    check_free(sitting.table)
    if sitting.table.creator_id != user.pk:
        raise NotAllowed("not_creator", gettext("Only the table’s creator can do that."))
    _check_gathering(sitting)
    if sitting.table.wish_id is not None:
        raise NotAllowed("quick_match", gettext("A quick match starts automatically. You can leave it."))


def _check_gathering(sitting: Sitting) -> None:
    check_free(sitting.table)
    if sitting.table.status != Table.Status.GATHERING:
        raise Refused("has_begun", gettext("The match has already started."))


def _seat(sitting: Sitting, number: int) -> Seat:
    if not 0 <= number < len(sitting.seats):
        raise Refused("no_such_seat", gettext("Seat not found at this table."))
    return sitting.seats[number]


def _no_seat(sitting: Sitting) -> str:
    if all(seat.is_taken for seat in sitting.seats):
        return gettext("Every seat has just been taken.")
    return gettext("That seat has just been taken. Choose another.")


_PLAYER_FIELDS = ("user", "bot", "name", "joined_at", "agreed_at", "note", "mutes_chat")
"""Fields that move with a player from seat to seat."""


def _take(sitting: Sitting, seat: Seat, user: User) -> None:
    seat.user, seat.bot, seat.name = user, "", str(user)[:60]
    seat.joined_at = seat.agreed_at = sitting.now
    seat.save()


def take_bots(sitting: Sitting, level: str) -> None:
    """Put bots into the free seats of a locked table; the caller saves."""
    for seat in sitting.seats:
        if not seat.is_taken:
            _take_bot(sitting, seat, level)


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
        names = (f"{name} (bot)" for name in BOT_NAMES[seat.number :] + BOT_NAMES[: seat.number])
        seat.name = next(name for name in names if name not in bot_names)
    seat.save()


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


def _remove(sitting: Sitting) -> None:
    """Delete a table at which nothing was played; its pages find out by asking."""
    save(sitting)
    sitting.table.delete()


def _notify(sitting: Sitting, user: User, kind: str, title: str, url: str = "") -> None:
    table = sitting.table
    notices.add(
        user,
        kind=kind,
        key=f"{kind}:{table.pk}:{table.version}",
        subject=f"table:{table.pk}",
        title=title,
        url=url or table.get_absolute_url(),
        due_at=sitting.now + timedelta(minutes=1),
    )
