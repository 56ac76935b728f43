"""Making tables, starting their matches, cancelling them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from accounts.budgets import TABLES, note_network, spend
from accounts.display_names import clean_name
from accounts.models import User
from engine.play.rules import Rules
from gameplay.log.log_language import say_to
from gameplay.models import Happening, Seat, Table
from gameplay.services.gathering import check_creator, check_gathering, delete_table, notify, start_match
from gameplay.services.match_play import new_deal_row
from gameplay.services.seating import take_bots, take_seat
from gameplay.services.sitting import Sitting, sit_down, tell
from gameplay.services.table_terms import wrong_terms
from web.errors import Refused, key_used

LONGEST_NAME = 60


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
        take_seat(sitting, sitting.seats[0], creator)
        tell(sitting, Happening.Kind.CREATED, gettext_noop("%(creator)s created the table."), creator=creator)
        return table


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
        take_bots(sitting, level)
        start_match(sitting)
        return sitting.table


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


def cancel(table_id: int, user: User, now: datetime | None = None) -> None:
    """Cancel the table before the match starts; the others are notified. For the creator."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        check_creator(sitting, user)
        for seat in sitting.seats:
            if seat.user is not None and seat.user_id != user.pk:
                words = gettext_noop("%(user)s cancelled %(table)s")
                title = say_to(seat.user, words, user=user, table=sitting.table.name)
                notify(sitting, seat.user, "cancelled", title, url="/tables/")
        delete_table(sitting)


def cancel_unstarted(table_id: int, now: datetime | None = None) -> None:
    """Cancel a table whose match never started; its players are notified. For the site."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        check_gathering(sitting)
        for seat in sitting.seats:
            if seat.user is not None:
                words = gettext_noop("%(table)s was cancelled because the match did not start")
                notify(
                    sitting, seat.user, "cancelled", say_to(seat.user, words, table=sitting.table.name), url="/tables/"
                )
        delete_table(sitting)
