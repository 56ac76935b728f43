"""API views for people of a club: join, leave, club profile, members, invitations and requests."""

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Action, Form, LongJson, act, inside_view, preview_view
from clubs.models import Act, Club, Invitation, JoinRequest, LeagueClub, Membership
from clubs.public import handbook
from clubs.public.lookups import first_or_404
from clubs.services.leagues import leagues
from clubs.services.members import contact_details, forgetting, joining, member_import, member_invitations, membership
from clubs.services.members.contact_details import Details
from gameplay.api.base import player
from gameplay.api.tables import answer
from web.errors import NotAllowed, Refused

# Joining and leaving


@act("", scope="clubs_join")
def join(action: Action, form: Form) -> Act:
    """Join a club that is open to anyone."""
    return joining.join(action.club.pk, action.by, **action.how)


@act("", request_serializers.AskToJoin, scope="clubs_join")
def ask(action: Action, form: Form) -> Act:
    """Ask to join, or to claim a name in the club. An organiser answers."""
    return joining.ask(action.club.pk, action.by, words=form["words"], name=form["name"], **action.how)


@act("", scope="clubs_join")
def withdraw(action: Action, form: Form) -> Act:
    """Cancel your request."""
    join_request = JoinRequest.objects.filter(club=action.club, user=action.by, status=JoinRequest.Status.OPEN).first()
    if join_request is None:
        raise Refused("no_such_row", gettext("You have not asked to join this club."))
    return joining.withdraw(join_request.pk, action.by, **action.how)


@act("", scope="clubs_join")
def leave(action: Action, form: Form) -> Act:
    """Leave a club. Your results stay."""
    _own_membership(action)
    return membership.leave(action.club.pk, action.by, **action.how)


def _own_membership(action: Action) -> Membership:
    member = access.membership_of(action.by, action.club)
    if member is None:
        raise NotAllowed("not_of_club", gettext("You are not a member of this club."))
    return member


@inside_view("look", response_serializers.OwnEntryShape, name="clubs_own_retrieve")
def own_profile(request: Request, club: Club) -> Response:
    """Your club profile, and the details you share."""
    member = access.membership_of(player(request), club)
    return answer(request, response_serializers.OwnEntryShape, _entry(member))


def _entry(member: Membership | None) -> dict[str, Any]:
    names = ("name", "role", "contact", "is_listed", "wants_letters", *contact_details.FIELDS)
    return {**{name: getattr(member, name) for name in names}, "id": member.pk if member else 0}


@act("look", request_serializers.OwnEntry, scope="clubs_join")
def change_own_profile(action: Action, form: Form) -> Act:
    """Change your club profile. Fields left out stay as they are."""
    member = _own_membership(action)
    names = ("name", "contact", "is_listed", "wants_letters")
    values: Any = {name: form.get(name, getattr(member, name)) for name in names}
    return membership.edit_own(action.club.pk, action.by, **values, details=_details(form), **action.how)


def _details(form: Form) -> Details:
    sent: Details = {}
    sent.update({name: form[name] for name in contact_details.FIELDS if name in form})  # type: ignore[typeddict-item]
    return sent


# Members


@inside_view("directory", response_serializers.Directory, name="clubs_directory_retrieve")
def directory(request: Request, club: Club) -> Response:
    """The directory: members listed with their consent, for members."""
    names = ("name", "role", "contact")
    members = [
        {"id": member.pk, **{name: getattr(member, name) for name in names}, **contact_details.shown(member)}
        for member in handbook.listed_members(club)
    ]
    return answer(request, response_serializers.Directory, {"members": members})


@inside_view("members", response_serializers.People, name="clubs_people_list")
def people(request: Request, club: Club) -> Response:
    """Everyone in a club, including former members."""
    rows = Membership.objects.filter(club=club)
    return answer(request, response_serializers.People, {"people": [_person(member) for member in rows]})


def _person(member: Membership) -> dict[str, Any]:
    names = ("name", "role", "email", "note", "is_listed", "joined_at", "left_at", *contact_details.FIELDS)
    values = {name: getattr(member, name) for name in names}
    return {"id": member.pk, **values, "has_account": member.user_id is not None}


@act("members", request_serializers.NewNames)
def add(action: Action, form: Form) -> Act:
    """Add people by their names: all of them or none."""
    return membership.add_names(action.club.pk, action.by, lines=form["names"], role=form["role"], **action.how)


@act("members", request_serializers.InviteByLetter)
def invite(action: Action, form: Form) -> Act:
    """Invite people to join by email."""
    return member_invitations.invite(
        action.club.pk, action.by, addresses=form["addresses"], role=form["role"], **action.how
    )


@preview_view("members", response_serializers.BroughtPeople, takes=request_serializers.TableLook, parser=LongJson)
def preview_table(request: Request, action: Action, form: Form) -> Response:
    """Preview an import of people, line by line. Nothing is saved."""
    table = member_import.preview(action.club.pk, form["table"])
    names = ("name", "email", "role", "fate", "words")
    lines = [{"line": line.number, **{name: getattr(line, name) for name in names}} for line in table.lines]
    data = {"lines": lines, "unused": list(table.unused), "letters": table.letters}
    return answer(request, response_serializers.BroughtPeople, data)


