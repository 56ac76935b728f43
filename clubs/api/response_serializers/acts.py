"""The answer to every action, and kinds of fields."""

from rest_framework import serializers

from gameplay.api.base import Output, Refusal

Text, Whole, Yes, At, Day = (
    serializers.CharField,
    serializers.IntegerField,
    serializers.BooleanField,
    serializers.DateTimeField,
    serializers.DateField,
)


class ClubRefusal(Refusal):
    """The reason for a refusal. 400 has `fields`, 409 the `version` of the club."""

    version = Whole(required=False)
    field = Text(required=False, help_text="The field with the problem.")
    line = Whole(required=False, help_text="The position of the wrong name in the list, from 0.")
    subject = Text(
        required=False, help_text="Of a newsletter that someone has just saved. `version` is then the newsletter’s."
    )
    body = Text(required=False, help_text="The text of that newsletter.")


class MadeRow(Output):
    """Rows that an action created."""

    id = Whole()
    name = Text()
    slug = Text(allow_null=True)
    number = Whole(allow_null=True)


class ClubDone(Output):
    """The result of an action in a club, or its preview."""

    act = Whole(allow_null=True, help_text="Its id in the history, used to undo it. `null` for a preview.")
    sentence = Text()
    version = Whole(help_text="Of the club as it is now. Send it back as `seen`.")
    made = MadeRow(allow_null=True)
