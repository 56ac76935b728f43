"""What joins matches to the tables they are played at: making a table, stopping it, reading its result.

Every function is called under the tournament's lock.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext

from accounts.models import User
from engine.errors import BadInput
from gameplay.models import Deal, Happening, Table
from gameplay.services import event_tables
from tournaments import seating
from tournaments.models import Member, Pairing, Place, Result, Stage, Tournament
from tournaments.services import notifications
from tournaments.services.matches import boards
from web.database.compiled_queries import Prepared
from web.errors import Refused

TERMS = (
    *("clock", "clock_hours", "increment_hours", "cap_hours", "free_weekends", "free_nights", "allows_absences"),
    *("missed", "assist", "watching", "rules_ref"),
)
"""What an event may choose for its tables: fields of `gameplay.Table`."""
BOOKS = ("clean", "dirty", "wild", "sevens")


# Making and stopping tables


def open_online(pairing: Pairing, now: datetime) -> None:
    """Make the table of a match whose entries are known, and let it begin. Does nothing where it has one.

    Where no table can be made, since somebody has no account here, the match is played face to face and the
    organisers are told.
    """
    if pairing.table_id is not None:
        return
    try:
        pairing.table = _make_table(pairing, now)
        pairing.is_online = True
    except (Refused, BadInput) as error:
        pairing.is_online = False
        notifications.not_online(pairing, error.sentence)
    pairing.save(update_fields=["table", "is_online"])


def terms_of(tournament: Tournament) -> dict[str, Any]:
    """The terms of an event's tables; who may look on follows from who may see the event, unless they say."""
    watching = {
        Tournament.Visibility.PUBLIC: Table.Watching.ANYBODY,
        Tournament.Visibility.LINK: Table.Watching.LINK,
        Tournament.Visibility.CIRCLE: Table.Watching.CLUB,
    }[Tournament.Visibility(tournament.visibility)]
    chosen = {name: tournament.terms[name] for name in TERMS if name in tournament.terms}
    return {"watching": watching, **chosen, "is_rated": tournament.is_rated, "audience": tournament.circle}


def _make_table(pairing: Pairing, now: datetime) -> Table:
    tournament = pairing.round.stage.tournament
    places = seating.places_of(pairing)
    members = seating.seats_of(pairing, places)
    users = [user for one in members if (user := seating.account_of(one)) is not None]
    if len(users) < len(members):
        names = ", ".join(one.name for one in members if seating.account_of(one) is None)
        raise Refused("no_account", gettext("No account here: %(names)s.") % {"names": names})
    return event_tables.make_arranged(
        tournament.rules,
        name=f"{tournament.name[: 60 - 3 - len(pairing.name)]} · {pairing.name}",
        seats=users,
        team_size=len(users) // len(seating.sides_of(places)),
        terms=terms_of(tournament),
        keys=boards.keys_for(pairing, users),
        event=tournament.name,
        event_url=tournament.get_absolute_url(),
        now=now,
    )


def call_off(pairing: Pairing, now: datetime, sentence: str) -> None:
    """Stop the table of a match that is still being played; its players are told why. A table that is over stays.

    The match has no table then: where it is to be played after all, it is opened anew.
    """
    if pairing.table_id is not None and event_tables.call_off(pairing.table_id, sentence, now):
        set_aside(pairing)


def call_off_all(tournament: Tournament, now: datetime, sentence: str) -> None:
    """Stop every table of an event that is cancelled, and open the deals that its tables shared."""
    running = Pairing.objects.filter(round__stage__tournament=tournament, table__status=Table.Status.PLAYING)
    for pairing in running.order_by("pk"):
        call_off(pairing, now, sentence)
    for stage in tournament.stages.all():
        stage.tournament = tournament
        boards.unseal_finished(stage, now)


def set_aside(pairing: Pairing) -> None:
    """Let the table of a match count no longer, whatever was played there."""
    pairing.table, pairing.opened_at = None, None
    pairing.save(update_fields=["table", "opened_at"])


_RUNNING = Prepared(
    lambda stage: (
        Pairing.objects.filter(round__stage=stage, table__status=Table.Status.PLAYING)
        .select_related("round__stage__tournament")
        .order_by("pk")
    ),
    int,
)


