"""Repeating meetings, and who comes."""

from rest_framework import serializers

from clubs.api.request_serializers.acts import ClubActing, number, text
from clubs.models import RepeatingMeeting, Reply
from tournaments.event_templates import STARTERS

ANSWERS = [(value, value) for value in Reply.Answer.values if value]


class SaveRepeating(ClubActing):
    title = serializers.CharField(max_length=120)
    words = text(300, default="")
    venue = text(200, default="")
    every = serializers.ChoiceField(RepeatingMeeting.Every.choices, default="week")
    weekday = serializers.IntegerField(min_value=0, max_value=6, help_text="0 for Monday to 6 for Sunday.")
    nth = serializers.IntegerField(
        min_value=1, max_value=5, default=1, help_text="Which one of a month, if `every` is `month`; 5 for the last."
    )
    starts_at = serializers.TimeField(help_text="By the club’s clock.")
    minutes = serializers.IntegerField(min_value=15, max_value=1440, default=180)
    first_day = serializers.DateField()
    last_day = serializers.DateField(default=None, allow_null=True)
    starter = serializers.ChoiceField(
        [(name, each.english_title) for name, each in STARTERS.items()],
        default="",
        allow_blank=True,
        help_text="The template of the event that belongs to each meeting. Empty: none.",
    )
    asks = serializers.BooleanField(default=True, help_text="Whether members are asked if they come.")
    ask_days = serializers.IntegerField(min_value=1, max_value=21, default=4, help_text="Days before the meeting.")
    least = serializers.IntegerField(
        min_value=0, max_value=500, default=0, help_text="Reserves are asked if fewer people can come."
    )
    reserve_hours = serializers.IntegerField(min_value=1, max_value=72, default=12, help_text="Time of a reserve.")


class SkipDay(ClubActing):
    day = serializers.DateField()
    is_off = serializers.BooleanField(default=True, help_text="False: the meeting is held again.")


class EndRepeating(ClubActing):
    last_day = serializers.DateField()


class RepeatingReserves(ClubActing):
    memberships = serializers.ListField(
        child=number(), max_length=40, help_text="In the order in which they are asked."
    )


class AnswerComing(ClubActing):
    answer = serializers.ChoiceField(ANSWERS)
    # These three are replaced together, and stay if none of them is sent.
    note = text(140, required=False, help_text="For the organisers.")
    comes_at = text(8, required=False, help_text="By the club’s clock: `19:30`. For someone who comes later.")
    leaves_at = text(8, required=False, help_text="The same for someone who leaves early.")


class AnswerFor(AnswerComing):
    membership = number(required=False, help_text="A member. Otherwise send a `name`.")
    name = text(60, default="")


class PairComing(ClubActing):
    first = number(help_text="The id of an answer.")
    second = number(help_text="The id of another.")


class ChangePartner(ClubActing):
    reply = number(help_text="The id of an answer of somebody who has a partner.")
    partner = number(required=False, help_text="The id of another answer. Without: both look for a partner again.")


class ConfirmName(ClubActing):
    reply = number(help_text="The id of an answer without a membership.")
    membership = number(required=False, help_text="Who it is. Without: a new guest.")


class AskTeam(ClubActing):
    asks = serializers.BooleanField(default=True)
