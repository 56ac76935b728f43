"""Publications of a club: news, meetings and newsletters."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from clubs.models.people import Club, Membership

STILL_ON = timedelta(hours=4)
"""A meeting without an end counts as under way for this long."""


class News(models.Model):
    """A piece of news on the club's page."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="news")
    title = models.CharField(max_length=120)
    body = models.TextField(max_length=20_000)
    is_pinned = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField(max_length=60, blank=True)
    """The author's name at the time."""
    published_at = models.DateTimeField()

    class Meta:
        ordering = ["-is_pinned", "-published_at", "-pk"]
        verbose_name_plural = "news"

    def __str__(self) -> str:
        return self.title


class Meeting(models.Model):
    """A meeting of the club: a club night, a general meeting. Events and matches have their own times."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="meetings")
    title = models.CharField(max_length=120)
    words = models.CharField(max_length=300, blank=True)
    venue = models.CharField(max_length=200, blank=True)
    """The venue, if not the club's own."""
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)
    is_called_off = models.BooleanField(default=False)
    repeating = models.ForeignKey(
        "clubs.RepeatingMeeting", on_delete=models.SET_NULL, null=True, blank=True, related_name="meetings"
    )
    """The repeating meeting that it is one of."""
    day = models.DateField(null=True, blank=True)
    """The day of that one for which it was added, even if it was moved since."""
    event = models.OneToOneField(
        "tournaments.Tournament", on_delete=models.SET_NULL, null=True, blank=True, related_name="meeting"
    )
    """The event played at it."""

    class Meta:
        ordering = ["starts_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["repeating", "day"], name="meeting_once_on_day")]
        indexes = [models.Index(fields=["club", "starts_at"], name="meeting_by_club")]

    def __str__(self) -> str:
        return self.title

    @property
    def over_at(self) -> datetime:
        """When it is over."""
        return self.ends_at or self.starts_at + STILL_ON


class Newsletter(models.Model):
    """A newsletter to the members who want it: drafted from the week's results, edited, and sent once."""

    class Status(models.TextChoices):
        DRAFT = "draft", gettext_lazy("Draft")
        SENDING = "sending", gettext_lazy("Being sent")
        SENT = "sent", gettext_lazy("Sent")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="newsletters")
    season = models.ForeignKey("clubs.Season", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    matchday = models.PositiveSmallIntegerField(null=True, blank=True)
    event = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    """The event of an evening, if it is about one."""
    subject = models.CharField(max_length=120)
    body = models.TextField(max_length=20_000)
    status = models.CharField(max_length=7, choices=Status, default=Status.DRAFT)
    version = models.PositiveIntegerField(default=0)
    """Grows with each change, so that two editors do not overwrite each other."""
    self_written_at = models.DateTimeField(null=True, blank=True)
    """Time at which the site wrote it from the results; empty once a person has changed it."""
    news = models.ForeignKey(News, on_delete=models.SET_NULL, null=True, blank=True, related_name="newsletters")
    """The same on the club's page, if it was published there."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.subject

    @property
    def is_edited(self) -> bool:
        """Whether a person has changed it."""
        return bool(self.version) and self.self_written_at is None


class Copy(models.Model):
    """A newsletter for one member, sent only once."""

    newsletter = models.ForeignKey(Newsletter, on_delete=models.CASCADE, related_name="copies")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="+")
    due_at = models.DateTimeField(null=True, blank=True)
    """Due time, also of a retry if the sending broke off; empty once sent."""
    sent_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "copies"
        constraints = [models.UniqueConstraint(fields=["newsletter", "membership"], name="newsletter_once_to_member")]
        indexes = [models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="copy_due")]

    def __str__(self) -> str:
        return f"{self.newsletter_id} to {self.membership_id}"
