"""Rows of events as the API shows them: plain records for the shapes, without anything that is nobody's to see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Prefetch, QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.api.tables import answer
from tournaments import access, stage_standings
from tournaments.access import Player
from tournaments.api import response_serializers
from tournaments.models import Entry, Member, Organiser, Pairing, Place, Result, Stage, StageEntry, Tournament
from tournaments.public import format_text, listing
from tournaments.public.names import Links, links_of
from tournaments.services.entries import enrolment
from tournaments.stage_state import load, moment_of

Row = TypeVar("Row")

# Events


def counted(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Events with what is shown of each: how many are in, and its stages. Two queries."""
    return listing.counted(rows).prefetch_related(Prefetch("stages", Stage.objects.order_by("number")))


def line(event: Tournament) -> dict[str, Any]:
    """An event of a query of `counted`."""
    names = (
        "slug", "name", "status", "visibility", "setting", "entry_kind", "venue", "time_zone", "starts_at", "ended_at",
        "entry_limit", "version",
    )  # fmt: skip
    return {
        **{name: getattr(event, name) for name in names},
        "url": f"{settings.SITE_URL}{event.get_absolute_url()}",
        "entered": vars(event)["entered"],
        "formats": listing.formats(list(event.stages.all())),
    }


def event_answer(request: Request, event_id: int, *, status: int = 200) -> Response:
    """The whole event as it is now."""
    event = counted(Tournament.objects.filter(pk=event_id)).defer(None).get()
    return answer(request, response_serializers.WholeEvent, whole(event, request.user), status=status)


def whole(event: Tournament, player: Player) -> dict[str, Any]:
    """An event with its settings and stages, as somebody sees it."""
    names = (
        "about", "side_size", "entries_close_at", "has_check_in", "check_in_from", "check_in_until", "is_rated",
        "confirm_hours", "no_show", "terms", "started_at",
    )  # fmt: skip
    role, member = access.role_of(player, event), access.own_member(player, event)
    owners = Organiser.objects.filter(tournament=event, role=Organiser.Role.OWNER).select_related("user")
    return {
        **line(event),
        **{name: getattr(event, name) for name in names},
        "ruleset": event.rules.name,
        "rules": event.rules_json,
        "lots": event.lots if event.has_begun else "",
        "stages": [stage(row, is_organiser=bool(role)) for row in event.stages.all()],
        "organisers": [str(row.user) for row in owners],
        "your_role": role,
        "your_entry": member.entry.number if member else None,
        "champions": champions(event),
    }


def champions(event: Tournament) -> list[str]:
    """Who won an event that is over."""
    last = event.stages.last()
    if event.status != Tournament.Status.OVER or last is None:
        return []
    state = load(last, event)
    return [state.entries[one.entry].entry.name for one in stage_standings.ranking(state) if one.rank == 1]


def stage(row: Stage, *, is_organiser: bool) -> dict[str, Any]:
    """A stage of an event."""
    names = ("number", "name", "status", "go_round", "started_at", "ended_at")
    (words,) = format_text.stages([row])
    return {
        **{name: getattr(row, name) for name in names},
        "format": words.plan.format,
        "sentences": words.sentences,
        "plan": row.plan_json,
        "trouble": row.trouble if is_organiser else "",
    }


# Entries


def entry(row: Entry) -> dict[str, Any]:
    """An entry whose `members` hold those who have not left or declined."""
    return {
        **{name: getattr(row, name) for name in ("number", "name", "status", "seed", "is_here")},
        "members": [member(one) for one in row.members.all()],
    }


def member(row: Member) -> dict[str, Any]:
    """A person of an entry; neither their address nor the token of their letter."""
    names = ("name", "role", "is_captain", "answer")
    return {**{name: getattr(row, name) for name in names}, "id": row.pk, "has_account": row.user_id is not None}


def entry_answer(request: Request, event: Tournament, row: Entry, *, status: int = 200) -> Response:
    """An entry as it is now, with its part in each stage."""
    fresh = enrolment.listed(event).get(pk=row.pk)
    event.refresh_from_db(fields=["version"])
    parts = StageEntry.objects.filter(entry=row).select_related("stage").order_by("stage__number")
    data = {**entry(fresh), "stages": [in_stage(part) for part in parts], "version": event.version}
    return answer(request, response_serializers.WholeEntry, data, status=status)


def in_stage(row: StageEntry) -> dict[str, Any]:
    """An entry's part in a stage."""
    names = ("position", "group", "first_round", "last_round", "start_points", "byes")
    return {**{name: getattr(row, name) for name in names}, "stage": row.stage.number}


# Matches


def with_places(rows: QuerySet[Pairing]) -> QuerySet[Pairing]:
    """Matches with all that is shown of them: two queries."""
    places = Prefetch("places", Place.objects.select_related("entry"))
    return rows.select_related("round__stage__tournament").prefetch_related(places)


def matches(rows: Iterable[Pairing]) -> list[dict[str, Any]]:
    """Matches of a query of `with_places`."""
    links: dict[str, Links] = {}
    found = []
    for row in rows:
        event = row.round.stage.tournament
        found.append(match(row, links.setdefault(event.slug, links_of(event))))
    return found


def match(row: Pairing, links: Links) -> dict[str, Any]:
    """A match with its places."""
    names = (
        "name", "group", "status", "is_online", "is_fixed", "is_walkover", "starts_at", "opened_at", "done_at",
    )  # fmt: skip
    of = row.round.stage
    return {
        **{name: getattr(row, name) for name in names},
        "id": row.pk,
        "event": links.slug,
        "stage": of.number,
        "round": row.round.number,
        "round_name": row.round.name,
        "table": row.number,
        "deadline_at": moment_of(row),
        "url": f"{settings.SITE_URL}{links.match(of.number, row.name)}",
        "places": [place(one) for one in row.places.all()],
    }


def place(row: Place) -> dict[str, Any]:
    """A seat of a match."""
    return {
        **{name: getattr(row, name) for name in ("number", "side", "source", "points", "score", "rank")},
        "entry": row.entry.number if row.entry else None,
        "name": row.entry.name if row.entry else "",
    }


def results(pairing: Pairing) -> list[dict[str, Any]]:
    """Every result that was entered of a match, the newest first: two queries."""
    rows = list(Result.objects.filter(pairing=pairing).select_related("by_entry", "winner").order_by("-pk"))
    ids = {each["entry"] for row in rows for each in row.lines}
    numbers = dict(Entry.objects.filter(pk__in=ids).values_list("pk", "number"))
    return [result(row, numbers, counts=row.pk == pairing.result_id) for row in rows]


def result(row: Result, numbers: Mapping[int, int], *, counts: bool) -> dict[str, Any]:
    """A result, its entries by their numbers."""
    names = ("kind", "status", "origin", "reason", "at", "confirms_at", "confirmed_at")
    lines = [
        {
            "entry": numbers.get(each["entry"]),
            "forfeit": bool(each.get("forfeit")),
            **{name: each.get(name) for name in ("score", "books", "outs")},
        }
        for each in row.lines
    ]
    return {
        **{name: getattr(row, name) for name in names},
        "id": row.pk,
        "counts": counts,
        "lines": lines,
        "winner": row.winner.number if row.winner else None,
        "for_entry": row.by_entry.number if row.by_entry else None,
    }


def a_page(rows: Iterable[Row], limit: int) -> tuple[list[Row], bool]:
    """A page of a list that was asked for one longer, and whether there is more."""
    found = list(rows)
    return found[:limit], len(found) > limit
