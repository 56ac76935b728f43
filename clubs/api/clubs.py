"""Doors to clubs: finding and making them, their settings, their table of roles, their history, letting them rest."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings as site
from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import needs
from accounts.models import User
from clubs import access
from clubs.access import Player
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Asked, Form, MayLook, act, look, look_inside, made_by, opened, reader, told
from clubs.api.people import asked_line
from clubs.models import Act, Club, JoinRequest, Membership
from clubs.organiser import action_diff
from clubs.public import overview
from clubs.roles import ACTS, RANKS, ROLES
from clubs.services import club_lifecycle, history
from clubs.services import settings as services
from gameplay.access import is_member
from gameplay.api.base import player, read, read_query
from gameplay.api.tables import answer
from tournaments.api import facts
from tournaments.api.base import how_of
from tournaments.api.response_serializers import EventPage
from tournaments.models import Tournament

SETTINGS = frozenset(request_serializers.ClubSettings().fields)


class Clubs(APIView):
    """A list, and a way to add to it: two scopes at one address."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("clubs_run")() if self.request.method == "POST" else MayLook()]

    @told(response_serializers.ClubPage, asks=request_serializers.WhichClubs, name="clubs_list")
    def get(self, request: Request) -> Response:
        """Public clubs, or with `which=mine` your own, by name. Needs no token."""
        query = read_query(request_serializers.WhichClubs, request)
        found, after, limit = _found(reader(request), query), query["after"], query["limit"]
        rows = list(found.order_by("name", "pk")[after : after + limit + 1])
        data = {"clubs": [line(row) for row in rows[:limit]], "more": len(rows) > limit}
        return answer(request, response_serializers.ClubPage, data)

    @told(response_serializers.WholeClub, takes=request_serializers.NewClub, status=201, name="clubs_create")
    def post(self, request: Request) -> Response:
        """Start a club and become its owner."""
        form = read(request_serializers.NewClub, request.data)
        made = club_lifecycle.make_club(
            player(request),
            name=form["name"],
            slug=form["slug"],
            fields={name: form[name] for name in SETTINGS & set(form)},
            request_key=how_of(request, made_by(request, "make"), form).get("request_key"),
        )
        return answer(request, response_serializers.WholeClub, whole(made, player(request)), status=201)


def _found(user: Player, query: dict[str, Any]) -> QuerySet[Club]:
    found = Club.objects.alive().filter(is_listed=True)
    if query["which"] == "mine":
        own = {"memberships__user__pk": user.pk, "memberships__left_at": None}
        found = Club.objects.filter(**own) if isinstance(user, User) and is_member(user) else Club.objects.none()
    if "name" in query:
        found = found.filter(name__icontains=query["name"])
    if "words" in query:
        names = ("name", "line", "venue", "slug")
        found = found.filter(reduce(or_, (Q(**{f"{name}__icontains": query["words"]}) for name in names)))
    return found


def line(club: Club) -> dict[str, Any]:
    """A club in a list."""
    return {
        **{name: getattr(club, name) for name in ("slug", "name", "line", "venue")},
        "url": f"{site.SITE_URL}{club.get_absolute_url()}",
        "is_archived": club.archived_at is not None,
    }


def whole(club: Club, user: Player) -> dict[str, Any]:
    """A club as somebody sees it."""
    names = ("about", "time_zone", "colour", "crest", "joining", "is_listed", "has_directory", "circle", "version")
    role = access.role_of(user, club)
    people = Membership.objects.filter(club=club, left_at=None).exclude(role=Membership.Role.GUEST)
    return {
        **line(club),
        **{name: getattr(club, name) for name in names},
        "members": people.count(),
        "your_request": _own_request(club, user),
        "your_role": role,
        "you_may": [act for act in ACTS if act in ROLES.get(role, ())],
    }


def _own_request(club: Club, user: Player) -> dict[str, Any] | None:
    waiting = JoinRequest.objects.filter(club=club, user__pk=user.pk or 0, status=JoinRequest.Status.OPEN)
    row = waiting.select_related("user").first()
    return asked_line(row) if row is not None else None


@look(response_serializers.WholeClub, name="clubs_retrieve")
def club(request: Request, club: str) -> Response:
    """A club, and your role in it."""
    return answer(request, response_serializers.WholeClub, whole(access.open_club(club), reader(request)))


