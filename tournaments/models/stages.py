"""Stages, their entries and rounds."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine.compete.records import Kind
from tournaments.fields import FractionField
from tournaments.models.entries import Entry
from tournaments.models.events import Tournament


class Stage(models.Model):
    """A part of a tournament in one format. Its ranking can feed the next stage."""

    class Status(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("of a stage", "To come")
        RUNNING = "running", gettext_lazy("Under way")
        OVER = "over", gettext_lazy("Finished")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    plan_json = models.JSONField()
    """`tournaments.plan.Plan.write()`: format, rounds, scoring, tie-breaks, cut."""
    status = models.CharField(max_length=7, choices=Status, default=Status.WAITING)
    go_round = models.PositiveSmallIntegerField(default=0)
    """Up to which round an organiser gave the go, where rounds wait for it."""
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    trouble = models.CharField(max_length=300, blank=True)
    """Reason why it cannot continue, as a sentence for the organiser; empty if it can."""
    ties_json = models.JSONField(default=list, db_default=[], blank=True)
    """Decisions of organisers about ties: see `tournaments.ties.Answer`."""

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_once")]

    def __str__(self) -> str:
        return self.name


class StageEntry(models.Model):
    """An entry in a stage: its place in the draw, and since and until when it takes part."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="entries")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="in_stages")
    position = models.PositiveSmallIntegerField()
    """Its seed in the stage, from 1; the number that `engine.compete` knows it by."""
    group = models.PositiveSmallIntegerField(default=0)
    """Its group, from 1, where the stage has groups."""
    first_round = models.PositiveSmallIntegerField(default=1)
    """The first round it takes part in: later than 1 for a late entry."""
    start_points = FractionField(default=0)
    """Points for the rounds it missed, or carried from the stage before."""
    last_round = models.PositiveSmallIntegerField(null=True, blank=True)
    """The last round it takes part in; empty while it plays on. 0: it left before the first."""
    byes = models.JSONField(default=dict, blank=True)
    """Byes on request: by round number, `half_bye`, `bye` or `zero_bye`."""

    waits_since = models.DateTimeField(null=True, blank=True)
    """In an arena: since when it waits for a table."""

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry"], name="entry_once_in_stage"),
            models.UniqueConstraint(fields=["stage", "position"], name="position_once_in_stage"),
        ]

    def __str__(self) -> str:
        return f"{self.position}. {self.entry_id}"


class Round(models.Model):
    """A round of a stage: drawn, opened for play, closed when its results are in."""

    class Status(models.TextChoices):
        DRAWN = "drawn", pgettext_lazy("of a round", "Drawn")
        OPEN = "open", gettext_lazy("Being played")
        CLOSED = "closed", gettext_lazy("Finished")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    status = models.CharField(max_length=6, choices=Status, default=Status.DRAWN)
    is_fixed = models.BooleanField(default=False)
    """Paired by hand, at least in part: not redrawn automatically."""
    drawn_from = models.CharField(max_length=64, blank=True)
    """A digest of the inputs of its draw. If they change, it is redrawn unless it has started."""
    starts_at = models.DateTimeField(null=True, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True)
    drawn_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    kept_at = models.DateTimeField(null=True, blank=True)
    """Since when it stays as announced: an earlier result was corrected, and the organisers kept its tables."""

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="round_number_once")]

    def __str__(self) -> str:
        return self.name


class SitOut(models.Model):
    """An entry that does not play in a round, and what that is worth."""

    KINDS = [(kind.value, kind.value.replace("_", " ")) for kind in Kind]

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="sit_outs")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12, choices=KINDS)
    points = FractionField(default=0)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["round", "entry"], name="sit_out_once")]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.kind} in round {self.round_id}"


class Adjustment(models.Model):
    """Points given or taken by an organiser, with a reason."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="adjustments")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="adjustments")
    points = FractionField()
    reason = models.CharField(max_length=200)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.points} for {self.entry_id}"
