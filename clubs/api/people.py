"""Doors to the people of a club: joining and leaving, one's own entry, members, letters and requests."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Model
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Asked, Form, LongJson, act, look_inside, outlook
from clubs.models import Act, Club, Invitation, JoinRequest, LeagueClub, Membership
from clubs.services.leagues import leagues
from clubs.services.members import joining, member_import, member_invitations, membership
from gameplay.api.base import player
from gameplay.api.tables import answer
from web.errors import NotAllowed, Refused

# Joining and leaving


@act("", scope="clubs_join")
def join(asked: Asked, form: Form) -> Act:
    """Join a club that is open to anyone."""
    return joining.join(asked.club.pk, asked.by, **asked.how)


@act("", request_serializers.AskToJoin, scope="clubs_join")
def ask(asked: Asked, form: Form) -> Act:
    """Ask to join, or to claim a name in the club. An organiser answers."""
    return joining.ask(asked.club.pk, asked.by, words=form["words"], name=form["name"], **asked.how)


@act("", scope="clubs_join")
def withdraw(asked: Asked, form: Form) -> Act:
    """Cancel your request."""
    row = JoinRequest.objects.filter(club=asked.club, user=asked.by, status=JoinRequest.Status.OPEN).first()
    if row is None:
        raise Refused("no_such_row", gettext("You have not asked to join this club."))
    return joining.withdraw(row.pk, asked.by, **asked.how)


@act("", scope="clubs_join")
def leave(asked: Asked, form: Form) -> Act:
    """Leave a club. Your results stay."""
    _own(asked)
    return membership.leave(asked.club.pk, asked.by, **asked.how)


def _own(asked: Asked) -> Membership:
    found = access.membership_of(asked.by, asked.club)
    if found is None:
        raise NotAllowed("not_of_club", gettext("You are not a member of this club."))
    return found


@look_inside("look", response_serializers.OwnEntryShape, name="clubs_own_retrieve")
def own(request: Request, club: Club) -> Response:
    """Your club profile, and the details you share."""
    row = access.membership_of(player(request), club)
    return answer(request, response_serializers.OwnEntryShape, _entry(row))


def _entry(row: Membership | None) -> dict[str, Any]:
    names = ("name", "role", "contact", "is_listed", "wants_letters")
    return {**{name: getattr(row, name) for name in names}, "id": row.pk if row else 0}


@act("look", request_serializers.OwnEntry, scope="clubs_join")
def change_own(asked: Asked, form: Form) -> Act:
    """Change your club profile. Fields left out stay as they are."""
    row = _own(asked)
    names = ("name", "contact", "is_listed", "wants_letters")
    values: Any = {name: form.get(name, getattr(row, name)) for name in names}
    return membership.edit_own(asked.club.pk, asked.by, **values, **asked.how)


# Members


@look_inside("directory", response_serializers.Directory, name="clubs_directory_retrieve")
def directory(request: Request, club: Club) -> Response:
    """The directory: members listed with their consent, for members."""
    rows = Membership.objects.filter(club=club, left_at=None, is_listed=True) if club.has_directory else []
    names = ("name", "role", "contact")
    found = [{"id": row.pk, **{name: getattr(row, name) for name in names}} for row in rows]
    return answer(request, response_serializers.Directory, {"members": found})


@look_inside("members", response_serializers.People, name="clubs_people_list")
def people(request: Request, club: Club) -> Response:
    """Everyone in a club, including former members."""
    rows = Membership.objects.filter(club=club)
    return answer(request, response_serializers.People, {"people": [_person(row) for row in rows]})


def _person(row: Membership) -> dict[str, Any]:
    names = ("name", "role", "email", "joined_at", "left_at")
    return {"id": row.pk, **{name: getattr(row, name) for name in names}, "has_account": row.user_id is not None}


@act("members", request_serializers.NewNames)
def add(asked: Asked, form: Form) -> Act:
    """Add people by their names: all of them or none."""
    return membership.add_names(asked.club.pk, asked.by, lines=form["names"], role=form["role"], **asked.how)


@act("members", request_serializers.InviteByLetter)
def invite(asked: Asked, form: Form) -> Act:
    """Invite people to join by email."""
    return member_invitations.invite(
        asked.club.pk, asked.by, addresses=form["addresses"], role=form["role"], **asked.how
    )


@outlook("members", response_serializers.BroughtPeople, takes=request_serializers.TableLook, parsers=[LongJson])
def look_at_table(request: Request, asked: Asked, form: Form) -> Response:
    """Preview an import of people, line by line. Nothing is saved."""
    found = member_import.look(asked.club.pk, form["table"])
    names = ("name", "email", "role", "fate", "words")
    lines = [{"line": one.number, **{name: getattr(one, name) for name in names}} for one in found.lines]
    data = {"lines": lines, "unused": list(found.unused), "letters": found.letters}
    return answer(request, response_serializers.BroughtPeople, data)


@act("members", request_serializers.BringIn, parsers=[LongJson])
def bring_in(asked: Asked, form: Form) -> Act:
    """Import people from a spreadsheet."""
    return member_import.bring_in(asked.club.pk, asked.by, data=form["table"], letters=form["letters"], **asked.how)


def person_of(club: Club, membership: int) -> Membership:
    """Somebody of the club. Raises `Http404`."""
    found: Membership = _found(Membership, club, membership, gettext("Nobody in this club has this number."))
    return found


def _found(model: type[Model], club: Club, pk: int, words: str) -> Any:
    found = model._default_manager.filter(club=club, pk=pk).first()
    if found is None:
        raise Http404(words)
    return found


@act("members", request_serializers.ChangePerson, find=person_of)
def edit(asked: Asked, form: Form) -> Act:
    """Change a person’s name or the club’s email address for them."""
    return membership.edit(asked.row.pk, asked.by, name=form["name"], email=form.get("email"), **asked.how)


@act("members", request_serializers.GiveRole, find=person_of)
def role(asked: Asked, form: Form) -> Act:
    """Change a person’s role."""
    return membership.give_role(asked.row.pk, asked.by, role=form["role"], **asked.how)


@act("members", find=person_of)
def remove(asked: Asked, form: Form) -> Act:
    """Remove a person. Their results stay."""
    return membership.remove(asked.row.pk, asked.by, **asked.how)


@act("members", find=person_of)
def bring_back(asked: Asked, form: Form) -> Act:
    """Return a former member to the club."""
    return membership.bring_back(asked.row.pk, asked.by, **asked.how)


@look_inside("members", response_serializers.ClaimLink, name="clubs_claim_link_retrieve")
def claim_link(request: Request, club: Club, membership: int) -> Response:
    """The link for claiming a name."""
    url = settings.SITE_URL + reverse("clubs:claim", args=[person_of(club, membership).claim_token])
    return answer(request, response_serializers.ClaimLink, {"url": url})


@act("members", find=person_of)
def renew_claim_link(asked: Asked, form: Form) -> Act:
    """Create a new claim link for a name. The old one expires."""
    return membership.renew_claim_link(asked.row.pk, asked.by, **asked.how)


@act("members", find=person_of)
def letter(asked: Asked, form: Form) -> Act:
    """Send an email to the person behind a name, so that they can claim it."""
    return member_invitations.invite_name(asked.row.pk, asked.by, **asked.how)


# What waits


@look_inside("members", response_serializers.Waiting, name="clubs_waiting_retrieve")
def waiting(request: Request, club: Club) -> Response:
    """Tasks for an organiser: requests, invitations without an answer, leagues of other clubs."""
    requests = JoinRequest.objects.filter(club=club, status=JoinRequest.Status.OPEN).select_related("user")
    since = timezone.now() - member_invitations.LASTS
    letters = Invitation.objects.filter(club=club, accepted_at=None, revoked_at=None, created_at__gt=since)
    asked = LeagueClub.objects.filter(club=club, agreed_at=None).select_related("league__club")
    data = {
        "requests": [asked_line(row) for row in requests],
        "letters": [
            {"id": row.pk, "email": row.email, "membership": row.membership_id, "created_at": row.created_at}
            for row in letters
        ],
        "leagues": [
            {"id": row.pk, "club": row.league.club.slug, "league": str(row.league), "asked_at": row.asked_at}
            for row in asked
        ],
    }
    return answer(request, response_serializers.Waiting, data)


def asked_line(row: JoinRequest) -> dict[str, Any]:
    """A request; who asks must be known."""
    names = ("words", "status", "at")
    values = {name: getattr(row, name) for name in names}
    return {"id": row.pk, "person": str(row.user), "membership": row.membership_id, **values}


def request_of(club: Club, asked: int) -> JoinRequest:
    """A request to the club. Raises `Http404`."""
    found: JoinRequest = _found(JoinRequest, club, asked, gettext("Request not found."))
    return found


@act("members", request_serializers.LetIn, find=request_of)
def accept(asked: Asked, form: Form) -> Act:
    """Accept a request."""
    return joining.accept(asked.row.pk, asked.by, membership_id=form.get("membership"), **asked.how)


@act("members", find=request_of)
def decline(asked: Asked, form: Form) -> Act:
    """Decline a request."""
    return joining.decline(asked.row.pk, asked.by, **asked.how)


def letter_of(club: Club, invitation: int) -> Invitation:
    """A letter of the club. Raises `Http404`."""
    found: Invitation = _found(Invitation, club, invitation, gettext("Invitation not found."))
    return found


@act("members", find=letter_of)
def revoke(asked: Asked, form: Form) -> Act:
    """Cancel an invitation email."""
    return member_invitations.revoke(asked.row.pk, asked.by, **asked.how)


def league_request_of(club: Club, asked: int) -> LeagueClub:
    """A request of another club's league. Raises `Http404`."""
    found: LeagueClub = _found(LeagueClub, club, asked, gettext("Request not found."))
    return found


@act("leagues", request_serializers.AgreeOrNot, find=league_request_of)
def answer_league(asked: Asked, form: Form) -> Act:
    """Accept or decline another club’s invitation to its league."""
    return leagues.answer_club(asked.row.pk, asked.by, agrees=form["agrees"], **asked.how)