@act("members", request_serializers.BringIn, parser=LongJson)
def import_people(action: Action, form: Form) -> Act:
    """Import people from a spreadsheet."""
    data, letters = form["table"], form["letters"]
    return member_import.import_members(action.club.pk, action.by, data=data, letters=letters, **action.how)


def person_of(club: Club, membership: int) -> Membership:
    """A member of the club, current or former. Raises `Http404`."""
    return first_or_404(
        Membership.objects.filter(club=club, pk=membership), gettext("Nobody in this club has this number.")
    )


@act("members", request_serializers.ChangePerson, find=person_of)
def edit(action: Action, form: Form) -> Act:
    """Correct a person’s name wherever it appears, or change what the club knows of them."""
    values: Any = {name: form.get(name) for name in ("email", "note", "is_listed")}
    return membership.edit(action.row.pk, action.by, name=form["name"], **values, details=_details(form), **action.how)


@act("members", request_serializers.GiveRole, find=person_of)
def role(action: Action, form: Form) -> Act:
    """Change a person’s role."""
    return membership.give_role(action.row.pk, action.by, role=form["role"], **action.how)


@act("members", find=person_of)
def remove(action: Action, form: Form) -> Act:
    """Remove a person. Their results stay."""
    return membership.remove(action.row.pk, action.by, **action.how)


@act("members", find=person_of)
def restore(action: Action, form: Form) -> Act:
    """Return a former member to the club."""
    return membership.restore(action.row.pk, action.by, **action.how)


@act("members", find=person_of)
def forget(action: Action, form: Form) -> Act:
    """Forget a person without an account for good: their name is replaced everywhere. Their results stay."""
    return forgetting.forget(action.row.pk, action.by, **action.how)


@inside_view("members", response_serializers.ClaimLink, name="clubs_claim_link_retrieve")
def claim_link(request: Request, club: Club, membership: int) -> Response:
    """The link for claiming a name."""
    url = settings.SITE_URL + reverse("clubs:claim", args=[person_of(club, membership).claim_token])
    return answer(request, response_serializers.ClaimLink, {"url": url})


@act("members", find=person_of)
def renew_claim_link(action: Action, form: Form) -> Act:
    """Create a new claim link for a name. The old one expires."""
    return membership.renew_claim_link(action.row.pk, action.by, **action.how)


@act("members", find=person_of)
def email_claim_link(action: Action, form: Form) -> Act:
    """Send an email to the person behind a name, so that they can claim it."""
    return member_invitations.invite_name(action.row.pk, action.by, **action.how)


# Tasks


@inside_view("members", response_serializers.Waiting, name="clubs_waiting_retrieve")
def waiting(request: Request, club: Club) -> Response:
    """Tasks for an organiser: requests, invitations without an answer, leagues of other clubs."""
    requests = JoinRequest.objects.filter(club=club, status=JoinRequest.Status.OPEN).select_related("user")
    since = timezone.now() - member_invitations.LASTS
    invitations = Invitation.objects.filter(club=club, accepted_at=None, revoked_at=None, created_at__gt=since)
    guests = LeagueClub.objects.filter(club=club, agreed_at=None).select_related("league__club")
    data = {
        "requests": [request_data(join_request) for join_request in requests],
        "letters": [
            {
                "id": invitation.pk,
                "email": invitation.email,
                "membership": invitation.membership_id,
                "created_at": invitation.created_at,
            }
            for invitation in invitations
        ],
        "leagues": [
            {"id": guest.pk, "club": guest.league.club.slug, "league": str(guest.league), "asked_at": guest.asked_at}
            for guest in guests
        ],
    }
    return answer(request, response_serializers.Waiting, data)


def request_data(join_request: JoinRequest) -> dict[str, Any]:
    """A request to join; its user must be loaded."""
    names = ("words", "status", "at")
    values = {name: getattr(join_request, name) for name in names}
    return {"id": join_request.pk, "person": str(join_request.user), "membership": join_request.membership_id, **values}


def request_of(club: Club, asked: int) -> JoinRequest:
    """A request to the club. Raises `Http404`."""
    return first_or_404(JoinRequest.objects.filter(club=club, pk=asked), gettext("Request not found."))


@act("members", request_serializers.LetIn, find=request_of)
def accept(action: Action, form: Form) -> Act:
    """Accept a request."""
    return joining.accept(action.row.pk, action.by, membership_id=form.get("membership"), **action.how)


@act("members", find=request_of)
def decline(action: Action, form: Form) -> Act:
    """Decline a request."""
    return joining.decline(action.row.pk, action.by, **action.how)


def invitation_of(club: Club, invitation: int) -> Invitation:
    """An invitation of the club. Raises `Http404`."""
    return first_or_404(Invitation.objects.filter(club=club, pk=invitation), gettext("Invitation not found."))


@act("members", find=invitation_of)
def revoke(action: Action, form: Form) -> Act:
    """Cancel an invitation email."""
    return member_invitations.revoke(action.row.pk, action.by, **action.how)


def league_request_of(club: Club, asked: int) -> LeagueClub:
    """An invitation to another club’s league. Raises `Http404`."""
    return first_or_404(LeagueClub.objects.filter(club=club, pk=asked), gettext("Request not found."))


@act("leagues", request_serializers.AgreeOrNot, find=league_request_of)
def answer_league(action: Action, form: Form) -> Act:
    """Accept or decline another club’s invitation to its league."""
    return leagues.answer_club(action.row.pk, action.by, agrees=form["agrees"], **action.how)
