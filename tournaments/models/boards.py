"""Deals that several tables of a stage play, so that a round compares play and not luck."""

from django.db import models

from tournaments.models.stages import Stage


class Board(models.Model):
    """A shared deal with its secret key, created when the first table needs it."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="boards")
    number = models.PositiveSmallIntegerField()
    """Number in the movement; without a movement, the number of the round."""
    deal = models.PositiveSmallIntegerField()
    """Index of the deal with that number, from 1."""
    issue = models.PositiveSmallIntegerField(default=1)
    """Later issues have other cards: for tables whose players have seen the earlier ones, or when those lie open."""
    key = models.CharField(max_length=64)
    """In hexadecimal; secret until it is opened."""
    opened_at = models.DateTimeField(null=True, blank=True)
    """Time when all tables had played it and it became public."""
    printed_at = models.DateTimeField(null=True, blank=True)
    """Time when its dealing sheet was last printed; empty for one that was never on paper."""

    class Meta:
        ordering = ["number", "deal", "issue"]
        constraints = [models.UniqueConstraint(fields=["stage", "number", "deal", "issue"], name="board_once_in_stage")]

    def __str__(self) -> str:
        return f"Board {self.number}, deal {self.deal}"
