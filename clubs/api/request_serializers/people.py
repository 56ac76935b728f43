"""Joining a club, and its people."""

from rest_framework import serializers

from clubs.api.request_serializers.acts import LONGEST_TABLE, ClubActing, number, text
from clubs.models import Membership
from gameplay.api.base import Input

LINKS = ["join", "claim", "letter"]
"""Purposes of a link."""


class AskToJoin(ClubActing):
    words = text(300, default="")
    name = text(60, default="", help_text="The club’s name that you claim, if any.")


class LinkToken(ClubActing):
    token = serializers.CharField(max_length=64, help_text="The token in the link.")


class ContactDetails(ClubActing):
    """How a member is reached, and what the members’ handbook shows of it."""

    phone = text(60, required=False)
    address = text(300, required=False, help_text="The postal address, in lines.")
    hears_by = serializers.ChoiceField(
        Membership.HearsBy.choices, required=False, allow_blank=True, help_text="How they like to hear from the club."
    )
    shows_email = serializers.BooleanField(required=False, help_text="Whether the handbook shows it.")
    shows_phone = serializers.BooleanField(required=False, help_text="Whether the handbook shows it.")
    shows_address = serializers.BooleanField(required=False, help_text="Whether the handbook shows it.")


class OwnEntry(ContactDetails):
    name = serializers.CharField(required=False, max_length=60)
    contact = text(120, required=False, help_text="Details that other members can see.")
    is_listed = serializers.BooleanField(required=False, help_text="Whether you are in the directory.")
    wants_letters = serializers.BooleanField(required=False)


class NewNames(ClubActing):
    names = serializers.ListField(
        child=serializers.CharField(max_length=400),
        min_length=1,
        max_length=500,
        help_text="One name each, with an email address after a comma (optional).",
    )
    role = serializers.ChoiceField(Membership.Role.choices, default=Membership.Role.MEMBER)


class InviteByLetter(ClubActing):
    addresses = serializers.CharField(max_length=50_000, help_text="Email addresses, separated by commas or lines.")
    role = serializers.ChoiceField(Membership.Role.choices, default=Membership.Role.MEMBER)


class BringIn(ClubActing):
    table = serializers.CharField(max_length=LONGEST_TABLE, help_text="CSV with a line of titles: name, email, role.")
    letters = serializers.BooleanField(default=False, help_text="Whether to invite the addresses in the file.")


class ChangePerson(ContactDetails):
    name = serializers.CharField(max_length=60)
    email = text(254, required=False)
    note = text(500, required=False)
    is_listed = serializers.BooleanField(required=False, help_text="Whether they agreed to be in the directory.")


class GiveRole(ClubActing):
    role = serializers.ChoiceField(Membership.Role.choices)


class LetIn(ClubActing):
    membership = number(required=False, allow_null=True, help_text="The club’s name that becomes theirs.")


class AgreeOrNot(ClubActing):
    agrees = serializers.BooleanField()


class TableLook(Input):
    table = serializers.CharField(
        max_length=LONGEST_TABLE, help_text="CSV with a line of titles: name, email, role.", trim_whitespace=False
    )


class LinkLook(Input):
    kind = serializers.ChoiceField(LINKS)
    token = serializers.CharField(max_length=64, help_text="The token in the link.")
