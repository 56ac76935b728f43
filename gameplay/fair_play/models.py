"""Page views of players of rated matches, with the device: the minimum for fair play."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy


class Look(models.Model):
    """The first moment at which a player's page showed a position of a match, on one device."""

    seat = models.ForeignKey("Seat", on_delete=models.CASCADE, related_name="looks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    """The player in the seat then."""
    after_move = models.PositiveIntegerField()
    """Moves in the table's log at that position."""
    mark = models.CharField(max_length=32)
    """The device, as `services.looks` writes it: the same again at the same table, and at no other."""
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "after_move", "mark"], name="look_once_at_position")]
        indexes = [models.Index(fields=["at"], name="look_by_time")]

    def __str__(self) -> str:
        return f"Seat {self.seat_id} after move {self.after_move}"


class FairPlayRemark(models.Model):
    """An organiser's note on a finding about two players. Rows are added; the newest of a finding counts.

    Each app that shows findings has a model of its own, which adds their owner.
    """

    class Kind(models.TextChoices):
        DEVICE = "device", gettext_lazy("One device at two seats")
        LOOKS = "looks", gettext_lazy("Move soon after another seat opens")
        PARTNERS = "partners", gettext_lazy("Partners who never play apart")

    class Verdict(models.TextChoices):
        NOTHING = "nothing", gettext_lazy("Checked: no concern")
        WATCH = "watch", gettext_lazy("Keep watching")

    kind = models.CharField(max_length=8, choices=Kind)
    one = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    verdict = models.CharField(max_length=7, choices=Verdict)
    note = models.CharField(max_length=500, blank=True)
    cases = models.PositiveIntegerField()
    """The number of cases at that time: with more of them a finding is new again."""
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        abstract = True
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.one_id}, {self.other_id}: {self.verdict}"
