"""Shared parts of the API views for events: permissions, arguments of an act, answers."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.urls import resolve
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import needs
from accounts.models import ApiToken
from gameplay.api.base import Input, Output, player, read
from gameplay.api.schema import FILE
from tournaments import access
from tournaments.access import Player
from tournaments.api import response_serializers
from tournaments.lookups import entry_of
from tournaments.models import Act, Entry, Tournament
from tournaments.services.previews import preview_of
from tournaments.services.records import ActionRequest
from tournaments.services.stages.redraws import Preview
from web.errors import Refused, key_used

View = Callable[..., Response]
Form = Mapping[str, Any]


# Permissions


def may_look(scope: str) -> type[BasePermission]:
    """A permission class: anyone, as with the pages; a token that is sent must have this scope of `accounts.scopes`."""

    class MayLook(BasePermission):
        message = f"This needs a token with the scope “{scope}”."
        lets_anybody_in = True

        def has_permission(self, request: Request, view: APIView) -> bool:
            return not isinstance(request.auth, ApiToken) or scope in request.auth.scopes

    return MayLook


MayLook = may_look("events_read")


def reader(request: Request) -> Player:
    """The reader, signed in or not."""
    return request.user


def organised(request: Request, slug: str, act: str) -> Tournament:
    """The event, for organisers with this right (`roles.ACTS`). Raises `Http404` or `NotAllowed`."""
    return access.organiser(player(request), slug, act)


# Decorators of views


def read_view(answer: Any, *, asks: type[Input] | None = None, name: str | None = None) -> Callable[[View], Any]:
    """A view that only shows something, to anyone who may see the event."""

    def wrap(view: View) -> Any:
        endpoint = api_view(["GET"])(permission_classes([MayLook])(view))
        return described(answer, asks=asks, name=name)(endpoint)

    return wrap


def door(
    method: str,
    scope: str,
    answer: Any = response_serializers.Done,
    *,
    takes: type[Input] | None = None,
    asks: type[Input] | None = None,
    status: int = 200,
    name: str | None = None,
) -> Callable[[View], Any]:
    """A view for one method and one scope, described in the schema by the function's docstring."""

    def wrap(view: View) -> Any:
        endpoint = api_view([method])(permission_classes([needs(scope)])(view))
        return described(answer, takes=takes, asks=asks, status=status, name=name)(endpoint)

    return wrap


def described(
    answer: Any,
    *,
    takes: type[Input] | None = None,
    asks: type[Input] | None = None,
    status: int = 200,
    name: str | None = None,
) -> Callable[[Any], Any]:
    """Describe a view in the schema: its input and answers. A preview of a view that makes a row answers 200."""
    codes = {401, 403, 404, 429} | ({400, 422} if takes or asks else set()) | ({409, 413, 415} if takes else set())
    tried = {200: response_serializers.Done} if takes and status == 201 else {}
    return extend_schema(
        operation_id=name,
        request=takes,
        parameters=None if asks is None else [asks],
        responses={**tried, status: answer, **dict.fromkeys(sorted(codes), response_serializers.EventRefusal)},
    )


class ViewPair(NamedTuple):
    """Two API views for one act: for a player's own entry, and for any entry by an organiser."""

    player: Any
    organiser: Any


def entry_views(
    act: str, takes: type[Input], answer: Any = response_serializers.Done, *, status: int = 200
) -> Callable[[View], ViewPair]:
    """Two API views for an act on an entry; `act` is the right that an organiser needs.

    The function gets the request, the entry with its event, and the form.
    """

    def wrap(view: View) -> ViewPair:
        def by_player(request: Request, event: str) -> Response:
            tournament, entry = access.own_entry(player(request), event)
            entry.tournament = tournament
            return view(request, entry, read(takes, request.data))

        def by_organiser(request: Request, event: str, entry: int) -> Response:
            return view(request, entry_of(organised(request, event, act), entry), read(takes, request.data))

        by_player.__doc__ = by_organiser.__doc__ = view.__doc__
        return ViewPair(
            door("POST", "events_enter", answer, takes=takes, status=status)(by_player),
            door("POST", "events_organise", answer, takes=takes, status=status)(by_organiser),
        )

    return wrap


# Acts


def action_request(request: Request, acts: QuerySet[Any], form: Form, *, sent: object = None) -> ActionRequest:
    """The arguments of an act that were sent: its key, the version that was seen, and a reason.

    `acts` are rows with a `request_key` that may know the key: those of the event or club, or those made by the sender.
    `sent` replaces the body if that is no JSON. Raises `Refused` for a key that was sent with something else.
    """
    how: ActionRequest = {}
    if "reason" in form:
        how["reason"] = form["reason"].strip()
    if form.get("seen") is not None:
        how["seen"] = form["seen"]
    if form.get("key"):
        how["request_key"] = _stored_key(request, acts, form["key"], request.data if sent is None else sent)
    return how


