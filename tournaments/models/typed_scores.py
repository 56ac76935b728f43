"""Scores that organisers typed and that do not count yet."""

from django.conf import settings
from django.db import models

from tournaments.models.matches import Pairing


class TypedScores(models.Model):
    """Scores of a match, typed by an organiser; only organisers see them until they are entered as its result."""

    pairing = models.OneToOneField(Pairing, on_delete=models.CASCADE, related_name="typed")
    scores = models.JSONField(default=list)
    """Card points of each side in order, `null` where still to come."""
    deals = models.JSONField(default=list, db_default=[], blank=True)
    """Where boards are entered one by one: for each deal the card points by side, or `null` where still to come."""
    is_kept = models.BooleanField(default=False, db_default=False)
    """Whether unusual scores were kept on purpose."""
    version = models.PositiveIntegerField(default=1, db_default=1)
    """Grows with each change, so that two people who type at once see each other’s scores."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"Scores of match {self.pairing_id}"
