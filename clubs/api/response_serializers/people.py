"""People of a club and requests to join."""

from rest_framework import serializers

from clubs.api.request_serializers.people import LINKS
from clubs.api.response_serializers.acts import At, Text, Whole, Yes
from clubs.models import JoinRequest, Membership
from gameplay.api.base import Output


class ListedMember(Output):
    """A person in the directory."""

    id = Whole()
    name = Text()
    role = serializers.ChoiceField(Membership.Role.choices)
    contact = Text()
    email = Text(help_text="Empty unless they allow members to see it; so are phone and address.")
    phone = Text()
    address = Text()


class ContactShape(Output):
    """How a member is reached, and what the members’ handbook shows of it."""

    phone = Text()
    address = Text()
    hears_by = serializers.ChoiceField(Membership.HearsBy.choices, allow_blank=True)
    shows_email = Yes()
    shows_phone = Yes()
    shows_address = Yes()


class Directory(Output):
    """Members listed with their consent."""

    members = ListedMember(many=True)


class PersonShape(ContactShape):
    """A person in a club, for its organisers."""

    id = Whole()
    name = Text()
    role = serializers.ChoiceField(Membership.Role.choices)
    email = Text(help_text="The club’s email address for a person without an account.")
    note = Text()
    is_listed = Yes()
    has_account = Yes()
    joined_at = At()
    left_at = At(allow_null=True)


class People(Output):
    """Everyone in a club."""

    people = PersonShape(many=True)


class ClaimLink(Output):
    """The link for claiming a name."""

    url = Text()


class OwnEntryShape(ContactShape):
    """Your club profile."""

    id = Whole()
    name = Text()
    role = serializers.ChoiceField(Membership.Role.choices)
    contact = Text()
    is_listed = Yes()
    wants_letters = Yes()


class RequestShape(Output):
    """A request to join or to claim a name."""

    id = Whole()
    person = Text()
    membership = Whole(allow_null=True, help_text="The name they claim.")
    words = Text()
    status = serializers.ChoiceField(JoinRequest.Status.choices)
    at = At()


class LetterShape(Output):
    """An invitation email without an answer."""

    id = Whole()
    email = Text()
    membership = Whole(allow_null=True)
    created_at = At()


class LeagueRequest(Output):
    """An invitation into the league of another club."""

    id = Whole()
    club = Text()
    league = Text()
    asked_at = At()


class Waiting(Output):
    """Tasks for an organiser."""

    requests = RequestShape(many=True)
    letters = LetterShape(many=True)
    leagues = LeagueRequest(many=True)


class LinkTold(Output):
    """The target of a link."""

    kind = serializers.ChoiceField(LINKS)
    club = Text(help_text="Its slug.")
    club_name = Text()
    name = Text(allow_null=True, help_text="The name that the link claims.")
    by = Text(help_text="The sender of the invitation, or empty.")
    sent_to = Text(
        help_text="The address of the invitation, such as a…@example.org; empty if you have confirmed it as yours. "
        "With another one the organisers are told that you accepted."
    )


class BroughtLine(Output):
    """The preview of a line of a spreadsheet."""

    line = Whole(help_text="Of the file, from 1.")
    name = Text()
    email = Text()
    role = Text()
    fate = serializers.ChoiceField(["add", "known", "wrong"])
    words = Text(help_text="The reason, or a warning.")


class BroughtPeople(Output):
    """The preview of an import."""

    lines = BroughtLine(many=True)
    unused = serializers.ListField(child=Text(), help_text="Titles of unused columns.")
    letters = Whole(help_text="Number of invitation emails that can be sent.")
