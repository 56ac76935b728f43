"""What every door to events shares: who may come in, what an act is asked with, and how it is answered."""

from __future__ import annotations

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
from tournaments.services.records import How
from tournaments.services.stages.redraws import Preview
from web.errors import Refused

View = Callable[..., Response]


# Who may


def may_look(scope: str) -> type[BasePermission]:
    """A permission class: anybody, as with the pages; a token that is sent must have this scope of `accounts.scopes`."""

    class MayLook(BasePermission):
        message = f"This needs a token with the scope “{scope}”."
        lets_anybody_in = True

        def has_permission(self, request: Request, view: APIView) -> bool:
            return not isinstance(request.auth, ApiToken) or scope in request.auth.scopes

    return MayLook


MayLook = may_look("events_read")


def reader(request: Request) -> Player:
    """Whoever looks, signed in or not."""
    return request.user


def organised(request: Request, slug: str, act: str) -> Tournament:
    """The event, for an organiser who may do this (`roles.ACTS`). Raises `Http404` or `NotAllowed`."""
    return access.organiser(player(request), slug, act)


# Doors


def look(answer: Any, *, asks: type[Input] | None = None, name: str | None = None) -> Callable[[View], Any]:
    """A view that only shows something, to anybody who may know of it."""

    def wrap(view: View) -> Any:
        made = api_view(["GET"])(permission_classes([MayLook])(view))
        return told(answer, asks=asks, name=name)(made)

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
    """A view for one method and one scope, told of in the schema with the function's docstring."""

    def wrap(view: View) -> Any:
        made = api_view([method])(permission_classes([needs(scope)])(view))
        return told(answer, takes=takes, asks=asks, status=status, name=name)(made)

    return wrap


def told(
    answer: Any,
    *,
    takes: type[Input] | None = None,
    asks: type[Input] | None = None,
    status: int = 200,
    name: str | None = None,
) -> Callable[[Any], Any]:
    """Say in the schema what a view takes and answers. What makes a row can be tried out, which answers 200."""
    codes = {401, 403, 404, 429} | ({400, 422} if takes or asks else set()) | ({409, 413, 415} if takes else set())
    tried = {200: response_serializers.Done} if takes and status == 201 else {}
    return extend_schema(
        operation_id=name,
        request=takes,
        parameters=None if asks is None else [asks],
        responses={**tried, status: answer, **dict.fromkeys(sorted(codes), response_serializers.EventRefusal)},
    )


class Pair(NamedTuple):
    """Two doors to one act: for a player's own entry, and for an organiser's any."""

    own: Any
    organiser: Any


def twice(
    act: str, takes: type[Input], answer: Any = response_serializers.Done, *, status: int = 200
) -> Callable[[View], Pair]:
    """Two doors for an act on an entry; `act` is what an organiser must be allowed to do.

    The function has the request, the entry with its event, and what was sent.
    """

    def wrap(view: View) -> Pair:
        def own(request: Request, event: str) -> Response:
            tournament, entry = access.own_entry(player(request), event)
            entry.tournament = tournament
            return view(request, entry, read(takes, request.data))

        def by_organiser(request: Request, event: str, entry: int) -> Response:
            found = entry_of(organised(request, event, act), entry)
            return view(request, found, read(takes, request.data))

        own.__doc__ = by_organiser.__doc__ = view.__doc__
        return Pair(
            door("POST", "events_enter", answer, takes=takes, status=status)(own),
            door("POST", "events_organise", answer, takes=takes, status=status)(by_organiser),
        )

    return wrap


# Acts


def how_of(request: Request, acts: QuerySet[Any], form: Mapping[str, Any], *, sent: object = None) -> How:
    """How an act is asked for: its key, the version that was seen, and a reason, as far as they were sent.

    `acts` are rows with a `request_key` that may know the key: those of the event or club, or what the sender has made.
    `sent` stands for the body where that is no JSON. Raises `Refused` for a key that was sent with something else.
    """
    how: How = {}
    if "reason" in form:
        how["reason"] = form["reason"].strip()
    if form.get("seen") is not None:
        how["seen"] = form["seen"]
    if form.get("key"):
        how["request_key"] = _stored_key(request, acts, form["key"], request.data if sent is None else sent)
    return how


