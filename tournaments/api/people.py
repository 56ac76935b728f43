"""API views for the organisers of an event, and for its history."""

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
from tournaments.api.base import add_row, described, do_act, door, organised, read_view, reader
from tournaments.models import Act, Organiser, Tournament
from tournaments.organiser import action_diff
from tournaments.organiser.overview import is_undone
from tournaments.services import history
from tournaments.services.events import organisers

PUBLIC = (
    "announce", "entries", "start", "go", "result", "walkover", "silence", "take_back", "withdraw", "disqualify",
    "reinstate", "late", "draw_again", "redraw", "pair", "admit", "tie", "challenge", "end_ladder", "cancel", "undo",
)  # fmt: skip
"""Kinds of acts that everyone may read: changes of the draw or the standings. Others are between organisers and
players, such as invitations, check-in and announcements."""


class Organisers(APIView):
    """The list of organisers, and adding to it."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")()]

    @described(response_serializers.Organisers, name="events_organisers_list")
    def get(self, request: Request, event: str) -> Response:
        """The organisers and their roles. For organisers."""
        tournament = organised(request, event, "look")
        rows = Organiser.objects.filter(tournament=tournament).select_related("user")
        return answer(request, response_serializers.Organisers, {"organisers": list(map(_organiser, rows))})

    @described(
        response_serializers.OrganiserShape,
        takes=request_serializers.NewOrganiser,
        status=201,
        name="events_organisers_create",
    )
    def post(self, request: Request, event: str) -> Response:
        """Add an account as an organiser."""
        tournament = organised(request, event, "organisers")
        form = read(request_serializers.NewOrganiser, request.data)
        add = partial(organisers.add_organiser, tournament.pk, player(request), person=form["who"], role=form["role"])
        shape = partial(answer, request, response_serializers.OrganiserShape, status=201)
        return add_row(request, tournament, form, add, lambda organiser: shape(_organiser(organiser)))


def _organiser(organiser: Organiser) -> dict[str, Any]:
    return {"id": organiser.pk, "name": str(organiser.user), "role": organiser.role}


@door("POST", "events_organise", takes=request_serializers.OrganiserRole)
def role(request: Request, event: str, organiser: int) -> Response:
    """Give an organiser another role."""
    tournament = organised(request, event, "organisers")
    organiser_ = _find_organiser(tournament, organiser)
    form = read(request_serializers.OrganiserRole, request.data)
    act = partial(organisers.change_role, organiser_.pk, player(request), role=form["role"])
    return do_act(request, tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Acting)
def remove(request: Request, event: str, organiser: int) -> Response:
    """Remove an organiser. Everyone can remove themselves."""
    tournament = organised(request, event, "look")
    organiser_ = _find_organiser(tournament, organiser)
    if organiser_.user_id != player(request).pk:
        access.check(player(request), tournament, "organisers")
    form = read(request_serializers.Acting, request.data)
    return do_act(request, tournament, form, partial(organisers.remove_organiser, organiser_.pk, player(request)))


def _find_organiser(event: Tournament, organiser: int) -> Organiser:
    organiser_ = Organiser.objects.filter(tournament=event, pk=organiser).first()
    if organiser_ is None:
        raise Http404(gettext("Organiser not found."))
    return organiser_


# History


@read_view(response_serializers.History, asks=request_serializers.WhichActs, name="events_history_list")
def acts(request: Request, event: str) -> Response:
    """Actions, newest first. Organisers see all. Others see changes of the draw or the standings."""
    tournament = access.open_event(reader(request), event)
    query, role = read_query(request_serializers.WhichActs, request), access.role_of(reader(request), tournament)
    rows = Act.objects.filter(tournament=tournament).select_related("undone_by").order_by("-pk")
    if not role:
        rows = rows.filter(kind__in=PUBLIC)
    if "before" in query:
        rows = rows.filter(pk__lt=query["before"])
    page, more = facts.a_page(rows[: query["limit"] + 1], query["limit"])
    names = action_diff.names_of(page) if role else None
    lines = [_act(act, request, role, names) for act in page]
    return answer(request, response_serializers.History, {"acts": lines, "more": more, "version": tournament.version})


def _act(act: Act, request: Request, role: str, names: action_diff.Names | None) -> dict[str, Any]:
    """A line of the history, without its raw changes, which contain private data."""
    lines, more = action_diff.list_changes(act, names) if names is not None else ([], 0)
    may = not is_undone(act) and history.may_undo(reader(request), act, role)
    return {
        **{name: getattr(act, name) for name in ("at", "kind", "sentence")},
        "id": act.pk,
        "by": act.name if role else "",
        "reason": act.reason if role else "",
        "changes": [{"what": change.what, "was": change.was, "became": change.became} for change in lines],
        "more_changes": more,
        "undoes": act.undoes_id,
        "is_undone": is_undone(act),
        "can_undo": may,
    }


@door("POST", "events_organise", takes=request_serializers.Acting)
def undo(request: Request, event: str, act: int) -> Response:
    """Undo an action. `preview` shows the effects first."""
    tournament = organised(request, event, "look")
    act_ = Act.objects.filter(tournament=tournament, pk=act).first()
    if act_ is None:
        raise Http404(gettext("Action not found."))
    form = read(request_serializers.Acting, request.data)
    return do_act(request, tournament, form, partial(history.undo, act_.pk, by=player(request)))
