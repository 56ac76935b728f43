"""Doors to those who organise an event, and to its history."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404
from django.utils.translation import gettext
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import needs
from gameplay.api.base import player, read, read_query
from gameplay.api.tables import answer
from tournaments import access
from tournaments.api import facts, request_serializers, response_serializers
from tournaments.api.base import done, door, look, made_row, organised, reader, told
from tournaments.models import Act, Organiser, Tournament
from tournaments.organiser import action_diff
from tournaments.organiser.overview import is_undone
from tournaments.services import history
from tournaments.services.events import organisers

PUBLIC = (
    "announce", "entries", "start", "go", "result", "walkover", "silence", "take_back", "withdraw", "disqualify",
    "reinstate", "late", "redraw", "pair", "admit", "challenge", "end_ladder", "cancel", "undo",
)  # fmt: skip
"""Kinds of acts that everybody may read of: what changed the draw or the standings. Others are between organisers and
players, such as who was asked, who is here and what was said to all."""


class Organisers(APIView):
    """A list, and a way to add to it."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")()]

    @told(response_serializers.Organisers, name="events_organisers_list")
    def get(self, request: Request, event: str) -> Response:
        """The organisers and their roles. For organisers."""
        found = organised(request, event, "look")
        rows = Organiser.objects.filter(tournament=found).select_related("user")
        return answer(request, response_serializers.Organisers, {"organisers": [_organiser(row) for row in rows]})

    @told(
        response_serializers.OrganiserShape,
        takes=request_serializers.NewOrganiser,
        status=201,
        name="events_organisers_create",
    )
    def post(self, request: Request, event: str) -> Response:
        """Add an account as an organiser."""
        found = organised(request, event, "organisers")
        form = read(request_serializers.NewOrganiser, request.data)
        add = partial(organisers.add_organiser, found.pk, player(request), who=form["who"], role=form["role"])
        return made_row(
            request,
            found,
            form,
            add,
            lambda row: answer(request, response_serializers.OrganiserShape, _organiser(row), status=201),
        )


def _organiser(row: Organiser) -> dict[str, Any]:
    return {"id": row.pk, "name": str(row.user), "role": row.role}


@door("POST", "events_organise", takes=request_serializers.OrganiserRole)
def role(request: Request, event: str, organiser: int) -> Response:
    """Give an organiser another role."""
    found = organised(request, event, "organisers")
    row = _row(found, organiser)
    form = read(request_serializers.OrganiserRole, request.data)
    return done(request, found, form, partial(organisers.change_role, row.pk, player(request), role=form["role"]))


@door("POST", "events_organise", takes=request_serializers.Acting)
def remove(request: Request, event: str, organiser: int) -> Response:
    """Remove an organiser. Everyone can remove themselves."""
    found = organised(request, event, "look")
    row = _row(found, organiser)
    if row.user_id != player(request).pk:
        access.check(player(request), found, "organisers")
    form = read(request_serializers.Acting, request.data)
    return done(request, found, form, partial(organisers.remove_organiser, row.pk, player(request)))


def _row(event: Tournament, organiser: int) -> Organiser:
    found = Organiser.objects.filter(tournament=event, pk=organiser).first()
    if found is None:
        raise Http404(gettext("Organiser not found."))
    return found


# History


@look(response_serializers.History, asks=request_serializers.WhichActs, name="events_history_list")
def acts(request: Request, event: str) -> Response:
    """Actions, newest first. Organisers see all. Others see changes of the draw or the standings."""
    found = access.open_event(reader(request), event)
    query, role = read_query(request_serializers.WhichActs, request), access.role_of(reader(request), found)
    rows = Act.objects.filter(tournament=found).select_related("undone_by").order_by("-pk")
    if not role:
        rows = rows.filter(kind__in=PUBLIC)
    if "before" in query:
        rows = rows.filter(pk__lt=query["before"])
    page, more = facts.a_page(rows[: query["limit"] + 1], query["limit"])
    names = action_diff.names_of(page) if role else None
    told = [_act(row, request, role, names) for row in page]
    return answer(request, response_serializers.History, {"acts": told, "more": more, "version": found.version})


def _act(row: Act, request: Request, role: str, names: action_diff.Names | None) -> dict[str, Any]:
    """A line of the history; its raw changes hold what is nobody's to see."""
    lines, more = action_diff.in_words(row, names) if names is not None else ([], 0)
    may = not is_undone(row) and history.may_undo(reader(request), row, role)
    return {
        **{name: getattr(row, name) for name in ("at", "kind", "sentence")},
        "id": row.pk,
        "by": row.name if role else "",
        "reason": row.reason if role else "",
        "changes": [{"what": one.what, "was": one.was, "became": one.became} for one in lines],
        "more_changes": more,
        "undoes": row.undoes_id,
        "is_undone": is_undone(row),
        "can_undo": may,
    }


@door("POST", "events_organise", takes=request_serializers.Acting)
def undo(request: Request, event: str, act: int) -> Response:
    """Undo an action. `preview` shows the effects first."""
    found = organised(request, event, "look")
    row = Act.objects.filter(tournament=found, pk=act).first()
    if row is None:
        raise Http404(gettext("Action not found."))
    form = read(request_serializers.Acting, request.data)
    return done(request, found, form, partial(history.undo, row.pk, by=player(request)))