def made_by(request: Request) -> QuerySet[Act]:
    """The acts by which the sender made events."""
    return Act.objects.filter(by=player(request), kind="make")


def _stored_key(request: Request, acts: QuerySet[Any], key: str, sent: object) -> str:
    """A person's name for a request, as it is stored: with what was sent, so that it stands for that alone."""
    own = _digest(f"{player(request).pk}:{key}")
    full = own + _digest(request.path + json.dumps(sent, sort_keys=True))
    if acts.filter(request_key__startswith=own).exclude(request_key=full).exists():
        raise Refused("key_used", gettext("This key was already sent for something else. Choose another key."))
    return full


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def done(request: Request, tournament: Tournament, form: Mapping[str, Any], act: Callable[..., Act]) -> Response:
    """Do an act of the event by its service, or with `preview` only try it out; what came of it.

    `act` takes the key, the version and the reason by name, as far as they were sent.
    """
    if form.get("preview"):
        return tried(request, tournament, form, act)
    made = act(**how_of(request, _acts(tournament), form))
    return _answer(tournament, made.sentence, act=made.pk)


def tried(request: Request, tournament: Tournament, form: Mapping[str, Any], act: Callable[..., Any]) -> Response:
    """What an act would bring about. Nothing is changed; `act` may return the row that it would make."""
    # A key would make the services answer with what was done under it.
    how = how_of(request, _acts(tournament), {name: value for name, value in form.items() if name != "key"})

    def do() -> Act:
        made = act(**how)
        return made if isinstance(made, Act) else _acts(tournament).latest("pk")

    sentence, seen = preview_of(tournament.pk, do)
    return foreseen(tournament, sentence, seen)


def foreseen(tournament: Tournament, sentence: str, seen: Preview) -> Response:
    """An act that was only tried out."""
    lines = [{"sign": line.sign, "sentence": line.sentence} for line in seen.lines]
    return _answer(tournament, sentence, preview={"lines": lines, "has_choice": seen.has_choice})


def made_row(
    request: Request,
    tournament: Tournament,
    form: Mapping[str, Any],
    act: Callable[..., Model],
    shown: Callable[[Any], Response],
) -> Response:
    """Do an act that makes a row, and show that; with `preview` only try it out."""
    if form.get("preview"):
        return tried(request, tournament, form, act)
    return shown(act(**how_of(request, _acts(tournament), form)))


def _acts(tournament: Tournament) -> QuerySet[Act]:
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


def file_door(may: type[BasePermission], refusal: type[Output], *, kind: str = FILE) -> Callable[[Any], Any]:
    """A view that answers with a file, whose kind the end of its address says unless it is told here."""

    def wrap(view: Any) -> Any:
        made = api_view(["GET"])(permission_classes([may])(view))
        codes = dict.fromkeys((401, 403, 404, 429), refusal)
        content = OpenApiTypes.OBJECT if kind.endswith("json") else OpenApiTypes.BINARY
        return extend_schema(responses={(200, kind): content, **codes})(made)

    return wrap


def page_at(request: Request, address: str) -> HttpResponse:
    """What the page at an address answers to the bearer of the token."""
    found = resolve(address)
    asked = request._request
    asked.player = reader(request)  # type: ignore[attr-defined]
    response: HttpResponse = found.func(asked, *found.args, **found.kwargs)
    if request.auth is not None:
        response["Cache-Control"] = "private, no-cache"
    return response


# Rows of an event


def entry_ids(tournament: Tournament, numbers: list[int]) -> list[int]:
    """Ids of entries by their numbers, in that order: one query. Raises `Refused` for one that is not there."""
    known = dict(Entry.objects.filter(tournament=tournament, number__in=numbers).values_list("number", "pk"))
    if missing := [number for number in numbers if number not in known]:
        raise Refused("no_such_entry", gettext("Entry %(missing)s not found in this event.") % {"missing": missing[0]})
    return [known[number] for number in numbers]
