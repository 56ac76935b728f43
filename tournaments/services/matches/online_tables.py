"""Tables of online matches: create, stop, read the result.

Every function is called under the tournament’s lock.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import prefetch_related_objects
from django.utils import translation
from django.utils.translation import gettext

from accounts.models import User
from engine.errors import BadInput
from engine.play.paper import KINDS_OF_BOOK
from gameplay.models import Deal, Happening, Table
from gameplay.services import event_tables
from tournaments import seating, terms
from tournaments.models import Member, Pairing, Place, Result, Stage, Tournament
from tournaments.round_names import match_heading
from tournaments.services import notifications
from tournaments.services.matches import boards
from web.database.compiled_queries import Prepared
from web.errors import Refused

# Making and stopping tables


def open_online(pairing: Pairing, now: datetime) -> None:
    """Create the table of a match whose entries are known, if it has none.

    If someone has no account here, the match is played face to face and the organisers are notified.
    """
    if pairing.table_id is not None:
        return
    try:
        pairing.table = _make_table(pairing, now)
        pairing.is_online = True
    except (Refused, BadInput) as error:
        pairing.is_online = False
        notifications.not_online(pairing, error.sentence)
    pairing.save(update_fields=["table", "is_online", "issue"])


def _table_name(pairing: Pairing) -> str:
    """`Harbour Cup · Semi-final 1`, in the language of the person who created the event, because it is stored."""
    event = pairing.round.stage.tournament
    with translation.override(event.created_by.language if event.created_by else settings.LANGUAGE_CODE):
        match = match_heading(pairing.round.name, pairing.name, pairing.number)
    return f"{event.name[: 60 - 3 - len(match)]} · {match}"


def _make_table(pairing: Pairing, now: datetime) -> Table:
    tournament = pairing.round.stage.tournament
    places = seating.places_of(pairing)
    members = seating.seats_of(pairing, places)
    users = [user for member in members if (user := seating.account_of(member)) is not None]
    if len(users) < len(members):
        names = ", ".join(member.name for member in members if seating.account_of(member) is None)
        raise Refused("no_account", gettext("No account here: %(names)s.") % {"names": names})
    played_by = terms.of_round(pairing.round)
    return event_tables.create_event_table(
        played_by.rules,
        name=_table_name(pairing),
        seats=users,
        team_size=len(users) // len(seating.sides_of(places)),
        terms=played_by.table,
        keys=boards.keys_for(pairing, users),
        event=tournament.name,
        event_url=tournament.get_absolute_url(),
        now=now,
    )


def stop_table(pairing: Pairing, now: datetime, sentence: str) -> None:
    """Stop a running table of a match; its players see `sentence`. A finished table stays.

    The match then has no table. It gets a new one if it is played after all.
    """
    if pairing.table_id is not None and event_tables.call_off(pairing.table_id, sentence, now):
        exclude_table(pairing)


def stop_all_tables(tournament: Tournament, now: datetime, sentence: str) -> None:
    """Stop every table of a cancelled event, and publish its shared deals."""
    running = Pairing.objects.filter(round__stage__tournament=tournament, table__status=Table.Status.PLAYING)
    for pairing in running.order_by("pk"):
        stop_table(pairing, now, sentence)
    for stage in tournament.stages.all():
        stage.tournament = tournament
        boards.unseal_finished(stage, now)


def exclude_table(pairing: Pairing) -> None:
    """Detach the table of a match, so that it no longer counts."""
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
    """Seat the current players at the running tables of a stage: replacements, and players who are back.

    Returns whether anyone sat down. Players who left a table are not seated again. If someone cannot take the seat,
    it stays as it is and the organisers are notified.
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
    """Players missing at a running table, with the seats of those who no longer play."""
    places = seating.places_of(pairing)
    assert pairing.table is not None  # noqa: S101  selected by the caller
    seats, newcomers = list(pairing.table.seats.all()), list[tuple[int, Member]]()
    count = pairing.table.teams
    try:
        seated = seating.seats_of(pairing, places)
    except Refused:
        return []  # someone left without a replacement: the seats stay as they are
    for team in range(count):
        members = seated[team::count]
        holders = {seat.number: seat.former_user_id if seat.bot else seat.user_id for seat in seats[team::count]}
        stay = {member.user_id for member in members} - {None}
        missing = [member for member in members if member.user_id is None or member.user_id not in holders.values()]
        newcomers += zip([number for number, holder in holders.items() if holder not in stay], missing, strict=False)
    return newcomers


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
    """The result of a finished table: its kind, and a line for each place in order.

    A forfeit has no scores if nobody is left to compare with. All sides lose an abandoned match.
    """
    pairing = Pairing.objects.get(table=table)
    places = list(pairing.places.all())
    sides, result = seating.sides_of(places), table.result or {}
    kind, lost = _lost(table, len(sides))
    counts = _books_and_outs(table, len(sides))
    compares = len(sides) - len(lost) > 1
    lines = [_line(place, sides.index(place.side), result["totals"], lost, counts, compares) for place in places]
    if table.shares_deals and kind == Result.Kind.PLAYED:
        for place, line in zip(places, lines, strict=True):
            line |= _by_board(table, sides.index(place.side), line["score"])
    return kind, lines


def _by_board(table: Table, team: int, score: int | None) -> dict[str, list[int]]:
    """The card points of a team on each shared deal, where they add up to its score."""
    rows = Deal.objects.filter(table=table, result__isnull=False).order_by("number").values_list("result", flat=True)
    points = [result["deal_score"][team] for result in rows if result is not None]
    return {"deals": points} if points and sum(points) == score else {}


def _lost(table: Table, teams: int) -> tuple[Result.Kind, set[int]]:
    """The kind of a finished table’s result, and the teams that forfeited."""
    reason = (table.result or {}).get("reason")
    if reason == "played":
        return Result.Kind.PLAYED, set()
    if reason == "forfeit":
        seats = table.happenings.filter(kind=Happening.Kind.FORFEITED, seat__isnull=False).values_list(
            "seat", flat=True
        )
        return Result.Kind.FORFEIT, {(seat or 0) % teams for seat in seats}
    return Result.Kind.DOUBLE_FORFEIT, set(range(teams))


def _books_and_outs(table: Table, teams: int) -> list[tuple[int, int]]:
    """Number of books completed and of times out over all deals, by team."""
    counts = [(0, 0)] * teams
    for sheets in _sheets(table):
        for team, items in enumerate(sheets):
            books, outs = counts[team]
            numbers = {item["what"]: item["number"] for item in items}
            counts[team] = (books + sum(numbers.get(kind, 0) for kind in KINDS_OF_BOOK), outs + numbers.get("out", 0))
    return counts


def _sheets(table: Table) -> Iterable[list[list[dict[str, Any]]]]:
    rows = Deal.objects.filter(table=table, result__isnull=False).values_list("result", flat=True)
    return [result["sheets"] for result in rows if result is not None]


def _line(
    place: Place, team: int, totals: list[int], lost: set[int], counts: list[tuple[int, int]], compares: bool
) -> dict[str, Any]:
    is_played = not lost or (compares and team not in lost)
    books, outs = counts[team]
    return {
        "entry": place.entry_id,
        "score": totals[team] if is_played else None,
        "forfeit": team in lost,
        "books": books,
        "outs": outs,
    }
