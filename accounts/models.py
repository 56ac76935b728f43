"""People who play: accounts, preferences, notifications and absences."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Greatest, Least
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.display_names import name_text
from accounts.notice_places.models import NoticeDelivery as NoticeDelivery
from accounts.notice_places.models import NoticePlace as NoticePlace
from accounts.validators import validate_time_zone


class User(AbstractUser):
    """A person with an account, or a guest."""

    class HandOrder(models.TextChoices):
        RANK = "rank", _("By rank, aces first")
        LOW = "low", _("By rank, threes first")
        SUIT = "suit", _("By suit")
        BOOK = "book", _("Towards books: cards of your melds first, then the most of a rank")
        OWN = "own", _("My own order")

    class Deck(models.TextChoices):
        FOUR = "four", _("Four colours: each suit its own")
        TWO = "two", _("Two colours: black and red")

    class CardBack(models.TextChoices):
        BLUE = "blue", _("Blue")
        GREEN = "green", _("Green")
        RED = "red", _("Red")

    class TableColour(models.TextChoices):
        PAPER = "paper", _("Paper")
        GREEN = "green", _("Green")
        BLUE = "blue", _("Blue")

    class Readers(models.TextChoices):
        NOBODY = "nobody", _("Only me")
        FRIENDS = "friends", _("My friends")
        ANYONE = "anyone", _("Anyone")

    class MailStopped(models.TextChoices):
        BOUNCED = "bounced", _("An email bounced")
        OPERATOR = "operator", _("Stopped by an operator")

    display_name = models.CharField(
        max_length=50, blank=True, help_text="What others at the table see; the username when empty."
    )
    is_guest = models.BooleanField(default=False)
    """Whether this is a visitor without an account: known by the session only, and never signed in."""
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    time_zone_is_guess = models.BooleanField(default=True)
    language = models.CharField(max_length=10, default="en")

    quiet_from = models.TimeField(null=True, blank=True, help_text="No notices from this hour, by your own clock.")
    quiet_until = models.TimeField(null=True, blank=True)
    weekend_days = models.CharField(
        max_length=7,
        default="56",
        blank=True,
        help_text="Days that are free at tables with free weekends; 0 is Monday.",
    )
    notice_email = models.BooleanField(_("by email"), default=True)
    notice_push = models.BooleanField(_("on my devices"), default=True)
    notice_digest = models.BooleanField(_("one email a day instead of one per turn"), default=False)
    digest_on = models.DateField(null=True, blank=True, editable=False)
    """The day, by the person's own clock, of the last daily email."""
    mail_stopped_at = models.DateTimeField(null=True, blank=True, editable=False)
    """Time when email was stopped, until the person confirms their address again; see `accounts.services.bounces`."""
    mail_stopped_for = models.CharField(max_length=8, choices=MailStopped, blank=True, editable=False)

    hand_order = models.CharField(max_length=4, choices=HandOrder, default=HandOrder.RANK)
    deck = models.CharField(max_length=4, choices=Deck, default=Deck.FOUR, db_default=Deck.FOUR)
    card_back = models.CharField(max_length=5, choices=CardBack, default=CardBack.BLUE, db_default=CardBack.BLUE)
    table_colour = models.CharField(
        max_length=5, choices=TableColour, default=TableColour.PAPER, db_default=TableColour.PAPER
    )
    has_sound = models.BooleanField(_("sound"), default=False)
    has_haptics = models.BooleanField(_("vibration"), default=False)
    shows_presence = models.BooleanField(default=True, db_default=True)
    """Whether others see that the person is at a table, or on the site."""
    record_for = models.CharField(max_length=7, choices=Readers, default=Readers.NOBODY, db_default=Readers.NOBODY)
    """The people who see the record of matches on the player’s page, of tables that they may watch."""

    def __str__(self) -> str:
        return name_text(self.display_name) or self.username

    @cached_property
    def known_absences(self) -> list[Absence]:
        """The person's absences, as they were when first asked for."""
        return list(self.absences.all())

    @property
    def zone(self) -> ZoneInfo:
        """The person's time zone."""
        return ZoneInfo(self.time_zone)


