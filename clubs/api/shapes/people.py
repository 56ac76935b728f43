"""People of a club, and who asks to be."""

from __future__ import annotations

from rest_framework import serializers

from clubs.api.given.people import LINKS
from clubs.api.shapes.acts import At, Text, Whole, Yes
from clubs.models import JoinRequest, Membership
from gameplay.api.plumbing import Output


class ListedMember(Output):
    """Somebody in the directory."""

    id = Whole()
    name = Text()
    role = serializers.ChoiceField(Membership.Role.choices)
    contact = Text()


class Directory(Output):
    """Members who agreed to be in it."""

    members = ListedMember(many=True)


class PersonShape(Output):
    """Somebody of a club, for those who run it."""

    id = Whole()
    name = Text()
    role = serializers.ChoiceField(Membership.Role.choices)
    email = Text(help_text="Where the club writes to who has no account.")
    has_account = Yes()
    joined_at = At()
    left_at = At(allow_null=True)


class People(Output):
    """Everybody of a club."""

    people = PersonShape(many=True)


class ClaimLink(Output):
    """The link by which somebody claims a name."""

    url = Text()


class OwnEntryShape(Output):
    """What a club has of you."""

    id = Whole()
    name = Text()
    role = serializers.ChoiceField(Membership.Role.choices)
    contact = Text()
    is_listed = Yes()
    wants_letters = Yes()


class RequestShape(Output):
    """Somebody who asks to join, or says that a name is theirs."""

    id = Whole()
    person = Text()
    membership = Whole(allow_null=True, help_text="The name that they say is theirs.")
    words = Text()
    status = serializers.ChoiceField(JoinRequest.Status.choices)
    at = At()


class LetterShape(Output):
    """A letter that waits for an answer."""

    id = Whole()
    email = Text()
    membership = Whole(allow_null=True)
    created_at = At()


class LeagueRequest(Output):
    """Another club that asks this one into its league."""

    id = Whole()
    club = Text()
    league = Text()
    asked_at = At()


class Waiting(Output):
    """What waits for an organiser."""

    requests = RequestShape(many=True)
    letters = LetterShape(many=True)
    leagues = LeagueRequest(many=True)


class LinkTold(Output):
    """What a link leads to."""

    kind = serializers.ChoiceField(LINKS)
    club = Text(help_text="Its slug.")
    club_name = Text()
    name = Text(allow_null=True, help_text="The name that one claims by it.")
    by = Text(help_text="Who sent the letter; else empty.")


class BroughtLine(Output):
    """What would become of a row of a table."""

    line = Whole(help_text="Of the file, from 1.")
    name = Text()
    email = Text()
    role = Text()
    fate = serializers.ChoiceField(["add", "known", "wrong"])
    words = Text(help_text="Why, or what is odd about it.")


class BroughtPeople(Output):
    """What bringing a table in would do."""

    lines = BroughtLine(many=True)
    unused = serializers.ListField(child=Text(), help_text="Titles of columns that nothing is taken from.")
    letters = Whole(help_text="How many letters could be written.")
