"""Rows of events as the API shows them: plain records for the response serializers, without private data."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Prefetch, QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.api.tables import answer
from gameplay.house_rules.match_length import length_of
from tournaments import access, outcome, terms, ties
from tournaments.access import Player
from tournaments.api import response_serializers
from tournaments.board_numbers import labels_of
from tournaments.models import Entry, Member, Organiser, Pairing, Place, Result, Stage, StageEntry, Tournament
from tournaments.public import format_text, listing
from tournaments.public.names import Links, links_of
from tournaments.round_names import round_name
from tournaments.services.entries import enrolment
from tournaments.stage_state import moment_of

Row = TypeVar("Row")

# Events


def with_counts(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Events with their number of entries and their stages. Two queries."""
    return listing.with_counts(rows).prefetch_related(Prefetch("stages", Stage.objects.order_by("number")))


def line(event: Tournament) -> dict[str, Any]:
    """An event of a query by `with_counts`."""
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
    event = with_counts(Tournament.objects.filter(pk=event_id)).defer(None).get()
    return answer(request, response_serializers.WholeEvent, event_details(event, request.user), status=status)


def event_details(event: Tournament, player: Player) -> dict[str, Any]:
    """An event with its settings and stages, as this player sees it."""
    names = (
        "about", "side_size", "entries_close_at", "has_check_in", "check_in_from", "check_in_until", "is_rated",
        "confirm_hours", "no_show", "terms", "started_at",
    )  # fmt: skip
    role, member = access.role_of(player, event), access.own_member(player, event)
    owners = Organiser.objects.filter(tournament=event, role=Organiser.Role.OWNER).select_related("user")
    won = outcome.of(event, list(event.stages.all()))
    return {
        **line(event),
        **{name: getattr(event, name) for name in names},
        "ruleset": event.rules.name,
        "rules": event.rules.write(),
        "length": length_of(event.rules),
        "lots": event.lots if event.has_begun else "",
        "stages": [stage(each, is_organiser=bool(role)) for each in event.stages.all()],
        "organisers": [str(owner.user) for owner in owners],
        "your_role": role,
        "your_entry": member.entry.number if member else None,
        "champions": [entry.name for entry in won.champions] if event.status == Tournament.Status.OVER else [],
        "outcome": won.sentence,
        "lot_commitment": ties.lot_commitment(event),
    }


def stage(stage: Stage, *, is_organiser: bool) -> dict[str, Any]:
    """A stage of an event."""
    names = ("number", "name", "status", "go_round", "started_at", "ended_at")
    (words,) = format_text.stages([stage])
    return {
        **{name: getattr(stage, name) for name in names},
        "format": words.plan.format,
        "sentences": words.sentences,
        "plan": stage.plan_json,
        "trouble": stage.trouble if is_organiser else "",
    }


# Entries


def entry(entry: Entry) -> dict[str, Any]:
    """An entry whose `members` hold the people who have not left or declined."""
    return {
        **{name: getattr(entry, name) for name in ("number", "name", "status", "seed", "is_here")},
        "members": [member(person) for person in entry.members.all()],
    }


def member(member: Member) -> dict[str, Any]:
    """A person of an entry, without their address or the token of their invitation."""
    data = {name: getattr(member, name) for name in ("name", "role", "is_captain", "answer")}
    return {**data, "id": member.pk, "has_account": member.user_id is not None}


def entry_answer(request: Request, event: Tournament, row: Entry, *, status: int = 200) -> Response:
    """An entry as it is now, with its part in each stage."""
    fresh = enrolment.list_entries(event).get(pk=row.pk)
    event.refresh_from_db(fields=["version"])
    parts = StageEntry.objects.filter(entry=row).select_related("stage").order_by("stage__number")
    data = {**entry(fresh), "stages": [in_stage(part) for part in parts], "version": event.version}
    return answer(request, response_serializers.WholeEntry, data, status=status)


def in_stage(part: StageEntry) -> dict[str, Any]:
    """An entry's part in a stage."""
    names = ("position", "group", "first_round", "last_round", "start_points", "byes")
    return {**{name: getattr(part, name) for name in names}, "stage": part.stage.number}


# Matches


def with_places(rows: QuerySet[Pairing]) -> QuerySet[Pairing]:
    """Matches with everything that is shown of them: two queries."""
    places = Prefetch("places", Place.objects.select_related("entry"))
    return rows.select_related("round__stage__tournament").prefetch_related(places)


def matches(rows: Iterable[Pairing]) -> list[dict[str, Any]]:
    """Matches of a query of `with_places`."""
    links: dict[str, Links] = {}
    data = []
    for pairing in rows:
        event = pairing.round.stage.tournament
        data.append(match(pairing, links.setdefault(event.slug, links_of(event))))
    return data


def match(pairing: Pairing, links: Links) -> dict[str, Any]:
    """A match with its places."""
    names = (
        "name", "group", "status", "is_online", "is_fixed", "is_walkover", "starts_at", "opened_at", "done_at",
    )  # fmt: skip
    of = pairing.round.stage
    return {
        **{name: getattr(pairing, name) for name in names},
        "id": pairing.pk,
        "event": links.slug,
        "stage": of.number,
        "round": pairing.round.number,
        "round_name": round_name(pairing.round.name),
        "table": pairing.number,
        "boards": labels_of(pairing.boards, of.tournament.rules) if pairing.boards else [],
        "deadline_at": moment_of(pairing),
        "length": length_of(terms.of_round(pairing.round).rules),
        "url": f"{settings.SITE_URL}{links.match(of.number, pairing.name)}",
        "places": [place(seat) for seat in pairing.places.all()],
    }


def place(place: Place) -> dict[str, Any]:
    """A seat of a match."""
    return {
        **{name: getattr(place, name) for name in ("number", "side", "source", "points", "score", "rank")},
        "entry": place.entry.number if place.entry else None,
        "name": place.entry.name if place.entry else "",
    }


def results(pairing: Pairing) -> list[dict[str, Any]]:
    """Every entered result of a match, newest first: two queries."""
    rows = list(Result.objects.filter(pairing=pairing).select_related("by_entry", "winner").order_by("-pk"))
    ids = {line["entry"] for report in rows for line in report.lines}
    numbers = dict(Entry.objects.filter(pk__in=ids).values_list("pk", "number"))
    return [result(report, numbers, counts=report.pk == pairing.result_id) for report in rows]


def result(result: Result, numbers: Mapping[int, int], *, counts: bool) -> dict[str, Any]:
    """A result, its entries by their numbers."""
    names = ("kind", "status", "origin", "reason", "at", "confirms_at", "confirmed_at")
    lines = [
        {
            "entry": numbers.get(each["entry"]),
            "forfeit": bool(each.get("forfeit")),
            **{name: each.get(name) for name in ("score", "books", "outs", "deals")},
        }
        for each in result.lines
    ]
    return {
        **{name: getattr(result, name) for name in names},
        "id": result.pk,
        "counts": counts,
        "lines": lines,
        "winner": result.winner.number if result.winner else None,
        "for_entry": result.by_entry.number if result.by_entry else None,
    }


def a_page(rows: Iterable[Row], limit: int) -> tuple[list[Row], bool]:
    """A page of a list that was read one row longer, and whether there is more."""
    page = list(rows)
    return page[:limit], len(page) > limit
