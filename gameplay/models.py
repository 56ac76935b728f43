"""Tables and their matches. The log (`Deal`, `Move`) is the truth; a table's snapshot only saves time."""

from __future__ import annotations

import json
import secrets
from datetime import datetime, timedelta
from functools import lru_cache

from django.conf import settings
from django.db import models, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext, gettext_lazy

from accounts.display_names import name_text
from engine.play.rules import Rules
from gameplay.fair_play.models import Look as Look
from gameplay.links import links_of
from gameplay.score_sheets.models import ScoreSheet as ScoreSheet
from gameplay.score_sheets.models import SheetPhoto as SheetPhoto
from web.database.compiled_queries import Prepared

_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"


def new_slug() -> str:
    """Ten random characters that cannot be guessed nor mistaken for one another."""
    return "".join(secrets.choice(_LETTERS) for _ in range(10))


class Wish(models.Model):
    """Wishes that people have for a quick match; its row is locked while one is seated, so that two at once meet."""

    ruleset = models.CharField(max_length=40)
    pace = models.CharField(max_length=20)
    """A name of `gameplay.paces.PACES`."""
    with_bots = models.BooleanField(default=True)
    """Whether bots may take seats that stay free."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ruleset", "pace", "with_bots"], name="wish_once")]

    def __str__(self) -> str:
        return f"{self.ruleset}, {self.pace}"


class TableQuerySet(models.QuerySet["Table"]):
    def locked(self, pk: int) -> tuple[Table, datetime]:
        """The table, locked until the transaction ends, and the time by the database."""
        if not transaction.get_connection().in_atomic_block:
            raise transaction.TransactionManagementError("A table is locked inside a transaction.")
        rows = _locked(pk)
        if not rows:
            raise Table.DoesNotExist
        now: datetime = vars(rows[0])["db_now"]
        return rows[0], now

    def running(self) -> TableQuerySet:
        return self.filter(status=Table.Status.PLAYING)


class Table(models.Model):
    """A table: one match of one or more deals between seats."""

    class Status(models.TextChoices):
        GATHERING = "gathering", gettext_lazy("Waiting for players")
        PLAYING = "playing", gettext_lazy("Being played")
        OVER = "over", gettext_lazy("Finished")
        ABANDONED = "abandoned", gettext_lazy("Abandoned")

    class Joining(models.TextChoices):
        OPEN = "open", gettext_lazy("Anyone")
        LINK = "link", gettext_lazy("Anyone with the link")
        INVITED = "invited", gettext_lazy("Invited players only")
        CLUB = "club", gettext_lazy("Members of a club")

    class Watching(models.TextChoices):
        ANYBODY = "anybody", gettext_lazy("Anyone")
        LINK = "link", gettext_lazy("Anyone with the link")
        CLUB = "club", gettext_lazy("Members of a club")
        NOBODY = "nobody", gettext_lazy("Players only")

    class Clock(models.TextChoices):
        MOVE = "move", gettext_lazy("Fixed time per turn")
        BANK = "bank", gettext_lazy("Time bank, plus time for each turn")
        LIVE = "live", gettext_lazy("An evening: seconds per turn")
        NONE = "none", gettext_lazy("No clock")

    class Missed(models.TextChoices):
        BOT = "bot", gettext_lazy("A bot plays that one turn")
        SKIP = "skip", gettext_lazy("That turn only draws and discards (an evening only)")
        SUBSTITUTE = "substitute", gettext_lazy("A reserve is asked to take the seat")
        FORFEIT = "forfeit", gettext_lazy("The match is lost")

    class Talk(models.TextChoices):
        FREE = "free", gettext_lazy("Free chat at any time")
        PHRASES = "phrases", gettext_lazy("Set phrases during the match, free chat before and after")
        NONE = "none", gettext_lazy("No chat")

    slug = models.CharField(max_length=12, unique=True, default=new_slug, editable=False)
    name = models.CharField(max_length=60)
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="tables_created"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    made_with = models.CharField(max_length=64, null=True, unique=True, editable=False)  # noqa: DJ001  unset must not collide
    """Mark of the request that created it, so that a repeat creates no second one."""
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.GATHERING)

    # Terms, fixed once play begins
    rules_json = models.JSONField()
    """`Rules.write()`; see `rules`."""
    rules_ref = models.CharField(max_length=40, blank=True)
    """The ref of the version in `gameplay.house_rules.rule_sources` that these were taken from, or nothing."""
    seat_count = models.PositiveSmallIntegerField()
    team_size = models.PositiveSmallIntegerField()
    is_practice = models.BooleanField(default=False)
    """A practice table has no clock, is never rated, and any talk is welcome."""
    is_rated = models.BooleanField(default=False)
    assist = models.BooleanField(default=True)
    allows_hints = models.BooleanField(default=False, db_default=False)
    """Whether players can ask what they could do; see `gives_hints`."""
    talk = models.CharField(max_length=7, choices=Talk, default=Talk.PHRASES, db_default=Talk.PHRASES)
    """What players can write; in practice set phrases never have to do. See `talks_freely`."""
    joining = models.CharField(max_length=8, choices=Joining, default=Joining.LINK)
    watching = models.CharField(max_length=8, choices=Watching, default=Watching.LINK)
    audience = models.CharField(max_length=40, blank=True)
    """For `club`: which circle of people, as `gameplay.visibility_groups` names it."""
    clock = models.CharField(max_length=4, choices=Clock, default=Clock.MOVE)
    clock_hours = models.PositiveSmallIntegerField(default=48)
    """Hours a turn, or hours in the bank at the start."""
    increment_hours = models.PositiveSmallIntegerField(default=0)
    """For a bank: hours added for each turn played."""
    cap_hours = models.PositiveSmallIntegerField(default=0)
    """For a bank: it never holds more; 0 is its first size."""
    turn_seconds = models.PositiveSmallIntegerField(default=0, db_default=0)
    bank_seconds = models.PositiveSmallIntegerField(default=0, db_default=0)
    """For an evening: seconds that each turn adds, and that the bank has at most between turns."""
    gathered_at = models.DateTimeField(null=True)
    """For an evening: since when the clocks run, because all players were there."""
    free_weekends = models.BooleanField(default=False)
    free_nights = models.BooleanField(default=False)
    """Whether the weekends, the quiet hours, of the seat to act do not count."""
    allows_absences = models.BooleanField(default=True)
    missed = models.CharField(max_length=10, choices=Missed, default=Missed.BOT)
    guide = models.JSONField(null=True)
    """Of a guided first deal: {"learnt": [lessons], "is_hidden": bool}; see `gameplay.services.first_deal`."""

    # Quick matches
    wish = models.ForeignKey(Wish, on_delete=models.SET_NULL, null=True, related_name="tables")
    """The wishes of the people who wait at it: it starts once every seat is taken."""
    bots_join_at = models.DateTimeField(null=True)
    """When bots take the seats that are still free, and the match starts."""

    # Made by a competition
    is_arranged = models.BooleanField(default=False)
    """Whether an event made the table; its organisers decide the players (`gameplay.event_tables`)."""
    event_name = models.CharField(max_length=80, blank=True)
    event_path = models.CharField(max_length=300, blank=True)
    """The page of the event on this site."""
    shares_deals = models.BooleanField(default=False)
    """Whether other tables play the same cards: the rows of its deals were made with it, their keys given."""
    is_sealed = models.BooleanField(default=False)
    """Whether a table is still to play these cards: until then a deal that is over is shown as if it went on."""

    # The state of the match
    move_count = models.PositiveIntegerField(default=0)
    """Moves of the log so far, over all deals; sent by pages as `seen`."""
    version = models.PositiveIntegerField(default=0)
    """Grows with everything that a page of the table would show; live events carry it."""
    deal_number = models.PositiveSmallIntegerField(default=0)
    is_between_deals = models.BooleanField(default=False)
    snapshot = models.JSONField(null=True)
    """The whole position but for its rules, hidden cards and all: it is for `gameplay.snapshot` and nobody else."""
    seat_to_act = models.PositiveSmallIntegerField(null=True)
    clock_started_at = models.DateTimeField(null=True)
    """Start of the clock of the seat to act; empty while it is paused."""
    wait_left = models.DurationField(null=True)
    """The time left when the clock started, for an answer or the wait between deals, not for a turn."""
    deadline_at = models.DateTimeField(null=True)
    """The deadline of the seat to act, or of the wait between deals: the truth for everyone."""
    remind_at = models.DateTimeField(null=True)
    bot_due_at = models.DateTimeField(null=True)
    """When a bot, or a standing order, should move; a worker that thinks about it puts it off a little."""
    failed_at = models.DateTimeField(null=True)
    """Since when the site has failed to see to its clock, or to its bot; empty once something was done at the table."""
    paused_at = models.DateTimeField(null=True)
    proposal = models.JSONField(null=True, blank=True)
    """A player's proposal to all: {"what": "pause" or "abandon", "agreed": [seats]}."""
    result = models.JSONField(null=True)
    """{"totals": [points by team], "winners": [teams], "reason": played, forfeit or abandoned}."""
    rematch = models.OneToOneField("self", on_delete=models.SET_NULL, null=True, related_name="rematch_of")

    objects = TableQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["deadline_at"], condition=models.Q(deadline_at__isnull=False), name="table_deadline"),
            models.Index(fields=["remind_at"], condition=models.Q(remind_at__isnull=False), name="table_reminder"),
            models.Index(fields=["bot_due_at"], condition=models.Q(bot_due_at__isnull=False), name="table_bot_due"),
            models.Index(
                fields=["bots_join_at"], condition=models.Q(bots_join_at__isnull=False), name="table_bots_join"
            ),
            models.Index(fields=["failed_at"], condition=models.Q(failed_at__isnull=False), name="table_failed"),
            models.Index(fields=["status", "-created_at"], name="table_by_status"),
            models.Index(fields=["is_sealed"], condition=models.Q(is_sealed=True), name="table_sealed"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return links_of(self.slug).table

    @property
    def rules(self) -> Rules:
        """The ruleset; written once, when the table was made."""
        return _rules(json.dumps(self.rules_json))

    @property
    def teams(self) -> int:
        return self.seat_count // self.team_size

    @property
    def gives_hints(self) -> bool:
        """Whether players can ask what they could do: in practice, elsewhere if the creator chose so, never where it counts."""
        return (self.is_practice or self.allows_hints) and not (self.is_rated or self.is_arranged)

    @property
    def talks_freely(self) -> bool:
        """Whether own words are welcome now: where partners could signal, only before and after the match."""
        if self.talk == Table.Talk.NONE:
            return False
        return self.is_practice or self.talk == Table.Talk.FREE or self.status != Table.Status.PLAYING

    @property
    def allowance(self) -> timedelta:
        """Time for a turn, or in the bank at the start."""
        if self.clock == Table.Clock.LIVE:
            return timedelta(seconds=self.turn_seconds + self.bank_seconds)
        return timedelta(hours=self.clock_hours)

    def bump(self) -> None:
        """Say that pages of this table have something new to show; the caller saves."""
        self.version += 1

    @property
    def can_change_partners(self) -> bool:
        """Whether its people can be paired in another way, and may decide that themselves."""
        return self.team_size > 1 and not self.is_arranged and not self.is_practice


@lru_cache(maxsize=256)
def _rules(text: str) -> Rules:
    """The rules, cached because most tables use few rulesets, which keep their worked-out options."""
    return Rules.read(json.loads(text))


_locked = Prepared(lambda pk: Table.objects.select_for_update(of=("self",)).annotate(db_now=Now()).filter(pk=pk), int)


BOT_MARK = " (bot)"
"""End of the stored name of a bot; pages have it in the reader's language."""


class Seat(models.Model):
    """A seat at a table: a person, a bot, or nobody yet."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="seats"
    )
    bot = models.CharField(max_length=10, blank=True)
    """The level of the bot that plays it (`engine.bots`); empty for a person."""
    name = models.CharField(max_length=60, blank=True)
    """The player's name when taking the seat; stays when an account is deleted."""
    former_user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    """The player here before a bot or a reserve took over."""
    joined_at = models.DateTimeField(null=True)
    agreed_at = models.DateTimeField(null=True)
    """Time of agreeing to the rule sheet."""
    is_ready = models.BooleanField(default=False)
    """Between deals: has looked at the score sheet and wants the next deal. At the end: wants a rematch."""
    is_lifting = models.BooleanField(default=False, db_default=False)
    """Before a deal: has still to lift from the stock, or to choose a stack."""
    lift = models.JSONField(null=True)
    """A lift, or a choice, that waits for those before it in the order. Secret.

    `{"mark": 0 to 100, "key": of the request}` or `{"keep": 1 or 2, "key": …}`.
    """
    time_left = models.DurationField(null=True)
    """Time left of the bank, or of this turn while another's clock runs."""
    missed_in_a_row = models.PositiveSmallIntegerField(default=0)
    turns_missed = models.PositiveSmallIntegerField(default=0)
    standing = models.JSONField(default=dict, blank=True)
    """Standing answers and orders; see `gameplay.standing_orders.orders`."""
    reminded = models.PositiveSmallIntegerField(default=0)
    """Reminders sent in this turn: 1 at 50 %, 2 at 80 %, 3 two hours before."""
    looked_at = models.DateTimeField(null=True)
    """Time when the player's page was last looked at."""
    seen_number = models.PositiveIntegerField(default=0)
    """The last move of the log that the player has seen the story of."""
    hand_order = models.CharField(max_length=600, blank=True)
    """Own order of the hand: names of cards."""
    note = models.TextField(blank=True)
    """Notes to oneself."""
    mutes_chat = models.BooleanField(default=False)
    unread = models.PositiveIntegerField(default=0, db_default=0)
    """Messages of others since the player last read the chat."""

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_once_at_table"),
            models.UniqueConstraint(fields=["table", "user"], name="user_once_at_table"),
            models.CheckConstraint(condition=models.Q(user=None) | models.Q(bot=""), name="seat_person_or_bot"),
        ]

    def __str__(self) -> str:
        if self.name.endswith(BOT_MARK):
            return gettext("%(name)s (bot)") % {"name": self.player_name}
        return name_text(self.name) or gettext("Seat %(number)s") % {"number": self.number + 1}

    @property
    def player_name(self) -> str:
        """The name alone, where something else says that it is a bot."""
        return name_text(self.name.removesuffix(BOT_MARK)) or str(self)

    @property
    def is_taken(self) -> bool:
        return self.user_id is not None or bool(self.bot)


