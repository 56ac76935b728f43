"""Series: standings of a club over its evenings."""

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy

from clubs.models.people import Club
from engine.compete.series import AVERAGE, BEST, PERCENT, PLACE, POINTS, SUM, Counting


class Series(models.Model):
    """Standings over the evenings of a club: its finished events between two days, also those that follow."""

    class Measure(models.TextChoices):
        POINTS = POINTS, gettext_lazy("Points of the evening")
        PLACE = PLACE, gettext_lazy("Place points")
        PERCENT = PERCENT, gettext_lazy("Percentage")

    class Way(models.TextChoices):
        BEST = BEST, gettext_lazy("Best evenings")
        AVERAGE = AVERAGE, gettext_lazy("Average")
        SUM = SUM, gettext_lazy("Sum")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="series")
    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=50)
    first_day = models.DateField()
    """By the club's clock."""
    last_day = models.DateField(null=True, blank=True)
    """Empty while nobody knows when it ends."""
    measure = models.CharField(max_length=7, choices=Measure, default=Measure.POINTS)
    """What of each evening counts."""
    way = models.CharField(max_length=7, choices=Way, default=Way.SUM)
    """How evenings add up."""
    number = models.PositiveSmallIntegerField(default=1)
    """How many evenings count at most (best), or are needed (average)."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-first_day", "-pk"]
        verbose_name_plural = "series"
        constraints = [models.UniqueConstraint(fields=["club", "slug"], name="series_once_in_club")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("clubs:series", args=[self.club.slug, self.slug])

    @property
    def counting(self) -> Counting:
        """How its evenings add up."""
        return Counting(self.way, self.number)


class SeriesEvent(models.Model):
    """An exception to the days of a series: an event that counts although it is not between them, or does not count."""

    series = models.ForeignKey(Series, on_delete=models.CASCADE, related_name="exceptions")
    event = models.ForeignKey("tournaments.Tournament", on_delete=models.CASCADE, related_name="series")
    is_counted = models.BooleanField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["series", "event"], name="event_once_in_series")]

    def __str__(self) -> str:
        return f"Event {self.event_id} in series {self.series_id}"
