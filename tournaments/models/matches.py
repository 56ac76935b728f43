"""Matches with their places, results and answers."""

from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy

from tournaments.fields import FractionField
from tournaments.models.entries import Entry, new_token
from tournaments.models.stages import Round


class Pairing(models.Model):
    """A table of a round: a match of two or more entries, or a place in a bracket that waits for them."""

    class Status(models.TextChoices):
        WAITS = "waits", gettext_lazy("Waits for an earlier match")
        READY = "ready", gettext_lazy("To be played")
        PLAYING = "playing", gettext_lazy("Being played")
        REPORTED = "reported", gettext_lazy("Waits for confirmation")
        DISPUTED = "disputed", gettext_lazy("Disputed")
        DONE = "done", gettext_lazy("Finished")
        IDLE = "idle", gettext_lazy("Not played")
        """A bye, nobody on either side, or a decider that was not needed."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    name = models.CharField(max_length=12)
    """Its name in the stage, such as `R3.2` or `WB1.1`; the same as long as the stage lasts."""
    number = models.PositiveSmallIntegerField()
    """Its table number in the round."""
    group = models.PositiveSmallIntegerField(default=0)
    status = models.CharField(max_length=8, choices=Status, default=Status.READY)
    is_online = models.BooleanField(default=False)
    is_fixed = models.BooleanField(default=False)
    """Paired by hand: later results do not change it."""
    table = models.OneToOneField(
        "gameplay.Table", on_delete=models.SET_NULL, null=True, blank=True, related_name="pairing"
    )
    """Online table of the match."""
    is_walkover = models.BooleanField(default=False)
    """Decided without a result, because an entry of it has left."""
    boards = models.JSONField(default=list, blank=True)
    """Numbers of the shared deals it plays, where the format has them."""
    issue = models.PositiveSmallIntegerField(default=1, db_default=1)
    """Issue of these deals: only tables with the same issue have the same cards."""
    starts_at = models.DateTimeField(null=True, blank=True)
    """Scheduled start, if set."""
    opened_at = models.DateTimeField(null=True, blank=True)
    """Since when its players may begin, and were told so."""
    deadline_at = models.DateTimeField(null=True, blank=True)
    """Its own deadline, where it was postponed; else the round's holds."""
    begun_at = models.DateTimeField(null=True, blank=True)
    """Time of the first card or score. From then on it is not redrawn automatically."""
    done_at = models.DateTimeField(null=True, blank=True)
    result = models.ForeignKey("Result", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The confirmed result; empty until there is one."""
    token = models.CharField(max_length=43, unique=True, default=new_token)
    """Token of the code on its table card, which allows filling in the score sheet."""
    reminded = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["round_id", "number"]
        constraints = [models.UniqueConstraint(fields=["round", "name"], name="pairing_name_once")]
        indexes = [models.Index(fields=["status", "deadline_at"], name="pairing_by_status")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        stage = self.round.stage
        return reverse("tournaments:match", args=[stage.tournament.slug, stage.number, self.name])

    @property
    def tournament_id(self) -> int:
        """The tournament it belongs to."""
        return self.round.stage.tournament_id

    @property
    def clock(self) -> ZoneInfo | None:
        """The clock of the place where it is played; `None` online, where each reader sees it by their own."""
        return None if self.is_online else self.round.stage.tournament.clock

    @property
    def is_open(self) -> bool:
        """Whether a result is still to come."""
        return self.status not in (self.Status.DONE, self.Status.IDLE)

    @property
    def has_begun(self) -> bool:
        """Whether something was played, or decided, that a new draw would throw away."""
        return self.begun_at is not None or self.result_id is not None


class Place(models.Model):
    """A seat of a match for an entry, known or still to come."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="places")
    number = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="places")
    source = models.CharField(max_length=20, blank=True)
    """Source of an entry not known yet: `winner WB1.1`, `loser WB1.1`; `nobody` for a bye."""
    players = models.JSONField(default=list, blank=True)
    """Ids of the members who play for the entry; empty: its first ones."""
    side = models.PositiveSmallIntegerField(default=0)
    """Number of its side; two entries of one side are partners in this match."""
    points = FractionField(null=True, blank=True)
    """Match points of the confirmed result."""
    score = models.IntegerField(null=True, blank=True)
    """Card points of the confirmed result."""
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    """Its place at the table by the confirmed result, 1 the best; shared where equal."""
    sheet = models.JSONField(null=True, blank=True)
    """The score sheet that this entry keeps while the match is played, deal by deal; see `services.sheets`."""

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["pairing", "number"], name="place_number_once")]

    def __str__(self) -> str:
        return f"{self.entry_id or self.source} in {self.pairing_id}"


class Result(models.Model):
    """A reported result of a match. Rows are added and only change their status; the newest confirmed one counts."""

    class Kind(models.TextChoices):
        PLAYED = "played", gettext_lazy("Played")
        FORFEIT = "forfeit", gettext_lazy("Walkover")
        DOUBLE_FORFEIT = "double_forfeit", gettext_lazy("Nobody came")
        DECIDED = "decided", gettext_lazy("Decided by the organisers")

    class Status(models.TextChoices):
        REPORTED = "reported", gettext_lazy("Waits for confirmation")
        DISPUTED = "disputed", gettext_lazy("Disputed")
        CONFIRMED = "confirmed", gettext_lazy("Confirmed")
        REPLACED = "replaced", gettext_lazy("Replaced")

    class Origin(models.TextChoices):
        TABLE = "table", gettext_lazy("The table itself")
        PLAYER = "player", "A player"
        CARD = "card", gettext_lazy("A table card")
        ORGANISER = "organiser", gettext_lazy("An organiser")
        CLOCK = "clock", gettext_lazy("The deadline")

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="results")
    kind = models.CharField(max_length=14, choices=Kind, default=Kind.PLAYED)
    status = models.CharField(max_length=9, choices=Status, default=Status.REPORTED)
    origin = models.CharField(max_length=9, choices=Origin)
    lines = models.JSONField(default=list)
    """{"entry": id, "score": card points or null, "forfeit": bool, "books": number, "outs": number,
    "deals": [card points of each board]} by seat."""
    sheet = models.JSONField(null=True, blank=True)
    """The score sheet it was worked out from, deal by deal, where one was kept."""
    winner = models.ForeignKey(Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    """The entry that goes through if tied, as the organiser or a play-off decided."""
    reason = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    by_entry = models.ForeignKey(Entry, on_delete=models.SET_NULL, null=True, related_name="+")
    """For which side it was entered, where a player did."""
    at = models.DateTimeField()
    confirms_at = models.DateTimeField(null=True, blank=True)
    """Time when it is confirmed without an answer."""
    confirmed_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    request_key = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001  unset must not collide

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["pairing", "request_key"],
                condition=models.Q(request_key__isnull=False),
                name="result_request_once",
            )
        ]
        indexes = [
            models.Index(fields=["confirms_at"], condition=models.Q(confirms_at__isnull=False), name="result_confirms")
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.pairing_id}"


class Answer(models.Model):
    """Answer of another side to a reported result."""

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="answers")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    agrees = models.BooleanField()
    words = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["result", "entry"], name="answer_once")]

    def __str__(self) -> str:
        return f"{self.entry_id} {'agrees' if self.agrees else 'disputes'}"