class Deal(models.Model):
    """A deal of a match: its secret key and commitment, the players' phrases, and its result."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=64)
    """Secret until the deal is over, in hexadecimal."""
    commitment = models.CharField(max_length=64)
    phrases = models.JSONField(default=list)
    """Phrases by seat; fixed once the cards are dealt."""
    dealer = models.PositiveSmallIntegerField(null=True)
    dealt_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    result = models.JSONField(null=True)
    """`engine.play.view.outcome_to_json` of the deal."""

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="deal_once_at_table")]

    def __str__(self) -> str:
        return f"Deal {self.number} of table {self.table_id}"


class DealReview(models.Model):
    """The review of a deal that is over, worked out in the background (`gameplay.reviews`)."""

    deal = models.OneToOneField(Deal, on_delete=models.CASCADE, related_name="review")
    asked_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField(null=True)
    """When it is worked on next; a worker that does so puts it off. Empty once it is done."""
    progress = models.JSONField(default=dict)
    """What is worked out so far; see `gameplay.reviews.work`."""
    is_done = models.BooleanField(default=False)
    """Whether it is complete; one that is neither done nor due has failed."""

    class Meta:
        indexes = [models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="deal_review_due")]

    def __str__(self) -> str:
        return f"Review of {self.deal_id}"


class Move(models.Model):
    """A line of a table's log: a move in notation, its player, time and effects."""

    class By(models.TextChoices):
        PLAYER = "player", "Player"
        BOT = "bot", "Bot in the seat"
        STAND_IN = "stand_in", "Bot for a turn that was missed"
        STANDING = "standing", "Standing order"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="moves")
    number = models.PositiveIntegerField()
    """From 1, over all deals of the table."""
    deal = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=4000)
    by = models.CharField(max_length=8, choices=By, default=By.PLAYER)
    at = models.DateTimeField()
    events = models.JSONField(default=list)
    """Its events, as `gameplay.log.story` stores them, hidden cards and all: to be redacted for each reader."""
    request_key = models.CharField(max_length=64, null=True)  # noqa: DJ001  unset must not collide
    """For the last move of one act of a page: the key that it was sent with."""

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="move_once_at_table"),
            models.UniqueConstraint(
                fields=["table", "seat", "request_key"],
                condition=models.Q(request_key__isnull=False),
                name="request_once_at_seat",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}. seat {self.seat}"