@look(EventPage, asks=request_serializers.WhichClubEvents, name="clubs_events_list")
def events(request: Request, club: str) -> Response:
    """The club’s events, newest first. Members also see events for members only. `/events/` has the rest."""
    own, query = access.open_club(club), read_query(request_serializers.WhichClubEvents, request)
    found = overview.own_events(own, inside=bool(access.role_of(reader(request), own)))
    if "before" in query:
        found = found.filter(pk__lt=Tournament.objects.filter(slug=query["before"]).values("pk"))
    limit = query["limit"]
    rows, more = facts.a_page(facts.counted(found).order_by("-pk")[: limit + 1], limit)
    return answer(request, EventPage, {"events": [facts.line(row) for row in rows], "more": more})


@look(response_serializers.RoleTable, name="clubs_roles_retrieve")
def roles(request: Request, club: str) -> Response:
    """Roles and permissions, as the site checks them."""
    access.open_club(club)
    data = {
        "roles": [{"role": role, "may": [act for act in ACTS if act in ROLES[role]]} for role in RANKS],
        "acts": [{"act": name, "words": words} for name, words in ACTS.items()],
    }
    return answer(request, response_serializers.RoleTable, data)


@act("settings", request_serializers.ChangeClub)
def settings(asked: Asked, form: Form) -> Act:
    """Change the club’s settings."""
    fields = {name: form[name] for name in SETTINGS & set(form)}
    return services.change(asked.club.pk, asked.by, fields=fields, **asked.how)


@look_inside("settings", response_serializers.JoinLink, name="clubs_join_link_retrieve")
def join_link(request: Request, club: Club) -> Response:
    """The link for joining."""
    url = site.SITE_URL + reverse("clubs:join_by_link", args=[club.join_token])
    return answer(request, response_serializers.JoinLink, {"url": url})


renew_link = opened(services.renew_link)


@act("archive")
def archive(asked: Asked, form: Form) -> Act:
    """Archive a club: readable, but nobody can change it."""
    return club_lifecycle.archive(asked.club.pk, asked.by, **asked.how)


@act("archive")
def bring_back(asked: Asked, form: Form) -> Act:
    """Restore an archived club."""
    return club_lifecycle.bring_back(asked.club.pk, asked.by, **asked.how)


# History


@look_inside(
    "history", response_serializers.ClubHistory, asks=request_serializers.WhichClubActs, name="clubs_history_list"
)
def acts(request: Request, club: Club) -> Response:
    """The actions in a club, newest first."""
    query = read_query(request_serializers.WhichClubActs, request)
    found = Act.objects.filter(club=club).select_related("undone_by")
    if "by" in query:
        found = found.filter(name__icontains=query["by"])
    if "before" in query:
        found = found.filter(pk__lt=query["before"])
    rows, limit = list(found[: query["limit"] + 1]), query["limit"]
    may = ROLES[access.role_of(player(request), club)]
    names = action_diff.names_of(rows[:limit])
    told = [_act(row, may, player(request), names) for row in rows[:limit]]
    return answer(
        request, response_serializers.ClubHistory, {"acts": told, "more": len(rows) > limit, "version": club.version}
    )


def _act(row: Act, may: frozenset[str], user: User, names: action_diff.Names) -> dict[str, Any]:
    """A line of the history; its raw changes hold what is nobody's to see."""
    changed = action_diff.in_words(row, names)
    is_undone = getattr(row, "undone_by", None) is not None
    return {
        **{name: getattr(row, name) for name in ("at", "kind", "sentence", "reason")},
        "id": row.pk,
        "by": row.name,
        "changes": [{"what": one.what, "was": one.was, "became": one.became} for one in changed.lines],
        "more_changes": changed.more,
        "is_undone": is_undone,
        "undoes": row.undoes_id,
        "can_undo": not is_undone and history.may_be_undone(row, may=may, is_own=row.by_id == user.pk),
    }


def act_of(club: Club, act: int) -> Act:
    """An act of the club. Raises `Http404`."""
    found = Act.objects.filter(club=club, pk=act).first()
    if found is None:
        raise Http404(gettext("Action not found."))
    return found


@act("history", find=act_of)
def undo(asked: Asked, form: Form) -> Act:
    """Undo an action."""
    return history.undo(
        asked.row.pk,
        by=asked.by,
        request_key=asked.how.get("request_key"),
        reason=asked.how.get("reason", ""),
        seen=asked.how.get("seen"),
    )
