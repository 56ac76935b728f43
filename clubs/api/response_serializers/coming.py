"""Repeating meetings, and who comes."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import At, Day, Text, Whole, Yes
from clubs.models import RepeatingMeeting, Reply
from gameplay.api.base import Output


class RepeatingShape(Output):
    """A repeating meeting."""

    id = Whole()
    title = Text()
    words = Text()
    venue = Text()
    every = serializers.ChoiceField(RepeatingMeeting.Every.choices)
    weekday = Whole(help_text="0 for Monday to 6 for Sunday.")
    nth = Whole(help_text="Which one of a month; 5 for the last.")
    starts_at = Text(help_text="By the club’s clock: `19:00:00`.")
    minutes = Whole()
    first_day = Day()
    last_day = Day(allow_null=True)
    skipped = serializers.ListField(child=Day())
    starter = Text()
    asks = Yes()
    ask_days = Whole()
    least = Whole()
    reserve_hours = Whole()
    reserves = serializers.ListField(child=Whole(), help_text="Memberships in the order in which they are asked.")


class RepeatingList(Output):
    """Repeating meetings."""

    repeating = RepeatingShape(many=True)


class ComingShape(Output):
    """A meeting or a match about which members are asked if they come."""

    id = Whole(help_text="The id of the question.")
    meeting = Whole(allow_null=True)
    team = Whole(allow_null=True, help_text="The number of the team that is asked about a match.")
    match = Whole(allow_null=True)
    title = Text()
    venue = Text()
    starts_at = At(allow_null=True)
    ends_at = At(allow_null=True)
    is_closed = Yes()
    yes = Whole()
    need_a_partner = Whole()
    guests = Whole(help_text="How many said on the club’s public page that they come, besides the members.")
    no = Whole()
    has_partners = Yes(help_text="Whether people can look for a partner: not where everyone enters alone.")
    your_answer = Text(help_text="`yes`, `partner` or `no`; empty for none.")
    your_partner = Text(help_text="The name of the partner who was found.")
    your_note = Text(help_text="What you told the organisers.")
    you_come_at = Text(help_text="By the club’s clock: `19:30`; empty for from the start.")
    you_leave_at = Text(help_text="By the club’s clock; empty for at the end.")


class ComingList(Output):
    """Questions who comes, the next meeting or match first."""

    coming = ComingShape(many=True)


class ReplyShape(Output):
    """Somebody’s answer."""

    id = Whole()
    membership = Whole(allow_null=True, help_text="`null` for a name that nobody has confirmed yet.")
    name = Text()
    answer = Text()
    way = serializers.ChoiceField(Reply.Way.choices)
    partner = Whole(allow_null=True, help_text="The id of the partner’s answer.")
    note = Text(help_text="What they tell the organisers.")
    comes_at = Text(help_text="By the club’s clock: `19:30`; empty for from the start.")
    leaves_at = Text(help_text="By the club’s clock; empty for at the end.")
    is_reserve = Yes()
    answered_at = At(allow_null=True)


class GuestShape(Output):
    """A guest of a meeting, without an account."""

    id = Whole()
    name = Text()
    note = Text(help_text="What they tell the organisers.")
    created_at = At()


class GuestList(Output):
    """Guests of a meeting, the first who came first."""

    guests = GuestShape(many=True)


class SilentShape(Output):
    """Somebody who has not answered."""

    membership = Whole()
    name = Text()


class UnansweredShape(SilentShape):
    """The same, with the person’s own link."""

    link = Text(help_text="Answers for this person alone. Send it to nobody else.")


class ComingAnswers(Output):
    """Answers, newest first, and who has given none."""

    replies = ReplyShape(many=True)
    silent = UnansweredShape(many=True)
    reserves = SilentShape(many=True)
    group_link = Text(help_text="The link for a group. It asks for the name.")
