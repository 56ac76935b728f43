"""Clubs, roles and history."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import At, Text, Whole, Yes
from clubs.api.response_serializers.people import RequestShape
from clubs.models import Club, Membership
from gameplay.api.base import Output
from tournaments.api.response_serializers import ChangeShape


class ClubLine(Output):
    """A club in a list."""

    slug = Text()
    name = Text()
    line = Text()
    venue = Text()
    url = Text(help_text="Its page.")
    is_archived = Yes()


class ClubPage(Output):
    """Clubs, by name."""

    clubs = ClubLine(many=True)
    more = Yes()


class WholeClub(ClubLine):
    """A club, and your role in it."""

    about = Text()
    time_zone = Text()
    colour = serializers.ChoiceField(Club.Colour.choices)
    crest = serializers.ChoiceField(Club.Crest.choices)
    joining = serializers.ChoiceField(Club.Joining.choices)
    is_listed = Yes()
    has_directory = Yes()
    takes_guests = Yes(help_text="Whether strangers can say on its public page that they would like to come.")
    circle = Text(help_text="The reference that the club’s events and tables use.")
    version = Whole()
    members = Whole(help_text="Number of people, without guests.")
    your_role = Text(help_text="Empty if you are not a member.")
    your_request = RequestShape(allow_null=True, help_text="Your request, if nobody has answered it yet.")
    you_may = serializers.ListField(child=Text(), help_text="Actions of `roles/`.")


class JoinLink(Output):
    """The link for joining."""

    url = Text()


class RoleShape(Output):
    """A role."""

    role = serializers.ChoiceField(Membership.Role.choices)
    may = serializers.ListField(child=Text())


class ActWords(Output):
    """An action that needs permission."""

    act = Text()
    words = Text()


class RoleTable(Output):
    """Roles and permissions."""

    roles = RoleShape(many=True)
    acts = ActWords(many=True)


class ClubAct(Output):
    """A line of the history."""

    id = Whole()
    at = At()
    by = Text()
    kind = Text()
    sentence = Text()
    reason = Text()
    changes = ChangeShape(many=True)
    more_changes = Whole(help_text="Lines of `changes` that were left out.")
    is_undone = Yes()
    undoes = Whole(allow_null=True)
    can_undo = Yes()


class ClubHistory(Output):
    """Actions, newest first."""

    acts = ClubAct(many=True)
    more = Yes()
    version = Whole()
