"""The screen of an event in its hall, and the caller's timer."""

from django.db import models
from django.utils.translation import gettext_lazy

from tournaments.models.entries import new_token
from tournaments.models.events import Tournament


class Hall(models.Model):
    """The screen that an event shows in its hall by a secret link, and the timer that its organisers run."""

    class Purpose(models.TextChoices):
        ROUND = "round", gettext_lazy("Time for the round")
        BREAK = "break", gettext_lazy("Break before the next round")

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="hall")
    token = models.CharField(max_length=43, unique=True, default=new_token)
    """Token of the address of the screen."""
    note = models.CharField(max_length=120, blank=True, db_default="")
    """A line at its foot: `Tea is served.`"""
    purpose = models.CharField(max_length=5, choices=Purpose, default=Purpose.ROUND, db_default=Purpose.ROUND)
    """What the timer counts."""
    ends_at = models.DateTimeField(null=True, blank=True)
    """When the running timer ends; empty without one."""
    seconds_left = models.PositiveIntegerField(null=True, blank=True)
    """Seconds left of a paused timer; empty otherwise."""

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_at=None) | models.Q(seconds_left=None), name="hall_timer_in_one_state"
            )
        ]

    def __str__(self) -> str:
        return f"Hall of {self.tournament_id}"
