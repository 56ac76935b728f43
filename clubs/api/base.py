"""Shared parts of the API views of clubs: permissions, actions and their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import api_view, parser_classes, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import needs
from accounts.models import User
from acts.declaring import Declared
from acts.history import Actor
from acts.kinds import ByRow, Wrong
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.imports import tables
from clubs.models import Act, Club
from clubs.services import history
from clubs.services.history import ActionRequest
from gameplay.api import large_bodies
from gameplay.api.base import Input, player, read
from gameplay.api.limits import Json
from tournaments.api.base import action_request, may_look
from tournaments.api.base import reader as reader

View = Callable[..., Response]
Form = dict[str, Any]
Find = Callable[..., Any]
"""Finds a row of the club by the parts of an address. Raises `Http404`."""


# Permissions


MayLook = may_look("clubs_read")
"""Permission for everyone, as on the pages. A token that is sent must be one for seeing clubs."""


# Views


class LongJson(Json):
    """JSON that holds a whole table."""

    most = tables.MOST_SENT


def read_view(answer: Any, *, asks: type[Input] | None = None, name: str | None = None) -> Callable[[View], Any]:
    """Declare a view that only shows something, to everyone with access to the club."""

    def wrap(view: View) -> Any:
        endpoint = api_view(["GET"])(permission_classes([MayLook])(view))
        return describe(answer, asks=asks, name=name)(endpoint)

    return wrap


def inside_view(
    needed: str, answer: Any, *, asks: type[Input] | None = None, name: str | None = None
) -> Callable[[View], Any]:
    """Declare a view for people with the permission `needed` (`roles.ACTS`; empty if the view checks itself).

    The function takes the request, the club, and the rest of the address.
    """

    def wrap(view: View) -> Any:
        def inside(request: Request, /, club: str, **where: Any) -> Response:
            this_club = access.club_for(player(request), club, needed) if needed else access.open_club(club)
            return view(request, this_club, **where)

        inside.__doc__ = view.__doc__
        endpoint = api_view(["GET"])(permission_classes([needs("clubs_read")])(inside))
        return describe(answer, asks=asks, name=name)(endpoint)

    return wrap


def post_view(
    scope: str,
    answer: Any = response_serializers.ClubDone,
    *,
    takes: type[Input],
    status: int = 200,
    name: str | None = None,
    parser: type[Json] = Json,
    check: Callable[..., object] | None = None,
    example: Mapping[str, Any] | None = None,
) -> Callable[[View], Any]:
    """Declare a view that takes data, with the function’s docstring and an example in the schema.

    Before more of it is read than most views take, `check` is asked.
    """

    def wrap(view: View) -> Any:
        endpoint = api_view(["POST"])(permission_classes([needs(scope)])(parser_classes([parser])(view)))
        described = describe(answer, takes=takes, status=status, name=name, example=example)(endpoint)
        return large_bodies.takes(parser.most, check)(described)

    return wrap


def _right_to(needed: str) -> Callable[..., object]:
    """Checks the permission for an action, or without one that there is the club."""

    def check(request: Request, club: str, **where: Any) -> None:
        if needed:
            access.club_for(player(request), club, needed)
        else:
            access.open_club(club)

    return check


def preview_view(
    needed: str,
    answer: Any,
    *,
    takes: type[Input],
    find: Find | None = None,
    parser: type[Json] = Json,
    example: Mapping[str, Any] | None = None,
) -> Callable[[Callable[[Request, Action, Form], Response]], Any]:
    """Declare a view that takes data for a preview and changes nothing; `needed` as for an action.

    The function takes the request, the action and the data.
    """

    def wrap(show: Callable[[Request, Action, Form], Response]) -> Any:
        def view(request: Request, club: str, **where: Any) -> Response:
            by = player(request)
            this_club = access.club_for(by, club, needed)
            target = find(this_club, **where) if find else None
            return show(request, Action(by, this_club, target), read(takes, request.data))

        view.__doc__ = show.__doc__
        check = _right_to(needed)
        return post_view("clubs_run", answer, takes=takes, parser=parser, check=check, example=example)(view)

    return wrap


def describe(
    answer: Any,
    *,
    takes: type[Input] | None = None,
    asks: type[Input] | None = None,
    status: int = 200,
    name: str | None = None,
    example: Mapping[str, Any] | None = None,
) -> Callable[[Any], Any]:
    """Describe in the schema the input and the answer of a view; `example` is an input."""
    codes = {401, 403, 404, 429} | ({400, 422} if takes or asks else set()) | ({409, 413, 415} if takes else set())
    return extend_schema(
        operation_id=name,
        request=takes,
        parameters=None if asks is None else [asks],
        examples=None if example is None else [OpenApiExample("Sent", dict(example), request_only=True)],
        responses={status: answer, **dict.fromkeys(sorted(codes), response_serializers.ClubRefusal)},
    )


# Acts


@dataclass(frozen=True)
class Action:
    """An action as requested: by a user, on a club or one of its rows, with the options of the request."""

    by: User
    club: Club
    row: Any
    how: ActionRequest = field(default_factory=ActionRequest)


Do = Callable[[Action, Form], Act | Model]
"""Calls a service with the data sent; returns the act, or the row created."""


def act(
    needed: str,
    takes: type[Input] = request_serializers.ClubActing,
    *,
    find: Find | None = None,
    allow: Callable[[User, Any], None] | None = None,
    scope: str = "clubs_run",
    parser: type[Json] = Json,
    example: Mapping[str, Any] | None = None,
) -> Callable[[Do], Any]:
    """Declare a view that does one action in a club, or with `preview` only tries it out.

    `needed` is a permission (`roles.ACTS`), empty if `allow` or the service checks. It is checked before the data is
    read, and again by the service, under the lock.
    """

    def wrap(do: Do) -> Any:
        def view(request: Request, club: str, **where: Any) -> Response:
            by = player(request)
            this_club = access.club_for(by, club, needed) if needed else access.open_club(club)
            try:
                target = find(this_club, **where) if find else None
            except Http404:
                # The same request may have deleted the row.
                if (repeated := _repeated_act(request, this_club)) is None:
                    raise
                return done_response(this_club, repeated.sentence, act=repeated.pk)
            if allow is not None:
                allow(by, target)
            form = read(takes, request.data)
            return run_action(request, this_club, form, lambda how: do(Action(by, this_club, target, how), form))

        view.__doc__ = do.__doc__
        return post_view(scope, takes=takes, parser=parser, check=_right_to(needed), example=example)(view)

    return wrap


def declared_view(
    declared: Declared[Any, Any, Any, Act],
    *,
    find: Find | None = None,
    reads: Mapping[str, tuple[type[Input], Callable[[Form], Any]]] | None = None,
    scope: str = "clubs_run",
) -> Any:
    """Declare a view that does a declared act, described in the schema by the act’s own docstring and fields.

    `reads` has the keywords that are not annotated with a field, each with its fields and its reader.
    """
    rest = dict(reads or {})
    if missing := set(declared.rest) ^ set(rest):
        raise Wrong(f"{declared.__module__}.{declared.__name__}: who reads {', '.join(sorted(missing))}?")
    subject = declared.__module__.removesuffix(".services").rpartition(".")[2]
    title = "".join(word.title() for word in f"{subject}_{declared.__name__}".split("_"))
    bases: tuple[type[Input], ...] = (*(form for form, _ in rest.values()), request_serializers.ClubActing)
    takes = (
        type(title, bases, {**declared.fields, "__doc__": None})
        if declared.fields or rest
        else request_serializers.ClubActing
    )

    def do(action: Action, form: Form) -> Act:
        fields = {name: form[name] for name in declared.fields if name in form}
        values = {name: read(form) for name, (_, read) in rest.items()}
        return declared(action.row or action.club, Actor(action.by, **action.how), **fields, **values)

    do.__doc__ = declared.__doc__
    needed = declared.kind.needs
    allow = needed.check if isinstance(needed, ByRow) else None
    return act(needed if isinstance(needed, str) else "", takes, find=find, allow=allow, scope=scope)(do)


def _repeated_act(request: Request, club: Club) -> Act | None:
    """The act done under the key of this request; `None` without a key or for a new one."""
    key = request.data.get("key") if isinstance(request.data, Mapping) else None
    if not isinstance(key, str) or not key:
        return None
    acts = Act.objects.filter(club=club, by=player(request))
    return acts.filter(request_key=action_request(request, acts, {"key": key}).get("request_key")).first()


def run_action(request: Request, club: Club, form: Form, do: Callable[[ActionRequest], Act | Model]) -> Response:
    """Do an act by its service, or with `preview` only try it out; answer with the result."""
    acts = Act.objects.filter(club=club)
    if form.get("preview"):
        # With a key, the service would answer with the act done under it.
        how = action_request(request, acts, {name: value for name, value in form.items() if name != "key"})
        with history.rolled_back(club.pk):
            sentence = _act_of(club, do(how), how).sentence
        return done_response(club, sentence)
    how = action_request(request, acts, form)
    with transaction.atomic():
        result = do(how)
        act = _act_of(club, result, how)
    return done_response(club, act.sentence, act=act.pk, created=result)


def _act_of(club: Club, result: Act | Model, how: ActionRequest) -> Act:
    """The act that a service did. The act that created a row is the newest of the club, which is still locked."""
    if isinstance(result, Act):
        return result
    rows = Act.objects.filter(club=club)
    return rows.get(request_key=how["request_key"]) if how.get("request_key") else rows.latest("pk")


def done_response(club: Club, sentence: str, *, act: int | None = None, created: Model | None = None) -> Response:
    """The answer to an action: its sentence, the club’s version, and the row created."""
    summary = None
    if created is not None and not isinstance(created, Act):
        values = {name: getattr(created, name, None) for name in ("slug", "number")}
        summary = {"id": created.pk, "name": str(created), **values}
    version = Club.objects.values_list("version", flat=True).get(pk=club.pk)
    data = {"act": act, "sentence": sentence, "version": version, "made": summary}
    return Response(response_serializers.ClubDone(data).data)


def made_by(request: Request, kind: str) -> QuerySet[Act]:
    """The acts by which the sender created clubs: `make`, or `brought` from files."""
    return Act.objects.filter(by=player(request), kind=kind)