class Happening(models.Model):
    """A line of the log that is no move: a clock, a seat or the table itself changed."""

    class Kind(models.TextChoices):
        CREATED = "created", "Table made"
        JOINED = "joined", "Joined"
        LEFT = "left", "Left"
        SEATED = "seated", "Seats changed"
        STARTED = "started", "Match begun"
        DEALT = "dealt", "Deal begun"
        DEAL_OVER = "deal_over", "Deal over"
        MISSED = "missed", "Deadline missed"
        AWAY = "away", "Away"
        PAUSED = "paused", "Paused"
        RESUMED = "resumed", "Resumed"
        EXTENDED = "extended", "Deadline moved"
        REPLACED = "replaced", "Player replaced"
        FORFEITED = "forfeited", "Forfeited"
        ABANDONED = "abandoned", "Abandoned"
        OVER = "over", "Match over"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="happenings")
    at = models.DateTimeField()
    after_move = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=10, choices=Kind)
    seat = models.PositiveSmallIntegerField(null=True)
    sentence = models.CharField(max_length=300)
    """An event for everyone to read; never with a hidden card."""

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.sentence


class Invitation(models.Model):
    """An invitation to a table that waits for players: by account or by email."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="table_invitations"
    )
    email = models.EmailField(blank=True)
    token = models.CharField(max_length=43, unique=True)
    """The token of the link in the email."""
    seat = models.PositiveSmallIntegerField(null=True)
    """A seat reserved for the guest; empty if any is free."""
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    answered_at = models.DateTimeField(null=True)
    is_accepted = models.BooleanField(default=False)
    revoked_at = models.DateTimeField(null=True)
    """Time of cancelling; the row stays, because emails are counted."""
    letter_due_at = models.DateTimeField(null=True)
    """Time when its email is due, or due again after a failure; empty once it was sent."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "user"], condition=models.Q(revoked_at=None), name="invited_once_to_table"
            )
        ]
        indexes = [
            models.Index(
                fields=["letter_due_at"], condition=models.Q(letter_due_at__isnull=False), name="invitation_letter_due"
            )
        ]

    def __str__(self) -> str:
        return f"Invitation {self.pk} to table {self.table_id}"

    @property
    def is_open(self) -> bool:
        """Whether it can still be answered."""
        return self.revoked_at is None and self.answered_at is None


