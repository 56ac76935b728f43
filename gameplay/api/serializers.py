"""Requests and responses of the API, field by field; the schema is made from them."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from engine.play.rulesets import PRESETS
from gameplay.api.base import Input, Output
from gameplay.conversation.services import PHRASES
from gameplay.log.story import by_as_seen, read_events
from gameplay.models import ChatMessage, Invitation, Move, Seat, Table
from gameplay.services.quick_matches import QUICK_PACES, USUAL_WAIT
from gameplay.services.seating import BOT_LEVELS
from gameplay.services.table_terms import LEAST_HOURS, MOST_BANK, MOST_SECONDS

MOST_HOURS = 24 * 60
MOST_LINES = 200


# Out


class Person(Output):
    """The owner of the token."""

    name = serializers.CharField(source="__str__", help_text="The name other players see.")
    time_zone = serializers.CharField()
    scopes = serializers.SerializerMethodField(help_text="The scopes of this token. `null` for a browser.")

    def get_scopes(self, user: Any) -> list[str] | None:
        token = self.context["request"].auth
        return None if token is None else token.scopes


class SeatShape(Output):
    """A place at a table."""

    number = serializers.IntegerField(help_text="From 0, in playing order.")
    name = serializers.CharField(help_text="The player's name. Empty if the seat is free.")
    bot = serializers.CharField(help_text="The level of the bot at it. Empty for a person.")
    is_taken = serializers.BooleanField()
    is_ready = serializers.BooleanField(help_text="Between deals: asks for the next one.")


class TableShape(Output):
    """A match of one or more deals."""

    slug = serializers.CharField(help_text="Its name in addresses.")
    name = serializers.CharField()
    url = serializers.SerializerMethodField(help_text="Its page.")
    status = serializers.ChoiceField(Table.Status.choices)
    ruleset = serializers.CharField(source="rules_json.name")
    seat_count = serializers.IntegerField()
    team_size = serializers.IntegerField()
    seats = SeatShape(many=True)
    your_seat = serializers.SerializerMethodField(help_text="`null` for watchers.")
    is_practice = serializers.BooleanField()
    is_rated = serializers.BooleanField()
    assist = serializers.BooleanField()
    gives_hints = serializers.BooleanField(help_text="Whether `hint/` answers its players.")
    talk = serializers.ChoiceField(Table.Talk.choices, help_text="What players can write in the chat.")
    event_name = serializers.CharField(help_text="The event of the match, or empty.")
    event_path = serializers.CharField(help_text="The event's page on this site.")
    is_sealed = serializers.BooleanField(
        help_text="Other tables must still play the same cards. Until then a finished deal stays hidden."
    )
    clock = serializers.ChoiceField(Table.Clock.choices)
    clock_hours = serializers.IntegerField()
    turn_seconds = serializers.IntegerField(help_text="For the clock `live`: seconds that each turn adds.")
    bank_seconds = serializers.IntegerField(help_text="For the clock `live`: seconds of the bank between turns.")
    version = serializers.IntegerField(help_text="Grows with every change. Live events contain it.")
    move_count = serializers.IntegerField(help_text="Moves in the log so far. `seen` is compared to it.")
    deal_number = serializers.IntegerField()
    is_between_deals = serializers.BooleanField()
    seat_to_act = serializers.IntegerField(allow_null=True)
    deadline_at = serializers.DateTimeField(allow_null=True)
    paused_at = serializers.DateTimeField(allow_null=True)
    proposal = serializers.SerializerMethodField(
        help_text="For its players: `{what, agreed}`, with `pause` or `abandon` and the seats that agree."
    )
    result = serializers.JSONField(allow_null=True)

    def get_url(self, table: Table) -> str:
        return f"{settings.SITE_URL}{table.get_absolute_url()}"

    def get_your_seat(self, table: Table) -> int | None:
        reader = self.context["request"].user.pk
        return next((seat.number for seat in table.seats.all() if seat.user_id == reader), None)

    def get_proposal(self, table: Table) -> dict[str, Any] | None:
        return None if self.get_your_seat(table) is None else table.proposal

    def to_representation(self, table: Table) -> dict[str, Any]:
        data: dict[str, Any] = super().to_representation(table)
        return data


class WholeTable(TableShape):
    """A match with its ruleset."""

    rules = serializers.JSONField(source="rules_json", help_text="Every option; see `rulesets/`.")


class TablePage(Output):
    """Tables, newest first."""

    tables = TableShape(many=True)
    more = serializers.BooleanField(help_text="Whether older ones follow. Ask again with `before` = the last slug.")


class Turns(Output):
    """Tables that wait for the caller, the shortest time left first."""

    tables = TableShape(many=True)


class LogLine(Output):
    """A move of the log and its effects, as far as the caller can see them."""

    number = serializers.IntegerField(help_text="From 1, over all deals.")
    deal = serializers.IntegerField()
    seat = serializers.IntegerField()
    move = serializers.SerializerMethodField(
        help_text="In notation. For another player's refused attempt to take the pile, only the word."
    )
    by = serializers.SerializerMethodField(
        help_text="`player`, `bot`, `stand_in`; for the caller's own moves also `standing`, by a standing order."
    )
    at = serializers.DateTimeField()
    events = serializers.SerializerMethodField(
        help_text="Each `{event, seat}`, with `cards`, `number` and `text` if it has them, without hidden cards."
    )

    def get_move(self, move: Move) -> str:
        is_penalised = any(event["event"] == "penalty" for event in move.events)
        return move.text.partition(" ")[0] if is_penalised and move.seat != self._reader else move.text

    def get_by(self, move: Move) -> str:
        return str(by_as_seen(move, self._reader))

    def get_events(self, move: Move) -> list[dict[str, Any]]:
        return [event.to_json() for event in read_events(move.events, self._reader)]

    @property
    def _reader(self) -> int | None:
        seat: Seat | None = self.context["seat"]
        return None if seat is None else seat.number


class LogPage(Output):
    """Lines of the log, oldest first."""

    lines = LogLine(many=True)
    more = serializers.BooleanField(help_text="Whether others follow. Ask again with `since` = the last number.")


class HappeningShape(Output):
    """A line that is not a move: a clock, a seat or the table itself changed."""

    id = serializers.IntegerField()
    after_move = serializers.IntegerField()
    at = serializers.DateTimeField()
    kind = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    sentence = serializers.CharField()


class HappeningPage(Output):
    """Everything except moves, oldest first."""

    lines = HappeningShape(many=True)
    more = serializers.BooleanField(help_text="Whether others follow. Ask again with `since` = the last id.")


class Seen(Output):
    """The deal as the caller sees it."""

    table = serializers.CharField()
    version = serializers.IntegerField()
    move_count = serializers.IntegerField(help_text="Send it back as `seen` with moves.")
    view = serializers.JSONField(
        help_text="The position as the caller's seat may see it, hidden cards by their number only; "
        "`legal_moves` when it is the caller's turn."
    )


class Played(Seen):
    """The effects of the moves: the log since `seen`, and the view now."""

    log = LogLine(many=True)


class LegalMoves(Output):
    """The caller's legal moves. Empty if it is not the caller's turn."""

    move_count = serializers.IntegerField()
    moves = serializers.ListField(child=serializers.CharField(), help_text="In notation.")


class HintedAct(Output):
    """An act that is worth a thought."""

    move = serializers.CharField(help_text="In notation.")
    worth = serializers.IntegerField(help_text="Points by which your team should end the deal ahead.")
    reason = serializers.CharField()


class Hint(Output):
    """At most three acts, the best first."""

    move_count = serializers.IntegerField()
    acts = HintedAct(many=True)


class RulesetName(Output):
    """A published ruleset."""

    name = serializers.CharField()
    title = serializers.CharField()


class Rulesets(Output):
    """The rulesets that tables can start from."""

    rulesets = RulesetName(many=True)


class ChatLine(Output):
    """A chat message at a table."""

    id = serializers.IntegerField()
    seat = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    text = serializers.SerializerMethodField(help_text="Empty if it was hidden after a report.")
    is_taken_off = serializers.SerializerMethodField()
    at = serializers.DateTimeField()

    def get_text(self, line: ChatMessage) -> str:
        return "" if line.hidden_at else line.text

    def get_is_taken_off(self, line: ChatMessage) -> bool:
        return line.hidden_at is not None


class Phrase(Output):
    """A set phrase, allowed at any time."""

    phrase = serializers.CharField(help_text="The text to send.")
    text = serializers.CharField()


class ChatPage(Output):
    """The chat of a table, oldest first, and the allowed phrases."""

    lines = ChatLine(many=True)
    more = serializers.BooleanField(help_text="Whether others follow. Ask again with `since` = the last id.")
    is_free = serializers.BooleanField(help_text="Whether free text is allowed, or only set phrases.")
    phrases = Phrase(many=True)


class InvitationShape(Output):
    """An invitation to a table. Answer with `join/` or `decline/` of that table."""

    id = serializers.IntegerField()
    table = serializers.CharField(source="table.slug")
    table_name = serializers.CharField(source="table.name")
    invited_by = serializers.CharField(help_text="`null` if the account was deleted.", allow_null=True)
    created_at = serializers.DateTimeField()


class Invitations(Output):
    """Invitations that you can answer, newest first."""

    invitations = InvitationShape(many=True)


class SentInvitation(Output):
    """An invitation that you sent to a table."""

    id = serializers.IntegerField()
    who = serializers.SerializerMethodField(help_text="The person's name, or the email address.")
    created_at = serializers.DateTimeField()
    is_declined = serializers.SerializerMethodField()

    def get_who(self, invitation: Invitation) -> str:
        return invitation.email or str(invitation.user)

    def get_is_declined(self, invitation: Invitation) -> bool:
        return invitation.answered_at is not None and not invitation.is_accepted


class SentInvitations(Output):
    """Invitations to a table that were neither accepted nor cancelled, oldest first."""

    invitations = SentInvitation(many=True)


class Ruleset(RulesetName):
    """A ruleset with every option and its rule sheet."""

    options = serializers.JSONField()
    sheet = serializers.CharField(help_text="The rule sheet, in Markdown.")


# In


class Since(Input):
    since = serializers.IntegerField(default=0, min_value=0, max_value=2**53, help_text="The last one that you have.")
    limit = serializers.IntegerField(default=100, min_value=1, max_value=MOST_LINES)


class Which(Input):
    which = serializers.ChoiceField(
        ["mine", "open"], default="mine", help_text="Your tables, or those that anyone can join."
    )
    before = serializers.SlugField(required=False, max_length=12, help_text="The slug of the last table you have.")
    limit = serializers.IntegerField(default=50, min_value=1, max_value=50)


class NewTable(Input):
    """The settings of a table. Fields left out have the defaults of the page for new tables."""

    name = serializers.CharField(max_length=60)
    ruleset = serializers.ChoiceField(list(PRESETS), default="standard")
    options = serializers.DictField(default=dict, help_text="House rules: options that differ from the ruleset's.")
    seat_count = serializers.IntegerField(default=4, min_value=2, max_value=12)
    team_size = serializers.IntegerField(default=2, min_value=1, max_value=6)
    is_practice = serializers.BooleanField(default=False)
    is_rated = serializers.BooleanField(default=False)
    assist = serializers.BooleanField(default=True)
    allows_hints = serializers.BooleanField(
        default=False, help_text="Never in rated matches. Practice always has hints."
    )
    talk = serializers.ChoiceField(Table.Talk.choices, default="phrases", help_text="Rated matches cannot be `free`.")
    joining = serializers.ChoiceField(["open", "link", "invited"], default="link")
    watching = serializers.ChoiceField(["anybody", "link", "nobody"], default="link")
    clock = serializers.ChoiceField(Table.Clock.choices, default="move")
    clock_hours = serializers.IntegerField(default=48, min_value=LEAST_HOURS, max_value=MOST_HOURS)
    increment_hours = serializers.IntegerField(default=0, min_value=0, max_value=MOST_HOURS)
    cap_hours = serializers.IntegerField(default=0, min_value=0, max_value=MOST_HOURS)
    turn_seconds = serializers.IntegerField(default=0, min_value=0, max_value=MOST_SECONDS)
    bank_seconds = serializers.IntegerField(default=0, min_value=0, max_value=MOST_BANK)
    free_weekends = serializers.BooleanField(default=False)
    free_nights = serializers.BooleanField(default=False)
    allows_absences = serializers.BooleanField(default=True)
    missed = serializers.ChoiceField(Table.Missed.choices, default="bot")
    key = serializers.CharField(
        required=False, max_length=64, help_text="Your name for this request. The same name creates one table."
    )


class QuickMatch(Input):
    """Wishes for a quick match."""

    ruleset = serializers.ChoiceField(list(PRESETS), default="standard")
    pace = serializers.ChoiceField(list(QUICK_PACES), default=next(iter(QUICK_PACES)))
    bots_after = serializers.IntegerField(
        default=int(USUAL_WAIT),
        allow_null=True,
        min_value=60,
        max_value=86_400,
        help_text="Seconds until bots take the seats that are free. `null` for people only.",
    )


class Join(Input):
    seat = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=11)


class Nothing(Input):
    """An empty object."""


class SeatBot(Input):
    seat = serializers.IntegerField(
        required=False, min_value=0, max_value=11, help_text="Without it, every free seat gets a bot."
    )
    level = serializers.ChoiceField(list(BOT_LEVELS), allow_blank=True, help_text="Empty to remove a bot.")


class Moves(Input):
    moves = serializers.ListField(
        child=serializers.CharField(max_length=4000),
        min_length=1,
        max_length=50,
        help_text="In notation. All are made or none. The lift before a deal is `lift N`, a place from 0 to 100.",
    )
    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1, help_text="`move_count` of the view you saw.")
    key = serializers.CharField(
        required=False, max_length=64, help_text="Your name for this request. The same name is not done twice."
    )


class SeenMoves(Input):
    seen = serializers.IntegerField(min_value=0, max_value=2**31 - 1, help_text="`move_count` of the view you saw.")


class Say(Input):
    """Free text, or one of the set phrases."""

    text = serializers.CharField(required=False, max_length=2000)
    phrase = serializers.ChoiceField(list(PHRASES), required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise serializers.ValidationError("Send either a text or a phrase.")
        return attrs


class Pause(Input):
    act = serializers.ChoiceField(
        ["propose", "agree", "decline", "resume"],
        help_text="`decline` also cancels your own proposal, and answers a proposal to abandon the match.",
    )


class Invite(Input):
    who = serializers.CharField(max_length=254, help_text="A name on this site, or an email address.")


class Revoke(Input):
    invitation = serializers.IntegerField(min_value=1, max_value=2**53, help_text="Its `id`.")


class NextDeal(Input):
    deal = serializers.IntegerField(min_value=1, max_value=10_000, help_text="The deal that is over.")
