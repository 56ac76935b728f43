"""What every act on a club answers, and the kinds of fields."""

from __future__ import annotations

from rest_framework import serializers

from gameplay.api.plumbing import Output, Refusal

Text, Whole, Yes, At, Day = (
    serializers.CharField,
    serializers.IntegerField,
    serializers.BooleanField,
    serializers.DateTimeField,
    serializers.DateField,
)


class ClubRefusal(Refusal):
    """Why something was not done. 400 has `fields`, 409 the `version` of the club."""

    version = Whole(required=False)
    field = Text(required=False, help_text="Which field is meant.")
    line = Whole(required=False, help_text="Which of a list of names is wrong, from 0.")
    subject = Text(
        required=False, help_text="Of a newsletter that somebody saved meanwhile; `version` is its own then."
    )
    body = Text(required=False, help_text="The text of that newsletter.")


class MadeRow(Output):
    """What an act made."""

    id = Whole()
    name = Text()
    slug = Text(allow_null=True)
    number = Whole(allow_null=True)


class ClubDone(Output):
    """What was done in a club, or with `preview` would be."""

    act = Whole(allow_null=True, help_text="Its id in the history, by which it can be undone; `null` for a preview.")
    sentence = Text()
    version = Whole(help_text="Of the club as it is now; send it back as `seen`.")
    made = MadeRow(allow_null=True)