class Absence(models.Model):
    """A time in which a person's clocks are paused, out of a yearly allowance."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="absences")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    is_automatic = models.BooleanField(default=False)
    """Begun by the site when time ran out, rather than announced."""
    announced_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["starts_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(ends_at__gt=models.F("starts_at")), name="absence_ends_later")
        ]

    def __str__(self) -> str:
        return f"{self.user} away {self.starts_at:%Y-%m-%d} to {self.ends_at:%Y-%m-%d}"

    def covers(self, moment: datetime) -> bool:
        """Whether the person is away at that moment."""
        return self.starts_at <= moment < self.ends_at


class Friendship(models.Model):
    """Two people who are friends, or a request to be. The first asked."""

    first = models.ForeignKey(User, on_delete=models.CASCADE, related_name="friendships_asked")
    second = models.ForeignKey(User, on_delete=models.CASCADE, related_name="friendships_received")
    asked_at = models.DateTimeField(auto_now_add=True)
    accepted_at = models.DateTimeField(null=True)
    """Empty while it is a request."""

    class Meta:
        constraints = [
            models.UniqueConstraint(Least("first", "second"), Greatest("first", "second"), name="friends_once"),
            models.CheckConstraint(condition=~models.Q(first=models.F("second")), name="friends_are_two"),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} and {self.second_id}"

    def other(self, user: User) -> User:
        """The other of the two."""
        return self.second if self.first_id == user.pk else self.first


class Block(models.Model):
    """A person who wants nothing of another. The other is not told."""

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks")
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="blocks_received")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["by", "person"], name="blocked_once"),
            models.CheckConstraint(condition=~models.Q(by=models.F("person")), name="blocks_another"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} blocked by {self.by_id}"


class Notice(models.Model):
    """A notification: the outbox of email and push, and the list on the site."""

    class Trouble(models.TextChoices):
        AWAY = "away", _("The mail server did not answer")
        LATER = "later", _("The mail server put it off")
        REFUSED = "refused", _("The mail server refused it")
        UNSURE = "unsure", _("Unknown whether the mail server accepted it")
        BOUNCED = "bounced", _("The email bounced")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=30)
    key = models.CharField(max_length=120)
    """Its subject and point in time, such as `turn:412:87`; a second notification with the same key is not created."""
    subject = models.CharField(max_length=60, blank=True)
    """Its subject, such as `table:412`; the owner of the kind says whether it is still wanted."""
    title = models.CharField(max_length=200)
    body = models.TextField(blank=True)
    url = models.CharField(max_length=300)
    """The path on this site to act on it."""
    created_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField()
    """Not to be sent before; quiet hours move it."""
    settled_at = models.DateTimeField(null=True)
    """Time of sending, or of dropping because it was no longer wanted."""
    was_sent = models.BooleanField(default=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    """Number of refused emails; see `accounts.services.notices`."""
    trouble = models.CharField(max_length=7, choices=Trouble, blank=True)
    """Trouble of its last email; empty if there was none."""
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="notice_once")]
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(settled_at=None), name="notice_unsettled"),
            models.Index(fields=["user", "-created_at"], name="notice_by_user"),
            models.Index(fields=["due_at"], condition=models.Q(trouble__gt=""), name="notice_trouble"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"


class PushSubscription(models.Model):
    """A browser of a person's that takes web push messages."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="push_subscriptions")
    endpoint = models.URLField(max_length=500, unique=True)
    p256dh = models.CharField(max_length=120)
    auth = models.CharField(max_length=60)
    created_at = models.DateTimeField(auto_now_add=True)
    failures = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"push to {self.user_id}"


class ApiToken(models.Model):
    """A token for the API, stored as a hash. Knox reads it: its first five fields are those of knox's own model."""

    digest = models.CharField(max_length=128, primary_key=True)
    token_key = models.CharField(max_length=25, db_index=True)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="auth_token_set")
    created = models.DateTimeField(auto_now_add=True)
    expiry = models.DateTimeField(null=True, blank=True)
    name = models.CharField(max_length=60)
    scopes = models.JSONField(default=list)
    """Allowed uses: names from `accounts.scopes.SCOPES`."""
    last_used_at = models.DateTimeField(null=True)
    last_used_from = models.GenericIPAddressField(null=True)
    """The network address at that time; empty if it was not known."""

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.name


class KnownClient(models.Model):
    """A device or a network from which somebody signed in to an account: wrong passwords of others do not lock it.

    Stored as a digest for this account alone; see `accounts.services.known_clients`.
    """

    class Kind(models.TextChoices):
        DEVICE = "device"
        NETWORK = "network"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="known_clients")
    kind = models.CharField(max_length=7, choices=Kind)
    digest = models.CharField(max_length=64)
    first_at = models.DateTimeField(auto_now_add=True)
    last_at = models.DateTimeField()
    """Time of the last sign-in."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "digest"], name="known_client_once")]
        indexes = [models.Index(fields=["last_at"], name="known_client_last")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id}"


class Erasure(models.Model):
    """Remaining data of a deleted account to be erased; the row goes once all of it is."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=150)
    """Their name before."""
    addresses = models.JSONField(default=list)
    """Their email addresses in lower case."""
    due_at = models.DateTimeField(db_index=True)
    """From when on it may be done, or tried again."""
    asked_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"erasure of {self.user_id}"


class Clearing(models.Model):
    """A day's clearing of rows that were past their age; see `accounts.services.clearing`."""

    day = models.DateField(unique=True)
    """In UTC."""
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)
    """Time when nothing was left; empty until then."""
    counts = models.JSONField(default=dict)
    """Numbers of deleted rows, by the name of their rule."""

    def __str__(self) -> str:
        return f"clearing of {self.day}"


class OperatorAct(models.Model):
    """A line of the history of operators: a repair, or a new operator. Rows are only ever added.

    It names people by the numbers of their accounts, and holds no card, address or token.
    """

    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    """The operator; empty for the command line."""
    kind = models.CharField(max_length=20)
    subject = models.CharField(max_length=60, db_index=True)
    """Its subject, such as `table:412`."""
    sentence = models.CharField(max_length=300)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.sentence


class BudgetLimit(models.Model):
    """A limit of a budget as an operator has set it, for a kind of subject or for one of them."""

    budget = models.CharField(max_length=20)
    subject = models.CharField(max_length=60)
    """`person`, `guest` or `address`, or one of them: `person:5`, `address:192.0.2.1`."""
    limit = models.PositiveBigIntegerField(null=True)
    """`None` lifts it."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["budget", "subject"], name="one_limit_of_a_budget")]

    def __str__(self) -> str:
        return f"{self.budget} {self.subject}: {self.limit}"
