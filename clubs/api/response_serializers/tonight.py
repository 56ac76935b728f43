"""Tonight: its events and matchdays, people, and results as they are typed."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import Text, Whole, Yes
from gameplay.api.base import Output


class TonightSide(Output):
    """A side of a table."""

    names = Text()
    board = Whole(allow_null=True, help_text="The board, where the boards of a table are typed one by one.")
    score = Whole(allow_null=True)
    problem = Text(help_text="Why the score is left out; empty if it is not.")


class TonightTable(Output):
    """A table: its scores as they were typed or entered."""

    match = Whole(help_text="The id of the match.")
    number = Whole(help_text="Its number in its event, as on its card.")
    state = Text(
        help_text="`none`, `half`, `bad` (left out), `in` (to be published), `final`, `other` (decided elsewhere), `off`."
    )
    words = Text()
    version = Whole(help_text="Grows with each change of the typed scores.")
    sides = TonightSide(many=True)


class TonightPerson(Output):
    """An entry of an evening."""

    id = Whole()
    name = Text()
    is_here = Yes(allow_null=True, help_text="Null while nobody has said so.")
    remarks = serializers.ListField(
        child=Text(), help_text="What its people added to their answers: `comes at 19:30`, and notes in quotes."
    )


class TonightEvent(Output):
    """An event or a matchday of tonight."""

    id = Whole(help_text="The event’s id.")
    event = Text(help_text="The event’s slug.")
    title = Text()
    is_matchday = Yes()
    tables = TonightTable(many=True)
    later = TonightTable(many=True, help_text="Matches that are played later.")
    people = TonightPerson(many=True)


class TonightShape(Output):
    """Tonight at a club: what is on, or else what comes next."""

    is_ahead = Yes(help_text="Whether nothing is on today, and this comes next.")
    events = TonightEvent(many=True)
    ready = Whole(help_text="Results that can be published.")
    published = serializers.IntegerField(help_text="Results published last, if that can be undone in the history.")
    share = Text(help_text="The published results in plain words.")
    newsletter = serializers.IntegerField(
        allow_null=True, help_text="The newsletter about them, for people who write newsletters."
    )


class TonightDone(Output):
    """What was done."""

    sentence = Text()
    tonight = TonightShape()