def creation_key(request: Request, form: Form) -> str | None:
    """The key for creating an event, as it is stored; `None` without one."""
    return action_request(request, Act.objects.filter(by=player(request), kind="make"), form).get("request_key")


def _stored_key(request: Request, acts: QuerySet[Any], key: str, sent: object) -> str:
    """A person's name for a request, as it is stored: with the body, so that it is good for that body alone."""
    prefix = _digest(f"{player(request).pk}:{key}")
    full = prefix + _digest(request.path + json.dumps(sent, sort_keys=True))
    if acts.filter(request_key__startswith=prefix).exclude(request_key=full).exists():
        raise key_used()
    return full


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def do_act(request: Request, tournament: Tournament, form: Form, service: Callable[..., Act]) -> Response:
    """Do an act of the event by its service, or with `preview` only try it out, and answer with the result.

    `service` takes the key, the version and the reason by name, as far as they were sent.
    """
    if form.get("preview"):
        return preview_act(request, tournament, form, service)
    act = service(**action_request(request, acts_of(tournament), form))
    return _answer(tournament, act.sentence, act=act.pk)


def preview_act(request: Request, tournament: Tournament, form: Form, service: Callable[..., Any]) -> Response:
    """Answer with the effects of an act. Nothing is changed; `service` may return the row that it would make."""
    # With a key, the services would answer with the act already done under it.
    how = action_request(request, acts_of(tournament), {name: value for name, value in form.items() if name != "key"})

    def do() -> Act:
        row = service(**how)
        return row if isinstance(row, Act) else acts_of(tournament).latest("pk")

    sentence, preview = preview_of(tournament.pk, do)
    return preview_answer(tournament, sentence, preview)


def preview_answer(tournament: Tournament, sentence: str, preview: Preview) -> Response:
    """The answer to an act that was only tried out."""
    lines = [{"sign": line.sign, "sentence": line.sentence} for line in preview.lines]
    return _answer(tournament, sentence, preview={"lines": lines, "has_choice": preview.has_choice})


def add_row(
    request: Request, tournament: Tournament, form: Form, service: Callable[..., Model], show: Callable[[Any], Response]
) -> Response:
    """Do an act that makes a row, and answer with the row; with `preview` only try it out."""
    if form.get("preview"):
        return preview_act(request, tournament, form, service)
    return show(service(**action_request(request, acts_of(tournament), form)))


def acts_of(tournament: Tournament) -> QuerySet[Act]:
    """The history of an event, whose keys are not used twice."""
    return Act.objects.filter(tournament=tournament)


def _answer(
    tournament: Tournament, sentence: str, *, act: int | None = None, preview: dict[str, Any] | None = None
) -> Response:
    tournament.refresh_from_db(fields=["version", "status"])
    data = {
        "act": act,
        "sentence": sentence,
        "version": tournament.version,
        "status": tournament.status,
        "preview": preview,
    }
    return Response(response_serializers.Done(data).data)


# Files


def file_view(may: type[BasePermission], refusal: type[Output], *, kind: str = FILE) -> Callable[[Any], Any]:
    """A view that answers with a file, of the kind that its address ends in, or of this `kind`."""

    def wrap(view: Any) -> Any:
        endpoint = api_view(["GET"])(permission_classes([may])(view))
        codes = dict.fromkeys((401, 403, 404, 429), refusal)
        content = OpenApiTypes.OBJECT if kind.endswith("json") else OpenApiTypes.BINARY
        return extend_schema(responses={(200, kind): content, **codes})(endpoint)

    return wrap


def page_at(request: Request, address: str) -> HttpResponse:
    """The answer of the page at an address to the bearer of the token."""
    view = resolve(address)
    http_request = request._request
    http_request.player = reader(request)  # type: ignore[attr-defined]
    response: HttpResponse = view.func(http_request, *view.args, **view.kwargs)
    if request.auth is not None:
        response["Cache-Control"] = "private, no-cache"
    return response


# Rows of an event


def entry_ids(tournament: Tournament, numbers: list[int]) -> list[int]:
    """Ids of entries by their numbers, in that order: one query. Raises `Refused` for an unknown number."""
    ids = dict(Entry.objects.filter(tournament=tournament, number__in=numbers).values_list("number", "pk"))
    if missing := [number for number in numbers if number not in ids]:
        raise Refused("no_such_entry", gettext("Entry %(missing)s not found in this event.") % {"missing": missing[0]})
    return [ids[number] for number in numbers]