class Reserve(models.Model):
    """A person ready to take over a seat of the table when a player is missing."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="reserves")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    offered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="reserve_once_at_table")]

    def __str__(self) -> str:
        return f"Reserve {self.user_id} at table {self.table_id}"


class ChatMessage(models.Model):
    """A line of a table's chat: own words, or one of the set phrases."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="chat")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)
    name = models.CharField(max_length=60)
    text = models.CharField(max_length=300)
    at = models.DateTimeField(auto_now_add=True)
    hidden_at = models.DateTimeField(null=True)
    """Taken off the page after a report was upheld."""

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class Report(models.Model):
    """A report of a message, or of a player's behaviour."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="reports")
    message = models.ForeignKey(ChatMessage, on_delete=models.CASCADE, null=True, related_name="reports")
    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=500)
    at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"Report {self.pk} at table {self.table_id}"


class Process(models.Model):
    """A process of the site, as it last reported."""

    class Role(models.TextChoices):
        WEB = "web", "Web server"
        WORKER = "worker", "Worker"
        CLOCK = "clock", "Clock"

    key = models.CharField(max_length=32, unique=True)
    """Drawn when the process begins."""
    role = models.CharField(max_length=10, choices=Role.choices)
    at = models.DateTimeField()
    """Time of its last report; of the clock, when it last queued a task."""
    lanes = models.CharField(max_length=100, blank=True, db_default="")
    """Of a worker: the lanes of `settings.LANES` that it serves, with spaces between."""
    streams = models.PositiveIntegerField(default=0)
    """Live connections that it holds."""

    def __str__(self) -> str:
        return f"{self.role} {self.pk}"


class Tally(models.Model):
    """A counter: number of events, or of seconds, in all processes since the first start."""

    measure = models.CharField(max_length=40)
    labels = models.CharField(max_length=300)
    """A JSON list of texts."""
    part = models.CharField(max_length=10, blank=True)
    """Of a duration: the bound that it was counted by, or `sum`."""
    value = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["measure", "labels", "part"], name="tally_once")]

    def __str__(self) -> str:
        return f"{self.measure} {self.pk}"


class Heartbeat(models.Model):
    """Last run of a periodic task: deadlines that passed without one are extended, not enforced."""

    name = models.CharField(max_length=30, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
