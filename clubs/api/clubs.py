"""API views for clubs: list, create, settings, roles, history, archive."""

from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings as site
from django.db.models import Q, QuerySet
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
from clubs.api.base import Action, Form, MayLook, act, declared_view, describe, inside_view, made_by, read_view, reader
from clubs.api.people import request_data
from clubs.models import Act, Club, JoinRequest, Membership
from clubs.organiser import action_diff
from clubs.public import overview
from clubs.public.lookups import first_or_404
from clubs.roles import ACTS, RANKS, ROLES
from clubs.services import club_lifecycle, history
from clubs.services import settings as services
from clubs.services.settings import FLAGS
from gameplay.access import is_member
from gameplay.api.base import player, read, read_query
from gameplay.api.tables import answer
from tournaments.api import facts
from tournaments.api.base import action_request
from tournaments.api.response_serializers import EventPage
from tournaments.models import Tournament

SETTINGS = frozenset(request_serializers.ClubSettings().fields)


class Clubs(APIView):
    """The list of clubs, and the action to create one: two scopes at one address."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("clubs_run")() if self.request.method == "POST" else MayLook()]

    @describe(response_serializers.ClubPage, asks=request_serializers.WhichClubs, name="clubs_list")
    def get(self, request: Request) -> Response:
        """Public clubs, or with `which=mine` your own, by name. Needs no token."""
        query = read_query(request_serializers.WhichClubs, request)
        clubs, after, limit = _find_clubs(reader(request), query), query["after"], query["limit"]
        rows = list(clubs.order_by("name", "pk")[after : after + limit + 1])
        data = {"clubs": [line(club) for club in rows[:limit]], "more": len(rows) > limit}
        return answer(request, response_serializers.ClubPage, data)

    @describe(response_serializers.WholeClub, takes=request_serializers.NewClub, status=201, name="clubs_create")
    def post(self, request: Request) -> Response:
        """Start a club and become its owner."""
        form = read(request_serializers.NewClub, request.data)
        club = club_lifecycle.make_club(
            player(request),
            name=form["name"],
            slug=form["slug"],
            fields={name: form[name] for name in SETTINGS & set(form)},
            request_key=action_request(request, made_by(request, "make"), form).get("request_key"),
        )
        return answer(request, response_serializers.WholeClub, club_data(club, player(request)), status=201)


def _find_clubs(user: Player, query: dict[str, Any]) -> QuerySet[Club]:
    clubs = Club.objects.alive().filter(is_listed=True)
    if query["which"] == "mine":
        is_mine = Q(memberships__user__pk=user.pk, memberships__left_at=None)
        clubs = Club.objects.filter(is_mine) if isinstance(user, User) and is_member(user) else Club.objects.none()
    if "name" in query:
        clubs = clubs.filter(name__icontains=query["name"])
    if "words" in query:
        names = ("name", "line", "venue", "slug")
        clubs = clubs.filter(reduce(or_, (Q(**{f"{name}__icontains": query["words"]}) for name in names)))
    return clubs


def line(club: Club) -> dict[str, Any]:
    """A club in a list."""
    return {
        **{name: getattr(club, name) for name in ("slug", "name", "line", "venue")},
        "url": f"{site.SITE_URL}{club.get_absolute_url()}",
        "is_archived": club.archived_at is not None,
    }


def club_data(club: Club, user: Player) -> dict[str, Any]:
    """A club as a user sees it."""
    names = ("about", "time_zone", "colour", "crest", "joining", *FLAGS, "circle", "version")
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
    join_request = waiting.select_related("user").first()
    return request_data(join_request) if join_request is not None else None


@read_view(response_serializers.WholeClub, name="clubs_retrieve")
def club(request: Request, club: str) -> Response:
    """A club, and your role in it."""
    return answer(request, response_serializers.WholeClub, club_data(access.open_club(club), reader(request)))


@read_view(EventPage, asks=request_serializers.WhichClubEvents, name="clubs_events_list")
def events(request: Request, club: str) -> Response:
    """The club’s events, newest first. Members also see events for members only. `/events/` has the rest."""
    this_club, query = access.open_club(club), read_query(request_serializers.WhichClubEvents, request)
    events = overview.club_events(this_club, inside=bool(access.role_of(reader(request), this_club)))
    if "before" in query:
        events = events.filter(pk__lt=Tournament.objects.filter(slug=query["before"]).values("pk"))
    limit = query["limit"]
    rows, more = facts.a_page(facts.with_counts(events).order_by("-pk")[: limit + 1], limit)
    return answer(request, EventPage, {"events": [facts.line(event) for event in rows], "more": more})


@read_view(response_serializers.RoleTable, name="clubs_roles_retrieve")
def roles(request: Request, club: str) -> Response:
    """Roles and permissions, as the site checks them."""
    access.open_club(club)
    data = {
        "roles": [{"role": role, "may": [act for act in ACTS if act in ROLES[role]]} for role in RANKS],
        "acts": [{"act": name, "words": words} for name, words in ACTS.items()],
    }
    return answer(request, response_serializers.RoleTable, data)


@act("settings", request_serializers.ChangeClub)
def settings(action: Action, form: Form) -> Act:
    """Change the club’s settings."""
    fields = {name: form[name] for name in SETTINGS & set(form)}
    return services.change(action.club.pk, action.by, fields=fields, **action.how)


@inside_view("settings", response_serializers.JoinLink, name="clubs_join_link_retrieve")
def join_link(request: Request, club: Club) -> Response:
    """The link for joining."""
    url = site.SITE_URL + reverse("clubs:join_by_link", args=[club.join_token])
    return answer(request, response_serializers.JoinLink, {"url": url})


renew_link = declared_view(services.renew_link)


@act("archive")
def archive(action: Action, form: Form) -> Act:
    """Archive a club: readable, but nobody can change it."""
    return club_lifecycle.archive(action.club.pk, action.by, **action.how)


@act("archive")
def restore(action: Action, form: Form) -> Act:
    """Restore an archived club."""
    return club_lifecycle.restore(action.club.pk, action.by, **action.how)


# History


@inside_view(
    "history", response_serializers.ClubHistory, asks=request_serializers.WhichClubActs, name="clubs_history_list"
)
def acts(request: Request, club: Club) -> Response:
    """The actions in a club, newest first."""
    query = read_query(request_serializers.WhichClubActs, request)
    acts = Act.objects.filter(club=club).select_related("undone_by")
    if "by" in query:
        acts = acts.filter(name__icontains=query["by"])
    if "before" in query:
        acts = acts.filter(pk__lt=query["before"])
    rows, limit = list(acts[: query["limit"] + 1]), query["limit"]
    may = ROLES[access.role_of(player(request), club)]
    names = action_diff.names_of(rows[:limit])
    lines = [_act(act, may, player(request), names) for act in rows[:limit]]
    return answer(
        request, response_serializers.ClubHistory, {"acts": lines, "more": len(rows) > limit, "version": club.version}
    )


def _act(act: Act, may: frozenset[str], user: User, names: action_diff.Names) -> dict[str, Any]:
    """A line of the history, without the raw changes, which hold private data."""
    changed = action_diff.describe(act, names)
    is_undone = getattr(act, "undone_by", None) is not None
    return {
        **{name: getattr(act, name) for name in ("at", "kind", "sentence", "reason")},
        "id": act.pk,
        "by": act.name,
        "changes": [{"what": change.what, "was": change.was, "became": change.became} for change in changed.lines],
        "more_changes": changed.more,
        "is_undone": is_undone,
        "undoes": act.undoes_id,
        "can_undo": not is_undone and history.may_be_undone(act, may=may, is_own=act.by_id == user.pk),
    }


def act_of(club: Club, act: int) -> Act:
    """An act of the club. Raises `Http404`."""
    return first_or_404(Act.objects.filter(club=club, pk=act), gettext("Action not found."))


@act("history", find=act_of)
def undo(action: Action, form: Form) -> Act:
    """Undo an action."""
    return history.undo(
        action.row.pk,
        by=action.by,
        request_key=action.how.get("request_key"),
        reason=action.how.get("reason", ""),
        seen=action.how.get("seen"),
    )
