"""Answers of the API of events: acts, events, stages, entries and invitations."""

from rest_framework import serializers

from gameplay.api.base import Output, Refusal
from tournaments.models import Entry, Member, Stage, Tournament
from tournaments.plan import FORMATS

Text, Whole, Yes, At = (
    serializers.CharField,
    serializers.IntegerField,
    serializers.BooleanField,
    serializers.DateTimeField,
)


class EventRefusal(Refusal):
    """The reason for a refusal. 400 has `fields`, 409 the `version` of the event, or the `newest` result."""

    version = Whole(required=False)
    newest = Whole(required=False)
    line = Whole(required=False, help_text="The position of the wrong name in the list, from 0.")
    entry = Whole(required=False, help_text="The number of the entry whose line of a result is wrong.")


class PreviewLine(Output):
    """An effect in a preview."""

    sign = serializers.ChoiceField(["moves", "kept", "redrawn", "falls"])
    sentence = Text()


class PreviewShape(Output):
    """The effects of an action."""

    lines = PreviewLine(many=True)
    has_choice = Yes(help_text="A match that is announced or has started could be redrawn with `pair_again`.")


class Done(Output):
    """The result of an action, or its preview."""

    act = Whole(allow_null=True, help_text="Its id in the history, used to undo it. `null` for a preview.")
    sentence = Text()
    version = Whole(help_text="Of the event as it is now. Send it back as `seen`.")
    status = serializers.ChoiceField(Tournament.Status.choices)
    preview = PreviewShape(allow_null=True)


# Events


class StarterShape(Output):
    """A template that an event can start from."""

    name = Text()
    title = Text()
    sentence = Text()
    entries = Whole(help_text="The usual number.")
    entry_kind = serializers.ChoiceField(Tournament.Kind.choices)
    formats = serializers.ListField(child=Text(), help_text="Of its stages.")


class Starters(Output):
    """The templates that events can start from."""

    starters = StarterShape(many=True)


class EventLine(Output):
    """An event in a list."""

    slug = Text(help_text="Its name in addresses.")
    name = Text()
    url = Text(help_text="Its page.")
    status = serializers.ChoiceField(Tournament.Status.choices)
    visibility = serializers.ChoiceField(Tournament.Visibility.choices)
    setting = serializers.ChoiceField(Tournament.Setting.choices)
    entry_kind = serializers.ChoiceField(Tournament.Kind.choices)
    venue = Text()
    time_zone = Text(help_text="The event’s own.")
    starts_at = At(allow_null=True)
    ended_at = At(allow_null=True)
    entered = Whole(help_text="Entries that have a place.")
    entry_limit = Whole(allow_null=True)
    formats = Text(help_text="Its format, in a few words.")
    version = Whole(help_text="Grows with every visible change.")


class EventPage(Output):
    """Events, newest first."""

    events = EventLine(many=True)
    more = Yes(help_text="Whether others follow. Ask again with `before` = the last slug.")


class StageShape(Output):
    """A stage of an event."""

    number = Whole()
    name = Text()
    status = serializers.ChoiceField(Stage.Status.choices)
    format = serializers.ChoiceField([(name, each.english_title) for name, each in FORMATS.items()])
    sentences = serializers.ListField(child=Text(), help_text="Format and scoring.")
    plan = serializers.JSONField(help_text="Every choice of it.")
    go_round = Whole(help_text="The last round that an organiser started, if rounds wait for it.")
    started_at = At(allow_null=True)
    ended_at = At(allow_null=True)
    trouble = Text(help_text="The reason why it cannot continue automatically, for organisers.")


class WholeEvent(EventLine):
    """An event: its settings, its rules and its stages."""

    about = Text()
    side_size = Whole(help_text="People of one entry at a table.")
    entries_close_at = At(allow_null=True)
    has_check_in = Yes()
    check_in_from = At(allow_null=True)
    check_in_until = At(allow_null=True)
    is_rated = Yes()
    confirm_hours = Whole()
    no_show = serializers.ChoiceField(Tournament.NoShow.choices)
    ruleset = Text()
    rules = serializers.JSONField(help_text="Every option of the ruleset.")
    length = serializers.DictField(
        child=Whole(), help_text="`deals` of a match, or its `target`, unless a stage has its own."
    )
    terms = serializers.JSONField(help_text="Settings of the tables for online matches.")
    lots = Text(help_text="The seed of its lots. Empty until it starts.")
    started_at = At(allow_null=True)
    stages = StageShape(many=True)
    organisers = serializers.ListField(child=Text(), help_text="Names of its owners.")
    your_role = Text(help_text="Your role as an organiser, or empty.")
    your_entry = Whole(allow_null=True, help_text="The number of your entry.")
    champions = serializers.ListField(child=Text(), help_text="The winners, when it is over.")
    outcome = Text(help_text="What decided a tie for first place, or the open question. Empty if there was none.")
    lot_commitment = Text(help_text="The commitment to its lots between tied entries, known before any is drawn.")


# Entries


class MemberShape(Output):
    """A person of an entry."""

    id = Whole()
    name = Text()
    role = serializers.ChoiceField(Member.Role.choices)
    is_captain = Yes()
    answer = serializers.ChoiceField(Member.Answer.choices)
    has_account = Yes()


class EntryShape(Output):
    """A competitor: a person, a pair or a team."""

    number = Whole()
    name = Text()
    status = serializers.ChoiceField(Entry.Status.choices)
    seed = Whole(allow_null=True)
    is_here = Yes(allow_null=True, help_text="Checked in, absent, or `null` if not known.")
    members = MemberShape(many=True)


class EntryPage(Output):
    """Entries by number."""

    entries = EntryShape(many=True)
    more = Yes(help_text="Whether others follow. Ask again with `since` = the last number.")
    version = Whole()


class InStage(Output):
    """An entry in a stage."""

    stage = Whole()
    position = Whole(help_text="Its seed in the stage.")
    group = Whole()
    first_round = Whole()
    last_round = Whole(allow_null=True, help_text="The round after which it left.")
    start_points = Text()
    byes = serializers.JSONField(help_text="By number of the round.")


class WholeEntry(EntryShape):
    """An entry, and its part in each stage. For its matches ask `matches/?entry=`."""

    stages = InStage(many=True)
    version = Whole()


class Listed(Output):
    """Entries created in one request."""

    entries = serializers.ListField(child=Whole(), help_text="Their numbers, in the order sent.")
    version = Whole()


class ApartShape(Output):
    """Two entries that are kept apart."""

    one = Whole()
    other = Whole()


class ApartList(Output):
    """Entries kept apart."""

    apart = ApartShape(many=True)


class DrawnTableShape(Output):
    """A table of the first round before the start."""

    number = Whole()
    sides = serializers.ListField(
        child=serializers.ListField(child=Whole()), help_text="The numbers of the entries of each side."
    )


class FirstDrawShape(Output):
    """The first round as it would be drawn now, with the entries that would play. Empty if there is no draw."""

    tables = DrawnTableShape(many=True)
    byes = serializers.ListField(child=Whole(), help_text="The numbers of the entries without a table.")
    can_change = Yes(help_text="Whether it can be drawn again: not if it follows seeds that somebody gave.")


class EntryInvitation(Output):
    """An invitation into an entry that waits for your answer."""

    id = Whole()
    event = Text(help_text="The event’s slug.")
    event_name = Text()
    entry = Whole()
    entry_name = Text()
    role = serializers.ChoiceField(Member.Role.choices)


class EntryInvitations(Output):
    """Invitations that wait for your answer."""

    invitations = EntryInvitation(many=True)
