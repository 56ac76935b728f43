"""Personal data at tables, for the export: own seats and own texts there, never anyone's cards."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from accounts.models import User
from gameplay.house_rules import rule_titles
from gameplay.models import ChatMessage, Deal, Invitation, Look, Report, Reserve, Seat, Table
from gameplay.score_sheets.models import SheetPhoto


def tables_of(user: User) -> dict[str, Any]:
    """Ready for JSON: `seats`, `chat`, `invitations`, `reserve_offers`, `reports`, `tables_made` and `looks`; times in UTC.

    Moves are in each table's record, at the address given with the seat. The queries do not grow with the tables.
    """
    return {
        "seats": _seats(user),
        "chat": _rows(ChatMessage.objects.filter(user=user).values("table__name", "table__slug", "at", "text")),
        "invitations": [_invitation(invitation, user) for invitation in _invitations(user)],
        "reserve_offers": _rows(Reserve.objects.filter(user=user).values("table__name", "offered_at")),
        "reports": _rows(Report.objects.filter(reporter=user).order_by("pk").values("table__name", "at", "reason")),
        "tables_made": _rows(user.tables_created.order_by("pk").values("name", "slug", "created_at")),
        "looks": _looks(user),
    }


def photos_of(user: User) -> list[dict[str, Any]]:
    """Photographs of paper score sheets added by the person, each with its score sheet or match, ready for JSON."""
    photos = SheetPhoto.objects.filter(added_by=user).order_by("pk")
    return _rows(photos.values("sheet__title", "ref", "added_at", "width", "height", "digest"))


def _rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{name.replace("__", "_"): value for name, value in row.items()} for row in rows]


def _looks(user: User) -> list[dict[str, Any]]:
    """The person's page views of rated matches; devices are numbered by table."""
    rows = Look.objects.filter(user=user).order_by("seat__table", "pk")
    devices: dict[int, list[str]] = defaultdict(list)
    looks = []
    for table_id, name, after_move, mark, at in rows.values_list(
        "seat__table_id", "seat__table__name", "after_move", "mark", "at"
    ):
        marks = devices[table_id]
        if mark not in marks:
            marks.append(mark)
        looks.append({"table": name, "after_move": after_move, "device": marks.index(mark) + 1, "at": at})
    return looks


def _seats(user: User) -> list[dict[str, Any]]:
    rows = Seat.objects.filter(Q(user=user) | Q(former_user=user))
    seats = list(rows.select_related("table").defer("table__snapshot").order_by("table", "number"))
    phrases: dict[int, list[tuple[int, list[str]]]] = defaultdict(list)
    for table_id, number, by_seat in Deal.objects.filter(table__in=[seat.table_id for seat in seats]).values_list(
        "table_id", "number", "phrases"
    ):
        phrases[table_id].append((number, by_seat))
    return [_seat(seat, user) | _private(seat, user, phrases[seat.table_id]) for seat in seats]


def _seat(seat: Seat, user: User) -> dict[str, Any]:
    table = seat.table
    return {
        "table": table.name,
        "address": table.get_absolute_url(),
        "rules": rule_titles.title(table.rules_ref, table.rules),
        "is_practice": table.is_practice,
        "status": table.status,
        "made_at": table.created_at,
        "begun_at": table.started_at,
        "ended_at": table.ended_at,
        "result": table.result,
        "record": f"{table.get_absolute_url()}record.json" if table.status != Table.Status.GATHERING else None,
        "seat": seat.number + 1,
        "has_left": seat.user_id != user.pk,
    }


def _private(seat: Seat, user: User, phrases: list[tuple[int, list[str]]]) -> dict[str, Any]:
    """Private data of the person in the seat; nothing once another sits there."""
    if seat.user_id != user.pk:
        return {}
    return {
        "name": seat.name,
        "joined_at": seat.joined_at,
        "agreed_at": seat.agreed_at,
        "looked_at": seat.looked_at,
        "turns_missed": seat.turns_missed,
        "unread_messages": seat.unread,
        "standing_orders": seat.standing,
        "notes": seat.note,
        "phrases": {number: by_seat[seat.number] for number, by_seat in phrases if seat.number < len(by_seat)},
    }


def _invitations(user: User) -> list[Invitation]:
    rows = Invitation.objects.filter(Q(user=user) | Q(invited_by=user)).select_related("table", "user")
    return list(rows.defer("table__snapshot").order_by("pk"))


def _invitation(invitation: Invitation, user: User) -> dict[str, Any]:
    is_guest = invitation.user_id == user.pk
    return {
        "table": invitation.table.name,
        "was": "received" if is_guest else "sent",
        "to": None if is_guest else invitation.email or str(invitation.user),
        "at": invitation.created_at,
        "answered_at": invitation.answered_at,
        "is_accepted": invitation.is_accepted,
        "revoked_at": invitation.revoked_at,
    }
