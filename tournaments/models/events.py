"""Tournaments and their organisers."""

from __future__ import annotations

import secrets
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models, transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.validators import validate_time_zone
from engine.compete.lots import new_secret
from engine.play.rules import Rules
from gameplay.house_rules.match_length import with_length


def new_lots() -> str:
    """A seed for lots, fixed when the event is made. Only drawing again before the start changes it, as the history says."""
    return secrets.token_hex(8)


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def locked(self, pk: int) -> Tournament:
        """The tournament, locked until the transaction ends. Raises `Tournament.DoesNotExist`.

        Every act that changes anything of a tournament begins with this one lock.
        """
        if not transaction.get_connection().in_atomic_block:
            raise transaction.TransactionManagementError("A tournament is locked inside a transaction.")
        return self.select_for_update().get(pk=pk)


class Tournament(models.Model):
    """An event with its settings, rules and stages."""

    class Status(models.TextChoices):
        DRAFT = "draft", gettext_lazy("Being prepared")
        OPEN = "open", gettext_lazy("Entries open")
        CLOSED = "closed", gettext_lazy("Entries closed")
        RUNNING = "running", gettext_lazy("Under way")
        OVER = "over", gettext_lazy("Finished")
        CANCELLED = "cancelled", gettext_lazy("Cancelled")

    class Visibility(models.TextChoices):
        PUBLIC = "public", gettext_lazy("Anyone")
        LINK = "link", gettext_lazy("Anyone with the link")
        CIRCLE = "circle", gettext_lazy("Members of the club")

    class Kind(models.TextChoices):
        PERSON = "person", pgettext_lazy("who enters", "People")
        PARTNERSHIP = "partnership", gettext_lazy("Pairs")
        TEAM = "team", gettext_lazy("Teams")

    class Setting(models.TextChoices):
        ONLINE = "online", gettext_lazy("Online")
        FACE = "face", gettext_lazy("Face to face")
        MIXED = "mixed", gettext_lazy("Both")

    class NoShow(models.TextChoices):
        WALKOVER = "walkover", gettext_lazy("Absent side loses by walkover")
        ORGANISER = "organiser", gettext_lazy("The organisers decide")

    slug = models.SlugField(max_length=70, unique=True)
    """Its address; never changes."""
    name = models.CharField(max_length=80)
    about = models.TextField(blank=True, max_length=4000)
    venue = models.CharField(max_length=200, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    """The event's own zone, in which its times are entered."""
    circle = models.CharField(max_length=40, blank=True)
    """The club it belongs to, as `gameplay.visibility_groups` names it, or nothing."""
    visibility = models.CharField(max_length=6, choices=Visibility, default=Visibility.PUBLIC)
    status = models.CharField(max_length=9, choices=Status, default=Status.DRAFT)
    setting = models.CharField(max_length=6, choices=Setting, default=Setting.FACE)

    # Entries
    entry_kind = models.CharField(max_length=11, choices=Kind, default=Kind.PERSON)
    side_size = models.PositiveSmallIntegerField(default=1)
    """People of one entry at a table: 1 for people, 2 for partnerships, 2 or 3 for teams."""
    entry_limit = models.PositiveSmallIntegerField(null=True, blank=True)
    """Entries beyond this number wait in a list."""
    entries_close_at = models.DateTimeField(null=True, blank=True)
    has_check_in = models.BooleanField(default=False)
    check_in_from = models.DateTimeField(null=True, blank=True)
    check_in_until = models.DateTimeField(null=True, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)

    # Matches
    rules_json = models.JSONField()
    """`Rules.write()` of its ruleset, with the length of a match as published; see `ruleset` and `rules`."""
    length_json = models.JSONField(default=dict, db_default={}, blank=True)
    """The length of a match, as the option of a ruleset, if it differs from that of the ruleset: `{"deals": 4}`."""
    terms = models.JSONField(default=dict, blank=True)
    """Terms of the tables made for online matches: fields of `gameplay.Table`, such as the clock."""
    is_rated = models.BooleanField(default=True)
    confirm_hours = models.PositiveSmallIntegerField(default=24)
    """After how many hours silence confirms a result that one side entered."""
    no_show = models.CharField(max_length=9, choices=NoShow, default=NoShow.ORGANISER)
    """Consequence for a match without a result at its deadline."""
    has_matchdays = models.BooleanField(default=False, db_default=False)
    """Whether its numbered rounds are the matchdays of a league, and called so."""

    lots = models.CharField(max_length=32, default=new_lots)
    """The seed of every draw by lot; public once the event has begun."""
    lot_seed = models.CharField(max_length=64, default=new_secret, db_default="")
    """The secret of lots between tied entries: its commitment is public, each lot shows only its own key."""
    version = models.PositiveIntegerField(default=0)
    """Grows with everything that its pages would show: caches are keyed by it, and stale pages known."""
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    look_at = models.DateTimeField(null=True, blank=True)
    """Since when there may be something to advance; the task looks, and the sweeper looks again."""

    objects = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ["-starts_at", "-pk"]
        indexes = [
            models.Index(fields=["status", "starts_at"], name="tournament_by_status"),
            models.Index(fields=["circle", "-starts_at"], name="tournament_by_circle"),
            models.Index(fields=["look_at"], condition=models.Q(look_at__isnull=False), name="tournament_look"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:event", args=[self.slug])

    @property
    def ruleset(self) -> Rules:
        """The ruleset of its matches, with its own length of a match."""
        return Rules.read(self.rules_json)

    @property
    def rules(self) -> Rules:
        """The rules of its matches, with their length; those of a stage or round are in `tournaments.terms`."""
        return with_length(self.ruleset, self.length_json)

    @property
    def zone(self) -> ZoneInfo:
        """The event's time zone."""
        return ZoneInfo(self.time_zone)

    @property
    def clock(self) -> ZoneInfo | None:
        """The clock by which everybody sees its times; `None` online, where each reader sees them by their own."""
        return None if self.setting == self.Setting.ONLINE else self.zone

    @property
    def has_begun(self) -> bool:
        """Whether its first stage was started."""
        return self.status in (self.Status.RUNNING, self.Status.OVER)

    @property
    def takes_entries(self) -> bool:
        """Whether people may enter on their own, apart from the closing time."""
        return self.status == self.Status.OPEN

    def bump(self) -> None:
        """Say that its pages have something new to show; the caller saves."""
        self.version += 1

    def save_progress(self) -> None:
        """Save only the fields that actions and advancing set."""
        self.save(update_fields=["version", "look_at", "status", "started_at", "ended_at"])


class Organiser(models.Model):
    """A person who helps to run a tournament."""

    class Role(models.TextChoices):
        OWNER = "owner", gettext_lazy("Owner")
        DIRECTOR = "director", gettext_lazy("Director")
        SCORER = "scorer", gettext_lazy("Scorer")
        DEALER = "dealer", gettext_lazy("Dealer")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="organisers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="organises")
    role = models.CharField(max_length=8, choices=Role, default=Role.DIRECTOR)
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["tournament", "user"], name="organiser_once")]

    def __str__(self) -> str:
        return f"{self.user_id}, {self.role} of {self.tournament_id}"
