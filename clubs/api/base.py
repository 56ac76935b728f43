"""What every door to clubs shares: who may come in, what an act is asked with, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import api_view, parser_classes, permission_classes
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import needs
from accounts.models import User
from acts.declaring import Declared
from acts.history import By
from acts.kinds import ByRow, Wrong
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.models import Act, Club
from clubs.services import history
from clubs.services.history import How
from gameplay.api.base import Input, player, read
from gameplay.api.limits import Json
from tournaments.api.base import how_of, may_look
from tournaments.api.base import reader as reader

View = Callable[..., Response]
Form = dict[str, Any]
Find = Callable[..., Any]
"""Finds a row of the club by what the address says of it. Raises `Http404`."""


# Who may


MayLook = may_look("clubs_read")
"""Anybody, as with the pages; a token that is sent must be one for seeing clubs."""


# Doors


class LongJson(Json):
    """JSON that holds a whole table."""

    most = 4_000_000


def look(answer: Any, *, asks: type[Input] | None = None, name: str | None = None) -> Callable[[View], Any]:
    """A view that only shows something, to anybody who may know of it."""

    def wrap(view: View) -> Any:
        made = api_view(["GET"])(permission_classes([MayLook])(view))
        return told(answer, asks=asks, name=name)(made)

    return wrap


def look_inside(
    needed: str, answer: Any, *, asks: type[Input] | None = None, name: str | None = None
) -> Callable[[View], Any]:
    """A view of what a club shows to some of its people: `needed` is what they must be allowed to do (`roles.ACTS`),
    empty where the function itself says who may.

    The function has the request, the club, and what else the address says.
    """

    def wrap(view: View) -> Any:
        def inside(request: Request, /, club: str, **where: Any) -> Response:
            own = access.club_for(player(request), club, needed) if needed else access.open_club(club)
            return view(request, own, **where)

        inside.__doc__ = view.__doc__
        made = api_view(["GET"])(permission_classes([needs("clubs_read")])(inside))
        return told(answer, asks=asks, name=name)(made)

    return wrap


def door(
    scope: str,
    answer: Any = response_serializers.ClubDone,
    *,
    takes: type[Input],
    status: int = 200,
    name: str | None = None,
    parsers: Sequence[type[BaseParser]] = (Json,),
    example: Mapping[str, Any] | None = None,
) -> Callable[[View], Any]:
    """A view that something is sent to, told of in the schema with the function's docstring and an example."""

    def wrap(view: View) -> Any:
        made = api_view(["POST"])(permission_classes([needs(scope)])(parser_classes(parsers)(view)))
        return told(answer, takes=takes, status=status, name=name, example=example)(made)

    return wrap


def outlook(
    needed: str,
    answer: Any,
    *,
    takes: type[Input],
    find: Find | None = None,
    parsers: Sequence[type[BaseParser]] = (Json,),
    example: Mapping[str, Any] | None = None,
) -> Callable[[Callable[[Request, Asked, Form], Response]], Any]:
    """A view that is sent something to look at, and changes nothing; `needed` as for an act.

    The function has the request, of whom and what it is asked, and what was sent.
    """

    def wrap(show: Callable[[Request, Asked, Form], Response]) -> Any:
        def view(request: Request, club: str, **where: Any) -> Response:
            by = player(request)
            own = access.club_for(by, club, needed)
            row = find(own, **where) if find else None
            return show(request, Asked(by, own, row), read(takes, request.data))

        view.__doc__ = show.__doc__
        return door("clubs_run", answer, takes=takes, parsers=parsers, example=example)(view)

    return wrap


def told(
    answer: Any,
    *,
    takes: type[Input] | None = None,
    asks: type[Input] | None = None,
    status: int = 200,
    name: str | None = None,
    example: Mapping[str, Any] | None = None,
) -> Callable[[Any], Any]:
    """Say in the schema what a view takes and answers; `example` is of what it takes."""
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
class Asked:
    """What an act is asked of: by whom, of which club and which row of it, and how."""

    by: User
    club: Club
    row: Any
    how: How = field(default_factory=How)


Do = Callable[[Asked, Form], Act | Model]
"""Calls a service with what was sent; an act, or the row that was made."""