def reseat(stage: Stage, now: datetime) -> bool:
    """Let the running tables of a stage be played on by those who play now: replacements, and who is back for them.

    Whether anybody sat down. Who left a table by themselves is not seated again; where somebody cannot take the seat,
    it stays as it is, and the organisers are told.
    """
    running, changed = _RUNNING(stage.pk), False
    prefetch_related_objects(running, "table__seats")
    for pairing in running:
        for seat, member in _newcomers(pairing):
            try:
                event_tables.replace_player(pairing.table_id or 0, seat, _account(member), now)
                changed = True
            except Refused as refusal:
                notifications.not_seated(pairing, refusal.sentence)
    return changed


def _newcomers(pairing: Pairing) -> list[tuple[int, Member]]:
    """Who is to play at a running table and does not sit there, with the seats of those who are not to play any more."""
    places = seating.places_of(pairing)
    assert pairing.table is not None  # noqa: S101  the caller asked for it
    seats, found = list(pairing.table.seats.all()), list[tuple[int, Member]]()
    count = pairing.table.teams
    try:
        wanted = seating.seats_of(pairing, places)
    except Refused:
        return []  # somebody left and nobody came: the seats stay as they are
    for team in range(count):
        members = wanted[team::count]
        holders = {seat.number: seat.former_user_id if seat.bot else seat.user_id for seat in seats[team::count]}
        stay = {one.user_id for one in members} - {None}
        missing = [one for one in members if one.user_id is None or one.user_id not in holders.values()]
        found += zip([number for number, holder in holders.items() if holder not in stay], missing, strict=False)
    return found


def _account(member: Member) -> User:
    user = seating.account_of(member)
    if user is None:
        raise Refused(
            "no_account",
            gettext("%(member)s has no account here and cannot continue at the table.") % {"member": member.name},
        )
    return user


# Results


def lines_of(table: Table) -> tuple[Result.Kind, list[dict[str, Any]]]:
    """The result of the match that was played at a table that is over: its kind, and a line for each place in order.

    A forfeit has no scores where nobody is left to compare with; an abandoned match is lost by everybody.
    """
    pairing = Pairing.objects.get(table=table)
    places = list(pairing.places.all())
    sides, result = seating.sides_of(places), table.result or {}
    kind, lost = _lost(table, len(sides))
    counted = _counted(table, len(sides))
    compares = len(sides) - len(lost) > 1
    return kind, [_line(place, sides.index(place.side), result["totals"], lost, counted, compares) for place in places]


def _lost(table: Table, teams: int) -> tuple[Result.Kind, set[int]]:
    """The kind of result that a table's end comes to, and the teams that lost without being beaten."""
    reason = (table.result or {}).get("reason")
    if reason == "played":
        return Result.Kind.PLAYED, set()
    if reason == "forfeit":
        seats = table.happenings.filter(kind=Happening.Kind.FORFEITED, seat__isnull=False).values_list(
            "seat", flat=True
        )
        return Result.Kind.FORFEIT, {(seat or 0) % teams for seat in seats}
    return Result.Kind.DOUBLE_FORFEIT, set(range(teams))


def _counted(table: Table, teams: int) -> list[tuple[int, int]]:
    """By team: books completed, and how often it went out, over all deals."""
    counts = [(0, 0)] * teams
    for sheets in _sheets(table):
        for team, items in enumerate(sheets):
            books, outs = counts[team]
            numbers = {item["what"]: item["number"] for item in items}
            counts[team] = (books + sum(numbers.get(kind, 0) for kind in BOOKS), outs + numbers.get("out", 0))
    return counts


def _sheets(table: Table) -> Iterable[list[list[dict[str, Any]]]]:
    rows = Deal.objects.filter(table=table, result__isnull=False).values_list("result", flat=True)
    return [result["sheets"] for result in rows if result is not None]


def _line(
    place: Place, team: int, totals: list[int], lost: set[int], counted: list[tuple[int, int]], compares: bool
) -> dict[str, Any]:
    is_played = not lost or (compares and team not in lost)
    books, outs = counted[team]
    return {
        "entry": place.entry_id,
        "score": totals[team] if is_played else None,
        "forfeit": team in lost,
        "books": books,
        "outs": outs,
    }
