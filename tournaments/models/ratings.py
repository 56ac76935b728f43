"""Ratings of people and of partnerships, by family of rulesets, and the log of games that they follow from."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext, gettext_lazy

from tournaments.models.events import Tournament

START_MU, START_SIGMA = 25.0, 25.0 / 3


class RatingPool(models.Model):
    """A family of rulesets with its own ratings. Its row is the lock of all its ratings."""

    name = models.CharField(max_length=30, unique=True)
    """The published ruleset, as `engine.play.rulesets` names it."""
    dirty_since = models.DateTimeField(null=True, blank=True)
    """From which moment on its games have changed since they were last rated; empty where all is worked out."""
    marked_at = models.DateTimeField(null=True, blank=True)
    """Time since when its ratings wait to be recomputed."""

    class Meta:
        indexes = [
            models.Index(
                fields=["dirty_since"], condition=models.Q(dirty_since__isnull=False), name="rating_pool_dirty"
            )
        ]

    def __str__(self) -> str:
        return self.name


class RatedGame(models.Model):
    """A game checked for ratings, ordered by end: the log from which every rating follows."""

    class Kind(models.TextChoices):
        TABLE = "table", gettext_lazy("A table")
        MATCH = "match", gettext_lazy("A match of an event")

    kind = models.CharField(max_length=5, choices=Kind)
    source = models.PositiveBigIntegerField()
    """Id of the table or pairing. No foreign key, so that a deleted game can still be found and undone."""
    tournament = models.ForeignKey(
        Tournament, on_delete=models.SET_NULL, null=True, blank=True, related_name="rated_games"
    )
    pool = models.CharField(max_length=30, blank=True)
    """Its family of rulesets; empty for a game that was looked at and does not count."""
    ended_at = models.DateTimeField()
    sides = models.JSONField(default=list)
    """Ids of the people of each side."""
    side_size = models.PositiveSmallIntegerField(default=1)
    """Number of people on a side; `sides` has fewer if some have no account."""
    ranks = models.JSONField(default=list)
    """The place of each side, 1 the best, shared where equal."""

    class Meta:
        ordering = ["ended_at", "kind", "source"]
        constraints = [models.UniqueConstraint(fields=["kind", "source"], name="game_rated_once")]
        indexes = [models.Index(fields=["pool", "ended_at", "kind", "source"], name="rated_game_in_order")]

    def __str__(self) -> str:
        return f"{self.kind} {self.source}"


class RatingQuerySet(models.QuerySet["Rating"]):
    def of_people(self) -> RatingQuerySet:
        """Ratings of one person each."""
        return self.filter(partner=None)

    def of_partnerships(self) -> RatingQuerySet:
        """Ratings of two people who play as partners."""
        return self.filter(partner__isnull=False)


class Rating(models.Model):
    """Estimated strength of a person or pair in one family of rulesets: a mean and its uncertainty."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings")
    """The person; of a partnership the one with the lower id."""
    partner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    """The other one of a partnership; empty for the rating of one person."""
    pool = models.CharField(max_length=30)
    """The family: the published ruleset, as `engine.play.rulesets` names it."""
    mu = models.FloatField(default=START_MU)
    sigma = models.FloatField(default=START_SIGMA)
    matches = models.PositiveIntegerField(default=0)
    is_stale = models.BooleanField(default=False)
    """Whether a game that moved it was taken out of the log since; its pool is dirty then."""

    objects = RatingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "pool"], condition=models.Q(partner=None), name="rating_once_in_pool"
            ),
            models.UniqueConstraint(
                fields=["user", "partner", "pool"],
                condition=models.Q(partner__isnull=False),
                name="partnership_once_in_pool",
            ),
            models.CheckConstraint(
                condition=models.Q(partner=None) | models.Q(user__lt=models.F("partner")), name="partnership_in_order"
            ),
        ]
        indexes = [models.Index(fields=["pool", "-mu"], name="rating_by_pool")]

    def __str__(self) -> str:
        return f"{self.names}: {self.value} ({self.pool})"

    @property
    def names(self) -> str:
        """Names of the rated people."""
        if not self.partner_id:
            return str(self.user)
        return gettext("%(one)s and %(other)s") % {"one": self.user, "other": self.partner}

    @property
    def value(self) -> int:
        """The displayed rating: a conservative estimate of strength, 1000 for a newcomer."""
        return rating_value(self.mu, self.sigma)


class RatingStep(models.Model):
    """Change of one rating by one game."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="steps")
    game = models.ForeignKey(RatedGame, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    """Number of games of the rating, including this one."""
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        ordering = ["rating_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["rating", "game"], name="rated_once_for_game"),
            models.UniqueConstraint(fields=["rating", "number"], name="rating_step_numbered"),
        ]

    def __str__(self) -> str:
        return f"{self.rating_id} in game {self.game_id}: {self.by:+}"

    @property
    def value(self) -> int:
        """The displayed rating after the game."""
        return rating_value(self.mu, self.sigma)

    @property
    def by(self) -> int:
        """Change of the displayed rating."""
        return self.value - rating_value(self.mu_before, self.sigma_before)


class RatedTournament(models.Model):
    """Version of a tournament up to which its results were compared with its rated games."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="rated")
    version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.tournament_id} at version {self.version}"


def rating_value(mu: float, sigma: float) -> int:
    """A mean and its uncertainty as one number: three sigmas below the mean, 40 points a unit, from 1000."""
    return round(1000 + 40 * (mu - 3 * sigma))