def act(
    needed: str,
    takes: type[Input] = request_serializers.ClubActing,
    *,
    find: Find | None = None,
    allow: Callable[[User, Any], None] | None = None,
    scope: str = "clubs_run",
    parsers: Sequence[type[BaseParser]] = (Json,),
    example: Mapping[str, Any] | None = None,
) -> Callable[[Do], Any]:
    """A view that does one act in a club, or with `preview` only tries it out.

    `needed` is what one must be allowed to do (`roles.ACTS`), empty where `allow` or the service says who may. It is
    looked at before anything that was sent, and by the service once more, under the lock.
    """

    def wrap(do: Do) -> Any:
        def view(request: Request, club: str, **where: Any) -> Response:
            by = player(request)
            own = access.club_for(by, club, needed) if needed else access.open_club(club)
            try:
                row = find(own, **where) if find else None
            except Http404:
                # The same request may have taken the row away.
                if (known := _known(request, own)) is None:
                    raise
                return told_done(own, known.sentence, act=known.pk)
            if allow is not None:
                allow(by, row)
            form = read(takes, request.data)
            return done(request, own, form, lambda how: do(Asked(by, own, row, how), form))

        view.__doc__ = do.__doc__
        return door(scope, takes=takes, parsers=parsers, example=example)(view)

    return wrap


def opened(
    declared: Declared[Any, Any, Any, Act],
    *,
    find: Find | None = None,
    reads: Mapping[str, tuple[type[Input], Callable[[Form], Any]]] | None = None,
    scope: str = "clubs_run",
) -> Any:
    """A view that does a declared act, described in the schema by the act's own docstring and fields.

    `reads` has the keywords that are not annotated with a field, each with the fields it is sent as and how it is read.
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

    def do(asked: Asked, form: Form) -> Act:
        fields = {name: form[name] for name in declared.fields if name in form}
        found = {name: read(form) for name, (_, read) in rest.items()}
        return declared(asked.row or asked.club, By(asked.by, **asked.how), **fields, **found)

    do.__doc__ = declared.__doc__
    who = declared.kind.needs
    allow = who.check if isinstance(who, ByRow) else None
    return act(who if isinstance(who, str) else "", takes, find=find, allow=allow, scope=scope)(do)


def _known(request: Request, club: Club) -> Act | None:
    """What was done under the key of this very request; `None` where it has none, or it is new."""
    key = request.data.get("key") if isinstance(request.data, Mapping) else None
    if not isinstance(key, str) or not key:
        return None
    acts = Act.objects.filter(club=club, by=player(request))
    return acts.filter(request_key=how_of(request, acts, {"key": key}).get("request_key")).first()


def done(request: Request, club: Club, form: Mapping[str, Any], do: Callable[[How], Act | Model]) -> Response:
    """Do an act by its service, or with `preview` only try it out; what came of it."""
    acts = Act.objects.filter(club=club)
    if form.get("preview"):
        # A key would make the service answer with what was done under it.
        how = how_of(request, acts, {name: value for name, value in form.items() if name != "key"})
        with history.rolled_back(club.pk):
            sentence = _act_of(club, do(how), how).sentence
        return told_done(club, sentence)
    how = how_of(request, acts, form)
    with transaction.atomic():
        found = do(how)
        made = _act_of(club, found, how)
    return told_done(club, made.sentence, act=made.pk, row=found)


def _act_of(club: Club, found: Act | Model, how: How) -> Act:
    """The act that a service did; the one that made a row is the newest of the club, which is still locked."""
    if isinstance(found, Act):
        return found
    rows = Act.objects.filter(club=club)
    return rows.get(request_key=how["request_key"]) if how.get("request_key") else rows.latest("pk")


def told_done(club: Club, sentence: str, *, act: int | None = None, row: Model | None = None) -> Response:
    """What was done, or would be, and the row that was made."""
    made = None
    if row is not None and not isinstance(row, Act):
        made = {name: getattr(row, name, None) for name in ("slug", "number")} | {"id": row.pk, "name": str(row)}
    version = Club.objects.values_list("version", flat=True).get(pk=club.pk)
    data = {"act": act, "sentence": sentence, "version": version, "made": made}
    return Response(response_serializers.ClubDone(data).data)


def made_by(request: Request, kind: str) -> QuerySet[Act]:
    """The acts by which the sender made clubs: `make`, or `brought` from files."""
    return Act.objects.filter(by=player(request), kind=kind)
