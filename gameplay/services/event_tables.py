"""Tables that a competition makes: seated and begun at once, stopped and filled again by its organisers.

Where several tables play the same cards, the rows of their deals are made with the table, from keys that the
competition gives; and the tables stay sealed, showing nothing of a deal that is over, until it says that all are done.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from engine.play.rules import Rules
from gameplay.log.log_language import say_to
from gameplay.models import Deal, Happening, Seat, Table
from gameplay.services import leaving
from gameplay.services.gathering import start_match
from gameplay.services.match_play import new_deal_row
from gameplay.services.sitting import Sitting, save, send_notice, sit_down, tell
from gameplay.services.table_terms import wrong_terms
from web.errors import Refused

AT_ONCE = timedelta(0)
"""Notifications of others' decisions are sent at once: nobody can see them coming."""


def create_event_table(
    rules: Rules,
    *,
    name: str,
    seats: Sequence[User],
    team_size: int,
    terms: Mapping[str, Any],
    keys: Sequence[bytes] = (),
    event: str = "",
    event_url: str = "",
    now: datetime | None = None,
) -> Table:
    """Create a table of an event and start its match: `seats` are its players in order, who agreed by entering.

    `terms` are fields of `Table`. With `keys` deal n is dealt by key n, and the table is sealed; deals beyond them
    have keys of their own. `event_url` is a path on this site. Raises `BadInput` for a shape that the ruleset does
    not allow, and `Refused` for terms that contradict one another or a person who would sit twice.
    """
    rules.shape(len(seats), team_size)
    table = Table(
        name=name[:60],
        rules_json=rules.write(),
        seat_count=len(seats),
        team_size=team_size,
        **{
            **terms,
            "joining": Table.Joining.INVITED,
            "is_arranged": True,
            "event_name": event[:80],
            "event_path": event_url,
            "shares_deals": bool(keys),
            "is_sealed": bool(keys),
        },
    )
    if wrong := wrong_terms(table):
        raise Refused("bad_terms", " ".join(wrong.values()))
    if len({user.pk for user in seats}) < len(seats):
        raise Refused("sits_twice", gettext("Nobody can sit at a table twice."))
    with transaction.atomic():
        table.save()
        for number, key in enumerate(keys, 1):
            new_deal_row(table, number, key)
        if not keys:
            new_deal_row(table, 1)
        return _begin(table, seats, now)


def _begin(table: Table, users: Sequence[User], now: datetime | None) -> Table:
    """Seat the players and start the match."""
    rows = [Seat(table=table, number=number, user=user, name=str(user)[:60]) for number, user in enumerate(users)]
    Seat.objects.bulk_create(rows)
    sitting = sit_down(table.pk, now)
    for seat in sitting.seats:
        seat.joined_at = seat.agreed_at = sitting.now
    Seat.objects.bulk_update(sitting.seats, ["joined_at", "agreed_at"])
    tell(sitting, Happening.Kind.CREATED, _made_words(table), event=table.event_name)
    start_match(sitting)
    return sitting.table


def _made_words(table: Table) -> str:
    if not table.shares_deals:
        if table.event_name:
            return gettext_noop("%(event)s created the table.")
        return gettext_noop("The table was created for an event.")
    if table.event_name:
        return gettext_noop("%(event)s created the table. Other tables play the same cards.")
    return gettext_noop("The table was created for an event. Other tables play the same cards.")


def call_off(table_id: int, sentence: str, now: datetime | None = None) -> bool:
    """Stop a match without a result; `sentence` is the reason. Returns whether it was still being played."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        if sitting.table.status != Table.Status.PLAYING:
            return False
        for seat in sitting.seats:
            if seat.user is not None:  # this takes the place of the notice that the match is over
                words, why = gettext_noop("the match was stopped"), say_to(seat.user, sentence)
                send_notice(sitting, seat.user, "over", f"over:{table_id}", words, why, wait=AT_ONCE)
        leaving.abandon(sitting, sentence)
        return True


def replace_player(table_id: int, seat: int, user: User, now: datetime | None = None) -> Sitting:
    """Seat a replacement or substitute in a running match; twice does no harm.

    Raises `Refused` if the person plays here already, or has played these cards elsewhere.
    """
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        leaving.check_playing(sitting.table)
        if not 0 <= seat < len(sitting.seats):
            raise Refused("no_such_seat", gettext("Seat not found at this table."))
        place = sitting.seats[seat]
        if place.user_id == user.pk:
            return sitting
        if any(other.user_id == user.pk for other in sitting.seats):
            raise Refused("sits_here", gettext("%(user)s already plays at this table.") % {"user": user})
        own_keys = Deal.objects.filter(table=table_id).values_list("key", flat=True)
        if sitting.table.shares_deals and know_deals([user], own_keys, but=table_id):
            raise Refused(
                "knows_deals", gettext("%(user)s has played the same cards at another table.") % {"user": user}
            )
        before = place.user
        if before is not None:
            words = gettext_noop("%(player)s now plays in your place")
            key = f"replaced:{table_id}:{sitting.table.version}"
            send_notice(sitting, before, "replaced", key, words, wait=AT_ONCE, player=user)
        leaving.replace(sitting, place, user, gettext_noop("%(new)s took %(old)s’s place."))
        return sitting


def know_deals(users: Iterable[User], keys: Collection[str], *, but: int | None = None) -> bool:
    """Whether any of these people has, or had, a seat where cards of these keys (in hexadecimal) were dealt.

    `but` is a table that does not count.
    """
    ids = [user.pk for user in users]
    seats = Seat.objects.filter(Q(user__in=ids) | Q(former_user__in=ids)).exclude(table=but)
    return seats.filter(table__shares_deals=True, table__deals__key__in=list(keys)).exists()


def unseal(table_ids: Iterable[int], now: datetime | None = None) -> None:
    """Open the deals of these tables to everyone, all at once. Twice does no harm."""
    with transaction.atomic():
        for table_id in sorted(table_ids):
            sitting = sit_down(table_id, now)
            if sitting.table.is_sealed:
                sitting.table.is_sealed = False
                save(sitting)
